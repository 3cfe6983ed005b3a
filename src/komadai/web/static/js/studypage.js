// @ts-check
/** The page of a study: a board on which both sides move freely, the tree of what has been played, and the engine. */

import { Analyst } from "./analyst.js";
import { Branches, MARK_WORDS } from "./branches.js";
import { button, byId, h } from "./dom.js";
import { keep, newId, onRewritten } from "./drafts.js";
import { Engine } from "./engine.js";
import { Exchange } from "./exchange.js";
import { Graph } from "./graph.js";
import { t } from "./i18n.js";
import { Notes } from "./notes.js";
import { NO_GAME } from "./past.js";
import { Review } from "./review.js";
import { played } from "./sound.js";
import { explain, find } from "./studyapi.js";
import { actionsOfStudy, listen } from "./studykeys.js";
import { Table } from "./table.js";
import { SIDE_NAMES } from "./trays.js";
import { Tree } from "./tree.js";
import { moveWords } from "./telling.js";
import { fault, prompt, savingWords, SIDE_SIGNS } from "./words.js";

/** @typedef {import("./types").Position} Position */
/** @typedef {import("./types").PlayedMove} PlayedMove */
/** @typedef {import("./types").Side} Side */
/** @typedef {import("./tree.js").Node} Node */
/** @typedef {import("./studies").StudyData} StudyData */
/** @typedef {import("./studies").ShownPosition} ShownPosition */
/** @typedef {import("./studies").Thought} Thought */

const LOAD = 60; // milliseconds that a position must be looked at before its moves are asked for
const SAVE = 500; // milliseconds after a change until it is kept

/** What is not known of a position before the server has told it. */
const UNKNOWN = { sfen: "", check: false, outcome: null, tree: [], shared: [], blocked: {}, support: null, stranded: [], held: [], standing: null };

/** A position as far as it is known. @param {Tree} tree @param {Node} node @returns {Position} */
function positionOf(tree, node) {
  const known = node.position ?? { ...UNKNOWN, ...tree.pieces(node), turn: tree.turn(node), ply: tree.ply(node) + 1 };
  return { ...known, ...NO_GAME, last: node.move };
}

