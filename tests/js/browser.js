/** What the tested modules need of a browser: storage, a page address, settings of the system, and plain elements. */

/** Like the browser's, it has its keys as properties. */
class Storage {
  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }

  setItem(key, value) {
    this[key] = String(value);
  }

  removeItem(key) {
    delete this[key];
  }

  clear() {
    for (const key of Object.keys(this)) delete this[key];
  }
}

/** An element that keeps its name, attributes and children. */
class FakeElement {
  constructor(name) {
    this.name = name;
    this.attributes = {};
    this.children = [];
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  append(...children) {
    this.children.push(...children);
  }
}

const listening = { addEventListener() {}, dispatchEvent() {} };
const globals = {
  window: listening,
  document: {
    ...listening,
    documentElement: {},
    querySelectorAll: () => [],
    createElement: (name) => new FakeElement(name),
    createElementNS: (_namespace, name) => new FakeElement(name),
  },
  navigator: { languages: ["en"] },
  location: { pathname: "/", hash: "", protocol: "http:", host: "localhost" },
  history: { replaceState() {} },
  localStorage: new Storage(),
  sessionStorage: new Storage(),
  matchMedia: () => ({ matches: false }),
};
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
