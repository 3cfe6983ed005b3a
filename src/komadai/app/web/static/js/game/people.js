// @ts-check
/** The players of a game: their seats, their offers, and whether one may act now. */

import { follow } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { quoted } from "../lib/phrases.js";
import { SIDE_NAMES } from "../lib/sides.js";
import { greetingWords } from "./greetings.js";

/** @import { GameEvent, GameState, Side } from "../types/wire" */

/** Messages about an offer of the opponent, and about one's own. */
export const OFFERED = {
  undo: [t("{side} offers to take back a move."), t("You have offered to take back a move.")],
  draw: [t("{side} offers a draw."), t("You have offered a draw.")],
  pause: [t("{side} offers a pause."), t("You have offered a pause.")],
  resume: [t("{side} offers to resume."), t("You have offered to resume.")],
  rematch: [t("{side} offers another game."), t("You have offered another game.")],
};

/** The side played here, if it is only one. @param {GameState} state @returns {Side | null} */
export function onlySide({ you: [side, more] }) {
  return more ? null : (side ?? null);
}

/** True if two people play from different screens. @param {GameState} state */
export function apart({ seats, you }) {
  return seats.b === "human" && seats.w === "human" && you.length < 2;
}

/** True if a seat is open. @param {Pick<GameState, "seats">} state */
export function waiting({ seats }) {
  return seats.b === "open" || seats.w === "open";
}

/** The reason why nobody may move although the game is not over, or the empty string. @param {GameState} state */
export function stillWords(state) {
  if (state.position.outcome) return "";
  if (waiting(state)) return t("The other player has not come yet.");
  return state.clocks?.paused ? t("The game is paused.") : "";
}

/** The reason why the person here may not act now, or the empty string. @param {GameState} state */
export function busyWords(state) {
  const { you } = state;
  const { outcome, thinking, turn } = state.position;
  if (thinking) return t("The computer is thinking: wait for its move.");
  if (outcome) return t("The game is over.");
  if (!you.length) return t("You are watching this game.");
  return stillWords(state) || (you.includes(turn) ? "" : t("{side} is to move.", { side: SIDE_NAMES[turn] }));
}

/**
 * Apply an event other than a move to the state; returns the message about it.
 * @param {GameState} state @param {GameEvent} event
 */
export function applyEvent(state, event) {
  if (event.kind === "join") {
    state.seats[event.side] = "human";
    if (event.name) state.names[event.side] = event.name;
    return t("{name} has come.", { name: event.name ? quoted(event.name) : SIDE_NAMES[event.side] });
  }
  if (event.kind === "greet") return greetingWords(event, state);
  if (event.kind === "decline") return t("The offer no longer stands.");
  if (event.kind === "resume") return t("The game continues.");
  if (event.kind === "outage") return t("The server was down; that time does not count.");
  if (event.kind === "rematch" && state.you.length) follow(state.game, event.game);
  return "";
}
