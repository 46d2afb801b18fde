// Declarer's desk: where the play stands, what is asked, and what is shown. The address says what is shown, and is
// written when the server has accepted it: what it refuses is neither remembered nor gone back to.

import { address, ask, Refused } from "./api.js";
import { showClaim, showDebrief, showJudged } from "./desk-debrief.js";
import { startEditor } from "./desk-editor.js";
import { isOpening, showLessons, showOpenFault, showOpening, startOpening, words } from "./desk-open.js";
import { seatName, showAdvice, showAuction, showDoubleDummy, showMeanings, showPicker, showPlay, showTable, showTrick } from "./desk-view.js";
import { byId, copyLink, debounced, el, fill } from "./dom.js";

const FIRST = "deals/discovery";
const ROWS = [["hcp", "Points"], ["spades", "♠"], ["hearts", "♥"], ["diamonds", "♦"], ["clubs", "♣"]];
const PAUSE = 400;
const GLANCE = 500; // milliseconds in which you see a forced card before it is played

/**
 * What is shown. `cards` is the line that is looked at and `at` how many of them are played; `record` is the line
 * before, if another one is tried. `known` holds the ranges of the hidden hands by seat and feature. `shown` is the
 * state whose table is on the page, and `another` says that a deal is being opened.
 */
const NEW = { record: null, known: {}, words: "", lead: "", reveal: false, deaf: false };
const state = { deal: "", contract: "", name: "", auction: "", cards: [], at: 0, ...NEW };
/** The switches: defenders and forced cards play by themselves, advice waits until you have thought. */
let auto = true;
let forced = true;
let thinkFirst = true;
let double = false;
/** Whether the advice of this turn may be seen, and what was played without looking: the card, the turn, the figures. */
let looked = false;
let judged = null;
let table = null;
let shown = null;
let another = false;
let steps = [];
let stopped = false;
let asking = new AbortController();

// ---------------------------------------------------------------- the address

const TEXTS = ["deal", "contract", "name", "auction", "words", "lead"];
const split = (cards) => cards?.match(/../g) ?? [];

function readAddress(search) {
  const query = new URLSearchParams(search);
  const cards = split(query.get("cards"));
  const at = query.has("at") ? Math.min(Number(query.get("at")) || 0, cards.length) : cards.length;
  const record = query.has("record") ? split(query.get("record")) : null;
  const ranges = (query.get("known") ?? "").split(",").filter((part) => part.includes(":"));
  const known = Object.fromEntries(ranges.map((part) => part.split(":")));
  const texts = Object.fromEntries(TEXTS.map((name) => [name, query.get(name) ?? ""]));
  Object.assign(state, { ...texts, cards, at, record, known, reveal: query.has("reveal"), deaf: query.has("deaf") });
}

