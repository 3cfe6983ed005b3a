// @ts-check
/**
 * Seat tokens, which prove to the server which side this browser plays. A token after the `#` of a game's address is
 * adopted, so that a seat can move to another device. Each tab keeps its own, so that two tabs can play each other.
 */

import { ROOT } from "./root.js";

const TOKENS = "komadai.tokens";
const INVITES = "komadai.invites";
const KEEP = 200;
const TOKEN = /^[!-~]{1,128}$/; // what the server takes: a long one would push everything else out of the storage

/**
 * @param {Storage} storage @param {string} key @returns {[string, string][]} games and their tokens, the latest last
 */
function read(storage, key) {
  const found = JSON.parse(storage.getItem(key) ?? "[]");
  return Array.isArray(found) ? found.filter((pair) => Array.isArray(pair) && pair.length === 2) : [];
}

/** @param {Storage} storage @param {string} key @param {string} game @param {string} token */
function write(storage, key, game, token) {
  const rest = read(storage, key).filter(([id]) => id !== game);
  storage.setItem(key, JSON.stringify([...rest, [game, token]].slice(-KEEP)));
}

/** The token for a game, if this browser has one. @param {string} game @returns {string | null} */
export function tokenOf(game) {
  const given = location.pathname === pageOf(game) ? location.hash.slice(1) : "";
  if (TOKEN.test(given)) return given;
  try {
    return new Map([...read(localStorage, TOKENS), ...read(sessionStorage, TOKENS)]).get(game) ?? null;
  } catch {
    return null; // storage is off, or another program wrote the value
  }
}

/** The address of a game, with the token if there is one. @param {string} game @param {string | null} [token] */
export function pageOf(game, token) {
  return `${ROOT}game/${game}${token ? `#${token}` : ""}`;
}

/** Store the token of the page's address, and remove it from the address bar. @param {string} game */
export function adoptToken(game) {
  const token = tokenOf(game);
  if (!token || token !== location.hash.slice(1)) return;
  try {
    for (const storage of [localStorage, sessionStorage]) write(storage, TOKENS, game, token);
    history.replaceState(null, "", pageOf(game));
  } catch {
    // storage is off or full: the token stays in the address
  }
}

/** Store tokens for games, in place of others that this browser or tab may have for them. @param {[string, string][]} pairs */
export function keepTokens(pairs) {
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const [game, token] of pairs) write(storage, TOKENS, game, token);
  } catch {
    // storage is off or full
  }
}

/** True if the token is one that a profile gave, which ends with the profile. @param {string | null} token */
export function ofProfile(token) {
  return token?.startsWith("p.") ?? false;
}

/** Store the invitation to a game started here. @param {string} game @param {string} invite */
export function keepInvite(game, invite) {
  try {
    write(localStorage, INVITES, game, invite);
  } catch {
    // storage is off or full: the page of the game then says that the invitation is elsewhere
  }
}

/** The invitation to a game, if this browser has it. @param {string} game @returns {string | null} */
export function inviteOf(game) {
  try {
    return new Map(read(localStorage, INVITES)).get(game) ?? null;
  } catch {
    return null;
  }
}
