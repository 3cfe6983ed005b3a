// @ts-check
/** The page of a study: a board on which both sides move freely, the tree of moves, and the engine. */

import { AnalysisClient } from "../lib/analysis.js";
import { button, byId, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { randomId } from "../lib/ids.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { moveText } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { recordedName } from "../lib/seats.js";
import { Book } from "./book.js";
import { CHAPTER, Chapters } from "./chapters.js";
import { studyCommands } from "./controls.js";
import { keep, onRewritten } from "./drafts.js";
import { Engine } from "./engine.js";
import { Graph } from "./graph.js";
import { Notes } from "./notes.js";
import { Proof } from "./proof.js";
import { Review } from "./review.js";
import { SaveDialog } from "./save_dialog.js";
import { TreePage } from "./tree_page.js";
import { Values } from "./values.js";

/** @import { KeptMoment, Thought } from "../types/client" */
/** @import { Judged, PlayedMove, Side, Step, StudyData } from "../types/wire" */
/** @import { Node, Tree } from "./tree.js" */

/**
 * `show` is called when something else is shown; `following`: what is shown comes from somebody else.
 * @typedef {{ show: (within?: number) => void, following?: boolean }} Live
 */

const LIVE = "komadai.live"; // where live_maker.js keeps what is live
const CHANGED = 400; // milliseconds over which words and arrows are collected for those who follow
const CALM = 1500; // milliseconds
const SAVE = 500; // milliseconds from a change until it is stored

export class StudyPage extends TreePage {
  /**
   * @param {StudyData} study @param {string | null} draft id of the draft it is stored as, if it is
   * @param {KeptMoment | null} [moment] that is tried again: then nothing is stored
   */
  constructor(study, draft, moment = null) {
    super(study);
    this.draft = draft;
    this.moment = moment;
    document.body.classList.toggle("drilling", moment !== null);
    /** Who shows this study to others, or whom it follows. @type {Live | null} */
    this.live = null;
    /** True of a live study of somebody else, which is not kept here. */
    this.followed = false;
    this.saving = 0;
    /** True if there are changes that could not be stored. */
    this.unsaved = false;
    this.redrawing = 0;
    this.analyst = new AnalysisClient();
    this.engine = new Engine(this);
    this.proof = new Proof(this);
    this.values = new Values(this);
    this.book = new Book(this);
    this.graph = new Graph(this);
    this.review = new Review(this);
    this.notes = new Notes(this);
    this.chapters = new Chapters(this, study.chapters);
    this.saveDialog = new SaveDialog(this);
    window.addEventListener("pagehide", () => this.#flush());
    window.addEventListener("beforeunload", (event) => this.unsaved && event.preventDefault());
    onRewritten((id) => this.#rewritten(id));
    this.input.board.drawings.keep = (shapes) => {
      this.here.shapes = shapes;
      this.changed();
    };
    onClick("go-live", () => void this.#goLive());
    this.begin();
  }

  /** @override */
  ownCommands() {
    return studyCommands(this);
  }

  // --- Live ---

  async #goLive() {
    byId("go-live").toggleAttribute("disabled", true);
    try {
      const { goLive } = await import("./live_maker.js");
      this.live = await goLive(this);
      this.chapters.show();
    } catch (error) {
      showNotice(fault(error));
    }
    byId("go-live").toggleAttribute("disabled", false);
  }

  /** Go on with the study that was live when its page was left. */
  async resume() {
    if (!this.draft || !localStorage.getItem(LIVE)?.includes(this.draft)) return;
    const { liveOf, Maker } = await import("./live_maker.js");
    const kept = liveOf(this.draft);
    if (kept) this.live = new Maker(this, kept, true);
    this.chapters.show();
  }

  /** Follow somebody else's study: nothing of it is kept here. @param {Live} live */
  follow(live) {
    this.live = live;
    this.followed = true;
    document.body.classList.add("followed");
    this.notes.comment.readOnly = true;
    this.book.part.open = false; // so that it asks only where somebody wants it
  }

  /** It is one's own from now on. */
  release() {
    this.live = null;
    this.followed = false;
    document.body.classList.remove("followed");
    this.notes.comment.readOnly = false;
    for (const chapter of this.chapters.list) chapter.live = null;
    this.chapters.list = this.chapters.list.filter(({ data }) => data.length);
    this.changed();
    this.input.refresh();
  }

  /** @override */
  get patience() {
    // What many follow, they must not all ask about at once.
    return this.live?.following ? CALM * (1 + Math.random()) : super.patience;
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

  /** Show the board from the point of view of a side. @param {Side} side */
  turnTo(side) {
    if ((side === "w") !== this.input.flipped) this.input.flip();
  }

  /** Show another chapter. @override @param {Tree} tree @param {Node} here */
  enter(tree, here) {
    if (this.review.running) this.review.stop();
    this.review.tasks = [];
    this.engine.stop();
    this.proof.stop();
    super.enter(tree, here);
    this.notes.list();
    this.#address();
  }

  // --- Moves ---

  /** A move has been made on the board. @override @param {Node} node */
  moved(node) {
    const task = this.review.position === this.here && !this.review.tried;
    super.moved(node);
    if (task) this.review.tryOut(node);
  }

  /**
   * Add a line after a node, as a variation if there is another line already.
   * @param {Node} from @param {PlayedMove[]} moves @param {boolean} [follow] whether to go there
   */
  async addLine(from, moves, follow = false) {
    const known = new Set(from.children);
    const line = moves.map(({ usi }) => usi);
    const last = await this.add(from, line);
    if (!last) return;
    const first = from.children.find(({ move }) => move?.usi === line[0]);
    if (follow && first) this.go(first);
    else this.input.refresh();
    showNotice(
      first && known.has(first) ? t("The line has been added to the existing variation.") : t("Added as a variation."),
      true,
    );
  }

  /** @override @param {Step} step @returns {Judged["outcome"] | null} */
  worth(step) {
    return this.values.worth(step);
  }

  /** Make the variation shown the main line of its branching point. */
  promote() {
    if (this.followed) return;
    this.tree.promote(this.here);
    this.#reshaped();
  }

  /** Delete the move shown, with all that follows it. */
  remove() {
    const { here } = this;
    if (!here.parent || this.followed) return;
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
    const { study } = this.tree;
    const [first] = this.chapters.list;
    const headers = first?.tree?.headers ?? first?.record?.headers ?? {};
    const players = [headers.Black, headers.White].filter(Boolean).map(recordedName).join(" – ");
    return [t(study.variant.name), players || headers.Event || headers[CHAPTER], headers.Date]
      .filter(Boolean)
      .join(", ");
  }

  /** Something has changed: store it soon, or at once if the address does not lead to it yet. @override */
  changed() {
    if (this.moment || this.followed) return;
    this.live?.show(CHANGED);
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.#flush(), this.draft ? SAVE : 0);
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
    const kept = keep(this.draft, this.name, JSON.stringify(this.chapters.file));
    this.unsaved = !kept;
    if (kept) this.#address();
    byId("kept").textContent = kept ? t("Kept in this browser") : t("This browser cannot keep it: save it to a file.");
  }

  /** Let the address lead to the chapter shown, if the study is kept. */
  #address() {
    if (!this.draft) return;
    const { index } = this.chapters;
    history.replaceState(null, "", `${ROOT}study?draft=${this.draft}${index ? `&chapter=${index + 1}` : ""}`);
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

  /** @override */
  refreshed() {
    super.refreshed();
    this.input.board.drawings.show(this.here.shapes);
    document.title = t("{game} – study", { game: this.name });
    this.notes.show();
    this.chapters.show();
    this.proof.show();
    this.engine.show();
    this.values.show();
    this.book.show();
    this.review.show();
    this.graph.show();
    this.live?.show();
  }
}
