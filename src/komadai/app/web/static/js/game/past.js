// @ts-check
/** Earlier positions of a game: shown as the server sends them, while the game goes on. */

import { byId, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { showNotice } from "../lib/notice.js";
import { NO_GAME } from "../lib/position.js";
import { moveName } from "./words.js";

/** @import { Position, Scene } from "../types/wire" */
/** @import { GamePage } from "./page.js" */

const PAUSE = 60; // milliseconds between two requests, to stay below the server's rate limit while a key is held

export class Past {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    /** The number of moves before the position shown; `null`: the current position. @type {number | null} */
    this.at = null;
    /** The number of moves that the person wants to go to. @type {number | null} */
    this.wanted = null;
    this.going = false;
    /** Known positions, by number of moves. @type {Map<number, Scene>} */
    this.known = new Map();
    /** Callbacks waiting for a position. @type {Map<number, ((scene: Scene) => void)[]>} */
    this.waiting = new Map();
    for (const id of ["last", "to-now"]) onClick(id, () => this.back());
  }

  get #moves() {
    return this.page.state.moves;
  }

  /** The number of moves before the position shown. */
  get here() {
    return this.at ?? this.#moves.length;
  }

  /** The earlier position shown, if one is. @returns {Position | null} */
  get position() {
    const scene = this.at === null ? undefined : this.known.get(this.at);
    return scene
      ? {
          ...scene,
          ...NO_GAME,
          outcome: null,
          tree: [],
          shared: [],
          blocked: {},
          last: this.#moves[this.here - 1] ?? null,
        }
      : null;
  }

  // --- Navigation ---

  /** Go on or back by a number of moves. @param {number} by */
  step(by) {
    this.go((this.wanted ?? this.here) + by);
  }

  /** Return to the current position. */
  back() {
    this.go(this.#moves.length);
  }

  /** Go to the position after a number of moves, or to the nearest one. @param {number} count */
  go(count) {
    this.wanted = Math.max(0, Math.min(this.#moves.length, count));
    if (!this.going) void this.#walk();
  }

  /** Go to the wanted position, which may change on the way. */
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
    const now = this.at === null ? [t("This is the current position.")] : [];
    byId("spoken").replaceChildren(...marked([moveName(this.#moves, to, page.state.position.turn), ...now].join(" ")));
  }

  // --- Requests ---

  /** The position after a number of moves. @param {number} count @returns {Promise<Scene>} */
  find(count) {
    const known = this.known.get(count);
    if (known) return Promise.resolve(known);
    return new Promise((done) => {
      const others = this.waiting.get(count);
      this.waiting.set(count, [...(others ?? []), done]);
      if (!others) this.page.connection.look(count);
    });
  }

  /** A position has come from the server. @param {number} count @param {Scene} scene */
  receive(count, scene) {
    this.known.set(count, scene);
    for (const done of this.waiting.get(count) ?? []) done(scene);
    this.waiting.delete(count);
  }

  /** The connection is back: repeat the requests, which may have been lost. */
  reconnected() {
    for (const count of this.waiting.keys()) this.page.connection.look(count);
  }

  /** A request was refused: stop waiting. */
  stop() {
    this.waiting.clear();
    this.going = false;
    this.wanted = null;
  }

  /** Only so many moves are left: drop the positions after them. @param {number} count */
  cut(count) {
    for (const moves of this.known.keys()) if (moves > count) this.known.delete(moves);
    if (this.here >= count) this.at = null;
    this.wanted = null;
  }

  // --- Display ---

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
