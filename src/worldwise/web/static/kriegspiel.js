// The kriegspiel table: a person's tries go to the umpire, and what may be heard comes back.

import { ask, Refused } from "./api.js";
import { byId, el, every, fill, first } from "./dom.js";
import { keep } from "./figures.js";
import { Board, heatOf, nameOf, squareOf } from "./kriegspiel-board.js";
import { isCounted, linesOf } from "./kriegspiel-log.js";
import { forgetGame, keepPhantoms, keptPhantoms, rememberGame, rememberedGame } from "./kriegspiel-memory.js";
import { lostPieces, showScore } from "./kriegspiel-score.js";
import { playSound } from "./kriegspiel-sound.js";
import { endStory, listenToStory, tellStory } from "./kriegspiel-story.js";
import { KINDS, NAMES, drawPiece } from "./pieces.js";

const START = "RNBQKBNRPPPPPPPP" + ".".repeat(48);

/**
 * The table as it was last told, how much of its log has been said aloud, and what only the person knows: what is to be
 * tried next if this is refused, and how long he has thought, since when he is on turn.
 */
const EMPTY = { table: null, spoken: 0, busy: false, selected: null, placing: null, belief: null, queue: [], untried: false, thought: 0, since: null };
/** `left` is a table that can be gone back to, `lost` a game that the server has no longer. */
const state = { ...EMPTY, phantoms: new Map(), left: null, lost: null };
let board;
let asking = new AbortController();
let looking = new AbortController();
let helping = new AbortController();
let unsure;
/** What a person has switched on for all games. */
let sounds = false;
const SECOND = 1000;

// ---------------------------------------------------------------- asking

/** Ask the umpire; every step is what may be known now, and whoever is on turn may try at once. */
async function tell(path, parameters, failed = fail) {
  looking.abort();
  helping.abort();
  const mine = (asking = new AbortController());
  const heard = (listener) => (said) => asking === mine && listener(said);
  const { signal } = mine;
  state.busy = true;
  showFault(null);
  showTurn();
  try {
    const ears = { onStep: heard(take), onWaiting: heard(showWaiting) };
    await ask(`/api/kriegspiel/${path}`, parameters, { post: true, signal, ...ears });
    if (asking === mine) await afterwards();
  } catch (error) {
    if (asking === mine) failed(error, parameters);
  }
}

/** Say what went wrong; whatever is refused at a table may have been meant for one that is no more. */
function fail(error, { game, move }) {
  state.busy = false;
  showFault(error);
  if (game && error instanceof Refused) lookAgain(game, move);
  show();
}

/** Only a game that is not there is refused to whoever asks how it stands. */
const isGone = (error) => error instanceof Refused && error.where === "game";

function lose(game) {
  forgetGame(game);
  state.lost = game;
  if (state.left?.game === game) state.left = null;
}

/** How does the game stand? If it went on elsewhere, show that, and say so. */
async function lookAgain(game, unmade) {
  looking.abort();
  const { signal } = (looking = new AbortController());
  let steps = 0;
  const compare = (table) => {
    steps += 1;
    if (signal.aborted || state.table?.game !== game || isSame(table, state.table)) return;
    take(table);
    if (steps === 1) showElsewhere(unmade);
  };
  try {
    await ask("/api/kriegspiel/go", { game }, { post: true, signal, onStep: compare });
    if (!signal.aborted) await afterwards();
  } catch (error) {
    if (signal.aborted) return;
    if (isGone(error)) lose(game);
    state.busy = false;
    show();
  }
}

const isSame = (one, other) => one.log.length === other.log.length && one.yours === other.yours && one.over === other.over;

/** The game that was played here, or that an address names; one that is only remembered need not be there any more. */
function resume(game, named) {
  asking.abort();
  tell("go", { game }, (error) => {
    state.busy = false;
    if (named || !isGone(error)) showFault(error);
    if (isGone(error)) lose(game);
    show();
  });
}

/** A new table: what has just been said is said aloud, and phantoms on squares of our own are gone. */
function take(table) {
  if (state.table?.game !== table.game) newGame(table);
  state.table = table;
  state.selected = null;
  state.belief = null;
  state.busy = !table.yours && !table.over;
  for (const name of [...state.phantoms.keys()]) if (table.pieces[squareOf(name)] !== ".") state.phantoms.delete(name);
  keepPhantoms(table.game, state.phantoms);
  byId("promote").hidden = true;
  timeTurn(table);
  speak(table.log);
  show();
}

