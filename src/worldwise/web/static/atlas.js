// The atlas of suits: a map, a list that is filtered and sorted, and one suit. The address always says what is shown.

import { ask, address, Refused } from "./api.js";
import { byId, copyLink, debounced, el, fill, percent } from "./dom.js";

const FILTERS = ["missing", "length", "shape", "goal", "chance", "sort"];
const HONOURS = ["A", "K", "Q", "J"];
const LONGEST = 13;
const SHOWN = 50;
const PAUSE = 250;
const LARGEST_SEED = 1_000_000;
const FIRST = { tricks: 4, weigh: "dealt", sort: "dealt" };

const state = { north: null, south: null, skip: 0 };
let asking = new AbortController();

// ---------------------------------------------------------------- the address

function readAddress() {
  const query = new URLSearchParams(location.search);
  state.north = query.get("north");
  state.south = query.get("south");
  state.skip = Number(query.get("skip")) || 0;
  for (const name of FILTERS) byId(name).value = query.get(name) ?? FIRST[name] ?? "";
  byId("map-tricks").value = query.get("tricks") ?? FIRST.tricks;
  byId("map-weigh").value = query.get("weigh") ?? FIRST.weigh;
}

/** The address of what is shown; what is as at first goes without saying. */
function here() {
  const map = { tricks: byId("map-tricks").value, weigh: byId("map-weigh").value };
  const given = Object.entries({ ...filters(), ...map }).filter(([name, value]) => String(FIRST[name]) !== value);
  return address("/atlas", { ...Object.fromEntries(given), skip: state.skip || null, north: state.north, south: state.south });
}

const writeAddress = ({ another = false } = {}) => history[another ? "pushState" : "replaceState"](null, "", here());

const filters = () => Object.fromEntries(FILTERS.map((name) => [name, byId(name).value.trim()]));

// ---------------------------------------------------------------- the map

async function updateMap() {
  const [tricks, weigh] = [byId("map-tricks").value, byId("map-weigh").value];
  try {
    showMap(await ask("/api/atlas/map", { tricks, weigh }));
  } catch (error) {
    showFault(error);
  }
}

function showMap({ tricks, cells }) {
  const sets = [...new Set(cells.map((cell) => cell.missing_honours))].sort(byHonours);
  const lengths = Array.from({ length: LONGEST }, (_, place) => place + 1);
  const cellOf = new Map(cells.map((cell) => [`${cell.missing_honours} ${cell.cards}`, cell]));
  const head = el("tr", {}, el("th", { scope: "col" }, "you miss"), ...lengths.map((cards) => el("th", { scope: "col" }, String(cards))));
  const rows = sets.map((set) =>
    el("tr", {}, el("th", { scope: "row" }, set === "-" ? "none" : set), ...lengths.map((cards) => field(cellOf.get(`${set} ${cards}`), tricks))),
  );
  fill(byId("map"), el("thead", {}, head), el("tbody", {}, ...rows));
}

/** Fewest honours first, then the higher ones. */
function byHonours(one, other) {
  const order = (set) => [set === "-" ? 0 : set.length, ...[...set].map((card) => HONOURS.indexOf(card))];
  const [first, second] = [order(one), order(other)];
  const place = first.findIndex((part, number) => part !== second[number]);
  return place < 0 ? 0 : first[place] - (second[place] ?? -1);
}

function field(cell, tricks) {
  if (!cell) return el("td");
  const words = `${cell.cards} cards, ${cell.missing_honours === "-" ? "no honour" : cell.missing_honours} missing`;
  const label = `${words}: ${percent(cell.chance)} for ${tricks}, ${cell.combinations} suits`;
  const button = el(
    "button",
    { type: "button", class: "field", title: label, "aria-label": label, on: { click: () => list(cell, tricks) } },
    Math.round(100 * cell.chance).toString(),
  );
  button.style.setProperty("--chance", cell.chance.toFixed(3));
  return el("td", {}, button);
}

/** The suits of a field of the map. */
function list(cell, tricks) {
  Object.assign(state, { skip: 0 });
  const asked = { missing: cell.missing_honours, length: String(cell.cards), shape: "", goal: String(tricks), chance: "" };
  for (const [name, value] of Object.entries(asked)) byId(name).value = value;
  writeAddress({ another: true });
  updateList();
  byId("find-title").scrollIntoView({ block: "start" });
}

// ---------------------------------------------------------------- the list

async function updateList() {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  showFault(null);
  try {
    showList(await ask("/api/atlas/find", { ...filters(), skip: state.skip || null }, { signal }));
  } catch (error) {
    if (!signal.aborted) showFault(error);
  }
}