/** The address of the state. */
function here() {
  const { deal, contract, name, auction, words, lead, cards, at, record, reveal, deaf } = state;
  const known = Object.entries(state.known).map((pair) => pair.join(":")).join(",");
  const moment = { at: at < cards.length ? at : null, record: record?.join(""), reveal: reveal ? 1 : null };
  const heard = { auction, deaf: deaf ? 1 : null };
  return address("/desk", { deal, contract, cards: cards.join(""), ...moment, known, words, lead, name, ...heard });
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
  judged = null;
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

/** The deal as it is asked about; `heard` is whether the auction counts. */
function question(heard = !state.deaf) {
  const { deal, contract, auction } = state;
  return { deal, contract, ...(heard && auction ? { auction } : {}) };
}

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
    table = await ask("/api/desk/table", { ...question(true), ...where }, { signal });
    accept();
    if (double) await showTricks(signal);
    if (table.result) await debrief(signal);
    else if (follow && isForced()) await playForced(signal);
    else if (table.yours) await advise(signal);
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
  looked = !thinkFirst;
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
    const asked = { ...where, constraints: known, lead: state.lead, aim: byId("aim").value };
    await ask("/api/desk/advice", asked, { signal, onStep, onWaiting });
    showLooking(`${steps.at(-1).heading}.`);
    sayAdvice();
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

/** Whether you have no choice at the end of what was played. */
const isForced = () => forced && table.yours && table.playable.length === 1 && state.at === state.cards.length;

async function playForced(signal) {
  const [card] = table.playable;
  await new Promise((done) => setTimeout(done, GLANCE));
  if (!signal.aborted) await play(card);
}

/** What every card takes with all cards seen, if all hands are on the table. */
async function showTricks(signal) {
  const seen = table.told.length === 4 && !table.result;
  const where = { ...question(), cards: state.cards.slice(0, state.at).join("") };
  const found = seen ? await ask("/api/desk/double-dummy", where, { signal }) : null;
  showDoubleDummy(found?.tricks);
}

/** The end of the play: how it went, and what was missed. */
function debrief(signal) {
  const ways = [["Next deal", nextDeal], ["Play it again", () => moveTo(Math.min(1, state.cards.length), true)]];
  const jump = (place) => ((looked = false), moveTo(place));
  return showDebrief({ table, question: { ...question(), cards: state.cards.join("") }, jump, ways, signal });
}

/** Another deal of the kind that was just played: the next lesson, or the next number. */
async function nextDeal() {
  const dealt = state.deal.match(/^random (\d+)$/);
  if (!dealt) return nextLesson();
  const seed = (Number(dealt[1]) + 1) % 1_000_000;
  return take({ ...state, name: `Dealt at random, number ${seed}`, deal: `random ${seed}`, cards: "", constraints: "" });
}

async function nextLesson() {
  const { lessons } = await ask("/api/desk/lessons", { name: "deals/" });
  const here = lessons.findIndex(({ deal }) => deal === state.deal);
  if (here < 0) return showOpening(true);
  return take(lessons[(here + 1) % lessons.length]);
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
  if (table.yours && table.playable.length > 1) judged = looked || !steps.length ? null : { card, at, found: steps.at(-1) };
  if (cards[at] !== card) {
    if (at < cards.length) state.record ??= cards;
    state.cards = [...cards.slice(0, at), card];
  }
  return moveTo(at + 1, true);
}

/** Back to the turn at which a card was played without looking. */
function takeBack() {
  const { at } = judged;
  judged = null;
  moveTo(at);
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
  const { deal, contract, name, cards, auction = "", constraints: words } = board;
  Object.assign(state, { ...NEW, deal, contract, name, auction, words, cards: split(cards) });
  state.at = board.lesson ? state.cards.length : Math.min(1, state.cards.length);
  another = true;
  judged = null;
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

/** What the calls say becomes ranges that can be changed; the auction itself counts no more. */
function takeMeanings() {
  const range = ([low, high]) => (high >= 13 && low > 0 ? `${low}+` : low === high ? String(low) : `${low}-${high}`);
  const suits = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
  for (const { seat, points, lengths } of steps.at(-1)?.auction?.hands ?? []) {
    if (points[0] > 0 || points[1] < 37) state.known[`${seat}.hcp`] = `${points[0]}-${points[1]}`;
    for (const [letter, feature] of Object.entries(suits)) {
      if (lengths[letter][0] > 0 || lengths[letter][1] < 13) state.known[`${seat}.${feature}`] = range(lengths[letter]);
    }
  }
  state.deaf = true;
  writeKnown();
  update();
}

function readKnown() {
  const given = [...byId("ranges").querySelectorAll("input")].filter((input) => input.value.trim());
  state.known = Object.fromEntries(given.map((input) => [input.dataset.name, input.value.replace(/\s/g, "")]));
  state.words = byId("words").value.trim();
  state.lead = byId("lead").value;
  update();
}

// ---------------------------------------------------------------- showing

const bestCard = () => (looked ? steps.at(-1)?.best : null) ?? null;

function showAll() {
  byId("desk").hidden = false;
  showFault(null);
  showKnownFault("");
  byId("name").textContent = state.name;
  showTable(table, play);
  showTrick(table, state.at);
  showAuction(table);
  byId("listen").checked = !state.deaf;
  showPlay(table, state.at, moveTo);
  showTurn();
  showKnown();
  showNoAdvice();
  byId("claimed").hidden = true;
  if (judged && state.at <= judged.at) judged = null;
  showJudged(judged?.found, judged?.card, takeBack);
  for (const [id, on] of Object.entries({ forced, think: thinkFirst, double })) {
    byId(id).setAttribute("aria-pressed", String(on));
  }
  byId("claim").disabled = !table.yours;
  byId("double").disabled = table.told.length < 4;
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
  byId("debrief").hidden = true;
  byId("waiting").hidden = !table.yours || looked;
  byId("said").textContent = "";
  fill(byId("choices"));
  showSearching(false);
  const waiting = table.result ? "The play is over." : "Advice comes when it is your turn.";
  showLooking(table.yours ? "Looking …" : waiting);
}

function showFound() {
  showLooking(`${steps.at(-1).heading} …`);
  showMeanings(steps.at(-1).auction);
  byId("waiting").hidden = looked;
  if (looked) showAdvice(steps, play);
}

/** What the advice is, for those who do not see it. */
function sayAdvice() {
  if (looked) byId("said").textContent = steps.at(-1).why.join(" ");
}

/** You have thought: now the advice may be seen. */
function look() {
  if (!table?.yours) return;
  looked = true;
  byId("waiting").hidden = true;
  if (!steps.length) return;
  showAdvice(steps, play);
  sayAdvice();
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
  on("forced", () => ((forced = !forced), remember("forced", forced ? "play" : "wait"), update()));
  on("think", () => ((thinkFirst = !thinkFirst), remember("advice", thinkFirst ? "later" : "always"), update()));
  on("double", () => ((double = !double), update()));
  byId("listen").addEventListener("change", () => ((state.deaf = !byId("listen").checked), update()));
  on("own-meanings", takeMeanings);
  on("look", look);
  on("claim", () => showClaim({ ...question(), cards: state.cards.slice(0, state.at).join("") }));
  byId("aim").addEventListener("change", () => update());
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
    a: look,
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
  startEditor(take);
  auto = remembered("defenders") !== "wait";
  forced = remembered("forced") !== "wait";
  thinkFirst = remembered("advice") !== "always";
  const lessons = showLessons(take).catch((error) => (shown || showFault(error), []));
  const linked = hasDeal(location.search);
  const search = linked ? location.search : asked ? null : remembered("desk");
  const fault = search ? await open(search) : null;
  if (search && (linked || shown || !(fault instanceof Refused))) return;
  const first = (await lessons).find(({ lesson }) => lesson === (asked ?? FIRST));
  if (first) await take(first);
}

start();
