// @ts-check
/** The buttons, keys and typed moves of the page of a game. */

import { begin } from "../lib/api.js";
import { byId, onClick, onSubmit } from "../lib/dom.js";
import { keepFolding } from "../lib/folding.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { change, setting, watch } from "../lib/prefs.js";
import { stepThrough } from "../lib/press.js";
import { ROOT } from "../lib/root.js";
import { listenForSettings } from "../lib/settings_sheet.js";
import { whenLoaded } from "../lib/when_loaded.js";
import { press } from "../text/commands.js";
import { listenToKeys } from "../text/console.js";
import { listenForNext } from "./match.js";
import { apart } from "./people.js";

/** @import { GamePage } from "./page.js" */
/** @import { Command } from "../types/client" */

/** Steps of the arrow keys in the list of moves. @type {Record<string, number>} */
const ALONG = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** The commands of a game. @param {GamePage} page @returns {Command[]} */
export function gameCommands(page) {
  return [
    { keys: ["u"], typed: ["u", "undo"], words: t("take back"), press: () => press("undo") },
    {
      keys: ["v"],
      typed: ["v", "values"],
      words: t("the value of every move"),
      when: () => page.values?.open ?? !!page.solving,
      press: () => void page.solving?.then(() => page.values?.toggle()),
    },
    {
      keys: ["h"],
      typed: ["h", "hint"],
      words: t("a good move, in three steps"),
      when: () => page.hint.open,
      press: () => void page.hint.ask(),
    },
    {
      keys: ["y"],
      typed: ["y", "why"],
      words: t("why the computer made its last move"),
      when: () => page.coach?.open ?? false,
      press: () => void page.coach?.explain(),
      say: () => page.coach?.reasons(),
    },
    { typed: ["sounds"], words: t("sounds on or off"), press: () => press("sounds") },
    {
      keys: ["g"],
      typed: ["g", "guide"],
      words: t("the guide: what matters now"),
      when: () => page.guide.open,
      press: () => page.guide.toggle(),
      say: () => page.guide.tell(),
    },
    { typed: ["t", "time"], words: t("the clocks"), say: () => page.meeting.faces.words },
    { typed: ["draw"], words: t("offer or agree a draw"), press: () => press("draw") },
    { typed: ["declare"], words: t("declare that your king has entered"), press: () => press("declare") },
    { typed: ["pause"], words: t("stop the clocks"), press: () => press("pause") },
    { typed: ["resume"], words: t("restart the clocks"), press: () => press("resume") },
    { typed: ["resign"], words: t("resign, after a confirmation"), press: () => press("resign") },
  ];
}

/** Listen to the controls of the page. @param {GamePage} page */
export function listen(page) {
  keepFolding();
  listenForSettings();
  listenForSounds();
  stepThrough((by) => page.step(by));
  onClick("undo", () => page.undo());
  const sure = /** @type {HTMLDialogElement} */ (byId("sure"));
  onClick("resign", () => sure.showModal());
  onClick("sure-yes", () => {
    sure.close();
    void page.command({ t: "resign" });
  });
  onClick("sure-no", () => sure.close());
  listenForNext(page.state.game, (words) => showNotice(words));
  onClick("again", () => void again(page));
  onClick("new", () => location.assign(`${ROOT}new/${page.state.variant.id}`));
  onSubmit("entry", () => void enter(page));
  listenToKeys(page, ({ key, target }) => {
    const by = target instanceof Element && target.closest("#moves") ? ALONG[key] : undefined;
    if (by) page.step(by);
    return by !== undefined;
  });
}

/** The button that turns sounds on and off, and the volume. */
function listenForSounds() {
  const sounds = byId("sounds");
  const show = () => sounds.setAttribute("aria-pressed", String(setting("sounds") === "on"));
  show();
  watch(show);
  sounds.addEventListener("click", () => {
    change("sounds", setting("sounds") === "on" ? "off" : "on");
    whenLoaded(import("../lib/sound.js"), ({ playMoveSound }) => playMoveSound({ text: "", from: "" }));
  });
  // Browsers allow no sound before that, so nothing of it is loaded with the page.
  for (const event of ["pointerup", "keyup"])
    addEventListener(
      event,
      () =>
        whenLoaded(import("../lib/sound.js"), ({ listenForVolume, prepare }) => {
          prepare();
          listenForVolume(/** @type {HTMLInputElement} */ (byId("volume")));
        }),
      { once: true },
    );
}

/**
 * Start the same game again; against the engine with sides changed, unless it has a start of its own.
 * @param {GamePage} page
 */
async function again(page) {
  const { variant, seats, start, clocks } = page.state;
  if (apart(page.state) || page.state.position.rematch) return page.meeting.again();
  const [same, time] = [start ? seats : { b: seats.w, w: seats.b }, clocks?.control ?? "none"];
  await begin(variant.id, variant.options, same, start, { time }).catch((error) => showNotice(fault(error)));
}

/** The typed move that was refused because it costs pieces; typed again, it is played. */
let asked = "";

/** Play the typed move, or run the command. @param {GamePage} page */
async function enter(page) {
  const box = /** @type {HTMLInputElement} */ (byId("text"));
  const text = box.value.trim();
  if (!text) return;
  if (page.console.run(text)) {
    box.value = "";
    return;
  }
  if (!page.active) {
    page.sayBusy();
    return;
  }
  box.value = "";
  if (page.coach?.wanted && !(await page.coach.approves(text))) {
    box.value ||= text;
    return;
  }
  const ask = text !== asked;
  const refusal = await page.command({ t: "move", ply: page.state.position.ply, text, ask });
  asked = refusal !== null && ask ? text : "";
  if (refusal !== null && !box.value) {
    box.value = text;
    box.select();
  }
}
