// @ts-check
/** Where this site begins: pages and interfaces have their addresses below it, whatever folder of a host it is in. */

/** The path of the folder of static files, which ends in a slash: below that of all versions, or it itself. */
export const STATIC = new URL("../../", import.meta.url).pathname;

/** The path of the home page, which ends in a slash. */
export const ROOT = STATIC.slice(0, STATIC.lastIndexOf("/static/") + 1);

/** Whether one browser has Komadai for itself, inside it: nobody else can be reached. */
export const ALONE = document.documentElement.hasAttribute?.("data-alone") ?? false;

/** Whether the server runs on the computer of the person here. */
export const HERE = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** The decoded parts of the page's path below the root. @param {string} [path] */
export function pathParts(path = location.pathname) {
  return path.slice(ROOT.length).split("/").map(decodeURIComponent);
}

/** The address of a WebSocket. @param {"socket" | "analysis" | "follow"} name */
export function socketAddress(name) {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${ROOT}${name}`;
}

/**
 * The address of the page with perfect play of a game, from a position string or the start.
 * @param {Pick<import("../types/wire").Variant, "id" | "options">} variant @param {string} [sfen]
 */
export function perfectPlay({ id, options }, sfen) {
  const query = new URLSearchParams({ ...options, ...(sfen ? { sfen } : {}) });
  return `${ROOT}perfect/${id}${query.size ? `?${query}` : ""}`;
}
