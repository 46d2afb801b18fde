// The drill: you play both hands, card by card. A seed and what has been played are all there is to remember, and the
// address has them: for every question its cards and wishes, with semicolons between the questions.

import { address, ask } from "./api.js";
import { face, hand, rankSign, rankWord } from "./cards.js";
import { el, fill, percent } from "./dom.js";

const LARGEST_SEED = 1_000_000;
const ROUNDS = 10;
const SEATS = { N: "North", E: "East", S: "South", W: "West" };
const LEVELS = [["", "All"], ["1", "1"], ["2", "2"], ["3", "3"]];
const LEVEL_WORDS = {
  "": "Questions of all levels.",
  1: "Level 1: the finesse, the drop or sampling is right. Which one?",
  2: "Level 2: all three fall a little behind the best line.",
  3: "Level 3: all three fall far behind.",
};

/** @type {any} */
let box = null;
/** @type {(north: string, south: string, tricks: number) => void} */
let explore = () => {};
let game = null;
let asking = new AbortController();

/**
 * Begin, or begin again; what is not said is drawn or left open.
 * @param {HTMLElement} element
 * @param {{seed?: any, level?: any, plays?: string, own?: any}} query
 * @param {(north: string, south: string, tricks: number) => void} onExplore
 */
export function startDrill(element, { seed, level = "", plays = "", own = null }, onExplore) {
  box = element;
  explore = onExplore;
  const known = Number.isInteger(seed) ? seed : newSeed();
  game = { seed: known, level, own, plays: plays.split(";").map(steps), results: [], told: null };
  removeEventListener("keydown", cardKey);
  addEventListener("keydown", cardKey);
  open();
}

export function stopDrill() {
  asking.abort();
  removeEventListener("keydown", cardKey);
}

const newSeed = () => Math.floor(Math.random() * LARGEST_SEED);
const steps = (text) => (text ? text.split(",") : []);

/** Which questions: what the server and the address are told alike. */
const which = () => ({ seed: game.seed, level: game.level, ...game.own });
const rounds = () => (game.own ? 1 : ROUNDS);
const written = (plays) => plays.map((question) => question.join(",")).join(";");

function anew(changes = {}) {
  startDrill(box, { level: game.level, ...changes }, explore);
}

// ---------------------------------------------------------------- asking

/** What a link says: the questions before the last one have been answered, and after the last comes the review. */
function open() {
  asked(game.plays.length > rounds() ? askReview : async (signal) => {
    if (game.plays.length > 1) game.results = (await askAnswered(signal)).questions;
    await askQuestion(signal);
  });
}

async function askQuestion(signal) {
  const current = { number: game.plays.length, plays: game.plays.at(-1).join(",") };
  game.told = await ask("/api/suit/drill", { ...which(), ...current }, { signal });
  if (game.told.end) game.results[game.plays.length - 1] = game.told.end;
  remember();
  show();
}

/** Those before the last one. */
const askAnswered = (signal) =>
  ask("/api/suit/drill/review", { ...which(), plays: written(game.plays.slice(0, -1)) }, { signal });

async function askReview(signal) {
  const review = await askAnswered(signal);
  game.results = review.questions;
  remember();
  showReview(review);
}

async function asked(question) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const asker = game;
  asker.isAsking = true;
  try {
    await question(signal);
  } catch (error) {
    if (!signal.aborted) showFault(error.message);
  }
  asker.isAsking = false;
}

/** The address says what is shown. */
function remember() {
  const own = game.own ?? {};
  const query = { drill: game.seed, level: game.level, ...own, plays: written(game.plays) };
  history.replaceState(null, "", address("/suits", query));
}

// ---------------------------------------------------------------- doing

/** A card, or a wish: hint, back, next. */
function take(step) {
  if (game.isAsking) return; // a second click on a card is none
  game.plays.at(-1).push(step);
  asked(askQuestion);
}

function goOn() {
  if (game.isAsking) return;
  game.plays.push([]);
  asked(game.plays.length > rounds() ? askReview : askQuestion);
}

/** A rank plays its card; h, b and n are hint, take back and next. */
function cardKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return;
  const key = event.key.toUpperCase();
  const rank = key === "0" || key === "1" ? "T" : key;
  const wish = { H: "hint", B: "back", N: "next", BACKSPACE: "back" }[key];
  const wanted = wish ? `[data-wish="${wish}"]` : /^[2-9TJQKA]$/.test(rank) ? `button[data-rank="${rank}"]` : null;
  if (wanted) box.querySelector(wanted)?.click();
}

