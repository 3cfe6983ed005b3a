// @ts-check
/** The settings. Changes take effect at once, in all windows of the browser. */

import { pieceIcon } from "../board/pieces.js";
import { Board } from "../board/svg.js";
import { variants } from "../lib/api.js";
import { byId, h } from "../lib/dom.js";
import { choiceField } from "../lib/form_fields.js";
import { LANGUAGES, t } from "../lib/i18n.js";
import { change, SETTINGS, setting, watch } from "../lib/prefs.js";
import { playMoveSound } from "../lib/sound.js";

/** @typedef {import("../lib/prefs.js").Setting} Setting */

const SAMPLES = 4; // number of pieces of each look

/** Name, values and explanation of each setting. @type {Record<Setting, [string, Record<string, string>, string?]>} */
const WORDS = {
  language: [t("Language"), { auto: t("The browser’s"), ...LANGUAGES }],
  pieces: [
    t("Pieces"),
    { kanji: t("Kanji"), letters: t("Letters and moves") },
    t(
      "Letters come with a small sign of how the piece moves: dots for steps, lines for slides, rings for several steps, a target for shots.",
    ),
  ],
  board: [
    t("Board"),
    { wood: t("Wood"), paper: t("Paper"), moss: t("Moss"), slate: t("Slate"), contrast: t("High contrast") },
  ],
  scheme: [t("Light or dark"), { auto: t("Follow the system"), light: t("Light"), dark: t("Dark") }],
  coordinates: [
    t("Coordinates"),
    { letters: "7g", digits: "77", kanji: "7七", off: t("None") },
    t("Move notation stays the same: it uses letters."),
  ],
  confirm: [
    t("Confirm before playing a move"),
    { costly: t("If it costs pieces of mine"), compound: t("Also if it has several steps"), never: t("Never") },
  ],
  motion: [
    t("Movement"),
    { on: t("Pieces slide"), off: t("None") },
    t("If your system asks for reduced motion, pieces never slide."),
  ],
  sounds: [t("Sounds"), { off: t("Off"), on: t("On") }],
};

function show() {
  const names = /** @type {Setting[]} */ (Object.keys(SETTINGS));
  const form = byId("form");
  form.replaceChildren(
    ...names.map((name) => {
      const [legend, words, help = ""] = WORDS[name];
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
    if (target.name === "sounds") playMoveSound({ text: "x" }, false);
  });
  watch((name) => {
    const input = form.querySelector(`input[name="${name}"][value="${setting(/** @type {Setting} */ (name))}"]`);
    if (input instanceof HTMLInputElement) input.checked = true;
  });
}

show();
const offered = await variants();
// A sample board, and sample pieces of each look.
const looks = [...new Map(offered.map((variant) => [variant.look, variant])).values()];
const shown = looks.find(({ start }) => Object.keys(start.board).length);
const board = shown && new Board(byId("sample").appendChild(h("div")), shown, { words: t(shown.name) });
const icons = looks.flatMap((variant) => variant.kinds.slice(0, SAMPLES).map((kind) => ({ variant, kind })));
const row = byId("sample").appendChild(h("p", { class: "icon-row" }));
function sample() {
  board?.orient(false, setting("pieces"));
  board?.show(board.variant.start.board, null);
  board?.relabel();
  row.replaceChildren(
    ...icons.map(({ variant, kind }) =>
      pieceIcon(variant, kind, { side: "b", upsideDown: false, set: setting("pieces") }),
    ),
  );
}
sample();
watch(sample);
