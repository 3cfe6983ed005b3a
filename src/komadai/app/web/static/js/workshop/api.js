// @ts-check
/** The HTTP API of the workshop, and variant files in addresses. */

import { fileFrom, get, post } from "../lib/api.js";
import { textWithin, VARIANT_FILE } from "../lib/bounds.js";
import { hashOf, textOfHash } from "../lib/packed.js";

/** @import { FoundPosition } from "../types/wire" */

const NAME = "file";

/** The JSON Schema of variant files. @returns {Promise<import("./schema.js").Schema>} */
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
 * @param {string} file @param {string[]} moves @param {string} [text] @returns {Promise<FoundPosition>}
 */
export const positionIn = (file, moves, text) => post("workshop/position", { file, moves, known: moves.length, text });

/**
 * The engine's move, and the position after it.
 * @param {string} file @param {string[]} moves @param {number} level @returns {Promise<FoundPosition>}
 */
export const replyIn = (file, moves, level) => post("workshop/reply", { file, moves, level });

/** Why a move is illegal. @param {string} file @param {string[]} moves @param {string} text @returns {Promise<string>} */
export const explainIn = async (file, moves, text) => (await post("workshop/explain", { file, moves, text })).text;

/** The report card so far. @param {string} file @returns {Promise<import("../types/wire").ReportCard>} */
export const reportOn = (file) => post("workshop/report", { file });

/** The end of an address that holds a file. @param {string} file */
export const fileHash = (file) => hashOf(NAME, file);

/** The file at the end of an address; `null` if there is none. Throws if it cannot be unpacked, or is too long. @param {string} hash */
export const fileOfHash = (hash) => textOfHash(NAME, hash, VARIANT_FILE);
