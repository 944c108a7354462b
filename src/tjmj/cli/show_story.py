"""What the command draws of a hand of play for people."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

from rich.cells import set_cell_size
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from .. import parse_tile
from ..elements import MELDS, SOURCES
from ..errors import RecordError
from ..events import BACK_DRAW, PAYMENTS, Event
from ..events import CHINESE as EVENT
from ..rulesets import Rules
from ..stakes import CHINESE as STAKE
from ..tiles import CHINESE as TILE
from ..tiles import NAMES
from ..view import SeatView, View
from . import printable
from .options import asks_flowers
from .show import (
    Screen,
    grid,
    many,
    plain_table,
    tile_columns,
    tile_style,
    upright,
    wild_text,
    worth_lines,
)  # fmt: skip
from .story import Move, Story, Telling

_LONGEST_NAME = 20
"""Characters of a player's name."""
_SHORT_NAME = 8
"""Cells of a name in a table."""

_WIDEST_DRAWS = 10
"""Cells that draws and flowers before a move may take, so that hands have room beside them."""

_HIDDEN = "·"
"""A tile that the viewer cannot see."""


class StoryScreen(Screen):
    """A screen that hands of play can be told on."""

    def tell(self, telling: Telling) -> None:
        """Draw a line of a file: what happened, and its fault if it has one."""
        verdict, story = telling.verdict, telling.story
        if story is not None:
            head = Text(f"line {verdict.line}", "bold")
            self._console.print(head.append(f"  {story.rules}", "dim"))
            self._story(story, _Labels(story.names))
            self._console.print()
        if verdict.ok:
            self._console.print(Text(f"line {verdict.line}: verified", "green"))
        else:
            fault = RecordError(verdict.line, verdict.move, verdict.reason or "")
            self._console.print(Text(printable(str(fault)), "bold red"))

    def nothing(self) -> None:
        """Say that there are no records."""
        self._console.print(Text("no records", "bold"))

    def _story(self, story: Story, labels: _Labels) -> None:
        view = story.view
        wild = [parse_tile(tile) for tile in view.wild]
        self._indented(_players(view, labels))
        self._indented(_opening(view, wild))
        self._titled(f"{EVENT['deal']} deal", _deal_table(story, labels, wild))
        if story.moves:
            self._indented(_moves_table(story.moves, labels, wild))
            self._indented(_legend(story))
        for win in view.wins:
            self._win(story, labels, win)
        over = view.result is not None
        title = f"{EVENT['reveal']} hands at the end" if over else "hands as they stand"
        self._titled(title, _hands_table(view, labels, wild))
        if view.payments is not None and view.result is not None:
            title = f"{EVENT['settle']} payments"
            self._titled(title, _ledger(view.payments, view.result["net"], labels, story.rules))

    def _titled(self, title: str, table: Table) -> None:
        self._indented(Text(title, "bold"))
        self._indented(table, gap=False)

    def _win(self, story: Story, labels: _Labels, win: dict[str, Any]) -> None:
        self._indented(_winner(labels, win))
        if "score" not in win:
            self._indented(_eight_flowers(story.rules, win))
            return
        score = story.round.play_of.score(win["seat"])
        self._upright(score.hand)
        self._reading(score)
        self._indented(Text("\n").join(worth_lines(score)))


class _Labels:
    """How seats are called: by number, and by a name that a stranger may have chosen."""

    def __init__(self, names: Sequence[str] | None) -> None:
        self._names = [_cleaned(name) for name in names or [""] * 4]

    def __getitem__(self, seat: int) -> str:
        """Short, for tables."""
        return f"{seat} {set_cell_size(self._names[seat], _SHORT_NAME).rstrip()}".rstrip()

    def full(self, seat: int) -> str:
        """With as much of the name as is shown anywhere."""
        return f"{seat} {self._names[seat]}".rstrip()


