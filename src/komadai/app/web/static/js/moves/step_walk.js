// @ts-check
/** A walk down the prefix tree of legal moves that the server sent: the only "rules" of the client. */

/** @import { Landing, Position, Step, Variant } from "../types/wire" */

/**
 * Resolve the references between steps, so that paths to the same state share their continuations. In games without
 * hands the gain of a capture is dropped.
 * @param {Step[]} tree @param {Step[][]} shared @param {boolean} hands
 */
export function link(tree, shared, hands) {
  const lists = [tree, ...shared];
  for (const list of lists) {
    for (const step of list) {
      if (step.ref !== undefined) step.next = shared[step.ref] ?? [];
      else if (step.next) lists.push(step.next);
      if (!hands) delete step.gains;
    }
  }
}

/** All points in a tree of steps. @param {Step[]} tree @returns {string[]} */
export function pointsOf(tree) {
  const lists = new Set([tree]);
  for (const list of lists) for (const { next } of list) if (next) lists.add(next);
  return [...new Set([...lists].flatMap((list) => list.flatMap(({ at }) => (at ? [at] : []))))];
}

/** Cache of the points that every move through a list costs. @type {WeakMap<Step[], string[]>} */
const costs = new WeakMap();

/**
 * Points of the mover's own pieces that every move starting with this step loses.
 * @param {Step | undefined} step @returns {string[]}
 */
export function costsOf(step) {
  if (!step?.next) return step?.loses ?? [];
  const known = costs.get(step.next);
  if (known) return known;
  const [first = [], ...others] = step.next.map(costsOf);
  const common = first.filter((at) => others.every((lost) => lost.includes(at)));
  costs.set(step.next, common);
  return common;
}

/** Cache of the only move through a list, `null` if there are several. @type {WeakMap<Step[], Step | null>} */
const only = new WeakMap();

/**
 * The last step of the only move that starts with this step, `null` if there are several.
 * @param {Step} step @returns {Step | null}
 */
export function onlyMove(step) {
  if (!step.next) return step;
  const known = only.get(step.next);
  if (known !== undefined) return known;
  const [first = null, ...others] = step.next.map(onlyMove);
  const same = others.every((other) => other?.usi === first?.usi) ? first : null;
  only.set(step.next, same);
  return same;
}

/**
 * True if a move loses, captures and promotes nothing beyond the captures already made.
 * @param {Step} end the last step of a move @param {string[]} [taken]
 */
function isQuiet({ loses, prey = [], burns, turns, notes, piece }, taken = []) {
  return !loses && !burns && !turns && !notes && piece !== null && prey.every((at) => taken.includes(at));
}

/**
 * The points two or more legs away where exactly one quiet move ends, each with the steps there.
 * @param {Step[]} children @returns {Map<string, Step[]>}
 */
export function farEnds(children) {
  /** @type {Map<string, { usi: string | undefined, way: Step[] } | null>} */
  const found = new Map();
  const seen = new Set([children]);
  /** @type {{ list: Step[], way: Step[] }[]} */
  const open = [{ list: children, way: [] }];
  for (const { list, way } of open) {
    for (const step of list) {
      if (step.t !== "go" || !step.at) continue;
      const to = [...way, step];
      const ends = step.next ? step.next.filter((end) => end.at === undefined) : [step];
      for (const end of ends.filter((end) => isQuiet(end))) {
        const before = found.get(step.at);
        if (before === undefined) found.set(step.at, { usi: end.usi, way: end === step ? to : [...to, end] });
        else if (before?.usi !== end.usi) found.set(step.at, null);
      }
      if (step.next && !seen.has(step.next)) {
        seen.add(step.next);
        open.push({ list: step.next, way: to });
      }
    }
  }
  const near = new Set(children.map(({ at }) => at));
  return new Map([...found].flatMap(([at, one]) => (one && !near.has(at) ? [[at, one.way]] : [])));
}

/** @param {Step | undefined} step */
function isLanding(step) {
  return step?.t === "go" || step?.t === "capture";
}

export class StepWalk {
  /** @param {Step[]} tree */
  constructor(tree) {
    this.root = tree;
    /** Steps taken so far. @type {Step[]} */
    this.path = [];
    /** Indices of the steps that were taken automatically, as the only ones possible. @type {Set<number>} */
    this.forced = new Set();
    /** True if the person ends the move here and only the promotion is open. */
    this.ending = false;
  }

