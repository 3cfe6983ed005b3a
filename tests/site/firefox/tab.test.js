// The exported site in Firefox, driven over WebDriver BiDi. tests/site/test_tab_firefox.py gives the address, the program
// and what is to be played in the environment, and stops the file server when it is asked to.

import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";

const { KOMADAI_URL, KOMADAI_GAMES, FIREFOX } = process.env;
const WAIT = 120_000; // milliseconds
const games = JSON.parse(KOMADAI_GAMES);

let browser;
let page;

before(async () => {
  browser = await puppeteer.launch({ browser: "firefox", executablePath: FIREFOX, headless: true });
  page = await browser.newPage();
  page.setDefaultTimeout(WAIT);
  await page.setViewport({ width: 1280, height: 800 });
});

after(() => browser?.close());

/** Wait until the shell has marked something. The page may be loaded once more meanwhile. */
async function marked(name) {
  const until = Date.now() + WAIT;
  for (;;) {
    const found = await page.evaluate((name) => window.marks?.[name], name).catch(() => null);
    if (found) return;
    assert.ok(Date.now() < until, `${name} is not marked`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Wait until a function is true in the frame's document. */
const shows = (check, ...given) =>
  page.waitForFunction(
    (source, ...given) => {
      const inside = document.getElementById("page")?.contentDocument;
      return inside && new Function("document", "given", `return (${source})(document, ...given)`)(inside, given);
    },
    {},
    String(check),
    ...given,
  );

/** Do something in the frame's document. */
const inFrame = (act, ...given) =>
  page.evaluate(
    (source, ...given) => {
      const inside = document.getElementById("page").contentDocument;
      return new Function("document", "given", `return (${source})(document, ...given)`)(inside, given);
    },
    String(act),
    ...given,
  );

async function press(selector) {
  await shows((document, selector) => document.querySelector(selector), selector);
  await inFrame((document, selector) => document.querySelector(selector).click(), selector);
}

async function type(text) {
  await inFrame((document, text) => {
    document.getElementById("text").value = text;
    document.querySelector("#entry button").click();
  }, text);
}

const open = async (path) => {
  // Over WebDriver BiDi no end is seen of a navigation between pages that are isolated.
  await page.evaluate((address) => {
    window.marks = {};
    location.assign(address);
  }, KOMADAI_URL + path);
  await new Promise((done) => setTimeout(done, 500));
  await marked("ready");
};

async function playAll() {
  for (const [game, move] of Object.entries(games)) {
    await open(`new/${game}`);
    await press('input[value="level3"]');
    await press("#start:not([disabled])");
    await shows((document) => document.querySelector("#board .board-svg"));
    await type(move);
    await shows((document) => document.querySelectorAll("#moves li").length >= 2);
  }
}

async function study() {
  await open("study?variant=shogi");
  await press("#analyse");
  await shows((document) => document.querySelector("#engine-lines li"));
  await press("#analyse");
  await shows((document) => document.getElementById("analyse").getAttribute("aria-pressed") === "false");
}

test("the site is set up by the first visit", async () => {
  await page.goto(KOMADAI_URL);
  await marked("engine");
  assert.ok(await page.evaluate(() => crossOriginIsolated));
});

test("every game is answered by the computer, and a study is analysed", async () => {
  await playAll();
  await study();
});

test("the same without the file server", async () => {
  process.stdout.write("STOP THE SERVER\n");
  await once(process.stdin, "data");
  await playAll();
  await study();
});
