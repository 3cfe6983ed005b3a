// @ts-check
/**
 * The part of the page for two people who play each other: clocks, names, offers, the invitation, the spectators' link.
 */

import { follow } from "../lib/api.js";
import { copyField } from "../lib/clipboard.js";
import { button, byId, h, nameTag, onClick } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { HERE, ROOT } from "../lib/root.js";
import { seatName } from "../lib/seats.js";
import { SIDE_COLOURS, SIDE_NAMES, SIDE_SIGNS, SIDES } from "../lib/sides.js";
import { inviteOf, pageOf } from "../lib/tokens.js";
import { ClockFaces, parseControl } from "./clocks.js";
import { listGreetings, showGreetings } from "./greetings.js";
import { apart, OFFERED, onlySide, waiting } from "./people.js";

/** @import { GameState, Offer, Presence, Side } from "../types/wire" */
/** @import { GamePage } from "./page.js" */

const LOBBY = ".lobby"; // how invitations end that are for everybody

/** @param {HTMLElement} plate @param {Side} side @param {GameState} state */
function showPlate(plate, side, state) {
  const { position, seats, you } = state;
  const seat = seats[side];
  const sits = seat === "open" && position.outcome ? t("Nobody came") : seatName(seat);
  const elsewhere = seat === "human" && !you.includes(side);
  const who = elsewhere ? remotePlayer(side, state) : [nameTag(seat === "human" ? ownName(side, state) : sits)];
  plate.replaceChildren(
    `${SIDE_SIGNS[side]} ${SIDE_COLOURS[side]}`,
    ...(elsewhere ? [presence(side, state)] : []),
    ...who,
  );
  plate.classList.toggle("to-move", !position.outcome && !waiting(state) && position.turn === side);
}

/** @param {Side} side @param {GameState} state */
function ownName(side, state) {
  return side === onlySide(state) ? t("You") : playerName(side, state);
}

/** The name of a player, if there is one. @param {Side} side @param {GameState} state */
function playerName(side, { names, position }) {
  return names[side] || (position.match ? t(position.match.players[side]) : "");
}

/** The sign of a remote player's presence. @param {Side} side @param {GameState} state */
function presence(side, state) {
  return h("span", { class: "presence", "aria-hidden": "true" }, state.presence.seats[side] ? " ●" : " ○");
}

/** A remote player: name and presence. @param {Side} side @param {GameState} state */
function remotePlayer(side, state) {
  const [name, here] = [playerName(side, state), state.presence.seats[side]];
  const words = here ? t("connected") : t("away");
  return name
    ? [nameTag(name), h("span", { class: here ? "visually-hidden" : "presence-words" }, ` (${words})`)]
    : [h("br"), words];
}

