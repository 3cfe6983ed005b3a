// @ts-check
/** How the match stands, and the way to its next game. */

import { next } from "./api.js";
import { byId } from "./dom.js";
import { t } from "./i18n.js";
import { remember } from "./prefs.js";
import { SIDE_NAMES } from "./trays.js";
import { fault } from "./words.js";

/** @typedef {import("./types").GameState} GameState */

/** Show it, and remember the game of who plays. @param {GameState} state */
export function showMatch(state) {
  const { game, variant, you, position: { match } } = state;
  const words = match ? matchWords(match) : "";
  if (byId("match").textContent !== words) byId("match").textContent = words;
  document.body.classList.toggle("in-match", match !== null);
  byId("next-game").hidden = !match?.next;
  byId("next-game").textContent = match?.next ? t("Next game of the match") : "";
  if (you.length) remember({ id: game, variant: variant.id, you });
}

/** Where the match stands. @param {import("./types").Match} match */
function matchWords({ leader, needs, number, winner }) {
  if (winner) return t("{side} has won the match", { side: SIDE_NAMES[winner] });
  if (leader) return t("game {number} · {side} needs {needs} more in a row", { number, needs, side: SIDE_NAMES[leader] });
  return t("game {number} · {needs} wins in a row take the match", { number, needs });
}

/** Let the button lead to the next game. @param {string} game @param {(words: string) => void} say */
export function listenForNext(game, say) {
  byId("next-game").addEventListener("click", () => {
    next(game).catch((error) => say(fault(error)));
  });
}