export class StudyPage extends Table {
  /** @param {StudyData} study @param {string | null} draft under which name it is kept, if it is */
  constructor(study, draft) {
    const tree = new Tree(study);
    const here = tree.root;
    const shown = positionOf(tree, here);
    super(study.variant, shown, null);
    this.tree = tree;
    /** The node whose position is shown. @type {Node} */
    this.here = here;
    this.shown = shown;
    this.draft = draft;
    this.waiting = false;
    this.loading = 0;
    this.saving = 0;
    /** Whether there is something that this browser cannot keep. */
    this.lost = false;
    this.redrawing = 0;
    this.analyst = new Analyst();
    this.branches = new Branches(byId("branches"), (node) => this.go(node));
    this.engine = new Engine(this);
    this.graph = new Graph(this);
    this.review = new Review(this);
    this.notes = new Notes(this);
    this.exchange = new Exchange(this);
    listen(this);
    window.addEventListener("pagehide", () => this.#flush());
    window.addEventListener("beforeunload", (event) => this.lost && event.preventDefault());
    onRewritten((id) => this.#rewritten(id));
    this.branches.draw(tree);
    this.go(here);
  }

  /** @override */
  get position() {
    return this.shown;
  }

  /** @override */
  get active() {
    return !this.waiting && this.here.position !== null && !this.shown.outcome;
  }

  /** Whether the engine is busy with the review. */
  get reviewing() {
    return this.review.running || this.review.judging;
  }

  /** Whether there is a review to be seen. */
  get reviewed() {
    return this.tree.root.thought !== null || this.tree.root.children[0]?.thought != null;
  }

  // --- Going about ---

  /** Show the position after a node. @param {Node} node */
  go(node) {
    const moved = node.parent === this.here ? node.move : null;
    const last = this.here;
    this.here = node;
    this.shown = positionOf(this.tree, node);
    this.enter();
    if (node !== last) this.say("");
    if (moved) played(moved, this.shown.outcome !== null);
    this.show(this.#moves, moved, !moved);
    if (node !== last) this.#speak();
    clearTimeout(this.loading);
    if (!node.position) this.loading = setTimeout(() => void this.#load(node), LOAD);
  }

  /** The moves that led here. */
  get #moves() {
    return this.tree.line(this.here).flatMap(({ move }) => move ?? []);
  }

  /** Ask for all of a position. @param {Node} node */
  async #load(node) {
    try {
      const found = await find(this.tree.branch(node), node.depth);
      node.position = found.position;
    } catch (error) {
      if (node === this.here) this.say(fault(error));
      return;
    }
    if (node !== this.here) return;
    this.shown = positionOf(this.tree, node);
    this.enter();
    this.show(this.#moves, null, false);
  }

  /** @override */
  ownActions() {
    return actionsOfStudy(this);
  }

  /** @override */
  get made() {
    return this.here.depth;
  }

  /** @override */
  async lastWords() {
    const { here: { move, parent }, tree } = this;
    return move && parent ? moveWords(this, move, move.side, tree.pieces(parent), tree.pieces(this.here)) : t("No move has been made yet.");
  }

  /** @override Along the line that goes on from here. @param {number} by */
  step(by) {
    let node = this.here;
    for (; by > 0 && node.children[0]; by--) node = node.children[0];
    for (; by < 0 && node.parent; by++) node = node.parent;
    if (node !== this.here) this.go(node);
  }

  /** To the next or the last variation beside the move, where there is one. @param {1 | -1} by */
  beside(by) {
    const beside = this.here.parent?.children ?? [];
    const node = beside[(beside.indexOf(this.here) + by + beside.length) % beside.length];
    if (node && node !== this.here) this.go(node);
  }

  /** Let a side sit below. @param {Side} side */
  turnTo(side) {
    if ((side === "w") !== this.flipped) this.flip();
  }

  /** Tell those who cannot see the board which move it is. */
  #speak() {
    const { move, mark, comment } = this.here;
    const words = move ? t("Move {number}, {side}: {move}", { number: this.tree.ply(this.here), side: SIDE_NAMES[move.side], move: move.text }) : t("The start");
    const others = this.here.children.length > 1 ? t("{count} ways on", { count: this.here.children.length }) : "";
    byId("spoken").textContent = [words, MARK_WORDS[mark], others, comment].filter(Boolean).join(". ");
  }

  // --- Moves ---

  /** @override @param {string} text */
  play(text) {
    const known = this.here.children.find(({ move }) => move?.usi === text);
    if (known) this.#made(known);
    else void this.#find(this.here, [text]);
  }

  /** Play what was typed; what is wrong with it is said. @param {string} text */
  enterText(text) {
    return this.#find(this.here, [], text);
  }

  /** @param {Node} from @param {string[]} moves @param {string} [text] @returns {Promise<boolean>} */
  async #find(from, moves, text) {
    this.waiting = true;
    this.composing.chooser.hide();
    const added = await this.#add(from, moves, text);
    this.waiting = false;
    if (added && this.here === from) this.#made(added);
    else this.cancelQuietly();
    return added !== null;
  }

  /** Put moves after a node, and return the last. @param {Node} from @param {string[]} moves @param {string} [text] */
  async #add(from, moves, text) {
    try {
      const branch = this.tree.branch(from);
      const found = await find({ ...branch, moves: [...branch.moves, ...moves] }, branch.moves.length, text);
      const last = found.moves.reduce((node, move) => this.tree.add(node, move), from);
      last.position = found.position;
      this.changed();
      this.branches.draw(this.tree);
      return last;
    } catch (error) {
      this.say(fault(error));
      return null;
    }
  }

