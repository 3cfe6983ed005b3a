// @ts-check
/** The buttons, keys and typed moves of a study. */

import { byId, onSubmit } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { stepThrough } from "../lib/press.js";
import { listenForSettings } from "../lib/settings_sheet.js";
import { listenToKeys } from "../text/console.js";

/** @import { Command } from "../types/client" */
/** @import { StudyPage } from "./page.js" */
/** @import { TreePage } from "./tree_page.js" */

/** The commands of a page with a tree of moves. @param {TreePage} page @returns {Command[]} */
export function treeCommands(page) {
  return [
    {
      keys: ["ArrowLeft", "ArrowRight"],
      words: t("one move back or on, beside the board"),
      press: (key) => page.step(key === "ArrowLeft" ? -1 : 1),
    },
    {
      keys: ["ArrowUp", "ArrowDown"],
      words: t("between variations, beside the board"),
      press: (key) => page.beside(key === "ArrowUp" ? -1 : 1),
    },
  ];
}

/** The commands of a study. @param {StudyPage} page @returns {Command[]} */
export function studyCommands(page) {
  return [
    { keys: ["h"], typed: ["h", "hint"], words: t("a good move"), press: () => page.engine.hint() },
    {
      keys: ["a"],
      typed: ["a", "analyse"],
      words: t("let the engine analyse, or stop it"),
      press: () => page.engine.toggle(),
    },
    {
      keys: ["t"],
      typed: ["t", "mate"],
      words: t("prove that there is a mate, or stop it"),
      press: () => page.proof.toggle(),
    },
    {
      keys: ["v"],
      typed: ["v", "values"],
      words: t("the value of every move"),
      when: () => page.values.open,
      press: () => page.values.toggle(),
    },
    { keys: ["c"], typed: ["c", "comment"], words: t("write a comment"), press: () => byId("comment").focus() },
    { keys: ["p"], typed: ["p", "promote"], words: t("move this variation up"), press: () => page.promote() },
    {
      keys: ["Delete"],
      typed: ["delete"],
      words: t("delete this move and all that follow"),
      press: () => page.remove(),
    },
  ];
}

/** Listen to the controls of the page. @param {TreePage} page */
export function listenToTree(page) {
  listenForSettings();
  stepThrough((by) => page.step(by));
  onSubmit("entry", () => void enter(page));
  listenToKeys(page);
}

/** Play the typed move, or run the command. @param {TreePage} page */
async function enter(page) {
  const box = /** @type {HTMLInputElement} */ (byId("text"));
  const text = box.value.trim();
  if (!text || page.waiting) return;
  if (page.console.run(text)) box.value = "";
  else if (page.position.outcome) page.sayBusy();
  else if (await page.enterText(text)) box.value = "";
  else box.select();
}
