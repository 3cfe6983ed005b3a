import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import * as memory from "#js/lib/memory.js";
import { mistakeName, mistakeOf, rememberMistake } from "#js/lib/mistake.js";
import { gradeOf, reviewed } from "#js/lib/schedule.js";

const DAY = 86_400_000;
const EVENING = new Date(2026, 11, 1, 20).getTime();
const WELL = { solved: true, wrong: 0, helped: false, seconds: 20 };
const lesson = (name) => ({ kind: "lesson", game: "some", name });
const id = (name) => `lesson/some/${name}`;

beforeEach(() => localStorage.clear());

/** Look at a card now. */
function look(card, result = WELL) {
  assert.ok(memory.keepCard(card, reviewed(memory.cardOf(card), result)));
}

/** Numbers by lot, the same at every run. */
function lots(seed) {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** A memory by lot, whose times meet those of others. */
function someMemory(lot) {
  const cards = {};
  for (let count = lot(8); count > 0; count--) {
    const at = lot(4);
    cards[id(lot(6))] = lot(4) ? { at, due: lot(9), s: at, d: at, n: at, f: lot(2), sec: lot(3) } : { at, gone: true };
  }
  return memory.memoryOf(
    JSON.stringify({
      komadai: "memory",
      format: 1,
      cards,
      days: Array.from({ length: lot(4) }, () => lot(9)),
      rests: [lot(9)],
    }),
  );
}

test("merging is commutative, associative and idempotent, and the later review of each card stays", () => {
  const lot = lots(58);
  const text = (one, other) => memory.textOf(memory.merge(one, other));
  for (let round = 0; round < 500; round++) {
    const [a, b, c] = [someMemory(lot), someMemory(lot), someMemory(lot)];
    assert.equal(text(a, b), text(b, a));
    assert.equal(text(memory.merge(a, b), c), text(a, memory.merge(b, c)));
    const both = memory.merge(a, b);
    assert.equal(text(both, both), memory.textOf(both));
    assert.equal(text(both, a), memory.textOf(both));
    for (const name of Object.keys(both.cards)) {
      const times = [a, b].flatMap(({ cards }) => (cards[name] ? [cards[name].at] : []));
      assert.equal(both.cards[name].at, Math.max(...times));
    }
  }
});

test("merging is the same in any order beyond the room for cards", () => {
  const some = (from, step) => ({
    cards: Object.fromEntries(
      Array.from({ length: 1200 }, (_, i) => [id(from + i * step), { at: (from + i * step) % 997, gone: true }]),
    ),
    days: [],
    rests: [],
  });
  const [a, b, c] = [some(0, 1), some(600, 2), some(1800, 3)];
  const [left, right] = [memory.merge(memory.merge(a, b), c), memory.merge(a, memory.merge(b, c))];
  assert.equal(memory.textOf(left), memory.textOf(right));
  assert.equal(Object.keys(left.cards).length, 1500);
});

test("a card comes back from the next day on, later each time, and sooner after a mistake", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: EVENING });
  memory.remember(lesson("first"));
  assert.deepEqual(memory.due(memory.memory()), [], "not on the same evening");
  const gaps = [];
  for (const result of [WELL, WELL, WELL, { ...WELL, helped: true }]) {
    let days = 0;
    while (!memory.due(memory.memory()).length) {
      context.mock.timers.tick(DAY);
      days++;
    }
    gaps.push(days);
    look(id("first"), result);
    assert.deepEqual(memory.due(memory.memory()), []);
  }
  assert.equal(gaps[0], 1);
  assert.ok(gaps[1] < gaps[2] && gaps[2] < gaps[3], String(gaps));
  const { due, f } = memory.cardOf(id("first"));
  assert.equal(f, 1, "it was forgotten once");
  assert.ok(due - Date.now() < gaps[3] * DAY);
});

test("results are graded", () => {
  assert.equal(gradeOf(WELL), 3);
  assert.equal(gradeOf({ ...WELL, wrong: 1 }), 2);
  for (const worse of [{ wrong: 2 }, { helped: true }, { solved: false }])
    assert.equal(gradeOf({ ...WELL, ...worse }), 1);
});

test("at most ten new cards a day, those kept first before the others; the days to come are foretold", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: EVENING });
  for (let number = 0; number < 25; number++) {
    memory.remember(lesson(`stage${number}`));
    context.mock.timers.tick(1000);
  }
  assert.deepEqual(memory.coming(memory.memory(), 4), [10, 10, 5, 0]);
  context.mock.timers.tick(DAY);
  const today = memory.due(memory.memory());
  assert.deepEqual(
    today,
    Array.from({ length: 10 }, (_, number) => id(`stage${number}`)),
  );
  for (const one of today.slice(0, 4)) look(one);
  assert.equal(memory.due(memory.memory()).length, 6, "four were new today");
  for (const one of today.slice(4)) look(one);
  assert.deepEqual(memory.due(memory.memory()), []);
  const foretold = memory.coming(memory.memory(), 1)[0];
  context.mock.timers.tick(DAY);
  assert.equal(memory.due(memory.memory()).length, foretold);
});

