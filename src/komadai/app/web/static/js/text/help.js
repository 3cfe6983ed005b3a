// @ts-check
/** The dialog that lists the keys and commands of a page. */

import { button, h, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @import { Command } from "../types/client" */

/** Keys whose label differs from their name. @type {Record<string, string>} */
const KEY_NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", "-": "−" };

/** The dialog that lists the keys and commands of a page. */
export class Help {
  /** @param {Command[]} commands */
  constructor(commands) {
    this.commands = commands;
    this.body = h("tbody");
    const heads = [t("Key"), t("Command"), t("What it does")].map((words) => h("th", { scope: "col" }, words));
    this.dialog = h(
      "dialog",
      { id: "help", class: "exchange", "aria-labelledby": "help-title" },
      h(
        "div",
        { class: "row" },
        h("h2", { id: "help-title" }, t("Keys and commands")),
        button({}, () => this.dialog.close(), t("Close")),
      ),
      h(
        "p",
        { class: "quiet" },
        t("Commands are typed where moves are typed; the answers are shown below and read out."),
      ),
      h("table", { class: "actions-table" }, h("thead", {}, h("tr", {}, ...heads)), this.body),
    );
    document.body.append(this.dialog);
    onClick("help-button", () => this.open());
  }

  /** The commands available now. */
  get #available() {
    return this.commands.filter(({ when }) => when?.() ?? true);
  }

  open() {
    const rows = this.#available.map(({ keys = [], typed = [], args = "", words }) => {
      const shown = keys.flatMap((key) => [h("kbd", {}, KEY_NAMES[key] ?? key), " "]);
      const typing = typed.flatMap((word, index) => [index ? t(" or ") : "", h("kbd", {}, word)]);
      return h("tr", {}, h("td", {}, ...shown), h("td", {}, ...typing, args ? ` ${args}` : ""), h("td", {}, words));
    });
    this.body.replaceChildren(...rows);
    this.dialog.showModal();
  }

  /** The commands, one per line. */
  get lines() {
    return this.#available.flatMap(({ typed, args, words }) =>
      typed ? [`${typed.join(", ")}${args ? ` ${args}` : ""}: ${words}`] : [],
    );
  }
}
