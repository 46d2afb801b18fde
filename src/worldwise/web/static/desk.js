// Declarer's desk: where the play stands, what is asked, and what is shown. The address says what is shown, and is
// written when the server has accepted it: what it refuses is neither remembered nor gone back to.

import { address, ask, Refused } from "./api.js";
import { isOpening, showLessons, showOpenFault, showOpening, startOpening, words } from "./desk-open.js";
import { seatName, showAdvice, showPicker, showPlay, showTable, showTrick } from "./desk-view.js";
import { byId, copyLink, debounced, el, fill } from "./dom.js";

const FIRST = "deals/discovery";
const ROWS = [["hcp", "Points"], ["spades", "♠"], ["hearts", "♥"], ["diamonds", "♦"], ["clubs", "♣"]];
const PAUSE = 400;

/**
 * What is shown. `cards` is the line that is looked at and `at` how many of them are played; `record` is the line
 * before, if another one is tried. `known` holds the ranges of the hidden hands by seat and feature. `shown` is the
 * state whose table is on the page, and `another` says that a deal is being opened.
 */
const NEW = { record: null, known: {}, words: "", lead: "", reveal: false };
const state = { deal: "", contract: "", name: "", cards: [], at: 0, ...NEW };
let auto = true;
let table = null;
let shown = null;
let another = false;
let steps = [];
let stopped = false;
let asking = new AbortController();

// ---------------------------------------------------------------- the address

const TEXTS = ["deal", "contract", "name", "words", "lead"];
const split = (cards) => cards?.match(/../g) ?? [];

function readAddress(search) {
  const query = new URLSearchParams(search);
  const cards = split(query.get("cards"));
  const at = query.has("at") ? Math.min(Number(query.get("at")) || 0, cards.length) : cards.length;
  const record = query.has("record") ? split(query.get("record")) : null;
  const ranges = (query.get("known") ?? "").split(",").filter((part) => part.includes(":"));
  const known = Object.fromEntries(ranges.map((part) => part.split(":")));
  const texts = Object.fromEntries(TEXTS.map((name) => [name, query.get(name) ?? ""]));
  Object.assign(state, { ...texts, cards, at, record, known, reveal: query.has("reveal") });
}

/** The address of the state. */
function here() {
  const { deal, contract, name, words, lead, cards, at, record, reveal } = state;
  const known = Object.entries(state.known).map((pair) => pair.join(":")).join(",");
  const moment = { at: at < cards.length ? at : null, record: record?.join(""), reveal: reveal ? 1 : null };
  return address("/desk", { deal, contract, cards: cards.join(""), ...moment, known, words, lead, name });
}

/** Written down where it is found again: in the address, and for whoever comes back without one. */
function writeAddress() {
  const written = here();
  const behind = another && shown && written !== location.pathname + location.search;
  history[behind ? "pushState" : "replaceState"](null, "", written);
  remember("desk", written.slice(written.indexOf("?")));
}

const hasDeal = (search) => new URLSearchParams(search).has("deal");

/** What an address says, on the table. */
function open(search) {
  readAddress(search);
  writeKnown();
  return update(state.at === state.cards.length);
}

/** Back or forward in the history; a jump within the page is none. */
function travel() {
  if (!hasDeal(location.search)) return;
  another = false;
  if (location.pathname + location.search === here()) showFault(null);
  else open(location.search);
}

function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // not remembered, and nothing worse
  }
}

const remembered = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

const question = () => ({ deal: state.deal, contract: state.contract });

// ---------------------------------------------------------------- asking

/**
 * Show the table, then ask for advice; with `follow` the defenders go on until it is declarer's turn. The answer is
 * the error, if there was one.
 */
