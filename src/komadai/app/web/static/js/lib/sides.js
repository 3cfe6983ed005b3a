// @ts-check
/** The two sides: their names, signs and order. */

import { t } from "./i18n.js";
import { quoted } from "./phrases.js";

/** @import { Side } from "../types/wire" */

/** Both sides, the first mover first. @type {readonly Side[]} */
export const SIDES = ["b", "w"];

/** The translated names. */
const EVEN = { b: t("Black"), w: t("White") };
const HANDICAP = { b: t("handicap|Black"), w: t("handicap|White") };

/** The same in this game: with a handicap Japanese calls the sides by other names. @type {Record<Side, string>} */
export const SIDE_COLOURS = { ...EVEN };

/** What the sides are called: by the names of their players, where these are known. @type {Record<Side, string>} */
export const SIDE_NAMES = { ...EVEN };

/** @param {boolean} handicap @param {Partial<Record<Side, string>>} [names] of players */
export function nameSides(handicap, names = {}) {
  Object.assign(SIDE_COLOURS, handicap ? HANDICAP : EVEN);
  const misleads = names.b === names.w || SIDES.some((side) => SIDES.some((one) => names[side] === SIDE_COLOURS[one]));
  for (const side of SIDES) SIDE_NAMES[side] = (!misleads && quoted(names[side] ?? "")) || SIDE_COLOURS[side];
}

/**
 * The same where many games are listed: for what is said next of this one.
 * @param {string | null} start @param {import("../types/wire").OfferedVariant | undefined} variant
 * @param {Partial<Record<Side, string>>} [names]
 */
export function nameSidesOf(start, variant, names) {
  const position = start?.split(" ", 3).join(" "); // without the number of the move
  nameSides(variant?.handicaps.some((one) => one.start === position) ?? false, names);
}

/**
 * A text of the server, which does not know of it, with the names of the sides in this game. Players are named only as
 * owners of pieces, for ``White`` may also begin the name of a piece.
 * @param {string} text
 */
export function sided(text) {
  return text.replace(new RegExp(`(${EVEN.b}|${EVEN.w})(['’]s|の)?`, "g"), (_all, name, owns = "") => {
    const side = name === EVEN.b ? "b" : "w";
    return (owns ? SIDE_NAMES : SIDE_COLOURS)[side] + owns;
  });
}

/** The signs used in Japanese notation. @type {Record<Side, string>} */
export const SIDE_SIGNS = { b: "☗", w: "☖" };

/** The opponent of each side. @type {Record<Side, Side>} */
export const OTHER = { b: "w", w: "b" };
