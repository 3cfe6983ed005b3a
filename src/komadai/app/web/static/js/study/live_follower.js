// @ts-check
/** A live study that somebody follows: the board shows what its maker shows, until one looks around by oneself. */

import { button } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { Chapter } from "./chapters.js";
import { lost, showBar } from "./live_bar.js";
import { LiveLine } from "./live_line.js";
import { Tree } from "./tree.js";

/** @import { FollowerMessage, LiveMessage, PatchMessage, StudyData } from "../types/wire" */
/** @import { StudyPage } from "./page.js" */
/** @import { Node } from "./tree.js" */
/** @typedef {{ version: number, study: StudyData }} Known */

/** @type {Record<string, string>} */
const ENDED = {
  ended: t("The live study has ended."),
  gone: t("This study is not live, or no longer."),
  full: t("As many people follow this study as can: try again later."),
};

/** A chapter after a patch. @param {StudyData} was @param {PatchMessage} patch @returns {StudyData} */
export function patched(was, { headers, result, nodes }) {
  const made = nodes.map((one) => (Array.isArray(one) ? { ...was.nodes[one[0]], after: one[1] } : one));
  return { ...was, headers, result, nodes: /** @type {StudyData["nodes"]} */ (made) };
}

/** The node of a tree after the moves that lead to a node of another, or the last that there is. @param {Tree} tree @param {Tree} other @param {Node} node */
function placeIn(tree, other, node) {
  let at = tree.root;
  for (const { move } of other.line(node)) {
    const next = at.children.find((child) => child.move?.usi === move?.usi);
    if (!next) return at;
    at = next;
  }
  return at;
}

/**
 * Add the moves of one's own to a chapter that has changed, so far as the maker has left what they follow.
 * @param {Tree} tree @param {Tree} former @param {{ has: (node: Node) => boolean }} theirs
 */
export function carryOver(tree, former, theirs) {
  for (const node of former.all()) {
    if (theirs.has(node) || !node.parent || !node.move) continue;
    const parent = placeIn(tree, former, node.parent);
    if (parent.depth === node.parent.depth) tree.add(parent, node.move);
  }
}

export class Follower {
  /**
   * @param {string} live @param {(study: StudyData, follower: Follower) => StudyPage} open makes the page of the first chapter
   * @param {(words: string) => void} refuse called if there is nothing to follow
   */
  constructor(live, open, refuse) {
    this.open = open;
    this.refuse = refuse;
    /** @type {StudyPage | null} */
    this.page = null;
    /** @type {Map<string, Known>} */
    this.known = new Map();
    /** @type {LiveMessage | null} */
    this.state = null;
    /** The moves of the maker, of all chapters; the others are one's own. @type {WeakSet<Node>} */
    this.theirs = new WeakSet();
    this.following = true;
    /** True while the board shows what came. */
    this.moving = false;
    this.followers = 0;
    this.trouble = "";
    /** Those who wait for a chapter. @type {Map<string, (tree: Tree) => void>} */
    this.waiting = new Map();
    this.line = new LiveLine(live, {
      message: (message) => this.#receive(message),
      up: (up) => {
        this.trouble = up ? "" : lost();
        this.#bar();
      },
    });
  }

