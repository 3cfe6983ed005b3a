// @ts-check
/** The sheet beside the board with the task and the answers. */

import { byId, h } from "../lib/dom.js";
import { marked } from "../lib/japanese.js";

const RIM = 18; // pixels below the text, less than a line
const SIGNS = { going: "", right: "✓", wrong: "✗", done: "✓" };

/**
 * On small screens the sheet takes the room that the board leaves, also when the board changes its size, and the board
 * leaves more to a longer task as far as it can. Where there is still more text than is seen, the sheet says so.
 * @param {HTMLElement} answer what follows the task
 */
export function fitSheet(answer = byId("feedback")) {
  const sheet = byId("sheet");
  const stage = byId("board").parentElement;
  const set = (/** @type {string} */ name, /** @type {number} */ length) =>
    document.body.style.setProperty(name, `${Math.max(length, 0)}px`);
  const measure = () => set("--stage", stage?.offsetHeight ?? 0);
  const mark = () => {
    sheet.classList.toggle("more-above", sheet.scrollTop > RIM);
    sheet.classList.toggle("more-below", sheet.scrollTop + sheet.clientHeight < sheet.scrollHeight - RIM);
  };
  const fit = () => {
    set("--task", 0);
    measure();
    const below = parseFloat(getComputedStyle(sheet).paddingBottom);
    set("--task", answer.offsetTop + below - sheet.clientHeight);
    measure();
    mark();
  };
  const sizes = new ResizeObserver(fit);
  for (const part of [stage, ...sheet.children]) if (part) sizes.observe(part);
  sheet.addEventListener("scroll", mark, { passive: true });
  fit();
}

/** Show an answer, and bring it into view. @param {keyof typeof SIGNS} state @param {string[]} lines */
export function feedback(state, lines) {
  const sign = () => h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[state]);
  const said = byId("feedback");
  said.className = `feedback ${state}`;
  said.replaceChildren(...lines.map((line, number) => h("p", {}, number ? null : sign(), ...marked(line))));
  const long = said.offsetHeight > byId("sheet").clientHeight;
  if (lines.length) said.scrollIntoView({ block: long ? "start" : "nearest" });
}
