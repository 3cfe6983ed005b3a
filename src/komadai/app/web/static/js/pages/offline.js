// @ts-check
/** The page that is shown where the server cannot be reached; it is only translated. */

import "../lib/i18n.js";
