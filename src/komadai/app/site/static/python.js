// @ts-check
/** Python with Komadai, in a worker. The service worker finds the files by their logical names. */

/**
 * What is used of Pyodide.
 * @typedef {{
 *   FS: { mkdirTree(path: string): void },
 *   globals: { get(name: string): any },
 *   runPythonAsync(source: string): Promise<any>,
 *   setInterruptBuffer(buffer: Uint8Array): void,
 *   toPy(value: unknown): any,
 *   unpackArchive(data: ArrayBuffer, format: string, options: { extractDir: string }): void,
 * }} Pyodide
 */

const ROOT = new URL(".", import.meta.url).href;

/** @param {string} name */
async function bytes(name) {
  const answer = await fetch(ROOT + name);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.arrayBuffer();
}

/** @returns {Promise<Pyodide>} */
export async function startPython() {
  const archive = bytes("python.zip");
  archive.catch(() => {}); // it is awaited below
  const { loadPyodide } = await import(`${ROOT}pyodide/pyodide.mjs`);
  const python = await loadPyodide({ indexURL: `${ROOT}pyodide/`, stdLibURL: `${ROOT}pyodide/python_stdlib.zip` });
  python.unpackArchive(await archive, "zip", { extractDir: "/site" });
  await python.runPythonAsync("import sys; sys.path.insert(0, '/site'); sys.dont_write_bytecode = True");
  return python;
}
