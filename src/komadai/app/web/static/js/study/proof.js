// @ts-check
/** The position shown judged as a mate problem: the mate, its length, and what else mates. */

import { button, byId, filledBy, h, onClick } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { moveText } from "../lib/prefs.js";

/** @import { ProvedMessage } from "../types/wire" */
/** @import { StudyPage } from "./page.js" */
/** @import { Node } from "./tree.js" */

export class Proof {
  /** @param {StudyPage} page */
  constructor(page) {
    this.page = page;
    /** The node being judged. @type {Node | null} */
    this.node = null;
    /** @type {WeakMap<Node, ProvedMessage>} */
    this.known = new WeakMap();
    /** Why there is no answer. @type {WeakMap<Node, string>} */
    this.faults = new WeakMap();
    onClick("prove", () => this.toggle());
  }

  get running() {
    return this.node !== null;
  }

  toggle() {
    const { page } = this;
    if (this.running) this.stop();
    else if (page.position.outcome) return page.sayBusy();
    else if (page.reviewing) this.faults.set(page.here, t("The engine is busy with the review."));
    else this.#ask(page.here);
    page.input.refresh();
  }

  stop() {
    if (this.node) this.page.analyst.stop();
    this.node = null;
  }

  /** @param {Node} node */
  #ask(node) {
    const { page } = this;
    page.engine.stop();
    this.node = node;
    this.faults.delete(node);
    this.known.delete(node);
    const seconds = Number(page.engine.seconds.value);
    page.analyst.ask(page.tree.branch(node), { t: "prove", seconds }, (message) => {
      if (message.t === "proved") return void this.known.set(node, message);
      this.node = null;
      if (message.t === "error") this.faults.set(node, message.reason);
      else if (message.t === "done" && message.spent) this.faults.set(node, message.spent);
      page.input.refresh();
    });
  }

  /** The page shows a position. */
  show() {
    const { here } = this.page;
    if (this.node && this.node !== here) this.stop();
    const found = this.known.get(here);
    byId("prove").setAttribute("aria-pressed", String(this.running));
    const says = this.running ? t("Looking for a mate…") : found ? proofWords(found) : (this.faults.get(here) ?? "");
    if (byId("proof-says").textContent !== says) byId("proof-says").replaceChildren(...marked(says));
    const moves = this.running || !found ? [] : found.moves;
    const text = moves.map(moveText).join(" ");
    const line = byId("proof-line");
    if (filledBy(line, text)) return;
    line.replaceChildren(
      ...(moves.length
        ? [
            button(
              { class: "engine-line", title: t("Add as a variation") },
              () => void this.page.addLine(here, moves),
              h("span", { class: "engine-score", "aria-hidden": "true" }, `#${found?.plies ?? moves.length}`),
              h("span", { class: "engine-moves" }, ...marked(text)),
            ),
          ]
        : []),
    );
  }
}

/** What was found, in words. @param {ProvedMessage} found */
export function proofWords(found) {
  if (found.outcome === "no mate") return t("There is no mate by checks alone.");
  if (found.outcome === "unknown") return t("No answer was found in this time.");
  const { plies, every, unique, uniqueLater, others } = found;
  const words = [
    plies === null
      ? n("A mate in at most {count} ply is proved.", "A mate in at most {count} plies is proved.", found.moves.length)
      : plies === every || every === null
        ? n("Mate in {count} ply.", "Mate in {count} plies.", plies)
        : t("Mate in {plies} by the conventions of problems, in {every} against every defence.", { plies, every }),
  ];
  const first = others.filter(({ ply }) => ply === 1).map(({ move }) => moveText(move));
  const later = others.filter(({ ply }) => ply > 1).map(({ ply, move }) => `${ply}: ${moveText(move)}`);
  if (unique && uniqueLater) words.push(t("No other move mates."));
  else if (unique) words.push(t("No other first move mates."));
  else if (first.length) words.push(t("Also: {moves}.", { moves: first.join(", ") }));
  else words.push(t("Whether other first moves mate is not known."));
  if (later.length) words.push(t("Other moves later: {moves}.", { moves: later.join(", ") }));
  const left = Object.entries(found.left).map(([kind, count]) => (count > 1 ? `${count} ${kind}` : kind));
  if (left.length) words.push(t("Left in hand: {pieces}.", { pieces: left.join(", ") }));
  return words.join(" ");
}
