// The suit explorer: reads what is typed or clicked, asks, and shows. The address always says what is shown.

import { ask, address, Refused } from "./api.js";
import { RANKS, SUITS, face, named, rankWord, written } from "./cards.js";
import { byId, copyLink, debounced, el, every, fill, roving } from "./dom.js";
import { startDrill, stopDrill } from "./suits-drill.js";
import { showComparison, showFirstLines, showGoal, showGoals, showLayouts, showLine } from "./suits-view.js";

const HANDS = ["north", "south"];
const ASSUMPTIONS = [
  ...["gone", "west_cards", "east_cards", "north_entries", "south_entries"],
  ...["west", "east", "west_length", "east_length", "ruffs", "defenders_lead"],
];
const EXAMPLES = [
  ["AKQ9", "32", "FB01’s trap"],
  ["AQT98", "5432", "finesse or drop"],
  ["AJ98", "K32", "two-way finesse"],
  ["QJ98", "32", "sampling goes wrong"],
  ["AKJ65", "432", "eight ever"],
  ["AKJxx", "xxxx", "nine never"],
  ["KJ9", "432", "a guess"],
  ["AT54", "932", "two lines"],
];
const PAUSE = 120;

/** What is shown; the answers to it are apart. */
const state = { north: "", south: "", tricks: null, why: null, suit: "s" };
let found = null;
let lines = new Map();
let ways = [];
let asking = new AbortController();

// ---------------------------------------------------------------- the address

function readAddress() {
  const query = new URLSearchParams(location.search);
  const fresh = !query.has("north") && !query.has("south");
  for (const [place, hand] of HANDS.entries()) state[hand] = fresh ? EXAMPLES[0][place] : holding(query.get(hand));
  state.tricks = query.get("tricks") === "average" ? "average" : Number(query.get("tricks")) || null;
  state.why = query.get("why");
  state.suit = SUITS.some(([letter]) => letter === query.get("suit")) ? query.get("suit") : "s";
  for (const name of HANDS) byId(name).value = state[name];
  for (const name of ASSUMPTIONS) byId(name).value = query.get(name) ?? "";
  byId("assumptions").open = ASSUMPTIONS.some((name) => query.get(name));
}

/** The address of the state. */
function here() {
  const suit = state.suit === "s" ? null : state.suit;
  const hands = { north: state.north || "-", south: state.south || "-" };
  return address("/suits", { ...hands, tricks: state.tricks, why: state.why, suit, ...assumptions() });
}

/** Another combination is an entry of the history; what is looked at of one, or typed, only changes it. */
function writeAddress({ another = false } = {}) {
  history[another ? "pushState" : "replaceState"](null, "", here());
}

/** Back or forward in the history; a jump within the page is none. */
function travel() {
  if (location.pathname + location.search !== here() || byId("explore").hidden) open();
}

/** A hand of an address: a dash is a void. */
const holding = (text) => (text === "-" ? "" : text ?? "");

const assumptions = () => Object.fromEntries(ASSUMPTIONS.map((name) => [name, byId(name).value.trim()]));
const combination = () => ({ north: state.north || "-", south: state.south || "-", ...assumptions() });

// ---------------------------------------------------------------- asking

async function update() {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  showCards();
  if (!state.north && !state.south) return showEmpty();
  byId("results").classList.add("stale");
  try {
    const asked = `${state.north}/${state.south}`;
    found = { ...(await ask("/api/suit", combination(), { signal, onWaiting: showWaiting })), asked };
    lines = new Map();
    showFound();
    await Promise.all([askLines(signal), askWays(signal)]);
  } catch (error) {
    if (!signal.aborted) showFault(error);
  }
}

/** The lines in words, the one looked at first; they fill in as they come. */
async function askLines(signal) {
  const onStep = (step) => {
    for (const line of step.lines) lines.set(line.tricks ?? "average", line);
    showGoals(found, lines, state, chooseGoal);
    showLine(lines.get(state.tricks));
  };
  const tricks = state.tricks === "average" ? null : state.tricks;
  try {
    await ask("/api/suit/lines", { ...combination(), tricks }, { signal, onStep, onWaiting: showWaiting });
  } catch (error) {
    if (signal.aborted) return;
    showStatus(error.message);
    if (!lines.has(state.tricks)) showLine({ text: "The words take too long for this one." });
  }
}

/** The ways to begin, for "why not ..."; there are none for the average. */
async function askWays(signal) {
  ways = [];
  showWays();
  if (state.tricks === "average") return;
  const step = await ask("/api/suit/first-lines", { ...combination(), tricks: state.tricks }, { signal });
  ways = step.first_lines;
  if (!ways.some((way) => way.line === state.why)) state.why = null;
  showWays();
  if (state.why) await askWhy(signal);
}

async function askWhy(signal) {
  const way = ways.find((one) => one.line === state.why);
  showComparison(way, null);
  const told = await ask("/api/suit/why", { ...combination(), tricks: state.tricks, play: way.line }, { signal });
  if (state.why === way.line) showComparison(way, told.text);
}

// ---------------------------------------------------------------- showing

