// @ts-check
/** Looking up messages in a catalogue. */

/**
 * @typedef {Record<string, string | string[]>} Catalogue the translation of each message; under the singular of a plural
 * message, all its forms
 * @typedef {Record<string, string | number>} Values the values of `{name}` in a message
 */

const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];

/** @param {string} text @param {Values} values */
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** The functions that translate into a language. @param {string} language @param {Catalogue} catalogue */
export function translator(language, catalogue) {
  const plurals = new Intl.PluralRules(language);
  const used = plurals.resolvedOptions().pluralCategories;
  const categories = CATEGORIES.filter((name) => used.some((one) => one === name));

  /**
   * A message in the language.
   * @param {string} text the English message, after `…|` if it needs a context to distinguish it from another one
   * @param {Values} [values]
   */
  function t(text, values = {}) {
    const found = catalogue[text];
    return fill(typeof found === "string" ? found : text.replace(/^\w+\|/, ""), values);
  }

  /**
   * A message with a number, `{count}`.
   * @param {string} one @param {string} many @param {number} count @param {Values} [values]
   */
  function n(one, many, count, values = {}) {
    const found = catalogue[one];
    const form = Array.isArray(found) ? found[categories.indexOf(plurals.select(count))] : undefined;
    return fill(form ?? (count === 1 ? one : many), { count, ...values });
  }

  return { t, n };
}
