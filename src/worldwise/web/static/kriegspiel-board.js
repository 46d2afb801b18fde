// The board: squares that can be clicked or walked over with arrow keys. It shows what it is given and knows no rules.

import { el, fill } from "./dom.js";
import { NAMES, drawPiece } from "./pieces.js";

const FILES = [..."abcdefgh"];
const HOME = { white: 12, black: 52 }; // the king's pawn
const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export const nameOf = (square) => `${FILES[square % 8]}${Math.floor(square / 8) + 1}`;
export const squareOf = (name) => FILES.indexOf(name[0]) + 8 * (Number(name[1]) - 1);

const FAR = 6; // pixels after which a press is a drag

/**
 * A board in a grid; `onSquare` hears of clicks, `onDrag` of a piece that is dragged from one square to another, and
 * `onKey` of keys that do not move the focus. Dragging works with a mouse, a pen and a finger.
 */
export class Board {
  constructor(grid, { onSquare, onDrag, onKey }) {
    this.grid = grid;
    this.drag = null;
    grid.addEventListener("pointerdown", (event) => this.grasp(event));
    grid.addEventListener("pointermove", (event) => this.carry(event));
    grid.addEventListener("pointerup", (event) => this.drop(event, onDrag));
    grid.addEventListener("pointercancel", () => this.letGo());
    this.side = "white";
    this.here = HOME.white;
    this.cells = Array.from({ length: 64 }, (_, square) => this.cell(square, onSquare));
    grid.addEventListener("keydown", (event) => this.walk(event, onKey));
    this.turn("white");
  }

  cell(square, onSquare) {
    const dark = (square + Math.floor(square / 8)) % 2 === 0;
    const data = { square: nameOf(square) };
    const click = () => {
      this.rest(square);
      if (!this.dropped) onSquare(nameOf(square));
      this.dropped = false;
    };
    const on = { click, focus: () => this.rest(square) };
    const properties = { type: "button", role: "gridcell", class: `square ${dark ? "dark" : "light"}`, data, on };
    return el("button", { ...properties, tabIndex: square === this.here ? 0 : -1 });
  }

  /** A piece is pressed: perhaps it will be dragged. */
  grasp(event) {
    const cell = event.target.closest?.(".square");
    const piece = cell?.querySelector(".piece:not(.ghost)");
    this.dropped = false;
    if (!piece || event.button) return;
    this.drag = { cell, piece, x: event.clientX, y: event.clientY, far: false };
  }

  carry(event) {
    if (!this.drag) return;
    const [across, down] = [event.clientX - this.drag.x, event.clientY - this.drag.y];
    if (!this.drag.far && Math.hypot(across, down) < FAR) return;
    if (!this.drag.far) this.grid.setPointerCapture(event.pointerId);
    this.drag.far = true;
    this.drag.piece.classList.add("dragged");
    this.drag.piece.style.translate = `${across}px ${down}px`;
  }

  drop(event, onDrag) {
    const drag = this.letGo();
    if (!drag?.far) return;
    // Where it was let go; the click that may follow is none.
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    const cell = this.cells.find((one) => under.includes(one));
    this.dropped = true;
    setTimeout(() => (this.dropped = false));
    if (cell && cell !== drag.cell) onDrag(drag.cell.dataset.square, cell.dataset.square);
  }

  letGo() {
    const { drag } = this;
    this.drag = null;
    drag?.piece.classList.remove("dragged");
    if (drag) drag.piece.style.translate = "";
    return drag;
  }

  /** A side's own pieces stand below. */
  turn(side) {
    this.side = side;
    const ranks = [7, 6, 5, 4, 3, 2, 1, 0];
    const files = [0, 1, 2, 3, 4, 5, 6, 7];
    if (side === "black") [ranks, files].forEach((list) => list.reverse());
    const rows = ranks.map((rank) => {
      const cells = files.map((file) => this.cells[8 * rank + file]);
      cells.forEach((cell, at) => {
        cell.dataset.rank = at ? "" : rank + 1;
        cell.dataset.file = rank === ranks[7] ? FILES[files[at]] : "";
      });
      return el("div", { role: "row", class: "row-of-squares" }, ...cells);
    });
    fill(this.grid, ...rows);
    this.rest(HOME[side]);
  }

