// @ts-check
/** The line under the headline of a page with a board. */

import { byId } from "./dom.js";
import { marked } from "./japanese.js";

/**
 * Show a message; it stays until the next one.
 * @param {string} words @param {boolean} [news] news rather than an error
 */
export function showNotice(words, news = false) {
  byId("notice").classList.toggle("news", news);
  byId("notice").replaceChildren(...marked(words));
}
