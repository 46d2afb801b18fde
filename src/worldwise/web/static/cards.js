// Cards as cards: ranks, suits, hands. Which cards an x stands for is the server's to say.

import { el } from "./dom.js";

export const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"];
export const SUITS = [
  ["s", "♠", "spades"],
  ["h", "♥", "hearts"],
  ["d", "♦", "diamonds"],
  ["c", "♣", "clubs"],
];
const WORDS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };

export const rankSign = (rank) => (rank === "T" ? "10" : rank);
export const rankWord = (rank) => WORDS[rank] ?? rank;
export const suitSign = (suit) => SUITS.find(([letter]) => letter === suit)[1];

/** The cards that a text names, x left out. */
export function named(text) {
  return (text.toUpperCase().match(/10|[2-9TJQKA]/g) ?? []).map((card) => (card === "10" ? "T" : card));
}

/** Cards in their order; nothing is an empty text. */
export const written = (cards) => RANKS.filter((rank) => cards.includes(rank)).join("");

/** The face of a card: its rank and its suit. */
export function face(rank, suit) {
  return [
    el("span", { class: "rank" }, rankSign(rank)),
    el("span", { class: "pip", "aria-hidden": "true" }, suitSign(suit)),
  ];
}

/** A hand on the table; with `onPlay` its cards can be played, and `verb` is what that is called. */
export function hand(cards, suit, seat, onPlay = null, verb = "Lead") {
  const made = [...cards].filter((rank) => rank !== "-").map((rank) => {
    const label = `${rankWord(rank)} of ${seat}`;
    if (!onPlay) return el("span", { class: "card", data: { suit } }, ...face(rank, suit));
    const named = { class: "card", "aria-label": `${verb} the ${label}`, data: { suit, rank } };
    return el("button", { type: "button", ...named, on: { click: () => onPlay(rank) } }, ...face(rank, suit));
  });
  return el("div", { class: "fan" }, ...(made.length ? made : [el("span", { class: "soft" }, "void")]));
}
