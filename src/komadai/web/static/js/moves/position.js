// @ts-check
/** Positions as boards show them. */

/** The fields of `Position` that only the current position of a game has. */
export const NO_GAME = { match: null, thinking: false, canUndo: false, canDraw: false, offers: [], rematch: null };
