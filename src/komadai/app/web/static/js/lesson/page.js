// @ts-check
/** The page of a stage of a course: its task, the board, and what the judge on the server says to each move. */

import { showGoals } from "../board/goals.js";
import { placeNames, withPlaces } from "../board/place_names.js";
import { begin, puzzleList } from "../lib/api.js";
import { button, byId, h } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { learn, learnt, WEAKEST, watch } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { OTHER } from "../lib/sides.js";
import { press } from "../text/commands.js";
import { Exercise } from "./exercise.js";
import { byRating, unsolved } from "./next_puzzle.js";
import { Recall } from "./recall.js";
import { feedback, fitSheet } from "./sheet.js";

/** @import { Command } from "../types/client" */
/** @import { Source } from "./source.js" */
/** @import { Course, LessonAnswer, LessonMark, LessonStage, Side } from "../types/wire" */

const PAUSE = 700; // milliseconds between the learner's move and the opponent's reply
const SHOWN = 3; // wrong tries after which the judge shows a move

class Answers {
  /** @param {LessonStage} stage @param {(number: string) => void} choose @param {(text: string) => string} placed */
  constructor({ choices }, choose, placed) {
    /** The number of the answer chosen last. */
    this.last = -1;
    /** Answers that were wrong. @type {Set<number>} */
    this.wrong = new Set();
    this.buttons = choices.map((words, number) =>
      button(
        { class: "answer" },
        () => {
          this.last = number;
          choose(String(number));
        },
        h("span", { class: "sign", "aria-hidden": "true" }),
        h("span", {}, ...marked(placed(words))),
      ),
    );
    byId("answers").replaceChildren(...this.buttons);
    byId("answers").hidden = !choices.length;
  }

  /** @param {LessonAnswer} answer */
  show({ state, moves, show }) {
    if (state === "wrong" && this.last >= 0) this.wrong.add(this.last);
    for (const [number, made] of this.buttons.entries()) {
      const right = moves.includes(String(number));
      const wrong = !right && this.wrong.has(number);
      made.classList.toggle("right", right);
      made.classList.toggle("wrong", wrong);
      made.classList.toggle("shown", show === String(number) && state !== "done");
      made.setAttribute("aria-pressed", String(right));
      made.disabled = state === "done" && !right;
      const [sign] = made.children;
      if (sign) sign.textContent = right ? "✓" : wrong ? "✗" : "";
    }
  }
}

/** @extends {Exercise<LessonAnswer>} */
export class LessonPage extends Exercise {
  /** @param {Source} source @param {Course} course @param {LessonAnswer} answer how the stage begins */
  constructor(source, course, answer) {
    super(course.variant, answer, answer.stage.side, PAUSE);
    this.source = source;
    this.course = course;
    this.stage = answer.stage;
    this.tries = 0;
    this.start = answer.position;
    this.recall = new Recall(source.taught ? null : { kind: "lesson", game: course.variant.id, name: this.stage.id });
    this.answers = this.#newAnswers();
    this.#head();
    watch((name) => {
      if (name !== "notation") return;
      this.#head();
      this.answers = this.#newAnswers();
      this.answers.show(this.answer);
      this.#say(this.answer.state, this.answer.text);
    });
    byId("following").addEventListener("click", (event) => {
      if (!this.#isLast || this.recall.today || source.taught) return;
      event.preventDefault();
      void this.#play();
    });
    this.input.show([], null, true);
    this.#fit();
  }

  /** @override @returns {Command[]} */
  ownCommands() {
    return [
      { keys: ["h"], typed: ["h", "hint"], words: t("a hint, then the move"), press: () => press("hint") },
      { keys: ["r"], typed: ["again"], words: t("begin the stage again"), press: () => press("again") },
      { keys: ["n"], typed: ["next"], words: t("to the next stage"), press: () => byId("following").click() },
      { typed: ["task"], words: t("the task"), say: () => this.statusWords() },
    ];
  }

  /** The ids of all stages of the course. */
  get #stages() {
    return this.course.chapters.flatMap(({ stages }) => stages.map(({ id }) => id));
  }

  /** @override */
  get active() {
    return super.active && this.answer.state !== "done" && this.stage.goal !== "question";
  }

  get aims() {
    return this.answer.marks.flatMap(({ at, to }) => (to ? [at, to] : [at]));
  }

  // --- Moves ---

  /** An impossible move was tried: the judge says why, the rules of a piece in hand alone. @override @param {string} text */
  explain(text) {
    if (!text.endsWith("*")) void this.ask(text);
    else if (!this.source.taught) super.explain(text);
  }

