// @ts-check
/** Remarks of the guide in words. */

import { nameByCode } from "../board/piece_names.js";
import { t } from "../lib/i18n.js";
import { moveText } from "../lib/prefs.js";

/**
 * A remark on a position, with names of pieces and places as they are on the page.
 * @param {import("../types/wire").Remark} remark
 * @param {Pick<import("../moves/input.js").MoveInput, "kinds" | "places"> & { position: Pick<import("../types/wire").Position, "board" | "turn"> }} input
 * whose position is the one that is shown, and its side to move the one that is told
 */
export function remarkWords({ text, at, by, there, code, move }, { kinds, places, position }) {
  const pieces = (/** @type {string[]} */ squares) =>
    squares
      .map((square) => {
        const piece = position.board[square] ?? "";
        const name = nameByCode(piece.slice(1), kinds);
        if (piece[0] !== position.turn) return places.on(t("the {piece}", { piece: name }), square);
        return kinds.get(piece.slice(1))?.royal ? name : places.on(name, square);
      })
      .join(t(", "));
  return t(text, {
    at: pieces(at),
    by: pieces(by),
    there: there ? places.long(there) : "",
    piece: nameByCode(code ?? "", kinds),
    move: move ? moveText(move) : "",
  });
}
