/**
 * The wire format: messages and answers of the server, and what the client sends that has more than a few fields.
 * Written by hand for now; to be generated from the structs of the server.
 */

export type Side = "b" | "w";
export type StepType = "select" | "drop" | "face" | "go" | "capture" | "shoot" | "promote" | "stop";

/**
 * A step of the prefix tree of legal moves. Inner steps have `next`; the last step of a move has `usi` and `piece`.
 * Where several paths lead to the same state, `ref` replaces `next`: the index of a list in `Position.shared`. A
 * capture has `takes` and `gains`, the kind that it brings to the hand (`null`: it leaves the game). `loses`: points of
 * the mover's own pieces that the move costs, its target among them if that is the moved piece (then `piece` is `null`
 * if it leaves the game). The last step of a compound move also lists the pieces of the opponent that it captures or
 * shoots (`prey`), those removed otherwise (`burns`), the pieces that it turns over (`turns`) and further effects
 * (`notes`, in English, and `messages`).
 */
export interface Step {
  t: StepType;
  at?: string;
  code?: string;
  takes?: string;
  gains?: string | null;
  next?: Step[];
  ref?: number;
  usi?: string;
  piece?: string | null;
  loses?: string[];
  prey?: string[];
  burns?: string[];
  turns?: Record<string, string>;
  notes?: string[];
  messages?: Message[];
}

export interface Point {
  id: string;
  x: number;
  y: number;
}

/** A walk: several legs in one move, each of which lands. */
export interface Walks {
  vectors: [number, number][];
  least: number;
  most: number;
  line: "free" | "straight" | "onward";
}

/**
 * A shot: at `targets` pieces in a row, never at the kinds in `safe`; at the kinds in `nearest` only from that distance
 * on.
 */
export interface ShotReach {
  vectors: [number, number][];
  reach: number;
  targets: number;
  over: boolean;
  safe: string[];
  nearest: Record<string, number>;
}

/** A kind of piece in one state. `words`: its movement and special rules; `spares`: kinds that it cannot capture. */
export interface Kind {
  code: string;
  name: string;
  kanji: string;
  kanjiWhite: string;
  romaji: string;
  royal: boolean;
  turned: boolean;
  next: string | null;
  faces: string[];
  moves: { right: number; ahead: number; reach: number | null }[];
  walks?: Walks[];
  shot?: ShotReach | null;
  spares?: string[];
  words?: string[];
  becomes?: string | null;
}

/** Side and code of each piece by point, e.g. `{"7g": "bP"}`, and counts of what is in hand. */
export interface Pieces {
  board: Record<string, string>;
  hands: Record<Side, Record<string, number>>;
}

/** The board. The points of an unbounded board are those of a window that moves may shift. */
export interface BoardShape {
  width: number;
  height: number;
  unbounded: boolean;
  points: Point[];
  marks: [number, number][];
  noDrops: string[];
}

export interface Variant {
  id: string;
  name: string;
  summary: string;
  look: "squares" | "cubes" | "stones";
  numbering: "ply" | "pairs";
  board: BoardShape;
  kinds: Kind[];
  hands: string[];
  start: Pieces;
  /** The server has a table with the value of every move. */
  solved: boolean;
  options: Record<string, string>;
  changed: { name: string; value: string }[];
}

/** A rule option; with `sizes`, any board size "WxH" between these two numbers is a value too. */
export interface Setting {
  name: string;
  values: string[];
  help: string;
  sizes: [number, number] | null;
}

/** A variant with its rule options and handicaps; `start` of a handicap is a position string. */
export interface OfferedVariant extends Variant {
  settings: Setting[];
  handicaps: { name: string; kanji: string; start: string }[];
}

/** A game in a list; `last`: time of its latest event, in seconds. */
export interface ListedGame {
  id: string;
  variant: string;
  seats: Record<Side, Seat>;
  names: Partial<Record<Side, string>>;
  last: number;
  turn: Side;
  /** The game has ended, and so has its match or it goes on in another game. */
  over: boolean;
}

/**
 * The result of checking a position: its position string and pieces (`null` if it cannot be parsed), and its defects.
 */
export interface CheckedPosition {
  position: string | null;
  pieces: Pieces | null;
  turn: Side;
  defects: string[];
}

/**
 * The kinds that a kind becomes, by event; `triumph`: by capturing one of `prey`; `captured`: `null` if it leaves the
 * game.
 */
export interface Changes {
  quiet: string[];
  captures: string[];
  zone: string[];
  triumph: string[];
  prey: string[];
  dropped: string[];
  captured: string | null;
}

/** A special rule in words: its event, the kinds it concerns (empty: all), and its number in the rules. */
export interface RuleWords {
  event: string;
  codes: string[];
  words: string;
  source: string;
}

