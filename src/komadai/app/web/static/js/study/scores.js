// @ts-check
/** Evaluations as text, from Black's point of view. */

import { n, t } from "../lib/i18n.js";
import { SIDE_NAMES } from "../lib/sides.js";

/** @import { Side } from "../types/wire" */

/**
 * A score or a forced mate, in short.
 * @param {{ score: number | null, mate: number | null, outcome?: string | undefined }} thought
 * @param {Side} turn the side to move
 */
export function scoreText({ score, mate, outcome }, turn) {
  const black = (/** @type {number} */ value) => (turn === "b" ? value : -value);
  if (outcome !== undefined) return "–";
  if (mate !== null) return `${black(mate) > 0 ? "+" : "−"}#${Math.abs(mate)}`;
  const value = black(score ?? 0);
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${(Math.abs(value) / 100).toFixed(Math.abs(value) < 1000 ? 2 : 1)}`;
}

/**
 * The same in words.
 * @param {{ score: number | null, mate: number | null, outcome?: string | undefined }} thought @param {Side} turn
 */
export function scoreWords(thought, turn) {
  const { mate, outcome } = thought;
  if (outcome !== undefined) return outcome;
  if (mate === null) return t("{score} for Black", { score: scoreText(thought, turn) });
  const winner = mate > 0 === (turn === "b") ? "b" : "w";
  return n("{side} wins in {count} ply", "{side} wins in {count} plies", Math.abs(mate), { side: SIDE_NAMES[winner] });
}

/** A large number in short. @param {number} count */
export function short(count) {
  if (count < 10_000) return String(count);
  return count < 10_000_000 ? `${Math.round(count / 1000)} k` : `${(count / 1e6).toFixed(0)} M`;
}
