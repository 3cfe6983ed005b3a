// @ts-check
/** The form of a stage in the lesson editor: its words, its goal and the answers to mistakes. */

import { nameByCode } from "../board/piece_names.js";
import { button, byId, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { AIMS } from "./draft.js";
import { listField, numberField, selectField, textField, tick } from "./form.js";
import { AIM_WORDS, GOALS, MISTAKES } from "./words.js";

/** @import { MoveInput } from "../moves/input.js" */
/** @import { Goal, Stage, Wrong } from "./draft.js" */
/** @import { Noting } from "./form.js" */
/** @import { Rules } from "./rules.js" */

const TITLE = 80; // characters; the server's limit

/**
 * What the form is part of. `at`: the number of the stage; `noting`: where goes what is done on the board; `line`: the
 * moves of the line noted; `note` chooses another; `first` what the goal needs first; `load` shows the position.
 * @typedef {{
 *   readonly stage: Stage, readonly at: number, readonly rules: Rules, readonly input: MoveInput, noting: Noting | null,
 *   readonly line: string[], note: (noting: Noting | null) => void, first: () => void, load: () => void,
 *   changed: () => void, showStages: () => void,
 * }} Host
 */

export class StageForm {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
  }

  /** Draw the form of the stage again. */
  show() {
    const form = byId("stage-form");
    const fields = () => [...form.querySelectorAll("input, textarea, select, button")];
    const focused = fields().indexOf(/** @type {Element} */ (document.activeElement));
    form.replaceChildren(...this.#fields());
    const again = fields()[focused];
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** Something other than a text has changed. */
  #redraw() {
    this.host.changed();
    this.show();
    this.host.input.refresh();
  }

  /** @returns {HTMLElement[]} */
  #fields() {
    const { stage } = this.host;
    const set = (/** @type {"title" | "text" | "right" | "hint"} */ key) => (/** @type {string} */ value) => {
      stage[key] = value;
      this.host.changed();
    };
    return [
      textField(
        t("Title"),
        stage.title,
        (value) => {
          set("title")(value);
          this.host.showStages();
        },
        { most: TITLE, place: "title" },
      ),
      textField(t("Words: one thought, and what to do"), stage.text, set("text"), { rows: 4, place: "text" }),
      selectField(t("The learner is to"), GOALS, stage.goal, (value) => {
        stage.goal = /** @type {Goal} */ (value);
        this.host.changed();
        this.host.first();
        this.host.load();
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
      this.host.stage.solution = [];
      this.#redraw();
    };
    return listField(label, list, {
      noting: this.host.noting?.key === key,
      note: () => this.host.note(this.host.noting?.key === key ? null : { key, kind, take: add }),
      remove: (index) => {
        list.splice(index, 1);
        this.#redraw();
      },
      add,
      show: (text) => (kind === "point" ? this.host.input.places.short(text) : text),
    });
  }

  /** @returns {HTMLElement[]} */
  #goalFields() {
    const { stage } = this.host;
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
            this.host.changed();
          }),
          numberField(t("It is enough after so many moves of both sides"), stage.plies, 1, 400, (value) => {
            stage.plies = value;
            this.host.changed();
          }),
        ];
    }
  }

  #aimFields() {
    const { stage } = this.host;
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
    const { stage } = this.host;
    if (!stage.lines.length) stage.lines.push("");
    const lists = stage.lines.map((line, number) => {
      const key = `line${number}`;
      const moves = line.split(" ").filter(Boolean);
      const take = (/** @type {string} */ text) => {
        stage.lines[number] = [...this.host.line, text].join(" ");
        this.#redraw();
      };
      return listField(t("Line {number}: a move, the reply, a move …", { number: number + 1 }), moves, {
        noting: this.host.noting?.key === key,
        note: () => this.host.note(this.host.noting?.key === key ? null : { key, kind: "line", take }),
        remove: (index) => {
          stage.lines[number] = moves.slice(0, index).join(" ");
          this.#redraw();
          this.host.load();
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
    const { stage } = this.host;
    const piece = stage.piece ? [stage.piece] : [];
    const field = this.#list(t("The piece that moves"), "piece", "point", piece, { most: 1 });
    const { noting } = this.host;
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
        this.host.changed();
      }),
    ];
  }

  #choiceFields() {
    const { stage } = this.host;
    const groups = stage.choices.map((choice, number) =>
      h(
        "fieldset",
        { class: "teach-group" },
        h("legend", {}, t("Answer {number}", { number: number + 1 })),
        textField(t("Answer"), choice.text, (value) => {
          choice.text = value;
          this.host.changed();
        }),
        tick(t("This is right"), choice.right, (value) => {
          choice.right = value;
          this.host.changed();
        }),
        textField(
          t("What is said to it"),
          choice.says,
          (value) => {
            choice.says = value;
            this.host.changed();
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
      this.host.noting = null;
      this.#redraw();
    };
    return button({ class: "teach-drop" }, drop, t("Delete"));
  }

  #wrongFields() {
    const { stage } = this.host;
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
        this.host.changed();
      }),
      textField(
        t("What is said"),
        wrong.says,
        (value) => {
          wrong.says = value;
          this.host.changed();
        },
        { rows: 2, place: `wrong[${number}].says` },
      ),
      textField(
        t("The opponent’s reply, shown as an arrow (a move, such as 3c3d)"),
        wrong.reply,
        (value) => {
          wrong.reply = value.trim();
          this.host.changed();
        },
        { most: 64 },
      ),
      this.#dropButton(this.host.stage.wrong, number),
    );
  }

  /** What few stages need. */
  #moreFields() {
    const { stage } = this.host;
    const name = (/** @type {string} */ code) => nameByCode(code, this.host.input.kinds);
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
      const others = this.host.rules.variant.kinds
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
          stage.chapter = value.trim() || this.host.at === 0 ? value : null;
          this.host.changed();
        },
        { most: TITLE },
      ),
      pieces(t("Pieces whose moves are told before the words"), stage.teaches),
      pieces(t("Pieces that are drilled after it"), stage.drills),
    );
  }
}
