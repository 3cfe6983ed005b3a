// @ts-check
/** Synthesized sounds: one wooden knock for a move, two for a capture, a chord at the end of a game. */

import { setting } from "./prefs.js";

/** @typedef {import("../types/wire").PlayedMove} PlayedMove */

const LOUD = 0.25; // of full volume
const KNOCK = 0.07; // seconds
const CHORD = [523.25, 659.25, 783.99]; // hertz: C, E, G

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

/** @param {AudioContext} at @param {number} when seconds from now */
function chord(at, when) {
  CHORD.forEach((frequency, index) => {
    const from = at.currentTime + when + index * 0.09;
    const tone = new OscillatorNode(at, { type: "triangle", frequency });
    const gain = new GainNode(at, { gain: 0 });
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(LOUD / 3, from + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, from + 0.8);
    tone.connect(gain).connect(at.destination);
    tone.start(from);
    tone.stop(from + 0.9);
  });
}

/**
 * Play the sound of a move.
 * @param {Pick<PlayedMove, "text" | "gone">} move @param {boolean} over whether the game has ended
 */
export function playMoveSound({ text, gone }, over) {
  if (setting("sounds") === "off" || !("AudioContext" in window)) return;
  audio ??= new AudioContext();
  void audio.resume();
  knock(audio, 0, 900);
  if (gone || /x|!/.test(text)) knock(audio, 0.09, 620);
  if (over) chord(audio, 0.25);
}
