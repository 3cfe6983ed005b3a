// @ts-check
/** What this browser remembers: the piece set, whether values are shown, and the games begun here. */

/** @typedef {import("./types").PieceSet} PieceSet */
/** @typedef {{ id: string, variant: string, at: number, over: boolean }} Remembered */

const KEEP = 24;

/** @param {string} key @returns {unknown} */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null; // storage is off, or holds what another program wrote
  }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // storage is off or full: nothing is remembered, everything else works
  }
}

/** @returns {PieceSet} */
export function pieceSet() {
  return read("komadai.pieces") === "letters" ? "letters" : "kanji";
}

/** @param {PieceSet} set */
export function setPieceSet(set) {
  write("komadai.pieces", set);
}

/** Whether the values of a solved game are shown. */
export function showsValues() {
  return read("komadai.values") === true;
}

/** @param {boolean} shows */
export function setShowsValues(shows) {
  write("komadai.values", shows);
}

/** Games begun in this browser, the latest first. @returns {Remembered[]} */
export function games() {
  const found = read("komadai.games");
  return Array.isArray(found) ? found.filter((game) => typeof game?.id === "string") : [];
}

/** Remember a game, and whether it is over. @param {string} id @param {string} variant @param {boolean} over */
export function remember(id, variant, over) {
  const rest = games().filter((game) => game.id !== id);
  write("komadai.games", [{ id, variant, at: Date.now(), over }, ...rest].slice(0, KEEP));
}

/** Forget a game that the server does not know. @param {string} id */
export function forget(id) {
  write(
    "komadai.games",
    games().filter((game) => game.id !== id),
  );
}
