"""Many hands played by a built-in policy, on threads: summed up, and recorded where that is asked for.

Hand k of a run is dealt by seat k mod 4 from the fast generator keyed by (seed, k) (see `_deal.pyx`). Threads
take chunks of hands, and what they made is added up and written in the order of the hands. So the same seed
gives the same records and the same summary, however many threads there are.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from io import BytesIO
from math import sqrt
from operator import index
from typing import Any, BinaryIO

from . import elements
from ._policy import Hands
from ._threads import threads_wanted
from .limits import whole
from .record import of_hand, write
from .rulesets import Rules
from .safe_files import replacing

CHUNK = 1000
"""Hands that a thread plays before it hands them in."""
MOST_HANDS = (1 << 64) - 1

_POLL = 0.1  # seconds between two calls of `progress`; an interrupt is noticed as fast on every system

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class Summary:
    """What came of a run: sums over its hands, and the shares and averages that follow from them."""

    rules: Rules
    policy: str
    seed: int
    asked: int
    """Hands that were asked for."""
    hands: int
    """Hands that were played, the first ones of the run: fewer than asked for after an interrupt."""
    wins: int
    """Where discards can be won on a hand can have several."""
    exhausted: int
    """Hands that nobody won 荒庄."""
    dealer_wins: int
    fan: int
    """Fan of all wins together."""
    discards: int
    kongs: int
    """Kongs of every kind."""
    decisions: int
    """How often a seat had more than one legal action."""
    points: tuple[int, int, int, int]
    """Points that each seat gained or lost; their sum is 0."""
    won_with: tuple[int, ...]
    """Wins that had each element, in the order of `tjmj.elements.KEYS`."""
    fans: tuple[int, ...]
    """Wins of 0, 1, 2 … fan; the last number is of wins with so much fan or more."""
    lengths: tuple[int, ...]
    """Hands of 0, 1, 2 … discards, all seats' together."""
    gains: tuple[tuple[int, ...], ...]
    """For each seat hands by the points that it gained or lost: nothing in the middle, place 21, on both sides 1,
    2 to 3, 4 to 7, and so on, each twice as wide as the one before, 2^20 and more at the ends; losses first."""
    squares: tuple[float, ...]
    """For each seat the squares of what it gained or lost in a hand, added up."""

    @property
    def partial(self) -> bool:
        """Whether hands are missing."""
        return self.hands < self.asked

    @property
    def exhausted_share(self) -> float | None:
        """Share of those among all hands, None where there are no hands."""
        return _ratio(self.exhausted, self.hands)

    @property
    def average_fan(self) -> float | None:
        """Fan of a win, None where there are no wins."""
        return _ratio(self.fan, self.wins)

    @property
    def average_length(self) -> float | None:
        """Discards a hand, all seats' together; None where there are no hands."""
        return _ratio(self.discards, self.hands)

    @property
    def deviations(self) -> tuple[float, ...] | None:
        """Standard deviation of the points that each seat gains in a hand; None where there are no hands."""
        if not self.hands:
            return None
        means = (points / self.hands for points in self.points)
        return tuple(sqrt(max(0.0, square / self.hands - mean**2)) for mean, square in zip(means, self.squares))

    @property
    def elements(self) -> dict[str, int]:
        """Wins that had each element that the rules know, by its key."""
        won = dict(zip(elements.KEYS, self.won_with))
        return {key: won[key] for key in elements.OF_COUNTING[self.rules.counting]}

    def to_json(self) -> dict[str, Any]:
        """The summary as `tjmj simulate --json` prints it."""
        return {
            "rules": self.rules.to_json(),
            "policy": self.policy,
            "seed": self.seed,
            "asked": self.asked,
            "hands": self.hands,
            "partial": self.partial,
            "wins": self.wins,
            "dealer_wins": self.dealer_wins,
            "exhausted": self.exhausted,
            "exhausted_share": self.exhausted_share,
            "elements": self.elements,
            "average_fan": self.average_fan,
            "average_length": self.average_length,
            "kongs": self.kongs,
            "decisions": self.decisions,
            "points": list(self.points),
        }


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def simulate(
    rules: str | Rules = "tianjin",
    hands: int = 1000,
    seed: int = 0,
    policy: str = "random",
    threads: int = 1,
    records: str | os.PathLike[str] | BinaryIO | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Play many hands by a policy.

    An interrupt (`KeyboardInterrupt`) ends the run early and is not passed on: the chunks that were begun
    are finished, and the summary and the records cover the hands up to there.

    Parameters
    ----------
    rules : str or Rules
    hands : int
        How many, 0 to 2^64 - 1.
    seed : int
        0 to 2^64 - 1; the same seed gives the same hands, whatever `threads`.
    policy : {"random", "simple"}
        What plays all four seats.
    threads : int
        1 to 1024. Playing runs without the GIL, making records with it.
    records : path or binary file, optional
        Where to write a record of each hand, a line each. A path gets its file only when the run has
        ended, whether it was interrupted or not; a file that is there already is replaced then.
    progress : callable, optional
        Called in this thread a few times a second, and once at the end, with the hands done so far and
        those asked for.

    Returns
    -------
    Summary

    Raises
    ------
    TjmjError
        For unknown rules or policies, and numbers out of their range.
    OSError
        If the records cannot be written; a file that is there already then stays as it is.
    """
    seed = index(seed)
    player = Hands(rules, seed, policy)
    hands = whole("hands", hands, 0, MOST_HANDS)
    threads = min(threads_wanted(threads), hands // CHUNK + 1)
    with _output(records) as file:
        run = _Run(player, hands, file)
        run.play(threads, progress)
    sums = run.sums
    return Summary(
        rules=player.rules, policy=policy, seed=seed, asked=hands, points=tuple(sums.pop("net")),
        won_with=tuple(sums.pop("elements").values()), fans=tuple(sums.pop("fans")),
        lengths=tuple(sums.pop("lengths")), gains=tuple(map(tuple, sums.pop("gains"))),
        squares=tuple(sums.pop("squares")), **sums,
    )  # fmt: skip


class _Run:
    """A run on threads, which take chunks in order and hand them in in order.

    All that may not be torn apart by an interrupt happens in `_work`: interrupts reach the main thread only.
    """

    def __init__(self, player: Hands, asked: int, file: BinaryIO | None) -> None:
        self.sums: dict[str, Any] = player.totals(0, 0)
        self._player = player
        self._asked = asked
        self._file = file
        self._taken = 0
        self._stopped = False
        self._failed = False
        self._turn = threading.Condition()

    def play(self, threads: int, progress: Progress | None) -> None:
        """Play all chunks; an interrupt lets the threads finish what they have begun."""
        workers: list[Future[None]] = []
        working = True
        with ThreadPoolExecutor(threads) as pool:
            try:
                while working:
                    try:  # around a loop, whose jump back is a place for an interrupt too
                        while working:
                            workers += [pool.submit(self._work) for _ in range(len(workers), threads)]
                            working = bool(wait(workers, _POLL).not_done)
                            if progress is not None:
                                progress(self.sums["hands"], self._asked)
                    except KeyboardInterrupt:
                        self._stopped = True
            finally:  # whatever else `progress` raises
                self._stopped = True
        for worker in workers:
            worker.result()

    def _work(self) -> None:
        """Play chunks as long as there are any."""
        try:
            while chunk := self._take():
                first, count = chunk.start, chunk.stop - chunk.start
                lines = b"" if self._file is None else self._lines(first, count)
                self._hand_in(first, lines, self._player.totals(first, count))
        except BaseException:
            with self._turn:
                self._stopped = self._failed = True
                self._turn.notify_all()
            raise

    def _take(self) -> range:
        """The next chunk; empty where there is none."""
        with self._turn:
            first = self._taken
            if not self._stopped:
                self._taken = min(first + CHUNK, self._asked)
            return range(first, self._taken)

    def _lines(self, first: int, count: int) -> bytes:
        rules = self._player.rules
        lines = BytesIO()
        write(lines, (of_hand(rules, *told) for told in self._player.records(first, count)))
        return lines.getvalue()

    def _hand_in(self, first: int, lines: bytes, sums: dict[str, Any]) -> None:
        with self._turn:
            self._turn.wait_for(lambda: self.sums["hands"] == first or self._failed)
            if self._failed:
                return
            if self._file is not None:
                self._file.write(lines)
                self._file.flush()
            self.sums = _sum(self.sums, sums)
            self._turn.notify_all()


def _sum(some: Any, more: Any) -> Any:
    """Numbers, or lists and dicts of them, added up."""
    if isinstance(some, dict):
        return {key: _sum(value, more[key]) for key, value in some.items()}
    if isinstance(some, list):
        return [_sum(*values) for values in zip(some, more)]
    return some + more


def _output(records: str | os.PathLike[str] | BinaryIO | None) -> AbstractContextManager[BinaryIO | None]:
    """Where the records go."""
    return replacing(records) if isinstance(records, (str, os.PathLike)) else nullcontext(records)
