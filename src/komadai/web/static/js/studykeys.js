// @ts-check
/** The buttons, the keys and the box for typed moves of a study. */

import { byId } from "./dom.js";

/** @typedef {import("./studypage.js").StudyPage} StudyPage */

/** Let the page's controls work. @param {StudyPage} page */
export function listen(page) {
  byId("first").addEventListener("click", () => page.step(-Infinity));
  byId("previous").addEventListener("click", () => page.step(-1));
  byId("following").addEventListener("click", () => page.step(1));
  byId("last").addEventListener("click", () => page.step(Infinity));
  byId("hint").addEventListener("click", () => page.engine.hint());
  byId("entry").addEventListener("submit", (event) => {
    event.preventDefault();
    void enter(page);
  });
  document.addEventListener("keydown", (event) => key(page, event));
}

/** Make the move that was typed. @param {StudyPage} page */
async function enter(page) {
  const box = /** @type {HTMLInputElement} */ (byId("text"));
  const text = box.value.trim();
  if (!text || page.waiting) return;
  if (page.position.outcome) return page.sayBusy();
  if (await page.enterText(text)) box.value = "";
  else box.select();
}

/** @type {Record<string, (page: StudyPage) => void>} */
const KEYS = {
  "[": (page) => page.step(-1),
  "]": (page) => page.step(1),
  "/": () => byId("text").focus(),
  a: (page) => page.engine.toggle(),
  c: () => byId("comment").focus(),
  d: (page) => page.handToMove()?.focus(),
  f: (page) => page.flip(),
  h: (page) => page.engine.hint(),
  p: (page) => page.promote(),
};
/** Those that belong to what has the keyboard, where it is a list, a field of choice or the board. @type {Record<string, (page: StudyPage) => void>} */
const ARROWS = {
  ArrowLeft: (page) => page.step(-1),
  ArrowRight: (page) => page.step(1),
  ArrowUp: (page) => page.beside(-1),
  ArrowDown: (page) => page.beside(1),
  Home: (page) => page.step(-Infinity),
  End: (page) => page.step(Infinity),
  Delete: (page) => page.remove(),
};

/** @param {StudyPage} page @param {KeyboardEvent} event */
function key(page, event) {
  const { target } = event;
  const typing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  const choosing = target instanceof HTMLSelectElement;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && typing) target.blur();
  else if (typing || choosing) return;
  else if (event.key === "Escape" || event.key === "Backspace") page.walk.path.length ? page.up() : page.cancel();
  else if (KEYS[event.key]) KEYS[event.key]?.(page);
  else if (ARROWS[event.key]) ARROWS[event.key]?.(page);
  else if (!page.board.view?.key(event)) return;
  event.preventDefault();
}