function showList({ total, skip, found }) {
  const upTo = Math.min(skip + found.length, total);
  byId("status").textContent = total ? `${(skip + 1).toLocaleString("en")} to ${upTo.toLocaleString("en")} of ${total.toLocaleString("en")}` : "Nothing fits.";
  const headings = ["North", "South", "tricks", "chance", "average", "hard", "once in"];
  const head = el("tr", {}, ...headings.map((heading) => el("th", { scope: "col" }, heading)));
  fill(byId("found"), el("thead", {}, head), el("tbody", {}, ...found.map(line)));
  byId("before").hidden = !skip;
  byId("after").hidden = upTo >= total;
}

function line(goal) {
  const link = el("a", { href: address("/atlas", { north: goal.north, south: goal.south }), on: { click: (event) => choose(event, goal) } }, goal.north);
  const numbers = [percent(goal.chance), goal.expected_tricks.toFixed(3), goal.hardness ? percent(goal.hardness) : "–"];
  const often = Math.round(1 / goal.dealt / 4).toLocaleString("en");
  return el("tr", {}, el("td", {}, link), ...[goal.south, goal.tricks, ...numbers, often].map((cell) => el("td", {}, String(cell))));
}

function turn(pages) {
  state.skip = Math.max(0, state.skip + pages * SHOWN);
  writeAddress();
  updateList();
}

// ---------------------------------------------------------------- one suit

function choose(event, { north, south }) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  Object.assign(state, { north, south });
  writeAddress({ another: true });
  updateSuit();
}

async function updateSuit() {
  byId("suit").hidden = !state.north;
  if (!state.north) return;
  try {
    showSuit(await ask("/api/atlas/suit", { north: state.north, south: state.south }));
  } catch (error) {
    byId("suit").hidden = true;
    showFault(error);
  }
}

function showSuit(suit) {
  const goal = suit.highest_uncertain_goal;
  byId("suit-title").textContent = `${suit.north} opposite ${suit.south}`;
  byId("explore").href = address("/suits", { north: suit.north, south: suit.south, tricks: goal });
  const headings = ["tricks", "chance", "begin with", "seeing all", "sampling", "finesse", "drop"];
  const head = el("tr", {}, ...headings.map((heading) => el("th", { scope: "col" }, heading)));
  fill(byId("goals"), el("thead", {}, head), el("tbody", {}, ...[...suit.goals].reverse().map(goalLine)));
  fill(byId("words"), ...suit.words.map((words) => el("p", { class: "small" }, words)));
}

function goalLine(goal) {
  const { sampling, finesse, drop } = goal.players;
  const others = [goal.double_dummy_chance, sampling, finesse, drop].map(percent);
  return el("tr", {}, ...[goal.tricks, percent(goal.chance), goal.first_plays.join(" "), ...others].map((cell) => el("td", {}, String(cell))));
}

/** A hard suit, to be played in the drill before anything is shown of it. */
async function drill() {
  const seed = Math.floor(Math.random() * LARGEST_SEED);
  try {
    const { north, south, tricks } = await ask("/api/atlas/random", { seed });
    location.assign(address("/suits", { drill: seed, north, south, tricks }));
  } catch (error) {
    showFault(error);
  }
}

// ---------------------------------------------------------------- the page

function showFault(error) {
  const fault = byId("fault");
  fault.hidden = !error;
  fault.textContent = error instanceof Refused ? error.message : error ? "The server does not answer." : "";
}

async function showAbout() {
  const { combinations, goals, built } = await ask("/api/atlas", {});
  const [suits, all] = [combinations, goals].map((count) => count.toLocaleString("en"));
  byId("about").textContent = `All ${suits} suit combinations there are, ${all} goals, each solved exactly against best defence (${built}).`;
}

function filtersChanged() {
  state.skip = 0;
  writeAddress();
  updateList();
}

function open() {
  readAddress();
  updateMap();
  updateList();
  updateSuit();
}

function begin() {
  const goals = Array.from({ length: LONGEST }, (_, place) => String(place + 1));
  fill(byId("map-tricks"), ...goals.map((tricks) => el("option", { value: tricks }, tricks === "1" ? "1 trick" : `${tricks} tricks`)));
  byId("form").addEventListener("submit", (event) => event.preventDefault());
  byId("form").addEventListener("input", debounced(filtersChanged, PAUSE));
  for (const name of ["map-tricks", "map-weigh"]) {
    byId(name).addEventListener("change", () => {
      writeAddress();
      updateMap();
    });
  }
  byId("before").addEventListener("click", () => turn(-1));
  byId("after").addEventListener("click", () => turn(1));
  byId("random").addEventListener("click", drill);
  byId("copy").addEventListener("click", copyLink);
  addEventListener("popstate", open);
  showAbout().catch(showFault);
  open();
}

begin();
