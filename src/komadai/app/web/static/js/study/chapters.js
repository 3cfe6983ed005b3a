// @ts-check
/** The chapters of a study, all of one game: the list, the way from one to another, and the dialog that changes them. */

import { emptyStudy } from "../lib/api.js";
import { button, byId, h, onClick, onSubmit } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { randomId } from "../lib/ids.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { ALONE } from "../lib/root.js";
import { readRecords } from "./api.js";
import { Tree } from "./tree.js";

/** @import { RecordData } from "../types/wire" */
/** @import { StudyPage } from "./page.js" */

/** The header that names a chapter. */
export const CHAPTER = "Chapter";
/** Chapters of a study, at most: the server's limit. */
export const MOST_CHAPTERS = 64;

export class Chapter {
  /**
   * @param {RecordData | null} record as long as it has not been opened @param {Tree | null} tree
   * @param {{ id: string, name: string, load: () => Promise<Tree> } | null} [live] of somebody else's live study
   */
  constructor(record, tree = null, live = null) {
    this.id = live?.id ?? randomId(6);
    this.live = live;
    this.record = record;
    this.tree = tree;
    /** The move that was shown last. */
    this.here = tree?.root ?? null;
  }

  get name() {
    return this.live?.name ?? (this.tree?.headers ?? this.record?.headers)?.[CHAPTER] ?? "";
  }

  set name(name) {
    if (this.tree) this.tree.headers[CHAPTER] = name;
    else if (this.record) this.record = { ...this.record, headers: { ...this.record.headers, [CHAPTER]: name } };
  }

  /** @returns {RecordData[]} */
  get data() {
    const found = this.tree?.data() ?? this.record;
    return found ? [found] : [];
  }

  /** The tree, once it is read. @returns {Promise<Tree>} */
  async open() {
    this.tree ??= await (this.live ? this.live.load() : this.#read());
    return this.tree;
  }

  async #read() {
    const { study } = await readRecords(JSON.stringify(this.record));
    if (!study) throw new Error(t("That study cannot be read."));
    return new Tree(study);
  }
}

/** The name of a record among others. @param {RecordData} record @param {number} number */
export function chapterName({ headers = {} }, number) {
  const players = [headers.Black, headers.White].filter(Boolean).join(" – ");
  return headers[CHAPTER] || headers.Event || players || t("Chapter {number}", { number });
}

/** True if records can be the chapters of one study. @param {RecordData[]} records */
export function areChapters(records) {
  const game = (/** @type {RecordData} */ { variant, options, file }) => JSON.stringify([variant, options, file]);
  return records.length <= MOST_CHAPTERS && records.every((one) => records[0] && game(one) === game(records[0]));
}

