// The table as it is seen from one seat: hands, melds, discards, walls, and what lies in the middle.

import { Slots, node, tile } from "./nodes.js";
import { wallOf } from "./table.js";

const PLACES = ["near", "right", "far", "left"];
const PARTS = ["discards", "wall", "flowers", "hand"];

export class Board {
  constructor(root) {
    this.slots = new Slots();
    this.seats = PLACES.map((place) => {
      const parts = Object.fromEntries(PARTS.map((part) => [part, node(`div.${part}`, { role: "img" })]));
      return { ...parts, area: node(`section.seat.${place}`, {}, ...Object.values(parts)) };
    });
    this.labels = PLACES.map((place) => node(`div.label.${place}`));
    this.middle = node("div.middle");
    const centre = node("div.centre", {}, node("div.labels", { "aria-hidden": "true" }, ...this.labels), this.middle);
    root.append(...this.seats.map((seat) => seat.area), centre);
  }

  /** Draws a table; `near` is the seat in front, `seen` says whose concealed tiles are open. */
  show({ hand, table, words, near, seen }) {
    const context = { hand, table, words, seen, walls: table.break ? wallOf(hand, table.break) : null };
    for (let place = 0; place < 4; place += 1) {
      const seat = (near + place) % 4;
      this.showSeat(this.seats[place], seat, context);
      this.showLabel(this.labels[place], PLACES[place], seat, context);
    }
    this.showMiddle(context);
  }

  showSeat(parts, seat, { hand, table, words, seen, walls }) {
    const shown = table.seats[seat];
    const who = words.who(hand, seat);
    const open = shown.hand !== null && seen(seat);
    const last = table.lastDiscard === seat;
    const marks = words.marks(hand, table, seat).map(({ text }) => text);
    parts.area.setAttribute("aria-label", [who, ...marks].join(", "));

    const wild = (name) => table.wild.includes(name);
    const held = [shown.hand, shown.drawn, shown.melds, open, table.wild, seat];
    this.put(parts.hand, handLabel(words, who, shown, open), held, () => [
      ...concealed(shown, open, wild),
      ...shown.melds.map((meld) => meldNode(meld, seat, open, wild)),
    ]);
    parts.hand.dataset.melds = shown.melds.length;
    this.put(parts.discards, discardsLabel(words, who, hand, shown), [shown.discards, last, table.wild],
      () => shown.discards.map((discard, at) => discardNode(discard, wild, last && at === shown.discards.length - 1)));
    parts.discards.classList.toggle("many", shown.discards.length > 24);
    this.put(parts.flowers, words.say("flowersOf", { who, tiles: words.tiles(shown.flowers) }), shown.flowers,
      () => shown.flowers.map((name) => tile(name)));
    this.showWall(parts.wall, seat, who, { hand, table, words, walls });
  }

  put(slot, label, content, build) {
    if (slot.getAttribute("aria-label") !== label) slot.setAttribute("aria-label", label);
    this.slots.fill(slot, content, build);
  }

  showWall(slot, seat, who, { hand, table, words, walls }) {
    const stacks = walls ? walls[seat].map((stack) => stackOf(stack, table)) : Array(hand.wall / 8).fill({ left: 2 });
    const n = stacks.reduce((sum, { left }) => sum + left, 0);
    this.put(slot, words.say("wallOf", { who, n }), stacks, () => stacks.map(stackNode));
  }

  showLabel(slot, place, seat, { hand, table, words }) {
    const turn = table.window?.seat === seat;
    const won = table.wins.some((win) => win.seat === seat);
    const marks = words.marks(hand, table, seat);
    slot.className = `label ${place}${turn ? " turn" : ""}${won ? " won" : ""}`;
    this.slots.fill(slot, [words.wind(seat), words.name(hand, seat), marks], () => [
      node("b.wind", {}, words.wind(seat)),
      node("span.name", {}, words.name(hand, seat)),
      ...marks.map(({ kind, sign, text }) => node(`span.tag.${kind}`, { title: text }, sign)),
    ]);
  }

