// @ts-check
/** The values of a solved game: of the position, of every legal move, and the blunders among the moves played. */

import { button, byId, onClick } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { isOn, moveText, turn } from "../lib/prefs.js";
import { ValueList, worthAfter, worthWords } from "../moves/values.js";
import { apart } from "./people.js";

/** @import { Judged, Step, StudyMessage, Worth } from "../types/wire" */
/** @import { GamePage } from "./page.js" */

const ASK_AGAIN = 1000; // milliseconds

export class SolvedValues {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    this.list = new ValueList(page);
    /** True if the values are shown. */
    this.on = isOn("values");
    /** The latest values from the server. @type {StudyMessage | null} */
    this.known = null;
    /** The number of the event after which values were last requested. @type {number | null} */
    this.asked = null;
    onClick("values-button", () => this.toggle());
  }

  /** The values, if they are those of the position shown. */
  get current() {
    return this.known !== null && this.known.seq === this.page.connection.seq ? this.known : null;
  }

  /** True if values may be shown: not while two people play each other. */
  get open() {
    const { state } = this.page;
    return state.position.outcome !== null || !apart(state);
  }

  toggle() {
    if (!this.open) return;
    this.on = !this.on;
    turn("values", this.on);
    this.page.input.refresh();
  }

  /** The connection is back; a request may have been lost. */
  reconnected() {
    this.asked = null;
  }

  /** @param {StudyMessage} message */
  receive(message) {
    this.known = message;
    this.page.input.refresh();
  }

  /** The game is being solved: request the values again soon. @param {string} words */
  solving(words) {
    if (this.on) this.list.clear(words);
    setTimeout(() => {
      this.asked = null;
      this.page.input.refresh();
    }, ASK_AGAIN);
  }

  /** Request missing values and show the known ones: all of them if wanted, blunders also when the game is over. */
  show() {
    const { connection } = this.page;
    const { position } = this.page.state;
    const wanted = this.open && (position.outcome !== null || this.on);
    if (wanted && !this.current && this.asked !== connection.seq && connection.requestValues())
      this.asked = connection.seq;
    byId("values-button").hidden = !this.open;
    byId("values-button").setAttribute("aria-pressed", String(this.on));
    byId("values").hidden = !this.open || !this.on;
    if (!this.current) slip("");
    if (!wanted) this.#mark([]);
    else if (this.current) this.#mark(this.current.played); // the blunders marked already remain correct meanwhile
    if (this.on && this.current)
      this.list.show(`${this.current.seq}`, position, this.current, (usi) => this.current && this.page.play(usi));
  }

  /** The task of a puzzle whose first move has not been made, for the headline. */
  get task() {
    const { moves, puzzle, position } = this.page.state;
    return puzzle && !moves.length && !position.outcome
      ? n(" Hardest win: win in {count} ply.", " Hardest win: win in {count} plies.", puzzle.distance)
      : "";
  }

  /** The best outcome after a step. @param {Step} step @returns {Judged["outcome"] | null} */
  worth(step) {
    return this.on && this.current ? worthAfter(step, this.current.moves) : null;
  }

  /** Mark the blunders in the list of moves. @param {(Judged | null)[]} played */
  #mark(played) {
    const items = byId("moves").children;
    [...items].forEach((item, index) => {
      const judged = played[index];
      const move = this.page.state.moves[index];
      const words = judged?.threw && move ? blunderWords(moveText(move), judged, judged.threw) : "";
      const old = item.querySelector(".blunder");
      if ((old?.getAttribute("title") ?? "") === words) return;
      old?.remove();
      if (words)
        item.append(
          button(
            { class: "blunder", title: words, "aria-label": t("Blunder: {words}", { words }) },
            () => slip(words + t(".")),
            "??",
          ),
        );
    });
  }
}

/** The value lost by a blunder, in words. @param {string} move @param {Worth} value @param {Worth} threw */
function blunderWords(move, value, threw) {
  const words = { move, worth: worthWords(value), distance: threw.distance ?? 0 };
  return threw.distance === null
    ? t("{move} threw away a draw: it {worth}", words)
    : t("{move} threw away a win in {distance}: it {worth}", words);
}

/** Show a message below the list of moves. @param {string} words */
function slip(words) {
  byId("slip").textContent = words;
}
