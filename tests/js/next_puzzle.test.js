import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { byRating, follow, harder, ofLevel, ofSet } from "#js/lesson/next_puzzle.js";
import { puzzled, rate, solvePuzzle } from "#js/lib/prefs.js";
import { ROOT } from "#js/lib/root.js";

const list = {
  variant: { id: "game" },
  sets: [
    { theme: "mate", plies: 1, puzzles: [{ id: "a", rating: 3 }] },
    {
      theme: "mate",
      plies: 3,
      puzzles: [
        { id: "b", rating: 1 },
        { id: "c", rating: 5 },
      ],
    },
    { theme: "win", plies: 3, puzzles: [{ id: "d", rating: 2 }] },
  ],
};
const ids = (puzzles) => puzzles.map(({ id }) => id).join("");

beforeEach(() => localStorage.clear());

test("puzzles are chosen by theme, or by theme and length, the easiest first", () => {
  assert.equal(ids(byRating(list)), "bdac");
  assert.equal(ids(byRating(list, "mate")), "bac");
  assert.equal(ids(byRating(list, "mate-3")), "bc");
});

test("a theme leads to its easiest puzzle that is unsolved, and on from there", () => {
  assert.equal(ofSet(list, "mate"), `${ROOT}puzzles/game/b?set=mate`);
  solvePuzzle("game", "b", true);
  assert.equal(ofSet(list, "mate"), `${ROOT}puzzles/game/a?set=mate`);
  assert.equal(follow(list, { id: "a" }, new URLSearchParams("set=mate")), `${ROOT}puzzles/game/c?set=mate`);
  for (const id of ["a", "c"]) solvePuzzle("game", id, true);
  assert.equal(ofSet(list, "mate"), `${ROOT}puzzles/game/b?set=mate`, "all are solved: from the beginning");
});

test("a theme that the game lacks leads to any puzzle", () => {
  assert.equal(ofSet(list, "extinction"), `${ROOT}puzzles/game/b`);
});

test("a rating rises with what was hard, and falls with what was easy", () => {
  const { rating } = puzzled("game");
  assert.equal(rate("game", rating, true), 30, "as good as the puzzle is hard: half of the first step");
  assert.ok(rate("game", 2000, true) > 50);
  assert.ok(rate("game", 2000, false) > -2);
  assert.ok(rate("game", 1, false) < -50);
  assert.equal(puzzled("game").rated, 4);
  for (let number = 0; number < 100; number++) rate("game", 1, false);
  assert.ok(puzzled("game").rating >= 1);
});

test("a puzzle of one's level is the unsolved one that is about as hard as one is good", () => {
  for (let number = 0; number < 100; number++) rate("game", 4, number % 2 === 0);
  const { rating } = puzzled("game");
  const far = (one) => Math.abs(one.rating - rating);
  const nearest = byRating(list).reduce((one, other) => (far(other) < far(one) ? other : one));
  assert.equal(ofLevel(list)?.rating, nearest.rating);
  for (const { id } of byRating(list)) solvePuzzle("game", id, true);
  assert.equal(ofLevel(list), undefined);
});

test("the further on, the harder the puzzle", () => {
  const many = Array.from({ length: 200 }, (_, number) => ({ id: `p${number}`, rating: number }));
  const long = { variant: { id: "game" }, sets: [{ theme: "mate", plies: 1, puzzles: many }] };
  assert.ok((harder(long, 0)?.rating ?? 99) < 12);
  assert.ok((harder(long, 60)?.rating ?? 0) > 150);
});
