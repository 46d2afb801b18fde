// What an answer about a suit looks like. Nothing is computed here but places and colours.

import { bar, byId, el, every, fill, first, focused, percent } from "./dom.js";

const SHADES = 5;

// ---------------------------------------------------------------- goals

/** The table of goals; the average is its last row. */
export function showGoals(found, lines, state, choose) {
  byId("goals-title").textContent = found.name;
  byId("assumed").textContent = found.assumptions.join("; ");
  byId("assumed").hidden = !found.assumptions.length;
  const { expected_tricks: tricks, double_dummy } = found;
  const average = ["average", tricks.toFixed(4), double_dummy.toFixed(4), tricks / found.goals.length];
  const seen = (goal) => percent(goal.double_dummy_probability);
  const cellsOf = (goal) => [goal.tricks, percent(goal.probability), seen(goal), goal.probability];
  const goals = found.goals.map(cellsOf);
  const rows = [...goals, average].map((cells) => goalRow(...cells, lines, state, choose));
  const body = first("table.goals tbody");
  const chosen = body.contains(focused()) ? focused().value : null;
  fill(body, ...rows);
  if (chosen) first(`input[value="${chosen}"]`, body)?.focus();
}

function goalRow(tricks, chance, seen, share, lines, state, choose) {
  const chosen = state.tricks === tricks;
  const label = tricks === "average" ? "on average" : String(tricks);
  const named = { name: "goal", value: String(tricks), "aria-label": goalWords(tricks) };
  const radio = el("input", { type: "radio", ...named, checked: chosen, on: { change: () => choose(tricks) } });
  const line = lines.get(tricks)?.summary ?? "…";
  return el(
    "tr",
    { class: chosen ? "chosen" : "", data: { tricks }, on: { click: () => choose(tricks) } },
    el("th", { scope: "row" }, el("span", { class: "pick" }, radio, label)),
    el("td", { class: "chance" }, el("span", { class: "figure" }, chance), bar(share)),
    el("td", { class: "seen soft" }, seen),
    el("td", { class: "line" }, line),
  );
}

function goalWords(tricks) {
  if (tricks === "average") return "most tricks on average";
  return tricks === 1 ? "1 trick" : `${tricks} tricks`;
}

/** One goal: best defence against the double-dummy average as two bars, and the difference in words. */
export function showGoal(found, state) {
  const goal = found.goals.find((one) => one.tricks === state.tricks);
  const average = `${found.expected_tricks.toFixed(4)} tricks on average`;
  byId("goal-title").textContent = goal ? `${goalWords(goal.tricks)}: ${percent(goal.probability)}` : average;
  const best = goal ? goal.probability : found.expected_tricks;
  const seen = goal ? goal.double_dummy_probability : found.double_dummy;
  const most = goal ? 1 : found.goals.length;
  const shown = goal ? percent : (tricks) => tricks.toFixed(4);
  const bars = [namedBar("Best defence", best / most, shown(best), "")];
  bars.push(namedBar("Double-dummy average", seen / most, shown(seen), "other"));
  fill(byId("bars"), ...bars.flat());
  byId("price").textContent = `${sentence(goal ? goal.words : found.words)}.`;
}

const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1);

function namedBar(name, share, figure, className) {
  return [el("dt", {}, name), el("dd", {}, bar(share, className), el("span", { class: "figure" }, figure))];
}

/** A line in words: a paragraph for every line, indented as it is, conditions set off. */
export function showLine(line) {
  const text = line?.text ?? "…";
  fill(byId("line"), ...text.split("\n").map(paragraph));
}

const lineText = (text) => el("div", { class: "line-text" }, ...text.split("\n").map(paragraph));

function paragraph(line) {
  const indent = Math.min(4, (line.length - line.trimStart().length) / 2);
  const condition = line.match(/^\s*((?:If [^:]*|Otherwise):)(.*)$/);
  const children = condition ? [el("b", {}, condition[1]), condition[2]] : [line.trim()];
  return el("p", { class: `indent-${indent}${condition ? " condition" : ""}` }, ...children);
}

// ---------------------------------------------------------------- ways to begin

export function showFirstLines(ways, state, choose) {
  const items = ways.map((way, number) => {
    const chosen = state.why ? way.line === state.why : number === 0;
    const words = number === 0 ? "the best" : way.costs ? `−${percent(way.costs)}` : "as good";
    const pressed = { class: "way", "aria-pressed": String(chosen), on: { click: () => choose(way.line) } };
    const button = el(
      "button",
      { type: "button", ...pressed },
      el("span", { class: "name" }, way.line),
      el("span", { class: "figure" }, percent(way.probability)),
      bar(way.probability, chosen && number ? "other" : ""),
      el("span", { class: "soft small" }, words),
    );
    return el("li", {}, button);
  });
  const list = byId("first-lines");
  const place = every("button", list).indexOf(focused());
  fill(list, ...items);
  if (place >= 0) every("button", list)[place]?.focus();
}

