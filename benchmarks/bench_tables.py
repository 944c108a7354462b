"""Vectors of tables: random legal play in step, and samples of legal actions.

What they are to reach with the preset `tianjin` on one core, in million decisions a second; the other presets and
Jintan two thirds of it:

=================  =====  ======
tables             4,096  65,536
=================  =====  ======
masks only         25     15
with observations  12     8
=================  =====  ======

A sample is to take 8 ns a table, and two threads are to be 1.6 times as fast as one. Hands that have ended and
points paid after some steps are compared with fixed ones, and records are verified. Nothing fails for being slow.
"""

from __future__ import annotations

import itertools

import pytest

from tjmj.env import Tables
from tjmj.record import verify

SEED = 136
STEPS = 150
ROUNDS = 100

# At 4,096 tables after so many steps: hands that have ended, points that have changed hands.
SUMS = {
    "tianjin": (4_774, 9_267),
    "tianjin-hall": (4_776, 8_747),
    "tianjin-street": (4_820, 9_282),
    "jintan": (4_101, 6_220),
}


def assert_played(rules: str, threads: int = 1) -> None:
    env = Tables(4096, rules, seed=SEED, threads=threads)
    paid = 0
    for step in range(STEPS):
        reward = env.step(env.sample(step))[3]
        paid += int(reward.clip(0).sum())
    assert (int(env.hands.sum()), paid) == SUMS[rules]
    for table in env.hands.argsort()[-3:]:
        verify(env.record(int(table)))


@pytest.mark.benchmark(group="tables")
@pytest.mark.parametrize("observe", [False, True], ids=["masks", "observations"])
@pytest.mark.parametrize("tables", [4096, 65_536])
@pytest.mark.parametrize("rules", SUMS)
def test_step(benchmark, tabled, rules, tables, observe):
    env = Tables(tables, rules, seed=SEED, observe=observe)
    numbers = itertools.count()
    benchmark.pedantic(env.step, setup=lambda: ((env.sample(next(numbers)),), {}), rounds=ROUNDS, warmup_rounds=20)
    if tables == 4096:
        assert_played(rules)
    if benchmark.stats:
        seconds = benchmark.stats.stats.min / tables
        benchmark.extra_info["million decisions per s"] = round(1e-6 / seconds, 1)
        seen = "observations" if observe else "masks"
        tabled(f"step of {tables:,} tables, {seen}, {rules}", seconds)


@pytest.mark.benchmark(group="tables")
def test_step_on_two_threads(benchmark, tabled):
    env = Tables(4096, seed=SEED, observe=False, threads=2)
    numbers = itertools.count()
    benchmark.pedantic(env.step, setup=lambda: ((env.sample(next(numbers)),), {}), rounds=ROUNDS, warmup_rounds=20)
    assert_played("tianjin", threads=2)
    if benchmark.stats:
        tabled("step of 4,096 tables, masks, tianjin, two threads", benchmark.stats.stats.min / 4096)


@pytest.mark.benchmark(group="tables")
def test_sample(timed):
    env = Tables(4096, seed=SEED, observe=False)
    for step in range(STEPS):
        env.step(env.sample(step))
    actions = timed("sample of 4,096 tables", 4096, env.sample, 1)
    assert env.mask[range(4096), actions].all()
