"""What the command draws of verified records for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from ..record import Verdict
from . import printable
from .show import Screen, many, plain_table


class RecordScreen(Screen):
    """A screen that verdicts on records can be drawn on."""

    def verdicts(self, records: int, wrong: int, faults: Sequence[Verdict]) -> None:
        """Draw the first faults of a file and say how many of its records are wrong."""
        if faults:
            self._console.print(_fault_table(faults), "", sep="\n")
        if wrong > len(faults):
            self._console.print(f"and {wrong - len(faults):,} more; --json names them all", "", sep="\n")
        self._console.print(_summary(records, wrong))


def _fault_table(faults: Sequence[Verdict]) -> Table:
    table = plain_table()
    table.add_column("line", justify="right")
    table.add_column("move", justify="right")
    table.add_column("what is wrong", overflow="fold")
    for fault in faults:
        move = "" if fault.move is None else str(fault.move)
        table.add_row(str(fault.line), move, Text(printable(fault.reason or "")))
    return table


def _summary(records: int, wrong: int) -> Text:
    if not records:
        return Text("no records", "bold")
    if not wrong:
        return Text(f"{many(records, 'record')} verified, nothing wrong", "bold green")
    return Text(f"{wrong:,} of {many(records, 'record')} wrong", "bold red")
