"""Plays matches at examples/table_server.py for a long time, by clients that drop, repeat, delay and lie.

    python scripts/soak_server.py                               half an hour
    python scripts/soak_server.py --minutes 5 --tables 20

The server is a process of its own, whose memory is looked at all the time. At each of some tables one match
after the other is played, under any rules, by four clients and spectators; strangers say what they like. After
each match its records must verify and each hand be among them once, every client must have been told them all
and hold the right view, no client may have been told what its seat cannot know, and the scores must add up. At
the end the server's log must tell of the same hands, and in ten minutes or more its memory must have stayed flat.
What fails is kept in the folder.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import math
import random
import re
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))

from at_tables import NAMES, Dropping, Raw, Spy, any_message, check, records_of
from soak import any_rules, at_least, folder
from table_client import ask, random_bot

ROOT = Path(__file__).resolve().parent.parent
LIMITS = {
    "rate": 1e6, "burst": 10**6, "refusals": 10**6, "connections": 10_000, "per_address": 10_000,
    "new_tables": 500, "idle": 20,
}  # fmt: skip
"""All clients are at one address here and in a hurry; tables that are not used any more are soon put away."""
WINDOW = 0.5  # seconds until the server answers for a seat
RULES = 40  # ways to play; of up to a thousand the package keeps what it has worked out
STUCK = 600  # seconds that no match takes
SHOWN_EVERY = 10.0
JUDGED = 600.0  # seconds after which the memory is judged: in a shorter run it is still filling its pools
HAND = re.compile(r" (\S+): hand (\d+): (?:win|exhausted|flowers) ")


# Clients


class Dropper(Dropping):
    """Its connection breaks, before or after it has said something."""


class Repeater(Dropping):
    """Says its answers twice, and answers that are long past again."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, chance=0.01, **named)
        self.said: list[dict[str, Any]] = []

    def answer(self, answer: str) -> None:
        self.said.append({"hand": self.hand, "turn": self.turn, "answer": answer})
        for keys in (self.said[-1], self.said[-1], self.rng.choice(self.said)):
            self.say("answer", **keys)


class Dawdler(Dropping):
    """Answers late, often when the server has answered for it."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, chance=0.01, **named)

    def asked(self) -> None:
        pause = self.rng.choice((0, 0, 0, 0.01, 0.1, 2 * WINDOW if self.rng.random() < 0.2 else 0))
        asyncio.get_running_loop().call_later(pause, self._answer_late, self.hand, self.turn)

    def _answer_late(self, hand: str, turn: int | None) -> None:
        if self.view is not None and self.policy is not None and self.view.answers:
            self.say("answer", hand=hand, turn=turn, answer=self.policy(self.view))


class Liar(Dropping):
    """Says what it may not, between answers that it may give."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, chance=0.01, **named)

    def asked(self) -> None:
        turn = self.turn or 0
        for _ in range(self.rng.randrange(4)):
            lie = {"hand": self.hand, "turn": turn, "answer": self.rng.choice(("h", "d9W", "w1T", "pass", "a1J"))}
            lie[self.rng.choice(list(lie))] = self.rng.choice((turn + 1, -1, "", "0" * 16, None, [], "h"))
            self.say("answer", **lie)
            message = any_message(self.rng, self.hand, ["k" * 32])
            if message["type"] not in ("create", "join") and "table" not in message:
                self.say(message.pop("type"), **message)
        super().asked()

    def _on_error(self, message: dict[str, Any]) -> None:
        self.errors.append(message)


KINDS = (Dropper, Repeater, Dawdler, Liar)


# Matches


