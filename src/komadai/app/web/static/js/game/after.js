// @ts-check
/** After a game: how exact each side was, the moments that mattered as drills, and the turning point to be tried again. */

import { topple } from "../board/toppling.js";
import { AnalysisClient } from "../lib/analysis.js";
import { begin, fileFrom } from "../lib/api.js";
import { button, byId, h, onClick } from "../lib/dom.js";
import { download } from "../lib/download.js";
import { n, t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { rememberMistake } from "../lib/mistake.js";
import { drillPage, keepMoment, kindOf, kindWords } from "../lib/moments.js";
import { showNotice } from "../lib/notice.js";
import { fault, percent } from "../lib/phrases.js";
import { ALONE, HERE, ROOT } from "../lib/root.js";
import { OTHER, SIDE_NAMES, SIDES } from "../lib/sides.js";
import { whenLoaded } from "../lib/when_loaded.js";
import { numberedMove } from "../moves/words.js";
import { apart } from "./people.js";

/** @import { AnalysisMessage, Moment, Seat, Side } from "../types/wire" */
/** @import { GamePage } from "./page.js" */

export class After {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    this.analyst = new AnalysisClient();
    this.asked = false;
    onClick("to-moments", () => this.ask());
    this.film = button(
      { id: "to-film", title: t("A file that plays the moves, to post"), hidden: true },
      () => void this.#animate(),
      t("Moving picture"),
    );
    byId("to-moments").after(this.film);
  }

  /** The game has just ended: the loser's pieces fall, and moments are sought where the engine serves one person. */
  ended() {
    const { outcome } = this.page.state.position;
    if (outcome?.winner) topple(this.page.input.board, OTHER[outcome.winner]);
    if (ALONE || HERE) this.ask();
  }

  show() {
    const { moves, position } = this.page.state;
    const over = position.outcome !== null && position.outcome.reason !== "called_off" && moves.length > 0;
    byId("to-moments").hidden = !over || this.asked;
    this.film.hidden = !over;
    byId("after").hidden = !over || !this.asked;
    if (over || !this.asked) return;
    this.analyst.stop(); // the end has been taken back
    this.asked = false;
    byId("after-found").replaceChildren();
  }

  async #animate() {
    const { input, state } = this.page;
    const look = `flipped=${input.flipped}&letters=${input.set === "letters"}`;
    try {
      const drawn = await fileFrom(`games/${state.game}/animation?${look}`);
      download(await drawn.blob(), `${state.variant.id}-${state.game}.svg`);
    } catch (error) {
      showNotice(fault(error));
    }
  }

  ask() {
    const { page } = this;
    const { outcome } = page.state.position;
    if (!outcome || this.asked) return;
    this.asked = true;
    this.show();
    this.#progress(0);
    whenLoaded(import("../lib/book_words.js"), ({ showLeft }) => showLeft(page.branch(), page.state.moves));
    this.analyst.ask(page.branch(), { t: "moments", side: page.me, winner: outcome.winner }, (message) =>
      this.#receive(message),
    );
  }

  /** @param {AnalysisMessage} message */
  #receive(message) {
    const { moves } = this.page.state;
    if (message.t === "judged") return this.#progress((message.ply + 1) / (moves.length + 1));
    byId("after-progress").hidden = true;
    if (message.t === "moments") this.#found(message);
    else if (message.t === "error") this.#failed(message.reason);
    else if (message.t === "done" && message.spent) this.#failed(message.spent);
  }

  /** @param {string} words */
  #failed(words) {
    this.asked = false;
    this.show();
    showNotice(words);
  }

  /** @param {number} share of the positions looked at */
  #progress(share) {
    const bar = /** @type {HTMLProgressElement} */ (byId("after-progress"));
    bar.hidden = false;
    bar.value = share;
    if (!share) byId("after-says").textContent = t("Looking for the moments that mattered…");
  }

  /** @param {import("../types/wire").MomentsMessage} found */
  #found({ accuracy, moments, turning, leftOut }) {
    const exact = SIDES.flatMap((side) => {
      const share = accuracy[side];
      return typeof share === "number" ? [`${SIDE_NAMES[side]} ${percent(share)}`] : [];
    });
    const few = leftOut ? n("The first move was left out.", "The first {count} moves were left out.", leftOut) : "";
    byId("after-says").textContent = [t("Accuracy: {shares}.", { shares: exact.join(" · ") }), few].join(" ").trim();
    const all = turning && !moments.some(({ ply }) => ply === turning.ply) ? [...moments, turning] : moments;
    for (const moment of all) this.#keep(moment);
    byId("after-found").replaceChildren(
      ...(turning ? [this.#turningPoint(turning)] : []),
      moments.length
        ? h("ol", { class: "moments" }, ...moments.map((moment) => h("li", {}, ...this.#drill(moment))))
        : h("p", { class: "quiet" }, t("No move gave away much: well played.")),
      all.some((moment) => this.#kept(moment).own)
        ? h("p", { class: "quiet" }, t("Your own mistakes come back from tomorrow on, under “Today”."))
        : "",
    );
  }

  /** Keep a moment; a mistake of one's own comes back in the days to come. @param {Moment} moment */
  #keep(moment) {
    const kept = this.#kept(moment);
    keepMoment(kept);
    const [best] = moment.best;
    if (best && kept.own) rememberMistake(kept, moment.sfen, moment.move, best);
  }

  /** @param {Moment} moment */
  #kept(moment) {
    const { game, variant, you } = this.page.state;
    const own = you.includes(moment.side);
    return { ...moment, id: `${game}-${moment.ply}`, game, variant: variant.id, options: variant.options, own };
  }

  /** @param {Moment} moment */
  #drill(moment) {
    const move = numberedMove(moment.ply + 1, moment.side, moment.move);
    const loss = t("{loss} of the chances", { loss: percent(moment.loss) });
    const href = drillPage(this.#kept(moment).id);
    return [
      h("a", { href, title: t("Find the better move") }, ...marked(move)),
      h("span", { class: "quiet" }, `${kindWords(kindOf(moment))} · ${loss}`),
    ];
  }

  /** @param {Moment} moment */
  #turningPoint(moment) {
    const move = numberedMove(moment.ply + 1, moment.side, moment.move);
    const { game, you } = this.page.state;
    const again = you.includes(moment.side)
      ? button({ id: "try-again", class: "primary" }, () => void this.#tryAgain(moment), t("Try this moment again"))
      : h("a", { class: "button", href: `${ROOT}study?game=${game}&ply=${moment.ply}` }, t("Look at it"));
    return h("p", { class: "turning" }, h("span", {}, ...marked(t("Turning point: {move}", { move }))), again);
  }

  /**
   * Play on from before a move of the person here: against the same computer, or one of that strength in place of
   * another person; two people at one screen both play again.
   * @param {Moment} moment
   */
  async #tryAgain({ side, sfen }) {
    const { variant, seats } = this.page.state;
    const other = OTHER[side];
    const rival = apart(this.page.state) ? /** @type {Seat} */ (OPPONENT) : seats[other];
    const both = /** @type {Record<Side, Seat>} */ ({ [side]: "human", [other]: rival });
    await begin(variant.id, variant.options, both, sfen).catch((error) => showNotice(fault(error)));
  }
}

const OPPONENT = "level3"; // as the page of a new game proposes
