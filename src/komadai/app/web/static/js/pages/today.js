// @ts-check
/** What comes back today and in the days to come, and how it gets to another device. */

import { memoryCarried, syncMemory } from "../game/memory.js";
import { allVariants, course, courses, openingList, puzzleList } from "../lib/api.js";
import { within } from "../lib/bounds.js";
import { button, byId, h, onClick } from "../lib/dom.js";
import { download } from "../lib/download.js";
import { emptyState } from "../lib/empty.js";
import { LANGUAGE, n, t } from "../lib/i18n.js";
import * as cards from "../lib/memory.js";
import { openingName, trainingOf } from "../lib/openings.js";
import { fault } from "../lib/phrases.js";
import { ROOT } from "../lib/root.js";
import { dueWords } from "../lib/today_words.js";

/** @import { Card } from "../types/client" */

const WEEK = 7; // days
const DAY = 86_400_000; // milliseconds

/** The names of games, and of cards once they are known. @type {Map<string, string>} */
const names = new Map();

/** @param {string} id */
function cardWords(id) {
  const { kind, game, name } = cards.nameOf(id);
  const values = { game: names.get(game) ?? game, name: names.get(id) ?? name };
  if (kind === "mistake") return t("{game}, a mistake of yours", values);
  if (kind === "opening") return t("{game}, opening: {name}", values);
  return kind === "lesson" ? t("{game}, lesson: {name}", values) : t("{game}, puzzle: {name}", values);
}

function showReady() {
  const memory = cards.memory();
  const ready = cards.due(memory);
  const [first] = ready;
  const all = cards.allCards(memory);
  const link = (/** @type {string} */ words, /** @type {string} */ path, primary = false) =>
    h("a", { class: primary ? "button primary" : "button", href: primary ? path : ROOT + path }, words);
  const onward = [link(t("Lessons"), "learn"), link(t("Puzzles"), "puzzles")];
  if (first) {
    const fresh = ready.filter((id) => !cards.cardOf(id)?.n).length;
    byId("ready").replaceChildren(
      h("p", { class: "due-words" }, dueWords(memory)),
      h("p", { class: "quiet" }, t("{old} to repeat, {fresh} new", { old: ready.length - fresh, fresh })),
      h("p", { class: "row" }, link(t("Begin"), cards.addressOf(first), true)),
    );
  } else if (all[0]) {
    byId("ready").replaceChildren(
      emptyState(
        ["と"],
        h("p", { class: "due-words" }, t("Nothing is left for today.")),
        h("p", {}, t("The next position comes back on {date}.", { date: day(all[0][1].due) })),
        h("p", { class: "row" }, ...onward),
      ),
    );
  } else {
    byId("ready").replaceChildren(
      emptyState(
        ["歩", "", "と"],
        h("p", { class: "due-words" }, t("Nothing is here yet.")),
        h("p", {}, t("Finish a stage of a lesson or try a puzzle: tomorrow it is here.")),
        h("p", { class: "row" }, ...onward),
      ),
    );
  }
  if (cards.isFull())
    byId("ready").append(h("p", {}, t("The list is full: forget some positions to make room for new ones.")));
  const row = cards.streak(memory);
  byId("row-of-days").textContent = row
    ? `${n("{count} day in a row.", "{count} days in a row.", row)} ${t("One missed day does not end the row, two do; a day with nothing due is not missed.")}`
    : "";
  showComing();
  showAll(all);
}

/** A day in words. @param {number} at */
function day(at) {
  return new Intl.DateTimeFormat(LANGUAGE, { weekday: "short", month: "short", day: "numeric" }).format(at);
}

/** How many come back on the days after today. */
function showComing() {
  const counts = cards.coming(cards.memory(), WEEK);
  const [head, body] = [byId("coming").querySelector("thead tr"), byId("coming").querySelector("tbody tr")];
  head?.replaceChildren(...counts.map((_, before) => h("th", { scope: "col" }, day(Date.now() + (before + 1) * DAY))));
  body?.replaceChildren(...counts.map((count) => h("td", {}, String(count))));
  byId("coming").hidden = !counts.some(Boolean);
}

/** @param {[string, Card][]} all */
function showAll(all) {
  byId("all").hidden = !all.length;
  byId("count").textContent = `(${all.length})`;
  const { open } = /** @type {HTMLDetailsElement} */ (byId("all"));
  byId("cards").replaceChildren(...(open ? all.map(row) : []));
}

/** @param {[string, Card]} card */
function row([id, { due, n: times }]) {
  const words = cardWords(id);
  const when = times ? t("back on {date}", { date: day(due) }) : t("new");
  const forget = () => {
    if (!cards.forget(id)) say(t("This browser cannot keep it: its storage is full or off."));
    showReady();
    byId("all").querySelector("summary")?.focus();
  };
  return h(
    "li",
    { "data-card": id },
    h("a", { href: cards.addressOf(id).replace(/\?today$/, "") }, words),
    h("span", { class: "quiet" }, when),
    button({ "aria-label": t("Forget: {position}", { position: words }) }, forget, t("Forget")),
  );
}

/** @param {string} words */
function say(words) {
  byId("notice").textContent = words;
}