async function update(follow = false) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  try {
    const where = { cards: state.cards.join(""), at: state.at, reveal: state.reveal ? 1 : 0 };
    table = await ask("/api/desk/table", { ...question(), ...where }, { signal });
    accept();
    if (table.yours) await advise(signal);
    else if (follow && table.to_play) await defend(signal);
  } catch (error) {
    if (signal.aborted) return null;
    await refuse(error, signal);
    return error;
  }
  return null;
}

/** The server knows the state: now it is what there is. */
function accept() {
  writeAddress();
  if (another) showOpening(false);
  another = false;
  shown = structuredClone(state);
  steps = [];
  stopped = false;
  showAll();
}

/** Back to the state whose table is on the page: what could not be shown did not happen. */
async function refuse(error, signal) {
  const where = another && isOpening() ? showOpenFault : showFault;
  another = false;
  where(error);
  if (!shown) return;
  Object.assign(state, structuredClone(shown));
  writeKnown();
  if (byId("advice").classList.contains("searching")) await searchAgain(signal);
}

/** What was asked in between has ended a search. */
function searchAgain(signal) {
  steps = [];
  return advise(signal);
}

async function advise(signal) {
  const onStep = (step) => {
    steps.push(step);
    showFound();
  };
  const onWaiting = (ahead) => showLooking(`Waiting: ${ahead + 1} ${ahead ? "searches are" : "search is"} ahead …`);
  const where = { ...question(), cards: state.cards.slice(0, state.at).join("") };
  const known = constraints();
  if (known === null) return;
  showSearching(true);
  try {
    await ask("/api/desk/advice", { ...where, constraints: known, lead: state.lead }, { signal, onStep, onWaiting });
    showLooking(`${steps.at(-1).heading}.`);
    byId("said").textContent = steps.at(-1).why.join(" ");
  } catch (error) {
    if (!signal.aborted) showAdviceFault(error);
  } finally {
    if (!signal.aborted) showSearching(false);
  }
}

/** A defender's card: the one that was played, or what the server's defender plays. */
async function defend(signal) {
  if (state.at < state.cards.length) return moveTo(state.at + 1, true);
  if (!auto || !defenderKnown()) return;
  byId("turn").textContent = `${seatName(table.to_play)} is thinking …`;
  const { card } = await ask("/api/desk/defender", { ...question(), cards: state.cards.join("") }, { signal });
  play(card);
}

/** Whether the server knows the hand that is to play. */
const defenderKnown = () => table.told.includes(table.to_play);

// ---------------------------------------------------------------- moving

function moveTo(at, follow = false) {
  state.at = Math.max(0, Math.min(at, state.cards.length));
  return update(follow);
}

/** A card is played: the next one of the line, or the first of another line. */
function play(card) {
  const { cards, at } = state;
  if (cards[at] !== card) {
    if (at < cards.length) state.record ??= cards;
    state.cards = [...cards.slice(0, at), card];
  }
  return moveTo(at + 1, true);
}

function undo() {
  const before = table.turns.filter((turn) => turn < state.at);
  if (before.length) moveTo(before.at(-1));
}

function returnToRecord() {
  const { record, cards } = state;
  const apart = record.findIndex((card, number) => card !== cards[number]);
  state.cards = record;
  state.record = null;
  moveTo(apart < 0 ? record.length : apart);
}

function take(board) {
  const { deal, contract, name, cards, constraints: words } = board;
  Object.assign(state, { ...NEW, deal, contract, name, words, cards: split(cards) });
  state.at = board.lesson ? state.cards.length : Math.min(1, state.cards.length);
  another = true;
  writeKnown();
  return moveTo(state.at, !cards);
}

// ---------------------------------------------------------------- what is known

/** The ranges as an expression; null if one of them cannot be read. */
function constraints() {
  const parts = Object.entries(state.known).map(([name, range]) => bounds(name, range));
  return parts.includes(null) ? null : [...parts, state.words && `(${state.words})`].filter(Boolean).join(" && ");
}

