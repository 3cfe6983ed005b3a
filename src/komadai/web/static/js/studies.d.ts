/** What the server sends to who studies; see web/studies.py and web/analysis.py. */

import type { Pieces, PlayedMove, Position, Side, Variant } from "./types";

/** The marks of moves. */
export type Mark = "" | "!" | "?" | "!!" | "??" | "!?" | "?!";

/** A move with what it changes: `set` is what stands where it stood otherwise, by names after the move. */
export interface ToldMove extends PlayedMove {
  side: Side;
  set: Record<string, string | null>;
  hands: Pieces["hands"];
}

/** What an engine said of the move, seen from its mover; `chance` is Black's. */
export interface NodeScore { value: number | null; mate: number | null; depth: number | null; chance?: number | null }

/** What is said of a move, or of the start. */
export interface Said { comment: string; mark: Mark; seconds: number | null; score: NodeScore | null }
export type ToldNode = ToldMove & Said & { after: number };

export interface StudyResult { winner: Side | null; reason: string; text: string }

/** A record as it can be shown; `nodes` are in reading order, the first is the start. */
export interface StudyData {
  variant: Variant;
  version: string;
  /** The formats that can hold it. */
  forms: string[];
  /** The position string it begins from, `null` where that is the variant's start. */
  position: string | null;
  headers: Record<string, string>;
  result: StudyResult | null;
  start: Pieces & { turn: Side; ply: number; sfen: string };
  nodes: [Said, ...ToldNode[]];
}

/** A record as data, schema `komadai-record/1`; see docs/reference/records.md. */
export interface RecordData {
  schema: string;
  variant: string;
  version: string;
  options: Record<string, string>;
  headers?: Record<string, string>;
  start: string;
  comment?: string;
  moves: (string | { move: string; after?: number; comment?: string; mark?: string; seconds?: number; score?: object })[];
  result: { winner: Side | null; reason: string } | null;
}

/** Where a position is to be found: the moves from a position on. */
export interface Branch {
  variant: string;
  options: Record<string, string>;
  position: string | null;
  moves: string[];
}

/** A position, and the moves that were asked for. */
export interface Found { moves: ToldMove[]; position: ShownPosition }

/** A position as it is shown, without what only games have. */
export type ShownPosition = Pick<
  Position,
  "sfen" | "ply" | "turn" | "board" | "hands" | "check" | "outcome" | "tree" | "shared" | "blocked" | "support" | "stranded" | "held" | "standing"
>;

/** A line of play: `score` and `mate` (in plies) for the side to move, `chance` is Black's share of the point. */
export interface EngineLine { score: number; mate: number | null; chance: number; moves: PlayedMove[] }

/** What is thought of a position. */
export interface Thought {
  score: number | null;
  mate: number | null;
  chance: number;
  moves: PlayedMove[];
  depth?: number;
  outcome?: string;
}

export interface InfoMessage { t: "info"; id: string; depth: number; seldepth: number; nodes: number; nps: number; seconds: number; lines: EngineLine[] }

/** The position after `ply` moves; from the second on with what the move before it lost. */
export interface JudgedMessage extends Thought { t: "judged"; id: string; ply: number; loss?: number; mark?: Mark }

export type AnalysisMessage =
  | InfoMessage
  | JudgedMessage
  | { t: "done"; id: string; spent: string | null }
  | { t: "error"; id: string | null; reason: string };

