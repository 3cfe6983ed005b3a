// @ts-check
/** Data stored in this browser: the settings, and the games played here. */

/** @typedef {import("../types/client").Remembered} Remembered */

/**
 * The settings and their values, the default first. early.js applies those that only change looks.
 */
export const SETTINGS = /** @type {const} */ ({
  language: ["auto", "en", "ja"],
  pieces: ["kanji", "letters"],
  board: ["wood", "paper", "moss", "slate", "contrast"],
  scheme: ["auto", "light", "dark"],
  coordinates: ["letters", "digits", "kanji", "off"],
  confirm: ["costly", "compound", "never"],
  motion: ["on", "off"],
  sounds: ["off", "on"],
});

const LONGEST_NAME = 40; // the server's limit

/** @typedef {keyof typeof SETTINGS} Setting */
/** @template {Setting} S @typedef {(typeof SETTINGS)[S][number]} Value */

const PREFIX = "komadai.";
const KEEP = 24;
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
  return /** @type {Value<S>} */ (SETTINGS[name].find((value) => value === found) ?? SETTINGS[name][0]);
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

/** True if animations are off. */
export function still() {
  return setting("motion") === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** True if the values of a solved game are shown. */
export function showsValues() {
  return read("values") === true;
}

/** @param {boolean} shows */
export function setShowsValues(shows) {
  write("values", shows);
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

/** Remove games that the server no longer has. @param {string[]} ids */
export function forget(...ids) {
  write(
    "games",
    games().filter(({ id }) => !ids.includes(id)),
  );
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
