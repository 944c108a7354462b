// The table of a hand, as the sum of its events. Field by field it is the engine's own open view (docs/views.md);
// beside it stands which places of the wall are taken. Nothing here knows a rule: what the script would have to
// know rules for is told by the page.

/** Events from lists: the number of a shape, then the values of its keys. */
export function readEvents(shapes, lists) {
  return lists.map(([shape, ...values]) => Object.fromEntries(shapes[shape].map((key, at) => [key, values[at]])));
}

/** The table after so many events; `order` gives the place of each tile when hands are sorted. */
export function tableAt(hand, count, order) {
  const table = emptyTable(order);
  for (let at = 0; at < count; at += 1) {
    const event = hand.events[at];
    APPLY[event.event](table, event, { wild: hand.wild.includes(at), lost: hand.lost.includes(at) });
  }
  return table;
}

function emptyTable(order) {
  const seat = () => ({
    concealed: 0, hand: null, drawn: null, melds: [], discards: [], lost: false, ready: false, flowers: [],
  });
  return {
    order, stakes: { sit: null, pull: null, kick: null }, window: null, dice: null, break: null, flip: null, wild: [],
    seats: [seat(), seat(), seat(), seat()], front_left: null, back_left: null, wins: [], payments: null,
    result: null, taken: new Set(), flipPlace: null, lastDiscard: null,
  };
}

const APPLY = {
  stakes(table, { sit, pull, kick }) {
    table.stakes = { sit, pull, kick };
  },
  window(table, { window, turn, seat }) {
    table.window = { window, turn, seat };
  },
  deal(table, event) {
    table.dice = event.dice;
    table.break = event.break;
    event.hands.forEach((hand, seat) => {
      table.seats[seat].hand = [...hand];
      table.seats[seat].concealed = hand.length;
      for (let tile = 0; tile < hand.length; tile += 1) table.taken.add(table.taken.size);
    });
    table.seats[event.dealer].drawn = event.drawn;
    countLeft(table, event);
  },
  flip(table, { tile, place, wild }) {
    table.flip = tile;
    table.flipPlace = place;
    table.wild = wild;
  },
  draw(table, event) {
    const seat = table.seats[event.seat];
    seat.concealed += 1;
    seat.drawn = event.tile;
    table.lastDiscard = null;
    seat.hand = [...seat.hand, event.tile].sort((a, b) => table.order.get(a) - table.order.get(b));
    table.taken.add(event.place);
    countLeft(table, event);
  },
  discard(table, event, { wild, lost }) {
    const seat = table.seats[event.seat];
    take(seat, event.tile);
    seat.discards.push({ tile: event.tile, claimed: null, wild });
    seat.lost ||= lost;
    table.lastDiscard = event.seat;
  },
  flower(table, event) {
    const seat = table.seats[event.seat];
    for (const tile of event.tiles) take(seat, tile);
    seat.flowers = [...seat.flowers, ...event.tiles];
  },
  chow: claim,
  pong: claim,
  kong(table, event) {
    const { tile, kind } = event;
    const four = [tile, tile, tile, tile];
    if (kind !== "added") {
      layOut(table, event, { type: kind, tiles: four, own: kind === "exposed" ? four.slice(1) : four });
      return;
    }
    const seat = table.seats[event.seat];
    take(seat, tile);
    const pong = seat.melds.find((meld) => meld.type === "pong" && meld.claimed === tile);
    Object.assign(pong, { type: "added", tiles: four });
  },
  rob() {},
  declare(table, event) {
    table.seats[event.seat].ready = true;
  },
  win(table, event) {
    if (event.robbed && table.wins.length === 0) take(table.seats[event.from], event.tile);
    const { seat, tile, from, robbed, score } = event;
    table.wins.push({ seat, tile, from, robbed, score });
  },
  flowers(table, { seat, elements, fan, flowers, points }) {
    table.wins.push({ seat, elements, fan, flowers, points });
  },
  exhausted() {},
  settle(table, event) {
    table.payments = event.payments;
    table.window = null;
  },
  reveal(table, event) {
    table.seats.forEach((seat, number) => {
      seat.hand = [...event.hands[number]];
      const concealed = seat.melds.filter((meld) => meld.type === "concealed");
      concealed.forEach((meld, at) => { meld.tiles = Array(4).fill(event.kongs[number][at]); });
    });
    table.result = event.result;
  },
};

function countLeft(table, event) {
  table.front_left = event.front_left;
  table.back_left = event.back_left;
}

function take(seat, tile) {
  seat.concealed -= 1;
  seat.drawn = null;
  seat.hand.splice(seat.hand.indexOf(tile), 1);
}

function claim(table, event) {
  const own = [...event.tiles];
  own.splice(own.indexOf(event.tile), 1);
  layOut(table, event, { type: event.event, tiles: event.tiles, own });
}

function layOut(table, event, { type, tiles, own }) {
  const seat = table.seats[event.seat];
  for (const tile of own) take(seat, tile);
  const taken = event.from !== null && event.from !== undefined;
  if (taken) table.seats[event.from].discards.at(-1).claimed = event.seat;
  table.lastDiscard = null;
  seat.melds.push({
    type, tiles: [...tiles], claimed: taken ? event.tile : null, from: taken ? event.from : null,
    gold: event.gold ?? false, hidden: event.hidden ?? false,
  });
}

/** Events by which the page goes forward and back: each with what follows it at once, and the record's move. */
export function stepsOf(hand) {
  const follows = (event) => event.event === "window" || event.event === "reveal";
  const number = new Map(hand.moves.map((place, at) => [place, at + 1]));
  const steps = [{ count: 0, event: null, move: null }];
  hand.events.forEach((event, at) => {
    if (!follows(event)) steps.push({ count: at, event, at, move: number.get(at) ?? null });
    steps.at(-1).count = at + 1;
  });
  if (hand.fault) steps.push({ count: hand.events.length, event: null, fault: hand.fault, move: hand.fault.move });
  return steps;
}

/** Which stack lies where: for each seat the stacks of its wall from its right, numbered in take order. */
export function wallOf(hand, start) {
  const perSeat = hand.wall / 8;
  const walls = [[], [], [], []];
  for (let stack = 0; stack < 4 * perSeat; stack += 1) {
    const place = start.stacks + stack;
    const seat = (start.seat + 16 - Math.floor(place / perSeat)) % 4;
    walls[seat][place % perSeat] = stack;
  }
  return walls;
}