  /**
   * Let the judge answer a move, or the number of a choice; `null`: say how the stage goes on.
   * @override @param {string | null} move @param {string[]} [moves] those that stand
   */
  ask(move, moves = this.answer.moves) {
    const question = () => {
      if (move !== null && this.stage.goal === "play") this.#say("going", t("The computer is thinking…"));
      return this.source.judge(this.stage.id, { moves, move, tries: this.tries });
    };
    return this.request(question, async (answer) => {
      if (answer.state === "wrong") {
        this.tries++;
        this.recall.mistake();
      }
      if (answer.tried) await this.playOut([answer.tried]); // and taken back then
      if (answer.tried) this.moves.pop();
      await this.advance(answer, answer.tried !== null);
      this.#say(answer.state, answer.text);
      if (!byId("onward").hidden) byId("onward").scrollIntoView({ block: "nearest" });
    });
  }

  /** @override */
  answered() {
    if (this.answer.state !== "done") return;
    learn(this.source.kept, this.stage.id, this.#stages);
    // A whole game against the computer does not come back.
    if (this.stage.goal !== "play") void this.recall.done();
    if (this.#isLast && !this.recall.today) void this.#showEnd();
  }

  get #isLast() {
    return this.stage.id === this.#stages.at(-1);
  }

  /** Where the last stage leads, and the words for it. */
  #afterAll() {
    const { source, course } = this;
    if (source.taught) return { to: source.contents, words: t("All stages") };
    return { to: `${ROOT}new/${course.variant.id}`, words: t("A game at level 1") };
  }

  /** Begin a game at level 1, as the end of the course offers. */
  async #play() {
    const { id, options } = this.course.variant;
    await begin(id, options, { b: "human", w: WEAKEST }).catch((error) => showNotice(fault(error)));
  }

  /** What comes after the course besides a game: a puzzle, or the stages that are left. */
  async #showEnd() {
    const { source } = this;
    const puzzles = source.taught ? null : this.course.puzzles;
    const left = this.#stages.length - learnt(source.kept).done.length;
    const words = left
      ? n("One stage of the course is left.", "{count} stages of the course are left.", left)
      : t("The course is done. What you have learnt is best kept by playing.");
    const link = (/** @type {string} */ to, /** @type {string} */ text) => h("a", { class: "button", href: to }, text);
    byId("onward").replaceChildren(
      h("p", {}, words),
      h(
        "p",
        { class: "row" },
        puzzles ? link(`${ROOT}puzzles/${puzzles.game}`, t("A puzzle")) : null,
        link(source.contents, left ? t("To the course") : t("All stages")),
      ),
    );
    if (!puzzles) return;
    const list = await puzzleList(puzzles.game).catch(() => null);
    const next = list && (unsolved(puzzles.game, byRating(list)) ?? byRating(list)[0]);
    const shown = byId("onward").querySelector(`[href="${ROOT}puzzles/${puzzles.game}"]`);
    if (next) shown?.setAttribute("href", `${ROOT}puzzles/${puzzles.game}/${next.id}`);
  }

  /** @override */
  unanswered() {
    this.#say(this.answer.state, this.answer.text);
  }

  /** Begin the stage again. @override */
  again() {
    void this.ask(null, []);
  }

  /** Show what helps: first in words, if the stage has any, then the move. @override */
  async hint() {
    this.recall.help();
    this.tries = Math.max(this.tries, this.answer.hint || this.tries ? SHOWN : 1);
    if (!(await this.ask(null)) || this.answer.hint || this.tries >= SHOWN) return;
    this.tries = SHOWN;
    await this.ask(null);
  }

  /** @override */
  sayBusy() {
    if (this.answer.state === "done") showNotice(t("This stage is done."), true);
    else if (this.stage.goal === "question") showNotice(t("Choose one of the answers."), true);
    else super.sayBusy();
  }

  // --- Words ---

  /** @override */
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
    const { input, stage, start } = this;
    const { side } = stage;
    return withPlaces(text, placeNames(input.variant, input.kinds, start.board, side, side), input.kinds);
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
    const { source, course, stage } = this;
    const { name } = course.variant;
    const ids = this.#stages;
    const at = ids.indexOf(stage.id);
    const chapter = course.chapters.find(({ stages }) => stages.some((one) => one.id === stage.id));
    const number = t("{at} of {count}", { at: at + 1, count: ids.length });
    byId("place").textContent = this.recall.place || [chapter?.title, number].join(" · ");
    byId("heading").textContent = stage.title;
    byId("task").replaceChildren(...stage.text.split(/\n+/).map((words) => h("p", {}, ...marked(this.#placed(words)))));
    byId("course").setAttribute("href", source.contents);
    document.title = `${stage.title} – ${t(name)}`;
    if (this.recall.showWay()) return;
    const next = ids[at + 1];
    const { to, words } = next ? { to: source.at(next), words: t("Next stage") } : this.#afterAll();
    byId("following").setAttribute("href", to);
    byId("following").textContent = words;
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

  /** @override */
  refreshed() {
    super.refreshed();
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
    byId("marked").textContent = this.#goalWords();
    byId("onward").hidden = answer.state !== "done" || !this.#isLast || this.recall.today;
    byId("again").toggleAttribute("disabled", !answer.moves.length);
    byId("hint").toggleAttribute("disabled", answer.state === "done" || (answer.show !== null && this.tries >= SHOWN));
    this.answers.show(answer);
  }
}
