// @ts-check
/** The heading of a page with a board: the game, its options in force and the link to its rules. */

import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { changedWords, fault } from "../lib/phrases.js";
import { ROOT } from "../lib/root.js";

/** Let the link to the rules open them over the board; they are loaded when they are first needed. */
function listenForRules() {
  const link = byId("learn");
  if (link.hasAttribute("aria-haspopup")) return;
  link.setAttribute("aria-haspopup", "dialog");
  link.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      const { openRules } = await import("../rules/dialog.js");
      await openRules(link.getAttribute("href") ?? "");
    } catch (error) {
      showNotice(t("The rules could not be loaded: {fault}", { fault: fault(error) }));
    }
  });
}

/**
 * Let the link to the rules open those of a game without a page of rules.
 * @param {() => Promise<import("../types/wire").Rulebook>} load
 */
export function openOwnRules(load) {
  const open = async (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    try {
      const [{ showRules }, rulebook] = await Promise.all([import("../rules/dialog.js"), load()]);
      await showRules(rulebook);
    } catch (error) {
      showNotice(t("The rules could not be loaded: {fault}", { fault: fault(error) }));
    }
  };
  byId("learn").addEventListener("click", (event) => void open(event), { capture: true });
}

/** @param {import("../types/wire").Variant} variant @param {boolean} bare whether the game has no pieces in hand */
export function showHeading(variant, bare) {
  document.body.classList.toggle("bare", bare);
  byId("signs").hidden = !bare;
  byId("title").textContent = t(variant.name);
  byId("summary").textContent = t(variant.summary);
  byId("learn").setAttribute("href", `${ROOT}rules/${variant.id}?${new URLSearchParams(variant.options)}`);
  listenForRules();
  byId("rules").textContent = changedWords(variant);
}
