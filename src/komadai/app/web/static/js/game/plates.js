// @ts-check
/** Name plates beside the board: the player, whether they are connected, and the side to move. */

import { h, nameTag } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { seatName } from "../lib/seats.js";
import { SIDE_NAMES, SIDE_SIGNS } from "../lib/sides.js";
import { onlySide, waiting } from "./people.js";

/** @typedef {import("../types/wire").GameState} GameState */
/** @typedef {import("../types/wire").Side} Side */

/** @param {HTMLElement} plate @param {Side} side @param {GameState} state */
export function showPlate(plate, side, state) {
  const { position, seats, you } = state;
  const seat = seats[side];
  const sits = seat === "open" && position.outcome ? t("Nobody came") : seatName(seat);
  const elsewhere = seat === "human" && !you.includes(side);
  const who = elsewhere ? remotePlayer(side, state) : [nameTag(seat === "human" ? ownName(side, state) : sits)];
  plate.replaceChildren(
    `${SIDE_SIGNS[side]} ${SIDE_NAMES[side]}`,
    ...(elsewhere ? [presence(side, state)] : []),
    ...who,
  );
  plate.classList.toggle("to-move", !position.outcome && !waiting(state) && position.turn === side);
}

/** @param {Side} side @param {GameState} state */
function ownName(side, state) {
  return side === onlySide(state) ? t("You") : playerName(side, state);
}

/** The name of a player, if there is one. @param {Side} side @param {GameState} state */
function playerName(side, { names, position }) {
  return names[side] || (position.match ? t(position.match.players[side]) : "");
}

/** The sign of a remote player's presence. @param {Side} side @param {GameState} state */
function presence(side, state) {
  return h("span", { class: "presence", "aria-hidden": "true" }, state.presence.seats[side] ? " ●" : " ○");
}

/** A remote player: name and presence. @param {Side} side @param {GameState} state */
function remotePlayer(side, state) {
  const [name, here] = [playerName(side, state), state.presence.seats[side]];
  const words = here ? t("connected") : t("away");
  return name
    ? [nameTag(name), h("span", { class: here ? "visually-hidden" : "presence-words" }, ` (${words})`)]
    : [h("br"), words];
}
