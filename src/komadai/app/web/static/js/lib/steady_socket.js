// @ts-check
/** A WebSocket that comes back: opened again after a break, and given up when the server has been silent for long. */

const FIRST_WAIT = 200; // milliseconds before trying again; doubled each time
const LONGEST_WAIT = 4000;
const PING_EVERY = 10000;
const DEAD_AFTER = 25000;

/** @template M a message of the server */
export class SteadySocket {
  /**
   * @param {() => WebSocket} connect @param {() => void} greet sends what comes first on a connection
   * @param {{ message: (message: M) => void, up: (up: boolean) => void }} handlers `up`: it has opened, or is lost
   */
  constructor(connect, greet, handlers) {
    this.connect = connect;
    this.greet = greet;
    this.handlers = handlers;
    this.wait = FIRST_WAIT;
    /** Time of the latest message. */
    this.heard = 0;
    this.over = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.beating = setInterval(() => this.#beat(), PING_EVERY);
    window.addEventListener("online", () => this.#open());
    window.addEventListener("offline", () => this.#drop());
    this.#open();
  }

  /** True while what is sent reaches the server, as far as is known. */
  get open() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Send a text, unless the connection is lost; returns whether it was sent. @param {string} text */
  send(text) {
    if (this.open) this.socket?.send(text);
    return this.open;
  }

  /** Nothing more is wanted. */
  close() {
    this.over = true;
    clearInterval(this.beating);
    this.socket?.close();
  }

  #open() {
    if (this.over || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    const socket = this.connect();
    this.socket = socket;
    const opened = () => {
      if (this.socket !== socket) return;
      this.heard = Date.now();
      this.greet();
      this.handlers.up(true);
    };
    if (socket.readyState === WebSocket.OPEN) queueMicrotask(opened);
    else socket.addEventListener("open", opened);
    socket.addEventListener("message", ({ data }) => {
      if (this.socket !== socket) return;
      this.heard = Date.now();
      this.wait = FIRST_WAIT;
      this.handlers.message(JSON.parse(data));
    });
    socket.addEventListener("close", () => {
      if (this.socket === socket) this.#drop();
    });
  }

  /** Give up the connection, which may not know yet that it is dead, and reconnect. */
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
    if (!this.open) return;
    if (Date.now() - this.heard > DEAD_AFTER) this.#drop();
    else this.send(JSON.stringify({ t: "ping" }));
  }
}
