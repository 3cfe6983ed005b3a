// @ts-check
/** What the page says, in one place. */

import { SIDE_NAMES } from "./trays.js";

/** @typedef {import("./types").Side} Side */
/** @typedef {import("./types").Seat} Seat */
/** @typedef {import("./types").Step} Step */
/** @typedef {import("./types").Kind} Kind */
/** @typedef {import("./types").Position} Position */
/** @typedef {import("./types").Variant} Variant */
/** @typedef {import("./types").PieceSet} PieceSet */

/** The signs of the sides. @type {Record<Side, string>} */
export const SIDE_SIGNS = { b: "☗", w: "☖" };

/** Who sits there. @type {Record<Seat, string>} */
export const SEAT_NAMES = {
  human: "A person",
  open: "Waiting for a player",
  easy: "Computer, easy",
  medium: "Computer, medium",
  strong: "Computer, strong",
};

/** `snake_case` as words with a capital. @param {string} name */
export function title(name) {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

/**
 * What a capture brings to the hand, where that is another piece than the one taken; nothing elsewhere.
 * @param {Step | undefined} step @param {Map<string, Kind>} kinds @param {(kind: Kind) => string} call what to call a kind
 */
export function gainWords(step, kinds, call = (kind) => kind.name) {
  const taken = kinds.get(step?.takes ?? "");
  if (!taken || step?.gains === undefined) return "";
  const gained = kinds.get(step.gains ?? "");
  if (!gained) return `${call(taken)} leaves the game`;
  return gained.kanji === taken.kanji ? "" : `${call(taken)} → ${call(gained)} in your hand`;
}

/** What pieces are called here, with their number. @param {number} count @param {Variant} variant */
function counted(count, variant) {
  const noun = variant.look === "cubes" ? "cube" : "piece";
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** What is said when the side to move cannot move a piece. @param {string} name */
export function heldWords(name) {
  return `The ${name} is held fast: it may neither move nor shoot this turn.`;
}

/** What a move of `side` costs it; nothing where it costs nothing. @param {string[]} lost @param {Side} side @param {Variant} variant */
export function costWords(lost, side, variant) {
  const to = SIDE_NAMES[side === "b" ? "w" : "b"];
  return lost.length ? `${counted(lost.length, variant)} ${lost.length === 1 ? "goes" : "go"} to ${to}’s hand` : "";
}

/** Which pieces the side to move must save this turn. @param {Position} position @param {Side | null} me @param {Variant} variant */
export function savingWords({ outcome, stranded, turn }, me, variant) {
  if (outcome || !stranded.length) return "";
  const whose = turn === me ? "your" : `${SIDE_NAMES[turn]}’s`;
  const number = stranded.length === 1 ? "One" : String(stranded.length);
  return ` ${number} of ${whose} ${counted(2, variant).slice(2)} must be saved this turn.`;
}

/**
 * A step as a button says it.
 * @param {Step} step @param {Map<string, Kind>} kinds @param {Record<string, string>} board
 * @param {(at: string) => string} place what points are called
 * @param {boolean} [stays] whether to stop is to stay what it is, rather than to end the move
 */
export function stepWords(step, kinds, board, place, stays = true) {
  const name = kinds.get(step.code ?? "")?.name ?? step.code ?? "";
  const at = step.at === undefined ? "" : place(step.at);
  const taken = kinds.get(step.takes ?? (board[step.at ?? ""] ?? "").slice(1))?.name;
  switch (step.t) {
    case "select":
      return `${title(kinds.get((board[step.at ?? ""] ?? "").slice(1))?.name ?? "")} ${at}`;
    case "drop":
      return `Drop ${name}`;
    case "face":
      return `as ${name}`;
    case "go":
      return `to ${at}`;
    case "capture":
      return gainWords(step, kinds) ? `takes ${at}: ${gainWords(step, kinds)}` : `takes ${taken} ${at}`;
    case "shoot":
      return `shoots ${taken} ${at}`;
    case "promote":
      return `becomes ${name}`;
    case "stop":
      return stays ? `stays ${name}` : "stop here";
  }
}

/**
 * Whose turn it is and what to do next.
 * @param {Position} position @param {Side | null} me
 * @param {import("./steps.js").Walk} walk the move that has been begun @param {Map<string, Kind>} kinds
 */
export function prompt(position, me, walk, kinds) {
  if (position.outcome) return position.outcome.text;
  const inCheck = me === position.turn ? "You are in check. " : `${SIDE_NAMES[position.turn]} is in check. `;
  return (position.check ? inCheck : "") + task(position, me, walk, kinds);
}

/** @param {Position} position @param {Side | null} me @param {import("./steps.js").Walk} walk @param {Map<string, Kind>} kinds */
function task(position, me, walk, kinds) {
  const { last } = walk;
  if (position.thinking) return "The computer is thinking…";
  if (last?.usi !== undefined && last.loses?.length) return "Shall it be played?";
  if (!last) return me === position.turn ? "Your turn." : `${SIDE_NAMES[position.turn]} to move.`;
  if (walk.underway && !walk.choosing) return underway(walk, title(nameOf(position.board[walk.path[0]?.at ?? ""]?.slice(1) ?? "", kinds)));
  const name = title(nameOf(last.code ?? position.board[last.at ?? ""]?.slice(1) ?? "", kinds));
  if (last.next?.[0]?.t === "face") return `${name}: which face shall it show?`;
  if (last.t === "drop" || last.t === "face") return `${name}: drop it where?`;
  if (last.t === "select") return `${name}: move it where?`;
  return "What shall it become?";
}

/** @param {string} code @param {Map<string, Kind>} kinds */
function nameOf(code, kinds) {
  return kinds.get(code)?.name ?? code;
}

/** How a move that is under way may go on. @param {import("./steps.js").Walk} walk @param {string} name of the piece */
function underway(walk, name) {
  const shoots = walk.children.some((step) => step.t === "shoot");
  const goes = walk.children.some((step) => step.t === "go" || step.t === "capture");
  const on = shoots ? (goes ? "shoot or go on" : walk.last?.t === "shoot" ? "shoot again" : "shoot") : "go on";
  return `${name}: ${on}${walk.ends.length ? ", or done?" : shoots ? "?" : " where?"}`;
}

/** How the game ended for the one who looks. @param {Position} position @param {Side | null} me */
export function verdict(position, me) {
  const winner = position.outcome?.winner;
  if (!winner) return "A draw";
  if (position.match?.winner) return me ? (winner === me ? "You win the match" : "You lose the match") : `${SIDE_NAMES[winner]} wins the match`;
  return me ? (winner === me ? "You win" : "You lose") : `${SIDE_NAMES[winner]} wins`;
}
