// @ts-check
/** The lesson editor: stages, the board on which their moves and points are noted, and what is wrong in them. */

import { showGoals } from "../board/goals.js";
import { SetUp } from "../board/set_up.js";
import { LESSON, TooLongError } from "../lib/bounds.js";
import { copyField } from "../lib/clipboard.js";
import { button, byId, h, onClick } from "../lib/dom.js";
import { download } from "../lib/download.js";
import { n, t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { ROOT } from "../lib/root.js";
import { checkLesson, lessonHash } from "../lib/workshop_api.js";
import { BoardPage } from "../text/board_page.js";
import { press } from "../text/commands.js";
import { another, fileOf } from "./draft.js";
import { keep } from "./kept.js";
import { StageForm } from "./stage_form.js";
import { placeWords } from "./words.js";

/** @import { Command, Intention } from "../types/client" */
/** @import { LessonDefect, LessonMark, ShownPosition } from "../types/wire" */
/** @import { Lesson, Stage } from "./draft.js" */
/** @import { Noting } from "./form.js" */
/** @import { Rules } from "./rules.js" */

const PAUSE = 600; // milliseconds after the last change before the server is asked
const STAGES = 100; // the server's limit

/** The number of bytes of a text. @param {string} text */
const bytes = (text) => new TextEncoder().encode(text).length;

export class TeachPage extends BoardPage {
  /** @param {Lesson} lesson @param {Rules} rules @param {ShownPosition} start some position of the game */
  constructor(lesson, rules, start) {
    super(rules.variant, start, null);
    this.lesson = lesson;
    this.rules = rules;
    /** The number of the stage that is written. */
    this.at = 0;
    /** Where goes what is done on the board. @type {Noting | null} */
    this.noting = null;
    /** True while a stage is opened. */
    this.opening = false;
    /** The last defects found. @type {readonly LessonDefect[]} */
    this.defects = [];
    /** The number of the latest change; answers to earlier ones are dropped. */
    this.changes = 0;
    this.pause = 0;
    this.loading = Promise.resolve();
    /** The position shown on the board, if it is that of the stage. */
    this.shown = "";
    this.form = new StageForm(this);
    this.setUp = new SetUp(
      rules.variant,
      rules.check,
      ({ position, problem }, fine) =>
        byId("use-position").toggleAttribute("disabled", !position || !(fine || problem)),
      (name) => byId(`set-${name}`),
    );
    byId("heading").textContent = t("A lesson of {game}", { game: t(rules.variant.name) });
    this.input.show([], null, true);
    this.#listen();
    this.open(0);
    void this.#check();
  }

  /** @override @returns {Command[]} */
  ownCommands() {
    return [
      { keys: ["r"], typed: ["again"], words: t("back to the beginning of the stage"), press: () => press("again") },
    ];
  }

  /** The stage that is written. @returns {Stage} */
  get stage() {
    return /** @type {Stage} */ (this.lesson.stages[this.at]);
  }

  get text() {
    return fileOf(this.lesson);
  }

  // --- The board ---

  /** @override */
  get active() {
    return super.active && this.noting?.kind !== "point";
  }

  /** Taps that choose a point. @returns {Intention | undefined} */
  get intended() {
    const { noting } = this;
    if (this.waiting || noting?.kind !== "point") return undefined;
    const tap = (/** @type {string} */ at) => {
      noting.take(at.replace("*", ""));
      return true;
    };
    return { open: false, from: null, to: null, tap, grab: () => false };
  }

  /** The moves of the line that is noted. */
  get line() {
    if (this.noting?.kind !== "line") return [];
    const line = this.stage.lines[Number(this.noting.key.slice("line".length))];
    return line?.split(" ").filter(Boolean) ?? [];
  }

  /** The stage's position and the line that is noted, as one text. */
  get #there() {
    return JSON.stringify([this.stage.position, this.line]);
  }

  /** Show the position of the stage, after the line that is noted, unless it is shown. */
  load() {
    this.loading = this.loading.then(async () => {
      const { stage } = this;
      const there = this.#there;
      if (this.shown === there) return;
      this.shown = "";
      await this.request(
        () => this.rules.find(stage.position, this.line),
        ({ position }) => {
          this.waiting = false;
          this.shown = there;
          this.moves = [];
          this.before = position;
          this.show(position, null);
          if (!this.line.length && this.input.flipped !== (position.turn === "w")) this.input.flip();
        },
      );
    });
  }

  /** Note a move that was made or typed. @override @param {string} text */
  async ask(text) {
    const { noting, stage } = this;
    if (!noting) {
      this.input.cancel();
      showNotice(t("Press “On the board” beside a list first: there the move is noted."), true);
      return false;
    }
    return this.request(
      () => this.rules.find(stage.position, this.line, text),
      ({ moves, position }) => {
        this.waiting = false;
        const move = moves.at(-1);
        if (move) noting.take(move.usi);
        if (move && noting.kind === "line") {
          this.shown = this.#there;
          this.moves.push(move);
          this.show(position, move);
        } else {
          this.input.walk.reset();
          this.input.refresh();
        }
      },
    );
  }

  /** An impossible move was tried: one that learners may try as well is noted as a mistake. @override @param {string} text */
  explain(text) {
    if (this.noting?.key.startsWith("wrong") && !text.endsWith("*")) this.noting.take(text);
    if (!this.line.length) this.input.explain(text, this.rules.explain(this.stage.position, text));
  }

  /** @override */
  again() {
    this.shown = "";
    this.load();
  }

  /** @override */
  refreshed() {
    super.refreshed();
    if (!this.lesson) return;
    const { goal, points, piece } = this.stage;
    const known = (/** @type {string} */ at) => this.input.board.points.has(at);
    /** @type {LessonMark[]} */
    const marks = [];
    if (goal === "reach" || goal === "take") {
      for (const at of points) marks.push({ t: goal === "reach" ? "target" : "take", at });
      if (piece) marks.push({ t: "piece", at: piece });
    }
    showGoals(
      this.input.board,
      marks.filter(({ at }) => known(at)),
    );
  }

  /** Note what is done on the board from now on. @param {Noting | null} noting */
  note(noting) {
    const line = this.noting?.kind === "line" || noting?.kind === "line";
    this.noting = noting;
    this.form.show();
    if (noting && !this.opening) byId("board").scrollIntoView({ block: "nearest" }); // on a phone it is above the form
    if (line) this.load();
    else this.input.refresh();
  }

  // --- The stages ---

  /** Write a stage. @param {number} at its number, from 0 */
  open(at) {
    this.at = Math.max(0, Math.min(at, this.lesson.stages.length - 1));
    this.first();
    this.showStages();
    this.load();
  }

  /** Note first what the goal of the stage needs. */
  first() {
    this.noting = null;
    this.form.show();
    const first = byId("stage-form").querySelector('.teach-goal [aria-pressed="false"]');
    this.opening = true;
    if (first instanceof HTMLElement) first.click();
    this.opening = false;
  }

  showStages() {
    const { stages } = this.lesson;
    const faulty = new Set(this.defects.map(({ place }) => this.#stageOf(place)?.at));
    byId("stages").replaceChildren(
      ...stages.map(({ title }, index) =>
        h(
          "li",
          {},
          button(
            { "aria-current": index === this.at ? "step" : null, class: faulty.has(index) ? "faulty" : null },
            () => this.open(index),
            title || t("Stage {number}", { number: index + 1 }),
          ),
        ),
      ),
    );
    byId("add-stage").toggleAttribute("disabled", stages.length >= STAGES);
    byId("remove-stage").toggleAttribute("disabled", stages.length < 2);
    byId("earlier").toggleAttribute("disabled", this.at === 0);
    byId("later").toggleAttribute("disabled", this.at === stages.length - 1);
  }

  /** The stage that a place of a defect names, and the place within it. @param {string} place */
  #stageOf(place) {
    const [, id, within = ""] = /^(?:chapters\[\d+\]\.)?stages\[([^\]]+)\]\.?(.*)$/.exec(place) ?? [];
    const at = this.lesson.stages.findIndex((one) => one.id === id);
    return at < 0 ? null : { at, within };
  }

  /** Move the stage among the others; chapters stay where they begin. @param {number} by */
  #shift(by) {
    const { stages } = this.lesson;
    const other = stages[this.at + by];
    if (!other) return;
    [this.stage.chapter, other.chapter] = [other.chapter, this.stage.chapter];
    stages.splice(this.at + by, 0, ...stages.splice(this.at, 1));
    this.open(this.at + by);
    this.changed();
  }

  #add() {
    this.lesson.stages.splice(this.at + 1, 0, another(this.lesson, this.stage.position));
    this.open(this.at + 1);
    this.changed();
    byId("stage-form").querySelector("input")?.focus();
  }

  #remove() {
    const [gone] = this.lesson.stages.splice(this.at, 1);
    const next = this.lesson.stages[this.at];
    if (gone?.chapter && next && next.chapter === null) next.chapter = gone.chapter;
    this.open(this.at);
    this.changed();
  }

  // --- What is wrong ---

  /** The lesson has changed. */
  changed() {
    const { text } = this;
    keep(text);
    if (location.hash || location.search) history.replaceState(null, "", `${ROOT}teach`); // what it held is not this lesson any more
    byId("link-part").hidden = true;
    byId("share").setAttribute("disabled", ""); // until it has been checked
    clearTimeout(this.pause);
    this.changes++;
    this.pause = setTimeout(() => void this.#check(), PAUSE);
  }

  async #check() {
    const mine = this.changes;
    try {
      const { text } = this;
      if (bytes(text) > LESSON) throw new TooLongError(LESSON);
      const { defects } = await checkLesson(text);
      if (mine === this.changes) this.#say(defects);
    } catch (error) {
      if (mine !== this.changes) return;
      byId("checked").textContent = fault(error);
      byId("checked").classList.remove("fine");
      byId("share").setAttribute("disabled", "");
    }
  }

  /** @param {readonly LessonDefect[]} defects */
  #say(defects) {
    this.defects = defects;
    byId("checked").textContent = defects.length
      ? n("{count} thing is still to be done.", "{count} things are still to be done.", defects.length)
      : t("The lesson can be played.");
    byId("checked").classList.toggle("fine", !defects.length);
    byId("share").toggleAttribute("disabled", defects.length > 0);
    byId("faults").replaceChildren(
      ...defects.map(({ place, what }) => {
        const found = this.#stageOf(place);
        const where = found
          ? [t("Stage {number}", { number: found.at + 1 }), placeWords(found.within)]
          : [placeWords(place)];
        return h(
          "li",
          {},
          button(
            { class: "defect" },
            () => this.#go(found?.at ?? this.at, found?.within ?? place),
            h("strong", {}, where.filter(Boolean).join(" · ")),
            h("span", {}, this.input.placed(what)),
          ),
        );
      }),
    );
    this.showStages();
  }

  /** Show what a defect is about. @param {number} at @param {string} within */
  #go(at, within) {
    if (at !== this.at) this.open(at);
    const field =
      within === "about" ? byId("about") : byId("stage-form").querySelector(`[data-place="${CSS.escape(within)}"]`);
    const shown = field ?? byId("stage-form");
    shown.scrollIntoView({ block: "nearest" });
    if (field instanceof HTMLElement) field.focus();
  }

  // --- Buttons ---

  #listen() {
    const about = /** @type {HTMLInputElement} */ (byId("about"));
    about.maxLength = 1500;
    about.value = this.lesson.about;
    about.addEventListener("input", () => {
      this.lesson.about = about.value;
      this.changed();
    });
    onClick("add-stage", () => this.#add());
    onClick("remove-stage", () => this.#remove());
    onClick("earlier", () => this.#shift(-1));
    onClick("later", () => this.#shift(1));
    onClick("save-file", () => download(new Blob([this.text]), `${this.rules.variant.id}-lesson.toml`));
    onClick("share", () => void this.#share());
    onClick("copy-link", () => void this.#copy());
    onClick("try", () => void this.#try());
    const dialog = /** @type {HTMLDialogElement} */ (byId("setting-up"));
    onClick("set-position", () => {
      dialog.showModal();
      if (this.stage.position) void this.setUp.read(this.stage.position);
      else this.setUp.set(this.rules.variant.start, "b");
    });
    onClick("leave-position", () => dialog.close());
    onClick("use-position", () => {
      this.stage.position = /** @type {HTMLInputElement} */ (byId("set-text")).value.trim();
      this.stage.solution = [];
      dialog.close();
      this.changed();
      this.load();
    });
  }

  async #share() {
    const link = /** @type {HTMLInputElement} */ (byId("link"));
    link.value = new URL(`${ROOT}lesson${await lessonHash(this.text)}`, location.href).href;
    byId("link-part").hidden = false;
    link.focus();
    link.select();
  }

  async #copy() {
    showNotice((await copyField(/** @type {HTMLInputElement} */ (byId("link")))) || t("Copied."), true);
  }

  /** Play the stage in a tab of its own: in the lesson if this can be played, else alone. */
  async #try() {
    const { lesson, stage } = this;
    const alone = { ...lesson, about: lesson.about || "–", stages: [{ ...stage, chapter: stage.chapter || "–" }] };
    const text = this.defects.length ? fileOf(alone) : this.text;
    const page = window.open("", "_blank");
    const address = `${ROOT}lesson/${encodeURIComponent(stage.id)}${await lessonHash(text)}`;
    if (page) page.location.href = address;
    else location.assign(address);
  }
}
