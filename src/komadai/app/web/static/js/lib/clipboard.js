// @ts-check
/** Copying to the clipboard. */

import { t } from "./i18n.js";

/** Copy a text; returns whether the browser allowed it. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Copy the text of an input; returns an error message, or the empty string.
 * @param {HTMLInputElement} field @returns {Promise<string>}
 */
export async function copyField(field) {
  field.select();
  return (await copyText(field.value))
    ? ""
    : t("The browser does not let pages copy here: the text is selected, copy it with the keyboard.");
}
