// @ts-check
/** What calls a person's attention: vibration, and notifications while the page is not looked at. */

import { setting } from "./prefs.js";
import { STATIC } from "./root.js";

/** Vibrate, where the device can. @param {number | number[]} pattern milliseconds of vibration and of pauses */
export function buzz(pattern) {
  // Browsers report a call before the first tap as an error.
  if (setting("vibration") === "on" && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(pattern);
}

/** Ask the person for permission to show notifications; returns whether they may be shown. */
export async function allowNotifications() {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}

/**
 * Show a notification, if the settings ask for it and the page is not looked at.
 * @param {string} heading @param {string} words @param {string} tag a later notification with it replaces this one
 */
export function notify(heading, words, tag) {
  if (setting("notifications") === "off" || document.hasFocus()) return;
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(heading, { body: words, tag, icon: `${STATIC}img/icon.svg` });
    shown.addEventListener("click", () => {
      window.focus();
      shown.close();
    });
  } catch {
    // some phones know only those of service workers
  }
}
