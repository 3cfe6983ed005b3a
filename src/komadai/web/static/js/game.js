// @ts-check
/** The page of one game: what the server publishes is shown, what the person taps goes down the tree of steps. */

import { actionsOfGame, listen } from "./controls.js";
import { button, byId } from "./dom.js";
import { Hint } from "./hint.js";
import { n, t } from "./i18n.js";
import { showMatch } from "./match.js";
import { Meeting } from "./meeting.js";
import { Line, showLine } from "./net.js";
import { MoveList } from "./panel.js";
import { Past } from "./past.js";
import { apart, busyWords, hear, onlySide, stillWords } from "./people.js";
import { forget } from "./prefs.js";
import { played } from "./sound.js";
import { Study } from "./study.js";
import { Table } from "./table.js";
import { moveWords } from "./telling.js";
import { moveName, OTHER, prompt, savingWords, sentence, verdict } from "./words.js";

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
    this.past = new Past(this);
    this.moves = new MoveList(state.variant, (count) => this.past.go(count));
    byId("study-link").setAttribute("href", `/study?game=${state.game}`);
    this.study = new Study(this);
    this.meeting = new Meeting(this);
    this.hint = new Hint(this);
    listen(this);
    this.show(state.moves, null, true);
  }

  /** @override */
  get position() {
    return this.past.position ?? this.state.position;
  }

  /** @override */
  get active() {
    return !this.waiting && this.past.at === null && !busyWords(this.state);
  }

  /** @override */
  ownActions() {
    return actionsOfGame(this);
  }

  /** @override */
  get made() {
    return this.past.here;
  }

  /** @override @param {number} by */
  step(by) {
    this.past.step(by);
  }

  /** @override */
  enter() {
    super.enter();
    this.board.showArrows([]);
  }

  /** @override */
  cancel() {
    if (this.past.at === null) super.cancel();
    else this.past.back();
  }

  /** @override */
  async lastWords() {
    const { made, position, state: { moves } } = this;
    const move = moves[made - 1];
    return move ? moveWords(this, move, OTHER[position.turn], await this.past.find(made - 1), position) : t("No move has been made yet.");
  }

  /** @override */
  statusWords() {
    const { moves, position } = this.state;
    return [...super.statusWords(), sentence([moveName(moves, moves.length, position.turn)]), byId("looking-at").textContent ?? ""];
  }

  // --- From the server ---

  /** @param {GameState} state */
  replace(state) {
    this.state = state;
    this.me = onlySide(state);
    this.past.cut(0); // and look at the game as it stands
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
      if (event.kind === "undo") {
        this.state.moves.length = event.moves;
        this.past.cut(event.moves);
      } else if (event.kind === "move" && event.usi && event.to) {
        moved = { usi: event.usi, text: event.text ?? event.usi, from: event.from ?? null, to: event.to };
        if (event.shift) moved.shift = event.shift;
        if (event.way) moved.way = event.way;
        if (event.gone) moved.gone = event.gone;
        this.state.moves.push(moved);
      } else words = hear(this.state, event);
    }
    const before = this.state.position;
    const { sfen, ply, thinking, outcome } = before;
    this.state.position = position;
    if (events.length) this.say(words, true);
    if (position.sfen === sfen && position.ply === ply && position.thinking === thinking && position.outcome?.text === outcome?.text) {
      this.refresh(); // nothing has happened on the board: what has been taken up stays taken up
      return;
    }
    this.#tell(events, before);
    this.waiting = false; // the event is the answer; its acknowledgement follows
    if (moved) played(moved, position.outcome !== null);
    if (this.past.at !== null) {
      this.refresh(); // who looks back goes on looking there
      return;
    }
    this.enter();
    this.show(this.state.moves, events.length === 1 ? moved : null, false);
  }

  /** Say what has been made of moves, to those who do not see it. @param {GameEvent[]} events @param {Position} before */
  #tell(events, before) {
    const { moves, position } = this.state;
    const last = moves[moves.length - 1];
    const made = events.filter((event) => event.kind === "undo" || (event.kind === "move" && event.usi)); // an illegal move that loses stands in no list
    if (!made.length) return;
    if (made[made.length - 1]?.kind === "undo") this.talk.tell([n("Taken back; {count} move stands.", "Taken back; {count} moves stand.", moves.length)]);
    else if (last && made.length === 1) this.talk.tell([moveWords(this, last, before.turn, before, position)]);
    else if (last) this.talk.tell([sentence([moveName(moves, moves.length, position.turn)])]);
  }

  // --- To the server ---

  /** @override @param {string} text */
  play(text) {
    void this.command({ t: "move", ply: this.state.position.ply, text });
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
    const { past, state } = this;
    const { position } = state;
    super.refresh();
    showMatch(state);
    this.meeting.show();
    this.moves.show(state.moves, position.turn, past.here);
    past.show();
    this.hint.show();
    this.study.show();
    this.#headline();
    byId("to-study").hidden = position.outcome === null && (this.me !== null || apart(state)); // the engine shall help no player
  }

  #headline() {
    const { me, state: { position } } = this;
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
    this.past.stop();
    this.say(t(words));
    this.refresh();
  }

  /** @override */
  sayBusy() {
    if (this.past.at !== null) this.say(t("This is an earlier position: go back to the game first."));
    else this.say(busyWords(this.state) || t("Your move is on its way."));
  }

  undo() {
    const { canUndo, ply } = this.state.position;
    if (canUndo) void this.meeting.ask({ t: "undo", ply });
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
    else if (message.t === "seen") page?.past.told(message.moves, message.position);
    else if (message.t === "study") page?.study.told(message);
    else if (message.t === "presence") page?.meeting.came(message);
    else if (message.t === "error" && page) page.fault(message.reason);
    else if (message.t === "error") missing(message.reason);
  },
  up(up) {
    page?.study.again();
    page?.past.again();
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
