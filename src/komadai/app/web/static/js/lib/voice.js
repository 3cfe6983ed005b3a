// @ts-check
/** Counting aloud, by a voice of the system in the language of the page or, where there is none, by a tone. */

import { LANGUAGE } from "./i18n.js";
import { playTone, volume } from "./sound.js";

const RATE = 1.2; // of the usual speed, so that a count is over before the next
const LOUDER = 2; // than the sounds of moves, in which words would be lost

/** The voice for the page. Browsers may need a moment to find theirs, which the first call begins. */
function findVoice() {
  return globalThis.speechSynthesis?.getVoices().find(({ lang }) => lang.toLowerCase().startsWith(LANGUAGE));
}

findVoice();

/** @param {string} words */
export function sayAloud(words) {
  if (!volume()) return;
  const voice = findVoice();
  if (!voice) return playTone();
  const said = new SpeechSynthesisUtterance(words);
  Object.assign(said, { voice, lang: voice.lang, rate: RATE, volume: Math.min(1, LOUDER * volume()) });
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}
