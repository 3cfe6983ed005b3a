// @ts-check
/** A game of the workshop: nobody keeps it, and every question brings the variant file along. */

import { byId, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { moveText, still } from "../lib/prefs.js";
import { listenForSettings } from "../lib/settings_sheet.js";
import { SIDE_NAMES } from "../lib/sides.js";
import { playMoveSound } from "../lib/sound.js";
import { MoveInput } from "../moves/input.js";
import { NO_GAME } from "../moves/position.js";
import { prompt } from "../moves/words.js";
import { boardCommands, press } from "../text/commands.js";
import { scrollsLog, TextConsole } from "../text/console.js";
import { moveWords } from "../text/describe.js";
import { Help } from "../text/help.js";
import { explainIn, positionIn, replyIn } from "./api.js";

/** @typedef {import("../types/client").CommandHost} CommandHost */
/** @typedef {import("../types/client").MoveHost} MoveHost */
/** @typedef {import("../types/wire").CheckedFile} CheckedFile */
/** @typedef {import("../types/wire").FoundPosition} FoundPosition */
/** @typedef {import("../types/wire").Pieces} Pieces */
/** @typedef {import("../types/wire").Position} Position */
/** @typedef {import("../types/wire").RecordedMove} RecordedMove */
/** @typedef {import("../types/wire").Rulebook} Rulebook */
/** @typedef {import("../types/wire").ShownPosition} ShownPosition */
/** @typedef {import("../types/wire").Side} Side */

const LEVELS = 10;
const USUAL = 3; // level

/**
 * @implements {MoveHost}
 * @implements {CommandHost}
 */
export class WorkshopGame {
  /** @param {string} file @param {Rulebook} rulebook @param {ShownPosition} start */
  constructor(file, rulebook, start) {
    this.file = file;
    this.rulebook = rulebook;
    this.start = start;
    /** @type {RecordedMove[]} */
    this.moves = [];
    /** The pieces before the last move. @type {Pieces} */
    this.before = start;
    /** The position shown. @type {Position} */
    this.position = { ...start, ...NO_GAME, last: null };
    /** True while the server is asked. */
    this.waiting = false;
    /** @type {Side | null} */
    this.me = "b";
    this.input = new MoveInput(this, rulebook.variant);
    /** @type {import("../text/commands.js").Command[]} */
    const commands = [
      ...boardCommands(this.input, this),
      { keys: ["u"], typed: ["u", "undo"], words: t("take back"), press: () => press("undo") },
      { keys: ["r"], typed: ["again"], words: t("begin the game again"), press: () => press("again") },
    ];
    this.console = new TextConsole(commands);
    this.help = new Help(commands);
    this.#listen();
    this.#head();
    this.input.show([], null, true);
  }

  get active() {
    return !this.waiting && this.position.outcome === null && (this.me === null || this.me === this.position.turn);
  }

  /** The level of the engine. */
  get level() {
    return Number(/** @type {HTMLSelectElement} */ (byId("level")).value);
  }

  get #line() {
    return this.moves.map(({ usi }) => usi);
  }

  // --- Moves ---

  /** @param {string} usi */
  play(usi) {
    void this.ask(usi);
  }

  /** Make a move, as the board or a person writes it; then the engine replies. @param {string} text */
  async ask(text) {
    if (!this.active) return false;
    this.input.composing.chooser.hide();
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
  async #step(question) {
    this.waiting = true;
    showNotice("");
    try {
      const { moves, position } = await question();
      this.waiting = false;
      const move = moves.at(-1) ?? null;
      if (move) this.moves.push(move);
      this.#show(position, move);
      return true;
    } catch (error) {
      this.waiting = false;
      this.input.walk.reset();
      this.input.refresh();
      this.#head();
      showNotice(fault(error));
      return false;
    }
  }

  /** @param {ShownPosition} position @param {RecordedMove | null} moved */
  #show(position, moved) {
    this.before = moved ? this.position : position;
    this.position = { ...position, ...NO_GAME, last: this.moves.at(-1) ?? null };
    this.input.enter();
    if (moved) {
      playMoveSound(moved, { over: position.outcome !== null, check: position.check });
      this.console.print([moveWords(this.input, moved, moved.side, this.before, this.position)]);
    }
    this.input.show(this.moves, moved, !moved && still());
    this.#head();
  }

  /** Begin again. */
  async again() {
    if (this.waiting) return;
    this.moves = [];
    showNotice("");
    this.#show(this.start, null);
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

  /** @param {string} text */
  explain(text) {
    explainIn(this.file, this.#line, text).then(
      (words) => this.input.explained(text, words),
      (error) => showNotice(fault(error)),
    );
  }

  cancel() {
    this.input.cancel();
  }

  sayBusy() {
    if (this.position.outcome) showNotice(t("The game is over."), true);
    else showNotice(t("The computer is thinking…"), true);
  }

  /** No values are shown on the board. */
  worth() {
    return null;
  }

  // --- Words ---

  async lastWords() {
    const move = this.moves.at(-1);
    return move ? moveWords(this.input, move, move.side, this.before, this.position) : t("No move has been made yet.");
  }

  statusWords() {
    return [prompt(this.position, this.me, this.input.walk, this.input.kinds)];
  }

  #head() {
    const { position, moves, me } = this;
    byId("heading").textContent = prompt({ ...position, thinking: false }, me, this.input.walk, this.input.kinds);
    byId("moves").textContent = moves.map((move, index) => `${index + 1}. ${moveText(move)}`).join("  ");
    byId("undo").toggleAttribute("disabled", !moves.length);
    byId("again").toggleAttribute("disabled", !moves.length);
    document.title = `${t(this.rulebook.variant.name)} – Komadai`;
  }

  refreshed() {
    const { input, position, me } = this;
    byId("prompt").textContent = input.begun && this.active ? prompt(position, me, input.walk, input.kinds) : "";
  }

  // --- Controls ---

  #listen() {
    byId("level").append(
      ...Array.from({ length: LEVELS }, (_, index) =>
        h("option", { value: index + 1, selected: index + 1 === USUAL }, `${index + 1}`),
      ),
    );
    byId("side").addEventListener("change", ({ target }) => void this.#change(target));
    byId("undo").addEventListener("click", () => void this.undo());
    byId("again").addEventListener("click", () => void this.again());
    byId("entry").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#enter();
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    listenForSettings();
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

  /** Play the typed move, or run the command. */
  async #enter() {
    const box = /** @type {HTMLInputElement} */ (byId("text"));
    const text = box.value.trim();
    if (!text) return;
    if (this.console.run(text)) box.value = "";
    else if (!this.active) this.sayBusy();
    else if (await this.ask(text)) box.value = "";
    else box.select();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target } = event;
    const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    const onPage = target === document.body || (target instanceof Element && target.closest(".tray"));
    const { cursor, view } = this.input.board;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && typing) target.blur();
    else if (typing || scrollsLog(event)) return;
    else if (this.console.press(event.key)) return event.preventDefault();
    else if (view?.key(event)) return event.preventDefault();
    else if (onPage && event.key.startsWith("Arrow") && cursor.key(event)) this.input.announce(cursor.at ?? "");
    else return;
    event.preventDefault();
  }
}
