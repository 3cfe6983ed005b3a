// @ts-check
/** What can be done on a page with a board, by a key or by a word: the one table that keys, commands and the help are made of. */

import { button, byId, h } from "./dom.js";
import { t } from "./i18n.js";
import { pointOf, scan, unknown } from "./scan.js";
import { boardWords, doWords, handWords, nextWords, optionsOf, pointWords, standingWords } from "./telling.js";
import { nameOf } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {string | string[] | void} Said */
/**
 * `keys` as browsers call them, `typed` words, the first of which is the shortest, and `args` what may follow them. `say` answers what was
 * typed, given what followed the word; `press` does what the key stands for, which it is given, and what was typed where there is no
 * `say`. Without either the board minds the keys.
 * @typedef {{
 *   words: string, keys?: string[], typed?: string[], args?: string, when?: () => boolean,
 *   say?: (rest: string) => Said | Promise<Said>, press?: (key: string) => Said,
 * }} Action
 */

/** How keys are shown that are called otherwise. @type {Record<string, string>} */
const KEY_NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", "-": "−" };

/** What is said of a place that was typed. @param {Table} page @param {string} text @param {(at: string) => Said} say */
function atPlace(page, text, say) {
  const at = pointOf(page, text);
  return at ? say(at) : unknown(text);
}

/** Choose as a tap does: what has that number in the list, a place, or a piece in hand or a kind by its name. @param {Table} page @param {string} text @returns {Said} */
function choose(page, text) {
  if (!page.active) return page.sayBusy();
  const wanted = text.toLowerCase();
  const meant = (/** @type {string | undefined} */ code) => code !== undefined && [code, nameOf(code, page.kinds), page.kinds.get(code)?.romaji].some((name) => name?.toLowerCase() === wanted);
  const options = page.walk.path.length ? optionsOf(page) : [];
  const step = options[Number(text) - 1] ?? options.find(({ code }) => meant(code));
  const held = page.variant.hands.find(meant);
  const at = pointOf(page, text);
  if (step) page.take(step);
  else if (at) page.tapPoint(at);
  else if (held) page.tapHand(page.position.turn, held);
  else return unknown(text);
  return page.active && (page.walk.path.length > 0 || page.composing.between.length > 0) ? nextWords(page) : undefined;
}

/** End the move here, or play the one that is asked about. @param {Table} page @returns {Said} */
function stop(page) {
  if (page.asking) return page.send();
  if (!page.walk.ends.length) return t("No move can end here.");
  page.finish();
  return page.walk.choosing ? nextWords(page) : undefined;
}

/** One step back. @param {Table} page */
function back(page) {
  if (page.walk.path.length || page.composing.between.length) page.up();
  else page.cancel();
}

/** Press a button of the page; why not, if it cannot be pressed. @param {string} id @returns {Said} */
export function press(id) {
  const found = byId(id);
  if (found.hidden || found.hasAttribute("disabled")) return t("That cannot be done now.");
  found.click();
}

