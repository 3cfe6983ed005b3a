// @ts-check
/** The effects of a compound move, in a few words. */

import { messageWords } from "../board/message.js";
import { nameByCode } from "../board/piece_names.js";
import { h } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { onlyMove } from "./step_walk.js";

/** @import { Kind, Step } from "../types/wire" */
/** @import { StepWalk } from "./step_walk.js" */
/** @typedef {{ text: string, bad?: boolean }} Part */

const NAMED = 2; // most promoted pieces that are named; of more only the number is given

/** A list such as "drum and banner". @param {string[]} names */
function joined(names) {
  return names.length > 1
    ? t("{some} and {last}", { some: names.slice(0, -1).join(t(", ")), last: names[names.length - 1] ?? "" })
    : (names[0] ?? "");
}

/**
 * The effects given by the last step of a move.
 * @param {Step} end @param {string} mover the code of the moving piece @param {string | null} last its last point
 * @param {Record<string, string>} board @param {Map<string, Kind>} kinds @returns {Part[]}
 */
function endParts(end, mover, last, board, kinds) {
  const name = (/** @type {string} */ code) => nameByCode(code, kinds);
  const gone = end.piece === null;
  const lost = (end.loses ?? []).filter((at) => !(gone && at === last)).length;
  const turned = Object.entries(end.turns ?? {});
  /** @type {Part[]} */
  const parts = [];
  if (end.prey?.length) parts.push({ text: n("takes {count}", "takes {count}", end.prey.length) });
  if (end.burns?.length) parts.push({ text: n("burns {count}", "burns {count}", end.burns.length) });
  if (lost) parts.push({ text: n("burns {count} of yours", "burns {count} of yours", lost), bad: true });
  if (gone) parts.push({ text: t("the {piece} itself is lost", { piece: name(mover) }), bad: true });
  if (end.t === "promote" && end.code) parts.push({ text: t("becomes {piece}", { piece: name(end.code) }) });
  if (turned.length > NAMED) parts.push({ text: n("turns {count}", "turns {count}", turned.length) });
  else
    for (const [at, code] of turned) {
      const words = { piece: name(code), other: name((board[at] ?? "").slice(1)) };
      parts.push({
        text: at === last || !board[at] ? t("becomes {piece}", words) : t("{other} becomes {piece}", words),
      });
    }
  for (const message of end.messages ?? []) parts.push({ text: messageWords(message, kinds) });
  return parts;
}

/**
 * The known effects of the move begun if `step` comes next: all of them if only one move is left, otherwise the
 * captures so far.
 * @param {StepWalk} walk @param {Step | undefined} step @param {string} mover @param {Record<string, string>} board
 * @param {Map<string, Kind>} kinds @returns {{ end: Step | null, parts: Part[] }}
 */
export function foreseenEffects(walk, step, mover, board, kinds) {
  const ends = step
    ? [step]
    : walk.usi !== undefined && walk.last
      ? [walk.last]
      : walk.choosing
        ? walk.choices
        : walk.children;
  const known = ends.map(onlyMove);
  const [first] = known;
  const end = first && known.every((other) => other?.usi === first.usi) ? first : null;
  const taken = [
    ...new Set([...walk.taken, ...(step?.at && (step.t === "capture" || step.t === "shoot") ? [step.at] : [])]),
  ];
  if (!end)
    return {
      end: null,
      parts: taken.length ? [{ text: n("takes {count} so far", "takes {count} so far", taken.length) }] : [],
    };
  const goal =
    step && (step.t === "go" || step.t === "capture") ? (step.at ?? null) : (walk.goal ?? walk.path[0]?.at ?? null);
  return { end, parts: endParts(end, mover, goal, board, kinds) };
}

/** The effects as elements of the strip. @param {Part[]} parts */
export function effectStrip(parts) {
  return parts.flatMap(({ text, bad }, index) => [
    index ? " · " : "",
    h("span", { class: bad ? "bad" : "good" }, text),
  ]);
}

/**
 * The costs of a move as a list.
 * @param {Step} end @param {string} mover @param {string | null} last @param {Record<string, string>} board
 * @param {Map<string, Kind>} kinds
 */
export function costList(end, mover, last, board, kinds) {
  const bad = endParts(end, mover, last, board, kinds).flatMap(({ text, bad: costs }) => (costs ? [text] : []));
  return joined(bad);
}