function showFound() {
  byId("results").classList.remove("stale");
  const goals = found.goals.filter((goal) => goal.probability > 0);
  const known = found.goals.some((goal) => goal.tricks === state.tricks) || state.tricks === "average";
  if (!known) state.tricks = goals.length ? goals.at(-1).tricks : 1;
  writeAddress();
  showFault(null);
  showStatus("");
  byId("empty").hidden = true;
  for (const id of ["goals", "goal", "layouts"]) byId(id).hidden = false;
  byId("defenders").textContent = found.defenders;
  showCards();
  showAll();
}

function showAll() {
  showGoals(found, lines, state, chooseGoal);
  showGoal(found, state);
  showLine(lines.get(state.tricks));
  showLayouts(found, state, ways);
  byId("said").textContent = `${found.name}: ${byId("goal-title").textContent}`;
  const tricks = state.tricks === "average" ? null : state.tricks;
  byId("figure").href = address("/api/suit/figure.svg", { ...combination(), tricks });
  byId("figure").download = `suit-${found.north}-${found.south}-${state.tricks}.svg`;
  byId("play-it").hidden = !canPlay();
  closeSampling();
}

/** Whether the goal can be played in the drill: it is uncertain, and nothing unusual is assumed. */
function canPlay() {
  const goal = found.goals.find(({ tricks }) => tricks === state.tricks);
  return goal && goal.probability > 0 && goal.probability < 1 && !Object.values(assumptions()).some(Boolean);
}

function showWays() {
  byId("ways").hidden = state.tricks === "average" || ways.length < 2;
  showFirstLines(ways, state, chooseWay);
  if (!state.why) showComparison(null, null);
  showLayouts(found, state, ways);
}

function showEmpty() {
  found = null;
  for (const id of ["goals", "goal", "layouts"]) byId(id).hidden = true;
  byId("empty").hidden = false;
  byId("defenders").textContent = "";
  byId("results").classList.remove("stale");
  showFault(null);
  showStatus("");
  writeAddress();
}

/** What is wrong with the cards; the answer to what was there before stays, faded. */
function showFault(error) {
  const box = byId("fault");
  const words = error instanceof Refused ? error.message : error ? "The server does not answer: is it running?" : "";
  box.hidden = !words;
  box.textContent = words;
  for (const hand of HANDS) byId(hand).setAttribute("aria-invalid", String(Boolean(error?.where?.includes(hand))));
  if (!error) return;
  showStatus("");
  byId("empty").hidden = found !== null;
}

function showWaiting(ahead) {
  const others = ahead === 1 ? "1 search is" : `${ahead} searches are`;
  showStatus(ahead ? `Waiting: ${others} ahead of yours.` : "Waiting for another search to end.");
}

function showStatus(words) {
  byId("status").textContent = words;
}

function showCards() {
  const held = holdings();
  for (const hand of HANDS) {
    const other = held[hand === "north" ? "south" : "north"];
    for (const button of every(`[data-hand="${hand}"] .card`)) {
      const { rank } = button.dataset;
      button.setAttribute("aria-pressed", String(held[hand].includes(rank)));
      button.classList.toggle("elsewhere", other.includes(rank));
      button.dataset.suit = state.suit;
      fill(button, ...face(rank, state.suit));
    }
  }
  for (const input of every(".suit-choice input")) input.checked = input.value === state.suit;
}

/** Who holds what: as the server has understood it, if it has heard of what is typed, otherwise as it is written. */
function holdings() {
  const asked = found && found.asked === `${state.north}/${state.south}`;
  return Object.fromEntries(HANDS.map((hand) => [hand, named(asked ? found[hand] : state[hand])]));
}

// ---------------------------------------------------------------- choosing

function chooseGoal(tricks) {
  if (state.tricks === tricks) return;
  state.tricks = tricks;
  state.why = null;
  ways = [];
  writeAddress();
  showAll();
  showComparison(null, null);
  askWays(asking.signal).catch((error) => asking.signal.aborted || showFault(error));
}

function chooseWay(name) {
  state.why = state.why === name || name === ways[0]?.line ? null : name;
  writeAddress();
  showWays();
  if (state.why) askWhy(asking.signal).catch((error) => asking.signal.aborted || showFault(error));
}

function chooseCard(hand, rank) {
  const held = holdings();
  const other = hand === "north" ? "south" : "north";
  const had = held[hand].includes(rank);
  held[hand] = had ? held[hand].filter((card) => card !== rank) : [...held[hand], rank];
  held[other] = held[other].filter((card) => card !== rank);
  setHands(written(held.north), written(held.south));
}

function setHands(north, south, tricks = null) {
  for (const [hand, text] of [["north", north], ["south", south]]) {
    state[hand] = text;
    byId(hand).value = text;
  }
  state.why = null;
  state.tricks = tricks;
  update();
}

/** Hands that are chosen as a whole: those before them are found again by going back. */
function chooseHands(north, south, tricks = null) {
  const others = byId("explore").hidden || north !== state.north || south !== state.south;
  Object.assign(state, { north, south, tricks, why: null });
  if (others) writeAddress({ another: true });
  setHands(north, south, tricks);
}

