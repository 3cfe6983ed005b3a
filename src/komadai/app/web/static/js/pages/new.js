// @ts-check
/** The set-up of a game: opponent, side, clock, start, rule options. */

import { picture } from "../board/picture.js";
import { withPlaces } from "../board/place_names.js";
import { squareName } from "../board/square_names.js";
import { controlWords } from "../game/clocks.js";
import { begin, bots, checkPosition, checkTime, otherEngines, rulebook, shelf, variants } from "../lib/api.js";
import { byId, entitle, h } from "../lib/dom.js";
import { choiceField, segments } from "../lib/form_fields.js";
import { LANGUAGE, t } from "../lib/i18n.js";
import { fault, title, valueWords } from "../lib/phrases.js";
import { firstOpponent, ownName, setOwnName } from "../lib/prefs.js";
import { ALONE, pathParts, perfectPlay, ROOT } from "../lib/root.js";
import { BOT, OTHER_ENGINE } from "../lib/seats.js";
import { nameSidesOf, SIDE_NAMES } from "../lib/sides.js";

/** @import { Bot, OfferedVariant, Seat, Side } from "../types/wire" */

const LEVELS = 10;
const LOBBY = "lobby"; // the opponent is whoever comes by
const OTHER = "other"; // any other value
const TIMES = ["none", "5m+5s", "15m+10s", "10m 3x30s", "3d"]; // time controls offered
/** What bots of a style do, by its name. @type {Record<string, string>} */
const STYLES = {
  attacker: t("Attackers, who leave their king in the open (with their levels):"),
  hoarder: t("Hoarders, who keep pieces in hand:"),
  cautious: t("Cautious ones, who shelter their king:"),
};
const PAUSE = 300; // milliseconds after the last key before a position is checked

/**
 * Fields for a board of another size, hidden until that is chosen.
 * @param {string} name of the option @param {[number, number]} bounds
 */
function sizeFields(name, [least, most]) {
  const number = (/** @type {string} */ part, /** @type {string} */ words) =>
    h(
      "label",
      {},
      `${words} `,
      h("input", {
        type: "number",
        name: `${name}.${part}`,
        min: least,
        max: most,
        value: Math.min(most, 7),
        required: true,
        disabled: true,
        inputmode: "numeric",
      }),
    );
  return h(
    "div",
    { class: "size-fields row", "data-for": name, hidden: true },
    number("files", t("Files")),
    number("ranks", t("Ranks")),
  );
}

/** The value of an option in the form. @param {FormData} data @param {string} name */
function optionValue(data, name) {
  const value = String(data.get(name));
  return value === OTHER ? `${data.get(`${name}.files`)}x${data.get(`${name}.ranks`)}` : value;
}

/**
 * One rule option.
 * @param {OfferedVariant["settings"][number]} setting @param {string} wanted its value in the address
 */
function option({ name, values, help, sizes }, wanted) {
  /** @type {[string, string][]} */
  const offered = values.map((value, index) => [
    value,
    index ? valueWords(value) : t("{value} (default)", { value: valueWords(value) }),
  ]);
  if (sizes) offered.push([OTHER, t("Other size…")]);
  const chosen = values.includes(wanted) ? wanted : (values[0] ?? "");
  const field = choiceField(`option.${name}`, t(title(name)), offered, chosen, { help: title(t(help)) });
  if (sizes) field.append(sizeFields(`option.${name}`, sizes));
  return field;
}

/**
 * The choice of an opponent: the engine at a level or as a bot, another engine, a person at this screen, or elsewhere.
 * @param {Bot[]} named the bots @param {string[]} engines the names of the other engines
 * @param {string} chosen
 */
