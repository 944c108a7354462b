// Sentences: what the page says in one of its languages. Names of the game's own things are told by the page.

import { CHINESE } from "./chinese.js";
import { ENGLISH } from "./english.js";

const WORDS = { en: ENGLISH, zh: CHINESE };
const SIGNS = { dealer: "庄", sit: "坐", pulled: "拉", kicked: "踹", lost: "相", ready: "听" };
const LONGEST_NAME = 24;

/** All that is said in one language about one story. */
export class Words {
  constructor(story, lang) {
    this.story = story;
    this.lang = lang;
    this.words = WORDS[lang];
    this.tileNames = new Map(story.tiles.map((tile, at) => [tile, story.names[lang][at]]));
  }

  /** A text with its gaps filled. */
  say(key, gaps = {}) {
    return this.words[key].replace(/\{(\w+)\}/g, (_, gap) => String(gaps[gap]));
  }

  /** A thing of the game: its Chinese name, in English behind what it is. */
  term(kind, key) {
    const chinese = this.story.terms[kind][key];
    const english = this.words[kind]?.[key];
    return english ? `${english} ${chinese}` : chinese;
  }

  element(key) {
    const chinese = this.story.terms.elements[key];
    return this.lang === "en" ? `${chinese} ${key}` : chinese;
  }

  tile(tile) {
    return this.tileNames.get(tile);
  }

  tiles(tiles) {
    return tiles.map((tile) => this.tile(tile)).join(this.lang === "zh" ? "、" : ", ") || this.say("none");
  }

  wind(seat) {
    return this.words.winds[seat];
  }

  /** A seat's player, whatever somebody chose to be called; empty without a name. */
  name(hand, seat) {
    const letters = [...(hand.names?.[seat] ?? "").replace(/\s+/g, " ").trim()];
    return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME - 1).join("")}…` : letters.join("");
  }

  /** A seat in a sentence; the name is fenced off, since it may run from right to left. */
  who(hand, seat) {
    const name = this.name(hand, seat);
    return name ? `${this.wind(seat)} \u2068${name}\u2069` : this.wind(seat);
  }

  points(points) {
    return points > 0 ? `+${points}` : String(points).replace("-", "−");
  }

  /** What a seat has staked, as far as it is known: what it is, and how often. */
  stakesOf(stakes, seat, dealer) {
    return [
      ...(seat === dealer && stakes.sit ? [["sit"]] : []),
      ...(stakes.pull?.[seat] ? [["pulled", stakes.pull[seat]]] : []),
      ...(stakes.kick?.[seat] ? [["kicked"]] : []),
    ];
  }

  /** Marks of a seat: what each is, a sign that is short enough for the table, and what it means. */
  marks(hand, table, seat) {
    const marks = [
      ...(seat === hand.dealer ? [["dealer"]] : []),
      ...this.stakesOf(table.stakes, seat, hand.dealer),
      ...(table.seats[seat].lost ? [["lost"]] : []),
      ...(table.seats[seat].ready ? [["ready"]] : []),
    ];
    return marks.map(([kind, n = ""]) => ({ kind, sign: `${SIGNS[kind]}${n}`, text: this.say(kind, { n }) }));
  }

  /** A step in a sentence; `seen` says whose concealed tiles may be told. */
  step(hand, step, seen) {
    if (step.fault) return this.fault(step.fault);
    if (!step.event) return this.say("before");
    return (this[`on_${step.event.event}`] ?? this.onMove).call(this, hand, step.event, seen, step);
  }

  fault({ move, reason }) {
    return move ? this.say("atMove", { n: move, reason }) : this.say("wrong", { reason });
  }

  on_stakes(hand, event) {
    const told = [0, 1, 2, 3].flatMap((seat) => {
      const words = this.stakesOf(event, seat, hand.dealer).map(([kind, n]) => this.say(kind, { n }));
      return words.length ? [`${this.who(hand, seat)} ${words.join(" ")}`] : [];
    });
    return this.say("stakes", { stakes: told.join(this.lang === "zh" ? "，" : ", ") || this.say("noStakes") });
  }

  on_deal(hand, event) {
    const dice = event.dice.open.join(" ");
    return this.say("deal", { dice, who: this.wind(event.break.seat), n: event.break.stacks });
  }

  on_flip(hand, event) {
    return this.say("flip", { tile: this.tile(event.tile), wild: this.tiles(event.wild) });
  }

  on_draw(hand, event, seen) {
    const key = `draw${event.from === "back" ? "Back" : ""}${seen(event.seat) ? "" : "Hidden"}`;
    return this.say(key, { who: this.who(hand, event.seat), tile: this.tile(event.tile) });
  }

  on_discard(hand, event, seen, { at }) {
    const told = this.say(hand.wild.includes(at) ? "discardWild" : "discard", this.gaps(hand, event));
    return hand.lost.includes(at) ? `${told}${this.lang === "zh" ? "，" : " "}${this.say("becomes")}` : told;
  }

  on_flower(hand, event) {
    return this.say("flower", { who: this.who(hand, event.seat), tiles: this.tiles(event.tiles) });
  }

  on_chow(hand, event) {
    return this.say("chow", { ...this.gaps(hand, event), tiles: this.tiles(event.tiles) });
  }

  on_kong(hand, event, seen) {
    return this.say(event.hidden && !seen(event.seat) ? "concealedHidden" : event.kind, this.gaps(hand, event));
  }

  on_win(hand, event) {
    const key = event.robbed ? "winRobbed" : event.from === null ? "win" : "winFrom";
    return this.say(key, { ...this.gaps(hand, event), name: event.score.name });
  }

  on_settle(hand, event) {
    const told = event.net.map((points, seat) => `${this.wind(seat)} ${this.points(points)}`);
    return this.say("settle", { net: told.join(this.lang === "zh" ? "，" : ", ") });
  }

  onMove(hand, event) {
    return this.say(event.event, this.gaps(hand, event));
  }

  gaps(hand, { seat, tile, from }) {
    const known = (number) => Number.isInteger(number);
    return {
      tile: tile ? this.tile(tile) : "",
      who: known(seat) ? this.who(hand, seat) : "",
      from: known(from) ? this.who(hand, from) : "",
    };
  }
}
