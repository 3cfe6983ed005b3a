// @ts-check
/** The lesson editor: stages, the board on which their moves and points are noted, and what is wrong in them. */

import { showGoals } from "../board/goals.js";
import { nameByCode } from "../board/piece_names.js";
import { SetUp } from "../board/set_up.js";
import { LESSON, TooLongError } from "../lib/bounds.js";
import { copyField } from "../lib/clipboard.js";
import { button, byId, h, onClick } from "../lib/dom.js";
import { download } from "../lib/download.js";
import { n, t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { ROOT } from "../lib/root.js";
import { BoardPage } from "../text/board_page.js";
import { press } from "../text/commands.js";
import { checkLesson, lessonHash } from "../workshop/api.js";
import { AIMS, another, fileOf } from "./draft.js";
import { listField, numberField, selectField, textField, tick } from "./form.js";
import { keep } from "./kept.js";
import { AIM_WORDS, GOALS, MISTAKES, placeWords } from "./words.js";

/** @import { Command, Intention } from "../types/client" */
/** @import { LessonDefect, LessonMark, ShownPosition } from "../types/wire" */
/** @import { Goal, Lesson, Stage, Wrong } from "./draft.js" */
/** @import { Noting } from "./form.js" */
/** @import { Rules } from "./rules.js" */

const PAUSE = 600; // milliseconds after the last change before the server is asked
const STAGES = 60; // the server's limit
const TITLE = 80; // likewise

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
  get #line() {
    if (this.noting?.kind !== "line") return [];
    const line = this.stage.lines[Number(this.noting.key.slice("line".length))];
    return line?.split(" ").filter(Boolean) ?? [];
  }

  /** Show the position of the stage, after the line that is noted. */
  #load() {
    this.loading = this.loading.then(async () => {
      const { stage } = this;
      await this.request(
        () => this.rules.find(stage.position, this.#line),
        ({ position }) => {
          this.waiting = false;
          this.moves = [];
          this.before = position;
          this.show(position, null);
          if (!this.#line.length && this.input.flipped !== (position.turn === "w")) this.input.flip();
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
      () => this.rules.find(stage.position, this.#line, text),
      ({ moves, position }) => {
        this.waiting = false;
        const move = moves.at(-1);
        if (move) noting.take(move.usi);
        if (move && noting.kind === "line") {
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
    if (!this.#line.length) this.input.explain(text, this.rules.explain(this.stage.position, text));
  }

  /** @override */
  again() {
    this.#load();
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
  #note(noting) {
    const line = this.noting?.kind === "line" || noting?.kind === "line";
    this.noting = noting;
    this.#form();
    if (noting && !this.opening) byId("board").scrollIntoView({ block: "nearest" }); // on a phone it is above the form
    if (line) this.#load();
    else this.input.refresh();
  }

  // --- The stages ---

  /** Write a stage. @param {number} at its number, from 0 */
  open(at) {
    this.at = Math.max(0, Math.min(at, this.lesson.stages.length - 1));
    this.#first();
    this.#stages();
    this.#load();
  }

  /** Note first what the goal of the stage needs. */
  #first() {
    this.noting = null;
    this.#form();
    const first = byId("stage-form").querySelector('.teach-goal [aria-pressed="false"]');
    this.opening = true;
    if (first instanceof HTMLElement) first.click();
    this.opening = false;
  }

  #stages() {
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

  // --- The form of a stage ---

  #form() {
    const form = byId("stage-form");
    const fields = () => [...form.querySelectorAll("input, textarea, select, button")];
    const focused = fields().indexOf(/** @type {Element} */ (document.activeElement));
    form.replaceChildren(...this.#fields());
    const again = fields()[focused];
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** Something other than a text has changed. */
  #redraw() {
    this.changed();
    this.#form();
    this.input.refresh();
  }

  /** @returns {HTMLElement[]} */
  #fields() {
    const { stage } = this;
    const set = (/** @type {"title" | "text" | "right" | "hint"} */ key) => (/** @type {string} */ value) => {
      stage[key] = value;
      this.changed();
    };
    return [
      textField(
        t("Title"),
        stage.title,
        (value) => {
          set("title")(value);
          this.#stages();
        },
        { most: TITLE, place: "title" },
      ),
      textField(t("Words: one thought, and what to do"), stage.text, set("text"), { rows: 4, place: "text" }),
      selectField(t("The learner is to"), GOALS, stage.goal, (value) => {
        stage.goal = /** @type {Goal} */ (value);
        this.changed();
        this.#first();
        this.#load();
      }),
      h("div", { class: "teach-goal" }, ...this.#goalFields()),
      textField(t("Praise, when it is done"), stage.right, set("right"), { rows: 2, place: "right" }),
      ...(stage.goal === "play" ? [] : [textField(t("Hint, after a wrong try"), stage.hint, set("hint"), { rows: 2 })]),
      ...(stage.goal === "play" || stage.goal === "choices" ? [] : this.#wrongFields()),
      this.#moreFields(),
    ];
  }

  /**
   * A list of the stage, whose changes are noted.
   * @param {string} label @param {string} key @param {"move" | "point"} kind @param {string[]} list
   * @param {{ most?: number }} [bounds]
   */
  #list(label, key, kind, list, { most = 100 } = {}) {
    const add = (/** @type {string} */ text) => {
      const at = list.indexOf(text);
      if (at >= 0 && kind === "point") list.splice(at, 1);
      else if (at < 0) list.splice(0, list.length - most + 1, text);
      this.stage.solution = [];
      this.#redraw();
    };
    return listField(label, list, {
      noting: this.noting?.key === key,
      note: () => this.#note(this.noting?.key === key ? null : { key, kind, take: add }),
      remove: (index) => {
        list.splice(index, 1);
        this.#redraw();
      },
      add,
      show: (text) => (kind === "point" ? this.input.places.short(text) : text),
    });
  }

  /** @returns {HTMLElement[]} */
  #goalFields() {
    const { stage } = this;
    switch (stage.goal) {
      case "find":
        return [this.#list(t("Right moves"), "find", "move", stage.moves)];
      case "aim":
        return [h("p", { class: "quiet" }, t("Right is every legal move of which all this holds.")), this.#aimFields()];
      case "lines":
        return this.#lineFields();
      case "avoid":
        return [
          ...(stage.aims.length ? [] : [this.#list(t("Mistakes to avoid"), "avoid", "move", stage.moves)]),
          h(
            "details",
            { open: stage.aims.length > 0 },
            h("summary", {}, t("Or every move of which all this holds")),
            this.#aimFields(),
          ),
        ];
      case "reach":
      case "take":
        return this.#walkFields();
      case "choices":
        return this.#choiceFields();
      case "play":
        return [
          numberField(t("Level of the computer"), stage.level, 1, 10, (value) => {
            stage.level = value;
            this.changed();
          }),
          numberField(t("It is enough after so many moves of both sides"), stage.plies, 1, 400, (value) => {
            stage.plies = value;
            this.changed();
          }),
        ];
    }
  }

  #aimFields() {
    const { stage } = this;
    /** @type {[string, string][]} */
    const values = [
      ["", "–"],
      ["yes", t("yes")],
      ["no", t("no")],
    ];
    return h(
      "div",
      { class: "teach-aims" },
      ...AIMS.map((aim) => {
        const now = stage.aims.includes(aim) ? "yes" : stage.aims.includes(`no-${aim}`) ? "no" : "";
        return selectField(AIM_WORDS[aim] ?? aim, values, now, (value) => {
          stage.aims = stage.aims.filter((one) => one !== aim && one !== `no-${aim}`);
          if (value) stage.aims.push(value === "yes" ? aim : `no-${aim}`);
          this.#redraw();
        });
      }),
    );
  }

  #lineFields() {
    const { stage } = this;
    if (!stage.lines.length) stage.lines.push("");
    const lists = stage.lines.map((line, number) => {
      const key = `line${number}`;
      const moves = line.split(" ").filter(Boolean);
      const take = (/** @type {string} */ text) => {
        stage.lines[number] = [...this.#line, text].join(" ");
        this.#redraw();
      };
      return listField(t("Line {number}: a move, the reply, a move …", { number: number + 1 }), moves, {
        noting: this.noting?.key === key,
        note: () => this.#note(this.noting?.key === key ? null : { key, kind: "line", take }),
        remove: (index) => {
          stage.lines[number] = moves.slice(0, index).join(" ");
          this.#redraw();
          this.#load();
        },
      });
    });
    const more = button(
      {},
      () => {
        stage.lines.push("");
        this.#redraw();
      },
      t("Another line that is right"),
    );
    return [...lists, more];
  }

  #walkFields() {
    const { stage } = this;
    const piece = stage.piece ? [stage.piece] : [];
    const field = this.#list(t("The piece that moves"), "piece", "point", piece, { most: 1 });
    const { noting } = this;
    // a list of one: what is chosen stands alone
    if (noting?.key === "piece")
      noting.take = (at) => {
        stage.piece = stage.piece === at ? "" : at;
        this.#redraw();
      };
    field.querySelector(".remove")?.addEventListener("click", () => {
      stage.piece = "";
      this.#redraw();
    });
    const words = stage.goal === "reach" ? t("Points to reach") : t("Points of the pieces to take");
    return [
      this.#list(words, "points", "point", stage.points),
      field,
      numberField(t("In how many moves"), stage.count, 1, 50, (value) => {
        stage.count = value;
        this.changed();
      }),
    ];
  }

  #choiceFields() {
    const { stage } = this;
    const groups = stage.choices.map((choice, number) =>
      h(
        "fieldset",
        { class: "teach-group" },
        h("legend", {}, t("Answer {number}", { number: number + 1 })),
        textField(t("Answer"), choice.text, (value) => {
          choice.text = value;
          this.changed();
        }),
        tick(t("This is right"), choice.right, (value) => {
          choice.right = value;
          this.changed();
        }),
        textField(
          t("What is said to it"),
          choice.says,
          (value) => {
            choice.says = value;
            this.changed();
          },
          { rows: 2 },
        ),
        this.#dropButton(stage.choices, number),
      ),
    );
    const add = () => {
      stage.choices.push({ text: "", says: "", right: !stage.choices.length });
      this.#redraw();
    };
    return [...groups, button({}, add, t("Add an answer"))];
  }

  /** @param {unknown[]} list @param {number} number */
  #dropButton(list, number) {
    const drop = () => {
      list.splice(number, 1);
      this.noting = null;
      this.#redraw();
    };
    return button({ class: "teach-drop" }, drop, t("Delete"));
  }

  #wrongFields() {
    const { stage } = this;
    const groups = stage.wrong.map((wrong, number) => this.#wrongField(wrong, number));
    const add = () => {
      stage.wrong.push({ says: "", moves: [], squares: [], mistake: "", rule: "", reply: "" });
      this.#redraw();
      const key = `wrong${stage.wrong.length - 1}`;
      byId("stage-form").querySelector(`[data-key="${key}"] button[aria-pressed]`)?.dispatchEvent(new Event("click"));
    };
    return [...groups, button({}, add, t("Add an answer to a mistake"))];
  }

  /** @param {Wrong} wrong @param {number} number */
  #wrongField(wrong, number) {
    return h(
      "fieldset",
      { class: "teach-group", "data-key": `wrong${number}` },
      h("legend", {}, t("Answer to mistakes {number}", { number: number + 1 })),
      this.#list(t("Wrong moves, legal or not"), `wrong${number}`, "move", wrong.moves),
      selectField(t("And to"), MISTAKES, wrong.mistake, (value) => {
        wrong.mistake = value;
        this.changed();
      }),
      textField(
        t("What is said"),
        wrong.says,
        (value) => {
          wrong.says = value;
          this.changed();
        },
        { rows: 2, place: `wrong[${number}].says` },
      ),
      textField(
        t("The opponent’s reply, shown as an arrow (a move, such as 3c3d)"),
        wrong.reply,
        (value) => {
          wrong.reply = value.trim();
          this.changed();
        },
        { most: 64 },
      ),
      this.#dropButton(this.stage.wrong, number),
    );
  }

  /** What few stages need. */
  #moreFields() {
    const { stage } = this;
    const name = (/** @type {string} */ code) => nameByCode(code, this.input.kinds);
    const pieces = (/** @type {string} */ label, /** @type {string[]} */ list) => {
      const chosen = list.map((code, index) =>
        h(
          "li",
          {},
          h("span", {}, name(code)),
          button(
            { class: "remove", "aria-label": t("Remove {what}", { what: name(code) }) },
            () => {
              list.splice(index, 1);
              this.#redraw();
            },
            "×",
          ),
        ),
      );
      /** @type {[string, string][]} */
      const others = this.rules.variant.kinds
        .filter(({ code }) => !list.includes(code))
        .map(({ code }) => [code, name(code)]);
      const more = selectField(label, [["", t("Add a piece…")], ...others], "", (code) => {
        if (code) list.push(code);
        this.#redraw();
      });
      return h("div", { class: "teach-list" }, more, h("ul", { class: "teach-chips" }, ...chosen));
    };
    const open = byId("stage-form").querySelector("details.teach-more[open]") !== null;
    return h(
      "details",
      { class: "teach-more", open },
      h("summary", {}, t("Chapter, pieces and drills")),
      textField(
        t("Title of the chapter that begins here"),
        stage.chapter ?? "",
        (value) => {
          stage.chapter = value.trim() || this.at === 0 ? value : null;
          this.changed();
        },
        { most: TITLE },
      ),
      pieces(t("Pieces whose moves are told before the words"), stage.teaches),
      pieces(t("Pieces that are drilled after it"), stage.drills),
    );
  }

  // --- What is wrong ---

  /** The lesson has changed. */
  changed() {
    const { text } = this;
    keep(text);
    if (location.hash || location.search) history.replaceState(null, "", `${ROOT}teach`); // what it held is not this lesson any more
    byId("link-part").hidden = true;
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
    this.#stages();
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
      this.#load();
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
