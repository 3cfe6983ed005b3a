// @ts-check
/**
 * A pop-up of choices near the piece concerned: a strip of the faces of a cube, the net of a cube, a ladder of
 * promotions, or a question.
 */

import { ARROWS } from "../board/cursor.js";
import { button, focusAgain, h } from "../lib/dom.js";

/**
 * A choice; `place`: column and row in the net of a cube; `diagram` draws its moves. A choice without `pick` is dimmed,
 * and may explain itself: `reason` in words, `why` when pressed.
 * @typedef {{
 *   key: string, title: string, note?: string, picture?: Node | null, pick: (() => void) | null,
 *   place?: readonly [number, number] | null, diagram?: (() => Node) | null, why?: (() => void) | null, reason?: string,
 * }} Choice
 */
/** @typedef {"strip" | "ladder" | "net" | "question"} Shape */

const GAP = 10; // pixels from the piece and from the edges of the screen

export class Chooser {
  /** @param {() => void} cancel called when the person dismisses the pop-up */
  constructor(cancel) {
    this.cancel = cancel;
    /** @type {Shape} */
    this.shape = "strip";
    /** The element that had the focus before. @type {Element | null} */
    this.before = null;
    this.element = h("div", { class: "chooser", role: "dialog", hidden: true });
    document.body.append(this.element);
    this.element.addEventListener("keydown", (event) => {
      if (!this.#key(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    document.addEventListener("pointerdown", (event) => {
      if (!this.open || !(event.target instanceof Node) || this.element.contains(event.target)) return;
      // these handle the press themselves
      if (event.target instanceof Element && event.target.closest(".wood, .tray, .chips")) return;
      this.cancel();
    });
    window.addEventListener("resize", () => this.open && this.cancel());
  }

  get open() {
    return !this.element.hidden;
  }

  /**
   * Open the pop-up.
   * @param {DOMRect} near @param {string} title @param {Choice[]} choices
   * @param {{ shape?: Shape, note?: string, spoken?: string }} [look] `note`: more about the choice, `spoken`: the same for screen
   * readers
   */
  show(near, title, choices, { shape = "question", note = "", spoken = "" } = {}) {
    this.shape = shape;
    const buttons = choices.map((choice) => this.#button(choice));
    const about = shape === "net" ? this.#about(choices, buttons) : [];
    this.element.setAttribute("role", shape === "question" ? "alertdialog" : "dialog");
    this.element.setAttribute("aria-label", spoken ? `${title} (${spoken})` : title);
    this.element.className = `chooser ${shape}`;
    this.element.replaceChildren(
      h("p", {}, title),
      note ? h("p", { class: "choice-gain" }, note) : "",
      h("div", { class: "choices" }, ...buttons, ...about),
    );
    if (!this.open) this.before = document.activeElement;
    this.element.hidden = false;
    if (shape === "ladder") this.#placeBeside(near);
    else if (shape === "net") this.#placeApart(near);
    else this.#place(near);
    buttons
      .find((one) => !one.disabled && one.getAttribute("aria-disabled") !== "true")
      ?.focus({ preventScroll: true });
  }

  hide() {
    if (!this.open) return;
    const inside = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.element.replaceChildren();
    if (inside) focusAgain(this.before);
  }

  /** @param {Choice} choice */
  #button({ key, title, note, picture, pick, place, why, reason }) {
    const made = button(
      {
        class: "choice",
        "data-choice": key,
        title: reason || null,
        disabled: pick === null && !why,
        "aria-disabled": pick === null && why ? "true" : null,
      },
      pick ?? why ?? (() => {}),
      picture,
      h("span", { class: "choice-title" }, title),
      note ? h("span", { class: "choice-note" }, note) : null,
    );
    if (place) made.style.gridArea = `${place[1]} / ${place[0]}`;
    return made;
  }

  /**
   * The name and move diagram of the face that is focused or hovered.
   * @param {Choice[]} choices @param {HTMLElement[]} buttons
   */
  #about(choices, buttons) {
    const name = h("p", { class: "net-name", "aria-hidden": "true" });
    const picture = h("div", { class: "net-diagram" });
    choices.forEach((choice, index) => {
      const show = () => {
        name.replaceChildren(
          h("strong", {}, choice.title),
          h("span", { class: "choice-note" }, choice.reason || (choice.note ?? "")),
        );
        picture.replaceChildren(choice.diagram?.() ?? "");
      };
      for (const event of ["focus", "pointerenter"]) buttons[index]?.addEventListener(event, show);
    });
    return [name, picture];
  }

