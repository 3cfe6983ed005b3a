// @ts-check
/** What the pages of a stage and of a puzzle have in common: a judge on the server answers each move. */

import { explainMove } from "../lib/api.js";
import { byId, onClick } from "../lib/dom.js";
import { piecesAfter, UNKNOWN } from "../lib/position.js";
import { OTHER } from "../lib/sides.js";
import { BoardPage } from "../text/board_page.js";

/** @import { LessonAnswer, OpeningAnswer, PuzzleAnswer, RecordedMove, Side, Variant } from "../types/wire" */

/** @template {LessonAnswer | OpeningAnswer | PuzzleAnswer} A */
export class Exercise extends BoardPage {
  /**
   * @param {Variant} variant @param {A} answer how it begins @param {Side} side
   * @param {number} pause milliseconds between moves that are played out
   */
  constructor(variant, answer, side, pause) {
    super(variant, answer.position, side);
    this.answer = answer;
    this.pause = pause;
    onClick("hint", () => void this.hint());
  }

  /** Show what helps. @returns {void | Promise<void>} */
  hint() {}

  /** An impossible move was tried: the judge says why. @override @param {string} text */
  explain(text) {
    const { id: variant, options } = this.input.variant;
    this.input.explain(text, explainMove({ variant, options, position: this.position.sfen, moves: [] }, text));
  }

  /** Show moves from the position shown, one after the other. @param {readonly RecordedMove[]} moves */
  async playOut(moves) {
    for (const move of moves) {
      this.before = this.position;
      this.moves.push(move);
      const after = piecesAfter(this.position, move);
      this.show({ ...UNKNOWN, ...after, turn: OTHER[move.side], ply: this.position.ply + 1 }, move);
      await new Promise((done) => setTimeout(done, this.pause));
    }
  }

  /**
   * Show the moves of an answer one after the other, and then its position. Where that has not changed a move begun is
   * kept, unless it was complete.
   * @param {A} answer @param {boolean} elsewhere another position than that of the last answer is shown
   */
  async advance(answer, elsewhere) {
    const known = answer.moves.length - answer.made.length;
    const stays = !elsewhere && !answer.made.length && this.moves.length === known;
    this.moves.length = Math.min(this.moves.length, known);
    await this.playOut(answer.made.slice(0, -1));
    const last = answer.made.at(-1) ?? null;
    if (last) {
      this.before = this.position;
      this.moves.push(last);
    }
    this.answer = answer;
    this.waiting = false;
    this.answered();
    if (!stays) return this.show(answer.position, last);
    this.position = { ...this.position, ...answer.position };
    if (this.input.walk.usi !== undefined) this.input.walk.reset();
    this.input.refresh();
  }

  /** There is a new answer, which is about to be shown. */
  answered() {}

  /** @override */
  refreshed() {
    super.refreshed();
    const done = this.answer.state === "done";
    document.body.classList.toggle("done", done);
    byId("following").classList.toggle("primary", done);
  }
}
