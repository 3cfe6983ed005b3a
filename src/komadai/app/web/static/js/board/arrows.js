// @ts-check
/** Engine moves as arrows over the board: the best is solid and wide, the others dashed, thin and numbered. */

import { s } from "../lib/dom.js";

/** @import { PlayedMove } from "../types/wire" */
/** @import { Spot } from "./view.js" */
/**
 * The centre of a point, and the writing on a piece.
 * @typedef {{ centre: (at: string) => Spot, label: (code: string) => string }} Means
 */

const SHORT = 16; // distance of an arrow's tip from the centre of its point
const BADGES = /** @type {Spot[]} */ ([
  [33, -33],
  [33, 33],
  [-33, 33],
  [-33, -33],
  [0, -42],
]); // offsets that keep several badges at one point apart

/** @typedef {Pick<PlayedMove, "usi" | "from" | "to" | "way">} Shown */

/** @param {Shown[]} moves the best first @param {Means} means */
export function arrows(moves, means) {
  return moves.map((move, index) => arrow(move, index, moves.length > 1, means)).reverse();
}

/** @param {Shown} move @param {number} index @param {boolean} numbered @param {Means} means */
function arrow(move, index, numbered, { centre, label }) {
  const [x, y] = centre(move.to);
  const stops = [...(move.from ? [move.from] : []), ...(move.way?.map(({ at }) => at) ?? [move.to])].map(centre);
  const [fromX, fromY] = stops[stops.length - 2] ?? [x, y];
  const moves = x !== fromX || y !== fromY;
  const parts = moves
    ? pointing(stops, Math.atan2(y - fromY, x - fromX))
    : [
        s("circle", { class: "arrow-back", cx: x, cy: y, r: 40 }),
        s("circle", { class: "arrow-line", cx: x, cy: y, r: 40 }),
      ];
  for (const { at, shots } of move.way ?? []) {
    const [x1, y1] = centre(at);
    for (const [x2, y2] of shots.map(centre)) parts.push(s("line", { class: "shot-line", x1, y1, x2, y2 }));
  }
  if (!move.from) {
    const [text, size] = [label(move.usi.split("*")[0] ?? ""), 40];
    parts.push(
      s(
        "text",
        {
          class: "arrow-drop",
          x,
          y: y + size * 0.36,
          "font-size": text.length > 1 ? size * 0.62 : size,
          "text-anchor": "middle",
        },
        text,
      ),
    );
  }
  if (numbered) {
    const [dx, dy] = BADGES[index % BADGES.length] ?? [0, 0];
    const [atX, atY] = moves ? [(x + fromX) / 2, (y + fromY) / 2] : [x + dx, y + dy];
    parts.push(
      s(
        "g",
        { class: "arrow-number", transform: `translate(${atX} ${atY})` },
        s("circle", { r: 16 }),
        s("text", { y: 7.5, "text-anchor": "middle" }, String(index + 1)),
      ),
    );
  }
  return s("g", { class: index ? "arrow other" : "arrow best", "data-arrow": move.usi }, ...parts);
}

/** A polyline with an arrowhead at its end. @param {Spot[]} stops @param {number} angle @returns {SVGElement[]} */
function pointing(stops, angle) {
  const [x, y] = stops[stops.length - 1] ?? [0, 0];
  const back = (/** @type {number} */ by) => /** @type {Spot} */ ([x - Math.cos(angle) * by, y - Math.sin(angle) * by]);
  const [tipX, tipY] = back(SHORT);
  const d = [...stops.slice(0, -1), back(SHORT + 26)]
    .map(([px, py], at) => `${at ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`)
    .join(" ");
  const head = {
    d: "M-32 -21 L0 0 L-32 21 L-24 0 Z",
    transform: `translate(${tipX} ${tipY}) rotate(${(angle * 180) / Math.PI})`,
  };
  return [
    s("path", { class: "arrow-back", d }),
    s("path", { class: "arrow-line", d }),
    s("path", { class: "arrow-head", ...head }),
  ];
}
