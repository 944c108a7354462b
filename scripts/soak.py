"""Plays millions of hands under all rules, and checks the laws of play on every one of them.

    python scripts/soak.py                                      ten million hands, as far as they are not played yet
    python scripts/soak.py --hands 100000 --seed 7
    python scripts/soak.py --seed 7 --batch 1234                one batch again, such as one that a failure names

Hands come in batches of a thousand: any preset with any of its options set, played by the policy `random` or
`simple` (soak_hands.pyx, built when it is needed) and judged by soak_laws.py. What a batch is follows from the
seed and its number. What is done is kept in a file, so that a run that is broken off goes on where it was;
failures go to a file beside it. Memory that does not stay flat is a failure too.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from soak_laws import Broken, Hand, faults_of

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))

from compiled import built, loaded

import tjmj
from tjmj.record import dumps
from tjmj.rulesets import preset_names, rules_options
from tjmj.rulesets.base import Option, Value
from tjmj.safe_files import replace_file

BATCH = 1000
POLICIES = ("random", "simple")
CLOSELY = 50
"""Of so many hands one is played as a round too, and its whole view looked at."""
EARLY = 50
"""After so many batches a process has filled its pools, and hardly grows any more."""
SHOWN_EVERY = 5.0  # seconds
SOURCE = Path(__file__).with_name("soak_hands.pyx")

players: list[ModuleType] = []
"""What plays the hands in this process."""


# Rules


def any_rules(rng: random.Random) -> tjmj.Rules:
    """A preset, with none to all of its options set to anything."""
    name = rng.choice(preset_names())
    options = rules_options(name)
    chosen = rng.sample(sorted(options), rng.choice((0, 1, 2, 4, len(options))))
    return tjmj.rules(name, **{option: any_value(rng, options[option]) for option in chosen})


def any_value(rng: random.Random, option: Option) -> Value:
    """A value that an option may have; of numbers small ones as often as all the others."""
    if option.special and rng.random() < 0.3:
        return rng.choice(option.special)
    if option.allowed is bool:
        return rng.random() < 0.5
    if isinstance(option.allowed, range):
        least, most = option.allowed[0], option.allowed[-1]
        return rng.choice((rng.randint(least, min(most, least + 5)), rng.randint(least, most)))
    return rng.choice(option.allowed)


# Batches


@dataclass
class Batch:
    """What came of a batch."""

    number: int
    rules: str = ""
    preset: str = ""
    policy: str = ""
    hands: int = 0
    closely: int = 0
    """Hands of which the whole view was compared."""
    ends: dict[str, int] = field(default_factory=dict)
    failures: list[dict[str, Any]] = field(default_factory=list)
    memory: int = 0
    """Of the process, in bytes."""


def run_batch(seed: int, number: int, hands: int = BATCH) -> Batch:
    """Play a batch and check each of its hands."""
    batch = Batch(number)
    try:
        _play_batch(batch, random.Random(f"{seed} {number}"), hands)
    except Exception:
        batch.failures.append({"law": "no crash", "why": traceback.format_exc()})
    batch.memory = memory_used()
    for failure in batch.failures:
        failure |= {"seed": seed, "batch": number, "rules": batch.rules, "policy": batch.policy}
    return batch


def _play_batch(batch: Batch, rng: random.Random, wanted: int) -> None:
    rules, batch.policy, own_seed = any_rules(rng), rng.choice(POLICIES), rng.getrandbits(64)
    batch.rules, batch.preset = str(rules), rules.name
    hands = [Hand(**told) for told in players[0].hands(rules, own_seed, batch.policy, 0, wanted)]
    for number, (hand, fault) in enumerate(zip(hands, faults_of(hands, CLOSELY), strict=True)):
        if fault is not None:
            law = fault.law if isinstance(fault, Broken) else "no crash"
            why = "".join(traceback.format_exception(fault))
            told = asdict(hand) | {"record": json.loads(dumps(hand.record))}
            told |= {key: list(told[key]) for key in ("shown", "replayed")}
            batch.failures.append({"law": law, "why": why, "run": own_seed, "number": number, "hand": told})
    batch.hands = len(hands)
    batch.closely = len(range(0, len(hands), CLOSELY))
    batch.ends = dict(Counter((hand.record.result or {})["end"] for hand in hands))


def memory_used() -> int:
    """Bytes of memory that this process has, the most that it ever had where only that is told; 0 on Windows."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


# A run


@dataclass
class State:
    """How far a run has come: batches before `next` are done."""

    seed: int
    next: int = 0
    hands: int = 0
    closely: int = 0
    seconds: float = 0.0
    failures: int = 0
    memory: list[int] = field(default_factory=lambda: [0, 0])
    """The most that a process had, in bytes: after its first batches, and ever."""
    played: dict[str, dict[str, int]] = field(default_factory=dict)
    """Hands of each preset and policy by how they ended, and under how many rules they were played."""

    @classmethod
    def load(cls, path: Path, seed: int) -> State:
        """The state that was kept of a run of this seed; a new one if there is none."""
        if not path.exists():
            return cls(seed)
        try:
            kept = cls(**json.loads(path.read_text("utf-8")))
        except (ValueError, TypeError):
            sys.exit(f"{path} does not tell of a run: remove it to begin anew")
        if kept.seed != seed:
            sys.exit(f"{path} is of a run with the seed {kept.seed}: another --folder, or remove it")
        return kept

    @property
    def grown(self) -> bool:
        """Whether a process has come to have much more memory than after its first batches."""
        early, most = self.memory
        return most > 2 * early and most > early + (64 << 20)

    def save(self, path: Path) -> None:
        replace_file(path, json.dumps(asdict(self)).encode())

    def add(self, batch: Batch) -> None:
        """Take in the next batch."""
        self.next += 1
        self.hands += batch.hands
        self.closely += batch.closely
        self.failures += len(batch.failures)
        early = self.memory[0] if self.next > EARLY else max(self.memory[0], batch.memory)
        self.memory = [early, max(self.memory[1], batch.memory)]
        row = self.played.setdefault(f"{batch.preset} {batch.policy}", {})
        for key, count in {"hands": batch.hands, "rules": 1, **batch.ends}.items():
            row[key] = row.get(key, 0) + count


