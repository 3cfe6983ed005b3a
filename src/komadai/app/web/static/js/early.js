// @ts-check
/**
 * A classic script, not a module, so that it runs before the first paint: copies the settings of looks to the root
 * element, has pages kept for when there is no connection, and lets the keyboard skip the menu.
 */

(() => {
  const apply = () => {
    for (const name of ["scheme", "board", "motion", "coordinates"]) {
      let value;
      try {
        value = JSON.parse(localStorage.getItem(`komadai.${name}`) ?? "null");
      } catch {
        value = null; // storage is off, or another program wrote the value
      }
      if (typeof value === "string") document.documentElement.dataset[name] = value;
    }
  };
  apply();
  for (const event of ["settings", "storage"]) window.addEventListener(event, apply);
  // Pages that have been opened are kept, for when the server cannot be reached.
  const root = new URL("../../../", /** @type {HTMLScriptElement} */ (document.currentScript).src).pathname;
  const keep = async () => {
    const { serviceWorker } = navigator;
    const had = Boolean(serviceWorker.controller);
    await serviceWorker.register(`${root}sw.js`, { scope: root, updateViaCache: "none" });
    const { active } = await serviceWorker.ready;
    if (had) return;
    // It has not seen what this page has asked for, nor what is on its way.
    const tell = (/** @type {(string | undefined)[]} */ urls) => active?.postMessage({ t: "visited", urls });
    tell([location.href.split("#")[0]]);
    const observer = new PerformanceObserver((list) => tell(list.getEntries().map(({ name }) => name)));
    observer.observe({ type: "resource", buffered: true });
    setTimeout(() => observer.disconnect(), 5000);
  };
  if ("serviceWorker" in navigator && !document.documentElement.hasAttribute("data-alone"))
    addEventListener("load", () => setTimeout(() => void keep().catch(() => {}), 1000)); // when all else is there
  // What stands behind the # of an address is the page's own: the link that skips the menu leaves it.
  addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest(".skip")) return;
    event.preventDefault();
    const to = /** @type {HTMLElement | null} */ (
      document.querySelector("#board .board-svg") ?? document.querySelector("main")
    );
    if (to?.tabIndex === -1) to.tabIndex = -1; // what takes no focus by itself
    to?.focus();
  });
})();
