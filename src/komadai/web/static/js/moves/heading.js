// @ts-check
/** The heading of a page with a board: the game, its options in force and the link to its rules. */

import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { changedWords } from "../lib/phrases.js";

/** @param {import("../types/wire").Variant} variant @param {boolean} bare whether the game has no pieces in hand */
export function showHeading(variant, bare) {
  document.body.classList.toggle("bare", bare);
  byId("signs").hidden = !bare;
  byId("title").textContent = t(variant.name);
  byId("summary").textContent = t(variant.summary);
  byId("learn").setAttribute("href", `/rules/${variant.id}?${new URLSearchParams(variant.options)}`);
  byId("rules").textContent = changedWords(variant);
}
