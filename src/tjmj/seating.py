"""Who sits where, and the secret of a match that this and its hands come from (spec: tianjin section 7).

Seats are fixed winds, seat 0 East. Players are numbered 0 to 3 in the order in which they came; they move,
the seats do not. Where players sit is told as `Players`: the player of each seat.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from .errors import RulesError

Players = tuple[int, int, int, int]
"""The player of each seat."""

AS_THEY_CAME: Players = (0, 1, 2, 3)

MOST_RUN_SEED = (1 << 128) - 1


class Stream:
    """Unbiased numbers from a key, as dice and walls come from a seed (spec: record, "Fair dealing")."""

    def __init__(self, key: bytes) -> None:
        self._words = _words(key)

    def below(self, n: int) -> int:
        """A whole number below n, which is at most 2^32."""
        limit = 2**32 - 2**32 % n
        return next(word for word in self._words if word < limit) % n

    def shuffled(self) -> Players:
        """The numbers 0 to 3, shuffled as a wall is."""
        order = [0, 1, 2, 3]
        for i in (3, 2, 1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return _four(order)


def _words(key: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hashlib.sha256(key + counter.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))
        counter += 1


def _four(order: list[int]) -> Players:
    return order[0], order[1], order[2], order[3]


class MatchSeed:
    """What a match deals and seats from; a secret until the match is over.

    The key K of the match is the seed itself, or the 16 bytes of a run's whole number. Hand k, from 0, has
    the seed SHA-256("tjmj" ‖ K ‖ k as 8 bytes, big-endian); for a whole number it is that of record, "Runs".
    Seating g, from 0, the first one before the first hand, is read from the stream of
    SHA-256("tjmj-seating" ‖ K ‖ g as 8 bytes), as a wall is from its seed's; behind the first one comes the
    first dealer, where it is drawn. The commitment is SHA-256(K).

    Parameters
    ----------
    seed : bytes or int
        32 secret random bytes, used for one match only; or the whole number of a run, 0 to 2^128 - 1, which
        is no secret.

    Raises
    ------
    RulesError
        For any other seed.
    """

    def __init__(self, seed: bytes | int) -> None:
        self.seed = seed
        self._key = _key_of(seed)

    @classmethod
    def from_json(cls, value: Any) -> MatchSeed:
        """The seed that `to_json` wrote; raises `RulesError`."""
        text = value if isinstance(value, str) and value.isascii() else ""
        if len(text) < 64 and text.isdecimal():
            return cls(int(text))
        try:
            return cls(bytes.fromhex(text))
        except ValueError:
            raise RulesError("a match's seed is 64 hex digits, or a whole number, as text") from None

    def to_json(self) -> str:
        """The seed as text: in hex, or the whole number, which JSON readers would round. It is the secret."""
        return self.seed.hex() if isinstance(self.seed, bytes) else str(self.seed)

    @property
    def commitment(self) -> bytes:
        """SHA-256 of the key, 32 bytes: to be published when the match begins."""
        return hashlib.sha256(self._key).digest()

    def of_hand(self, hand: int) -> bytes:
        """The 32-byte seed of a hand, counted from 0."""
        return hashlib.sha256(b"tjmj" + self._key + hand.to_bytes(8, "big")).digest()

    def stream(self, pot: int) -> Stream:
        """What seating and first dealer are drawn from before a 锅, counted from 0."""
        return Stream(hashlib.sha256(b"tjmj-seating" + self._key + pot.to_bytes(8, "big")).digest())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatchSeed) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<the seed of a match, commitment {self.commitment.hex()}>"


def _key_of(seed: bytes | int) -> bytes:
    if isinstance(seed, bytes):
        if len(seed) != 32:
            raise RulesError(f"a match's seed of {len(seed)} bytes: it has 32")
        return seed
    if type(seed) is not int or not 0 <= seed <= MOST_RUN_SEED:
        raise RulesError("a match's seed is 32 bytes, or a whole number from 0 to 2^128 - 1")
    return seed.to_bytes(16, "big")


# 打风


class WindsThrow(NamedTuple):
    """What a 打风 threw and shuffled, as a record's `seating` says it."""

    dice: tuple[int, int]
    """The two dice that East throws."""
    winds: Players
    """The four shuffled winds, the first one taken first; 0 is East."""

    @classmethod
    def from_json(cls, value: Any) -> WindsThrow:
        """Read a record's `seating`; raises `RulesError`."""
        if type(value) is not dict or value.keys() != {"dice", "winds"}:
            _no_throw(value)
        dice, winds = value["dice"], value["winds"]
        if not _whole(dice, 2) or not _whole(winds, 4):
            _no_throw(value)
        if not all(1 <= die <= 6 for die in dice) or sorted(winds) != [0, 1, 2, 3]:
            _no_throw(value)
        return cls((dice[0], dice[1]), _four(winds))

    def to_json(self) -> dict[str, list[int]]:
        """A record's `seating`."""
        return {"dice": list(self.dice), "winds": list(self.winds)}

    def moved(self, players: Players) -> Players:
        """Who sits where after it: the seat counted to takes the first wind, then the others in turn."""
        first = sum(self.dice) - 1  # counted from East, seat 0
        seats = [0] * 4
        for place, wind in enumerate(self.winds):
            seats[wind] = players[(first + place) % 4]
        return _four(seats)


def _whole(numbers: Any, count: int) -> bool:
    return type(numbers) is list and len(numbers) == count and all(type(number) is int for number in numbers)


def _no_throw(value: Any) -> NoReturn:
    raise RulesError(f"seating is {str(value)[:100]}: two dice and the four shuffled winds are wanted")


def same_cycle(some: Players, others: Players) -> bool:
    """Whether each player has the same next player in both seatings."""
    shift = others.index(some[0])
    return all(some[seat] == others[(seat + shift) % 4] for seat in range(4))


def throw_winds(stream: Stream, players: Players, first: bool) -> WindsThrow:
    """打风: throw and shuffle until it counts.

    At every 打风 but a match's first one it is repeated while the cyclic order of the four players stays as
    it is. Nobody moves before a throw counts, so that the last one tells it all.
    """
    while True:
        dice = (1 + stream.below(6), 1 + stream.below(6))
        throw = WindsThrow(dice, stream.shuffled())
        if first or not same_cycle(players, throw.moved(players)):
            return throw
