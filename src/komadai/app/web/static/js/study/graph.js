// @ts-check
/** Evaluations of the line shown: a bar beside the board, a graph under it and a table. */

import { button, byId, h, onClick, s } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { percent } from "../lib/phrases.js";
import { moveText } from "../lib/prefs.js";
import { MARK_WORDS } from "./branches.js";
import { scoreText, scoreWords } from "./scores.js";

/** @import { StudyPage } from "./page.js" */
/** @import { Node } from "./tree.js" */

const WIDTH = 360;
const HEIGHT = 96;
const EDGE = 6;

/** Signs of mistakes in the graph, which differ in shape. @type {Record<string, string>} */
const SIGNS = { "?!": "M-4 3.5 L0 -4.5 L4 3.5 Z", "?": "M0 -5.5 L5.5 0 L0 5.5 L-5.5 0 Z", "??": "M-5 -5 H5 V5 H-5 Z" };

export class Graph {
  /** @param {StudyPage} page */
  constructor(page) {
    this.page = page;
    this.drawn = "";
    onClick("graph", (event) => this.#jump(event));
    byId("graph-table").addEventListener("toggle", () => this.#table());
  }

  /** The nodes of the line shown, the start first. */
  get #nodes() {
    const { here, tree } = this.page;
    return [tree.root, ...tree.through(here)];
  }

  show() {
    this.#bar();
    const nodes = this.#nodes;
    const known = nodes.filter(({ thought }) => thought).length;
    const { engine, review } = this.page;
    // There from the click on: the board must not become smaller while one walks through the moves.
    byId("graph-part").hidden = known < 2 && !engine.on && !review.running;
    byId("graph-part").classList.toggle("few", known < 2);
    byId("graph-table").hidden = known < 2;
    const key = nodes.map(({ thought, mark }) => `${thought ? thought.chance.toFixed(3) : ""}${mark}`).join();
    if (key !== this.drawn) {
      this.drawn = key;
      this.#draw(nodes);
      this.#table();
    }
    const at = nodes.indexOf(this.page.here);
    const cursor = byId("graph").querySelector(".graph-here");
    cursor?.setAttribute("transform", `translate(${at < 0 ? -10 : this.#x(at, nodes.length)} 0)`);
    for (const row of byId("graph-table").querySelectorAll("tr[data-node]"))
      row.classList.toggle("here", row.getAttribute("data-node") === String(this.page.here.id));
  }

  /** The bar beside the board. */
  #bar() {
    const { here, tree, engine } = this.page;
    const { flipped } = this.page.input;
    const bar = byId("chances");
    const { thought } = here;
    bar.hidden = !engine.on && !this.page.reviewed;
    bar.classList.toggle("unknown", !thought);
    if (!thought) return;
    const turn = tree.turn(here);
    const words = `${scoreWords(thought, turn)}, ${percent(thought.chance)}`;
    bar.style.setProperty("--chance", thought.chance.toFixed(3));
    bar.classList.toggle("flipped", flipped);
    bar.setAttribute("aria-valuenow", String(Math.round(thought.chance * 100)));
    bar.setAttribute("aria-valuetext", words);
    bar.title = words;
    byId("chances-text").textContent = scoreText(thought, turn);
  }

  /** @param {number} index @param {number} count */
  #x(index, count) {
    return EDGE + ((WIDTH - 2 * EDGE) * index) / Math.max(1, count - 1);
  }

  /** @param {number} chance */
  #y(chance) {
    return EDGE + (HEIGHT - 2 * EDGE) * (1 - chance);
  }

  /** @param {Node[]} nodes */
  #draw(nodes) {
    const spots = nodes.flatMap(({ thought, mark }, index) =>
      thought ? [{ x: this.#x(index, nodes.length), y: this.#y(thought.chance), mark }] : [],
    );
    const d = spots.map(({ x, y }, index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(" ");
    const [first, last] = [spots[0], spots.at(-1)];
    const middle = this.#y(0.5);
    byId("graph").replaceChildren(
      s("rect", { class: "graph-white", width: WIDTH, height: HEIGHT }),
      s("path", {
        class: "graph-black",
        d: first && last ? `${d} L${last.x.toFixed(1)} ${HEIGHT} L${first.x.toFixed(1)} ${HEIGHT} Z` : "",
      }),
      s("line", { class: "graph-even", x1: 0, x2: WIDTH, y1: middle, y2: middle }),
      s("path", { class: "graph-line", d }),
      ...spots.flatMap(({ x, y, mark }) =>
        SIGNS[mark] ? [s("path", { class: "graph-mark", d: SIGNS[mark], transform: `translate(${x} ${y})` })] : [],
      ),
      s("line", { class: "graph-here", y1: 0, y2: HEIGHT }),
    );
  }

  /** @param {MouseEvent} event */
  #jump(event) {
    const box = byId("graph").getBoundingClientRect();
    const nodes = this.#nodes;
    const part = (((event.clientX - box.left) / box.width) * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    const node = nodes[Math.max(0, Math.min(nodes.length - 1, Math.round(part * (nodes.length - 1))))];
    if (node) this.page.go(node);
  }

  /** The graph as a table, for screen readers; filled when it is opened. */
  #table() {
    const details = /** @type {HTMLDetailsElement} */ (byId("graph-table"));
    if (!details.open) return;
    const { tree } = this.page;
    const rows = this.#nodes.flatMap((node) => {
      const { thought, mark, move } = node;
      if (!thought) return [];
      const jump = button(
        { class: "plain" },
        () => this.page.go(node),
        ...(move ? [`${tree.ply(node)}. `, ...marked(moveText(move))] : [t("Start")]),
      );
      const said = mark ? `${mark} ${MARK_WORDS[mark] ?? ""}` : "";
      return [
        h(
          "tr",
          { "data-node": node.id },
          h("td", {}, jump),
          h("td", {}, scoreText(thought, tree.turn(node))),
          h("td", {}, percent(thought.chance)),
          h("td", {}, said),
        ),
      ];
    });
    const head = [t("Move"), t("Score"), t("Black’s chances"), t("Mark")].map((word) =>
      h("th", { scope: "col" }, word),
    );
    details.querySelector("table")?.replaceChildren(h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
  }
}
