"""Nothing is left behind: calls, whether they answer or refuse, keep neither objects nor memory nor references."""

from __future__ import annotations

import copy
import gc
import io
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rounds

import tjmj
from tjmj import batch, record
from tjmj.env import Tables
from tjmj.match import Match
from tjmj.round import Round
from tjmj.simulate import simulate

SPARE = 55
"""Pieces of memory and references that Python itself may hold more or fewer of after many calls."""

RULES = tjmj.rules("tianjin", min_fan=1, wild_kinds=3)
HAND = tjmj.Hand.parse("46W123B789B11T9T1F1T+5W", flip="1F")
WAITING = tjmj.Hand.parse("46W123B789B111T9T1F", flip="1F")
COUNTS = np.zeros((200, 34), np.uint8)
COUNTS[:, [3, 4, 5, 9, 9 + 8, 18]] = 1
FLIPS = np.full(200, 27, np.int32)
WINS = np.full(200, 3, np.int32)
TABLES = Tables(70, RULES, seed=3, threads=2)
LINES = io.BytesIO()
simulate("tianjin-street", 3, seed=2, policy="simple", records=LINES)
LINE = LINES.getvalue().splitlines()[0]
BROKEN = LINE.replace(b'"moves":"', b'"moves":"0d9J ')
RECORD = record.parse(LINE)
PLAY = record.play_of(RECORD)
HALF = Round(seed=bytes(32), rules="jintan")


def step_tables() -> None:
    for seed in range(5):
        TABLES.step(TABLES.sample(seed))
    TABLES.record(0, finished=False)
    TABLES.move(1, int(TABLES.sample(1)[1]))


def play_round() -> None:
    made, rng = Round(seed=bytes(32), rules=RULES), random.Random(1)
    for _ in range(30):
        if not made.over:
            made.play(*rounds.any_answer(rng, made, patience=0.1))
    made.view(0), made.view(open=True), made.events(1), made.events(open=True)
    copy.copy(made), Round.restore(made.snapshot()), made.__reduce__()


def play_match() -> None:
    match = Match(seed=bytes(32), names=("a", "b", "c", "d"), rules=RULES)
    match.start_hand()
    Match.restore(match.snapshot())
    match.to_json(), match.standings


CALLS: dict[str, Callable[[], Any]] = {
    "rules": lambda: tjmj.rules("tianjin", min_fan=1),
    "rules refused": lambda: tjmj.rules("tianjin", min_fan=10**9),
    "Hand.parse": lambda: tjmj.Hand.parse("46W123B789B11T9T1F1T+5W", flip="1F", rules=RULES),
    "Hand.parse refused": lambda: tjmj.Hand.parse("46W123B789B11111T9T1F1T+5W", flip="1F"),
    "Hand shown": lambda: [str(HAND), repr(HAND), hash(HAND), copy.copy(HAND) == HAND, HAND.__reduce__()],
    "score": lambda: str(tjmj.score(HAND)),
    "score refused": lambda: tjmj.score(WAITING),
    "waits": lambda: [(wait.fan, wait.shape, wait.score.reading) for wait in tjmj.waits(WAITING).values()],
    "waits refused": lambda: tjmj.waits("123W", flip="1F"),
    "batch": lambda: [call(COUNTS, FLIPS) for call in (batch.is_win, batch.waits, batch.waits_left)],
    "batch.score": lambda: batch.score(COUNTS, FLIPS, WINS, threads=2),
    "batch refused": lambda: batch.score(COUNTS, FLIPS, FLIPS + 100),
    "Tables": lambda: Tables(3, RULES, seed=1),
    "Tables refused": lambda: Tables(3, stakes="all"),
    "Tables.step": step_tables,
    "Tables.step refused": lambda: TABLES.step(np.full(70, 84)),
    "Play": lambda: [PLAY.copy().legal(), PLAY.perft(2), PLAY.state_bytes],
    "Play refused": lambda: PLAY.copy().play_all("0d1W 1d1W 2x"),
    "Round": play_round,
    "Round refused": lambda: HALF.play(0, "d9J d9J"),
    "Match": play_match,
    "record": lambda: record.dumps(record.parse(LINE)),
    "record verified": lambda: [*record.verify_file(io.BytesIO(LINE + b"\n" + BROKEN + b"\n"))],
    "record refused": lambda: record.verify(record.parse(BROKEN)),
    "simulate": lambda: simulate(RULES, 4, seed=1, records=io.BytesIO()),
}
KEPT = (None, True, False, 0, RULES, HAND, WAITING, RECORD, COUNTS, FLIPS, WINS, TABLES, TABLES.mask, PLAY, HALF)


def state() -> tuple[int, list[int]]:
    """How many pieces of memory Python has handed out, and how many know each of these values."""
    for _ in range(2):
        gc.collect()
    return sys.getallocatedblocks(), [sys.getrefcount(value) for value in KEPT]


def repeat(call: Callable[[], Any], times: int) -> None:
    for _ in range(times):
        with suppress(tjmj.TjmjError):
            call()


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("times", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_calls_leave_nothing_behind(name, times):
    repeat(CALLS[name], 5)
    blocks, references = state()
    repeat(CALLS[name], times)
    more, known = state()
    assert more - blocks < SPARE
    assert max(after - before for before, after in zip(references, known)) < SPARE


@pytest.mark.skipif(not sys.getallocatedblocks(), reason="Python's own allocator is off, which counts")
def test_what_a_call_leaves_behind_is_seen():
    left = []
    CALLS["leaking"] = lambda: left.append(object())
    CALLS["knowing"] = lambda: left.append(HAND)
    for name in ("leaking", "knowing"):
        with pytest.raises(AssertionError):
            test_calls_leave_nothing_behind(name, 200)
        del CALLS[name]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory as Linux tells it")
def test_the_memory_of_tables_is_given_back():
    """Python does not count what a table takes, of which its first hand uses 600 bytes."""
    resource = pytest.importorskip("resource")

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    Tables(20_000, seed=1, observe=False)
    before = resident()
    for _ in range(20):
        Tables(20_000, seed=1, observe=False)
    assert resident() - before < 20 * 20_000 * 600 / 2
