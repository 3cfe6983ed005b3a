// @ts-check
/** Synthesized sounds: one wooden knock for a move, two for a capture, a bell for check, a chord at the end of a game. */

import { setting } from "./prefs.js";

/** @import { PlayedMove } from "../types/wire" */

const LOUD = 0.25; // of full volume
const KNOCK = 0.07; // seconds
const CHORD = [523.25, 659.25, 783.99]; // hertz: C, E, G
const BELL = [987.77, 1479.98]; // B, F sharp
const COUNT = 880; // A

/** Created on first use: browsers allow no audio before the first interaction. @type {AudioContext | null} */
let audio = null;

/** @param {AudioContext} at @param {number} when seconds from now @param {number} pitch hertz of the wood */
function knock(at, when, pitch) {
  const length = Math.floor(at.sampleRate * KNOCK);
  const buffer = at.createBuffer(1, length, at.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 6;
  const noise = new AudioBufferSourceNode(at, { buffer });
  const wood = new BiquadFilterNode(at, { type: "bandpass", frequency: pitch, Q: 3 });
  noise
    .connect(wood)
    .connect(new GainNode(at, { gain: LOUD * 4 }))
    .connect(at.destination);
  noise.start(at.currentTime + when);
}

/**
 * Tones one after the other.
 * @param {AudioContext} at @param {number} when seconds from now @param {number[]} frequencies in hertz
 * @param {number} length of each, in seconds
 */
function tones(at, when, frequencies, length) {
  frequencies.forEach((frequency, index) => {
    const from = at.currentTime + when + index * 0.09;
    const tone = new OscillatorNode(at, { type: "triangle", frequency });
    const gain = new GainNode(at, { gain: 0 });
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(LOUD / 3, from + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
    tone.connect(gain).connect(at.destination);
    tone.start(from);
    tone.stop(from + length + 0.1);
  });
}

/** The sound system, if sounds are wanted and the browser has them. */
function ready() {
  if (setting("sounds") === "off" || !("AudioContext" in window)) return null;
  audio ??= new AudioContext();
  void audio.resume();
  return audio;
}

/**
 * Play the sound of a move.
 * @param {Pick<PlayedMove, "text" | "gone">} move
 * @param {{ over?: boolean, check?: boolean }} [after] whether the game has ended, and whether it gives check
 */
export function playMoveSound({ text, gone }, { over = false, check = false } = {}) {
  const at = ready();
  if (!at) return;
  knock(at, 0, 900);
  if (gone || /x|!/.test(text)) knock(at, 0.09, 620);
  if (over) tones(at, 0.25, CHORD, 0.8);
  else if (check) tones(at, 0.18, BELL, 0.5);
}

/** Play the sound of an end without a move. */
export function playEndSound() {
  const at = ready();
  if (at) tones(at, 0, CHORD, 0.8);
}

/** Play a short tone. */
export function playTone() {
  const at = ready();
  if (at) tones(at, 0, [COUNT], 0.2);
}
