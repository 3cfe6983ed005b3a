import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";

const { bookWords, shares } = await import("#js/study/book.js");

const move = { usi: "7g7f", text: "P-7f", from: "7g", to: "7f" };
const found = { move, games: 5, b: 1, w: 2, draws: 1, score: -10 };

test("shares are of the games with a known result", () => {
  assert.deepEqual(shares(found), { b: 0.25, draws: 0.25, w: 0.5 });
  assert.equal(shares({ ...found, b: 0, w: 0, draws: 0 }), null);
});

test("a move of the book in words, scores seen by Black", () => {
  const words = "P-7f: 5 games. Black won 25 %, White won 50 %, 25 % drawn. −0.10 for Black";
  assert.equal(bookWords(found, "b"), words);
  assert.equal(bookWords(found, "w"), words.replace("−", "+"));
  assert.equal(bookWords({ ...found, games: 1, b: 0, w: 0, draws: 0, score: null }, "b"), "P-7f: 1 game");
});
