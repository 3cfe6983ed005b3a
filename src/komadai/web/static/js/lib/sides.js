// @ts-check
/** The two sides: their names, signs and order. */

import { t } from "./i18n.js";

/** @typedef {import("../types/wire").Side} Side */

/** Both sides, the first mover first. @type {readonly Side[]} */
export const SIDES = ["b", "w"];

/** The translated names. @type {Record<Side, string>} */
export const SIDE_NAMES = { b: t("Black"), w: t("White") };

/** The signs used in Japanese notation. @type {Record<Side, string>} */
export const SIDE_SIGNS = { b: "☗", w: "☖" };

/** The opponent of each side. @type {Record<Side, Side>} */
export const OTHER = { b: "w", w: "b" };
