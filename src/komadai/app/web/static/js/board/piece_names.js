// @ts-check
/** Names of kinds and pieces in the language of the page. */

import { LANGUAGE, t } from "../lib/i18n.js";
import { title } from "../lib/phrases.js";
import { SIDE_NAMES } from "../lib/sides.js";

/** @import { Kind, Side, Variant } from "../types/wire" */

/** The kinds of a variant by code. @param {Pick<Variant, "kinds">} variant @returns {Map<string, Kind>} */
export function kindsByCode(variant) {
  return new Map(variant.kinds.map((kind) => [kind.code, kind]));
}

/**
 * The kanji of the whole name of a side's piece, of which it may bear only a part.
 * @param {Kind} kind @param {Side} [side]
 */
export function fullName({ full, kanji, kanjiWhite }, side = "b") {
  const name = full ?? kanji;
  return side === "w" ? name.replace(kanji, kanjiWhite) : name;
}

/** The name of a kind in a sentence: in Japanese short, unless it is turned over, as 全 is. @param {Kind} kind */
export function kindName(kind) {
  if (LANGUAGE !== "ja") return kind.name;
  return kind.turned ? fullName(kind) : kind.kanji;
}

/** The name of a kind by itself, as a heading. @param {Kind} kind */
export function kindTitle(kind) {
  return LANGUAGE === "ja" ? fullName(kind) : title(kind.name);
}

/** Kanji and reading of a kind, for beside its name. @param {Kind} kind */
export function kindReading(kind) {
  return kind.kana ?? `${fullName(kind)} ${kind.romaji}`;
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
