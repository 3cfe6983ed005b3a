// @ts-check
/** The worker with the application: serves the requests and sockets that the shell hands on, and has an engine worker. */

import { files, Room, shipped } from "./lent.js";
import { startPython } from "./python.js";

const ROOT = new URL(".", import.meta.url).pathname;
const began = performance.now();

let name = "";
/** The host (`komadai.app.site.host.Host`). @type {any} */
let host = null;
/** @type {import("./python.js").Pyodide | null} */
let python = null;
/** What came before the host was there. @type {MessageEvent[]} */
const waiting = [];

/** @param {MessageEvent} event */
async function answer({ data: { request, language }, ports: [port] }) {
  const { method, path, headers, body } = request;
  const sent = headers.some((/** @type {[string, string]} */ [key]) => key === "accept-language")
    ? headers
    : [...headers, ["accept-language", language]];
  try {
    const found = await host.http(method, path, python?.toPy(sent), python?.toPy(body));
    const [status, head, data] = found.toJs();
    found.destroy();
    port?.postMessage({ status, headers: head, body: data });
  } catch (error) {
    const said = new TextEncoder().encode(JSON.stringify({ error: String(error) }));
    port?.postMessage({ status: 500, headers: [["content-type", "application/json"]], body: said });
  }
}

/** @param {MessageEvent} event */
function connect({ data: { path, headers }, ports: [port] }) {
  if (!port) return;
  const deliver = (/** @type {string} */ kind, /** @type {string} */ text) =>
    port.postMessage({ kind, text, host: name });
  const connection = host.connect(path, python?.toPy(headers), deliver);
  port.onmessage = ({ data }) => {
    if (data.t === "text") connection.send(data.text);
    else connection.close();
  };
}

/** @param {MessageEvent} event */
function serve(event) {
  if (event.data.t === "request") void answer(event);
  else connect(event);
}

/** Start a worker with an engine (`komadai.app.engine_service.worker.Start`). @param {any} receive called with its messages */
function startEngine(receive) {
  const tell = receive.copy(); // Python's own reference ends with this call
  const memory = self.crossOriginIsolated ? new SharedArrayBuffer(8) : null;
  const [signal, wanted] = memory ? [new Uint8Array(memory, 0, 1), new Int32Array(memory, 4, 1)] : [null, null];
  const engine = new Worker(`${ROOT}engine.js`, { type: "module" });
  let ended = false;
  const lost = () => {
    if (!ended) tell("");
  };
  engine.onerror = lost;
  engine.onmessage = ({ data }) => {
    if (ended) return;
    if (data.t === "ready") postMessage({ t: "engine" });
    else if (data.t === "failed") lost();
    else tell(data.text);
  };
  engine.postMessage({ t: "begin", memory });
  return {
    send: (/** @type {string} */ text) => engine.postMessage({ t: "message", text }),
    interrupt(/** @type {number} */ id) {
      if (!signal || !wanted) return;
      Atomics.store(wanted, 0, id);
      Atomics.store(signal, 0, 10);
    },
    end() {
      ended = true;
      engine.terminate();
    },
  };
}

async function begin() {
  const lent = files(ROOT);
  lent.catch(() => {}); // it is awaited below
  python = await startPython();
  const loaded = performance.now() - began;
  const [tab, lending] = await python.runPythonAsync("from komadai.app.site import lent, tab; (tab, lent)");
  lending.lend_files((/** @type {string} */ file) => shipped(ROOT, file));
  const room = new Room();
  const found = await lent;
  const begun = await tab.begin(found, () => room.known, startEngine);
  host = begun.host;
  for (const event of waiting.splice(0)) serve(event);
  const marks = { python: loaded, host: performance.now() - began };
  postMessage({ t: "ready", volatile: begun.volatile, marks });
}

addEventListener("message", (event) => {
  if (event.data.t === "begin") {
    name = event.data.name;
    begin().catch((error) => {
      const line = String(error).trim().split("\n").pop() ?? ""; // the last one of Python's traceback
      postMessage({ t: "failed", why: line.replace(/^(komadai\.[\w.]+: )+/, "") });
    });
  } else if (host) serve(event);
  else waiting.push(event);
});
