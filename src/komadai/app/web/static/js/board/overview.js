// @ts-check
/** A miniature of the board: the stones, and a frame around the visible part. */

import { s } from "../lib/dom.js";

/** @import { Sight, Spot } from "./view.js" */

const DOT = 78;

export class Overview {
  /**
   * @param {number} width @param {number} height of the board
   * @param {(spot: Spot) => void} look called with the spot that was pressed
   */
  constructor(width, height, look) {
    this.sides = { b: s("path", { class: "side-b" }), w: s("path", { class: "side-w" }) };
    this.frame = s("rect", { class: "seen" });
    this.element = s(
      "svg",
      { class: "overview", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
      this.sides.w,
      this.sides.b,
      this.frame,
    );
    const press = (/** @type {PointerEvent} */ event) => {
      if (!event.buttons) return;
      const box = this.element.getBoundingClientRect();
      look([((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height]);
    };
    this.element.addEventListener("pointerdown", press);
    this.element.addEventListener("pointermove", press);
  }

  /** @param {{ side: string, spot: Spot }[]} pieces */
  show(pieces) {
    for (const [side, path] of Object.entries(this.sides)) {
      const own = pieces.filter((piece) => piece.side === side);
      path.setAttribute(
        "d",
        own.map(({ spot: [x, y] }) => `M${x - DOT / 2} ${y - DOT / 2}h${DOT}v${DOT}h-${DOT}z`).join(""),
      );
    }
  }

  /** @param {Sight} sight @param {number} ratio */
  mark({ x, y, size }, ratio) {
    for (const [name, value] of Object.entries({
      x: x - size / 2,
      y: y - size / ratio / 2,
      width: size,
      height: size / ratio,
    }))
      this.frame.setAttribute(name, value.toFixed(0));
  }
}