/** The rules of a variant; `words` and `changes` by code of the kind, `page` as HTML. */
export interface Rulebook {
  variant: OfferedVariant;
  rules: RuleWords[];
  words: Record<string, string[]>;
  changes: Record<string, Changes>;
  ends: { repetition: number; perpetualLoses: boolean; royal: boolean; matchWins: number | null; agreement: boolean };
  sources: string[];
  page: string;
}

/** A landing of a compound move, and the points shot from there. */
export interface Landing {
  at: string;
  shots: string[];
}

/**
 * A move of a game. Points have their names from before the move; `shift` is added to their coordinates in the window
 * after it. `way`: all landings, if there is more than one; `gone`: points where pieces were removed.
 */
export interface PlayedMove {
  usi: string;
  text: string;
  from: string | null;
  to: string;
  shift?: [number, number];
  way?: Landing[];
  gone?: string[];
}

/**
 * A message to several readers, which each page puts into its own language: a template that may use `{side}`, `{other}`
 * (its opponent), `{pieces}` (a list of kinds) and `{note}` (a template with the same arguments).
 */
export interface Message {
  text: string;
  side?: Side;
  pieces?: string[];
  note?: string;
}

export interface Outcome {
  winner: Side | null;
  reason: string;
  text: string;
  message: Message;
}

/**
 * A match as of one of its games: its `leader` `needs` that many more wins in a row; `next`: a next game can be opened.
 */
export interface Match {
  number: number;
  players: Record<Side, string>;
  leader: Side | null;
  needs: number;
  winner: Side | null;
  next: string | null;
  begun: boolean;
}

/** Kinds of which one is needed; `has`: one is on the board; `note`: the effect of having none. */
export interface Needed {
  codes: string[];
  name: string;
  has: boolean;
  note?: string | null;
  message?: Message;
}

/**
 * Survival of a side: it needs all parts of one of the `ways` (indices into `parts`); `works`: what other pieces depend
 * on.
 */
export interface Standing {
  alive: boolean;
  ways: number[][];
  parts: Needed[];
  works: Needed[];
}

/** The visible state of a position. */
export interface Scene extends Pieces {
  sfen: string;
  ply: number;
  turn: Side;
  check: boolean;
  /** Points of immobilized pieces of the side to move. */
  held?: string[];
  standing?: Record<Side, Standing> | null;
  /**
   * Points where a piece, or a link of the chain of support, is supported; `null`: unknown, or not a rule of the game.
   */
  support: { pieces: string[]; links: string[] } | null;
  /** Points of pieces that the side to move loses at the end of its turn unless it supports them again. */
  stranded: string[];
}

export interface Position extends Scene {
  outcome: Outcome | null;
  tree: Step[];
  /** Lists that steps of the tree refer to by index. */
  shared?: Step[][];
  /** Squares forbidden by rules about files, by prefix of the move strings concerned (`P*`, `5g`). */
  blocked: Record<string, string[]>;
  match: Match | null;
  thinking: boolean;
  last: PlayedMove | null;
  canUndo: boolean;
  canDraw: boolean;
  offers: Offer[];
  /** The game that the players have agreed to play next. */
  rematch: string | null;
}

/** An offer of a side; the other accepts by sending the same command. */
export interface Offer {
  what: "undo" | "draw" | "pause" | "resume" | "rematch";
  side: Side;
}

/**
 * The time left to a side, in milliseconds: main time, then byo-yomi periods, of the first of which `period` is left.
 */
export interface TimeLeft {
  main: number;
  periods: number;
  period: number;
}

/** The clocks at the time of the message; that of the side `running` keeps running. */
export interface Clocks extends Record<Side, TimeLeft> {
  control: string;
  running: Side | null;
  paused: boolean;
}

/** The connected players, and the number of spectators. */
export interface Presence {
  spectators: number;
  seats: Partial<Record<Side, boolean>>;
}

/**
 * The occupant of a seat: a person, a person yet to join, or the engine at a level. The last three are levels in stored
 * games of older versions.
 */
export type Seat = "human" | "open" | `level${number}` | "easy" | "medium" | "strong";

export interface GameState {
  seq: number;
  game: string;
  variant: Variant;
  seats: Record<Side, Seat>;
  /** Names of the players who gave one. */
  names: Partial<Record<Side, string>>;
  /** The sides this client may act for; empty for a spectator. */
  you: Side[];
  clocks: Clocks | null;
  presence: Presence;
  moves: PlayedMove[];
  position: Position;
  /** Position string of the start, `null` for the start of the variant. */
  start: string | null;
  /** The task, if the game starts from one of the hardest wins. */
  puzzle: { distance: number; winning: number } | null;
}

/** The value of a move to the side that makes it; `threw`: the value lost by a blunder. Distances are in plies. */
export interface Judged {
  outcome: "win" | "draw" | "loss";
  distance: number | null;
  best: boolean;
  blunder: boolean;
  threw: { outcome: Judged["outcome"]; distance: number | null } | null;
}

export type KnownMove = PlayedMove & Judged;

