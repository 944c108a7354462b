"""A record told as one seat saw it: moves, what was drawn before each, and the hand that it leaves.

A story is made of the seat's own events and of the view that they add up to. So it holds nothing that the
seat was not told.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from io import BytesIO

import msgspec

from ..errors import TjmjError
from ..events import Event
from ..json_lines import decode
from ..record import Record, Verdict, header_of, verify_file
from ..round import Round, replayed
from ..rulesets import Rules
from ..view import SeatView, View

_DRAWS = ("draw", "flower")
_MOVES = ("discard", "chow", "pong", "kong", "rob", "declare", "win")
_ENDS = ("flowers", "exhausted")


@dataclass
class Move:
    """A move of a hand, or an end that follows without one.

    Attributes
    ----------
    seat : int or None
        None where nobody won.
    drawn : list of Event
        What the seat drew and laid out before it.
    event : Event or None
        None for what was drawn last, where the hand goes on.
    number : int or None
        The move's number in the record; None where it is not a move.
    left : SeatView or None
        What the move leaves the seat; None behind a win and an end.
    robbed : bool
        The kong was robbed.
    """

    seat: int | None
    drawn: list[Event]
    event: Event | None = None
    number: int | None = None
    left: SeatView | None = None
    robbed: bool = False


@dataclass
class Story:
    """All that a viewer is told of a hand.

    Attributes
    ----------
    rules : Rules
    names : tuple of four str, or None
    view : View
        As it is at the end.
    dealt : list of SeatView
        As they were dealt; empty where nothing was.
    moves : list of Move
    round : Round
        The hand itself: what is taken from it has to be in the view.
    """

    rules: Rules
    names: tuple[str, ...] | None
    view: View
    round: Round
    dealt: list[SeatView] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)


def story_of(made: Round, seat: int | None) -> Story:
    """What a seat saw of a round; None tells all of it."""
    view = View(seat, made.rules.to_json(), made.dealer)
    told = Story(made.rules, made.names, view, made)
    drawn: list[Event] = []
    for event in made.events(seat, open=seat is None):
        view.apply(event)
        if event["event"] == "deal":
            told.dealt = copy.deepcopy(view.seats)
        elif event["event"] in _DRAWS:
            drawn.append(event)
        elif event["event"] in _MOVES + _ENDS:
            _add(told, event, drawn)
            drawn = []
    if drawn:
        told.moves.append(Move(drawn[-1]["seat"], drawn))
    return told


def _add(told: Story, event: Event, drawn: list[Event]) -> None:
    before = told.moves[-1] if told.moves else None
    if before is not None and _announces(before) and event["event"] in ("kong", "win"):
        # An added kong is a move when it is announced: now it is made, or robbed.
        before.robbed = event["event"] == "win"
        before.left = _left(told, before.seat)
        if not before.robbed:
            return
    seat = event.get("seat")
    if event["event"] in _ENDS:
        told.moves.append(Move(seat, drawn, event))
        return
    number = 1 + sum(move.number is not None for move in told.moves)
    left = None if event["event"] == "win" else _left(told, seat)
    told.moves.append(Move(seat, drawn, event, number, left))


def _announces(move: Move) -> bool:
    return move.event is not None and move.event["event"] == "rob"


def _left(told: Story, seat: int | None) -> SeatView | None:
    return None if seat is None else copy.deepcopy(told.view.seats[seat])


@dataclass(frozen=True)
class Telling:
    """A line of a file: its story as far as it can be told, and whether the line is right."""

    story: Story | None
    verdict: Verdict


def told(number: int, line: bytes, seat: int | None) -> Telling:
    """Verify a line of a file and tell what happened, up to the first move that is wrong."""
    verdict = msgspec.structs.replace(next(verify_file(BytesIO(line))), line=number)
    try:
        record, _ = header_of(decode(line))
    except TjmjError:
        return Telling(None, verdict)
    return Telling(story_of(_played(record, verdict.move), seat), verdict)


def _played(record: Record, wrong: int | None) -> Round:
    """The hand before the move that is wrong, on the wall that is written: a seed may give another one."""
    if wrong is not None:
        moves = [move for move in (record.moves or "").split(" ") if move]
        record = msgspec.structs.replace(record, moves=" ".join(moves[: wrong - 1]))
    return replayed(msgspec.structs.replace(record, seed=None)).round
