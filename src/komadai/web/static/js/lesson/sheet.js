// @ts-check
/** The sheet beside the board with the task and the answers. */

import { byId, h } from "../lib/dom.js";
import { marked } from "../lib/japanese.js";

const SIGNS = { going: "", right: "✓", wrong: "✗", done: "✓" };

/** On small screens the sheet takes the room that the board leaves, also when the board changes its size. */
export function fitSheet() {
  const stage = byId("board").parentElement;
  const measure = () => document.body.style.setProperty("--stage", `${stage?.offsetHeight ?? 0}px`);
  if (stage) new ResizeObserver(measure).observe(stage);
  measure();
}

/** Show an answer, and bring it into view. @param {keyof typeof SIGNS} state @param {string[]} lines */
export function feedback(state, lines) {
  const sign = () => h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[state]);
  byId("feedback").className = `feedback ${state}`;
  byId("feedback").replaceChildren(...lines.map((line, number) => h("p", {}, number ? null : sign(), ...marked(line))));
  byId("feedback").lastElementChild?.scrollIntoView({ block: "nearest" });
}
