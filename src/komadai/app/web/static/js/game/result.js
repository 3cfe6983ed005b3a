// @ts-check
/** The end of a game: its result, and what to do next. On small screens it is a sheet over the page at first. */

import { courses, puzzleGames, puzzleList } from "../lib/api.js";
import { byId, focusAgain, onClick } from "../lib/dom.js";
import { learnt, puzzled } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { verdict } from "./words.js";

/** @import { After } from "./after.js" */
/** @import { GamePage } from "./page.js" */

export class Result {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    this.host = byId("result");
    /** What only a game that is over needs; `null` in it if that cannot be had. @type {Promise<After | null> | null} */
    this.loading = null;
    /** The element that had the focus before. @type {Element | null} */
    this.before = null;
    byId("to-review").setAttribute("href", `${ROOT}study?game=${page.state.game}&review`);
    onClick("result-close", () => this.#lower());
    this.host.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.#lifted) return;
      event.stopPropagation();
      this.#lower();
    });
  }

  get #lifted() {
    return this.host.classList.contains("lifted");
  }

  show() {
    const { me, state } = this.page;
    const { outcome, offers } = state.position;
    document.body.classList.toggle("over", outcome !== null);
    this.host.hidden = outcome === null;
    byId("verdict").textContent = outcome ? verdict(state.position, me) : "";
    if (outcome || this.loading) void this.#after().then((after) => after?.show());
    if (this.#lifted && (!outcome || offers.length)) this.#lower(); // what is offered has its own sheet
  }

  /** The game has just ended: call attention to the result. */
  lift() {
    const [result, reason] = ["verdict", "headline"].map((id) => byId(id).textContent ?? "");
    byId("result-words").textContent = reason?.startsWith(result ?? "") ? reason : `${result} – ${reason}`;
    this.before = document.activeElement;
    this.host.classList.add("lifted");
    this.host.focus({ preventScroll: true });
    void this.#offerPuzzle();
    void this.#offerLesson();
    void this.#after().then((after) => after?.ended());
  }

  /** Load what only a game that is over needs. */
  #after() {
    this.loading ??= import("./after.js").then(
      ({ After }) => new After(this.page),
      () => null,
    );
    return this.loading;
  }

  #lower() {
    this.host.classList.remove("lifted");
    if (!this.host.contains(document.activeElement)) return;
    this.host.blur();
    focusAgain(this.before);
  }

  /** Link to the lessons, if somebody has lost who has not done all of them. */
  async #offerLesson() {
    const { me, state } = this.page;
    const { id } = state.variant;
    const { outcome } = state.position;
    if (!me || !outcome?.winner || outcome.winner === me) return;
    try {
      const course = (await courses()).find(({ game }) => game === id);
      const { done, of } = learnt(id);
      const all = course?.stages ? course.stages.every((stage) => done.includes(stage)) : of && done.length >= of;
      if (!course || all) return;
      byId("to-lessons").setAttribute("href", `${ROOT}learn/${id}`);
      byId("to-lessons").hidden = false;
    } catch {
      // without the server there is no lesson
    }
  }

  /** Link to the easiest puzzle that ends as this game did and has not been solved, if the game has puzzles. */
  async #offerPuzzle() {
    const { id } = this.page.state.variant;
    const reason = this.page.state.position.outcome?.reason;
    try {
      if (!(await puzzleGames()).some(({ game }) => game === id)) return;
      const { sets } = await puzzleList(id);
      const alike = sets.filter(({ theme }) => theme === (reason === "checkmate" ? "mate" : reason));
      const puzzles = (alike.length ? alike : sets).flatMap((set) => set.puzzles);
      const solved = new Set(puzzled(id).solved);
      const next = puzzles.find((one) => !solved.has(one.id)) ?? puzzles[0];
      if (!next) return;
      byId("to-puzzle").setAttribute("href", `${ROOT}puzzles/${id}/${next.id}`);
      byId("to-puzzle").hidden = false;
    } catch {
      // without the server there is no puzzle
    }
  }
}
