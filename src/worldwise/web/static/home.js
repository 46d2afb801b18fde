// The first page: a suit is solved where you stand; the other doors lead on.

import { address, ask } from "./api.js";
import { byId, el, fill, percent } from "./dom.js";

/** West's and East's spades in deals/two-way-guess, as the catalog's test says. */
const WORLDS = [
  ...["9 Q8765", "8 Q9765", "7 Q9865", "6 Q9875", "98 Q765", "97 Q865", "96 Q875", "87 Q965", "86 Q975", "76 Q985"],
  ...["Q 98765", "Q9 8765", "Q8 9765", "Q7 9865", "Q6 9875"],
];

let asking = new AbortController();

function showWorlds() {
  const tiles = WORLDS.map((world) => {
    const [west, east] = world.split(" ");
    const won = east.startsWith("Q");
    return el("li", { class: won ? "won" : "other" }, el("i", {}, west), el("i", {}, east));
  });
  fill(byId("worlds"), ...tiles);
}

async function solve(event) {
  event.preventDefault();
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const combination = { north: byId("north").value.trim() || "-", south: byId("south").value.trim() || "-" };
  try {
    const { goals } = await ask("/api/suit", combination, { signal });
    const lines = new Map();
    const onStep = (step) => {
      for (const line of step.lines) lines.set(line.tricks, line.text);
      showGoals(goals, lines, combination);
    };
    await ask("/api/suit/lines", combination, { signal, onStep });
  } catch (error) {
    if (!signal.aborted) fill(byId("suit-answer"), el("p", { class: "notice" }, error.message));
  }
}

/** What is neither certain nor hopeless is what one asks about; if nothing is in doubt, the most that can be won. */
function showGoals(goals, lines, combination) {
  const possible = goals.filter((goal) => goal.probability > 0);
  const open = possible.filter((goal) => goal.probability < 1);
  const rows = (open.length ? open : possible.slice(-1)).flatMap((goal) => [
    el("dt", {}, `${goal.tricks} ${goal.tricks === 1 ? "trick" : "tricks"}`),
    el("dd", { class: "chance" }, percent(goal.probability)),
    el("dd", {}, lines.get(goal.tricks) ?? "…"),
  ]);
  const link = el("a", { href: address("/suits", combination) }, "Layouts, reasons and every other goal");
  fill(byId("suit-answer"), el("dl", {}, ...rows), el("p", { class: "more" }, link));
}

showWorlds();
byId("ask-suit").addEventListener("submit", solve);
