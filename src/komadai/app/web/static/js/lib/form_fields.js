// @ts-check
/** Form fields: groups of radio buttons, and bars that say how much is done. */

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { marked } from "./japanese.js";

/**
 * A field set of radio buttons.
 * @param {string} name @param {string} legend
 * @param {[string, string, (Node | null)?][]} values value, label and picture
 * @param {string} chosen
 * @param {{ help?: string, row?: string }} [look] `help`: an explanation; `row`: CSS classes of the group
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

/**
 * The radio buttons alone.
 * @param {string} name @param {[string, string, (Node | null)?][]} values @param {string} chosen @param {string} [row]
 */
export function segments(name, values, chosen, row = "") {
  return h(
    "div",
    { class: `segments ${row}` },
    ...values.map(([value, words, picture]) =>
      h(
        "label",
        {},
        h("input", { type: "radio", name, value, checked: value === chosen }),
        h("span", {}, picture ?? null, ...marked(words)),
      ),
    ),
  );
}

/**
 * How much of something is done.
 * @param {number} done @param {number} of @param {string} label
 */
export function progress(done, of, label) {
  return h(
    "p",
    { class: "progress" },
    h("progress", { value: done, max: of, "aria-label": label }),
    h("span", { class: "quiet" }, t("{done} of {count}", { done, count: of })),
  );
}
