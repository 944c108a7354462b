"""The engine: copies of a hand of play, records verified, hands simulated.

What they are to reach, on one core:

=====================  ======================
copy of a Play         300 ns
a record verified      100 µs
simulated by random    10 million decisions/s
simulated by simple     4 million decisions/s
=====================  ======================

Copies are compared with what they were made of, the sums with fixed ones and, for a part of the hands, with
what their records add up to. Nothing fails for being slow.
"""

from __future__ import annotations

import io

import pytest

from tjmj import record
from tjmj.simulate import simulate

SEED = 136
HANDS = 50_000
RECORDED = 2_000
COPIES = 10_000

# wins, fan of all wins, discards, decisions
SUMS = {
    "random": (67, 173, 3_661_141, 3_988_758),
    "simple": (47_239, 114_665, 2_338_760, 2_659_666),
}


@pytest.fixture(scope="module", params=sorted(SUMS))
def policy(request):
    return request.param


@pytest.fixture(scope="module")
def recorded(policy):
    """The summary of some hands and their records, as a file holds them."""
    file = io.BytesIO()
    return simulate(hands=RECORDED, seed=SEED, policy=policy, records=file), file.getvalue()


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


@pytest.mark.benchmark(group="record")
def test_verify(timed, recorded, policy):
    def verify():
        return list(record.verify_file(io.BytesIO(recorded[1])))

    verdicts = timed(f"record.verify_file, {policy} hands", RECORDED, verify)
    assert [verdict.line for verdict in verdicts] == list(range(1, RECORDED + 1))
    assert all(verdict.ok for verdict in verdicts)


@pytest.mark.benchmark(group="record")
def test_simulate_with_records(timed, recorded, policy):
    def write():
        file = io.BytesIO()
        simulate(hands=RECORDED, seed=SEED, policy=policy, records=file)
        return file.getvalue()

    assert timed(f"simulate with records, {policy}", RECORDED, write) == recorded[1]


@pytest.mark.benchmark(group="simulate")
def test_simulate(timed, tabled, benchmark, recorded, policy):
    summary = timed(f"simulate, {policy}", HANDS, simulate, "tianjin", HANDS, SEED, policy)
    assert (summary.wins, summary.fan, summary.discards, summary.decisions) == SUMS[policy]
    assert_added_up(*recorded)
    if benchmark.stats:
        seconds = benchmark.stats.stats.min / summary.decisions
        benchmark.extra_info["million decisions per s"] = round(1e-6 / seconds, 1)
        tabled(f"simulate, {policy}, for each decision", seconds)


def assert_added_up(summary, lines):
    records = list(record.read(io.BytesIO(lines)))
    winners = [winner for each in records for winner in each.result["winners"]]
    assert (summary.hands, summary.wins) == (len(records), len(winners))
    assert summary.fan == sum(winner["fan"] for winner in winners)
    assert summary.discards == sum(each.moves.count("d") for each in records)
    assert list(summary.points) == [sum(points) for points in zip(*[each.result["net"] for each in records])]
