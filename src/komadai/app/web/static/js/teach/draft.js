// @ts-check
/** A lesson while it is written: a row of stages, read from what the server found in a file and written as one. */

/** @import { DraftLesson, DraftStage } from "../types/wire" */

/** @typedef {"find" | "aim" | "lines" | "avoid" | "reach" | "take" | "choices" | "play"} Goal */
/** @typedef {{ says: string, moves: string[], squares: string[], mistake: string, rule: string, reply: string }} Wrong */
/** @typedef {{ text: string, says: string, right: boolean }} Choice */
/**
 * A stage. `chapter`: the title of the chapter that it begins, if it begins one; `points`: to be reached or taken;
 * `count`: in how many moves, if that is not known by itself. What another goal would need is kept beside.
 * @typedef {{
 *   id: string, title: string, text: string, position: string, chapter: string | null, goal: Goal, moves: string[],
 *   aims: string[], lines: string[], points: string[], piece: string, choices: Choice[], level: number, plies: number,
 *   count: number, right: string, hint: string, wrong: Wrong[], teaches: string[], drills: string[], rules: string[],
 *   solution: string[],
 * }} Stage
 */
/** A lesson, of a game or of that of a variant file. @typedef {{ game: string, file: string, about: string, stages: Stage[], notTaught: Record<string, string> }} Lesson */

/** The aims of a move, in the order in which they are offered. */
export const AIMS = ["mate", "win", "stalemate", "check", "capture", "drop", "promote", "hangs", "loses"];

/** @param {readonly string[] | string | null | undefined} value as files have lists */
function listOf(value) {
  if (typeof value === "string") return value.split(/\s+/).filter(Boolean);
  return [...(value ?? [])];
}

/** A stage in which nothing is done yet. @param {string} id @returns {Stage} */
function blank(id) {
  return {
    id,
    title: "",
    text: "",
    position: "",
    chapter: null,
    goal: "find",
    moves: [],
    aims: [],
    lines: [],
    points: [],
    piece: "",
    choices: [],
    level: 1,
    plies: 60,
    count: 1,
    right: "",
    hint: "",
    wrong: [],
    teaches: [],
    drills: [],
    rules: [],
    solution: [],
  };
}

/** A lesson of a game with one empty stage. @param {{ game?: string, file?: string }} of @param {string} chapter its title @returns {Lesson} */
export function begun({ game = "", file = "" }, chapter) {
  return { game, file, about: "", stages: [{ ...blank("stage-1"), chapter }], notTaught: {} };
}

/** A new stage for a lesson, from the position of another. @param {Lesson} lesson @param {string} position */
export function another(lesson, position) {
  const taken = new Set(lesson.stages.map(({ id }) => id));
  let number = 1;
  while (taken.has(`stage-${number}`)) number++;
  return { ...blank(`stage-${number}`), position };
}

/** @param {DraftStage} found @returns {Goal} */
function goalOf({ find, lines, avoid, reach, take, choices, play }) {
  if (reach) return "reach";
  if (take) return "take";
  if (avoid !== null && avoid !== undefined) return "avoid";
  if (choices) return "choices";
  if (play) return "play";
  if (listOf(lines).length) return "lines";
  return typeof find === "string" ? "aim" : "find";
}

/** @param {DraftStage} found @param {string | null} chapter @param {string} id if it has none @returns {Stage} */
function stageOf(found, chapter, id) {
  const goal = goalOf(found);
  const either = goal === "avoid" ? found.avoid : found.find;
  const points = listOf(found.reach ?? found.take);
  return {
    ...blank(found.id || id),
    chapter,
    goal,
    title: found.title ?? "",
    text: found.text ?? "",
    position: found.position ?? "",
    moves: Array.isArray(either) ? [...either] : [],
    aims: typeof either === "string" ? listOf(either) : [],
    lines: listOf(found.lines),
    points,
    piece: found.piece ?? "",
    choices: (found.choices ?? []).map(({ text = "", says = "", right = false }) => ({ text, says, right })),
    level: found.play?.level ?? 1,
    plies: found.play?.plies ?? 60,
    count: found.moves ?? 1,
    right: found.right ?? "",
    hint: found.hint ?? "",
    wrong: (found.wrong ?? []).map(({ says = "", moves, squares, mistake = "", rule = "", reply = "" }) => ({
      says,
      moves: listOf(moves),
      squares: listOf(squares),
      mistake,
      rule,
      reply,
    })),
    teaches: listOf(found.teaches),
    drills: listOf(found.drills),
    rules: listOf(found.rules),
    solution: listOf(found.solution),
  };
}

