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

/** @param {OfferedVariant} variant */
function show(variant) {
  document.title = `${variant.name} – Komadai`;
  byId("title").textContent = variant.name;
  byId("summary").textContent = variant.summary;
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
      ...variant.settings.map((setting) =>
        choice(
          `option.${setting.name}`,
          title(setting.name),
          setting.values.map((value, index) => [value, index ? title(value) : `${title(value)} (usual)`]),
          setting.values[0] ?? "",
          setting.help,
        ),
      ),
    ),
  );
  const form = /** @type {HTMLFormElement} */ (byId("form"));
  form.addEventListener("change", () => {
    side.hidden = new FormData(form).get("opponent") === "human";
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
  const options = Object.fromEntries(variant.settings.map(({ name }) => [name, String(data.get(`option.${name}`))]));
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
