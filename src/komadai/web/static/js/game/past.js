// @ts-check
/** Looking back through a game: an earlier position is shown as the server tells it, while the game goes on. */

import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { NO_GAME } from "../moves/position.js";
import { moveName } from "./words.js";

/** @typedef {import("./page.js").GamePage} GamePage */
/** @typedef {import("../types/wire").Position} Position */
/** @typedef {import("../types/wire").Scene} Scene */

const PAUSE = 60; // milliseconds between two questions, so that a key that is held asks no more than the server answers

export class Past {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    /** After how many moves the position is that is shown; `null`: the game as it stands. @type {number | null} */
    this.at = null;
    /** After how many moves the person wants to be. @type {number | null} */
    this.wanted = null;
    this.going = false;
    /** Positions that the server has told, by the number of moves before. @type {Map<number, Scene>} */
    this.known = new Map();
    /** Who waits for one. @type {Map<number, ((scene: Scene) => void)[]>} */
    this.waiting = new Map();
    byId("first").addEventListener("click", () => this.go(0));
    byId("previous").addEventListener("click", () => this.step(-1));
    byId("following").addEventListener("click", () => this.step(1));
    for (const id of ["last", "to-now"]) byId(id).addEventListener("click", () => this.back());
  }

  get #moves() {
    return this.page.state.moves;
  }

  /** After how many moves the position is that is shown. */
  get here() {
    return this.at ?? this.#moves.length;
  }

  /** The earlier position that is shown, if one is. @returns {Position | null} */
  get position() {
    const scene = this.at === null ? undefined : this.known.get(this.at);
    return scene
      ? { ...scene, ...NO_GAME, outcome: null, tree: [], blocked: {}, last: this.#moves[this.here - 1] ?? null }
      : null;
  }

  // --- Going about ---

  /** So many moves on, or back. @param {number} by */
  step(by) {
    this.go((this.wanted ?? this.here) + by);
  }

  /** To the game as it stands. */
  back() {
    this.go(this.#moves.length);
  }

  /** To the position after so many moves; to the nearest there is. @param {number} count */
  go(count) {
    this.wanted = Math.max(0, Math.min(this.#moves.length, count));
    if (!this.going) void this.#walk();
  }

  /** Go where the person wants to be, which may change on the way. */
  async #walk() {
    this.going = true;
    while (this.wanted !== null && this.wanted !== this.here) {
      const to = this.wanted;
      const asked = to < this.#moves.length && !this.known.has(to);
      if (asked) await this.find(to);
      if (this.known.has(to) || to === this.#moves.length) this.#show(to);
      if (asked) await new Promise((done) => setTimeout(done, PAUSE));
    }
    this.going = false;
    this.wanted = null;
  }

  /** @param {number} to */
  #show(to) {
    const { page } = this;
    const on = to === this.here + 1;
    this.at = to < this.#moves.length ? to : null;
    page.enter();
    showNotice("");
    page.input.show(this.#moves.slice(0, to), on ? (this.#moves[to - 1] ?? null) : null, !on);
    const now = this.at === null ? [t("This is the game as it stands.")] : [];
    byId("spoken").textContent = [moveName(this.#moves, to, page.state.position.turn), ...now].join(" ");
  }

  // --- What the server tells ---

  /** The position after so many moves. @param {number} count @returns {Promise<Scene>} */
  find(count) {
    const known = this.known.get(count);
    if (known) return Promise.resolve(known);
    return new Promise((done) => {
      const others = this.waiting.get(count);
      this.waiting.set(count, [...(others ?? []), done]);
      if (!others) this.page.connection.look(count);
    });
  }

  /** @param {number} count @param {Scene} scene */
  told(count, scene) {
    this.known.set(count, scene);
    for (const done of this.waiting.get(count) ?? []) done(scene);
    this.waiting.delete(count);
  }

  /** The line has come back, and what was asked for may be lost. */
  again() {
    for (const count of this.waiting.keys()) this.page.connection.look(count);
  }

  /** Something that was asked for is not answered: wait no longer. */
  stop() {
    this.waiting.clear();
    this.going = false;
    this.wanted = null;
  }

  /** There are only so many moves left: what came after them is no longer true. @param {number} count */
  cut(count) {
    for (const moves of this.known.keys()) if (moves > count) this.known.delete(moves);
    if (this.here >= count) this.at = null;
    this.wanted = null;
  }

  // --- What is shown ---

  show() {
    const { at, here } = this;
    const count = this.#moves.length;
    document.body.classList.toggle("looking", at !== null);
    byId("looking").hidden = at === null;
    byId("looking-at").textContent =
      at === null ? "" : at ? t("Looking at move {at} of {count}", { at, count }) : t("Looking at the start");
    for (const id of ["first", "previous"]) byId(id).toggleAttribute("disabled", here === 0);
    for (const id of ["following", "last"]) byId(id).toggleAttribute("disabled", at === null);
  }
}
