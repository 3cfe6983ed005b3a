import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { syncMemory } from "#js/game/memory.js";
import * as memory from "#js/lib/memory.js";
import { sealingKey } from "#js/lib/profile_key.js";
import { seal, unseal } from "#js/lib/sealed.js";

const KEY = "ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ23";
const sealing = await sealingKey(KEY);

/** A server with one profile; `meanwhile` happens before a writing is looked at. */
let server;

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem("komadai.profile", JSON.stringify({ key: KEY, games: [] }));
  server = { number: 0, sealed: null, asked: [], meanwhile: async () => {} };
  const answer = async (_path, { method, body }) => {
    const asked = JSON.parse(body);
    server.asked.push(method);
    if (method === "POST")
      return { number: server.number, sealed: asked.known === server.number ? null : server.sealed };
    await server.meanwhile();
    if (asked.after !== server.number) return { number: server.number, sealed: server.sealed };
    Object.assign(server, { number: server.number + 1, sealed: asked.sealed });
    return { number: server.number, sealed: null };
  };
  globalThis.fetch = async (path, request) => ({ ok: true, json: () => answer(path, request) });
});

const text = (...names) =>
  memory.textOf({
    cards: Object.fromEntries(names.map((name) => [`lesson/some/${name}`, { at: 1, gone: true }])),
    days: [],
    rests: [],
  });
const kept = async () => Object.keys(memory.memoryOf(await unseal(sealing, server.sealed, 9999)).cards);
const here = () => Object.keys(memory.memory().cards);

test("what is here and what is there become the same, and nothing is sent twice", async () => {
  memory.keep(memory.memoryOf(text("here")));
  server.sealed = await seal(sealing, text("there"));
  server.number = 3;
  await syncMemory();
  assert.deepEqual(here(), ["lesson/some/here", "lesson/some/there"]);
  assert.deepEqual(await kept(), here());
  assert.deepEqual(server.asked, ["POST", "PUT"]);
  await syncMemory();
  assert.deepEqual(server.asked, ["POST", "PUT", "POST"], "there is nothing new");
  memory.keep(memory.memoryOf(text("more")));
  await syncMemory();
  assert.deepEqual(await kept(), here());
});

test("another device that writes at the same time loses nothing", async () => {
  memory.keep(memory.memoryOf(text("here")));
  let times = 0;
  server.meanwhile = async () => {
    if (times++ < 2)
      Object.assign(server, { number: server.number + 1, sealed: await seal(sealing, text(`other${times}`)) });
  };
  await syncMemory();
  assert.deepEqual(here(), ["lesson/some/here", "lesson/some/other1", "lesson/some/other2"]);
  assert.deepEqual(await kept(), here());
});

test("what is damaged there is written anew, and what a later version wrote stays", async () => {
  memory.keep(memory.memoryOf(text("here")));
  Object.assign(server, { number: 1, sealed: btoa("spoilt".repeat(9)) });
  await syncMemory();
  assert.deepEqual(await kept(), ["lesson/some/here"]);
  const later = await seal(sealing, '{"komadai": "memory", "format": 2}');
  Object.assign(server, { number: 7, sealed: later });
  await assert.rejects(syncMemory(), /later version/);
  assert.equal(server.sealed, later);
});

test("what this browser cannot keep is not lost there", async (context) => {
  server.sealed = await seal(sealing, text("there"));
  server.number = 1;
  context.mock.method(Object.getPrototypeOf(localStorage), "setItem", () => {
    throw new Error("full");
  });
  await syncMemory();
  assert.deepEqual(await kept(), ["lesson/some/there"]);
});

test("a key of the former form sends nothing", async () => {
  localStorage.setItem("komadai.profile", JSON.stringify({ key: KEY.slice(0, -2), games: [] }));
  memory.keep(memory.memoryOf(text("here")));
  await syncMemory();
  assert.deepEqual(server.asked, []);
});
