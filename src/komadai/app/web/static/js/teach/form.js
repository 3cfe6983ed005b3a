// @ts-check
/** Form fields of the lesson editor. */

import { button, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @typedef {{ key: string, kind: "move" | "point" | "line", take: (text: string) => void }} Noting */

/** @param {string} label @param {HTMLElement} field */
export function labelled(label, field) {
  return h("label", { class: "teach-field" }, h("span", {}, label), field);
}

/**
 * A text field that says each change.
 * @param {string} label @param {string} value @param {(value: string) => void} changed
 * @param {{ rows?: number, most?: number, place?: string }} [look] `place`: the path of the field in the file
 */
export function textField(label, value, changed, { rows = 1, most = 1500, place = "" } = {}) {
  const shared = { maxlength: most, "data-place": place, autocomplete: "off" };
  const field =
    rows > 1 ? h("textarea", { rows, class: "text-field", ...shared }) : h("input", { class: "text-field", ...shared });
  field.value = value;
  field.addEventListener("input", () => changed(field.value));
  return labelled(label, field);
}

/**
 * A number field.
 * @param {string} label @param {number} value @param {number} least @param {number} most @param {(value: number) => void} changed
 */
export function numberField(label, value, least, most, changed) {
  const field = h("input", { type: "number", class: "text-field", min: least, max: most, value });
  field.addEventListener("input", () => {
    if (field.value && Number.isInteger(field.valueAsNumber)) changed(field.valueAsNumber);
  });
  return labelled(label, field);
}

/**
 * A list to choose from.
 * @param {string} label @param {[string, string][]} values @param {string} value @param {(value: string) => void} changed
 */
export function selectField(label, values, value, changed) {
  const known = values.some(([one]) => one === value);
  const all = known ? values : [...values, /** @type {[string, string]} */ ([value, value])];
  const field = h(
    "select",
    {},
    ...all.map(([one, words]) => h("option", { value: one, selected: one === value }, words)),
  );
  field.addEventListener("change", () => changed(field.value));
  return labelled(label, field);
}

/** @param {string} label @param {boolean} value @param {(value: boolean) => void} changed */
export function tick(label, value, changed) {
  const field = h("input", { type: "checkbox", checked: value });
  field.addEventListener("change", () => changed(field.checked));
  return h("label", { class: "teach-tick" }, field, h("span", {}, label));
}

/**
 * A list of moves or points, noted on the board or typed.
 * @param {string} label
 * @param {readonly string[]} list
 * @param {{
 *   noting: boolean, note: () => void, remove: (index: number) => void, add?: (text: string) => void, show?: (text: string) => string,
 * }} act `noting`: what is done on the board goes here; `note`: it shall
 */
export function listField(label, list, { noting, note, remove, add, show = (text) => text }) {
  const chips = list.map((text, index) =>
    h(
      "li",
      {},
      h("span", {}, show(text)),
      button({ class: "remove", "aria-label": t("Remove {what}", { what: show(text) }) }, () => remove(index), "×"),
    ),
  );
  const typed = add ? h("input", { class: "text-field", "aria-label": t("{list}: type one", { list: label }) }) : null;
  typed?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !typed.value.trim()) return;
    event.preventDefault();
    add?.(typed.value.trim());
  });
  return h(
    "div",
    { class: "teach-list", role: "group", "aria-label": label },
    h("span", { class: "teach-label" }, label),
    h("ul", { class: "teach-chips" }, ...chips),
    h(
      "div",
      { class: "row" },
      button({ "aria-pressed": String(noting) }, note, noting ? t("Now on the board…") : t("On the board")),
      typed,
    ),
  );
}
