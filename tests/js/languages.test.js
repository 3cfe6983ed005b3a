import assert from "node:assert/strict";
import { test } from "node:test";

document.documentElement.dataset = { languages: "en de ja pt-BR" };
const { LANGUAGES, SETTINGS, change, language } = await import("#js/lib/prefs.js");

/** The language of a page in a browser that asks for these. */
function spoken(...languages) {
  localStorage.clear();
  Object.assign(navigator, { languages });
  return language();
}

test("the page says which languages there are", () => {
  assert.deepEqual(LANGUAGES, ["en", "de", "ja", "pt-BR"]);
  assert.deepEqual(SETTINGS.language, ["auto", "en", "de", "ja", "pt-BR"]);
});

test("the first of the browser's languages that there is is spoken, or English", () => {
  assert.equal(spoken("fr", "de-AT", "ja"), "de");
  assert.equal(spoken("pt-br"), "pt-BR");
  assert.equal(spoken("pt", "ja-JP"), "ja");
  assert.equal(spoken("fr"), "en");
});

test("a language that was chosen and is gone is passed over", () => {
  spoken("de");
  change("language", "ja");
  assert.equal(language(), "ja");
  localStorage.setItem("komadai.language", '"eo"');
  assert.equal(language(), "de");
});
