// @ts-check
/** The page from which a game is printed. */

import { onClick } from "../lib/dom.js";

onClick("print", () => print());