class Soak:
    """Tables at which matches are played until it is time, and what came of them."""

    def __init__(self, folder: Path, port: int, seed: int, until: float) -> None:
        self.folder, self.port, self.seed, self.until = folder, port, seed, until
        self.hands: dict[str, int] = {}
        """Hands that are in the file of each match that was checked."""
        self.unsure: set[str] = set()
        """Tables at which something failed."""
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []

    async def table(self, number: int) -> None:
        """Play one match after the other."""
        match = 0
        while time.monotonic() < self.until:
            name, match = f"t{number}-{match}", match + 1
            try:
                async with asyncio.timeout(STUCK):
                    await self.match(name)
            except Exception as fault:
                self.fail(name, "".join(traceback.format_exception(fault)))
                await asyncio.sleep(1)

    async def match(self, name: str) -> None:
        """Play a match with four clients of any kind and perhaps a spectator, and check all that is known of it."""
        rng = random.Random(f"{self.seed} {name}")
        hands, rules = rng.randint(1, 4), any_rules(random.Random(f"{self.seed} rules {rng.randrange(RULES)}"))
        keys = {"rules": rules.name, "options": rules.changed(), "end": {"hands": hands}}
        made = await ask(self.port, "create", table=name, **keys)
        if made["type"] != "ok":
            raise AssertionError(f"no table: {made}")
        clients: list[Spy] = []
        for each in NAMES:
            policy = random_bot(f"{self.seed} {name} {each}")
            clients.append(rng.choice(KINDS)(self.port, name, each, policy=policy, seed=each.encode()))
        if rng.random() < 0.5:
            clients.append(Spy(self.port, name, watch=True))
        async with asyncio.TaskGroup() as group:
            for client in clients:
                group.create_task(client.run())
        await asyncio.to_thread(self._check, name, clients, hands)
        gone = await ask(self.port, "dissolve", table=name, owner=made["owner"])
        if gone["type"] != "ok":
            raise AssertionError(f"not dissolved: {gone}")
        for file in self.folder.glob(f"tables/{name}.*"):
            file.unlink()

    def _check(self, name: str, clients: list[Spy], hands: int) -> None:
        """Raise `AssertionError` for what is not as it should be."""
        tables = self.folder / "tables"
        check(tables, clients, hands, name)
        totals = [0] * 4
        for record in records_of(tables, name):
            for seat, player in enumerate(record.extra["match"]["players"]):
                totals[player] += record.result["net"][seat]  # type: ignore[index]
        assert clients[0].last is not None
        assert clients[0].last["totals"] == totals, (clients[0].last["totals"], totals)
        faults = [error for client in clients for error in client.errors if error["error"] == "fault"]
        assert not faults, faults
        self.hands[name] = hands
        self.counts["matches"] += 1
        self.counts["hands"] += hands
        self.counts["drops"] += sum(getattr(client, "drops", 0) for client in clients)
        self.counts["refused"] += sum(len(client.errors) for client in clients)
        for client in clients:
            self.counts["lines"] += len(client.lines)

    def fail(self, name: str, why: str) -> None:
        """Keep a failure; the files of its table stay where they are."""
        self.unsure.add(name)
        self.failures.append(f"seed {self.seed}, table {name}\n{why}")
        with open(self.folder / "failures.txt", "a", encoding="utf-8") as file:
            file.write(self.failures[-1] + "\n")
        print(f"\n{name}: {why}", flush=True)

    async def stranger(self, number: int) -> None:
        """Come, say anything, and go, for ever; a tenth of the time without listening to what is replied."""
        rng = random.Random(f"{self.seed} stranger {number}")
        while True:
            with contextlib.suppress(OSError, EOFError):
                async with Raw(self.port) as raw:
                    await self._chatter(rng, raw, deaf=rng.random() < 0.1)
            await asyncio.sleep(rng.random() / 5)

    async def _chatter(self, rng: random.Random, raw: Raw, deaf: bool) -> None:
        for _ in range(rng.randrange(30)):
            line = json.dumps(any_message(rng, "0" * 16, ["k" * 32])).encode()
            if rng.random() < 0.2:
                line = line[: rng.randrange(len(line))] + rng.choice((b"", b"\xff", b"[" * 500, b"x" * 5000))
            raw.write(line + b"\n")
            self.counts["said by strangers"] += 1
            if deaf or rng.random() < 0.02:
                continue
            reply = await raw.hear("ok", "error", "bye")
            if reply.get("error") == "fault":
                self.fail("a stranger", f"{line!r}: {reply}")
            if reply["type"] == "bye":
                return

    async def end(self, others: list[asyncio.Task[None]]) -> None:
        """Cancel what goes on for ever beside the tables; what has ended by itself has failed."""
        for task in others:
            task.cancel()
        for fault in await asyncio.gather(*others, return_exceptions=True):
            if not isinstance(fault, asyncio.CancelledError):
                self.fail("beside the tables", "".join(traceback.format_exception(fault)))

    def check_log(self, log: str) -> None:
        """The hands that the server says have been played are those in the files, each once, and it had no fault."""
        told = Counter((name, int(hand)) for name, hand in HAND.findall(log) if name not in self.unsure)
        files = Counter((name, hand) for name, hands in self.hands.items() for hand in range(1, hands + 1))
        odd = {hand for hand in told.keys() | files.keys() if hand[0] in self.hands and told[hand] != files[hand]}
        if odd:
            self.fail("the log", f"other hands than the files have: {sorted(odd)[:20]}")
        if "Traceback" in log:
            self.fail("the log", log[log.index("Traceback") :][:2000])


# The server


