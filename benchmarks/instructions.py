"""Instructions that the hot paths take for each hand or decision, counted by valgrind and kept by compiler.

    python benchmarks/instructions.py             compare with instructions.json
    python benchmarks/instructions.py --update    write them there

Time is different in every run, instructions are not. Each work is counted twice in one process, once for twice
as much as the other time: the difference knows nothing of Python's start, of the call or of what is made once.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import deals
import numpy as np

from tjmj import _batch, batch
from tjmj._asking import choose_by_deposit
from tjmj._policy import Hands
from tjmj._rows import read_by_blocks
from tjmj.env import Tables

FILE = Path(__file__).with_name("instructions.json")
TOLERANCE = 0.05

ROWS = 2000
HANDS = 200
TABLES = 2048
STEPS = 20
SEED = 136

# Loaded with ctypes: valgrind is told by instructions that do nothing elsewhere.
MARKS = """
#include <valgrind/callgrind.h>
void begin(void) { CALLGRIND_START_INSTRUMENTATION; CALLGRIND_ZERO_STATS; }
void end(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
"""

Work = Callable[[int], Callable[[], int]]
"""Given how many times as much, what does it; that says for how many hands or decisions it did."""


def rows(function: Callable[..., Any], *columns: Any, **more: Any) -> Work:
    """A batch; each column is repeated."""

    def prepare(times: int) -> Callable[[], int]:
        repeated = [np.concatenate([column] * times) for column in columns]

        def run() -> int:
            function(*repeated, **more)
            return len(repeated[0])

        return run

    return prepare


def hands(rules: str, policy: str) -> Work:
    """Hands played by a policy, by decisions; in this thread, since the counts of others would be missing."""

    def prepare(times: int) -> Callable[[], int]:
        return lambda: Hands(rules, SEED, policy).totals(0, times * HANDS)["decisions"]

    return prepare


def steps(rules: str, observe: bool) -> Work:
    """Tables in step, each action a sample."""

    def prepare(times: int) -> Callable[[], int]:
        env = Tables(TABLES, rules, seed=SEED, observe=observe)

        def run() -> int:
            for number in range(times * STEPS):
                env.step(env.sample(number))
            return times * STEPS * TABLES

        return run

    return prepare


def all_works() -> Iterator[tuple[str, Work]]:
    """All that is counted; a line for each."""
    random, complete = deals.random_hands(ROWS, SEED), deals.complete_hands(ROWS, SEED)
    plain = deals.plain_hands(ROWS, SEED)
    yield "is_win, random hands", rows(batch.is_win, random.counts, random.flip)
    yield "is_win, complete hands", rows(batch.is_win, complete.counts, complete.flip)
    yield "waits, random hands", rows(batch.waits, random.before, random.flip)
    yield "waits, ready hands", rows(batch.waits, complete.before, complete.flip)
    yield "score, random hands", rows(batch.score, *random)
    yield "score, complete hands", rows(batch.score, *complete)
    yield "score, complete hands of Jintan", rows(batch.score, *plain, rules="jintan", source="discard")
    for rules in ("tianjin", "jintan"):
        for policy in ("random", "simple"):
            yield f"play, {rules} {policy}", hands(rules, policy)
        yield f"step and sample, masks, {rules}", steps(rules, observe=False)
        yield f"step and sample, observations, {rules}", steps(rules, observe=True)


def compiler() -> str:
    """What built the modules: compiler, machine, the flags that change the code; whether AVX2 and BMI2 are used."""
    built = Path(_batch.__file__).read_bytes()
    found = re.search(rb"clang version ([\d.]+)", built) or re.search(rb"GCC: \([^)]*\) ([\d.]+)", built)
    name = "unknown" if not found else f"{'clang' if b'clang' in found[0] else 'gcc'} {found[1].decode()}"
    flags = [flag for flag in (sysconfig.get_config_var("CFLAGS") or "").split() if flag[:2] in ("-O", "-f", "-m")]
    newer = [*["avx2"] * read_by_blocks(True), *["bmi2"] * choose_by_deposit(True)]
    return " ".join([name, platform.machine(), *flags, *newer])


def unable() -> str | None:
    """Why nothing can be counted here, None where it can."""
    for command in ("valgrind", "cc"):
        if not shutil.which(command):
            return f"{command} is not installed"
    included = subprocess.run(["cc", "-fsyntax-only", "-x", "c", "-"], input=MARKS, text=True, capture_output=True)
    return "valgrind/callgrind.h is not installed" if included.returncode else None


def count() -> dict[str, float]:
    """Instructions of each work, for a hand or a decision."""
    with tempfile.TemporaryDirectory() as folder:
        marks = f"{folder}/marks.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-o", marks], input=MARKS, text=True, check=True)
        valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/out"]
        environment = os.environ | {"PYTHONHASHSEED": "0"}
        command = [*valgrind, sys.executable, __file__, "--run", marks]
        done = subprocess.run(command, env=environment, check=True, text=True, capture_output=True)
        counted = {}
        for path in Path(folder).glob("out.*"):
            dump = path.read_text()
            name = re.search(r"^desc: Trigger: Client Request: (.*)$", dump, re.M)
            if name:
                counted[name[1]] = int(re.search(r"^(?:summary|totals): (\d+)$", dump, re.M)[1])
    did = json.loads(done.stdout)
    return {
        name: round((counted[f"2 {name}"] - counted[f"1 {name}"]) / (did[f"2 {name}"] - did[f"1 {name}"]), 1)
        for name, _ in all_works()
    }


def run(marks: str) -> None:
    """Do all works between marks, under valgrind, and print for how many hands or decisions."""
    library = ctypes.CDLL(marks)
    did = {}
    for name, prepare in all_works():
        prepare(1)()  # what is only done the first time
        for times in (1, 2):
            work, label = prepare(times), f"{times} {name}"
            library.begin()
            did[label] = work()
            library.end(label.encode())
    print(json.dumps(did))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--update", action="store_true", help=f"write them into {FILE.name}")
    parser.add_argument("--run", metavar="MARKS", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.run:
        run(asked.run)
        return 0
    if why := unable():
        parser.error(why)
    key, kept = compiler(), json.loads(FILE.read_text("utf-8"))
    counted = count()
    print(f"{key}\n{'work':34}  {'counted':>9}  {'kept':>9}")
    for name, number in counted.items():
        print(f"{name:34}  {number:9,.1f}  {kept.get(key, {}).get(name, float('nan')):9,.1f}")
    if asked.update:
        FILE.write_text(json.dumps(kept | {key: counted}, indent=2) + "\n", "utf-8")
        return 0
    return int(bool(changed(counted, kept.get(key, {}))))


def changed(counted: dict[str, float], kept: dict[str, float]) -> list[str]:
    """Works that take more or fewer instructions than is kept, or are only on one side."""
    near = [n for n in counted if n in kept and abs(counted[n] - kept[n]) <= TOLERANCE * kept[n]]
    return [name for name in {**kept, **counted} if name not in near]


if __name__ == "__main__":
    sys.exit(main())
