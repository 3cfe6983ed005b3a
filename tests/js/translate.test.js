import assert from "node:assert/strict";
import { test } from "node:test";

import { translator } from "#js/lib/translate.js";

test("English needs no catalogue", () => {
  const { t, n } = translator("en", {});
  assert.equal(t("{side} to move.", { side: "Black" }), "Black to move.");
  assert.equal(t("game|Play"), "Play");
  assert.equal(t("{missing}"), "{missing}");
  assert.equal(n("{count} ply", "{count} plies", 1), "1 ply");
  assert.equal(n("{count} ply", "{count} plies", 3), "3 plies");
});

test("messages and plural forms come from the catalogue", () => {
  const { t, n } = translator("ja", { "{side} to move.": "{side}の手番", "{count} ply": ["{count}手"] });
  assert.equal(t("{side} to move.", { side: "先手" }), "先手の手番");
  assert.equal(n("{count} ply", "{count} plies", 1), "1手");
  assert.equal(n("{count} ply", "{count} plies", 21), "21手");
  assert.equal(t("not translated"), "not translated");
});

test("a language with several plural forms uses them in CLDR order", () => {
  const { n } = translator("pl", { "{count} move": ["{count} ruch", "{count} ruchy", "{count} ruchów"] });
  assert.deepEqual(
    [1, 3, 5, 22].map((count) => n("{count} move", "{count} moves", count)),
    ["1 ruch", "3 ruchy", "5 ruchów", "22 ruchy"],
  );
});
