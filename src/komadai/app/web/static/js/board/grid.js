// @ts-check
/** The grid of a board (squares, or crossing lines for stones) and its coordinates. */

import { s } from "../lib/dom.js";
import { rankName } from "./square_names.js";

/** @import { Variant } from "../types/wire" */
/** @import { Sight } from "./view.js" */
/** @typedef {{ width: number, height: number, row: number }} Size size of the board, and height of a row */

const CELL = 100;
const LEGIBLE = 12; // least size of coordinates, in pixels, while the view is zoomed
const LINE = 0.95; // between the characters of a rank, which stand one below the other, in their size
const STARS = 13; // least number of lines of a board of stones with star points

/** Lines between squares, and the frame. @param {Variant} variant @param {Size} size */
function squares({ board }, { width, height, row }) {
  const lines = [];
  for (let x = 1; x < board.width; x++) lines.push(s("line", { x1: x * CELL, y1: 0, x2: x * CELL, y2: height }));
  for (let y = 1; y < board.height; y++) lines.push(s("line", { x1: 0, y1: y * row, x2: width, y2: y * row }));
  lines.push(s("rect", { class: "frame", x: 0, y: 0, width, height }));
  for (const [x, y] of board.marks) lines.push(s("circle", { class: "star", cx: x * CELL, cy: y * row, r: 6.5 }));
  return lines;
}

/**
 * Lines through the points, star points, and the borders of the promotion zones.
 * @param {Variant} variant @param {Size} size
 */
function crossings({ board }, { width, height }) {
  const half = CELL / 2;
  const [right, bottom] = [width - half, height - half];
  const d = [
    ...Array.from({ length: board.width }, (_, x) => `M${x * CELL + half} ${half} V${bottom}`),
    ...Array.from({ length: board.height }, (_, y) => `M${half} ${y * CELL + half} H${right}`),
  ].join("");
  const parts = [
    s("path", { class: "crossings", d }),
    s("rect", { class: "frame", x: half, y: half, width: width - CELL, height: height - CELL }),
    ...[...new Set(board.marks.map(([, y]) => y))].map((y) =>
      s("line", { class: "border", x1: 0, y1: y * CELL, x2: width, y2: y * CELL }),
    ),
  ];
  const stars = (/** @type {number} */ count) =>
    [3, (count - 1) / 2, count - 4].filter((at) => count >= STARS && Number.isInteger(at));
  for (const x of stars(board.width))
    for (const y of stars(board.height))
      parts.push(s("circle", { class: "star", cx: x * CELL + half, cy: y * CELL + half, r: 9 }));
  return parts;
}

/** @param {Variant} variant @param {Size} size @returns {SVGElement[]} */
export function lines(variant, size) {
  return variant.look === "stones" ? crossings(variant, size) : squares(variant, size);
}

/**
 * The names of files and ranks at the rim, each with its coordinate.
 * @param {Variant} variant @param {(at: string) => [number, number]} centre
 */
function names({ board }, centre) {
  /** @type {{ files: [string, number][], ranks: [string, number][] }} */
  const found = { files: [], ranks: [] };
  const spots = board.points.map(({ id }) => ({ id, spot: centre(id) }));
  const [top, right] = [Math.min(...spots.map(({ spot }) => spot[1])), Math.max(...spots.map(({ spot }) => spot[0]))];
  for (const { id, spot } of spots) {
    const [, file = "", rank = ""] = /^(\d+)(\D+)$/.exec(id) ?? [];
    if (spot[1] === top) found.files.push([file, spot[0]]);
    if (spot[0] === right) found.ranks.push([rankName(rank), spot[1]]);
  }
  return found;
}

/** The coordinates. When the view zooms in, they keep their size and stay at its rim. */
export class Labels {
  /** @param {Variant} variant @param {Size} size @param {number} font font size */
  constructor(variant, size, font) {
    this.variant = variant;
    this.size = size;
    this.font = font;
    /** A strip under the coordinates of a zoomed view, so that they do not stand upon pieces. */
    this.strip = s("path", { class: "label-strip" });
    this.files = s("g", { class: "labels" });
    this.ranks = s("g", { class: "labels" });
    this.shift = "";
    /** The size of the names of ranks, as a part of that of the others: long ones must not touch each other. */
    this.part = 1;
  }

  /** @param {(at: string) => [number, number]} centre */
  draw(centre) {
    if (!this.font) return;
    const { files, ranks } = names(this.variant, centre);
    const [gap, size] = [this.font * 0.85, this.font];
    this.part = Math.min(1, this.size.row / (LINE * size * (Math.max(...ranks.map(([name]) => name.length)) + 0.2)));
    this.files.replaceChildren(
      ...files.map(([name, x]) => s("text", { class: "label", x, y: size * 0.35 - gap, "font-size": size }, name)),
    );
    this.ranks.replaceChildren(
      ...ranks.map(([name, y]) => {
        const x = this.size.width + gap;
        const first = 0.35 - (LINE * (name.length - 1)) / 2;
        const lines = [...name].map((one, line) => s("tspan", { x, dy: `${line ? LINE : first}em` }, one));
        return s("text", { class: "label", y, "font-size": size * this.part }, ...lines);
      }),
    );
    this.shift = "";
  }

  /**
   * Move the coordinates to the rim of a zoomed view.
   * @param {Sight} sight the visible part @param {Sight} whole the whole board @param {number} ratio width to height
   * @param {number} pixels width of the board on the screen
   */
  follow(sight, whole, ratio, pixels) {
    const kept = sight.size / whole.size;
    const legible = sight.size < whole.size && pixels ? (LEGIBLE * sight.size) / pixels / this.font : 0;
    const scale = Math.max(kept, legible);
    const [top, right] = [sight.y - sight.size / ratio / 2, sight.x + sight.size / 2];
    const [y, x] = [top + this.font * 1.2 * scale, right - this.font * 0.85 * scale];
    const shift = `${x.toFixed(1)} ${y.toFixed(1)} ${scale.toFixed(3)}`;
    if (!this.font || shift === this.shift) return;
    this.shift = shift;
    const size = (this.font * scale).toFixed(1);
    const [left, bottom] = [sight.x - sight.size / 2, sight.y + sight.size / ratio / 2];
    const [low, inner] = [top + this.font * 1.7 * scale, right - this.font * 1.7 * scale];
    const zoomed = sight.size < whole.size;
    this.strip.setAttribute("d", zoomed ? `M${left} ${top} H${right} V${bottom} H${inner} V${low} H${left} Z` : "");
    for (const file of this.files.children) {
      file.setAttribute("y", y.toFixed(1));
      file.setAttribute("font-size", size);
    }
    for (const rank of this.ranks.children) {
      for (const line of rank.children) line.setAttribute("x", x.toFixed(1));
      rank.setAttribute("font-size", (this.font * scale * this.part).toFixed(1));
    }
  }
}
