"""How the cost of a hand grows with the batch, and of a decision with the tables: measured, and drawn.

    python scripts/plot_growth.py                    draw docs/growth.svg from docs/growth.json
    python scripts/plot_growth.py --measure          measure all first, a few minutes
    python scripts/plot_growth.py --measure batch    or only a part
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import re
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import cycle, product
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))

import deals

from tjmj import batch

DOCS = Path(__file__).resolve().parent.parent / "docs"
DATA, PLOT = DOCS / "growth.json", DOCS / "growth.svg"

POOL = 100_000
BATCHES = [round(10 ** (step / 4)) for step in range(29)]  # 1 to 10 million
TABLES = [round(10 ** (step / 4)) for step in range(21)]  # 1 to 100,000
ROUND, ENOUGH = 0.002, 0.1  # seconds of one, and of all together
APART = 300  # steps until the hands of the tables are at different points
SWEEPS = 3  # over all sizes, for a shared machine has bad moments

Rows = list[list[float]]


def fastest(work: Callable[[], Any]) -> tuple[float, float]:
    """Seconds of the processor that one call takes, of the fastest round, and the page faults of a call."""
    work()
    calls, rounds = 1, [clocked(work, 1)]
    if rounds[0] < ROUND:
        calls = round(ROUND / rounds[0]) + 1
        rounds = []
    faults = page_faults()
    while sum(rounds) < ENOUGH or len(rounds) < 2:
        rounds.append(clocked(work, calls))
    return min(rounds) / calls, (page_faults() - faults) / (len(rounds) * calls)


def clocked(work: Callable[[], Any], calls: int) -> float:
    start = time.thread_time()
    for _ in range(calls):
        work()
    return time.thread_time() - start


def page_faults() -> int:
    import resource  # not on every system, and needed only to measure

    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def peak(work: Callable[[], Any]) -> int:
    """Bytes that a call allocates at most, its answer among them."""
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def slices(columns: tuple[Any, ...], n: int) -> Iterator[tuple[Any, ...]]:
    """Batches of n hands, others each time as far as there are others, so that no branch is learnt by heart."""
    if n > POOL:
        yield from cycle([tuple(np.resize(column, (n, *column.shape[1:])) for column in columns)])
    pool = np.arange(0, POOL - n + 1, n)
    yield from cycle([tuple(column[start : start + n] for column in columns) for start in pool[:1000]])


def measure_batch() -> dict[str, Rows]:
    """For each function, by hands in a batch: see `batch_point`."""
    dealt = deals.complete_hands(POOL, seed=14)
    works = {
        "is_win": (batch.is_win, (dealt.counts, dealt.flip)),
        "waits": (batch.waits, (dealt.before, dealt.flip)),
        "score": (batch.score, (dealt.counts, dealt.flip, dealt.win)),
    }
    found: dict[str, dict[int, list[float]]] = {name: {} for name in works}
    for n, (name, (function, columns)) in product(BATCHES * SWEEPS, works.items()):
        row = batch_point(function, columns, n)
        found[name][n] = min(row, found[name].get(n, row))
        print(f"{name:8} {n:10,} hands {row[1]:10,.1f} ns", file=sys.stderr)
    return {name: list(rows.values()) for name, rows in found.items()}


def batch_point(function: Callable[..., Any], columns: tuple[Any, ...], n: int) -> list[float]:
    """Hands, ns a hand, page faults a call, bytes of the arguments, bytes that a call allocates."""
    given = slices(columns, n)
    seconds, faults = fastest(lambda: function(*next(given)))
    most = peak(lambda: function(*next(given)))
    return [n, round(seconds / n * 1e9, 2), round(faults, 1), sum(column.nbytes for column in next(given)), most]


def measure_tables() -> dict[str, Rows]:
    """With masks alone and with observations, by tables: see `tables_point`."""
    measured: dict[str, Rows] = {"masks": [], "observations": []}
    for n, (name, rows) in product(TABLES, measured.items()):
        rows.append(tables_point(n, observe=name == "observations"))
        print(f"{name:12} {n:7,} tables {rows[-1][1]:8,.2f} million decisions/s", file=sys.stderr)
    return measured


def tables_point(n: int, observe: bool) -> list[float]:
    """Tables, million decisions a second inside `step`, bytes that the tables keep."""
    from tjmj.env import Tables

    gc.collect()
    before = allocated()
    tables = Tables(n, rules="tianjin", seed=0, observe=observe)
    kept = allocated() - before
    tables.reset()
    return [n, round(n / fastest_step(tables, n) / 1e6, 3), kept]


def fastest_step(tables: Any, n: int) -> float:
    """Seconds of the processor for a step by random answers, of the fastest stretch; choosing them is not counted."""
    chance = np.random.default_rng(n)
    for _ in range(APART):
        tables.step(tables.sample(chance))

    def step() -> float:
        actions = tables.sample(chance)
        start = time.thread_time()
        tables.step(actions)
        return time.thread_time() - start

    stretch = max(3, 10_000 // n)
    return min(sum(step() for _ in range(stretch)) / stretch for _ in range(20))


def allocated() -> int:
    """Bytes that the C library has handed out (glibc)."""
    words = ctypes.c_size_t * 10
    ask = ctypes.CDLL(None).mallinfo2
    ask.restype = type("Allocated", (ctypes.Structure,), {"_fields_": [("words", words)]})
    told = ask().words
    return told[4] + told[7]  # blocks of their own, and those of the heap


def caches() -> dict[str, int]:
    """Sizes of this machine's caches of data, by level (Linux)."""
    found = {}
    for index in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        if (index / "type").read_text().strip() != "Instruction":
            size = (index / "size").read_text().strip()
            found["L" + (index / "level").read_text().strip()] = int(size[:-1]) << (10 if size[-1] == "K" else 20)
    return dict(sorted(found.items()))


PARTS = {"batch": measure_batch, "tables": measure_tables}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--measure", nargs="*", choices=PARTS, metavar="PART", help=f"{', '.join(PARTS)}; all without")
    asked = parser.parse_args()
    data = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    if asked.measure is not None:
        for part in asked.measure or PARTS:
            data[part] = PARTS[part]()
        data["caches"] = caches()
        DATA.write_text(written(data), "utf-8")
    from growth_figure import draw  # matplotlib is there only for those who draw

    draw(data, PLOT)


def written(data: Any) -> str:
    """JSON, a line for each point."""
    text = json.dumps(data, indent=1)
    return re.sub(r"\[\s+(\d[^][]*?)\s+\]", lambda point: f"[{' '.join(point[1].split())}]", text) + "\n"


if __name__ == "__main__":
    main()
