// @ts-check
/**
 * Put into every page by sw.js, before its own scripts: gives it WebSockets that lead to the worker, says its language
 * with each request (cookies do not reach a service worker), and tells the shell when its address changes. A classic
 * script.
 */

(() => {
  const RESTARTED = 1012; // the code of a server that has been restarted; pages connect again

  const language = () => /(?:^|; )language=([\w-]+)/.exec(document.cookie)?.[1] ?? "";

  /** The open sockets, and the name of the worker that serves each. @type {Map<TabSocket, string>} */
  const open = new Map();

  class TabSocket extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSING = 2;
    static CLOSED = 3;

    /** @param {string} url */
    constructor(url) {
      super();
      this.readyState = TabSocket.CONNECTING;
      const { pathname, search } = new URL(url);
      const channel = new MessageChannel();
      this.port = channel.port1;
      this.port.onmessage = ({ data }) => this.#receive(data);
      open.set(this, "");
      const asked = { t: "socket", path: pathname + search, headers: [["accept-language", language()]] };
      void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage(asked, [channel.port2]));
    }

    /** @param {{ kind: "open" | "message" | "close", text: string, host: string }} data */
    #receive({ kind, text, host }) {
      if (this.readyState === TabSocket.CLOSED) return;
      if (kind === "open") {
        this.readyState = TabSocket.OPEN;
        open.set(this, host);
        this.dispatchEvent(new Event("open"));
      } else if (kind === "message") this.dispatchEvent(new MessageEvent("message", { data: text }));
      else this.ended(Number(text));
    }

    /** The connection is no more. @param {number} code */
    ended(code) {
      if (this.readyState === TabSocket.CLOSED) return;
      this.readyState = TabSocket.CLOSED;
      open.delete(this);
      this.port.close();
      this.dispatchEvent(new CloseEvent("close", { code }));
    }

    /** @param {string} text */
    send(text) {
      this.port.postMessage({ t: "text", text });
    }

    close() {
      if (this.readyState === TabSocket.CLOSED) return;
      this.port.postMessage({ t: "close" });
      this.ended(1000);
    }
  }

  // Another tab has taken over the worker, because the one that had it was closed.
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data.t !== "led") return;
    for (const [socket, host] of [...open]) if (host && host !== data.name) socket.ended(RESTARTED);
  });
  navigator.serviceWorker.startMessages();
  addEventListener("pagehide", () => {
    for (const socket of [...open.keys()]) socket.close();
  });

  Object.assign(window, { WebSocket: TabSocket });

  const plain = window.fetch.bind(window);
  window.fetch = (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("accept-language", language() || navigator.languages.join());
    return plain(input, { ...init, headers });
  };

  for (const name of /** @type {const} */ (["pushState", "replaceState"])) {
    const act = history[name].bind(history);
    history[name] = (...state) => {
      act(...state);
      parent.dispatchEvent(new Event("moved"));
    };
  }
})();