function bounds(name, range) {
  const [seat, feature] = name.split(".");
  const found = range.match(/^(\d{1,2})(\+|[-–](\d{1,2}))?$/);
  if (!found) {
    showKnownFault(`expected 3, 5+ or 12-14, found ${range}`);
    return null;
  }
  const count = `${feature}(${seat})`;
  const [, low, more, high] = found;
  if (!more) return `${count} == ${low}`;
  return more === "+" ? `${count} >= ${low}` : `${count} >= ${low} && ${count} <= ${high}`;
}

/** The form for the hidden hands of this table. */
function showKnown() {
  const seats = table.defenders;
  if (byId("ranges").dataset.seats === seats.join("")) return;
  byId("ranges").dataset.seats = seats.join("");
  [byId("first-hidden"), byId("second-hidden")].forEach((head, number) => (head.textContent = seatName(seats[number])));
  const cell = (seat, feature) => {
    const label = `${seatName(seat)}: ${feature === "hcp" ? "points" : feature}`;
    const named = { id: `known-${seat}-${feature}`, "aria-label": label, data: { name: `${seat}.${feature}` } };
    return el("td", {}, el("input", { type: "text", maxLength: 5, placeholder: "any", ...named }));
  };
  const row = ([feature, word]) => {
    return el("tr", {}, el("th", { scope: "row" }, word), ...seats.map((seat) => cell(seat, feature)));
  };
  fill(byId("ranges"), ...ROWS.map(row));
  writeKnown();
}

/** What the state knows, into the form. */
function writeKnown() {
  for (const input of byId("ranges").querySelectorAll("input")) input.value = state.known[input.dataset.name] ?? "";
  byId("words").value = state.words;
  byId("lead").value = state.lead;
  byId("known").open ||= Boolean(state.words || state.lead || Object.keys(state.known).length);
}

function readKnown() {
  const given = [...byId("ranges").querySelectorAll("input")].filter((input) => input.value.trim());
  state.known = Object.fromEntries(given.map((input) => [input.dataset.name, input.value.replace(/\s/g, "")]));
  state.words = byId("words").value.trim();
  state.lead = byId("lead").value;
  update();
}

// ---------------------------------------------------------------- showing

const bestCard = () => steps.at(-1)?.best ?? null;

function showAll() {
  byId("desk").hidden = false;
  showFault(null);
  showKnownFault("");
  byId("name").textContent = state.name;
  showTable(table, play);
  showTrick(table, state.at);
  showPlay(table, state.at, moveTo);
  showTurn();
  showKnown();
  showNoAdvice();
  byId("what-if").hidden = !state.record;
  byId("reveal").setAttribute("aria-pressed", String(state.reveal));
  byId("auto").setAttribute("aria-pressed", String(auto));
  for (const id of ["first", "back"]) byId(id).disabled = state.at === 0;
  for (const id of ["next", "last"]) byId(id).disabled = state.at === state.cards.length;
  byId("undo").disabled = !table.turns.some((turn) => turn < state.at);
}

/** Whose turn it is, and how a hidden hand can be played. */
function showTurn() {
  const seat = seatName(table.to_play);
  const yours = table.to_play === table.contract.declarer ? "Your turn." : `Your turn: play from ${seat}, dummy.`;
  byId("turn").textContent = table.result ? `${table.result}.` : table.yours ? yours : `${seat} is to play.`;
  const hidden = table.to_play && !table.yours && table.hands[table.to_play] === null;
  byId("defend").hidden = !hidden || (!defenderKnown() && state.at === state.cards.length);
  byId("defend").textContent = `Let ${seat} play`;
  byId("picker").hidden = !hidden || defenderKnown();
  if (!byId("picker").hidden) showPicker(table, play);
}

function showNoAdvice() {
  byId("found").hidden = true;
  byId("said").textContent = "";
  fill(byId("choices"));
  showSearching(false);
  const waiting = table.result ? "The play is over." : "Advice comes when it is your turn.";
  showLooking(table.yours ? "Looking …" : waiting);
}

