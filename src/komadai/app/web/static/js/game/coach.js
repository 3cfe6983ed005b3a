// @ts-check
/**
 * The coach, in games against the computer: asks before a move that makes something worse, if that is wanted, and says
 * why the computer moved as it did.
 */

import { placeNames } from "../board/place_names.js";
import { reasons, warning } from "../lib/api.js";
import { button, byId, focusAgain, h, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { moveText, setting } from "../lib/prefs.js";
import { remarkWords } from "../text/remark.js";

/** @import { GamePage } from "./page.js" */

const PATIENCE = 1500; // milliseconds after which a move is sent without an answer
const LITTLE = 20_000; // milliseconds left on the clock, below which nothing is asked

export class Coach {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    /** True while the server is asked about a move. */
    this.asks = false;
    /** The position and the move on the board in which a move awaits the person's answer. */
    this.state = "";
    /** What the answer is told to. @type {((approved: boolean) => void) | null} */
    this.answered = null;
    /** The element that had the focus before. @type {Element | null} */
    this.before = null;
    onClick("why", () => void this.explain());
  }

  /** True if the game is not over. */
  get open() {
    return !this.page.state.position.outcome;
  }

  /** True if a move that is made now is looked at first. */
  get wanted() {
    const { connection, intended, me, meeting } = this.page;
    if (!this.open || me === null || setting("coach") === "off" || intended.playing || !connection.open) return false;
    return meeting.faces.remaining(me) >= LITTLE;
  }

  get #state() {
    const { input, position } = this.page;
    return `${position.ply} ${position.sfen} ${input.walk.usi ?? ""}`;
  }

  /** The page has been drawn: a question about a move that is no longer on the board is dropped. */
  show() {
    const { page } = this;
    byId("why").hidden = !this.open;
    byId("why").toggleAttribute("disabled", !this.#last);
    if (this.answered && (this.state !== this.#state || page.past.at !== null)) this.#answer(false);
  }

  // --- Before a move ---

  /** True if a move may be sent: it makes nothing worse, or the person wants it. @param {string} text */
  async approves(text) {
    const { page } = this;
    this.#answer(false);
    this.state = this.#state;
    this.asks = true;
    const late = new Promise((/** @type {(nothing: null) => void} */ done) => setTimeout(() => done(null), PATIENCE));
    const found = await Promise.race([warning(page.branch(), text), late]).catch(() => null);
    this.asks = false;
    if (this.state !== this.#state || !page.active) {
      page.input.refresh();
      return false;
    }
    return found?.remark ? this.#ask(found.remark, found.board) : true;
  }

  /**
   * Ask whether the move is to be played, beside the board.
   * @param {import("../types/wire").Remark} remark @param {Record<string, string>} board the pieces after it
   * @returns {Promise<boolean>}
   */
  #ask(remark, board) {
    const { input, me } = this.page;
    const { kinds, variant } = input;
    const turn = me ?? "b";
    const words = remarkWords(remark, {
      kinds,
      places: placeNames(variant, kinds, board, turn, me),
      position: { board, turn },
    });
    const back = () => {
      this.#answer(false);
      input.cancel();
    };
    this.before = document.activeElement;
    input.refresh(); // shows the piece where it would stand
    const question = h(
      "div",
      { class: "offer", role: "group", tabindex: -1, "aria-label": t("Coach"), "data-topic": remark.topic },
      h("p", {}, t("{warning} Play it all the same?", { warning: words })),
      h(
        "div",
        { class: "row" },
        button({ "data-answer": "play" }, () => this.#answer(true), t("Play it")),
        button({ class: "primary", "data-answer": "back" }, back, t("Take it back")),
      ),
    );
    byId("coach").replaceChildren(question);
    question.focus({ preventScroll: true });
    return new Promise((done) => {
      this.answered = done;
    });
  }

  /** The question is answered. @param {boolean} approved */
  #answer(approved) {
    const { answered } = this;
    this.answered = null;
    const host = byId("coach");
    if (host.contains(document.activeElement)) focusAgain(this.before);
    host.replaceChildren();
    answered?.(approved);
  }

  // --- After a move of the computer ---

  /** The computer's move that led to the position shown, if one did. */
  get #last() {
    const { me, past, state } = this.page;
    const theirs = this.open && past.at === null && state.position.turn === me;
    return (theirs && state.moves[state.moves.length - 1]) || null;
  }

  /** Why the computer made its last move, in words. */
  async reasons() {
    const { page } = this;
    const last = this.#last;
    if (!last) return t("The computer has made no move that led here.");
    const { remarks } = await reasons(page.branch(-1), last.usi);
    const words = remarks.map((remark) => remarkWords(remark, page.input));
    if (!words.length) return page.lastWords();
    const all = words.reduce((said, more) => t("{said} {more}", { said, more }));
    return t("{move}: {words}", { move: moveText(last), words: all });
  }

  /** Show why the computer made its last move. */
  async explain() {
    const last = this.#last;
    try {
      const words = await this.reasons();
      if (last === this.#last) showNotice(words, true);
    } catch (error) {
      showNotice(fault(error));
    }
  }
}
