// @ts-check
/** The dialog that saves a study: as a file, a picture, a position string or a link. */

import { copyText } from "../lib/clipboard.js";
import { button, byId, h, onClick } from "../lib/dom.js";
import { download } from "../lib/download.js";
import { t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { ALONE, ROOT } from "../lib/root.js";
import { animationOf, pictureOf, shareRecord, writeRecord } from "./api.js";
import { recordHash } from "./record_link.js";

/** @import { StudyPage } from "./page.js" */

/** File name extension and description of each format. @type {Record<string, { ending: string, words: string }>} */
const FORMS = {
  json: { ending: "json", words: t("JSON: everything, for this program") },
  text: { ending: "txt", words: t("Text: everything, for people") },
  kif: { ending: "kif", words: t("KIF: for Japanese programs") },
  ki2: { ending: "ki2", words: t("KI2: as in Japanese books") },
  jkf: { ending: "jkf", words: t("JKF: for web pages and other programs") },
  csa: { ending: "csa", words: t("CSA: the main line, for programs and servers") },
  usi: { ending: "usi", words: t("USI: the bare moves, for engines") },
};
const PICTURES = ["svg", "png"];

const SCALE = 2; // pixels for a unit of the drawing, so that it is sharp in print, too

/** A drawing as PNG. @param {Blob} svg @returns {Promise<Blob>} */
async function pngOf(svg) {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const made = await new Promise((/** @type {(made: Blob | null) => void} */ done) =>
      canvas.toBlob(done, "image/png"),
    );
    if (!made) throw new Error("canvas.toBlob gave nothing");
    return made;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A form to save in, as an entry of a list. @param {string} form @param {string} words @param {() => void} save */
function choice(form, words, save) {
  const made = button({ "data-form": form }, save, words);
  return h("li", {}, made);
}

export class SaveDialog {
  /** @param {StudyPage} page */
  constructor(page) {
    this.page = page;
    const dialog = /** @type {HTMLDialogElement} */ (byId("saving"));
    onClick("save", () => {
      this.#say("");
      byId("link-part").hidden = true;
      dialog.showModal();
    });
    onClick("save-close", () => dialog.close());
    const { forms } = page.tree.study;
    byId("save-forms").replaceChildren(
      ...forms.map((form) => choice(form, FORMS[form]?.words ?? form, () => void this.#write(form))),
      choice("animation", t("SVG: a moving picture of the main line, to post"), () => void this.#animate()),
    );
    byId("save-pictures").replaceChildren(
      ...PICTURES.map((form) =>
        choice(form, t("Picture: {form}", { form: form.toUpperCase() }), () => void this.#picture(form)),
      ),
    );
    onClick("copy-position", () => void this.#copy(page.position.sfen, t("The position string has been copied.")));
    onClick("share", () => void this.#share());
    onClick(
      "copy-link",
      () => void this.#copy(/** @type {HTMLInputElement} */ (byId("link")).value, t("The link has been copied.")),
    );
  }

  /** @param {string} words */
  #say(words) {
    byId("save-says").textContent = words;
  }

  /** The file name, without extension. */
  get #name() {
    return this.page.name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "study";
  }

  /** @param {() => Promise<unknown>} work */
  async #try(work) {
    this.#say("");
    try {
      await work();
    } catch (error) {
      this.#say(fault(error));
    }
  }

  /** What a file holds: all chapters where the format can. @param {string} form */
  async #records(form) {
    return form === "jkf" ? this.page.tree.data() : this.page.chapters.whole();
  }

  /** @param {string} form */
  #write(form) {
    return this.#try(async () =>
      download(await writeRecord(await this.#records(form), form), `${this.#name}.${FORMS[form]?.ending ?? form}`),
    );
  }

  #animate() {
    return this.#try(async () => download(await animationOf(this.page.tree.data(), this.#look), `${this.#name}.svg`));
  }

  get #look() {
    const { flipped, set } = this.page.input;
    return { flipped, letters: set === "letters" };
  }

  /** @param {string} form */
  #picture(form) {
    const { here, tree } = this.page;
    const drawn = async (/** @type {Parameters<typeof pictureOf>} */ ...asked) => {
      const svg = await pictureOf(...asked);
      return form === "png" ? await pngOf(svg) : svg;
    };
    return this.#try(async () =>
      download(await drawn(tree.branch(here), this.#look), `${this.#name}-${tree.ply(here)}.${form}`),
    );
  }

  #share() {
    return this.#try(async () => {
      const record = await this.page.chapters.whole();
      const place = ALONE ? await recordHash(record) : `/${await shareRecord(record)}`;
      const address = `${location.origin}${ROOT}study${place}`;
      /** @type {HTMLInputElement} */ (byId("link")).value = address;
      byId("link-part").hidden = false;
      await this.#copy(
        address,
        t("Anyone with this link sees the study as it is now. It has been copied."),
        t("Anyone with this link sees the study as it is now."),
      );
    });
  }

  /**
   * @param {string} text @param {string} done
   * @param {string} [failed] the message if the browser does not allow copying
   */
  async #copy(text, done, failed = text) {
    this.#say((await copyText(text)) ? done : failed);
  }
}
