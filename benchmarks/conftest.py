"""Hands shared by the benchmarks, and the table that takes the place of pytest-benchmark's own."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

# The slow scorer that the answers are compared with lives among the tests.
sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))

import deals
import table

TABLE: pytest.StashKey[list[table.Timed]] = pytest.StashKey()
BEGIN, END = "<!-- ratios -->\n", "<!-- end of ratios -->\n"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--ratios", type=Path, help="write the ratios into this Markdown file, where it has them")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.option.benchmark_quiet = True
    if time.get_clock_info("process_time").resolution < 1e-6:
        config.option.benchmark_timer = "time.process_time"  # others on the machine do not count
    config.stash[TABLE] = []


@pytest.fixture(scope="session")
def random_deals() -> deals.Deals:
    return deals.random_hands(deals.MANY, seed=136)


@pytest.fixture(scope="session")
def complete_deals() -> deals.Deals:
    return deals.complete_hands(deals.MANY, seed=14)


@pytest.fixture(scope="session")
def plain_deals() -> deals.Deals:
    return deals.plain_hands(deals.MANY, seed=34)


@pytest.fixture
def tabled(request: pytest.FixtureRequest, benchmark: Any) -> Callable[..., None]:
    """Put a work into the closing table; its group is its section."""

    def add(work: str, seconds: float, **more: Any) -> None:
        request.config.stash[TABLE].append(table.Timed(benchmark.group, work, seconds, **more))

    return add


@pytest.fixture
def timed(benchmark: Any, tabled: Callable[..., None]) -> Callable[..., Any]:
    """Time a function that does its work so many times; gives back what it answers."""

    def run(work: str, times: int, function: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        gc.freeze()  # or what earlier benchmarks keep is walked again and again while this one runs
        answer = benchmark(function, *arguments)
        if benchmark.stats:  # not where --benchmark-disable only asks whether the answers are right
            seconds = benchmark.stats.stats.min / times
            benchmark.extra_info["ns each"] = round(seconds * 1e9, 2)
            tabled(work, seconds, **more)
        return answer

    return run


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    timed = config.stash[TABLE]
    if not timed:
        return
    console = Console(width=table.WIDTH, force_terminal=terminalreporter.hasmarkup)
    with console.capture() as shown:
        console.print(table.drawn(timed))
    terminalreporter.ensure_newline()
    terminalreporter.write(shown.get())
    file = config.getoption("ratios")
    if file:
        head, _, rest = file.read_text("utf-8").partition(BEGIN)
        _, _, tail = rest.partition(END)
        file.write_text(f"{head}{BEGIN}{table.markdown(timed)}{END}{tail}", "utf-8")
