// Which deal: pasted, dropped, from a file, at random, or a lesson.

import { ask } from "./api.js";
import { coloured } from "./desk-view.js";
import { byId, el, fill, focused } from "./dom.js";

const LONGEST = 200_000;
const NOTHING = "expected boards in PBN, in LIN, or links to the hand viewer, found nothing";
const SEEDS = 1_000_000;

/** Listen for deals; `take` gets the state of the one that is chosen. */
export function startOpening(take) {
  byId("paste").addEventListener("submit", (event) => (event.preventDefault(), openText(byId("text").value, take)));
  byId("random").addEventListener("submit", (event) => (event.preventDefault(), take(randomDeal())));
  byId("file").addEventListener("change", () => openFile(byId("file").files[0], take));
  byId("to-open").addEventListener("click", () => showOpening(byId("open").hidden));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const { files } = event.dataTransfer;
    if (files.length) openFile(files[0], take);
    else openText(event.dataTransfer.getData("text"), take);
  });
  document.addEventListener("paste", (event) => {
    if (!focused().closest("input, textarea")) openText(event.clipboardData.getData("text"), take);
  });
}

/** Show the panel or put it away. */
export function showOpening(open) {
  byId("open").hidden = !open;
  byId("to-open").setAttribute("aria-expanded", String(open));
  showFault("");
  if (open) byId("text").focus();
}

/** Whether somebody is choosing a deal. */
export const isOpening = () => !byId("open").hidden;

/** An error in words. */
export const words = (error) => (error instanceof TypeError ? "The server does not answer." : error.message);

/** What is wrong with the deal that was chosen; the panel stays as it is. */
export const showOpenFault = (error) => showFault(words(error));

function showFault(said) {
  byId("open-fault").hidden = !said;
  byId("open-fault").textContent = said;
}

function randomDeal() {
  const contract = `${byId("level").value}${byId("strain").value} by ${byId("declarer").value}`;
  const seed = Math.floor(Math.random() * SEEDS);
  return { name: `Dealt at random, number ${seed}`, deal: `random ${seed}`, contract, cards: "", constraints: "" };
}

async function openFile(file, take) {
  if (!file) return;
  byId("file").value = "";
  if (file.size > LONGEST) openFault(new Error(`expected a file of at most ${LONGEST} bytes, found ${file.size}`));
  else await openText(await file.text(), take);
}

function openFault(error) {
  showOpening(true);
  byId("boards").hidden = true;
  showOpenFault(error);
}

async function openText(text, take) {
  if (!text.trim()) return openFault(new Error(NOTHING));
  try {
    const { boards, faults } = await ask("/api/desk/open", { text }, { post: true });
    if (boards.length === 1 && boards[0].contract && !faults.length) take(boards[0]);
    else showBoards(boards, faults, take);
  } catch (error) {
    openFault(error);
  }
}

function showBoards(boards, faults, take) {
  showOpening(true);
  showFault(faults.join(" "));
  byId("boards").hidden = false;
  byId("boards-title").textContent = boards.length === 1 ? "One board" : `${boards.length} boards`;
  const item = (board) => el("li", {}, (board.contract ? choice : contractForm)(board, take));
  fill(byId("board-list"), ...boards.map(item));
}

function choice(board, take) {
  return el("button", { type: "button", class: "lesson", on: { click: () => take(board) } }, ...coloured(board.name));
}

/** A board that nobody has bid on: the contract is asked for. */
function contractForm(board, take) {
  const input = el("input", { type: "text", placeholder: "3NT by S", maxLength: 20, required: true });
  const submit = (event) => (event.preventDefault(), take({ ...board, contract: input.value }));
  const label = el("label", {}, `${board.name}. Which contract?`, input);
  return el("form", { class: "row", on: { submit } }, label, el("button", { type: "submit" }, "Play it"));
}

/** The lessons, each a button; the state of the one of this name, if it is asked for. */
export async function showLessons(take) {
  const { lessons } = await ask("/api/desk/lessons", { name: "deals/" });
  fill(byId("lessons"), ...lessons.map((lesson) => el("li", {}, choice(lesson, take))));
  return lessons;
}
