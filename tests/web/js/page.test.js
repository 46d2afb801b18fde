// What the page computes by itself, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

// A copy of the page's files, because whether a file is a module is said by the package.json above it.
const STATIC = "./static";
// dom.js looks at the page only when it is asked to.
const { named, written } = await import(`${STATIC}/cards.js`);
const { linesOf } = await import(`${STATIC}/kriegspiel-log.js`);
const { lostPieces } = await import(`${STATIC}/kriegspiel-score.js`);
const { address } = await import(`${STATIC}/api.js`);
const { judge } = await import(`${STATIC}/desk-judging.js`);

test("cards are read as people write them and written from the top", () => {
  assert.deepEqual(named("a q 10 x9"), ["A", "Q", "T", "9"]);
  assert.equal(written(["9", "A", "T"]), "AT9");
  assert.equal(written([]), "");
});

test("an address has what has a value", () => {
  assert.equal(address("/desk", { deal: "N:A - K -", at: null, name: "", reveal: 1 }), "/desk?deal=N%3AA+-+K+-&reveal=1");
  assert.equal(address("/desk", {}), "/desk");
});

test("refused tries of the other are counted in one line", () => {
  const heard = (move, refused) => ({ by: "black", move, refused, words: "words" });
  const lines = linesOf([heard(null, true), heard(null, true), heard(null, false)]);
  assert.deepEqual(lines.map((line) => line.words), ["black: 2 tries refused", "words"]);
});

const START = "RNBQKBNRPPPPPPPP" + ".".repeat(48);

test("lost pieces are those of the start that are gone, the dearest first", () => {
  assert.deepEqual(lostPieces(START, "white"), []);
  assert.deepEqual(lostPieces(START.replace("Q", ".").replace("P", "."), "white"), ["Q", "P"]);
  assert.deepEqual(lostPieces(START.toLowerCase().replace("n", "."), "black"), ["n"]);
});

test("a pawn that became a queen is not lost", () => {
  assert.deepEqual(lostPieces(START.replace("P", "Q"), "white"), []);
});

const choice = (cards, value, kind = "final") => ({ cards, worth: { value, kind, depth: 3 } });
const advice = (choices, close = [], exact = true) => {
  return { aim: "make", best: choices[0].cards.at(-1), choices, close, exact, worlds: [1, 2, 3] };
};

test("a card played unseen is judged by what was searched, and a bound is called one", () => {
  const found = advice([choice(["S3", "S2"], 0.6), choice(["SA"], 0.6), choice(["SK"], 0.3, "bound")]);
  assert.deepEqual(judge(found, "S2"), { words: "You played the ♠2, and so would I: 60.0 %.", worse: false });
  assert.deepEqual(judge(found, "SA"), { words: "You played the ♠A: as good as any, 60.0 %.", worse: false });
  const told = judge(found, "SK");
  assert.deepEqual(told, { words: "You played the ♠K: at most 30.0 %; the ♠2 has 60.0 %.", worse: true });
});

test("what the sample cannot tell apart is too close to call", () => {
  const found = advice([choice(["HT"], 0.61, "depth"), choice(["H9"], 0.6, "depth")], ["H9"], false);
  const words = "You played the ♥9: up to 60.0 %; the ♥10 has up to 61.0 % over 3 layouts. Too close to call.";
  assert.deepEqual(judge(found, "H9"), { words, worse: false });
});
