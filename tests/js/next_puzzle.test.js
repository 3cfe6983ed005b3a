import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { byRating, follow, ofSet } from "#js/lesson/next_puzzle.js";
import { solvePuzzle } from "#js/lib/prefs.js";
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
