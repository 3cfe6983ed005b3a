// @ts-check
/** The state of the match, and the button to its next game. */

import { next } from "../lib/api.js";
import { byId, onClick, say } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { remember } from "../lib/prefs.js";
import { SIDE_NAMES } from "../lib/sides.js";

/** @import { GameState } from "../types/wire" */

/** Show the match, and store the game if it is played here. @param {GameState} state */
export function showMatch(state) {
  const { game, variant, you } = state;
  const { match } = state.position;
  const words = match ? matchWords(match) : "";
  say("match", words);
  document.body.classList.toggle("in-match", match !== null);
  byId("next-game").hidden = !match?.next;
  byId("next-game").textContent = match?.next ? t("Next game of the match") : "";
  if (you.length) remember({ id: game, variant: variant.id, you });
}

/** The state of the match in words. @param {import("../types/wire").Match} match */
function matchWords({ leader, needs, number, winner }) {
  if (winner) return t("{side} has won the match", { side: SIDE_NAMES[winner] });
  if (leader)
    return t("game {number} · {side} needs {needs} more in a row", { number, needs, side: SIDE_NAMES[leader] });
  return t("game {number} · {needs} wins in a row take the match", { number, needs });
}

/** Let the button open the next game. @param {string} game @param {(words: string) => void} say */
export function listenForNext(game, say) {
  onClick("next-game", () => {
    next(game).catch((error) => say(fault(error)));
  });
}