  /**
   * Handle arrows, digits and Tab, which cycles within the pop-up; returns whether the key was one.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const buttons = [...this.element.querySelectorAll("button")];
    const here = /** @type {HTMLButtonElement} */ (document.activeElement);
    const by = ARROWS[event.key];
    if (event.key === "Enter" && event.repeat) return true; // a key held down must not answer
    if (event.key === "Tab")
      this.#next(
        here,
        event.shiftKey ? -1 : 1,
        buttons.filter((one) => !one.disabled),
      );
    else if (/^[1-9]$/.test(event.key)) buttons[Number(event.key) - 1]?.click();
    else if (by && this.shape === "net") this.#toward(here, by, buttons)?.focus();
    else if (by) this.#next(here, by[0] + by[1], buttons);
    else return false;
    return true;
  }

  /**
   * Move the focus by a number of buttons.
   * @param {HTMLButtonElement} from @param {number} by @param {HTMLButtonElement[]} among
   */
  #next(from, by, among) {
    among[(among.indexOf(from) + by + among.length) % among.length]?.focus();
  }

  /**
   * The nearest button in a direction.
   * @param {HTMLButtonElement} from @param {[number, number]} way @param {HTMLButtonElement[]} buttons
   */
  #toward(from, [right, down], buttons) {
    const middle = (/** @type {Element} */ one) => {
      const box = one.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = middle(from);
    const ways = buttons.map((one) => {
      const [toX, toY] = middle(one);
      const [dx, dy] = [(toX ?? 0) - (x ?? 0), (toY ?? 0) - (y ?? 0)];
      const along = dx * right + dy * down;
      return { one, along, cost: along + 2 * Math.abs(dx * down) + 2 * Math.abs(dy * right) };
    });
    return ways.filter(({ along }) => along > 5).sort((a, b) => a.cost - b.cost)[0]?.one;
  }

  /** Place the pop-up, within the screen. @param {number} left @param {number} top */
  #put(left, top) {
    const { offsetWidth: width, offsetHeight: height, style } = this.element;
    style.left = `${Math.max(GAP, Math.min(left, document.documentElement.clientWidth - width - GAP))}px`;
    style.top = `${Math.max(GAP, Math.min(top, window.innerHeight - height - GAP))}px`;
  }

  /** Place the pop-up to the right of the piece or, if there is no room, to its left. @param {DOMRect} near */
  #placeBeside(near) {
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const right = near.right + GAP;
    const fits = right + width + GAP <= document.documentElement.clientWidth;
    this.#put(fits ? right : near.left - GAP - width, near.top + near.height / 2 - height / 2);
  }

  /**
   * Place the pop-up where it hides little of the board: beside it or, on a small screen, at the bottom.
   * @param {DOMRect} near
   */
  #placeApart(near) {
    const { offsetWidth: width } = this.element;
    const stage = document.querySelector(".stage")?.getBoundingClientRect() ?? near;
    if (stage.right + width + GAP <= document.documentElement.clientWidth)
      this.#placeBeside(new DOMRect(stage.left, near.top, stage.width, near.height));
    else this.#put(near.left + near.width / 2 - width / 2, Infinity);
  }

  /** Place the pop-up above or below the piece. @param {DOMRect} near */
  #place(near) {
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const above = near.top - GAP - height;
    this.#put(near.left + near.width / 2 - width / 2, above >= GAP ? above : near.bottom + GAP);
  }
}
