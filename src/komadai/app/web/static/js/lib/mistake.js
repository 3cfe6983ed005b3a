// @ts-check
/** An own mistake, to be played again: where it was made, what was played, and a better move. */

import { remember } from "./memory.js";

/** @import { CardName } from "../types/client" */
/** @import { PlayedMove, PositionRef } from "../types/wire" */

/**
 * @typedef {Pick<PlayedMove, "usi" | "text" | "japanese" | "from" | "to">} ShortMove
 * @typedef {{ variant: string, options: Record<string, string>, position: string, played: ShortMove, best: ShortMove }} Mistake
 */

/** @param {PlayedMove} move @returns {ShortMove} */
const short = ({ usi, text, japanese, from, to }) => ({ usi, text, japanese, from, to });

/** @param {any} move */
function isMove(move) {
  const texts = [move?.usi, move?.text, move?.japanese, move?.to, move?.from ?? ""];
  return texts.every((one) => typeof one === "string");
}

/** The name of the card of a mistake. @param {Pick<Mistake, "variant" | "options" | "position">} where @returns {CardName} */
export function mistakeName({ variant, options, position }) {
  const query = new URLSearchParams(options).toString();
  return { kind: "mistake", game: variant, name: [position, query].filter(Boolean).join("?") };
}

/**
 * Let a mistake come back as a drill, from tomorrow on; false if it cannot be kept.
 * @param {Required<Pick<PositionRef, "variant" | "options">>} game @param {string} position before the mistake
 * @param {PlayedMove} played @param {PlayedMove} best
 */
export function rememberMistake({ variant, options }, position, played, best) {
  const mistake = { variant, options, position, played: short(played), best: short(best) };
  return remember(mistakeName(mistake), mistake);
}

/** A mistake as it was kept, `null` if it is damaged. @param {any} found @returns {Mistake | null} */
export function mistakeOf(found) {
  const texts = [found?.variant, found?.position, ...Object.values(found?.options ?? {})];
  return texts.every((one) => typeof one === "string") && [found.played, found.best].every(isMove) ? found : null;
}
