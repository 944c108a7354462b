"""Hands shared by the benchmarks, and a closing table that sets every work beside the look-up floor."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

# The slow scorer that the answers are compared with lives among the tests.
sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))

import deals


class Timed(NamedTuple):
    """The fastest round of a benchmark."""

    work: str
    seconds: float
    """For one hand, or for the whole where it is not about hands."""
    per_hand: bool
    is_floor: bool


TABLE: pytest.StashKey[list[Timed]] = pytest.StashKey()


@pytest.fixture(scope="session")
def random_deals() -> deals.Deals:
    return deals.random_hands(deals.MANY, seed=136)


@pytest.fixture(scope="session")
def complete_deals() -> deals.Deals:
    return deals.complete_hands(deals.MANY, seed=14)


@pytest.fixture
def tabled(request: pytest.FixtureRequest, benchmark: Any) -> Callable[..., None]:
    """Put a work into the closing table."""

    def add(work: str, seconds: float, per_hand: bool = True) -> None:
        row = Timed(work, seconds, per_hand, benchmark.group == "floor")
        request.config.stash.setdefault(TABLE, []).append(row)

    return add


@pytest.fixture
def timed(benchmark: Any, tabled: Callable[..., None]) -> Callable[..., Any]:
    """Time a function that does its work for so many hands; gives back what it answers."""

    def run(work: str, hands: int, function: Callable[..., Any], *arguments: Any) -> Any:
        gc.freeze()  # or what earlier benchmarks keep is walked again and again while this one runs
        answer = benchmark(function, *arguments)
        if benchmark.stats:  # not where --benchmark-disable only asks whether the answers are right
            seconds = benchmark.stats.stats.min / hands
            benchmark.extra_info["ns per hand"] = round(seconds * 1e9, 2)
            tabled(work, seconds)
        return answer

    return run


def _time(seconds: float) -> str:
    for unit, scale in (("ns", 1e-9), ("µs", 1e-6)):
        if seconds < 1000 * scale:
            return f"{seconds / scale:.{1 if seconds < 100 * scale else 0}f} {unit}"
    return f"{seconds * 1e3:.1f} ms"


@pytest.hookimpl(trylast=True)  # below the tables of pytest-benchmark
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    table = terminalreporter.config.stash.get(TABLE, [])
    if not table:
        return
    floor = next((row.seconds for row in table if row.is_floor), None)
    width = max(len(row.work) for row in table)
    terminalreporter.section("fastest round, one thread")
    terminalreporter.write_line(f"{'work':{width}}  {'a hand':>9}  {'of the floor':>12}")
    for row in sorted(table, key=lambda row: not row.is_floor):
        ratio = f"{row.seconds / floor:.1f}" if floor else ""
        last = ratio if row.per_hand else "(once)"
        line = f"{row.work:{width}}  {_time(row.seconds):>9}  {last:>12}"
        terminalreporter.write_line(line.rstrip())
