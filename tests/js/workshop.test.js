/** Completion in variant files: the place at the cursor, and what may stand there by the JSON Schema. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { placeAt, suggestions } from "#js/workshop/schema.js";

const SCHEMA = JSON.parse(
  readFileSync(new URL("../../src/komadai/workshop/variant.schema.json", import.meta.url), "utf8"),
);

/** The labels of what may stand at the end of a text. @param {string} text */
function offered(text) {
  const place = placeAt(text);
  return place ? suggestions(SCHEMA, place).map(({ label }) => label) : [];
}

test("the place is known in tables, lists, inline tables and strings", () => {
  const cases = /** @type {const} */ ([
    ["", [], "key", ""],
    ["na", [], "key", "na"],
    ['name = "a"\nver', [], "key", "ver"],
    ["board = { Rect = { wi", ["board", "Rect"], "key", "wi"],
    ["[[kinds]]\nbecomes = { zone = [", ["kinds", "[]", "becomes", "zone", "[]"], "value", ""],
    ['[[kinds]]\nmove = "K" # a step\nroy', ["kinds", "[]"], "key", "roy"],
    ['[[rules]]\nevent = "dr', ["rules", "[]", "event"], "value", "dr"],
    ['[[rules]]\nwhen = { AllOf = [{ Is = ["P"] }, ', ["rules", "[]", "when", "AllOf", "[]"], "value", ""],
    ["[about]\nminutes = [1, 2]\nst", ["about"], "key", "st"],
    ['text = """\n[[kinds]]\n"""\nsum', [], "key", "sum"],
  ]);
  for (const [text, path, expects, typed] of cases) {
    const found = placeAt(text);
    assert.deepEqual([found?.path, found?.expects, found?.typed], [path, expects, typed], text);
  }
  assert.equal(placeAt("id = 1 # what is"), null);
});

test("fields, values, words and names of classes are offered", () => {
  assert.deepEqual(offered("[[kinds]]\nroy"), ["royal"]);
  assert.deepEqual(offered("[[kinds]]\nroyal = t"), ["true"]);
  assert.ok(offered("[[rules]]\nevent = ").includes("turn_end"));
  assert.deepEqual(offered('[[rules]]\nevent = "drop'), ["drops"]);
  assert.ok(offered("[[rules]]\nwhen = { ").includes("OnFile"));
  assert.ok(offered("[[rules]]\nwhen = ").includes("Stuck"));
  assert.ok(offered('[[rules]]\nwhen = { AllOf = [{ Is = ["P"] }, M').includes("Mates"));
  assert.deepEqual(offered("board = { Rect = { he"), ["height"]);
  assert.deepEqual(offered("ki"), ["[[kinds]]"]);
  assert.ok(offered("").includes("[[kinds]]"));
  assert.deepEqual(offered("nothing = { is = "), []);
});
