// @ts-check
/** Clocks: count down from the latest message of the server, and show the time beside the names. */

import { filledBy, h } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { SIDE_NAMES, SIDES } from "../lib/sides.js";
import { whenLoaded } from "../lib/when_loaded.js";

/** @import { Clocks, Side, TimeLeft } from "../types/wire" */

const SECOND = 1000; // milliseconds, as all times here
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS = { h: HOUR, m: MINUTE, s: SECOND };
/** @type {Record<string, (count: string) => string>} */
const UNIT_WORDS = {
  h: (count) => t("{count} h", { count }),
  m: (count) => t("{count} min", { count }),
  s: (count) => t("{count} s", { count }),
};
const TENTHS = 10 * SECOND; // less time is shown with tenths
const LOW = 30 * SECOND; // main time that is shown as low
const LOW_PERIOD = 10 * SECOND; // the same of a byo-yomi period
const SPOKEN = [30, 10]; // remaining seconds that are announced
const COUNTED = 10; // the last seconds of a period, which are counted one by one

const SIGNS = { running: "▶\ufe0e", paused: "‖", low: "!" };

/** Parse a time control. @param {string} control */
export function parseControl(control) {
  const [, days, main = "", increment = "", periods = "", byoyomi = ""] =
    /^(?:(\d+)d|([\dhms]+)?(?:\+([\dhms]+))?(?: ?(\d+)x([\dhms]+))?)$/.exec(control) ?? [];
  return { days: Number(days ?? 0), main, increment, periods: Number(periods), byoyomi };
}

/** A duration such as `1m30s`, in milliseconds. @param {string} text */
export function duration(text) {
  let sum = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([hms])/g))
    sum += Number(count) * UNITS[/** @type {keyof typeof UNITS} */ (unit)];
  return sum;
}

/** A duration for display. @param {string} text */
function durationWords(text) {
  return [...text.matchAll(/(\d+)([hms])/g)].map(([, count = "", unit = ""]) => UNIT_WORDS[unit]?.(count)).join(" ");
}

/** A time control for display. @param {string} control its text */
export function controlWords(control) {
  const { days, main, increment, periods, byoyomi } = parseControl(control);
  if (days) return n("{count} day a move", "{count} days a move", days);
  const period = { count: periods, time: durationWords(byoyomi) };
  const words = [
    main ? durationWords(main) : "",
    increment ? t("{time} more a move", { time: durationWords(increment) }) : "",
    periods ? t("byo-yomi {count} × {time}", period) : "",
  ];
  return words.filter(Boolean).join(" + ") || t("No clock");
}

/**
 * The time left after some more has passed.
 * @param {TimeLeft} left @param {number} passed @param {number} length of a byo-yomi period @returns {TimeLeft}
 */
export function timeAfter({ main, periods, period }, passed, length) {
  const rest = main - passed;
  if (rest >= 0 || !periods) return { main: Math.max(rest, 0), periods, period };
  let [over, count] = [period + rest, periods];
  for (; over <= 0 && count > 1; count--) over += length;
  return { main: 0, periods: count, period: Math.max(over, 0) };
}

/**
 * What is counted aloud, as in byo-yomi at a real board: every ten seconds of a period that have passed, and its last
 * ones from one to nine; otherwise the empty string.
 * @param {TimeLeft} before @param {TimeLeft} now @param {number} length of a period
 */
export function counted(before, now, length) {
  if (now.main || !now.periods || now.period <= 0) return "";
  const passed = Math.floor((length - now.period) / SECOND);
  const same = !before.main && before.periods === now.periods;
  const was = same ? Math.floor((length - before.period) / SECOND) : 0;
  const last = length / SECOND - COUNTED;
  if (passed <= was) return "";
  if (passed > last) return String(passed - last);
  const tens = Math.floor(passed / 10) * 10;
  return tens > was ? n("{count} second", "{count} seconds", tens) : "";
}

/** Time as a clock shows it. @param {number} time */
export function face(time) {
  if (time < TENTHS) return (Math.ceil(time / 100) / 10).toFixed(1);
  const seconds = Math.ceil(time / SECOND);
  const two = (/** @type {number} */ part) => String(Math.floor(part) % 60).padStart(2, "0");
  if (time >= DAY)
    return t("{days} d {hours} h", { days: Math.floor(time / DAY), hours: Math.floor((time % DAY) / HOUR) });
  return seconds >= 3600
    ? `${Math.floor(seconds / 3600)}:${two(seconds / 60)}:${two(seconds)}`
    : `${Math.floor(seconds / 60)}:${two(seconds)}`;
}

