// Trees: choose one, choose an algorithm, and step through its search. The address always says what is shown.

import { ask, address, Refused } from "./api.js";
import { byId, copyLink, el, every, fill, first } from "./dom.js";
import { drawing, fitted, keep } from "./figures.js";
import { edit, startEditor } from "./trees-editor.js";
import { changeZoom, letPull, showZoom } from "./trees-zoom.js";

const FIRST = { name: "fb01/fig-10", algorithm: "monte-carlo" };
const LONGEST_TEXT = 200_000;
const WIDEST = 520;
const PACE = 1100;
const GROUPS = [
  ["fb01/", "FB01 and FBM97"],
  ["ours/", "Ours: where a refinement does worse"],
  ["bmv96/", "BMV96: games with information sets"],
];
const EXAMPLE_TREE = `{"title": "Guess later, or settle now",
 "worlds": 4,
 "root": {"name": "a", "moves": ["wait", "settle"], "max": [
   {"name": "b", "min": [
     {"name": "c", "moves": ["low", "high"], "max": [
       {"payoff": [1, 1, 0, 0]},
       {"payoff": [0, 0, 1, 1]}]}]},
   {"payoff": [1, 1, 1, 0]}]}}`;
const EXAMPLE_GAME = `EFG 2 R "Matching pennies" { "Ann" "Bob" } ""
p "" 1 1 "" { "heads" "tails" } 0
p "" 2 1 "" { "heads" "tails" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1 1 }
p "" 2 1 "" { "heads" "tails" } 0
t "" 2 "" { -1 1 }
t "" 1 "" { 1 -1 }`;

/** What is shown; a step of null is the last. */
const state = { source: "papers", name: FIRST.name, algorithm: FIRST.algorithm, step: null };
let listing = { trees: [], games: [] };
let found = null;
let asking = new AbortController();
let playing = null;

// ---------------------------------------------------------------- the address

function readAddress() {
  const query = new URLSearchParams(location.search);
  const fresh = !query.has("name");
  state.source = query.has("own") ? "own" : "papers";
  state.name = fresh ? FIRST.name : query.get("name");
  state.algorithm = fresh ? FIRST.algorithm : query.get("algorithm");
  state.step = query.has("step") ? Math.max(0, Number(query.get("step")) || 0) : null;
}

function writeAddress() {
  const { name, algorithm, step } = state;
  const query = state.source === "own" ? { own: 1 } : { name, algorithm, step };
  history.replaceState(null, "", address("/trees", query));
}

/** Your own tree survives a reload, in this window. */
function keepOwn(text) {
  try {
    sessionStorage.setItem("own tree", text);
  } catch {
    // not kept, and nothing worse
  }
}

const keptOwn = () => {
  try {
    return sessionStorage.getItem("own tree") ?? "";
  } catch {
    return "";
  }
};

// ---------------------------------------------------------------- asking

async function update() {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  stop();
  writeAddress();
  if (state.source === "own") keepOwn(byId("text").value);
  if (state.source === "own" && !byId("text").value.trim()) return showNothing();
  try {
    const options = { signal, onWaiting: () => showStatus("Waiting for another search to end.") };
    showStatus("Searching …");
    const { name, algorithm } = state;
    const text = byId("text").value;
    if (state.source === "own") found = await ask("/api/tree/own", given({ text, algorithm }), { ...options, post: true });
    else found = await ask("/api/tree", { name, algorithm }, options);
    showFault(null);
    showFound();
  } catch (error) {
    if (!signal.aborted) showFault(error);
  }
}

const given = (inputs) => Object.fromEntries(Object.entries(inputs).filter(([, value]) => value));

// ---------------------------------------------------------------- showing

function showFound() {
  showStatus("");
  byId("results").hidden = byId("table").hidden = false;
  state.algorithm = found.chosen.name;
  if (found.name) state.name = byId("name").value = found.name;
  byId("about").textContent = listed(state.name)?.words ?? "";
  byId("search-title").textContent = found.title;
  const verdict = found.chosen.optimal === false ? "missed" : "";
  byId("summary").textContent = found.chosen.words;
  byId("summary").className = `summary ${verdict}`;
  byId("why").textContent = found.chosen.why ?? "";
  showAlgorithms();
  showFigures();
  showSteps();
  showStep();
  byId("copy").hidden = state.source === "own";
}

function showAlgorithms() {
  const rows = found.algorithms.map((row) => {
    const chosen = row.name === state.algorithm;
    const on = { click: () => chooseAlgorithm(row.name) };
    const button = el("button", { type: "button", "aria-pressed": String(chosen), on }, row.name);
    const mark = row.optimal ? "optimal" : row.optimal === false ? "missed" : "soft";
    return el(
      "tr",
      { class: chosen ? "chosen" : "", data: { algorithm: row.name } },
      el("td", { class: "name" }, button),
      el("td", { class: "number" }, row.believed),
      el("td", { class: "number" }, row.value),
      el("td", { class: mark }, row.verdict),
    );
  });
  fill(byId("algorithms"), ...rows);
}

