// @ts-check
/** The page of one game: what the server publishes is shown, what the person taps goes down the tree of steps. */

import { listen } from "./controls.js";
import { button, byId } from "./dom.js";
import { t } from "./i18n.js";
import { showMatch } from "./match.js";
import { Meeting } from "./meeting.js";
import { Line, showLine } from "./net.js";
import { MoveList } from "./panel.js";
import { apart, busyWords, hear, onlySide, stillWords } from "./people.js";
import { forget } from "./prefs.js";
import { played } from "./sound.js";
import { Study } from "./study.js";
import { Table } from "./table.js";
import { prompt, savingWords, verdict } from "./words.js";

/** @typedef {import("./types").GameState} GameState */
/** @typedef {import("./types").GameEvent} GameEvent */
/** @typedef {import("./types").Position} Position */
/** @typedef {import("./types").PlayedMove} PlayedMove */
/** @typedef {import("./types").ServerMessage} ServerMessage */
/** @typedef {import("./types").Step} Step */

export class GamePage extends Table {
  /** @param {GameState} state @param {Line} line */
  constructor(state, line) {
    super(state.variant, state.position, onlySide(state));
    this.state = state;
    this.line = line;
    this.waiting = false;
    this.moves = new MoveList(state.variant);
    byId("study-link").setAttribute("href", `/study?game=${state.game}`);
    this.study = new Study(this);
    this.meeting = new Meeting(this);
    listen(this);
    this.show(state.moves, null, true);
  }

  /** @override */
  get position() {
    return this.state.position;
  }

  /** @override */
  get active() {
    return !this.waiting && !busyWords(this.state);
  }

  // --- From the server ---

  /** @param {GameState} state */
  replace(state) {
    this.state = state;
    this.me = onlySide(state);
    this.enter();
    this.show(state.moves, null, true);
  }

  /** @param {GameEvent[]} events @param {Position} position @param {GameState["clocks"]} clocks */
  apply(events, position, clocks) {
    this.state.clocks = clocks;
    /** @type {PlayedMove | null} */
    let moved = null;
    let words = "";
    for (const event of events) {
      moved = null;
      if (event.kind === "undo") this.state.moves.length = event.moves;
      else if (event.kind === "move" && event.usi && event.to) {
        moved = { usi: event.usi, text: event.text ?? event.usi, from: event.from ?? null, to: event.to };
        if (event.shift) moved.shift = event.shift;
        if (event.way) moved.way = event.way;
        if (event.gone) moved.gone = event.gone;
        this.state.moves.push(moved);
      } else words = hear(this.state, event);
    }
    const { sfen, ply, thinking, outcome } = this.position;
    this.state.position = position;
    if (events.length) this.say(words, true);
    if (position.sfen === sfen && position.ply === ply && position.thinking === thinking && position.outcome?.text === outcome?.text) {
      this.refresh(); // nothing has happened on the board: what has been taken up stays taken up
      return;
    }
    this.enter();
    this.waiting = false; // the event is the answer; its acknowledgement follows
    if (moved) played(moved, position.outcome !== null);
    this.show(this.state.moves, events.length === 1 ? moved : null, false);
  }

  // --- To the server ---

  /** @override @param {string} text */
  play(text) {
    void this.command({ t: "move", ply: this.position.ply, text });
  }

  /** @override @param {string} text */
  explain(text) {
    this.line.explain(text);
  }

  /** @override @param {Step} step */
  worth(step) {
    return this.study.worth(step);
  }

  /** @param {import("./net.js").Command} command @returns {Promise<string | null>} the reason if it was refused */
  async command(command) {
    this.waiting = true;
    this.composing.chooser.hide();
    const refusal = await this.line.command(command);
    this.waiting = false;
    if (refusal) {
      this.say(refusal);
      this.walk.reset();
      this.refresh();
    }
    return refusal;
  }

  // --- What is shown ---

  /** @override */
  refresh() {
    const { position, state } = this;
    super.refresh();
    showMatch(state);
    this.meeting.show();
    this.moves.show(state.moves);
    this.study.show();
    this.#headline();
    byId("to-study").hidden = position.outcome === null && (this.me !== null || apart(state)); // the engine shall help no player
  }

  #headline() {
    const { position, me } = this;
    const words = stillWords(this.state) || prompt(position, me, this.walk, this.kinds) + savingWords(position, me, this.state.variant) + this.study.task;
    if (byId("headline").textContent !== words) byId("headline").textContent = words;
    document.title = `${words} – ${t(this.state.variant.name)}`;
    document.body.classList.toggle("over", position.outcome !== null);
    byId("result").hidden = position.outcome === null;
    byId("verdict").textContent = position.outcome ? verdict(position, me) : "";
  }

  /** The server could not make sense of something: say so, and let the person go on. @param {string} words */
  fault(words) {
    this.waiting = false;
    this.say(words);
    this.refresh();
  }

  /** @override */
  sayBusy() {
    this.say(busyWords(this.state) || t("Your move is on its way."));
  }

  undo() {
    if (this.position.canUndo) void this.meeting.ask({ t: "undo", ply: this.position.ply });
  }
}

/** @type {GamePage | null} */
let page = null;
const id = location.pathname.split("/").pop() ?? "";

const line = new Line(id, {
  message(message) {
    if (message.t === "state") {
      if (page) page.replace(message);
      else page = new GamePage(message, line);
    } else if (message.t === "events") page?.apply(message.events, message.position, message.clocks);
    else if (message.t === "explanation") page?.told(message.about, message.text);
    else if (message.t === "study") page?.study.told(message);
    else if (message.t === "presence") page?.meeting.came(message);
    else if (message.t === "error" && page) page.fault(message.reason);
    else if (message.t === "error") missing(message.reason);
  },
  up(up) {
    page?.study.again();
    showLine(up);
  },
});

/** The server has no such game. @param {string} reason */
function missing(reason) {
  forget(id);
  document.body.classList.add("missing");
  byId("headline").textContent = t(reason);
  byId("notice").replaceChildren(button({ class: "plain" }, () => location.assign("/"), t("To the games")));
}