function opponents(named, engines, chosen) {
  /** @type {[string, string][]} */
  const levels = Array.from({ length: LEVELS }, (_, index) => [`level${index + 1}`, String(index + 1)]);
  const field = choiceField("opponent", t("Opponent"), levels, chosen, {
    help: t(
      "The computer: level 1 is for beginners, level 10 plays at full strength. Low levels often play at random and miss captures.",
    ),
    row: "numbers",
  });
  field.append(
    h(
      "details",
      { class: "place" },
      h("summary", {}, t("or a bot with a style of its own")),
      ...[...new Set(named.map(({ style }) => style))].flatMap((style) => [
        h("p", { class: "quiet field-words" }, STYLES[style] ?? t(title(style))),
        segments("opponent", named.filter((bot) => bot.style === style).map(botChoice), chosen, "bots"),
      ]),
    ),
  );
  /** @type {[string, string][]} */
  const people = [["human", t("Two people, one screen")]];
  if (!ALONE) people.push(["open", t("A friend, by a private link")], [LOBBY, t("Whoever comes by, in the lobby")]);
  if (engines.length) {
    /** @type {[string, string][]} */
    const others = engines.map((engine) => [`${OTHER_ENGINE}${engine}`, engine]);
    field.append(h("p", { class: "quiet field-words" }, t("or another engine:")), segments("opponent", others, chosen));
  }
  field.append(h("p", { class: "quiet field-words" }, t("or a person:")), segments("opponent", people, chosen));
  return field;
}

/** A bot as a choice, with its level. @param {Bot} bot @returns {[string, string]} */
function botChoice({ id, level }) {
  return [`${BOT}${id}`, `${t(title(id))} · ${level}`];
}

/** The name that the other person sees. @param {boolean} hidden */
function nameField(hidden) {
  return h(
    "p",
    { class: "name-field", hidden },
    h("label", { for: "name" }, t("Your name, if you like")),
    h("input", {
      id: "name",
      name: "name",
      class: "text-field",
      value: ownName(),
      maxlength: 40,
      autocomplete: "nickname",
    }),
  );
}

/** A field for what is no prose. @param {string} name its id, too @param {import("../lib/dom.js").Attributes} more */
function textField(name, more) {
  const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  return h("input", { id: name, name, class: "text-field", ...plain, ...more });
}

/** The time control. */
function clock() {
  const field = choiceField(
    "time",
    t("Clock"),
    [.../** @type {[string, string][]} */ (TIMES.map((time) => [time, controlWords(time)])), [OTHER, t("Other…")]],
    "none",
  );
  field.append(
    h(
      "p",
      { class: "own-time", hidden: true },
      h("label", { for: "own-time" }, t("Time")),
      textField("own-time", { maxlength: 64, placeholder: "10m 3x30s", "aria-describedby": "time-forms time-read" }),
      h("strong", { id: "time-read", role: "status" }),
      h(
        "span",
        { id: "time-forms", class: "quiet" },
        t(
          "10 or 10m: ten minutes; 10m+5s: five seconds more each move; 10m 3x30s: then three periods of byo-yomi; 3d: three days a move",
        ),
      ),
    ),
  );
  return field;
}

/** The start of the game. @param {OfferedVariant} variant @param {string} position the one in the address */
function start({ id, handicaps }, position) {
  const list = h(
    "select",
    { id: "handicap", "aria-label": t("Handicap") },
    h("option", { value: "" }, t("even game")),
    ...handicaps.map(({ name, kanji, start }) => h("option", { value: start }, LANGUAGE === "ja" ? kanji : t(name))),
  );
  return h(
    "details",
    { class: "place", id: "start-field", open: position !== "" },
    h("summary", {}, handicaps.length ? t("Handicap or position") : t("Position")),
    handicaps.length
      ? h("p", { class: "row handicap field-words" }, h("label", { for: "handicap" }, t("Handicap")), list)
      : null,
    h(
      "div",
      { class: "position-field field-words" },
      h("label", { for: "position" }, t("Position string")),
      h(
        "div",
        { class: "row" },
        textField("position", { value: position, maxlength: 2048, placeholder: t("empty: the standard start") }),
        h("a", { class: "button", id: "editor", href: `${ROOT}edit/${id}` }, t("Editor")),
      ),
    ),
    h("ul", { id: "defects", class: "defects", "aria-live": "polite" }),
    h("div", { id: "scene", class: "preview" }),
  );
}

