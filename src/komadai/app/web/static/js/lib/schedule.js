// @ts-check
/** When a card comes back: by FSRS, whose published module is in `vendor`. */

import { createEmptyCard, fsrs, Rating, State } from "../../vendor/ts-fsrs.js";
import { after } from "./memory.js";

/** @import { Card, Result } from "../types/client" */

const LONGEST_TIME = 300; // seconds that an answer counts for
// Cards come back on other days only, and at least once a year.
const scheduler = fsrs({ enable_short_term: false, enable_fuzz: false, maximum_interval: 365 });

/** The grade of a result: no more than one mistake, and no help, is a memory. @param {Result} result @returns {import("../../vendor/ts-fsrs.js").Grade} */
export function gradeOf({ solved, wrong, helped }) {
  if (!solved || helped || wrong > 1) return Rating.Again;
  return wrong ? Rating.Hard : Rating.Good;
}

/** A card after it was looked at. @param {Card} card @param {Result} result @returns {Card} */
export function reviewed(card, result) {
  const now = after(card);
  const before = {
    ...createEmptyCard(new Date(card.due)),
    stability: card.s,
    difficulty: card.d,
    reps: card.n,
    lapses: card.f,
    state: card.n ? State.Review : State.New,
    ...(card.n ? { last_review: new Date(card.at) } : {}),
  };
  const { card: next } = scheduler.next(before, new Date(now), gradeOf(result));
  return {
    ...card,
    at: now,
    due: next.due.getTime(),
    s: Number(next.stability.toFixed(4)),
    d: Number(next.difficulty.toFixed(4)),
    n: next.reps,
    f: next.lapses,
    sec: Math.min(Math.round(result.seconds), LONGEST_TIME),
  };
}
