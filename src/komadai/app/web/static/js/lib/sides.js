// @ts-check
/** The two sides: their names, signs and order. */

import { t } from "./i18n.js";

/** @import { Side } from "../types/wire" */

/** Both sides, the first mover first. @type {readonly Side[]} */
export const SIDES = ["b", "w"];

/** The translated names. @type {Record<Side, string>} */
export const SIDE_NAMES = { b: t("Black"), w: t("White") };

/** The same in games without handicap. */
const EVEN = { ...SIDE_NAMES };
const HANDICAP = { b: t("handicap|Black"), w: t("handicap|White") };

/** In a game with a handicap Japanese calls the sides by other names. @param {boolean} handicap */
export function nameSides(handicap) {
  Object.assign(SIDE_NAMES, handicap ? HANDICAP : EVEN);
}

/**
 * The same where many games are listed: for what is said next of this one.
 * @param {string | null} start @param {import("../types/wire").OfferedVariant | undefined} variant
 */
export function nameSidesOf(start, variant) {
  const position = start?.split(" ", 3).join(" "); // without the number of the move
  nameSides(variant?.handicaps.some((one) => one.start === position) ?? false);
}

/** A text of the server, which does not know of it, with the names of the sides in this game. @param {string} text */
export function sided(text) {
  return SIDES.reduce((words, side) => words.replaceAll(EVEN[side], SIDE_NAMES[side]), text);
}

/** The signs used in Japanese notation. @type {Record<Side, string>} */
export const SIDE_SIGNS = { b: "☗", w: "☖" };

/** The opponent of each side. @type {Record<Side, Side>} */
export const OTHER = { b: "w", w: "b" };
