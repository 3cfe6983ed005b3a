// Ask the search of the built documentation what users ask, and say where the first hit is another page than expected:
//
//     node tools/ask_docs.mjs build/docs
//
// It runs Sphinx's own program over its own index, without a browser. The questions are those of public issues of
// Stockfish, Fairy-Stockfish, python-chess, cutechess, lila, lishogi and lichess-bot.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const QUESTIONS = {
  install: "how-to/install",
  "compile windows": "how-to/install",
  "custom variant": "how-to/variant-file",
  "opening book": "how-to/book",
  "host server": "how-to/deploy",
  "board image": "reference/python/picture",
  "train net": "how-to/learn",
  "import kif": "how-to/records",
  "supported browsers": "reference/browsers",
  "add engine": "how-to/gui",
  "read comments": "reference/python/record",
  "skill level": "reference/strength",
  "engine gui": "how-to/gui",
  "exit code": "reference/environment",
  "report bug": "how-to/troubleshoot",
  multiplayer: "how-to/play",
  android: "how-to/play",
  "piece set": "how-to/play",
  elo: "reference/strength",
  打ち歩詰め: "glossary",
  持ち駒: "ja/rules/nana",
  インストール: "ja/install",
};

const folder = process.argv[2] ?? "build/docs";
const page = {
  DOCUMENTATION_OPTIONS: {},
  SPHINX_HIGHLIGHT_ENABLED: false,
  URLSearchParams,
  _: (text) => text,
  _ready: () => {},
  document: { getElementById: () => null },
  location: { search: "" },
};
page.window = page;
vm.createContext(page);
for (const name of ["_static/searchtools.js", "_static/language_data.js", "searchindex.js"])
  vm.runInContext(readFileSync(join(folder, name), "utf8"), page, name);

/** The pages of the results, best first. @param {string} query */
function found(query) {
  page.location.search = `?q=${encodeURIComponent(query)}`;
  page.query = query;
  const results = vm.runInContext("Search._performSearch(...Search._parseQuery(query))", page);
  return results.reverse().map(([name, title, anchor, , score]) => ({ name, title, anchor, score }));
}

let wrong = 0;
for (const [query, expected] of Object.entries(QUESTIONS)) {
  const hits = found(query);
  if (hits[0]?.name === expected) continue;
  wrong += 1;
  const list = hits.slice(0, 5).map(({ name, anchor, score }) => `${name}${anchor} (${score.toFixed(1)})`);
  console.error(`“${query}” should find ${expected} first: ${list.join(", ") || "nothing"}`);
}
process.exit(wrong ? 1 : 0);