/** @param {OfferedVariant} variant @param {Bot[]} named the bots @param {string[]} engines the other engines' names */
function show(variant, named, engines) {
  const asked = new URLSearchParams(location.search);
  entitle(t(variant.name));
  byId("summary").textContent = t(variant.summary);
  byId("links").append(
    h("a", { href: `${ROOT}learn/${variant.id}` }, t("Learn this game")),
    h("a", { href: `${ROOT}rules/${variant.id}` }, t("How it is played")),
  );
  if (variant.solved)
    byId("links").append(
      h("a", { href: perfectPlay(variant) }, t("Perfect play")),
      h("a", { href: `${ROOT}hardest/${variant.id}` }, t("Hardest wins")),
      t("This game is solved."),
    );
  const side = choiceField("side", t("You play"), [...sidesOffered(""), ["random", t("Either")]], "b");
  const opponent = asked.has(LOBBY) && !ALONE ? LOBBY : firstOpponent(variant.id);
  const name = nameField(opponent !== LOBBY);
  byId("fields").replaceChildren(
    opponents(named, engines, opponent),
    name,
    side,
    clock(),
    start(variant, asked.get("position") ?? ""),
    h(
      "details",
      { class: "rules" },
      h("summary", {}, t("Rules")),
      ...variant.settings.map((one) => option(one, asked.get(one.name) ?? "")),
    ),
  );
  const form = /** @type {HTMLFormElement} */ (byId("form"));
  const position = /** @type {HTMLInputElement} */ (byId("position"));
  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement) position.value = target.value;
    const data = new FormData(form);
    side.hidden = data.get("opponent") === "human";
    name.hidden = !elsewhere(data);
    form.querySelector(".own-time")?.toggleAttribute("hidden", data.get("time") !== OTHER);
    nameStart(data);
    for (const fields of form.querySelectorAll(".size-fields")) {
      const wanted = data.get(fields.getAttribute("data-for") ?? "") === OTHER;
      fields.toggleAttribute("hidden", !wanted);
      for (const input of fields.querySelectorAll("input")) input.disabled = !wanted;
    }
    void look(variant, data);
  });
  const [place, time] = [later(() => look(variant, new FormData(form))), later(lookAtTime)];
  position.addEventListener("input", place);
  ownTime().addEventListener("input", time);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void play(variant, new FormData(form));
  });
  byId("start").removeAttribute("disabled");
  nameStart(new FormData(form));
  void look(variant, new FormData(form));
}

/** True if the opponent is a person at another screen. @param {FormData} data */
function elsewhere(data) {
  return ["open", LOBBY].includes(String(data.get("opponent")));
}

/** @param {FormData} data */
function nameStart(data) {
  const invites = data.get("opponent") === LOBBY ? t("Offer the game") : t("Make the invitation");
  byId("start").textContent = elsewhere(data) ? invites : t("Start");
}

/** Call a function once the person has stopped typing. @param {() => Promise<void>} act */
function later(act) {
  let waiting = 0;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void act(), PAUSE);
  };
}

function ownTime() {
  return /** @type {HTMLInputElement} */ (byId("own-time"));
}

/** Say how the time that was typed is read, or what is wrong with it. */
async function lookAtTime() {
  const typed = ownTime().value.trim();
  const { time, fault } = typed ? await checkTime(typed) : { time: null, fault: "" };
  if (typed !== ownTime().value.trim()) return; // it has changed meanwhile
  byId("time-read").textContent = time ? controlWords(time) : fault;
  byId("time-read").classList.toggle("notice", fault !== "");
  ownTime().setAttribute("aria-invalid", String(fault !== ""));
}

/** @param {OfferedVariant} variant @param {FormData} data */
function optionsOf(variant, data) {
  return Object.fromEntries(variant.settings.map(({ name }) => [name, optionValue(data, `option.${name}`)]));
}

