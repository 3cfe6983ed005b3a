// @ts-check
/** The HTTP API for studies and records. */

import { fileFrom, get, post, sending } from "../lib/api.js";

/** @import { PositionRef, RecordData, StudyData } from "../types/wire" */

/** A shared study. @param {string} id @returns {Promise<StudyData>} */
export const sharedStudy = (id) => get(`records/${encodeURIComponent(id)}`);

/** The study of a game. @param {string} id @returns {Promise<StudyData>} */
export const gameStudy = (id) => get(`games/${encodeURIComponent(id)}/record`);

/**
 * The records in a file of any format, and the study if they are one record or the chapters of one.
 * @param {string | ArrayBuffer} file @returns {Promise<{ records: RecordData[], study: StudyData | null }>}
 */
export const readRecords = (file) => get("records/read", { method: "POST", body: file });

/** Convert a record, or chapters, to a format. @param {RecordData | RecordData[]} record @param {string} form */
export const writeRecord = async (record, form) =>
  (await fileFrom(`records/write/${form}`, { method: "POST", body: JSON.stringify(record) })).blob();

/**
 * A drawing of a position, as SVG.
 * @param {PositionRef} branch @param {{ flipped: boolean, letters: boolean }} look
 */
export const pictureOf = async (branch, look) =>
  (await fileFrom("pictures/svg", sending({ ...branch, ...look }))).blob();

/**
 * The main line of a record as a moving picture, in SVG.
 * @param {RecordData} record @param {{ flipped: boolean, letters: boolean }} look
 */
export const animationOf = async (record, { flipped, letters }) =>
  (await fileFrom(`records/animation?flipped=${flipped}&letters=${letters}`, sending(record))).blob();

/**
 * Publish a record, or chapters, on the server under an unlisted address.
 * @param {RecordData | RecordData[]} record @returns {Promise<string>} its id
 */
export const shareRecord = async (record) =>
  (await get("records", { method: "POST", body: JSON.stringify(record) })).id;

/**
 * The values of a position of a solved game and of its moves, and at most so many plies of best play from there.
 * @param {PositionRef} branch @param {number} plies @returns {Promise<import("../types/wire").KnownPosition>}
 */
export const valuesOf = (branch, plies) => post("positions/values", { ...branch, plies });
