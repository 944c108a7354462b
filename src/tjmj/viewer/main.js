// The player: which hand and step is shown, and all that changes it.

import { Board } from "./board.js";
import { Log, showChart, showPlayers, showResult } from "./panels.js";
import { node } from "./nodes.js";
import { readEvents, stepsOf, tableAt } from "./table.js";
import { Words } from "./words.js";

const PLAY_EVERY = 900;
const SWIPE = 40;

const id = (name) => document.getElementById(name);
const story = JSON.parse(id("story").textContent);
const order = new Map(story.tiles.map((tile, at) => [tile, at]));

/** A hand made ready to be shown; most are never looked at. */
function prepared(hand) {
  if (!hand.steps) {
    Object.assign(hand, { wall: 136, dealer: null, wild: [], lost: [], moves: [], wins: [], ...hand });
    hand.events = readEvents(story.shapes, hand.events);
    hand.steps = stepsOf(hand);
  }
  return hand;
}

const state = {
  number: 0,
  at: 0,
  near: 0,
  open: true,
  lang: story.lang ?? (navigator.language.startsWith("zh") ? "zh" : "en"),
  timer: null,
};
const words = Object.fromEntries(["en", "zh"].map((lang) => [lang, new Words(story, lang)]));
const board = new Board(id("board"));
const log = new Log(id("log"), (at) => goTo(state.number, at));

const speak = () => words[state.lang];
const shownHand = () => prepared(story.hands[state.number]);

/** Where a hand begins to be played: behind deal and flip. */
function beginning(hand) {
  const first = hand.steps.findIndex((step) => step.move !== null);
  return Math.max(0, first < 0 ? hand.steps.length - 1 : first - 1);
}

function goTo(number, at) {
  state.number = Math.min(Math.max(number, 0), story.hands.length - 1);
  state.at = Math.min(Math.max(at, 0), shownHand().steps.length - 1);
  show();
}

function goToHand(number) {
  if (number < 0 || number >= story.hands.length) return;
  goTo(number, beginning(prepared(story.hands[number])));
}

function goToMove(move) {
  const at = shownHand().steps.findIndex((step) => step.move === move);
  if (at >= 0) goTo(state.number, at);
  else show();
}

function step(by) {
  const { steps } = shownHand();
  const at = state.at + by;
  if (at >= 0 && at < steps.length) return goTo(state.number, at);
  if (at < 0 || state.number === story.hands.length - 1) return stop();
  return goToHand(state.number + 1);
}

function stop() {
  clearInterval(state.timer);
  state.timer = null;
  showPlaying();
}

function togglePlay() {
  if (state.timer !== null) return stop();
  state.timer = setInterval(() => step(1), PLAY_EVERY);
  showPlaying();
  return step(1);
}

function showPlaying() {
  const playing = state.timer !== null;
  id("play").classList.toggle("playing", playing);
  id("play").setAttribute("aria-label", speak().say(playing ? "pause" : "play"));
}

function show() {
  const hand = shownHand();
  const now = hand.steps[state.at];
  const table = tableAt(hand, now.count, order);
  const openThroughout = (seat) => state.open || seat === state.near;
  const seen = (seat) => openThroughout(seat) || table.result !== null;
  const told = { hand, table, steps: hand.steps, at: state.at, words: speak(), near: state.near, seen };
  const before = state.number ? story.hands[state.number - 1].totals : [0, 0, 0, 0];
  board.show(told);
  showPlayers(id("players"), { ...told, before });
  showResult(id("result"), told);
  log.show({ ...told, seen: openThroughout, openSeats: state.open ? "all" : state.near });
  showChart(id("totals"), { ...told, story, names: playerNames(hand), number: state.number, onChoose: goToHand });
  showControls(hand, now, told);
}

function playerNames(hand) {
  return [0, 1, 2, 3].map((player) => {
    const seat = hand.players.indexOf(player);
    return speak().name(hand, seat) || speak().wind(seat);
  });
}

