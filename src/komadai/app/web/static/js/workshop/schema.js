// @ts-check
/** What may stand at a place of a variant file, by its JSON Schema. */

/**
 * @typedef {{
 *   $ref?: string, $defs?: Record<string, Schema>, anyOf?: Schema[], type?: string, description?: string,
 *   properties?: Record<string, Schema>, items?: Schema, prefixItems?: Schema[], enum?: unknown[], const?: unknown,
 *   additionalProperties?: boolean | Schema,
 * }} Schema
 */
/** A place: the keys down to it (`[]` for an entry of a list), and what is expected there. */
/** @typedef {{ path: string[], expects: "key" | "value", typed: string, quoted: boolean, top: boolean }} Place */
/** A suggestion: what is shown and typed, and what it means. @typedef {{ label: string, text: string, about: string }} Suggestion */

const WORD = /[A-Za-z0-9_+-]/;
const LISTS = ["kinds", "rules", "handicaps", "options"];
const MOST = 40; // suggestions

/** The end of the string that begins at a quote, or the end of the text. @param {string} text @param {number} from */
function endOfString(text, from) {
  const quote = text[from] ?? "";
  const long = text.startsWith(quote.repeat(3), from);
  const mark = long ? quote.repeat(3) : quote;
  let at = from + mark.length;
  while (at < text.length && !text.startsWith(mark, at)) {
    if (!long && text[at] === "\n") return at;
    at += quote === '"' && text[at] === "\\" ? 2 : 1;
  }
  return Math.min(text.length, at + mark.length);
}

/** The keys of a dotted key. @param {string} text */
function keysOf(text) {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)].map(
    ([, one, two, bare]) => one ?? two ?? bare ?? "",
  );
}

/** A table or list that is open at a place. @typedef {{ list: boolean, keys: string, value: boolean }} Level */

/**
 * The place at the end of the beginning of a file; `null` within a comment.
 * @param {string} text @returns {Place | null}
 */
export function placeAt(text) {
  /** @type {string[]} */
  let base = [];
  /** @type {Level[]} */
  let levels = [{ list: false, keys: "", value: false }];
  let typed = "";
  let at = 0;
  const last = () => /** @type {Level} */ (levels[levels.length - 1]);
  while (at < text.length) {
    const char = text[at] ?? "";
    if (char === "#") {
      const end = text.indexOf("\n", at);
      if (end < 0) return null;
      at = end;
      continue;
    }
    if (char === '"' || char === "'") {
      const end = endOfString(text, at);
      if (end >= text.length && !/["']\s*$/.test(text.slice(at + 1)))
        return {
          path: pathOf(base, levels),
          expects: last().value || last().list ? "value" : "key",
          typed: text.slice(at + 1),
          quoted: true,
          top: levels.length === 1,
        };
      if (!last().value) last().keys += text.slice(at, end);
      typed = "";
      at = end;
      continue;
    }
    if (levels.length === 1 && !last().value && !last().keys && char === "[") {
      const found = /^\[{1,2}([^\]\n]*)\]{0,2}/.exec(text.slice(at));
      const keys = keysOf(found?.[1] ?? "");
      base = keys.flatMap((key, index) => (index === 0 && LISTS.includes(key) ? [key, "[]"] : [key]));
      at += found?.[0].length ?? 1;
      continue;
    }
    if (WORD.test(char)) typed += char;
    else if (char !== ".") typed = "";
    if (char === "\n" && levels.length === 1) levels = [{ list: false, keys: "", value: false }];
    else if (char === "=" && !last().list && !last().value) {
      last().value = true;
      typed = "";
    } else if (char === "{") levels.push({ list: false, keys: "", value: false });
    else if (char === "[") levels.push({ list: true, keys: "", value: true });
    else if ((char === "}" || char === "]") && levels.length > 1) levels.pop();
    else if (char === "," && !last().list) {
      last().keys = "";
      last().value = false;
    } else if (!last().value && (WORD.test(char) || char === ".")) last().keys += char;
    at++;
  }
  return {
    path: pathOf(base, levels),
    expects: last().value ? "value" : "key",
    typed,
    quoted: false,
    top: levels.length === 1,
  };
}

/** The keys down to the innermost level. @param {string[]} base @param {Level[]} levels */
function pathOf(base, levels) {
  const path = [...base];
  for (const level of levels) {
    if (level.list) path.push("[]");
    else if (level.value) path.push(...keysOf(level.keys));
  }
  return path;
}

/** The alternatives of a schema. @param {Schema} schema @param {Schema} root @returns {Schema[]} */
function alternatives(schema, root) {
  if (schema.$ref) {
    const found = root.$defs?.[schema.$ref.replace("#/$defs/", "")];
    return found ? alternatives(found, root) : [];
  }
  if (!schema.anyOf) return [schema];
  return schema.anyOf.flatMap((one) => alternatives(one, root));
}

/** The schemas of what stands at a path. @param {Schema} root @param {string[]} path */
function schemasAt(root, path) {
  let found = alternatives(root, root);
  for (const part of path)
    found = found.flatMap((schema) => {
      const inside = part === "[]" ? [schema.items, ...(schema.prefixItems ?? [])] : [schema.properties?.[part]];
      return inside.flatMap((one) => (one ? alternatives(one, root) : []));
    });
  return found;
}

/** The first sentence of a description. @param {string | undefined} text */
function brief(text) {
  return (text ?? "").split(/(?<=[.;])\s/)[0] ?? "";
}

/** What may stand at a place. @param {Schema} root @param {Place} place @returns {Suggestion[]} */
export function suggestions(root, { path, expects, typed, quoted, top }) {
  /** @type {Map<string, Suggestion>} */
  const found = new Map();
  const add = (/** @type {string} */ label, /** @type {string} */ text, /** @type {string | undefined} */ about) => {
    if (label.toLowerCase().startsWith(typed.toLowerCase()) && label !== typed && !found.has(label))
      found.set(label, { label, text, about: brief(about) });
  };
  for (const schema of schemasAt(root, path)) {
    if (expects === "key")
      for (const [name, inside] of Object.entries(schema.properties ?? {})) {
        if (!(top && path.length === 0 && LISTS.includes(name))) add(name, `${name} = `, inside.description);
      }
    else {
      const words = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])];
      for (const word of words) add(String(word), quoted ? String(word) : JSON.stringify(word), schema.description);
      if (quoted) continue;
      if (schema.type === "boolean") for (const word of ["true", "false"]) add(word, word, schema.description);
      const names = Object.keys(schema.properties ?? {});
      const [only] = names;
      if (names.length === 1 && only && /^[A-Z]/.test(only)) add(only, `{ ${only} = `, schema.description);
    }
  }
  if (expects === "key" && top)
    for (const name of LISTS.filter((one) => one.startsWith(typed)))
      found.set(name, {
        label: `[[${name}]]`,
        text: `[[${name}]]\n`,
        about: brief(root.properties?.[name]?.description),
      });
  return [...found.values()].slice(0, MOST);
}
