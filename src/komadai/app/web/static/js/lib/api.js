// @ts-check
/** The HTTP API of the server. */

import { t } from "./i18n.js";
import { ROOT } from "./root.js";
import { keepInvite, pageOf, tokenOf } from "./tokens.js";

/** @typedef {import("../types/wire").OfferedVariant} OfferedVariant */
/** @typedef {import("../types/wire").Variant} Variant */
/** @typedef {import("../types/wire").HardestWin} HardestWin */
/** @typedef {import("../types/wire").Seat} Seat */
/** @typedef {import("../types/wire").Side} Side */

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

/** All variants that the server offers. @returns {Promise<OfferedVariant[]>} */
export async function variants() {
  return answerOf(await fetch(`${ROOT}api/variants`));
}

/** The classic variants beside them. @returns {Promise<OfferedVariant[]>} */
export async function shelf() {
  return answerOf(await fetch(`${ROOT}api/shelf`));
}

/**
 * All games that the server offers: its variants, and the classic ones, of which there are none if they cannot be had.
 *
 * @returns {Promise<[OfferedVariant[], OfferedVariant[]]>}
 */
export async function allVariants() {
  return Promise.all([variants(), shelf().catch(() => [])]);
}

/** The engines besides our own that play a game. @param {string} game @returns {Promise<string[]>} their names */
export async function otherEngines(game) {
  /** @type {import("../types/wire").OtherEngine[]} */
  const all = await answerOf(await fetch(`${ROOT}api/engines`));
  return all.filter(({ games }) => games.includes(game)).map(({ name }) => name);
}

/** The opponents with a name, the weakest first. @returns {Promise<import("../types/wire").Bot[]>} */
export async function bots() {
  return answerOf(await fetch(`${ROOT}api/bots`));
}

/**
 * The hardest wins of a solved game.
 * @param {string} variant @param {string} search rule options
 * @returns {Promise<{ variant: Variant, wins: HardestWin[] }>}
 */
export async function hardestWins(variant, search) {
  return answerOf(await fetch(`${ROOT}api/hardest/${encodeURIComponent(variant)}${search}`));
}

/**
 * The rules of a game.
 * @param {string} variant @param {string} search rule options @returns {Promise<import("../types/wire").Rulebook>}
 */
export async function rulebook(variant, search) {
  return answerOf(await fetch(`${ROOT}api/rules/${encodeURIComponent(variant)}${search}`));
}

/** All courses of lessons, the easiest first. @returns {Promise<import("../types/wire").CourseEntry[]>} */
export async function courses() {
  return (await answerOf(await fetch(`${ROOT}api/lessons`))).courses;
}

/** The course that teaches a game. @param {string} game @returns {Promise<import("../types/wire").Course>} */
export async function course(game) {
  return answerOf(await fetch(`${ROOT}api/lessons/${encodeURIComponent(game)}`));
}

/**
 * Let a move in a stage be judged; without one, ask how it goes on.
 * @param {string} game @param {string} stage @param {{ moves: string[], move: string | null, tries: number }} asked
 * @returns {Promise<import("../types/wire").LessonAnswer>}
 */
export async function judge(game, stage, asked) {
  return post(`${ROOT}api/lessons/${encodeURIComponent(game)}/${encodeURIComponent(stage)}`, asked);
}

/** All games with puzzles, the easiest first. @returns {Promise<import("../types/wire").PuzzleGame[]>} */
export async function puzzleGames() {
  return (await answerOf(await fetch(`${ROOT}api/puzzles`))).games;
}

/** The puzzles of a game. @param {string} game @returns {Promise<import("../types/wire").PuzzleList>} */
export async function puzzleList(game) {
  return answerOf(await fetch(`${ROOT}api/puzzles/${encodeURIComponent(game)}`));
}

/**
 * A puzzle as it begins; with a question: let a move in it be judged, or ask for help.
 * @param {string} game @param {string} id
 * @param {{ moves: string[], move?: string | null, help?: "hint" | "solution" | null }} [asked]
 * @returns {Promise<import("../types/wire").PuzzleAnswer>}
 */
