// @ts-check
/** The connection of a game: reconnects, requests missed events, and repeats commands that were not confirmed. */

import { byId } from "../lib/dom.js";
import { AGREED, t } from "../lib/i18n.js";
import { randomId } from "../lib/ids.js";
import { socketAddress } from "../lib/root.js";
import { SteadySocket } from "../lib/steady_socket.js";
import { adoptToken, tokenOf } from "../lib/tokens.js";

/** @import { ServerMessage } from "../types/wire" */
/**
 * @typedef {{ t: "move", ply: number, text: string, ask?: boolean } | { t: "undo" | "declare", ply: number }
 *   | { t: "resign" | "draw" | "pause" | "resume" | "rematch" }
 *   | { t: "decline", what: import("../types/wire").Offer["what"] }
 *   | { t: "greet", what: import("../types/wire").Greeting }} GameCommand
 */
/** @typedef {{ message: (message: ServerMessage) => void, up: (up: boolean) => void }} Handlers */

const ASK_AGAIN = 1000; // milliseconds before repeating a command of which the server does not know if it was done
const LOST_AFTER = 2000; // milliseconds without a connection before it is shown
const BACK_FOR = 3000; // milliseconds that the message about the restored connection is shown

/** The socket of `early_socket.js`, once, if it is of use. @returns {WebSocket | null} */
function earlySocket() {
  const page = /** @type {{ earlySocket?: WebSocket }} */ (window);
  const { earlySocket: socket } = page;
  delete page.earlySocket;
  if (!socket || socket.readyState > WebSocket.OPEN) return null;
  if (AGREED) return socket;
  socket.close();
  return null;
}

export class GameConnection {
  /**
   * @param {string} game @param {Handlers} handlers
   * @param {string | null} [invite] the invitation of a person without a seat
   */
  constructor(game, handlers, invite = null) {
    this.game = game;
    this.invite = invite;
    adoptToken(game);
    this.handlers = handlers;
    /** The number of the last known event; `null` before the first state. @type {number | null} */
    this.seq = null;
    /** Commands not yet confirmed. @type {Map<string, { text: string, done: (refusal: string | null) => void }>} */
    this.pending = new Map();
    /** @type {SteadySocket<ServerMessage>} */
    this.line = new SteadySocket(
      () => earlySocket() ?? new WebSocket(socketAddress("socket")),
      () => {
        this.hello();
        for (const { text } of this.pending.values()) this.line.send(text);
      },
      { message: (message) => this.#receive(message), up: (up) => this.handlers.up(up) },
    );
  }

  /**
   * Send a command; resolves to `null` when it is confirmed, or to the reason for its refusal.
   * @param {GameCommand} command @returns {Promise<string | null>}
   */
  command(command) {
    const id = randomId(12);
    const text = JSON.stringify({ ...command, id });
    return new Promise((done) => {
      this.pending.set(id, { text, done });
      this.line.send(text);
    });
  }

  /** True while what is sent reaches the server, as far as is known; commands are kept until then. */
  get open() {
    return this.line.open;
  }

  /** Ask why a move is not legal. @param {string} text */
  explain(text) {
    this.line.send(JSON.stringify({ t: "explain", text }));
  }

  /** Request the values of the moves; returns whether the request was sent. */
  requestValues() {
    return this.line.send(JSON.stringify({ t: "study" }));
  }

  /** Request the position after a number of moves. @param {number} moves */
  look(moves) {
    this.line.send(JSON.stringify({ t: "look", moves }));
  }

  /** Request the state, or the events since the last known one. */
  hello() {
    this.line.send(
      JSON.stringify({ t: "hello", game: this.game, seq: this.seq, token: tokenOf(this.game) ?? this.invite }),
    );
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    if (message.t === "ack" || message.t === "refused") {
      this.pending.get(message.id)?.done(message.t === "ack" ? null : message.reason);
      this.pending.delete(message.id);
      return;
    }
    if (message.t === "doubt") {
      const asked = this.pending.get(message.id);
      if (asked) setTimeout(() => this.pending.has(message.id) && this.line.send(asked.text), ASK_AGAIN);
      return;
    }
    if (message.t === "events") {
      const known = this.seq ?? 0;
      message.events = message.events.filter((event) => event.seq > known);
    }
    if (message.t === "state" || message.t === "events") this.seq = message.seq;
    this.handlers.message(message);
  }
}

let lost = false;
let patience = 0;
let back = 0;

/** @param {string} words */
function showLine(words) {
  document.body.classList.toggle("offline", lost);
  byId("line").classList.toggle("back", !lost);
  byId("line").textContent = words;
}

/** Show that the connection is lost, unless it is soon back, as after a restart of the server. @param {boolean} up */
export function showConnection(up) {
  if (!up) {
    patience ||= setTimeout(() => {
      clearTimeout(back);
      lost = true;
      showLine(t("Connection lost; trying again…"));
      if (document.querySelector(".board-svg")) return;
      byId("headline").textContent = t(
        "A game needs the server, which cannot be reached now. Lessons, puzzles, rules and studies that you have opened here before are still here.",
      );
    }, LOST_AFTER);
    return;
  }
  clearTimeout(patience);
  patience = 0;
  if (!lost) return;
  lost = false;
  showLine(t("Connected again."));
  back = setTimeout(() => showLine(""), BACK_FOR);
}
