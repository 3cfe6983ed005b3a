// The main paths in Firefox, driven over WebDriver BiDi. tests/app/web/browser/test_firefox.py starts the server and gives
// its address, the program and a puzzle's moves in the environment.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";

const { KOMADAI_URL, KOMADAI_STAGES, KOMADAI_PUZZLE, FIREFOX } = process.env;
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844, hasTouch: true };
const WAIT = 30_000; // milliseconds, far more than a step takes

let browser;

before(async () => {
  browser = await puppeteer.launch({ browser: "firefox", executablePath: FIREFOX, headless: true });
});

after(() => browser?.close());

/** A test with a page of its own; whatever the page throws fails it. */
function path(name, viewport, walk) {
  test(name, async () => {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.setDefaultTimeout(WAIT);
    await page.setViewport(viewport);
    await walk(page);
    await context.close();
    assert.deepEqual(faults, []);
  });
}

const open = (page, address) => page.goto(KOMADAI_URL + address);
const at = (place) => `#board [data-at="${place}"]`;

/** Wait until an element of the selector has the text. */
const says = (page, selector, text) =>
  page.waitForFunction(
    (selector, text) => [...document.querySelectorAll(selector)].some((element) => element.textContent.includes(text)),
    {},
    selector,
    text,
  );

/** Wait for each of the elements and press it: by the mouse, or where there is touch by a finger. */
async function press(page, ...selectors) {
  for (const selector of selectors) {
    await page.waitForSelector(selector, { visible: true }); // while a page loads, some of it is hidden
    await page.$eval(selector, (element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
    await (page.viewport().hasTouch ? page.tap(selector) : page.click(selector));
  }
}

const atLeast = (page, selector, least) =>
  page.waitForFunction((selector, least) => document.querySelectorAll(selector).length >= least, {}, selector, least);

/** The middle of a point of the board on the page. */
async function middle(page, place) {
  const { x, y, width, height } = await (await page.waitForSelector(at(place))).boundingBox();
  return [x + width / 2, y + height / 2];
}

/** Start a game of two people at one screen, or with a level of the computer, from its page. */
async function begin(page, game, opponent) {
  await open(page, `/new/${game}`);
  await page.waitForSelector(`input[value="${opponent}"]`);
  await press(page, `label:has(input[value="${opponent}"])`, "#start");
  await page.waitForSelector("#board .board-svg");
}

path("a game with the computer, from the home page by clicks", DESKTOP, async (page) => {
  await open(page, "/");
  await press(page, '.card-game[data-variant="nana"] .primary', "#start.primary");
  await says(page, "#headline", "drop it where?");
  await press(page, "#board .hit.live");
  await atLeast(page, "#moves li", 2);
});

path("a piece is dragged by the mouse", DESKTOP, async (page) => {
  await begin(page, "shogi", "human");
  await page.mouse.move(...(await middle(page, "7g")));
  await page.mouse.down();
  await page.mouse.move(...(await middle(page, "7f")), { steps: 4 });
  await page.mouse.up();
  await says(page, "#moves li", "P-7f");
});

path("a piece is dragged by a finger", PHONE, async (page) => {
  await begin(page, "shogi", "human");
  const [from, to] = [await middle(page, "7g"), await middle(page, "7f")];
  const finger = await page.touchscreen.touchStart(...from);
  await finger.move(from[0], (from[1] + to[1]) / 2);
  await finger.move(...to);
  await page.waitForSelector("#board .aimed");
  await finger.end();
  await says(page, "#moves li", "P-7f");
});

path("the rules are a sheet over the board, and are searched", PHONE, async (page) => {
  await begin(page, "nana", "human");
  await press(page, "#learn");
  await page.waitForSelector("dialog.rules-sheet[open]");
  await page.type("dialog.rules-sheet [type=search]", "drop");
  await page.waitForSelector("dialog.rules-sheet mark");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog.rules-sheet:not([open])");
});

path("what this browser has played is listed", DESKTOP, async (page) => {
  await begin(page, "mortal", "human");
  await press(page, at("7g"), at("7f"));
  await says(page, "#moves li", "7f");
  await open(page, "/games");
  await says(page, "#going .played", "Mortal Shogi");
});

path("a game is offered in the lobby, taken by somebody else, and greeted", DESKTOP, async (page) => {
  await open(page, "/lobby");
  await press(page, '#offers a[href*="/new/nana"]:not([href*="1998"])', "#start");
  await says(page, "#invite-words", "as long as this page is open");
  const context = await browser.createBrowserContext();
  const guest = await context.newPage();
  guest.setDefaultTimeout(WAIT);
  await open(guest, "/lobby");
  await press(guest, "#challenges .primary", "#start:enabled");
  await guest.waitForSelector("#board .board-svg");
  await page.waitForFunction(() => document.getElementById("invitation").hidden);
  await press(page, "#greetings summary");
  const hello = await page.waitForSelector('[data-greet="hello"]', { visible: true });
  await hello.evaluate((button) => button.click()); // the panel may still move as the other comes
  await says(page, "#notice", "You: Hello!");
  await says(guest, "#notice", "Hello!");
  await context.close();
});

path("in Japanese moves and coordinates are in Japanese notation", DESKTOP, async (page) => {
  await open(page, "/settings");
  await press(page, 'label:has(input[name="language"][value="ja"])');
  await page.waitForSelector('html[lang="ja"]');
  await says(page, "h1", "設定"); // a request that ends because its page is left is an error
  await begin(page, "shogi", "human");
  await press(page, at("7g"), at("7f"));
  await says(page, "#moves li", "７六歩");
  await says(page, "#board .label", "七");
});

path("moves are shown and typed in Japanese notation", DESKTOP, async (page) => {
  await begin(page, "shogi", "human");
  await press(page, ".gear", '.settings-sheet label:has(input[name="notation"][value="japanese"])');
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.type("７六歩");
  await page.keyboard.press("Enter");
  await says(page, "#moves li", "７六歩");
});

path("a stage of a lesson: a wrong answer, the right one, and progress that is kept", PHONE, async (page) => {
  await open(page, "/learn/nana/first-act");
  await press(page, '.tray[data-side="b"] [data-code="K"]', at("2b"));
  await says(page, "#feedback.wrong", "closed to everything");
  await press(page, at("1a"));
  await says(page, "#feedback.done", "Your king stands");
  await open(page, "/learn/nana");
  await atLeast(page, ".stage-link.done", 1);
});

path("stages of every chapter of every course", DESKTOP, async (page) => {
  const stages = JSON.parse(KOMADAI_STAGES);
  assert(stages.length > 40);
  for (const stage of stages) {
    await open(page, `/learn/${stage}`);
    await page.waitForSelector("#board .board-svg");
    await page.waitForFunction(() => document.getElementById("task").textContent !== "");
  }
});

path("a puzzle is solved", PHONE, async (page) => {
  const { address, moves } = JSON.parse(KOMADAI_PUZZLE);
  await open(page, address);
  for (const [turn, [from, to]] of moves.entries()) {
    await atLeast(page, "#log p", 2 * turn);
    await press(page, at(from), at(to));
  }
  await says(page, "#feedback.done", "Solved.");
});

path("a large board on a phone: a tap comes nearer, the next ones move", PHONE, async (page) => {
  await begin(page, "ko", "human");
  await atLeast(page, "#board .piece", 180);
  const view = () => page.$eval("#board svg", (board) => board.getAttribute("viewBox"));
  const whole = await view();
  await press(page, "#board .hit");
  await page.waitForFunction(
    (whole) => document.querySelector("#board svg").getAttribute("viewBox") !== whole,
    {},
    whole,
  );
});

path("variations are made in the study", DESKTOP, async (page) => {
  await open(page, "/study?variant=shogi");
  await press(page, at("7g"), at("7f"));
  await atLeast(page, "#branches [data-node]", 1);
  await press(page, "#previous", at("2g"), at("2f"));
  await atLeast(page, "#branches [data-node]", 2);
});

path("the rules of a game", PHONE, async (page) => {
  await open(page, "/rules/mortal");
  await atLeast(page, "main svg", 3);
});
