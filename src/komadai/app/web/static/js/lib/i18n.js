// @ts-check
/** The language of the page. English is the source; other catalogues are exported by tools/catalogue.py. */

import { language, setting, watch } from "./prefs.js";
import { ROOT, STATIC } from "./root.js";
import { translator } from "./translate.js";

/** @import { Catalogue } from "./translate.js" */

const ATTRIBUTES = ["title", "aria-label", "placeholder"];

/** The language of this page, which reloads when another one is chosen. */
export const LANGUAGE = language();

const kept = /(?:^|; )language=([^;]*)/.exec(document.cookie)?.[1];

/** Whether the cookie had this language when the page began: a socket that was opened before keeps the cookie's. */
export const AGREED = kept ? kept === LANGUAGE : setting("language") === "auto";

// The server answers in this language.
// biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
document.cookie = `language=${LANGUAGE}; Path=${ROOT}; Max-Age=31536000; SameSite=Lax`;

/** @returns {Promise<Catalogue>} */
async function load() {
  if (LANGUAGE === "en") return {};
  try {
    const answer = await fetch(`${STATIC}locale/${LANGUAGE}.json`);
    return answer.ok ? await answer.json() : {};
  } catch {
    return {}; // without its catalogue the page is in English
  }
}

export const { t, n } = translator(LANGUAGE, await load());

/** A point in time as a date, or as a time of day if it is today. @param {number} at in milliseconds */
export function moment(at) {
  const today = new Date(at).toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(LANGUAGE, today ? { timeStyle: "short" } : { dateStyle: "medium" }).format(at);
}

/**
 * Translate the HTML of the page: the text of each element marked `data-t`, if it has no child elements, and some
 * attributes.
 */
function translatePage() {
  document.documentElement.lang = LANGUAGE;
  for (const element of document.querySelectorAll("[data-t]")) {
    if (!element.childElementCount && element.textContent) element.textContent = t(element.textContent.trim());
    for (const name of ATTRIBUTES) {
      const words = element.getAttribute(name);
      if (words) element.setAttribute(name, t(words));
    }
  }
}

translatePage();
watch((name) => {
  if (name === "language") location.reload();
});
