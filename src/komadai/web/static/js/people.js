// @ts-check
/** The people of a game: who sits where, what they offer, and whether one may act now. */

import { follow } from "./api.js";
import { SIDE_NAMES } from "./trays.js";
import { SEAT_NAMES, SIDE_SIGNS } from "./words.js";

/** @typedef {import("./types").GameEvent} GameEvent */
/** @typedef {import("./types").GameState} GameState */
/** @typedef {import("./types").Side} Side */

const OFFERED = {
  undo: "to take back a move",
  draw: "a draw",
  pause: "a pause",
  resume: "to go on",
  rematch: "another game",
};

/** The side of who plays only one. @param {GameState} state @returns {Side | null} */
export function onlySide({ you: [side, more] }) {
  return more ? null : (side ?? null);
}

/** Whether two people play who do not share this screen. @param {GameState} state */
export function apart({ seats, you }) {
  return seats.b === "human" && seats.w === "human" && you.length < 2;
}

/** Why the person here may not act now, in words; nothing if they may. @param {GameState} state */
export function busyWords({ position: { outcome, thinking, turn }, seats, you, clocks }) {
  if (thinking) return "The computer is thinking: wait for its move.";
  if (outcome) return "The game is over.";
  if (!you.length) return "You are watching this game.";
  if (seats.b === "open" || seats.w === "open") return "The other player has not come yet.";
  if (clocks?.paused) return "The game is paused.";
  return you.includes(turn) ? "" : `${SIDE_NAMES[turn]} is to move.`;
}

/** What the other player has offered, if anything. @param {GameState} state */
export function offerWords({ position: { offers }, you }) {
  const offer = offers.find(({ side }) => !you.includes(side));
  return offer && you.length ? `${SIDE_NAMES[offer.side]} offers ${OFFERED[offer.what]}.` : "";
}

/** Somebody has come, or the people go on to another game. @param {GameState} state @param {GameEvent} event */
export function hear(state, event) {
  if (event.kind === "join") {
    state.seats[event.side] = "human";
    state.names[event.side] = event.name;
  } else if (event.kind === "rematch" && state.you.length) follow(state.game, event.game);
}

/** Show who plays a side. @param {HTMLElement} plate @param {Side} side @param {GameState} state */
export function showPlate(plate, side, state) {
  const { position, seats, names } = state;
  const person = side === onlySide(state) ? "You" : names[side] || position.match?.players[side] || SIDE_NAMES[side];
  const name = seats[side] === "human" ? person : SEAT_NAMES[seats[side]];
  plate.replaceChildren(`${SIDE_SIGNS[side]} ${SIDE_NAMES[side]}`, document.createElement("br"), name === SIDE_NAMES[side] ? "" : name);
  plate.classList.toggle("to-move", !position.outcome && position.turn === side);
}
