// @ts-check
/** The set-up of a game: opponent, side, rule options. */

import { begin, variants } from "./api.js";
import { byId, h } from "./dom.js";
import { SEAT_NAMES, title } from "./words.js";

/** @typedef {import("./types").Seat} Seat */
/** @typedef {import("./types").Side} Side */
/** @typedef {import("./types").OfferedVariant} OfferedVariant */

/**
 * A set of choices of which one is taken.
 * @param {string} name @param {string} legend @param {[string, string][]} values value and words @param {string} chosen
 * @param {string} [help]
 */
function choice(name, legend, values, chosen, help) {
  return h(
    "fieldset",
    { class: "choice-field" },
    h("legend", {}, legend),
    help ? h("p", { class: "quiet" }, title(help)) : null,
    h(
      "div",
      { class: "segments" },
      ...values.map(([value, words]) =>
        h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen }), h("span", {}, words)),
      ),
    ),
  );
}

const OTHER = "other"; // a size of one's own

/**
 * Two numbers for a board of one's own size, hidden until that is chosen.
 * @param {string} name of the option @param {[number, number]} bounds
 */
function sizeFields(name, [least, most]) {
  const number = (/** @type {string} */ part, /** @type {string} */ words) =>
    h("label", {}, `${words} `, h("input", { type: "number", name: `${name}.${part}`, min: least, max: most, value: Math.min(most, 7), required: true, disabled: true, inputmode: "numeric" }));
  return h("div", { class: "size-fields row", "data-for": name, hidden: true }, number("files", "Files"), number("ranks", "Ranks"));
}

/** The value of an option in the form. @param {FormData} data @param {string} name */
function valueOf(data, name) {
  const value = String(data.get(name));
  return value === OTHER ? `${data.get(`${name}.files`)}x${data.get(`${name}.ranks`)}` : value;
}

/** A value as people read it. @param {string} value */
function words(value) {
  return title(value).replace(/^(\d+)x(\d+)$/, "$1×$2");
}

/** One rule option. @param {OfferedVariant["settings"][number]} setting */
function option({ name, values, help, sizes }) {
  /** @type {[string, string][]} */
  const offered = values.map((value, index) => [value, index ? words(value) : `${words(value)} (usual)`]);
  if (sizes) offered.push([OTHER, "Other size…"]);
  const field = choice(`option.${name}`, title(name), offered, values[0] ?? "", help);
  if (sizes) field.append(sizeFields(`option.${name}`, sizes));
  return field;
}

/** @param {OfferedVariant} variant */
function show(variant) {
  document.title = `${variant.name} – Komadai`;
  byId("title").textContent = variant.name;
  byId("summary").textContent = variant.summary;
  if (variant.solved) byId("links").append(h("a", { href: `/puzzles/${variant.id}` }, "Hardest wins"), " as puzzles: this game is solved.");
  const side = choice("side", "You play", [["b", "Black, first"], ["w", "White"], ["random", "Either"]], "b");
  byId("fields").replaceChildren(
    choice(
      "opponent",
      "Opponent",
      [
        ["easy", SEAT_NAMES.easy],
        ["medium", SEAT_NAMES.medium],
        ["strong", SEAT_NAMES.strong],
        ["human", "Two people, one screen"],
      ],
      "easy",
    ),
    side,
    h(
      "details",
      { class: "rules" },
      h("summary", {}, "Rules"),
      ...variant.settings.map(option),
    ),
  );
  const form = /** @type {HTMLFormElement} */ (byId("form"));
  form.addEventListener("change", () => {
    const data = new FormData(form);
    side.hidden = data.get("opponent") === "human";
    for (const fields of form.querySelectorAll(".size-fields")) {
      const wanted = data.get(fields.getAttribute("data-for") ?? "") === OTHER;
      fields.toggleAttribute("hidden", !wanted);
      for (const input of fields.querySelectorAll("input")) input.disabled = !wanted;
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void start(variant, new FormData(form));
  });
  byId("start").removeAttribute("disabled");
}

/** @param {OfferedVariant} variant @param {FormData} data */
async function start(variant, data) {
  const opponent = /** @type {Seat} */ (String(data.get("opponent")));
  const wanted = String(data.get("side"));
  const mine = wanted === "random" ? (Math.random() < 0.5 ? "b" : "w") : wanted;
  /** @type {Record<Side, Seat>} */
  const seats = mine === "w" ? { b: opponent, w: "human" } : { b: "human", w: opponent };
  const options = Object.fromEntries(variant.settings.map(({ name }) => [name, valueOf(data, `option.${name}`)]));
  try {
    await begin(variant.id, options, seats);
  } catch (error) {
    byId("notice").textContent = error instanceof Error ? error.message : String(error);
  }
}

const wanted = decodeURIComponent(location.pathname.split("/").pop() ?? "");
try {
  const found = (await variants()).find((variant) => variant.id === wanted);
  if (!found) throw new Error("there is no such game here");
  show(found);
} catch (error) {
  byId("notice").textContent = `The set-up could not be loaded: ${error instanceof Error ? error.message : error}`;
}