export async function puzzle(game, id, asked) {
  const address = `${ROOT}api/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(id)}`;
  return asked ? post(address, asked) : answerOf(await fetch(address));
}

/**
 * The state of these games, as far as the server has them.
 * @param {string[]} ids @returns {Promise<import("../types/wire").ListedGame[]>}
 */
export async function listedGames(ids) {
  const found = [];
  for (let from = 0; from < ids.length; from += LISTED_AT_ONCE) {
    const some = ids.slice(from, from + LISTED_AT_ONCE).map(encodeURIComponent);
    found.push(...(await answerOf(await fetch(`${ROOT}api/games?ids=${some.join(",")}`))).games);
  }
  return found;
}

/** The records of these games in one file. @param {string[]} games @returns {Promise<Blob>} */
export async function exportGames(games) {
  const answer = await fetch(`${ROOT}api/games/records/text`, sending({ games }));
  if (!answer.ok) await answerOf(answer);
  return answer.blob();
}

/** Take the open seat of a game and open its page. @param {string} invite @param {string} name */
export async function join(invite, name) {
  const found = await post(`${ROOT}api/join`, { invite, name });
  location.replace(pageOf(found.game, found.token));
}

/** The games that wait in the lobby, the latest first. @returns {Promise<import("../types/wire").ListedChallenge[]>} */
export async function lobby() {
  return (await answerOf(await fetch(`${ROOT}api/lobby`))).challenges;
}

/** Make a profile. @returns {Promise<string>} its key */
export async function newProfile() {
  return (await answerOf(await fetch(`${ROOT}api/profile`, { method: "POST" }))).key;
}

/**
 * The games of a profile, after seats have been added.
 * @param {string} key @param {{ game: string, token: string }[]} [add]
 * @returns {Promise<import("../types/wire").ProfileGame[]>}
 */
export async function profileGames(key, add = []) {
  return (await post(`${ROOT}api/profile/games`, { key, add })).games;
}

/** Delete a profile. @param {string} key */
export async function deleteProfile(key) {
  await post(`${ROOT}api/profile/delete`, { key });
}

/** Send JSON and return the data of the response. @param {string} address @param {unknown} data */
export async function post(address, data) {
  return answerOf(await fetch(address, sending(data)));
}

/** A request with JSON. @param {unknown} data @returns {RequestInit} */
function sending(data) {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) };
}

/**
 * The reason why a move is illegal.
 * @param {import("../types/wire").PositionRef} branch @param {string} text @returns {Promise<string>}
 */
export async function explainMove(branch, text) {
  return (await post(`${ROOT}api/positions/explain`, { ...branch, text })).text;
}

/**
 * Parse and validate a position.
 * @param {string} variant @param {Record<string, string>} options
 * @param {string | (import("../types/wire").Pieces & { turn: Side, takenOn: string | null })} position
 * @returns {Promise<import("../types/wire").CheckedPosition>}
 */
export async function checkPosition(variant, options, position) {
  return post(`${ROOT}api/positions/check`, { variant, options, position });
}

/**
 * Parse a time control as people write it.
 * @param {string} control @returns {Promise<import("../types/wire").CheckedTime>}
 */
export async function checkTime(control) {
  return answerOf(await fetch(`${ROOT}api/time?${new URLSearchParams({ control })}`));
}

/**
 * Remarks on a position, and the reach of the opponent's pieces.
 * @param {import("../types/wire").PositionRef} branch @returns {Promise<import("../types/wire").Guide>}
 */
export async function guide(branch) {
  return post(`${ROOT}api/positions/guide`, branch);
}

/** Open the next game of the same players. @param {string} game @param {string} following */
export function follow(game, following) {
  location.assign(pageOf(following, tokenOf(game)));
}

/** Open the next game of the match; the server starts it if needed. @param {string} game */
export async function next(game) {
  const found = await post(`${ROOT}api/games/${encodeURIComponent(game)}/next`, { token: tokenOf(game) });
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
  const made = await post(`${ROOT}api/games`, { variant, options, seats, position, ...more });
  if (made.invite) keepInvite(made.game, made.invite);
  location.assign(pageOf(made.game, made.tokens.b ?? made.tokens.w));
}
