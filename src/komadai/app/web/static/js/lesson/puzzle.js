// @ts-check
/** The page of a puzzle: the board, what the judge on the server says to each move, hints, and refutations played out. */

import { showGoals } from "../board/goals.js";
import { nameByCode } from "../board/piece_names.js";
import { puzzle as ask, explainMove } from "../lib/api.js";
import { byId, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { onceSolved } from "../lib/once_solved.js";
import { fault } from "../lib/phrases.js";
import { endStreak, moveText, puzzled, solvePuzzle, still } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { OTHER, SIDE_NAMES } from "../lib/sides.js";
import { playMoveSound } from "../lib/sound.js";
import { MoveInput } from "../moves/input.js";
import { NO_GAME, piecesAfter, UNKNOWN } from "../moves/position.js";
import { prompt } from "../moves/words.js";
import { boardCommands } from "../text/commands.js";
import { TextConsole } from "../text/console.js";
import { moveWords } from "../text/describe.js";
import { Help } from "../text/help.js";
import { listen, puzzleCommands } from "./controls.js";
import { follow } from "./next_puzzle.js";
import { feedback, fitSheet } from "./sheet.js";

/** @typedef {import("../types/client").CommandHost} CommandHost */
/** @typedef {import("../types/client").MoveHost} MoveHost */
/** @typedef {import("../types/wire").Pieces} Pieces */
/** @typedef {import("../types/wire").Position} Position */
/** @typedef {import("../types/wire").PuzzleAnswer} PuzzleAnswer */
/** @typedef {import("../types/wire").PuzzleList} PuzzleList */
/** @typedef {import("../types/wire").RecordedMove} RecordedMove */

const PAUSE = 800; // milliseconds between moves that are played out
const HINTS = 3; // the piece, its target, the move

/**
 * @implements {MoveHost}
 * @implements {CommandHost}
 */
export class PuzzlePage {
  /** @param {PuzzleList} list @param {PuzzleAnswer} answer how the puzzle begins */
  constructor(list, answer) {
    this.list = list;
    this.puzzle = answer.puzzle;
    this.begun = answer;
    this.answer = answer;
    /** The moves shown, the opponent's among them. @type {RecordedMove[]} */
    this.moves = [];
    /** The pieces before the last move. @type {Pieces} */
    this.before = answer.position;
    /** The position shown. @type {Position} */
    this.position = { ...answer.position, ...NO_GAME, last: null };
    /** True while a move is on its way, or moves are played out. */
    this.waiting = false;
    /** True from when a refutation is played out until one goes back. */
    this.refuted = false;
    /** The steps of the hint that are shown. */
    this.hints = 0;
    /** False after a mistake or help. */
    this.clean = true;
    this.helped = false;
    this.me = answer.puzzle.side;
    this.input = new MoveInput(this, list.variant);
    /** @type {import("../types/client").Command[]} */
    const commands = [...boardCommands(this.input, this), ...puzzleCommands(this)];
    this.console = new TextConsole(commands);
    this.help = new Help(commands);
    listen(this);
    byId("solution").addEventListener("click", () => void this.ask(null, "solution"));
    byId("why").addEventListener("click", () => void (this.refuted ? this.#goBack() : this.#refute()));
    this.#head();
    this.input.show([], null, true);
    fitSheet();
  }

  get active() {
    return !this.waiting && !this.refuted && this.answer.state !== "done";
  }

  // --- Moves ---

  /** @param {string} usi */
  play(usi) {
    void this.ask(usi);
  }

  /** An impossible move was tried: the judge says why. @param {string} text */
  explain(text) {
    const { id: variant, options } = this.list.variant;
    explainMove({ variant, options, position: this.position.sfen, moves: [] }, text).then(
      (words) => this.input.explained(text, words),
      (error) => showNotice(fault(error)),
    );
  }

  /**
   * Let the judge answer a move, or help.
   * @param {string | null} move @param {"hint" | "solution" | null} [help] @param {string[]} [moves] those that stand
   */
  async ask(move, help = null, moves = this.answer.moves) {
    if (this.waiting) return false;
    this.waiting = true;
    this.input.composing.chooser.hide();
    showNotice("");
    try {
      const answer = await onceSolved(
        () => ask(this.list.variant.id, this.puzzle.id, { moves, move, help }),
        (words) => {
          showNotice(words, true);
          return true;
        },
      );
      showNotice("");
      if (help || answer.refutation.length) this.#stain();
      if (help === "solution") this.helped = true;
      await this.#take(answer, help === "solution");
      return true;
    } catch (error) {
      this.waiting = false;
      this.input.walk.reset();
      this.input.refresh();
      showNotice(fault(error));
      return false;
    }
  }

  /** This puzzle no longer counts for the streak. */
  #stain() {
    if (this.clean && this.answer.state !== "done") endStreak(this.list.variant.id);
    this.clean = false;
  }

  /** Show an answer, move by move. @param {PuzzleAnswer} answer @param {boolean} anew from the beginning */
  async #take(answer, anew) {
    const known = answer.moves.length - answer.made.length;
    const stays = !answer.made.length && !this.refuted && !anew && this.moves.length === known;
    if (anew) this.#reset();
    this.refuted = false;
    this.moves.length = Math.min(this.moves.length, known);
    await this.#playOut(answer.made.slice(0, -1));
    const last = answer.made.at(-1);
    if (last) {
      this.before = this.position;
      this.moves.push(last);
    }
    this.answer = answer;
    this.waiting = false;
    this.hints = answer.show ? 1 : 0;
    if (answer.state === "done" && !this.helped) solvePuzzle(this.list.variant.id, this.puzzle.id, this.clean);
    if (stays) {
      this.position = { ...this.position, ...answer.position };
      if (this.input.walk.usi !== undefined) this.input.walk.reset();
      this.input.refresh();
    } else this.#show(answer.position, last ?? null);
    this.#say();
  }

  /** Show moves from the position shown, one after the other. @param {readonly RecordedMove[]} moves */
  async #playOut(moves) {
    for (const move of moves) {
      this.before = this.position;
      this.moves.push(move);
      const after = piecesAfter(this.position, move);
      this.#show({ ...UNKNOWN, ...after, turn: OTHER[move.side], ply: this.position.ply + 1 }, move);
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }

  /** Play out why the last try fails. */
  async #refute() {
    if (this.waiting) return;
    this.waiting = this.refuted = true;
    this.hints = 0;
    this.#say();
    await this.#playOut(this.answer.refutation);
    this.waiting = false;
    this.input.refresh();
  }

  /** Back from a refutation to where the try was made. */
  #goBack() {
    if (this.waiting) return;
    this.refuted = false;
    this.moves.length = this.answer.moves.length;
    this.#show(this.answer.position, null);
    this.#say();
  }

  #reset() {
    this.moves = [];
    this.#show(this.begun.position, null);
  }

  /**
   * Show a position. @param {import("../types/wire").ShownPosition} position @param {RecordedMove | null} moved
   */
  #show(position, moved) {
    this.position = { ...position, ...NO_GAME, last: this.moves.at(-1) ?? null };
    this.input.enter();
    if (moved) {
      playMoveSound(moved, { over: position.outcome !== null, check: position.check });
      this.console.print([moveWords(this.input, moved, moved.side, this.before, this.position)]);
    }
    this.input.show(this.moves, moved, !moved && still());
  }

  /** Begin the puzzle again. */
  again() {
    void this.ask(null, null, []);
  }

  /** A further step of the hint. */
  hint() {
    if (this.refuted) this.#goBack();
    if (!this.answer.show) return void this.ask(null, "hint");
    this.hints = Math.min(this.hints + 1, HINTS);
    this.#say();
    this.input.refresh();
  }

  cancel() {
    if (this.refuted) this.#goBack();
    else this.input.cancel();
  }

  sayBusy() {
    if (this.refuted && !this.waiting) showNotice(t("Go back first."), true);
    else if (this.answer.state === "done") showNotice(t("This puzzle is solved."), true);
    else showNotice(t("Your move is on its way."), true);
  }

  /** No values are shown on the board. */
  worth() {
    return null;
  }

  // --- Words ---

  async lastWords() {
    const move = this.moves.at(-1);
    return move ? moveWords(this.input, move, move.side, this.before, this.position) : t("No move has been made yet.");
  }

  statusWords() {
    return [byId("heading").textContent ?? "", byId("task").textContent ?? "", ...this.#lines()].filter(Boolean);
  }

  #head() {
    const { list, puzzle } = this;
    const name = t(list.variant.name);
    byId("title").textContent = t("{game}: puzzles", { game: name });
    byId("heading").textContent = puzzle.task;
    byId("task").replaceChildren(
      h("p", {}, t("{side} to move: find the one move that wins.", { side: SIDE_NAMES[puzzle.side] })),
    );
    byId("course").setAttribute("href", `${ROOT}puzzles/${list.variant.id}`);
    document.title = `${puzzle.task} – ${name}`;
    this.#place();
  }

  /** Number, rating and streak, and where to go on. */
  #place() {
    const { list, puzzle } = this;
    const { streak, best } = puzzled(list.variant.id);
    byId("place").textContent = [
      puzzle.id === list.daily ? t("Today’s puzzle") : "",
      t("Rating {rating}", { rating: puzzle.rating }),
      best ? t("In a row: {streak} (most {best})", { streak, best }) : "",
    ]
      .filter(Boolean)
      .join(" · ");
    const next = follow(list, puzzle, new URLSearchParams(location.search));
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

  #lines() {
    const { text, refutation, state } = this.answer;
    const line = refutation.map(moveText).join(" ");
    const more = refutation.length > 1 && this.refuted ? t("Why not: {line}", { line }) : "";
    const { streak } = puzzled(this.list.variant.id);
    const row = state === "done" && this.clean && streak > 1 ? t("{streak} in a row.", { streak }) : "";
    const tried = state === "wrong" && refutation[0] ? `${moveText(refutation[0])}: ` : "";
    return [text && tried + this.input.placed(text), more, row, ...this.#hintLines()].filter(Boolean);
  }

  #say() {
    feedback(this.answer.state, this.#lines());
    this.#place();
  }

  refreshed() {
    const { answer, input, hints, refuted } = this;
    const done = answer.state === "done";
    const show = this.waiting || refuted ? null : answer.show;
    const marks = show
      ? [
          ...(show.from ? [{ t: /** @type {const} */ ("piece"), at: show.from }] : []),
          ...(hints > 1 ? [{ t: /** @type {const} */ ("target"), at: show.to }] : []),
        ]
      : [];
    showGoals(input.board, marks);
    input.board.showArrows(show && hints >= HINTS ? [show] : []);
    const begun = input.begun && this.active;
    byId("prompt").textContent = begun ? prompt(this.position, this.me, input.walk, input.kinds) : "";
    document.body.classList.toggle("done", done);
    byId("following").classList.toggle("primary", done);
    byId("why").hidden = !(answer.state === "wrong" && answer.refutation.length > 1) && !refuted;
    byId("why").textContent = refuted ? t("← Back") : t("Why not?");
    byId("why").toggleAttribute("disabled", this.waiting);
    byId("again").toggleAttribute("disabled", this.waiting || (!answer.moves.length && !refuted));
    byId("hint").toggleAttribute("disabled", this.waiting || done || (show !== null && hints >= HINTS));
    byId("solution").toggleAttribute("disabled", this.waiting || this.helped);
  }
}
