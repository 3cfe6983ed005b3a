// @ts-check
/** The settings. Changes take effect at once, in all windows of the browser. */

import { pieceIcon } from "../board/pieces.js";
import { Board } from "../board/svg.js";
import { variants } from "../lib/api.js";
import { byId, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { setting, watch } from "../lib/prefs.js";
import { showSettings } from "../lib/settings_form.js";

const SAMPLES = 4; // number of pieces of each look

showSettings(byId("form"));
const offered = await variants().catch(() => []); // without a sample the settings can be made
// A sample board, and sample pieces of each look.
const looks = [...new Map(offered.map((variant) => [variant.look, variant])).values()];
const shown = looks.find(({ start }) => Object.keys(start.board).length);
const board = shown && new Board(byId("sample").appendChild(h("div")), shown, { words: t(shown.name) });
const icons = looks.flatMap((variant) => variant.kinds.slice(0, SAMPLES).map((kind) => ({ variant, kind })));
const row = byId("sample").appendChild(h("p", { class: "icon-row" }));
function sample() {
  board?.orient(false, setting("pieces"));
  board?.show(board.variant.start.board, null);
  board?.relabel();
  row.replaceChildren(
    ...icons.map(({ variant, kind }) =>
      pieceIcon(variant, kind, { side: "b", upsideDown: false, set: setting("pieces") }),
    ),
  );
}
sample();
watch(sample);
