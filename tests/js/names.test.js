import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { kindName, nameByCode, ownedName } from "#js/board/piece_names.js";
import { placeNames, travelled, withPlaces } from "#js/board/place_names.js";
import { rankName, squareName } from "#js/board/square_names.js";
import { fixture } from "./fixture.js";

/** Names of points in a notation. */
function styled(notation, name, points) {
  localStorage.setItem("komadai.notation", JSON.stringify(notation));
  return points.map(name);
}

afterEach(() => localStorage.clear());

test("squares are named as moves are written", () => {
  const squares = ["7g", "11b", "1k", "12t"];
  assert.deepEqual(styled("own", squareName, squares), squares);
  assert.deepEqual(styled("strings", squareName, squares), squares);
  assert.deepEqual(styled("japanese", squareName, squares), ["７七", "１１二", "１十一", "１２二十"]);
  assert.equal(squareName("K"), "K");
  assert.deepEqual(styled("japanese", rankName, ["a", "j", "s"]), ["一", "十", "十九"]);
});

test("squares in the words of the server are named as those of the page", () => {
  const { variant, kinds, position } = fixture("promotion");
  const said = (text) => withPlaces(text, placeNames(variant, kinds, position.board, "b", "b"), kinds);
  const texts = {
    "5a1e is not legal: the king does not move from 5a to 1e":
      "５一→１五 is not legal: the king does not move from ５一 to １五",
    "5a1e は指せません：「玉」は 5a から 1e へは動けません":
      "５一→１五は指せません：「玉」は５一から１五へは動けません",
    "後手の王は 5a、1e にいます。": "後手の王は５一、１五にいます。",
    "P*7e is not legal, nor 7g3c+.": "７五歩打 is not legal, nor ７七→３三成.",
    "P-7e is none, Bx2b+ neither [nana.md 1, 5]": "P-7e is none, Bx2b+ neither [nana.md 1, 5]",
  };
  for (const text of Object.keys(texts)) assert.equal(said(text), text); // with spaces about what is not Japanese
  localStorage.setItem("komadai.notation", '"japanese"');
  for (const [text, japanese] of Object.entries(texts)) assert.equal(said(text), japanese);
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
  const { short, long, on } = placeNames(variant, kinds, position.board, "b", "b");
  assert.deepEqual([short("5e"), long("5e"), on("rook", "5e")], ["5e", "5e", "rook on 5e"]);
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
  assert.equal(own.on("rook", at(0, 2)), `rook at 2 north of your ${name}`);
  const said = (text) => withPlaces(text, own, kinds);
  assert.equal(said(`The cube on ${at(1, 2)} may go to ${at(1, 0)}.`), "The cube on NNE may go to E.");
  localStorage.setItem("komadai.notation", '"japanese"');
  assert.deepEqual([at(0, 2), at(1, 2), at(3, 1)].map(own.short), ["北２", "北北東", "北１東３"]);
  localStorage.setItem("komadai.notation", '"strings"');
  assert.equal(placeNames(variant, kinds, position.board, "b", "b").short(at(1, 0)), at(1, 0));
  localStorage.clear();
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
