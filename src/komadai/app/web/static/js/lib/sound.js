// @ts-check
/** The sounds: files for a move, a capture, a drop and the end of a game (tools/synthesize_sounds.py); a bell for check. */

import { change, setting, watch } from "./prefs.js";
import { STATIC } from "./root.js";

/** @import { PlayedMove } from "../types/wire" */
/** @typedef {"move" | "capture" | "drop" | "end"} Sound */

const LOUD = 0.12; // of full volume, each tone
const BELL = [987.77, 1479.98]; // hertz: B, F sharp
const COUNT = 880; // A

/** @type {AudioContext | null} */
let audio = null;
/** The sounds loaded so far, or on their way; `null` in it if one cannot be had. @type {Map<Sound, Promise<AudioBuffer | null>>} */
const loaded = new Map();

/** The volume of the settings, from 0 to 1. */
export function volume() {
  return setting("sounds") === "off" ? 0 : Number(setting("volume")) / 100;
}

/** The sound system, if sounds are wanted and possible: browsers allow none before the first interaction. */
function ready() {
  if (!volume() || !("AudioContext" in window) || navigator.userActivation?.hasBeenActive === false) return null;
  audio ??= new AudioContext();
  void audio.resume();
  return audio;
}

/** @param {AudioContext} at @param {Sound} name */
function load(at, name) {
  const found = loaded.get(name) ?? fetched(at, name).catch(() => null);
  loaded.set(name, found);
  return found;
}

/** @param {AudioContext} at @param {Sound} name */
async function fetched(at, name) {
  const file = await fetch(`${STATIC}sounds/${name}.wav`);
  return at.decodeAudioData(await file.arrayBuffer());
}

/** @param {AudioContext} at @param {Sound} name @param {number} [when] seconds from now */
async function play(at, name, when = 0) {
  const from = at.currentTime + when;
  const buffer = await load(at, name);
  if (!buffer) return;
  const source = new AudioBufferSourceNode(at, { buffer });
  source.connect(new GainNode(at, { gain: volume() })).connect(at.destination);
  source.start(from);
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
    gain.gain.linearRampToValueAtTime(LOUD * volume(), from + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
    tone.connect(gain).connect(at.destination);
    tone.start(from);
    tone.stop(from + length + 0.1);
  });
}

/** Load what most moves need, once sounds are possible. */
export function prepare() {
  const at = ready();
  if (at) for (const name of /** @type {const} */ (["move", "capture", "drop"])) void load(at, name);
}

/**
 * Play the sound of a move.
 * @param {Pick<PlayedMove, "text" | "gone" | "from">} move
 * @param {{ over?: boolean, check?: boolean }} [after] whether the game has ended, and whether it gives check
 */
export function playMoveSound({ text, gone, from }, { over = false, check = false } = {}) {
  const at = ready();
  if (!at) return;
  void play(at, gone || /x|!/.test(text) ? "capture" : from === null ? "drop" : "move");
  if (over) void play(at, "end", 0.3);
  else if (check) tones(at, 0.18, BELL, 0.5);
}

/** Play the sound of an end without a move. */
export function playEndSound() {
  const at = ready();
  if (at) void play(at, "end");
}

/** Let a slider show and change the volume; what it is set to is heard. @param {HTMLInputElement} slider */
export function listenForVolume(slider) {
  if (slider.classList.contains("set")) return;
  slider.classList.add("set");
  const show = () => {
    slider.value = setting("volume");
  };
  show();
  watch(show);
  slider.addEventListener("change", (event) => {
    event.stopPropagation();
    change("volume", /** @type {import("./prefs.js").Value<"volume">} */ (slider.value));
    change("sounds", "on");
    playMoveSound({ text: "", from: "" });
  });
}

/** Play a short tone. */
export function playTone() {
  const at = ready();
  if (at) tones(at, 0, [COUNT], 0.2);
}