def _cleaned(name: str) -> str:
    """A name without what steers a terminal; characters that are no cell wide count too."""
    return "".join(ch for ch in name if ch.isprintable())[:_LONGEST_NAME].strip()


# Before the first move


def _players(view: View, labels: _Labels) -> Table:
    table = grid()
    for seat in range(4):
        table.add_row(labels.full(seat), ", ".join(_standing(view, seat)))
    return table


def _standing(view: View, seat: int) -> list[str]:
    """What a seat is before the deal: the dealer, and what it staked."""
    stakes = view.stakes
    words = ["庄家 dealer"] if seat == view.dealer else []
    if seat == view.dealer and stakes["sit"]:
        words.append(f"{STAKE['sit']} sits")
    if stakes["pull"] and stakes["pull"][seat]:
        words.append(f"{STAKE['pull']} pulls {stakes['pull'][seat]}")
    if stakes["kick"] and stakes["kick"][seat]:
        words.append(f"{STAKE['kick']} kicked")
    if seat == view.seat:
        words.append("whose view this is")
    return words


def _opening(view: View, wild: Sequence[int]) -> Text:
    """Dice, where the wall was opened, and the wildcards."""
    dice, opened = view.dice, view.break_
    if dice is None or opened is None:
        return Text("nothing is dealt yet")
    thrown = " ".join(map(str, dice["open"]))
    stacks = many(opened["stacks"], "stack")
    lines = [Text(f"骰子 dice {thrown}: the wall is opened behind {stacks} of seat {opened['seat']}'s")]
    if view.flip is not None:
        flip = Text(f"{EVENT['flip']} flip ").append_text(_named(view.flip, wild))
        if dice["flip"]:
            flip.append(f", dice {' '.join(map(str, dice['flip']))}")
        lines.append(flip.append("  ").append_text(wild_text(wild)))
    return Text("\n").join(lines)


def _deal_table(story: Story, labels: _Labels, wild: Sequence[int]) -> Table:
    table = grid()
    for seat, dealt in enumerate(story.dealt):
        table.add_row(labels[seat], _dealt(dealt, wild))
    return table


def _dealt(dealt: SeatView, wild: Sequence[int]) -> Text:
    """A hand standing upright, the dealer's last tile set apart."""
    if dealt.hand is None:
        return Text(many(dealt.concealed, "tile"), "dim")
    kinds = [parse_tile(tile) for tile in dealt.hand]
    drawn = None if dealt.drawn is None else parse_tile(dealt.drawn)
    if drawn is not None:
        kinds.remove(drawn)
    return upright(tile_columns(kinds, drawn, wild))


# Moves


def _moves_table(moves: Iterable[Move], labels: _Labels, wild: Container[int]) -> Table:
    table = plain_table()
    table.add_column("move", justify="right")
    table.add_column("seat", no_wrap=True)
    table.add_column(f"{EVENT['draw']} draws", max_width=_WIDEST_DRAWS, overflow="fold")
    table.add_column(f"{EVENT['discard']} discards", no_wrap=True)
    table.add_column("leaves", overflow="fold")
    for move in moves:
        number = "" if move.number is None else str(move.number)
        seat = "" if move.seat is None else labels[move.seat]
        left = Text() if move.left is None else hand_text(move.left, wild)
        table.add_row(number, seat, _drawn(move.drawn, wild), _done(move, wild), left)
    return table


def _legend(story: Story) -> Text:
    """What the signs of the moves' table mean."""
    signs = [f"{EVENT['draw']} from the front", f"{BACK_DRAW} from the back"]
    if story.rules.flower_tiles:
        signs.append(f"{EVENT['flower']} flowers laid out")
    if story.view.seat is not None:
        signs.append(f"{_HIDDEN} not seen")
    return Text(", ".join([*signs, "← from"]), "dim")


