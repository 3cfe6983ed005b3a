import assert from "node:assert/strict";
import { hkdfSync } from "node:crypto";
import { test } from "node:test";

import { accessOf, canSeal, newKey, sealingKey } from "#js/lib/profile_key.js";
import { seal, unseal } from "#js/lib/sealed.js";

const KEY = "ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ23";
const ACCESS = "X7KKBKFTTK5EHYOY76VTWQTY74";

test("the server is shown an access key, which is that of tests/app/web/http/test_profiles.py", async () => {
  const derived = Buffer.from(hkdfSync("sha256", KEY.replaceAll("-", ""), "", "komadai profile access", 16));
  const bits = [...derived].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = `${bits}00`
    .match(/.{5}/g)
    .map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five, 2)]);
  assert.equal(letters.join(""), ACCESS);
  for (const written of [
    KEY,
    KEY.toLowerCase(),
    ` ${KEY.replaceAll("-", " ")}.`,
    KEY.replace("I", "1").replace("O", "0"),
  ])
    assert.equal(await accessOf(written), ACCESS);
  assert.ok(!KEY.replaceAll("-", "").includes(ACCESS.slice(0, 6)));
});

test("a key of the former form is shown as it is, and seals nothing", async () => {
  const former = KEY.slice(0, -2);
  assert.equal(await accessOf(former), former.replaceAll("-", ""));
  assert.equal(canSeal(former), false);
  assert.equal(canSeal(KEY), true);
  assert.equal(canSeal(""), false);
});

test("what is no key is refused in words", async () => {
  for (const odd of ["", "x", KEY.slice(1), `${KEY}A`, KEY.replace("A", "9"), "ß".repeat(28)])
    await assert.rejects(accessOf(odd), /28 letters and digits are expected, or 26/, odd);
});

test("new keys differ, and are of the former form where nothing can be encrypted", (context) => {
  const made = new Set(Array.from({ length: 100 }, newKey));
  assert.equal(made.size, 100);
  for (const key of made) assert.match(key, /^([A-Z2-7]{4}-){6}[A-Z2-7]{4}$/);
  context.mock.getter(crypto, "subtle", () => undefined);
  assert.match(newKey(), /^([A-Z2-7]{4}-){6}[A-Z2-7]{2}$/);
  assert.equal(canSeal(KEY), false);
});

test("only who has the key reads what was sealed, and nobody changes it", async () => {
  const [key, other] = await Promise.all([sealingKey(KEY), sealingKey(KEY.replace("A", "B"))]);
  const text = `駒台 ${"x".repeat(5000)}`;
  const [sealed, again] = await Promise.all([seal(key, text), seal(key, text)]);
  assert.notEqual(sealed, again, "each is encrypted with a number of its own");
  assert.ok(sealed.length < 200, "it is compressed");
  assert.equal(await unseal(key, sealed, 6000), text);
  await assert.rejects(unseal(other, sealed, 6000));
  await assert.rejects(unseal(key, sealed, 1000), /too large/);
  const bytes = Buffer.from(sealed, "base64");
  bytes[20] ^= 1;
  await assert.rejects(unseal(key, bytes.toString("base64"), 6000));
});
