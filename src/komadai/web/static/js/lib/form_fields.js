// @ts-check
/** Fields of forms: choices of which one is taken. */

import { h } from "./dom.js";

/**
 * A set of choices of which one is taken.
 * @param {string} name @param {string} legend @param {[string, string, (Node | null)?][]} values value, words and a picture
 * @param {string} chosen @param {{ help?: string, row?: string }} [look] `help`: more about it; `row`: classes of the choices
 */
export function choiceField(name, legend, values, chosen, { help = "", row = "" } = {}) {
  return h(
    "fieldset",
    { class: "choice-field" },
    h("legend", {}, legend),
    help ? h("p", { class: "quiet" }, help) : null,
    segments(name, values, chosen, row),
  );
}

/** The choices alone. @param {string} name @param {[string, string, (Node | null)?][]} values @param {string} chosen @param {string} [row] */
export function segments(name, values, chosen, row = "") {
  return h(
    "div",
    { class: `segments ${row}` },
    ...values.map(([value, words, picture]) =>
      h(
        "label",
        {},
        h("input", { type: "radio", name, value, checked: value === chosen }),
        h("span", {}, picture ?? null, words),
      ),
    ),
  );
}
