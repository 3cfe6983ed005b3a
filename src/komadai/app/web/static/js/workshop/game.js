// @ts-check
/** A game of the workshop: nobody keeps it, and every question brings the variant file along. */

import { byId, h, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { moveText } from "../lib/prefs.js";
import { SIDE_NAMES } from "../lib/sides.js";
import { explainIn, positionIn, replyIn } from "../lib/workshop_api.js";
import { prompt } from "../moves/words.js";
import { BoardPage } from "../text/board_page.js";
import { press } from "../text/commands.js";

/** @import { Command } from "../types/client" */
/** @import { FoundPosition, RecordedMove, Rulebook, ShownPosition } from "../types/wire" */

const LEVELS = 10;
const USUAL = 3; // level

export class WorkshopGame extends BoardPage {
  /** @param {string} file @param {Rulebook} rulebook @param {ShownPosition} start */
  constructor(file, rulebook, start) {
    super(rulebook.variant, start, "b");
    this.file = file;
    this.rulebook = rulebook;
    this.start = start;
    this.#listen();
    this.#head();
    this.input.show([], null, true);
  }

  /** @override @returns {Command[]} */
  ownCommands() {
    return [
      { keys: ["u"], typed: ["u", "undo"], words: t("take back"), press: () => press("undo") },
      { keys: ["r"], typed: ["again"], words: t("begin the game again"), press: () => press("again") },
    ];
  }

  /** @override */
  get active() {
    return super.active && this.position.outcome === null && (this.me === null || this.me === this.position.turn);
  }

  /** The level of the engine. */
  get level() {
    return Number(/** @type {HTMLSelectElement} */ (byId("level")).value);
  }

  get #line() {
    return this.moves.map(({ usi }) => usi);
  }

  // --- Moves ---

  /** Make a move, as the board or a person writes it; then the engine replies. @override @param {string} text */
  async ask(text) {
    if (!this.active) return false;
    const done = await this.#step(() => positionIn(this.file, this.#line, text));
    if (done) await this.#reply();
    return done;
  }

  /** Let the engine move while it is its turn: also after a person has changed sides while it was thinking. */
  async #reply() {
    while (this.me !== null && this.me !== this.position.turn && this.position.outcome === null) {
      byId("heading").textContent = t("The computer is thinking…");
      if (!(await this.#step(() => replyIn(this.file, this.#line, this.level)))) return;
    }
  }

  /** Ask for a position with a move more, and show it. @param {() => Promise<FoundPosition>} question */
  #step(question) {
    return this.request(question, ({ moves, position }) => {
      this.waiting = false;
      const move = moves.at(-1) ?? null;
      if (move) this.moves.push(move);
      this.show(position, move);
    });
  }

  /** @override */
  unanswered() {
    this.#head();
  }

  /** @override @param {ShownPosition} position @param {RecordedMove | null} moved */
  show(position, moved) {
    this.before = moved ? this.position : position;
    super.show(position, moved);
    this.#head();
  }

  /** Begin again. @override */
  async again() {
    if (this.waiting) return;
    this.moves = [];
    showNotice("");
    this.show(this.start, null);
    await this.#reply();
  }

  /** Take back one's own last move and the reply to it, or the last move if one plays both sides. */
  async undo() {
    if (this.waiting || !this.moves.length) return;
    const own = this.moves.map(({ side }) => this.me === null || side === this.me).lastIndexOf(true);
    if (own < 0) return;
    const { moves } = this;
    this.moves = moves.slice(0, own);
    if (await this.#step(() => positionIn(this.file, this.#line))) return;
    this.moves = moves;
    this.#head();
  }

  /** @override @param {string} text */
  explain(text) {
    this.input.explain(text, explainIn(this.file, this.#line, text));
  }

  /** @override */
  sayBusy() {
    if (this.position.outcome) showNotice(t("The game is over."), true);
    else showNotice(t("The computer is thinking…"), true);
  }

  // --- Words ---

  #head() {
    const { position, moves, me } = this;
    byId("heading").textContent = prompt({ ...position, thinking: false }, me, this.input.walk, this.input.kinds);
    byId("moves").textContent = moves.map((move, index) => `${index + 1}. ${moveText(move)}`).join("  ");
    byId("undo").toggleAttribute("disabled", !moves.length);
    byId("again").toggleAttribute("disabled", !moves.length);
    document.title = `${t(this.rulebook.variant.name)} – Komadai`;
  }

  // --- Controls ---

  #listen() {
    byId("level").append(
      ...Array.from({ length: LEVELS }, (_, index) =>
        h("option", { value: index + 1, selected: index + 1 === USUAL }, `${index + 1}`),
      ),
    );
    byId("side").addEventListener("change", ({ target }) => void this.#change(target));
    onClick("undo", () => void this.undo());
  }

  /** Play another side from now on. @param {EventTarget | null} target */
  async #change(target) {
    const value = target instanceof HTMLSelectElement ? target.value : "";
    this.me = value === "b" || value === "w" ? value : null;
    if (this.input.flipped !== (this.me === "w")) this.input.flip();
    this.input.refresh();
    this.#head();
    if (!this.waiting) await this.#reply();
    showNotice(this.me ? t("You play {side}.", { side: SIDE_NAMES[this.me] }) : t("You play both sides."), true);
  }
}
