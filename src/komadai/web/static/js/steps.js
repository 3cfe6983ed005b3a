// @ts-check
/** A walk down the tree of legal moves that the server published. The only "rules" the client has. */

/** @typedef {import("./types").Step} Step */

/** Every point a tree of steps names. @param {Step[]} tree @returns {string[]} */
export function pointsOf(tree) {
  return [...new Set(tree.flatMap(({ at, next }) => [...(at ? [at] : []), ...pointsOf(next ?? [])]))];
}

/** Points of the mover's own pieces that every move beginning with this step costs. @param {Step | undefined} step @returns {string[]} */
export function costsOf(step) {
  if (!step?.next) return step?.loses ?? [];
  const [first = [], ...others] = step.next.map(costsOf);
  return first.filter((at) => others.every((lost) => lost.includes(at)));
}

export class Walk {
  /** @param {Step[]} tree */
  constructor(tree) {
    this.root = tree;
    /** Steps taken so far. @type {Step[]} */
    this.path = [];
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

  /** Whether what comes next is a choice between kinds rather than between points. */
  get choosing() {
    const first = this.children[0];
    return first !== undefined && first.at === undefined && this.path.length > 0;
  }

  /** The point that the last part of the path goes to. */
  get goal() {
    return this.path.find((step) => step.t === "go" || step.t === "capture")?.at ?? null;
  }

  /** @param {Step} step one of `children` */
  down(step) {
    this.path.push(step);
  }

  /** Undo one step. */
  up() {
    this.path.pop();
  }

  reset() {
    this.path = [];
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
