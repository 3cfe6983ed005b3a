// @ts-check
/**
 * What is to come back: cards for stages of lessons, puzzles, openings and own mistakes, and the days of practice, kept in this
 * browser. When a card comes back, schedule.js decides.
 */

import { ROOT } from "./root.js";

/** @import { Card, CardName, Kept, Memory } from "../types/client" */

/** Bytes of a text of what comes back, at most. */
export const LARGEST = 4 * 1024 * 1024;
const KEY = "komadai.memory";
const FORMAT = 1;
const MOST_CARDS = 1500;
const MOST_DAYS = 400;
const MOST_OF = 1000; // characters of what a card needs beside its name
const LONGEST_NAME = 700; // characters
const NEW_A_DAY = 10;
const USUAL = 30; // seconds for a card, before there are any to judge by
const DAWN = 4; // the hour at which a day begins, for those who practise at night
const DAY = 86_400_000; // milliseconds
const NO_DAYS = { days: [], rests: [] };
const KINDS = { lesson: "learn", puzzle: "puzzles", opening: "openings", mistake: "drill" };

// --- Reading and merging ---

/** @param {unknown} value */
const isCount = (value) => Number.isFinite(value) && Number(value) >= 0;

/** What is kept under a name, with its fields in order; `null` if it is none. @param {any} found @returns {Kept | null} */
function checked(found) {
  if (!found || typeof found !== "object" || !isCount(found.at)) return null;
  const { at, due, s, d, n, f, sec, of } = found;
  if (found.gone === true) return { at, gone: true };
  if (![due, s, d, n, f, sec].every(isCount) || (n > 0 && !(s > 0 && d >= 1 && d <= 10))) return null;
  if (of === undefined) return { at, due, s, d, n, f, sec };
  const fits = of && typeof of === "object" && JSON.stringify(of).length <= MOST_OF;
  return fits ? { at, due, s, d, n, f, sec, of } : null;
}

/** @param {[string, Kept]} one @param {[string, Kept]} other the later one first */
function byTime([id, one], [otherId, other]) {
  if (one.at !== other.at) return other.at - one.at;
  const [text, otherText] = [id + JSON.stringify(one), otherId + JSON.stringify(other)];
  return text < otherText ? 1 : text > otherText ? -1 : 0;
}

/** Numbers of days, the latest first, as many as may be kept. @param {number[]} days */
const latest = (days) => [...new Set(days)].sort((a, b) => b - a).slice(0, MOST_DAYS);

/** A memory no larger than may be; those looked at longest ago leave it. @param {Memory} memory @returns {Memory} */
function bounded({ cards, days, rests }) {
  const kept = Object.entries(cards).sort(byTime).slice(0, MOST_CARDS);
  const inOrder = kept.sort(([a], [b]) => (a < b ? -1 : 1));
  return { cards: Object.fromEntries(inOrder), days: latest(days), rests: latest(rests) };
}

/**
 * The memory in a text; what is damaged in it is left out. `null` if it is none, or that of a later version.
 * @param {string | null} text @returns {Memory | null}
 */
export function memoryOf(text) {
  let found;
  try {
    found = JSON.parse(text ?? "null");
  } catch {
    return null;
  }
  if (found?.komadai !== "memory" || found.format !== FORMAT) return null;
  /** @type {Record<string, Kept>} */
  const cards = {};
  for (const [id, value] of Object.entries(found.cards ?? {})) {
    const card = checked(value);
    if (card && /^[a-z]+\/[^/]+\/./.test(id) && id.length <= LONGEST_NAME) cards[id] = card;
  }
  const [days, rests] = [found.days, found.rests].map((list) =>
    (Array.isArray(list) ? list : []).filter(Number.isInteger),
  );
  return bounded({ cards, days: days ?? [], rests: rests ?? [] });
}

/** Whether a text is a memory of a later version. @param {string | null} text */
export function isLater(text) {
  try {
    return JSON.parse(text ?? "null")?.format > FORMAT;
  } catch {
    return false;
  }
}

/** A memory as text, the same for equal ones. @param {Memory} memory */
export function textOf({ cards, days, rests }) {
  return JSON.stringify({ komadai: "memory", format: FORMAT, cards, days, rests });
}

