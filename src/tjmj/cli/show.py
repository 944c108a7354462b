"""What the command draws for people."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable, Iterator
from typing import TextIO

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .. import Group, Hand, Meld, Score, Wait, Waits, rulesets
from ..elements import CHINESE as ELEMENT
from ..elements import GROUP_FLOWERS, SHAPES, SOURCES, group_name
from ..rulesets import Rules
from ..rulesets.base import value_text
from ..tiles import CHINESE, NAMES, suit
from .options import asks_flip, asks_flowers

_SUIT_STYLE = {0: "red", 1: "green", 2: "cyan", None: "bold"}
_NUMBERS = ("left", "fan", "self-draw", "discard")
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
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
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
        source = [] if score.source is None else [Text(f"{SOURCES[score.source]} {score.source}")]
        self._hand(score.hand, *source)
        self._reading(score)
        self._indented(_verdict(score))

    def waits(self, waits: Waits) -> None:
        """Draw a waiting hand and a table of what it waits for."""
        rules = waits.hand.rules
        laid_out = [Text(f"{_flowers(waits.flowers)} laid out")] if asks_flowers(rules) else []
        self._hand(waits.hand, *laid_out)
        if not waits:
            self._indented(Text("waits for nothing", style="bold"))
            return
        self._indented(_points_table(waits) if asks_flowers(rules) else _waits_table(waits))
        kinds, tiles = len(waits), sum(wait.left for wait in waits.values())
        self._indented(Text(f"{many(kinds, 'kind')}, {many(tiles, 'tile')} left; {_needed(rules)}"))

    def presets(self) -> None:
        """List the presets."""
        table = _table("preset", "what it is")
        for name in rulesets.preset_names():
            table.add_row(Text(name, style="bold"), rulesets.preset_title(name))
        self._console.print(table)

    def rules(self, rules: Rules) -> None:
        """List the options of a preset; an asterisk marks what differs from its ruleset's first one."""
        usual = rulesets.rules(_first_preset(rules.name))
        table = _table("option", "value", "what it is", "section")
        for name, option in rulesets.rules_options(rules.name).items():
            value = getattr(rules, name)
            differs = value != getattr(usual, name)
            shown = Text(value_text(value) + " *" * differs, style="bold yellow" if differs else "")
            table.add_row(Text(name), shown, option.meaning, Text(option.section))
        self._console.print(Text(f"{rules.name}: {rulesets.preset_title(rules.name)}", style="bold"), table)
        if rules.name != usual.name:
            self._console.print(f"* differs from {usual.name}")

    def _hand(self, hand: Hand, *beside: Text) -> None:
        self._console.print(_head(hand, beside))
        self._upright(hand)

    def _upright(self, hand: Hand) -> None:
        self._indented(upright(_columns(hand)))

    def _reading(self, score: Score) -> None:
        """The reading of a hand, if it is complete, and its flowers, where they are counted."""
        if score.win:
            self._indented(_reading_table(score))
            if asks_flowers(score.hand.rules):
                self._indented(_flower_table(score))

    def _indented(self, part: Table | Text, gap: bool = True) -> None:
        """A part of an answer, behind a blank line."""
        if gap:
            self.gap()
        self._console.print(Padding(part, (0, 0, 0, 2), expand=False))


def _first_preset(name: str) -> str:
    options = rulesets.rules_options(name)
    return next(each for each in rulesets.preset_names() if rulesets.rules_options(each) is options)


def _fan(fan: int) -> str:
    return f"{fan} 番"


def _flowers(flowers: int) -> str:
    return f"{flowers} 花"


def _needed(rules: Rules) -> str:
    if asks_flowers(rules):
        return f"to win on a discard takes {_flowers(rules.min_flowers)} (min_flowers) or {_fan(1)}"
    return f"to win takes {_fan(rules.min_fan)} (min_fan)"


def many(number: int, word: str) -> str:
    """How many of something there are, in words."""
    return f"{number:,} {word}{'s' * (number != 1)}"


def plain_table() -> Table:
    """A table without lines, its columns still to be added."""
    return Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")


def _table(*columns: str) -> Table:
    table = plain_table()
    for column in columns:
        table.add_column(column, overflow="fold", justify="right" if column in _NUMBERS else "left")
    return table


def tile_style(kind: int, wild: bool) -> str:
    """How a tile is drawn: its suit's colour, a wildcard inverted."""
    return _SUIT_STYLE[suit(kind)] + " reverse" * wild


def _tile(kind: int, wild: bool) -> Text:
    return Text(CHINESE[kind], style=tile_style(kind, wild))


def _spaced(pieces: Iterable[Text]) -> Text:
    return Text(" ").join(pieces)


def _head(hand: Hand, beside: Iterable[Text]) -> Text:
    """The hand as it is written, the flipped tile, the wildcards, what else is said of it, and the rules."""
    parts = [Text(str(hand), style="bold")]
    if asks_flip(hand.rules):
        parts.append(Text(f"flip {'none' if hand.flip is None else NAMES[hand.flip]}"))
    if hand.wild:
        parts.append(wild_text(hand.wild))
    parts += [*beside, Text(str(hand.rules), style="dim")]
    return Text("  ").join(parts)


def wild_text(wild: Iterable[int]) -> Text:
    """The wildcards of a hand."""
    return Text("wild 混 ").append_text(_spaced(_tile(kind, True) for kind in wild))


