"""What the command draws of simulations for people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ..elements import CHINESE as ELEMENT
from ..simulate import Progress as Called
from ..simulate import Summary
from .show import Screen

_DONE = "{task.completed:,} of {task.total:,} hands"


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.completed / task.elapsed:,.0f} hands/s" if task.elapsed else "", "cyan")


class _TimeLeft(TimeRemainingColumn):
    def render(self, task: Task) -> Text:
        return super().render(task) + Text(" left")


@contextmanager
def progress_bar(hands: int) -> Iterator[Called]:
    """A bar on standard error, with the rate and the time left; it goes when the run has ended."""
    with Progress(
        BarColumn(), TextColumn(_DONE), _Rate(), _TimeLeft(), console=Console(stderr=True),
        transient=True, redirect_stdout=False, redirect_stderr=False,
    ) as progress:  # fmt: skip
        task = progress.add_task("", total=hands)
        yield lambda done, asked: progress.update(task, completed=done, total=asked)


class SimulationScreen(Screen):
    """A screen that a summary can be drawn on."""

    def summary(self, summary: Summary) -> None:
        """Draw what came of a run: how hands ended, what they were won with, and who gained."""
        self._console.print(_head(summary))
        self._indented(_ends(summary))
        if summary.wins:
            self._indented(_elements(summary))
        self._indented(_points(summary))


def _head(summary: Summary) -> Text:
    hands = Text(f"{summary.hands:,} hand{'s' * (summary.hands != 1)}", "bold")
    if summary.partial:
        hands = Text(f"{summary.hands:,} of {summary.asked:,} hands, interrupted", "bold yellow")
    told = [Text(f"policy {summary.policy}"), Text(f"seed {summary.seed}")]
    return Text("  ").join([hands, *told, Text(str(summary.rules), "dim")])


def _ends(summary: Summary) -> Table:
    table = _table()
    won = summary.hands - summary.exhausted
    table.add_row("和 won", f"{won:,}", _share(won, summary.hands))
    table.add_row("庄家 the dealer", f"{summary.dealer_wins:,}", _share(summary.dealer_wins, summary.hands))
    table.add_row("荒庄 nobody won", f"{summary.exhausted:,}", _share(summary.exhausted, summary.hands))
    table.add_row("番 fan of a win", _decimal(summary.average_fan))
    table.add_row("打 discards a hand", _decimal(summary.average_length))
    table.add_row("杠 kongs a hand", _decimal(summary.kongs / summary.hands if summary.hands else None))
    table.add_row("decisions", f"{summary.decisions:,}")
    return table


def _elements(summary: Summary) -> Table:
    """The elements that wins had, the most frequent first."""
    table = _table("won with", "wins", "of wins")
    won = summary.elements
    for key in sorted((key for key in ELEMENT if key in won), key=lambda key: -won[key]):
        if won[key]:
            table.add_row(f"{ELEMENT[key]} {key}", f"{won[key]:,}", _share(won[key], summary.wins))
    return table


def _points(summary: Summary) -> Table:
    table = _table("seat", *map(str, range(4)), "sum")
    gained = [f"{points:+,}" if points else "0" for points in (*summary.points, sum(summary.points))]
    table.add_row("points", *gained)
    return table


def _table(*columns: str) -> Table:
    table = Table(
        box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold", show_header=bool(columns)
    )
    for place, column in enumerate(columns or [""] * 3):
        table.add_column(column, justify="right" if place else "left")
    return table


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def _decimal(number: float | None) -> str:
    return "-" if number is None else f"{number:.2f}"
