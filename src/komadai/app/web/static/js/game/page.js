// @ts-check
/** The page of a game: shows what the server sends, and sends the moves and commands of the person. */

import { buzz, notify } from "../lib/attention.js";
import { byId, say } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { sentence } from "../lib/phrases.js";
import { ROOT } from "../lib/root.js";
import { nameSides, OTHER } from "../lib/sides.js";
import { whenLoaded } from "../lib/when_loaded.js";
import { MoveInput } from "../moves/input.js";
import { prompt, savingWords } from "../moves/words.js";
import { boardCommands, pastCommands } from "../text/commands.js";
import { TextConsole } from "../text/console.js";
import { moveWords } from "../text/describe.js";
import { Help } from "../text/help.js";
import { gameCommands, listen } from "./controls.js";
import { Guide } from "./guide.js";
import { Hint } from "./hint.js";
import { showMatch } from "./match.js";
import { Meeting } from "./meeting.js";
import { MoveList } from "./move_list.js";
import { Past } from "./past.js";
import { apart, applyEvent, busyWords, onlySide, stillWords } from "./people.js";
import { Premove } from "./premove.js";
import { Result } from "./result.js";
import { moveName, verdict } from "./words.js";

/** @import { CommandHost, MoveHost, PastHost } from "../types/client" */
/** @import { GameEvent, GameState, PlayedMove, Position, Step } from "../types/wire" */
/** @import { Coach } from "./coach.js" */
/** @import { GameConnection } from "./connection.js" */
/** @import { SolvedValues } from "./solved.js" */

const TURN = 40; // milliseconds of vibration
const GRAVE = [70, 60, 70]; // the same in check and at the end

/**
 * Alert the person here to the last event.
 * @param {GameState} state @param {Position} before the position before it @param {PlayedMove | null} moved
 */
function alertTo(state, before, moved) {
  const { game, position, variant, you } = state;
  const { check, outcome, turn } = position;
  const ended = outcome !== null && before.outcome === null;
  if (moved || ended)
    whenLoaded(import("../lib/sound.js"), ({ playEndSound, playMoveSound }) =>
      moved ? playMoveSound(moved, { over: ended, check }) : playEndSound(),
    );
  const called = moved !== null && you.includes(turn) && !you.includes(before.turn);
  if (!you.length || !(called || ended)) return;
  buzz(check || ended ? GRAVE : TURN);
  notify(t(variant.name), ended ? verdict(position, onlySide(state)) : t("Your turn."), game);
}

/**
 * @implements {MoveHost}
 * @implements {CommandHost}
 * @implements {PastHost}
 */
export class GamePage {
  /** @param {GameState} state @param {GameConnection} connection */
  constructor(state, connection) {
    this.state = state;
    nameSides(state.handicap, state.names);
    this.connection = connection;
    /** True if a command has been sent and not been answered. */
    this.waiting = false;
    this.past = new Past(this);
    this.intended = new Premove(this);
    this.input = new MoveInput(this, state.variant);
    /** @type {import("../types/client").Command[]} */
    const commands = [...boardCommands(this.input, this), ...pastCommands(this), ...gameCommands(this)];
    this.console = new TextConsole(commands);
    this.help = new Help(commands);
    this.moves = new MoveList(state.variant, (count) => this.past.go(count));
    byId("study-link").setAttribute("href", `${ROOT}study?game=${state.game}`);
    /** The values of a solved game, once their module has been loaded. @type {SolvedValues | null} */
    this.values = null;
    /** Fulfilled then; null where the game is not solved. @type {Promise<void> | null} */
    this.solving = state.variant.solved ? this.#solve() : null;
    this.meeting = new Meeting(this);
    this.hint = new Hint(this);
    this.guide = new Guide(this);
    /** In games against the computer, once its module has been loaded. @type {Coach | null} */
    this.coach = null;
    if (this.me !== null && [state.seats.b, state.seats.w].some((seat) => !/^(human|open)$/.test(seat)))
      this.#loadCoach();
    this.result = new Result(this);
    listen(this);
    this.input.show(state.moves, null, true);
  }