/** The lesson that the server has read. @param {DraftLesson} found @param {string} chapter the title of one without stages @returns {Lesson} */
export function lessonOf({ game = "", variant = "", about = "", chapters = [], not_taught: notTaught = {} }, chapter) {
  const stages = chapters.flatMap(({ title = "", stages: some = [] }, number) =>
    some.map((one, index) => stageOf(one, index ? null : title, `stage-${number + 1}-${index + 1}`)),
  );
  const lesson = begun({ game, file: variant }, chapter);
  return { ...lesson, about, notTaught: { ...notTaught }, stages: stages.length ? stages : lesson.stages };
}

// --- Writing ---

/** @param {string} line */
function escaped(line) {
  const sound = line.replace(/\p{Surrogate}/gu, "\ufffd");
  return JSON.stringify(sound).slice(1, -1).replaceAll("\x7f", "\\u007f");
}

/** A text in TOML. @param {string} text */
export function tomlText(text) {
  const lines = text.replace(/\r\n?/g, "\n").split("\n").map(escaped);
  return lines.length > 1 ? `"""\n${lines.join("\n")}"""` : `"${lines[0]}"`;
}

/** A file within a file, as it stands if it can. @param {string} file */
function tomlFile(file) {
  const text = file.replace(/\r\n?/g, "\n");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: TOML allows no others
  return /'''|'$|[\x00-\x08\x0b-\x1f\x7f]|\p{Surrogate}/u.test(text) ? tomlText(text) : `'''\n${text}'''`;
}

/** @param {readonly string[]} list */
function tomlList(list) {
  return `[${list.map(tomlText).join(", ")}]`;
}

/** @param {string} key @param {string} text */
const words = (key, text) => (text.trim() ? [`${key} = ${tomlText(text.trim())}`] : []);
/** @param {string} key @param {readonly string[]} list */
const row = (key, list) => (list.length ? [`${key} = ${tomlList(list)}`] : []);

/** @param {Stage} stage the lines that say what is to be done */
function goalLines({ goal, moves, aims, lines, points, piece, level, plies, count, solution }) {
  const either = aims.length ? tomlText(aims.join(" ")) : tomlList(moves);
  const walk = [...words("piece", piece), `moves = ${count}`, ...row("solution", solution)];
  switch (goal) {
    case "find":
      return [`find = ${tomlList(moves)}`];
    case "aim":
      return [`find = ${tomlText(aims.join(" "))}`];
    case "lines":
      return [`find = ${either}`, `lines = ${tomlList(lines.filter(Boolean))}`];
    case "avoid":
      return [`avoid = ${either}`];
    case "reach":
      return [`reach = ${tomlList(points)}`, ...walk];
    case "take":
      return [`take = ${tomlList(points)}`, ...walk];
    case "choices":
      return []; // tables, which come last
    case "play":
      return [`play = { level = ${level}, plies = ${plies} }`];
  }
}

/** @param {Choice} choice */
const choiceLines = ({ text, says, right }) => [
  "[[chapters.stages.choices]]",
  `text = ${tomlText(text)}`,
  `says = ${tomlText(says)}`,
  ...(right ? ["right = true"] : []),
];

/** @param {Wrong} wrong */
const wrongLines = ({ says, moves, squares, mistake, rule, reply }) => [
  "[[chapters.stages.wrong]]",
  ...row("moves", moves),
  ...row("squares", squares),
  ...words("mistake", mistake),
  ...words("rule", rule),
  `says = ${tomlText(says.trim())}`,
  ...words("reply", reply),
];

/** @param {Stage} stage */
function stageLines(stage) {
  const { id, title, text, position, right, hint, wrong, choices, goal } = stage;
  return [
    ...(stage.chapter === null ? [] : ["", "[[chapters]]", `title = ${tomlText(stage.chapter.trim())}`]),
    "",
    "[[chapters.stages]]",
    `id = ${tomlText(id)}`,
    `title = ${tomlText(title.trim())}`,
    ...row("teaches", stage.teaches),
    ...row("rules", stage.rules),
    ...row("drills", stage.drills),
    `text = ${tomlText(text.trim())}`,
    ...words("position", position),
    ...goalLines(stage),
    ...words("right", right),
    ...words("hint", hint),
    ...(goal === "choices" ? (choices.length ? choices.flatMap(choiceLines) : ["choices = []"]) : []),
    ...wrong.flatMap(wrongLines),
  ];
}

/** The lesson as a file. @param {Lesson} lesson */
export function fileOf({ game, file, about, stages, notTaught }) {
  const reasons = Object.entries(notTaught).map(([rule, why]) => `${tomlText(rule)} = ${tomlText(why)}`);
  return [
    file ? `variant = ${tomlFile(file)}` : `game = ${tomlText(game)}`,
    `about = ${tomlText(about.trim())}`,
    ...(reasons.length ? ["", "[not_taught]", ...reasons] : []),
    ...stages.map((stage, index) => (index || stage.chapter !== null ? stage : { ...stage, chapter: stage.title })),
  ]
    .flatMap((part) => (typeof part === "string" ? [part] : stageLines(part)))
    .concat("")
    .join("\n");
}
