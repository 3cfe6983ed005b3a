/** The search in the rules. */

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { first, wordsOf } = await import("#js/rules/search.js");

test("words are compared without case, marks and width", () => {
  assert.deepEqual(wordsOf("  Kō ＫＩＮＧ "), ["ko", "king"]);
  assert.deepEqual(wordsOf(""), []);
});

test("a word is found where it stands in the text as it is written", () => {
  const cut = (text, ...words) => {
    const found = first(text, words);
    return found && text.slice(...found);
  };
  assert.equal(cut("the gun carriage (hōsha)", "hosha"), "hōsha");
  assert.equal(cut("five-li fog and light", "light", "fog"), "fog");
  assert.equal(cut("Ko\u0304 Shogi", "ko"), "Ko\u0304");
  assert.equal(cut("打ち歩詰め", "歩"), "歩");
  assert.equal(cut("５筋の歩", "5"), "５");
  assert.equal(cut("nothing", "king"), null);
});