function showControls(hand, now, told) {
  const sentence = speak().step(hand, now, told.seen);
  id("spoken").textContent = sentence;
  id("spoken").classList.toggle("fault", Boolean(now.fault));
  const slider = id("slider");
  slider.max = hand.steps.length - 1;
  slider.value = state.at;
  const place = speak().say("step", { n: state.at + 1, of: hand.steps.length });
  slider.setAttribute("aria-valuetext", `${place}: ${sentence}`);
  id("hand").value = state.number;
  const moves = hand.steps.findLast((each) => each.move !== null)?.move ?? 0;
  id("move").max = moves;
  if (document.activeElement !== id("move")) {
    id("move").value = hand.steps.slice(0, state.at + 1).findLast((each) => each.move !== null)?.move ?? 0;
  }
  id("moves-of").textContent = speak().say("ofMoves", { n: moves });
  id("near").value = state.near;
  id("open").setAttribute("aria-pressed", state.open);
  id("previous-hand").disabled = state.number === 0;
  id("next-hand").disabled = state.number === story.hands.length - 1;
  id("back").disabled = id("first").disabled = state.at === 0;
  id("last").disabled = state.at === hand.steps.length - 1;
  id("forward").disabled = id("last").disabled && id("next-hand").disabled;
}

/** Everything that is said once for a language. */
function speakAll() {
  document.documentElement.lang = state.lang === "zh" ? "zh-CN" : "en";
  document.title = speak().say("title");
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = speak().say(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", speak().say(element.dataset.label));
    if (element.tagName === "BUTTON") element.title = speak().say(element.dataset.label);
  }
  id("language").textContent = speak().say("other");
  id("language").setAttribute("aria-label", speak().say("otherLabel"));
  id("hand").replaceChildren(...story.hands.map((hand, number) => node("option", { value: number },
    `${speak().say("hand", { n: number + 1 })}${hand.fault ? ` ⚠ ${speak().say("wrongHand")}` : ""}`)));
  const keys = speak().words.keys.flatMap(([key, text]) => [node("dt", {}, key), node("dd", {}, text)]);
  id("keys").replaceChildren(...keys);
  const wrong = story.hands.filter((hand) => hand.fault).length;
  id("faults").hidden = wrong === 0;
  id("faults").textContent = speak().say("faults", { n: wrong, of: story.hands.length });
  speakSeats();
  showPlaying();
  show();
}

function speakSeats() {
  id("near").replaceChildren(...[0, 1, 2, 3].map((seat) => node("option", { value: seat },
    `${speak().wind(seat)} ${speak().name(shownHand(), seat)}`.trim())));
}

const COMMANDS = {
  "previous-hand": () => goToHand(state.number - 1),
  "next-hand": () => goToHand(state.number + 1),
  first: () => goTo(state.number, 0),
  back: () => step(-1),
  play: togglePlay,
  forward: () => step(1),
  last: () => goTo(state.number, Infinity),
  open: () => { state.open = !state.open; show(); },
  language: () => { state.lang = state.lang === "zh" ? "en" : "zh"; speakAll(); },
  faults: () => {
    const number = story.hands.findIndex((hand) => hand.fault);
    goTo(number, Infinity);
  },
  turn: () => { state.near = (state.near + 1) % 4; show(); },
};

const KEYS = {
  ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "previous-hand", ArrowDown: "next-hand",
  Home: "first", End: "last", " ": "play", o: "open", v: "turn", l: "language",
};

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("select, input")) return;
  if (event.key === " " && event.target.closest("button, summary")) return;
  const command = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!command) return;
  event.preventDefault();
  COMMANDS[command]();
}

function listen() {
  for (const button of document.querySelectorAll("button[id]")) button.addEventListener("click", COMMANDS[button.id]);
  document.addEventListener("keydown", onKey);
  id("slider").addEventListener("input", (event) => goTo(state.number, Number(event.target.value)));
  id("hand").addEventListener("change", (event) => goToHand(Number(event.target.value)));
  id("move").addEventListener("change", (event) => goToMove(Number(event.target.value)));
  id("near").addEventListener("change", (event) => { state.near = Number(event.target.value); show(); });
  let start = null;
  id("board").addEventListener("pointerdown", (event) => { start = event.clientX; });
  id("board").addEventListener("pointerup", (event) => {
    const moved = start === null ? 0 : event.clientX - start;
    if (Math.abs(moved) >= SWIPE) step(moved < 0 ? 1 : -1);
    start = null;
  });
  id("board").addEventListener("pointercancel", () => { start = null; });
}

listen();
state.at = beginning(shownHand());
speakAll();