def _drawn(events: Iterable[Event], wild: Container[int]) -> Text:
    """Draws and flowers in their order; draws of one kind after each other are told in one."""
    words: list[Text] = []
    last = None
    for event in events:
        flowers = event["event"] == "flower"
        name = EVENT["flower"] if flowers else BACK_DRAW if event["from"] == "back" else EVENT["draw"]
        if name != last:
            words.append(Text(name))
        last = name
        tiles = event["tiles"] if flowers else [event["tile"]]
        words += [_named(tile, wild) if flowers else _short(tile, wild) for tile in tiles]
    return Text(" ").join(words)


def _done(move: Move, wild: Container[int]) -> Text:
    """The move itself; discards, which are most of them, are told by their Chinese name alone."""
    event = move.event
    if event is None:
        return Text("to move", "dim")
    return _DONE[event["event"]](move, event, wild)


def _discard(move: Move, event: Event, wild: Container[int]) -> Text:
    text = Text(f"{EVENT['discard']} ").append_text(_short(event["tile"], wild))
    return text.append(" 小相公") if parse_tile(event["tile"]) in wild else text


def _claim(move: Move, event: Event, wild: Container[int]) -> Text:
    tiles = _run_text([parse_tile(tile) for tile in event["tiles"]], wild)
    return _taken(Text(f"{MELDS[event['event']]} {event['event']} ").append_text(tiles), event)


def _kong(move: Move, event: Event, wild: Container[int]) -> Text:
    name = MELDS["gold"] if event["gold"] else MELDS[event["kind"]]
    return _taken(Text(f"{name} {event['kind']} ").append_text(_short(event["tile"], wild)), event)


def _rob(move: Move, event: Event, wild: Container[int]) -> Text:
    text = Text(f"{MELDS['added']} added ").append_text(_short(event["tile"], wild))
    return text.append(" robbed", "red") if move.robbed else text


def _declare(move: Move, event: Event, wild: Container[int]) -> Text:
    return Text(f"{EVENT['declare']} ready")


def _won(move: Move, event: Event, wild: Container[int]) -> Text:
    return _taken(Text(f"{EVENT['win']} wins ", "bold").append_text(_short(event["tile"], wild)), event)


def _ended(move: Move, event: Event, wild: Container[int]) -> Text:
    words = {"flowers": "eight flowers", "exhausted": "nobody wins"}
    return Text(f"{EVENT[event['event']]} {words[event['event']]}", "bold")


_DONE = {
    "discard": _discard,
    "chow": _claim,
    "pong": _claim,
    "kong": _kong,
    "rob": _rob,
    "declare": _declare,
    "win": _won,
    "flowers": _ended,
    "exhausted": _ended,
}


def _taken(text: Text, event: Event) -> Text:
    return text if event["from"] is None else text.append(f" ← {event['from']}")


# Tiles and hands


def _named(tile: str, wild: Container[int]) -> Text:
    kind = parse_tile(tile)
    return Text(TILE[kind], tile_style(kind, kind in wild))


def _short(tile: str | None, wild: Container[int]) -> Text:
    if tile is None:
        return Text(_HIDDEN, "dim")
    kind = parse_tile(tile)
    return Text(NAMES[kind], tile_style(kind, kind in wild))


def _run_text(kinds: Sequence[int], wild: Container[int]) -> Text:
    """Tiles as they are written, such as `123W5T`, each in its colour."""
    text = Text()
    for place, kind in enumerate(kinds):
        text.append(NAMES[kind][0], tile_style(kind, kind in wild))
        if place + 1 == len(kinds) or NAMES[kinds[place + 1]][1] != NAMES[kind][1]:
            text.append(NAMES[kind][1], tile_style(kind, False))
    return text


