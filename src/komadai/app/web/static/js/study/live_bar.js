// @ts-check
/** The bar of a live study above the board's words: how it stands, how many follow, and what can be done. */

import { byId } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";

/**
 * @param {string} state in words @param {number | null} followers if anybody can follow
 * @param {(Node | null)[]} buttons
 */
export function showBar(state, followers, buttons = []) {
  byId("live").hidden = false;
  byId("live-says").textContent = [
    state,
    followers === null ? "" : n("{count} person follows", "{count} people follow", followers),
  ]
    .filter(Boolean)
    .join(" · ");
  byId("live-buttons").replaceChildren(...buttons.flatMap((one) => one ?? []));
}

export const lost = () => t("Connection lost; trying again…");
