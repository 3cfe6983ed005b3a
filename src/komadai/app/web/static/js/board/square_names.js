// @ts-check
/** Names of squares in the notation of the settings: `7g`, or in Japanese `７七`. */

import { setting } from "../lib/prefs.js";

const KANJI = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/** Digits in full width, as in Japanese notation. @param {string | number} number */
export function wide(number) {
  return String(number).replace(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
}

/** A rank. @param {string} letter */
export function rankName(letter) {
  if (setting("notation") !== "japanese") return letter;
  const number = letter.charCodeAt(0) - 96;
  return (number < 10 ? "" : `${number < 20 ? "" : KANJI[Math.floor(number / 10)]}十`) + KANJI[number % 10];
}

/** A square. @param {string} at */
export function squareName(at) {
  const [, file = "", letter = ""] = /^(\d+)([a-z])$/.exec(at) ?? [];
  return letter && setting("notation") === "japanese" ? wide(file) + rankName(letter) : at;
}
