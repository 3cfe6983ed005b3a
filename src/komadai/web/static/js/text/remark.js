// @ts-check
/** Remarks of the guide in words. */

import { nameByCode } from "../board/piece_names.js";
import { t } from "../lib/i18n.js";
import { moveText } from "../lib/prefs.js";

/**
 * A remark on the position shown, with names of pieces and places as they are on the page.
 * @param {import("../types/wire").Remark} remark @param {import("../moves/input.js").MoveInput} input
 */
export function remarkWords({ text, at, by, code, move }, { kinds, places, position }) {
  const pieces = (/** @type {string[]} */ squares) =>
    squares
      .map((square) => {
        const piece = position.board[square] ?? "";
        const words = { piece: nameByCode(piece.slice(1), kinds), place: places.short(square) };
        if (piece[0] !== position.turn) return t("the {piece} on {place}", words);
        return kinds.get(piece.slice(1))?.royal ? words.piece : t("{piece} on {place}", words);
      })
      .join(t(", "));
  return t(text, {
    at: pieces(at),
    by: pieces(by),
    piece: nameByCode(code ?? "", kinds),
    move: move ? moveText(move) : "",
  });
}
