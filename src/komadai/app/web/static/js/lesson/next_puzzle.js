// @ts-check
/** The order of puzzles: which one comes next. */

import { puzzled } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";

/** @import { PuzzleEntry, PuzzleList } from "../types/wire" */

const STEP = 0.04; // of the rest of a game's puzzles, by which each of a streak is harder
const WINDOW = 12; // puzzles among which a streak chooses by lot

/** The name of a set in addresses. @param {{ theme: string, plies: number }} set */
export function setName({ theme, plies }) {
  return `${theme}-${plies}`;
}

/**
 * All puzzles of a game, or those of one set or theme, the easiest first. @param {PuzzleList} list
 * @param {string | null} [set] the name of a set or of a theme
 */
export function byRating({ sets }, set = null) {
  const chosen = sets.filter((one) => set === null || [setName(one), one.theme].includes(set));
  return chosen.flatMap(({ puzzles }) => puzzles).sort((a, b) => a.rating - b.rating || (a.id < b.id ? -1 : 1));
}

/**
 * The easiest puzzle that has not been solved, of those after `here` first. @param {string} game
 * @param {PuzzleEntry[]} puzzles @param {string} [here] an id
 */
export function unsolved(game, puzzles, here = "") {
  const solved = new Set(puzzled(game).solved);
  const at = puzzles.findIndex(({ id }) => id === here) + 1;
  return [...puzzles.slice(at), ...puzzles.slice(0, at)].find(({ id }) => id !== here && !solved.has(id));
}

/**
 * The address of the easiest puzzle of a set that has not been solved, or of its first if all have been; of the game
 * where it has no such set. @param {PuzzleList} list @param {string} set the name of a set or of a theme
 */
export function ofSet(list, set) {
  const game = list.variant.id;
  const found = byRating(list, set);
  const puzzles = found.length ? found : byRating(list);
  const next = unsolved(game, puzzles) ?? puzzles[0];
  return `${ROOT}puzzles/${game}/${next?.id}${found.length ? `?set=${encodeURIComponent(set)}` : ""}`;
}

/** The next puzzle of a streak: the longer it is, the harder. @param {PuzzleList} list @param {string} [here] an id */
export function ofStreak(list, here = "") {
  return harder(list, puzzled(list.variant.id).streak, here);
}

/**
 * One of the puzzles that come after so many others, the harder the more these are; unsolved ones if there are any.
 * @param {PuzzleList} list @param {number} count @param {string} [here] an id
 */
export function harder(list, count, here = "") {
  const { solved } = puzzled(list.variant.id);
  const every = byRating(list).filter(({ id }) => id !== here);
  const open = every.filter(({ id }) => !solved.includes(id));
  const puzzles = open.length ? open : every;
  const from = Math.floor((1 - (1 - STEP) ** count) * Math.max(puzzles.length - WINDOW, 0));
  return puzzles[from + Math.floor(Math.random() * Math.min(WINDOW, puzzles.length - from))];
}

/** The unsolved puzzle as hard as the person is good. @param {PuzzleList} list @param {string} [here] an id */
export function ofLevel(list, here = "") {
  const { solved, rating } = puzzled(list.variant.id);
  const open = byRating(list).filter(({ id }) => id !== here && !solved.includes(id));
  const far = (/** @type {PuzzleEntry} */ one) => Math.abs(one.rating - rating);
  return open.sort((one, other) => far(one) - far(other))[0];
}

/**
 * The address of the puzzle after this one, `null` if there is none.
 * @param {PuzzleList} list @param {PuzzleEntry} puzzle @param {URLSearchParams} query `streak`, `level`, or the name of a
 * `set`
 */
export function follow(list, { id }, query) {
  const game = list.variant.id;
  const [streak, level] = [query.has("streak"), query.has("level")];
  const set = query.get("set");
  const next = streak ? ofStreak(list, id) : level ? ofLevel(list, id) : unsolved(game, byRating(list, set), id);
  const mode = streak ? "?streak" : level ? "?level" : set ? `?set=${encodeURIComponent(set)}` : "";
  return next ? `${ROOT}puzzles/${game}/${next.id}${mode}` : null;
}
