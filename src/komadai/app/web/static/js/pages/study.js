// @ts-check
/** Entry point of the page of a study. */

import { fault } from "../lib/phrases.js";
import { findStudy } from "../study/open.js";
import { listenForOpening, showOpenDialog } from "../study/open_dialog.js";
import { StudyPage } from "../study/page.js";

listenForOpening();
try {
  const found = await findStudy();
  if (found) {
    document.body.classList.remove("empty");
    const page = new StudyPage(found.study, found.id);
    const query = new URLSearchParams(location.search);
    const ply = Number(query.get("ply"));
    if (ply) page.step(ply);
    if (query.has("review")) page.review.start();
  } else await showOpenDialog();
} catch (error) {
  void showOpenDialog(fault(error));
}
