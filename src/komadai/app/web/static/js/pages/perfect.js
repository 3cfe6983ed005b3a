// @ts-check
/** Entry point of the page that walks through perfect play. */

import { emptyStudy } from "../lib/api.js";
import { byId, entitle } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { pathParts, ROOT } from "../lib/root.js";
import { TreePage } from "../study/tree_page.js";
import { Values } from "../study/values.js";

/** @import { Node } from "../study/tree.js" */
/** @import { Judged, Step, StudyData } from "../types/wire" */

const WHOLE = 400; // plies of best play that are asked for: more than the longest win of any game solved so far

class PerfectPage extends TreePage {
  /** @param {StudyData} study an empty one */
  constructor(study) {
    super(study);
    const { variant, start } = study;
    const query = new URLSearchParams(variant.options);
    this.values = new Values(this, { plies: WHOLE });
    entitle(t("{game}: perfect play", { game: t(variant.name) }));
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

const query = new URLSearchParams(location.search);
const sfen = query.get("sfen");
query.delete("sfen");
query.set("variant", pathParts()[1] ?? "");
if (sfen) query.set("position", sfen);
try {
  new PerfectPage(await emptyStudy(`?${query}`));
} catch (error) {
  byId("headline").textContent = "";
  byId("notice").textContent = fault(error);
}
