"""What the command draws for people."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .. import Group, Hand, Meld, Score, TileSet, Waits, rulesets
from ..elements import CHINESE as ELEMENT
from ..elements import SHAPES
from ..rulesets import Rules
from ..rulesets.base import Value
from ..tiles import CHINESE, NAMES, suit

_SUIT_STYLE = {0: "red", 1: "green", 2: "cyan", None: "bold"}
_GROUP = {"sequence": "顺子", "triplet": "刻子", "pair": "将"}
_MELD = {
    ("triplet", "exposed"): "碰",
    ("sequence", "exposed"): "吃",
    ("kong", "exposed"): "明杠",
    ("kong", "concealed"): "暗杠",
}


_NUMBERS = ("left", "fan")
"""Columns of numbers."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Let the caller handle it like any other output's; rich would exit with status 1."""
        raise


class Screen:
    """Standard output for people: colours on a terminal only, and no encoding is too small to write in.

    Parameters
    ----------
    stream : text file, optional
        Something else than standard output to draw on.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        stream = stream or sys.stdout
        stream.reconfigure(errors="replace")  # type: ignore[attr-defined]
        self._console = _Console(file=stream, highlight=False, markup=False, emoji=False)

    def gap(self) -> None:
        """A blank line between answers."""
        self._console.print()

    def remark(self, lines: Iterable[str]) -> None:
        """What the writer of a hand says about it."""
        for line in lines:
            self._console.print(Text(f"# {line}", style="dim"))

    def score(self, score: Score) -> None:
        """Draw a hand, its best reading, and what it is worth."""
        self._hand(score.hand)
        if score.win:
            self._indented(_reading_table(score))
        self._indented(_verdict(score))

    def waits(self, waits: Waits) -> None:
        """Draw a waiting hand and a table of what it waits for."""
        self._hand(waits.hand)
        if not waits:
            self._indented(Text("waits for nothing", style="bold"))
            return
        self._indented(_waits_table(waits))
        kinds, tiles = len(waits), sum(wait.left for wait in waits.values())
        self._indented(Text(f"{_many(kinds, 'kind')}, {_many(tiles, 'tile')} left; {_needed(waits.hand)}"))

    def presets(self) -> None:
        """List the presets."""
        table = _table("preset", "what it is")
        for name in rulesets.preset_names():
            table.add_row(Text(name, style="bold"), rulesets.preset_title(name))
        self._console.print(table)

    def rules(self, rules: Rules) -> None:
        """List the options of a preset; an asterisk marks what differs from the default one."""
        usual = rulesets.rules()
        table = _table("option", "value", "what it is", "section")
        for name, option in rulesets.rules_options(rules.name).items():
            value = getattr(rules, name)
            differs = value != getattr(usual, name, None)
            shown = Text(_value(value) + " *" * differs, style="bold yellow" if differs else "")
            table.add_row(Text(name), shown, option.meaning, Text(option.section))
        self._console.print(Text(f"{rules.name}: {rulesets.preset_title(rules.name)}", style="bold"), table)
        if rules.name != usual.name:
            self._console.print(f"* differs from {usual.name}")

    def _hand(self, hand: Hand) -> None:
        self._console.print(_head(hand))
        self._indented(_upright(hand))

    def _indented(self, part: Table | Text) -> None:
        """A blank line and a part of an answer."""
        self._console.print("", Padding(part, (0, 0, 0, 2), expand=False), sep="\n")


def _fan(fan: int) -> str:
    return f"{fan} 番"


def _needed(hand: Hand) -> str:
    return f"to win takes {_fan(hand.rules.min_fan)} (min_fan)"


def _many(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold", justify="right" if column in _NUMBERS else "left")
    return table


def _style(kind: int, wild: bool) -> str:
    return _SUIT_STYLE[suit(kind)] + " reverse" * wild


def _tile(kind: int, wild: bool) -> Text:
    return Text(CHINESE[kind], style=_style(kind, wild))


def _spaced(pieces: Iterable[Text]) -> Text:
    return Text(" ").join(pieces)


def _head(hand: Hand) -> Text:
    """The hand as it is written, the flipped tile, the wildcards and the rules."""
    flip = "none" if hand.flip is None else NAMES[hand.flip]
    parts = [Text(str(hand), style="bold"), Text(f"flip {flip}")]
    if hand.wild:
        parts.append(Text("wild 混 ").append_text(_spaced(_tile(kind, True) for kind in hand.wild)))
    parts.append(Text(rules_text(hand.rules), style="dim"))
    return Text("  ").join(parts)


def rules_text(rules: Rules) -> str:
    """Name and changed options."""
    changed = [f"{name}={_value(value)}" for name, value in rules.changed().items()]
    return " ".join([rules.name, *changed])


# A tile standing upright takes two cells in each of three rows: number, suit, and whether it is wild.
_Column = tuple[Text, Text, Text]


def _upright(hand: Hand) -> Text:
    """The hand drawn: melds in brackets, then what is concealed, the winning tile set apart."""
    numbers, suits, marks = (Text().join(cells) for cells in zip(*_columns(hand), strict=True))
    marks.rstrip()
    return Text("\n").join([numbers, suits, marks] if marks else [numbers, suits])


def _columns(hand: Hand) -> Iterator[_Column]:
    for meld in hand.melds:
        yield from _meld_columns(meld, hand.wild)
    for kind in hand.concealed:
        yield from (_tile_column(kind, hand.wild), _filling(" "))
    if hand.win is not None:
        yield from (_filling("+ ", "  "), _tile_column(hand.win, hand.wild))


def _meld_columns(meld: Meld, wild: TileSet) -> Iterator[_Column]:
    opening, closing = "{}" if meld.type == "concealed" else "[]"
    yield _filling(opening, opening)
    for place, kind in enumerate(meld.tiles):
        if place:
            yield _filling(" ")
        yield _tile_column(kind, wild)
    yield _filling(closing + " ", closing + " ")


def _filling(upper: str, lower: str = " ") -> _Column:
    return Text(upper), Text(lower), Text(" " * len(upper))


def _tile_column(kind: int, wild: TileSet) -> _Column:
    name, style = CHINESE[kind], _style(kind, kind in wild)
    return Text(name[0], style), Text(name[1:] or "  ", style), Text("混" if kind in wild else "  ", "dim")


def _reading_table(score: Score) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for group in score.reading:
        table.add_row(_group_name(group), _group_tiles(group))
    return table


def _group_name(group: Group) -> str:
    if group.meld is None:
        return f"{_GROUP[group.type]} {group.type}"
    gold = "金杠 " if group.type == "kong" and group.wild[0] else ""
    return f"{gold}{_MELD[group.type, group.meld]} {group.meld} {group.type}"


def _group_tiles(group: Group) -> Text:
    """Its tiles, `+` before the winning one, behind a wildcard what it stands for."""
    pieces = []
    for place, (kind, face, wild) in enumerate(zip(group.tiles, group.faces, group.wild, strict=True)):
        piece = Text("+" if place == group.win else "")
        piece.append_text(_tile(kind, wild))
        if wild and group.meld is None:
            piece.append("=")
            piece.append_text(_tile(face, False))
        pieces.append(piece)
    return _spaced(pieces)


def _verdict(score: Score) -> Text:
    """What the score is called and worth, whether it may win, how its fan comes about."""
    if not score.win:
        return Text("not complete: no four sets and a pair", style="bold")
    worth = Text(f"{score.name}  {_fan(score.fan)}", style="bold")
    if score.kong_value:
        worth.append(f" + 杠 {score.kong_value}")
    may_win = Text("may win", "green") if score.legal else Text(f"may not win: {_needed(score.hand)}", "red")
    elements = ", ".join(f"{ELEMENT[key]} {key}" for key in ELEMENT if key in score.elements)
    return Text("\n").join([Text("  ").join([worth, may_win]), Text(score.formula), Text(elements)])


def _waits_table(waits: Waits) -> Table:
    table = _table("tile", "", "left", "wait", "", "score", "fan", "may win")
    for name, wait in waits.items():
        wild = wait.kind in waits.hand.wild
        table.add_row(
            Text(name), _tile(wait.kind, wild), str(wait.left), SHAPES[wait.shape], wait.shape,
            wait.score.name, str(wait.fan), Text("yes", style="green") if wait.legal else "no",
            style="" if wait.left else "dim",
        )  # fmt: skip
    return table
