// @ts-check
/** The form of the settings. */

import { allowNotifications } from "./attention.js";
import { h } from "./dom.js";
import { choiceField } from "./form_fields.js";
import { t } from "./i18n.js";
import { change, LANGUAGES, SETTINGS, setting, watch } from "./prefs.js";
import { listenForVolume, playMoveSound } from "./sound.js";

/** @import { Setting } from "./prefs.js" */

/** The name of a language in itself. @param {string} code */
function itself(code) {
  return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
}

/** Name, values and explanation of each setting. @type {Record<Setting, [string, Record<string, string>, string?]>} */
const WORDS = {
  language: [
    t("Language"),
    { auto: t("The browser’s"), ...Object.fromEntries(LANGUAGES.map((code) => [code, itself(code)])) },
  ],
  pieces: [
    t("Pieces"),
    {
      kanji: t("Kanji"),
      full: t("Two kanji"),
      brush: t("Brush"),
      short: t("One bold kanji"),
      moves: t("Kanji and moves"),
      letters: t("Letters and moves"),
    },
    t(
      "Two kanji write the whole name, one bold kanji stands for it. Moves are a small sign: dots for steps, lines for slides, rings for several steps, a target for shots.",
    ),
  ],
  board: [
    t("Board"),
    {
      wood: t("Wood"),
      paper: t("Paper"),
      moss: t("Moss"),
      slate: t("Slate"),
      night: t("Night"),
      contrast: t("High contrast"),
    },
  ],
  scheme: [t("Light or dark"), { auto: t("Follow the system"), light: t("Light"), dark: t("Dark") }],
  notation: [
    t("Moves and squares"),
    {
      own: t("As in each game’s rules: {move}", { move: "P-7f" }),
      japanese: t("In Japanese: {move}", { move: "☗７六歩" }),
      strings: t("As move strings: {move}", { move: "7g7f" }),
    },
  ],
  coordinates: [t("Coordinates beside the board"), { on: t("On"), off: t("Off") }],
  guide: [
    t("Guide"),
    { auto: t("Against levels 1 to 3"), on: t("Always"), off: t("Never") },
    t("One line says what matters now: attacked kings, pieces that hang, threats. Not between two people."),
  ],
  coach: [
    t("Ask before a move that loses something"),
    { off: t("Off"), on: t("On") },
    t("Against the computer only. No question for a move chosen in advance, or with less than 20 seconds left."),
  ],
  confirm: [
    t("Confirm before playing a move"),
    { costly: t("If it costs pieces of mine"), compound: t("Also if it has several steps"), never: t("Never") },
  ],
  premove: [
    t("Choose a move while the opponent thinks"),
    { timed: t("In games with a clock"), always: t("Always"), never: t("Never") },
    t("It is played when it is your turn, if it is a move then."),
  ],
  greetings: [
    t("Greetings"),
    { on: t("Shown"), off: t("Muted") },
    t("What another player says to you, of a dozen phrases in your own language."),
  ],
  motion: [
    t("Movement"),
    { on: t("Pieces slide"), off: t("None") },
    t("If your system asks for reduced motion, pieces never slide."),
  ],
  sounds: [
    t("Sounds"),
    { on: t("On"), off: t("Off") },
    t("Moves, captures, check and the end; the seconds of byo-yomi are counted aloud."),
  ],
  volume: [t("Volume"), {}],
  vibration: [
    t("Vibration"),
    { on: t("On"), off: t("Off") },
    t("On phones, when it is your turn and when a game ends."),
  ],
  notifications: [
    t("Notifications"),
    { off: t("Off"), on: t("On") },
    t("When it is your turn and you are looking at something else. Your browser asks whether you allow them."),
  ],
};

/** Ask the browser for its permission; without it the setting stays off. @param {HTMLInputElement} chosen */
async function askForNotifications(chosen) {
  if (await allowNotifications()) return;
  change("notifications", "off");
  const field = chosen.closest("fieldset");
  field?.querySelector(".notice")?.remove();
  field?.append(h("p", { class: "notice", role: "status" }, t("This browser does not allow them for this site.")));
}

/** @param {string} legend */
function volumeField(legend) {
  const slider = h("input", { type: "range", min: 10, max: 100, step: 10, "aria-label": legend });
  listenForVolume(slider);
  return h("fieldset", { class: "choice-field" }, h("legend", {}, legend), slider);
}

/** Fill a form with the settings; changes take effect at once. @param {HTMLElement} form */
export function showSettings(form) {
  const names = /** @type {Setting[]} */ (Object.keys(SETTINGS));
  form.replaceChildren(
    ...names.map((name) => {
      const [legend, words, help = ""] = WORDS[name];
      if (name === "volume") return volumeField(legend);
      const swatch = (/** @type {string} */ value) =>
        name === "board" ? h("i", { class: "swatch", "data-board": value }) : null;
      return choiceField(
        name,
        legend,
        Object.entries(words).map(([value, said]) => [value, said, swatch(value)]),
        setting(name),
        { help },
      );
    }),
  );
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    change(/** @type {Setting} */ (target.name), /** @type {never} */ (target.value));
    if (target.name === "sounds") playMoveSound({ text: "x", from: "" });
    if (target.name === "notifications" && target.value === "on") void askForNotifications(target);
  });
  watch((name) => {
    const input = form.querySelector(`input[name="${name}"][value="${setting(/** @type {Setting} */ (name))}"]`);
    if (input instanceof HTMLInputElement) input.checked = true;
  });
}