  showMiddle({ table, words, hand }) {
    const { flip, wild, front_left: front, back_left: back } = table;
    const shared = front === back;
    this.slots.fill(this.middle, [flip, wild, front, back, words.lang, hand.line], () => front === null ? [] : [
      ...(flip ? [node("div.wilds", { role: "img", "aria-label": `${words.say("wild")}: ${words.tiles(wild)}` },
        ...wild.slice(0, 3).map((name) => tile(name, { wild: true, classes: name === flip ? ".flipped" : "" })))] : []),
      node("div.left", {}, words.say(shared ? "left" : "leftBack", { front, back })),
    ]);
  }
}

function handLabel(words, who, shown, open) {
  const label = open
    ? words.say("concealedOf", { who, tiles: words.tiles(shown.hand) })
    : words.say("hiddenOf", { who, n: shown.concealed });
  const parts = [label];
  if (open && shown.drawn) parts.push(words.say("drawn", { tile: words.tile(shown.drawn) }));
  if (shown.melds.length) {
    const melds = shown.melds.map((meld) => meld.hidden && !open ? words.term("melds", meld.type)
      : `${words.term("melds", meld.type)} ${words.tiles(meld.tiles)}`);
    parts.push(words.say("meldsOf", { tiles: melds.join("; ") }));
  }
  return parts.join("; ");
}

function discardsLabel(words, who, hand, shown) {
  const told = shown.discards.map((discard) => discard.claimed === null ? words.tile(discard.tile)
    : words.say("claimed", { tile: words.tile(discard.tile), who: words.who(hand, discard.claimed) }));
  return words.say("discardsOf", { who, tiles: told.join(words.lang === "zh" ? "、" : ", ") || words.say("none") });
}

/** Concealed tiles, the one that was drawn last set apart. */
function concealed(shown, open, wild) {
  if (shown.hand === null) return [];
  const tiles = [...shown.hand];
  const drawn = shown.drawn === null ? -1 : tiles.lastIndexOf(shown.drawn);
  const apart = drawn < 0 ? [] : tiles.splice(drawn, 1);
  const face = (name, classes = "") => open ? tile(name, { wild: wild(name), classes }) : tile("back", { classes });
  return [node("div.concealed", {}, ...tiles.map((name) => face(name)), ...apart.map((name) => face(name, ".drawn")))];
}

/** A meld: what was taken lies turned, at the side of the seat that it came from; an added tile lies upon it. */
function meldNode(meld, seat, open, wild) {
  const face = (name, classes = "") => tile(name, { wild: wild(name), classes });
  if (meld.from === null) {
    const covered = (at) => meld.hidden ? !open : at === 3;
    return node("div.meld", {}, ...meld.tiles.map((name, at) => covered(at) ? tile("back") : face(name)));
  }
  const rest = [...meld.tiles];
  rest.splice(rest.indexOf(meld.claimed), 1);
  const upon = meld.type === "added" ? rest.splice(0, 1) : [];
  const taken = node("span.turned", {}, ...upon.map((name) => face(name, ".upon")), face(meld.claimed));
  const tiles = rest.map((name) => face(name));
  tiles.splice([null, tiles.length, 1, 0][(meld.from - seat + 4) % 4], 0, taken);
  return node("div.meld", {}, ...tiles);
}

function discardNode(discard, wild, last) {
  const classes = `${discard.wild ? ".dimmed" : ""}${discard.claimed === null ? "" : ".claimed"}${last ? ".last" : ""}`;
  return tile(discard.tile, { wild: wild(discard.tile), classes });
}

function stackOf(stack, table) {
  const places = [2 * stack, 2 * stack + 1].filter((place) => !table.taken.has(place));
  return { left: places.length, first: stack === 0, flip: places.includes(table.flipPlace) ? table.flip : null };
}

function stackNode({ left, first, flip }) {
  const kind = ["gone", "low", "high"][left];
  const face = flip ? [tile(flip, { classes: ".flip" })] : [];
  return node(`i.stack.${kind}${first ? ".first" : ""}`, {}, ...face);
}