/** The table's values after the event `seq`: of the position, every legal move (best first) and every move played. */
export interface StudyMessage {
  t: "study";
  seq: number;
  ply: number;
  value: { outcome: Judged["outcome"]; distance: number | null } | null;
  moves: KnownMove[];
  played: (Judged | null)[];
}

export interface Puzzle extends Pieces {
  position: string;
  distance: number;
  winning: number;
  turn: Side;
}

export type GameEvent =
  | ({ seq: number; kind: "move"; illegal?: string } & Partial<PlayedMove>)
  | { seq: number; kind: "undo"; moves: number }
  | { seq: number; kind: "resign" | "flag"; side: Side }
  | { seq: number; kind: "join"; side: Side; name: string }
  | { seq: number; kind: "offer"; side: Side; what: Offer["what"] }
  | { seq: number; kind: "decline"; what: Offer["what"] }
  | { seq: number; kind: "rematch"; game: string }
  | { seq: number; kind: "draw" | "call_off" | "pause" | "resume" | "outage" };

export type ServerMessage =
  | ({ t: "state" } & GameState)
  | { t: "events"; seq: number; events: GameEvent[]; position: Position; clocks: Clocks | null }
  | ({ t: "presence" } & Presence)
  | { t: "ack"; id: string; seq: number }
  | { t: "refused"; id: string; reason: string }
  | { t: "error"; reason: string }
  | { t: "explanation"; about: string; text: string }
  | { t: "seen"; moves: number; position: Scene }
  | StudyMessage
  | { t: "pong" };

// --- Studies and analysis ---

/** The annotation symbols of moves. */
export type Mark = "" | "!" | "?" | "!!" | "??" | "!?" | "?!";

/**
 * A move of a record with its changes to the board: `set` maps each changed point to its piece, by names after the
 * move.
 */
export interface RecordedMove extends PlayedMove {
  side: Side;
  set: Record<string, string | null>;
  hands: Pieces["hands"];
}

/** The score of a move from an engine, from the mover's point of view; `chance` is Black's expected score. */
export interface NodeScore {
  value: number | null;
  mate: number | null;
  depth: number | null;
  chance?: number | null;
}

/** The annotations of a move, or of the start. */
export interface Annotations {
  comment: string;
  mark: Mark;
  seconds: number | null;
  score: NodeScore | null;
}

export type RecordedNode = RecordedMove & Annotations & { after: number };

export interface StudyResult {
  winner: Side | null;
  reason: string;
  text: string;
}

/** A record prepared for display; `nodes` in depth-first order, the first is the start. */
export interface StudyData {
  variant: Variant;
  version: string;
  /** The formats it can be written in. */
  forms: string[];
  /** Position string of the start, `null` for the start of the variant. */
  position: string | null;
  headers: Record<string, string>;
  result: StudyResult | null;
  start: Pieces & { turn: Side; ply: number; sfen: string };
  nodes: [Annotations, ...RecordedNode[]];
}

/** A record as JSON, schema `komadai-record/2`. */
export interface RecordData {
  schema: string;
  variant: string;
  version: string;
  options: Record<string, string>;
  headers?: Record<string, string>;
  start: string;
  comment?: string;
  moves: (
    | string
    | { move: string; after?: number; comment?: string; mark?: string; seconds?: number; score?: object }
  )[];
  result: { winner: Side | null; reason: string } | null;
}

/** A reference to a position: a start and the moves from it. */
export interface Branch {
  variant: string;
  options: Record<string, string>;
  position: string | null;
  moves: string[];
}

/** A position, and the moves requested with it. */
export interface FoundPosition {
  moves: RecordedMove[];
  position: ShownPosition;
}

/** A position without the fields that only games have. */
export type ShownPosition = Pick<
  Position,
  | "sfen"
  | "ply"
  | "turn"
  | "board"
  | "hands"
  | "check"
  | "outcome"
  | "tree"
  | "shared"
  | "blocked"
  | "support"
  | "stranded"
  | "held"
  | "standing"
>;

/** A principal variation: `score` and `mate` (in plies) for the side to move, `chance` is Black's expected score. */
export interface EngineLine {
  score: number;
  mate: number | null;
  chance: number;
  moves: PlayedMove[];
}

export interface InfoMessage {
  t: "info";
  id: string;
  depth: number;
  seldepth: number;
  nodes: number;
  nps: number;
  seconds: number;
  lines: EngineLine[];
}

/** The evaluation of the position after `ply` moves; from the second on with the loss of the move before it. */
export interface JudgedMessage {
  t: "judged";
  id: string;
  ply: number;
  score: number | null;
  mate: number | null;
  chance: number;
  moves: PlayedMove[];
  depth?: number;
  outcome?: string;
  loss?: number;
  mark?: Mark;
}

export type AnalysisMessage =
  | InfoMessage
  | JudgedMessage
  | { t: "done"; id: string; spent: string | null }
  | { t: "error"; id: string | null; reason: string };
