// @ts-check
/** The answers to the question of a stage, as buttons. */

import { button, byId, h } from "../lib/dom.js";
import { marked } from "../lib/japanese.js";

/** @typedef {import("../types/wire").LessonAnswer} LessonAnswer */
/** @typedef {import("../types/wire").LessonStage} LessonStage */

export class Answers {
  /** @param {LessonStage} stage @param {(number: string) => void} choose @param {(text: string) => string} placed */
  constructor({ choices }, choose, placed) {
    /** The number of the answer chosen last. */
    this.last = -1;
    /** Answers that were wrong. @type {Set<number>} */
    this.wrong = new Set();
    this.buttons = choices.map((words, number) =>
      button(
        { class: "answer" },
        () => {
          this.last = number;
          choose(String(number));
        },
        h("span", { class: "sign", "aria-hidden": "true" }),
        h("span", {}, ...marked(placed(words))),
      ),
    );
    byId("answers").replaceChildren(...this.buttons);
    byId("answers").hidden = !choices.length;
  }

  /** @param {LessonAnswer} answer */
  show({ state, moves, show }) {
    if (state === "wrong" && this.last >= 0) this.wrong.add(this.last);
    for (const [number, made] of this.buttons.entries()) {
      const right = moves.includes(String(number));
      const wrong = !right && this.wrong.has(number);
      made.classList.toggle("right", right);
      made.classList.toggle("wrong", wrong);
      made.classList.toggle("shown", show === String(number) && state !== "done");
      made.setAttribute("aria-pressed", String(right));
      made.disabled = state === "done" && !right;
      const [sign] = made.children;
      if (sign) sign.textContent = right ? "✓" : wrong ? "✗" : "";
    }
  }
}
