// @ts-check
/** The page of an invitation: shows the game and takes the open seat. The token is after the `#` of the address. */

import { picture } from "../board/picture.js";
import { controlWords } from "../game/clocks.js";
import { GameConnection, showConnection } from "../game/connection.js";
import { waiting } from "../game/people.js";
import { join } from "../lib/api.js";
import { byId, entitle, h, onSubmit } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { changedWords, fault, quoted } from "../lib/phrases.js";
import { ownName, setOwnName } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { nameSides, SIDE_COLOURS, SIDE_SIGNS } from "../lib/sides.js";
import { pageOf } from "../lib/tokens.js";

/** @import { GameState, Side } from "../types/wire" */

const invite = location.hash.slice(1);
const [game = "", secret = null] = invite.split(".");
const name = /** @type {HTMLInputElement} */ (byId("name"));

/** Show the game. @param {GameState} state */
function show(state) {
  const { variant, position, seats, names, clocks, you } = state;
  const off = position.outcome?.reason === "called_off";
  const free = waiting(state) && !off;
  const seat = /** @type {Side} */ (seats.b === "open" ? "b" : "w");
  const host = names[seat === "b" ? "w" : "b"];
  nameSides(state.handicap);
  entitle(t(variant.name));
  byId("summary").textContent = t(variant.summary);
  const invited = host ? t("{name} invites you to a game.", { name: quoted(host) }) : t("You are invited to a game.");
  const late = off
    ? t("The invitation has been called off.")
    : t("Somebody has taken the seat; you can watch the game.");
  byId("asks").textContent = you.length ? t("You have a seat in this game.") : free ? invited : late;
  byId("scene").replaceChildren(picture(variant, t("Board"), position));
  const terms = [
    free ? t("You play {side}.", { side: `${SIDE_SIGNS[seat]} ${SIDE_COLOURS[seat]}` }) : "",
    clocks ? t("Clock: {time}", { time: controlWords(clocks.control) }) : t("No clock"),
    changedWords(variant),
  ];
  byId("terms").replaceChildren(...terms.filter(Boolean).map((words) => h("li", {}, words)));
  byId("start").textContent = you.length ? t("To the game") : t("game|Play");
  byId("start").removeAttribute("disabled");
  byId("start").hidden = off && !you.length;
  for (const field of document.querySelectorAll(".name-field")) field.toggleAttribute("hidden", off || you.length > 0);
  const taken = !free && !off && !you.length; // perhaps by the person here, so that they may still try
  byId("watch").hidden = !taken;
  byId("watch").classList.toggle("primary", taken);
  byId("watch").textContent = t("Watch the game");
  byId("start").classList.toggle("primary", !taken);
  byId("watch").setAttribute("href", pageOf(game));
}

/** @type {GameState | null} */
let found = null;

const connection = new GameConnection(
  game,
  {
    message(message) {
      if (message.t === "state") {
        found = message;
        show(message);
      } else if (message.t === "events") {
        connection.seq = null; // the seat may have been taken: request the whole state again
        connection.hello();
      } else if (message.t === "error" && !found) {
        for (const field of document.querySelectorAll(".name-field, #start")) field.toggleAttribute("hidden", true);
        byId("notice").textContent = t("This invitation belongs to no game on this server.");
        byId("watch").textContent = t("To the games");
        byId("watch").setAttribute("href", ROOT);
        byId("watch").hidden = false;
      }
    },
    up: showConnection,
  },
  secret,
);

name.value = ownName();
onSubmit("form", () => {
  if (found?.you.length) return location.assign(pageOf(game));
  setOwnName(name.value.trim());
  join(invite, name.value.trim()).catch((error) => (byId("notice").textContent = t(fault(error))));
});
