// @ts-check
/** The text console: typed input is a move or a command; answers and news go to a log that screen readers announce. */

import { button, byId, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";

/** @import { Command } from "../types/client" */

const MOST = 100; // entries kept in the log and in the history of inputs

export class TextConsole {
  /** @param {Command[]} commands */
  constructor(commands) {
    this.commands = commands;
    // Announced from the start, but visible only from the first command on.
    this.log = h("div", { id: "log", role: "log", tabindex: -1, "aria-label": t("Answers and announcements") });
    this.panel = h(
      "section",
      { id: "talk", class: "visually-hidden", "aria-labelledby": "talk-title" },
      h("h2", { id: "talk-title" }, t("In words")),
      button(
        { id: "talk-close", hidden: true, "aria-label": t("Close"), title: t("Close") },
        () => this.#open(false),
        "×",
      ),
      this.log,
    );
    (byId("entry").closest("details") ?? byId("entry")).after(this.panel); // heard also where the box is folded away
    /** Earlier inputs, the latest first. @type {string[]} */
    this.typed = [];
    /** Index of the input recalled into the box; -1: none. */
    this.recalled = -1;
    const box = /** @type {HTMLInputElement} */ (byId("text"));
    // before the page clears it
    byId("entry").addEventListener("submit", () => this.#remember(box.value.trim()), { capture: true });
    box.addEventListener("keydown", (event) => this.#recall(event, box));
  }

  /** Add an input to the history. @param {string} text */
  #remember(text) {
    if (text) this.typed = [text, ...this.typed.filter((before) => before !== text)].slice(0, MOST);
    this.recalled = -1;
  }

  /** Recall an earlier or later input. @param {KeyboardEvent} event @param {HTMLInputElement} box */
  #recall(event, box) {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return;
    event.preventDefault(); // the caret stays at the end
    const to = this.recalled + by;
    if (to < -1 || to >= this.typed.length) return;
    this.recalled = to;
    box.value = this.typed[to] ?? "";
  }

  /** Show or hide the log. @param {boolean} open */
  #open(open) {
    this.panel.classList.toggle("visually-hidden", !open);
    byId("talk-close").hidden = !open;
    this.log.tabIndex = open ? 0 : -1;
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** Add lines to the log. @param {string[]} words @param {string} [asked] the input they answer */
  print(words, asked) {
    if (asked) this.log.append(h("p", { class: "asked", "aria-hidden": "true" }, asked));
    this.log.append(...words.map((line) => h("p", {}, ...marked(line))));
    while (this.log.childElementCount > MOST) this.log.firstElementChild?.remove();
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** Run a typed command; returns false if the text may be a move. @param {string} text @returns {boolean} */
  run(text) {
    const [word = "", ...rest] = text.split(/\s+/);
    const command = this.commands.find(({ typed, when }) => typed?.includes(word) && (when?.() ?? true));
    if (command) void this.#answer(command, text, rest.join(" "));
    else if (!/^[a-z.?[\]]+$/i.test(text))
      return false; // it has digits or signs, as moves do
    else {
      this.#open(true);
      this.print(
        [t("There is no command “{word}”. There are: {commands}.", { word, commands: this.words.join(" ") })],
        text,
      );
    }
    return true;
  }

  /** Run a command as if it had been typed. @param {Command} command @param {string} asked @param {string} rest */
  async #answer(command, asked, rest) {
    this.#open(true);
    const answer = await (command.say ?? command.press)?.(rest);
    this.print([answer ?? []].flat().filter(Boolean), asked);
    this.panel.scrollIntoView({ block: "nearest" });
  }

  /** Run the command of a key; returns whether there is one. @param {string} key */
  press(key) {
    const command = this.commands.find(
      ({ keys, when, press, say }) => keys?.includes(key) && (press ?? say) && (when?.() ?? true),
    );
    if (command?.press) command.press(key);
    else if (command) void this.#answer(command, key, "");
    return command !== undefined;
  }

  /** The shortest word of every command. */
  get words() {
    return this.commands.flatMap(({ typed, when }) => (typed?.[0] && (when?.() ?? true) ? [typed[0]] : []));
  }
}

/** True if a key press scrolls the log. @param {KeyboardEvent} event */
function scrollsLog({ key, target }) {
  return key.length > 1 && target instanceof Element && target.closest("#log") !== null;
}

/**
 * Listen to the keys of a page with a board: those of its commands, of the view and of the cursor.
 * @param {{ input: import("../moves/input.js").MoveInput, console: TextConsole }} page
 * @param {(event: KeyboardEvent) => boolean} [first] handles a key before all that; returns whether it has
 */
export function listenToKeys({ input, console }, first = () => false) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const { cursor, view } = input.board;
    const typing =
      target instanceof HTMLInputElement ||
      target instanceof HTMLSelectElement ||
      target instanceof HTMLTextAreaElement;
    const onPage = target === document.body || (target instanceof Element && target.closest(".tray"));
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open], :popover-open")) return;
    if (key === "Escape" && typing) target.blur();
    else if (typing || scrollsLog(event)) return;
    else if (!first(event) && !(event.shiftKey && view?.key(event)) && !console.press(key) && !view?.key(event)) {
      if (!onPage || !key.startsWith("Arrow") || !cursor.key(event)) return;
      input.announce(cursor.at ?? "");
    }
    event.preventDefault();
  });
}
