// The tree editor: an outline of a tree in JSON, in which nodes are added, removed and named and payoffs are written.

import { byId, el, fill } from "./dom.js";

const PLAIN = { worlds: 2, root: { max: [{ payoff: [1, 0] }, { payoff: [0, 1] }] } };
const NO_TREE = "The outline is for trees in JSON. Search what stands above first, or begin a new tree.";

/** The tree as it stands, and who wants to hear of every change. */
let tree = null;
let changed = () => {};

/** Listen; `read` is the text that is edited, `write` gets it whenever it has changed. */
export function startEditor(read, write) {
  changed = () => {
    write(JSON.stringify(tree, null, 1));
    show();
  };
  byId("edit").addEventListener("toggle", () => byId("edit").open && edit(read()));
  byId("plain").addEventListener("click", () => ((tree = structuredClone(PLAIN)), changed()));
}

/** Show the outline of another text, if the editor is open. */
export function edit(text) {
  if (!byId("edit").open) return;
  try {
    tree = JSON.parse(text);
  } catch {
    tree = null;
  }
  show();
}

function show() {
  if (!tree?.root) return fill(byId("outline"), el("p", { class: "soft small" }, NO_TREE));
  const worlds = el("input", { type: "number", min: 1, max: 64, value: tree.worlds, on: { change: (event) => setWorlds(Number(event.target.value)) } });
  const root = el("ul", { class: "outline" }, item(tree.root, null, 0));
  return fill(byId("outline"), el("label", { class: "row small" }, "Worlds", worlds), root);
}

/** Every leaf gets as many payoffs as there are worlds. */
function setWorlds(count) {
  if (!Number.isInteger(count) || count < 1) return;
  const resize = (node) => {
    if (node.payoff) node.payoff = Array.from({ length: count }, (_, world) => node.payoff[world] ?? 0);
    for (const child of childrenOf(node)) resize(child);
  };
  tree.worlds = count;
  resize(tree.root);
  changed();
}

const childrenOf = (node) => node.max ?? node.min ?? [];

function item(node, parent, place) {
  const head = el("div", { class: "row node-line" });
  const named = parent ? moveName(parent, place) : null;
  const remove = parent ? button("Remove", () => removeChild(parent, place)) : null;
  if (node.payoff) {
    fill(head, named, payoffInput(node), button("Let somebody choose", () => branch(node)), remove);
    return el("li", {}, head);
  }
  const add = button("Add a move", () => addLeaf(node));
  fill(head, named, whose(node), add, remove);
  return el("li", {}, head, el("ul", {}, ...childrenOf(node).map((child, number) => item(child, node, number))));
}

const button = (words, work) => el("button", { type: "button", class: "quiet small", on: { click: () => (work(), changed()) } }, words);

function moveName(parent, place) {
  const change = (event) => {
    parent.moves ??= childrenOf(parent).map((_, number) => String(number + 1));
    parent.moves[place] = event.target.value || String(place + 1);
    changed();
  };
  const value = parent.moves?.[place] ?? "";
  return el("input", { type: "text", class: "move-name", "aria-label": `Name of move ${place + 1}`, placeholder: `move ${place + 1}`, maxLength: 20, value, on: { change } });
}

function payoffInput(node) {
  const change = (event) => {
    const given = event.target.value.split(/[\s,]+/).filter(Boolean).map((word) => (word === "-" ? null : Number(word)));
    const right = given.length === tree.worlds && !given.some(Number.isNaN);
    event.target.setAttribute("aria-invalid", String(!right));
    if (!right) return;
    node.payoff = given;
    changed();
  };
  const value = node.payoff.map((payoff) => payoff ?? "-").join(" ");
  return el("input", { type: "text", class: "payoffs", "aria-label": "Payoffs, one for each world", title: `One for each of ${tree.worlds} worlds`, value, on: { change } });
}

/** MAX or MIN: whose choice it is. */
function whose(node) {
  const turn = (event) => {
    const children = childrenOf(node);
    delete node.max;
    delete node.min;
    node[event.target.value] = children;
    changed();
  };
  const options = ["max", "min"].map((side) => el("option", { value: side, selected: side in node }, side.toUpperCase()));
  return el("select", { "aria-label": "Who chooses", on: { change: turn } }, ...options);
}

const leaf = () => ({ payoff: Array.from({ length: tree.worlds }, () => 0) });

function addLeaf(node) {
  childrenOf(node).push(leaf());
  node.moves?.push(String(childrenOf(node).length));
}

function branch(node) {
  const { payoff } = node;
  delete node.payoff;
  node.max = [{ payoff }, leaf()];
}

/** A choice of which the last move is removed becomes a leaf again. */
function removeChild(parent, place) {
  childrenOf(parent).splice(place, 1);
  parent.moves?.splice(place, 1);
  if (childrenOf(parent).length) return;
  for (const key of ["max", "min", "moves"]) delete parent[key];
  Object.assign(parent, leaf());
}