function showFigures() {
  const { chosen, exact } = found;
  const beside = exact !== null && exact.name !== chosen.name;
  byId("chosen-caption").textContent = `${chosen.name}, ${found.sizes}`;
  byId("exact-figure").hidden = !beside;
  showFigure("chosen-figure", chosen);
  if (beside) showFigure("exact-figure", exact);
  byId("exact-figure").querySelector("figcaption").textContent = beside ? `${exact.name}: ${exact.caption}` : "";
  const wide = every(".drawing svg").some((svg) => svg.width.baseVal.value > WIDEST);
  byId("results").querySelector(".figures").className = `figures ${wide ? "wide" : ""} ${beside ? "" : "alone"}`;
  byId("save").hidden = !chosen.svg;
}

function showFigure(id, { svg, undrawn }) {
  const box = byId(id).querySelector(".drawing");
  if (!svg) return fill(box, el("p", { class: "undrawn soft" }, `Not drawn: ${undrawn}.`));
  const picture = drawing(svg);
  fill(box, picture);
  fitted(picture);
  // One that is much wider than the page is scrolled, not made too small to read; one looks at its root first.
  picture.classList.toggle("large", picture.width.baseVal.value > 900);
  showZoom();
  box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
}

function showSteps() {
  const { steps, svg } = found.chosen;
  const stepped = steps.length > 0 && svg !== null;
  byId("stepping").hidden = byId("keys").hidden = !stepped;
  byId("at").max = steps.length;
  const tree = found.kind === "tree";
  const signs = tree
    ? [["sign", "MAX"], ["sign round", "MIN"], ["sign box", "a vector backed up"], ["sign line", "chosen by MAX"]]
    : [["sign line", "chosen"]];
  if (steps.some((step) => step.fault === "fused")) signs.push(["sign fused", "strategies fused"]);
  if (steps.some((step) => step.fault === "misled")) signs.push(["sign misled", "the best strategy goes another way"]);
  fill(byId("legend"), ...signs.map(([sign, word]) => el("li", {}, el("span", { class: sign }), word)));
}

/** Uncover the figure up to the step: vectors appear, branches become bold, faults are marked. */
function showStep() {
  const { steps } = found.chosen;
  if (!steps.length) return;
  const at = Math.min(state.step ?? steps.length, steps.length);
  const done = new Map(steps.slice(0, at).map((step) => [String(step.node), step]));
  const box = byId("chosen-figure").querySelector(".drawing");
  for (const part of box.querySelectorAll(".vector, .cut, .node")) showPart(part, done, steps[at - 1]);
  for (const branch of box.querySelectorAll(".branch.chosen")) {
    branch.classList.toggle("waiting", !done.has(branch.dataset.from));
  }
  byId("at").value = at;
  byId("count").textContent = `${at} of ${steps.length}`;
  const words = byId("step-words");
  words.textContent = at ? steps[at - 1].words : "Nothing is backed up yet: the payoffs stand below the leaves, a row for each world.";
  words.className = `step-words ${(at && steps[at - 1].fault) || ""}`;
  for (const id of ["first", "back"]) byId(id).disabled = at === 0;
  for (const id of ["next", "last"]) byId(id).disabled = at === steps.length;
}

function showPart(part, done, now) {
  const node = part.dataset.node ?? part.closest("[data-node]").dataset.node;
  const step = done.get(node);
  if (!part.classList.contains("node")) part.classList.toggle("unseen", !step);
  part.classList.toggle("now", Boolean(step) && step === now);
  for (const fault of ["fused", "misled"]) part.classList.toggle(fault, step?.fault === fault);
}

function showNothing() {
  found = null;
  byId("results").hidden = byId("table").hidden = true;
  showFault(null);
  showStatus("");
}

/** What is wrong; nothing else is shown, because it would be about another tree. */
function showFault(error) {
  const words = error instanceof Refused ? error.message : error ? "The server does not answer: is it running?" : "";
  byId("fault").hidden = !words;
  byId("fault").textContent = words;
  byId("text").setAttribute("aria-invalid", String(error?.where === "text"));
  if (!error) return;
  showStatus("");
  byId("results").hidden = byId("table").hidden = true;
  found = null;
}

function showStatus(words) {
  byId("status").textContent = words;
}

// ---------------------------------------------------------------- stepping

function go(step) {
  if (!found?.chosen.steps.length) return;
  const { length } = found.chosen.steps;
  const at = Math.max(0, Math.min(length, step));
  state.step = at === length ? null : at;
  writeAddress();
  showStep();
}

const here = () => Math.min(state.step ?? Infinity, found?.chosen.steps.length ?? 0);

function play() {
  if (playing) return stop();
  if (here() === found.chosen.steps.length) go(0);
  byId("play").textContent = "Pause";
  playing = setInterval(() => {
    go(here() + 1);
    if (state.step === null) stop();
  }, PACE);
}

function stop() {
  clearInterval(playing);
  playing = null;
  byId("play").textContent = "Play";
}

