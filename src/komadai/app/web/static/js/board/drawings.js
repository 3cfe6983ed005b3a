// @ts-check
/** Arrows and circles that a person draws on the board: with the right button, or in the drawing mode. */

import { s } from "../lib/dom.js";
import { follow } from "../lib/press.js";
import { arrows } from "./arrows.js";
import { pointUnder } from "./drag.js";

/** @import { Board } from "./svg.js" */
/** @typedef {import("./arrows.js").Shown} Shape from a point to another, or around one */

/** @param {Shape} one @param {Shape} other */
function same(one, other) {
  return one.from === other.from && one.to === other.to;
}

export class Drawings {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.layer = s("g", { class: "marks own-shapes" });
    /** @type {Shape[]} */
    this.shapes = [];
    /**
     * Called when the person has changed what is drawn, on a page that keeps it: taps leave it there.
     * @type {((shapes: Shape[]) => void) | null}
     */
    this.keep = null;
    /** True in the drawing mode. */
    this.on = false;
  }

  /** A press that draws: an arrow if it moves to another point. @param {PointerEvent} down @param {string} from */
  press(down, from) {
    const shape = (/** @type {string | null} */ at) => (at && at !== from ? [{ usi: "", from, to: at }] : []);
    follow(down, {
      begin: () => true,
      move: (event) => this.draw(shape(pointUnder(event).at)),
      end: (event) => {
        for (const drawn of shape(event && pointUnder(event).at)) this.#toggle(drawn);
        this.draw();
      },
    });
  }

  /** Draw a circle around a point, or remove it. @param {string} at */
  circle(at) {
    this.#toggle({ usi: "", from: at, to: at });
    this.draw();
  }

  clear() {
    if (!this.shapes.length) return;
    this.shapes = [];
    this.draw();
  }

  /** @param {Shape} shape */
  #toggle(shape) {
    const others = this.shapes.filter((one) => !same(one, shape));
    this.shapes = others.length < this.shapes.length ? others : [...others, shape];
    this.keep?.(this.shapes);
  }

  /** Show what was kept. @param {Shape[]} shapes */
  show(shapes) {
    if (shapes === this.shapes) return;
    this.shapes = shapes;
    this.draw();
  }

  /** @param {Shape[]} [more] what is being drawn */
  draw(more = []) {
    const means = { centre: (/** @type {string} */ at) => this.board.centre(at), label: () => "" };
    this.layer.replaceChildren(...[...this.shapes, ...more].flatMap((shape) => arrows([shape], means)));
  }

  /** Let a button of the page turn the drawing mode on and off. @param {HTMLElement | null} pencil */
  listen(pencil) {
    pencil?.addEventListener("click", () => {
      this.on = !this.on;
      this.board.element.classList.toggle("drawing", this.on);
      pencil.setAttribute("aria-pressed", String(this.on));
    });
  }
}
