// @ts-check
/** The HTTP API of the server. */

import { t } from "./i18n.js";
import { keepInvite, pageOf, tokenOf } from "./tokens.js";

/** @typedef {import("../types/wire").OfferedVariant} OfferedVariant */
/** @typedef {import("../types/wire").Variant} Variant */
/** @typedef {import("../types/wire").Puzzle} Puzzle */
/** @typedef {import("../types/wire").Seat} Seat */
/** @typedef {import("../types/wire").Side} Side */

/** The data of a response; throws the server's error message if it is an error. @param {Response} response */
export async function answerOf(response) {
  const data = await response.json();
  if (!response.ok) throw new Error(typeof data?.error === "string" ? data.error : t("The server gave no answer."));
  return data;
}

/** All variants that the server offers. @returns {Promise<OfferedVariant[]>} */
export async function variants() {
  return answerOf(await fetch("/api/variants"));
}

/**
 * The hardest wins of a solved game.
 * @param {string} variant @param {string} search rule options
 * @returns {Promise<{ variant: Variant, puzzles: Puzzle[] }>}
 */
export async function puzzles(variant, search) {
  return answerOf(await fetch(`/api/puzzles/${encodeURIComponent(variant)}${search}`));
}

/**
 * The rules of a game.
 * @param {string} variant @param {string} search rule options @returns {Promise<import("../types/wire").Rulebook>}
 */
export async function rulebook(variant, search) {
  return answerOf(await fetch(`/api/rules/${encodeURIComponent(variant)}${search}`));
}

/**
 * The state of these games, as far as the server has them.
 * @param {string[]} ids @returns {Promise<import("../types/wire").ListedGame[]>}
 */
export async function listedGames(ids) {
  return (await answerOf(await fetch(`/api/games?ids=${ids.map(encodeURIComponent).join(",")}`))).games;
}

/** Take the open seat of a game and open its page. @param {string} invite @param {string} name */
export async function join(invite, name) {
  const found = await post("/api/join", { invite, name });
  location.replace(pageOf(found.game, found.token));
}

/** Send JSON and return the data of the response. @param {string} address @param {unknown} data */
export async function post(address, data) {
  return answerOf(
    await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(data),
    }),
  );
}

/**
 * Parse and validate a position.
 * @param {string} variant @param {Record<string, string>} options
 * @param {string | (import("../types/wire").Pieces & { turn: Side })} position
 * @returns {Promise<import("../types/wire").CheckedPosition>}
 */
export async function checkPosition(variant, options, position) {
  return post("/api/positions/check", { variant, options, position });
}

/** Open the next game of the same players. @param {string} game @param {string} following */
export function follow(game, following) {
  location.assign(pageOf(following, tokenOf(game)));
}

/** Open the next game of the match; the server starts it if needed. @param {string} game */
export async function next(game) {
  const found = await post(`/api/games/${encodeURIComponent(game)}/next`, { token: tokenOf(game) });
  follow(game, found.game);
}

/**
 * Start a game and open its page.
 * @param {string} variant @param {Record<string, string>} options @param {Record<Side, Seat>} seats
 * @param {string | null} [position] the position string of its start, if it is not the usual one
 * @param {{ time?: string, name?: string }} [more] the time control, and the name of the player who starts it
 */
export async function begin(variant, options, seats, position = null, more = {}) {
  const made = await post("/api/games", { variant, options, seats, position, ...more });
  if (made.invite) keepInvite(made.game, made.invite);
  location.assign(pageOf(made.game, made.tokens.b ?? made.tokens.w));
}