/** The two clocks of the page. */
export class ClockFaces {
  /** @param {(words: string) => void} speak announces to screen readers */
  constructor(speak) {
    this.speak = speak;
    /** The clocks in the latest message of the server. @type {Clocks | null} */
    this.clocks = null;
    this.at = 0; // time of that message, by the page's monotonic clock
    /** The running clock's side and time when it was last drawn. @type {(TimeLeft & { side: Side }) | null} */
    this.seen = null;
    /** @type {[Side, HTMLElement][]} */
    this.hosts = [];
    /** The sides played here. @type {Side[]} */
    this.own = [];
    this.timer = 0;
    /** What counts byo-yomi aloud, in a game that has it. @type {Promise<typeof import("../lib/voice.js")> | null} */
    this.voice = null;
    document.addEventListener("visibilitychange", () => this.#tick());
  }

  /**
   * Show the clocks; if they are those shown already, they keep running.
   * @param {Clocks | null} clocks @param {[Side, HTMLElement][]} hosts @param {Side[]} own
   */
  show(clocks, hosts, own) {
    if (clocks !== this.clocks) this.at = performance.now();
    [this.clocks, this.hosts, this.own] = [clocks, hosts, own];
    if (clocks && parseControl(clocks.control).byoyomi) this.voice ??= import("../lib/voice.js");
    this.#tick();
  }

  /** The time left, one line per side. */
  get words() {
    const { clocks } = this;
    if (!clocks) return [t("There are no clocks.")];
    const { byoyomi } = parseControl(clocks.control);
    return SIDES.map((side) => {
      const left = this.#left(clocks, side);
      const words = { side: SIDE_NAMES[side], time: face(left.main || left.period), length: durationWords(byoyomi) };
      return left.periods
        ? n(
            "{side}: {time}, {count} period of {length}.",
            "{side}: {time}, {count} periods of {length}.",
            left.periods,
            words,
          )
        : t("{side}: {time}.", words);
    });
  }

  /** The time that a side has left now. @param {Clocks} clocks @param {Side} side */
  #left(clocks, side) {
    return clocks.running === side
      ? timeAfter(clocks[side], performance.now() - this.at, duration(parseControl(clocks.control).byoyomi))
      : clocks[side];
  }

  /** The time until a side loses a period or the game, in milliseconds. @param {Side} side */
  remaining(side) {
    return this.clocks ? stretch(this.#left(this.clocks, side)) : Infinity;
  }

  #tick() {
    clearTimeout(this.timer);
    const { clocks } = this;
    document.body.classList.toggle("timed", clocks !== null);
    for (const [side, host] of this.hosts) {
      host.hidden = clocks === null;
      if (!clocks) continue;
      const left = this.#left(clocks, side);
      draw(host, side, left, clocks);
      if (clocks.running !== side) continue;
      this.#say(side, left, duration(parseControl(clocks.control).byoyomi));
      const shown = left.main || left.period;
      if (shown > 0) this.timer = setTimeout(() => this.#tick(), (shown > TENTHS ? shown % SECOND : shown % 100) + 1);
    }
  }

  /**
   * Announce, once, that little of one's own time is left, and count the seconds of a period.
   * @param {Side} side @param {TimeLeft} left @param {number} length of a period
   */
  #say(side, left, length) {
    const before = this.seen;
    this.seen = { ...left, side };
    if (before?.side !== side || !this.own.includes(side)) return;
    const aloud = counted(before, left, length);
    if (aloud && this.voice) whenLoaded(this.voice, ({ sayAloud }) => sayAloud(aloud));
    const words = [];
    if (before.main && !left.main && left.periods) words.push(t("Byo-yomi has begun."));
    else if (left.periods < before.periods) words.push(n("One period left.", "{count} periods left.", left.periods));
    const [was, is] = [stretch(before), stretch(left)];
    const crossed = SPOKEN.filter((count) => was < Infinity && was > count * SECOND && is <= count * SECOND).pop();
    if (crossed) words.push(n("{count} second left.", "{count} seconds left.", crossed));
    if (words.length) this.speak((this.own.length > 1 ? `${SIDE_NAMES[side]}: ` : "") + words.join(" "));
  }
}

/** The time until a period or the game is lost. @param {TimeLeft} left */
function stretch({ main, periods, period }) {
  if (main) return periods ? Infinity : main;
  return period;
}

/** @param {HTMLElement} host @param {Side} side @param {TimeLeft} left @param {Clocks} clocks */
function draw(host, side, left, { control, running, paused }) {
  const runs = running === side;
  const low = stretch(left) <= (left.periods ? LOW_PERIOD : LOW);
  const { days, byoyomi } = parseControl(control);
  const sign = runs ? SIGNS.running : paused ? SIGNS.paused : "";
  const more =
    days || !left.periods ? "" : left.main ? `+${left.periods}×${face(duration(byoyomi))}` : `×${left.periods}`;
  const words = [sign, face(left.main || left.period), low ? SIGNS.low : "", more];
  if (filledBy(host, words.join())) return;
  host.classList.toggle("runs", runs);
  host.classList.toggle("low", low);
  host.setAttribute("title", controlWords(control));
  host.setAttribute("aria-label", t("{side}’s clock", { side: SIDE_NAMES[side] }));
  host.replaceChildren(
    ...(sign ? [h("span", { class: "clock-sign", "aria-hidden": "true" }, sign)] : []),
    h("span", { class: "clock-time" }, words[1]),
    ...(low ? [h("span", { class: "clock-low", "aria-label": t("little time"), role: "img" }, SIGNS.low)] : []),
    ...(more ? [h("span", { class: "clock-more" }, more)] : []),
  );
}
