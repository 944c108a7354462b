"""Matches for tests: hands whose answers depend on the hand alone, and records of arranged hands."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from typing import Any

import rounds

import tjmj
from tjmj.match import Match
from tjmj.record import Record
from tjmj.round import Round

NAMES = ("甲", "乙", "丙", "丁")
SECRET = bytes(range(100, 132))
LIVELY: dict[str, Any] = {"min_fan": 1, "wild_kinds": 3, "flower_wilds": True}
"""Options by which half of the hands that are played at random are won."""


def answer(match: Match) -> None:
    """One answer to the open hand, always the same in the same place."""
    made = match.round
    assert made is not None
    rng = random.Random(f"{match.hands} {made.turn} {len(made.given)}")
    made.play(*rounds.any_answer(rng, made, patience=0.1))


def play_on(match: Match) -> Record:
    """Play the open hand to its end, or the next one."""
    if match.round is None:
        match.start_hand()
    while not match.round.over:
        answer(match)
    return match.finish_hand()


def play_hands(match: Match, hands: int) -> list[Record]:
    """Play until so many hands have ended, or the match has."""
    return [play_on(match) for _ in range(match.hands, hands) if not match.ended]


def read_file(path: str) -> bytes:
    """What is in a file."""
    with open(path, "rb") as file:
        return file.read()


def write_file(path: str, lines: Iterable[bytes]) -> None:
    """Lines and nothing else in a file."""
    with open(path, "wb") as file:
        file.writelines(lines)


# Hands arranged tile by tile to end in one way

WON = "123456789W1T222B"
"""A dragon 龙 that wants the other 1T for its pair."""
FOURS = ("1111B", "9999T", "5555W", "3333J")


def _arranged(dealer: int, rules: tjmj.Rules, *hands: str, front: str = "") -> Round:
    """A round dealt so, the dealer's hand first, with nothing staked."""
    by_seat = [hands[(seat - dealer) % 4] for seat in range(4)]
    return rounds.arranged(*by_seat, front=front, dealer=dealer, rules=rules.name, **rules.changed())


def won_by_dealer(dealer: int, rules: tjmj.Rules) -> Record:
    """天和: the dealer wins on what it is dealt."""
    made = _arranged(dealer, rules, WON + "1T", "", "", "")
    made.replay([f"{dealer}h"])
    return made.record()


def won_by_next(dealer: int, rules: tjmj.Rules) -> Record:
    """The next seat wins on its first draw."""
    made = _arranged(dealer, rules, "9T", WON, "", "", front="1T")
    made.replay([f"{dealer}d9T", f"{(dealer + 1) % 4}h"])
    return made.record()


def exhausted(dealer: int, rules: tjmj.Rules, kongs: Collection[int] = ()) -> Record:
    """荒庄, after concealed kongs of some seats, counted from the dealer."""
    made = _arranged(dealer, rules, *(FOURS[place] if place in kongs else "" for place in range(4)))
    while not made.over:
        seat = min(made.pending)
        declared = [word for word in made.pending[seat] if word[0] == "c"]
        made.play(seat, declared[0] if declared else made.default(seat))
    return made.record()