def run(state: State, wanted: int, processes: int, folder: Path, player: Path) -> None:
    """Play batches until they are so many hands; what is done is kept after each of them."""
    kept, failures = folder / "state.json", folder / "failures.jsonl"
    begun, before, shown = time.monotonic(), state.seconds, 0.0
    with ProcessPoolExecutor(processes, initializer=_begin, initargs=(player,)) as pool:
        waiting: deque[Future[Batch]] = deque()
        number = state.next
        try:
            while state.next * BATCH < wanted:
                while len(waiting) < 3 * processes and number * BATCH < wanted:
                    waiting.append(pool.submit(run_batch, state.seed, number))
                    number += 1
                batch = waiting.popleft().result()
                if batch.failures:
                    with open(failures, "a", encoding="utf-8") as file:
                        file.writelines(json.dumps(failure, ensure_ascii=False) + "\n" for failure in batch.failures)
                    print(f"\nbatch {batch.number}: {batch.failures[0]['why']}", flush=True)
                state.add(batch)
                state.seconds = before + time.monotonic() - begun
                state.save(kept)
                if time.monotonic() - shown > SHOWN_EVERY:
                    shown = time.monotonic()
                    print(progress(state, wanted, begun, before), flush=True)
        except BrokenProcessPool:
            sys.exit(f"a process died in one of the batches {state.next} to {number - 1}: try each by --batch")
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _begin(player: Path) -> None:
    """In a process that plays: signals are for the one that keeps what is done, which lets it finish."""
    players.append(loaded(player))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _stop(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def progress(state: State, wanted: int, begun: float, before: float) -> str:
    rate = state.hands / max(state.seconds, 1e-9)
    left = (wanted - state.next * BATCH) / rate if rate else 0
    return (
        f"{time.strftime('%H:%M:%S')} {state.hands:,} of {wanted:,} hands, {rate:,.0f} a second, "
        f"{left / 60:.0f} minutes left, {state.failures} failures, {state.memory[1] >> 20} MB a process"
    )


def summary(state: State) -> str:
    """A table of what was played and what came of it."""
    lines = [f"{'preset, policy':24} {'rules':>7} {'hands':>12} {'won':>12} {'exhausted':>12} {'flowers':>8}"]
    for name, row in sorted(state.played.items()):
        counts = [row.get(key, 0) for key in ("rules", "hands", "win", "exhausted", "flowers")]
        lines.append("{:24} {:7,} {:12,} {:12,} {:12,} {:8,}".format(name, *counts))
    lines += [
        f"{state.hands:,} hands with record, replay, tiles, sums and what a seat saw; {state.closely:,} as rounds too",
        f"{state.failures} failures; {state.seconds / 60:.1f} minutes, {state.hands / max(state.seconds, 1e-9):,.0f} "
        f"hands a second; memory of a process {state.memory[0] >> 20} MB at first, {state.memory[1] >> 20} MB at most"
        f"{', which is not flat' if state.grown else ''}",
    ]
    return "\n".join(lines)


def at_least(least: int) -> Callable[[str], int]:
    """A whole number on the command line."""

    def read(written: str) -> int:
        if not written.isdecimal() or int(written) < least:
            raise argparse.ArgumentTypeError(f"{written!r} is no whole number from {least}")
        return int(written)

    return read


def folder(written: str) -> Path:
    """A folder on the command line, made if it is not there yet."""
    path = Path(written)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise argparse.ArgumentTypeError(f"{written}: {fault.strerror}") from None
    return path


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Plays many hands under all rules and checks the laws of play.")
    parser.add_argument(
        "--hands", type=at_least(1), default=10_000_000, help="with those played already; they come by the thousand"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=at_least(1), default=os.cpu_count())
    parser.add_argument("--folder", type=folder, default="build/soak", help="for what is done, and failures")
    parser.add_argument("--batch", type=at_least(0), help="play this batch only, and tell of its failures")
    given = parser.parse_args()
    with ProcessPoolExecutor(1) as builder:  # a process of its own, since Cython takes much memory
        player = builder.submit(built, SOURCE, given.folder.resolve() / "built").result()
    if given.batch is not None:
        players.append(loaded(player))
        batch = run_batch(given.seed, given.batch)
        print(json.dumps(asdict(batch), ensure_ascii=False, indent=1))
        return bool(batch.failures)
    state = State.load(given.folder / "state.json", given.seed)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    try:
        run(state, given.hands, given.processes, given.folder, player)
    except KeyboardInterrupt:
        print("\nbroken off; the same command goes on")
    print(summary(state))
    return bool(state.failures or state.grown)


if __name__ == "__main__":
    sys.exit(main())
