// @ts-check
/** The names beside the board: who sits there, and whose turn it is. */

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { SIDE_NAMES } from "./trays.js";
import { person, seatName, SIDE_SIGNS } from "./words.js";

/** @param {HTMLElement} plate @param {import("./types").Side} side @param {import("./types").GameState} state */
export function showPlate(plate, side, { position, seats }) {
  const seat = seats[side];
  const own = person(seats) ? t("You") : position.match ? t(position.match.players[side]) : "";
  plate.replaceChildren(`${SIDE_SIGNS[side]} ${SIDE_NAMES[side]}`, h("br"), seat === "human" ? own : seatName(seat));
  plate.classList.toggle("to-move", !position.outcome && position.turn === side);
}
