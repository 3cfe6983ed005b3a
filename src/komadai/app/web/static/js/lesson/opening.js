// @ts-check
/**
 * The page on which an opening is trained: the trainer plays the other side, and the punishment of a wrong move is played
 * out.
 */

import { train } from "../lib/api.js";
import { button, byId, h, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { practise, remember } from "../lib/memory.js";
import { showNotice } from "../lib/notice.js";
import { openingName, trainingOf } from "../lib/openings.js";
import { moveText } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { OTHER, SIDE_NAMES } from "../lib/sides.js";
import { press } from "../text/commands.js";
import { Recall } from "./recall.js";
import { Refuting } from "./refuting.js";
import { feedback, fitSheet } from "./sheet.js";

/** @import { Command } from "../types/client" */
/** @import { BesideLine, Opening, OpeningAnswer, OpeningList } from "../types/wire" */

const HINTS = 2; // the piece, the move

/** @extends {Refuting<OpeningAnswer>} */
export class OpeningPage extends Refuting {
  /** @param {OpeningList} list @param {Opening} opening @param {string} training @param {OpeningAnswer} answer how it begins */
  constructor(list, opening, training, answer) {
    super(list.variant, answer, answer.side, HINTS);
    this.list = list;
    this.opening = opening;
    this.training = training;
    /** Whether all moves of a side are asked for, not one alone. */
    this.whole = trainingOf(training).part === answer.side;
    this.recall = new Recall({ kind: "opening", game: list.variant.id, name: training });
    this.moves = [...answer.made];
    onClick("why", () => this.goBack());
    this.#head();
    this.input.show(this.moves, null, true);
    this.say();
    fitSheet();
  }

  /** @override @returns {Command[]} */
  ownCommands() {
    return [
      { keys: ["h"], typed: ["h", "hint"], words: t("a hint: which piece, then the move"), press: () => press("hint") },
      { keys: ["w"], typed: ["w", "back"], words: t("back from a punishment"), press: () => press("why") },
      { keys: ["r"], typed: ["again"], words: t("begin the line again"), press: () => press("again") },
      { keys: ["n"], typed: ["next"], words: t("to the next opening"), press: () => byId("following").click() },
      { typed: ["task"], words: t("the task"), say: () => this.statusWords() },
    ];
  }

  // --- Moves ---

  /** @override @param {string | null} move @param {string[]} [moves] those that stand @param {boolean} [hint] */
  ask(move, moves = this.answer.moves, hint = false) {
    const question = () => train(this.list.variant.id, this.training, { moves, move, hint });
    return this.request(question, async (answer) => {
      showNotice("");
      if (hint) this.recall.help();
      else if (answer.refutation.length) this.recall.mistake();
      const elsewhere = this.refuted;
      this.refuted = false;
      await this.advance(answer, elsewhere);
      if (answer.refutation.length) await this.refute();
      this.say();
    });
  }

  /** @override */
  answered() {
    super.answered();
    if (this.answer.state !== "done") return;
    if (!this.whole) return void this.recall.done();
    for (const name of this.opening[this.answer.side]) this.#remember(name);
    practise();
  }

  /** A move of the line comes back. @param {string} name */
  #remember(name) {
    remember({ kind: "opening", game: this.list.variant.id, name });
  }

  /** Begin again. @override */
  again() {
    this.moves = [...this.begun.made];
    this.show(this.begun.position, null);
    void this.ask(null, this.begun.moves);
  }

  /** @override */
  askHint() {
    void this.ask(null, this.answer.moves, true);
  }

  // --- Words ---

  /** @override */
  get doneWords() {
    return t("This line is done.");
  }

  #head() {
    const { list, opening, whole } = this;
    const { side } = this.answer;
    const name = t(list.variant.name);
    const heading = openingName(list, opening);
    byId("title").textContent = t("{game}: openings", { game: name });
    byId("heading").replaceChildren(...marked(heading));
    const words = whole
      ? t("You play {side}, the trainer the other side. What does the book play?", { side: SIDE_NAMES[side] })
      : t("What does the book play here for {side}?", { side: SIDE_NAMES[side] });
    byId("task").replaceChildren(h("p", {}, words));
    byId("course").setAttribute("href", `${ROOT}openings/${list.variant.id}`);
    document.title = `${heading} – ${name}`;
  }

  /** The line so far, and where to go on. */
  #place() {
    const { list, opening, answer } = this;
    byId("place").textContent = [
      this.recall.place,
      t("Move {number} of {count}", { number: Math.min(answer.moves.length + 1, answer.plies), count: answer.plies }),
      t("played to its end in {games} of {all} games of the engine", { games: opening.games, all: list.games }),
    ]
      .filter(Boolean)
      .join(" · ");
    if (this.recall.showWay()) return;
    const at = list.openings.indexOf(opening) + 1;
    const next = list.openings[at % list.openings.length] ?? opening;
    byId("following").setAttribute("href", `${ROOT}openings/${list.variant.id}/${next.id}.${answer.side}`);
    byId("following").textContent = t("Next");
  }

  /** The steps of the hint that are shown. */
  #hintLines() {
    const { show } = this.answer;
    if (!show) return [];
    const { long } = this.input.places;
    return [
      show.from ? t("Hint: the piece on {point}.", { point: long(show.from) }) : t("Hint: drop a piece."),
      t("The move is {move}.", { move: moveText(show) }),
    ].slice(0, this.hints);
  }

  /** @override */
  lines() {
    const { text, refutation, state } = this.answer;
    const line = refutation.map(moveText).join(" ");
    const tried = refutation[0] ? `${moveText(refutation[0])}: ` : "";
    return [
      text && tried + this.input.placed(text),
      refutation.length > 1 ? t("The punishment: {line}", { line }) : "",
      state === "done" && this.whole ? t("Its positions come back from tomorrow on, under “Today”.") : "",
      ...this.#hintLines(),
    ].filter(Boolean);
  }

  /** @override */
  say() {
    feedback(this.answer.state, this.lines());
    this.#place();
    byId("punished").replaceChildren(...(this.answer.state === "done" && this.whole ? this.#punished() : []));
  }

  /** The wrong moves beside the line, each a button that plays out its punishment. */
  #punished() {
    const { wrong } = this.opening;
    if (!wrong.length) return [];
    return [
      h("p", {}, t("What would have been wrong on the way, and how it is punished:")),
      h(
        "p",
        { class: "row" },
        ...wrong.map((one) =>
          button({ "data-ply": String(one.ply) }, () => void this.#show(one), this.#wrongWords(one)),
        ),
      ),
    ];
  }

  /** @param {BesideLine} wrong */
  #wrongWords({ ply, side, moves: [move] }) {
    return t("Move {number}, {side}: {move}?", {
      number: ply + 1,
      side: SIDE_NAMES[side],
      move: move ? moveText(move) : "",
    });
  }

  /** Play out a wrong move beside the line. @param {BesideLine} wrong */
  #show({ ply, side, moves: [move] }) {
    const { id } = this.opening;
    const line = this.opening.moves.slice(0, ply).map(({ usi }) => usi);
    const question = () => train(this.list.variant.id, `${id}.${ply}`, { moves: line, move: move?.usi ?? null });
    return this.request(question, async (answer) => {
      const { answer: done } = this;
      this.moves = [];
      this.show(answer.position, null);
      this.refuted = true;
      feedback("wrong", [this.#wrongWords({ ply, side, moves: move ? [move] : [], text: "" }), answer.text]);
      await new Promise((wait) => setTimeout(wait, this.pause));
      await this.playOut(answer.refutation);
      this.answer = done;
      this.waiting = false;
      this.input.refresh();
    });
  }

  /** @override */
  refreshed() {
    super.refreshed();
    const { answer } = this;
    byId("why").hidden = !this.refuted;
    byId("again").toggleAttribute("disabled", this.waiting || answer.moves.length === this.begun.moves.length);
    byId("other").setAttribute(
      "href",
      `${ROOT}openings/${this.list.variant.id}/${this.opening.id}.${OTHER[answer.side]}`,
    );
  }
}
