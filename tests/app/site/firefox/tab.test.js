// The exported site in Firefox, driven over WebDriver BiDi. tests/app/site/test_tab_firefox.py gives the address, the program
// and what is to be played in the environment, answers with the moves, and stops the file server when it is asked to.

import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";

const { KOMADAI_URL, KOMADAI_PLAYED, FIREFOX } = process.env;
const WAIT = 120_000; // milliseconds
const PLIES = 10; // of each game
const { games, puzzle } = JSON.parse(KOMADAI_PLAYED);

let browser;
let page;

before(async () => {
  browser = await puppeteer.launch({ browser: "firefox", executablePath: FIREFOX, headless: true });
  page = await browser.newPage();
  page.setDefaultTimeout(WAIT);
  await page.setViewport({ width: 1280, height: 800 });
});

after(async () => {
  process.stdin.destroy(); // which would keep this process waiting
  await browser?.close();
});

const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Ask the process that started this one. */
async function ask(question) {
  process.stdout.write(`ASK ${JSON.stringify(question)}\n`);
  return JSON.parse((await answers.next()).value);
}

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

async function click(selector) {
  await shows((document, selector) => document.querySelector(selector), selector);
  await inFrame((document, selector) => {
    document.querySelector(selector).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }, selector);
}

/** The moves of the game that is shown, as it is stored. */
const played = () =>
  inFrame(async (document, url) => {
    const game = document.location.pathname.split("/").at(-1);
    const answer = await document.defaultView.fetch(`${url}api/games/${game}/record`);
    return (await answer.json()).nodes.slice(1).map((node) => node.usi);
  }, KOMADAI_URL);

async function playAll() {
  await page.evaluate(() => localStorage.setItem("komadai.confirm", '"never"'));
  for (const game of games) {
    await open(`new/${game}`);
    await click('input[value="level3"]');
    await click("#start:not([disabled])");
    await shows((document) => document.querySelector("#board .board-svg"));
    for (;;) {
      const moves = await played();
      const next = moves.length < PLIES ? await ask({ game, moves }) : null;
      if (!next) break;
      const [text, again] = next;
      await type(text);
      if (again) {
        await shows((document) => document.getElementById("notice").textContent.includes("again"));
        await type(again);
      }
      const done = shows(
        (document, after) =>
          document.body.matches(".over") ||
          (document.querySelectorAll("#moves li").length > after &&
            !document.getElementById("headline").textContent.includes("thinking")),
        moves.length + 1,
      );
      await done.catch(async (error) => {
        const said = (document) =>
          ["headline", "notice"].map((id) => document.getElementById(id).textContent).join(" ");
        throw new Error(`${game}, ${moves} ${next}: ${await inFrame(said)}`, { cause: error });
      });
    }
  }
}

async function learn() {
  await open(`puzzles/${puzzle.path}`);
  for (const place of puzzle.places) await click(`#board [data-at="${place}"]`);
  await shows((document) => document.querySelector("#feedback.done"));
  await open("learn/nana/first-act");
  for (const [place, then] of [
    ["2b", "wrong"],
    ["1a", "done"],
  ]) {
    if (then === "wrong") await click('.tray[data-side="b"] [data-code="K"]');
    await click(`#board [data-at="${place}"]`);
    await shows((document, then) => document.querySelector(`#feedback.${then}`), then);
  }
}

async function study() {
  await open("study?variant=shogi");
  await click("#analyse");
  await shows((document) => document.querySelector("#engine-lines li"));
  await click("#analyse");
  await shows((document) => document.getElementById("analyse").getAttribute("aria-pressed") === "false");
}

test("the site is set up by the first visit", async () => {
  await page.goto(KOMADAI_URL);
  await marked("engine");
  assert.ok(await page.evaluate(() => crossOriginIsolated));
});

test("every game is played, a study analysed, a puzzle solved and a lesson begun", async () => {
  await playAll();
  await study();
  await learn();
});

test("the same without the file server", async () => {
  await ask("stop the server");
  await playAll();
  await study();
  await learn();
});
