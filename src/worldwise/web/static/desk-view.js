// What the table and the advice look like. Nothing is computed here but places and colours.

import { face, rankSign, rankWord, suitSign, SUITS } from "./cards.js";
import { AIMS, figureWords, share, signOf } from "./desk-judging.js";
import { bar, byId, el, every, fill, first, focused } from "./dom.js";

const SEATS = { N: "North", E: "East", S: "South", W: "West" };
const BIDS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const LETTERS = { "♠": "s", "♥": "h", "♦": "d", "♣": "c" };

export const seatName = (letter) => SEATS[letter];
const suitOf = (card) => card[0].toLowerCase();
const cardWords = (card) => `${rankWord(card[1])} of ${SUITS.find(([letter]) => letter === suitOf(card))[2]}`;
/** Places at the table, clockwise from the bottom, where declarer sits. */
const PLACES = ["bottom", "left", "top", "right"];
const AROUND = ["N", "E", "S", "W"];

/** A text in which every suit has its colour, and a ten is 10. */
export function coloured(text) {
  return text.split(/([♠♥♦♣][AKQJT2-9]*)/).flatMap((part) => {
    const letter = LETTERS[part[0]];
    if (!letter) return [part];
    const ranks = part.includes("T") ? [...part.slice(1)].map(rankSign).join("\u202f") : part.slice(1);
    return [el("span", { class: "sign", data: { suit: letter } }, part[0]), ranks];
  });
}

// ---------------------------------------------------------------- the table

/** The four hands, the contract, how it stands; `play` plays a card. */
export function showTable(table, play) {
  const { contract, declarer, strain, level, doubled } = table.contract;
  byId("contract").setAttribute("aria-label", `${contract} by ${seatName(declarer)}`);
  const bid = `${level}${BIDS[strain] ?? strain}${"×".repeat(doubled)}`;
  fill(byId("contract"), ...coloured(bid), el("small", {}, ` by ${seatName(declarer)}`));
  byId("standing").textContent = table.result ?? table.standing;
  const active = focused();
  const held = active?.dataset?.card;
  if (byId("compass").contains(active)) inHand = true;
  else if (active !== document.body) inHand = false;
  seatAll(declarer);
  for (const seat of document.querySelectorAll(".seat")) showSeat(seat, table, play);
  const card = byId("compass").querySelector(`[data-card="${held}"]`);
  if (inHand) (card?.matches("button") ? card : byId("compass").querySelector("button.chip"))?.focus();
}

/** Whether the keyboard was last in a hand: there it stays while others play. */
let inHand = false;

/** Declarer sits at the bottom, and dummy across the table. */
function seatAll(declarer) {
  const start = AROUND.indexOf(declarer);
  PLACES.forEach((place, step) => {
    first(`.seat[data-place="${place}"]`).dataset.seat = AROUND[(start + step) % 4];
  });
}

/** The place at which a seat is drawn. */
const placeOf = (seat) => first(`.seat[data-seat="${seat}"]`).dataset.place;

function showSeat(element, table, play) {
  const letter = element.dataset.seat;
  const onTurn = table.to_play === letter;
  element.classList.toggle("on-turn", onTurn);
  const role = letter === table.contract.declarer ? "declarer" : letter === table.dummy ? "dummy" : "";
  const head = el("h3", { class: "seat-name" }, seatName(letter), role ? el("small", {}, role) : null);
  const hand = table.result ? table.dealt[letter] : table.hands[letter];
  const playable = onTurn ? table.playable : [];
  fill(element, head, hand === null ? hiddenHand(table.left[letter]) : shownHand(hand, playable, play));
}

function hiddenHand(left) {
  const backs = Array.from({ length: left }, () => el("span", { class: "back" }));
  return el("div", { class: "backs", role: "img", "aria-label": `${left} hidden cards` }, ...backs);
}

function shownHand(hand, playable, play) {
  const suits = hand === "-" ? ["", "", "", ""] : hand.split(".");
  const rows = suits.map((ranks, number) => {
    const [letter, sign, word] = SUITS[number];
    const cards = [...ranks].map((rank) => cardChip(`${letter.toUpperCase()}${rank}`, playable, play));
    const name = el("span", { class: "sign", data: { suit: letter }, title: word, "aria-hidden": "true" }, sign);
    const held = cards.length ? cards : [el("span", { class: "soft" }, "–")];
    return el("div", { class: "suit-row" }, name, el("div", { class: "cards" }, ...held));
  });
  return el("div", { class: "held" }, ...rows);
}

function cardChip(card, playable, play) {
  const look = { class: "chip", data: { suit: suitOf(card), card } };
  if (!playable.includes(card)) return el("span", look, rankSign(card[1]));
  const used = { type: "button", "aria-label": `Play the ${cardWords(card)}`, on: { click: () => play(card) } };
  return el("button", { ...look, ...used }, rankSign(card[1]));
}

/** Mark the card that is best so far; elements stay, because somebody may be just clicking one. */
function showBest(best) {
  for (const chip of every("#compass .chip, #choices .chip")) {
    chip.classList.toggle("best", chip.dataset.card === best);
  }
}

