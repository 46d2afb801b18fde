// The hand editor: choose a hand, click its cards, say the contract.

import { RANKS, rankSign, rankWord, SUITS } from "./cards.js";
import { byId, el, fill, roving } from "./dom.js";

const SEATS = ["N", "E", "S", "W"];
const NAMES = { N: "North", E: "East", S: "South", W: "West" };
const FULL = 13;

/** Whose each card is, by the card's name, and whose cards are being laid out. */
const owner = new Map();
let whose = "S";

/** Listen; `take` gets the state of the deal that is laid out. */
export function startEditor(take) {
  fill(byId("whose"), ...SEATS.map(seatButton));
  fill(byId("pack"), ...SUITS.map(suitRow));
  for (const row of byId("pack").children) roving(row, "button");
  roving(byId("whose"), "button");
  byId("editor").addEventListener("submit", (event) => (event.preventDefault(), take(laidOut())));
  byId("clear").addEventListener("click", () => (owner.clear(), show()));
  show();
}

function seatButton(seat) {
  const on = { click: () => ((whose = seat), show()) };
  return el("button", { type: "button", role: "radio", class: "quiet", data: { whose: seat }, on });
}

function suitRow([letter, sign, word]) {
  const cards = RANKS.map((rank) => cardButton(`${letter.toUpperCase()}${rank}`, letter));
  const name = el("span", { class: "sign", data: { suit: letter }, title: word, "aria-hidden": "true" }, sign);
  return el("div", { class: "suit-row", role: "group", "aria-label": word }, name, el("div", { class: "cards" }, ...cards));
}

function cardButton(card, suit) {
  const look = { type: "button", class: "chip", data: { suit, laid: card } };
  return el("button", { ...look, on: { click: () => lay(card) } }, rankSign(card[1]), el("small", {}));
}

const cardsOf = (seat) => [...owner].filter(([, holder]) => holder === seat).map(([card]) => card);

/** The card goes to the hand that is being laid out, or back to the pack; a full hand moves on to its partner's. */
function lay(card) {
  if (owner.get(card) === whose) owner.delete(card);
  else if (cardsOf(whose).length < FULL) owner.set(card, whose);
  const partner = SEATS[(SEATS.indexOf(whose) + 2) % 4];
  if (cardsOf(whose).length === FULL && !cardsOf(partner).length) whose = partner;
  show();
}

function show() {
  for (const button of byId("whose").children) {
    const seat = button.dataset.whose;
    button.textContent = `${NAMES[seat]} ${cardsOf(seat).length}`;
    button.setAttribute("aria-checked", String(seat === whose));
    button.tabIndex = seat === whose ? 0 : -1;
  }
  for (const button of byId("pack").querySelectorAll("button")) showCard(button);
}

function showCard(button) {
  const { laid, suit } = button.dataset;
  const holder = owner.get(laid);
  button.classList.toggle("laid", Boolean(holder));
  button.querySelector("small").textContent = holder ?? "";
  button.setAttribute("aria-pressed", String(holder === whose));
  const word = SUITS.find(([letter]) => letter === suit)[2];
  button.setAttribute("aria-label", `${rankWord(laid[1])} of ${word}${holder ? `, ${NAMES[holder]}` : ""}`);
}

/** The deal as the server reads it: hands from North on, a hand nobody knows as a dash. */
function laidOut() {
  const hand = (seat) => {
    const cards = cardsOf(seat);
    const suits = SUITS.map(([letter]) => RANKS.filter((rank) => cards.includes(letter.toUpperCase() + rank)).join(""));
    return cards.length ? suits.join(".") : "-";
  };
  const deal = `N:${SEATS.map(hand).join(" ")}`;
  return { name: "Laid out by hand", deal, contract: byId("bid").value, cards: "", constraints: "" };
}
