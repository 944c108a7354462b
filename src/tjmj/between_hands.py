"""What is settled between hands: who deals next, circles, totals, titles (spec: tianjin section 7).

It all follows from the rules and from the hands that were played. Rules are asked for their fields, so this
holds for every ruleset (jintan, last paragraph).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ._settle import deal_passes
from .rulesets import Rules
from .seating import AS_THEY_CAME, Players

CIRCLE = 4
"""Passes of the deal that make a circle 圈."""
POT = 4 * CIRCLE
"""Passes of the deal that make four circles, a 锅."""

TITLES = (
    (100, "一万"), (200, "二万"), (500, "三万"), (1000, "四万"), (2000, "五万"), (5000, "六万"),
    (10_000, "七万"), (20_000, "八万"), (50_000, "九万"), (100_000, "东风"), (200_000, "西风"),
    (500_000, "南风"), (800_000, "北风"), (1_200_000, "中"), (2_000_000, "发"), (3_000_000, "雀神"),
)  # fmt: skip
"""From how many points on a player has which title; 西风 before 南风 is the source's own order."""
LOWEST_TITLE = "白板"


def title(total: int) -> str:
    """The title 称号 of a player with so many points in all (spec: tianjin section 7)."""
    found = LOWEST_TITLE
    for least, name in TITLES:
        if total < least:
            break
        found = name
    return found


def kong_seats(moves: Iterable[str]) -> frozenset[int]:
    """Seats that made a kong of any kind, gold ones too, in moves as records write them."""
    return frozenset(int(move[0]) for move in moves if move[1] in "oac")


def next_dealer(rules: Rules, dealer: int, result: Mapping[str, Any], kongs: Collection[int] = ()) -> int:
    """The seat that deals the next hand (spec: tianjin section 7; jintan, last paragraph).

    The dealer stays after winning, as one of several winners too, and after 荒庄; otherwise the next seat
    deals. With `dealer_yields_to_kong` it also does after a 荒庄 in which the dealer made no kong and another
    seat did.

    Parameters
    ----------
    rules : Rules
    dealer : int
        The seat that dealt.
    result : mapping
        A record's result, of which the winners' seats count.
    kongs : collection of int
        Seats that made a kong.
    """
    won = _bits(winner["seat"] for winner in result["winners"])
    passes = deal_passes(dealer, won, _bits(kongs), rules.dealer_yields_to_kong)
    return (dealer + passes) % 4


def _bits(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in set(seats))


class Course:
    """How far a match has come: what follows from its rules, its seatings and the hands that have ended."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._players = AS_THEY_CAME
        self._seatings = 0
        self._first_dealer = 0
        self._hands = 0
        self._passes = 0
        self._totals = [0, 0, 0, 0]

    @property
    def rules(self) -> Rules:
        """The rules that it is played by."""
        return self._rules

    @property
    def players(self) -> Players:
        """The player of each seat, in the hand that is open or comes next."""
        return self._players

    @property
    def dealer(self) -> int:
        """The seat that deals the hand that is open or comes next."""
        return (self._first_dealer + self._passes) % 4

    @property
    def hands(self) -> int:
        """Hands that have ended; the number, from 0, of the one that is open or comes next."""
        return self._hands

    @property
    def circle(self) -> int:
        """The circle 圈, from 1, of the hand that is open or comes next.

        A circle ends when the deal has passed through all four seats.
        """
        return self._passes // CIRCLE + 1

    @property
    def pot(self) -> int:
        """The 锅 of four circles, from 1, of the hand that is open or comes next."""
        return self._passes // POT + 1

    @property
    def totals(self) -> tuple[int, int, int, int]:
        """Points of each player, not seat, from all hands that have ended; their sum is 0."""
        first, second, third, fourth = self._totals
        return first, second, third, fourth

    @property
    def _seating_due(self) -> bool:
        """Whether players are still to be seated: before the first hand, and by 打风 before each 锅."""
        return self._seatings < (self.pot if self._rules.seating == "winds" else 1)

    def _seat(self, players: Players) -> None:
        """Let the players sit down."""
        self._players = players
        self._seatings += 1

    def _let_deal(self, seat: int) -> None:
        """Choose who deals the first hand."""
        self._first_dealer = seat

    def _count(self, result: Mapping[str, Any], moves: Iterable[str]) -> None:
        """Count a hand that has ended: totals go to players, and the deal stays or passes.

        Parameters
        ----------
        result : mapping
            As in its record.
        moves : iterable of str
            As in its record, one by one.
        """
        for seat, points in enumerate(result["net"]):
            self._totals[self._players[seat]] += points
        self._passes += next_dealer(self._rules, self.dealer, result, kong_seats(moves)) != self.dealer
        self._hands += 1
