// @ts-check
/** What the pages of a puzzle and of an opening have in common: wrong moves are refuted on the board, hints come in steps. */

import { showGoals } from "../board/goals.js";
import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { Exercise } from "./exercise.js";

/** @import { OpeningAnswer, PuzzleAnswer, Side, Variant } from "../types/wire" */

const PAUSE = 800; // milliseconds between moves that are played out

/**
 * @template {OpeningAnswer | PuzzleAnswer} A
 * @extends {Exercise<A>}
 */
export class Refuting extends Exercise {
  /**
   * @param {Variant} variant @param {A} answer how it begins @param {Side} side
   * @param {number} steps of a hint; the last is the move
   */
  constructor(variant, answer, side, steps) {
    super(variant, answer, side, PAUSE);
    this.begun = answer;
    this.steps = steps;
    /** True from when a refutation is played out until one goes back. */
    this.refuted = false;
    /** The steps of the hint that are shown. */
    this.hints = 0;
  }

  /** @override */
  get active() {
    return super.active && !this.refuted && this.answer.state !== "done";
  }

  /** Ask the judge for a hint. */
  askHint() {}

  /** What the judge says of the last move, and what helps. @returns {string[]} */
  lines() {
    return [];
  }

  /** Write all words anew. */
  say() {}

  /** What is said to a move when there is nothing left to do. */
  get doneWords() {
    return "";
  }

  /** @override */
  answered() {
    this.hints = this.answer.show ? 1 : 0;
  }

  /** Play out the line of the answer that refutes a move. */
  async refute() {
    if (this.waiting) return;
    this.waiting = this.refuted = true;
    this.hints = 0;
    this.say();
    await this.playOut(this.answer.refutation);
    this.waiting = false;
    this.input.refresh();
  }

  /** Back from a refutation to where the move was tried. */
  goBack() {
    if (this.waiting || !this.refuted) return;
    this.refuted = false;
    this.moves.length = Math.min(this.moves.length, this.answer.moves.length);
    this.show(this.answer.position, null);
    this.say();
  }

  /** A further step of the hint. @override */
  hint() {
    this.goBack();
    if (!this.answer.show) return this.askHint();
    this.hints = Math.min(this.hints + 1, this.steps);
    this.say();
    this.input.refresh();
  }

  /** @override */
  cancel() {
    if (this.refuted) this.goBack();
    else super.cancel();
  }

  /** @override */
  sayBusy() {
    if (this.refuted && !this.waiting) showNotice(t("Go back first."), true);
    else if (this.answer.state === "done") showNotice(this.doneWords, true);
    else super.sayBusy();
  }

  /** @override */
  statusWords() {
    return [byId("heading").textContent ?? "", byId("task").textContent ?? "", ...this.lines()].filter(Boolean);
  }

  /** @override */
  refreshed() {
    super.refreshed();
    const { answer, hints, input, steps } = this;
    const show = this.waiting || this.refuted ? null : answer.show;
    const marks = show
      ? [
          ...(show.from ? [{ t: /** @type {const} */ ("piece"), at: show.from }] : []),
          ...(hints > 1 ? [{ t: /** @type {const} */ ("target"), at: show.to }] : []),
        ]
      : [];
    showGoals(input.board, marks);
    input.board.showArrows(show && hints >= steps ? [show] : []);
    byId("why").toggleAttribute("disabled", this.waiting);
    const shown = show !== null && hints >= steps;
    byId("hint").toggleAttribute("disabled", this.waiting || answer.state === "done" || shown);
  }
}
