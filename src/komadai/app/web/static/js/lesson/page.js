// @ts-check
/** The page of a stage of a course: its task, the board, and what the judge on the server says to each move. */

import { showGoals } from "../board/goals.js";
import { placeNames, withPlaces } from "../board/place_names.js";
import { explainMove, judge } from "../lib/api.js";
import { byId, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { learn, still, watch } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { OTHER } from "../lib/sides.js";
import { playMoveSound } from "../lib/sound.js";
import { MoveInput } from "../moves/input.js";
import { NO_GAME, piecesAfter, UNKNOWN } from "../moves/position.js";
import { prompt } from "../moves/words.js";
import { boardCommands } from "../text/commands.js";
import { TextConsole } from "../text/console.js";
import { moveWords } from "../text/describe.js";
import { Help } from "../text/help.js";
import { Answers } from "./answers.js";
import { lessonCommands, listen } from "./controls.js";
import { feedback, fitSheet } from "./sheet.js";

/** @typedef {import("../types/client").CommandHost} CommandHost */
/** @typedef {import("../types/client").MoveHost} MoveHost */
/** @typedef {import("../types/wire").Course} Course */
/** @typedef {import("../types/wire").LessonAnswer} LessonAnswer */
/** @typedef {import("../types/wire").LessonMark} LessonMark */
/** @typedef {import("../types/wire").Pieces} Pieces */
/** @typedef {import("../types/wire").PlayedMove} PlayedMove */
/** @typedef {import("../types/wire").Position} Position */
/** @typedef {import("../types/wire").RecordedMove} RecordedMove */
/** @typedef {import("../types/wire").Side} Side */

const PAUSE = 700; // milliseconds between the learner's move and the opponent's reply
const SHOWN = 3; // wrong tries after which the judge shows a move

/**
 * @implements {MoveHost}
 * @implements {CommandHost}
 */
export class LessonPage {
  /** @param {Course} course @param {LessonAnswer} answer how the stage begins */
  constructor(course, answer) {
    this.course = course;
    this.stage = answer.stage;
    this.answer = answer;
    /** The moves that stand, the opponent's among them. @type {RecordedMove[]} */
    this.moves = [];
    /** The pieces before the last move. @type {Pieces} */
    this.before = answer.position;
    /** The position shown. @type {Position} */
    this.position = { ...answer.position, ...NO_GAME, last: null };
    this.tries = 0;
    /** True while a move is on its way, or the reply to it is about to be shown. */
    this.waiting = false;
    /** @type {Side} */
    this.me = answer.stage.side;
    this.input = new MoveInput(this, course.variant);
    /** @type {import("../types/client").Command[]} */
    const commands = [...boardCommands(this.input, this), ...lessonCommands(this)];
    this.console = new TextConsole(commands);
    this.help = new Help(commands);
    this.start = answer.position;
    this.answers = this.#newAnswers();
    listen(this);
    this.#head();
    watch((name) => {
      if (name !== "notation") return;
      this.#head();
      this.answers = this.#newAnswers();
      this.answers.show(this.answer);
      this.#say(this.answer.state, this.answer.text);
    });
    this.input.show([], null, true);
    this.#fit();
  }

  /** The ids of all stages of the course. */
  get #stages() {
    return this.course.chapters.flatMap(({ stages }) => stages.map(({ id }) => id));
  }

  get active() {
    return !this.waiting && this.answer.state !== "done" && this.stage.goal !== "question";
  }

  get aims() {
    return this.answer.marks.flatMap(({ at, to }) => (to ? [at, to] : [at]));
  }

  // --- Moves ---

  /** @param {string} usi */
  play(usi) {
    void this.ask(usi);
  }

  /** An impossible move was tried: the judge says why. @param {string} text */
  explain(text) {
    if (!text.endsWith("*")) return void this.ask(text);
    const { id: variant, options } = this.course.variant;
    explainMove({ variant, options, position: this.position.sfen, moves: [] }, text).then(
      (words) => this.input.explained(text, words),
      (error) => showNotice(fault(error)),
    );
  }

  /**
   * Let the judge answer a move, or the number of a choice; `null`: say how the stage goes on.
   * @param {string | null} move @param {string[]} [moves] those that stand
   */
  async ask(move, moves = this.answer.moves) {
    if (this.waiting) return false;
    this.waiting = true;
    this.input.composing.chooser.hide();
    showNotice("");
    if (move !== null && this.stage.goal === "play") this.#say("going", t("The computer is thinking…"));
    try {
      const answer = await judge(this.course.variant.id, this.stage.id, { moves, move, tries: this.tries });
      if (answer.state === "wrong") this.tries++;
      await this.#take(answer);
      return true;
    } catch (error) {
      this.waiting = false;
      this.#say(this.answer.state, this.answer.text);
      this.input.walk.reset();
      this.input.refresh();
      showNotice(fault(error));
      return false;
    }
  }

  /** Show an answer of the judge, the opponent's reply a moment after the learner's move. @param {LessonAnswer} answer */
  async #take(answer) {
    if (answer.tried) await this.#tryOut(answer.tried);
    const known = answer.moves.length - answer.made.length;
    const stays = !answer.tried && !answer.made.length && this.moves.length === known;
    this.moves.length = Math.min(this.moves.length, known);
    for (const [number, move] of answer.made.entries()) {
      const last = number === answer.made.length - 1;
      this.moves.push(move);
      this.before = this.position;
      if (!last) {
        await this.#pass(move);
      }
    }
    this.answer = answer;
    this.waiting = false;
    if (answer.state === "done") learn(this.course.variant.id, this.stage.id, this.#stages);
    if (stays) this.#stay(answer);
    else this.#show(answer.position, answer.made.at(-1) ?? null);
    this.#say(answer.state, answer.text);
  }

  /** Show a move for a moment. @param {RecordedMove} move */
  async #pass(move) {
    const after = piecesAfter(this.position, move);
    this.#show({ ...UNKNOWN, ...after, turn: OTHER[move.side], ply: this.position.ply + 1 }, move);
    await new Promise((done) => setTimeout(done, PAUSE));
  }

  /** Show a wrong move, which is taken back then. @param {RecordedMove} move */
  async #tryOut(move) {
    this.moves.push(move);
    this.before = this.position;
    await this.#pass(move);
    this.moves.pop();
  }

  /** The position has not changed: keep a move begun, unless it was complete. @param {LessonAnswer} answer */
  #stay(answer) {
    this.position = { ...this.position, ...answer.position };
    if (this.input.walk.usi !== undefined) this.input.walk.reset();
    this.input.refresh();
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

  /** Begin the stage again. */
  again() {
    void this.ask(null, []);
  }

  /** Show what helps: first in words, if the stage has any, then the move. */
  async hint() {
    this.tries = Math.max(this.tries, this.answer.hint || this.tries ? SHOWN : 1);
    if (!(await this.ask(null)) || this.answer.hint || this.tries >= SHOWN) return;
    this.tries = SHOWN;
    await this.ask(null);
  }

  cancel() {
    this.input.cancel();
  }

  sayBusy() {
    if (this.answer.state === "done") showNotice(t("This stage is done."), true);
    else if (this.stage.goal === "question") showNotice(t("Choose one of the answers."), true);
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
    const { stage, answer } = this;
    const { input } = this;
    const said = [answer.text, answer.hint].map((text) => input.placed(text));
    return [stage.title, this.#placed(stage.text), this.#goalWords(), ...said].filter(Boolean);
  }

  /** The points that are marked, for those who do not see the board. */
  #goalWords() {
    const at = this.answer.marks.flatMap((mark) =>
      mark.t === "target" || mark.t === "take" ? [this.input.places.long(mark.at)] : [],
    );
    return at.length ? t("Marked: {points}.", { points: at.join(t(", ")) }) : "";
  }

  /** A text about the beginning of the stage with the names of squares on this page. @param {string} text */
  #placed(text) {
    const { input, me, start } = this;
    return withPlaces(text, placeNames(input.variant, input.kinds, start.board, me, me), input.kinds);
  }

  #newAnswers() {
    return new Answers(
      this.stage,
      (number) => void this.ask(number),
      (text) => this.#placed(text),
    );
  }

  /** Title, task, and the way to other stages. */
  #head() {
    const { course, stage } = this;
    const { id, name } = course.variant;
    const ids = this.#stages;
    const at = ids.indexOf(stage.id);
    const chapter = course.chapters.find(({ stages }) => stages.some((one) => one.id === stage.id));
    byId("place").textContent = [chapter?.title, t("{at} of {count}", { at: at + 1, count: ids.length })].join(" · ");
    byId("heading").textContent = stage.title;
    byId("task").replaceChildren(...stage.text.split(/\n+/).map((words) => h("p", {}, ...marked(this.#placed(words)))));
    byId("course").setAttribute("href", `${ROOT}learn/${id}`);
    const next = ids[at + 1];
    byId("following").setAttribute("href", next ? `${ROOT}learn/${id}/${next}` : `${ROOT}learn/${id}`);
    byId("following").textContent = next ? t("Next stage") : t("To the course");
    document.title = `${stage.title} – ${t(name)}`;
  }

  /** On small screens the sheet with the task takes the room that the board leaves; trays never used make room. */
  #fit() {
    const { goal, side } = this.stage;
    const holds = (/** @type {Side} */ one) => Object.keys(this.position.hands[one]).length > 0;
    const alone = goal === "reach" || goal === "question";
    byId("tray-near").classList.toggle("unused", alone && !holds(side));
    byId("tray-far").classList.toggle("unused", (alone || goal === "take") && !holds(OTHER[side]));
    document.body.classList.toggle("asking", goal === "question");
    fitSheet();
  }

  /** @param {LessonAnswer["state"]} state @param {string} text */
  #say(state, text) {
    const { hint, show } = this.answer;
    const words = [text, hint && (state === "wrong" || state === "going") ? t("Hint: {hint}", { hint }) : ""].filter(
      Boolean,
    );
    const shown = show !== null && state !== "done" && !this.waiting ? t("An arrow shows the way.") : "";
    const lines = [...words.map((line) => this.input.placed(line)), this.stage.goal === "question" ? "" : shown];
    feedback(state, lines.filter(Boolean));
  }

  refreshed() {
    const { answer, input } = this;
    const arrow = (/** @type {LessonMark} */ mark) => {
      const [from, to] = mark.to ? [mark.at, mark.to] : [null, mark.at];
      return { usi: mark.t === "show" ? (answer.show ?? "") : "", text: "", japanese: "", from, to };
    };
    const shown = answer.marks.filter(({ t }) => t === "show");
    const replies = this.waiting ? [] : answer.marks.filter(({ t }) => t === "reply");
    showGoals(input.board, this.waiting ? [] : answer.marks);
    // a reply that has been made is the last move anyway
    const made = answer.made.length > 1;
    input.board.showArrows([...shown, ...(made ? [] : replies)].map(arrow), !shown.length);
    const begun = input.begun && this.active;
    byId("prompt").textContent = begun ? prompt(this.position, this.me, input.walk, input.kinds) : "";
    byId("marked").textContent = this.#goalWords();
    const done = answer.state === "done";
    document.body.classList.toggle("done", done);
    byId("following").classList.toggle("primary", done);
    byId("again").toggleAttribute("disabled", !answer.moves.length);
    byId("hint").toggleAttribute("disabled", done || (answer.show !== null && this.tries >= SHOWN));
    this.answers.show(answer);
  }
}