/** Learn the names of games, and forget what the server no longer has. */
async function look() {
  const all = cards.allCards(cards.memory()).map(([id]) => ({ id, ...cards.nameOf(id) }));
  if (!all.length) return;
  const [offered, taught] = await Promise.all([allVariants(), courses()]);
  for (const { id, name } of offered.flat()) names.set(id, t(name));
  const stages = new Map(taught.map((one) => [one.game, new Set(one.stages)]));
  const ready = cards.due(cards.memory()).map(cards.nameOf);
  /** @type {Map<string, Set<string>>} */
  const openings = new Map();
  for (const game of new Set(ready.flatMap(({ kind, game }) => (kind === "opening" ? [game] : [])))) {
    const list = await openingList(game).catch(() => null);
    if (list) openings.set(game, new Set(list.openings.flatMap(({ b, w }) => [...b, ...w])));
  }
  /** @type {Map<string, Set<string>>} */
  const puzzles = new Map();
  for (const game of new Set(ready.flatMap(({ kind, game }) => (kind === "puzzle" ? [game] : [])))) {
    const list = await puzzleList(game).catch(() => null);
    if (list) puzzles.set(game, new Set(list.sets.flatMap((set) => set.puzzles.map(({ id }) => id))));
  }
  const known = { lesson: stages, puzzle: puzzles, opening: openings };
  const gone = all.filter(({ kind, game, name }) => kind !== "mistake" && known[kind].get(game)?.has(name) === false);
  if (gone.length) cards.forget(...gone.map(({ id }) => id));
}

/** The games of all cards of a kind. @param {string} kind */
function gamesOf(kind) {
  const all = cards.allCards(cards.memory()).map(([id]) => cards.nameOf(id));
  return [...new Set(all.flatMap((name) => (name.kind === kind ? [name.game] : [])))];
}

/** Learn the names of all cards, once they are to be seen. */
async function nameCards() {
  const nameLessons = async (/** @type {string} */ game) => {
    const { chapters } = await course(game);
    for (const { id, title } of chapters.flatMap(({ stages }) => stages))
      names.set(cards.cardId({ kind: "lesson", game, name: id }), title);
  };
  const namePuzzles = async (/** @type {string} */ game) => {
    for (const { task, puzzles } of (await puzzleList(game)).sets)
      for (const { id } of puzzles) names.set(cards.cardId({ kind: "puzzle", game, name: id }), task);
  };
  const nameOpenings = async (/** @type {string} */ game) => {
    const list = await openingList(game);
    for (const one of list.openings)
      for (const name of [...one.b, ...one.w]) {
        const id = cards.cardId({ kind: "opening", game, name });
        names.set(
          id,
          `${openingName(list, one)}, ${t("move {number}", { number: Number(trainingOf(name).part) + 1 })}`,
        );
      }
  };
  await Promise.allSettled([
    ...gamesOf("opening").map(nameOpenings),
    ...gamesOf("lesson").map(nameLessons),
    ...gamesOf("puzzle").map(namePuzzles),
  ]);
}

byId("all").addEventListener("toggle", () => {
  showAll(cards.allCards(cards.memory()));
  void nameCards().then(() => showAll(cards.allCards(cards.memory())));
});

// --- On another device ---

async function sync() {
  try {
    await syncMemory();
    byId("carried").textContent = memoryCarried();
  } catch (error) {
    byId("carried").textContent = t("The profile could not be reached: {fault}", { fault: fault(error) });
  }
}

onClick("save", () => {
  const text = cards.textOf(cards.memory());
  const name = `komadai-today-${new Date().toISOString().slice(0, 10)}.json`;
  download(new Blob([text], { type: "application/json" }), name);
});

/** @param {File} file @returns {Promise<string>} what has come of it */
async function add(file) {
  const found = cards.memoryOf(await within(file, cards.LARGEST).text());
  if (!found) throw new Error(t("This is no file of positions, as this page saves them, or a later version saved it."));
  const before = cards.textOf(cards.memory());
  const known = new Set(cards.allCards(cards.memory()).map(([id]) => id));
  if (!cards.keep(found)) throw new Error(t("This browser cannot keep it: its storage is full or off."));
  if (cards.textOf(cards.memory()) === before) return t("Everything in this file was here already.");
  const added = cards.allCards(cards.memory()).filter(([id]) => !known.has(id)).length;
  return n(
    "{count} position was added; the others are as they were used last.",
    "{count} positions were added; the others are as they were used last.",
    added,
  );
}

const chosen = /** @type {HTMLInputElement} */ (byId("file"));
onClick("choose", () => chosen.click());
chosen.addEventListener("change", async () => {
  const [file] = chosen.files ?? [];
  chosen.value = "";
  if (!file) return;
  byId("file-notice").textContent = await add(file).catch(fault);
  showReady();
  void sync();
});

async function begin() {
  await sync();
  if (cards.isForeign())
    say(t("A later version of Komadai has kept the positions in this browser: this one leaves them as they are."));
  await look().catch((error) => say(t("The games could not be loaded: {fault}", { fault: fault(error) })));
  showReady();
}

await begin();
// Cards may have been looked at since this page was left.
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
