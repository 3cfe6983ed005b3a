// @ts-check
/** The HTTP API of the workshop, and variant files in addresses. */

import { answerOf, post } from "../lib/api.js";
import { textWithin, VARIANT_FILE } from "../lib/bounds.js";
import { hashOf, textOfHash } from "../lib/packed.js";
import { ROOT } from "../lib/root.js";

const PLACE = `${ROOT}api/workshop`;
const NAME = "file";

/** The JSON Schema of variant files. @returns {Promise<import("./schema.js").Schema>} */
export async function fileSchema() {
  return answerOf(await fetch(`${PLACE}/schema`));
}

/** A file to begin with: of a game, or with comments. @param {string} game its id, or nothing */
export async function startingFile(game) {
  const answer = await fetch(game ? `${PLACE}/files/${encodeURIComponent(game)}` : `${PLACE}/start`);
  if (!answer.ok) await answerOf(answer);
  return textWithin(/** @type {ReadableStream<Uint8Array>} */ (answer.body), VARIANT_FILE);
}

/** What is wrong in a file, or what its game is. @param {string} file @returns {Promise<import("../types/wire").CheckedFile>} */
export async function checkFile(file) {
  return post(`${PLACE}/check`, { file });
}

/**
 * The position after some moves, and the last move; `text` is one more, as typed.
 * @param {string} file @param {string[]} moves @param {string} [text]
 * @returns {Promise<import("../types/wire").FoundPosition>}
 */
export async function positionIn(file, moves, text) {
  return post(`${PLACE}/position`, { file, moves, known: moves.length, ...(text === undefined ? {} : { text }) });
}

/**
 * The engine's move, and the position after it.
 * @param {string} file @param {string[]} moves @param {number} level
 * @returns {Promise<import("../types/wire").FoundPosition>}
 */
export async function replyIn(file, moves, level) {
  return post(`${PLACE}/reply`, { file, moves, level });
}

/** Why a move is illegal. @param {string} file @param {string[]} moves @param {string} text @returns {Promise<string>} */
export async function explainIn(file, moves, text) {
  return (await post(`${PLACE}/explain`, { file, moves, text })).text;
}

/** The report card so far. @param {string} file @returns {Promise<import("../types/wire").ReportCard>} */
export async function reportOn(file) {
  return post(`${PLACE}/report`, { file });
}

/** The end of an address that holds a file. @param {string} file */
export async function fileHash(file) {
  return hashOf(NAME, file);
}

/** The file at the end of an address; `null` if there is none. Throws if it cannot be unpacked, or is too long. @param {string} hash */
export async function fileOfHash(hash) {
  return textOfHash(NAME, hash, VARIANT_FILE);
}
