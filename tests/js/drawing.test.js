import assert from "node:assert/strict";
import { test } from "node:test";

import { flips, unfold } from "#js/board/cube_net.js";
import { dots } from "#js/board/dots.js";
import { lastMove, trail } from "#js/board/trail.js";
import { halo } from "#js/board/under.js";
import { fixture } from "./fixture.js";

test("a cube is unfolded with opposite faces apart", () => {
  const { variant, kinds } = fixture("unbounded");
  const cubes = variant.hands.map((code) => kinds.get(code).faces).filter((faces) => unfold(faces, kinds));
  assert.ok(cubes.length > 0);
  for (const faces of cubes) {
    const net = unfold(faces, kinds);
    assert.equal(new Set([...net.values()].map(String)).size, 6);
    for (const code of faces) {
      const [[column, row], [otherColumn, otherRow]] = [net.get(code), net.get(kinds.get(code).next)];
      assert.equal(Math.abs(column - otherColumn) + Math.abs(row - otherRow), 2, code);
      assert.equal(flips(kinds.get(code), kinds), true);
    }
  }
});

test("faces that roll in a circle are no cube", () => {
  const kinds = new Map(
    ["A", "B", "C", "D", "E", "F"].map((code, index, all) => [code, { code, next: all[(index + 1) % 6] }]),
  );
  assert.equal(unfold([...kinds.keys()], kinds), null);
  assert.equal(unfold(["A"], kinds), null);
  assert.equal(flips(kinds.get("A"), kinds), false);
  assert.equal(flips({ code: "X", next: null }, kinds), false);
});

test("the dots of an unbounded board lie on its points and fade outwards", () => {
  const made = dots({ x: 0, y: 0, size: 700 }, [50, 50]);
  const light = (cx, cy) => {
    const dot = made.find(({ attributes }) => attributes.cx === String(cx) && attributes.cy === String(cy));
    return dot ? Number(dot.attributes["fill-opacity"]) : 0;
  };
  assert.ok(made.every(({ attributes }) => (Number(attributes.cx) - 50) % 100 === 0));
  assert.equal(light(50, 50), 0.8);
  assert.ok(light(50, 50) > light(450, 50) && light(450, 50) > light(750, 50));
  assert.equal(light(950, 950), 0);
});

test("the outline of supported points joins neighbours", () => {
  const look = { cell: [100, 100], soft: false };
  const [, outline] = halo(
    [[0, 0]],
    [
      [0, 0],
      [100, 0],
    ],
    look,
  );
  const edges = outline.attributes.d.match(/M/g);
  assert.equal(edges.length, 6, "two squares side by side have six outer edges");
  assert.equal(halo([[0, 0]], [], look).length, 1);
});

test("a compound move is drawn with numbered legs and shots", () => {
  const centre = (at) => ({ a: [0, 0], b: [100, 0], c: [200, 0], d: [200, 100] })[at];
  const way = [
    { at: "a", shots: [] },
    { at: "b", shots: [] },
    { at: "c", shots: ["d"] },
  ];
  const names = (parts) => parts.map(({ attributes }) => attributes.class);
  assert.deepEqual(names(trail(way, centre)), [
    "trail-back",
    "trail",
    "shot-back",
    "shot-line",
    "shot-number",
    "leg-number",
    "leg-number",
  ]);
  assert.deepEqual(names(trail(way.slice(0, 1), centre)), []);
  assert.deepEqual(names(lastMove("a", way.slice(1), ["d"], centre)), [
    "last-way",
    "last-stop",
    "last-shot",
    "last-head",
    "vanished",
  ]);
});
