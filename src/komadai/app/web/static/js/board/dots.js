// @ts-check
/** The points of an unbounded board: dots that fade outwards. */

import { s } from "../lib/dom.js";

/** @import { Spot } from "./view.js" */

const CELL = 100;
const FADE = 6; // number of cells outside the fitted view over which the dots fade

/**
 * The dots around the fitted view.
 * @param {import("./view.js").Sight} fitted @param {Spot} origin the centre of any point
 */
export function dots({ x, y, size }, [originX, originY]) {
  const reach = size / 2 / CELL + FADE;
  const first = (/** @type {number} */ middle, /** @type {number} */ origin) =>
    origin + Math.ceil((middle - reach * CELL - origin) / CELL) * CELL;
  /** @type {SVGElement[]} */
  const made = [];
  for (let cy = first(y, originY); cy <= y + reach * CELL; cy += CELL) {
    for (let cx = first(x, originX); cx <= x + reach * CELL; cx += CELL) {
      const beyond = Math.max(0, Math.hypot(cx - x, cy - y) - size * 0.3) / CELL;
      const light = 1 - beyond / (FADE + size / CELL / 4);
      if (light <= 0.04) continue;
      made.push(
        s("circle", {
          class: "point",
          cx,
          cy,
          r: (2 + 3.4 * light).toFixed(1),
          "fill-opacity": (light * 0.8).toFixed(2),
        }),
      );
    }
  }
  return made;
}
