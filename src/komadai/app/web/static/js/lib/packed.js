// @ts-check
/** Texts in the part of an address after the `#`, which needs no server and is sent to none. */

import { textWithin } from "./bounds.js";

const PIECE = 1024; // bytes that are unpacked at a time: to a thousand times as many at most

/** A stream of bytes, piece by piece as it is read. @param {Uint8Array<ArrayBuffer>} bytes */
function streamed(bytes) {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + PIECE));
        else controller.close();
        at += PIECE;
      },
    },
    { highWaterMark: 0 },
  );
}

/** A text as the end of an address. @param {string} name @param {string} text */
export async function hashOf(name, text) {
  const packing = streamed(new TextEncoder().encode(text)).pipeThrough(new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(packing).arrayBuffer());
  const binary = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return `#${name}=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/**
 * The text at the end of an address; `null` if there is none of that name. Throws if it cannot be unpacked, and
 * TooLongError if it has more than `most` bytes: a short address may hold a thousand times as many.
 * @param {string} name @param {string} hash @param {number} most
 */
export async function textOfHash(name, hash, most) {
  const start = `#${name}=`;
  if (!hash.startsWith(start)) return null;
  const binary = atob(hash.slice(start.length).replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  return textWithin(streamed(packed).pipeThrough(new DecompressionStream("deflate-raw")), most);
}
