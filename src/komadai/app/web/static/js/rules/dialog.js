// @ts-check
/** The rules over a board: what they say and all pieces on two tabs, searched together. */

import { rulebook as fetchRulebook } from "../lib/api.js";
import { button, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { watch } from "../lib/prefs.js";
import { pathParts, STATIC } from "../lib/root.js";
import { optionsWords, PIECES, rulesParts } from "./book.js";
import { searchField } from "./search.js";

/** @import { Rulebook } from "../types/wire" */
/** @import { Part } from "./book.js" */

const STYLES = `${STATIC}rules.css`;
const TABS = /** @type {const} */ (["rules", PIECES]);
/** @typedef {(typeof TABS)[number]} Tab */

/** The dialogs by address. @type {Map<string, RulesDialog>} */
const dialogs = new Map();

/** Load the style sheet of the rules, once. */
async function loadStyles() {
  if (document.querySelector(`link[href="${STYLES}"]`)) return;
  const link = h("link", { rel: "stylesheet", href: STYLES });
  const loaded = new Promise((done) => {
    link.onload = link.onerror = done;
  });
  document.head.append(link);
  await loaded;
}

class RulesDialog {
  /** @param {Rulebook} rulebook @param {string} [address] of the page with the rules, if there is one */
  constructor(rulebook, address) {
    this.rulebook = rulebook;
    this.key = `komadai.rules.${rulebook.variant.id}`;
    /** @type {Part[]} */
    this.parts = rulesParts(rulebook);
    /** @type {Tab} */
    this.tab = "rules";
    /** How far each tab is scrolled. @type {Record<Tab, number>} */
    this.scrolled = { rules: 0, pieces: 0 };
    this.search = searchField(
      () => this.parts,
      (query) => this.#searched(query),
    );
    const words = { rules: t("Rules"), pieces: t("Pieces") };
    this.tabs = TABS.map((tab) =>
      button(
        { role: "tab", id: `rules-tab-${tab}`, "aria-controls": `rules-panel-${tab}`, "data-tab": tab },
        () => this.choose(tab),
        words[tab],
      ),
    );
    this.panels = TABS.map((tab) =>
      h("div", { role: "tabpanel", id: `rules-panel-${tab}`, "aria-labelledby": `rules-tab-${tab}` }),
    );
    const heading = h("h2", { id: "rules-title" }, t("{game}: the rules", { game: t(rulebook.variant.name) }));
    const tools = h(
      "div",
      { class: "row" },
      address ? h("a", { class: "button", href: address, target: "_blank" }, t("As a page")) : null,
      button({}, () => this.dialog.close(), t("Close")),
    );
    const tabs = h("div", { class: "rules-tabs", role: "tablist", "aria-label": t("Rules") }, ...this.tabs);
    tabs.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowLeft" || key === "ArrowRight") this.choose(this.tab === "rules" ? PIECES : "rules", true);
    });
    this.body = h(
      "div",
      { class: "rules-panels", tabindex: 0, autofocus: true, role: "group", "aria-label": t("Rules") },
      ...this.panels,
    );
    this.dialog = h(
      "dialog",
      { class: "rules-sheet", "aria-labelledby": "rules-title" },
      h("div", { class: "rules-head" }, heading, tools, this.search.element, tabs),
      this.body,
    );
    this.body.addEventListener("click", (event) => this.#follow(event));
    this.body.addEventListener("scroll", () => this.#scrolled());
    this.dialog.addEventListener("close", () => this.#keep());
    document.body.append(this.dialog);
    this.#show();
    watch(() => {
      this.parts = rulesParts(this.rulebook);
      this.#show();
      this.search.show();
    });
  }

  #show() {
    const [rules, pieces] = this.panels;
    const remark = optionsWords(this.rulebook);
    const others = this.parts.filter(({ id }) => id !== PIECES);
    const links = others.map(({ id, title }) => h("a", { href: `#part-${id}` }, title));
    rules?.replaceChildren(
      h("nav", { class: "contents", "aria-label": t("Contents") }, ...links),
      remark ? h("p", { class: "quiet" }, remark) : "",
      ...others.map(({ element }) => element),
    );
    pieces?.replaceChildren(...this.parts.filter(({ id }) => id === PIECES).map(({ element }) => element));
  }

  /** Open at the place where it was left. */
  open() {
    this.#recall();
    this.dialog.showModal();
    this.choose(this.tab);
    this.search.show();
    this.body.scrollTop = this.scrolled[this.tab];
  }

  /** @param {Tab} tab @param {boolean} [focus] */
  choose(tab, focus = false) {
    this.tab = tab;
    for (const button of this.tabs) {
      const chosen = button.dataset.tab === tab;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      if (chosen && focus) button.focus();
    }
    this.#searched(this.search.box.value);
    this.body.scrollTop = this.scrolled[tab];
  }

  /** While words are searched for, both tabs show what was found. @param {string} query */
  #searched(query) {
    const searching = query.trim() !== "";
    this.dialog.classList.toggle("searching", searching);
    for (const [index, panel] of this.panels.entries()) panel.hidden = !searching && TABS[index] !== this.tab;
    if (searching) this.body.scrollTop = 0;
  }

  /** Follow a link within the rules without changing the address of the page. @param {MouseEvent} event */
  #follow(event) {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
    if (!link) return;
    event.preventDefault();
    const id = decodeURIComponent((link.getAttribute("href") ?? "").slice(1));
    const target = this.body.querySelector(`#${CSS.escape(id)}`);
    const panel = this.panels.find((one) => one.contains(target));
    if (!target || !panel) return;
    if (this.search.box.value) {
      this.search.box.value = "";
      this.search.show();
    }
    this.choose(TABS[this.panels.indexOf(panel)] ?? "rules");
    const folded = target.closest("details");
    if (folded) folded.open = true;
    target.scrollIntoView({ block: "start" });
    this.#scrolled(); // the event comes a frame later, when the dialog may be closed
  }

  /** Note the place; a closed dialog has none. */
  #scrolled() {
    if (this.dialog.open && !this.dialog.classList.contains("searching")) this.scrolled[this.tab] = this.body.scrollTop;
  }

  /** Remember the place, for this window. */
  #keep() {
    const { tab, scrolled, search } = this;
    try {
      sessionStorage.setItem(this.key, JSON.stringify({ tab, scrolled, query: search.box.value }));
    } catch {
      // storage is off: the place is remembered until the page is left
    }
  }

  #recall() {
    try {
      const { tab, scrolled, query } = JSON.parse(sessionStorage.getItem(this.key) ?? "{}");
      if (TABS.includes(tab)) this.tab = tab;
      for (const one of TABS) if (typeof scrolled?.[one] === "number") this.scrolled[one] = scrolled[one];
      if (typeof query === "string") this.search.box.value = query;
    } catch {
      // nothing is remembered, or another program wrote it
    }
  }
}

/** Open rules that have no page of their own, over the page. @param {Rulebook} rulebook */
export async function showRules(rulebook) {
  const key = `#${rulebook.variant.id}`;
  await loadStyles();
  const dialog = dialogs.get(key) ?? new RulesDialog(rulebook);
  dialogs.set(key, dialog);
  dialog.open();
}

/** Open the rules at an address, as `/rules/GAME?options`, over the page. @param {string} address */
export async function openRules(address) {
  const [path = "", query = ""] = address.split("?");
  const [rulebook] = dialogs.has(address)
    ? []
    : await Promise.all([fetchRulebook(pathParts(path)[1] ?? "", query && `?${query}`), loadStyles()]);
  const dialog = dialogs.get(address) ?? (rulebook && new RulesDialog(rulebook, address));
  if (!dialog) return;
  dialogs.set(address, dialog);
  dialog.open();
}
