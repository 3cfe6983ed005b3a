// @ts-check
/** Small parts of sentences that every page needs. */

import { t } from "./i18n.js";

/** @import { Variant } from "../types/wire" */

/** `snake_case` as words, the first with a capital. @param {string} name */
export function title(name) {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

/** A sentence made of clauses that may contain commas. @param {string[]} parts */
export function sentence(parts) {
  return t("{words}.", { words: parts.join(t("; ")) });
}

/** The value of a rule option for display. @param {string} value */
export function valueWords(value) {
  return t(title(value)).replace(/^(\d+)x(\d+)$/, "$1×$2");
}

/** The rule options that differ from their defaults. @param {Pick<Variant, "changed">} variant */
export function changedWords({ changed }) {
  return changed.map(({ name, value }) => `${t(title(name))}: ${t(title(value))}`).join(" · ");
}

/** A name that somebody has chosen, within a sentence: one written to the left does not turn what follows. @param {string} name */
export function quoted(name) {
  return /[\u0590-\u08ff\ufb1d-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;
}

/** The text of a thrown error. @param {unknown} error */
export function fault(error) {
  return error instanceof Error ? error.message : String(error);
}

/** A share in percent. @param {number} share from 0 to 1 */
export function percent(share) {
  return `${Math.round(share * 100)} %`;
}
