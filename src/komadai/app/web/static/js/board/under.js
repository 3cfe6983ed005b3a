// @ts-check
/** Everything drawn under the pieces: the last move, forbidden points, the selection, and the light of support. */

import { s } from "../lib/dom.js";
import { lastMove } from "./trail.js";

/** @import { Marks } from "./marks.js" */
/** @import { Board } from "./svg.js" */

const CELL = 100;
const NEIGHBOURS = /** @type {[number, number][]} */ ([
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
]);

/** @typedef {[number, number]} Spot the centre of a point */

/** @param {Spot} spot */
function keyOf([x, y]) {
  return `${Math.round(x)},${Math.round(y)}`;
}

/**
 * The light under supported points, and a dashed outline around those where only links are supported.
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

/** The last move, check, forbidden points, the selected piece and the target chosen for it. @param {Board} board @param {Marks} marks */
export function underMarks(board, { last, way, check, shaded, selected, intended }) {
  const parts = [];
  const shift = last?.shift ?? [0, 0];
  const now = (/** @type {string} */ at) => board.renamed(at, shift) ?? at;
  const [from, to] = [last?.from, last?.to].map((at) => at && board.renamed(at, shift));
  const inset = board.round ? -7 : 0;
  if (from) parts.push(board.cell(from, "last-from", inset));
  if (to) parts.push(board.cell(to, "last-to", inset));
  if (last && way.length < 2 && (board.round || last.way)) {
    const landings = (last.way ?? [{ at: last.to, shots: [] }]).map(({ at, shots }) => ({
      at: now(at),
      shots: shots.map(now),
    }));
    parts.push(...lastMove(from ?? null, landings, (last.gone ?? []).map(now), (at) => board.centre(at)));
  }
  if (intended) parts.push(board.cell(intended.to, "selected", inset));
  if (check) parts.push(board.cell(check, "check", 3));
  for (const at of shaded) {
    const cell = board.cell(at, "shaded");
    cell.setAttribute("fill", "url(#hatch)");
    cell.dataset.shaded = at;
    parts.push(board.cell(at, "shade"), cell);
  }
  if (selected) parts.push(board.cell(selected, "selected", board.round ? -9 : 2));
  return parts;
}

/**
 * The light under supported points. It is also under royal pieces and pieces surrounded by it, so that it has no holes.
 * @param {Board} board @param {Marks["support"]} support
 */
export function supportLight(board, support) {
  const whole = (/** @type {string[]} */ points) => {
    const lit = new Set(points);
    const surrounded = (/** @type {string} */ at) =>
      board.kinds.get(board.pieces[at]?.slice(1) ?? "")?.royal ||
      NEIGHBOURS.every((by) => lit.has(board.renamed(at, by) ?? ""));
    return board.centres(
      points.length ? [...new Set([...points, ...Object.keys(board.pieces).filter(surrounded)])] : [],
    );
  };
  const look = { cell: /** @type {[number, number]} */ ([CELL, board.rowHeight]), soft: board.unbounded };
  return halo(whole(support?.pieces ?? []), whole(support?.links ?? []), look);
}