/** The clock runs while it is your turn. */
function timeTurn(table) {
  const now = Date.now();
  if (state.since) state.thought += now - state.since;
  state.since = table.yours && !table.over ? now : null;
  showClock();
}

function showClock() {
  const all = state.thought + (state.since ? Date.now() - state.since : 0);
  const [minutes, seconds] = [Math.floor(all / 60_000), Math.floor(all / SECOND) % 60];
  byId("clock").textContent = `Your time ${minutes}:${String(seconds).padStart(2, "0")}`;
}

/** Say aloud what is new; the other's refusals when he has moved, or whoever listens would hear of each. */
function speak(log) {
  if (isCounted(log.at(-1))) return;
  const fresh = linesOf(log.slice(state.spoken));
  byId("said").textContent = fresh.map((line) => line.words).join(". ");
  if (sounds && fresh.length) playSound(fresh.at(-1));
  state.spoken = log.length;
}

function newGame(table) {
  history.replaceState(null, "", `/kriegspiel?game=${encodeURIComponent(table.game)}`);
  rememberGame(table.game);
  state.phantoms = keptPhantoms(table.game);
  state.placing = state.left = state.since = null;
  state.spoken = state.thought = 0;
  state.queue = [];
  board.turn(table.colour);
  if (byId("setup").contains(document.activeElement)) board.focus(); // the form goes
  endStory();
  makePalette(table.colour);
}

async function afterwards() {
  if (!state.table) return;
  if (tryNext()) return;
  if (state.table.over) await showStory();
  else if (byId("heat").value !== "off") await help();
}

async function showStory() {
  const { game, opponent } = state.table;
  const story = await ask("/api/kriegspiel/story", { game }, { post: true });
  if (state.table?.game === game) tellStory(story, opponent, (shown) => board.show(shown));
}

/** Where the enemy may be, by what was heard; whoever tries something meanwhile need not wait for it. */
async function help() {
  helping.abort();
  helping = new AbortController();
  const { signal } = helping;
  if (byId("heat").value === "off" || !state.table?.yours) return show();
  byId("believed").textContent = "Looking …";
  try {
    const belief = state.belief ?? (await ask("/api/kriegspiel/belief", { game: state.table.game }, { post: true, signal }));
    if (signal.aborted) return;
    state.belief = belief;
    show();
  } catch (error) {
    if (!signal.aborted) byId("believed").textContent = faultWords(error);
  }
}

// ---------------------------------------------------------------- showing

function show() {
  const { table } = state;
  byId("setup").hidden = Boolean(table);
  showLeft();
  for (const id of ["playing", "log-panel", "score-panel", "aside"]) byId(id).hidden = !table;
  byId("helps").hidden = byId("keys").hidden = byId("typed").hidden = !table || table.over;
  showBoard();
  showTurn();
  byId("last").hidden = !table?.log.length || table.over;
  if (!table) return;
  const lines = linesOf(table.log);
  byId("last").textContent = lines.length ? `${lastWords(lines, table)}.` : "";
  byId("who").textContent = table.over ? endTitle(table) : `You against ${playerName(table.opponent)}`;
  byId("enemy").textContent = `You have ${table.colour}, rules of ${table.rules}; ${table.enemy}.`;
  byId("resign").hidden = table.over;
  byId("rematch").hidden = !table.over;
  fill(byId("lost-pieces"), ...lostPieces(table.pieces, table.colour).map((letter) => drawPiece(letter)));
  byId("lost-pieces").setAttribute("aria-label", `${lostPieces(table.pieces, table.colour).length} of your pieces are lost`);
  showScore(byId("score"), table.log);
  byId("score").closest(".score-box").scrollTop = byId("score").offsetHeight;
  byId("record").textContent = table.over ? "Download PGN" : "PGN as you heard it";
  showLog(lines, table.colour);
  showHelp();
}

function showLeft() {
  const { left } = state;
  byId("left").hidden = !left;
  if (left) byId("left-words").textContent = `Your game against ${left.opponent} waits for you until you sit down again.`;
}

function showBoard() {
  const { table, selected, phantoms, placing } = state;
  if (!table) return board.show({ pieces: START, own: "white" });
  if (table.over && !byId("story").hidden) return;
  const heat = state.belief && byId("heat").value !== "off" ? heatOf(state.belief, byId("heat").value, table.pieces) : null;
  const targets = new Set(selected ? table.tries.filter((one) => one.startsWith(selected)).map((one) => one.slice(2, 4)) : []);
  byId("board").classList.toggle("placing", Boolean(placing));
  board.show({ pieces: table.pieces, own: table.colour, phantoms, selected, targets, heat, marks: lastMarks(table) });
}

