import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import * as prefs from "#js/lib/prefs.js";
import { ROOT } from "#js/lib/root.js";
import { adoptToken, inviteOf, keepInvite, pageOf, tokenOf } from "#js/lib/tokens.js";
import { draft, drafts, drop, keep } from "#js/study/drafts.js";

globalThis.CustomEvent ??= class {};

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  Object.assign(location, { pathname: "/", hash: "" });
});

test("a setting has its default until it is changed", () => {
  assert.equal(prefs.setting("coordinates"), "on");
  const changed = [];
  prefs.watch((name) => changed.push(name));
  prefs.change("coordinates", "off");
  assert.equal(prefs.setting("coordinates"), "off");
  assert.deepEqual(changed, ["coordinates"]);
});

test("moves are written in the notation of the settings", () => {
  const move = { usi: "7g7f", text: "P-7f", japanese: "☗７六歩" };
  assert.equal(prefs.moveText(move), "P-7f");
  prefs.change("notation", "japanese");
  assert.equal(prefs.moveText(move), "☗７六歩");
  prefs.change("notation", "strings");
  assert.equal(prefs.moveText(move), "7g7f");
});

test("in Japanese moves are written in Japanese until something else is chosen", () => {
  prefs.change("language", "ja");
  assert.equal(prefs.setting("notation"), "japanese");
  prefs.change("notation", "own");
  assert.equal(prefs.setting("notation"), "own");
});

test("values that no setting has are ignored", () => {
  localStorage.setItem("komadai.pieces", '"runes"');
  localStorage.setItem("komadai.board", "no JSON");
  assert.equal(prefs.setting("pieces"), "kanji");
  assert.equal(prefs.setting("board"), "wood");
});

test("games are kept, the latest first, and no more than 200", () => {
  for (let number = 0; number < 230; number++) prefs.remember({ id: `g${number}`, variant: "v" });
  prefs.remember({ id: "g10", variant: "v", you: ["b"] });
  const ids = prefs.games().map(({ id }) => id);
  assert.equal(ids.length, 200);
  assert.deepEqual(ids.slice(0, 3), ["g10", "g229", "g228"]);
  prefs.forget("g229", "g228");
  assert.deepEqual(
    prefs
      .games()
      .slice(0, 2)
      .map(({ id }) => id),
    ["g10", "g227"],
  );
});

test("a game that is over stays in the list, and goes on when it is opened again", () => {
  prefs.remember({ id: "g1", variant: "v" });
  prefs.remember({ id: "g2", variant: "v" });
  prefs.end("g1");
  assert.deepEqual(
    prefs.games().map(({ id, over }) => [id, over]),
    [
      ["g2", undefined],
      ["g1", true],
    ],
  );
  prefs.remember({ id: "g1", variant: "v" });
  assert.equal(prefs.games()[0].over, undefined);
});

test("a name is cut to the length that the server accepts", () => {
  prefs.setOwnName("x".repeat(60));
  assert.equal(prefs.ownName().length, 40);
  localStorage.setItem("komadai.name", "7");
  assert.equal(prefs.ownName(), "");
});

test("a token after the # of the address is adopted", () => {
  Object.assign(location, { pathname: `${ROOT}game/g1`, hash: "#secret" });
  adoptToken("g1");
  Object.assign(location, { pathname: "/", hash: "" });
  assert.equal(tokenOf("g1"), "secret");
  assert.equal(tokenOf("g2"), null);
  assert.equal(pageOf("g1", "secret"), `${ROOT}game/g1#secret`);
  assert.equal(pageOf("g1"), `${ROOT}game/g1`);
});

test("a tab prefers its own token", () => {
  localStorage.setItem("komadai.tokens", '[["g1", "of another tab"]]');
  sessionStorage.setItem("komadai.tokens", '[["g1", "of this tab"]]');
  assert.equal(tokenOf("g1"), "of this tab");
  sessionStorage.clear();
  assert.equal(tokenOf("g1"), "of another tab");
});

test("invitations are kept by game", () => {
  keepInvite("g1", "g1.key");
  assert.equal(inviteOf("g1"), "g1.key");
  assert.equal(inviteOf("g2"), null);
});

test("drafts are kept, the latest first, and no more than 20", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1 });
  for (let number = 1; number <= 25; number++) {
    context.mock.timers.tick(1);
    assert.equal(keep(`d${number}`, `study ${number}`, "{}"), true);
  }
  assert.equal(drafts().length, 20);
  assert.deepEqual(drafts()[0], { id: "d25", at: 26, name: "study 25", text: "{}" });
  assert.equal(draft("d5"), null);
  assert.equal(draft("d6").name, "study 6");
  drop("d6");
  assert.equal(draft("d6"), null);
});

test("a full storage gives up its oldest draft", (context) => {
  keep("old", "old", "{}");
  const { setItem } = Object.getPrototypeOf(localStorage);
  context.mock.method(Object.getPrototypeOf(localStorage), "setItem", function (key, value) {
    if (Object.keys(this).some((known) => known.startsWith("komadai.draft.") && known !== key)) throw new Error("full");
    setItem.call(this, key, value);
  });
  assert.equal(keep("new", "new", "{}"), true);
  assert.equal(draft("old"), null);
  assert.equal(draft("new").name, "new");
});

test("the list of drafts skips what it cannot read", () => {
  localStorage.setItem("komadai.draft.d1", '{"at": 1, "name": "one", "text": "{}"}');
  localStorage.setItem("komadai.draft.d2", "no JSON");
  assert.deepEqual(drafts(), [{ id: "d1", at: 1, name: "one", text: "{}" }]);
});

test("stages that are done are kept in the order of the course, and those that are no more are forgotten", () => {
  assert.deepEqual(prefs.learnt("some"), { done: [], of: 0 });
  prefs.learn("some", "second", ["first", "second", "third"]);
  prefs.learn("some", "first", ["first", "second", "third"]);
  prefs.learn("other", "only", ["only"]);
  assert.deepEqual(prefs.learnt("some"), { done: ["first", "second"], of: 3 });
  prefs.learn("some", "new", ["first", "new"]);
  assert.deepEqual(prefs.learnt("some"), { done: ["first", "new"], of: 2 });
  assert.deepEqual(prefs.learnt("other"), { done: ["only"], of: 1 });
  for (const odd of ['"x"', "null", '{"some": 3}', '{"some": {"done": [1, "first"], "of": "x"}}', "no JSON"]) {
    localStorage.setItem("komadai.lessons", odd);
    assert.ok(prefs.learnt("some").done.every((id) => id === "first"));
  }
});