test("a day begins at four in the morning", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: new Date(2026, 11, 2, 1).getTime() });
  memory.remember(lesson("late"));
  context.mock.timers.setTime(new Date(2026, 11, 2, 9).getTime());
  assert.deepEqual(memory.due(memory.memory()), [id("late")], "the next day by the clock of those who play at night");
});

test("a row of days forgives one missed day, not two, and a day with nothing due is not missed", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: EVENING });
  memory.remember(lesson("waiting")); // it is due on every one of these days
  const rows = [];
  for (const gap of [0, 1, 2, 1, 3, 1]) {
    context.mock.timers.tick(gap * DAY);
    memory.practise();
    rows.push(memory.streak(memory.memory()));
  }
  assert.deepEqual(rows, [1, 2, 3, 4, 1, 2]);
  context.mock.timers.tick(2 * DAY);
  assert.equal(memory.streak(memory.memory()), 2, "it can still be saved");
  context.mock.timers.tick(DAY);
  assert.equal(memory.streak(memory.memory()), 0);
  look(id("waiting"));
  const { due } = memory.cardOf(id("waiting"));
  context.mock.timers.setTime(due + DAY);
  assert.equal(memory.streak(memory.memory()), 1, "until it was due there was nothing to do");
  look(id("waiting"));
  assert.equal(memory.streak(memory.memory()), 2);
  context.mock.timers.setTime(memory.cardOf(id("waiting")).due + 2 * DAY);
  assert.equal(memory.streak(memory.memory()), 0, "two days were missed");
});

test("what was forgotten does not come back by itself, a mistake does where it is asked for", () => {
  const move = { usi: "1a1b", text: "x", japanese: "x", from: "1a", to: "1b" };
  const kept = () => rememberMistake({ variant: "some", options: { a: "b" } }, "4k/4K b - 1", move, move);
  const name = memory.cardId(mistakeName({ variant: "some", options: { a: "b" }, position: "4k/4K b - 1" }));
  memory.remember(lesson("first"));
  assert.ok(kept());
  memory.forget(id("first"), name);
  assert.deepEqual(memory.allCards(memory.memory()), []);
  memory.remember(lesson("first"));
  assert.ok(kept());
  assert.deepEqual(
    memory.allCards(memory.memory()).map(([one]) => one),
    [name],
  );
  assert.deepEqual(memory.nameOf(name), { kind: "mistake", game: "some", name: "4k/4K b - 1?a=b" });
  assert.equal(mistakeOf(memory.cardOf(name).of).best.usi, "1a1b");
  assert.equal(mistakeOf({ variant: "some", position: 3 }), null);
});

test("what is damaged is left out, and what a later version wrote stays as it is", () => {
  memory.remember(lesson("good"));
  const whole = JSON.parse(localStorage.getItem("komadai.memory"));
  for (const [number, bad] of [
    3,
    null,
    { at: -1, gone: true },
    { at: 1 },
    { at: 1, due: 1, s: 0, d: 0, n: 1, f: 0, sec: 0 },
  ].entries())
    whole.cards[id(`bad${number}`)] = bad;
  whole.cards.nameless = whole.cards[id("good")];
  whole.days = ["x", 3, 3];
  localStorage.setItem("komadai.memory", JSON.stringify(whole));
  assert.deepEqual(Object.keys(memory.memory().cards), [id("good")]);
  assert.deepEqual(memory.memory().days, [3]);
  for (const odd of ["no JSON", "3", "null", '{"komadai": "memory", "format": 1, "cards": 3}']) {
    localStorage.setItem("komadai.memory", odd);
    assert.deepEqual(memory.memory().cards, {});
    assert.ok(memory.remember(lesson("new")));
    assert.ok(memory.cardOf(id("new")));
  }
  const later = '{"komadai": "memory", "format": 2}';
  localStorage.setItem("komadai.memory", later);
  assert.equal(memory.remember(lesson("new")), false);
  assert.equal(localStorage.getItem("komadai.memory"), later);
});

test("a full storage loses nothing that is there, and says so", (context) => {
  memory.remember(lesson("first"));
  context.mock.method(Object.getPrototypeOf(localStorage), "setItem", () => {
    throw new Error("full");
  });
  assert.equal(memory.remember(lesson("second")), false);
  assert.ok(memory.cardOf(id("first")));
});

test("there is room for 1500 cards", () => {
  const cards = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [id(i), { at: 1, gone: true }]));
  memory.keep({ cards, days: [], rests: [] });
  assert.ok(memory.isFull());
  assert.equal(memory.remember(lesson("more")), false);
});