/** The variant last requested with options other than the defaults. @type {import("../types/wire").Variant | null} */
let other = null;

/**
 * The variant with these options, which may change its board.
 * @param {OfferedVariant} variant @param {Record<string, string>} options
 */
async function under(variant, options) {
  const same = (/** @type {import("../types/wire").Variant | null} */ one) =>
    one !== null && Object.entries(options).every(([name, value]) => one.options[name] === value);
  if (same(variant)) return variant;
  if (!same(other)) other = (await rulebook(variant.id, `?${new URLSearchParams(options)}`)).variant;
  return other ?? variant;
}

/** The sides to choose from. @param {string} position @returns {[string, string][]} */
function sidesOffered(position) {
  return [
    ["b", position ? SIDE_NAMES.b : t("Black, first")],
    ["w", SIDE_NAMES.w],
  ];
}

/** Show the chosen position or its defects. @param {OfferedVariant} variant @param {FormData} data */
async function look(variant, data) {
  const position = String(data.get("position")).trim();
  const options = optionsOf(variant, data);
  byId("editor").setAttribute(
    "href",
    `${ROOT}edit/${variant.id}?${new URLSearchParams({ ...options, ...(position ? { position } : {}) })}`,
  );
  const handicap = document.getElementById("handicap");
  if (handicap instanceof HTMLSelectElement)
    handicap.value = variant.handicaps.some(({ start }) => start === position) ? position : "";
  nameSidesOf(position, variant);
  for (const [side, words] of sidesOffered(position))
    byId("fields").querySelector(`[name="side"][value="${side}"] + span`)?.replaceChildren(words);
  if (!position) {
    byId("defects").replaceChildren();
    byId("scene").replaceChildren();
    return;
  }
  try {
    const { pieces, turn, defects } = await checkPosition(variant.id, options, position);
    // it has changed meanwhile
    if (position !== /** @type {HTMLInputElement} */ (byId("position")).value.trim()) return;
    byId("defects").replaceChildren(
      ...defects.map((words) => h("li", {}, title(withPlaces(t(words), { short: squareName })))),
    );
    const words = t("{side} to move.", { side: SIDE_NAMES[turn] });
    const drawn = await under(variant, options);
    byId("scene").replaceChildren(
      ...(pieces ? [picture(drawn, words, pieces), h("p", { class: "quiet" }, words)] : []),
    );
  } catch (error) {
    byId("defects").replaceChildren(h("li", {}, fault(error)));
  }
}

/** @param {OfferedVariant} variant @param {FormData} data */
async function play(variant, data) {
  const chosen = String(data.get("opponent"));
  const opponent = /** @type {Seat} */ (chosen === LOBBY ? "open" : chosen);
  const wanted = String(data.get("side"));
  const mine = wanted === "random" ? (Math.random() < 0.5 ? "b" : "w") : wanted;
  /** @type {Record<Side, Seat>} */
  const seats = mine === "w" ? { b: opponent, w: "human" } : { b: "human", w: opponent };
  const time = String(data.get("time") === OTHER ? data.get("own-time") : data.get("time")).trim();
  const name = opponent === "open" ? String(data.get("name")).trim() : "";
  if (name) setOwnName(name);
  try {
    await begin(variant.id, optionsOf(variant, data), seats, String(data.get("position")).trim() || null, {
      time,
      name,
      lobby: chosen === LOBBY,
    });
  } catch (error) {
    byId("notice").textContent = fault(error);
  }
}

const wanted = pathParts()[1] ?? "";
try {
  const [all, known, engines] = await Promise.all([variants(), bots(), otherEngines(wanted)]);
  const is = (/** @type {OfferedVariant} */ { id }) => id === wanted;
  const found = all.find(is) ?? (await shelf()).find(is);
  if (!found) throw new Error(t("there is no such game here"));
  show(found, known, engines);
} catch (error) {
  byId("notice").textContent = t("The set-up could not be loaded: {fault}", { fault: fault(error) });
}
