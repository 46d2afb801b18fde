// When the play is over, or a card was played without looking: what it was worth, and where to go from here.

import { ask } from "./api.js";
import { judge } from "./desk-judging.js";
import { coloured } from "./desk-view.js";
import { byId, el, fill } from "./dom.js";
import { keep } from "./figures.js";

/** What a card is worth that was played before the advice was seen; `found` is the last answer of the search. */
export function showJudged(found, card, takeBack) {
  const box = byId("judged");
  box.hidden = !found;
  if (!found) return;
  const { words, worse } = judge(found, card);
  const again = el("button", { type: "button", on: { click: takeBack } }, "Take it back");
  box.classList.toggle("worse", worse);
  fill(box, el("p", {}, ...coloured(words)), worse ? el("div", { class: "row" }, again) : null);
}

/** The end: how it went, the review, and what to do next. */
export async function showDebrief({ table, question, jump, ways, signal }) {
  const box = byId("debrief");
  const verdict = el("div", { class: "stack" }, el("p", { class: "soft small", role: "status" }, "Reviewing your cards …"));
  fill(box, el("p", { class: "headline" }, `${table.result}.`), wayButtons(question, ways), verdict);
  box.hidden = false;
  const onStep = ({ done, of }) => (verdict.firstChild.textContent = `Reviewing your cards: ${done} of ${of} …`);
  try {
    const found = await ask("/api/desk/review", question, { signal, onStep });
    fill(verdict, ...reviewItems(found, jump));
  } catch (error) {
    if (!signal.aborted) verdict.firstChild.textContent = error.message;
  }
}

function wayButtons(question, ways) {
  const button = ([words, work]) => el("button", { type: "button", on: { click: work } }, words);
  const save = ["Save as PBN", async () => keep((await ask("/api/desk/save", question)).pbn, "board.pbn", "text/plain")];
  return el("div", { class: "row" }, ...[...ways, save].map(button));
}

function reviewItems(found, jump) {
  const mistakes = found.decisions.filter((told) => told.verdict === "mistake");
  const close = found.decisions.filter((told) => told.verdict === "close").length;
  const lines = found.verdict.map((words) => el("p", {}, ...coloured(words)));
  const count = close ? el("p", { class: "soft small" }, `${close} of your cards ${close === 1 ? "was" : "were"} too close to call.`) : null;
  return [...lines, ...mistakes.map((told) => mistakeItem(told, found.decisive, jump)), count];
}

function mistakeItem(told, decisive, jump) {
  const go = el("button", { type: "button", class: "quiet", on: { click: () => jump(told.place) } }, "Go there");
  const [first, ...rest] = told.words;
  const mark = told.place === decisive ? " decisive" : "";
  const said = rest.map((words) => el("p", { class: "small" }, ...coloured(words)));
  return el("div", { class: `mistake stack${mark}` }, el("p", {}, ...coloured(first)), ...said, el("div", { class: "row" }, go));
}

/** A claim: whether one line takes the rest, and if not, where it fails. */
export async function showClaim(question, signal) {
  const box = byId("claimed");
  box.hidden = false;
  fill(box, el("p", {}, "Looking whether one line takes the rest …"));
  try {
    const found = await ask("/api/desk/claim", question, { signal });
    fill(box, ...found.words.map((words) => el("p", {}, ...coloured(words))));
    return found.good;
  } catch (error) {
    if (!signal.aborted) fill(box, el("p", {}, error.message));
    return false;
  }
}
