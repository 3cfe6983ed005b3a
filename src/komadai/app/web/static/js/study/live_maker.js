// @ts-check
/** A study that its maker shows live: what is on the board goes to the server as it changes. */

import { answerOf, post, sending } from "../lib/api.js";
import { copyText } from "../lib/clipboard.js";
import { button } from "../lib/dom.js";
import { moment, t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { ROOT } from "../lib/root.js";
import { lost, showBar } from "./live_bar.js";
import { LiveLine } from "./live_line.js";

/** @import { LiveMessage, LiveView, SentChapter } from "../types/wire" */
/** @import { StudyPage } from "./page.js" */
/** @import { Node } from "./tree.js" */
/** @typedef {{ draft: string, id: string, key: string, until: number }} Kept of a live study, `until` in seconds */

const STORED = "komadai.live";
const PAUSE = 120; // milliseconds between two positions that are sent
const UNFIT = 422; // the status of what makes no sense, or is too large
const AGAIN = 2000; // milliseconds until what could not be sent is sent again

/** The live studies of this browser. @returns {Kept[]} */
function keptOnes() {
  try {
    /** @type {Kept[]} */
    const kept = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return kept.filter(({ until }) => until * 1000 > Date.now());
  } catch {
    return []; // storage is off, or another program wrote the value
  }
}

/** @param {Kept[]} kept */
function keep(kept) {
  try {
    localStorage.setItem(STORED, JSON.stringify(kept));
  } catch {
    // it is live for as long as this page is open
  }
}

/** The live study of a draft. @param {string | null} draft */
export const liveOf = (draft) => keptOnes().find((one) => one.draft === draft) ?? null;

/** Let the study of a page go live. @param {StudyPage} page */
export async function goLive(page) {
  page.save();
  const { chapters, view } = shown(page, new Map());
  const made = await post("live", { chapters, view });
  const kept = { ...made, draft: page.draft ?? "" };
  keep([...keptOnes(), kept]);
  const maker = new Maker(page, kept);
  await maker.copy();
  return maker;
}

/**
 * What is shown now: of chapters only those that have changed since they were sent.
 * @param {StudyPage} page @param {Map<string, string>} sent the records by the ids of their chapters
 */
function shown({ chapters, here, input, tree }, sent) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  const list = chapters.list.flatMap((chapter) => {
    const [record] = chapter.data;
    if (!record) return [];
    const text = JSON.stringify(record);
    texts.set(chapter.id, text);
    /** @type {SentChapter} */
    const one = sent.get(chapter.id) === text ? { id: chapter.id } : { id: chapter.id, record };
    return [one];
  });
  /** @type {LiveView} */
  const view = { chapter: chapters.current.id, node: tree.all().indexOf(here), flipped: input.flipped };
  return { chapters: list, view, texts };
}

export class Maker {
  /**
   * @param {StudyPage} page @param {Kept} kept
   * @param {boolean} [resumed] whether it was live when its page was left: then it is first shown as it was
   */
  constructor(page, kept, resumed = false) {
    this.page = page;
    this.kept = kept;
    /** Where a page that goes on begins, until it is known what was shown. @type {Node | null} */
    this.begun = resumed ? page.here : null;
    /** What the server has. @type {Map<string, string>} */
    this.sent = new Map();
    /** The message that was sent last. */
    this.last = "";
    this.followers = 0;
    this.trouble = "";
    this.timer = 0;
    this.sending = false;
    this.over = false;
    this.due = 0;
    const { id, key } = kept;
    this.line = new LiveLine(
      id,
      {
        message: (message) => {
          if (message.t === "followers") this.followers = message.count;
          else if (message.t === "live") void this.#heard(message);
          else if (message.t === "ended") this.#end(t("The live study has ended."));
          this.bar();
        },
        up: (up) => {
          this.trouble = up ? "" : lost();
          this.bar();
          if (up) this.show();
        },
      },
      key,
    );
    this.bar();
    this.show();
  }

  get address() {
    return `${location.origin}${ROOT}live/${this.kept.id}`;
  }

  async copy() {
    const copied = await copyText(this.address);
    showNotice(
      copied
        ? t("You are live. The link has been copied: whoever has it sees your board.")
        : t("You are live: whoever has this link sees your board: {link}", { link: this.address }),
      true,
    );
  }

  bar() {
    if (this.over) return;
    const until = moment(this.kept.until * 1000);
    showBar(this.trouble || t("Live until {time}", { time: until }), this.followers, [
      button({ class: "plain", id: "live-link" }, () => void this.copy(), t("Copy the link")),
      button({ class: "plain", id: "live-end" }, () => void this.end(), t("End it")),
    ]);
  }

  /** Something else is shown: send it. @param {number} [within] milliseconds */
  show(within = PAUSE) {
    const due = Date.now() + within;
    if (this.over || this.begun || this.sending || (this.timer && this.due <= due)) return;
    clearTimeout(this.timer);
    this.due = due;
    this.timer = setTimeout(() => {
      this.timer = 0;
      void this.#send();
    }, within);
  }

  /** What is shown, as the server has it. @param {LiveMessage} state */
  async #heard({ chapters, followers, view }) {
    this.followers = followers;
    if (!this.begun) return;
    const { list } = this.page.chapters;
    for (const [index, { id }] of chapters.entries()) if (list[index]) list[index].id = id;
    if (this.page.here === this.begun) {
      await this.page.chapters.go(list.findIndex(({ id }) => id === view.chapter));
      const node = this.page.chapters.current.id === view.chapter ? this.page.tree.all()[view.node] : null;
      if (node) this.page.go(node);
      if (this.page.input.flipped !== view.flipped) this.page.input.flip();
    }
    this.begun = null;
    this.show();
  }

  async #send() {
    const { chapters, view, texts } = shown(this.page, this.sent);
    const text = JSON.stringify([chapters, view]);
    if (this.over || text === this.last) return;
    this.sending = true;
    const { id, key } = this.kept;
    let again = true;
    try {
      const response = await fetch(`${ROOT}api/live/${id}`, sending({ key, chapters, view }));
      again = response.status !== UNFIT || this.sent.size > 0;
      if (response.status === UNFIT) this.sent.clear(); // another window may have sent other chapters
      const answer = await answerOf(response);
      this.sent = texts;
      this.last = JSON.stringify([chapters.map(({ id }) => ({ id })), view]);
      this.followers = answer.followers;
      this.trouble = "";
      this.sending = false;
      this.show(); // there may be more by now
    } catch (error) {
      this.trouble = fault(error);
      this.sending = false;
      if (again) this.show(AGAIN);
      else this.last = text;
    }
    this.bar();
  }

  async end() {
    try {
      await post(`live/${this.kept.id}/end`, { key: this.kept.key });
      this.#end(t("The live study has ended."));
    } catch (error) {
      showNotice(fault(error));
    }
  }

  /** @param {string} words */
  #end(words) {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    this.line.close();
    keep(keptOnes().filter(({ id }) => id !== this.kept.id));
    this.page.live = null;
    showBar(words, null);
    this.page.chapters.show();
  }
}
