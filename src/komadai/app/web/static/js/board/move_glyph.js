// @ts-check
/**
 * A small sign of the moves of a kind: dots for steps, lines for slides, which begin behind a square for hops, rings for
 * several legs, a target for shots.
 */

import { s } from "../lib/dom.js";

/** @typedef {import("../types/wire").Kind} Kind */

const UNIT = 8.5; // distance between points
const DOT = 6.4;

/** @param {number} right @param {number} ahead @param {number} times */
function spot(right, ahead, times = 1) {
  return `${(right * times * UNIT).toFixed(1)} ${(-ahead * times * UNIT).toFixed(1)}`;
}

/**
 * The sign, centred at (0, 0) and some 40 wide, from the owner's point of view.
 * @param {Kind} kind @param {string} place SVG transform
 */
export function glyph({ moves, walks = [], shot = null }, place) {
  const far = (/** @type {number} */ right, /** @type {number} */ ahead) =>
    2.2 / Math.max(Math.abs(right), Math.abs(ahead));
  const dots = moves.filter(({ reach }) => reach === 1).map(({ right, ahead }) => `M${spot(right, ahead)}h0`);
  const lines = moves
    .filter(({ reach }) => reach !== 1)
    .map(
      (leg) =>
        `M${spot(leg.right, leg.ahead, leg.hops ? 1.4 : 0.45)}L${spot(leg.right, leg.ahead, far(leg.right, leg.ahead))}`,
    );
  const hurdles = moves
    .filter(({ hops }) => hops)
    .map(({ right, ahead }) =>
      s("rect", { class: "glyph-hurdle", x: right * UNIT - 2.4, y: -ahead * UNIT - 2.4, width: 4.8, height: 4.8 }),
    );
  const rings = walks
    .flatMap(({ vectors }) => vectors)
    .map(([right, ahead]) => s("circle", { cx: right * UNIT, cy: -ahead * UNIT, r: 3.1 }));
  return s(
    "g",
    { class: "glyph", transform: place },
    lines.length ? s("path", { class: "glyph-lines", d: lines.join("") }) : null,
    dots.length ? s("path", { class: "glyph-dots", d: dots.join(""), "stroke-width": DOT }) : null,
    ...hurdles,
    ...rings,
    shot
      ? s("path", { class: "glyph-shot", d: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0M-8 0H8M0 -8V8" })
      : s("path", { class: "glyph-self", d: "M-2.6 0h5.2" }),
  );
}
