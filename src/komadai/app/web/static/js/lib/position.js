// @ts-check
/** Positions as boards show them. */

/**
 * The pieces after a move that says what it changes.
 * @param {import("../types/wire").Pieces} pieces @param {Pick<import("../types/wire").RecordedMove, "set" | "hands">} move
 * @returns {import("../types/wire").Pieces}
 */
export function piecesAfter(pieces, move) {
  const board = { ...pieces.board };
  for (const [square, piece] of Object.entries(move.set)) {
    if (piece === null) delete board[square];
    else board[square] = piece;
  }
  return { board, hands: move.hands };
}

/** The fields of a position that are unknown until the server has sent it. */
export const UNKNOWN = {
  sfen: "",
  check: false,
  outcome: null,
  tree: [],
  shared: [],
  blocked: {},
  support: null,
  stranded: [],
  held: [],
  standing: null,
};

/** The fields of `Position` that only the current position of a game has. */
export const NO_GAME = {
  match: null,
  thinking: false,
  canUndo: false,
  canDraw: false,
  canDeclare: false,
  offers: [],
  rematch: null,
};
