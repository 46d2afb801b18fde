// The end of a game: the true board move by move or try by try, and what the player believed whenever it was his turn.

import { heatOf } from "./kriegspiel-board.js";
import { byId } from "./dom.js";

let told = null;
let view = null;

/** Show a story; `show` draws a board. */
export function tellStory(story, opponent, show) {
  told = { ...story, opponent };
  view = { at: story.tries.length, stops: [], heat: byId("story-heat").value, show };
  byId("tried").textContent = story.tried || "nothing";
  byId("tried-by").textContent = `What ${opponent} tried (refused)`;
  byId("story-belief").hidden = !story.beliefs.length;
  byId("story").hidden = false;
  offerRefusals(story.tries.filter(({ refused }) => refused).length);
  layStops();
}

/** A switch for refused tries, where there are any; it is off, for there may be many before a move. */
function offerRefusals(count) {
  byId("refusals").hidden = !count;
  byId("refusals-too").checked = false;
  byId("refusals-words").textContent = `Refused tries too (${count})`;
}

/** Stop at the beginning and after every move, or after every try; stay where we are, or at the move before. */
function layStops() {
  const all = byId("refusals-too").checked;
  view.stops = [0, ...told.tries.flatMap(({ refused }, at) => (all || !refused ? [at + 1] : []))];
  byId("at").max = view.stops.length - 1;
  goTo(view.stops.findLastIndex((stop) => stop <= view.at));
}

export function endStory() {
  told = null;
  byId("story").hidden = true;
}

/** The belief that the player had when this many tries had been made, or the last before. */
function beliefAt(at) {
  return told.beliefs.findLast(({ after }) => after <= at) ?? null;
}

function goTo(stop) {
  const now = Math.max(0, Math.min(view.stops.length - 1, stop));
  view.at = view.stops[now];
  byId("at").value = now;
  const last = now ? told.tries[view.at - 1] : null;
  const pieces = last ? last.board : told.first;
  byId("story-words").textContent = last ? `${last.number}. ${last.words}${passed(now)}` : "The beginning";
  byId("at").setAttribute("aria-valuetext", byId("story-words").textContent);
  const found = view.heat === "off" ? null : beliefAt(view.at);
  byId("story-believed").textContent = found ? words(found) : "";
  const heat = found?.belief ? heatOf(found.belief, view.heat, pieces) : null;
  view.show({ pieces, marks: last ? marks(last) : {}, heat });
}

/** How many refused tries lie between a stop and the one before. */
function passed(stop) {
  const count = view.stops[stop] - view.stops[stop - 1] - 1;
  return count ? ` (${count} ${count === 1 ? "try" : "tries"} refused before)` : "";
}

function words({ belief, after }) {
  if (!belief) return `${told.opponent} had lost track here.`;
  const when = after ? `after “${told.tries[after - 1].words}”` : "at the beginning";
  return `What ${told.opponent} believed ${when}: ${belief.words}.`;
}

const marks = ({ move, refused }) =>
  refused ? { [move.slice(0, 2)]: "from", [move.slice(2, 4)]: "refused" } : { [move.slice(0, 2)]: "from", [move.slice(2, 4)]: "to" };

const here = () => Number(byId("at").value);

/** Arrow keys, Home and End, as on the slider, wherever they mean nothing else. */
function shortcut(event) {
  if (!told || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.matches?.("input:not([type=checkbox]), select")) return;
  const stops = { ArrowLeft: here() - 1, ArrowRight: here() + 1, Home: 0, End: Infinity };
  if (!(event.key in stops)) return;
  event.preventDefault();
  goTo(stops[event.key]);
}

export function listenToStory() {
  byId("at").addEventListener("input", () => goTo(here()));
  byId("earlier").addEventListener("click", () => goTo(here() - 1));
  byId("later").addEventListener("click", () => goTo(here() + 1));
  byId("refusals-too").addEventListener("change", layStops);
  addEventListener("keydown", shortcut);
  byId("story-heat").addEventListener("change", (event) => ((view.heat = event.target.value), goTo(here())));
}
