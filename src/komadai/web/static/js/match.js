// @ts-check
/** How the match stands, and the way to its next game. */

import { next } from "./api.js";
import { byId } from "./dom.js";
import { t } from "./i18n.js";
import { remember } from "./prefs.js";
import { fault } from "./words.js";

/** @typedef {import("./types").GameState} GameState */

/** Show it, and remember the game of who plays. @param {GameState} state */
export function showMatch(state) {
  const { game, variant, you, position: { match } } = state;
  if (byId("match").textContent !== (match?.text ?? "")) byId("match").textContent = match?.text ?? "";
  document.body.classList.toggle("in-match", match !== null);
  byId("next-game").hidden = !match?.next;
  byId("next-game").textContent = match?.next ? t("Next game of the match") : "";
  if (you.length) remember({ id: game, variant: variant.id, you });
}

/** Let the button lead to the next game. @param {string} game @param {(words: string) => void} say */
export function listenForNext(game, say) {
  byId("next-game").addEventListener("click", () => {
    next(game).catch((error) => say(fault(error)));
  });
}
