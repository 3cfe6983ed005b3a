// @ts-check
/** Reading what comes from outside, and no more of it than the server would take. */

import { t } from "./i18n.js";

/** Bytes of a variant file, at most: the server's limit. */
export const VARIANT_FILE = 256 * 1024;
/** Bytes of a lesson, at most: the server's limit. */
export const LESSON = 64 * 1024;
/** Bytes of a file of records, at most: the server's limit. */
export const RECORDS = 1024 * 1024;
/** Bytes of a file of all games, at most: the limit of the server in the tab. */
export const BACKUP = 256 * 1024 * 1024;

/** Something is longer than what it stands for may be. */
export class TooLongError extends Error {
  /** @param {number} most bytes */
  constructor(most) {
    super(
      most < 1024 * 1024
        ? t("This is too large: at most {most} kB are read.", { most: most / 1024 })
        : t("This is too large: at most {most} MB are read.", { most: most / 1024 / 1024 }),
    );
  }
}

/**
 * The text of a stream of bytes. Throws TooLongError beyond `most` bytes, and reads no further.
 * @param {ReadableStream<Uint8Array>} stream @param {number} most
 */
export async function textWithin(stream, most) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let [size, text] = [0, ""];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size > most) throw new TooLongError(most);
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    void reader.cancel().catch(() => {}); // does nothing at the end
  }
}

/** A file that somebody chose, to be read. Throws TooLongError if it is too long. @param {File} file @param {number} most */
export function within(file, most) {
  if (file.size > most) throw new TooLongError(most);
  return file;
}
