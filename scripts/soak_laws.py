"""Laws that every hand of play keeps, whoever plays it; `soak.py` checks them over millions of hands."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))

import seen_table

from tjmj._deal import Deal
from tjmj.env import FEATURES, observe
from tjmj.record import Record, Verdict, dumps, verify_file
from tjmj.round import Round
from tjmj.stakes import NO_STAKES, Stakes
from tjmj.tiles import ALL_KINDS, KINDS, NAMES

ROBBED = re.compile(r"a(\w\w)(?: \dw\1)+$")
WINDOWS = ("turn", "turn", "declare", "claim", "rob")
ALL_TILES = [[4] * KINDS + [flowers] * (ALL_KINDS - KINDS) for flowers in (0, 1)]
"""Of each kind, without flowers and with them."""


class Broken(Exception):
    """A law that does not hold, and how."""

    def __init__(self, law: str, why: str) -> None:
        super().__init__(f"{law}: {why}")
        self.law = law


@dataclass
class Hand:
    """A hand that was played, and what came of it when it was played again."""

    record: Record
    payments: list[dict[str, Any]]
    """Of its settlement, line by line."""
    paid: list[int]
    """What each seat has gained or lost when the record's moves are made one by one."""
    seat: int
    """A seat that was asked when so many `moves` had been made, had so many `choices`, and was shown these bytes."""
    moves: int
    choices: int
    shown: bytes
    replayed: bytes
    """What it would be shown where the record's moves have been made one by one."""
    same_end: bool
    """Whether the whole state at the end is the same, however the hand is played again."""
    tiles: list[int]
    """How many of each kind are found at the end, wherever they lie."""


def faults_of(hands: list[Hand], closely: int) -> list[Exception | None]:
    """What is wrong with each hand, None for nothing; one of so many is also played in Python, with its whole view."""
    lines = "".join(dumps(hand.record) + "\n" for hand in hands)
    verdicts = verify_file(BytesIO(lines.encode()))
    return [
        _fault_of(hand, verdict, place % closely == 0)
        for place, (hand, verdict) in enumerate(zip(hands, verdicts, strict=True))
    ]


def _fault_of(hand: Hand, verdict: Verdict, closely: bool) -> Exception | None:
    try:
        if not verdict.ok:
            raise Broken("record", f"move {verdict.move}: {verdict.reason}")
        if not hand.same_end:
            raise Broken("replay", "the hand does not come to the same end again")
        check_tiles(hand)
        check_sums(hand)
        _same_row(hand, np.frombuffer(hand.replayed, np.uint8), "a fresh replay")
        if closely:
            check_closely(hand)
    except Exception as fault:  # whatever the package raises at a hand that it has played itself
        return fault
    return None


def check_tiles(hand: Hand) -> None:
    """Each tile is in one place: held, laid out, thrown, flipped or still in the wall."""
    if hand.tiles != ALL_TILES[len(hand.record.wall) > 4 * KINDS]:
        wrong = [f"{count} of {NAMES[kind]}" for kind, count in enumerate(hand.tiles)]
        raise Broken("tiles", f"there are {', '.join(wrong)}")


# Sums


def check_sums(hand: Hand) -> None:
    """Points are whole and sum to zero, are those that were paid, and follow from the payments one by one."""
    record = hand.record
    rules, net = record.rules, (record.result or {})["net"]
    if net != hand.paid:
        raise Broken("sums", f"the net is {net}, and {hand.paid} was paid when the hand was played again")
    if not all(type(points) is int for points in net) or sum(net):
        raise Broken("sums", f"the net is {net}")
    if rules.cap is not None and max(map(abs, net)) > rules.cap:
        raise Broken("sums", f"the net is {net}, and the cap {rules.cap}")
    paid, capped = [0] * 4, [0] * 4
    for line in hand.payments:
        if line["why"] == "cap":
            capped[line["seat"]] += line["points"]
            continue
        wanted = line["units"] * factor(record, line) * (rules.base if rules.counting == "fan" else 1)
        if line["from"] == line["to"] or line["points"] != wanted or wanted <= 0:
            raise Broken("sums", f"the payment {line} should be of {wanted} points")
        paid[line["from"]] -= wanted
        paid[line["to"]] += wanted
    if any(capped) and (rules.cap is None or max(map(abs, paid)) <= rules.cap):
        raise Broken("sums", f"capped {capped} where {paid} was paid")
    if [own + change for own, change in zip(paid, capped)] != net:
        raise Broken("sums", f"payments sum to {paid}, the cap changes {capped}, and the net is {net}")


def factor(record: Record, line: dict[str, Any]) -> int:
    """What the stakes multiply between two seats (spec: tianjin section 6); a robbed kong is paid threefold."""
    if record.rules.counting != "fan":
        return 3 if ROBBED.search(record.moves or "") else 1
    if record.stakes is None or record.dealer not in (line["from"], line["to"]):
        return 1
    seat = line["from"] + line["to"] - record.dealer
    return 1 << record.stakes.sit + record.stakes.pull[seat] + record.stakes.kick[seat]


# The view


def _same_row(hand: Hand, other: NDArray[np.uint8], source: str) -> None:
    shown = np.frombuffer(hand.shown, np.uint8)
    for place in np.flatnonzero(shown != other):
        name = max((at, name) for name, (at, _) in FEATURES.items() if at <= place)[1]
        raise Broken("view", f"byte {place}, {name}, is {shown[place]}, and {other[place]} by {source}")


def check_closely(hand: Hand) -> None:
    """The seat is shown the same by a `Round`, whose view and events are looked at; its end is the same too."""
    game, moves = dealt(hand.record), (hand.record.moves or "").split()
    game.replay(moves[: hand.moves])
    window = WINDOWS[hand.shown[FEATURES["window"][0]]]
    while game.window in ("declare", "claim", "rob") and (game.window != window or hand.seat not in game.pending):
        game.replay((), game.turn + 1)  # a record does not write that nobody wanted it
    answers = len(game.pending.get(hand.seat, ()))
    if answers != hand.choices:
        raise Broken("view", f"seat {hand.seat} has {answers} answers after {hand.moves} moves, not {hand.choices}")
    _same_row(hand, observe(game, hand.seat), "a round")
    _same_row(hand, np.array(seen_table.row_of(game, hand.seat)), "a round's view and events")
    game.replay(moves[hand.moves :])
    game.finish()
    if (game.result, game.settlement) != (hand.record.result, hand.payments):
        raise Broken("replay", f"a round ends with {game.result} and {game.settlement}")


def dealt(record: Record) -> Round:
    """The record's hand as a new round, its stakes chosen."""
    game = Round(record.rules, record.dealer, deal=Deal(*record.dice, record.wall))
    game.resume(record.stakes or NO_STAKES, len(Stakes._fields), (), -1)
    return game
