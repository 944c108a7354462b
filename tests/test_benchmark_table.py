"""The table that the benchmarks end with: ratios to the floor, and to the nearest work of other packages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))

import table
from rich.console import Console
from table import Timed

TIMED = [
    Timed("call", "score(hand)", 200e-9, ("score",)),
    Timed("peer", "calc", 5e-6, ("score", "complete hand"), peer="riichienv"),
    Timed("peer", "evaluate", 480e-9, ("complete hand",), peer="eval7"),
    Timed("batch", "is_win", 20e-9, ("complete hand",)),
    Timed("batch", "waits", 123.4e-9, ("waits",)),
    Timed("floor", "look-ups", 2.5e-9),
    Timed("process", "import", 0.0123, once=True),
]


def test_every_work_stands_beside_the_floor_and_the_nearest_of_the_others():
    assert table.rows_of(TIMED) == {
        "floor": [("look-ups", "2.5", "1.0", ("", "", "", ""))],
        "batch": [("is_win", "20.0", "8.0", ("", "", "250", "24")), ("waits", "123", "49", ("", "", "", ""))],
        "call": [("score(hand)", "200", "80", ("", "", "25", ""))],
        "peer": [("riichienv: calc", "5,000", "2,000", ("",) * 4), ("eval7: evaluate", "480", "192", ("",) * 4)],
        "process": [("import", "12,300,000", "", ("",) * 4)],
    }


def test_without_floor_and_others_only_times_are_left():
    (row,) = table.rows_of([TIMED[0]])["call"]
    assert row == ("score(hand)", "200", "", ("", "", "", ""))


def test_the_documentation_gets_ratios_and_no_times():
    lines = table.markdown(TIMED).splitlines()
    assert lines[0] == "| work | of the floor | mahjong | PyMahjongGB | riichienv | eval7 |"
    assert "| is_win | 8.0 |  |  | 250 | 24 |" in lines
    assert not any("20.0" in line or "import" in line or "calc" in line for line in lines)


@pytest.mark.parametrize("installed", [True, False])
def test_a_package_that_is_missing_is_said_to_be(monkeypatch, installed):
    monkeypatch.setattr(table, "version_of", lambda peer: "1.2.3" if installed or peer == "mahjong" else None)
    console = Console(width=table.WIDTH)
    with console.capture() as shown:
        console.print(table.drawn(TIMED))
    text = shown.get()
    assert text.count("not installed") == (0 if installed else 3)
    assert "score(hand)" in text and "None knows wildcards" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= table.WIDTH
