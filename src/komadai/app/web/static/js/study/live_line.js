// @ts-check
/** The connection of a page to a live study, which comes back by itself. */

import { socketAddress } from "../lib/root.js";

/** @import { FollowerMessage } from "../types/wire" */
/** @typedef {{ message: (message: FollowerMessage) => void, up: (up: boolean) => void }} Handlers */

const FIRST_WAIT = 200; // milliseconds before trying again; doubled each time
const LONGEST_WAIT = 4000;
const PING_EVERY = 10000;
const DEAD_AFTER = 25000;

export class LiveLine {
  /** @param {string} live @param {Handlers} handlers @param {string | null} [key] of its maker */
  constructor(live, handlers, key = null) {
    this.live = live;
    this.handlers = handlers;
    this.key = key;
    this.wait = FIRST_WAIT;
    this.heard = 0;
    this.over = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.beating = setInterval(() => this.#beat(), PING_EVERY);
    window.addEventListener("online", () => this.#open());
    window.addEventListener("offline", () => this.#drop());
    this.#open();
  }

  /** Ask for a chapter. @param {string} id */
  ask(id) {
    this.#send({ t: "chapter", id });
  }

  /** Nothing more is wanted. */
  close() {
    this.over = true;
    clearInterval(this.beating);
    this.socket?.close();
  }

  /** @param {object} message */
  #send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  #open() {
    if (this.over || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    const socket = new WebSocket(socketAddress("follow"));
    this.socket = socket;
    socket.addEventListener("open", () => {
      if (this.socket !== socket) return;
      this.heard = Date.now();
      this.#send({ t: "follow", live: this.live, ...(this.key ? { key: this.key } : {}) });
      this.handlers.up(true);
    });
    socket.addEventListener("message", ({ data }) => {
      if (this.socket !== socket) return;
      this.heard = Date.now();
      this.wait = FIRST_WAIT;
      /** @type {FollowerMessage} */
      const message = JSON.parse(data);
      if (message.t === "ended") this.close();
      this.handlers.message(message);
    });
    socket.addEventListener("close", () => {
      if (this.socket === socket) this.#drop();
    });
  }

  #drop() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    if (this.over) return;
    this.handlers.up(false);
    setTimeout(() => this.#open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  #beat() {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.heard > DEAD_AFTER) this.#drop();
    else this.#send({ t: "ping" });
  }
}
