// @ts-check
/** Copying for other programs. */

import { t } from "./i18n.js";

/** Whether the browser let the page copy the text. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copy the field's text; why that was not possible, in words, nothing if it was. @param {HTMLInputElement} field @returns {Promise<string>} */
export async function copyField(field) {
  field.select();
  return (await copyText(field.value))
    ? ""
    : t("The browser does not let pages copy here: the text is selected, copy it with the keyboard.");
}
