// What a card is worth in words: the figure with its kind, and how a card played unseen compares with the best.

import { rankSign, suitSign } from "./cards.js";

const EPSILON = 1e-9;

export const signOf = (card) => suitSign(card[0].toLowerCase()) + rankSign(card[1]);
export const share = (chance) => `${(100 * chance).toFixed(1)} %`;

/** What a figure is: searched to the end, as far as the search saw, or no more than a bound. */
const KINDS = { final: "", depth: "up to ", bound: "at most " };

/** What is counted: how the column is called, and how a figure is written. */
export const AIMS = {
  make: { head: "Makes it", write: share },
  tricks: { head: "Tricks", write: (tricks) => tricks.toFixed(2) },
  score: { head: "Points", write: (points) => points.toFixed(0) },
};

/** What a choice is worth towards the aim, and what kind of figure that is: nothing is shown without it. */
export const figureWords = ({ worth }, aim) => KINDS[worth.kind] + AIMS[aim].write(worth.value);

/** A sentence about a card that was played unseen, and whether another was clearly better. */
export function judge(found, card) {
  const played = found.choices.find((choice) => choice.cards.includes(card));
  const [best] = found.choices;
  const opening = `You played the ${signOf(card)}`;
  if (!played) return { words: `${opening}.`, worse: false };
  // A sample flatters what was chosen from it, so it is named.
  const basis = found.exact ? "" : ` over ${found.worlds.length} layouts`;
  const mine = figureWords(played, found.aim);
  if (played === best) return { words: `${opening}, and so would I: ${mine}${basis}.`, worse: false };
  const gap = best.worth.value - played.worth.value;
  if (gap < EPSILON && played.worth.kind === best.worth.kind) return { words: `${opening}: as good as any, ${mine}${basis}.`, worse: false };
  const both = `${opening}: ${mine}; the ${signOf(found.best)} has ${figureWords(best, found.aim)}${basis}.`;
  const close = gap < EPSILON || found.close.some((one) => played.cards.includes(one));
  return close ? { words: `${both} Too close to call.`, worse: false } : { words: both, worse: true };
}
