// @ts-check
/**
 * A classic script, not a module, so that it runs before the first paint: copies the settings of looks to the root
 * element, and lets the keyboard skip the menu.
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
  // What stands behind the # of an address is the page's own: the link that skips the menu leaves it.
  addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest(".skip")) return;
    event.preventDefault();
    const to = /** @type {HTMLElement | null} */ (document.querySelector("#board .board-svg, main"));
    if (to?.tabIndex === -1) to.tabIndex = -1; // what takes no focus by itself
    to?.focus();
  });
})();
