// @ts-check
/** A walk down the tree of legal moves that the server published. The only "rules" the client has. */

/** @typedef {import("../types/wire").Step} Step */
/** @typedef {import("../types/wire").Landing} Landing */

/**
 * Put the lists that steps refer to in their places: routes to the same state then share what follows. In a game without
 * hands nobody asks what a capture brings there.
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

/** Every point a tree of steps names. @param {Step[]} tree @returns {string[]} */
export function pointsOf(tree) {
  const lists = new Set([tree]);
  for (const list of lists) for (const { next } of list) if (next) lists.add(next);
  return [...new Set([...lists].flatMap((list) => list.flatMap(({ at }) => (at ? [at] : []))))];
}

/** What every move through a list costs: worked out once. @type {WeakMap<Step[], string[]>} */
const costs = new WeakMap();

/** Points of the mover's own pieces that every move beginning with this step costs. @param {Step | undefined} step @returns {string[]} */
export function costsOf(step) {
  if (!step?.next) return step?.loses ?? [];
  const known = costs.get(step.next);
  if (known) return known;
  const [first = [], ...others] = step.next.map(costsOf);
  const common = first.filter((at) => others.every((lost) => lost.includes(at)));
  costs.set(step.next, common);
  return common;
}

/** The only move through a list, `null` where there are several. @type {WeakMap<Step[], Step | null>} */
const only = new WeakMap();

/** The last step of the only move that begins with this step, `null` where there are several. @param {Step} step @returns {Step | null} */
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
 * Whether nothing is lost, taken or turned by it, but for what is taken already.
 * @param {Step} end the last step of a move @param {string[]} [taken]
 */
function isQuiet({ loses, prey = [], burns, turns, notes, piece }, taken = []) {
  return !loses && !burns && !turns && !notes && piece !== null && prey.every((at) => taken.includes(at));
}

/**
 * The points two or more quiet legs away at which exactly one quiet move ends, each with a way there.
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
    /** Which of them nobody chose, there being nothing else. @type {Set<number>} */
    this.forced = new Set();
    /** Whether the move shall end here, and only what the piece becomes is open. */
    this.ending = false;
  }

  /** What may come next. @returns {Step[]} */
  get children() {
    return this.path.length ? (this.path[this.path.length - 1]?.next ?? []) : this.root;
  }

  /** The step taken last, if any. */
  get last() {
    return this.path[this.path.length - 1];
  }

  /** The move string, once the path has reached a leaf. */
  get usi() {
    return this.last?.usi;
  }

  /** Whether the piece has landed or shot, and the move may go on to other points. */
  get underway() {
    return (
      this.path.length > 1 &&
      (isLanding(this.last) || this.last?.t === "shoot") &&
      this.children.some((step) => step.at !== undefined)
    );
  }

  /** The ways to end a move under way here. */
  get ends() {
    return this.underway ? this.children.filter((step) => step.at === undefined) : [];
  }

  /** Whether what comes next is a choice between kinds rather than between points. */
  get choosing() {
    const { children } = this;
    return (
      this.path.length > 0 && children.length > 0 && (this.ending || children.every((step) => step.at === undefined))
    );
  }

  /** What the choice is between. */
  get choices() {
    return this.children.filter((step) => step.at === undefined);
  }

  /** The point that the path has come to. */
  get goal() {
    return this.path.filter(isLanding).at(-1)?.at ?? null;
  }

  /** Where the piece is while the move is under way: where it has come to, or where it stood. */
  get here() {
    return this.goal ?? this.path.find((step) => step.t === "select")?.at ?? null;
  }

  /** Where the piece has landed and what it has shot from there. @returns {Landing[]} */
  get way() {
    /** @type {Landing[]} */
    const way = [];
    for (const step of this.path) {
      if (step.at && (isLanding(step) || step.t === "select")) way.push({ at: step.at, shots: [] });
      else if (step.at && step.t === "shoot") way[way.length - 1]?.shots.push(step.at);
    }
    return way;
  }

  /** Where pieces have been taken on the way. */
  get taken() {
    return this.path.flatMap((step) => (step.at && (step.t === "capture" || step.t === "shoot") ? [step.at] : []));
  }

  /** @param {Step} step one of `children` */
  down(step) {
    this.ending = false;
    this.path.push(step);
  }

  /** A move under way that can only go on to one point goes there, unless that costs or brings something not yet shown. */
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

  /** Undo one step: what followed it by itself goes with it, and a landing goes with the choice it led to. */
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

  reset() {
    this.path = [];
    this.forced.clear();
    this.ending = false;
  }

  /** The next steps that lie at a point. @param {string} at */
  all(at) {
    return this.children.filter((step) => step.at === at);
  }

  /** The next step that lies at a point. @param {string} at */
  at(at) {
    return this.children.find((step) => step.at === at);
  }

  /** Every point where a piece of that kind from the hand may be put. @param {string} code */
  drops(code) {
    /** @type {(step: Step) => string[]} */
    const points = (step) => (step.next ?? [step]).flatMap((child) => (child.at ? [child.at] : points(child)));
    return [...new Set(this.root.filter((step) => step.t === "drop" && step.code === code).flatMap(points))];
  }

  /** The first step that takes up the piece at a point. @param {string} at */
  select(at) {
    return this.root.find((step) => step.t === "select" && step.at === at);
  }

  /** The first step that takes up a piece of that kind from the hand. @param {string} code */
  drop(code) {
    return this.root.find((step) => step.t === "drop" && step.code === code);
  }
}
