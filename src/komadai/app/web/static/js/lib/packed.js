// @ts-check
/** Texts as few bytes, and in the part of an address after the `#`, which needs no server and is sent to none. */

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

/** A text as bytes, compressed. @param {string} text */
export async function packed(text) {
  const packing = streamed(new TextEncoder().encode(text)).pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(packing).arrayBuffer());
}

/**
 * The text that was compressed. Throws if it cannot be unpacked, and TooLongError if it has more than `most` bytes: few
 * may hold a thousand times as many. @param {Uint8Array<ArrayBuffer>} bytes @param {number} most
 */
export function unpacked(bytes, most) {
  return textWithin(streamed(bytes).pipeThrough(new DecompressionStream("deflate-raw")), most);
}

/** Bytes in base64. @param {Uint8Array} bytes */
export function base64Of(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The bytes of base64. @param {string} text */
export function bytesOf(text) {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** A text as the end of an address. @param {string} name @param {string} text */
export async function hashOf(name, text) {
  const base64 = base64Of(await packed(text));
  return `#${name}=${base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/**
 * The text at the end of an address; `null` if there is none of that name. Throws as `unpacked`.
 * @param {string} name @param {string} hash @param {number} most bytes
 */
export async function textOfHash(name, hash, most) {
  const start = `#${name}=`;
  if (!hash.startsWith(start)) return null;
  return unpacked(bytesOf(hash.slice(start.length).replaceAll("-", "+").replaceAll("_", "/")), most);
}
