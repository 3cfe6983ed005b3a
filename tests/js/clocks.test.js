import assert from "node:assert/strict";
import { test } from "node:test";

import { controlWords, counted, duration, face, parseControl, timeAfter } from "#js/game/clocks.js";

test("time controls are parsed", () => {
  assert.deepEqual(parseControl("10m 3x30s"), { days: 0, main: "10m", increment: "", periods: 3, byoyomi: "30s" });
  assert.deepEqual(parseControl("5m+5s"), { days: 0, main: "5m", increment: "5s", periods: 0, byoyomi: "" });
  assert.equal(parseControl("3d").days, 3);
  assert.equal(duration("1h2m3s"), 3_723_000);
  assert.equal(duration(""), 0);
});

test("time controls are written in words", () => {
  assert.equal(controlWords("1h30m"), "1 h 30 min");
  assert.equal(controlWords("5m+5s"), "5 min + 5 s more a move");
  assert.equal(controlWords("10m 3x30s"), "10 min + byo-yomi 3 × 30 s");
  assert.equal(controlWords("3x30s"), "byo-yomi 3 × 30 s");
  assert.equal(controlWords("1d"), "1 day a move");
  assert.equal(controlWords("none"), "No clock");
});

test("main time runs out before the periods", () => {
  const left = { main: 10_000, periods: 3, period: 30_000 };
  assert.deepEqual(timeAfter(left, 4_000, 30_000), { main: 6_000, periods: 3, period: 30_000 });
  assert.deepEqual(timeAfter(left, 10_000, 30_000), { main: 0, periods: 3, period: 30_000 });
  assert.deepEqual(timeAfter(left, 15_000, 30_000), { main: 0, periods: 3, period: 25_000 });
  assert.deepEqual(timeAfter(left, 45_000, 30_000), { main: 0, periods: 2, period: 25_000 });
  assert.deepEqual(timeAfter(left, 1_000_000, 30_000), { main: 0, periods: 1, period: 0 });
});

test("without periods the time ends at zero", () => {
  assert.deepEqual(timeAfter({ main: 1_000, periods: 0, period: 0 }, 5_000, 0), { main: 0, periods: 0, period: 0 });
});

test("a clock shows tenths, minutes, hours or days", () => {
  const times = [0, 50, 9_950, 10_000, 59_001, 61_000, 3_599_500, 3_600_000, 7_384_000, 2 * 86_400_000 + 3_600_000];
  assert.deepEqual(times.map(face), [
    "0.0",
    "0.1",
    "10.0",
    "0:10",
    "1:00",
    "1:01",
    "1:00:00",
    "1:00:00",
    "2:03:04",
    "2 d 1 h",
  ]);
});

test("the seconds of a period are counted aloud", () => {
  const at = (passed, periods = 3) => ({ main: 0, periods, period: 30_000 - passed * 1000 });
  const said = [];
  for (let second = 1; second < 30; second++) said.push(counted(at(second - 1), at(second), 30_000));
  assert.deepEqual(
    said.flatMap((words, index) => (words ? [[index + 1, words]] : [])),
    [[10, "10 seconds"], [20, "20 seconds"], ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((count) => [20 + count, `${count}`])],
  );
  assert.equal(counted(at(19.5), at(19.9), 30_000), "", "once a second");
  assert.equal(counted(at(9), at(11), 30_000), "10 seconds", "also where a second was missed");
  assert.equal(counted(at(29), at(10.1, 2), 30_000), "10 seconds", "in the next period");
  assert.equal(counted({ main: 500, periods: 3, period: 30_000 }, at(10), 30_000), "10 seconds");
  assert.equal(
    counted({ main: 500, periods: 3, period: 30_000 }, { main: 400, periods: 3, period: 30_000 }, 30_000),
    "",
  );
  assert.equal(counted({ main: 0, periods: 0, period: 0 }, { main: 0, periods: 0, period: 0 }, 0), "");
});
