// @ts-check
/** The HTTP API of the server. */

import { t } from "./i18n.js";
import { ROOT } from "./root.js";
import { keepInvite, pageOf, tokenOf } from "./tokens.js";

/** @import { OfferedVariant, PositionRef, Seat, Side } from "../types/wire" */

const LISTED_AT_ONCE = 24; // the server's limit

/** The data of a response; throws the server's error message if it is an error. @param {Response} response */
export async function answerOf(response) {
  const data = await response.json().catch(() => null); // a proxy may answer with a page
  if (!response.ok || data === null)
    throw new Error(typeof data?.error === "string" ? data.error : t("The server gave no answer."), {
      cause: data?.percent,
    });
  return data;
}

/** The response to a request. @param {string} path below that of the API @param {RequestInit} [request] */
async function reach(path, request) {
  try {
    return await fetch(`${ROOT}api/${path}`, request);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(t("The server cannot be reached; this needs it."));
  }
}

/**
 * The response to a request that is answered by a file; throws the server's error message if there is none.
 * @param {string} path below that of the API @param {RequestInit} [request]
 */
export async function fileFrom(path, request) {
  const response = await reach(path, request);
  if (!response.ok) await answerOf(response);
  return response;
}

/** Ask for data. @param {string} path below that of the API @param {RequestInit} [request] */
export async function get(path, request) {
  return answerOf(await reach(path, request));
}

/** Send JSON and return the data of the response. @param {string} path below that of the API @param {unknown} data */
export async function post(path, data) {
  return get(path, sending(data));
}

/** A request with JSON. @param {unknown} data @returns {RequestInit} */
export function sending(data) {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) };
}

// --- Games that there are ---

/** All variants that the server offers. @type {() => Promise<OfferedVariant[]>} */
export const variants = () => get("variants");

/** The classic variants beside them. @type {() => Promise<OfferedVariant[]>} */
export const shelf = () => get("shelf");

/**
 * All games that the server offers: its variants, and the classic ones, of which there are none if they cannot be had.
 * @type {() => Promise<[OfferedVariant[], OfferedVariant[]]>}
 */
export const allVariants = () => Promise.all([variants(), shelf().catch(() => [])]);

/** The engines besides our own that play a game. @param {string} game @returns {Promise<string[]>} their names */
export async function otherEngines(game) {
  /** @type {import("../types/wire").OtherEngine[]} */
  const all = await get("engines");
  return all.filter(({ games }) => games.includes(game)).map(({ name }) => name);
}

/** The opponents with a name, the weakest first. @type {() => Promise<import("../types/wire").Bot[]>} */
export const bots = () => get("bots");

/**
 * The hardest wins of a solved game.
 * @param {string} variant @param {string} search rule options
 * @returns {Promise<{ variant: import("../types/wire").Variant, wins: import("../types/wire").HardestWin[] }>}
 */
export const hardestWins = (variant, search) => get(`hardest/${encodeURIComponent(variant)}${search}`);

/**
 * The rules of a game.
 * @param {string} variant @param {string} search rule options @returns {Promise<import("../types/wire").Rulebook>}
 */
export const rulebook = (variant, search) => get(`rules/${encodeURIComponent(variant)}${search}`);

// --- Lessons and puzzles ---

/** All courses of lessons, the easiest first. @returns {Promise<import("../types/wire").CourseEntry[]>} */
export const courses = async () => (await get("lessons")).courses;

/** The course that teaches a game. @param {string} game @returns {Promise<import("../types/wire").Course>} */
export const course = (game) => get(`lessons/${encodeURIComponent(game)}`);

/**
 * Let a move in a stage be judged; without one, ask how it goes on.
 * @param {string} game @param {string} stage @param {{ moves: string[], move: string | null, tries: number }} asked
 * @returns {Promise<import("../types/wire").LessonAnswer>}
 */
export const judge = (game, stage, asked) =>
  post(`lessons/${encodeURIComponent(game)}/${encodeURIComponent(stage)}`, asked);

/** All games with puzzles, the easiest first. @returns {Promise<import("../types/wire").PuzzleGame[]>} */
export const puzzleGames = async () => (await get("puzzles")).games;

/** The puzzles of a game. @param {string} game @returns {Promise<import("../types/wire").PuzzleList>} */
export const puzzleList = (game) => get(`puzzles/${encodeURIComponent(game)}`);

/**
 * A puzzle as it begins; with a question: let a move in it be judged, or ask for help.
 * @param {string} game @param {string} id
 * @param {{ moves: string[], move?: string | null, help?: "hint" | "solution" | null }} [asked]
 * @returns {Promise<import("../types/wire").PuzzleAnswer>}
 */
export const puzzle = (game, id, asked) =>
  get(`puzzles/${encodeURIComponent(game)}/${encodeURIComponent(id)}`, asked && sending(asked));

/** All games with openings, the easiest first. @returns {Promise<import("../types/wire").OpeningGame[]>} */
export const openingGames = async () => (await get("openings")).games;

/** The openings of a game. @param {string} game @returns {Promise<import("../types/wire").OpeningList>} */
export const openingList = (game) => get(`openings/${encodeURIComponent(game)}`);

/**
 * Let a move in the training of an opening be judged; without one, ask how it goes on, or for a hint.
 * @param {string} game @param {string} training @param {{ moves: string[], move?: string | null, hint?: boolean }} asked
 * @returns {Promise<import("../types/wire").OpeningAnswer>}
 */
export const train = (game, training, asked) =>
  post(`openings/${encodeURIComponent(game)}/${encodeURIComponent(training)}`, asked);

