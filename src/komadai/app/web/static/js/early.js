// @ts-check
/**
 * A classic script, not a module, so that it runs before the first paint: copies the settings of looks to the root
 * element.
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
})();
