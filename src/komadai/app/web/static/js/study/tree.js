// @ts-check
/** The tree of moves of a study: main line, variations and annotations. */

import { piecesAfter } from "../lib/position.js";
import { sided } from "../lib/sides.js";

/** @import { Shape } from "../board/drawings.js" */
/** @import { Thought } from "../types/client" */
/** @import { Annotations, Pieces, PositionRef, RecordData, RecordedMove, Side, StudyData } from "../types/wire" */

const SCHEMA = "komadai-record/2";

let made = 0;

const MOST_SHAPES = 100; // of one move
const POINT = "\\d{1,2}[a-z]";
const SHAPES = new RegExp(`\\s*\\[%draw ((?:${POINT}){1,2}(?:,(?:${POINT}){1,2})*)\\]$`);

/** The words of a comment, and what is drawn. @param {string} comment @returns {[string, Shape[]]} */
function readShapes(comment) {
  const found = SHAPES.exec(comment);
  if (!found?.[1]) return [comment, []];
  const shapes = found[1].split(",").map((text) => {
    const [from = "", to = from] = text.match(new RegExp(POINT, "g")) ?? [];
    return { usi: "", from, to };
  });
  return [comment.slice(0, found.index), shapes.slice(0, MOST_SHAPES)];
}

/** A comment that says what is drawn, too. @param {string} comment @param {Shape[]} shapes */
function withShapes(comment, shapes) {
  const drawn = shapes.slice(0, MOST_SHAPES).map(({ from, to }) => (from === to ? to : `${from}${to}`));
  return [comment, drawn.length ? `[%draw ${drawn.join()}]` : ""].filter(Boolean).join("\n");
}

/** A move, or the start. Its first child continues the line; the others are variations. */
export class Node {
  /** @param {Node | null} parent @param {RecordedMove | null} move @param {Partial<Annotations>} annotations */
  constructor(parent, move, annotations) {
    this.id = made++;
    this.parent = parent;
    this.move = move;
    /** @type {Node[]} */
    this.children = [];
    /** The number of moves from the start. @type {number} */
    this.depth = parent ? parent.depth + 1 : 0;
    const [comment, shapes] = readShapes(annotations.comment ?? "");
    this.comment = comment;
    /** The arrows and circles drawn on the board. */
    this.shapes = shapes;
    /** @type {import("../types/wire").Mark} */
    this.mark = annotations.mark ?? "";
    this.seconds = annotations.seconds ?? null;
    this.score = annotations.score ?? null;
    /** The evaluation of the position after it. @type {Thought | null} */
    this.thought =
      this.score && move && typeof this.score.chance === "number" ? thoughtOf(this.score, this.score.chance) : null;
    /** The expected score lost by the move, once it has been reviewed. @type {number | null} */
    this.loss = null;
    /** @type {Pieces | null} */
    this.pieces = null;
    /**
     * The position with its legal moves, once it has been requested.
     * @type {import("../types/wire").ShownPosition | null}
     */
    this.position = null;
  }

  /** True if it continues the line of its parent. */
  get first() {
    return !this.parent || this.parent.children[0] === this;
  }
}

/**
 * The evaluation of a position from the score recorded with the move that led to it.
 * @param {NonNullable<Annotations["score"]>} score @param {number} chance @returns {Thought}
 */
function thoughtOf({ value, mate, depth }, chance) {
  const turned = (/** @type {number | null} */ number) => (number === null ? null : -number);
  return { score: turned(value), mate: turned(mate), chance, moves: [], ...(depth === null ? {} : { depth }) };
}

export class Tree {
  /** @param {StudyData} study */
  constructor(study) {
    this.study = study;
    this.headers = { ...study.headers };
    this.result = study.result && { ...study.result, text: sided(study.result.text) };
    const [start, ...moves] = study.nodes;
    this.root = new Node(null, null, start);
    const nodes = [this.root];
    for (const { after, comment, mark, seconds, score, ...move } of moves) {
      const node = new Node(nodes[after] ?? this.root, move, { comment, mark, seconds, score });
      node.parent?.children.push(node);
      nodes.push(node);
    }
    this.root.pieces = { board: study.start.board, hands: study.start.hands };
  }

  // --- Queries ---

  /** The moves from the start to a node, its own last. @param {Node} node */
  line(node) {
    /** @type {Node[]} */
    const back = [];
    for (let at = node; at.parent; at = at.parent) back.push(at);
    return back.reverse();
  }