  /** Where the keyboard finds the board again. */
  rest(square) {
    this.here = square;
    this.cells.forEach((cell, at) => (cell.tabIndex = at === square ? 0 : -1));
  }

  walk(event, onKey) {
    const step = STEPS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!step) return onKey(event, nameOf(this.here));
    event.preventDefault();
    const sign = this.side === "black" ? -1 : 1;
    const file = (this.here % 8) + sign * step[0];
    const rank = Math.floor(this.here / 8) + sign * step[1];
    if (file >= 0 && file < 8 && rank >= 0 && rank < 8) this.focus(8 * rank + file);
  }

  focus(square = this.here) {
    this.rest(square);
    this.cells[square].focus();
  }

  /**
   * `pieces` are 64 letters. `own` is whose pieces they are, for their names ("" for a board that is seen in full);
   * `phantoms` by name, `targets` a set of names, `marks` classes by name; `heat` is null or, for each square,
   * its chance, words, and a ghost (a piece's letter and how visible it is).
   */
  show({ pieces, own = "", phantoms = new Map(), selected = null, targets = new Set(), marks = {}, heat = null }) {
    this.cells.forEach((cell, square) => {
      const name = nameOf(square);
      const letter = pieces[square] === "." ? null : pieces[square];
      const phantom = letter ? null : phantoms.get(name);
      const warm = heat?.[square];
      cell.classList.toggle("selected", name === selected);
      cell.classList.toggle("target", targets.has(name));
      cell.classList.toggle("warm", Boolean(warm?.chance));
      for (const mark of ["from", "to", "refused", "heard", "check"]) cell.classList.toggle(mark, marks[name] === mark);
      cell.style.setProperty("--heat", warm?.chance ?? 0);
      cell.setAttribute("aria-label", label(name, letter, phantom, { own, target: targets.has(name), warm }));
      if (name === selected) cell.setAttribute("aria-selected", "true");
      else cell.removeAttribute("aria-selected");
      fill(cell, ...face(letter, phantom, warm));
    });
  }
}

function face(letter, phantom, warm) {
  const parts = [];
  if (letter) parts.push(drawPiece(letter));
  else if (phantom) parts.push(drawPiece(phantom, "phantom"));
  else if (warm?.ghost) {
    const ghost = drawPiece(warm.ghost, "ghost");
    ghost.style.opacity = String(0.15 + 0.6 * warm.visible);
    parts.push(ghost);
  }
  if (warm?.words) parts.push(el("span", { class: "chance" }, warm.words));
  return parts;
}

function label(name, letter, phantom, { own, target, warm }) {
  const colour = letter && (letter === letter.toUpperCase() ? "white" : "black");
  const whose = own ? "your" : colour;
  const there = letter ? `${whose} ${NAMES[letter.toLowerCase()]}` : phantom ? `phantom ${NAMES[phantom.toLowerCase()]}` : "";
  const parts = [name, there || (own ? "" : "empty"), target ? "can be tried" : "", warm?.words ?? ""];
  return parts.filter(Boolean).join(", ");
}

/** @param {any[][]} chances letters with their chances */
const sum = (chances) => chances.reduce((all, [, one]) => all + one, 0);

/** What a belief says of each square: where any piece may be, or the king alone. */
export function heatOf(belief, what, pieces) {
  const kings = Object.keys(belief.chances).find((letter) => letter.toLowerCase() === "k");
  return Array.from({ length: 64 }, (_, square) => {
    const chances = Object.entries(belief.chances).map(([letter, squares]) => [letter, squares[square] / 1000]);
    const chance = what === "king" ? belief.chances[kings][square] / 1000 : sum(chances);
    if (chance < 0.005) return { chance: 0, words: "" };
    const [letter, most] = chances.reduce((best, one) => (one[1] > best[1] ? one : best));
    const ghost = what === "king" || pieces[square] !== "." ? null : letter;
    return { chance: Math.min(1, chance), words: `${Math.round(100 * chance)} %`, ghost, visible: most };
  });
}
