import assert from "node:assert/strict";
import { test } from "node:test";

import { Tree } from "#js/study/tree.js";

const HANDS = { b: {}, w: {} };
const NONE = { comment: "", mark: "", seconds: null, score: null };

/** A recorded move of one piece. */
function move(usi, side, set = {}, hands = HANDS) {
  return { usi, text: usi.toUpperCase(), from: null, to: usi, side, set, hands };
}

/** A study of a, b, c with the variations b2 (after a) and d (instead of c after b). */
function study() {
  return {
    variant: { id: "v", options: { size: "9x9" } },
    version: "1",
    rules: "a hash",
    forms: ["json"],
    book: false,
    position: null,
    headers: { Black: "Ann" },
    result: { winner: "b", reason: "checkmate", text: "Black wins" },
    start: { sfen: "start", turn: "b", ply: 5, board: { "1a": "wK", "9i": "bP" }, hands: HANDS },
    nodes: [
      NONE,
      { ...NONE, ...move("a", "b", { "9i": null, "9h": "bP" }), after: 0 },
      { ...NONE, ...move("b", "w"), after: 1, comment: "why", mark: "?" },
      { ...NONE, ...move("b2", "w", { "1a": "wQ" }, { b: {}, w: { P: 1 } }), after: 1 },
      { ...NONE, ...move("c", "b"), after: 2, score: { value: 80, mate: null, depth: 9, chance: 0.6 } },
      { ...NONE, ...move("d", "b"), after: 2, seconds: 12 },
    ],
  };
}

const names = (nodes) => nodes.map(({ move: made }) => made?.usi ?? "start");
const find = (tree, usi) => tree.all().find((node) => node.move?.usi === usi);

test("nodes form lines and variations", () => {
  const tree = new Tree(study());
  assert.deepEqual(names(tree.all()), ["start", "a", "b", "c", "d", "b2"]);
  assert.deepEqual(names(tree.main()), ["a", "b", "c"]);
  assert.deepEqual(names(tree.line(find(tree, "d"))), ["a", "b", "d"]);
  assert.deepEqual(names(tree.through(find(tree, "a"))), ["a", "b", "c"]);
  assert.equal(tree.isMain(find(tree, "c")), true);
  assert.equal(tree.isMain(find(tree, "d")), false);
  assert.equal(tree.ply(find(tree, "b")), 6);
  assert.equal(tree.turn(tree.root), "b");
  assert.equal(tree.turn(find(tree, "a")), "w");
});

test("pieces follow from the changes of the moves", () => {
  const tree = new Tree(study());
  assert.deepEqual(tree.pieces(find(tree, "b2")), {
    board: { "1a": "wQ", "9h": "bP" },
    hands: { b: {}, w: { P: 1 } },
  });
  assert.deepEqual(tree.pieces(tree.root).board, { "1a": "wK", "9i": "bP" });
});

test("a node refers to its position by moves", () => {
  const tree = new Tree(study());
  assert.deepEqual(tree.branch(find(tree, "b2")), {
    variant: "v",
    options: { size: "9x9" },
    position: null,
    moves: ["a", "b2"],
  });
});

test("a recorded score is an evaluation of the position after the move", () => {
  const { thought } = find(new Tree(study()), "c");
  assert.deepEqual(thought, { score: -80, mate: null, chance: 0.6, moves: [], depth: 9 });
});

test("a move is added once, and a longer main line has no result", () => {
  const tree = new Tree(study());
  const b = find(tree, "b");
  assert.equal(tree.add(b, move("c", "b")), find(tree, "c"));
  tree.add(b, move("e", "b"));
  assert.deepEqual(names(b.children), ["c", "d", "e"]);
  assert.ok(tree.result);
  tree.add(find(tree, "c"), move("f", "w"));
  assert.equal(tree.result, null);
});

test("a deletion can be undone", () => {
  const tree = new Tree(study());
  const restore = tree.remove(find(tree, "b"));
  assert.deepEqual(names(tree.main()), ["a", "b2"]);
  assert.equal(tree.result, null);
  restore();
  assert.deepEqual(names(tree.all()), ["start", "a", "b", "c", "d", "b2"]);
  assert.equal(tree.result.reason, "checkmate");
});

test("promoting puts the innermost variation first", () => {
  const tree = new Tree(study());
  tree.promote(find(tree, "d"));
  assert.deepEqual(names(tree.main()), ["a", "b", "d"]);
  assert.equal(tree.result, null);
});

test("the record holds everything, numbering moves in depth-first order", () => {
  const tree = new Tree(study());
  assert.deepEqual(tree.data(), {
    schema: tree.data().schema,
    variant: "v",
    version: "1",
    options: { size: "9x9" },
    rules: "a hash",
    headers: { Black: "Ann" },
    start: "start",
    moves: [
      "a",
      { move: "b", comment: "why", mark: "?" },
      { move: "c", score: { value: 80, depth: 9 } },
      { move: "d", after: 2, seconds: 12 },
      { move: "b2", after: 1 },
    ],
    result: { winner: "b", reason: "checkmate" },
  });
  assert.match(tree.data().schema, /^komadai-record\/\d$/);
});

test("what is drawn is kept in the comments", () => {
  const drawn = [
    { usi: "", from: "7g", to: "7f" },
    { usi: "", from: "10j", to: "10j" },
  ];
  const made = new Tree(study());
  find(made, "b").shapes = drawn;
  made.root.shapes = drawn.slice(1);
  const data = made.data();
  assert.equal(data.comment, "[%draw 10j]");
  assert.equal(data.moves[1].comment, "why\n[%draw 7g7f,10j]");
  const given = study();
  given.nodes[0] = { ...NONE, comment: data.comment };
  given.nodes[2] = { ...given.nodes[2], comment: data.moves[1].comment };
  const read = new Tree(given);
  assert.deepEqual([find(read, "b").comment, find(read, "b").shapes], ["why", drawn]);
  assert.deepEqual([read.root.comment, read.root.shapes], ["", drawn.slice(1)]);
  assert.deepEqual(read.data(), data);
});

test("what only looks like a drawing stays in the comment", () => {
  for (const comment of ["[%draw ]", "[%draw 7g7f7e]", "[%draw 7g] later", "[%cal Ge2e4]"]) {
    const given = study();
    given.nodes[0] = { ...NONE, comment };
    assert.deepEqual([new Tree(given).root.comment, new Tree(given).root.shapes], [comment, []]);
  }
});