/** Why a way is not the best: what only the one wins and what only the other, and how it goes on. */
export function showComparison(way, text) {
  if (!way) return fill(byId("comparison"));
  const [start, ...rest] = way.words.split("\n");
  const listed = rest.map((line) => {
    const [, what, layouts] = line.trim().match(/^([^:]*): (.*)$/);
    const whose = what.includes("this") ? "only-this" : "only-best";
    return el("p", { class: whose }, el("b", {}, sentence(what)), ` ${layouts}`);
  });
  const goesOn = text === null ? [] : [el("h4", {}, "How it goes on"), lineText(text)];
  fill(byId("comparison"), el("div", { class: "comparison stack" }, el("p", {}, start), ...listed, ...goesOn));
}

// ---------------------------------------------------------------- layouts

/** Every layout as a tile, in rows by how the cards are split, coloured by what happens there. */
export function showLayouts(found, state, ways) {
  const outcome = outcomes(found, state, ways);
  const swatch = (kind) => el("span", { class: `swatch ${kind}`, "aria-hidden": "true" });
  fill(byId("legend"), ...outcome.legend.map(([kind, words]) => el("li", {}, swatch(kind), words)));
  const splits = [...Map.groupBy(found.layouts, (layout) => layout.split.join("–"))];
  splits.sort(([, a], [, b]) => b[0].split[0] - a[0].split[0]);
  const head = el("p", { class: "soft small tiles-head" }, "West’s cards stand left, East’s right.");
  fill(byId("tiles"), head, ...splits.map(([split, layouts]) => splitRow(split, layouts, outcome)));
  byId("spots").textContent = found.spots;
}

function splitRow(split, layouts, outcome) {
  const chance = layouts.reduce((sum, layout) => sum + layout.probability, 0);
  const head = el("h3", { class: "split" }, split, el("span", { class: "soft" }, percent(chance)));
  const tiles = layouts.map((layout) => tile(layout, ...outcome.of(layout)));
  return el("div", { class: "split-row" }, head, el("ul", { class: "tiles" }, ...tiles));
}

function tile(layout, kind, sign, words) {
  const hands = el("span", { class: "lie" }, side(layout.west), el("i", { "aria-hidden": "true" }), side(layout.east));
  const many = layout.name.match(/×\d+$/);
  const chance = el("span", { class: "small" }, percent(layout.probability), many ? ` ${many[0]}` : "");
  const under = el("span", { class: "under" }, chance, el("span", { class: "mark", "aria-hidden": "true" }, sign));
  const title = `${layout.name}: ${percent(layout.probability)}, ${words}`;
  return el("li", { class: `tile ${kind}`, title }, hands, under, el("span", { class: "only-heard" }, words));
}

const side = (cards) => el("span", {}, cards === "-" ? "—" : cards);

/** What the colours say: won or lost, so many tricks, or beside another way to begin who wins. */
function outcomes(found, state, ways) {
  if (state.tricks === "average") return byTricks(found);
  const way = ways.find((one) => one.line === state.why);
  return way ? byWay(state.tricks, way) : byGoal(state.tricks);
}

function byGoal(tricks) {
  const kinds = { won: ["won", "✓", "won"], lost: ["lost", "✗", "lost"] };
  return { legend: legendOf(kinds), of: (layout) => kinds[layout.wins.includes(tricks) ? "won" : "lost"] };
}

function byWay(tricks, way) {
  const kinds = {
    both: ["won", "✓", "both win"],
    best: ["best", "★", `only the best wins: ${way.best_line.toLowerCase()}`],
    this: ["this", "◆", `only this wins: ${way.line.toLowerCase()}`],
    lost: ["lost", "✗", "both lose"],
  };
  const same = (one) => (other) => one.west === other.west && one.east === other.east;
  const of = (layout) => {
    if (way.only_this_wins.some(same(layout))) return kinds.this;
    if (way.only_the_best_wins.some(same(layout))) return kinds.best;
    return layout.wins.includes(tricks) ? kinds.both : kinds.lost;
  };
  return { legend: legendOf(kinds), of };
}

function byTricks(found) {
  const counts = [...new Set(found.layouts.map((layout) => layout.tricks))].sort((a, b) => a - b);
  const step = (SHADES - 1) / Math.max(counts.length - 1, 1);
  const shade = (number) => `shade-${Math.floor(number * step)}`;
  const kinds = new Map(counts.map((tricks, number) => [tricks, [shade(number), String(tricks), goalWords(tricks)]]));
  const legend = [...kinds.values()].map(([kind, , words]) => [kind, words]);
  return { legend, of: (layout) => kinds.get(layout.tricks) };
}

const legendOf = (kinds) => Object.values(kinds).map(([kind, sign, words]) => [kind, `${sign} ${words}`]);
