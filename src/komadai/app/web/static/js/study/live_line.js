// @ts-check
/** The connection of a page to a live study. */

import { socketAddress } from "../lib/root.js";
import { SteadySocket } from "../lib/steady_socket.js";

/** @import { FollowerMessage } from "../types/wire" */
/** @typedef {{ message: (message: FollowerMessage) => void, up: (up: boolean) => void }} Handlers */

export class LiveLine {
  /** @param {string} live @param {Handlers} handlers @param {string | null} [key] of its maker */
  constructor(live, { message, up }, key = null) {
    /** @type {SteadySocket<FollowerMessage>} */
    this.line = new SteadySocket(
      () => new WebSocket(socketAddress("follow")),
      () => this.#send({ t: "follow", live, ...(key ? { key } : {}) }),
      {
        message: (said) => {
          if (said.t === "ended") this.line.close();
          message(said);
        },
        up,
      },
    );
  }

  /** True when nothing more comes. */
  get over() {
    return this.line.over;
  }

  /** Ask for a chapter. @param {string} id */
  ask(id) {
    this.#send({ t: "chapter", id });
  }

  /** Nothing more is wanted. */
  close() {
    this.line.close();
  }

  /** @param {object} message */
  #send(message) {
    this.line.send(JSON.stringify(message));
  }
}
