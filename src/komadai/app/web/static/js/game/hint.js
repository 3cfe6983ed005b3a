// @ts-check
/**
 * Hints, in games played at one screen: against the engine, or by two people who both see them. They come in three
 * steps: an idea, the piece or the place, and the move.
 */

import { nameByCode } from "../board/piece_names.js";
import { reasons } from "../lib/api.js";
import { byId, onClick, s } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { moveText } from "../lib/prefs.js";
import { apart, waiting } from "./people.js";

/** @import { PlayedMove, Remark } from "../types/wire" */
/** @import { GamePage } from "./page.js" */

const SECONDS = 1.5;

/** What a move is good for, by the topic of the first thing that it does. @type {Partial<Record<Remark["topic"], string>>} */
const IDEAS = {
  win: t("You can win with your next move."),
  only: t("There is only one move."),
  takes: t("You can take something."),
  check: t("You can attack the piece that your opponent must not lose."),
  threat: t("You can threaten to win."),
  stops: t("Your opponent threatens to win: prevent it."),
  saves: t("One of your pieces is in danger: see to it."),
  aims: t("You can threaten one of your opponent’s pieces."),
  nears: t("You can come nearer to the piece that your opponent must not lose."),
};

export class Hint {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    /** @type {import("../lib/analysis.js").AnalysisClient | null} */
    this.analyst = null;
    /** The position that the hint is about, or the empty string. */
    this.about = "";
    /** @type {{ move: PlayedMove, idea: string, told: number } | null} */
    this.found = null;
    onClick("hint", () => void this.ask());
  }

  /** True if the engine may help here. */
  get open() {
    const { state } = this.page;
    return state.you.length > 0 && !apart(state) && !waiting(state);
  }

  get #here() {
    const { ply, sfen } = this.page.position;
    return `${ply} ${sfen}`;
  }

  show() {
    byId("hint").hidden = !this.open;
    byId("hint").toggleAttribute("disabled", !this.page.active);
  }

  /** Tell the next step of the hint; at first, search for a good move. */
  async ask() {
    const { page } = this;
    if (!page.active) return page.sayBusy();
    const here = this.#here;
    if (this.about !== here) {
      [this.about, this.found] = [here, null];
      showNotice(t("Looking for a good move…"), true);
      const [move, fault] = await this.#search();
      const idea = move ? await this.#idea(move) : "";
      if (here !== this.#here) {
        if (this.about === here) this.about = "";
        return; // the position has changed meanwhile
      }
      if (move) this.found = { move, idea, told: 0 };
      else {
        this.about = "";
        showNotice(fault || t("The engine found nothing."));
      }
    }
    if (this.found) this.#tell(this.found);
  }

  /** A good move, or the reason why there is none. @returns {Promise<[PlayedMove | null, string]>} */
  async #search() {
    /** @type {PlayedMove | null} */
    let best = null;
    const { AnalysisClient } = await import("../lib/analysis.js"); // a game loads no more than it needs
    this.analyst ??= new AnalysisClient();
    const { analyst } = this;
    return new Promise((done) =>
      analyst.ask(this.page.branch(), { t: "analyse", lines: 1, seconds: SECONDS }, (message) => {
        if (message.t === "info") best = message.lines[0]?.moves[0] ?? best;
        else if (message.t === "error") done([best, message.reason]);
        else if (message.t === "done") done([best, ""]);
      }),
    );
  }

  /** What a move is good for; its piece, if nothing can be told. @param {PlayedMove} move */
  async #idea(move) {
    const { input, position } = this.page;
    const found = await reasons(this.page.branch(), move.usi).catch(() => null);
    const idea = IDEAS[found?.remarks[0]?.topic ?? "calm"];
    if (idea) return idea;
    const code = move.from ? position.board[move.from]?.slice(1) : move.usi.split("*")[0];
    return t("Look for a good place for your {piece}.", { piece: nameByCode(code ?? "", input.kinds) });
  }

  /** @param {NonNullable<Hint["found"]>} found */
  #tell(found) {
    const { input, position } = this.page;
    const { move, idea } = found;
    found.told = Math.min(found.told + 1, 3);
    if (found.told === 3) {
      input.board.showArrows([move]);
      showNotice(t("Hint: {move}.", { move: moveText(move) }), true);
      return;
    }
    let words = idea;
    if (found.told === 2) {
      const [cx, cy] = input.board.centre(move.from ?? move.to);
      input.board.pointed.replaceChildren(s("circle", { class: "guide-chance", cx, cy, r: 46 }));
      const piece = nameByCode(position.board[move.from ?? ""]?.slice(1) ?? "", input.kinds);
      words = move.from
        ? t("Move your {piece}.", { piece: input.places.on(piece, move.from) })
        : t("Drop a piece: {place} is the place.", { place: input.places.long(move.to) });
    }
    showNotice(t("Hint {step} of 3: {words}", { step: found.told, words }), true);
  }
}