function showFound() {
  showAdvice(steps, play);
  showLooking(`${steps.at(-1).heading} …`);
}

function showSearching(on) {
  byId("stop").hidden = !on && !stopped;
  byId("stop").textContent = stopped ? "Go on" : "Stop";
  byId("advice").classList.toggle("searching", on);
}

const showLooking = (words) => (byId("looking").textContent = words);

function stop() {
  if (stopped) return update();
  asking.abort();
  stopped = true;
  showSearching(false);
  showLooking(steps.length ? `Stopped: ${steps.at(-1).heading}.` : "Stopped.");
}

function showKnownFault(words) {
  byId("known-fault").hidden = !words;
  byId("known-fault").textContent = words;
  if (words) byId("known").open = true;
}

function showAdviceFault(error) {
  if (error.where === "constraints" || error.where === "lead") {
    showKnownFault(error.message);
    showLooking("There is no layout to look at.");
  } else if (steps.length) {
    showLooking(`${steps.at(-1).heading}; then ${words(error)}`);
  } else {
    showFault(error);
  }
}

/** What is wrong, and where nothing is on the table, the way out. */
function showFault(error) {
  byId("fault").hidden = !error;
  byId("fault").textContent = error ? words(error) : "";
  byId("way-out").hidden = !error || Boolean(shown);
  byId("before").hidden = !remembered("desk");
  if (error) showLooking("");
}

// ---------------------------------------------------------------- using it

function reveal() {
  state.reveal = !state.reveal;
  return update();
}

function listen() {
  const on = (id, work) => byId(id).addEventListener("click", () => work());
  on("first", () => moveTo(0));
  on("back", () => moveTo(state.at - 1));
  on("next", () => moveTo(state.at + 1));
  on("last", () => moveTo(state.cards.length));
  on("undo", undo);
  on("return", returnToRecord);
  on("reveal", reveal);
  on("stop", stop);
  on("copy", copyLink);
  on("auto", () => ((auto = !auto), remember("defenders", auto ? "play" : "wait"), update(auto)));
  on("defend", () => letPlay());
  on("forget", () => (Object.assign(state, { known: {}, words: "", lead: "" }), writeKnown(), update()));
  const soon = debounced(readKnown, PAUSE);
  byId("constraints").addEventListener("input", soon);
  byId("constraints").addEventListener("submit", (event) => (event.preventDefault(), readKnown()));
  on("before", () => open(remembered("desk")));
  on("elsewhere", () => showOpening(true));
  addEventListener("keydown", shortcut);
  addEventListener("popstate", travel);
}

/** One card of a defender, even if they do not play by themselves. */
async function letPlay() {
  if (state.at < state.cards.length) return moveTo(state.at + 1);
  try {
    const { card } = await ask("/api/desk/defender", { ...question(), cards: state.cards.join("") });
    await play(card);
  } catch (error) {
    showFault(error);
  }
}

function shortcut(event) {
  const typing = event.target.matches?.("input, textarea, select");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !table) return;
  const keys = {
    ArrowLeft: () => moveTo(state.at - 1),
    ArrowRight: () => moveTo(state.at + 1),
    u: undo,
    r: reveal,
    b: () => bestCard() && play(bestCard()),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
}

/** What the address says; without one what is remembered, or, if there is no such thing any more, the first lesson. */
async function start() {
  const asked = new URLSearchParams(location.search).get("lesson");
  listen();
  startOpening(take);
  auto = remembered("defenders") !== "wait";
  const lessons = showLessons(take).catch((error) => (shown || showFault(error), []));
  const linked = hasDeal(location.search);
  const search = linked ? location.search : asked ? null : remembered("desk");
  const fault = search ? await open(search) : null;
  if (search && (linked || shown || !(fault instanceof Refused))) return;
  const first = (await lessons).find(({ lesson }) => lesson === (asked ?? FIRST));
  if (first) await take(first);
}

start();