// --- Games that are played ---

/**
 * The state of these games, as far as the server has them.
 * @param {string[]} ids @returns {Promise<import("../types/wire").ListedGame[]>}
 */
export async function listedGames(ids) {
  const found = [];
  for (let from = 0; from < ids.length; from += LISTED_AT_ONCE) {
    const some = ids.slice(from, from + LISTED_AT_ONCE).map(encodeURIComponent);
    found.push(...(await get(`games?ids=${some.join(",")}`)).games);
  }
  return found;
}

/** The records of these games in one file. @param {string[]} games @returns {Promise<Blob>} */
export const exportGames = async (games) => (await fileFrom("games/records/text", sending({ games }))).blob();

/** Take the open seat of a game and open its page. @param {string} invite @param {string} name */
export async function join(invite, name) {
  const found = await post("join", { invite, name });
  location.replace(pageOf(found.game, found.token));
}

/** The games that wait in the lobby, the latest first. @returns {Promise<import("../types/wire").ListedChallenge[]>} */
export const lobby = async () => (await get("lobby")).challenges;

// The keys of these are access keys.

/** Make a profile. @param {string} key */
export const newProfile = (key) => post("profile", { key });

/**
 * The games of a profile, after seats have been added.
 * @param {string} key @param {{ game: string, token: string }[]} [add]
 * @returns {Promise<import("../types/wire").ProfileGame[]>}
 */
export const profileGames = async (key, add = []) => (await post("profile/games", { key, add })).games;

/**
 * What is kept under a profile, without the bytes if it has the number that is known.
 * @param {string} key @param {number} known @returns {Promise<import("../types/wire").ProfileMemory>}
 */
export const profileMemory = (key, known) => post("profile/memory", { key, known });

/**
 * Keep something under a profile, after that of a number; the answer has the bytes that are there if they are others.
 * @param {string} key @param {number} after @param {string} sealed
 * @returns {Promise<import("../types/wire").ProfileMemory>}
 */
export const keepMemory = (key, after, sealed) =>
  get("profile/memory", { ...sending({ key, after, sealed }), method: "PUT" });

/** Delete a profile. @param {string} key */
export const deleteProfile = (key) => post("profile/delete", { key });

/** Open the next game of the same players. @param {string} game @param {string} following */
export function follow(game, following) {
  location.assign(pageOf(following, tokenOf(game)));
}

/** Open the next game of the match; the server starts it if needed. @param {string} game */
export async function next(game) {
  const found = await post(`games/${encodeURIComponent(game)}/next`, { token: tokenOf(game) });
  follow(game, found.game);
}

/**
 * Start a game and open its page.
 * @param {string} variant @param {Record<string, string>} options @param {Record<Side, Seat>} seats
 * @param {string | null} [position] the position string of its start, if it is not the usual one
 * @param {{ time?: string, name?: string, lobby?: boolean }} [more] the time control, the name of the player who starts
 * it, and whether the open seat is offered in the lobby
 */
export async function begin(variant, options, seats, position = null, more = {}) {
  const made = await post("games", { variant, options, seats, position, ...more });
  if (made.invite) keepInvite(made.game, made.invite);
  location.assign(pageOf(made.game, made.tokens.b ?? made.tokens.w));
}

// --- Positions and times ---

/**
 * An empty study; `search` has the variant and optionally a position and rule options.
 * @param {string} search @returns {Promise<import("../types/wire").StudyData>}
 */
export const emptyStudy = (search) => get(`study${search}`);

/**
 * The position after some moves, and the moves after the first `known` of them; `text` is one more move, as typed.
 * @param {PositionRef} branch @param {number} known @param {string} [text]
 * @returns {Promise<import("../types/wire").FoundPosition>}
 */
export const findPosition = (branch, known, text) => post("positions", { ...branch, known, text });

/** The reason why a move is illegal. @param {PositionRef} branch @param {string} text @returns {Promise<string>} */
export const explainMove = async (branch, text) => (await post("positions/explain", { ...branch, text })).text;

/**
 * Parse and validate a position.
 * @param {string} variant @param {Record<string, string>} options
 * @param {string | (import("../types/wire").Pieces & { turn: Side, takenOn: string | null })} position
 * @returns {Promise<import("../types/wire").CheckedPosition>}
 */
export const checkPosition = (variant, options, position) => post("positions/check", { variant, options, position });

/**
 * Parse a time control as people write it.
 * @param {string} control @returns {Promise<import("../types/wire").CheckedTime>}
 */
export const checkTime = (control) => get(`time?${new URLSearchParams({ control })}`);

/**
 * Remarks on a position, and the reach of the opponent's pieces.
 * @param {PositionRef} branch @returns {Promise<import("../types/wire").Guide>}
 */
export const guide = (branch) => post("positions/guide", branch);

/**
 * What a move makes worse for its side.
 * @param {PositionRef} branch @param {string} move @returns {Promise<import("../types/wire").MoveWarning>}
 */
export const warning = (branch, move) => post("positions/warning", { ...branch, move });

/**
 * The moves of a position in an opening book, and where the moves before it left the book.
 * @param {PositionRef} branch @returns {Promise<import("../types/wire").BookMoves>}
 */
export const bookMoves = (branch) => post("positions/book", branch);

/**
 * What a move does, for its opponent to read.
 * @param {PositionRef} branch @param {string} move @returns {Promise<import("../types/wire").Reasons>}
 */
export const reasons = (branch, move) => post("positions/reasons", { ...branch, move });
