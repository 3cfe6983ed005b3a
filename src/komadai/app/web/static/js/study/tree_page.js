// @ts-check
/** A page with a board on which both sides move freely, and the tree of the moves made. */

import { messageWords } from "../board/message.js";
import { explainMove, findPosition } from "../lib/api.js";
import { byId, nameTag, say } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { showNotice } from "../lib/notice.js";
import { fault, sentence } from "../lib/phrases.js";
import { NO_GAME, UNKNOWN } from "../lib/position.js";
import { watch } from "../lib/prefs.js";
import { personName, recordedName } from "../lib/seats.js";
import { nameSides, SIDE_COLOURS, SIDE_SIGNS } from "../lib/sides.js";
import { playMoveSound } from "../lib/sound.js";
import { MoveInput } from "../moves/input.js";
import { numberedMove, prompt, savingWords } from "../moves/words.js";
import { boardCommands, pastCommands } from "../text/commands.js";
import { TextConsole } from "../text/console.js";
import { moveWords } from "../text/describe.js";
import { Help } from "../text/help.js";
import { Branches, MARK_WORDS } from "./branches.js";
import { listenToTree, treeCommands } from "./controls.js";
import { Tree } from "./tree.js";

/** @import { Command, CommandHost, MoveHost, PastHost } from "../types/client" */
/** @import { Judged, Position, RecordedMove, Side, Step, StudyData } from "../types/wire" */
/** @import { Node } from "./tree.js" */

const LOAD = 60; // milliseconds

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
export class TreePage {
  /** @param {StudyData} study */
  constructor(study) {
    const { Black = "", White = "" } = study.headers;
    nameSides(study.handicap, { b: personName(Black), w: personName(White) });
    this.tree = new Tree(study);
    /** The node whose position is shown. @type {Node} */
    this.here = this.tree.root;
    this.position = positionOf(this.tree, this.here);
    /** Both sides are played here. @type {Side | null} */
    this.me = null;
    /** True if a move has been sent to the server and not been answered. */
    this.waiting = false;
    this.loading = 0;
    this.input = new MoveInput(this, study.variant);
    /** @type {Command[]} */
    const commands = [
      ...boardCommands(this.input, this),
      ...pastCommands(this),
      ...treeCommands(this),
      ...this.ownCommands(),
    ];
    this.console = new TextConsole(commands);
    this.help = new Help(commands);
    this.branches = new Branches(byId("branches"), (node) => this.go(node));
    listenToTree(this);
    watch((name) => {
      if (name !== "notation") return;
      this.branches.draw(this.tree);
      this.branches.mark(this.here);
    });
  }

  /** The commands that only this page has. @returns {Command[]} */
  ownCommands() {
    return [];
  }

  /** All parts of the page are there: show the start. */
  begin() {
    this.branches.draw(this.tree);
    this.go(this.here);
  }

  /** Show another tree of the same game. @param {Tree} tree @param {Node} here the move shown */
  enter(tree, here) {
    nameSides(tree.study.handicap);
    this.tree = tree;
    this.branches.draw(tree);
    this.go(here);
  }

  get active() {
    return !this.waiting && this.here.position !== null && !this.position.outcome;
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
    if (!node.position) this.loading = setTimeout(() => void this.#load(node), this.patience);
  }

  /** Milliseconds that a position is shown before its legal moves are requested. */
  get patience() {
    return LOAD;
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

  get made() {
    return this.here.depth;
  }

  async lastWords() {
    const { tree } = this;
    const { move, parent } = this.here;
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

  /** Announce the move shown to screen readers. */
  #announce() {
    const { move, mark, comment } = this.here;
    const words = move ? numberedMove(this.tree.ply(this.here), move.side, move) : t("The start");
    const others = this.here.children.length > 1 ? t("{count} ways on", { count: this.here.children.length }) : "";
    byId("spoken").replaceChildren(...marked([words, MARK_WORDS[mark], others, comment].filter(Boolean).join(". ")));
  }

  // --- Moves ---

  /** @param {string} text */
  play(text) {
    const known = this.here.children.find(({ move }) => move?.usi === text);
    if (known) this.moved(known);
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
    const added = await this.add(from, moves, text);
    this.waiting = false;
    if (added && this.here === from) this.moved(added);
    else this.cancelQuietly();
    return added !== null;
  }

  /** Add moves after a node; returns the last one. @param {Node} from @param {string[]} moves @param {string} [text] */
  async add(from, moves, text) {
    const { tree } = this;
    try {
      const branch = tree.branch(from);
      const found = await findPosition({ ...branch, moves: [...branch.moves, ...moves] }, branch.moves.length, text);
      const last = found.moves.reduce((node, move) => tree.add(node, move), from);
      last.position = found.position;
      this.changed();
      this.branches.draw(this.tree);
      return last;
    } catch (error) {
      showNotice(this.input.placed(fault(error)));
      return null;
    }
  }

  /** Add moves that are known after a node. @param {Node} from @param {RecordedMove[]} moves */
  graft(from, moves) {
    if (!moves.length) return;
    moves.reduce((node, move) => this.tree.add(node, move), from);
    this.changed();
    this.branches.draw(this.tree);
  }

  /** A move has been made on the board. @param {Node} node */
  moved(node) {
    this.go(node);
  }

  /** The tree has changed. */
  changed() {}

  cancel() {
    this.input.cancel();
  }

  statusWords() {
    return [byId("headline").textContent ?? ""];
  }

  /** The best outcome after a step, if it is shown. @param {Step} _step @returns {Judged["outcome"] | null} */
  worth(_step) {
    return null;
  }

  /** Give up the move begun, but leave the notice. */
  cancelQuietly() {
    this.input.walk.reset();
    this.input.refresh();
  }

  /** @param {string} text */
  explain(text) {
    this.input.explain(text, explainMove(this.tree.branch(this.here), text));
  }

  sayBusy() {
    if (this.position.outcome) showNotice(t("The game is over here."));
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
        `${SIDE_SIGNS[side]} ${SIDE_COLOURS[side]}`,
        nameTag(recordedName(tree.headers[side === "b" ? "Black" : "White"])),
      );
      plate.classList.toggle("to-move", !shown.outcome && shown.turn === side);
    }
    const end = tree.result && !here.children.length && tree.isMain(here) ? sentence([tree.result.text]) : "";
    const words = shown.outcome
      ? sentence([messageWords(shown.outcome.message, this.input.kinds)])
      : end ||
        prompt(shown, null, this.input.walk, this.input.kinds) + savingWords(shown, null, this.tree.study.variant);
    say("headline", words);
    this.branches.mark(here);
    for (const id of ["first", "previous"]) byId(id).toggleAttribute("disabled", !here.parent);
    for (const id of ["following", "last"]) byId(id).toggleAttribute("disabled", !here.children.length);
  }
}
