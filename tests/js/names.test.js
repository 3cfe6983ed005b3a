import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { kindName, nameByCode, ownedName } from "../../src/komadai/web/static/js/board/piece_names.js";
import { placeNames, travelled } from "../../src/komadai/web/static/js/board/place_names.js";
import { rankName, squareName } from "../../src/komadai/web/static/js/board/square_names.js";
import { fixture } from "./fixture.js";

/** Names of points in the style of a setting. */
function styled(style, name, points) {
  localStorage.setItem("komadai.coordinates", JSON.stringify(style));
  return points.map(name);
}

afterEach(() => localStorage.clear());

test("squares are named in three styles", () => {
  const squares = ["7g", "11b", "1k", "12t"];
  assert.deepEqual(styled("letters", squareName, squares), squares);
  assert.deepEqual(styled("digits", squareName, squares), ["77", "11-2", "1-11", "12-20"]);
  assert.deepEqual(styled("kanji", squareName, squares), ["7七", "11二", "1十一", "12二十"]);
  assert.equal(squareName("K"), "K");
  assert.deepEqual(styled("kanji", rankName, ["a", "j", "s"]), ["一", "十", "十九"]);
});

test("kinds and pieces have names", () => {
  const { kinds } = fixture("promotion");
  assert.equal(kindName(kinds.get("P")), "pawn");
  assert.equal(nameByCode("+P", kinds), kinds.get("+P").name);
  assert.equal(nameByCode("?", kinds), "?");
  assert.equal(ownedName("wK", kinds), "White’s king");
});

test("on a board points have the names of squares", () => {
  const { variant, kinds, position } = fixture("promotion");
  const { short, long } = placeNames(variant, kinds, position.board, "b", "b");
  assert.deepEqual([short("5e"), long("5e")], ["5e", "5e"]);
});

test("on an unbounded board points are named from one's own royal piece", () => {
  const { variant, kinds, position } = fixture("unbounded");
  const [home] = Object.entries(position.board).find(([, piece]) => piece === "bK");
  const spots = new Map(variant.board.points.map(({ id, x, y }) => [`${x},${y}`, id]));
  const { x, y } = variant.board.points.find(({ id }) => id === home);
  const at = (east, north) => spots.get(`${x + east},${y - north}`);
  const own = placeNames(variant, kinds, position.board, "b", "b");
  const name = nameByCode("K", kinds);
  assert.equal(own.short(home), "home");
  assert.equal(own.long(home), `the place of your ${name}`);
  assert.deepEqual([at(0, 2), at(1, 0), at(1, -1), at(1, 2), at(3, 1)].map(own.short), [
    "N2",
    "E",
    "SE",
    "NNE",
    "N1 E3",
  ]);
  assert.deepEqual([at(0, 2), at(-1, -1), at(3, 1)].map(own.long), [
    `2 north of your ${name}`,
    `1 south-west of your ${name}`,
    `1 north, 3 east of your ${name}`,
  ]);
  const watched = placeNames(variant, kinds, position.board, "b", null);
  assert.equal(watched.long(at(1, 0)), `1 east of Black’s ${name}`);
});

test("without any royal piece every point is the middle", () => {
  const { variant, kinds } = fixture("unbounded");
  assert.equal(placeNames(variant, kinds, {}, "b", "b").short("5e"), "the middle");
});

test("the window travels against the shifts of the moves", () => {
  assert.deepEqual(travelled([{ shift: [1, 0] }, {}, { shift: [2, -3] }]), [-3, 3]);
  assert.deepEqual(travelled([]), [0, 0]);
});
