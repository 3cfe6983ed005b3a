// @ts-check
/** Data stored in this browser: the settings, the games played here, and what has been learnt. */

/** @import { Remembered } from "../types/client" */
/** @import { PlayedMove } from "../types/wire" */

/** The languages that there are: English, and those that have a catalogue. */
export const LANGUAGES = document.documentElement.dataset?.languages?.split(" ") ?? ["en", "ja"];

/**
 * The settings and their values, the default first. early.js applies those that only change looks.
 */
export const SETTINGS = /** @type {const} */ ({
  language: ["auto", ...LANGUAGES],
  pieces: ["kanji", "full", "brush", "short", "moves", "letters"],
  board: ["wood", "paper", "moss", "slate", "night", "contrast"],
  scheme: ["auto", "light", "dark"],
  coordinates: ["on", "off"],
  notation: ["own", "japanese", "strings"],
  guide: ["auto", "on", "off"],
  coach: ["off", "on"],
  confirm: ["costly", "compound", "never"],
  premove: ["timed", "always", "never"],
  greetings: ["on", "off"],
  motion: ["on", "off"],
  sounds: ["on", "off"],
  volume: ["30", "10", "20", "40", "50", "60", "70", "80", "90", "100"],
  vibration: ["on", "off"],
  notifications: ["off", "on"],
});

const LONGEST_NAME = 40; // the server's limit

/** @typedef {keyof typeof SETTINGS} Setting */
/** @template {Setting} S @typedef {(typeof SETTINGS)[S][number]} Value */

const PREFIX = "komadai.";
/** The opponent of a first game. */
export const WEAKEST = "level1";
const KEEP = 200; // games, as many as tokens are kept of
const watchers = /** @type {Set<(name: string) => void>} */ (new Set());

/** @param {string} name @returns {unknown} */
function read(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return null; // storage is off, or another program wrote the value
  }
}

/** @param {string} name @param {unknown} value */
function write(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // storage is off or full: the value is lost, everything else works
  }
}

/** The value of a setting. @template {Setting} S @param {S} name @returns {Value<S>} */
export function setting(name) {
  const found = read(name);
  const usual = name === "notation" && language() === "ja" ? "japanese" : SETTINGS[name][0];
  return /** @type {Value<S>} */ (SETTINGS[name].find((value) => value === found) ?? usual);
}

/** The language that is chosen, or else the first of the browser's that there is. @returns {string} */
export function language() {
  const wanted = setting("language");
  if (wanted !== "auto") return wanted;
  const tags = navigator.languages.flatMap((tag) => [tag.toLowerCase(), tag.toLowerCase().split("-")[0]]);
  const found = tags.flatMap((tag) => LANGUAGES.filter((one) => one.toLowerCase() === tag));
  return found[0] ?? "en";
}

/** Change a setting. @template {Setting} S @param {S} name @param {Value<S>} value */
export function change(name, value) {
  write(name, value);
  window.dispatchEvent(new CustomEvent("settings")); // for early.js; other windows get a storage event
  for (const watcher of watchers) watcher(name);
}

/**
 * Call a function with the name of every setting that changes, here or in another window.
 * @param {(name: string) => void} watcher
 */
export function watch(watcher) {
  watchers.add(watcher);
}

window.addEventListener("storage", ({ key }) => {
  const name = key?.startsWith(PREFIX) ? key.slice(PREFIX.length) : "";
  if (name in SETTINGS) for (const watcher of watchers) watcher(name);
});

/** A move in the notation of the settings. @param {Pick<PlayedMove, "usi" | "text" | "japanese">} move */
export function moveText({ usi, text, japanese }) {
  return { own: text, japanese, strings: usi }[setting("notation")];
}

