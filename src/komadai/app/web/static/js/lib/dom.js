// @ts-check
/** Helpers that create, find and fill elements, and listen to them. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Record<string, string | number | boolean | null | undefined>} Attributes
 * @typedef {(Node | string | null | undefined)[]} Children
 */

/** @param {Element} element @param {Attributes} attributes @param {Children} children */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
}

/**
 * Create an HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Attributes} [attributes] @param {Children} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/**
 * Create an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Attributes} [attributes] @param {Children} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  fill(element, attributes, children);
  return element;
}

/**
 * Create a button with a click handler.
 * @param {Attributes} attributes @param {() => void} act @param {Children} children
 */
export function button(attributes, act, ...children) {
  const made = h("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("click", act);
  return made;
}

/** A name that somebody has chosen: of any length and in any script. @param {string} name */
export function nameTag(name) {
  return h("bdi", { class: "name", title: name }, name);
}

/** Set the text of an element, unless it has it: it may be announced. @param {string} id @param {string} words */
export function say(id, words) {
  if (byId(id).textContent !== words) byId(id).textContent = words;
}

/** Set the title of the page, above it and in its tab. @param {string} title */
export function entitle(title) {
  byId("title").textContent = title;
  document.title = `${title} – Komadai`;
}

/** The element with an id, which the HTML of the page must have. @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

/** Listen to clicks on the element with an id. @param {string} id @param {(event: MouseEvent) => void} act */
export function onClick(id, act) {
  byId(id).addEventListener("click", act);
}

/** Do something instead of sending the form with an id. @param {string} id @param {() => void} act */
export function onSubmit(id, act) {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}

/** Note by what an element has been filled; returns whether it was that before. @param {HTMLElement} element @param {string} key */
export function filledBy(element, key) {
  const same = element.dataset.key === key;
  element.dataset.key = key;
  return same;
}

/** Give the focus back to what had it. @param {Element | null} before */
export function focusAgain(before) {
  if (before instanceof HTMLElement || before instanceof SVGElement) before.focus({ preventScroll: true });
}
