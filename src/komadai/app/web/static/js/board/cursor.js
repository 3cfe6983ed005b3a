// @ts-check
/** The keyboard cursor on a board: arrow keys move it, Tab jumps to the next target. */

/** @import { Board } from "./svg.js" */

/** The directions of the arrow keys. @type {Record<string, [number, number] | undefined>} */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Cursor {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** The point under the cursor. @type {string | null} */
    this.at = null;
    /** The targets that Tab is cycling through. @type {string[]} */
    this.tour = [];
  }

  /** Handle a key; returns whether it moves the cursor. @param {KeyboardEvent} event */
  key({ key, shiftKey }) {
    if (key === "Tab") return this.#next(shiftKey);
    const by = ARROWS[key];
    if (!by) return false;
    if (document.activeElement !== this.board.svg) this.board.svg.focus({ preventScroll: true });
    else this.#step(...by);
    if (!this.at) this.#step(0, 0);
    return true;
  }

  /** Move the cursor, in directions of the screen. @param {number} right @param {number} down */
  #step(right, down) {
    const { flipped, points, variant } = this.board;
    const { width, height } = variant.board;
    const here = this.at ? points.get(this.at) : undefined;
    const sign = flipped ? -1 : 1;
    const clamp = (/** @type {number} */ value, /** @type {number} */ size) => Math.max(0, Math.min(size - 1, value));
    const [x, y] = here
      ? [clamp(here.x + right * sign, width), clamp(here.y + down * sign, height)]
      : [Math.floor(width / 2), Math.floor(height / 2)];
    this.put(this.board.byPlace.get(`${x},${y}`) ?? null);
  }

  /** Move to the next target; returns whether there is one. @param {boolean} back */
  #next(back) {
    const { targets, svg } = this.board;
    const order = back ? [...targets].reverse() : targets;
    const begun = this.tour.join() === targets.join(); // new targets start a new cycle
    const next = order[begun ? order.indexOf(this.at ?? "") + 1 : 0];
    this.tour = next ? targets : [];
    if (!next) return false;
    if (document.activeElement !== svg) svg.focus({ preventScroll: true });
    this.put(next);
    return true;
  }

  /** Move the cursor to a point, or remove it. @param {string | null} at */
  put(at) {
    this.at = at;
    this.draw();
    if (!at) return;
    this.board.view?.reveal(this.board.centre(at));
    this.board.options.look?.(at);
  }

  /** Draw the cursor while the board has the focus. */
  draw() {
    const { over, svg } = this.board;
    over.querySelector(".cursor")?.remove();
    if (this.at && document.activeElement === svg) over.append(this.board.cell(this.at, "cursor", 4));
  }
}
