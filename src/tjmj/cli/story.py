"""A record told as one seat saw it: moves, what was drawn before each, and the hand that it leaves.

A story is made of the seat's own events and of the view that they add up to. So it holds nothing that the
seat was not told.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from ..events import Event
from ..record import Verdict
from ..round import Round
from ..rulesets import Rules
from ..telling import MOVES, move_numbers
from ..telling import told as told_line
from ..view import SeatView, View

_DRAWS = ("draw", "flower")
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
    events = made.events(seat, open=seat is None)
    for event, number in zip(events, move_numbers(events), strict=True):
        view.apply(event)
        if event["event"] == "deal":
            told.dealt = copy.deepcopy(view.seats)
        elif event["event"] in _DRAWS:
            drawn.append(event)
        elif event["event"] in MOVES + _ENDS:
            _add(told, event, number, drawn)
            drawn = []
    if drawn:
        told.moves.append(Move(drawn[-1]["seat"], drawn))
    return told


def _add(told: Story, event: Event, number: int | None, drawn: list[Event]) -> None:
    before = told.moves[-1] if told.moves else None
    if before is not None and _announces(before) and event["event"] in ("kong", "win"):
        # An added kong is a move when it is announced: now it is made, or robbed.
        before.robbed = event["event"] == "win"
        before.left = _left(told, before.seat)
        if number is None:
            return
    seat = event.get("seat")
    if event["event"] in _ENDS:
        told.moves.append(Move(seat, drawn, event))
        return
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
    telling = told_line(number, line)
    return Telling(None if telling.round is None else story_of(telling.round, seat), telling.verdict)
