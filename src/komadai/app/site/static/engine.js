// @ts-check
/** The worker with an engine: the other end of `komadai.app.engine_service.worker.WorkerBackend`. */

import { shipped } from "./lent.js";
import { startPython } from "./python.js";

const ROOT = new URL(".", import.meta.url).pathname;

/** The engine's end (`WorkerEnd`). @type {any} */
let end = null;
/** What came before it was there. @type {string[]} */
const waiting = [];

/** @param {SharedArrayBuffer | null} memory by which searches are stopped: a signal, and the id of the search */
async function begin(memory) {
  const python = await startPython();
  const wanted = memory && new Int32Array(memory, 4, 1);
  const post = (/** @type {string} */ text) => postMessage({ t: "message", text });
  const begun = await python.runPythonAsync(`
from komadai.app.engine_service.worker import WorkerEnd
from komadai.app.site.lent import lend_files

def begin(post, wanted, shipped):
    lend_files(shipped)
    return WorkerEnd(post, wanted)
begin`);
  end = begun(post, wanted ? () => Atomics.load(wanted, 0) : undefined, (/** @type {string} */ file) =>
    shipped(ROOT, file),
  );
  if (memory) python.setInterruptBuffer(new Uint8Array(memory, 0, 1));
  for (const text of waiting.splice(0)) end.receive(text);
  postMessage({ t: "ready" });
}

addEventListener("message", ({ data }) => {
  if (data.t === "begin") begin(data.memory).catch((error) => postMessage({ t: "failed", why: String(error) }));
  else if (end) end.receive(data.text);
  else waiting.push(data.text);
});
