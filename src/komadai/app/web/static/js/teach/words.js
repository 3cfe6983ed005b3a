// @ts-check
/** The words of the lesson editor: goals, mistakes, and the fields that defects are about. */

import { t } from "../lib/i18n.js";

/** @import { Goal } from "./draft.js" */

/** What a learner is to do. @type {[Goal, string][]} */
export const GOALS = [
  ["find", t("find one of these moves")],
  ["aim", t("find any move that does something")],
  ["lines", t("play a line of moves, with the opponent’s replies")],
  ["avoid", t("make any move but the mistakes")],
  ["reach", t("bring a piece to some points")],
  ["take", t("take some pieces")],
  ["choices", t("answer a question")],
  ["play", t("play against the computer")],
];

/** What a move does, by its aim. @type {Record<string, string>} */
export const AIM_WORDS = {
  mate: t("it mates"),
  win: t("it wins the game"),
  stalemate: t("it leaves no legal move"),
  check: t("it gives check"),
  capture: t("it captures"),
  drop: t("it is a drop"),
  promote: t("the piece becomes another one"),
  hangs: t("the piece that moved can be taken"),
  loses: t("the opponent can win at once"),
};

/** Mistakes that are answered. @type {[string, string][]} */
export const MISTAKES = [
  ["", t("these moves alone")],
  ["any", t("every other legal move")],
  ["illegal", t("every other illegal move")],
  ["other piece", t("moves of another piece")],
  ["late", t("too many moves")],
  ["hangs", t("moves to where the piece can be taken")],
  ["loses", t("moves after which the opponent wins at once")],
  ["no-check", t("moves without check")],
  ["no-capture", t("moves that take nothing")],
  ["no-drop", t("moves that are no drops")],
  ["no-promote", t("moves by which the piece stays as it is")],
];

/** The fields of a lesson's file. @type {Record<string, string>} */
const FIELDS = {
  about: t("What one will know afterwards"),
  game: t("Game"),
  variant: t("Variant file"),
  title: t("Title"),
  text: t("Words"),
  position: t("Position"),
  find: t("Right moves"),
  lines: t("Line"),
  avoid: t("Mistakes to avoid"),
  reach: t("Points"),
  take: t("Points"),
  piece: t("The piece that moves"),
  moves: t("Number of moves"),
  choices: t("Answers"),
  play: t("Game against the computer"),
  right: t("Praise"),
  hint: t("Hint"),
  wrong: t("Answer to mistakes"),
  says: t("What is said"),
  solution: t("Solution"),
  drills: t("Drills"),
  teaches: t("Pieces taught"),
};

/** The place of a defect within a stage, or the lesson, in words. @param {string} place such as `wrong[0].says` */
export function placeWords(place) {
  const words = place.split(".").map((part) => {
    const [, key = "", number] = /^(\w+)(?:\[(\d+)\])?$/.exec(part) ?? [];
    const known = FIELDS[key] ?? part;
    return number === undefined ? known : `${known} ${Number(number) + 1}`;
  });
  return words.filter(Boolean).join(" · ");
}