/** True if animations are off. */
export function still() {
  return setting("motion") === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** True if something is on that is off at first: `values` of solved games, or `folded.` and a part of the page. @param {string} name */
export function isOn(name) {
  return read(name) === true;
}

/** @param {string} name as of `isOn` @param {boolean} on */
export function turn(name, on) {
  write(name, on);
}

/** The games played in this browser, the latest first. @returns {Remembered[]} */
export function games() {
  const found = read("games");
  return Array.isArray(found) ? found.filter((game) => typeof game?.id === "string") : [];
}

/** Store a game that has been opened. @param {Omit<Remembered, "at">} game */
export function remember(game) {
  const rest = games().filter(({ id }) => id !== game.id);
  write("games", [{ ...game, at: Date.now() }, ...rest].slice(0, KEEP));
}

/** Store games played elsewhere, which have not been opened here. @param {Omit<Remembered, "at">[]} found */
export function discover(found) {
  const known = new Set(games().map(({ id }) => id));
  const added = found.filter(({ id }) => !known.has(id)).map((game) => ({ ...game, at: 0 }));
  if (added.length) write("games", [...games(), ...added].slice(0, KEEP));
}

/** These games are over: they are listed, but nobody waits for a move in them. @param {string[]} ids */
export function end(...ids) {
  const ended = games().map((game) => (ids.includes(game.id) ? { ...game, over: true } : game));
  if (ids.length) write("games", ended);
}

/** Remove games that the server no longer has. @param {string[]} ids */
export function forget(...ids) {
  const rest = games().filter(({ id }) => !ids.includes(id));
  if (ids.length) write("games", rest);
}

/** What is text in a list that may be none. @param {unknown} list @returns {string[]} */
function texts(list) {
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}

/** The stages of a course that are done, and their number. @param {string} game @returns {{ done: string[], of: number }} */
export function learnt(game) {
  const found = /** @type {Record<string, any> | null} */ (read("lessons"))?.[game];
  const done = texts(found?.done);
  return { done, of: Number.isInteger(found?.of) ? found.of : done.length };
}

/**
 * A stage of a course is done. Of lessons that people made, whose names begin with a tilde, the latest are kept.
 * @param {string} game @param {string} stage @param {string[]} stages all of the course
 */
export function learn(game, stage, stages) {
  const done = stages.filter((id) => id === stage || learnt(game).done.includes(id));
  const all = Object.entries({ .../** @type {object | null} */ (read("lessons")) }).filter(([name]) => name !== game);
  const made = all.filter(([name]) => name.startsWith("~")).map(([name]) => name);
  const old = new Set(made.slice(0, -KEPT_LESSONS));
  const kept = all.filter(([name]) => !old.has(name));
  write("lessons", Object.fromEntries([...kept, [game, { done, of: stages.length }]]));
}

/** The opponent offered first: the weakest to one who has done no stage of the game's lessons. @param {string} game */
export function firstOpponent(game) {
  return learnt(game).done.length ? "level3" : WEAKEST;
}

const KEPT_LESSONS = 40; // that people made
const FIRST_RATING = 700; // of a person, as puzzles have it
const RATING_SCALE = 400; // by which a puzzle is harder that one solves once in eleven
const RATING_STEPS = [60, 20]; // the most that a puzzle changes the rating by, at first and after:
const RATED = 20; // puzzles

/**
 * The puzzles of a game that have been solved, the number of the last ones in a row without a mistake, and the most; the
 * person's rating, and by how many puzzles; the most of a rush.
 * @param {string} game
 * @returns {{ solved: string[], streak: number, best: number, rating: number, rated: number, rush: number }}
 */
export function puzzled(game) {
  const found = /** @type {Record<string, any> | null} */ (read("puzzles"))?.[game];
  const count = (/** @type {unknown} */ value) => (Number.isInteger(value) ? Number(value) : 0);
  return {
    solved: texts(found?.solved),
    streak: count(found?.streak),
    best: count(found?.best),
    rating: count(found?.rating) || FIRST_RATING,
    rated: count(found?.rated),
    rush: count(found?.rush),
  };
}

/** @param {string} game @param {Partial<ReturnType<typeof puzzled>>} changed */
function keepPuzzled(game, changed) {
  const all = /** @type {object | null} */ (read("puzzles"));
  write("puzzles", { ...all, [game]: { ...puzzled(game), ...changed } });
}

/** A puzzle is solved. @param {string} game @param {string} id @param {boolean} clean without mistake and help */
export function solvePuzzle(game, id, clean) {
  const { solved, streak, best } = puzzled(game);
  const now = clean && !solved.includes(id) ? streak + 1 : streak;
  keepPuzzled(game, { solved: [...new Set([...solved, id])], streak: now, best: Math.max(best, now) });
}

/**
 * Rate a first try at a puzzle, as Elo does. @param {string} game @param {number} difficulty the puzzle's rating
 * @param {boolean} won solved without mistake and help @returns {number} by how much the person's rating has changed
 */
export function rate(game, difficulty, won) {
  const { rating, rated } = puzzled(game);
  const expected = 1 / (1 + 10 ** ((difficulty - rating) / RATING_SCALE));
  const [first = 0, later = 0] = RATING_STEPS;
  const now = Math.max(Math.round(rating + (rated < RATED ? first : later) * (Number(won) - expected)), 1);
  keepPuzzled(game, { rating: now, rated: rated + 1 });
  return now - rating;
}

/** A rush is over. @param {string} game @param {number} solved puzzles */
export function keepRush(game, solved) {
  keepPuzzled(game, { rush: Math.max(puzzled(game).rush, solved) });
}

/** A mistake, or help: the next puzzle solved is the first in a row. @param {string} game */
export function endStreak(game) {
  keepPuzzled(game, { streak: 0 });
}

/** The day of today's puzzles: that of Greenwich. */
export const utcDay = () => new Date().toISOString().slice(0, 10);

/**
 * What was done of today's puzzles, by game: the tries, whether it is solved, and whether there was help.
 * @returns {Record<string, { tries: number, solved: boolean, helped: boolean }>}
 */
export function dailies() {
  const found = /** @type {any} */ (read("daily"));
  return found?.day === utcDay() && typeof found.games === "object" ? { ...found.games } : {};
}

/** Something was done of today's puzzle, as long as it is not solved. @param {string} game @param {{ wrong?: boolean, solved?: boolean, helped?: boolean }} done */
export function keepDaily(game, { wrong = false, solved = false, helped = false }) {
  const games = dailies();
  const before = games[game] ?? { tries: 1, solved: false, helped: false };
  if (before.solved) return;
  games[game] = { tries: before.tries + Number(wrong), solved, helped: before.helped || helped };
  write("daily", { day: utcDay(), games });
}

/** The profile key of this browser, and the games that are in the profile. @returns {{ key: string, games: string[] }} */
export function profile() {
  const found = /** @type {any} */ (read("profile"));
  const kept = Array.isArray(found?.games) ? found.games : [];
  return { key: typeof found?.key === "string" ? found.key : "", games: kept };
}

/** @param {string} key empty: none @param {string[]} games */
export function setProfile(key, games) {
  // What this browser asked for its former profile is kept no longer.
  const former = profile().key;
  if (former && key !== former) globalThis.navigator?.serviceWorker?.controller?.postMessage({ t: "forget" });
  write("profile", key ? { key, games } : null);
}

/** What comes back, as it was when this browser and its profile had the same: the number of the writing, and a digest. @param {string} access */
export function synced(access) {
  const found = /** @type {any} */ (read("synced"));
  const fits = found?.access === access && Number.isInteger(found.number) && typeof found.digest === "string";
  return fits ? { number: Number(found.number), digest: String(found.digest) } : { number: 0, digest: "" };
}

/** @param {string} access @param {number} number @param {string} digest */
export function setSynced(access, number, digest) {
  write("synced", { access, number, digest });
}

/** The player name of the person here. */
export function ownName() {
  const found = read("name");
  return typeof found === "string" ? found.slice(0, LONGEST_NAME) : "";
}

/** @param {string} name */
export function setOwnName(name) {
  write("name", name);
}
