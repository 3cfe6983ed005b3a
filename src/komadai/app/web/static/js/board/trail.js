// @ts-check
/** The path of a compound move: of the one being made, with numbers, and of the last one. */

import { s } from "../lib/dom.js";

/** @import { Landing } from "../types/wire" */
/** @import { Spot } from "./view.js" */
/** @typedef {(at: string) => Spot} Centre */

const SHORT = 44; // distance of the ends of arrows from the centres of their points

/** The sign of a shot by its order. @param {number} index */
function circled(index) {
  return "①②③④⑤⑥⑦⑧⑨"[index] ?? String(index + 1);
}

/** A line between two points that ends short of both. @param {Spot} from @param {Spot} to @param {number} [short] */
function between([x1, y1], [x2, y2], short = SHORT) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [((x2 - x1) / length) * short, ((y2 - y1) / length) * short];
  return { x1: x1 + dx * 0.55, y1: y1 + dy * 0.55, x2: x2 - dx, y2: y2 - dy };
}

/** The end of such a line. @param {Spot} from @param {Spot} to @returns {Spot} */
function before(from, to) {
  const { x2, y2 } = between(from, to);
  return [x2, y2];
}

/** An arrowhead. @param {Spot} from @param {Spot} to @param {string} className */
function head([x1, y1], [x2, y2], className) {
  const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  return s("path", {
    class: className,
    d: "M-22 -13 L0 0 L-22 13 Z",
    transform: `translate(${x2} ${y2}) rotate(${angle})`,
  });
}

/**
 * The move being made: a line through its numbered landings, and dashed lines to its shots in order.
 * @param {Landing[]} way the landings, the start first @param {Centre} centre
 */
export function trail(way, centre) {
  const spots = way.map(({ at }) => centre(at));
  /** @type {SVGElement[]} */
  const parts = [];
  // The last leg ends at the rim of the piece, to keep it legible.
  const ends = spots.map((spot, index) =>
    index && index === spots.length - 1 ? before(spots[index - 1] ?? spot, spot) : spot,
  );
  const d = ends.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(" ");
  if (spots.length > 1) parts.push(s("path", { class: "trail-back", d }), s("path", { class: "trail", d }));
  let shot = 0;
  way.forEach(({ shots }, index) => {
    const from = spots[index];
    for (const at of from ? shots : []) {
      const to = centre(at);
      parts.push(
        s("line", { class: "shot-back", ...between(from ?? to, to, 34) }),
        s("line", { class: "shot-line", ...between(from ?? to, to, 34) }),
        badge("shot-number", circled(shot++), [to[0], to[1]], 30),
      );
    }
  });
  // The start has no number, nor has a single landing.
  if (spots.length > 2)
    parts.push(...spots.slice(1).map(([x, y], index) => badge("leg-number", String(index + 1), [x - 32, y - 32], 19)));
  return parts;
}

/** @param {string} className @param {string} text @param {Spot} centre @param {number} r */
function badge(className, text, [x, y], r) {
  return s(
    "g",
    { class: className, transform: `translate(${x} ${y})` },
    s("circle", { r }),
    s(
      "text",
      { y: r * 0.36, "font-size": r * (className === "shot-number" ? 1.7 : 1.25), "text-anchor": "middle" },
      text,
    ),
  );
}

/**
 * The last move: a line along its path, a dashed arrow for each shot, crosses where pieces were removed.
 * @param {string | null} from @param {Landing[]} way its landings @param {string[]} gone @param {Centre} centre
 */
export function lastMove(from, way, gone, centre) {
  /** @type {SVGElement[]} */
  const parts = [];
  const stops = [...(from ? [from] : []), ...way.map(({ at }) => at)].map(centre);
  const d = stops.map(([x, y], index) => `${index ? "L" : "M"}${x} ${y}`).join(" ");
  if (stops.length > 1) parts.push(s("path", { class: "last-way", d }));
  for (const [x, y] of stops.slice(1, -1)) parts.push(s("circle", { class: "last-stop", cx: x, cy: y, r: 11 }));
  for (const { at, shots } of way) {
    for (const shot of shots) {
      const line = between(centre(at), centre(shot), 20);
      parts.push(s("line", { class: "last-shot", ...line }), head([line.x1, line.y1], [line.x2, line.y2], "last-head"));
    }
  }
  for (const at of gone) {
    const [x, y] = centre(at);
    parts.push(s("path", { class: "vanished", "data-gone": at, d: `M${x - 22} ${y - 22} l44 44 m0 -44 l-44 44` }));
  }
  return parts;
}
