import assert from "node:assert/strict";
import { test } from "node:test";

import { moveName, verdict } from "#js/game/words.js";
import { changedWords, fault, percent, sentence, title, valueWords } from "#js/lib/phrases.js";
import { personName, recordedName, seatName } from "#js/lib/seats.js";
import { nameSides, SIDE_COLOURS, SIDE_NAMES, sided } from "#js/lib/sides.js";
import { foreseenEffects } from "#js/moves/effects.js";
import { costWords, gainWords, prompt, savingWords, stepWords } from "#js/moves/words.js";
import { proofWords } from "#js/study/proof.js";
import { scoreText, scoreWords, short } from "#js/study/scores.js";
import { fixture } from "./fixture.js";

const same = (at) => at;

test("identifiers become words", () => {
  assert.equal(title("illegal_move"), "Illegal move");
  assert.equal(valueWords("9x9"), "9×9");
  assert.equal(valueWords("no_draw"), "No draw");
  assert.equal(sentence(["a, b", "c"]), "a, b; c.");
  assert.equal(changedWords({ changed: [{ name: "field", value: "9x9" }] }), "Field: 9x9");
  assert.equal(fault(new Error("no")), "no");
});

test("a step is named by what it does", () => {
  const { walk, kinds, position } = fixture("promotion");
  const words = (step, stays) => stepWords(step, kinds, position.board, same, stays);
  assert.equal(words(walk.select("5c")), "Pawn 5c");
  assert.equal(words(walk.drop("P")), "Drop pawn");
  walk.down(walk.select("5c"));
  walk.down(walk.at("5b"));
  assert.deepEqual(
    walk.choices.map((step) => words(step)),
    ["becomes tokin", "stays pawn"],
  );
  assert.equal(words(walk.choices[1], false), "stop here");
});

test("a capture is named with the piece", () => {
  const { walk, kinds, position } = fixture("capture");
  walk.down(walk.select("5e"));
  assert.equal(stepWords(walk.at("5d"), kinds, position.board, same), "takes 5d: rook → bishop in your hand");
  const { walk: other, kinds: others, position: burning } = fixture("burning");
  other.down(other.select("12f"));
  assert.equal(stepWords(other.at("11e"), others, burning.board, same), `takes ${others.get("MA").name} 11e`);
});

test("the gain of a capture is named where it is another kind", () => {
  const { kinds } = fixture("promotion");
  assert.equal(gainWords({ t: "capture", takes: "+P", gains: "P" }, kinds), "tokin → pawn in your hand");
  assert.equal(gainWords({ t: "capture", takes: "P", gains: null }, kinds), "pawn leaves the game");
  assert.equal(gainWords({ t: "capture", takes: "P" }, kinds), "");
  assert.equal(gainWords(undefined, kinds), "");
});

test("costs and duties are counted", () => {
  const { variant, position } = fixture("promotion");
  assert.equal(costWords([], "b", variant), "");
  assert.equal(costWords(["1a"], "b", variant), "1 piece goes to White’s hand");
  assert.equal(costWords(["1a", "2b"], "w", { ...variant, look: "cubes" }), "2 cubes go to Black’s hand");
  const stranded = { ...position, stranded: ["1a", "2b"] };
  assert.equal(savingWords(stranded, "b", variant), " 2 of your pieces must be saved this turn.");
  assert.equal(savingWords(stranded, null, variant), " 2 of Black’s pieces must be saved this turn.");
  assert.equal(savingWords(position, "b", variant), "");
});

test("the prompt follows the move being made", () => {
  const { walk, kinds, position } = fixture("promotion");
  const words = (changes = {}) => prompt({ ...position, ...changes }, "b", walk, kinds);
  assert.equal(words(), "Your turn.");
  assert.equal(words({ check: true }), "You are in check. Your turn.");
  assert.equal(words({ thinking: true }), "The computer is thinking…");
  walk.down(walk.select("5c"));
  assert.equal(words(), "Pawn: move it where?");
  walk.down(walk.at("5b"));
  assert.equal(words(), "What should it become?");
  walk.down(walk.choices[0]);
  assert.equal(words(), "Play this move?");
  assert.equal(
    prompt({ ...position, outcome: { message: { text: "Draw: {note}", note: "by agreement" } } }, "b", walk, kinds),
    "Draw: by agreement",
  );
});

test("the prompt of a compound move says how it may go on", () => {
  const { walk, kinds, position } = fixture("compound");
  walk.down(walk.select("10i"));
  walk.down(walk.at("12g"));
  assert.match(prompt(position, "b", walk, kinds), /: shoot or go on, or done\?$/);
});

test("effects are foreseen once a single move is left", () => {
  const { walk, kinds, position } = fixture("burning");
  walk.down(walk.select("12f"));
  const { end, parts } = foreseenEffects(walk, walk.at("11e"), "CL", position.board, kinds);
  assert.equal(end.usi, "12f11e");
  assert.deepEqual(parts.slice(0, 2), [{ text: "takes 1" }, { text: "burns 1" }]);
  const open = foreseenEffects(walk, walk.at("12d"), "CL", position.board, kinds);
  assert.deepEqual(open, { end: null, parts: [] });
});

