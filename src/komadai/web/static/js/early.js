// @ts-check
/** No module, so that it runs before the page is first painted: puts the settings of looks on the page's root. */

(() => {
  const dress = () => {
    for (const name of ["scheme", "board", "motion", "coordinates"]) {
      let value;
      try {
        value = JSON.parse(localStorage.getItem(`komadai.${name}`) ?? "null");
      } catch {
        value = null; // storage is off, or holds what another program wrote
      }
      if (typeof value === "string") document.documentElement.dataset[name] = value;
    }
  };
  dress();
  for (const event of ["settings", "storage"]) window.addEventListener(event, dress);
})();
