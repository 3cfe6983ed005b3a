// @ts-check
/** The page that walks through perfect play: the line that the table of a solved game plays, and any other move. */

import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { ROOT } from "../lib/root.js";
import { TreePage } from "./tree_page.js";
import { Values } from "./values.js";

/** @typedef {import("../types/wire").Judged} Judged */
/** @typedef {import("../types/wire").Step} Step */
/** @typedef {import("../types/wire").StudyData} StudyData */
/** @typedef {import("./tree.js").Node} Node */

const WHOLE = 400; // plies of best play that are asked for: more than the longest win of any game solved so far

export class PerfectPage extends TreePage {
  /** @param {StudyData} study an empty one */
  constructor(study) {
    super(study);
    const { variant, start } = study;
    const query = new URLSearchParams(variant.options);
    this.values = new Values(this, { plies: WHOLE });
    const title = t("{game}: perfect play", { game: t(variant.name) });
    document.title = `${title} – Komadai`;
    byId("title").textContent = title;
    byId("hardest").setAttribute("href", `${ROOT}hardest/${variant.id}?${query}`);
    query.set("variant", variant.id);
    query.set("position", start.sfen);
    byId("to-study").setAttribute("href", `${ROOT}study?${query}`);
    this.begin();
  }

  /** A move has been made: mark it if it gave something away. @override @param {Node} node */
  moved(node) {
    const judged = node.parent && this.values.known.get(node.parent)?.moves.find(({ usi }) => usi === node.move?.usi);
    if (judged?.blunder && !node.mark) {
      node.mark = "??";
      this.branches.draw(this.tree);
    }
    super.moved(node);
  }

  /** @override @param {Step} step @returns {Judged["outcome"] | null} */
  worth(step) {
    return this.values.worth(step);
  }

  /** @override */
  refreshed() {
    super.refreshed();
    this.values.show();
  }
}