  /** A move has been made on the board. @param {Node} node */
  #made(node) {
    const task = this.review.position === this.here && !this.review.tried;
    this.go(node);
    if (task) this.review.tryOut(node);
  }

  /** Put a line of play after a node, as a variation if there is another line already. @param {Node} from @param {string[]} moves @param {boolean} [follow] whether to go there */
  async addLine(from, moves, follow = false) {
    const known = new Set(from.children);
    const last = await this.#add(from, moves);
    if (!last) return;
    const first = from.children.find(({ move }) => move?.usi === moves[0]);
    if (follow && first) this.go(first);
    else this.refresh();
    this.say(first && known.has(first) ? t("The line has been added to what was there.") : t("Added as a variation."), true);
  }

  /** What has been begun of a move is forgotten; what was said stays. */
  cancelQuietly() {
    this.walk.reset();
    this.refresh();
  }

  /** @override @param {string} text */
  explain(text) {
    explain(this.tree.branch(this.here), text).then(
      (words) => this.told(text, words),
      (error) => this.say(fault(error)),
    );
  }

  /** @override */
  sayBusy() {
    if (this.shown.outcome) this.say(t("The game is over here."));
  }

  promote() {
    this.tree.promote(this.here);
    this.#reshaped();
  }

  /** Take away the move that is shown, with all that follows. */
  remove() {
    const { here } = this;
    if (!here.parent) return;
    const restore = this.tree.remove(here);
    this.#reshaped();
    this.go(here.parent);
    this.say(t("{move} and what followed it has been taken away.", { move: here.move?.text ?? "" }), true);
    const back = () => {
      restore();
      this.#reshaped();
      this.go(here);
    };
    byId("notice").append(" ", button({ class: "plain" }, back, t("Bring it back")));
  }

  #reshaped() {
    this.changed();
    this.branches.draw(this.tree);
    this.refresh();
  }

  // --- What the engine thinks ---

  /** @param {Node} node @param {Thought} thought */
  think(node, thought) {
    node.thought = thought;
    this.graph.show();
  }

  /** What is said of a move has changed. @param {Node} node */
  marked(node) {
    if (node === this.here) this.notes.show();
    cancelAnimationFrame(this.redrawing);
    this.redrawing = requestAnimationFrame(() => {
      const inside = byId("branches").contains(document.activeElement);
      this.branches.draw(this.tree);
      this.branches.mark(this.here);
      if (inside) this.branches.buttons.get(this.here)?.focus();
      this.graph.show();
    });
  }

  // --- Keeping it ---

  /** What the study is called in lists. */
  get name() {
    const { headers, study } = this.tree;
    const players = [headers["Black"], headers["White"]].filter(Boolean).join(" – ");
    return [t(study.variant.name), players || headers["Event"], headers["Date"]].filter(Boolean).join(", ");
  }

  /** Something has changed: keep it soon. */
  changed() {
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.#flush(), SAVE);
  }

  /** Keep what has changed. */
  #flush() {
    if (!this.saving) return;
    clearTimeout(this.saving);
    this.saving = 0;
    this.save();
  }

  /** Keep it in this browser now, and let the address lead there. */
  save() {
    this.draft ??= newId();
    const kept = keep(this.draft, this.name, JSON.stringify(this.tree.data()));
    this.lost = !kept;
    if (kept) history.replaceState(null, "", `/study?draft=${this.draft}`);
    byId("kept").textContent = kept ? t("Kept in this browser") : t("It cannot be kept in this browser: save it to a file.");
  }

  /** Another window has kept the same study: from now on this one is another. @param {string} id */
  #rewritten(id) {
    if (id !== this.draft) return;
    this.draft = null;
    byId("kept").textContent = t("Another window has changed this study. What you do here is kept apart.");
  }

  // --- What is shown ---

  /** @override */
  refresh() {
    super.refresh();
    const { shown, here, tree } = this;
    for (const [id, side] of /** @type {const} */ ([["plate-far", this.flipped ? "b" : "w"], ["plate-near", this.flipped ? "w" : "b"]])) {
      const plate = byId(id);
      plate.replaceChildren(`${SIDE_SIGNS[side]} ${SIDE_NAMES[side]}`, h("br"), tree.headers[side === "b" ? "Black" : "White"] ?? "");
      plate.classList.toggle("to-move", !shown.outcome && shown.turn === side);
    }
    const end = tree.result && !here.children.length && tree.isMain(here) ? `${t(tree.result.text)}.` : "";
    const words = shown.outcome ? `${t(shown.outcome.text)}.` : end || prompt(shown, null, this.walk, this.kinds) + savingWords(shown, null, this.variant);
    if (byId("headline").textContent !== words) byId("headline").textContent = words;
    document.title = t("{game} – study", { game: this.name });
    this.branches.mark(here);
    for (const id of ["first", "previous"]) byId(id).toggleAttribute("disabled", !here.parent);
    for (const id of ["following", "last"]) byId(id).toggleAttribute("disabled", !here.children.length);
    this.notes.show();
    this.engine.show();
    this.review.show();
    this.graph.show();
  }
}
