// @ts-check
/** The buttons, keys and typed moves of a stage, and of a puzzle. */

import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { listenForSettings } from "../lib/settings_sheet.js";
import { press } from "../text/commands.js";
import { scrollsLog } from "../text/console.js";

/** @typedef {import("./page.js").LessonPage} LessonPage */
/** @typedef {LessonPage | import("./puzzle.js").PuzzlePage} Exercise */

/** The commands of a stage. @param {LessonPage} page @returns {import("../text/commands.js").Command[]} */
export function lessonCommands(page) {
  return [
    { keys: ["h"], typed: ["h", "hint"], words: t("a hint, then the move"), press: () => press("hint") },
    { keys: ["r"], typed: ["again"], words: t("begin the stage again"), press: () => press("again") },
    { keys: ["n"], typed: ["next"], words: t("to the next stage"), press: () => byId("following").click() },
    { typed: ["task"], words: t("the task"), say: () => page.statusWords() },
  ];
}

/** The commands of a puzzle. @param {import("./puzzle.js").PuzzlePage} page */
export function puzzleCommands(page) {
  /** @type {import("../text/commands.js").Command[]} */
  const commands = [
    {
      keys: ["h"],
      typed: ["h", "hint"],
      words: t("a hint: which piece, where to, the move"),
      press: () => press("hint"),
    },
    {
      keys: ["w"],
      typed: ["w", "why"],
      words: t("why not: the line that refutes the last try"),
      press: () => press("why"),
    },
    { keys: ["r"], typed: ["again"], words: t("begin the puzzle again"), press: () => press("again") },
    { typed: ["solution"], words: t("show the solution"), press: () => press("solution") },
    { keys: ["n"], typed: ["next"], words: t("to the next puzzle"), press: () => byId("following").click() },
    { typed: ["task"], words: t("the task"), say: () => page.statusWords() },
  ];
  return commands;
}

/** Listen to the controls of the page. @param {Exercise} page */
export function listen(page) {
  byId("hint").addEventListener("click", () => void page.hint());
  byId("again").addEventListener("click", () => page.again());
  byId("entry").addEventListener("submit", (event) => {
    event.preventDefault();
    void enter(page);
  });
  document.addEventListener("keydown", (event) => key(page, event));
  listenForSettings();
}

/** Play the typed move, or run the command. @param {Exercise} page */
async function enter(page) {
  const box = /** @type {HTMLInputElement} */ (byId("text"));
  const text = box.value.trim();
  if (!text) return;
  if (page.console.run(text)) box.value = "";
  else if (!page.active) page.sayBusy();
  else if (await page.ask(text)) box.value = "";
  else box.select();
}

/** @param {Exercise} page @param {KeyboardEvent} event */
function key(page, event) {
  const { target } = event;
  const typing = target instanceof HTMLInputElement;
  const onPage = target === document.body || (target instanceof Element && target.closest(".tray"));
  const { cursor, view } = page.input.board;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && typing) target.blur();
  else if (typing || scrollsLog(event)) return;
  else if (page.console.press(event.key)) return event.preventDefault();
  else if (view?.key(event)) return event.preventDefault();
  else if (onPage && event.key.startsWith("Arrow") && cursor.key(event)) page.input.announce(cursor.at ?? "");
  else return;
  event.preventDefault();
}
