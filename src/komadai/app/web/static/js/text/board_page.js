// @ts-check
/** A page on whose board one person plays, with the server alone: a stage, a puzzle, or a game of the workshop. */

import { byId, onClick, onSubmit } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { NO_GAME } from "../lib/position.js";
import { still } from "../lib/prefs.js";
import { listenForSettings } from "../lib/settings_sheet.js";
import { playMoveSound } from "../lib/sound.js";
import { MoveInput } from "../moves/input.js";
import { prompt } from "../moves/words.js";
import { boardCommands } from "./commands.js";
import { listenToKeys, TextConsole } from "./console.js";
import { moveWords } from "./describe.js";
import { Help } from "./help.js";

/** @import { Command, CommandHost, MoveHost } from "../types/client" */
/** @import { Pieces, Position, RecordedMove, ShownPosition, Side, Variant } from "../types/wire" */

/**
 * @implements {MoveHost}
 * @implements {CommandHost}
 */
export class BoardPage {
  /** @param {Variant} variant @param {ShownPosition} start @param {Side | null} me */
  constructor(variant, start, me) {
    /** The moves shown, the opponent's among them. @type {RecordedMove[]} */
    this.moves = [];
    /** The pieces before the last move. @type {Pieces} */
    this.before = start;
    /** The position shown. @type {Position} */
    this.position = { ...start, ...NO_GAME, last: null };
    /** True while the server is asked, or moves are played out. */
    this.waiting = false;
    this.me = me;
    this.input = new MoveInput(this, variant);
    /** @type {Command[]} */
    const commands = [...boardCommands(this.input, this), ...this.ownCommands()];
    this.console = new TextConsole(commands);
    this.help = new Help(commands);
    onClick("again", () => void this.again());
    onSubmit("entry", () => void this.#enter());
    listenToKeys(this);
    listenForSettings();
  }

  /** The commands that only this page has. @returns {Command[]} */
  ownCommands() {
    return [];
  }

  get active() {
    return !this.waiting;
  }

  /** @param {string} usi */
  play(usi) {
    void this.ask(usi);
  }

  /**
   * Make a move, as the board or a person writes it; returns whether it was answered.
   * @param {string} _text @returns {Promise<boolean>}
   */
  async ask(_text) {
    return false;
  }

  /** Begin again. @returns {void | Promise<void>} */
  again() {}

  /** @param {string} _text */
  explain(_text) {}

  /**
   * Ask the server and take its answer, which ends the waiting; returns whether there was one. Only one at a time.
   * @template T @param {() => Promise<T>} question @param {(answer: T) => void | Promise<void>} take
   */
  async request(question, take) {
    if (this.waiting) return false;
    this.waiting = true;
    this.input.composing.chooser.hide();
    showNotice("");
    try {
      await take(await question());
      return true;
    } catch (error) {
      this.waiting = false;
      this.unanswered();
      this.input.walk.reset();
      this.input.refresh();
      showNotice(fault(error));
      return false;
    }
  }

  /** A question has not been answered. */
  unanswered() {}

  /** Show a position. @param {ShownPosition} position @param {RecordedMove | null} moved */
  show(position, moved) {
    this.position = { ...position, ...NO_GAME, last: this.moves.at(-1) ?? null };
    this.input.enter();
    if (moved) {
      playMoveSound(moved, { over: position.outcome !== null, check: position.check });
      this.console.print([moveWords(this.input, moved, moved.side, this.before, this.position)]);
    }
    this.input.show(this.moves, moved, !moved && still());
  }

  cancel() {
    this.input.cancel();
  }

  sayBusy() {
    showNotice(t("Your move is on its way."), true);
  }

  /** No values are shown on the board. */
  worth() {
    return null;
  }

  async lastWords() {
    const move = this.moves.at(-1);
    return move ? moveWords(this.input, move, move.side, this.before, this.position) : t("No move has been made yet.");
  }

  statusWords() {
    return [prompt(this.position, this.me, this.input.walk, this.input.kinds)];
  }

  refreshed() {
    byId("prompt").textContent =
      this.input.begun && this.active ? prompt(this.position, this.me, this.input.walk, this.input.kinds) : "";
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
}
