// @ts-check
/** The values of a solved game: of the position, of every legal move, and the blunders among the moves played. */

import { button, byId, h } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { moveText, setShowsValues, showsValues } from "../lib/prefs.js";
import { SIDE_NAMES } from "../lib/sides.js";
import { apart } from "./people.js";

/** @typedef {import("./page.js").GamePage} GamePage */
/** @typedef {import("../types/wire").Judged} Judged */
/** @typedef {import("../types/wire").KnownMove} KnownMove */
/** @typedef {import("../types/wire").Side} Side */
/** @typedef {import("../types/wire").Step} Step */
/** @typedef {import("../types/wire").StudyMessage} StudyMessage */

/** @typedef {{ outcome: Judged["outcome"], distance: number | null }} Worth */

/** The signs of values: they differ in shape. */
const SIGNS = { win: "●", draw: "○", loss: "✕" };

export class SolvedValues {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    this.solved = page.state.variant.solved;
    /** True if the values are shown. */
    this.on = this.solved && showsValues();
    /** The latest values from the server. @type {StudyMessage | null} */
    this.known = null;
    /** The number of the event after which values were last requested. @type {number | null} */
    this.asked = null;
    byId("values-button").addEventListener("click", () => this.toggle());
  }

  /** The values, if they are those of the position shown. */
  get current() {
    return this.known !== null && this.known.seq === this.page.connection.seq ? this.known : null;
  }

  /** True if values may be shown: not while two people play each other. */
  get open() {
    const { state } = this.page;
    return this.solved && (state.position.outcome !== null || !apart(state));
  }

  toggle() {
    if (!this.open) return;
    this.on = !this.on;
    setShowsValues(this.on);
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

  /** Request missing values and show the known ones: all of them if wanted, blunders also when the game is over. */
  show() {
    const {
      connection,
      state: { position },
    } = this.page;
    const wanted = this.open && (position.outcome !== null || this.on);
    if (wanted && !this.current && this.asked !== connection.seq && connection.requestValues())
      this.asked = connection.seq;
    byId("values-button").hidden = !this.open;
    byId("values-button").setAttribute("aria-pressed", String(this.on));
    byId("values").hidden = !this.open || !this.on;
    if (!this.current) slip("");
    if (!wanted) this.#mark([]);
    else if (this.current) this.#mark(this.current.played); // the blunders marked already remain correct meanwhile
    if (this.on && this.current) this.#list(this.current);
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
    if (!this.on || !this.current) return null;
    const ends = new Set(movesOf(step));
    return this.current.moves.find(({ usi }) => ends.has(usi))?.outcome ?? null;
  }

  /** @param {StudyMessage} known */
  #list({ value, moves }) {
    const said = value
      ? valueWords(value, this.page.state.position.turn)
      : this.page.state.position.outcome
        ? t("The game is over.")
        : t("The table does not know this position.");
    if (byId("value").textContent !== said) byId("value").textContent = said;
    const list = byId("known");
    if (list.dataset.seq === `${this.page.connection.seq}`) return;
    list.dataset.seq = `${this.page.connection.seq}`;
    const focused = list.contains(document.activeElement);
    list.replaceChildren(...moves.map((move) => h("li", {}, this.#choice(move))));
    list.scrollTop = 0;
    if (focused) list.querySelector("button")?.focus();
  }

  /** A button that shows and plays a move. @param {KnownMove} move */
  #choice(move) {
    const { board } = this.page.input;
    const made = button(
      { class: `known ${move.outcome}${move.best ? " best" : ""}`, "data-usi": move.usi },
      () => this.#play(move.usi),
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[move.outcome]),
      h("span", { class: "known-move" }, ...marked(moveText(move))),
      h(
        "span",
        { class: "known-words" },
        worthWords(move),
        move.best ? h("span", { class: "visually-hidden" }, `, ${t("best")}`) : null,
      ),
    );
    const look = () => board.hint(move.from ? [move.from, move.to] : [move.to]);
    for (const event of ["pointerenter", "focus"]) made.addEventListener(event, look);
    for (const event of ["pointerleave", "blur"]) made.addEventListener(event, () => board.hint([]));
    return made;
  }

  /** @param {string} usi */
  #play(usi) {
    if (!this.page.active) this.page.sayBusy();
    else if (this.current) this.page.play(usi);
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

/** The value of a position in words. @param {Worth} value @param {Side} turn */
function valueWords({ outcome, distance }, turn) {
  if (distance === null) return t("Drawn with best play");
  const side = SIDE_NAMES[outcome === "win" ? turn : turn === "b" ? "w" : "b"];
  return n("{side} wins in {count} ply", "{side} wins in {count} plies", distance, { side });
}

/** The value of a move to the side that makes it, in words. @param {Worth} value */
function worthWords({ outcome, distance }) {
  if (outcome === "draw") return t("draws");
  if (distance === null) return outcome === "win" ? t("wins") : t("loses");
  return outcome === "win" ? t("wins in {distance}", { distance }) : t("loses in {distance}", { distance });
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

/** All moves that start with a step. @param {Step} step @returns {string[]} */
function movesOf({ usi, next }) {
  return [...(usi === undefined ? [] : [usi]), ...(next ?? []).flatMap(movesOf)];
}
