// @ts-check
/** A text field for variant files: line numbers with the lines of defects and warnings, and completion by the schema. */

import { byId, h } from "../lib/dom.js";
import { placeAt, suggestions } from "./schema.js";

/** @import { Schema, Suggestion } from "./schema.js" */

const INDENT = "  ";

/** The width of a text in columns: kanji take two. @param {string} text */
function columns(text) {
  return [...text].reduce((sum, char) => sum + (char === "\t" ? 2 : (char.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1), 0);
}

export class Editor {
  /** @param {(text: string) => void} changed called after each change */
  constructor(changed) {
    this.changed = changed;
    /** @type {Schema | null} */
    this.schema = null;
    this.field = /** @type {HTMLTextAreaElement} */ (byId("file"));
    this.gutter = byId("gutter");
    this.list = byId("completion");
    /** @type {Suggestion[]} */
    this.offered = [];
    this.chosen = 0;
    /** The lines with defects. @type {Set<number>} */
    this.faulty = new Set();
    /** The lines with warnings. @type {Set<number>} */
    this.doubtful = new Set();
    this.field.addEventListener("input", () => this.#typed());
    this.field.addEventListener("scroll", () => this.#scroll());
    this.field.addEventListener("keydown", (event) => this.#key(event));
    this.field.addEventListener("click", () => this.close());
    this.field.addEventListener("blur", () => this.close());
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", ({ target }) => {
      const at = target instanceof Element ? target.closest("[data-at]")?.getAttribute("data-at") : null;
      if (at) this.#accept(Number(at));
    });
  }

  get text() {
    return this.field.value;
  }

  /** @param {string} text */
  set text(text) {
    this.field.value = text;
    this.field.setSelectionRange(0, 0);
    this.field.scrollTop = 0;
    this.close();
    this.#number();
    this.changed(text);
  }

  /** Mark lines, from 1. @param {number[]} faulty @param {number[]} doubtful */
  mark(faulty, doubtful) {
    this.faulty = new Set(faulty);
    this.doubtful = new Set(doubtful);
    this.#number();
  }

  /** Put the cursor there. @param {number} line from 1 @param {number} column from 1 */
  go(line, column) {
    const before = this.text.split("\n").slice(0, line - 1);
    const at = before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    this.field.focus();
    this.field.setSelectionRange(at, at);
    this.field.scrollTop = Math.max(0, (line - 4) * this.#lineHeight);
    this.field.scrollLeft = 0;
  }

  close() {
    this.offered = [];
    this.list.hidden = true;
    this.field.removeAttribute("aria-activedescendant");
  }

  // --- Drawing ---

  get #lineHeight() {
    return Number.parseFloat(getComputedStyle(this.field).lineHeight);
  }

  #number() {
    const count = this.text.split("\n").length;
    const lines = Array.from({ length: count }, (_, index) => {
      const line = index + 1;
      const mark = this.faulty.has(line) ? "faulty" : this.doubtful.has(line) ? "doubtful" : null;
      return h("span", { class: mark }, `${line}\n`);
    });
    this.gutter.replaceChildren(...lines);
    this.#scroll();
  }

  #scroll() {
    this.gutter.scrollTop = this.field.scrollTop;
    this.close();
  }

  // --- Typing ---

  #typed() {
    this.#number();
    this.changed(this.text);
    const place = placeAt(this.text.slice(0, this.field.selectionStart));
    if (place?.typed) this.complete();
    else this.close();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key } = event;
    if (key === " " && event.ctrlKey) this.complete();
    else if (!this.list.hidden && key === "Escape") this.close();
    else if (!this.list.hidden && (key === "ArrowDown" || key === "ArrowUp"))
      this.#choose(this.chosen + (key === "ArrowDown" ? 1 : -1));
    else if (!this.list.hidden && (key === "Enter" || key === "Tab") && !event.shiftKey) this.#accept(this.chosen);
    else if (key === "Enter" && !event.isComposing) this.#indent();
    else return;
    event.preventDefault();
  }

  /** A new line as far in as the one before, and further inside a list that is open. */
  #indent() {
    const before = this.text.slice(0, this.field.selectionStart);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    const indent = /^\s*/.exec(line)?.[0] ?? "";
    this.#insert(`\n${indent}${/[[{]\s*$/.test(line) ? INDENT : ""}`, 0);
  }

  /** Type a text in place of so many characters before the cursor; it can be undone. @param {string} text @param {number} instead */
  #insert(text, instead) {
    const { selectionStart, selectionEnd } = this.field;
    this.field.setSelectionRange(selectionStart - instead, selectionEnd);
    // the only way that the browser's own undo knows of
    if (!document.execCommand("insertText", false, text)) {
      this.field.setRangeText(text, selectionStart - instead, selectionEnd, "end");
      this.#typed();
    }
  }

  // --- Completion ---

  /** Offer what may stand at the cursor. */
  complete() {
    const before = this.text.slice(0, this.field.selectionStart);
    const place = placeAt(before);
    this.offered = this.schema && place ? suggestions(this.schema, place) : [];
    if (!this.offered.length) return this.close();
    this.list.replaceChildren(
      ...this.offered.map(({ label, about }, index) =>
        h(
          "li",
          { role: "option", id: `completion-${index}`, "data-at": index, "aria-selected": "false" },
          h("code", {}, label),
          about ? h("span", { class: "quiet" }, about) : null,
        ),
      ),
    );
    this.list.hidden = false;
    const line = before.split("\n");
    const style = getComputedStyle(this.field);
    const width = this.#lineHeight * 0.4;
    const left = columns(line.at(-1) ?? "") * width - this.field.scrollLeft + this.field.offsetLeft;
    const top = line.length * this.#lineHeight + Number.parseFloat(style.paddingTop) - this.field.scrollTop;
    const room = this.field.clientHeight - top;
    this.list.style.left = `${Math.max(0, Math.min(left, (this.field.parentElement?.clientWidth ?? 0) - this.list.offsetWidth))}px`;
    this.list.style.top = `${room < 120 ? Math.max(0, top - this.#lineHeight - this.list.offsetHeight) : top}px`;
    this.#choose(0);
  }

  /** @param {number} index */
  #choose(index) {
    const items = [...this.list.children];
    this.chosen = (index + items.length) % items.length;
    for (const [number, item] of items.entries()) item.setAttribute("aria-selected", String(number === this.chosen));
    items[this.chosen]?.scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", `completion-${this.chosen}`);
  }

  /** @param {number} index */
  #accept(index) {
    const place = placeAt(this.text.slice(0, this.field.selectionStart));
    const one = this.offered[index];
    this.close();
    if (one && place) this.#insert(one.text, place.typed.length);
    this.close();
  }
}
