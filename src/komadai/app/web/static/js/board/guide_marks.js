// @ts-check
/** The guide on the board: pieces in danger, pieces to be taken, and the reach of a piece. */

import { s } from "../lib/dom.js";

/** @import { Remark } from "../types/wire" */
/** @import { Board } from "./svg.js" */

const CORNER = 24; // length of the arms of a corner

/** The corners of a square around a point, as path data. @param {[number, number]} centre @param {number} half */
function corners([x, y], half) {
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ]
    .map(([h = 0, v = 0]) => `M${x + h * half} ${y + v * (half - CORNER)}v${v * CORNER}h${-h * CORNER}`)
    .join("");
}

/**
 * Mark own pieces in danger by corners, pieces to be taken and the place to go for by a broken ring, and the first
 * remark's attack by a line.
 * @param {Board} board @param {Remark[]} remarks
 */
export function showRemarks(board, remarks) {
  const signs = [];
  const seen = new Set();
  const [first] = remarks;
  for (const from of first?.by ?? [])
    for (const to of first?.there ? [first.there] : (first?.at ?? [])) {
      const [[x1, y1], [x2, y2]] = [board.centre(from), board.centre(to)];
      signs.push(s("line", { class: `guide-line ${first?.topic}`, x1, y1, x2, y2 }));
    }
  for (const { topic, at, there } of remarks)
    for (const square of there ? [there] : at) {
      if (seen.has(square)) continue;
      seen.add(square);
      const centre = board.centre(square);
      const [cx, cy] = centre;
      if (topic === "hangs" || topic === "threat")
        signs.push(
          s("path", { class: "guide-danger", d: corners(centre, board.round ? 54 : 45), "data-danger": square }),
        );
      else if (topic === "chance" || there)
        signs.push(s("circle", { class: "guide-chance", cx, cy, r: board.round ? 52 : 46, "data-chance": square }));
    }
  board.goals.replaceChildren(...signs);
}

/** Light up the points that a piece reaches. @param {Board} board @param {string[]} points */
export function showReach(board, points) {
  for (const sign of board.goals.querySelectorAll(".guide-reach")) sign.remove();
  board.goals.append(
    ...points.map((at) => {
      const [cx, cy] = board.centre(at);
      return s("circle", { class: "guide-reach", cx, cy, r: board.pieces[at] ? 48 : 20, "data-reach": at });
    }),
  );
}
