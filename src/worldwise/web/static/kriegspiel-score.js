// The score sheet: your moves as chess players write them, what was said after the other's, and the tries refused between.

import { el, fill } from "./dom.js";

const START = { white: "RNBQKBNRPPPPPPPP", black: "rnbqkbnrpppppppp" };
const VALUES = "qrbnp";

/** A row for every move of White's and Black's answer. */
export function showScore(body, log) {
  const rows = new Map();
  for (const line of log) {
    if (!rows.has(line.number)) rows.set(line.number, { white: [], black: [] });
    rows.get(line.number)[line.by].push(line);
  }
  const items = [...rows].map(([number, { white, black }]) => {
    return el("tr", {}, el("th", { scope: "row" }, `${number}.`), half(white), half(black));
  });
  fill(body, ...items);
}

/** A half of a row: the move or a question mark, what the umpire said, and what was refused before. */
function half(lines) {
  const made = lines.find((line) => !line.refused);
  const refused = lines.filter((line) => line.refused);
  const said = made?.said ? el("small", {}, ` ${made.said}`) : null;
  return el("td", {}, made ? el("b", {}, made.san ?? "?") : null, said, refused.length ? refusals(refused) : null);
}

function refusals(lines) {
  const named = lines.filter((line) => line.move).map((line) => line.move);
  const words = named.length ? `not ${named.join(", ")}` : `${lines.length} refused`;
  return el("small", { class: "refused" }, ` ${words}`);
}

/** The letters of your pieces that were taken, the dearest first. */
export function lostPieces(pieces, colour) {
  const left = [...pieces];
  const lost = [];
  for (const letter of START[colour]) {
    const at = left.indexOf(letter);
    if (at < 0) lost.push(letter);
    else left[at] = ".";
  }
  const order = (letter) => VALUES.indexOf(letter.toLowerCase());
  // What was promoted is no pawn any more, but it was not taken.
  const promoted = left.filter((letter) => letter !== "." && START[colour].includes(letter)).length;
  const pawn = colour === "white" ? "P" : "p";
  for (let one = 0; one < promoted; one += 1) if (lost.includes(pawn)) lost.splice(lost.indexOf(pawn), 1);
  return lost.toSorted((one, other) => order(one) - order(other));
}
