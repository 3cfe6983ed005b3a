// @ts-check
/** The list of moves of a game. */

import { button, byId, h } from "../lib/dom.js";
import { foreignMoves, marked } from "../lib/japanese.js";
import { moveText } from "../lib/prefs.js";
import { moveName } from "./words.js";

/** @import { PlayedMove, Side, Variant } from "../types/wire" */

/** The moves of a game, as buttons that show the position after each. */
export class MoveList {
  /** @param {Variant} variant @param {(count: number) => void} go shows the position after a number of moves */
  constructor(variant, go) {
    this.go = go;
    this.list = byId("moves");
    this.list.classList.toggle("pairs", variant.numbering === "pairs");
    /** @type {string[]} */
    this.shown = [];
    new ResizeObserver(() => this.#follow()).observe(this.list); // a card above or below takes some of its height
  }

  /**
   * @param {PlayedMove[]} moves @param {Side} turn the side to move after them
   * @param {number} here the number of moves before the position shown
   */
  show(moves, turn, here) {
    const texts = moves.map((move) => moveText(move));
    let same = 0;
    while (same < texts.length && this.shown[same] === texts[same]) same++;
    while (this.list.children.length > same) this.list.lastElementChild?.remove();
    texts.slice(same).forEach((text, index) => {
      const count = same + index + 1;
      const words = moveName(moves, count, turn);
      this.list.append(
        h(
          "li",
          {},
          // A label has one language; where the move has another, it is the name, with its side's sign.
          button(
            { class: "move", "aria-label": foreignMoves() ? null : words, tabindex: -1 },
            () => this.go(count),
            ...marked(text),
          ),
        ),
      );
    });
    this.shown = texts;
    this.#mark(this.list.children[here - 1] ?? null);
    byId("no-moves").hidden = texts.length > 0;
  }

  /** Mark the move that led to the position shown, if any. @param {Element | null} item */
  #mark(item) {
    const before = this.list.querySelector(".latest");
    if (item === before && item) return;
    const held = before?.contains(document.activeElement);
    before?.classList.remove("latest");
    before?.querySelector(".move")?.removeAttribute("aria-current");
    for (const other of this.list.querySelectorAll('.move[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    const now = item?.querySelector(".move") ?? null;
    item?.classList.add("latest");
    now?.setAttribute("aria-current", "true");
    const first = now ?? this.list.querySelector(".move");
    if (!first) return;
    first.setAttribute("tabindex", "0");
    if (held && first instanceof HTMLElement) first.focus({ preventScroll: true });
    this.#follow();
  }

  /** Scroll the list, never the page, to the move that led to the position shown. */
  #follow() {
    const item = this.list.querySelector(".latest") ?? this.list.firstElementChild;
    const [box, own] = [this.list.getBoundingClientRect(), item?.getBoundingClientRect()];
    if (!own) return;
    if (own.top < box.top) this.list.scrollTop -= box.top - own.top;
    else if (own.bottom > box.bottom) this.list.scrollTop += own.bottom - box.bottom;
    if (own.left < box.left) this.list.scrollLeft -= box.left - own.left;
    else if (own.right > box.right) this.list.scrollLeft += own.right - box.right;
  }
}
