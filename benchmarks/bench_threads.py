"""Two threads beside one, by the clock; two processes beside them show what the machine itself allows.

Nothing fails for being slow.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

import deals
import numpy as np
import pytest

from tjmj import batch

BATCHES = 20
WORKS = ["is_win", "waits", "score"]

pytestmark = pytest.mark.benchmark(group="threads", timer=time.perf_counter, min_rounds=10)


@cache
def arguments(work):
    dealt = deals.complete_hands(deals.MANY, seed=14)
    if work == "is_win":
        return dealt.counts, dealt.flip
    return (dealt.counts, dealt.flip, dealt.win) if work == "score" else (dealt.before, dealt.flip)


def answer(work, threads):
    """Do a batch many times over; tell its first answer, so that somebody may compare."""
    for _ in range(BATCHES):
        answers = getattr(batch, work)(*arguments(work), threads=threads)
    return np.asarray(answers[0])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("work", WORKS)
def test_threads(timed, work, threads):
    name = f"{work}, complete hands, {'one thread' if threads == 1 else 'two threads'}"
    answers = timed(name, BATCHES * deals.MANY, answer, work, threads)
    assert (answers == np.asarray(getattr(batch, work)(*arguments(work))[0])).all()


@pytest.mark.parametrize("work", WORKS)
def test_two_processes(timed, work):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:

        def both():
            return list(pool.map(answer, [work] * 2, [1] * 2))

        both()
        found = timed(f"{work}, complete hands, two processes", 2 * BATCHES * deals.MANY, both)
    assert (found[0] == found[1]).all()
    assert (found[0] == answer(work, 1)).all()
