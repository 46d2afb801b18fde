// The end of a game: the true board try by try, and what the player believed whenever it was his turn.

import { heatOf } from "./kriegspiel-board.js";
import { byId } from "./dom.js";

let told = null;
let view = null;

/** Show a story; `show` draws a board. */
export function tellStory(story, opponent, show) {
  told = { ...story, opponent };
  view = { at: story.tries.length, heat: byId("story-heat").value, show };
  const slider = byId("at");
  slider.max = story.tries.length;
  byId("tried").textContent = story.tried || "nothing";
  byId("tried-by").textContent = `What ${opponent} tried (refused)`;
  byId("story-belief").hidden = !story.beliefs.length;
  byId("story").hidden = false;
  goTo(view.at);
}

export function endStory() {
  told = null;
  byId("story").hidden = true;
}

/** The belief that the player had when this many tries had been made, or the last before. */
function beliefAt(at) {
  return told.beliefs.findLast(({ after }) => after <= at) ?? null;
}

function goTo(at) {
  view.at = Math.max(0, Math.min(told.tries.length, at));
  byId("at").value = view.at;
  const last = view.at ? told.tries[view.at - 1] : null;
  const men = last ? last.board : told.first;
  byId("story-words").textContent = last ? `${last.number}. ${last.words}` : "The beginning";
  byId("at").setAttribute("aria-valuetext", byId("story-words").textContent);
  const found = view.heat === "off" ? null : beliefAt(view.at);
  byId("story-believed").textContent = found ? words(found) : "";
  const heat = found?.belief ? heatOf(found.belief, view.heat, men) : null;
  view.show({ men, marks: last ? marks(last) : {}, heat });
}

function words({ belief, after }) {
  if (!belief) return `${told.opponent} had lost track here.`;
  const when = after ? `after “${told.tries[after - 1].words}”` : "at the beginning";
  return `What ${told.opponent} believed ${when}: ${belief.words}.`;
}

const marks = ({ move, refused }) =>
  refused ? { [move.slice(0, 2)]: "from", [move.slice(2, 4)]: "refused" } : { [move.slice(0, 2)]: "from", [move.slice(2, 4)]: "to" };

export function listenToStory() {
  byId("at").addEventListener("input", (event) => goTo(Number(event.target.value)));
  byId("earlier").addEventListener("click", () => goTo(view.at - 1));
  byId("later").addEventListener("click", () => goTo(view.at + 1));
  byId("story-heat").addEventListener("change", (event) => ((view.heat = event.target.value), goTo(view.at)));
}
