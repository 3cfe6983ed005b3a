// @ts-check
/** The workshop: a variant file, what is wrong in it, and its game. */

import { picture } from "../board/picture.js";
import { allVariants } from "../lib/api.js";
import { TooLongError, VARIANT_FILE, within } from "../lib/bounds.js";
import { copyField } from "../lib/clipboard.js";
import { button, byId, h, onClick } from "../lib/dom.js";
import { download } from "../lib/download.js";
import { n, t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { watch } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { checkFile, fileHash, fileOfHash, fileSchema, startingFile } from "../lib/workshop_api.js";
import { rulesParts } from "../rules/book.js";
import { Editor } from "../workshop/editor.js";
import { ReportPart } from "../workshop/report_card.js";

/** @import { CheckedFile, FileDefect, Rulebook } from "../types/wire" */

const PAUSE = 500; // milliseconds after the last change before the server is asked
const KEPT = "workshop"; // in the browser's storage

/** What the browser keeps. @param {string} [text] to be kept from now on */
function kept(text) {
  try {
    if (text !== undefined && text.length <= VARIANT_FILE) localStorage.setItem(KEPT, text);
    const found = localStorage.getItem(KEPT);
    return found && found.length <= VARIANT_FILE ? found : null;
  } catch {
    return null;
  }
}

class WorkshopPage {
  constructor() {
    this.report = new ReportPart();
    /** The number of the latest change; answers to earlier ones are dropped. */
    this.changes = 0;
    this.waiting = 0;
    /** @type {Rulebook | null} */
    this.rulebook = null;
    this.editor = new Editor(() => this.#changed());
    this.#listen();
  }

  // --- The file ---

  #changed() {
    kept(this.editor.text);
    this.report.clear();
    this.#ready(false);
    byId("link-part").hidden = true;
    clearTimeout(this.waiting);
    this.changes++;
    this.waiting = setTimeout(() => void this.#check(), PAUSE);
  }

  async #check() {
    const mine = this.changes;
    try {
      const found = await checkFile(this.editor.text);
      if (mine !== this.changes) return;
      this.#say(found);
      if (found.rulebook) await this.#show(found.rulebook);
    } catch (error) {
      if (mine === this.changes) byId("checked").textContent = fault(error);
    }
  }

  /** @param {CheckedFile} found */
  #say({ defects, warnings, rulebook, hash }) {
    const lines = (/** @type {readonly FileDefect[]} */ found) => found.map(({ line }) => line);
    this.editor.mark(lines(defects), lines(warnings));
    const verdict = defects.length
      ? n(
          "{count} defect. The game shown is the last that could be played.",
          "{count} defects. The game shown is the last that could be played.",
          defects.length,
        )
      : t("{game} can be played.", { game: t(rulebook?.variant.name ?? "") });
    const doubts = warnings.length ? n("{count} warning.", "{count} warnings.", warnings.length) : "";
    byId("checked").textContent = [verdict, doubts].filter(Boolean).join(" ");
    byId("checked").classList.toggle("fine", !defects.length);
    byId("hash").textContent = hash ? t("Rules {hash}", { hash: hash.slice(0, 12) }) : "";
    byId("faults").replaceChildren(
      ...[...defects, ...warnings].map(({ line, column, place, what }, index) => {
        const where = t("Line {line}, column {column}", { line, column });
        const doubt = index >= defects.length;
        const made = button(
          { class: doubt ? "defect doubt" : "defect" },
          () => this.editor.go(line, column),
          h("strong", {}, doubt ? t("Warning, line {line}, column {column}", { line, column }) : where),
          place ? h("code", {}, place) : null,
          h("span", {}, what),
        );
        return h("li", {}, made);
      }),
    );
  }

  // --- The game ---

  /** @param {boolean} yes whether the file is one of a game that can be played */
  #ready(yes) {
    for (const id of ["report", "play", "lessons", "teach"]) byId(id).toggleAttribute("disabled", !yes);
  }

  /** @param {Rulebook} rulebook */
  async #show(rulebook) {
    this.rulebook = rulebook;
    this.#draw();
    this.#ready(true);
  }

  #draw() {
    const { rulebook } = this;
    if (!rulebook) return;
    const { variant } = rulebook;
    byId("game-name").textContent = t(variant.name);
    byId("game-summary").textContent = t(variant.summary);
    byId("start-board").replaceChildren(picture(variant, t("The start"), variant.start));
    const parts = rulesParts(rulebook).filter(({ id }) => id !== "setup");
    byId("parts").replaceChildren(...parts.map(({ element }) => element));
    byId("game").hidden = false;
  }

  // --- Buttons ---

  #listen() {
    byId("begin").addEventListener("change", () => void this.#begin());
    byId("open-file").addEventListener("change", ({ target }) => {
      const file = target instanceof HTMLInputElement ? target.files?.[0] : null;
      if (file) void this.#open(file);
    });
    onClick("save-file", () => this.#save(this.editor.text, "toml"));
    onClick("report-json", () => this.#save(JSON.stringify(this.report.card, null, 1), "json"));
    onClick("share", () => void this.#share());
    onClick("copy-link", () => void this.#copy());
    onClick("report", () => {
      if (this.rulebook) void this.report.make(this.editor.text, this.rulebook);
    });
    onClick("play", () => void this.#goTo("workshop/play"));
    onClick("lessons", () => void this.#goTo("lesson"));
    onClick("teach", () => void this.#goTo("teach"));
    watch(() => this.#draw());
  }

  /** @param {string} text */
  #load(text) {
    this.editor.text = text.replaceAll("\r\n", "\n");
  }

  /** @param {File} file */
  async #open(file) {
    try {
      this.#load(await within(file, VARIANT_FILE).text());
    } catch (error) {
      byId("checked").textContent = fault(error);
    }
  }

  async #begin() {
    const choice = /** @type {HTMLSelectElement} */ (byId("begin"));
    try {
      this.#load(await startingFile(choice.value === "-" ? "" : choice.value));
    } catch (error) {
      byId("checked").textContent = fault(error);
    }
    choice.value = "";
  }

  /** @param {string} text @param {string} ending */
  #save(text, ending) {
    download(new Blob([text]), `${this.rulebook?.variant.id ?? "game"}.${ending}`);
  }

  async #share() {
    const link = /** @type {HTMLInputElement} */ (byId("link"));
    link.value = new URL(`${ROOT}workshop${await fileHash(this.editor.text)}`, location.href).href;
    byId("link-part").hidden = false;
    link.focus();
    link.select();
  }

  async #copy() {
    const field = /** @type {HTMLInputElement} */ (byId("link"));
    byId("checked").textContent = (await copyField(field)) || t("Copied.");
  }

  /** Open a page about the game of the file. @param {string} page */
  async #goTo(page) {
    location.assign(`${ROOT}${page}${await fileHash(this.editor.text)}`);
  }

  async open() {
    const [schema, [house, classics]] = await Promise.all([fileSchema(), allVariants()]);
    this.editor.schema = schema;
    /** @param {typeof house} games */
    const choices = (games) => games.map(({ id, name }) => h("option", { value: id }, t(name)));
    byId("begin").append(...choices(house), h("optgroup", { label: t("The shelf") }, ...choices(classics)));
    let text = null;
    try {
      text = await fileOfHash(location.hash);
    } catch (error) {
      const words = error instanceof TooLongError ? fault(error) : t("The address holds no file that can be read.");
      byId("checked").textContent = words;
    }
    this.#load(text ?? kept() ?? (await startingFile("")));
  }
}

try {
  const page = new WorkshopPage();
  addEventListener("hashchange", () => location.reload());
  await page.open();
} catch (error) {
  byId("checked").textContent = t("The workshop could not be loaded: {fault}", { fault: fault(error) });
}
