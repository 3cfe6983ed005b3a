// @ts-check
/** The rules of a game: every piece with its diagram, the special rules, the options, and the full rules page. */

import { moveDiagram } from "../board/move_diagram.js";
import { kindName, kindsByCode } from "../board/piece_names.js";
import { pieceIcon } from "../board/pieces.js";
import { rulebook as fetchRulebook } from "../lib/api.js";
import { byId, h } from "../lib/dom.js";
import { LANGUAGE, n, t } from "../lib/i18n.js";
import { changedWords, fault, title, valueWords } from "../lib/phrases.js";
import { setting, watch } from "../lib/prefs.js";

/** @typedef {import("../types/wire").Kind} Kind */
/** @typedef {import("../types/wire").Changes} Changes */
/** @typedef {import("../types/wire").Rulebook} Rulebook */
/** @typedef {import("../types/wire").RuleWords} RuleWords */

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

class Book {
  /** @param {Rulebook} rulebook */
  constructor(rulebook) {
    this.rulebook = rulebook;
    this.variant = rulebook.variant;
    this.kinds = kindsByCode(rulebook.variant);
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
      .map((part) => (document.getElementById(`rule-${part}`) ? h("a", { href: `#rule-${part}` }, part) : part));
    return h("span", { class: "source" }, "[", ...parts, "]");
  }

  /** @param {RuleWords} rule */
  #rule({ codes, words, source }) {
    const pieces = codes.flatMap((code) => [this.#link(code), " "]);
    return h("li", {}, ...pieces, pieces.length ? "– " : null, words, " ", this.#source(source));
  }

  /** @param {Kind} kind */
  #kind(kind) {
    const changes = this.rulebook.changes[kind.code];
    const rows = CHANGES.flatMap(([event, words]) => {
      const codes = changes?.[event] ?? [];
      const into = event === "dropped" ? codes : codes.filter((code) => code !== kind.code);
      const label = into.length < codes.length ? t("{when} (optional)", { when: words }) : words;
      return into.length
        ? [
            this.#change(
              label,
              into.map((code) => this.#link(code)),
            ),
          ]
        : [];
    });
    if (changes && changes.captured !== kind.code)
      rows.push(
        this.#change(t("captured, it comes to hand as"), [
          changes.captured === null ? t("nothing: it leaves the game") : this.#link(changes.captured),
        ]),
      );
    if (changes?.triumph.length)
      rows.push(
        this.#change(
          t("at once"),
          changes.triumph.map((code) => this.#link(code)),
        ),
        this.#change(
          t("by capturing one of"),
          changes.prey.map((code) => this.#link(code)),
        ),
      );
    const sources = new Set(
      this.rulebook.rules.filter(({ codes }) => codes.includes(kind.code)).map(({ source }) => source),
    );
    return h(
      "article",
      { class: "kind", id: anchor(kind.code), "data-kind": kind.code },
      this.#icon(kind),
      h(
        "div",
        { class: "kind-head" },
        h("h3", {}, title(kindName(kind))),
        h(
          "span",
          { class: "quiet" },
          `${kind.kanji}${kind.kanjiWhite === kind.kanji ? "" : ` / ${kind.kanjiWhite}`} ${kind.romaji} · ${kind.code}`,
        ),
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

  /** @param {string} words @param {(Node | string)[]} into */
  #change(words, into) {
    return h("div", {}, h("dt", {}, words), h("dd", {}, ...into));
  }

  /** The ends of a game. */
  #ends() {
    const { repetition, perpetualLoses, matchWins, agreement } = this.rulebook.ends;
    const king = this.rulebook.variant.kinds.find(({ royal }) => royal);
    return [
      king
        ? t("Checkmate wins: attack the {piece} so that no move saves it. A player with no legal move also loses.", {
            piece: kindName(king),
          })
        : t(
            "A side that no longer has the pieces it needs to stay in the game loses, and so does a side with no legal move.",
          ),
      n(
        "The game is drawn when a position occurs for the {count}th time.",
        "The game is drawn when a position occurs for the {count}th time.",
        repetition,
      ),
      perpetualLoses
        ? t("But if one side alone has given check with every move since the first occurrence, that side loses.")
        : "",
      agreement ? t("Once both royal pieces have entered the other’s camp, the players may agree a draw.") : "",
      matchWins ? n("{count} win takes the match.", "{count} wins in a row take the match.", matchWins) : "",
    ].filter(Boolean);
  }

  #special() {
    const parts = Object.entries(EVENTS).flatMap(([event, words]) => {
      const rules = this.rulebook.rules.filter((rule) => rule.event === event);
      return rules.length
        ? [h("section", {}, h("h3", {}, words), h("ul", {}, ...rules.map((rule) => this.#rule(rule))))]
        : [];
    });
    return [
      ...parts,
      h(
        "section",
        {},
        h("h3", {}, t("How a game ends")),
        h("ul", {}, ...this.#ends().map((words) => h("li", {}, words))),
      ),
    ];
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

  show() {
    const { variant, rulebook } = this;
    // the server generates it from Markdown
    const page = new DOMParser().parseFromString(rulebook.page, "text/html").body;
    byId("page").replaceChildren(...page.childNodes);
    byId("index").replaceChildren(
      ...variant.kinds.map((kind) =>
        h(
          "a",
          { href: `#${anchor(kind.code)}`, title: title(kindName(kind)) },
          this.#icon(kind),
          h("span", { class: "visually-hidden" }, title(kindName(kind))),
        ),
      ),
    );
    byId("kinds").replaceChildren(...variant.kinds.map((kind) => this.#kind(kind)));
    byId("rule-list").replaceChildren(...this.#special());
    byId("option-list").replaceChildren(...this.#options());
  }
}

/** @param {Rulebook} rulebook */
function open(rulebook) {
  const { variant } = rulebook;
  const name = t(variant.name);
  document.title = `${t("{game}: the rules", { game: name })} – Komadai`;
  byId("title").textContent = t("{game}: the rules", { game: name });
  byId("summary").textContent = [t(variant.summary), ...rulebook.sources, changedWords(variant)]
    .filter(Boolean)
    .join(" · ");
  const query = new URLSearchParams(variant.options);
  byId("links").replaceChildren(
    h("a", { class: "button primary", href: `/new/${variant.id}?${query}` }, t("game|Play")),
    variant.course ? h("a", { class: "button", href: `/learn/${variant.id}` }, t("Learn this game")) : "",
    variant.puzzles ? h("a", { class: "button", href: `/puzzles/${variant.id}` }, t("Puzzles")) : "",
    h("a", { class: "button", href: `/edit/${variant.id}?${query}` }, t("Position editor")),
  );
  const book = new Book(rulebook);
  book.show();
  watch(() => book.show());
  const parts = ["pieces", "special", "options", "text"];
  for (const part of parts) byId(part).hidden = false;
  byId("contents").replaceChildren(
    ...parts.map((part) => h("a", { href: `#${part}` }, byId(part).querySelector("h2")?.textContent ?? "")),
  );
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

try {
  open(await fetchRulebook(decodeURIComponent(location.pathname.split("/").pop() ?? ""), location.search));
} catch (error) {
  byId("notice").textContent = t("The rules could not be loaded: {fault}", { fault: fault(error) });
}
