// @ts-check
/** Engine analysis of the position shown: the best lines, while it is switched on. */

import { otherEngines } from "../lib/api.js";
import { button, byId, filledBy, h, onClick, say } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { showNotice } from "../lib/notice.js";
import { percent } from "../lib/phrases.js";
import { moveText } from "../lib/prefs.js";
import { scoreText, scoreWords, short } from "./scores.js";

/** @import { EngineLine, InfoMessage } from "../types/wire" */
/** @import { StudyPage } from "./page.js" */
/** @import { Node } from "./tree.js" */

const PAUSE = 250; // milliseconds that a position is shown before it is searched
const HINT = 1.5; // seconds for a hint

export class Engine {
  /** @param {StudyPage} page */
  constructor(page) {
    this.page = page;
    this.on = false;
    /** The node being searched. @type {Node | null} */
    this.node = null;
    /**
     * Results, with the settings that they were found with.
     * @type {WeakMap<Node, { info: InfoMessage, work: string }>}
     */
    this.known = new WeakMap();
    /** The node whose best move is shown as a hint. @type {Node | null} */
    this.hinted = null;
    this.timer = 0;
    this.lines = /** @type {HTMLSelectElement} */ (byId("engine-count"));
    this.seconds = /** @type {HTMLSelectElement} */ (byId("engine-seconds"));
    this.name = /** @type {HTMLSelectElement} */ (byId("engine-name"));
    void this.#offer();
    onClick("analyse", () => this.toggle());
    onClick("hint", () => this.hint());
    for (const choice of [this.lines, this.seconds, this.name]) choice.addEventListener("change", () => this.show());
  }

  get #work() {
    return `${this.lines.value} ${this.seconds.value} ${this.name.value}`;
  }

  /** Offer the other engines of the server, if there are any for this game. */
  async #offer() {
    const names = await otherEngines(this.page.input.variant.id).catch(() => []);
    this.name.append(...names.map((name) => h("option", { value: name }, name)));
    byId("engine-choice").hidden = !names.length;
  }

  toggle() {
    this.on = !this.on;
    if (!this.on) this.stop();
    this.show();
  }

  /** Stop the search. */
  stop() {
    clearTimeout(this.timer);
    if (this.node) this.page.analyst.stop();
    this.node = null;
  }

  /** The page shows a position: search it, if the engine is on. */
  show() {
    const { page } = this;
    const { here } = page;
    byId("analyse").setAttribute("aria-pressed", String(this.on));
    if (this.hinted !== here) this.hinted = null;
    const known = this.known.get(here);
    if (this.on && !page.engaged && this.node !== here && known?.work !== this.#work) {
      this.stop();
      this.timer = setTimeout(() => this.#ask(here), PAUSE);
    } else if (this.node && this.node !== here) this.stop();
    this.draw();
  }

  /** @param {Node} node @param {number} [seconds] @param {() => void} [then] */
  #ask(node, seconds = Number(this.seconds.value), then) {
    const { page } = this;
    const work = this.#work;
    this.node = node;
    this.say(t("Thinking…"));
    page.analyst.ask(
      page.tree.branch(node),
      { t: "analyse", lines: then ? 1 : Number(this.lines.value), seconds, engine: this.name.value },
      (message) => {
        if (message.t === "info") {
          this.known.set(node, { info: message, work: "" });
          const [best] = message.lines;
          if (best && (node.thought?.depth ?? 0) <= message.depth) page.think(node, { ...best, depth: message.depth });
          if (!then) this.draw();
        } else {
          const found = this.known.get(node);
          if (found && !then) found.work = work;
          this.node = null;
          if (message.t === "error") this.say(message.reason);
          else {
            then?.();
            this.draw();
            if (message.t === "done" && message.spent) this.say(message.spent);
          }
        }
      },
    );
  }

  /** Show the best move as an arrow. */
  hint() {
    const { page } = this;
    const { here } = page;
    if (!page.active) return page.sayBusy();
    if (page.reviewing) return showNotice(t("The engine is busy with the review."));
    page.proof.stop();
    const show = () => {
      if (page.here !== here) return;
      this.hinted = here;
      const best = this.known.get(here)?.info.lines[0]?.moves[0];
      showNotice(best ? t("Hint: {move}.", { move: moveText(best) }) : t("The engine found nothing."));
      this.draw();
    };
    if (this.known.get(here)?.info.lines.length) return show();
    showNotice(t("Looking for a good move…"));
    this.stop();
    this.#ask(here, HINT, show);
  }

  /** @param {string} words */
  say(words) {
    say("engine-says", words);
  }

  draw() {
    const { page } = this;
    const { here } = page;
    const info = this.known.get(here)?.info;
    const shown = this.on && info ? info.lines : [];
    page.input.board.showArrows(
      shown.length
        ? shown.flatMap(({ moves }) => moves.slice(0, 1))
        : this.hinted
          ? (info?.lines[0]?.moves.slice(0, 1) ?? [])
          : [],
    );
    byId("engine-lines").hidden = !shown.length;
    if (this.on && page.position.outcome) this.say(t("The game is over."));
    else if (!this.on) this.say("");
    else if (info?.nodes === 1 && page.input.variant.solved) this.say(t("This game is solved: the values are exact."));
    else if (info)
      this.say(
        t("depth {depth} · {nodes} positions · {speed} a second", {
          depth: info.depth,
          nodes: short(info.nodes),
          speed: short(info.nps),
        }),
      );
    const turn = page.tree.turn(here);
    const key = `${here.id} ${turn} ${shown.map((line) => `${line.score} ${line.mate} ${line.moves.map(({ usi }) => usi)}`).join(";")}`;
    const list = byId("engine-lines");
    if (filledBy(list, key)) return;
    const focused = list.contains(document.activeElement)
      ? [...list.querySelectorAll("button")].indexOf(/** @type {HTMLButtonElement} */ (document.activeElement))
      : -1;
    list.replaceChildren(...shown.map((line) => h("li", {}, this.#line(here, line, turn))));
    list.querySelectorAll("button")[focused]?.focus();
  }

  /** @param {Node} node @param {EngineLine} line @param {import("../types/wire").Side} turn */
  #line(node, line, turn) {
    const text = line.moves.map(moveText).join(" ");
    const words = t("{score}, {chance} for Black: {moves}. Add as a variation.", {
      score: scoreWords(line, turn),
      chance: percent(line.chance),
      moves: text,
    });
    return button(
      { class: "engine-line", title: t("Add as a variation") },
      () => void this.page.addLine(node, line.moves),
      h("span", { class: "engine-score", "aria-hidden": "true" }, scoreText(line, turn)),
      h("span", { class: "engine-moves", "aria-hidden": "true" }, ...marked(text)),
      h("span", { class: "visually-hidden" }, ...marked(words)),
    );
  }
}
