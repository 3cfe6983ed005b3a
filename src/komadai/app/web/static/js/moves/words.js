// @ts-check
/** Sentences about steps and about the move to make. */

import { messageWords } from "../board/message.js";
import { kindName, nameByCode } from "../board/piece_names.js";
import { n, t } from "../lib/i18n.js";
import { title } from "../lib/phrases.js";
import { moveText } from "../lib/prefs.js";
import { OTHER, SIDE_NAMES } from "../lib/sides.js";

/** @import { Kind, PlayedMove, Position, Side, Step, Variant } from "../types/wire" */

/**
 * The kind that a capture brings to the hand, if it differs from the captured one; otherwise the empty string.
 * @param {Step | undefined} step @param {Map<string, Kind>} kinds @param {(kind: Kind) => string} call names kinds
 */
export function gainWords(step, kinds, call = kindName) {
  const taken = kinds.get(step?.takes ?? "");
  if (!taken || step?.gains === undefined) return "";
  const gained = kinds.get(step.gains ?? "");
  if (!gained) return t("{piece} leaves the game", { piece: call(taken) });
  return gained.kanji === taken.kanji
    ? ""
    : t("{piece} → {other} in your hand", { piece: call(taken), other: call(gained) });
}

/** A move with its number and side. @param {number} number @param {Side} side @param {PlayedMove} move */
export function numberedMove(number, side, move) {
  return t("Move {number}, {side}: {move}", { number, side: SIDE_NAMES[side], move: moveText(move) });
}

/** The message about an immobilized piece. @param {string} name */
export function immobilizedWords(name) {
  return t("The {piece} is held fast: it may neither move nor shoot this turn.", { piece: name });
}

/**
 * The pieces that a move of `side` loses, in words; the empty string if there are none.
 * @param {string[]} lost @param {Side} side @param {Variant} variant
 */
export function costWords(lost, side, variant) {
  if (!lost.length) return "";
  const to = { side: SIDE_NAMES[OTHER[side]] };
  return variant.look === "cubes"
    ? n("{count} cube goes to {side}’s hand", "{count} cubes go to {side}’s hand", lost.length, to)
    : n("{count} piece goes to {side}’s hand", "{count} pieces go to {side}’s hand", lost.length, to);
}

/**
 * The number of pieces that the side to move must save this turn, in words.
 * @param {Position} position @param {Side | null} me @param {Variant} variant
 */
export function savingWords({ outcome, stranded, turn }, me, variant) {
  if (outcome || !stranded.length) return "";
  const [count, side] = [stranded.length, SIDE_NAMES[turn]];
  const cubes = variant.look === "cubes";
  if (turn === me)
    return cubes
      ? n(" One of your cubes must be saved this turn.", " {count} of your cubes must be saved this turn.", count)
      : n(" One of your pieces must be saved this turn.", " {count} of your pieces must be saved this turn.", count);
  return cubes
    ? n(
        " One of {side}’s cubes must be saved this turn.",
        " {count} of {side}’s cubes must be saved this turn.",
        count,
        { side },
      )
    : n(
        " One of {side}’s pieces must be saved this turn.",
        " {count} of {side}’s pieces must be saved this turn.",
        count,
        { side },
      );
}

/**
 * A step as the text of a button.
 * @param {Step} step @param {Map<string, Kind>} kinds @param {Record<string, string>} board
 * @param {(at: string) => string} place names of points
 * @param {boolean} [stays] whether `stop` means not to promote, rather than to end the move
 */
export function stepWords(step, kinds, board, place, stays = true) {
  const at = step.at === undefined ? "" : place(step.at);
  const code = (board[step.at ?? ""] ?? "").slice(1);
  const words = {
    at,
    piece: nameByCode(step.code ?? "", kinds),
    taken: nameByCode(step.takes ?? code, kinds),
    what: gainWords(step, kinds),
  };
  switch (step.t) {
    case "select":
      return `${title(nameByCode(code, kinds))} ${at}`;
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
 * The side to move and the next thing to do.
 * @param {Position} position @param {Side | null} me
 * @param {import("./step_walk.js").StepWalk} walk the move begun @param {Map<string, Kind>} kinds
 */
export function prompt(position, me, walk, kinds) {
  if (position.outcome) return messageWords(position.outcome.message, kinds);
  const inCheck =
    me === position.turn ? t("You are in check. ") : t("{side} is in check. ", { side: SIDE_NAMES[position.turn] });
  return (position.check ? inCheck : "") + task(position, me, walk, kinds);
}

/**
 * @param {Position} position @param {Side | null} me @param {import("./step_walk.js").StepWalk} walk
 * @param {Map<string, Kind>} kinds
 */
function task(position, me, walk, kinds) {
  const { last } = walk;
  if (position.thinking) return t("The computer is thinking…");
  if (last?.usi !== undefined) return t("Play this move?");
  if (!last) return me === position.turn ? t("Your turn.") : t("{side} to move.", { side: SIDE_NAMES[position.turn] });
  if (walk.underway && !walk.choosing)
    return underway(walk, title(nameByCode(position.board[walk.path[0]?.at ?? ""]?.slice(1) ?? "", kinds)));
  const piece = title(nameByCode(last.code ?? position.board[last.at ?? ""]?.slice(1) ?? "", kinds));
  if (last.next?.[0]?.t === "face") return t("{piece}: which face should it show?", { piece });
  if (last.t === "drop" || last.t === "face") return t("{piece}: drop it where?", { piece });
  if (last.t === "select") return t("{piece}: move it where?", { piece });
  return t("What should it become?");
}

/**
 * The ways to continue a compound move.
 * @param {import("./step_walk.js").StepWalk} walk @param {string} piece its name
 */
function underway(walk, piece) {
  const shoots = walk.children.some((step) => step.t === "shoot");
  const goes = walk.children.some((step) => step.t === "go" || step.t === "capture");
  const ends = walk.ends.length > 0;
  if (shoots && goes)
    return ends ? t("{piece}: shoot or go on, or done?", { piece }) : t("{piece}: shoot or go on?", { piece });
  if (shoots && walk.last?.t === "shoot")
    return ends ? t("{piece}: shoot again, or done?", { piece }) : t("{piece}: shoot again?", { piece });
  if (shoots) return ends ? t("{piece}: shoot, or done?", { piece }) : t("{piece}: shoot?", { piece });
  return ends ? t("{piece}: go on, or done?", { piece }) : t("{piece}: go on where?", { piece });
}
