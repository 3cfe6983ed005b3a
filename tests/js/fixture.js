/** Positions as the server sends them; written by make_fixtures.py. */

import { readFileSync } from "node:fs";

import { kindsByCode } from "#js/board/piece_names.js";
import { link, StepWalk } from "#js/moves/step_walk.js";

/** A position with its variant, its kinds by code and a walk at the root of its tree. */
export function fixture(name) {
  const { variant, position } = JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), "utf8"));
  link(position.tree, position.shared, variant.hands.length > 0);
  return { variant, position, kinds: kindsByCode(variant), walk: new StepWalk(position.tree) };
}
