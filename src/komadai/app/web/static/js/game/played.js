// @ts-check
/** The games that this browser has played, as the server knows them. */

import { listedGames } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { quoted } from "../lib/phrases.js";
import { end, forget } from "../lib/prefs.js";
import { seatName } from "../lib/seats.js";
import { OTHER, SIDE_NAMES } from "../lib/sides.js";
import { waiting } from "./people.js";

/** @import { Played, Remembered } from "../types/client" */

/**
 * Games of this browser with what the server knows of them: those in which it is one's own turn first, then the others
 * that go on, then those that are over, each the latest first. Games that the server no longer has are forgotten.
 * @param {Remembered[]} known @returns {Promise<Played[]>}
 */
export async function playedGames(known) {
  const listed = new Map((await listedGames(known.map(({ id }) => id))).map((game) => [game.id, game]));
  const found = known.flatMap((game) => {
    const there = listed.get(game.id);
    return there ? [{ ...game, ...there }] : [];
  });
  forget(...known.flatMap(({ id }) => (listed.has(id) ? [] : [id])));
  end(...found.flatMap(({ id, over }) => (over ? [id] : [])));
  const rank = (/** @type {Played} */ game) => (game.over ? 2 : yours(game) ? 0 : 1);
  return found.sort((one, other) => rank(one) - rank(other) || other.last - one.last);
}

/** The side of the person here, if it is only one. @param {Played} game */
export function sideIn({ you: [own, more] = [] }) {
  return more ? null : (own ?? null);
}

/** True if it is the turn of the person here, against somebody else. @param {Played} game */
export function yours(game) {
  return !game.over && !game.outcome && !waiting(game) && sideIn(game) === game.turn;
}

/** The opponent of the person here. @param {Played} game */
export function opponentWords(game) {
  const { you = [], seats, names } = game;
  const own = sideIn(game);
  if (you.length > 1) return t("Two people, one screen");
  if (!own) return "";
  const name = names[OTHER[own]];
  return name ? quoted(name) : seatName(seats[OTHER[own]]);
}

/** How a game goes on. @param {Played} game */
export function stateWords(game) {
  if (waiting(game)) return seatName("open");
  if (game.outcome) return t("The match goes on.");
  return yours(game) ? t("Your turn.") : t("{side} to move.", { side: SIDE_NAMES[game.turn] });
}
