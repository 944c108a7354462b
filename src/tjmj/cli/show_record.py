"""What the command draws of records for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from ..record import Verdict
from .show import Screen


class RecordScreen(Screen):
    """A screen that records can be drawn on."""

    def verdicts(self, records: int, wrong: int, faults: Sequence[Verdict]) -> None:
        """Draw the first faults of a file and say how many of its records are wrong."""
        if faults:
            self._console.print(_fault_table(faults), "", sep="\n")
        if wrong > len(faults):
            self._console.print(f"and {wrong - len(faults):,} more; --json names them all", "", sep="\n")
        self._console.print(_summary(records, wrong))


def _fault_table(faults: Sequence[Verdict]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("line", justify="right")
    table.add_column("move", justify="right")
    table.add_column("what is wrong", overflow="fold")
    for fault in faults:
        move = "" if fault.move is None else str(fault.move)
        table.add_row(str(fault.line), move, Text(_printable(fault.reason or "")))
    return table


def _printable(text: str) -> str:
    """Text from a file of strangers, which must not steer the terminal."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode() for ch in text)


def _summary(records: int, wrong: int) -> Text:
    if not records:
        return Text("no records", "bold")
    if not wrong:
        return Text(f"{_many(records)} verified, nothing wrong", "bold green")
    return Text(f"{wrong:,} of {_many(records)} wrong", "bold red")


def _many(records: int) -> str:
    return f"{records:,} record{'s' * (records != 1)}"
