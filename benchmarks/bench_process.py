"""Whole processes: what importing the package takes, and how fast the command scores a file of hands.

What they are to reach:

==================================================  =====
import tjmj where numpy is imported already         20 ms
tjmj score --batch, 100,000 lines, start included   2.5 s
==================================================  =====

Nothing fails for being slow.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time

import pytest
from deals import MANY

from tjmj import batch
from tjmj.elements import keys_of

IMPORT = """
import sys, time, numpy
before = set(sys.modules)
start = time.perf_counter()
import tjmj
print(time.perf_counter() - start, *sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""


@pytest.mark.benchmark(group="process", timer=time.perf_counter)
def test_import_beyond_numpy(benchmark, tabled):
    took = []

    def in_fresh_process():
        words = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, check=True, text=True)
        seconds, *modules = words.stdout.split()
        took.append(float(seconds))
        return modules

    modules = benchmark.pedantic(in_fresh_process, rounds=20, warmup_rounds=1)
    assert "tjmj" in modules
    assert not {"click", "msgspec", "rich"} & set(modules), "only the command needs these"
    if benchmark.stats:
        benchmark.extra_info["ms of the import alone"] = round(min(took) * 1e3, 2)
        tabled("import tjmj, numpy already there", min(took), once=True)


@pytest.fixture(params=["random", "complete"])
def kind(request):
    return request.param


@pytest.mark.skipif(not importlib.util.find_spec("click"), reason="the command needs its extra")
@pytest.mark.benchmark(group="process", timer=time.perf_counter)
def test_score_of_lines(benchmark, tabled, kind, request, tmp_path):
    dealt = request.getfixturevalue(f"{kind}_deals")
    asked, answered = tmp_path / "asked.jsonl", tmp_path / "answered.jsonl"
    asked.write_text("".join(f'{{"hand": "{hand}", "flip": "{flip}"}}\n' for hand, flip in dealt.texts()))
    command = [sys.executable, "-m", "tjmj", "score", "--batch", str(asked)]

    def run():
        with answered.open("wb") as out:
            subprocess.run(command, stdout=out, check=True)

    benchmark.pedantic(run, rounds=3)
    answers = [json.loads(line) for line in answered.read_text("utf-8").splitlines()]
    fan, elements, legal = batch.score(dealt.counts, dealt.flip, dealt.win)[:3]
    assert [answer["win"] for answer in answers] == (fan > 0).tolist()
    assert [answer["fan"] for answer in answers] == fan.tolist()
    assert [answer["elements"] for answer in answers] == [[*keys_of(mask)] for mask in elements.tolist()]
    assert [answer["legal"] for answer in answers] == legal.tolist()
    assert [answer["reading"] is not None for answer in answers] == (fan > 0).tolist()
    if benchmark.stats:
        seconds = benchmark.stats.stats.min
        benchmark.extra_info["s for all lines"] = round(seconds, 2)
        tabled(f"tjmj score --batch, {MANY:,} {kind} hands, each", seconds / MANY)
