// @ts-check
/** Names of those who play: people, levels, bots, other engines. */

import { t } from "./i18n.js";
import { title } from "./phrases.js";

/** @import { Seat } from "../types/wire" */

/** Before the name of an engine that is not our own. */
export const OTHER_ENGINE = "engine:";

/** Before the id of a bot. */
export const BOT = "bot:";

/** The occupant of a seat. @param {Seat} seat */
export function seatName(seat) {
  const level = /^level(\d+)$/.exec(seat)?.[1];
  if (level) return t("Computer, level {level}", { level });
  if (seat.startsWith(BOT)) return t("Computer, {name}", { name: t(title(seat.slice(BOT.length))) });
  if (seat.startsWith(OTHER_ENGINE)) return seat.slice(OTHER_ENGINE.length);
  if (seat === "open") return t("Waiting for a player");
  return t("A person");
}

const OWN_ENGINE = /^Komadai, (\w+)$/; // in records

/** The name of a player in a record: of a computer as on the page of its game. @param {string} [name] */
export function recordedName(name = "") {
  const [, seat = ""] = OWN_ENGINE.exec(name) ?? [];
  if (!seat) return name;
  return seatName(/** @type {Seat} */ (/^level\d+$/.test(seat) ? seat : `${BOT}${seat}`));
}

/** The same of a person; of a computer the empty string. @param {string} name */
export function personName(name) {
  return OWN_ENGINE.test(name) ? "" : name;
}