export class Chapters {
  /** @param {StudyPage} page @param {RecordData[]} records of all chapters; the first is the tree of the page */
  constructor(page, records) {
    this.page = page;
    this.current = new Chapter(null, page.tree);
    this.list = [this.current, ...records.slice(1).map((record) => new Chapter(record))];
    /** True while the dialog makes a chapter, and does not change one. */
    this.adding = false;
    this.choice = /** @type {HTMLSelectElement} */ (byId("chapter"));
    this.name = /** @type {HTMLInputElement} */ (byId("chapter-name"));
    this.text = /** @type {HTMLTextAreaElement} */ (byId("chapter-text"));
    this.dialog = /** @type {HTMLDialogElement} */ (byId("chapters-dialog"));
    this.choice.addEventListener("change", () => void this.go(this.choice.selectedIndex));
    onClick("chapter-add", () => this.#ask(true));
    onClick("chapter-change", () => this.#ask(false));
    onClick("chapter-up", () => this.#move(-1));
    onClick("chapter-down", () => this.#move(1));
    onClick("chapter-delete", () => this.#delete());
    onClick("chapter-close", () => this.dialog.close());
    onSubmit("chapter-form", () => void (this.adding ? this.#add() : this.#rename()));
    this.text.addEventListener("focus", () => this.#begin("record"));
  }

  /** The records of all chapters. */
  get data() {
    return this.list.flatMap(({ data }) => data);
  }

  /** What a file holds: a study without chapters is one record. @returns {RecordData | RecordData[]} */
  get file() {
    const [first, ...others] = this.data;
    return first && !others.length ? first : this.data;
  }

  /** The same, once all chapters are there: those of a live study come when they are asked for. */
  async whole() {
    for (const chapter of this.list) if (!chapter.data.length) await chapter.open();
    return this.file;
  }

  get index() {
    return this.list.indexOf(this.current);
  }

  /** Show a chapter. @param {number} index */
  async go(index) {
    const chapter = this.list[index];
    if (!chapter || chapter === this.current) return;
    try {
      const tree = await chapter.open();
      if (!this.list.includes(chapter)) return;
      this.enter(chapter, tree);
    } catch (error) {
      showNotice(fault(error));
      this.show();
    }
  }

  /** @param {Chapter} chapter @param {Tree} tree */
  enter(chapter, tree) {
    this.current.here = this.page.here;
    this.current = chapter;
    this.page.enter(tree, chapter.here ?? tree.root);
    byId("spoken").textContent = chapter.name;
  }

  show() {
    const several = this.list.length > 1;
    byId("chapter-choice").hidden = !several;
    const { followed, live, moment } = this.page;
    byId("chapter-change").hidden = !several || followed;
    byId("chapter-add").hidden = followed;
    byId("go-live").hidden = ALONE || live !== null || moment !== null;
    const names = this.list.map(({ name }, index) => `${index + 1}. ${name}`);
    if (names.join("\n") !== this.choice.dataset.names) {
      this.choice.dataset.names = names.join("\n");
      this.choice.replaceChildren(...names.map((name) => h("option", {}, name)));
    }
    this.choice.selectedIndex = this.index;
  }

  // --- Changes ---

  /** @param {string} words */
  #say(words) {
    byId("chapter-says").textContent = words;
  }

  /** @param {string} from */
  #begin(from) {
    const choice = this.dialog.querySelector(`[name="begins"][value="${from}"]`);
    if (choice instanceof HTMLInputElement) choice.checked = true;
  }

  /** Open the dialog. @param {boolean} adding */
  #ask(adding) {
    if (adding && this.list.length >= MOST_CHAPTERS)
      return showNotice(t("A study has at most {most} chapters.", { most: MOST_CHAPTERS }));
    this.adding = adding;
    this.#say("");
    byId("chapters-title").textContent = adding ? t("New chapter") : t("Change the chapter");
    byId("chapter-done").textContent = adding ? t("Add") : t("Rename");
    byId("chapter-begins").hidden = !adding;
    byId("chapter-place").hidden = adding;
    byId("chapter-up").toggleAttribute("disabled", this.index === 0);
    byId("chapter-down").toggleAttribute("disabled", this.index === this.list.length - 1);
    this.name.value = adding ? t("Chapter {number}", { number: this.list.length + 1 }) : this.current.name;
    this.text.value = "";
    this.#begin("start");
    this.dialog.showModal();
    this.name.select();
  }

  /** The chapters that the dialog describes. */
  async #made() {
    const { tree, position } = this.page;
    const { variant, position: start } = tree.study;
    const form = /** @type {HTMLFormElement} */ (byId("chapter-form"));
    const begins = new FormData(form).get("begins");
    if (begins !== "record") {
      const sfen = begins === "here" ? position.sfen : start;
      const asked = { ...variant.options, variant: variant.id, ...(sfen ? { position: sfen } : {}) };
      return [new Chapter(null, new Tree(await emptyStudy(`?${new URLSearchParams(asked)}`)))];
    }
    if (!this.text.value.trim()) throw new Error(t("Paste a record or a position, or choose a file."));
    const { records } = await readRecords(this.text.value);
    const [own] = this.current.data;
    if (!own || !areChapters([own, ...records])) throw new Error(t("All chapters of a study are of one game."));
    if (this.list.length + records.length > MOST_CHAPTERS)
      throw new Error(t("A study has at most {most} chapters.", { most: MOST_CHAPTERS }));
    return records.map((record) => new Chapter(record));
  }

  async #add() {
    try {
      const made = await this.#made();
      const [first] = made;
      if (!first) return;
      this.current.name ||= t("Chapter {number}", { number: 1 });
      for (const [index, chapter] of made.entries()) {
        const [record] = chapter.data;
        const number = this.list.length + index + 1;
        const own = record && made.length > 1 ? chapterName(record, number) : this.name.value.trim();
        chapter.name = own || t("Chapter {number}", { number });
      }
      const tree = await first.open();
      this.list.splice(this.index + 1, 0, ...made);
      this.dialog.close();
      this.enter(first, tree);
      this.page.changed();
      if (made.length > 1) showNotice(n("{count} chapter added.", "{count} chapters added.", made.length), true);
    } catch (error) {
      this.#say(fault(error));
    }
  }

  #rename() {
    this.current.name = this.name.value.trim() || this.current.name;
    this.dialog.close();
    this.#changed();
  }

  /** @param {-1 | 1} by */
  #move(by) {
    const { index } = this;
    this.list.splice(index, 1);
    this.list.splice(index + by, 0, this.current);
    this.#changed();
    this.dialog.close();
  }

  #delete() {
    const { current: gone, index } = this;
    this.dialog.close();
    void this.go(index ? index - 1 : 1).then(() => {
      if (this.current === gone) return; // the other could not be read
      this.list.splice(index, 1);
      this.#changed();
      showNotice(t("{name} has been deleted.", { name: gone.name }), true);
      const back = () => {
        this.list.splice(index, 0, gone);
        void this.go(index);
        this.#changed();
      };
      byId("notice").append(" ", button({ class: "plain" }, back, t("Restore it")));
    });
  }

  #changed() {
    this.page.changed();
    this.page.input.refresh();
  }
}
