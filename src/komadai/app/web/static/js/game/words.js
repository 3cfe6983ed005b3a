// @ts-check
/** Sentences about the moves and the result of a game. */

import { t } from "../lib/i18n.js";
import { OTHER, SIDE_NAMES } from "../lib/sides.js";
import { numberedMove } from "../moves/words.js";

/** @import { PlayedMove, Position, Side } from "../types/wire" */

/**
 * The number, side and notation of the move that led to the position after `count` moves.
 * @param {PlayedMove[]} moves @param {number} count @param {Side} turn the side to move after all of them
 */
export function moveName(moves, count, turn) {
  const move = moves[count - 1];
  const side = (moves.length - count) % 2 === 0 ? OTHER[turn] : turn;
  return move ? numberedMove(count, side, move) : t("The start");
}

/**
 * The result, from the point of view of one side or of a spectator.
 * @param {Pick<Position, "outcome" | "match">} position @param {Side | null} me
 */
export function verdict(position, me) {
  const winner = position.outcome?.winner;
  if (position.outcome?.reason === "called_off") return t("Called off");
  if (!winner) return t("A draw");
  const side = { side: SIDE_NAMES[winner] };
  if (position.match?.winner)
    return me ? (winner === me ? t("You win the match") : t("You lose the match")) : t("{side} wins the match", side);
  return me ? (winner === me ? t("You win") : t("You lose")) : t("{side} wins", side);
}