function shortcut(event) {
  if (event.target.matches?.("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey || !found) return;
  const steps = { ArrowLeft: here() - 1, ArrowRight: here() + 1, Home: 0, End: Infinity };
  if (event.key in steps) {
    event.preventDefault();
    stop();
    go(steps[event.key]);
  } else if (event.key === "p" && found.chosen.steps.length) {
    play();
  }
}

// ---------------------------------------------------------------- choosing

function chooseAlgorithm(name) {
  state.algorithm = name;
  state.step = null;
  update().then(() => first(`[data-algorithm="${CSS.escape(name)}"] button`)?.focus());
}

function chooseName(name) {
  const wasTree = listing.trees.some((one) => one.name === state.name);
  const isTree = listing.trees.some((one) => one.name === name);
  if (wasTree !== isTree) state.algorithm = null;
  Object.assign(state, { name, step: null });
  update();
}

function chooseSource(source) {
  state.source = source;
  byId("papers").hidden = source !== "papers";
  byId("own").hidden = source !== "own";
  byId("to-papers").setAttribute("aria-pressed", String(source === "papers"));
  byId("to-own").setAttribute("aria-pressed", String(source === "own"));
}

function changeSource(source) {
  chooseSource(source);
  Object.assign(state, { algorithm: null, step: null });
  update();
}

function searchOwn(text = null) {
  if (text !== null) byId("text").value = text;
  edit(byId("text").value);
  Object.assign(state, { algorithm: null, step: null });
  const long = byId("text").value.length;
  if (long <= LONGEST_TEXT) return update();
  const error = `expected a text of at most ${LONGEST_TEXT.toLocaleString("en")} characters, found ${long.toLocaleString("en")}`;
  showFault(new Refused({ error, where: "text" }));
}

/** The outline has changed: the text follows, and is searched. */
function rewrite(text) {
  byId("text").value = text;
  state.step = null;
  update();
}

async function takeFile(file) {
  if (!file) return;
  if (file.size > 4 * LONGEST_TEXT) return showFault(new Refused({ error: `${file.name} is too large`, where: "text" }));
  searchOwn(await file.text());
}

const listed = (name) => [...listing.trees, ...listing.games].find((one) => one.name === name || one.aliases?.includes(name));

// ---------------------------------------------------------------- starting

function makeNames() {
  const groups = GROUPS.map(([prefix, label]) => {
    const names = [...listing.trees, ...listing.games].filter((one) => one.name.startsWith(prefix));
    const options = names.map((one) => el("option", { value: one.name }, `${one.name}: ${beginning(one.words)}`));
    return el("optgroup", { label }, ...options);
  });
  fill(byId("name"), ...groups);
  byId("name").value = listed(state.name)?.name ?? "";
}

/** The first few words of a caption. */
function beginning(words) {
  const start = words.split(/[.:;](?:\s|$)/)[0];
  return start.length <= 42 ? start : `${start.slice(0, 40).replace(/\s\S*$/, "")} …`;
}

function listen() {
  byId("name").addEventListener("change", (event) => chooseName(event.target.value));
  byId("to-papers").addEventListener("click", () => changeSource("papers"));
  byId("to-own").addEventListener("click", () => changeSource("own"));
  byId("search").addEventListener("click", () => searchOwn());
  byId("example-tree").addEventListener("click", () => searchOwn(EXAMPLE_TREE));
  byId("example-game").addEventListener("click", () => searchOwn(EXAMPLE_GAME));
  byId("file").addEventListener("change", (event) => takeFile(event.target.files[0]));
  byId("copy").addEventListener("click", copyLink);
  byId("save").addEventListener("click", () => keep(found.chosen.svg, `${found.title}-${found.chosen.name}.svg`.replaceAll(/[^\w.-]+/g, "-")));
  const moves = { first: () => 0, back: () => here() - 1, next: () => here() + 1, last: () => Infinity };
  for (const [id, to] of Object.entries(moves)) byId(id).addEventListener("click", () => (stop(), go(to())));
  byId("at").addEventListener("input", (event) => (stop(), go(Number(event.target.value))));
  byId("play").addEventListener("click", play);
  for (const [id, direction] of Object.entries({ smaller: -1, fit: 0, larger: 1 })) {
    byId(id).addEventListener("click", () => changeZoom(direction));
  }
  every(".drawing").forEach(letPull);
  startEditor(() => byId("text").value, rewrite);
  addEventListener("keydown", shortcut);
  listenForFiles();
}

/** A file dropped anywhere on the page is one's own tree. */
function listenForFiles() {
  const over = (is) => byId("text").classList.toggle("over", is);
  addEventListener("dragover", (event) => (event.preventDefault(), over(true)));
  addEventListener("dragleave", () => over(false));
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    chooseSource("own");
    takeFile(event.dataTransfer.files[0]);
  });
}

async function start() {
  listen();
  readAddress();
  byId("text").value = keptOwn();
  chooseSource(state.source);
  try {
    listing = await ask("/api/trees", {});
    makeNames();
  } catch (error) {
    return showFault(error);
  }
  update();
}

start();
