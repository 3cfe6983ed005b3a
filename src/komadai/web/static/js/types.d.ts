/** What the server sends; see web/describe.py and web/games.py. */

export type Side = "b" | "w";
export type StepType = "select" | "drop" | "face" | "go" | "capture" | "shoot" | "promote" | "stop";

/**
 * A step of the tree of legal moves: inner steps have `next`, the last of a move has `usi` and `piece`. Where several ways
 * lead to the same state `ref` stands for `next`: a number of a list in `Position.shared`.
 * A capture says what it takes and which kind that is in the hand, `null` if it leaves the game. `loses` are the points
 * of the mover's own pieces that the turn costs, the target among them if it is the moved piece (`piece` is `null` then
 * where it leaves the game). A turn of several legs or with shots also says which of the other side's pieces it captures
 * or shoots (`prey`), which go otherwise (`burns`), what stands turned afterwards (`turns`) and what else follows (`notes`).
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
}

export interface Point { id: string; x: number; y: number }

/** Several legs in one turn, each of which lands. */
export interface Walks { vectors: [number, number][]; least: number; most: number; line: "free" | "straight" | "onward" }

/** What a kind can shoot at: `targets` in a row, never the kinds in `safe`. */
export interface ShotReach { vectors: [number, number][]; reach: number; targets: number; over: boolean; safe: string[] }

/** `words` say on its card how it moves and what it is safe from. */
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
  words?: string[];
  becomes?: string | null;
}

/** Side and code of each piece by point, e.g. `{"7g": "bP"}`, and counts of what is in hand. */
export interface Pieces {
  board: Record<string, string>;
  hands: Record<Side, Record<string, number>>;
}

/** Where the game is played. The points of an unbounded field are those of a window that may move. */
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
  /** Whether the server knows the value of every move. */
  solved: boolean;
  options: Record<string, string>;
  changed: { name: string; value: string }[];
}

/** A rule option; with `sizes`, any "WxH" of numbers between these two may be asked for too. */
export interface Setting { name: string; values: string[]; help: string; sizes: [number, number] | null }
/** `handicaps`: starts that even out strength, as position strings. */
export interface OfferedVariant extends Variant { settings: Setting[]; handicaps: { name: string; kanji: string; start: string }[] }

/** A game that this browser plays: the sides it has there, and when it was looked at, in milliseconds. */
export interface Remembered { id: string; variant: string; you?: Side[]; at: number }

/** How a game stands, for a list; `last`: when something happened in it, in seconds. */
export interface Listed {
  id: string;
  variant: string;
  seats: Record<Side, Seat>;
  names: Partial<Record<Side, string>>;
  last: number;
  turn: Side;
  /** Whether there is nothing to go on with: the match, if it is of one, has ended as well, or goes on in another game. */
  over: boolean;
}

/** What the server says of a position: as it is written and what stands where, if it can be read, and what is wrong with it. */
export interface Checked {
  position: string | null;
  pieces: Pieces | null;
  turn: Side;
  defects: string[];
}

/** What a kind turns into, event by event; `triumph` is by capturing one of `prey`; `captured` is `null` where it leaves the game. */
export interface Changes {
  quiet: string[];
  captures: string[];
  zone: string[];
  triumph: string[];
  prey: string[];
  dropped: string[];
  captured: string | null;
}

/** A rule in words: when it is asked, of which kinds (none: of any), what it does and where it is written. */
export interface RuleWords { event: string; codes: string[]; words: string; source: string }

/** The rules of a variant: its special rules, what kinds turn into, the options, and the rules page as HTML. */
export interface Rulebook {
  variant: OfferedVariant;
  rules: RuleWords[];
  words: Record<string, string[]>;
  changes: Record<string, Changes>;
  ends: { repetition: number; perpetualLoses: boolean; royal: boolean; matchWins: number | null; agreement: boolean };
  sources: string[];
  page: string;
}

/** A landing of a turn, and what was shot from there. */
export interface Landing { at: string; shots: string[] }

