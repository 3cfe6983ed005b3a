// @ts-check
/** Entry point of the page of a game: connects to the server and hands its messages to the page. */

import { GameConnection, showConnection } from "../game/connection.js";
import { GamePage } from "../game/page.js";
import { button, byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { forget, profile } from "../lib/prefs.js";
import { pathParts, ROOT } from "../lib/root.js";

/** @type {GamePage | null} */
let page = null;
const id = pathParts()[1] ?? "";

const connection = new GameConnection(id, {
  message(message) {
    if (message.t === "state") {
      if (page) page.replace(message);
      else {
        page = new GamePage(message, connection);
        if (message.you.length && profile().key)
          void import("../game/profile.js").then(({ addToProfile }) => addToProfile(id)).catch(() => {}); // the page of all games tries again
      }
    } else if (message.t === "events") page?.apply(message.events, message.position, message.clocks);
    else if (message.t === "explanation") page?.input.explained(message.about, message.text);
    else if (message.t === "seen") page?.past.receive(message.moves, message.position);
    else if (message.t === "study") page?.values?.receive(message);
    else if (message.t === "solving") page?.values?.solving(message.reason);
    else if (message.t === "presence") page?.meeting.presenceChanged(message);
    else if (message.t === "error" && page) page.fault(message.reason);
    else if (message.t === "error") missing(message.reason);
  },
  up(up) {
    page?.values?.reconnected();
    page?.past.reconnected();
    page?.connectionChanged();
    showConnection(up);
  },
});

/** The server has no such game. @param {string} reason */
function missing(reason) {
  forget(id);
  document.body.classList.add("missing");
  byId("headline").textContent = t(reason);
  byId("notice").replaceChildren(button({ class: "plain" }, () => location.assign(ROOT), t("To the games")));
}
