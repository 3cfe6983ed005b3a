// @ts-check
/** The page from which a game is printed. */

import { byId } from "../lib/dom.js";

byId("print").addEventListener("click", () => print());
