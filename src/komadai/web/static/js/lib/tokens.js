// @ts-check
/**
 * The secrets that show the server whom this browser plays for. A secret after the `#` of a game's address is taken over,
 * so that a seat can be carried to another device. A tab remembers its own, so that two tabs can play against each other.
 */

const TOKENS = "komadai.tokens";
const INVITES = "komadai.invites";
const KEEP = 200;

/** @param {Storage} storage @param {string} key @returns {[string, string][]} games and their secrets, the latest last */
function read(storage, key) {
  const found = JSON.parse(storage.getItem(key) ?? "[]");
  return Array.isArray(found) ? found.filter((pair) => Array.isArray(pair) && pair.length === 2) : [];
}

/** @param {Storage} storage @param {string} key @param {string} game @param {string} secret */
function write(storage, key, game, secret) {
  const rest = read(storage, key).filter(([id]) => id !== game);
  storage.setItem(key, JSON.stringify([...rest, [game, secret]].slice(-KEEP)));
}

/** The secret for a game, if this browser has one. @param {string} game @returns {string | null} */
export function tokenOf(game) {
  if (location.pathname === pageOf(game) && location.hash.length > 1) return location.hash.slice(1);
  try {
    return new Map([...read(localStorage, TOKENS), ...read(sessionStorage, TOKENS)]).get(game) ?? null;
  } catch {
    return null; // storage is off, or holds what another program wrote
  }
}

/** The address of a game, with the secret if there is one. @param {string} game @param {string | null} [token] */
export function pageOf(game, token) {
  return `/game/${game}${token ? `#${token}` : ""}`;
}

/** Remember the secret in the page's address, and hide it from who looks over one's shoulder. @param {string} game */
export function adoptToken(game) {
  const token = tokenOf(game);
  if (!token || location.hash.length < 2) return;
  try {
    for (const storage of [localStorage, sessionStorage]) write(storage, TOKENS, game, token);
    history.replaceState(null, "", pageOf(game));
  } catch {
    // storage is off or full: the secret stays in the address
  }
}

/** Remember what brings somebody to the open seat of a game made here. @param {string} game @param {string} invite */
export function keepInvite(game, invite) {
  try {
    write(localStorage, INVITES, game, invite);
  } catch {
    // storage is off or full: the game's page says that it does not know the invitation
  }
}

/** That invitation, if this browser has it. @param {string} game @returns {string | null} */
export function inviteOf(game) {
  try {
    return new Map(read(localStorage, INVITES)).get(game) ?? null;
  } catch {
    return null;
  }
}
