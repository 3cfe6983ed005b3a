// @ts-check
/** A small board with the hands beside it, to look at. */

import { h } from "../lib/dom.js";
import { setting } from "../lib/prefs.js";
import { kindsByCode } from "./piece_names.js";
import { pieceIcon } from "./pieces.js";
import { Board } from "./svg.js";

/** @typedef {import("../types/wire").Variant} Variant */
/** @typedef {import("../types/wire").Pieces} Pieces */
/** @typedef {import("../types/wire").Side} Side */

/** @param {Variant} variant @param {Pieces} pieces @param {Side} side @param {boolean} upsideDown @param {boolean} counts */
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
  const stand = h("div", { class: `card-hand ${upsideDown ? "far" : "near"}` }, ...pictures);
  stand.style.setProperty("--kinds", String(held.length));
  return stand;
}

/**
 * The start of a game, or another position: then with the counts in the hands, as seen by the side that sits below.
 * @param {Variant} variant @param {string | null} words what it shows, if nothing else says so
 * @param {Pieces} [position] @param {Side} [below]
 */
export function picture(variant, words, position, below = "b") {
  const pieces = position ?? variant.start;
  const place = h("div", { class: "card-board" });
  const board = new Board(place, variant, { coordinates: false, words: words ?? "" });
  board.orient(below === "w", setting("pieces"));
  board.show(pieces.board, null);
  const stand = (/** @type {Side} */ side) => hand(variant, pieces, side, side !== below, position !== undefined);
  const above = below === "b" ? "w" : "b";
  return h(
    "div",
    { class: "card-picture", "aria-hidden": words === null ? "true" : null },
    stand(above),
    place,
    stand(below),
  );
}
