// @ts-check
/** A small board with its hands, without interaction. */

import { h } from "../lib/dom.js";
import { setting } from "../lib/prefs.js";
import { kindsByCode } from "./piece_names.js";
import { pieceIcon } from "./pieces.js";
import { Board } from "./svg.js";

/** @import { Pieces, Side, Variant } from "../types/wire" */

/**
 * @param {Variant} variant @param {Pieces} pieces @param {Side} side @param {boolean} upsideDown
 * @param {boolean} counts
 */
function hand(variant, { hands }, side, upsideDown, counts) {
  const kinds = kindsByCode(variant);
  const look = { side, upsideDown, set: setting("pieces") };
  const held = variant.hands.filter((code) => hands[side][code]);
  const pictures = held.map((code) => {
    const kind = kinds.get(code);
    const count = hands[side][code] ?? 0;
    return kind
      ? h(
          "div",
          { class: "held" },
          pieceIcon(variant, kind, look),
          counts && count > 1 ? h("span", { class: "count" }, `${count}`) : null,
        )
      : null;
  });
  const tray = h("div", { class: `card-hand ${upsideDown ? "far" : "near"}` }, ...pictures);
  tray.style.setProperty("--kinds", String(held.length));
  return tray;
}

/**
 * The start of a variant, or another position, which has counts in the hands, from the point of view of one side.
 * @param {Variant} variant @param {string | null} words text alternative; `null` if the surrounding text says it
 * @param {Pieces} [position] @param {Side} [below]
 */
export function picture(variant, words, position, below = "b") {
  const { element, board } = movingPicture(variant, words, position, below);
  board.fit(() => Object.keys(board.pieces), true, null);
  return element;
}

/**
 * The same, with its board and a function that shows another position in it.
 * @param {Variant} variant @param {string | null} words @param {Pieces} [position] @param {Side} [below]
 * @param {boolean} [coordinates]
 */
export function movingPicture(variant, words, position, below = "b", coordinates = false) {
  const place = h("div", { class: "card-board" });
  const board = new Board(place, variant, { coordinates, words: words ?? "" });
  board.orient(below === "w", setting("pieces"));
  const above = below === "b" ? "w" : "b";
  const element = h("div", { class: "card-picture", "aria-hidden": words === null ? "true" : null });
  const show = (/** @type {Pieces} */ pieces, counts = true) => {
    board.show(pieces.board, null);
    const handOf = (/** @type {Side} */ side) => hand(variant, pieces, side, side !== below, counts);
    element.replaceChildren(handOf(above), place, handOf(below));
  };
  show(position ?? variant.start, position !== undefined);
  return { element, show, board };
}
