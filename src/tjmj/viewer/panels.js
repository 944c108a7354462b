// Beside the table: the players, the moves, what a win is worth and who pays whom, the totals as a chart.

import { Slots, node, svg, tile } from "./nodes.js";

const slots = new Slots();

/** The players with their points. */
export function showPlayers(root, { hand, before, table, words }) {
  const net = table.result?.net ?? null;
  const marks = [0, 1, 2, 3].map((seat) => words.marks(hand, table, seat).map(({ text }) => text));
  slots.fill(root, [hand.line, words.lang, before, net, marks], () => [
    node("table", {},
      head([""], [words.say("thisHand"), words.say("total")]),
      node("tbody", {}, ...[0, 1, 2, 3].map((seat) => {
        const player = hand.players[seat];
        const gained = net && !hand.fault ? net[seat] : 0;
        return node("tr", {},
          node("th", { scope: "row" },
            node(`i.swatch.player${player}`), node("b", {}, words.wind(seat)), " ",
            node("bdi", {}, words.name(hand, seat)),
            ...(marks[seat].length ? [node("span.marks", {}, marks[seat].join(", "))] : [])),
          pointsCell(words, net ? net[seat] : null),
          pointsCell(words, before[player] + gained));
      }))),
  ]);
}

/** The head of a table: texts over words, then texts over points. */
function head(words, points) {
  const cells = [...words.map((text) => ["th", text]), ...points.map((text) => ["th.points", text])];
  return node("thead", {}, node("tr", {}, ...cells.map(([tag, text]) => node(tag, { scope: "col" }, text))));
}

function pointsCell(words, points) {
  const sign = points > 0 ? ".gain" : points < 0 ? ".loss" : "";
  return node(`td.points${sign}`, {}, points === null ? "" : words.points(points));
}

/** Wins with their readings, and the payments line by line; empty before the end. */
export function showResult(root, { hand, table, words }) {
  root.hidden = !table.wins.length && !table.payments;
  slots.fill(root, [hand.line, words.lang, table.wins, table.payments, table.result], () => [
    node("h2", {}, words.say("result")),
    ...table.wins.map((win) => winNode(win, { hand, table, words })),
    ...(table.result?.end === "exhausted" ? [node("p.worth", {}, words.say("exhausted"))] : []),
    ...(table.payments?.length ? [ledger({ hand, table, words })] : []),
  ]);
}

function winNode(win, { hand, table, words }) {
  const score = win.score ?? win;
  const told = hand.wins.find((each) => each.seat === win.seat);
  const worth = [words.say("fan", { n: score.fan })];
  if (score.flowers !== undefined) worth.push(words.say("flowerCount", { n: score.flowers }));
  if (score.points !== undefined) worth.push(words.say("points", { n: score.points }));
  if (told?.kongs) worth.push(`+ ${words.say("kongs", { n: told.kongs })}`);
  const elements = told?.elements ?? score.elements.map((key) => [key, ""]);
  return node("article.win", {},
    node("h3", {}, words.who(hand, win.seat)),
    node("p.worth", {}, node("strong", {}, score.name ?? words.element(score.elements[0])), ` ${worth.join(" · ")}`),
    node("div.reading", {}, ...(score.reading ?? []).map((group) => groupNode(group, table, words))),
    node("ul.elements", {}, ...elements.map(([key, count]) => node("li", {}, words.element(key), " ", node("b", {}, count)))),
    ...(told ? [node("p.formula", {}, told.formula)] : []));
}

function groupNode(group, table, words) {
  const label = `${words.term("groups", group.group)}: ${words.tiles(group.tiles)}`;
  const tiles = group.tiles.map((name, at) => {
    return tile(name, { wild: table.wild.includes(name), classes: at === group.win ? ".winning" : "" });
  });
  return node("figure", {},
    node("div.tiles", { role: "img", "aria-label": label }, ...tiles),
    node("figcaption", {}, words.term("groups", group.group), " ", node("span.face", {}, group.face)));
}

function ledger({ hand, table, words }) {
  const lines = table.payments.map((line) => {
    const gain = "seat" in line ? { [line.seat]: line.points } : { [line.to]: line.points, [line.from]: -line.points };
    return node("tr", {},
      node("th", { scope: "row" }, ...whyOf(line, words)),
      node("td.how", {}, howOf(line, hand, words)),
      ...[0, 1, 2, 3].map((seat) => pointsCell(words, gain[seat] ?? null)));
  });
  return node("table.ledger", {},
    head([words.say("paidFor"), words.say("how")], [0, 1, 2, 3].map((seat) => words.wind(seat))),
    node("tbody", {}, ...lines),
    node("tfoot", {}, node("tr", {}, node("th", { scope: "row", colspan: 2 }, words.say("net")),
      ...(table.result?.net ?? []).map((points) => pointsCell(words, points)))));
}

