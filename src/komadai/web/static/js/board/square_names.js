// @ts-check
/** Names of squares: `7g` as in move strings, with two numbers, or with the rank in kanji. */

import { setting } from "../lib/prefs.js";

const KANJI = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/** A rank in the style of the setting. @param {string} letter */
export function rankName(letter) {
  const style = setting("coordinates");
  const number = letter.charCodeAt(0) - 96;
  if (style === "digits") return String(number);
  if (style !== "kanji") return letter;
  return (number < 10 ? "" : `${number < 20 ? "" : KANJI[Math.floor(number / 10)]}十`) + KANJI[number % 10];
}

/** A square in the style of the setting. @param {string} at */
export function squareName(at) {
  const [, file = "", letter = ""] = /^(\d+)([a-z])$/.exec(at) ?? [];
  if (!letter) return at;
  const rank = rankName(letter);
  return /^\d+$/.test(rank) && file.length + rank.length > 2 ? `${file}-${rank}` : file + rank;
}