  /** The line that continues from a node, without the node itself. @param {Node} [from] */
  main(from = this.root) {
    /** @type {Node[]} */
    const line = [];
    for (let at = from.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }

  /** The line through a node, from the first move to its end. @param {Node} node */
  through(node) {
    return [...this.line(node), ...this.main(node)];
  }

  /** True if a node is on the main line. @param {Node} node */
  isMain(node) {
    return this.line(node).every((one) => one.first);
  }

  /** All nodes in depth-first order, the start first. @returns {Node[]} */
  all() {
    /** @type {Node[]} */
    const found = [];
    const waiting = [this.root];
    for (let at = waiting.pop(); at; at = waiting.pop()) {
      found.push(at);
      waiting.push(...[...at.children].reverse());
    }
    return found;
  }

  /** The side to move after a node. @param {Node} node @returns {Side} */
  turn({ move }) {
    return move ? (move.side === "b" ? "w" : "b") : this.study.start.turn;
  }

  /** The ply of a node, as the record counts. @param {Node} node */
  ply(node) {
    return this.study.start.ply + node.depth - 1;
  }

  /** The pieces after a node. @param {Node} node @returns {Pieces} */
  pieces(node) {
    const way = [];
    let at = node;
    for (; !at.pieces && at.parent; at = at.parent) way.push(at);
    let pieces = at.pieces ?? { board: {}, hands: { b: {}, w: {} } };
    for (const next of way.reverse()) {
      if (next.move) pieces = piecesAfter(pieces, next.move);
      next.pieces = pieces;
    }
    return pieces;
  }

  /** The reference to the position after a node. @param {Node} node @returns {Required<PositionRef>} */
  branch(node) {
    const { variant, position } = this.study;
    return {
      variant: variant.id,
      options: variant.options,
      position,
      moves: this.line(node).map(({ move }) => move?.usi ?? ""),
    };
  }

  // --- Changes ---

  /**
   * Add a move after a node, unless it is there already; returns its node.
   * @param {Node} node @param {RecordedMove} move
   */
  add(node, move) {
    const known = node.children.find((child) => child.move?.usi === move.usi);
    if (known) return known;
    if (this.isMain(node) && !node.children.length) this.result = null;
    const added = new Node(node, move, {});
    node.children.push(added);
    return added;
  }

  /** Delete a node with all that follows it; returns a function that restores it. @param {Node} node */
  remove(node) {
    const { parent } = node;
    const { result } = this;
    const index = parent?.children.indexOf(node) ?? -1;
    if (this.isMain(node)) this.result = null;
    parent?.children.splice(index, 1);
    return () => {
      parent?.children.splice(index, 0, node);
      this.result = result;
    };
  }

  /** Put the innermost variation of a node before the line that it branches from. @param {Node} node */
  promote(node) {
    const branch = this.line(node)
      .filter((one) => !one.first)
      .at(-1);
    if (!branch?.parent) return;
    if (this.isMain(branch.parent)) this.result = null;
    const others = branch.parent.children.filter((child) => child !== branch);
    branch.parent.children = [branch, ...others];
  }

  // --- Export ---

  /** The record of the study. @returns {RecordData} */
  data() {
    const { variant, version, rules, start } = this.study;
    const nodes = this.all();
    const numbers = new Map(nodes.map((node, number) => [node, number]));
    const moves = nodes.slice(1).map((node, number) => {
      const after = numbers.get(node.parent ?? this.root) ?? 0;
      const score = scoreOf(node);
      const annotations = {
        ...(after === number ? {} : { after }),
        ...said(node),
        ...(node.mark ? { mark: node.mark } : {}),
        ...(node.seconds === null ? {} : { seconds: node.seconds }),
        ...(score ? { score } : {}),
      };
      const move = node.move?.usi ?? "";
      return Object.keys(annotations).length ? { move, ...annotations } : move;
    });
    const result = this.result && { winner: this.result.winner, reason: this.result.reason };
    return {
      schema: SCHEMA,
      variant: variant.id,
      version,
      options: variant.options,
      rules,
      ...(Object.keys(this.headers).length ? { headers: this.headers } : {}),
      start: start.sfen,
      ...said(this.root),
      moves,
      result,
    };
  }
}

/** The comment to record. @param {Node} node */
function said({ comment, shapes }) {
  const words = withShapes(comment, shapes);
  return words ? { comment: words } : {};
}

/** The score to record with a move, from the mover's point of view. @param {Node} node */
function scoreOf({ thought, score }) {
  if (!thought || (thought.score === null && thought.mate === null)) {
    if (!score) return null;
    const { value = null, mate = null, depth = null } = score;
    const found = mate !== null ? { mate } : value !== null ? { value } : {};
    return { ...found, ...(depth === null ? {} : { depth }) };
  }
  const { mate, depth } = thought;
  return {
    ...(mate === null ? { value: -(thought.score ?? 0) } : { mate: -mate }),
    ...(depth === undefined ? {} : { depth }),
  };
}
