// Run a script in Pyodide under Node.js: node pyodide.mjs PYODIDE FOLDER SCRIPT [ARGUMENT…]
// FOLDER is /host in there; packages are looked for in /host/site, the standard library is FOLDER/python_stdlib.zip if
// there is one. The exit status is the script's.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, folder, script, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(pyodide, "pyodide.mjs")).href);
const library = resolve(folder, "python_stdlib.zip");
const python = await loadPyodide({
  indexURL: `${resolve(pyodide)}/`,
  ...(existsSync(library) ? { stdLibURL: library } : {}),
});
python.mountNodeFS("/host", resolve(folder));
const given = { script, source: readFileSync(script, "utf8"), rest };
try {
  process.exitCode = python.runPython(
    `
import sys
sys.argv[:] = [script, *rest]
sys.path.insert(0, "/host/site")
sys.dont_write_bytecode = True
status = 0
try:
    exec(compile(source, script, "exec"), {"__name__": "__main__", "__file__": script})
except SystemExit as end:
    if end.code is not None and not isinstance(end.code, int):
        print(end.code, file=sys.stderr)
    status = int(end.code or 0) if isinstance(end.code, int) else int(end.code is not None)
status
`,
    { globals: python.toPy(given) },
  );
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
