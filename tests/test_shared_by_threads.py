"""Many threads ask the same values at once, and each gets what one alone is told (most of all without a GIL)."""

from __future__ import annotations

import io
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tjmj
from tjmj import record, simulate

THREADS = 8
TIMES = 60
TEXTS = ("46W123B789B11T9T1F1T+5W", "123456789W11T55B+5B", "1112345678999W+9W")


@pytest.fixture(autouse=True)
def switching_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def hammered(ask):
    """What every call of `ask` from every thread answers, all starting together; each is given a number."""
    ready = threading.Barrier(THREADS)

    def many(first):
        ready.wait()
        return [ask((first + time) % len(TEXTS)) for time in range(TIMES)]

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(many, range(THREADS)))


def assert_all_alike(ask):
    alone = [ask(number) for number in range(len(TEXTS))]
    expected = [[alone[(first + time) % len(TEXTS)] for time in range(TIMES)] for first in range(THREADS)]
    assert hammered(ask) == expected


@pytest.mark.slow
def test_hands_scores_and_waits():
    hands = [tjmj.Hand.parse(text, flip="1F") for text in TEXTS]
    scores = [tjmj.score(hand) for hand in hands]  # each lays its reading out when it is first asked
    fresh = [tjmj.score(hand) for hand in hands]

    def told(score):
        return (score.fan, score.elements, str(score.reading), hash(score), repr(score))

    alone = [told(score) for score in fresh]
    answers = hammered(lambda number: told(scores[number]))
    assert {answer for each in answers for answer in each} == set(alone)

    waiting = [tjmj.waits(text.partition("+")[0], flip="1F") for text in TEXTS]
    assert_all_alike(lambda number: (str(waiting[number]), [str(wait) for wait in waiting[number]]))
    assert_all_alike(lambda number: (repr(hands[number]), hash(hands[number])))


@pytest.mark.slow
def test_rules_made_at_once():
    """The same options, asked for by all threads before anybody has made them."""
    presets = tjmj.preset_names()

    def ask(number):
        rules = tjmj.rules(presets[number % len(presets)], base=7 + number)
        flip = None if rules.wild_by == "none" else "1F"
        return (rules, tjmj.score("123456789W11T55B+5B", rules=rules, flip=flip).fan)

    assert_all_alike(ask)


@pytest.mark.slow
def test_batches_over_the_same_arrays():
    random = np.random.default_rng(3)
    rows = random.multivariate_hypergeometric([3] * 34, 14, 5000).astype(np.uint8)
    win = (rows > 0).argmax(axis=1)

    def ask(number):
        scores = tjmj.batch.score(rows, 27, win, threads=number + 1)
        return (scores.fan.tobytes(), tjmj.batch.is_win(rows, 27, threads=number + 1).tobytes())

    assert_all_alike(ask)


@pytest.mark.slow
def test_a_round_and_its_views():
    """Reading a round, also for the first time: what happened is worked out when somebody asks."""

    def played():
        table = tjmj.Round("tianjin", seed=bytes(32))
        for _ in range(60):
            seat = min(table.pending)
            table.play(seat, table.default(seat))
        return table

    table, alone = played(), played()
    expected = [(alone.view(seat).to_json(), len(alone.events(seat)), alone.pending) for seat in range(3)]
    answers = hammered(lambda seat: (table.view(seat).to_json(), len(table.events(seat)), table.pending))
    for first, each in enumerate(answers):
        assert each == [expected[(first + time) % 3] for time in range(TIMES)]


@pytest.mark.slow
def test_simulation_and_verification():
    def ask(number):
        file = io.BytesIO()
        summary = simulate.simulate("tianjin", hands=20, seed=number, records=file, threads=2)
        file.seek(0)
        return (summary.points, [verdict.ok for verdict in record.verify_file(file)], file.getvalue())

    assert_all_alike(ask)