export class Meeting {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    this.faces = new ClockFaces(announce);
    /** The offers shown, as JSON. */
    this.shown = "";
    for (const what of /** @type {const} */ (["draw", "pause", "resume"]))
      onClick(what, () => void this.ask({ t: what }));
    onClick("declare", () => void this.ask({ t: "declare", ply: this.page.state.position.ply }));
    for (const [id, from] of /** @type {const} */ ([
      ["copy-invite", "invite"],
      ["copy-watch", "watch-link"],
    ]))
      onClick(id, () => void copyField(field(from)).then((fault) => showNotice(fault || t("Copied."), !fault)));
    listGreetings(this);
    field("watch-link").value = location.origin + pageOf(page.state.game);
    const invite = inviteOf(page.state.game);
    field("invite").value = invite ? `${location.origin}${ROOT}join#${invite}` : "";
    byId("invite-row").hidden = !invite;
    byId("invite-local").hidden = !invite || !HERE;
    byId("invite-words").textContent = invite
      ? invitationWords(invite, page.state.clocks?.control ?? "")
      : t("The invitation is in the browser in which this game was created.");
  }

  /** Send a command that concerns both players. @param {import("./connection.js").GameCommand} command */
  async ask(command) {
    const { connection } = this.page;
    const answer = connection.command(command);
    if (!connection.open) showNotice(t("No connection. This is kept and will be sent as soon as it is back."), true);
    const refusal = await answer;
    if (refusal) showNotice(refusal);
  }

  /** Offer another game, or open it if it has been started. */
  again() {
    const { game, you } = this.page.state;
    const { rematch } = this.page.state.position;
    if (rematch && you.length) follow(game, rematch);
    else if (rematch) location.assign(pageOf(rematch));
    else void this.ask({ t: "rematch" });
  }

  /** Players have connected or disconnected. @param {Presence} presence */
  presenceChanged(presence) {
    const { state } = this.page;
    const was = state.presence.seats;
    state.presence = presence;
    for (const side of SIDES) {
      const [before, now] = [was[side], presence.seats[side]];
      if (state.you.includes(side) || before === undefined || now === before) continue;
      announce(
        now ? t("{side} is connected.", { side: SIDE_NAMES[side] }) : t("{side} is away.", { side: SIDE_NAMES[side] }),
      );
    }
    this.show(); // and nothing else: a move may have been begun
  }

  show() {
    const { state } = this.page;
    const { flipped } = this.page.input;
    const [near, far] = flipped ? /** @type {const} */ (["w", "b"]) : /** @type {const} */ (["b", "w"]);
    const { clocks, position, you } = state;
    const { spectators } = state.presence;
    const [plays, over] = [you.length > 0, position.outcome !== null];
    const [two, alone] = [apart(state), waiting(state)];
    showPlate(byId("plate-far"), far, state);
    showPlate(byId("plate-near"), near, state);
    this.faces.show(
      clocks,
      [
        [far, byId("clock-far")],
        [near, byId("clock-near")],
      ],
      you,
    );
    document.body.classList.toggle("watching", !plays);
    document.body.classList.toggle("apart", two);
    showGreetings(two && plays);
    byId("invitation").hidden = !plays || over || !alone;
    byId("watchers").textContent = spectators ? n("({count} spectator)", "({count} spectators)", spectators) : "";
    const offered = (/** @type {string} */ what) => position.offers.some((offer) => offer.what === what);
    const show = (
      /** @type {string} */ id,
      /** @type {boolean} */ shown,
      /** @type {boolean} */ able,
      /** @type {string} */ words,
    ) => {
      byId(id).textContent = words;
      byId(id).hidden = !shown;
      byId(id).toggleAttribute("disabled", !able || offered(id));
    };
    show("undo", plays, position.canUndo, two ? t("Offer takeback") : t("Undo"));
    show("draw", plays && position.canDraw, true, two ? t("Offer a draw") : t("Agree a draw"));
    show("declare", position.canDeclare && you.includes(position.turn), true, t("Declare"));
    show("pause", plays && Boolean(clocks?.running), true, two ? t("Offer a pause") : t("Pause"));
    show("resume", plays && !over && Boolean(clocks?.paused), true, two ? t("Offer to resume") : t("Resume"));
    show("resign", plays, !over, alone ? t("Call it off") : t("Resign"));
    byId("sure-yes").textContent = byId("resign").textContent;
    const question = alone ? t("Call this game off? The invitation will no longer work.") : t("Resign this game?");
    const sure = /** @type {HTMLDialogElement} */ (byId("sure"));
    if (over || !plays || question !== byId("sure-words").textContent) sure.close(); // it was asked of another state
    byId("sure-words").textContent = question;
    this.#again(two, plays, offered("rematch"));
    this.#offers();
  }

  /** The button for another game. @param {boolean} two @param {boolean} plays @param {boolean} offered */
  #again(two, plays, offered) {
    const { match, rematch } = this.page.state.position;
    const again = byId("again");
    again.textContent = rematch ? t("To the next game") : two ? t("Offer another game") : t("Play again");
    again.hidden = Boolean(match?.next) || (!plays && !rematch);
    again.toggleAttribute("disabled", offered);
    if (!plays && !match?.begun) byId("next-game").hidden = true;
  }

  /** Show the offers with their answers. */
  #offers() {
    const { you } = this.page.state;
    const { offers } = this.page.state.position;
    const shown = JSON.stringify(offers);
    if (shown === this.shown) return; // buttons keep the focus, and nothing is announced twice
    this.shown = shown;
    byId("offers").replaceChildren(...offers.map((offer) => this.#offer(offer, you)));
  }

  /** @param {Offer} offer @param {Side[]} you */
  #offer({ what, side }, you) {
    const own = you.includes(side);
    const [theirs, mine] = OFFERED[what];
    const words = own ? mine : (theirs ?? "").replace("{side}", () => SIDE_NAMES[side]);
    const accept = () => void this.ask(what === "undo" ? { t: what, ply: this.page.state.position.ply } : { t: what });
    const decline = () => void this.ask({ t: "decline", what });
    const answers = own
      ? [button({ "data-answer": "withdraw" }, decline, t("Withdraw the offer"))]
      : [
          button({ class: "primary", "data-answer": "accept" }, accept, t("Accept")),
          button({ "data-answer": "decline" }, decline, t("Decline")),
        ];
    return h(
      "div",
      { class: "offer", role: "group", "aria-label": t("Offer"), "data-offer": what },
      h("p", {}, words),
      ...(you.length ? [h("div", { class: "row" }, ...answers)] : []),
    );
  }
}

/** What becomes of an invitation. @param {string} invite @param {string} control of the time */
function invitationWords(invite, control) {
  if (!invite.endsWith(LOBBY)) return t("Send this link to your opponent. The first to join takes the seat.");
  return parseControl(control).days
    ? t("This game stands in the lobby for a week; you may leave this page. The first to join takes the seat.")
    : t("This game stands in the lobby as long as this page is open. The first to join takes the seat.");
}

/** Announce to screen readers. @param {string} words */
function announce(words) {
  byId("heard").textContent = words;
}

/** @param {string} id */
function field(id) {
  return /** @type {HTMLInputElement} */ (byId(id));
}