/** The enemy's last move as it was heard, if none of our own has been accepted since. */
const lastHeard = (table) => {
  const made = table.log.findLast((line) => line.by && !line.refused);
  return made && made.by !== table.colour ? made : null;
};

/** The last line; after a refusal also what the enemy's move was said to be, which still holds. */
function lastWords(lines, table) {
  const [last, heard] = [lines.at(-1), lastHeard(table)];
  return heard?.said && last.refused && last.by === table.colour ? `${heard.words}. ${last.words}` : last.words;
}

/** Where something was last heard of, until we have moved: a capture, a check; and our own last move. */
function lastMarks(table) {
  const marks = {};
  const last = table.log.findLast((line) => line.by === table.colour && !line.refused);
  if (last) marks[last.move.slice(2, 4)] = "to";
  const heard = lastHeard(table);
  if (heard?.taken) marks[heard.taken] = "heard";
  if (heard?.checks.length) marks[nameOf(table.pieces.indexOf(table.colour === "white" ? "K" : "k"))] = "check";
  return marks;
}

function showTurn() {
  const { table, busy } = state;
  byId("again").hidden = busy || !table || table.over || table.yours;
  byId("turn").classList.toggle("thinking", busy);
  if (!table) byId("turn").textContent = busy ? "Sitting down …" : "";
  else if (table.over) byId("turn").textContent = endWords(table);
  else if (table.yours) byId("turn").textContent = yourTurn(table);
  else byId("turn").textContent = busy ? `${table.opponent} thinks …` : "The player was interrupted.";
}

function yourTurn(table) {
  const last = table.log.at(-1);
  if (last?.refused && last.by === table.colour) return `${last.move} was refused. Try something else.`;
  return "Your turn.";
}

const endTitle = ({ result, colour }) =>
  result === "1/2-1/2" ? "A draw" : (result === "1-0") === (colour === "white") ? "You have won" : "You have lost";
const endWords = ({ result, ended }) => `The game is over, ${result}: ${ended}.`;

function showLog(lines, own) {
  const list = byId("log");
  const items = lines.map((line) => {
    const who = line.by === own ? "you" : "enemy";
    const number = el("span", { class: "number" }, `${line.number}.`);
    return el("li", { class: `${who} ${line.refused ? "refused" : ""}` }, number, el("span", {}, line.words));
  });
  fill(list, ...(items.length ? items : [el("li", { class: "soft" }, "Nothing has been said yet.")]));
  list.scrollTop = list.scrollHeight;
}

function showHelp() {
  byId("believed").textContent = state.belief && byId("heat").value !== "off" ? `${state.belief.words}.` : "";
  byId("figure").hidden = !state.belief || byId("heat").value === "off";
  for (const button of every("#phantoms button")) {
    button.setAttribute("aria-pressed", String(button.dataset.piece === state.placing));
  }
}

function faultWords(error) {
  return error instanceof Refused ? error.message : "The server does not answer: is it running?";
}

/** In place of a fault, which was about a board that is no more. */
function showElsewhere(unmade) {
  showFault(null);
  const so = unmade ? `, so ${unmade} was not tried` : "";
  byId("elsewhere").textContent = `The game went on elsewhere, perhaps in another tab${so}. This is how it stands now.`;
  byId("elsewhere").hidden = false;
}

function showFault(error) {
  byId("elsewhere").hidden = true;
  byId("fault").hidden = !error;
  byId("fault").textContent = error ? faultWords(error) : "";
  byId("move").setAttribute("aria-invalid", String(error?.where === "move"));
  byId("written").setAttribute("aria-invalid", String(error?.where === "player"));
}

function showWaiting(ahead) {
  byId("turn").textContent = ahead ? `Waiting: ${ahead} ahead of you.` : "Waiting for another search to end.";
}

// ---------------------------------------------------------------- trying

function clickSquare(name) {
  const { table } = state;
  if (!table || table.over) return;
  if (state.placing) return togglePhantom(name, state.placing);
  if (!table.yours || state.busy) return;
  byId("promote").hidden = true;
  const moves = state.selected ? table.tries.filter((one) => one.startsWith(state.selected + name)) : [];
  if (moves.length > 1) return askPromotion(moves);
  if (moves.length) return attempt(moves[0]);
  const movable = table.tries.some((one) => one.startsWith(name));
  state.selected = movable && state.selected !== name ? name : null;
  showBoard();
}