test("moves are numbered from the first", () => {
  const moves = [{ text: "P-76" }, { text: "P-34" }, { text: "P-26" }];
  assert.equal(moveName(moves, 3, "w"), "Move 3, Black: P-26");
  assert.equal(moveName(moves, 2, "w"), "Move 2, White: P-34");
  assert.equal(moveName(moves, 0, "w"), "The start");
});

test("seats are named", () => {
  assert.deepEqual(["human", "open", "level3"].map(seatName), [
    "A person",
    "Waiting for a player",
    "Computer, level 3",
  ]);
});

test("the verdict depends on the point of view", () => {
  const won = { outcome: { winner: "b", reason: "checkmate", text: "" }, match: null };
  assert.deepEqual(
    ["b", "w", null].map((me) => verdict(won, me)),
    ["You win", "You lose", "Black wins"],
  );
  assert.equal(verdict({ ...won, match: { winner: "b" } }, "b"), "You win the match");
  assert.equal(verdict({ outcome: { winner: null, reason: "repetition", text: "" }, match: null }, "b"), "A draw");
  assert.equal(verdict({ outcome: { winner: null, reason: "called_off", text: "" }, match: null }, "b"), "Called off");
});

test("scores are written from Black's point of view", () => {
  const score = (value, mate = null) => ({ score: value, mate });
  assert.equal(scoreText(score(123), "b"), "+1.23");
  assert.equal(scoreText(score(123), "w"), "−1.23");
  assert.equal(scoreText(score(-2345), "w"), "+23.4");
  assert.equal(scoreText(score(0), "b"), "0.00");
  assert.equal(scoreText(score(null, -3), "b"), "−#3");
  assert.equal(scoreText({ ...score(null), outcome: "Draw" }, "b"), "–");
  assert.equal(scoreWords(score(null, 5), "w"), "White wins in 5 plies");
  assert.equal(scoreWords(score(null, -1), "w"), "Black wins in 1 ply");
  assert.equal(scoreWords(score(50), "b"), "+0.50 for Black");
  assert.equal(percent(0.456), "46 %");
  assert.deepEqual([9_999, 12_345, 23_400_000].map(short), ["9999", "12 k", "23 M"]);
});

test("a mate problem is judged in words", () => {
  const mate = {
    outcome: "mate",
    plies: 3,
    every: 3,
    unique: true,
    uniqueLater: true,
    left: {},
    others: [],
    moves: [],
  };
  const words = (changes) => proofWords({ ...mate, ...changes });
  assert.equal(words({}), "Mate in 3 plies. No other move mates.");
  assert.equal(words({ plies: 1, every: 1, uniqueLater: null }), "Mate in 1 ply. No other first move mates.");
  assert.equal(
    words({ every: 5, left: { P: 2, G: 1 } }),
    "Mate in 3 by the conventions of problems, in 5 against every defence. No other move mates. Left in hand: 2 P, G.",
  );
  const others = [
    { ply: 1, move: { text: "G*2d" } },
    { ply: 1, move: { text: "S*2d" } },
    { ply: 3, move: { text: "G*3c" } },
  ];
  assert.equal(
    words({ unique: false, uniqueLater: false, others }),
    "Mate in 3 plies. Also: G*2d, S*2d. Other moves later: 3: G*3c.",
  );
  localStorage.setItem("komadai.notation", '"japanese"');
  const inJapanese = [{ ply: 1, move: { text: "G*2d", japanese: "☗２四金" } }];
  assert.equal(words({ unique: false, others: inJapanese }), "Mate in 3 plies. Also: ☗２四金.");
  localStorage.removeItem("komadai.notation");
  assert.equal(
    words({ plies: null, every: null, unique: null, moves: [1, 2, 3, 4, 5] }),
    "A mate in at most 5 plies is proved. Whether other first moves mate is not known.",
  );
  assert.equal(words({ outcome: "no mate" }), "There is no mate by checks alone.");
  assert.equal(words({ outcome: "unknown" }), "No answer was found in this time.");
});

test("computers have the same name in records as at their games", () => {
  assert.equal(recordedName("Komadai, level5"), "Computer, level 5");
  assert.equal(recordedName("Komadai, sparrow"), "Computer, Sparrow");
  assert.equal(recordedName("Komadai, Ada"), "Computer, Ada");
  for (const name of ["", "Ada", "Komadai", "Komadai, level 5 b"]) assert.equal(recordedName(name), name);
});

test("sides are called by their players, where that misleads nobody", () => {
  const named = (names) => {
    nameSides(false, names);
    return [SIDE_NAMES.b, SIDE_NAMES.w];
  };
  assert.deepEqual(named({ b: "Aiko", w: "Ken" }), ["Aiko", "Ken"]);
  assert.equal(
    sided("White's king would take Black's dog. White horse"),
    "Ken's king would take Aiko's dog. White horse",
  );
  assert.deepEqual([SIDE_COLOURS.b, SIDE_COLOURS.w], ["Black", "White"]);
  assert.deepEqual(named({ w: "Ken" }), ["Black", "Ken"]);
  assert.deepEqual(named({ b: "White", w: "Ken" }), ["Black", "White"]);
  assert.deepEqual(named({ b: "Aiko", w: "Aiko" }), ["Black", "White"]);
  assert.deepEqual(named({ b: "عايدة" }), ["\u2068عايدة\u2069", "White"]);
  assert.deepEqual(named(), ["Black", "White"]);
  assert.equal(personName("Komadai, level5"), "");
  assert.equal(personName("Aiko"), "Aiko");
});
