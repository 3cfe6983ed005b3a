// @ts-check
/** The HTTP API for studies and records. */

import { answerOf, post } from "../lib/api.js";
import { ROOT } from "../lib/root.js";

/** @typedef {import("../types/wire").StudyData} StudyData */
/** @typedef {import("../types/wire").RecordData} RecordData */
/** @typedef {import("../types/wire").PositionRef} PositionRef */

/**
 * An empty study; `search` has the variant and optionally a position and rule options.
 * @param {string} search @returns {Promise<StudyData>}
 */
export async function emptyStudy(search) {
  return answerOf(await fetch(`${ROOT}api/study${search}`));
}

/** A shared study. @param {string} id @returns {Promise<StudyData>} */
export async function sharedStudy(id) {
  return answerOf(await fetch(`${ROOT}api/records/${encodeURIComponent(id)}`));
}

/** The study of a game. @param {string} id @returns {Promise<StudyData>} */
export async function gameStudy(id) {
  return answerOf(await fetch(`${ROOT}api/games/${encodeURIComponent(id)}/record`));
}

/**
 * The records in a file of any format, and the study of the record if there is only one.
 * @param {string | ArrayBuffer} file @returns {Promise<{ records: RecordData[], study: StudyData | null }>}
 */
export async function readRecords(file) {
  return answerOf(await fetch(`${ROOT}api/records/read`, { method: "POST", body: file }));
}

/** Convert a record to a format. @param {RecordData} record @param {string} form */
export async function writeRecord(record, form) {
  const answer = await fetch(`${ROOT}api/records/write/${form}`, { method: "POST", body: JSON.stringify(record) });
  if (!answer.ok) await answerOf(answer);
  return answer.blob();
}

/**
 * A drawing of a position, as SVG.
 * @param {PositionRef} branch @param {{ flipped: boolean, letters: boolean }} look
 */
export async function pictureOf(branch, look) {
  const answer = await fetch(`${ROOT}api/pictures/svg`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...branch, ...look }),
  });
  if (!answer.ok) await answerOf(answer);
  return answer.blob();
}

/**
 * Publish a record on the server under an unlisted address.
 * @param {RecordData} record @returns {Promise<string>} its id
 */
export async function shareRecord(record) {
  return (await answerOf(await fetch(`${ROOT}api/records`, { method: "POST", body: JSON.stringify(record) }))).id;
}

/**
 * The position after some moves, and the moves after the first `known` of them; `text` is one more move, as typed.
 * @param {PositionRef} branch @param {number} known @param {string} [text]
 * @returns {Promise<import("../types/wire").FoundPosition>}
 */
export async function findPosition(branch, known, text) {
  return post(`${ROOT}api/positions`, { ...branch, known, ...(text === undefined ? {} : { text }) });
}

/**
 * The values of a position of a solved game and of its moves, and at most so many plies of best play from there.
 * @param {PositionRef} branch @param {number} plies @returns {Promise<import("../types/wire").KnownPosition>}
 */
export async function valuesOf(branch, plies) {
  return post(`${ROOT}api/positions/values`, { ...branch, plies });
}

/**
 * The moves of a position in the server's opening book.
 * @param {PositionRef} branch @returns {Promise<import("../types/wire").BookMoves>}
 */
export async function bookMoves(branch) {
  return post(`${ROOT}api/positions/book`, branch);
}