/** What each card takes with all cards seen, in its corner; null takes the figures away. */
export function showDoubleDummy(tricks) {
  for (const chip of byId("compass").querySelectorAll(".chip")) {
    chip.querySelector("sup")?.remove();
    const taken = tricks?.[chip.dataset.card];
    if (taken !== undefined) chip.append(el("sup", { title: `${taken} tricks with all cards seen` }, String(taken)));
  }
}

/** The trick on the table; the one before it, fainter, as long as nobody has led. */
export function showTrick(table, at) {
  const tricks = table.tricks.map((trick) => ({ ...trick, cards: trick.cards.filter((card) => card.number < at) }));
  const going = tricks.findLast((trick) => trick.cards.length);
  const over = going?.cards.length === 4;
  const cards = (going?.cards ?? []).map(({ seat, card }) => {
    const won = over && going.winner === seat ? " won" : "";
    return el("span", { class: `card${won}`, data: { suit: suitOf(card), at: placeOf(seat) } }, ...face(card[1], suitOf(card)));
  });
  const felt = byId("felt");
  felt.classList.toggle("over", over);
  const words = (going?.cards ?? []).map(({ seat, card }) => `${seatName(seat)} ${cardWords(card)}`).join(", ");
  felt.setAttribute("aria-label", words ? `${over ? "Last trick" : "Trick"}: ${words}` : "No card is played yet");
  fill(felt, ...(cards.length ? cards : [el("span", { class: "soft small" }, "the opening lead")]));
}

/** The calls in four columns, West first as in newspapers. */
export function showAuction({ auction }) {
  byId("heard").hidden = !auction.length;
  showMeanings(null);
  if (!auction.length) return;
  const order = ["W", "N", "E", "S"];
  const [head, body] = byId("auction").children;
  fill(head, el("tr", {}, ...order.map((seat) => el("th", { scope: "col" }, seatName(seat)))));
  const cells = [...Array(order.indexOf(auction[0].seat)).fill(""), ...auction.map(({ call }) => call)];
  const rows = Array.from({ length: Math.ceil(cells.length / 4) }, (_, row) => cells.slice(4 * row, 4 * row + 4));
  fill(body, ...rows.map((row) => el("tr", {}, ...row.map((call) => el("td", {}, ...coloured(call))))));
}

/** What the calls say of the hidden hands, and which of them do not fit. */
export function showMeanings(told) {
  const hands = told?.hands ?? [];
  const items = hands.map(({ seat, text, calls }) => {
    const from = [...new Set(calls.map(({ call }) => call))].join(", ");
    return el("li", {}, el("b", {}, `${seatName(seat)}: `), ...coloured(text), el("span", { class: "soft" }, ` (from ${from})`));
  });
  const relaxed = (told?.relaxed ?? []).map(({ seat, call }) => el("li", { class: "soft" }, `${seatName(seat)}’s ${call} fits no layout with the rest, and counts for little.`));
  fill(byId("meanings"), ...items, ...relaxed);
  byId("own-meanings").hidden = !hands.length;
}

/** All tricks; every card leads to the moment before it was played. */
export function showPlay(table, at, jump) {
  const rows = table.tricks.map((trick, number) => {
    const cards = trick.cards.map((card) => playedCard(card, trick, at, jump));
    return el("li", {}, el("span", { class: "soft small" }, String(number + 1)), ...cards);
  });
  fill(byId("play"), ...(rows.length ? rows : [el("li", { class: "soft" }, "No card yet.")]));
}

function playedCard({ number, seat, card }, trick, at, jump) {
  const kind = number === at ? "now" : number > at ? "later" : "";
  const won = trick.winner === seat ? " won" : "";
  const label = `Trick ${Math.floor(number / 4) + 1}: ${seatName(seat)}, ${cardWords(card)}. Go there`;
  const inside = [el("small", {}, seat), el("span", {}, ...coloured(signOf(card)))];
  const on = { click: () => jump(number) };
  return el("button", { type: "button", class: `played ${kind}${won}`, "aria-label": label, on }, ...inside);
}

/** The cards that a hand nobody knows may have. */
export function showPicker(table, play) {
  const seat = seatName(table.to_play);
  const rows = SUITS.map(([letter, sign]) => {
    const cards = table.playable.filter((card) => suitOf(card) === letter);
    const name = el("span", { class: "sign", data: { suit: letter }, "aria-hidden": "true" }, sign);
    const shown = cards.map((card) => cardChip(card, table.playable, play));
    return el("div", { class: "suit-row" }, name, el("div", { class: "cards" }, ...shown));
  });
  byId("picker").setAttribute("aria-label", `What does ${seat} play?`);
  fill(byId("picker"), el("p", { class: "small" }, `What does ${seat} play?`), ...rows);
}

// ---------------------------------------------------------------- the advice