  /** The possible next steps. @returns {Step[]} */
  get children() {
    return this.path.length ? (this.path[this.path.length - 1]?.next ?? []) : this.root;
  }

  /** The step taken last, if any. */
  get last() {
    return this.path[this.path.length - 1];
  }

  /** The move string, if the path has reached a leaf. */
  get usi() {
    return this.last?.usi;
  }

  /** True if a compound move has begun that may continue to other points. */
  get underway() {
    return (
      this.path.length > 1 &&
      (isLanding(this.last) || this.last?.t === "shoot") &&
      this.children.some((step) => step.at !== undefined)
    );
  }

  /** The possible ends of the compound move here. */
  get ends() {
    return this.underway ? this.children.filter((step) => step.at === undefined) : [];
  }

  /** True if the next step is a choice between kinds rather than points. */
  get choosing() {
    const { children } = this;
    return (
      this.path.length > 0 && children.length > 0 && (this.ending || children.every((step) => step.at === undefined))
    );
  }

  /** The steps without a point: promotions, faces and ends. */
  get choices() {
    return this.children.filter((step) => step.at === undefined);
  }

  /** The latest landing. */
  get goal() {
    return this.path.filter(isLanding).at(-1)?.at ?? null;
  }

  /** The present point of the moving piece: its latest landing or its origin. */
  get here() {
    return this.goal ?? this.path.find((step) => step.t === "select")?.at ?? null;
  }

  /** The origin and the landings, with the shots from each. @returns {Landing[]} */
  get way() {
    /** @type {Landing[]} */
    const way = [];
    for (const step of this.path) {
      if (step.at && (isLanding(step) || step.t === "select")) way.push({ at: step.at, shots: [] });
      else if (step.at && step.t === "shoot") way[way.length - 1]?.shots.push(step.at);
    }
    return way;
  }

  /** The points of the captures so far. */
  get taken() {
    return this.path.flatMap((step) => (step.at && (step.t === "capture" || step.t === "shoot") ? [step.at] : []));
  }

  /** Take a step. @param {Step} step one of `children` */
  down(step) {
    this.ending = false;
    this.path.push(step);
  }

  /** Take the next step of a compound move if it is the only one and has no effect that has not been shown. */
  advance() {
    for (
      let [next, ...others] = this.children;
      this.underway && next && !others.length;
      [next, ...others] = this.children
    ) {
      if (next.t !== "go" || !(next.next || isQuiet(next, this.taken))) return;
      this.forced.add(this.path.length);
      this.path.push(next);
    }
  }

  /** Undo one step, with the automatic steps after it, and with the landing that led to the choice. */
  up() {
    if (this.ending) {
      this.ending = false;
      return;
    }
    const undone = this.#pop();
    if (undone?.at === undefined && this.choosing && isLanding(this.last)) this.#pop();
  }

  #pop() {
    while (this.forced.delete(this.path.length - 1)) this.path.pop();
    return this.path.pop();
  }

  /** Return to the root. */
  reset() {
    this.path = [];
    this.forced.clear();
    this.ending = false;
  }

  /** The next steps to a point. @param {string} at */
  all(at) {
    return this.children.filter((step) => step.at === at);
  }

  /** The first of the next steps to a point. @param {string} at */
  at(at) {
    return this.children.find((step) => step.at === at);
  }

  /** All points where a kind may be dropped. @param {string} code */
  drops(code) {
    /** @type {(step: Step) => string[]} */
    const points = (step) => (step.next ?? [step]).flatMap((child) => (child.at ? [child.at] : points(child)));
    return [...new Set(this.root.filter((step) => step.t === "drop" && step.code === code).flatMap(points))];
  }

  /** The step that selects the piece on a point. @param {string} at */
  select(at) {
    return this.root.find((step) => step.t === "select" && step.at === at);
  }

  /** The step that selects a kind in hand. @param {string} code */
  drop(code) {
    return this.root.find((step) => step.t === "drop" && step.code === code);
  }
}

/** A walk of the tree of a position. @param {Position} position @param {Variant} variant */
export function walkOf({ tree, shared = [] }, { hands }) {
  link(tree, shared, hands.length > 0);
  return new StepWalk(tree);
}
