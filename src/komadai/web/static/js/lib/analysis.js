// @ts-check
/** The line to the server's engine, opened when it is first needed. One question is open at a time; a new one ends it. */

/** @typedef {import("../types/wire").AnalysisMessage} AnalysisMessage */
/** @typedef {import("../types/wire").Branch} Branch */
/** @typedef {{ t: "analyse", lines: number, seconds: number } | { t: "review", begin: number, seconds: number }} Kind */

import { t } from "./i18n.js";

export class AnalysisClient {
  constructor() {
    /** @type {WebSocket | null} */
    this.socket = null;
    this.asked = 0;
    /** Who hears of the open question. @type {((message: AnalysisMessage) => void) | null} */
    this.hears = null;
  }

  /**
   * Ask; the answers come until one is `done` or an `error`. Whoever asked before hears nothing more.
   * @param {Branch} branch @param {Kind} kind @param {(message: AnalysisMessage) => void} hears
   */
  ask(branch, kind, hears) {
    this.asked++;
    this.hears = hears;
    this.#send(JSON.stringify({ ...branch, ...kind, id: String(this.asked) }));
  }

  /** End the open question. */
  stop() {
    if (!this.hears) return;
    this.hears = null;
    this.#send(JSON.stringify({ t: "stop" }));
  }

  /** @param {string} text */
  #send(text) {
    if (this.socket?.readyState === WebSocket.OPEN) return this.socket.send(text);
    if (!this.hears) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/analysis`);
    this.socket?.close();
    this.socket = socket;
    socket.addEventListener("open", () => socket === this.socket && this.hears && socket.send(text));
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      if (socket === this.socket)
        this.#receive({ t: "error", id: String(this.asked), reason: t("The line to the engine was lost.") });
    });
  }

  /** @param {AnalysisMessage} message */
  #receive(message) {
    if (message.id !== null && message.id !== String(this.asked)) return;
    const { hears } = this;
    if (message.t === "done" || message.t === "error") this.hears = null;
    hears?.(message);
  }
}
