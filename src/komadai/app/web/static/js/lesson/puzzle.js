// @ts-check
/** The page of a puzzle: the board, what the judge on the server says to each move, hints, and refutations played out. */

import { nameByCode } from "../board/piece_names.js";
import { puzzle as ask } from "../lib/api.js";
import { byId, h, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { practise } from "../lib/memory.js";
import { showNotice } from "../lib/notice.js";
import { onceSolved } from "../lib/once_solved.js";
import { endStreak, keepDaily, moveText, puzzled, rate, solvePuzzle } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { SIDE_NAMES } from "../lib/sides.js";
import { press } from "../text/commands.js";
import { follow } from "./next_puzzle.js";
import { Recall } from "./recall.js";
import { Refuting } from "./refuting.js";
import { Replay } from "./replay.js";
import { Rush } from "./rush.js";
import { feedback, fitSheet } from "./sheet.js";

/** @import { Command } from "../types/client" */
/** @import { PuzzleAnswer, PuzzleList } from "../types/wire" */

const HINTS = 3; // the piece, its target, the move

/** @extends {Refuting<PuzzleAnswer>} */
export class PuzzlePage extends Refuting {
  /** @param {PuzzleList} list @param {PuzzleAnswer} answer how the puzzle begins */
  constructor(list, answer) {
    super(list.variant, answer, answer.puzzle.side, HINTS);
    this.list = list;
    this.puzzle = answer.puzzle;
    this.recall = new Recall({ kind: "puzzle", game: list.variant.id, name: answer.puzzle.id });
    /** False after a mistake or help. */
    this.clean = true;
    /** By how much this puzzle has changed the person's rating; `null` as long as it has not. @type {number | null} */
    this.change = null;
    this.helped = false;
    this.replay = new Replay(this, answer.position);
    const query = new URLSearchParams(location.search);
    this.rush = query.has("rush") ? new Rush(list, this.puzzle.id, () => this.#ticked()) : null;
    onClick("solution", () => void this.ask(null, "solution"));
    onClick("why", () => void (this.refuted ? this.goBack() : this.refute()));
    this.#head();
    this.input.show([], null, true);
    fitSheet();
  }

  /** @override @returns {Command[]} */
  ownCommands() {
    const hint = t("a hint: which piece, where to, the move");
    const why = t("why not: the line that refutes the last try");
    return [
      { keys: ["h"], typed: ["h", "hint"], words: hint, press: () => press("hint") },
      { keys: ["w"], typed: ["w", "why"], words: why, press: () => press("why") },
      { keys: ["r"], typed: ["again"], words: t("begin the puzzle again"), press: () => press("again") },
      { typed: ["solution"], words: t("show the solution"), press: () => press("solution") },
      { keys: ["n"], typed: ["next"], words: t("to the next puzzle"), press: () => byId("following").click() },
      { keys: ["["], typed: ["back"], words: t("one move back"), press: () => this.replay.to(this.replay.at - 1) },
      { keys: ["]"], typed: ["on"], words: t("one move on"), press: () => this.replay.to(this.replay.at + 1) },
      { typed: ["task"], words: t("the task"), say: () => this.statusWords() },
    ];
  }

  /** @override */
  get active() {
    return super.active && !this.rush?.answered && !this.rush?.ending;
  }

  // --- Moves ---

  /**
   * Let the judge answer a move, or help.
   * @override @param {string | null} move @param {"hint" | "solution" | null} [help]
   * @param {string[]} [moves] those that stand
   */
  ask(move, help = null, moves = this.answer.moves) {
    const question = () => onceSolved(() => ask(this.list.variant.id, this.puzzle.id, { moves, move, help }));
    return this.request(question, async (answer) => {
      showNotice("");
      // What a rush solves does not come back.
      if ((move !== null || help) && (!this.rush || answer.refutation.length)) this.recall.keep();
      if (help) this.recall.help();
      else if (answer.refutation.length) this.recall.mistake();
      if (help || answer.refutation.length) this.#stain();
      if (help) this.#keepDaily({ helped: true });
      else if (answer.refutation.length) this.#keepDaily({ wrong: true });
      const elsewhere = help === "solution" || this.refuted;
      if (help === "solution") {
        this.helped = true;
        this.moves = [];
        this.show(this.begun.position, null);
      }
      this.refuted = false;
      await this.advance(answer, elsewhere);
      this.replay.follow(answer);
      this.say();
    });
  }

  /** Something was done of the puzzle; if it is that of today, it is kept. @param {Parameters<typeof keepDaily>[1]} done */
  #keepDaily(done) {
    if (this.puzzle.id === this.list.daily) keepDaily(this.list.variant.id, done);
  }

  /** @override */
  answered() {
    super.answered();
    if (this.answer.state !== "done") return;
    if (this.clean) this.#rate(true);
    this.rush?.answer(this.clean);
    if (!this.helped) solvePuzzle(this.list.variant.id, this.puzzle.id, this.clean);
    this.#keepDaily({ solved: true });
    void (this.rush ? practise() : this.recall.done());
  }

  /** This puzzle no longer counts for the streak. */
  #stain() {
    if (this.clean && this.answer.state !== "done") {
      this.#rate(false);
      this.rush?.answer(false);
      if (!this.recall.today && !this.rush) endStreak(this.list.variant.id);
    }
    this.clean = false;
  }

  /** The first try at this puzzle, on whichever day, moves the person's rating. @param {boolean} won */
  #rate(won) {
    const { solved } = puzzled(this.list.variant.id);
    if (!this.recall.fresh || solved.includes(this.puzzle.id)) return;
    this.recall.fresh = false;
    this.change = rate(this.list.variant.id, this.puzzle.rating, won);
  }

  /** Begin the puzzle again. @override */
  again() {
    void this.ask(null, null, []);
  }

  /** @override */
  askHint() {
    void this.ask(null, "hint");
  }

  // --- Words ---

  /** @override */
  get doneWords() {
    return t("This puzzle is solved.");
  }

  #head() {
    const { list, puzzle } = this;
    const name = t(list.variant.name);
    byId("title").textContent = t("{game}: puzzles", { game: name });
    byId("heading").textContent = puzzle.task;
    byId("task").replaceChildren(
      h("p", {}, t("{side} to move: find the one right move.", { side: SIDE_NAMES[puzzle.side] })),
    );
    byId("course").setAttribute("href", `${ROOT}puzzles/${list.variant.id}`);
    document.title = `${puzzle.task} – ${name}`;
    this.#place();
  }

  /** Number, rating and streak, and where to go on. */
  #place() {
    const { list, puzzle } = this;
    const { streak, best, rating, rated } = puzzled(list.variant.id);
    const change = this.change === null ? "" : ` (${this.change < 0 ? "−" : "+"}${Math.abs(this.change)})`;
    byId("place").textContent = [
      this.rush?.words,
      this.recall.place,
      puzzle.id === list.daily ? t("Today’s puzzle") : "",
      t("Rating {rating}", { rating: puzzle.rating }),
      rated ? t("yours {rating}", { rating: `${rating}${change}` }) : "",
      best ? t("In a row: {streak} (most {best})", { streak, best }) : "",
    ]
      .filter(Boolean)
      .join(" · ");
    if (this.recall.showWay()) return;
    if (this.rush) {
      byId("following").setAttribute("href", this.rush.again);
      byId("following").textContent = t("Once more");
      return;
    }
    const query = new URLSearchParams(location.search);
    if (query.has("daily")) {
      byId("following").setAttribute("href", `${ROOT}#daily`);
      byId("following").textContent = t("Today");
      return;
    }
    const next = follow(list, puzzle, query);
    byId("following").setAttribute("href", next ?? `${ROOT}puzzles/${list.variant.id}`);
    byId("following").textContent = next ? t("Next") : t("To the puzzles");
  }

  /** The steps of the hint that are shown. */
  #hintLines() {
    const { show } = this.answer;
    if (!show || !this.hints) return [];
    const { long, on } = this.input.places;
    const code = show.from ? this.answer.position.board[show.from]?.slice(1) : show.usi.split("*", 1)[0];
    const piece = nameByCode(code ?? "", this.input.kinds);
    return [
      show.from ? t("Hint: {piece}.", { piece: on(piece, show.from) }) : t("Hint: drop a piece: {piece}.", { piece }),
      t("It goes to {point}.", { point: long(show.to) }),
      t("The move is {move}.", { move: moveText(show) }),
    ].slice(0, this.hints);
  }

  /** @override */
  lines() {
    const { text, refutation, state } = this.answer;
    const line = refutation.map(moveText).join(" ");
    const more = refutation.length > 1 && this.refuted ? t("Why not: {line}", { line }) : "";
    const { streak } = puzzled(this.list.variant.id);
    const row = state === "done" && this.clean && streak > 1 ? t("{streak} in a row.", { streak }) : "";
    const tried = state === "wrong" && refutation[0] ? `${moveText(refutation[0])}: ` : "";
    return [text && tried + this.input.placed(text), more, row, ...this.#hintLines()].filter(Boolean);
  }

  /** @override */
  say() {
    const ending = this.rush?.ending;
    feedback(ending ? "done" : this.answer.state, ending ?? this.lines());
    this.#place();
  }

  /** A second of a rush has passed. */
  #ticked() {
    if (!this.rush?.ending) return this.#place();
    this.say();
    this.refreshed();
  }

  /** @override */
  refreshed() {
    super.refreshed();
    const { answer, refuted } = this;
    byId("why").hidden = !(answer.state === "wrong" && answer.refutation.length > 1) && !refuted;
    byId("why").textContent = refuted ? t("← Back") : t("Why not?");
    byId("again").toggleAttribute("disabled", this.waiting || (!answer.moves.length && !refuted));
    for (const id of ["hint", "solution", "again", "why"]) byId(id).hidden ||= this.rush !== null;
    byId("following").hidden = this.rush !== null && !this.rush.ending;
    byId("solution").toggleAttribute("disabled", this.waiting || this.helped);
  }
}
