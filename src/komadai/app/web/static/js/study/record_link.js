// @ts-check
/** Records in the part of an address after the `#`. */

import { RECORDS } from "../lib/bounds.js";
import { hashOf, textOfHash } from "../lib/packed.js";

const NAME = "record";

/** The end of an address that holds a record, or chapters. @param {unknown} record */
export async function recordHash(record) {
  return hashOf(NAME, JSON.stringify(record));
}

/** The text of the record at the end of an address; `null` if there is none. Throws if it cannot be unpacked, or is too long. @param {string} hash */
export async function recordOfHash(hash) {
  return textOfHash(NAME, hash, RECORDS);
}
