// Run the function main of a script in Pyodide under Node.js: node pyodide.mjs PYODIDE FOLDER SCRIPT [ARGUMENT…]
// FOLDER is /host in there; packages are looked for in /host/site, the standard library is FOLDER/python_stdlib.zip if
// there is one. The exit status is what main returns, which may be a coroutine.
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
  process.exitCode = await python.runPythonAsync(
    `
import sys
sys.argv[:] = [script, *rest]
sys.path.insert(0, "/host/site")
sys.dont_write_bytecode = True
names = {"__name__": "script", "__file__": script}
try:
    exec(compile(source, script, "exec"), names)
    status = names["main"]()
    status = int((await status if hasattr(status, "__await__") else status) or 0)
except SystemExit as end:
    if isinstance(end.code, str):
        print(end.code, file=sys.stderr)
    status = int(bool(end.code))
status
`,
    { globals: python.toPy(given) },
  );
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