/**
 * Both memories in one: of each card what was done last, a review or that it was forgotten. The order does not matter,
 * nor how often. @param {Memory} one @param {Memory} other
 */
export function merge(one, other) {
  const cards = { ...one.cards };
  for (const [id, theirs] of Object.entries(other.cards)) {
    const mine = cards[id];
    if (!mine || byTime([id, mine], [id, theirs]) > 0) cards[id] = theirs;
  }
  return bounded({ cards, days: [...one.days, ...other.days], rests: [...one.rests, ...other.rests] });
}

// --- In this browser ---

/** What this window has kept; another one may write over it. @type {Memory | null} */
let written = null;

/** @returns {string | null} */
function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is off
  }
}

/** The memory of this browser. @returns {Memory} */
export function memory() {
  return memoryOf(stored()) ?? { cards: {}, ...NO_DAYS };
}

/** Whether a later version has written the memory of this browser, which is left as it is. */
export function isForeign() {
  return isLater(stored());
}

/** Merge a memory into that of this browser; false if it cannot be kept. @param {Memory} added */
export function keep(added) {
  if (isForeign()) return false;
  const whole = merge(memory(), added);
  try {
    localStorage.setItem(KEY, textOf(whole));
  } catch {
    return false; // storage is off or full
  }
  written = whole;
  return true;
}

// Two windows may have read the memory at the same time: whose writing is lost writes again.
window.addEventListener("storage", ({ key, newValue }) => {
  if (key !== KEY || !written) return;
  if (newValue === null) written = null;
  else if (textOf(merge(memory(), written)) !== textOf(memory())) keep(written);
});

/** @param {CardName} name */
export function cardId({ kind, game, name }) {
  return `${kind}/${game}/${name}`;
}

/** The name in an id. @param {string} id @returns {CardName} */
export function nameOf(id) {
  const [kind = "", game = "", ...name] = id.split("/");
  return { kind: /** @type {CardName["kind"]} */ (kind), game, name: name.join("/") };
}

/** The card with an id, `null` if there is none or it was forgotten. @param {string} id @returns {Card | null} */
export function cardOf(id) {
  const found = memory().cards[id];
  return found && !("gone" in found) ? found : null;
}

/** Now, but later than what was done before, perhaps by another clock. @param {Kept} [before] */
export function after(before) {
  return Math.max(Date.now(), (before?.at ?? 0) + 1);
}

/**
 * Let something come back from tomorrow on. What is known already stays as it is; what was forgotten comes back only
 * where somebody asked for it, as for a mistake. False if it cannot be kept.
 * @param {CardName} name @param {Record<string, unknown>} [of] what is needed to show it, beside its name
 */
export function remember(name, of) {
  const { cards } = memory();
  const [id, now] = [cardId(name), Date.now()];
  const known = cards[id];
  if (known && !("gone" in known && name.kind === "mistake")) return true;
  if (isFull() || id.length > LONGEST_NAME || (of && JSON.stringify(of).length > MOST_OF)) return false;
  // A card that was never looked at is older than any that was.
  const card = { at: known ? after(known) : 0, due: now + DAY, s: 0, d: 0, n: 0, f: 0, sec: 0 };
  return keep({ cards: { [id]: of ? { ...card, of } : card }, ...NO_DAYS });
}

/** Whether there is no room for a further card. */
export function isFull() {
  return Object.keys(memory().cards).length >= MOST_CARDS;
}

/** Let nothing of these come back. @param {string[]} ids */
export function forget(...ids) {
  const { cards } = memory();
  const gone = ids.map((id) => [id, { at: after(cards[id]), gone: /** @type {const} */ (true) }]);
  return keep({ cards: Object.fromEntries(gone), ...NO_DAYS });
}

/** Keep a card that has been looked at, and that today somebody practised. @param {string} id @param {Card} card */
export function keepCard(id, card) {
  return keep({ cards: { [id]: card }, days: [dayOf(Date.now())], rests: rests(memory()) });
}

/** Today somebody practised. */
export function practise() {
  return keep({ cards: {}, days: [dayOf(Date.now())], rests: rests(memory()) });
}

// --- Days ---

