// @ts-check
/** What the page says of a game, in one place. */

import { n, t } from "./i18n.js";
import { called } from "./pieces.js";
import { SIDE_NAMES } from "./trays.js";

/** @typedef {import("./types").Side} Side */
/** @typedef {import("./types").Seat} Seat */
/** @typedef {import("./types").Step} Step */
/** @typedef {import("./types").Kind} Kind */
/** @typedef {import("./types").PlayedMove} PlayedMove */
/** @typedef {import("./types").Position} Position */
/** @typedef {import("./types").Variant} Variant */
/** @typedef {import("./types").PieceSet} PieceSet */

/** The signs of the sides. @type {Record<Side, string>} */
export const SIDE_SIGNS = { b: "☗", w: "☖" };

/** The other side. @type {Record<Side, Side>} */
export const OTHER = { b: "w", w: "b" };

/** Who sits there. @param {Seat} seat */
export function seatName(seat) {
  const level = /^level(\d+)$/.exec(seat)?.[1];
  if (level) return t("Computer, level {level}", { level });
  if (seat === "open") return t("Waiting for a player");
  if (seat === "easy") return t("Computer, easy");
  if (seat === "medium") return t("Computer, medium");
  if (seat === "strong") return t("Computer, strong");
  return t("A person");
}

/** `snake_case` as words with a capital. @param {string} name */
export function title(name) {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

/** Parts of a sentence that are lists themselves. @param {string[]} parts */
export function sentence(parts) {
  return t("{words}.", { words: parts.join(t("; ")) });
}

/** A value of a rule option as people read it. @param {string} value */
export function valueWords(value) {
  return t(title(value)).replace(/^(\d+)x(\d+)$/, "$1×$2");
}

/** The rule options that are not as usual. @param {Variant} variant */
export function changedWords({ changed }) {
  return changed.map(({ name, value }) => `${t(title(name))}: ${t(title(value))}`).join(" · ");
}

/** An error as a sentence. @param {unknown} error */
export function fault(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * What a capture brings to the hand, where that is another piece than the one taken; nothing elsewhere.
 * @param {Step | undefined} step @param {Map<string, Kind>} kinds @param {(kind: Kind) => string} call what to call a kind
 */
export function gainWords(step, kinds, call = called) {
  const taken = kinds.get(step?.takes ?? "");
  if (!taken || step?.gains === undefined) return "";
  const gained = kinds.get(step.gains ?? "");
  if (!gained) return t("{piece} leaves the game", { piece: call(taken) });
  return gained.kanji === taken.kanji ? "" : t("{piece} → {other} in your hand", { piece: call(taken), other: call(gained) });
}

/** What is said when the side to move cannot move a piece. @param {string} name */
export function heldWords(name) {
  return t("The {piece} is held fast: it may neither move nor shoot this turn.", { piece: name });
}

/** What a move of `side` costs it; nothing where it costs nothing. @param {string[]} lost @param {Side} side @param {Variant} variant */
export function costWords(lost, side, variant) {
  if (!lost.length) return "";
  const to = { side: SIDE_NAMES[OTHER[side]] };
  return variant.look === "cubes"
    ? n("{count} cube goes to {side}’s hand", "{count} cubes go to {side}’s hand", lost.length, to)
    : n("{count} piece goes to {side}’s hand", "{count} pieces go to {side}’s hand", lost.length, to);
}

/** Which pieces the side to move must save this turn. @param {Position} position @param {Side | null} me @param {Variant} variant */
export function savingWords({ outcome, stranded, turn }, me, variant) {
  if (outcome || !stranded.length) return "";
  const [count, side] = [stranded.length, SIDE_NAMES[turn]];
  const cubes = variant.look === "cubes";
  if (turn === me)
    return cubes
      ? n(" One of your cubes must be saved this turn.", " {count} of your cubes must be saved this turn.", count)
      : n(" One of your pieces must be saved this turn.", " {count} of your pieces must be saved this turn.", count);
  return cubes
    ? n(" One of {side}’s cubes must be saved this turn.", " {count} of {side}’s cubes must be saved this turn.", count, { side })
    : n(" One of {side}’s pieces must be saved this turn.", " {count} of {side}’s pieces must be saved this turn.", count, { side });
}

/** A piece and whose it is. @param {string} piece side and code @param {Map<string, Kind>} kinds */
export function pieceWords(piece, kinds) {
  return t("{side}’s {piece}", { side: SIDE_NAMES[piece[0] === "w" ? "w" : "b"], piece: nameOf(piece.slice(1), kinds) });
}

/**
 * A step as a button says it.
 * @param {Step} step @param {Map<string, Kind>} kinds @param {Record<string, string>} board
 * @param {(at: string) => string} place what points are called
 * @param {boolean} [stays] whether to stop is to stay what it is, rather than to end the move
 */
export function stepWords(step, kinds, board, place, stays = true) {
  const at = step.at === undefined ? "" : place(step.at);
  const stands = (board[step.at ?? ""] ?? "").slice(1);
  const words = { at, piece: nameOf(step.code ?? "", kinds), taken: nameOf(step.takes ?? stands, kinds), what: gainWords(step, kinds) };
  switch (step.t) {
    case "select":
      return `${title(nameOf(stands, kinds))} ${at}`;
    case "drop":
      return t("Drop {piece}", words);
    case "face":
      return t("as {piece}", words);
    case "go":
      return t("to {at}", words);
    case "capture":
      return words.what ? t("takes {at}: {what}", words) : t("takes {taken} {at}", words);
    case "shoot":
      return t("shoots {taken} {at}", words);
    case "promote":
      return t("becomes {piece}", words);
    case "stop":
      return stays ? t("stays {piece}", words) : t("stop here");
  }
}

/**
 * Whose turn it is and what to do next.
 * @param {Position} position @param {Side | null} me
 * @param {import("./steps.js").Walk} walk the move that has been begun @param {Map<string, Kind>} kinds
 */
export function prompt(position, me, walk, kinds) {
  if (position.outcome) return t(position.outcome.text);
  const inCheck = me === position.turn ? t("You are in check. ") : t("{side} is in check. ", { side: SIDE_NAMES[position.turn] });
  return (position.check ? inCheck : "") + task(position, me, walk, kinds);
}

/** @param {Position} position @param {Side | null} me @param {import("./steps.js").Walk} walk @param {Map<string, Kind>} kinds */
function task(position, me, walk, kinds) {
  const { last } = walk;
  if (position.thinking) return t("The computer is thinking…");
  if (last?.usi !== undefined) return t("Shall it be played?");
  if (!last) return me === position.turn ? t("Your turn.") : t("{side} to move.", { side: SIDE_NAMES[position.turn] });
  if (walk.underway && !walk.choosing) return underway(walk, title(nameOf(position.board[walk.path[0]?.at ?? ""]?.slice(1) ?? "", kinds)));
  const piece = title(nameOf(last.code ?? position.board[last.at ?? ""]?.slice(1) ?? "", kinds));
  if (last.next?.[0]?.t === "face") return t("{piece}: which face shall it show?", { piece });
  if (last.t === "drop" || last.t === "face") return t("{piece}: drop it where?", { piece });
  if (last.t === "select") return t("{piece}: move it where?", { piece });
  return t("What shall it become?");
}

/**
 * Which of a game's moves led to the position after so many of them.
 * @param {PlayedMove[]} moves @param {number} count @param {Side} turn whose turn it is after all of them
 */
export function moveName(moves, count, turn) {
  const move = moves[count - 1];
  const side = (moves.length - count) % 2 === 0 ? OTHER[turn] : turn;
  return move ? t("Move {number}, {side}: {move}", { number: count, side: SIDE_NAMES[side], move: move.text }) : t("The start");
}

/** @param {string} code @param {Map<string, Kind>} kinds */
export function nameOf(code, kinds) {
  const kind = kinds.get(code);
  return kind ? called(kind) : code;
}

/** How a move that is under way may go on. @param {import("./steps.js").Walk} walk @param {string} piece its name */
function underway(walk, piece) {
  const shoots = walk.children.some((step) => step.t === "shoot");
  const goes = walk.children.some((step) => step.t === "go" || step.t === "capture");
  const ends = walk.ends.length > 0;
  if (shoots && goes) return ends ? t("{piece}: shoot or go on, or done?", { piece }) : t("{piece}: shoot or go on?", { piece });
  if (shoots && walk.last?.t === "shoot") return ends ? t("{piece}: shoot again, or done?", { piece }) : t("{piece}: shoot again?", { piece });
  if (shoots) return ends ? t("{piece}: shoot, or done?", { piece }) : t("{piece}: shoot?", { piece });
  return ends ? t("{piece}: go on, or done?", { piece }) : t("{piece}: go on where?", { piece });
}

/** How the game ended for the one who looks. @param {Position} position @param {Side | null} me */
export function verdict(position, me) {
  const winner = position.outcome?.winner;
  if (position.outcome?.reason === "called_off") return t("Called off");
  if (!winner) return t("A draw");
  const side = { side: SIDE_NAMES[winner] };
  if (position.match?.winner) return me ? (winner === me ? t("You win the match") : t("You lose the match")) : t("{side} wins the match", side);
  return me ? (winner === me ? t("You win") : t("You lose")) : t("{side} wins", side);
}