# A tile standing upright takes two cells in each of three rows: number, suit, and whether it is wild.
Column = tuple[Text, Text, Text]


def upright(columns: Iterable[Column]) -> Text:
    """Tiles drawn standing beside each other."""
    numbers, suits, marks = (Text().join(cells) for cells in zip(*columns, strict=True))
    marks.rstrip()
    return Text("\n").join([numbers, suits, marks] if marks else [numbers, suits])


def _columns(hand: Hand) -> Iterator[Column]:
    """Melds in brackets, then what is concealed, the winning tile set apart."""
    for meld in hand.melds:
        yield from _meld_columns(meld, hand.wild)
    yield from tile_columns(hand.concealed, hand.win, hand.wild)


def tile_columns(concealed: Iterable[int], drawn: int | None, wild: Container[int]) -> Iterator[Column]:
    """Concealed tiles, the drawn one set apart."""
    for kind in concealed:
        yield from (_tile_column(kind, wild), _filling(" "))
    if drawn is not None:
        yield from (_filling("+ ", "  "), _tile_column(drawn, wild))


def _meld_columns(meld: Meld, wild: Container[int]) -> Iterator[Column]:
    opening, closing = "{}" if meld.type == "concealed" else "[]"
    yield _filling(opening, opening)
    for place, kind in enumerate(meld.tiles):
        if place:
            yield _filling(" ")
        yield _tile_column(kind, wild)
    yield _filling(closing + " ", closing + " ")


def _filling(upper: str, lower: str = " ") -> Column:
    return Text(upper), Text(lower), Text(" " * len(upper))


def _tile_column(kind: int, wild: Container[int]) -> Column:
    name, style = CHINESE[kind], tile_style(kind, kind in wild)
    return Text(name[0], style), Text(name[1:] or "  ", style), Text("混" if kind in wild else "  ", "dim")


def grid() -> Table:
    """A table without lines and without titles."""
    return Table.grid(padding=(0, 2, 0, 0))


def _reading_table(score: Score) -> Table:
    table = grid()
    groups = score.reading or ()
    for group in groups:
        table.add_row("对子 pair" if len(groups) == 7 else _group_name(group), _group_tiles(group))
    return table


def _group_name(group: Group) -> str:
    return " ".join(group_name(group.type, group.meld, group.type == "kong" and group.wild[0]))


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


def _flower_table(score: Score) -> Table:
    """Where each flower of a score comes from: those laid out, and those of triplets and kongs."""
    lines = [line for group in score.reading or () if (line := _flower_line(group, score.source))]
    laid_out = score.flowers - sum(count for count, *_ in lines)
    table = grid()
    table.add_column(justify="right")
    table.add_row(_flowers(laid_out), "laid out")
    for count, name, tiles in lines:
        table.add_row(_flowers(count), name, tiles)
    if lines:
        table.add_row(_flowers(score.flowers), "in all", style="bold")
    return table


def _flower_line(group: Group, source: str | None) -> tuple[int, str, Text] | None:
    """How many flowers a group is, and why; None for one that is none."""
    taken = group.win is not None and source == "discard"
    shown = group.meld or ("exposed" if taken else "concealed")
    honour = suit(group.faces[0]) is None
    count = GROUP_FLOWERS.get((group.type, shown), (0, 0))[honour]
    if not count:
        return None
    name = _group_name(group) + " of an honour" * honour + ", by the discard" * taken
    return count, name, _group_tiles(group)


def _verdict(score: Score) -> Text:
    """What the score is called and worth, whether it may win, how that comes about."""
    rules = score.hand.rules
    if not score.win:
        pairs = ", and no seven pairs" * rules.seven_pairs
        return Text(f"not complete: no four sets and a pair{pairs}", style="bold")
    worth, *how = worth_lines(score)
    may_win = Text("may win", "green") if score.legal else Text(f"may not win: {_needed(rules)}", "red")
    if score.legal or not asks_flowers(rules):
        return Text("\n").join([Text("  ").join([worth, may_win]), *how])
    return Text("\n").join([worth, may_win, *how])


def worth_lines(score: Score) -> list[Text]:
    """What a complete hand's score is called and worth, then the formula and the elements."""
    worth = Text(f"{score.name}  {_fan(score.fan)}", style="bold")
    if asks_flowers(score.hand.rules):
        worth.append(f"  {_flowers(score.flowers)}  {many(score.points, 'point')}")
    if score.kong_value:
        worth.append(f" + 杠 {score.kong_value}")
    elements = ", ".join(f"{ELEMENT[key]} {key}" for key in ELEMENT if key in score.elements)
    return [worth, Text(score.formula), Text(elements)]


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


def _points_table(waits: Waits) -> Table:
    """What each tile is worth, drawn and taken from a discard; a win on the discard may need more."""
    table = _table("tile", "", "left", "wait", "", "score", "fan", "self-draw", "discard")
    for name, wait in waits.items():
        table.add_row(
            Text(name), _tile(wait.kind, wait.kind in waits.hand.wild), str(wait.left), SHAPES[wait.shape],
            wait.shape, wait.score.name, str(wait.fan), _points(wait.score), _discard_points(wait),
            style="" if wait.left else "dim",
        )  # fmt: skip
    return table


def _points(score: Score) -> Text:
    return Text(f"{_flowers(score.flowers)} {score.points}")


def _discard_points(wait: Wait) -> Text:
    score = wait.discard_score
    return _points(score) if score is not None and score.legal else Text("no")
