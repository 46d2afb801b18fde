// The laboratory: the experiments and their verdicts, one of them in full, and a smoke run with live progress.

import { ask, address, Refused } from "./api.js";
import { bar, byId, el, every, fill } from "./dom.js";
import { painted } from "./figures.js";

const SIGNS = [
  ["holds", "✓", "hold"],
  ["fails", "✗", "fail"],
  ["open", "?", "open"],
];
const FEW = 12;
const WAITING = "Waiting for another search to end.";
const NARROWEST = 480;
const PAPERS = {
  fb01: "FB01: search against best defence",
  beyond: "Beyond the papers",
  bmv96: "BMV96: games with information sets",
  clv21: "CLV21: αμ at bridge",
  pns06: "PNS06: kriegspiel",
};

const state = { experiment: null };
let listing = [];
let reading = new AbortController();
let running = new AbortController();
let progress = null;

// ---------------------------------------------------------------- the list

async function readList() {
  showFault(null);
  showStatus("Reading the list of experiments …");
  byId("experiments").setAttribute("aria-busy", "true");
  try {
    await ask("/api/lab", {}, { post: true, onStep: showList, onWaiting: () => showStatus(WAITING) });
  } catch (error) {
    showFault(error);
  }
  showStatus("");
  byId("experiments").setAttribute("aria-busy", "false");
}

function showList({ folder, total, experiments }) {
  listing = experiments;
  const shipped = experiments.filter((one) => one.shipped).length;
  const run = experiments.filter((one) => one.run).length - shipped;
  byId("folder").textContent =
    `${shipped} by rows that come with worldwise, ${run} by rows in ${folder}. What you run takes the place of what came with it.`;
  showStatus(experiments.length < total ? `Reading … ${experiments.length} of ${total}` : "");
  const papers = [...new Set(experiments.map((one) => one.id.split("/")[0]))];
  fill(byId("experiments"), ...papers.map((paper) => group(paper, experiments)));
  showScore(experiments);
}

function group(paper, experiments) {
  const items = experiments.filter((one) => one.id.split("/")[0] === paper).map((one) => el("li", {}, entry(one)));
  return el("div", { class: "group" }, el("h3", {}, PAPERS[paper] ?? paper), el("ul", {}, ...items));
}

function entry(one) {
  const pressed = String(one.id === state.experiment);
  return el(
    "button",
    { type: "button", class: "experiment", "aria-pressed": pressed, data: { experiment: one.id }, on: { click: () => choose(one.id) } },
    el("span", { class: "title" }, one.title),
    el("span", { class: "id" }, one.id, rowsFrom(one), one.fault ? ": a file cannot be read in full" : ""),
    marks(one),
  );
}

const rowsFrom = (one) => (one.shipped ? " · shipped" : one.run ? ` · your ${one.scale} run` : " · not run yet");

function marks(one) {
  if (!one.run) return el("span", { class: "marks soft" }, one.fault ? "!" : "–", el("span", { class: "only-heard" }, "not run"));
  const shown = SIGNS.filter(([kind]) => one.counts[kind]).map(([kind, sign, word]) =>
    el("span", { class: kind, title: word }, `${sign} ${one.counts[kind]}`, el("span", { class: "only-heard" }, ` ${word}`)),
  );
  return el("span", { class: "marks" }, ...shown);
}

function showScore(experiments) {
  const parts = SIGNS.map(([kind, , word]) => {
    const count = experiments.reduce((sum, one) => sum + one.counts[kind], 0);
    return el("div", {}, el("dt", {}, word), el("dd", { class: kind }, String(count)));
  });
  fill(byId("score"), ...parts);
}

// ---------------------------------------------------------------- one experiment

async function choose(name) {
  state.experiment = name;
  history.replaceState(null, "", address("/laboratory", { experiment: name }));
  for (const button of every(".experiment")) {
    button.setAttribute("aria-pressed", String(button.dataset.experiment === name));
  }
  running.abort();
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  showFault(null);
  showReading(name);
  try {
    const onWaiting = () => showBanner(WAITING, false);
    showReport(await ask("/api/lab/report", { experiment: name }, { signal, post: true, onWaiting }));
  } catch (error) {
    if (signal.aborted) return;
    byId("run-words").hidden = true;
    showFault(error);
  }
  byId("run").setAttribute("aria-busy", "false");
}

/** What is being read, in place of what was there: its title stands in the list, if that has come. */
function showReading(name) {
  const listed = listing.find((one) => one.id === name);
  byId("run").setAttribute("aria-busy", "true");
  byId("run-id").textContent = listed ? `${name} · ${listed.source}` : "";
  byId("run-title").textContent = listed?.title ?? name;
  byId("told").hidden = byId("smoke").hidden = true;
  showProgress(null);
  byId("smoke-words").hidden = true;
  showBanner("Reading …", false);
}

