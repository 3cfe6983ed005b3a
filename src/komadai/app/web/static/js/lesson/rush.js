// @ts-check
/** A rush: as many puzzles of a game as one solves in three minutes, each harder than the last, with two mistakes. */

import { t } from "../lib/i18n.js";
import { keepRush, puzzled } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { harder } from "./next_puzzle.js";

/** @import { PuzzleList } from "../types/wire" */
/** @typedef {{ game: string, until: number, solved: number, wrong: number }} Standing */

const KEY = "komadai.rush";
const MINUTES = 3;
const MOST_WRONG = 3; // mistakes that end it
const PAUSE = 600; // milliseconds in which the answer is seen

/** How the rush of this window stands, `null` if there is none. @returns {Standing | null} */
function standing() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    const numbers = [found?.until, found?.solved, found?.wrong];
    return numbers.every(Number.isFinite) && typeof found.game === "string" ? found : null;
  } catch {
    return null; // storage is off, or another program wrote the value
  }
}

/** @param {Standing} now */
function keep(now) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // without storage every puzzle is the first
  }
}

/** Begin a rush: the address of its first puzzle. @param {PuzzleList} list */
export function beginRush(list) {
  const game = list.variant.id;
  keep({ game, until: Date.now() + MINUTES * 60_000, solved: 0, wrong: 0 });
  return `${ROOT}puzzles/${game}/${harder(list, 0)?.id}?rush`;
}

export class Rush {
  /** @param {PuzzleList} list @param {string} puzzle its id @param {() => void} show called each second, and at the end */
  constructor(list, puzzle, show) {
    this.list = list;
    this.puzzle = puzzle;
    this.show = show;
    const game = list.variant.id;
    const found = standing();
    this.now = found?.game === game ? found : { game, until: 0, solved: 0, wrong: 0 };
    this.answered = false;
    /** What is said at the end; `null` before. @type {string[] | null} */
    this.ending = null;
    this.clock = setInterval(() => this.#tick(), 1000);
    queueMicrotask(() => this.#tick());
  }

  /** The page on which another rush begins. */
  get again() {
    return `${ROOT}puzzles/${this.now.game}?rush`;
  }

  /** Time, puzzles solved and mistakes, in words. */
  get words() {
    const { solved, wrong, until } = this.now;
    const left = Math.max(Math.ceil((until - Date.now()) / 1000), 0);
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    return t("Rush: {time} · solved {solved} · mistakes {wrong} of {most}", { time, solved, wrong, most: MOST_WRONG });
  }

  /** The puzzle has been answered: the next one comes. @param {boolean} right */
  answer(right) {
    if (this.answered || this.ending) return;
    this.answered = true;
    this.now = { ...this.now, solved: this.now.solved + Number(right), wrong: this.now.wrong + Number(!right) };
    keep(this.now);
    this.#tick();
    if (!this.ending) setTimeout(() => location.replace(this.#next()), PAUSE);
  }

  #next() {
    const { solved, wrong } = this.now;
    const next = harder(this.list, solved + wrong, this.puzzle);
    return `${ROOT}puzzles/${this.list.variant.id}/${next?.id}?rush`;
  }

  #tick() {
    const { game, solved, wrong, until } = this.now;
    if (!this.ending && (wrong >= MOST_WRONG || Date.now() >= until)) {
      clearInterval(this.clock);
      const before = puzzled(game).rush;
      keepRush(game, solved);
      const best = solved > before ? t("That is your best.") : t("Your best is {best}.", { best: before });
      this.ending = [t("The rush is over: {solved} solved.", { solved }), best];
    }
    this.show();
  }
}
