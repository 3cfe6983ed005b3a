// @ts-check
/** The connection to the server's analysis engine, opened on first use. A new request replaces the one under way. */

/** @import { AnalysisMessage, PositionRef, Side } from "../types/wire" */
/**
 * @typedef {{ t: "analyse", lines: number, seconds: number, engine?: string }
 *   | { t: "review", begin: number, seconds: number, engine?: string } | { t: "prove", seconds: number }
 *   | { t: "moments", side: Side | null, winner: Side | null }} Request
 */

import { t } from "./i18n.js";
import { socketAddress } from "./root.js";

const RESTARTS = 1012; // the code with which a server that is restarted closes its connections
const ASK_AGAIN = 200; // milliseconds

export class AnalysisClient {
  constructor() {
    /** @type {WebSocket | null} */
    this.socket = null;
    /** The number of the latest request, which is its id. */
    this.asked = 0;
    /** The latest message. */
    this.text = "";
    /** The receiver of the answers to the request under way. @type {((message: AnalysisMessage) => void) | null} */
    this.receive = null;
  }

  /**
   * Send a request. Answers follow until one is `done` or an `error`; the former receiver gets none any more.
   * @param {PositionRef} branch @param {Request} request @param {(message: AnalysisMessage) => void} receive
   */
  ask(branch, request, receive) {
    this.asked++;
    this.receive = receive;
    this.#send(JSON.stringify({ ...branch, ...request, id: String(this.asked) }));
  }

  /** Stop the request under way. */
  stop() {
    if (!this.receive) return;
    this.receive = null;
    this.#send(JSON.stringify({ t: "stop" }));
  }

  /** @param {string} text */
  #send(text) {
    this.text = text;
    if (this.socket?.readyState === WebSocket.OPEN) return this.socket.send(text);
    if (!this.receive) return;
    const socket = new WebSocket(socketAddress("analysis"));
    this.socket?.close();
    this.socket = socket;
    socket.addEventListener("open", () => socket === this.socket && this.receive && socket.send(text));
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      if (socket !== this.socket) return;
      if (event.code === RESTARTS) setTimeout(() => socket === this.socket && this.#send(this.text), ASK_AGAIN);
      else this.#receive({ t: "error", id: String(this.asked), reason: t("The connection to the engine was lost.") });
    });
  }

  /** @param {AnalysisMessage} message */
  #receive(message) {
    if (message.id !== null && message.id !== String(this.asked)) return;
    const { receive } = this;
    if (message.t === "done" || message.t === "error") this.receive = null;
    receive?.(message);
  }
}