// ---------------------------------------------------------------- showing

function show() {
  const { told } = game;
  const parts = [heading(told), table(told), said(told), wishes(told),
    told.turn.rounds.length ? cardsPlayed(told) : null];
  const main = el("section", { class: "panel stack", "aria-labelledby": "drill-title" }, ...parts.filter(Boolean));
  fill(box, el("div", { class: "drill" }, main, el("aside", { class: "panel stack score", "aria-label": "Score" })));
  showScore();
  (box.querySelector("[data-first]") ?? box.querySelector(".fan button"))?.focus({ preventScroll: true });
}

function heading(told) {
  const level = told.level ? `, level ${told.level}` : "";
  const goal = told.tricks === 1 ? "1 trick" : `${told.tricks} tricks`;
  return el("div", {},
    el("p", { class: "soft" }, `Question ${told.number} of ${told.rounds}${level}`),
    el("h2", { id: "drill-title" }, `You want ${goal}`),
  );
}

/** The hands, and between them the cards of this round. */
function table(told) {
  const { turn } = told;
  const verb = turn.rounds.at(-1)?.length % 4 ? "Play" : "Lead";
  const left = (seat, cards) => (told.slip?.card[0] === seat ? cards.replace(told.slip.card[1], "") || "-" : cards);
  const may = (seat) => (turn.to_play.includes(seat) && !told.slip ? (rank) => take(`${seat}${rank}`) : null);
  return el("div", { class: "drill-table" },
    el("p", { class: "seat" }, "North"), hand(left("N", turn.north), "s", "North", may("N"), verb),
    trick(told),
    hand(left("S", turn.south), "s", "South", may("S"), verb), el("p", { class: "seat" }, "South"),
    el("p", { class: "defenders" }, told.defenders),
  );
}

/** The round on the table: the one under way, or the last one. */
function trick(told) {
  const last = told.turn.rounds.at(-1) ?? [];
  const stopped = told.slip ? [...(last.length === 4 ? [] : last), told.slip.card] : last;
  const cards = Object.fromEntries(stopped.map((card) => [card[0], card.slice(1)]));
  const shown = ["W", "N", "S", "E"].filter((seat) => cards[seat]).map((seat) => placed(seat, cards[seat], told.slip));
  return el("div", { class: "trick" }, ...shown);
}

function placed(seat, rank, slip) {
  const wrong = slip?.card === `${seat}${rank}` ? " slipped" : "";
  if (rank === "-") return el("span", { class: "out", data: { seat } }, seat === "N" || seat === "S" ? "–" : "out");
  return el("span", { class: `card${wrong}`, data: { seat, suit: "s" }, role: "img",
    "aria-label": `${SEATS[seat]}: ${rankWord(rank)}` }, ...face(rank, "s"));
}

/** What is to be said now: whose turn it is, help, what a card costs, or how it ended. */
function said(told) {
  const { turn, slip, hint, end } = told;
  if (end) return ending(told, end);
  const words = slip ? slip.words : hint ? [hint, turn.words] : [turn.words];
  const kind = slip ? "said wrong-box" : "said";
  const start = slip ? { data: { first: "" }, tabIndex: -1 } : {};
  return el("div", { class: kind, role: "status", ...start }, ...words.map((line) => el("p", {}, line)));
}

function ending(told, end) {
  const [first, ...rest] = end.words;
  const kind = end.right ? "right" : end.done ? "" : "wrong";
  return el("div", { class: "said stack" },
    el("p", { class: `verdict ${kind}`, role: "status" }, first),
    ...rest.map((line) => el("p", {}, line)),
    el("h3", {}, `The line, ${percent(end.chance)}`),
    el("p", { class: "line-text why" }, end.line),
    el("p", { class: "soft" }, end.rivals_words),
  );
}

function wishes(told) {
  if (told.end) {
    const more = told.number < told.rounds ? "Next question" : "The review";
    return el("div", { class: "row" },
      el("button", { type: "button", class: "primary", data: { first: "", wish: "next" }, on: { click: goOn } }, more),
      exploreButton(told),
    );
  }
  const back = told.slip ? "Take it back" : "Take back";
  const main = told.slip ? "primary" : "quiet";
  return el("div", { class: "row wishes" },
    el("button", { type: "button", class: "quiet", data: { wish: "hint" }, on: { click: () => take("hint") } },
      el("kbd", {}, "h"), "Hint"),
    el("button", { type: "button", class: main, disabled: !told.can_take_back, data: { wish: "back" },
      on: { click: () => take("back") } }, el("kbd", {}, "b"), back),
    el("button", { type: "button", class: "quiet", data: { wish: "next" }, on: { click: () => take("next") } },
      el("kbd", {}, "n"), told.slip ? "Show me, and go on" : "Give up"),
  );
}

