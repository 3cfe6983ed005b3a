// @ts-check
/** What an opening book says of a position, in words. */

import { bookMoves } from "./api.js";
import { byId } from "./dom.js";
import { n, t } from "./i18n.js";
import { marked } from "./japanese.js";
import { moveText } from "./prefs.js";

/** @import { BookMoves, PlayedMove, PositionRef } from "../types/wire" */

/** In how many games of the book the position was reached, and what opening it is of. @param {BookMoves} found */
export function gamesWords({ moves, all, engine, opening }) {
  const games = moves.reduce((sum, { games }) => sum + games, 0);
  const name = opening ? t("Opening: {opening}.", { opening }) : "";
  if (!games) return [name, t("No game of the book came here.")].filter(Boolean).join(" ");
  const values = { games: Math.min(games, all), all };
  const words = engine
    ? t("In {games} of {all} games of the engine.", values)
    : t("In {games} of {all} games of the book.", values);
  return [name, words].filter(Boolean).join(" ");
}

/** Where a game left the book. @param {BookMoves} found @param {PlayedMove} move the first one that the book does not have */
export function leftWords({ left, engine }, move) {
  const values = { number: (left?.plies ?? 0) + 1, move: moveText(move) };
  const { instead } = left ?? {};
  if (!instead) return t("The book ends before move {number}, {move}.", values);
  const more = { ...values, other: moveText(instead.move) };
  return engine
    ? n(
        "The game left the book with move {number}, {move}: {other} was played there, in {count} game of the engine.",
        "The game left the book with move {number}, {move}: {other} was played there, in {count} games of the engine.",
        instead.games,
        more,
      )
    : n(
        "The game left the book with move {number}, {move}: {other} was played there, in {count} game.",
        "The game left the book with move {number}, {move}: {other} was played there, in {count} games.",
        instead.games,
        more,
      );
}

/** Show after a game where it left the book, if there is one. @param {PositionRef} branch @param {PlayedMove[]} moves */
export async function showLeft(branch, moves) {
  const found = await bookMoves(branch).catch(() => null);
  const move = moves[found?.left?.plies ?? -1];
  if (!found || !move) return;
  const name = found.opening ? `${t("Opening: {opening}.", { opening: found.opening })} ` : "";
  byId("after-book").replaceChildren(...marked(name + leftWords(found, move)));
}
