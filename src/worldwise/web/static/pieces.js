// Chess pieces as shapes of our own: drawn on a square of 45, the same for both colours.

const SVG = "http://www.w3.org/2000/svg";
const BASE = "M10.5 39v-2.6c0-1.7 1.3-3 3-3h18c1.7 0 3 1.3 3 3V39z";

/** For every piece its outline, and lines upon it. */
const SHAPES = {
  p: [
    "M22.5 8.6a5.6 5.6 0 0 1 3.6 9.9h2.2v2.9h-2.7c-.1 5 1.5 8.4 4.6 12H14.8c3.1-3.6 4.7-7 4.6-12h-2.7v-2.9h2.2a5.6 5.6 0 0 1 3.6-9.9z",
  ],
  r: ["M12 8.5h5.2v3.4h2.9V8.5h4.8v3.4h2.9V8.5H33v8.2l-3.2 2.8.9 13.9H14.3l.9-13.9-3.2-2.8z", "M15.6 19.5h13.8"],
  n: [
    "M14.2 33.4c-.2-6.2 3.6-8.8 5.6-12.6-2.6.1-4.3 1.4-6.4 3.6-1 1-2.6 1-3.5-.1l-1.2-1.6c-.6-.8-.6-1.8.1-2.6l5.6-8.4.2-4.9 4.3 3.1C27.6 10.3 33 17 32.4 33.4z",
    "M17.7 14.4h.1M23.6 11.9c3.6 2.2 5.6 6.4 6 11.6",
  ],
  b: [
    "M22.5 4.6a2.5 2.5 0 0 1 1.7 4.3c4.3 3.1 6.9 7 6.9 10.7 0 3.6-2.2 6.2-4.5 7.8l1.3 6H17.1l1.3-6c-2.3-1.6-4.5-4.2-4.5-7.8 0-3.7 2.6-7.6 6.9-10.7a2.5 2.5 0 0 1 1.7-4.3z",
    "M22.5 14.5v8M18.7 18.3h7.6M18.4 27.4h8.2",
  ],
  q: [
    "M22.5 5.2a2.4 2.4 0 0 1 1.2 4.5l3 10.4 3.5-8.6a2.3 2.3 0 1 1 2.3.3l-.1 9 3.8-5.3a2.2 2.2 0 1 1 1.7.8l-5.3 17.1H12.4L7.1 16.3a2.2 2.2 0 1 1 1.7-.8l3.8 5.3-.1-9a2.3 2.3 0 1 1 2.3-.3l3.5 8.6 3-10.4a2.4 2.4 0 0 1 1.2-4.5z",
    "M11.6 27.6c7.2-2 14.6-2 21.8 0",
  ],
  k: [
    "M21.2 3.5h2.6v2.7h2.7v2.6h-2.7v3c1.6.7 2.5 2.4 2.7 4.6 2.3-1.7 5.2-2 7.4-.8 3.3 1.8 3.5 5.9 1.4 9.1l-3.4 8.7H13.1l-3.4-8.7c-2.1-3.2-1.9-7.3 1.4-9.1 2.2-1.2 5.1-.9 7.4.8.2-2.2 1.1-3.9 2.7-4.6v-3h-2.7V6.2h2.7z",
    "M12 28.2c7-1.9 14-1.9 21 0M22.5 16.4v9.4",
  ],
};

export const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
export const KINDS = ["k", "q", "r", "b", "n", "p"];

export const isWhite = (piece) => piece === piece.toUpperCase();

function path(d, className) {
  const made = document.createElementNS(SVG, "path");
  made.setAttribute("d", d);
  made.setAttribute("class", className);
  return made;
}

/** A piece, by its letter as in FEN: White's are capital. What it is called is for the square to say. */
export function drawPiece(letter, className = "") {
  const [outline, lines] = SHAPES[letter.toLowerCase()];
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 45 45");
  svg.setAttribute("class", `piece ${isWhite(letter) ? "white" : "black"} ${className}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(path(BASE, "outline"), path(outline, "outline"), ...(lines ? [path(lines, "lines")] : []));
  return svg;
}
