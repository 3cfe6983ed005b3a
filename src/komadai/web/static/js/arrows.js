// @ts-check
/** Moves that are thought of, as arrows over the board: the best is full and broad, others are broken, thin and numbered. */

import { s } from "./dom.js";

/** @typedef {import("./view.js").Spot} Spot */
/** @typedef {import("./types").PlayedMove} PlayedMove */

const SHORT = 16; // how far from the middle of a point an arrow ends

/** @param {PlayedMove[]} moves the best first @param {(at: string) => Spot} centre */
export function arrows(moves, centre) {
  return moves.map((move, index) => arrow(move, index, moves.length > 1, centre)).reverse();
}

/** @param {PlayedMove} move @param {number} index @param {boolean} numbered @param {(at: string) => Spot} centre */
function arrow({ from, to, way, usi }, index, numbered, centre) {
  const stops = [...(from ? [from] : []), ...(way?.map(({ at }) => at) ?? [to])].map(centre);
  const [x, y] = stops[stops.length - 1] ?? centre(to);
  const [fromX, fromY] = stops[stops.length - 2] ?? [x, y];
  const length = Math.hypot(x - fromX, y - fromY);
  /** @type {SVGElement[]} */
  const parts = [];
  if (length) {
    const angle = Math.atan2(y - fromY, x - fromX);
    const [tipX, tipY] = [x - Math.cos(angle) * SHORT, y - Math.sin(angle) * SHORT];
    const neck = /** @type {Spot} */ ([tipX - Math.cos(angle) * 26, tipY - Math.sin(angle) * 26]);
    const d = [...stops.slice(0, -1), neck].map(([px, py], at) => `${at ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join(" ");
    const head = { d: "M-32 -21 L0 0 L-32 21 L-24 0 Z", transform: `translate(${tipX} ${tipY}) rotate(${(angle * 180) / Math.PI})` };
    parts.push(s("path", { class: "arrow-back", d }), s("path", { class: "arrow-line", d }), s("path", { class: "arrow-head", ...head }));
  } else {
    parts.push(s("circle", { class: "arrow-back", cx: x, cy: y, r: 40 }), s("circle", { class: "arrow-line", cx: x, cy: y, r: 40 }));
  }
  if (numbered) {
    const place = `translate(${length ? (x + fromX) / 2 : x + 30} ${length ? (y + fromY) / 2 : y - 30})`;
    parts.push(s("g", { class: "arrow-number", transform: place }, s("circle", { r: 16 }), s("text", { y: 7.5, "text-anchor": "middle" }, String(index + 1))));
  }
  return s("g", { class: index ? "arrow other" : "arrow best", "data-arrow": usi }, ...parts);
}
