// @ts-check
/** A puzzle that is over: its moves step by step, and the way with them into the study. */

import { button, byId, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { piecesAfter, UNKNOWN } from "../lib/position.js";
import { ROOT } from "../lib/root.js";
import { OTHER } from "../lib/sides.js";

/** @import { PuzzleAnswer, RecordedMove, ShownPosition } from "../types/wire" */
/** @import { PuzzlePage } from "./puzzle.js" */

export class Replay {
  /** @param {PuzzlePage} page @param {ShownPosition} start */
  constructor(page, start) {
    this.page = page;
    this.start = start;
    /** @type {RecordedMove[]} */
    this.moves = [];
    this.end = start;
    this.at = 0;
    const step = (/** @type {string} */ sign, /** @type {string} */ words, /** @type {() => number} */ to) =>
      button({ title: words, "aria-label": words }, () => this.to(to()), h("span", { "aria-hidden": "true" }, sign));
    this.back = [step("|◀", t("To the start"), () => 0), step("◀", t("One move back"), () => this.at - 1)];
    this.on = [step("▶", t("One move on"), () => this.at + 1), step("▶|", t("To the end"), () => this.moves.length)];
    this.study = h("a", { class: "button" }, t("Open in the study"));
    byId("replay").replaceChildren(...this.back, ...this.on, this.study);
  }

  /** The puzzle is over, or begins again. @param {PuzzleAnswer} answer */
  follow({ state, moves, position }) {
    byId("replay").hidden = state !== "done";
    if (state !== "done") return;
    this.moves = [...this.page.moves];
    this.end = position;
    this.at = this.moves.length;
    const { id: variant, options } = this.page.input.variant;
    const query = { ...options, variant, position: this.start.sfen, moves: moves.join(" ") };
    this.study.setAttribute("href", `${ROOT}study?${new URLSearchParams(query)}`);
    this.#mark();
  }

  /** The position after so many moves. @param {number} count @returns {ShownPosition} */
  #position(count) {
    if (count === this.moves.length) return this.end;
    const { turn, ply } = this.start;
    const pieces = this.moves.slice(0, count).reduce(piecesAfter, this.start);
    return { ...UNKNOWN, ...pieces, turn: count % 2 ? OTHER[turn] : turn, ply: ply + count };
  }

  /** Show the position after so many moves. @param {number} count */
  to(count) {
    const { page, moves } = this;
    if (byId("replay").hidden || page.waiting || count < 0 || count > moves.length) return;
    const forward = count === this.at + 1;
    this.at = count;
    page.moves = moves.slice(0, count);
    page.before = this.#position(Math.max(count - 1, 0));
    page.show(this.#position(count), forward ? (moves[count - 1] ?? null) : null);
    this.#mark();
  }

  #mark() {
    for (const one of this.back) one.toggleAttribute("disabled", !this.at);
    for (const one of this.on) one.toggleAttribute("disabled", this.at === this.moves.length);
  }
}
