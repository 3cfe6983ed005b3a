// @ts-check
/** The part of the page of all games that takes them to another device. */

import { copyField } from "../lib/clipboard.js";
import { button, byId, h, onClick, onSubmit } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { profile, setProfile } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { endProfile, renewProfile, useProfile } from "./profile.js";

/** @param {string} words */
function say(words) {
  byId("key-notice").textContent = words;
}

function show() {
  const { key } = profile();
  byId("with-key").hidden = !key;
  byId("without-key").hidden = Boolean(key);
}

/** A field with a button that copies it. @param {string} id @param {string} words @param {string} value */
function copied(id, words, value) {
  const field = h("input", { id, class: "text-field", readonly: true, value });
  const copy = () => void copyField(field).then((wrong) => say(wrong || t("Copied.")));
  return h("div", {}, h("label", { for: id }, words), h("div", { class: "row" }, field, button({}, copy, t("Copy"))));
}

/** Show a key, this once. @param {string} key */
function showKey(key) {
  byId("new-key").replaceChildren(
    h("p", {}, t("Your profile key. It is shown only now: write it down, or open the link on the other device.")),
    copied("made-key", t("Key"), key),
    copied("made-link", t("Link"), `${location.origin}${ROOT}games#${key}`),
  );
}

/** @param {() => Promise<void>} work @param {() => void} changed */
async function attempt(work, changed) {
  say("");
  byId("new-key").replaceChildren();
  try {
    await work();
    changed();
  } catch (error) {
    say(fault(error));
  }
  show();
}

/** Do something at the second press of a button; the first asks. @param {HTMLElement} asked @param {() => void} act */
function askFirst(asked, act) {
  const words = asked.textContent ?? "";
  let sure = false;
  asked.addEventListener("click", () => {
    sure = !sure;
    asked.textContent = sure ? t("Really delete it? Press again") : words;
    if (!sure) act();
  });
  asked.addEventListener("blur", () => {
    sure = false;
    asked.textContent = words;
  });
}

/** Listen to the controls. @param {() => void} changed called when the browser may have other games */
export function listenForDevices(changed) {
  const field = /** @type {HTMLInputElement} */ (byId("key"));
  const on = (/** @type {string} */ id, /** @type {() => Promise<void>} */ work) =>
    onClick(id, () => void attempt(work, changed));
  for (const id of ["make-key", "renew-key"]) on(id, async () => showKey(await renewProfile()));
  askFirst(byId("delete-key"), () => void attempt(endProfile, changed));
  on("leave-key", async () => setProfile("", []));
  onSubmit("key-form", () => void attempt(() => useProfile(field.value.trim()), changed));
  // The key of a link is only filled in: whoever made it would get the games of this browser.
  if (location.hash.length > 1) {
    field.value = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
    byId("devices").scrollIntoView();
    field.focus();
  }
  show();
}
