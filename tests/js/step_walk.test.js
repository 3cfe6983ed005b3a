import assert from "node:assert/strict";
import { test } from "node:test";

import { costsOf, farEnds, onlyMove, pointsOf, StepWalk } from "#js/moves/step_walk.js";
import { fixture } from "./fixture.js";

const points = (steps) => steps.map(({ at }) => at);

test("a move is a path from a piece to its promotion", () => {
  const { walk } = fixture("promotion");
  walk.down(walk.select("5c"));
  assert.equal(walk.usi, undefined);
  assert.deepEqual(points(walk.children), ["5b"]);
  walk.down(walk.at("5b"));
  assert.equal(walk.choosing, true);
  assert.deepEqual(
    walk.choices.map(({ t, code }) => [t, code]),
    [
      ["promote", "+P"],
      ["stop", "P"],
    ],
  );
  walk.down(walk.choices[0]);
  assert.equal(walk.usi, "5c5b+");
  assert.equal(walk.goal, "5b");
  walk.up();
  assert.deepEqual(points(walk.path), ["5c"], "the landing goes with the choice that it led to");
});

test("a piece in hand has its legal drops", () => {
  const { walk } = fixture("promotion");
  const drops = walk.drops("P");
  assert.equal(drops.includes("5d"), false, "not on a file with a pawn");
  assert.equal(drops.includes("1a"), false, "not on the last rank");
  assert.equal(drops.length, 64);
  assert.deepEqual(walk.drops("R"), []);
  assert.equal(walk.drop("P").code, "P");
  assert.equal(walk.select("5a"), undefined);
});

test("the faces of a cube come before its drops", () => {
  const { walk } = fixture("unbounded");
  walk.down(walk.drop("KAKU"));
  assert.equal(walk.choosing, true);
  assert.deepEqual(walk.choices.map(({ code }) => code).sort(), ["GA", "HON", "KAKU", "KEN", "MYOU", "ZOU"]);
  assert.ok(walk.drops("KAKU").length > 0);
});

test("a capture names the piece and its gain; without hands the gain is dropped", () => {
  const captured = fixture("capture").walk;
  captured.down(captured.select("5e"));
  const [step] = captured.children;
  assert.equal(step.t, "capture");
  assert.equal(step.takes, "R");
  assert.ok("gains" in step);
  const burning = fixture("burning").walk;
  burning.down(burning.select("12f"));
  const [capture] = burning.all("11e");
  assert.equal(capture.takes, "MA");
  assert.equal("gains" in capture, false);
});

test("references share their continuations", () => {
  const { position } = fixture("compound");
  const lists = new Set([position.tree]);
  let references = 0;
  for (const list of lists)
    for (const step of list) {
      if (step.ref !== undefined) {
        references++;
        assert.equal(step.next, position.shared[step.ref]);
      }
      assert.equal(step.next === undefined, step.usi !== undefined, "a step is the last one or leads on");
      if (step.next) lists.add(step.next);
    }
  assert.ok(references > position.shared.length);
  assert.ok(pointsOf(position.tree).includes("14e"));
});

test("a compound move is under way until a step ends it", () => {
  const { walk } = fixture("compound");
  walk.down(walk.select("10i"));
  assert.equal(walk.underway, false);
  assert.equal(walk.here, "10i");
  walk.down(walk.at("12g"));
  assert.equal(walk.underway, true);
  assert.equal(walk.here, "12g");
  assert.deepEqual(walk.way, [
    { at: "10i", shots: [] },
    { at: "12g", shots: [] },
  ]);
  const [end] = walk.ends;
  assert.equal(end.at, undefined);
  assert.equal(walk.choosing, false);
  walk.ending = true;
  assert.equal(walk.choosing, true);
  walk.up();
  assert.deepEqual([walk.ending, walk.here], [false, "12g"]);
  walk.reset();
  assert.deepEqual([walk.path, walk.here], [[], null]);
});

test("points of several quiet legs can be reached at once", () => {
  const { walk } = fixture("compound");
  walk.down(walk.select("10i"));
  const far = farEnds(walk.children);
  const near = new Set(points(walk.children));
  assert.equal(far.size, 17);
  for (const at of ["14e", "6m", "10i"]) assert.ok(far.has(at), at);
  for (const [at, way] of far) {
    assert.equal(near.has(at), false);
    assert.ok(way.length > 1);
    assert.ok(way.at(-1).usi);
  }
});

/** A tree of one piece: every list of steps is named by the moves through it. */
const go = (at, rest) => ({ t: "go", at, ...rest });
const end = (usi, rest) => ({ t: "stop", usi, piece: "X", ...rest });

test("the cost of a step is what all its moves lose", () => {
  const step = { t: "select", at: "1a", next: [end("a", { loses: ["2b", "3c"] }), end("b", { loses: ["3c"] })] };
  assert.deepEqual(costsOf(step), ["3c"]);
  assert.deepEqual(costsOf({ t: "select", next: [step, end("c")] }), []);
  assert.deepEqual(costsOf(end("d", { loses: ["9i"] })), ["9i"]);
  assert.deepEqual(costsOf(undefined), []);
});

test("a step with one move knows its end", () => {
  const last = end("a");
  assert.equal(onlyMove(go("1b", { next: [go("1c", { next: [last] })] })), last);
  assert.equal(onlyMove(go("1b", { next: [last, end("b")] })), null);
});

test("a compound move advances while nothing is to be chosen", () => {
  const forced = go("1c", { next: [go("1d", { next: [end("a"), go("1e", { usi: "b", piece: "X" })] })] });
  const walk = new StepWalk([{ t: "select", at: "1a", next: [go("1b", { next: [forced] })] }]);
  walk.down(walk.select("1a"));
  walk.down(walk.at("1b"));
  walk.advance();
  assert.equal(walk.here, "1d");
  walk.up();
  assert.equal(walk.here, "1a", "the automatic steps go with the chosen one");
});

test("it does not advance into a cost", () => {
  const costly = go("1c", { usi: "a", piece: "X", loses: ["9i"] });
  const walk = new StepWalk([{ t: "select", at: "1a", next: [go("1b", { next: [costly] })] }]);
  walk.down(walk.select("1a"));
  walk.down(walk.at("1b"));
  walk.advance();
  assert.equal(walk.here, "1b");
});