function showReport(told) {
  sayFault(told.fault ?? "");
  byId("run-id").textContent = `${told.id} · ${told.source}`;
  byId("run-title").textContent = told.title;
  byId("smoke").hidden = byId("smoke-words").hidden = false;
  if (told.verdicts) return showRun(told);
  showBanner(`Not run yet. Start a smoke run here, or a real one from the command line: ${told.command}`, false);
}

/** A run: the verdicts are those of the command line, whatever the number of rows. */
function showRun(run) {
  const few = run.scale === "smoke";
  byId("told").hidden = false;
  showBanner(`${few ? "A smoke run, a few rows of everything: " : ""}${run.run}. Claims: ${run.score}.`, few);
  fill(byId("verdicts"), ...run.verdicts.map(verdict));
  const wide = Math.max(byId("picture").clientWidth, NARROWEST);
  fill(byId("picture"), run.picture ? painted(run.picture, run.title, wide) : el("p", {}, run.no_picture));
  showNumbers(run.table);
  byId("origin").textContent = run.origin;
}

function verdict({ claim, source, test, because, needed, kind, outcome }) {
  const sign = SIGNS.find(([name]) => name === kind)[1];
  return el(
    "li",
    {},
    el("span", { class: `outcome ${kind}` }, `${sign} ${outcome}`),
    el("span", {}, claim, " ", el("span", { class: "soft small" }, `(${source})`)),
    test ? el("span", { class: "because test" }, `Test: ${test}`) : null,
    el("span", { class: "because" }, because),
    needed ? el("span", { class: "because" }, `${needed[0].toUpperCase()}${needed.slice(1)}.`) : null,
  );
}

function showNumbers({ caption, columns, rows }) {
  const head = el("tr", {}, ...columns.map((name) => el("th", { scope: "col" }, name)));
  const body = rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell))));
  const title = caption ? el("caption", {}, caption) : null;
  fill(document.querySelector(".numbers"), title, el("thead", {}, head), el("tbody", {}, ...body));
  byId("numbers").open = rows.length <= FEW;
  byId("numbers").querySelector("summary").textContent = `Numbers: ${rows.length} ${rows.length === 1 ? "row" : "rows"}`;
}

function showBanner(words, rehearsed) {
  byId("run-words").hidden = false;
  byId("run-words").textContent = words;
  byId("run-words").classList.toggle("rehearsed", rehearsed);
}

// ---------------------------------------------------------------- a smoke run

async function smoke() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const name = state.experiment;
  showFault(null);
  const follow = (step) => signal.aborted || showProgress(step);
  follow({ done: 0, total: 0 });
  try {
    const options = { signal, post: true, onStep: follow, onWaiting: (ahead) => follow({ done: 0, total: 0, ahead }) };
    const { run } = await ask("/api/lab/smoke", { experiment: name }, options);
    if (signal.aborted) return;
    showProgress(null);
    showRun(run);
    byId("smoke").focus();
  } catch (error) {
    if (signal.aborted) return;
    showProgress(null);
    showFault(error);
  }
}

/** End the run on the server too; the page keeps how far it came. */
function stopSmoke() {
  running.abort();
  showRunning(false);
  byId("progress").querySelector("span:last-child").textContent = progress.total
    ? `Stopped after ${progress.done} of ${progress.total} rows.`
    : "Stopped before the first row.";
  byId("smoke").focus();
}

function showProgress(step) {
  progress = step;
  showRunning(step !== null);
  byId("progress").hidden = step === null;
  if (step === null) return;
  const judging = step.done === step.total ? ": judging …" : "";
  const rows = `${step.done} of ${step.total} rows${judging}`;
  const words = step.ahead !== undefined ? WAITING : step.total ? rows : "Starting …";
  fill(byId("progress"), bar(step.total ? step.done / step.total : 0), el("span", { class: "small" }, words));
}

function showRunning(on) {
  byId("cancel").hidden = !on;
  byId("smoke").disabled = on;
  byId("smoke-words").hidden = on || state.experiment === null;
}

// ---------------------------------------------------------------- words, and the start

function showFault(error) {
  const words = error instanceof Refused ? error.message : error ? "The server does not answer: is it running?" : "";
  sayFault(words);
}

function sayFault(words) {
  byId("fault").hidden = !words;
  byId("fault").textContent = words;
}

function showStatus(words) {
  byId("status").textContent = words;
}

/** Arrow keys go through the list as it stands. */
function moveInList(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const buttons = [...byId("experiments").querySelectorAll(".experiment")];
  const to = buttons[buttons.indexOf(document.activeElement) + step];
  if (!to) return;
  event.preventDefault();
  to.focus();
}

async function start() {
  byId("again").addEventListener("click", () => readList().then(() => state.experiment && choose(state.experiment)));
  byId("smoke").addEventListener("click", smoke);
  byId("cancel").addEventListener("click", stopSmoke);
  byId("experiments").addEventListener("keydown", moveInList);
  byId("smoke-words").hidden = true;
  const asked = new URLSearchParams(location.search).get("experiment");
  if (asked) showReading(asked);
  await readList();
  const first = asked ?? (listing.find((one) => one.run) ?? listing[0])?.id;
  if (first) choose(first);
}

start();
