// @ts-check
/** The text interface: what is typed is a move or a command; answers and news stand in a log that is read out. */

import { button, byId, h } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {import("./actions.js").Action} Action */

const MOST = 100; // entries that are kept, of the log and of what was typed

export class Talk {
  /** @param {Action[]} actions what the page can do */
  constructor(actions) {
    this.actions = actions;
    // It is read out from the start, and looked at from the first command on.
    this.log = h("div", { id: "log", role: "log", tabindex: -1, "aria-label": t("Answers and news") });
    this.panel = h(
      "section",
      { id: "talk", class: "visually-hidden", "aria-labelledby": "talk-title" },
      h("h2", { id: "talk-title" }, t("In words")),
      button({ id: "talk-close", hidden: true, "aria-label": t("Close"), title: t("Close") }, () => this.#open(false), "×"),
      this.log,
    );
    byId("entry").after(this.panel);
    /** What was typed, the last first, and which of it stands in the box: none at -1. @type {string[]} */
    this.typed = [];
    this.recalled = -1;
    const box = /** @type {HTMLInputElement} */ (byId("text"));
    byId("entry").addEventListener("submit", () => this.#remember(box.value.trim()), { capture: true }); // before it is read and cleared
    box.addEventListener("keydown", (event) => this.#recall(event, box));
  }

  /** @param {string} text */
  #remember(text) {
    if (text) this.typed = [text, ...this.typed.filter((before) => before !== text)].slice(0, MOST);
    this.recalled = -1;
  }

  /** Bring back what was typed before, or after that. @param {KeyboardEvent} event @param {HTMLInputElement} box */
  #recall(event, box) {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return;
    event.preventDefault(); // the caret stays at the end
    const to = this.recalled + by;
    if (to < -1 || to >= this.typed.length) return;
    this.recalled = to;
    box.value = this.typed[to] ?? "";
  }

  /** @param {boolean} open */
  #open(open) {
    this.panel.classList.toggle("visually-hidden", !open);
    byId("talk-close").hidden = !open;
    this.log.tabIndex = open ? 0 : -1;
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** Say something, once. @param {string[]} words paragraphs @param {string} [asked] the question */
  tell(words, asked) {
    if (asked) this.log.append(h("p", { class: "asked", "aria-hidden": "true" }, asked));
    this.log.append(...words.map((line) => h("p", {}, line)));
    while (this.log.childElementCount > MOST) this.log.firstElementChild?.remove();
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** Do what was typed, if it is a command or nothing else that could be meant. @param {string} text @returns {boolean} whether it was */
  heard(text) {
    const [word = "", ...rest] = text.split(/\s+/);
    const action = this.actions.find(({ typed, when }) => typed?.includes(word) && (when?.() ?? true));
    if (action) void this.#answer(action, text, rest.join(" "));
    else if (!/^[a-z.?[\]]+$/i.test(text)) return false; // what moves are written with besides letters is missing
    else {
      this.#open(true);
      this.tell([t("There is no command “{word}”. There are: {commands}.", { word, commands: this.commands.join(" ") })], text);
    }
    return true;
  }

  /** Run an action as if it had been typed. @param {Action} action @param {string} asked @param {string} rest */
  async #answer(action, asked, rest) {
    this.#open(true);
    const answer = await (action.say ?? action.press)?.(rest);
    this.tell([answer ?? []].flat().filter(Boolean), asked);
    this.panel.scrollIntoView({ block: "nearest" });
  }

  /** Do what a key stands for; whether it stands for something. @param {string} key */
  pressed(key) {
    const action = this.actions.find(({ keys, when, press, say }) => keys?.includes(key) && (press ?? say) && (when?.() ?? true));
    if (action?.press) action.press(key);
    else if (action) void this.#answer(action, key, "");
    return action !== undefined;
  }

  /** The shortest word of every command. */
  get commands() {
    return this.actions.flatMap(({ typed, when }) => (typed?.[0] && (when?.() ?? true) ? [typed[0]] : []));
  }
}

/** Whether a key scrolls the log. @param {KeyboardEvent} event */
export function reading({ key, target }) {
  return key.length > 1 && target instanceof Element && target.closest("#log") !== null;
}
