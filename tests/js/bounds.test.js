/** What comes from outside is read up to a limit: links that unpack to a thousand times their length, and files. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { answerOf } from "#js/lib/api.js";
import { RECORDS, TooLongError, textWithin, VARIANT_FILE, within } from "#js/lib/bounds.js";
import { hashOf, textOfHash } from "#js/lib/packed.js";
import { adoptToken, pageOf, tokenOf } from "#js/lib/tokens.js";
import { fileOfHash } from "#js/lib/workshop_api.js";
import { recordOfHash } from "#js/study/record_link.js";

/** A link as another program makes it. @param {string} name @param {Uint8Array} bytes */
function link(name, bytes) {
  return `#${name}=${deflateRawSync(bytes, { level: 9 }).toString("base64url")}`;
}

test("a text comes back from its link, up to the limit and no further", async () => {
  for (const text of ["", "a", 'id = "ki"\nname = "戻る"', "駒".repeat(3000), "🐎".repeat(500)]) {
    const size = new TextEncoder().encode(text).length;
    const hash = await hashOf("file", text);
    assert.equal(await textOfHash("file", hash, size), text);
    if (size) await assert.rejects(textOfHash("file", hash, size - 1), TooLongError);
    assert.equal(await textOfHash("record", hash, size), null);
  }
});

test("every kind of link has the limit of the file that it stands for", async () => {
  for (const [name, most, read] of /** @type {const} */ ([
    ["file", VARIANT_FILE, fileOfHash],
    ["record", RECORDS, recordOfHash],
  ])) {
    assert.equal((await read(link(name, Buffer.alloc(most, "#"))))?.length, most);
    await assert.rejects(read(link(name, Buffer.alloc(most + 1, "#"))), /too large: at most \d+ [kM]B are read/);
  }
});

test("little more than the limit is unpacked of a link that holds very much", async () => {
  const bomb = link("file", Buffer.alloc(64 * 1024 * 1024, "#"));
  let unpacked = 0;
  const Real = globalThis.DecompressionStream;
  /** @param {CompressionFormat} format */
  function Counting(format) {
    const real = new Real(format);
    const counting = new TransformStream(
      {
        transform(chunk, controller) {
          unpacked += chunk.byteLength;
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 1 },
      { highWaterMark: 0 },
    );
    return { writable: real.writable, readable: real.readable.pipeThrough(counting) };
  }
  globalThis.DecompressionStream = /** @type {any} */ (Counting);
  try {
    await assert.rejects(fileOfHash(bomb), TooLongError);
  } finally {
    globalThis.DecompressionStream = Real;
  }
  assert.ok(unpacked < 3 * 1024 * 1024, `${unpacked} bytes`);
});

test("wrong links throw", async () => {
  const good = link("file", Buffer.from('id = "x"'.repeat(50)));
  for (const hash of ["#file=", "#file=%", "#file=nothing", "#file=A", good.slice(0, -5), `#file=${"A".repeat(5000)}`])
    await assert.rejects(fileOfHash(hash), (error) => !(error instanceof TooLongError), hash.slice(0, 30));
});

test("a stream is read to its end, or given up at the limit", async () => {
  let [given, cancelled] = [0, false];
  const endless = new ReadableStream({
    pull(controller) {
      given += 1000;
      controller.enqueue(new Uint8Array(1000).fill(65));
    },
    cancel() {
      cancelled = true;
    },
  });
  await assert.rejects(textWithin(endless, 5000), TooLongError);
  assert.ok(cancelled);
  assert.ok(given <= 8000);
  assert.equal(await textWithin(new Blob(["駒台"]).stream(), 6), "駒台");
});

test("a chosen file is not read beyond its limit", () => {
  const file = new File([new Uint8Array(10)], "x");
  assert.equal(within(file, 10), file);
  assert.throws(() => within(file, 9), TooLongError);
});

test("an answer of a proxy that is no JSON is an error in words", async () => {
  for (const status of [200, 413, 429, 502, 503])
    await assert.rejects(answerOf(new Response("<html>", { status })), /The server gave no answer/);
  await assert.rejects(answerOf(new Response('{"error": "Too long."}', { status: 413 })), /Too long/);
});

test("a link to a game fills the storage with no token that none is", () => {
  const game = "AAAAAAAAAAAAAAAA";
  for (const [token, kept] of /** @type {const} */ ([
    ["x".repeat(1_000_000), null],
    ["%E3%81%82 é", null],
    ["secret-1", "secret-1"],
  ])) {
    localStorage.clear();
    sessionStorage.clear();
    globalThis.location = /** @type {any} */ ({ pathname: pageOf(game), hash: `#${token}` });
    adoptToken(game);
    assert.equal(tokenOf(game), kept);
    assert.equal((localStorage.getItem("komadai.tokens") ?? "").length < 200, true);
  }
});
