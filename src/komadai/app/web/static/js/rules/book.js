// @ts-check
/** The rules of a game as parts of a page or a dialog: for players first, then what the spec and the sources say. */

import { moveDiagram } from "../board/move_diagram.js";
import { picture } from "../board/picture.js";
import { fullName, kindName, kindsByCode, kindTitle } from "../board/piece_names.js";
import { pieceIcon } from "../board/pieces.js";
import { withPlaces } from "../board/place_names.js";
import { squareName } from "../board/square_names.js";
import { h } from "../lib/dom.js";
import { LANGUAGE, t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { changedWords, title, valueWords } from "../lib/phrases.js";
import { setting } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { exampleFigure } from "./example.js";

/** @import { Changes, Kind, RuleSection, RuleWords, Rulebook } from "../types/wire" */
/** The kanji of a kind, and of White's where they differ; in Japanese without those of its heading. @param {Kind} kind */
function kanji(kind) {
  const names = [...new Set([fullName(kind), fullName(kind, "w")])];
  return (LANGUAGE === "ja" ? names.slice(1) : names).join(" / ");
}

/** A part of the rules. @typedef {{ id: string, title: string, element: HTMLElement }} Part */

/** Headings of the events of rules, in display order. @type {Record<string, string>} */
const EVENTS = {
  turn_start: t("When a turn begins"),
  drops: t("When a piece is dropped"),
  lands: t("When a piece on the board moves"),
  always: t("When a piece moves or is dropped"),
  arrives: t("When a piece arrives"),
  shoots: t("When a piece shoots"),
  became: t("When a piece turns over"),
  turn_end: t("When a turn ends"),
  at_all_times: t("At all times"),
};

/**
 * Headings of the changes of a kind, in display order.
 * @type {[Exclude<keyof Changes, "captured" | "prey">, string][]}
 */
const CHANGES = [
  ["quiet", t("by moving")],
  ["captures", t("by capturing")],
  ["zone", t("in the promotion zone")],
  ["dropped", t("may be dropped as")],
];

/** The id of a kind's element on this page. @param {string} code */
function anchor(code) {
  return `piece-${code}`;
}

/** The id of the part that shows all pieces. */
export const PIECES = "pieces";

/** The paragraphs and lists of a text. @param {string} text */
export function prose(text) {
  const blocks = /** @type {HTMLElement[]} */ ([]);
  for (const line of withPlaces(text, { short: squareName }).split("\n")) {
    const last = blocks.at(-1);
    if (!line.startsWith("- ")) blocks.push(h("p", {}, ...marked(line)));
    else if (last?.tagName === "UL") last.append(h("li", {}, ...marked(line.slice(2))));
    else blocks.push(h("ul", {}, h("li", {}, ...marked(line.slice(2)))));
  }
  return blocks;
}

class Book {
  /** @param {Rulebook} rulebook */
  constructor(rulebook) {
    this.rulebook = rulebook;
    this.variant = rulebook.variant;
    this.kinds = kindsByCode(rulebook.variant);
    // the server generates it from Markdown
    this.page = new DOMParser().parseFromString(rulebook.page, "text/html").body;
    for (const link of this.page.querySelectorAll('a[href^="/"]'))
      link.setAttribute("href", ROOT + (link.getAttribute("href") ?? "").slice(1));
    /** The numbers of rules to which the page has links. */
    this.numbered = new Set([...this.page.querySelectorAll("[id]")].map(({ id }) => id.replace(/^rule-/, "")));
  }

  /** @param {Kind} kind */
  #icon(kind) {
    return pieceIcon(this.variant, kind, {
      side: "b",
      upsideDown: false,
      set: setting("pieces"),
      next: this.kinds.get(kind.next ?? ""),
    });
  }

  /** The icon and name of a kind, linked to its card. @param {string} code */
  #link(code) {
    const kind = this.kinds.get(code);
    return kind ? h("a", { href: `#${anchor(code)}` }, this.#icon(kind), kindName(kind)) : code;
  }

  /** The number of a rule, linked to the full rules. @param {string} source */
  #source(source) {
    const parts = source
      .split(/([\w.]*\d)/)
      .map((part) => (this.numbered.has(part) ? h("a", { href: `#rule-${part}` }, part) : part));
    return h("span", { class: "source" }, "[", ...parts, "]");
  }

  /** @param {RuleWords} rule */
  #rule({ codes, words, source }) {
    const pieces = codes.flatMap((code) => [this.#link(code), " "]);
    return h("li", { "data-find": "" }, ...pieces, pieces.length ? "– " : null, words, " ", this.#source(source));
  }

  /** @param {Kind} kind */
  #kind(kind) {
    const changes = this.rulebook.changes[kind.code];
    const rows = CHANGES.flatMap(([event, words]) => {
      const codes = changes?.[event] ?? [];
      const into = event === "dropped" ? codes : codes.filter((code) => code !== kind.code);
      const label = into.length < codes.length ? t("{when} (optional)", { when: words }) : words;
      return into.length ? [this.#change(label, ...into)] : [];
    });
    if (changes && changes.captured !== kind.code)
      rows.push(this.#change(t("captured, it comes to hand as"), changes.captured ?? t("nothing: it leaves the game")));
    if (changes?.triumph.length)
      rows.push(
        this.#change(t("at once"), ...changes.triumph),
        this.#change(t("by capturing one of"), ...changes.prey),
      );
    const sources = new Set(
      this.rulebook.rules.filter(({ codes }) => codes.includes(kind.code)).map(({ source }) => source),
    );
    return h(
      "article",
      { class: "kind", id: anchor(kind.code), "data-kind": kind.code, "data-find": "" },
      this.#icon(kind),
      h(
        "div",
        { class: "kind-head" },
        h("h3", {}, kindTitle(kind)),
        h("span", { class: "quiet" }, `${kanji(kind)} ${kind.kana ?? kind.romaji} · ${kind.code}`.trim()),
        LANGUAGE === "en" ? null : h("span", { class: "quiet" }, kind.name),
      ),
      moveDiagram(kind),
      h("ul", { class: "kind-lines" }, ...(this.rulebook.words[kind.code] ?? []).map((words) => h("li", {}, words))),
      rows.length ? h("dl", { class: "turns" }, ...rows) : null,
      sources.size
        ? h(
            "p",
            { class: "kind-sources quiet" },
            t("Rules about it:"),
            ...[...sources].flatMap((source) => [" ", this.#source(source)]),
          )
        : null,
    );
  }

  /** @param {string} words @param {string[]} into the codes of kinds, or words */
  #change(words, ...into) {
    return h("div", {}, h("dt", {}, words), h("dd", {}, ...into.map((code) => this.#link(code))));
  }

  /** The ends of a game. */
  #ends() {
    return h("ul", {}, ...this.rulebook.ends.map((words) => h("li", { "data-find": "" }, words)));
  }

  #special() {
    const parts = Object.entries(EVENTS).flatMap(([event, words]) => {
      const rules = this.rulebook.rules.filter((rule) => rule.event === event);
      return rules.length
        ? [h("section", {}, h("h3", {}, words), h("ul", {}, ...rules.map((rule) => this.#rule(rule))))]
        : [];
    });
    return [...parts, h("section", {}, h("h3", {}, t("How a game ends")), this.#ends())];
  }

  #options() {
    const { settings, options } = this.variant;
    return settings.flatMap(({ name, values, help, sizes }) => {
      const offered = [...new Set([...values, options[name] ?? ""])];
      const said = offered.flatMap((value, index) => {
        const words = index ? valueWords(value) : t("{value} (default)", { value: valueWords(value) });
        return [index ? " · " : "", value === options[name] ? h("span", { class: "in-force" }, `${words} ✓`) : words];
      });
      const any = sizes
        ? t(" · any size from {least} to {most}", { least: `${sizes[0]}×${sizes[0]}`, most: `${sizes[1]}×${sizes[1]}` })
        : "";
      return [h("dt", {}, t(title(name))), h("dd", {}, title(t(help))), h("dd", { class: "quiet" }, ...said, any)];
    });
  }

  /** @param {string} id @param {string} name @param {(Node | string | null)[]} content @returns {Part} */
  #part(id, name, ...content) {
    const heading = h("h2", {}, name);
    return { id, title: name, element: h("section", { class: "part", id: `part-${id}` }, heading, ...content) };
  }

  /** All pieces, with links to them. */
  #pieces() {
    const { kinds } = this.variant;
    const links = kinds.map((kind) =>
      h(
        "a",
        { href: `#${anchor(kind.code)}`, title: kindTitle(kind) },
        this.#icon(kind),
        h("span", { class: "visually-hidden" }, kindTitle(kind)),
      ),
    );
    const legend = t(
      "Dots: one step or a jump. Lines: any distance, as far as the way is free, thin where nothing can be captured so. Arcs over a square: a hop over one piece, to the points behind it. Rings: where later steps of the same turn lead. Dashes with a cross-hair: shots.",
    );
    return [
      h("p", { class: "quiet" }, legend),
      h("div", { class: "piece-index" }, ...links),
      h("div", { class: "kinds" }, ...kinds.map((kind) => this.#kind(kind))),
    ];
  }

  #start() {
    return h("div", { class: "example start" }, picture(this.variant, t("The start"), this.variant.start));
  }

  /** A section written for players. @param {RuleSection} section */
  #section({ id, title, text, shows, examples }) {
    return this.#part(
      shows === "pieces" ? PIECES : id,
      title,
      ...prose(text),
      shows === "start" ? this.#start() : null,
      examples.length
        ? h("div", { class: "examples" }, ...examples.map((one) => exampleFigure(this.variant, one)))
        : null,
      ...(shows === "pieces" ? this.#pieces() : []),
    );
  }

  /** What the spec and the sources say. @param {Part[]} parts @returns {Part} */
  #exact(...parts) {
    const name = t("For the exact reader");
    const sources = h(
      "section",
      { class: "prose", lang: "en" },
      ...[...this.page.childNodes].map((node) => node.cloneNode(true)),
    );
    for (const block of sources.children) block.setAttribute("data-find", "");
    const about = t("What the sources say, what they leave open, and the rulings we play by, marked [R]. In English.");
    const all = [...parts.map(({ element }) => element), h("p", { class: "quiet" }, about), sources];
    const summary = h("summary", {}, h("h2", {}, name));
    const element = h("details", { class: "part exact", id: "part-exact" }, summary, ...all);
    return { id: "exact", title: name, element };
  }

  /** @returns {Part[]} */
  get parts() {
    const { sections, page } = this.rulebook;
    const special = this.#part("special", t("Special rules"), h("div", { class: "rule-list" }, ...this.#special()));
    const options = this.#part("options", t("Rule options"), h("dl", { class: "option-list" }, ...this.#options()));
    if (sections.length) return [...sections.map((one) => this.#section(one)), options, this.#exact(special)];
    const plain = [
      this.#part("setup", t("The start"), this.#start()),
      this.#part(PIECES, t("Pieces"), ...this.#pieces()),
    ];
    return [...plain, special, options, ...(page ? [this.#exact()] : [])];
  }
}

/** The parts of the rules, in order. @param {Rulebook} rulebook @returns {Part[]} */
export function rulesParts(rulebook) {
  return new Book(rulebook).parts;
}

/** A remark on rule options that differ from the usual ones, which the sections for players describe. @param {Rulebook} rulebook */
export function optionsWords({ variant, sections }) {
  const changed = changedWords(variant);
  if (!changed || !sections.length) return changed;
  return t("{options}. The text describes the game with its usual options.", { options: changed });
}
