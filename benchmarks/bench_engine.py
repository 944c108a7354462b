"""The engine: copies of a hand of play, records verified, hands simulated.

What they are to reach, on one core:

=====================  ======================
copy of a Play         300 ns
a record verified      100 µs
simulated by random    30 million decisions/s
simulated by simple    10 million decisions/s
=====================  ======================

Copies are compared with what they were made of, the sums with fixed ones and, for a part of the hands, with
what their records add up to. Nothing fails for being slow.
"""

from __future__ import annotations

import io
import time
from functools import cache

import pytest

from tjmj import record
from tjmj.simulate import simulate

SEED = 136
HANDS = 10_000
RECORDED = 1_000
COPIES = 10_000

# wins, fan of all wins, discards, decisions
SUMS = {
    ("tianjin", "random"): (16, 43, 732_153, 797_915),
    ("tianjin", "simple"): (9_484, 23_117, 465_177, 528_988),
    ("tianjin-hall", "random"): (17, 46, 732_101, 797_786),
    ("tianjin-hall", "simple"): (9_484, 23_117, 465_177, 528_988),
    ("tianjin-street", "random"): (47, 129, 730_360, 795_450),
    ("tianjin-street", "simple"): (9_459, 23_119, 466_426, 530_769),
    ("jintan", "random"): (350, 212, 905_601, 1_052_151),
    ("jintan", "simple"): (9_236, 1_624, 580_971, 737_983),
}

RECORDS = [("tianjin", "random"), ("tianjin", "simple"), ("jintan", "simple")]


@cache
def recorded(rules, policy):
    """The summary of some hands and their records, as a file holds them."""
    file = io.BytesIO()
    return simulate(rules, RECORDED, SEED, policy, records=file), file.getvalue()


@pytest.mark.benchmark(group="copy")
def test_copy(timed):
    file = io.BytesIO()
    simulate(hands=1, seed=SEED, records=file)
    file.seek(0)
    play = record.play_of(next(record.read(file)), after=30)
    before = play.state_bytes

    def copies():
        for _ in range(COPIES):
            copy = play.copy()
        return copy

    copy = timed("Play.copy()", COPIES, copies)
    assert copy.state_bytes == before
    copy.play(copy.legal()[0])
    assert copy.state_bytes != before == play.state_bytes


@pytest.mark.benchmark(group="copy")
@pytest.mark.parametrize("rules, policy", RECORDS)
def test_verify(timed, rules, policy):
    _, lines = recorded(rules, policy)

    def verify():
        return list(record.verify_file(io.BytesIO(lines)))

    verdicts = timed(f"record.verify_file, {rules} {policy}", RECORDED, verify)
    assert [verdict.line for verdict in verdicts] == list(range(1, RECORDED + 1))
    assert all(verdict.ok for verdict in verdicts)


@pytest.mark.benchmark(group="copy")
@pytest.mark.parametrize("rules, policy", RECORDS)
def test_simulate_with_records(timed, rules, policy):
    _, lines = recorded(rules, policy)

    def write():
        file = io.BytesIO()
        simulate(rules, RECORDED, SEED, policy, records=file)
        return file.getvalue()

    assert timed(f"simulate with records, {rules} {policy}", RECORDED, write) == lines


@pytest.mark.benchmark(group="play")
@pytest.mark.parametrize("rules, policy", SUMS)
def test_simulate(timed, rules, policy):
    simulate_on(timed, 1, rules, policy)
    assert_added_up(*recorded(rules, policy))


@pytest.mark.benchmark(group="play", timer=time.perf_counter)
@pytest.mark.parametrize("policy", ["random", "simple"])
def test_simulate_on_two_threads(timed, policy):
    simulate_on(timed, 2, "tianjin", policy)


def simulate_on(timed, threads, rules, policy):
    sums = SUMS[rules, policy]
    work = f"simulate, {rules} {policy}{', 2 threads' if threads == 2 else ''}"
    likes = ("play",) if policy == "random" else ()
    summary = timed(work, sums[3], simulate, rules, HANDS, SEED, policy, threads, likes=likes)
    assert (summary.wins, summary.fan, summary.discards, summary.decisions) == sums


def assert_added_up(summary, lines):
    records = list(record.read(io.BytesIO(lines)))
    winners = [winner for each in records for winner in each.result["winners"]]
    assert (summary.hands, summary.wins) == (len(records), len(winners))
    assert summary.fan == sum(winner["fan"] for winner in winners)
    assert summary.discards == sum(each.moves.count("d") for each in records)
    assert list(summary.points) == [sum(points) for points in zip(*[each.result["net"] for each in records])]
