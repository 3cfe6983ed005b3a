/** The folders of the client are layers: a module imports only from its own layer and from lower ones. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../src/komadai/app/web/static/js", import.meta.url));
/** The layers from the lowest to the highest. `game`, `lesson`, `study`, `teach` and `workshop` do not know each other. */
const LAYERS = {
  types: 0,
  lib: 1,
  board: 2,
  rules: 3,
  moves: 4,
  text: 5,
  game: 6,
  lesson: 6,
  study: 6,
  teach: 6,
  workshop: 6,
  pages: 7,
};
/** The published module of others, which imports nothing. */
const VENDORED = "../vendor/ts-fsrs.js";
const IMPORT = /(?:^import [^;]*?from |^export [^;]*?from |^import |@import [^;]*?from |\bimport\()"(\.[^"]+)"/gm;

const modules = readdirSync(ROOT, { recursive: true }).filter((name) => /\.(js|ts)$/.test(name));

/** The imported modules, those of types included. */
function importsOf(text, module) {
  return [...text.matchAll(IMPORT)].map(([, path]) => relative(ROOT, join(ROOT, dirname(module), path)));
}

/** The imports that run up a layer, or between game and study. */
function climbs(text, module) {
  const [layer] = module.split("/");
  return importsOf(text, module).filter((path) => {
    const [other] = path.split("/");
    return other !== layer && path !== VENDORED && !(LAYERS[other] < LAYERS[layer]);
  });
}

test("every module lies in a layer", () => {
  const outside = modules.filter((module) => !(module.split("/")[0] in LAYERS));
  assert.deepEqual(outside.sort(), ["early.js", "early_socket.js"]);
  assert.ok(modules.length > 80);
});

test("no import runs up a layer", () => {
  for (const module of modules) {
    assert.deepEqual(climbs(readFileSync(join(ROOT, module), "utf8"), module), [], module);
  }
});

test("a climb is found in every form of import", () => {
  for (const text of [
    'import { Help } from "../text/help.js";',
    'import {\n  Help,\n} from "../text/help.js";',
    'import "../text/help.js";',
    'export { Help } from "../text/help.js";',
    'const help = await import("../text/help.js");',
    '/** @import { Help } from "../text/help.js" */',
    '/** @param {import("../text/help.js").Help} help */',
  ]) {
    assert.deepEqual(climbs(text, "board/svg.js"), ["text/help.js"], text);
  }
  assert.deepEqual(climbs('import { Tree } from "../study/tree.js";', "game/page.js"), ["study/tree.js"]);
  assert.deepEqual(climbs('import { t } from "../lib/i18n.js";', "game/page.js"), []);
});

test("modules do not import one another in a circle", () => {
  const runtime = new Map(
    modules.map((module) => {
      const code = readFileSync(join(ROOT, module), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
      return [module, importsOf(code, module)];
    }),
  );
  const done = new Set();
  const visit = (module, path) => {
    assert.ok(!path.includes(module), [...path, module].join(" → "));
    if (done.has(module)) return;
    for (const other of runtime.get(module) ?? []) if (other !== VENDORED) visit(other, [...path, module]);
    done.add(module);
  };
  for (const module of modules) visit(module, []);
});
