// @ts-check
/** The profile of this browser: its games, and what comes back, on other devices, by a secret key. */

import { deleteProfile, newProfile, profileGames } from "../lib/api.js";
import { discover, games, profile, setProfile } from "../lib/prefs.js";
import { accessOf, newKey } from "../lib/profile_key.js";
import { keepTokens, ofProfile, tokenOf } from "../lib/tokens.js";

/** @import { ProfileGame } from "../types/wire" */

const ADDED_AT_ONCE = 50; // the server's limit

/** The seats of this browser in these games. @param {string[]} ids */
function seats(ids) {
  return ids.flatMap((game) => {
    const token = tokenOf(game);
    return token ? [{ game, token }] : [];
  });
}

/** Take over what a profile has: its tokens, where this browser has none of its own. @param {ProfileGame[]} found */
function adopt(found) {
  const missing = found.filter(({ game }) => !tokenOf(game) || ofProfile(tokenOf(game)));
  keepTokens(missing.map(({ game, token }) => [game, token]));
  discover(found.map(({ game, variant, you }) => ({ id: game, variant, you })).reverse());
}

/** Keep a key, and which games its profile has. @param {string} key @param {ProfileGame[]} found */
function keep(key, found) {
  const games = found.map(({ game }) => game);
  setProfile(key, games);
}

/**
 * Use a profile in this browser: bring the games of the browser into it, and its games into the browser; likewise what
 * comes back.
 * @param {string} key
 */
export async function useProfile(key) {
  const access = await accessOf(key);
  let found = await profileGames(access);
  const there = new Set(found.map(({ game }) => game));
  const missing = seats(games().flatMap(({ id }) => (there.has(id) ? [] : [id])));
  for (let from = 0; from < missing.length; from += ADDED_AT_ONCE)
    found = await profileGames(access, missing.slice(from, from + ADDED_AT_ONCE));
  adopt(found);
  keep(key, found);
  const { syncMemory } = await import("./memory.js"); // pages with a game load no more than they need
  await syncMemory(key);
}

/** Make a profile with all games of this browser; a new one takes over those of the old. @returns {Promise<string>} its key */
export async function renewProfile() {
  const { key: old } = profile();
  const key = newKey();
  await newProfile(await accessOf(key));
  if (old) await useProfile(old);
  await useProfile(key);
  if (old) await deleteProfile(await accessOf(old));
  return key;
}

/** Delete the profile of this browser. */
export async function endProfile() {
  const { key } = profile();
  setProfile("", []);
  if (key) await deleteProfile(await accessOf(key));
}

/** Bring the profile up to date, if this browser has one. */
export async function syncProfile() {
  const { key } = profile();
  if (key) await useProfile(key);
}

/** Add a game that has just begun to the profile, if this browser has one. @param {string} game */
export async function addToProfile(game) {
  const { key, games: there } = profile();
  if (!key || there.includes(game)) return;
  keep(key, await profileGames(await accessOf(key), seats([game])));
}
