// @ts-check
/** The page of a study: a board on which both sides move freely, the tree of moves, and the engine. */

import { messageWords } from "../board/message.js";
import { AnalysisClient } from "../lib/analysis.js";
import { explainMove } from "../lib/api.js";
import { button, byId, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { randomId } from "../lib/ids.js";
import { marked } from "../lib/japanese.js";
import { showNotice } from "../lib/notice.js";
import { fault, sentence } from "../lib/phrases.js";
import { moveText, watch } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { SIDE_NAMES, SIDE_SIGNS } from "../lib/sides.js";
import { playMoveSound } from "../lib/sound.js";
import { MoveInput } from "../moves/input.js";
import { NO_GAME, UNKNOWN } from "../moves/position.js";
import { prompt, savingWords } from "../moves/words.js";
import { boardCommands, pastCommands } from "../text/commands.js";
import { TextConsole } from "../text/console.js";
import { moveWords } from "../text/describe.js";
import { Help } from "../text/help.js";
import { findPosition } from "./api.js";
import { Book } from "./book.js";
import { Branches, MARK_WORDS } from "./branches.js";
import { listen, studyCommands } from "./controls.js";
import { keep, onRewritten } from "./drafts.js";
import { Engine } from "./engine.js";
import { Graph } from "./graph.js";
import { Notes } from "./notes.js";
import { Proof } from "./proof.js";
import { Review } from "./review.js";
import { SaveDialog } from "./save_dialog.js";
import { Tree } from "./tree.js";

/** @typedef {import("../types/client").CommandHost} CommandHost */
/** @typedef {import("../types/client").MoveHost} MoveHost */
/** @typedef {import("../types/client").PastHost} PastHost */
/** @typedef {import("../types/client").Thought} Thought */
/** @typedef {import("../types/wire").Position} Position */
/** @typedef {import("../types/wire").Side} Side */
/** @typedef {import("../types/wire").StudyData} StudyData */
/** @typedef {import("./tree.js").Node} Node */

const LOAD = 60; // milliseconds that a position is shown before its legal moves are requested
const SAVE = 500; // milliseconds from a change until it is stored

/** A position as far as it is known. @param {Tree} tree @param {Node} node @returns {Position} */
function positionOf(tree, node) {
  const known = node.position ?? { ...UNKNOWN, ...tree.pieces(node), turn: tree.turn(node), ply: tree.ply(node) + 1 };
  return { ...known, ...NO_GAME, last: node.move };
}

/**
 * @implements {MoveHost}
 * @implements {CommandHost}
 * @implements {PastHost}
 */
export class StudyPage {
  /** @param {StudyData} study @param {string | null} draft id of the draft it is stored as, if it is */
  constructor(study, draft) {
    this.tree = new Tree(study);
    /** The node whose position is shown. @type {Node} */
    this.here = this.tree.root;
    this.position = positionOf(this.tree, this.here);
    /** Both sides are played here. @type {Side | null} */
    this.me = null;
    this.draft = draft;
    /** True if a move has been sent to the server and not been answered. */
    this.waiting = false;
    this.loading = 0;
    this.saving = 0;
    /** True if there are changes that could not be stored. */
    this.unsaved = false;
    this.redrawing = 0;
    this.input = new MoveInput(this, study.variant);
    /** @type {import("../types/client").Command[]} */
    const commands = [...boardCommands(this.input, this), ...pastCommands(this), ...studyCommands(this)];
    this.console = new TextConsole(commands);
    this.help = new Help(commands);
    this.analyst = new AnalysisClient();
    this.branches = new Branches(byId("branches"), (node) => this.go(node));
    this.engine = new Engine(this);
    this.proof = new Proof(this);
    this.book = new Book(this);
    this.graph = new Graph(this);
    this.review = new Review(this);
    this.notes = new Notes(this);
    this.saveDialog = new SaveDialog(this);
    listen(this);
    watch((name) => {
      if (name !== "notation") return;
      this.branches.draw(this.tree);
      this.branches.mark(this.here);
    });
    window.addEventListener("pagehide", () => this.#flush());
    window.addEventListener("beforeunload", (event) => this.unsaved && event.preventDefault());
    onRewritten((id) => this.#rewritten(id));
    this.branches.draw(this.tree);
    this.go(this.here);
  }

  get active() {
    return !this.waiting && this.here.position !== null && !this.position.outcome;
  }

  /** True if the engine is busy with the review. */
  get reviewing() {
    return this.review.running || this.review.judging;
  }

  /** True if the engine is busy with something else than the analysis. */
  get engaged() {
    return this.reviewing || this.proof.running;
  }

  /** True if there is a review to show. */
  get reviewed() {
    return this.tree.root.thought !== null || this.tree.root.children[0]?.thought != null;
  }

  // --- Navigation ---

  /** Show the position after a node. @param {Node} node */
  go(node) {
    const moved = node.parent === this.here ? node.move : null;
    const last = this.here;
    this.here = node;
    this.position = positionOf(this.tree, node);
    this.input.enter();
    if (node !== last) showNotice("");
    if (moved) playMoveSound(moved, { over: this.position.outcome !== null, check: this.position.check });
    this.input.show(this.#moves, moved, !moved);
    if (node !== last) this.#announce();
    clearTimeout(this.loading);
    if (!node.position) this.loading = setTimeout(() => void this.#load(node), LOAD);
  }

  /** The moves that led here. */
  get #moves() {
    return this.tree.line(this.here).flatMap(({ move }) => move ?? []);
  }

  /** Request a position with its legal moves. @param {Node} node */
  async #load(node) {
    try {
      const found = await findPosition(this.tree.branch(node), node.depth);
      node.position = found.position;
    } catch (error) {
      if (node === this.here) showNotice(fault(error));
      return;
    }
    if (node !== this.here) return;
    this.position = positionOf(this.tree, node);
    this.input.enter();
    this.input.show(this.#moves, null, false);
  }

  ownActions() {
    return studyCommands(this);
  }

  get made() {
    return this.here.depth;
  }

  async lastWords() {
    const {
      here: { move, parent },
      tree,
    } = this;
    return move && parent
      ? moveWords(this.input, move, move.side, tree.pieces(parent), tree.pieces(this.here))
      : t("No move has been made yet.");
  }

  /** Along the line that continues from here. @param {number} by */
  step(by) {
    let node = this.here;
    for (; by > 0 && node.children[0]; by--) node = node.children[0];
    for (; by < 0 && node.parent; by++) node = node.parent;
    if (node !== this.here) this.go(node);
  }

  /** To the next or previous variation of the move. @param {1 | -1} by */
  beside(by) {
    const beside = this.here.parent?.children ?? [];
    const node = beside[(beside.indexOf(this.here) + by + beside.length) % beside.length];
    if (node && node !== this.here) this.go(node);
  }

  /** Show the board from the point of view of a side. @param {Side} side */
  turnTo(side) {
    if ((side === "w") !== this.input.flipped) this.input.flip();
  }

  /** Announce the move shown to screen readers. */
  #announce() {
    const { move, mark, comment } = this.here;
    const words = move
      ? t("Move {number}, {side}: {move}", {
          number: this.tree.ply(this.here),
          side: SIDE_NAMES[move.side],
          move: moveText(move),
        })
      : t("The start");
    const others = this.here.children.length > 1 ? t("{count} ways on", { count: this.here.children.length }) : "";
    byId("spoken").replaceChildren(...marked([words, MARK_WORDS[mark], others, comment].filter(Boolean).join(". ")));
  }

  // --- Moves ---

  /** @param {string} text */
  play(text) {
    const known = this.here.children.find(({ move }) => move?.usi === text);
    if (known) this.#made(known);
    else void this.#find(this.here, [text]);
  }

  /** Play a typed move, or say what is wrong with it. @param {string} text */
  enterText(text) {
    return this.#find(this.here, [], text);
  }

  /** @param {Node} from @param {string[]} moves @param {string} [text] @returns {Promise<boolean>} */
  async #find(from, moves, text) {
    this.waiting = true;
    this.input.composing.chooser.hide();
    const added = await this.#add(from, moves, text);
    this.waiting = false;
    if (added && this.here === from) this.#made(added);
    else this.cancelQuietly();
    return added !== null;
  }

  /** Add moves after a node; returns the last one. @param {Node} from @param {string[]} moves @param {string} [text] */
  async #add(from, moves, text) {
    try {
      const branch = this.tree.branch(from);
      const found = await findPosition({ ...branch, moves: [...branch.moves, ...moves] }, branch.moves.length, text);
      const last = found.moves.reduce((node, move) => this.tree.add(node, move), from);
      last.position = found.position;
      this.changed();
      this.branches.draw(this.tree);
      return last;
    } catch (error) {
      showNotice(this.input.placed(fault(error)));
      return null;
    }
  }

  /** A move has been made on the board. @param {Node} node */
  #made(node) {
    const task = this.review.position === this.here && !this.review.tried;
    this.go(node);
    if (task) this.review.tryOut(node);
  }

  /**
   * Add a line after a node, as a variation if there is another line already.
   * @param {Node} from @param {string[]} moves @param {boolean} [follow] whether to go there
   */
  async addLine(from, moves, follow = false) {
    const known = new Set(from.children);
    const last = await this.#add(from, moves);
    if (!last) return;
    const first = from.children.find(({ move }) => move?.usi === moves[0]);
    if (follow && first) this.go(first);
    else this.input.refresh();
    showNotice(
      first && known.has(first) ? t("The line has been added to the existing variation.") : t("Added as a variation."),
      true,
    );
  }

  cancel() {
    this.input.cancel();
  }

  statusWords() {
    return [byId("headline").textContent ?? ""];
  }

  /** No values are shown on the board. */
  worth() {
    return null;
  }

  /** Give up the move begun, but leave the notice. */
  cancelQuietly() {
    this.input.walk.reset();
    this.input.refresh();
  }

  /** @param {string} text */
  explain(text) {
    explainMove(this.tree.branch(this.here), text).then(
      (words) => this.input.explained(text, words),
      (error) => showNotice(fault(error)),
    );
  }

  sayBusy() {
    if (this.position.outcome) showNotice(t("The game is over here."));
  }

  /** Make the variation shown the main line of its branching point. */
  promote() {
    this.tree.promote(this.here);
    this.#reshaped();
  }

  /** Delete the move shown, with all that follows it. */
  remove() {
    const { here } = this;
    if (!here.parent) return;
    const restore = this.tree.remove(here);
    this.#reshaped();
    this.go(here.parent);
    showNotice(
      t("{move} and the moves after it have been deleted.", { move: here.move ? moveText(here.move) : "" }),
      true,
    );
    const back = () => {
      restore();
      this.#reshaped();
      this.go(here);
    };
    byId("notice").append(" ", button({ class: "plain" }, back, t("Restore it")));
  }

  #reshaped() {
    this.changed();
    this.branches.draw(this.tree);
    this.input.refresh();
  }

  // --- Engine ---

  /** @param {Node} node @param {Thought} thought */
  think(node, thought) {
    node.thought = thought;
    this.graph.show();
  }

  /** The annotations of a move have changed. @param {Node} node */
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

  // --- Storage ---

  /** The title of the study in lists. */
  get name() {
    const { headers, study } = this.tree;
    const players = [headers.Black, headers.White].filter(Boolean).join(" – ");
    return [t(study.variant.name), players || headers.Event, headers.Date].filter(Boolean).join(", ");
  }

  /** Something has changed: store it soon. */
  changed() {
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.#flush(), SAVE);
  }

  /** Store what has changed. */
  #flush() {
    if (!this.saving) return;
    clearTimeout(this.saving);
    this.saving = 0;
    this.save();
  }

  /** Store the study in this browser, and put its id into the address. */
  save() {
    this.draft ??= randomId(6);
    const kept = keep(this.draft, this.name, JSON.stringify(this.tree.data()));
    this.unsaved = !kept;
    if (kept) history.replaceState(null, "", `${ROOT}study?draft=${this.draft}`);
    byId("kept").textContent = kept ? t("Kept in this browser") : t("This browser cannot keep it: save it to a file.");
  }

  /** Another window has stored the same draft: from now on this one is a draft of its own. @param {string} id */
  #rewritten(id) {
    if (id !== this.draft) return;
    this.draft = null;
    byId("kept").textContent = t(
      "Another window has changed this study. Your changes here are kept as a separate copy.",
    );
  }

  // --- Display ---

  refreshed() {
    const { position: shown, here, tree } = this;
    for (const [id, side] of /** @type {const} */ ([
      ["plate-far", this.input.flipped ? "b" : "w"],
      ["plate-near", this.input.flipped ? "w" : "b"],
    ])) {
      const plate = byId(id);
      plate.replaceChildren(
        `${SIDE_SIGNS[side]} ${SIDE_NAMES[side]}`,
        h("br"),
        tree.headers[side === "b" ? "Black" : "White"] ?? "",
      );
      plate.classList.toggle("to-move", !shown.outcome && shown.turn === side);
    }
    const end = tree.result && !here.children.length && tree.isMain(here) ? sentence([tree.result.text]) : "";
    const words = shown.outcome
      ? sentence([messageWords(shown.outcome.message, this.input.kinds)])
      : end ||
        prompt(shown, null, this.input.walk, this.input.kinds) + savingWords(shown, null, this.tree.study.variant);
    if (byId("headline").textContent !== words) byId("headline").textContent = words;
    document.title = t("{game} – study", { game: this.name });
    this.branches.mark(here);
    for (const id of ["first", "previous"]) byId(id).toggleAttribute("disabled", !here.parent);
    for (const id of ["following", "last"]) byId(id).toggleAttribute("disabled", !here.children.length);
    this.notes.show();
    this.proof.show();
    this.engine.show();
    this.book.show();
    this.review.show();
    this.graph.show();
  }
}
