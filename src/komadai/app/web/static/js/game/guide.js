// @ts-check
/**
 * The guide: the last move and what matters now, in words and on the board, and the reach of the opponent's pieces.
 * Shown against the weakest levels, or always or never if so chosen; never in a game of two people at two screens.
 */

import { showReach, showRemarks } from "../board/guide_marks.js";
import { guide } from "../lib/api.js";
import { byId, onClick, say } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { change, setting } from "../lib/prefs.js";
import { remarkWords } from "../text/remark.js";

/** @import { GamePage } from "./page.js" */

const EASY = ["level1", "level2", "level3", "bot:sparrow", "bot:squirrel", "bot:tortoise"];

export class Guide {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    /** The turn that the answer is about, or the empty string. */
    this.turn = "";
    /** @type {import("../types/wire").Guide | null} */
    this.answer = null;
    /** The last move in words. */
    this.last = "";
    /** Fulfilled when what was asked has been answered. @type {Promise<void> | null} */
    this.asked = null;
    /** The reach of a piece stays after a long press, until the next one. */
    this.held = false;
    onClick("guide-button", () => this.toggle());
  }

  /** True if there may be a guide. */
  get open() {
    return this.page.hint.open && !this.page.state.position.outcome;
  }

  get wanted() {
    const { seats } = this.page.state;
    const chosen = setting("guide");
    return chosen === "auto" ? EASY.includes(seats.b) || EASY.includes(seats.w) : chosen === "on";
  }

  toggle() {
    change("guide", this.wanted ? "off" : "on"); // which draws the page again
  }

  /** All that matters now, for whoever types the command; shows the guide where it is not. */
  async tell() {
    if (!this.wanted) this.toggle();
    await this.asked;
    if (!this.page.active) return t("That cannot be done now.");
    return [this.last, ...(this.answer?.remarks ?? []).map((remark) => remarkWords(remark, this.page.input))];
  }

  /** The page has been drawn: show the guide, and ask for it at the beginning of a turn. */
  show() {
    const { open, page, wanted } = this;
    byId("guide-button").hidden = !open;
    byId("guide-button").setAttribute("aria-pressed", String(wanted));
    byId("guide").hidden = !(open && wanted);
    const turn = open && wanted && page.active ? `${page.position.ply} ${page.position.sfen}` : "";
    if (turn !== this.turn) {
      this.turn = turn;
      this.answer = null;
      this.last = "";
      this.asked = turn ? this.#ask(turn) : null;
    }
    this.#draw();
  }

  /** @param {string} turn */
  async #ask(turn) {
    const { page } = this;
    const { id: variant, options } = page.state.variant;
    try {
      const asked = guide({ variant, options, position: page.position.sfen, moves: [] });
      const last = page.state.moves.length ? page.lastWords() : "";
      const [answer, words] = [await asked, await last];
      if (turn !== this.turn) return;
      this.answer = answer;
      this.last = words;
      this.#draw();
    } catch {
      // there is no guide for this turn
    }
  }

  #draw() {
    const { answer, last, page } = this;
    const [first] = answer?.remarks ?? [];
    const says = first ? remarkWords(first, page.input) : "";
    say("guide-last", last);
    say("guide-says", says);
    this.held = false;
    showRemarks(page.input.board, answer?.remarks ?? []);
  }

  /**
   * A point is pointed at, or held: show where the opponent's piece there can go.
   * @param {string | null} at @param {boolean} held
   */
  look(at, held) {
    if (this.held && !held) return;
    this.held = held && at !== null;
    const { input } = this.page;
    const begun = input.walk.path.length > 0 && !held;
    showReach(input.board, (!begun && this.answer?.reach[at ?? ""]) || []);
  }
}