  /** @param {FollowerMessage} message */
  #receive(message) {
    if (message.t === "chapter") this.#learn(message.id, message);
    else if (message.t === "patch") {
      const was = this.known.get(message.id);
      if (was?.version === message.was)
        this.#learn(message.id, { version: message.version, study: patched(was.study, message) });
      else this.line.ask(message.id);
    } else if (message.t === "live") this.#show(message);
    else if (message.t === "followers") this.followers = message.count;
    else if (message.t === "error") showNotice(message.reason);
    else if (message.t === "ended") this.#end(ENDED[message.why] ?? "");
    this.#bar();
  }

  /** @param {string} id @param {Known} known */
  #learn(id, { version, study }) {
    this.known.set(id, { version, study });
    const chapter = this.page?.chapters.list.find((one) => one.id === id);
    if (chapter?.tree && this.page) {
      const { page } = this;
      const tree = this.#tree(study);
      carryOver(tree, chapter.tree, this.theirs);
      const here = placeIn(
        tree,
        chapter.tree,
        chapter === page.chapters.current ? page.here : (chapter.here ?? tree.root),
      );
      Object.assign(chapter, { tree, here });
      if (chapter === page.chapters.current) this.#quietly(() => page.enter(tree, here));
    }
    this.waiting.get(id)?.(this.#tree(study));
    this.waiting.delete(id);
  }

  /** The tree of a chapter as the maker has it. @param {StudyData} study */
  #tree(study) {
    const tree = new Tree(study);
    this.#know(tree);
    return tree;
  }

  /** @param {Tree} tree */
  #know(tree) {
    for (const node of tree.all()) this.theirs.add(node);
  }

  /** The node of the maker's with a number. @param {Tree} tree @param {number} number */
  #node(tree, number) {
    return tree.all().filter((node) => this.theirs.has(node))[number] ?? tree.root;
  }

  /** A chapter, which comes if it is not known. @param {string} id @returns {Promise<Tree>} */
  #load(id) {
    const version = this.state?.chapters.find((one) => one.id === id)?.version;
    const known = this.known.get(id);
    if (known && known.version === version) return Promise.resolve(this.#tree(known.study));
    return new Promise((done) => {
      this.waiting.set(id, done);
      this.line.ask(id);
    });
  }

  /** @param {LiveMessage} state */
  #show(state) {
    this.state = state;
    this.followers = state.followers;
    const first = this.known.get(state.view.chapter);
    if (!first) return this.line.ask(state.view.chapter);
    if (!this.page) {
      this.page = this.open(first.study, this);
      const { current } = this.page.chapters;
      this.#know(this.page.tree);
      current.id = state.view.chapter;
    }
    const { chapters } = this.page;
    const former = new Map(chapters.list.map((one) => [one.id, one]));
    chapters.list = state.chapters.map(({ id, name, version }) => {
      const made = former.get(id) ?? new Chapter(null);
      made.id = id;
      made.live = { id, name, load: () => this.#load(id) };
      if (this.known.get(id)?.version !== version) {
        if (made.tree) this.line.ask(id); // what is seen of it, and one's place there, stay until it comes
      }
      return made;
    });
    if (!chapters.list.includes(chapters.current)) this.following = true;
    if (this.following) this.#follow();
    else chapters.show();
  }

  /** Show what the maker shows. */
  #follow() {
    const { page, state } = this;
    const chapter = page?.chapters.list.find(({ id }) => id === state?.view.chapter);
    const known = state && this.known.get(state.view.chapter);
    if (!page || !state || !chapter || !known) return;
    this.#quietly(() => {
      chapter.tree ??= this.#tree(known.study);
      const node = this.#node(chapter.tree, state.view.node);
      if (page.chapters.current !== chapter) {
        chapter.here = node;
        page.chapters.enter(chapter, chapter.tree);
      } else if (page.here !== node) page.go(node);
      if (page.input.flipped !== state.view.flipped) page.input.flip();
      page.chapters.show();
    });
  }

  /** @param {() => void} act */
  #quietly(act) {
    this.moving = true;
    try {
      act();
    } finally {
      this.moving = false;
    }
  }

  /** The page shows a position: one's own way, unless it came. */
  show() {
    const { page, state } = this;
    if (this.moving || !page || !state || !this.following) return;
    const { current } = page.chapters;
    if (current.id === state.view.chapter && page.here === this.#node(page.tree, state.view.node)) return;
    this.following = false;
    this.#bar();
  }

  #bar() {
    if (!this.page || this.line.over) return;
    const words = this.following ? t("You follow a live study") : t("You look around by yourself");
    const back = () => {
      this.following = true;
      this.#follow();
      this.#bar();
    };
    showBar(this.trouble || words, this.followers, [
      this.following ? null : button({ class: "primary", id: "live-back" }, back, t("Follow again")),
    ]);
  }

  /** @param {string} words */
  #end(words) {
    const { page } = this;
    if (!page) return this.refuse(words);
    const copy = () => {
      page.release();
      showBar(t("This is a copy of your own."), null);
    };
    showBar(words, null, [button({ class: "plain", id: "live-copy" }, copy, t("Keep a copy"))]);
  }
}