/** A piece is dragged to a square: the same as clicking both. */
function dragPiece(from, to) {
  const { table } = state;
  if (!table?.yours || state.busy || state.placing) return;
  if (!table.tries.some((one) => one.startsWith(from + to))) return;
  state.selected = from;
  clickSquare(to);
}

function attempt(move) {
  if (state.busy) return;
  byId("promote").hidden = true;
  tell("go", { game: state.table.game, move, heard: state.table.log.length }, (error, asked) => {
    // What was not understood stays where it was typed, with what was to come after it.
    if (error?.where === "move") byId("move").value = [move, ...state.queue].join(" ");
    state.queue = [];
    fail(error, asked);
    if (error?.where === "move") byId("move").select();
  });
}

/** Several tries in a row: the next is made if the one before was refused. They may be typed while the other thinks. */
function tryInOrder(text) {
  state.queue = text.split(/[\s,;]+/).filter(Boolean);
  state.untried = true;
  byId("move").value = "";
  tryNext();
}

function tryNext() {
  const { table, queue } = state;
  if (!queue.length || !table.yours || state.busy) return false;
  const refused = table.log.at(-1)?.refused && table.log.at(-1).by === table.colour;
  if (!state.untried && !refused) state.queue = [];
  state.untried = false;
  const move = state.queue.shift();
  if (move) attempt(move);
  return Boolean(move);
}

/** The strongest first: what is mostly wanted is where the keyboard is. */
function askPromotion(moves) {
  const sorted = moves.toSorted((one, other) => KINDS.indexOf(one[4]) - KINDS.indexOf(other[4]));
  const buttons = sorted.map((move) => {
    const letter = state.table.colour === "white" ? move[4].toUpperCase() : move[4];
    const properties = { type: "button", "aria-label": NAMES[move[4]], on: { click: () => attempt(move) } };
    return el("button", { ...properties, class: "piece-button" }, drawPiece(letter));
  });
  fill(byId("promotions"), ...buttons);
  byId("promote").hidden = false;
  buttons[0].focus();
}

function key(event, name) {
  const kind = event.key.toLowerCase();
  if (!state.table || state.table.over) return;
  if (KINDS.includes(kind)) togglePhantom(name, enemyMan(kind));
  else if (event.key === "Delete" || event.key === "Backspace") removePhantom(name);
  else return;
  event.preventDefault();
}

// ---------------------------------------------------------------- phantoms

const enemyMan = (kind) => (state.table.colour === "white" ? kind : kind.toUpperCase());

function togglePhantom(name, letter) {
  if (state.table.pieces[squareOf(name)] !== ".") return;
  if (state.phantoms.get(name) === letter) state.phantoms.delete(name);
  else state.phantoms.set(name, letter);
  keepPhantoms(state.table.game, state.phantoms);
  showBoard();
}

function removePhantom(name) {
  state.phantoms.delete(name);
  keepPhantoms(state.table.game, state.phantoms);
  showBoard();
}

function clearPhantoms() {
  state.phantoms.clear();
  keepPhantoms(state.table.game, state.phantoms);
  showBoard();
}

function makePalette(colour) {
  const buttons = KINDS.map((kind) => {
    const letter = colour === "black" ? kind.toUpperCase() : kind;
    const on = { click: () => ((state.placing = state.placing === letter ? null : letter), (state.selected = null), show()) };
    const properties = { type: "button", class: "piece-button", data: { piece: letter }, "aria-pressed": "false", on };
    return el("button", { ...properties, "aria-label": `Place a phantom ${NAMES[kind]}` }, drawPiece(letter));
  });
  fill(byId("phantoms"), ...buttons);
}

// ---------------------------------------------------------------- files

async function saveRecord() {
  const { game, over } = state.table;
  try {
    const text = await ask("/api/kriegspiel/record", { game }, { post: true });
    keep(text, over ? "kriegspiel.pgn" : "kriegspiel-as-heard.pgn", "application/x-chess-pgn");
  } catch (error) {
    if (state.table?.game === game) showFault(error);
  }
}

// ---------------------------------------------------------------- buttons

/** Resigning takes two clicks. */
function resign() {
  const button = byId("resign");
  if (state.busy) return;
  if (button.dataset.sure) {
    stay();
    tell("resign", { game: state.table.game });
    return;
  }
  button.dataset.sure = "asked";
  button.textContent = "Really resign?";
  unsure = setTimeout(stay, 4000);
}

/** Nobody has asked to resign. */
function stay() {
  clearTimeout(unsure);
  delete byId("resign").dataset.sure;
  byId("resign").textContent = "Resign";
}

