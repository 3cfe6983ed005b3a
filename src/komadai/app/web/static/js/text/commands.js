// @ts-check
/** The commands of every page with a board. Keys, typed commands and the help dialog are all made from this list. */

import { nameByCode } from "../board/piece_names.js";
import { byId } from "../lib/dom.js";
import { reveal } from "../lib/folding.js";
import { t } from "../lib/i18n.js";
import { boardWords, doWords, handWords, nextWords, optionsOf, pointWords, survivalWords } from "./describe.js";
import { pointOf, scan, unknown } from "./scan.js";

/** @import { MoveInput } from "../moves/input.js" */
/** @import { Answer, Command, CommandHost, PastHost } from "../types/client" */

/**
 * Answer a command about the point with that name.
 * @param {MoveInput} input @param {string} text @param {(at: string) => Answer} say
 */
function atPlace(input, text, say) {
  const at = pointOf(input, text);
  return at ? say(at) : unknown(text);
}

/**
 * Choose like a tap: a step by its number in the list, a point, a piece in hand or a kind by its name.
 * @param {MoveInput} input @param {string} text @returns {Answer}
 */
function choose(input, text) {
  if (!input.active) return input.host.sayBusy();
  const wanted = text.toLowerCase();
  const meant = (/** @type {string | undefined} */ code) =>
    code !== undefined &&
    [code, nameByCode(code, input.kinds), input.kinds.get(code)?.romaji].some((name) => name?.toLowerCase() === wanted);
  const options = input.walk.path.length ? optionsOf(input) : [];
  const step = options[Number(text) - 1] ?? options.find(({ code }) => meant(code));
  const held = input.variant.hands.find(meant);
  const at = pointOf(input, text);
  if (step) input.take(step);
  else if (at) input.tapPoint(at);
  else if (held) input.tapHand(input.position.turn, held);
  else return unknown(text);
  return input.active && input.begun ? nextWords(input) : undefined;
}

/** End the move here, or confirm it. @param {MoveInput} input @returns {Answer} */
function stop(input) {
  if (input.asking) return input.send();
  if (!input.walk.ends.length) return t("No move can end here.");
  input.finish();
  return input.walk.choosing ? nextWords(input) : undefined;
}

/** Undo one step; without any, cancel. @param {MoveInput} input @param {CommandHost} host */
function back(input, host) {
  if (input.begun) input.up();
  else host.cancel();
}

/** Press a button of the page; the answer says if it cannot be pressed. @param {string} id @returns {Answer} */
export function press(id) {
  const found = byId(id);
  if (found.hidden || found.hasAttribute("disabled")) return t("That cannot be done now.");
  found.click();
}

/**
 * The commands that all pages with a board have.
 * @param {MoveInput} input @param {CommandHost} host @returns {Command[]}
 */
export function boardCommands(input, host) {
  const place = t("PLACE");
  return [
    { keys: ["/"], words: t("type a move or a command"), press: () => reveal(byId("text")) },
    {
      keys: ["?"],
      typed: ["?", "help"],
      words: t("keys and commands"),
      press: () => host.help.open(),
      say: () => host.help.lines,
    },
    { typed: ["rules"], words: t("the rules, over the board"), press: () => press("learn") },
    { keys: ["ArrowUp", "ArrowDown"], words: t("in the text box: what was typed before") },
    { keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter"], words: t("on the board") },
    { keys: ["Tab"], words: t("next target") },
    { keys: [t("Drag")], words: t("move a piece, or drop one from the hand; off the board: leave it") },
    { keys: [t("Right button")], words: t("draw an arrow, or a circle where it is not moved; a tap clears them") },
    { keys: [t("Long press")], words: t("with a finger: how the piece there moves") },
    { keys: ["1–9"], words: t("choose one of several kinds") },
    {
      keys: ["m"],
      typed: ["m", "moves"],
      args: `[${place}]`,
      words: t("the pieces that can move, or the next steps; the moves of the piece there"),
      say: (rest) => (rest ? atPlace(input, rest, (at) => doWords(input, at)) : nextWords(input)),
    },
    {
      typed: ["g", "go"],
      args: t("PLACE, PIECE or NUMBER"),
      words: t("choose a piece, where it goes, or a number of the list"),
      say: (rest) => choose(input, rest),
    },
    { typed: [".", "stop"], words: t("end the move here"), say: () => stop(input) },
    {
      keys: ["Escape", "Backspace"],
      typed: ["back"],
      words: t("one step back"),
      press: () => back(input, host),
      say: () => {
        back(input, host);
        return input.walk.path.length ? nextWords(input) : undefined;
      },
    },
    { typed: ["l", "last"], words: t("the last move"), say: () => host.lastWords() },
    {
      typed: ["s", "status"],
      words: t("the side to move, check, and the pieces that keep the sides in the game"),
      say: () => [...host.statusWords(), ...survivalWords(input)],
    },
    {
      typed: ["b", "board"],
      words: t("everything on the board and in hand"),
      say: () => [...boardWords(input), ...(input.variant.hands.length ? handWords(input) : [])],
    },
    {
      keys: ["d"],
      typed: ["d", "hands"],
      words: t("the pieces in hand"),
      press: () => input.handToMove()?.focus(),
      say: () => handWords(input),
    },
    {
      typed: ["w", "what"],
      args: place,
      words: t("the piece there and its moves"),
      say: (rest) => atPlace(input, rest, (at) => pointWords(input, at)),
    },
    {
      typed: ["x", "scan"],
      args: t("FILE, RANK or PLACE [DIRECTION or DISTANCE]"),
      words: t("the pieces along a line, or around a place; directions are n, ne, e …"),
      say: (rest) => scan(input, rest.toLowerCase()),
    },
    { keys: ["f"], typed: ["f", "flip"], words: t("turn the board round"), press: () => input.flip() },
    {
      keys: ["+", "-", "0"],
      words: t("zoom and fit; Shift with arrows moves the view"),
      when: () => input.board.view !== null,
    },
  ];
}

/**
 * The commands of pages on which one can look back.
 * @param {PastHost} host @returns {Command[]}
 */
export function pastCommands(host) {
  return [
    { keys: [t("Swipe")], words: t("over the moves or the words above the board: one move back or on") },
    { keys: ["["], typed: ["[", "previous"], words: t("one move back"), press: () => host.step(-1) },
    { keys: ["]"], typed: ["]", "next"], words: t("one move on"), press: () => host.step(1) },
    { keys: ["Home"], typed: ["start"], words: t("to the start"), press: () => host.step(-Infinity) },
    { keys: ["End"], typed: ["end"], words: t("to the end"), press: () => host.step(Infinity) },
    {
      typed: ["n", "number"],
      args: t("NUMBER"),
      words: t("to the position after that move"),
      say: (rest) => (/^\d+$/.test(rest) ? host.step(Number(rest) - host.made) : t("Which move? Give its number.")),
    },
  ];
}
