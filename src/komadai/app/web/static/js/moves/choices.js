// @ts-check
/** The choices of a step between kinds: promotions and faces of cubes. */

import { unfold } from "../board/cube_net.js";
import { moveDiagram } from "../board/move_diagram.js";
import { kindReading, kindTitle, nameByCode } from "../board/piece_names.js";
import { pieceIcon } from "../board/pieces.js";
import { t } from "../lib/i18n.js";

/** @import { PieceSet } from "../types/client" */
/** @import { Kind, Side, Step, Variant } from "../types/wire" */
/** @import { Choice } from "./chooser.js" */

/**
 * The choices of the next step: for a drop all faces of the piece, in rolling order or as the net of the cube; the same
 * net for a piece on the board that turns to another face; otherwise the possible promotions, in the server's order.
 * @param {import("./step_walk.js").StepWalk} walk @param {Variant} variant @param {Map<string, Kind>} kinds
 * @param {{ side: Side, set: PieceSet }} look @param {(step: Step) => void} take
 * @param {(code: string) => void} [why] ask the server why a face cannot be dropped
 * @returns {{ words: string, shape: import("./chooser.js").Shape, choices: Choice[] }}
 */
export function choicesOf(walk, variant, kinds, look, take, why) {
  const dropping = walk.last?.t === "drop";
  const offered = walk.choices.map((step) => step.code ?? "");
  const cube =
    variant.hands
      .map((code) => kinds.get(code)?.faces ?? [])
      .find((faces) => offered.every((code) => faces.includes(code))) ?? [];
  const places = unfold(cube, kinds);
  const faces = dropping ? (kinds.get(walk.last?.code ?? "")?.faces ?? []) : places ? cube : [];
  const shape = places ? "net" : faces.length ? "strip" : "ladder";
  const missing = dropping ? t("no square") : t("not now");
  const choices = (faces.length ? faces : offered).flatMap((code) => {
    const kind = kinds.get(code);
    const step = walk.choices.find((child) => child.code === code);
    if (!kind) return [];
    const note = step?.t === "stop" ? t("stay") : step ? kindReading(kind) : missing;
    const picture = pieceIcon(variant, kind, { ...look, upsideDown: false });
    return [
      {
        key: code,
        title: kindTitle(kind),
        note,
        picture,
        pick: step ? () => take(step) : null,
        place: places?.get(code) ?? null,
        diagram: places ? () => moveDiagram(kind) : null,
        why: step || !places ? null : dropping && why ? () => why(code) : () => {},
        reason: step
          ? ""
          : dropping
            ? t("It cannot be dropped anywhere now")
            : t("A capture here turns up {pieces}", {
                pieces: offered.map((one) => nameByCode(one, kinds)).join(t(" or ")),
              }),
      },
    ];
  });
  const words = dropping
    ? places
      ? t("Which face? Opposite faces flip to each other.")
      : t("Which face? They roll in this order.")
    : t("What should it become?");
  return { words, shape, choices };
}
