// @ts-check
/** What the chooser offers at a step that is a choice between kinds. */

import { pieceIcon } from "./pieces.js";
import { title } from "./words.js";

/** @typedef {import("./types").Variant} Variant */
/** @typedef {import("./types").Kind} Kind */
/** @typedef {import("./types").Step} Step */
/** @typedef {import("./types").Side} Side */
/** @typedef {import("./types").PieceSet} PieceSet */
/** @typedef {import("./chooser.js").Choice} Choice */

/**
 * The choices of a walk: all faces of a piece to be dropped, in the order they roll, or what a piece on the board may
 * become, in the order the server published.
 * @param {import("./steps.js").Walk} walk @param {Variant} variant @param {Map<string, Kind>} kinds
 * @param {{ side: Side, set: PieceSet }} look @param {(step: Step) => void} take
 * @returns {{ faces: boolean, choices: Choice[] }}
 */
export function choicesOf(walk, variant, kinds, look, take) {
  const faces = walk.last?.t === "drop" ? (kinds.get(walk.last.code ?? "")?.faces ?? []) : [];
  const codes = faces.length ? faces : walk.children.map((step) => step.code ?? "");
  const choices = codes.flatMap((code) => {
    const kind = kinds.get(code);
    const step = walk.children.find((child) => child.code === code);
    if (!kind) return [];
    const note = step?.t === "stop" ? "stay" : step ? `${kind.kanji} ${kind.romaji}` : "no square";
    const picture = pieceIcon(variant, kind, { ...look, upsideDown: false });
    return [{ key: code, title: title(kind.name), note, picture, pick: step ? () => take(step) : null }];
  });
  return { faces: faces.length > 0, choices };
}
