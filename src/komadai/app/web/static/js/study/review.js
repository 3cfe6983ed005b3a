// @ts-check
/**
 * The review of a game or line: the engine evaluates every position, marks mistakes, and the person can practise them.
 */

import { findPosition } from "../lib/api.js";
import { byId, onClick } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { rememberMistake } from "../lib/mistake.js";
import { drillPage, following, tried } from "../lib/moments.js";
import { showNotice } from "../lib/notice.js";
import { fault, percent } from "../lib/phrases.js";
import { moveText } from "../lib/prefs.js";
import { SIDE_NAMES, SIDES } from "../lib/sides.js";
import { MARK_WORDS } from "./branches.js";

/** @import { KeptMoment } from "../types/client" */
/** @import { JudgedMessage, Side } from "../types/wire" */
/** @import { StudyPage } from "./page.js" */
/** @import { Node } from "./tree.js" */

const MISTAKES = ["?!", "?", "??"];
const JUDGE = 0.5; // seconds per position when an answer is judged; the server adds time where it suspects a mistake

export class Review {
  /** @param {StudyPage} page */
  constructor(page) {
    this.page = page;
    /** True if a review is under way. */
    this.running = false;
    /** True if an answer is being judged. */
    this.judging = false;
    /** The mistakes still to practise, the current one first. @type {Node[]} */
    this.tasks = [];
    /** The pages of the moments of games to be tried then. @type {string[]} */
    this.after = [];
    this.tried = false;
    onClick("review", () => (this.running ? this.stop() : this.start()));
    onClick("mistakes-b", () => this.#practise("b"));
    onClick("mistakes-w", () => this.#practise("w"));
    onClick("task-answer", () => this.#answer());
    onClick("task-keep", () => void this.#keep());
    onClick("task-next", () => this.#next());
    onClick("task-end", () => this.end());
  }

  // --- Review ---

  start() {
    const { page } = this;
    const line = page.tree.through(page.here);
    const last = line.at(-1);
    if (!last) return this.say(t("There are no moves to look at."));
    page.engine.stop();
    page.proof.stop();
    this.end();
    this.running = true;
    const nodes = [page.tree.root, ...line];
    const seconds = Number(/** @type {HTMLSelectElement} */ (byId("review-seconds")).value);
    this.#progress(0, nodes.length);
    page.analyst.ask(
      page.tree.branch(last),
      { t: "review", begin: 0, seconds, engine: page.engine.name.value },
      (message) => {
        if (message.t === "judged") {
          const node = nodes[message.ply];
          if (node) this.#judged(node, message);
          this.#progress(message.ply + 1, nodes.length);
          page.changed();
        } else if (message.t === "done" || message.t === "error") {
          this.running = false;
          this.say(message.t === "error" ? message.reason : (message.spent ?? summary(line)));
          page.changed();
          page.input.refresh();
        }
      },
    );
    page.input.refresh();
  }

  stop() {
    this.page.analyst.stop();
    this.running = false;
    this.say(t("The review was stopped."));
    this.page.input.refresh();
  }

  /** @param {Node} node @param {JudgedMessage} message */
  #judged(node, { score, mate, chance, moves, depth, outcome, loss, mark }) {
    node.thought = {
      score,
      mate,
      chance,
      moves,
      ...(depth === undefined ? {} : { depth }),
      ...(outcome === undefined ? {} : { outcome }),
    };
    if (loss !== undefined) node.loss = loss;
    if (mark !== undefined && (!node.mark || MISTAKES.includes(node.mark))) node.mark = mark;
    this.page.marked(node);
  }

  /** The mistakes of a side in the line shown. @param {Side} side */
  #mistakes(side) {
    return mistakes(this.page.tree.through(this.page.here), side);
  }

  /** @param {number} done @param {number} all */
  #progress(done, all) {
    const bar = /** @type {HTMLProgressElement} */ (byId("review-progress"));
    bar.max = all;
    bar.value = done;
    if (!done) this.say(t("Looking at every position…"));
  }

  /** @param {string} words */
  say(words) {
    byId("review-says").textContent = words;
  }

  show() {
    const review = this.page.tree.isMain(this.page.here) ? t("Review the game") : t("Review this line");
    byId("review").textContent = this.running ? t("Stop the review") : review;
    byId("review-progress").hidden = !this.running;
    for (const side of SIDES) {
      const count = this.running ? 0 : this.#mistakes(side).length;
      byId(`mistakes-${side}`).hidden = !count;
      byId(`mistakes-${side}`).textContent = n("{side}’s mistake", "{side}’s {count} mistakes", count, {
        side: SIDE_NAMES[side],
      });
    }
    byId("task").hidden = !this.tasks.length;
  }

  // --- Practising mistakes ---

  /** @param {Side} side */
  #practise(side) {
    this.tasks = this.#mistakes(side);
    for (const shown of [this.page.engine, this.page.values]) if (shown.on) shown.toggle(); // they show the answers
    this.page.turnTo(side);
    this.#pose();
  }

  /**
   * Try a moment of a game again, and then those that follow.
   * @param {KeptMoment} moment @param {string | null} kind of those that follow; `null`: those of its game
   */
  async drill(moment, kind) {
    const { page } = this;
    const { root } = page.tree;
    this.after = following(moment, kind).map(({ id }) => drillPage(id, kind ?? undefined));
    const node = await page.add(root, [moment.move.usi]);
    if (!node) return;
    const { score, mate, chance, best, loss, mark } = moment;
    root.thought = { score, mate, chance, moves: best };
    Object.assign(node, { loss, mark });
    page.turnTo(moment.side);
    this.tasks = [node];
    this.#pose();
    page.branches.draw(page.tree);
  }

  /** The node of the current task, before the mistake. */
  get position() {
    return this.tasks[0]?.parent ?? null;
  }

  #pose() {
    const { page } = this;
    const [node] = this.tasks;
    if (!node?.move || !node.parent) return this.end();
    this.tried = false;
    page.go(node.parent);
    const values = {
      number: page.tree.ply(node),
      move: moveText(node.move),
      mark: MARK_WORDS[node.mark] ?? "",
      side: SIDE_NAMES[node.move.side],
    };
    this.#message(
      node.loss === null
        ? t("Move {number}, {move}, was {mark}. Find a better move for {side}.", values)
        : t("Move {number}, {move}, was {mark}: it gave away {loss} of the chances. Find a better move for {side}.", {
            ...values,
            loss: percent(node.loss),
          }),
    );
    const left = this.tasks.length + this.after.length;
    byId("task-left").textContent = left > 1 ? t("{count} to go", { count: left }) : "";
    page.input.refresh();
    byId("task").scrollIntoView({ block: "nearest" });
  }

  /** Judge a move made in the position of the task. @param {Node} made */
  tryOut(made) {
    const { page } = this;
    const [node] = this.tasks;
    const best = node?.parent?.thought?.moves[0];
    const text = made.move ? moveText(made.move) : "";
    if (!node || !made.parent) return;
    if (made === node) return this.#again(t("{move} is what was played. Find a better one.", { move: text }));
    if (best && made.move?.usi === best.usi) return this.#right(t("{move} is the best move.", { move: text }));
    this.#message(t("Looking at {move}…", { move: text }));
    this.#judge(made, made.depth - 1, (message) => {
      if (message.loss === undefined) return;
      this.#judged(made, message);
      page.changed();
      const loss = percent(message.loss);
      if (message.mark === "")
        this.#right(
          message.loss < 0.02
            ? t("{move} is as good as the best.", { move: text })
            : t("{move} is good; the best is better by {loss}.", { move: text, loss }),
        );
      else this.#again(t("{move} gives away {loss} of the chances. Try again.", { move: text, loss }));
    });
  }

  /** @param {string} words */
  #again(words) {
    this.#message(words);
    if (this.position) this.page.go(this.position);
  }

  /** @param {string} words */
  #right(words) {
    this.#settled();
    this.#message(words);
    this.page.input.refresh();
    byId("task-next").focus();
  }

  /** The task is solved, or its answer is shown. */
  #settled() {
    this.tried = true;
    if (!this.page.moment) return;
    document.body.classList.remove("drilling");
    tried(this.page.moment.id);
  }

  #answer() {
    const parent = this.position;
    if (!parent) return;
    const moves = parent.thought?.moves ?? [];
    if (!moves.length) return this.#findAnswer(parent);
    this.#settled();
    this.#message(
      t("The best is {move}.", {
        move: moves
          .slice(0, 6)
          .map(({ text }) => text)
          .join(" "),
      }),
    );
    void this.page.addLine(parent, moves, true);
  }

  /** Search for the best move, if it is unknown because the mark came with the record. @param {Node} parent */
  #findAnswer(parent) {
    this.#message(t("Looking for a good move…"));
    this.#judge(parent, parent.depth, (message) => {
      this.#judged(parent, message);
      if (message.moves.length) this.#answer();
      else this.#message(t("The engine found nothing."));
    });
  }

  /**
   * Let the engine evaluate the positions from `begin` up to a node.
   * @param {Node} node @param {number} begin @param {(message: JudgedMessage) => void} receive
   */
  #judge(node, begin, receive) {
    const { page } = this;
    page.engine.stop();
    page.proof.stop();
    this.judging = true;
    page.analyst.ask(page.tree.branch(node), { t: "review", begin, seconds: JUDGE }, (message) => {
      if (message.t === "judged") return receive(message);
      this.judging = false;
      if (message.t === "error") this.#message(message.reason);
      else if (message.t === "done" && message.spent) this.#message(message.spent);
      page.input.refresh();
    });
  }

  /** Let the mistake come back in the days to come. */
  async #keep() {
    const [node] = this.tasks;
    const [parent, best] = [node?.parent, node?.parent?.thought?.moves[0]];
    if (!node?.move || !parent || !best)
      return showNotice(t("First look at the answer: the better move is not known yet."));
    try {
      const branch = this.page.tree.branch(parent);
      const { sfen } = parent.position ?? (await findPosition(branch, parent.depth)).position;
      const kept = rememberMistake(branch, sfen, node.move, best);
      if (kept) showNotice(t("Kept: it comes back from tomorrow on, under “Today”."), true);
      else showNotice(t("This browser cannot keep it: its storage or its list of cards is full."));
    } catch (error) {
      showNotice(fault(error));
    }
  }

  #next() {
    this.tasks.shift();
    const [onward] = this.after;
    if (this.tasks.length) this.#pose();
    else if (onward) location.assign(onward);
    else {
      this.end();
      this.say(t("That was the last one."));
    }
  }

  end() {
    this.tasks = [];
    this.page.input.refresh();
  }

  /** @param {string} words */
  #message(words) {
    byId("task-says").replaceChildren(...marked(words));
  }
}

/** @param {Node[]} line @param {Side} side */
function mistakes(line, side) {
  return line.filter(({ move, mark }) => move?.side === side && MISTAKES.includes(mark));
}

/** The result of a review in words. @param {Node[]} line */
function summary(line) {
  const [black, white] = [mistakes(line, "b").length, mistakes(line, "w").length];
  return t("Reviewed. {black}; {white}.", {
    black: `${SIDE_NAMES.b}: ${n("{count} mistake", "{count} mistakes", black)}`,
    white: `${SIDE_NAMES.w}: ${n("{count} mistake", "{count} mistakes", white)}`,
  });
}
