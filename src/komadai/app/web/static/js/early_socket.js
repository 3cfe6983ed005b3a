// @ts-check
/**
 * A classic script of a game's page, not a module: it begins to connect while the modules are loaded, which saves a way
 * to the server and back. `game/connection.js` takes the socket over.
 */

(() => {
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const { host, pathname, protocol } = new URL(src);
  const root = pathname.slice(0, pathname.lastIndexOf("/static/") + 1);
  const address = `${protocol === "https:" ? "wss" : "ws"}://${host}${root}socket`;
  Object.assign(window, { earlySocket: new WebSocket(address) });
})();
