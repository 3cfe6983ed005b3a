// @ts-check
/** The dialog that opens a study: an empty one, a draft, or a record from a file or a text. */

import { allVariants } from "../lib/api.js";
import { RECORDS, within } from "../lib/bounds.js";
import { button, byId, h, onClick, onSubmit } from "../lib/dom.js";
import { moment, n, t } from "../lib/i18n.js";
import { randomId } from "../lib/ids.js";
import { fault } from "../lib/phrases.js";
import { ROOT } from "../lib/root.js";
import { recordedName } from "../lib/seats.js";
import { readRecords } from "./api.js";
import { areChapters, CHAPTER, chapterName } from "./chapters.js";
import { draft, drafts, drop, keep } from "./drafts.js";

/** @import { RecordData } from "../types/wire" */

/** Names of the variants. @type {Map<string, string>} */
const names = new Map();

/** @param {string} words */
function say(words) {
  byId("open-says").textContent = words;
}

/** Store a record, or the chapters of a study, as a draft and open it. @param {RecordData[]} records */
function enter(records) {
  const id = randomId(6);
  const [record] = records;
  if (!record) return;
  const players = [record.headers?.Black, record.headers?.White].filter(Boolean).join(" – ");
  const name = [t(names.get(record.variant) ?? record.variant), players || record.headers?.[CHAPTER]]
    .filter(Boolean)
    .join(", ");
  if (keep(id, name, JSON.stringify(records.length > 1 ? records : record)))
    location.assign(`${ROOT}study?draft=${id}`);
  else say(t("This browser stores no data, so the record cannot be opened."));
}

/** The title of a record in a list. @param {RecordData} record @param {number} index */
function recordTitle({ headers = {}, moves }, index) {
  const players = [headers.Black, headers.White].filter(Boolean).map(recordedName).join(" – ");
  return [
    `${index + 1}.`,
    players || headers.Event || "",
    headers.Date ?? "",
    n("{count} move", "{count} moves", moves.length),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Records with the names of chapters. @param {RecordData[]} records */
const asChapters = (records) =>
  records.map((record, index) => ({
    ...record,
    headers: { ...record.headers, [CHAPTER]: chapterName(record, index + 1) },
  }));

/** Read a file or a text, and open its record. @param {string | ArrayBuffer} file */
async function open(file) {
  say(t("Reading…"));
  const choices = byId("open-choices");
  choices.replaceChildren();
  try {
    const { records, study } = await readRecords(file);
    if (study) return enter(records);
    say(t("There are {count} records in it. Which one do you want to open?", { count: records.length }));
    choices.replaceChildren(
      ...records.map((record, index) =>
        h(
          "li",
          {},
          button({ class: "plain" }, () => enter([record]), recordTitle(record, index)),
        ),
      ),
    );
    if (areChapters(records))
      choices.append(
        h(
          "li",
          {},
          button({ class: "plain" }, () => enter(asChapters(records)), t("All of them, as chapters of one study")),
        ),
      );
    choices.querySelector("button")?.focus();
  } catch (error) {
    say(fault(error));
  }
}

/** @param {File | undefined} file */
async function openFile(file) {
  if (!file) return;
  try {
    await open(await within(file, RECORDS).arrayBuffer());
  } catch (error) {
    say(fault(error));
  }
}

function listDrafts() {
  const kept = drafts();
  byId("drafts-part").hidden = !kept.length;
  byId("drafts").replaceChildren(
    ...kept.map(({ id, name, at }) => {
      const remove = button(
        { class: "plain", title: t("Delete it"), "aria-label": t("Delete {name}", { name }) },
        () => {
          const gone = draft(id);
          drop(id);
          listDrafts();
          const back = button(
            { class: "plain" },
            () => {
              if (gone) keep(gone.id, gone.name, gone.text);
              listDrafts();
              say("");
            },
            t("Restore it"),
          );
          byId("open-says").replaceChildren(`${t("{name} has been deleted.", { name })} `, back);
        },
        "✕",
      );
      return h(
        "li",
        {},
        h("a", { href: `${ROOT}study?draft=${id}` }, name),
        h("span", { class: "quiet" }, moment(at)),
        remove,
      );
    }),
  );
}

async function listGames() {
  try {
    const [house, classics] = await allVariants();
    for (const { id, name } of [...house, ...classics]) names.set(id, name);
    /** @param {typeof house} games */
    const links = (games) =>
      games.map(({ id, name }) =>
        h("li", {}, h("a", { class: "button", href: `${ROOT}study?variant=${id}` }, t(name))),
      );
    byId("open-games").replaceChildren(...links(house));
    byId("open-classics").replaceChildren(...links(classics));
    byId("open-shelf").hidden = !classics.length;
  } catch (error) {
    say(fault(error));
  }
}

/** Show the dialog, once its games are known: it would grow under the pointer. @param {string} [words] a message */
export async function showOpenDialog(words = "") {
  const dialog = /** @type {HTMLDialogElement} */ (byId("opening"));
  if (dialog.open) return;
  say(words);
  listDrafts();
  await listGames();
  if (!dialog.open) dialog.showModal();
}

/** Listen to the controls of the dialog, and to files dropped on the page. */
export function listenForOpening() {
  for (const id of ["open", "open-again"]) onClick(id, () => void showOpenDialog());
  onClick("open-close", () => /** @type {HTMLDialogElement} */ (byId("opening")).close());
  const file = /** @type {HTMLInputElement} */ (byId("open-file"));
  file.addEventListener("change", () => void openFile(file.files?.[0]));
  onSubmit("open-form", () => {
    const text = /** @type {HTMLTextAreaElement} */ (byId("open-text")).value;
    if (text.trim()) void open(text);
    else say(t("Paste a record or a position, or choose a file."));
  });
  const over = (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.toggle("dropping", event.type === "dragover");
  };
  for (const type of /** @type {const} */ (["dragover", "dragleave"])) document.addEventListener(type, over);
  document.addEventListener("drop", (event) => {
    over(event);
    const [dropped] = event.dataTransfer?.files ?? [];
    if (!dropped) return;
    void showOpenDialog().then(() => openFile(dropped));
  });
}
