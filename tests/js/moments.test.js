import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { drillPage, following, keepMoment, kindWords, moments, ownOf, tally, tried } from "#js/lib/moments.js";

const LINE = ["a", "b", "c", "d", "e", "f", "g"].map((usi) => ({ usi }));

/** A moment at a ply of a game, missed in a way. */
function moment(game, ply, topic, way = null, own = true) {
  return { id: `${game}-${ply}`, game, ply, topic, way, own, best: LINE };
}

beforeEach(() => localStorage.clear());

test("moments are kept the latest first, each once, with the beginning of the better line", () => {
  keepMoment(moment("g", 3, "hangs", "lands"));
  keepMoment(moment("g", 5, "win"));
  tried("g-3");
  keepMoment(moment("g", 3, "hangs", "lands"));
  assert.deepEqual(
    moments().map(({ id }) => id),
    ["g-3", "g-5"],
  );
  assert.equal(moments()[0].best.length, 6);
  assert.ok(moments()[0].tried > 0, "that it was tried is not forgotten");
});

test("the oldest go when there are a hundred", () => {
  for (let ply = 0; ply < 120; ply++) keepMoment(moment("g", ply, "plan"));
  assert.equal(moments().length, 100);
  assert.equal(moments().at(-1).ply, 20);
});

test("what another program wrote, and kinds that nobody knows, are left out", () => {
  for (const text of ["{", "7", '[{"id": 3}, null, {"id": "x", "topic": "dancing", "way": null}]']) {
    localStorage.setItem("komadai.moments", text);
    assert.deepEqual(moments(), []);
  }
});

test("what is missed most comes first, of the last games and of one's own moves", () => {
  keepMoment(moment("old", 1, "win"));
  for (let game = 0; game < 19; game++) keepMoment(moment(`g${game}`, 1, "chance", "shoots"));
  keepMoment(moment("last", 1, "win"));
  keepMoment(moment("last", 2, "hangs", "lands", false));
  assert.deepEqual(tally(), [
    ["chance shoots", 19],
    ["win", 1],
  ]);
  assert.equal(kindWords("chance shoots"), "Shots overlooked");
});

test("after a moment come those of its game, or those of its kind not tried for longest", () => {
  for (const [game, ply, topic] of [
    ["a", 4, "win"],
    ["a", 2, "plan"],
    ["b", 1, "win"],
    ["c", 9, "win"],
  ])
    keepMoment(moment(game, ply, topic));
  const ids = (found) => found.map(({ id }) => id);
  assert.deepEqual(
    ids(
      following(
        moments().find(({ id }) => id === "a-2"),
        null,
      ),
    ),
    ["a-4"],
  );
  tried("c-9");
  assert.deepEqual(ids(ownOf("win")), ["b-1", "a-4", "c-9"]);
  assert.deepEqual(ids(following(ownOf("win")[0], "win")), ["a-4", "c-9"]);
  assert.match(drillPage("a-4", "win"), /study\?moment=a-4&kind=win$/);
});