@contextlib.asynccontextmanager
async def server(folder: Path) -> Any:
    """The server as a process, and its port."""
    options = [f"--{name.replace('_', '-')}={value}" for name, value in LIMITS.items()]
    command = [
        sys.executable, str(ROOT / "examples" / "table_server.py"), "--port=0", f"--data={folder / 'tables'}",
        f"--window-seconds={WINDOW}", "--ready-seconds=5", *options,
    ]  # fmt: skip
    with open(folder / "server.log", "wb") as log:
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, stderr=log)
    try:
        assert process.stdout is not None
        said = await process.stdout.readline()
        if not said.startswith(b"listening"):
            sys.exit(f"the server does not start: {(folder / 'server.log').read_text('utf-8').strip()}")
        yield process, int(said.split()[-1])
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
        await process.wait()


def memory_of(process: int) -> int:
    """Bytes of memory that a process has (Linux)."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return 1024 * int(re.findall(r"VmRSS:\s+(\d+)", status)[0])


def slope(series: list[tuple[float, int]]) -> float:
    """Bytes a minute by which the memory grows, over the second half of a run: before it fills its pools."""
    half = series[len(series) // 2 :]
    mean_time = sum(at for at, _ in half) / len(half)
    mean = sum(size for _, size in half) / len(half)
    spread = sum((at - mean_time) ** 2 for at, _ in half)
    return 60 * sum((at - mean_time) * (size - mean) for at, size in half) / spread if spread else 0.0


def grown(series: list[tuple[float, int]]) -> bool:
    """Whether the memory has grown by more than a quarter, and by more than 8 MB, over the second half of a run."""
    (_, early), (end, late) = series[len(series) // 2], series[-1]
    return end >= JUDGED and late > 1.25 * early and late > early + (8 << 20)


async def watched(soak: Soak, process: int, series: list[tuple[float, int]], show: Callable[[str], None]) -> None:
    """Look at the memory of the server, and say how far it is."""
    begun = time.monotonic()
    pause = min(SHOWN_EVERY, (soak.until - begun) / 30)
    while True:
        await asyncio.sleep(pause)
        series.append((time.monotonic() - begun, memory_of(process)))
        left = max(0.0, soak.until - time.monotonic()) / 60
        show(
            f"{time.strftime('%H:%M:%S')} {soak.counts['matches']} matches, {soak.counts['hands']} hands, "
            f"{soak.counts['drops']} drops, {soak.counts['refused']} refused, {len(soak.failures)} failures, "
            f"server {series[-1][1] / 2**20:.1f} MB, {left:.1f} minutes left"
        )


async def run(folder: Path, minutes: float, tables: int, seed: int) -> int:
    """Soak a server; returns how much failed."""
    series: list[tuple[float, int]] = []
    async with server(folder) as (process, port):
        soak = Soak(folder, port, seed, time.monotonic() + 60 * minutes)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, setattr, soak, "until", 0.0)
        others = [
            asyncio.create_task(work)
            for work in (
                watched(soak, process.pid, series, lambda line: print(line, flush=True)),
                *map(soak.stranger, range(3)),
            )
        ]
        await asyncio.gather(*map(soak.table, range(tables)))
        await soak.end(others)
        if process.returncode is not None:
            soak.fail("the server", f"has ended with {process.returncode}")
    soak.check_log((folder / "server.log").read_text("utf-8"))
    if series and grown(series):
        soak.fail("the server", "its memory does not stay flat")
    print(summary(soak, series))
    return len(soak.failures)


def summary(soak: Soak, series: list[tuple[float, int]]) -> str:
    """What was done and what came of it, and the server's memory from minute to minute."""
    sizes = [f"{size / 2**20:.1f}" for _, size in series]
    some = sizes[:: max(1, len(sizes) // 30)]
    counts = ", ".join(f"{count:,} {name}" for name, count in soak.counts.items())
    return (
        f"{counts}\n"
        f"memory of the server in MB: {' '.join(some)}\n"
        f"in the second half it grows by {slope(series) / 1024:.1f} kB a minute\n"
        f"{len(soak.failures)} failures"
    )


def minutes(written: str) -> float:
    """A time on the command line."""
    try:
        number = float(written)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{written!r} is no time")
    return number


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Plays at the table server by clients that do it no good.")
    parser.add_argument("--minutes", type=minutes, default=30.0)
    parser.add_argument("--tables", type=at_least(1), default=6, help="that are played at, at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=folder, default="build/soak-server")
    given = parser.parse_args()
    if left := sorted(given.folder.glob("tables/t[0-9]*-[0-9]*")):
        parser.error(f"{left[0]} is left of another run: another --folder, or remove it")
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # it warns of what is said where nobody listens any more
    (given.folder / "tables").mkdir(exist_ok=True)
    return bool(asyncio.run(run(given.folder, given.minutes, given.tables, given.seed)))


if __name__ == "__main__":
    sys.exit(main())
