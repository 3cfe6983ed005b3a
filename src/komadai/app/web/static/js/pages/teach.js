// @ts-check
/** Entry point of the lesson editor: a lesson from the address, the one kept here, or a new one. */

import { allVariants } from "../lib/api.js";
import { LESSON, TooLongError, VARIANT_FILE, within } from "../lib/bounds.js";
import { byId, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { ROOT } from "../lib/root.js";
import { checkLesson, fileOfHash, lessonHash, lessonOfHash } from "../lib/workshop_api.js";
import { openOwnRules } from "../moves/heading.js";
import { begun, fileOf, lessonOf } from "../teach/draft.js";
import { before, kept, replace } from "../teach/kept.js";
import { TeachPage } from "../teach/page.js";
import { rulesOf } from "../teach/rules.js";

const CHAPTER = t("Lesson");
const BEFORE = "-";

/** A new lesson. @param {{ game?: string, file?: string }} of */
const newLesson = (of) => fileOf(begun(of, CHAPTER));

/** The lesson that the address asks for; `null` if it asks for none. */
async function asked() {
  const lesson = await lessonOfHash(location.hash);
  if (lesson) return lesson;
  const file = await fileOfHash(location.hash);
  if (file) return newLesson({ file });
  const game = new URLSearchParams(location.search).get("game");
  return game ? newLesson({ game }) : null;
}

/** Go on with another lesson; the one that was written here can be had again. @param {string} text */
async function goOn(text) {
  replace(text);
  history.replaceState(null, "", `${ROOT}teach${await lessonHash(text)}`);
  location.reload();
}

/** The lesson of a text. Throws if nothing can be read of it. @param {string} text */
async function opened(text) {
  const { lesson, defects } = await checkLesson(text);
  const [defect] = defects;
  if (!lesson) throw new Error([defect?.place, defect?.what].filter(Boolean).join(": "));
  return lessonOf(lesson, CHAPTER);
}

/** @param {File} file */
async function openFile(file) {
  const text = (await within(file, VARIANT_FILE).text()).replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  // A variant file, for a lesson to be made about it; a course of the package, whose name is that of its game.
  const game = /^\[\[kinds\]\]/m.test(text) && !/^\[\[chapters\]\]/m.test(text);
  const named = /^(game|variant) *=/m.test(text);
  const whole = game
    ? newLesson({ file: text })
    : named
      ? text
      : `game = "${file.name.replace(/\W+toml$/, "")}"\n${text}`;
  within(new File([whole], file.name), LESSON);
  await opened(whole);
  await goOn(whole);
}

/** @param {string} words */
const say = (words) => showNotice(words);

async function offer() {
  const choice = /** @type {HTMLSelectElement} */ (byId("begin"));
  const [house, classics] = await allVariants();
  /** @param {typeof house} games */
  const options = (games) => games.map(({ id, name }) => h("option", { value: id }, t(name)));
  if (before()) choice.append(h("option", { value: BEFORE }, t("The lesson before")));
  choice.append(...options(house), h("optgroup", { label: t("The shelf") }, ...options(classics)));
  choice.addEventListener("change", () => {
    const text = choice.value === BEFORE ? before() : newLesson({ game: choice.value });
    if (text) void goOn(text);
  });
  byId("open-file").addEventListener("change", ({ target }) => {
    const file = target instanceof HTMLInputElement ? target.files?.[0] : null;
    if (file) openFile(file).catch((error) => say(fault(error)));
  });
  return house[0]?.id ?? "";
}

/** The lesson to begin with, and what to say of the one that the address asks for, if it cannot be had. */
async function first() {
  const game = await offer();
  let words = "";
  try {
    const text = await asked();
    if (text) {
      const lesson = await opened(text);
      const rules = await rulesOf(lesson);
      replace(text);
      return { lesson, rules, words };
    }
  } catch (error) {
    words =
      error instanceof TooLongError || !location.hash || !(error instanceof TypeError || error instanceof DOMException)
        ? fault(error)
        : t("The address holds no lesson that can be read.");
  }
  const own = kept();
  try {
    if (own) {
      const lesson = await opened(own);
      return { lesson, rules: await rulesOf(lesson), words };
    }
  } catch (error) {
    words ||= fault(error);
  }
  const lesson = begun({ game }, CHAPTER);
  return { lesson, rules: await rulesOf(lesson), words };
}

try {
  const { lesson, rules, words } = await first();
  const { position } = await rules.find("", []);
  const page = new TeachPage(lesson, rules, position);
  openOwnRules(async () => rules.rulebook);
  addEventListener("hashchange", () => location.reload());
  await page.loading;
  if (words) say(words);
} catch (error) {
  byId("heading").textContent = t("The editor could not be loaded: {fault}", { fault: fault(error) });
}