def hand_text(seat: SeatView, wild: Container[int]) -> Text:
    """A hand as it is written, as far as it can be seen."""
    text = Text()
    for meld in seat.melds:
        opening, closing = "{}" if meld["type"] == "concealed" else "[]"
        tiles = [tile for tile in meld["tiles"] if tile is not None]
        shown = _run_text([parse_tile(tile) for tile in tiles], wild)
        text.append(opening).append_text(shown or Text(_HIDDEN * len(meld["tiles"]), "dim")).append(closing)
    if seat.hand is None:
        return text.append(" " * bool(text) + many(seat.concealed, "tile"), "dim")
    return text.append_text(_run_text([parse_tile(tile) for tile in seat.hand], wild))


def _hands_table(view: View, labels: _Labels, wild: Container[int]) -> Table:
    table = grid()
    for number, seat in enumerate(view.seats):
        table.add_row(labels[number], Text("  ").join(filter(None, [hand_text(seat, wild), _marks(seat)])))
    return table


def _marks(seat: SeatView) -> Text:
    """What else is to be seen of a seat: its flowers, 小相公 and 天听."""
    words = [Text(EVENT["flower"])] if seat.flowers else []
    words += [_named(tile, ()) for tile in seat.flowers]
    words += [Text("小相公", "red")] * seat.lost + [Text(EVENT["declare"])] * seat.ready
    return Text(" ").join(words)


# The end


def _winner(labels: _Labels, win: dict[str, Any]) -> Text:
    """Who wins, and on what."""
    text = Text(f"seat {labels[win['seat']]}  ", "bold")
    if "score" not in win:
        return text.append(f"{EVENT['flowers']} has laid out all eight flowers")
    source = "self" if win["from"] is None else "rob" if win["robbed"] else "discard"
    told = {"self": "its own draw", "rob": "the kong of seat ", "discard": "the discard of seat "}[source]
    whose = "" if win["from"] is None else labels[win["from"]]
    tile = TILE[parse_tile(win["tile"])]
    return text.append(f"{EVENT['win']} wins on {tile}, {SOURCES[source]} {told}{whose}")


def _eight_flowers(rules: Rules, win: dict[str, Any]) -> Text:
    worth = f"{EVENT['flowers']}  {win['fan']} 番  {win['flowers']} 花  {many(win['points'], 'point')}"
    how = f"({rules.base} + {win['flowers']} 花 × {rules.value}) × 2^{rules.cap_fan} = {win['points']}"
    return Text("\n").join([Text(worth, "bold"), Text(how)])


def _ledger(payments: Sequence[dict[str, Any]], net: Sequence[int], labels: _Labels, rules: Rules) -> Table:
    """Every payment in the columns of those whom it concerns, and what comes of it."""
    table = plain_table()
    table.add_column("for")
    table.add_column("")
    for seat in range(4):
        table.add_column(Text(labels[seat]), justify="right")
    for line in payments:
        changes = {line["seat"]: line["points"]} if "seat" in line else {
            line["to"]: line["points"], line["from"]: -line["points"]
        }  # fmt: skip
        table.add_row(_why(line), _how(line, rules), *(_signed(changes.get(seat)) for seat in range(4)))
    table.add_row("net", "", *map(_signed, net), style="bold")
    return table


def _why(line: dict[str, Any]) -> str:
    if line["why"] == "kong":
        return f"{MELDS[line['kind']]} {line['tile']}"
    return f"{PAYMENTS[line['why']]} {line['why']}"


def _how(line: dict[str, Any], rules: Rules) -> str:
    """How a payment comes about: units by what the stakes, a robbed kong, or the rules' base make of them."""
    if "units" not in line:
        return ""
    unit = "" if line["why"] in ("kong", "chan") else " points" if asks_flowers(rules) else " 番"
    base = line["points"] // (line["units"] * line["factor"])
    factors = [f"{factor:,}" for factor in (line["factor"], base) if factor != 1]
    return " × ".join([f"{line['units']:,}{unit}", *factors])


def _signed(points: int | None) -> RenderableType:
    if points is None:
        return ""
    return Text(f"{points:+,}" if points else "0", "green" if points > 0 else "red" if points < 0 else "")