/** What every page with a board can do. @param {Table} page @returns {Action[]} */
export function actionsOf(page) {
  const place = t("PLACE");
  return [
    { keys: ["/"], words: t("type a move or a command"), press: () => byId("text").focus() },
    { keys: ["?"], typed: ["?", "help"], words: t("keys and commands"), press: () => page.help.open(), say: () => page.help.lines },
    { keys: ["ArrowUp", "ArrowDown"], words: t("in the text box: what was typed before") },
    { keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter"], words: t("on the board") },
    { keys: ["Tab"], words: t("next target") },
    { keys: ["1–9"], words: t("choose one of several kinds") },
    { keys: ["m"], typed: ["m", "moves"], args: `[${place}]`, words: t("what can move or may come next; what the piece there can do"), say: (rest) => (rest ? atPlace(page, rest, (at) => doWords(page, at)) : nextWords(page)) },
    { typed: ["g", "go"], args: t("PLACE, PIECE or NUMBER"), words: t("choose a piece, where it goes, or a number of the list"), say: (rest) => choose(page, rest) },
    { typed: [".", "stop"], words: t("end the move here"), say: () => stop(page) },
    { keys: ["Escape", "Backspace"], typed: ["back"], words: t("one step back"), press: () => back(page), say: () => (back(page), page.walk.path.length ? nextWords(page) : undefined) },
    { typed: ["l", "last"], words: t("the last move"), say: () => page.lastWords() },
    { typed: ["s", "status"], words: t("whose turn it is, check, and what keeps the sides alive"), say: () => [...page.statusWords(), ...standingWords(page)] },
    { typed: ["b", "board"], words: t("everything on the board"), say: () => boardWords(page) },
    { keys: ["d"], typed: ["d", "hands"], words: t("the pieces in hand"), press: () => page.handToMove()?.focus(), say: () => handWords(page) },
    { typed: ["w", "what"], args: place, words: t("what stands there and what it can do"), say: (rest) => atPlace(page, rest, (at) => pointWords(page, at)) },
    { typed: ["x", "scan"], args: t("FILE, RANK or PLACE [DIRECTION or DISTANCE]"), words: t("what stands along a line, or round a place; directions are n, ne, e …"), say: (rest) => scan(page, rest.toLowerCase()) },
    { keys: ["["], typed: ["[", "previous"], words: t("one move back"), press: () => page.step(-1) },
    { keys: ["]"], typed: ["]", "next"], words: t("one move on"), press: () => page.step(1) },
    { keys: ["Home"], typed: ["start"], words: t("to the start"), press: () => page.step(-Infinity) },
    { keys: ["End"], typed: ["end"], words: t("to the end"), press: () => page.step(Infinity) },
    { typed: ["n", "number"], args: t("NUMBER"), words: t("to the position after that move"), say: (rest) => (/^\d+$/.test(rest) ? page.step(Number(rest) - page.made) : t("Which move? Give its number.")) },
    { keys: ["f"], typed: ["f", "flip"], words: t("turn the board round"), press: () => page.flip() },
    { keys: ["+", "-", "0"], words: t("zoom and fit; Shift with arrows looks about"), when: () => page.board.view !== null },
  ];
}

/** The dialog that lists the keys and commands of a page. */
export class Help {
  /** @param {Action[]} actions */
  constructor(actions) {
    this.actions = actions;
    this.body = h("tbody");
    const heads = [t("Key"), t("Command"), t("What it does")].map((words) => h("th", { scope: "col" }, words));
    this.dialog = h(
      "dialog",
      { id: "help", class: "exchange", "aria-labelledby": "help-title" },
      h("div", { class: "row" }, h("h2", { id: "help-title" }, t("Keys and commands")), button({}, () => this.dialog.close(), t("Close"))),
      h("p", { class: "quiet" }, t("Commands are typed where moves are typed; the answers are shown below and read out.")),
      h("table", { class: "actions-table" }, h("thead", {}, h("tr", {}, ...heads)), this.body),
    );
    document.body.append(this.dialog);
    byId("help-button").addEventListener("click", () => this.open());
  }

  /** Those that there are now. */
  get #now() {
    return this.actions.filter(({ when }) => when?.() ?? true);
  }

  open() {
    const rows = this.#now.map(({ keys = [], typed = [], args = "", words }) => {
      const shown = keys.flatMap((key) => [h("kbd", {}, KEY_NAMES[key] ?? key), " "]);
      const commands = typed.flatMap((word, index) => [index ? t(" or ") : "", h("kbd", {}, word)]);
      return h("tr", {}, h("td", {}, ...shown), h("td", {}, ...commands, args ? ` ${args}` : ""), h("td", {}, words));
    });
    this.body.replaceChildren(...rows);
    this.dialog.showModal();
  }

  /** The commands, one a line. */
  get lines() {
    return this.#now.flatMap(({ typed, args, words }) => (typed ? [`${typed.join(", ")}${args ? ` ${args}` : ""}: ${words}`] : []));
  }
}
