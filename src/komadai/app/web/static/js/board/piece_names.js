// @ts-check
/** Names of kinds and pieces in the language of the page. */

import { LANGUAGE, t } from "../lib/i18n.js";
import { SIDE_NAMES } from "../lib/sides.js";

/** @import { Kind, Variant } from "../types/wire" */

/** The kinds of a variant by code. @param {Pick<Variant, "kinds">} variant @returns {Map<string, Kind>} */
export function kindsByCode(variant) {
  return new Map(variant.kinds.map((kind) => [kind.code, kind]));
}

/** The name of a kind. @param {Kind} kind */
export function kindName(kind) {
  return LANGUAGE === "ja" ? kind.kanji : kind.name;
}

/**
 * The name of the kind with a code; the code itself if there is no such kind.
 * @param {string} code @param {Map<string, Kind>} kinds
 */
export function nameByCode(code, kinds) {
  const kind = kinds.get(code);
  return kind ? kindName(kind) : code;
}

/**
 * The name of a piece with its owner, or what is said where there is none.
 * @param {string | undefined} piece side and code @param {Map<string, Kind>} kinds
 */
export function ownedName(piece, kinds) {
  if (!piece) return t("empty");
  return t("{side}’s {piece}", {
    side: SIDE_NAMES[piece[0] === "w" ? "w" : "b"],
    piece: nameByCode(piece.slice(1), kinds),
  });
}
