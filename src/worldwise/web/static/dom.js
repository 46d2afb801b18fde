// The few things that every page does with elements.

/**
 * An element: properties by name, `class`, `data` and `on` (listeners) apart; children are elements or texts.
 * @param {string} tag
 * @param {{class?: string, data?: Record<string, any>, on?: Record<string, (event: any) => any>, [name: string]: any}} properties
 * @param {...(Node | string | null | undefined)} children
 * @returns {any} an element of that tag
 */
export function el(tag, properties = {}, ...children) {
  const { class: className, data = {}, on = {}, ...rest } = properties;
  const element = document.createElement(tag);
  if (className) element.className = className;
  Object.assign(element.dataset, data);
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener);
  for (const [name, value] of Object.entries(rest)) {
    if (value === false || value === null || value === undefined) continue;
    if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * The element of the page that has this id; what it can do is known to whoever asks for it.
 * @param {string} id
 * @returns {any}
 */
export const byId = (id) => document.getElementById(id);

/**
 * The first element that fits, on the page or within another.
 * @param {string} selector
 * @returns {any}
 */
export const first = (selector, within = document) => within.querySelector(selector);

/**
 * All elements that fit.
 * @param {string} selector
 * @returns {any[]}
 */
export const every = (selector, within = document) => [...within.querySelectorAll(selector)];

/**
 * Where the keyboard is.
 * @returns {any}
 */
export const focused = () => document.activeElement;

/** The elements in place of what is there, unless it is the same. */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

/** A chance as bridge players read it. */
export const percent = (chance) => `${(100 * chance).toFixed(2)} %`;

/** A bar of some share of its track. */
export function bar(share, className = "") {
  const filled = el("span", { class: "fill" });
  filled.style.inlineSize = `${Math.min(100, 100 * share)}%`;
  return el("span", { class: `bar ${className}`, "aria-hidden": "true" }, filled);
}

/** Wait until nothing has happened for so many milliseconds. */
export function debounced(work, milliseconds) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}

/** Arrow keys, Home and End move within a group; Tab leaves it. */
export function roving(group, selector) {
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  group.addEventListener("keydown", (event) => {
    const items = [...group.querySelectorAll(selector)];
    const here = items.indexOf(document.activeElement);
    if (here < 0) return;
    const to = event.key === "Home" ? 0 : event.key === "End" ? items.length - 1 : here + (steps[event.key] ?? NaN);
    if (!items[to]) return;
    event.preventDefault();
    for (const item of items) item.tabIndex = item === items[to] ? 0 : -1;
    items[to].focus();
  });
}

// What the button "copy" of a page does: the address of what is shown, to be pasted elsewhere.
export async function copyLink() {
  const button = byId("copy");
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy it from the address bar";
  }
  setTimeout(() => (button.textContent = "Copy link"), 2000);
}