/** Get up: nobody listens any more to what was asked at this table, and the player need not think on. */
function leave() {
  for (const asked of [asking, looking, helping]) asked.abort();
  asking = new AbortController();
  Object.assign(state, EMPTY);
  stay();
  endStory();
  showFault(null);
  byId("promote").hidden = true;
  byId("move").value = byId("said").textContent = "";
}

/** The form for a new game. One that is not over stays where it is: it can be gone back to. */
function setUp() {
  const { table, lost } = state;
  leave();
  if (table.over) forgetGame(table.game);
  state.left = table.over || table.game === lost ? null : table;
  history.replaceState(null, "", "/kriegspiel");
  board.turn("white");
  show();
  (state.left ? byId("back") : first("input[name=colour]:checked")).focus();
}

function sitDown(event) {
  event.preventDefault();
  leave();
  const colour = first("input[name=colour]:checked").value;
  const player = byId("player").value || byId("written").value.trim() || "?";
  tell("start", { colour, player, rules: byId("rules").value, seconds: byId("seconds").value });
}

/** The same opponent and rules, the other colour. */
function rematch() {
  const { opponent, rules, seconds, colour } = state.table;
  forgetGame(state.table.game);
  leave();
  tell("start", { colour: colour === "white" ? "black" : "white", player: opponent, rules, seconds });
}

/** An opponent as the form calls him, if it does. */
const playerName = (text) => [...byId("player").options].find(({ value }) => value && value === text)?.text ?? text;

/** What the chosen opponent is like. */
function showPlayer() {
  const chosen = byId("player").selectedOptions[0];
  byId("other-player").hidden = Boolean(byId("player").value);
  byId("player-words").textContent = chosen?.dataset.words ?? "";
}

/** A link to an opponent begins a game at once, with White; what else there is to choose is as in the form. */
function startAgainst(player) {
  tell("start", { colour: "white", player, rules: byId("rules").value, seconds: byId("seconds").value });
}

function listen() {
  byId("setup").addEventListener("submit", sitDown);
  byId("player").addEventListener("change", showPlayer);
  byId("rematch").addEventListener("click", rematch);
  byId("flip").addEventListener("click", () => (board.turn(board.side === "white" ? "black" : "white"), showBoard()));
  byId("sound").addEventListener("click", () => {
    sounds = !sounds;
    byId("sound").setAttribute("aria-pressed", String(sounds));
  });
  setInterval(() => state.since && showClock(), SECOND);
  byId("rules").addEventListener("change", showRules);
  byId("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    if (byId("move").value.trim()) tryInOrder(byId("move").value.trim());
  });
  byId("go-on").addEventListener("click", () => tell("go", { game: state.table.game }));
  byId("resign").addEventListener("click", resign);
  byId("record").addEventListener("click", saveRecord);
  byId("new").addEventListener("click", setUp);
  byId("back").addEventListener("click", () => resume(state.left.game, true));
  byId("clear").addEventListener("click", clearPhantoms);
  byId("heat").addEventListener("change", () => help());
  byId("figure").addEventListener("click", () => keep(state.belief.svg, "kriegspiel-belief.svg"));
  addEventListener("keydown", shortcut);
  document.addEventListener("visibilitychange", lookedAt);
  listenToStory();
}

/** Whoever comes back to this tab may have played on in another. */
function lookedAt() {
  const { table, busy } = state;
  if (document.visibilityState === "visible" && table && !table.over && !busy) lookAgain(table.game);
}

/** A slash goes to the field for tries, Escape lets go of whatever is in hand. */
function shortcut(event) {
  if (event.key === "/" && !event.target.matches?.("input, select") && !byId("typed").hidden) {
    event.preventDefault();
    byId("move").focus();
  } else if (event.key === "Escape" && state.table) {
    state.selected = state.placing = null;
    byId("promote").hidden = true;
    show();
  }
}

async function showRules() {
  const rules = byId("rules").value;
  const told = await ask("/api/kriegspiel/rules", { rules }).catch(() => ({ words: "" }));
  if (byId("rules").value === rules) byId("rules-words").textContent = told.words;
}

function start() {
  board = new Board(byId("board"), { onSquare: clickSquare, onDrag: dragPiece, onKey: key });
  listen();
  showPlayer();
  showRules();
  show();
  const query = new URLSearchParams(location.search);
  if (query.has("play")) return startAgainst(query.get("play"));
  const named = query.get("game");
  const game = named ?? rememberedGame();
  if (game) resume(game, Boolean(named));
}

start();
