// @ts-check
/** The column beside the board: move list, what can be done next, and the card of a piece. */

import { button, byId, h } from "./dom.js";
import { kindsByCode, moveDiagram, pieceIcon } from "./pieces.js";
import { costsOf } from "./steps.js";
import { SIDE_NAMES } from "./trays.js";
import { flips } from "./unfold.js";
import { costWords, stepWords, title } from "./words.js";

/** @typedef {import("./types").Variant} Variant */
/** @typedef {import("./types").Side} Side */
/** @typedef {import("./types").Step} Step */
/** @typedef {import("./types").PieceSet} PieceSet */
/** @typedef {import("./types").PlayedMove} PlayedMove */

export class Panel {
  /** @param {Variant} variant @param {(step: Step) => void} take @param {() => void} back */
  constructor(variant, take, back) {
    this.variant = variant;
    this.kinds = kindsByCode(variant);
    this.take = take;
    this.back = back;
    this.list = byId("moves");
    this.list.classList.toggle("pairs", variant.numbering === "pairs");
    this.next = byId("next");
    this.card = byId("card");
    /** @type {string[]} */
    this.shown = [];
  }

  /** @param {PlayedMove[]} moves */
  showMoves(moves) {
    const texts = moves.map((move) => move.text);
    let same = 0;
    while (same < texts.length && this.shown[same] === texts[same]) same++;
    while (this.list.children.length > same) this.list.lastElementChild?.remove();
    for (const text of texts.slice(same)) this.list.append(h("li", {}, text));
    for (const item of this.list.querySelectorAll(".latest")) item.classList.remove("latest");
    const last = this.list.lastElementChild;
    last?.classList.add("latest");
    if (last && texts.join() !== this.shown.join()) this.list.scrollTop = this.list.scrollHeight;
    this.shown = texts;
    byId("no-moves").hidden = texts.length > 0;
  }

  /**
   * @param {Step[]} steps @param {number} depth steps taken so far @param {Record<string, string>} board
   * @param {Side} side whose steps they are @param {(at: string) => string} place what points are called
   */
  showNext(steps, depth, board, side, place) {
    const choices = steps.map((step) => {
      const cost = costWords(costsOf(step), side, this.variant);
      const words = stepWords(step, this.kinds, board, place);
      return button({ class: "chip" }, () => this.take(step), cost ? `${words}: ${cost}` : words);
    });
    if (depth) choices.unshift(button({ class: "chip back" }, this.back, "← back"));
    byId("next-count").textContent = steps.length ? `(${steps.length})` : "";
    this.next.replaceChildren(...(choices.length ? choices : [h("p", { class: "quiet" }, "Nothing to do just now.")]));
  }

  /**
   * The card of a piece: what it is, how it moves, what it rolls to.
   * @param {string} code @param {Side} side @param {PieceSet} set
   */
  showCard(code, side, set) {
    const kind = this.kinds.get(code);
    if (!kind) return;
    const next = kind.next === null ? undefined : this.kinds.get(kind.next);
    this.card.replaceChildren(
      h("div", { class: "card-piece" }, pieceIcon(this.variant, kind, { side, upsideDown: false, set, next })),
      h(
        "div",
        { class: "card-words" },
        h("strong", {}, title(kind.name)),
        h("span", { class: "quiet" }, `${kind.kanji} ${kind.romaji} · ${kind.code}`),
        h("span", { class: "quiet" }, next ? `${SIDE_NAMES[side]}’s; ${flips(kind, this.kinds) ? "flips" : "rolls"} to ${next.name}` : `${SIDE_NAMES[side]}’s`),
      ),
      moveDiagram(kind),
    );
    this.card.hidden = false;
  }
}