  /** Load what only solved games need. */
  async #solve() {
    const { SolvedValues } = await import("./solved.js");
    this.values = new SolvedValues(this);
    this.input.refresh();
  }

  #loadCoach() {
    whenLoaded(import("./coach.js"), ({ Coach }) => {
      this.coach = new Coach(this);
      this.input.refresh();
    });
  }

  get position() {
    return this.past.position ?? this.state.position;
  }

  get active() {
    return !this.waiting && !this.coach?.asks && this.past.at === null && !busyWords(this.state);
  }

  get me() {
    return onlySide(this.state);
  }

  get made() {
    return this.past.here;
  }

  /** @param {number} by */
  step(by) {
    this.past.step(by);
  }

  cancel() {
    this.intended.clear();
    if (this.past.at === null) this.input.cancel();
    else this.past.back();
  }

  /** The game as the server is asked about it. @param {number} [count] of moves, below 0: without the last; by default all */
  branch(count) {
    const { start, variant, moves } = this.state;
    const usis = moves.slice(0, count).map(({ usi }) => usi);
    return { variant: variant.id, options: variant.options, position: start, moves: usis };
  }

  async lastWords() {
    const { input, made, position } = this;
    const { moves } = this.state;
    const move = moves[made - 1];
    return move
      ? moveWords(input, move, OTHER[position.turn], await this.past.find(made - 1), position)
      : t("No move has been made yet.");
  }

  statusWords() {
    const { moves, position } = this.state;
    return [
      byId("headline").textContent ?? "",
      sentence([moveName(moves, moves.length, position.turn)]),
      byId("looking-at").textContent ?? "",
    ];
  }

  /** The position shown has changed. */
  enter() {
    this.input.enter();
    this.input.board.showArrows([]);
  }

  // --- From the server ---

  /** The server has sent the whole state. @param {GameState} state */
  replace(state) {
    this.state = state;
    nameSides(state.handicap, state.names);
    this.intended.clear();
    this.past.cut(0); // shows the current position
    this.enter();
    this.input.show(state.moves, null, true);
  }

  /**
   * The server has sent events.
   * @param {GameEvent[]} events @param {Position} position @param {GameState["clocks"]} clocks
   */
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
        const { usi, to, text = usi, japanese = usi, from = null } = event;
        moved = { usi, text, japanese, from, to };
        if (event.shift) moved.shift = event.shift;
        if (event.way) moved.way = event.way;
        if (event.gone) moved.gone = event.gone;
        this.state.moves.push(moved);
      } else words = applyEvent(this.state, event) || words;
      if (event.kind === "join") nameSides(this.state.handicap, this.state.names);
    }
    const before = this.state.position;
    const { sfen, ply, thinking, outcome } = before;
    this.state.position = position;
    if (events.length) showNotice(words, true);
    if (
      position.sfen === sfen &&
      position.ply === ply &&
      position.thinking === thinking &&
      position.outcome?.text === outcome?.text
    ) {
      this.input.refresh(); // the board has not changed: keep the move begun
      return;
    }
    this.#log(events, before);
    this.waiting = false; // the event answers the command; its acknowledgement follows
    alertTo(this.state, before, moved);
    if (position.outcome || events.some(({ kind }) => kind === "undo")) this.intended.clear();
    const plays = this.me === position.turn && this.intended.to !== null;
    if (plays) this.past.cut(0); // the move is made in the current position
    if (this.past.at !== null)
      this.input.refresh(); // stay at the earlier position
    else {
      this.enter();
      this.input.show(this.state.moves, events.length === 1 ? moved : null, false);
    }
    if (moved && plays) this.intended.play(moved);
    if (position.outcome && !outcome) this.result.lift();
  }

  /** Log the moves, for screen readers too. @param {GameEvent[]} events @param {Position} before */
  #log(events, before) {
    const { moves, position } = this.state;
    const last = moves[moves.length - 1];
    // an illegal move, which loses, is not in the list
    const made = events.filter((event) => event.kind === "undo" || (event.kind === "move" && event.usi));
    if (!made.length) return;
    if (made[made.length - 1]?.kind === "undo")
      this.console.print([n("Taken back; {count} move stands.", "Taken back; {count} moves stand.", moves.length)]);
    else if (last && made.length === 1)
      this.console.print([moveWords(this.input, last, before.turn, before, position)]);
    else if (last) this.console.print([sentence([moveName(moves, moves.length, position.turn)])]);
  }

  // --- To the server ---

  /** @param {string} text */
  play(text) {
    const send = () => void this.command({ t: "move", ply: this.state.position.ply, text });
    if (this.coach?.wanted) void this.coach.approves(text).then((approved) => approved && send());
    else send();
  }

  /** @param {string} text */
  explain(text) {
    this.connection.explain(text);
  }

  /** @param {Step} step */
  worth(step) {
    return this.values?.worth(step) ?? null;
  }

  /**
   * Send a command.
   * @param {import("./connection.js").GameCommand} command @returns {Promise<string | null>} the reason of a refusal
   */
  async command(command) {
    this.waiting = true;
    this.input.composing.chooser.hide();
    const answer = this.connection.command(command);
    this.connectionChanged();
    const refusal = await answer;
    this.waiting = false;
    if (refusal) {
      showNotice(this.input.placed(refusal));
      this.input.walk.reset();
      this.input.refresh();
    }
    return refusal;
  }

  /** The connection has been lost, or is there again: a move that waits for it is no longer being made. */
  connectionChanged() {
    if (!this.waiting) return;
    if (!this.connection.open) this.input.walk.reset();
    this.input.refresh();
  }

  // --- Display ---

  /** @param {string | null} at @param {boolean} held */
  looked(at, held) {
    this.guide.look(at, held);
  }

  refreshed() {
    const { past, state } = this;
    const { position } = state;
    showMatch(state);
    this.meeting.show();
    this.moves.show(state.moves, position.turn, past.here);
    past.show();
    this.hint.show();
    this.guide.show();
    this.coach?.show();
    this.values?.show();
    this.#headline();
    this.result.show();
    // players get no help from the engine
    byId("to-study").hidden = position.outcome === null && (this.me !== null || apart(state));
  }

  #headline() {
    const { me } = this;
    const { position } = this.state;
    const kept = this.waiting && !this.connection.open;
    const words =
      (kept ? t("No connection. Your move is kept and will be sent as soon as it is back.") : "") ||
      stillWords(this.state) ||
      prompt(position, me, this.input.walk, this.input.kinds) +
        savingWords(position, me, this.state.variant) +
        (this.values?.task ?? "");
    say("headline", words);
    document.title = `${words} – ${t(this.state.variant.name)}`;
  }

  /** The server has reported an error: show it, and accept input again. @param {string} words */
  fault(words) {
    this.waiting = false;
    this.past.stop();
    showNotice(this.input.placed(t(words)));
    this.input.refresh();
  }

  sayBusy() {
    if (this.past.at !== null) showNotice(t("This is an earlier position: go back to the game first."), true);
    else showNotice(busyWords(this.state) || t("Your move is on its way."), true);
  }

  undo() {
    const { canUndo, ply } = this.state.position;
    if (canUndo) void this.meeting.ask({ t: "undo", ply });
  }
}
