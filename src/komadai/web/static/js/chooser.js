// @ts-check
/** A few choices near the place they are about: a strip of the faces of a cube, or a ladder of what a piece turns into. */

import { button, h } from "./dom.js";

/** @typedef {{ key: string, title: string, note: string, picture: Node | null, pick: (() => void) | null }} Choice */

export class Chooser {
  /** @param {() => void} cancel called when the user turns away from the choice */
  constructor(cancel) {
    this.cancel = cancel;
    /** What had the keyboard before. @type {Element | null} */
    this.before = null;
    this.element = h("div", { class: "chooser", role: "dialog", hidden: true });
    document.body.append(this.element);
    this.element.addEventListener("keydown", (event) => {
      const buttons = [...this.element.querySelectorAll("button")];
      const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (by) buttons[(at + by + buttons.length) % buttons.length]?.focus();
      else if (/^[1-9]$/.test(event.key)) buttons[Number(event.key) - 1]?.click();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    document.addEventListener("pointerdown", (event) => {
      if (!this.open || !(event.target instanceof Node) || this.element.contains(event.target)) return;
      if (event.target instanceof Element && event.target.closest(".wood, .tray, .chips")) return; // those decide themselves
      this.cancel();
    });
    window.addEventListener("resize", () => this.open && this.cancel());
  }

  get open() {
    return !this.element.hidden;
  }

  /**
   * @param {DOMRect} near @param {string} title @param {Choice[]} choices
   * @param {{ ladder: boolean, note: string, spoken: string }} look `ladder`: from high to low in a column; `note`: more
   * about the choice, and `spoken` the same for those who hear it
   */
  show(near, title, choices, { ladder, note, spoken }) {
    const buttons = choices.map((choice) =>
      button(
        { class: "choice", "data-choice": choice.key, "aria-label": choice.title, disabled: choice.pick === null },
        choice.pick ?? (() => {}),
        choice.picture,
        h("span", { class: "choice-title" }, choice.title),
        h("span", { class: "choice-note" }, choice.note),
      ),
    );
    this.element.setAttribute("aria-label", spoken ? `${title} (${spoken})` : title);
    this.element.classList.toggle("ladder", ladder);
    this.element.replaceChildren(h("p", {}, title), note ? h("p", { class: "choice-gain" }, note) : "", h("div", { class: "choices" }, ...buttons));
    if (!this.open) this.before = document.activeElement;
    this.element.hidden = false;
    if (ladder) this.#placeBeside(near);
    else this.#place(near);
    buttons.find((one) => !one.disabled)?.focus({ preventScroll: true });
  }

  hide() {
    if (!this.open) return;
    const inside = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.element.replaceChildren();
    if (inside && (this.before instanceof HTMLElement || this.before instanceof SVGElement))
      this.before.focus({ preventScroll: true });
  }

  /** To the right of the place it is about or, where there is no room, to its left. @param {DOMRect} near */
  #placeBeside(near) {
    const gap = 10;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const [screenWidth, screenHeight] = [document.documentElement.clientWidth, window.innerHeight];
    const right = near.right + gap;
    const left = right + width + gap <= screenWidth ? right : near.left - gap - width;
    const top = near.top + near.height / 2 - height / 2;
    this.element.style.left = `${Math.max(gap, left)}px`;
    this.element.style.top = `${Math.max(gap, Math.min(top, screenHeight - height - gap))}px`;
  }

  /** Above or below the place it is about, and wholly on the screen. @param {DOMRect} near */
  #place(near) {
    const gap = 10;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const [screenWidth, screenHeight] = [document.documentElement.clientWidth, window.innerHeight];
    const above = near.top - gap - height;
    const top = above >= gap ? above : Math.min(near.bottom + gap, screenHeight - height - gap);
    const left = Math.max(gap, Math.min(near.left + near.width / 2 - width / 2, screenWidth - width - gap));
    this.element.style.left = `${left}px`;
    this.element.style.top = `${Math.max(gap, top)}px`;
  }
}
