// @ts-check
/** The HTTP API of the workshop, and variant files in addresses. */

import { fileFrom, get, post } from "./api.js";
import { LESSON, textWithin, VARIANT_FILE } from "./bounds.js";
import { hashOf, textOfHash } from "./packed.js";

/** @import { AskedPosition } from "../types/client" */
/** @import { FoundPosition } from "../types/wire" */

const NAME = "file";
const LESSON_NAME = "lesson";

/** The JSON Schema of variant files. @returns {Promise<Record<string, any>>} */
export const fileSchema = () => get("workshop/schema");

/** A file to begin with: of a game, or with comments. @param {string} game its id, or nothing */
export async function startingFile(game) {
  const { body } = await fileFrom(`workshop/${game ? `files/${encodeURIComponent(game)}` : "start"}`);
  return textWithin(/** @type {ReadableStream<Uint8Array>} */ (body), VARIANT_FILE);
}

/** What is wrong in a file, or what its game is. @param {string} file @returns {Promise<import("../types/wire").CheckedFile>} */
export const checkFile = (file) => post("workshop/check", { file });

/**
 * The position after some moves, and the last move; `text` is one more, as typed.
 * @param {string} file @param {string[]} moves @param {string} [text]
 * @param {string | null} [position] where the moves begin, if not at the start @returns {Promise<FoundPosition>}
 */
export const positionIn = (file, moves, text, position = null) =>
  post("workshop/position", { file, moves, known: moves.length, text, position });

/**
 * Check a position that is set up.
 * @param {string} file @param {AskedPosition} position @returns {Promise<import("../types/wire").CheckedPosition>}
 */
export const checkSetUp = (file, position) => post("workshop/setup", { file, position });

/**
 * The engine's move, and the position after it.
 * @param {string} file @param {string[]} moves @param {number} level @returns {Promise<FoundPosition>}
 */
export const replyIn = (file, moves, level) => post("workshop/reply", { file, moves, level });

/**
 * Why a move is illegal.
 * @param {string} file @param {string[]} moves @param {string} text
 * @param {string | null} [position] where the moves begin, if not at the start @returns {Promise<string>}
 */
export const explainIn = async (file, moves, text, position = null) =>
  (await post("workshop/explain", { file, moves, text, position })).text;

/** The report card so far. @param {string} file @returns {Promise<import("../types/wire").ReportCard>} */
export const reportOn = (file) => post("workshop/report", { file });

/** The end of an address that holds a file. @param {string} file */
export const fileHash = (file) => hashOf(NAME, file);

/** The file at the end of an address; `null` if there is none. Throws if it cannot be unpacked, or is too long. @param {string} hash */
export const fileOfHash = (hash) => textOfHash(NAME, hash, VARIANT_FILE);

// --- Lessons that people make ---

/** What is wrong in a lesson, and what it holds. @param {string} lesson @returns {Promise<import("../types/wire").CheckedLesson>} */
export const checkLesson = (lesson) => post("workshop/lesson", { lesson });

/** A lesson, or a variant file whose lessons are made from its rules. @typedef {{ lesson: string } | { file: string }} Taught */

/** The contents of a lesson. @param {Taught} taught @returns {Promise<import("../types/wire").Course>} */
export const taughtCourse = (taught) => post("workshop/lesson/course", taught);

/**
 * Let a move in a stage of a lesson be judged, as `judge` of lib/api.js does.
 * @param {Taught} taught @param {string} stage @param {{ moves: string[], move: string | null, tries: number }} asked
 * @returns {Promise<import("../types/wire").LessonAnswer>}
 */
export const judgeIn = (taught, stage, asked) => post("workshop/lesson/judge", { ...taught, stage, ...asked });

/** The end of an address that holds a lesson. @param {string} lesson */
export const lessonHash = (lesson) => hashOf(LESSON_NAME, lesson);

/** The lesson at the end of an address; `null` if there is none. Throws as `fileOfHash`. @param {string} hash */
export const lessonOfHash = (hash) => textOfHash(LESSON_NAME, hash, LESSON);
