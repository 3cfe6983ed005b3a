// @ts-check
/** Parts of a page that can be folded away and stay so, and may be unfolded for what stands in them. */

import { isOn, turn } from "./prefs.js";

/** Fold what was folded before, and keep what is folded. */
export function keepFolding() {
  for (const part of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details[data-fold]"))) {
    const name = `folded.${part.dataset.fold}`;
    if (isOn(name)) part.open = false;
    part.addEventListener("toggle", () => turn(name, !part.open));
  }
}

/** Focus an element, wherever it is folded away. @param {HTMLElement} element */
export function reveal(element) {
  const part = element.closest("details");
  if (part) part.open = true;
  element.focus();
}
