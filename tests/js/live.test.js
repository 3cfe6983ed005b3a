import assert from "node:assert/strict";
import { test } from "node:test";

import { areChapters, chapterName } from "#js/study/chapters.js";
import { carryOver, patched } from "#js/study/live_follower.js";
import { Tree } from "#js/study/tree.js";

const NONE = { comment: "", mark: "", seconds: null, score: null };

/** A node of a move after another. */
function node(usi, after, said = {}) {
  return { ...NONE, usi, text: usi, from: null, to: usi, side: "b", set: {}, hands: { b: {}, w: {} }, ...said, after };
}

/** A study of these nodes. */
function study(...nodes) {
  return {
    variant: { id: "v", options: {} },
    position: null,
    headers: { Chapter: "One" },
    result: null,
    start: { sfen: "start", turn: "b", ply: 1, board: {}, hands: { b: {}, w: {} } },
    nodes: [NONE, ...nodes],
  };
}

const names = (tree) => tree.all().map(({ move }) => move?.usi ?? "start");

test("a patch takes nodes that are as they were, at their new places", () => {
  const was = study(node("a", 0), node("b", 1));
  const now = patched(was, {
    headers: { Chapter: "Two" },
    result: null,
    nodes: [[0, 0], node("c", 0), [1, 0], node("b", 2, { comment: "new" })],
  });
  const tree = new Tree(now);
  assert.deepEqual(names(tree), ["start", "c", "a", "b"]);
  assert.equal(tree.all()[3].comment, "new");
  assert.equal(tree.headers.Chapter, "Two");
});

test("moves of one's own stay where the maker has left what they follow", () => {
  const former = new Tree(study(node("a", 0), node("b", 1)));
  const theirs = new Set(former.all());
  const [start, a, b] = former.all();
  former.add(b, { usi: "after b" });
  former.add(former.add(a, { usi: "mine" }), { usi: "mine too" });
  former.add(start, { usi: "c" });
  const tree = new Tree(study(node("c", 0), node("a", 0)));
  for (const one of tree.all()) theirs.add(one);
  carryOver(tree, former, theirs);
  assert.deepEqual(names(tree), ["start", "c", "a", "mine", "mine too"]);
  assert.deepEqual(names({ all: () => tree.all().filter((one) => !theirs.has(one)) }), ["mine", "mine too"]);
});

test("chapters are of one game and have names", () => {
  const record = (variant, options = {}) => ({ variant, options, moves: [] });
  assert.ok(areChapters([record("a"), record("a")]));
  assert.ok(!areChapters([record("a"), record("b")]));
  assert.ok(!areChapters([record("a"), record("a", { size: "5x5" })]));
  assert.ok(!areChapters(Array(65).fill(record("a"))));
  assert.equal(chapterName({ headers: { Chapter: "One", Event: "Cup" } }, 3), "One");
  assert.equal(chapterName({ headers: { Black: "Ann", White: "Ben" } }, 3), "Ann – Ben");
  assert.equal(chapterName({}, 3), "Chapter 3");
});