/** Everything that is found so far; `steps` are all answers that came, the last being the best. */
export function showAdvice(steps, play) {
  const found = steps.at(-1);
  byId("found").hidden = false;
  const [opening, ...rest] = found.why;
  const [card, ...promise] = opening.split(/(?<=\.) /);
  const headline = el("p", { class: "headline" }, ...coloured(card.replace(/\.$/, "")));
  const said = el("p", {}, ...coloured(promise.join(" ")));
  fill(byId("why"), headline, said, ...rest.map((words) => el("p", { class: "small" }, ...coloured(words))));
  showChoices(found, play);
  byId("how-box").hidden = !found.how.length;
  fill(byId("how"), ...found.how.map((words) => el("p", {}, ...coloured(sentence(words.replace(/^Plan: /, ""))))));
  fill(byId("steps"), ...stepItems(steps));
  showLosing(found);
  byId("searched").textContent = `${found.searched}.`;
}

const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** A row for every choice; one that was there stays, so that a click or the focus on it is not lost. */
function showChoices(found, play) {
  const body = byId("choices");
  byId("aim-head").textContent = AIMS[found.aim].head;
  const old = new Map([...body.children].map((row) => [row.dataset.cards, row]));
  const rows = found.choices.map((choice) => {
    const row = old.get(choice.cards.join("")) ?? choiceRow(choice, play);
    fillRow(row, choice, found.aim);
    return row;
  });
  const used = focused();
  const same = rows.length === body.children.length && rows.every((row, place) => row === body.children[place]);
  if (!same) fill(body, ...rows);
  if (rows.some((row) => row.contains(used))) used.focus();
  showBest(found.best);
}

function choiceRow(choice, play) {
  const card = choice.cards.at(-1);
  const ranks = choice.cards.map((one) => rankSign(one[1])).join(" ");
  const look = { type: "button", class: "chip", data: { suit: suitOf(card), card } };
  const chip = el("button", { ...look, on: { click: () => play(card) } }, suitSign(suitOf(card)), ranks);
  const cells = ["chance", "pimc", "tricks"].map((name) => el("td", { class: name }));
  return el("tr", { data: { cards: choice.cards.join("") } }, el("th", { scope: "row" }, chip), ...cells);
}

/** How far ahead a figure was searched. */
function foresight({ kind, depth }) {
  if (kind === "depth") return `${depth} ${depth === 1 ? "card" : "cards"} ahead`;
  return kind === "final" ? "searched to the end" : "cut short";
}

function fillRow(row, choice, aim) {
  const [, chance, pimc, tricks] = row.children;
  const figure = figureWords(choice, aim);
  const label = `Play the ${cardWords(choice.cards.at(-1))}: ${figure}, ${foresight(choice.worth)}`;
  row.querySelector("button").setAttribute("aria-label", label);
  chance.title = foresight(choice.worth);
  tricks.textContent = choice.tricks.toFixed(2);
  if (aim !== "make") {
    fill(chance, el("span", { class: "figure" }, figure));
    pimc.classList.remove("hoped");
    pimc.title = "On average, with all cards seen";
    pimc.textContent = AIMS[aim].write(choice[aim]);
    return;
  }
  const [low, high] = choice.interval.map((bound) => (100 * bound).toFixed(0));
  const error = low === high ? null : el("span", { class: "soft small" }, ` ${low}–${high}`);
  fill(chance, el("span", { class: "figure" }, figure, error), bar(choice.probability));
  const hoped = choice.pimc > choice.probability + 1e-9;
  pimc.classList.toggle("hoped", hoped);
  pimc.title = hoped ? "More than any one plan can have" : "";
  pimc.textContent = share(choice.pimc);
}

/** A line for every step, of what it changed; one that changed neither the layouts nor M has only added a plan. */
function stepItems(steps) {
  const told = steps.map((step) => [layoutsOf(step), step.algorithm === "alphamu" ? `M = ${step.depth}` : "PIMC"]);
  return steps.flatMap((step, number) => {
    const changed = told[number].filter((words, part) => words !== told[number - 1]?.[part]);
    return changed.length ? [stepItem(step, changed.join(", "))] : [];
  });
}

function layoutsOf({ exact, worlds }) {
  return `${exact ? "all " : ""}${worlds.length} ${worlds.length === 1 ? "layout" : "layouts"}`;
}

function stepItem(step, changed) {
  const card = el("b", {}, ...coloured(signOf(step.best)), ` ${figureWords(step.choices[0], step.aim)}`);
  return el("li", {}, el("span", {}, changed), card);
}

function showLosing(found) {
  const [summary, ...lines] = found.losing;
  const box = byId("losing");
  box.hidden = !lines.length;
  fill(box.querySelector("summary"), ...coloured(sentence(summary.replace(/:$/, ""))));
  fill(box.querySelector("ul"), ...lines.map((line) => el("li", {}, ...coloured(symbols(line.trim())))));
}

/** Hands on one line: suits by their signs. */
const symbols = (line) => line.replace(/\b([SHDC]) (?=[AKQJT2-9-])/g, (_, letter) => ` ${BIDS[letter]}`);