// ---------------------------------------------------------------- sampling and copying

function closeSampling() {
  const box = byId("sampling");
  box.open = false;
  box.hidden = state.tricks === "average";
  box.querySelector(".answer").textContent = "";
}

async function openSampling() {
  const answer = byId("sampling").querySelector(".answer");
  if (!byId("sampling").open || answer.textContent) return;
  answer.textContent = "Looking …";
  const told = ask("/api/suit/sampling", { ...combination(), tricks: state.tricks }, { signal: asking.signal });
  answer.textContent = await told.then((step) => step.words, (error) => error.message);
}

// ---------------------------------------------------------------- the form

function makeCards(hand) {
  const group = document.querySelector(`[data-hand="${hand}"] .cards`);
  const seat = hand === "north" ? "North" : "South";
  const buttons = RANKS.map((rank, number) =>
    el("button", {
      type: "button",
      class: "card",
      data: { rank, suit: state.suit },
      tabIndex: number ? -1 : 0,
      "aria-label": `${rankWord(rank)}, ${seat}`,
      "aria-pressed": "false",
      on: { click: () => chooseCard(hand, rank) },
    }),
  );
  fill(group, ...buttons);
  roving(group, "button");
}

function makeSuits() {
  const choices = SUITS.map(([letter, sign, word]) => {
    const on = { change: () => ((state.suit = letter), writeAddress(), showCards()) };
    const input = el("input", { type: "radio", name: "suit", value: letter, class: "only-heard", on });
    const shown = el("span", { class: "sign", "aria-hidden": "true" }, sign);
    const heard = el("span", { class: "only-heard" }, word);
    return el("label", { data: { suit: letter }, title: word }, input, shown, heard);
  });
  fill(document.querySelector(".suit-choice"), ...choices);
}

function makeExamples() {
  const items = EXAMPLES.map(([north, south, words]) => {
    const label = [el("b", {}, `${north} – ${south}`), el("span", { class: "soft" }, words)];
    const on = { click: () => chooseHands(north, south) };
    return el("li", {}, el("button", { type: "button", class: "example", on }, ...label));
  });
  fill(byId("examples"), ...items);
}

function listen() {
  const soon = debounced(update, PAUSE);
  for (const hand of HANDS) {
    byId(hand).addEventListener("input", () => {
      state[hand] = byId(hand).value.trim();
      state.tricks = null;
      state.why = null;
      showCards();
      soon();
    });
  }
  for (const name of ASSUMPTIONS) byId(name).addEventListener("input", soon);
  byId("combination").addEventListener("submit", (event) => event.preventDefault());
  byId("swap").addEventListener("click", () => chooseHands(state.south, state.north));
  byId("clear").addEventListener("click", () => (chooseHands("", ""), byId("north").focus()));
  byId("copy").addEventListener("click", copyLink);
  byId("sampling").addEventListener("toggle", openSampling);
  byId("to-explore").addEventListener("click", () => explore());
  byId("to-drill").addEventListener("click", () => drill());
  byId("play-it").addEventListener("click", playYourself);
  addEventListener("keydown", shortcut);
  addEventListener("popstate", travel);
}

/** A slash goes to the cards, Escape closes a comparison. */
function shortcut(event) {
  const typing = event.target.matches?.("input[type=text], input[type=number]");
  if (event.key === "/" && !typing && !byId("explore").hidden) {
    event.preventDefault();
    byId("north").focus();
    byId("north").select();
  } else if (event.key === "Escape" && state.why) {
    chooseWay(state.why);
  }
}

// ---------------------------------------------------------------- modes

function show(mode) {
  byId("explore").hidden = mode !== "explore";
  byId("drill").hidden = mode !== "drill";
  byId("to-explore").setAttribute("aria-pressed", String(mode === "explore"));
  byId("to-drill").setAttribute("aria-pressed", String(mode === "drill"));
}

/** Explore a combination: that of the address, or one that the drill has asked about. */
function explore(north = null, south = null, tricks = null) {
  stopDrill();
  if (north !== null) chooseHands(holding(north), holding(south), tricks);
  else update();
  show("explore");
}

function drill(query = {}) {
  asking.abort();
  show("drill");
  startDrill(byId("drill"), query, explore);
}

function start() {
  for (const hand of HANDS) makeCards(hand);
  makeSuits();
  makeExamples();
  listen();
  open();
}

/** The drill that an address names: a seed, a level, what has been played, perhaps a combination of one's own. */
function drillOf(query) {
  const [seed, level, plays] = ["drill", "level", "plays"].map((name) => query.get(name) ?? "");
  const own = ["north", "south", "tricks"].map((name) => [name, query.get(name)]);
  return { seed: Number(seed), level, plays, own: query.has("north") ? Object.fromEntries(own) : null };
}

/** Play what is looked at, instead of reading how. */
function playYourself() {
  history.pushState(null, "", location.href);
  drill({ own: { north: state.north || "-", south: state.south || "-", tricks: state.tricks } });
}

/** What the address says. */
function open() {
  readAddress();
  const query = new URLSearchParams(location.search);
  if (query.has("drill")) drill(drillOf(query));
  else explore();
}

start();
