// @ts-check
/** The settings beside the board, so that they are seen on the page they change. */

import { button, h } from "./dom.js";
import { t } from "./i18n.js";

/** @type {HTMLDialogElement | null} */
let sheet = null;

function close() {
  sheet?.close();
  /** @type {HTMLElement | null} */ (document.querySelector(".gear"))?.focus();
}

/** Open the sheet; its form is loaded when it is first needed. */
async function open() {
  if (!sheet) {
    const { showSettings } = await import("./settings_form.js");
    const form = h("form", {});
    showSettings(form);
    const title = h("h2", { id: "settings-title" }, t("Settings"));
    const done = button({ id: "settings-close" }, close, t("Close"));
    sheet = h("dialog", { class: "settings-sheet", "aria-labelledby": "settings-title" });
    sheet.append(h("div", { class: "row" }, title, done), form);
    sheet.addEventListener("keydown", ({ key }) => key === "Escape" && close());
    document.body.append(sheet);
  }
  if (sheet.open) close();
  else sheet.show(); // the page stays in use
}

/** Let the link to the settings open them on this page. */
export function listenForSettings() {
  document.querySelector(".gear")?.addEventListener("click", (event) => {
    if (!(event instanceof MouseEvent) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void open();
  });
}
