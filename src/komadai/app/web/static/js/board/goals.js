// @ts-check
/** Signs of what a stage asks for: a broken frame around points to reach, corners around pieces to take. */

import { s } from "../lib/dom.js";

/** @import { LessonMark } from "../types/wire" */

const CELL = 100;
const INSET = 8; // distance of a frame from the edges of its point
const ARM = 25; // length of the arms of a corner

/**
 * Show what is to be reached or taken, and with which piece.
 * @param {import("./svg.js").Board} board @param {LessonMark[]} marks
 */
export function showGoals(board, marks) {
  const size = /** @type {[number, number]} */ ([CELL, board.rowHeight]);
  board.goals.replaceChildren(...marks.flatMap((mark) => goalSigns(mark, board.centre(mark.at), size)));
}

/** @param {LessonMark} mark @param {[number, number]} centre @param {[number, number]} size of a point */
function goalSigns({ t, at }, [x, y], [width, height]) {
  const [right, down] = [width / 2 - INSET, height / 2 - INSET];
  if (t === "take") {
    const d = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ]
      .map(([h = 0, v = 0]) => `M${x + h * right} ${y + v * (down - ARM)}v${v * ARM}h${-h * ARM}`)
      .join("");
    return [s("path", { class: "goal-back", d }), s("path", { class: "goal take", d, "data-goal": at })];
  }
  if (t !== "target" && t !== "piece") return [];
  const box = { x: x - right, y: y - down, width: 2 * right, height: 2 * down, rx: 12 };
  return [
    s("rect", { class: "goal-back", ...box }),
    s("rect", { class: `goal ${t}`, ...box, ...(t === "target" ? { "data-goal": at } : {}) }),
  ];
}
