// What the page says, in English and Chinese. Names of the game's own things are told by the page.

const WORDS = {
  en: {
    title: "Mahjong record", heading: "Record", winds: ["East", "South", "West", "North"], other: "中文", otherLabel: "中文 (Chinese)",
    hand: "Hand {n}", line: "line {n}", wrongHand: "wrong", move: "Move", ofMoves: "of {n}", step: "Step {n} of {of}",
    previousHand: "Previous hand", nextHand: "Next hand", first: "To the start", back: "One step back", play: "Play",
    pause: "Pause", forward: "One step forward", last: "To the end", chooseHand: "Hand", viewpoint: "Seat in front",
    open: "Open hands", closed: "Only the hand in front", position: "Place in the hand", table: "Table",
    players: "Players", moves: "Moves", result: "Result", totals: "Totals", controls: "Controls", help: "Keys",
    faults: "{n} of {of} hands wrong", atMove: "Move {n} is wrong: {reason}", wrong: "The record is wrong: {reason}",
    unreadable: "This line is no record.", before: "Before the stakes", dealer: "dealer 庄", lost: "小相公: threw a wildcard, cannot win this hand", ready: "天听: has declared ready",
    stakes: "The stakes: {stakes}", noStakes: "none", sit: "sits 坐庄", pulled: "pulls {n} 拉庄",
    kicked: "kicked 踹", deal: "The tiles are dealt; dice {dice}, the wall of {who} is opened behind {n} stacks",
    flip: "The flipped tile is {tile}; wild: {wild}", draw: "{who} draws {tile}", drawHidden: "{who} draws",
    drawBack: "{who} draws {tile} from the back", drawBackHidden: "{who} draws from the back",
    discard: "{who} discards {tile}", discardWild: "{who} discards the wildcard {tile}", becomes: "and becomes 小相公",
    flower: "{who} lays out {tiles}", chow: "{who} chows {tiles}, from {from}", pong: "{who} pongs {tile}, from {from}",
    exposed: "{who} kongs {tile}, from {from}", added: "{who} adds {tile} to a pong",
    concealed: "{who} makes a concealed kong of {tile}", concealedHidden: "{who} makes a concealed kong",
    rob: "{who} is about to add {tile} to a pong", declare: "{who} declares ready",
    win: "{who} wins on {tile}, drawn: {name}", winFrom: "{who} wins on {tile} from {from}: {name}",
    winRobbed: "{who} wins on {tile}, robbing the kong of {from}: {name}", flowers: "{who} has all eight flowers and wins",
    exhausted: "Nobody wins", settle: "Payments: {net}", fan: "{n} fan", flowerCount: "{n} flowers",
    points: "{n} points", kongs: "kongs {n}", total: "Total", thisHand: "Hand", net: "Net", paidFor: "For", how: "How",
    left: "{front} left", leftBack: "{front} + {back} left", wild: "Wild",
    concealedOf: "Hand of {who}: {tiles}", hiddenOf: "Hand of {who}: {n} hidden tiles", discardsOf: "Discards of {who}: {tiles}",
    wallOf: "Wall of {who}: {n} tiles", meldsOf: "melds {tiles}", flowersOf: "Flowers of {who}: {tiles}", none: "none",
    drawn: "drawn {tile}", claimed: "{tile}, claimed by {who}", afterHand: "after hand {n}", start: "start",
    groups: { sequence: "sequence", triplet: "triplet", kong: "kong", pair: "pair" },
    melds: { chow: "chow", pong: "pong", exposed: "exposed kong", added: "added kong", concealed: "concealed kong", gold: "gold kong" },
    payments: { win: "win", kong: "kong", chan: "four alike", flowers: "eight flowers", cap: "cap" },
    keys: [["← →", "step"], ["↑ ↓", "hand"], ["Home End", "start, end of the hand"], ["Space", "play"], ["O", "open or hidden hands"],
      ["V", "next seat in front"], ["L", "language"]],
  },
  zh: {
    title: "牌谱", heading: "牌谱", winds: ["东", "南", "西", "北"], other: "English", otherLabel: "English (英文)",
    hand: "第{n}局", line: "第{n}行", wrongHand: "有误", move: "第几手", ofMoves: "共 {n} 手", step: "第 {n} 步，共 {of} 步",
    previousHand: "上一局", nextHand: "下一局", first: "回到开局", back: "后退一步", play: "播放",
    pause: "暂停", forward: "前进一步", last: "跳到终局", chooseHand: "局", viewpoint: "视角",
    open: "明牌", closed: "只看本家", position: "局中位置", table: "牌桌",
    players: "各家", moves: "过程", result: "结果", totals: "累计得分", controls: "控制", help: "按键",
    faults: "{of} 局中有 {n} 局有误", atMove: "第 {n} 手有误：{reason}", wrong: "牌谱有误：{reason}",
    unreadable: "这一行不是牌谱。", before: "下注以前", dealer: "庄家", lost: "小相公：打过混儿，本局不能和", ready: "已报天听",
    stakes: "{stakes}", noStakes: "没有人坐、拉", sit: "坐庄", pulled: "拉{n}",
    kicked: "被踹", deal: "发牌；骰子 {dice}，从{who}的牌墙数 {n} 墩开门",
    flip: "翻出{tile}，混儿：{wild}", draw: "{who} 摸 {tile}", drawHidden: "{who} 摸牌",
    drawBack: "{who} 补 {tile}", drawBackHidden: "{who} 补牌",
    discard: "{who} 打 {tile}", discardWild: "{who} 打混儿 {tile}", becomes: "成了小相公",
    flower: "{who} 补花：{tiles}", chow: "{who} 吃 {tiles}（{from} 打）", pong: "{who} 碰 {tile}（{from} 打）",
    exposed: "{who} 明杠 {tile}（{from} 打）", added: "{who} 补杠 {tile}",
    concealed: "{who} 暗杠 {tile}", concealedHidden: "{who} 暗杠",
    rob: "{who} 要补杠 {tile}", declare: "{who} 报天听",
    win: "{who} 自摸 {tile}：{name}", winFrom: "{who} 胡 {tile}（{from} 打）：{name}",
    winRobbed: "{who} 抢杠胡 {tile}（{from} 补杠）：{name}", flowers: "{who} 八花",
    exhausted: "荒庄", settle: "结算：{net}", fan: "{n} 番", flowerCount: "{n} 花",
    points: "{n} 分", kongs: "杠 {n}", total: "累计", thisHand: "本局", net: "合计", paidFor: "项目", how: "算法",
    left: "余 {front}", leftBack: "余 {front} + {back}", wild: "混儿",
    concealedOf: "{who} 的手牌：{tiles}", hiddenOf: "{who} 的手牌：{n} 张暗牌", discardsOf: "{who} 打过：{tiles}",
    wallOf: "{who} 的牌墙：{n} 张", meldsOf: "副露 {tiles}", flowersOf: "{who} 的花：{tiles}", none: "无",
    drawn: "摸 {tile}", claimed: "{tile}（被 {who} 拿走）", afterHand: "第{n}局后", start: "开始",
    groups: {}, melds: {}, payments: {},
    keys: [["← →", "一步"], ["↑ ↓", "一局"], ["Home End", "开局、终局"], ["空格", "播放"], ["O", "明牌或暗牌"],
      ["V", "换视角"], ["L", "语言"]],
  },
};

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
    return this.say("settle", {
      net: event.net.map((points, seat) => `${this.wind(seat)} ${this.points(points)}`).join(this.lang === "zh" ? "，" : ", "),
    });
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
