// @ts-check
/** Parts of a page that can be unfolded and stay so, also for what stands in them. */

import { isOn, turn } from "./prefs.js";

/** Unfold what was unfolded before, and keep what is unfolded. */
export function keepFolding() {
  for (const part of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("[data-unfold]"))) {
    const name = `unfolded.${part.dataset.unfold}`;
    part.open = isOn(name);
    part.addEventListener("toggle", () => turn(name, part.open));
  }
}

/** Focus an element, wherever it is folded away. @param {HTMLElement} element */
export function reveal(element) {
  const part = element.closest("details");
  if (part) part.open = true;
  element.focus();
}
