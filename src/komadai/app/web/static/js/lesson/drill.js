// @ts-check
/** The page of an own mistake: its position, in which a better move is to be found. */

import { showGoals } from "../board/goals.js";
import { AnalysisClient } from "../lib/analysis.js";
import { explainMove, findPosition } from "../lib/api.js";
import { byId, h, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { showNotice } from "../lib/notice.js";
import { percent } from "../lib/phrases.js";
import { moveText } from "../lib/prefs.js";
import { SIDE_NAMES } from "../lib/sides.js";
import { BoardPage } from "../text/board_page.js";
import { press } from "../text/commands.js";
import { feedback, fitSheet } from "./sheet.js";

/** @import { Command } from "../types/client" */
/** @import { FoundPosition, PlayedMove, ShownPosition, Variant } from "../types/wire" */
/** @import { Mistake } from "../lib/mistake.js" */
/** @import { Recall } from "./recall.js" */

const PAUSE = 1200; // milliseconds for which a wrong move is shown
const JUDGE = 0.5; // seconds per position when a move is judged
const HINTS = 2; // the piece, the move

export class DrillPage extends BoardPage {
  /** @param {Variant} variant @param {ShownPosition} start @param {Mistake} mistake @param {Recall} recall */
  constructor(variant, start, mistake, recall) {
    super(variant, start, start.turn);
    this.start = start;
    this.mistake = mistake;
    this.recall = recall;
    this.analyst = new AnalysisClient();
    /** @type {"going" | "wrong" | "done"} */
    this.state = "going";
    this.hints = 0;
    this.text = "";
    onClick("hint", () => this.hint());
    onClick("solution", () => this.solve());
    byId("heading").textContent = t("Find a better move");
    const words = t("In a game of yours {move} was played here. Find a better move for {side}.", {
      move: moveText(mistake.played),
      side: SIDE_NAMES[start.turn],
    });
    byId("task").replaceChildren(h("p", {}, ...marked(words)));
    document.title = `${t("Find a better move")} – ${t(variant.name)}`;
    this.input.show([], null, true);
    this.say();
    fitSheet();
  }

  /** @override @returns {Command[]} */
  ownCommands() {
    return [
      { keys: ["h"], typed: ["h", "hint"], words: t("a hint: which piece, then the move"), press: () => press("hint") },
      { keys: ["r"], typed: ["again"], words: t("back to the position"), press: () => press("again") },
      { typed: ["solution"], words: t("show the better move"), press: () => press("solution") },
      { keys: ["n"], typed: ["next"], words: t("to the next position"), press: () => byId("following").click() },
      { typed: ["task"], words: t("the task"), say: () => this.statusWords() },
    ];
  }

  /** @override */
  get active() {
    return super.active && this.state !== "done";
  }

  get #branch() {
    const { variant, options, position } = this.mistake;
    return { variant, options, position, moves: [] };
  }

  // --- Moves ---

  /** An impossible move was tried: the server says why. @override @param {string} text */
  explain(text) {
    this.input.explain(text, explainMove(this.#branch, text));
  }

  /** @override @param {string} text */
  ask(text) {
    return this.request(
      () => findPosition(this.#branch, 0, text),
      (found) => this.#made(found),
    );
  }

  /** @param {FoundPosition} found */
  async #made({ moves: [move], position }) {
    if (!move) return;
    this.before = this.start;
    this.moves = [move];
    this.show(position, move);
    const { best, played } = this.mistake;
    if (move.usi === best.usi) return this.#right(t("{move} is the better move.", { move: moveText(move) }));
    if (move.usi === played.usi)
      return this.#wrong(t("{move} is what was played. Find a better one.", { move: moveText(move) }));
    this.say(t("Looking at {move}…", { move: moveText(move) }));
    const loss = await this.#lossOf(move);
    if (loss === null) {
      this.say("");
      return this.#back();
    }
    if (loss.small)
      this.#right(
        t("{move} is good as well; {best} was kept as the best.", { move: moveText(move), best: moveText(best) }),
      );
    else
      await this.#wrong(
        t("{move} gives away {loss} of the chances. Try again.", { move: moveText(move), loss: percent(loss.loss) }),
      );
  }

  /** What a move gives away by the engine; `null` if it could not be asked. @param {PlayedMove} move */
  #lossOf({ usi }) {
    return new Promise((/** @type {(found: { loss: number, small: boolean } | null) => void} */ resolve) => {
      this.analyst.ask({ ...this.#branch, moves: [usi] }, { t: "review", begin: 0, seconds: JUDGE }, (message) => {
        if (message.t === "judged" && message.loss !== undefined)
          resolve({ loss: message.loss, small: message.mark === "" });
        else if (message.t === "done" || message.t === "error") {
          const words = message.t === "error" ? message.reason : message.spent;
          if (words) showNotice(words);
          resolve(null); // unless it is known already
        }
      });
    });
  }

  /** @param {string} words */
  #right(words) {
    this.state = "done";
    this.waiting = false;
    this.say(words);
    this.input.refresh();
    void this.recall.done().then(() => this.say(words));
  }

  /** @param {string} words */
  async #wrong(words) {
    this.state = "wrong";
    this.recall.mistake();
    this.say(words);
    await new Promise((done) => setTimeout(done, PAUSE));
    this.#back();
  }

  /** Show the position again. */
  #back() {
    this.waiting = false;
    this.moves = [];
    this.show(this.start, null);
  }

  /** @override */
  again() {
    if (this.waiting) return;
    this.state = "going";
    this.hints = 0;
    this.say("");
    this.#back();
  }

  hint() {
    this.recall.help();
    this.hints = Math.min(this.hints + 1, HINTS);
    this.say();
    this.input.refresh();
  }

  /** Make the better move. */
  async solve() {
    if (this.waiting) return;
    this.recall.help();
    this.hints = 0;
    await this.ask(this.mistake.best.usi);
  }

  /** @override */
  sayBusy() {
    if (this.state === "done") showNotice(t("The better move has been found."), true);
    else super.sayBusy();
  }

  // --- Words ---

  /** @override */
  statusWords() {
    return [byId("heading").textContent ?? "", byId("task").textContent ?? "", ...this.#lines()].filter(Boolean);
  }

  #lines() {
    const { best } = this.mistake;
    const { long } = this.input.places;
    const hints = [
      best.from ? t("Hint: the piece on {point}.", { point: long(best.from) }) : t("Hint: drop a piece."),
      t("The move is {move}.", { move: moveText(best) }),
    ];
    return [this.text, ...hints.slice(0, this.hints)].filter(Boolean);
  }

  /** @param {string} [text] what to say from now on */
  say(text = this.text) {
    this.text = text;
    feedback(this.state, this.#lines());
    byId("place").textContent = this.recall.place;
    this.recall.showWay();
  }

  /** @override */
  refreshed() {
    super.refreshed();
    const { best } = this.mistake;
    const done = this.state === "done";
    const shown = this.hints && !done && !this.waiting;
    showGoals(this.input.board, shown && best.from ? [{ t: "piece", at: best.from }] : []);
    this.input.board.showArrows(shown && this.hints >= HINTS ? [best] : []);
    document.body.classList.toggle("done", done);
    byId("following").classList.toggle("primary", done);
    byId("again").toggleAttribute("disabled", this.waiting || !this.moves.length);
    byId("hint").toggleAttribute("disabled", this.waiting || done || this.hints >= HINTS);
    byId("solution").toggleAttribute("disabled", this.waiting || done);
  }
}
