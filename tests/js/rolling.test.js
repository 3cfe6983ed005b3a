import assert from "node:assert/strict";
import { test } from "node:test";

import { quarterTurn } from "#js/board/rolling.js";

test("one face goes down ahead while the other comes up behind, and both end flat", () => {
  const { down, up } = quarterTurn([0, -100]);
  assert.equal(down.length, up.length);
  assert.match(down[0], /translate\(0px, -?0\.0px\) scale\(1, 1\.000\)/);
  assert.match(down.at(-1), /translate\(0px, -43\.0px\) scale\(1, 0\.000\)/);
  assert.match(up[0], /translate\(0px, 43\.0px\) scale\(1, 0\.000\)/);
  assert.match(up.at(-1), /scale\(1, 1\.000\)/);
});

test("a cube rolls where it goes, and without a way away from the person", () => {
  assert.match(quarterTurn([100, 0]).down.at(-1), /translate\(43\.0px, 0px\) scale\(0\.000, 1\)/);
  assert.match(quarterTurn([-100, 50]).down.at(-1), /translate\(-43\.0px, 0px\)/);
  assert.match(quarterTurn([100, 100]).down.at(-1), /translate\(0px, 43\.0px\)/);
  assert.match(quarterTurn([0, 0]).down.at(-1), /translate\(0px, -43\.0px\)/);
});
