// @ts-check
/** Everything drawn under the pieces: the last move, forbidden points, the selection, and the light of support. */

import { halo } from "./halo.js";
import { lastMove } from "./trail.js";

/** @typedef {import("./svg.js").Board} Board */
/** @typedef {import("./marks.js").Marks} Marks */

const CELL = 100;
const NEIGHBOURS = /** @type {[number, number][]} */ ([
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
]);

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