/** Every round, the leader marked. */
function cardsPlayed(told) {
  const seats = ["W", "N", "E", "S"];
  const head = el("tr", {}, el("th", { scope: "col" }, el("span", { class: "only-heard" }, "Round")),
    ...seats.map((seat) => el("th", { scope: "col" }, SEATS[seat])));
  const rows = told.turn.rounds.map((cards, number) => {
    const found = Object.fromEntries(cards.map((card) => [card[0], card.slice(1)]));
    const cells = seats.map((seat) => el("td", { class: cards[0][0] === seat ? "leads" : "" }, roundCard(found[seat])));
    return el("tr", {}, el("th", { scope: "row" }, String(number + 1)), ...cells);
  });
  return el("details", { class: "rounds", open: true }, el("summary", {}, "Cards played"),
    el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)));
}

const roundCard = (rank) => (rank === undefined ? "" : rank === "-" ? "–" : rankSign(rank));

function exploreButton({ north, south, tricks }) {
  const on = { click: () => explore(north, south, tricks) };
  return el("button", { type: "button", class: "quiet", on }, "Explore this one");
}

// ---------------------------------------------------------------- the score and the review

function showScore() {
  const aside = box.querySelector(".score");
  fill(aside, ...score());
}

function score() {
  const dots = Array.from({ length: rounds() }, (_, number) => {
    const one = game.results[number];
    const kind = !one ? "open" : one.right ? "right" : "wrong";
    const sign = { open: "·", right: "✓", wrong: "✗" }[kind];
    const heard = el("span", { class: "only-heard" }, `Question ${number + 1}: ${kind}`);
    return el("li", { class: kind }, el("span", { "aria-hidden": "true" }, sign), heard);
  });
  const streak = streakNow();
  const row = streak > 1 ? `${streak} in a row.` : "";
  return [
    el("h3", {}, "Score"),
    el("ol", { class: "dots" }, ...dots),
    el("p", { class: "streak", role: "status" }, row),
    game.own ? null : levelChoice(),
    el("p", { class: "soft small" }, "Click a card or press its key: A K Q J T 9 … A link to this page keeps the state."),
  ];
}

function streakNow() {
  const wrong = game.results.findLastIndex((one) => !one.right);
  return game.results.length - 1 - wrong;
}

function levelChoice() {
  const buttons = LEVELS.map(([level, name]) => {
    const on = { click: () => anew({ level }) };
    const label = level ? `Level ${level}` : "All levels";
    return el("button", { type: "button", "aria-pressed": String(String(game.level) === level), "aria-label": label, on },
      name);
  });
  return el("div", {},
    el("div", { class: "segments levels", role: "group", "aria-label": "Level: starts anew" }, ...buttons),
    el("p", { class: "soft small" }, LEVEL_WORDS[game.level]),
  );
}

function showReview(review) {
  const again = { click: () => anew() };
  const main = el("section", { class: "panel stack", "aria-labelledby": "drill-title" },
    el("h2", { id: "drill-title", role: "status" }, review.score),
    el("ul", { class: "review" }, ...review.questions.map(reviewed)),
    el("button", { type: "button", class: "primary", data: { first: "" }, on: again }, game.own ? "Draw ten" : "Ten more"),
  );
  fill(box, el("div", { class: "drill" }, main, el("aside", { class: "panel stack score", "aria-label": "Score" })));
  showScore();
  box.querySelector("[data-first]").focus({ preventScroll: true });
}

function reviewed(one) {
  const mark = el("span", { class: one.right ? "right" : "wrong", "aria-hidden": "true" }, one.right ? "✓" : "✗");
  return el("li", {}, mark, el("span", {}, one.words), exploreButton(one));
}

function showFault(words) {
  const again = el("button", { type: "button", on: { click: () => anew() } }, "Start anew");
  fill(box, el("div", { class: "stack" }, el("p", { class: "notice", role: "alert" }, words), again));
}
