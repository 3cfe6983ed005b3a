// @ts-check
/** The opening book: the moves that games have played in the position shown, with their results. */

import { bookMoves } from "../lib/api.js";
import { gamesWords, leftWords } from "../lib/book_words.js";
import { button, byId, filledBy, h, say } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { fault, percent } from "../lib/phrases.js";
import { moveText } from "../lib/prefs.js";
import { hintAt } from "../moves/values.js";
import { scoreText, scoreWords, short } from "./scores.js";

/** @import { BookMove, BookMoves, Side } from "../types/wire" */
/** @import { StudyPage } from "./page.js" */
/** @import { Node } from "./tree.js" */

const PAUSE = 150; // milliseconds that a position is shown before its moves are requested

/** The parts of a bar: Black's, draws and White's. */
const PARTS = /** @type {const} */ (["b", "draws", "w"]);
const NAMED = 0.25; // share from which on a part has room for its percentage

/** The shares of a move's games with a known result, or `null` if there is none. @param {BookMove} move */
export function shares({ b, w, draws }) {
  const known = b + w + draws;
  return known ? { b: b / known, draws: draws / known, w: w / known } : null;
}

/** A move of the book in words. @param {BookMove} found @param {Side} turn */
export function bookWords(found, turn) {
  const won = shares(found);
  return [
    n("{move}: {count} game", "{move}: {count} games", found.games, { move: moveText(found.move) }),
    won &&
      t("Black won {black}, White won {white}, {draws} drawn", {
        black: percent(won.b),
        white: percent(won.w),
        draws: percent(won.draws),
      }),
    found.score !== null && scoreWords({ score: found.score, mate: null }, turn),
  ]
    .filter(Boolean)
    .join(". ");
}

export class Book {
  /** @param {StudyPage} page */
  constructor(page) {
    this.page = page;
    /** Answers, and what went wrong instead. @type {WeakMap<Node, BookMoves | string>} */
    this.known = new WeakMap();
    /** The node whose moves have been requested. @type {Node | null} */
    this.asked = null;
    this.timer = 0;
    this.part = /** @type {HTMLDetailsElement} */ (byId("book-part"));
    this.part.hidden = !page.tree.study.book;
    this.part.addEventListener("toggle", () => this.show());
  }

  /** The page shows a position: list its moves, if the book is open. */
  show() {
    if (this.part.hidden || !this.part.open) return;
    const { here } = this.page;
    const known = this.known.get(here);
    byId("book-moves").classList.toggle("stale", !known);
    if (known) this.#draw(here, known);
    else if (this.asked !== here) {
      this.asked = here;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.#ask(here), PAUSE);
    }
  }

  /** @param {Node} node */
  async #ask(node) {
    try {
      this.known.set(node, await bookMoves(this.page.tree.branch(node)));
    } catch (error) {
      if (this.page.here === node) this.#draw(node, fault(error));
    }
    if (this.asked === node) this.asked = null;
    if (this.page.here === node && this.known.has(node)) this.show();
  }

  /** @param {Node} node @param {BookMoves | string} found */
  #draw(node, found) {
    const [moves, others] = typeof found === "string" ? [[], 0] : [found.moves, found.others];
    const more = others ? n("and {count} other move", "and {count} other moves", others) : "";
    const words = typeof found === "string" ? found : [gamesWords(found), more].filter(Boolean).join(" ");
    say("book-says", words);
    this.#left(node, typeof found === "string" ? null : found);
    this.#wrong(node, typeof found === "string" ? [] : found.wrong);
    const list = byId("book-moves");
    list.classList.remove("stale");
    list.hidden = !moves.length;
    const turn = this.page.tree.turn(node);
    const key = `${node.id} ${moves.length}`;
    if (filledBy(list, key)) return;
    const focused = list.contains(document.activeElement);
    list.replaceChildren(...moves.map((move) => h("li", {}, this.#choice(node, move, turn))));
    if (focused) list.querySelector("button")?.focus();
  }

  /** Where the moves before left the book, and the way back there. @param {Node} node @param {BookMoves | null} found */
  #left(node, found) {
    const { tree } = this.page;
    const line = tree.line(node);
    const plies = found?.left?.plies ?? -1;
    const [before, after] = [plies ? line[plies - 1] : tree.root, line[plies]];
    byId("book-left").replaceChildren();
    if (!found || !before || !after?.move) return;
    const back = button({}, () => this.page.go(before), t("Back there"));
    byId("book-left").append(...marked(leftWords(found, after.move)), " ", back);
  }

  /** Wrong moves that look right, and their punishment. @param {Node} node @param {BookMoves["wrong"]} wrong */
  #wrong(node, wrong) {
    const list = byId("book-wrong");
    list.hidden = !wrong.length;
    list.replaceChildren(
      ...wrong.flatMap(({ text, moves: [move, ...rest] }) => {
        if (!move) return [];
        const words = t("{move}? {line}", { move: moveText(move), line: rest.map(moveText).join(" ") });
        const play = () => this.#play(node, move.usi);
        return [
          h("li", {}, button({ "data-usi": move.usi }, play, ...marked(words)), h("span", { class: "quiet" }, text)),
        ];
      }),
    );
  }

  /** A button that shows and plays a move. @param {Node} node @param {BookMove} found @param {Side} turn */
  #choice(node, found, turn) {
    const { move, games, score } = found;
    const made = button(
      { class: "book-move", "data-usi": move.usi },
      () => this.#play(node, move.usi),
      h("span", { class: "book-text", "aria-hidden": "true" }, ...marked(moveText(move))),
      h("span", { class: "book-games", "aria-hidden": "true" }, short(games)),
      bar(found),
      h(
        "span",
        { class: "book-score", "aria-hidden": "true" },
        score === null ? "" : scoreText({ score, mate: null }, turn),
      ),
      h("span", { class: "visually-hidden" }, ...marked(`${bookWords(found, turn)}. ${t("Play it")}`)),
    );
    hintAt(made, this.page.input.board, move);
    return made;
  }

  /** @param {Node} node @param {string} usi */
  #play(node, usi) {
    const { page } = this;
    if (page.here !== node || !page.active) return page.sayBusy();
    page.input.board.hint([]);
    page.play(usi);
  }
}

/** The results of a move as a bar. @param {BookMove} found */
function bar(found) {
  const won = shares(found);
  const made = h("span", { class: `book-bar${won ? "" : " unknown"}`, "aria-hidden": "true" });
  for (const part of won ? PARTS : []) {
    const share = won?.[part] ?? 0;
    if (!share) continue;
    const piece = h("span", { class: `book-${part}` }, share >= NAMED ? percent(share) : "");
    piece.style.flexGrow = String(share);
    made.append(piece);
  }
  return made;
}
