// @ts-check
/** The report card of a game: asked for until all its games are played, and drawn. */

import { kindName, kindsByCode } from "../board/piece_names.js";
import { byId, h, s } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { reportOn } from "../lib/workshop_api.js";

/** @import { CardKind, ReportCard as Card, Rulebook } from "../types/wire" */

const WIDTH = 360;
const HEIGHT = 120;
const FOOT = 16; // for the numbers
const WAIT = 1500; // milliseconds before a server that has too much to do is asked again
const TRIES = 5;

/** Ends of games in words. @type {Record<string, string>} */
const ENDS = {
  checkmate: t("checkmate"),
  stalemate: t("no legal move"),
  repetition: t("repetition"),
  perpetual_check: t("perpetual check"),
  extinction: t("extinction"),
  goal: t("the goal is reached"),
  cap: t("too long"),
};

/** @param {number | null} share */
function percent(share) {
  return share === null ? "–" : `${(100 * share).toFixed(1)} %`;
}

/** A plot of bars. @param {string} title @param {(readonly [string | number, number])[]} bars */
function plot(title, bars) {
  const most = Math.max(1e-9, ...bars.map(([, value]) => value));
  const step = WIDTH / Math.max(1, bars.length);
  const every = Math.ceil(bars.length / 10); // labels that fit
  const parts = bars.flatMap(([label, value], index) => {
    const height = ((HEIGHT - 2 * FOOT) * value) / most;
    const [x, y] = [index * step, HEIGHT - FOOT - height];
    return [
      s("rect", { class: "bar-of", x: x + 1, y, width: Math.max(1, step - 2), height }),
      index % every ? null : s("text", { x: x + step / 2, y: HEIGHT - 3, "text-anchor": "middle" }, `${label}`),
      value && bars.length <= 12 ? s("text", { x: x + step / 2, y: y - 3, "text-anchor": "middle" }, `${value}`) : null,
    ];
  });
  const said = `${title}: ${bars.map(([label, value]) => `${label}: ${value}`).join(", ")}`;
  const svg = s("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": said }, ...parts);
  return h("figure", {}, h("figcaption", {}, title), svg);
}

/** @param {Card} card @param {Rulebook} rulebook */
function shown(card, rulebook) {
  const kinds = kindsByCode(rulebook.variant);
  const names = (/** @type {CardKind[]} */ found) =>
    found
      .map(({ code, name }) => {
        const kind = kinds.get(code);
        return kind ? kindName(kind) : name;
      })
      .join(t(", ")) || t("none");
  const { first, mates, solved } = card;
  const { bars: lengths, ...length } = card.length;
  const { bars: choices, ...branching } = card.branching;
  const rows = [
    [t("Points of the first player"), `${percent(first.share)} ± ${percent(first.error)}`],
    [t("Length in moves"), t("{mean} in the mean, {shortest} to {longest}", length)],
    [t("Legal moves"), t("{mean} in the mean, {most} at most", branching)],
    [t("Most occurrences of a position in a game"), `${card.recurrence}`],
    [t("Forced wins"), t("seen in {announced} games, won in {won} of them", { ...mates })],
    [t("Pieces never on the board"), names([...card.unseen])],
    [t("Pieces that never moved"), names([...card.unmoved])],
    [t("Rules that made no difference"), card.idle.map(({ words }) => words).join("; ") || t("none")],
    [
      t("Solved"),
      solved.value ??
        (solved.positions === null
          ? (solved.why ?? "–")
          : n("it has {count} position", "it has {count} positions", solved.positions)),
    ],
  ];
  return [
    h(
      "dl",
      { class: "card-rows" },
      ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name ?? ""), h("dd", {}, value ?? ""))),
    ),
    h(
      "div",
      { class: "plots" },
      plot(t("Results of the first player"), [
        [t("won"), first.wins],
        [t("drawn"), first.draws],
        [t("lost"), first.losses],
      ]),
      plot(
        t("How games end"),
        Object.entries(card.ends).map(([end, count]) => [ENDS[end] ?? end, count]),
      ),
      plot(t("Games by their length in moves"), [...lengths]),
      plot(t("Legal moves by the number of the move"), [...choices]),
    ),
  ];
}

export class ReportPart {
  constructor() {
    /** The number of the latest request; answers to earlier ones are dropped. */
    this.asked = 0;
    /** @type {Card | null} */
    this.card = null;
  }

  /** Forget the card: the file is another. */
  clear() {
    this.asked++;
    this.card = null;
    byId("report-part").hidden = true;
  }

  /** @param {string} file @param {Rulebook} rulebook */
  async make(file, rulebook) {
    const mine = ++this.asked;
    byId("report-part").hidden = false;
    byId("report-part").scrollIntoView({ block: "nearest" });
    byId("report-card").replaceChildren();
    const bar = /** @type {HTMLProgressElement} */ (byId("report-progress"));
    bar.removeAttribute("value");
    bar.hidden = false;
    byId("report-says").textContent = t("The engine plays against itself…");
    for (let tries = 0; ; ) {
      try {
        const card = await reportOn(file);
        if (mine !== this.asked) return;
        this.#show(card, rulebook, bar);
        if (card.games >= card.wanted) break;
        tries = 0;
      } catch (error) {
        if (mine !== this.asked) return;
        if (++tries >= TRIES) {
          bar.hidden = true;
          byId("report-says").textContent = fault(error);
          return;
        }
        await new Promise((done) => setTimeout(done, WAIT));
      }
    }
    bar.hidden = true;
  }

  /** @param {Card} card @param {Rulebook} rulebook @param {HTMLProgressElement} bar */
  #show(card, rulebook, bar) {
    this.card = card;
    bar.max = card.wanted;
    bar.value = card.games;
    byId("report-says").textContent = t(
      "{games} of {wanted} games, {nodes} positions a move. The same file gives the same card; komadai report plays 400.",
      { games: card.games, wanted: card.wanted, nodes: card.nodes },
    );
    byId("report-card").replaceChildren(...shown(card, rulebook));
    byId("report-json").hidden = card.games < card.wanted;
  }
}