/** When the day of a point in time began, or another one. @param {number} at @param {number} later in days */
function dawn(at, later) {
  const day = new Date(at);
  day.setHours(day.getHours() - DAWN);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later, DAWN).getTime();
}

/** The number of the day, by the clock here. @param {number} at */
function dayOf(at) {
  const day = new Date(dawn(at, 0));
  return Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / DAY;
}

/** All cards, those that come back first before the others. @param {Memory} memory @returns {[string, Card][]} */
export function allCards({ cards }) {
  const found = /** @type {[string, Card][]} */ (
    Object.entries(cards).filter(([id, card]) => !("gone" in card) && nameOf(id).kind in KINDS)
  );
  return found.sort(([id, one], [other, two]) => one.due - two.due || (id < other ? -1 : 1));
}

/** What is ready by the end of a day, old and new. @param {[string, Card][]} all @param {number} later days after today */
function readyBy(all, later) {
  const ready = all.filter(([, card]) => card.due < dawn(Date.now(), later + 1));
  return { old: ready.filter(([, { n }]) => n), fresh: ready.filter(([, { n }]) => !n) };
}

/** The number of cards that may be looked at today for the first time. @param {[string, Card][]} all */
function roomForNew(all) {
  const today = dayOf(Date.now());
  return Math.max(NEW_A_DAY - all.filter(([, { n, at }]) => n === 1 && dayOf(at) === today).length, 0);
}

/** The ids of the cards that are due today, those that were looked at before first. @param {Memory} memory */
export function due(memory) {
  const all = allCards(memory);
  const { old, fresh } = readyBy(all, 0);
  return [...old, ...fresh.slice(0, roomForNew(all))].map(([id]) => id);
}

/** How many cards come back on each of the days after today, if those of today are done. @param {Memory} memory @param {number} days */
export function coming(memory, days) {
  const all = allCards(memory);
  let [known, begun] = [readyBy(all, 0).old.length, Math.min(readyBy(all, 0).fresh.length, roomForNew(all))];
  return Array.from({ length: days }, (_, before) => {
    const { old, fresh } = readyBy(all, before + 1);
    const added = Math.min(fresh.length - begun, NEW_A_DAY);
    const count = old.length - known + added;
    [known, begun] = [old.length, begun + added];
    return count;
  });
}

/** The minutes that these cards take, by what they and others took before. @param {Memory} memory @param {string[]} ids */
export function minutesFor(memory, ids) {
  const cards = new Map(allCards(memory));
  const times = [...cards.values()].map(({ sec }) => sec).filter(Boolean);
  const usual = times.sort((a, b) => a - b)[times.length >> 1] ?? USUAL;
  const seconds = ids.reduce((sum, id) => sum + (cards.get(id)?.sec || usual), 0);
  return Math.max(1, Math.round(seconds / 60));
}

/** The days since the last one of practice on which nothing was due. @param {Memory} memory */
function rests(memory) {
  const [[, first] = []] = allCards(memory);
  const [last, until] = [memory.days[0], Math.min(dayOf(Date.now()), dayOf(first?.due ?? 0))];
  return last === undefined ? [] : Array.from({ length: Math.max(until - last - 1, 0) }, (_, more) => last + 1 + more);
}

/**
 * The number of days of practice in a row: one missed day does not end it, two do. A day on which nothing was due is not
 * missed. @param {Memory} memory
 */
export function streak(memory) {
  const today = dayOf(Date.now());
  const days = new Set(memory.days);
  const rested = new Set([...memory.rests, ...rests(memory)]);
  const first = memory.days.at(-1) ?? today;
  let [count, missed] = [0, 0];
  for (let day = today; day >= first && missed < 2; day--) {
    if (days.has(day)) [count, missed] = [count + 1, 0];
    else if (day < today && !rested.has(day)) missed++;
  }
  return count;
}

/** The address where a card is looked at. @param {string} id */
export function addressOf(id) {
  const { kind, game, name } = nameOf(id);
  if (kind === "mistake") return `${ROOT}drill#${encodeURIComponent(id)}`;
  return `${ROOT}${KINDS[kind]}/${encodeURIComponent(game)}/${encodeURIComponent(name)}?today`;
}
