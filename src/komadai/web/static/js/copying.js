// @ts-check
/** Copying what a field holds. */

import { t } from "./i18n.js";

/** Copy the field's text; why that was not possible, in words, nothing if it was. @param {HTMLInputElement} field @returns {Promise<string>} */
export async function copyFrom(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return "";
  } catch {
    return t("The browser does not let pages copy here: the text is selected, copy it with the keyboard.");
  }
}
