import assert from "node:assert/strict";
import { test } from "node:test";

import { nameByCode } from "#js/board/piece_names.js";
import { placeNames } from "#js/board/place_names.js";
import { marked } from "#js/lib/japanese.js";
import { boardWords, doWords, handWords, moveWords, nextWords, pointWords } from "#js/text/describe.js";
import { remarkWords } from "#js/text/remark.js";
import { pointOf, scan } from "#js/text/scan.js";
import { fixture } from "./fixture.js";

/** The parts of the input that descriptions use. */
function inputOf(name) {
  const { variant, position, kinds, walk } = fixture(name);
  return {
    variant,
    position: { standing: null, ...position },
    kinds,
    walk,
    me: "b",
    places: placeNames(variant, kinds, position.board, "b", "b"),
    board: {
      points: new Map(variant.board.points.map((point) => [point.id, point])),
      byPlace: new Map(variant.board.points.map(({ id, x, y }) => [`${x},${y}`, id])),
    },
    composing: { between: [], bare: variant.hands.length === 0, cost: () => "", effects: () => "" },
  };
}

test("the board and the hands are listed by side", () => {
  const input = inputOf("promotion");
  assert.deepEqual(boardWords(input), ["Black: king 5i; pawn 5c.", "White: king 5a."]);
  assert.deepEqual(handWords(input), ["Black’s hand: pawn 1.", "White’s hand: nothing."]);
  assert.deepEqual(handWords(inputOf("compound")), ["This game has no pieces in hand."]);
});

test("the pieces that can move come first, then the drops", () => {
  const input = inputOf("promotion");
  assert.deepEqual(nextWords(input), ["Black can move: king 5i; pawn 5c.", "Black can drop: pawn (P), 64 places."]);
  input.walk.down(input.walk.select("5c"));
  assert.deepEqual(nextWords(input), ["1 to 5b."]);
  input.walk.down(input.walk.at("5b"));
  assert.deepEqual(nextWords(input), ["1 becomes tokin; 2 stays pawn."]);
});

test("a point is described with its piece and its moves", () => {
  const input = inputOf("promotion");
  assert.deepEqual(doWords(input, "5c"), ["Now: to 5b."]);
  assert.deepEqual(doWords(input, "5a"), ["It has no legal move now."]);
  assert.deepEqual(pointWords(input, "4d"), ["4d: empty."]);
  assert.equal(pointWords(input, "5c").at(0), "5c: Black’s pawn.");
  assert.equal(pointWords(input, "5c").at(-1), "Now: to 5b.");
});

test("points are found by their names", () => {
  const input = inputOf("promotion");
  assert.equal(pointOf(input, " 5C "), "5c");
  assert.equal(pointOf(input, "5z"), null);
  const open = inputOf("unbounded");
  const north = pointOf(open, "n");
  assert.equal(open.places.short(north), "N");
});

test("a file, a rank, a direction and a neighbourhood are scanned", () => {
  const input = inputOf("promotion");
  assert.deepEqual(scan(input, ""), ["Which place? Say it behind the command."]);
  assert.deepEqual(scan(input, "5"), ["5: 5a White’s king; 5c Black’s pawn; 5i Black’s king."]);
  assert.deepEqual(scan(input, "b"), ["b: nothing."]);
  assert.deepEqual(scan(input, "5i n"), ["5i, N: 5c Black’s pawn; 5a White’s king."]);
  assert.deepEqual(scan(input, "5b 1"), ["Within 1 place of 5b: 5a White’s king; 5c Black’s pawn."]);
  assert.deepEqual(scan(input, "zz"), ["Nothing here is called “zz”."]);
  const [own, around] = scan(input, "5c");
  assert.equal(own, "5c: Black’s pawn.");
  assert.match(around, /^N: 5a White’s king; NE: nothing; .*S: 5i Black’s king/);
});

test("a move is described with its captures and its promotion", () => {
  const input = inputOf("promotion");
  const before = { board: { "5c": "bP", "5b": "wG" }, hands: { b: {}, w: {} } };
  const after = { board: { "5b": "b+P" }, hands: { b: { G: 1 }, w: {} } };
  const move = { usi: "5c5b+", text: "Px5b+", from: "5c", to: "5b" };
  const gold = nameByCode("G", input.kinds);
  assert.equal(
    moveWords(input, move, "b", before, after),
    `Black: Px5b+, pawn from 5c to 5b, takes ${gold}, becomes tokin.`,
  );
  const drop = { usi: "P*5e", text: "P*5e", from: null, to: "5e" };
  assert.equal(
    moveWords(input, drop, "b", before, { ...before, board: { ...before.board, "5e": "bP" } }),
    "Black: P*5e, pawn dropped at 5e.",
  );
  const field = { ...input, variant: { ...input.variant, board: { ...input.variant.board, unbounded: true } } };
  const words = moveWords(field, drop, "b", before, { ...before, board: { ...before.board, "5e": "bP" } });
  assert.ok(!words.includes("P*"), "notation and words would count from different pieces");
});

test("a remark of the guide names places as its sentence needs them", () => {
  const said = (name, at, by) => remarkWords({ text: "{at} – {by}", at: [at], by: [by] }, inputOf(name));
  assert.equal(said("promotion", "5c", "5a"), "pawn on 5c – the king on 5a");
  const king = nameByCode("K", inputOf("unbounded").kinds);
  const chariot = nameByCode("CHO", inputOf("unbounded").kinds);
  assert.equal(
    said("unbounded", "7b", "5e"),
    `${chariot} at 3 north, 2 west of your ${king} – the ${king} at the place of your ${king}`,
  );
});

test("moves in Japanese are marked within a text", () => {
  const shown = (text) =>
    marked(text).map((part) => (part.attributes ? [part.attributes.lang, ...part.children] : part));
  assert.deepEqual(shown("P-7f"), ["P-7f"]);
  assert.deepEqual(shown(""), []);
  assert.deepEqual(shown("☗７六歩 ☖同　銀"), [["ja", "☗７六歩"], " ", ["ja", "☖同　銀"]]);
  assert.deepEqual(shown("Hint: ☗８八弓射８八・６七. ☗ Black"), ["Hint: ", ["ja", "☗８八弓射８八・６七"], ". ☗ Black"]);
  assert.deepEqual(shown("from ５一 to 東."), ["from ", ["ja", "５一"], " to ", ["ja", "東"], "."]);
});
