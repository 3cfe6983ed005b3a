// @ts-check
/** A rush: as many puzzles of a game as one solves in three minutes, each harder than the last, with two mistakes. */

import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { keepRush, puzzled } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { harder } from "./next_puzzle.js";
import { feedback } from "./sheet.js";

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
  /** @param {PuzzleList} list @param {string} puzzle its id @param {() => void} show called as time passes, and at the end */
  constructor(list, puzzle, show) {
    this.list = list;
    this.puzzle = puzzle;
    this.show = show;
    const game = list.variant.id;
    const found = standing();
    this.now = found?.game === game ? found : { game, until: 0, solved: 0, wrong: 0 };
    this.answered = false;
    this.clock = setInterval(() => this.#tick(), 1000);
    queueMicrotask(() => this.#tick());
  }

  get over() {
    return this.now.wrong >= MOST_WRONG || Date.now() >= this.now.until;
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
    if (this.answered || this.over) return;
    this.answered = true;
    this.now = { ...this.now, solved: this.now.solved + Number(right), wrong: this.now.wrong + Number(!right) };
    keep(this.now);
    if (!this.over) setTimeout(() => location.replace(this.#next()), PAUSE);
    this.#tick();
  }

  #next() {
    const { solved, wrong } = this.now;
    const next = harder(this.list, solved + wrong, this.puzzle);
    return `${ROOT}puzzles/${this.list.variant.id}/${next?.id}?rush`;
  }

  #tick() {
    this.show();
    if (!this.over) return;
    clearInterval(this.clock);
    const { game, solved } = this.now;
    const before = puzzled(game).rush;
    keepRush(game, solved);
    const best = solved > before ? t("That is your best.") : t("Your best is {best}.", { best: before });
    feedback("done", [t("The rush is over: {solved} solved.", { solved }), best]);
    const again = byId("following");
    again.textContent = t("Once more");
    again.setAttribute("href", `${ROOT}puzzles/${game}?rush`);
  }
}
