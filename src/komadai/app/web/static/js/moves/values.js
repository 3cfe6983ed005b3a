// @ts-check
/** The values of a solved game beside a board: that of the position in words, and a button for every move, best first. */

import { button, byId, filledBy, h, say } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { moveText } from "../lib/prefs.js";
import { perfectPlay } from "../lib/root.js";
import { OTHER, SIDE_NAMES } from "../lib/sides.js";

/** @import { MoveHost } from "../types/client" */
/** @import { Judged, KnownMove, PlayedMove, Position, Side, Step, Worth } from "../types/wire" */

/** The signs of values: they differ in shape. */
const SIGNS = { win: "●", draw: "○", loss: "✕" };

export class ValueList {
  /** @param {MoveHost & { input: import("./input.js").MoveInput }} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * Show the values of a position.
   * @param {string} key which differs from that of every other position @param {Position} position
   * @param {{ value: Worth | null, moves: KnownMove[] }} known
   * @param {(usi: string) => void} play a move was chosen
   */
  show(key, position, { value, moves }, play) {
    const { variant } = this.page.input;
    const none = position.outcome ? t("The game is over.") : t("The table does not know this position.");
    say("value", value ? valueWords(value, position.turn) : none);
    say("worth", value ? worthSentence(value, position.turn, moves) : "");
    byId("perfect").hidden = !value || !position.sfen;
    byId("perfect").setAttribute("href", perfectPlay(variant, position.sfen));
    const list = byId("known");
    if (filledBy(list, key)) return;
    const focused = list.contains(document.activeElement);
    list.replaceChildren(...moves.map((move) => h("li", {}, this.#choice(move, play))));
    list.scrollTop = 0;
    if (focused) list.querySelector("button")?.focus();
  }

  /** Show no values. @param {string} words the reason */
  clear(words) {
    say("value", words);
    say("worth", "");
    byId("perfect").hidden = true;
    byId("known").replaceChildren();
    delete byId("known").dataset.key;
  }

  /** A button that shows and plays a move. @param {KnownMove} move @param {(usi: string) => void} play */
  #choice(move, play) {
    const { board } = this.page.input;
    const made = button(
      { class: `known ${move.outcome}${move.best ? " best" : ""}`, "data-usi": move.usi },
      () => (this.page.active ? play(move.usi) : this.page.sayBusy()),
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[move.outcome]),
      h("span", { class: "known-move" }, ...marked(moveText(move))),
      h(
        "span",
        { class: "known-words" },
        worthWords(move),
        move.best ? h("span", { class: "visually-hidden" }, `, ${t("best")}`) : null,
      ),
    );
    hintAt(made, board, move);
    return made;
  }
}

/**
 * Mark the points of a move on the board while its button is pointed at or has the focus.
 * @param {HTMLElement} button @param {import("../board/svg.js").Board} board @param {PlayedMove} move
 */
export function hintAt(button, board, { from, to }) {
  for (const event of ["pointerenter", "focus"])
    button.addEventListener(event, () => board.hint(from ? [from, to] : [to]));
  for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => board.hint([]));
}

/** The best outcome after a step. @param {Step} step @param {KnownMove[]} moves @returns {Judged["outcome"] | null} */
export function worthAfter(step, moves) {
  const ends = new Set(movesOf(step));
  return moves.find(({ usi }) => ends.has(usi))?.outcome ?? null;
}

/** All moves that start with a step. @param {Step} step @returns {string[]} */
function movesOf({ usi, next }) {
  return [...(usi === undefined ? [] : [usi]), ...(next ?? []).flatMap(movesOf)];
}

/** The value of a position in words. @param {Worth} value @param {Side} turn */
export function valueWords({ outcome, distance }, turn) {
  if (distance === null) return t("Drawn with best play");
  const side = SIDE_NAMES[outcome === "win" ? turn : OTHER[turn]];
  return n("{side} wins in {count} ply", "{side} wins in {count} plies", distance, { side });
}

/**
 * The meaning of the value of a position, and how many moves keep it.
 * @param {Worth} value @param {Side} turn @param {KnownMove[]} moves
 */
function worthSentence({ outcome }, turn, moves) {
  const words = {
    side: SIDE_NAMES[turn],
    good: moves.filter((move) => (outcome === "loss" ? move.best : move.outcome === outcome)).length,
    all: moves.length,
  };
  if (outcome === "win")
    return t("{side}, to move, can force it against every defence. Moves that win: {good} of {all}.", words);
  if (outcome === "draw") return t("Neither side can force a win. Moves that hold the draw: {good} of {all}.", words);
  return t("{side}, to move, cannot avoid it. Moves that hold out longest: {good} of {all}.", words);
}

/** The value of a move to the side that makes it, in words. @param {Worth} value */
export function worthWords({ outcome, distance }) {
  if (outcome === "draw") return t("draws");
  if (distance === null) return outcome === "win" ? t("wins") : t("loses");
  return outcome === "win" ? t("wins in {distance}", { distance }) : t("loses in {distance}", { distance });
}
