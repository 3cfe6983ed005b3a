// @ts-check
/** Annotations: comment and mark of a move, headers of the record. */

import { button, byId, h, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { sentence } from "../lib/phrases.js";
import { moveText } from "../lib/prefs.js";
import { recordedName } from "../lib/seats.js";
import { SIDE_COLOURS } from "../lib/sides.js";
import { MARK_WORDS } from "./branches.js";
import { CHAPTER } from "./chapters.js";

/** @import { Mark } from "../types/wire" */
/** @import { StudyPage } from "./page.js" */

/** The headers that are always shown. */
const HEADERS = { Event: t("Event"), Site: t("Site"), Date: t("Date") };
const MARKS = /** @type {Mark[]} */ (Object.keys(MARK_WORDS));

export class Notes {
  /** @param {StudyPage} page */
  constructor(page) {
    this.page = page;
    /** The node whose comment is shown. @type {import("./tree.js").Node | null} */
    this.shown = null;
    this.comment = /** @type {HTMLTextAreaElement} */ (byId("comment"));
    this.comment.addEventListener("input", () => {
      page.here.comment = this.comment.value.trim();
      page.changed();
      page.marked(page.here);
    });
    byId("marks").replaceChildren(
      ...MARKS.map((mark) =>
        button(
          { class: "mark-button", "data-mark": mark, title: MARK_WORDS[mark], "aria-label": MARK_WORDS[mark] },
          () => this.#mark(mark),
          mark,
        ),
      ),
    );
    onClick("promote", () => page.promote());
    onClick("delete", () => page.remove());
    this.list();
  }

  /** @param {Mark} mark */
  #mark(mark) {
    const { page } = this;
    page.here.mark = page.here.mark === mark ? "" : mark;
    page.changed();
    page.marked(page.here);
    this.show();
  }

  /** List the headers. */
  list() {
    const { tree } = this.page;
    const shown = { Black: SIDE_COLOURS.b, White: SIDE_COLOURS.w, ...HEADERS };
    const names = [...new Set([...Object.keys(shown), ...Object.keys(tree.headers)])].filter(
      (name) => name !== CHAPTER, // which has a place of its own
    );
    byId("headers").replaceChildren(
      ...names.map((name) => {
        const label = Object.entries(shown).find(([known]) => known === name)?.[1] ?? name;
        const box = h("input", {
          id: `header-${name}`,
          value: recordedName(tree.headers[name]),
          maxlength: 500,
          autocomplete: "off",
        });
        box.addEventListener("change", () => this.#set(name, box.value.trim()));
        return h("p", {}, h("label", { for: `header-${name}` }, label), box);
      }),
    );
  }

  /** @param {string} name @param {string} value */
  #set(name, value) {
    const { page } = this;
    if (value) page.tree.headers[name] = value;
    else delete page.tree.headers[name];
    page.changed();
    page.input.refresh();
  }

  show() {
    const { here, tree } = this.page;
    const said = here.move ? t("Comment on {move}", { move: moveText(here.move) }) : t("Comment on the start");
    this.comment.setAttribute("aria-label", said);
    this.comment.placeholder = said;
    if (document.activeElement !== this.comment || this.shown !== here) this.comment.value = here.comment;
    this.shown = here;
    for (const made of byId("marks").querySelectorAll("button")) {
      made.setAttribute("aria-pressed", String(made.dataset.mark === here.mark));
      made.disabled = !here.move;
    }
    byId("promote").toggleAttribute("disabled", tree.isMain(here));
    byId("delete").toggleAttribute("disabled", !here.parent);
    byId("record-result").textContent = tree.result ? sentence([tree.result.text]) : "";
  }
}