/**
 * Points are named as before the move; `shift` is to be added to where they lie in the window after it. `way`, where the
 * turn is more than one landing: all of them; `gone`: where pieces vanished.
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
export interface Outcome { winner: Side | null; reason: string; text: string }

/** A match as seen from one of its games: its `leader` `needs` so many more wins in a row; `next` is what the button to the next game says. */
export interface Match {
  number: number;
  players: Record<Side, string>;
  leader: Side | null;
  needs: number;
  winner: Side | null;
  next: string | null;
  begun: boolean;
}

/** Kinds of which one must be there; `has`: whether one is. `note`: what it means that none is. */
export interface Needed { codes: string[]; name: string; has: boolean; note?: string | null }

/** What keeps a side alive: all parts of one of the `ways` (indices); and `works`: what other pieces depend on. */
export interface Standing { alive: boolean; ways: number[][]; parts: Needed[]; works: Needed[] }

/** What there is to be seen in a position. */
export interface Scene extends Pieces {
  sfen: string;
  ply: number;
  turn: Side;
  check: boolean;
  /** Points of pieces that the side to move may not move this turn. */
  held?: string[];
  standing?: Record<Side, Standing> | null;
  /** Points where a piece, or a link of the chain that carries support on, is supported; `null` where that is unknown. */
  support: { pieces: string[]; links: string[] } | null;
  /** Points of pieces that the side to move loses at the end of its turn unless it brings them back. */
  stranded: string[];
}

export interface Position extends Scene {
  outcome: Outcome | null;
  tree: Step[];
  /** Lists that steps of the tree refer to by number. */
  shared?: Step[][];
  /** Squares that rules about files forbid, by the beginning of the move strings they concern (`P*`, `5g`). */
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

/** What a side has offered; the other accepts by asking for the same. */
export interface Offer { what: "undo" | "draw" | "pause" | "resume" | "rematch"; side: Side }

/** What a side has left, in milliseconds: main time, then so many byo-yomi periods, of the first of which `period` is left. */
export interface TimeLeft { main: number; periods: number; period: number }

/** The clocks as of the message; that of the side `running` goes on. */
export interface Clocks extends Record<Side, TimeLeft> {
  control: string;
  running: Side | null;
  paused: boolean;
}

/** Which people are connected, and how many others watch. */
export interface Presence { spectators: number; seats: Partial<Record<Side, boolean>> }

/**
 * Who sits there: a person, one who is still to come, or the computer at a level; the three with names are how older games
 * call levels.
 */
export type Seat = "human" | "open" | `level${number}` | "easy" | "medium" | "strong";

export interface GameState {
  seq: number;
  game: string;
  variant: Variant;
  seats: Record<Side, Seat>;
  /** Of people who have told theirs. */
  names: Partial<Record<Side, string>>;
  /** The sides this client may act for; none for a spectator. */
  you: Side[];
  clocks: Clocks | null;
  presence: Presence;
  moves: PlayedMove[];
  position: Position;
  /** The position string the game begins from, `null` where that is the variant's start. */
  start: string | null;
  /** What is to be found, if the game begins from one of the hardest wins. */
  puzzle: { distance: number; winning: number } | null;
}

/** What a move is worth to the side making it; `threw` says what a blunder threw away. Distances count plies. */
export interface Judged {
  outcome: "win" | "draw" | "loss";
  distance: number | null;
  best: boolean;
  blunder: boolean;
  threw: { outcome: Judged["outcome"]; distance: number | null } | null;
}
export type KnownMove = PlayedMove & Judged;

/** What the table says after the event `seq`: of the position, every legal move, best first, and every played move. */
export interface StudyMessage {
  t: "study";
  seq: number;
  ply: number;
  value: { outcome: Judged["outcome"]; distance: number | null } | null;
  moves: KnownMove[];
  played: (Judged | null)[];
}

export interface Puzzle extends Pieces { position: string; distance: number; winning: number; turn: Side }

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

export type PieceSet = "kanji" | "letters";
