// @ts-check
/** Small boards that play sample games by themselves. */

import { h } from "../lib/dom.js";
import { piecesAfter } from "../lib/position.js";
import { still } from "../lib/prefs.js";
import { movingPicture } from "./picture.js";

/** @import { OfferedVariant, Pieces } from "../types/wire" */

const PACE = 1600; // milliseconds a move
const REST = 3; // moves' time at the end
const NEAR = "300px"; // from the window, where boards are drawn

/** The positions of the sample game, the start first. @param {OfferedVariant} variant */
function positions({ start, about }) {
  /** @type {Pieces[]} */
  const found = [start];
  for (const move of about.sample) found.push(piecesAfter(found.at(-1) ?? start, move));
  return found;
}

/** The boards of a page, drawn when they come near the window. They show the end of their games where nothing is to move. */
export class SelfPlaying {
  constructor() {
    this.paused = still();
    /** @type {Map<Element, { at: number, list: Pieces[], show: (pieces: Pieces, counts?: boolean) => void }>} */
    this.boards = new Map();
    this.seen = new Set();
    this.watcher = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) this.seen[isIntersecting ? "add" : "delete"](target);
    });
    /** What draws the board in a place that is still empty. @type {Map<Element, () => void>} */
    this.places = new Map();
    const drawer = (/** @type {IntersectionObserverEntry[]} */ changes) => {
      for (const { target, isIntersecting } of changes) if (isIntersecting) this.places.get(target)?.();
    };
    this.drawer = new IntersectionObserver(drawer, { rootMargin: NEAR });
    setInterval(() => this.#step(), PACE);
  }

  /** A board. @param {OfferedVariant} variant @param {string} words */
  add(variant, words) {
    const place = h("div", { class: "card-picture" });
    this.places.set(place, () => {
      const list = positions(variant);
      const { element, show } = movingPicture(variant, words, list[list.length - 1]);
      this.boards.set(element, { at: list.length, list, show });
      this.watcher.observe(element);
      this.drawer.unobserve(place);
      this.places.delete(place);
      place.replaceWith(element);
    });
    this.drawer.observe(place);
    return place;
  }

  clear() {
    this.watcher.disconnect();
    this.drawer.disconnect();
    this.places.clear();
    this.boards.clear();
    this.seen.clear();
  }

  #step() {
    if (this.paused || document.hidden) return;
    for (const [element, board] of this.boards) {
      if (!this.seen.has(element) || board.list.length < 2) continue;
      board.at = (board.at + 1) % (board.list.length + REST);
      const pieces = board.list[board.at];
      if (pieces) board.show(pieces);
    }
  }
}