function whyOf(line, words) {
  if (line.why !== "kong") return [words.term("payments", line.why)];
  const picture = node("span.kind", { role: "img", "aria-label": words.tile(line.tile) }, tile(line.tile));
  return [words.term("melds", line.kind), " ", picture];
}

function howOf(line, hand, words) {
  if (line.units === undefined) return "";
  const unit = line.why !== "win" && line.why !== "flowers" ? line.units
    : words.say(hand.counts === "fan" ? "fan" : "points", { n: line.units });
  return [unit, ...[line.factor, hand.base].filter((factor) => factor !== 1)].join(" × ");
}

/** The steps of a hand as a list; the one that is shown is marked and kept in sight. */
export class Log {
  constructor(root, onChoose) {
    this.root = root;
    this.current = null;
    this.frame = null;
    this.waiting = null;
    root.addEventListener("click", (event) => {
      const line = event.target.closest("li");
      if (line) onChoose([...root.children].indexOf(line));
    });
  }

  /** Hundreds of new lines take longer than a frame: they come behind the one that answers the key. */
  show({ hand, steps, at, words, seen, openSeats }) {
    const content = [hand.line, words.lang, openSeats];
    cancelAnimationFrame(this.frame);
    clearTimeout(this.waiting);
    if (slots.holds(this.root, content)) {
      this.mark(at);
      return;
    }
    const fill = () => {
      slots.fill(this.root, content, () => steps.map((step) => this.line(hand, step, words, seen)));
      this.mark(at);
    };
    this.frame = requestAnimationFrame(() => { this.waiting = setTimeout(fill); });
  }

  mark(at) {
    this.current?.removeAttribute("aria-current");
    this.current = this.root.children[at];
    this.current.setAttribute("aria-current", "step");
    this.root.scrollTop = this.current.offsetTop - this.root.clientHeight / 2;
  }

  /** One element for each, since there are hundreds; the number stands before it by its style. */
  line(hand, step, words, seen) {
    const kind = step.fault ? ".fault" : step.move === null ? ".quiet" : "";
    return node(`li${kind}`, { "data-move": step.move ?? "" }, words.step(hand, step, seen));
  }
}

const WIDE = 360;
const HIGH = 150;
const EDGE = { left: 40, right: 8, top: 10, bottom: 18 };

/** The running totals of the four players, hand by hand. */
export function showChart(root, { story, names, number, words, onChoose }) {
  const totals = [[0, 0, 0, 0], ...story.hands.map((hand) => hand.totals)];
  const [picture, table] = root.children;
  slots.fill(picture, [words.lang, number], () => [chart(totals, number, words, onChoose)]);
  slots.fill(table, [words.lang, names], () => [totalsTable(totals, names, words)]);
}

function chart(totals, number, words, onChoose) {
  const all = totals.flat();
  const [low, high] = [Math.min(...all, 0), Math.max(...all, 1)];
  const x = (at) => EDGE.left + at * (WIDE - EDGE.left - EDGE.right) / (totals.length - 1);
  const y = (points) => HIGH - EDGE.bottom - (points - low) * (HIGH - EDGE.top - EDGE.bottom) / (high - low);
  const level = (points) => [
    svg("line.level", { x1: EDGE.left, x2: WIDE - EDGE.right, y1: y(points), y2: y(points) }),
    svg("text", { x: EDGE.left - 5, y: y(points) + 3.5, "text-anchor": "end" }, words.points(points)),
  ];
  const lines = [0, 1, 2, 3].map((player) => svg(`polyline.player${player}`, {
    points: totals.map((each, at) => `${x(at).toFixed(1)},${y(each[player]).toFixed(1)}`).join(" "),
  }));
  const here = x(number + 1);
  const ends = [0, 1, 2, 3].map((player) => {
    return svg(`circle.player${player}`, { cx: here, cy: y(totals[number + 1][player]), r: 3.5 });
  });
  const choose = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width * WIDE - EDGE.left) / (x(1) - EDGE.left);
    onChoose(Math.min(Math.max(Math.round(at) - 1, 0), totals.length - 2));
  };
  const label = { role: "img", "aria-label": words.say("totals") };
  return svg("svg.chart", { viewBox: `0 0 ${WIDE} ${HIGH}`, ...label, click: choose },
    ...[...new Set([low, 0, high])].flatMap(level),
    svg("line.here", { x1: here, x2: here, y1: EDGE.top, y2: HIGH - EDGE.bottom }),
    ...lines, ...ends,
    svg("text", { x: Math.min(here, WIDE - 25), y: HIGH - 4, "text-anchor": "middle" },
      words.say("hand", { n: number + 1 })));
}

function totalsTable(totals, names, words) {
  const summary = node("summary", {}, words.say("perHand"));
  const lines = totals.slice(1).map((each, at) => node("tr", {},
    node("th", { scope: "row" }, words.say("hand", { n: at + 1 })),
    ...each.map((points) => pointsCell(words, points))));
  return node("details", {}, summary, node("table", {}, head([""], names), node("tbody", {}, ...lines)));
}
