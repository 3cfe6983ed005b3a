// @ts-check
/** Sounds, vibration and notifications about what has happened in a game. */

import { buzz, notify } from "../lib/attention.js";
import { t } from "../lib/i18n.js";
import { playEndSound, playMoveSound } from "../lib/sound.js";
import { onlySide } from "./people.js";
import { verdict } from "./words.js";

/** @typedef {import("../types/wire").GameState} GameState */
/** @typedef {import("../types/wire").PlayedMove} PlayedMove */
/** @typedef {import("../types/wire").Position} Position */

const TURN = 40; // milliseconds of vibration
const GRAVE = [70, 60, 70]; // the same in check and at the end

/**
 * Alert the person here to the last event.
 * @param {GameState} state @param {Position} before the position before it @param {PlayedMove | null} moved
 */
export function alertTo(state, before, moved) {
  const { game, position, variant, you } = state;
  const { check, outcome, turn } = position;
  const ended = outcome !== null && before.outcome === null;
  if (moved) playMoveSound(moved, { over: ended, check });
  else if (ended) playEndSound();
  const called = moved !== null && you.includes(turn) && !you.includes(before.turn);
  if (!you.length || !(called || ended)) return;
  buzz(check || ended ? GRAVE : TURN);
  notify(t(variant.name), ended ? verdict(position, onlySide(state)) : t("Your turn."), game);
}
