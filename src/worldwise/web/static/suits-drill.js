// The drill: a question, an answer, a verdict, the score. A seed and the answers are all there is to remember.

import { address, ask } from "./api.js";
import { hand } from "./cards.js";
import { el, fill, percent } from "./dom.js";

const LARGEST_SEED = 1_000_000;

let box = null;
let explore = () => {};
let game = null;
let asking = new AbortController();

export function startDrill(element, { seed, answers = "" }, onExplore) {
  box = element;
  explore = onExplore;
  const given = answers ? answers.split(",") : [];
  game = { seed: Number.isInteger(seed) ? seed : newSeed(), answers: given, verdict: false, told: null };
  addEventListener("keydown", numberKey);
  load();
}

export function stopDrill() {
  asking.abort();
  removeEventListener("keydown", numberKey);
}

const newSeed = () => Math.floor(Math.random() * LARGEST_SEED);

async function load() {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  history.replaceState(null, "", address("/suits", { drill: game.seed, answers: game.answers.join(",") }));
  try {
    game.told = await ask("/api/suit/drill", { seed: game.seed, answers: game.answers.join(",") }, { signal });
    show();
  } catch (error) {
    if (!signal.aborted) showFault(error.message);
  }
}

function showFault(words) {
  const anew = el("button", { type: "button", on: { click: again } }, "Start anew");
  fill(box, el("div", { class: "stack" }, el("p", { class: "notice", role: "alert" }, words), anew));
}

function answer(play) {
  game.answers.push(play);
  game.verdict = true;
  load();
}

function next() {
  game.verdict = false;
  show();
}

function again() {
  startDrill(box, {}, explore);
}

/** 1, 2, 3 ... choose a play; Enter presses what has the focus, as everywhere. */
function numberKey(event) {
  const buttons = box.querySelectorAll(".plays button");
  const button = /^[1-9]$/.test(event.key) ? buttons[Number(event.key) - 1] : null;
  button?.click();
}

// ---------------------------------------------------------------- showing

function show() {
  const { told } = game;
  const last = told.answered.at(-1);
  const main = game.verdict && last ? verdict(last, told) : told.question ? question(told) : ending(told);
  fill(box, el("div", { class: "drill" }, main, score(told)));
  box.querySelector("[data-first]")?.focus();
}

function table(asked, onPlay = null) {
  const play = (seat) => onPlay && ((rank) => onPlay(`${seat}${rank}`));
  return el("div", { class: "drill-table" },
    el("p", { class: "seat" }, "North"), hand(asked.north, "s", "North", play("N")),
    el("p", { class: "defenders" }, asked.defenders),
    hand(asked.south, "s", "South", play("S")), el("p", { class: "seat" }, "South"),
  );
}

function question(told) {
  const asked = told.question;
  const plays = asked.plays.map(({ play, words }, number) => {
    const label = [el("kbd", {}, String(number + 1)), words.charAt(0).toUpperCase() + words.slice(1)];
    const first = number ? {} : { first: "" };
    return el("li", {}, el("button", { type: "button", data: first, on: { click: () => answer(play) } }, ...label));
  });
  return el("section", { class: "panel stack", "aria-labelledby": "drill-title" },
    el("p", { class: "soft" }, `Question ${told.answered.length + 1} of ${told.rounds}`),
    el("h2", { id: "drill-title" }, `You want ${asked.goal}. What do you lead?`),
    table(asked, answer),
    el("ul", { class: "plays" }, ...plays),
  );
}

function verdict(last, told) {
  const more = told.question ? "Next question" : "The result";
  return el("section", { class: "panel stack", "aria-labelledby": "drill-title" },
    el("p", { class: "soft" }, `Question ${told.answered.length} of ${told.rounds}, for ${last.goal}`),
    el("h2", { id: "drill-title", class: last.right ? "right" : "wrong", role: "status" }, last.verdict),
    table(last),
    el("p", { class: "why" }, told.why),
    el("div", { class: "row" },
      el("button", { type: "button", class: "primary", data: { first: "" }, on: { click: next } }, more),
      exploreButton(last),
    ),
  );
}

function ending(told) {
  return el("section", { class: "panel stack", "aria-labelledby": "drill-title" },
    el("h2", { id: "drill-title" }, told.score),
    el("ul", { class: "review" }, ...told.answered.map(reviewed)),
    el("button", { type: "button", class: "primary", data: { first: "" }, on: { click: again } }, "Ten more"),
  );
}

function reviewed(one) {
  const mark = el("span", { class: one.right ? "right" : "wrong" }, one.right ? "✓" : "✗");
  const words = `${one.north} – ${one.south} for ${one.goal}: ${one.play} ${percent(one.probability)}`;
  const better = one.right ? "" : `, best ${percent(one.best_probability)}`;
  return el("li", {}, mark, el("span", {}, words + better), exploreButton(one));
}

function exploreButton({ north, south, tricks }) {
  const on = { click: () => explore(north, south, tricks) };
  return el("button", { type: "button", class: "quiet", on }, "Explore this one");
}

function score(told) {
  const dots = Array.from({ length: told.rounds }, (_, number) => {
    const one = told.answered[number];
    const kind = !one ? "open" : one.right ? "right" : "wrong";
    const sign = { open: "·", right: "✓", wrong: "✗" }[kind];
    const heard = el("span", { class: "only-heard" }, `Question ${number + 1}: ${kind}`);
    return el("li", { class: kind }, el("span", { "aria-hidden": "true" }, sign), heard);
  });
  return el("aside", { class: "panel stack score", "aria-label": "Score" },
    el("h3", {}, "Score"),
    el("ol", { class: "dots" }, ...dots),
    el("p", { role: "status" }, told.score || "No answers yet."),
    el("p", { class: "soft small" }, "Keys 1, 2, 3 … choose; a link to this page keeps the state."),
  );
}
