// @ts-check
/** The position editor. */

import { SetUp } from "../board/set_up.js";
import { checkPosition, rulebook } from "../lib/api.js";
import { byId, entitle, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { pathParts, ROOT } from "../lib/root.js";

try {
  const asked = new URLSearchParams(location.search);
  const position = asked.get("position");
  asked.delete("position");
  const { variant } = await rulebook(pathParts()[1] ?? "", asked.size ? `?${asked}` : "");
  entitle(t("{game}: position editor", { game: t(variant.name) }));
  const editor = new SetUp(
    variant,
    (asked) => checkPosition(variant.id, variant.options, asked),
    ({ problem }, fine) => {
      byId("play").toggleAttribute("disabled", !fine);
      byId("study").toggleAttribute("disabled", !fine && !problem);
    },
    byId,
  );
  const there = () =>
    new URLSearchParams({ ...variant.options, position: /** @type {HTMLInputElement} */ (byId("text")).value });
  onClick("play", () => location.assign(`${ROOT}new/${variant.id}?${there()}`));
  onClick("study", () => location.assign(`${ROOT}study?variant=${variant.id}&${there()}`));
  editor.set(variant.start, "b");
  if (position) await editor.read(position);
} catch (error) {
  byId("notice").textContent = t("The editor could not be loaded: {fault}", { fault: fault(error) });
}
