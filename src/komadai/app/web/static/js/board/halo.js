// @ts-check
/** The light under supported points, and a dashed outline around those where only links are supported. */

import { s } from "../lib/dom.js";

/** @typedef {[number, number]} Spot the centre of a point */

/** @param {Spot} spot */
function keyOf([x, y]) {
  return `${Math.round(x)},${Math.round(y)}`;
}

/**
 * @param {Spot[]} spots points where any piece is supported @param {Spot[]} links points where a link is
 * @param {{ cell: [number, number], soft: boolean }} look size of a point, and whether the light has round corners
 * @returns {SVGElement[]}
 */
export function halo(spots, links, { cell: [width, height], soft }) {
  const [over, round] = soft ? [5, 38] : [0, 0]; // overhang of the light, and radius of its corners
  const lit = new Set(spots.map(keyOf));
  const light = spots.flatMap(([x, y]) => [
    s("rect", {
      x: x - width / 2 - over,
      y: y - height / 2 - over,
      width: width + 2 * over,
      height: height + 2 * over,
      rx: round,
    }),
    // Join neighbours, so that only the corners of the whole area are round.
    lit.has(keyOf([x + width, y]))
      ? s("rect", { x, y: y - height / 2 - over, width, height: height + 2 * over })
      : null,
    lit.has(keyOf([x, y + height])) ? s("rect", { x: x - width / 2 - over, y, width: width + 2 * over, height }) : null,
  ]);
  const outline = s("path", { class: "halo-links", d: outlineOf(links, width, height) });
  return [s("g", { class: "halo" }, ...light), ...(links.length ? [outline] : [])];
}

/**
 * The outline of a set of points as path data: every edge of a point whose neighbour is not in the set.
 * @param {Spot[]} spots @param {number} width @param {number} height
 */
function outlineOf(spots, width, height) {
  const inside = new Set(spots.map(keyOf));
  let d = "";
  for (const [x, y] of spots) {
    const [left, top] = [x - width / 2, y - height / 2];
    if (!inside.has(keyOf([x, y - height]))) d += `M${left} ${top}h${width}`;
    if (!inside.has(keyOf([x, y + height]))) d += `M${left} ${top + height}h${width}`;
    if (!inside.has(keyOf([x - width, y]))) d += `M${left} ${top}v${height}`;
    if (!inside.has(keyOf([x + width, y]))) d += `M${left + width} ${top}v${height}`;
  }
  return d;
}
