/** Types of the client's own state and of the interfaces between its parts. */

import type { Judged, ListedGame, Moment, Pieces, PlayedMove, Position, Side, Step } from "./wire";

/** The writing on pieces. */
export type PieceSet = "kanji" | "full" | "brush" | "short" | "moves" | "letters";

/**
 * A game played in this browser: its sides here, the time it was last opened, in milliseconds, and whether it was over
 * when it was last asked for.
 */
export interface Remembered {
  id: string;
  variant: string;
  you?: Side[];
  at: number;
  over?: boolean;
}

/** The same, with what the server knows of the game. */
export type Played = Remembered & ListedGame;

/**
 * A moment of a game kept in this browser. `own`: the move was the person's; `tried`: when it was last tried again, in
 * milliseconds.
 */
export interface KeptMoment extends Moment {
  id: string;
  game: string;
  variant: string;
  options: Record<string, string>;
  own: boolean;
  tried?: number;
}

/** The evaluation of a position: a principal variation, or what a record says of it. */
export interface Thought {
  score: number | null;
  mate: number | null;
  chance: number;
  moves: PlayedMove[];
  depth?: number;
  outcome?: string;
}

/** A position as it is asked about: a position string, or piece by piece. */
export type AskedPosition = string | (Pieces & { turn: Side; takenOn: string | null });

/** The move to be made when it is one's turn again, chosen meanwhile. */
export interface Intention {
  /** One may be chosen now. */
  readonly open: boolean;
  /** The point of its piece, or its kind and `*` for one in hand; and where it is to go. */
  readonly from: string | null;
  readonly to: string | null;
  /** A point, or a kind in hand and `*`, was tapped; returns whether that had a use. */
  tap(at: string): boolean;
  /** A piece is about to be dragged; returns whether it may be. */
  grab(at: string): boolean;
}

/**
 * A page with a board on which moves are made: it supplies the position and decides what happens to a finished move.
 */
export interface MoveHost {
  /** The position shown. */
  readonly position: Position;
  /** A person may act on the board now. */
  readonly active: boolean;
  /** The only side that the person here plays, if there is only one. */
  readonly me: Side | null;
  /** Make a move, given its move string. */
  play(usi: string): void;
  /** Ask why a move is illegal; the answer goes to `MoveInput.explained`. */
  explain(text: string): void;
  /** Say why nobody may act now. */
  sayBusy(): void;
  /** The best outcome after a step, if it is known and shown. */
  worth(step: Step): Judged["outcome"] | null;
  /** The move chosen for one's next turn, on pages that know such. */
  readonly intended?: Intention;
  /** Points that are to be in view beside those with pieces. */
  readonly aims?: string[];
  /** A point is pointed at, or held by a finger. */
  looked?(at: string | null, held: boolean): void;
  /** The board has been drawn: draw the rest of the page. */
  refreshed(): void;
}

/** A page whose moves can be stepped through by typed commands. */
export interface PastHost {
  /** The number of moves before the position shown. */
  readonly made: number;
  /** Show the position that many moves further on, or back. */
  step(by: number): void;
}

/** A page whose moves can be described by typed commands. */
export interface CommandHost {
  /** Give up the move begun. */
  cancel(): void;
  /** The move that led to the position shown, in words. */
  lastWords(): Promise<string>;
  /** The state of the game or study, in words. */
  statusWords(): string[];
  /** The list of keys and commands; `lines`: one command each. */
  readonly help: { open(): void; readonly lines: string[] };
}

/** The answer to a command: lines of text, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: most commands call a method that returns nothing
export type Answer = string | string[] | void;

/**
 * A command: its `keys` as in `KeyboardEvent.key`, its `typed` words (the shortest first) and the names of its
 * arguments. `say` answers the typed command, given its arguments; `press` handles a key, and the typed command where
 * there is no `say`. With neither, the board handles the keys.
 */
export interface Command {
  words: string;
  keys?: string[];
  typed?: string[];
  args?: string;
  when?: () => boolean;
  say?: (rest: string) => Answer | Promise<Answer>;
  press?: (key: string) => Answer;
}

/** What a card is about: a stage of a game's course, a puzzle, a move of an opening, or the position of a mistake. */
export interface CardName {
  kind: "lesson" | "puzzle" | "opening" | "mistake";
  game: string;
  name: string;
}

/**
 * Something that comes back: when it was looked at last (0: never) and comes back, in milliseconds; stability and
 * difficulty by FSRS; how often it was looked at, and forgotten then; the seconds that it took; what is needed to show it.
 */
export interface Card {
  at: number;
  due: number;
  s: number;
  d: number;
  n: number;
  f: number;
  sec: number;
  of?: Record<string, unknown>;
}

/** A card, or when it was forgotten. */
export type Kept = Card | { at: number; gone: true };

/** What is to come back, and the numbers of the days of practice, and of those with nothing due, the latest first. */
export interface Memory {
  cards: Record<string, Kept>;
  days: number[];
  rests: number[];
}

/** How somebody did with a card. */
export interface Result {
  solved: boolean;
  wrong: number;
  helped: boolean;
  seconds: number;
}
