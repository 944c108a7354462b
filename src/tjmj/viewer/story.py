"""What the page is told: each hand's own events, and beside them what its script would have to know rules for.

Events are those of `Round.events(open=True)`. Two fields are left out: `n`, which is an event's place in the
list, and a window's `answers`, since the page shows what was played. An event is written as a list: the number
of its shape, which is a list of keys, and the values of these keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..elements import CHINESE as ELEMENTS
from ..elements import DOUBLES, FLOWER_FAN, GROUPS, MELDS, SHAPE_FAN
from ..events import PAYMENTS, Event
from ..record import Record, Verdict
from ..round import Round
from ..rulesets import Rules
from ..seating import AS_THEY_CAME, Players
from ..telling import Telling, move_numbers, told
from ..tiles import CHINESE as TILES
from ..tiles import ENGLISH, NAMES
from ..view import View

_LEFT_OUT = ("n", "answers")

TERMS = {"elements": ELEMENTS, "groups": GROUPS, "melds": MELDS, "payments": PAYMENTS}
"""Chinese names."""


def story(
    lines: Iterable[tuple[int, bytes]], on_fault: Callable[[Verdict], object] | None = None
) -> dict[str, Any]:
    """All that the page shows, as plain JSON values.

    Parameters
    ----------
    lines : iterable of (int, bytes)
        Lines of a file with their numbers.
    on_fault : callable, optional
        Called with the verdict on each record that is wrong.
    """
    shapes = Shapes()
    totals = [0, 0, 0, 0]
    hands = []
    for number, line in lines:
        telling = told(number, line)
        if not telling.verdict.ok and on_fault is not None:
            on_fault(telling.verdict)
        hands.append(_hand(telling, shapes, totals))
    return {
        "tiles": NAMES,
        "names": {"en": ENGLISH, "zh": TILES},
        "terms": TERMS,
        "shapes": shapes.keys,
        "hands": hands,
    }


class Shapes:
    """The lists of keys that events have, each told once.

    Attributes
    ----------
    keys : list of list of str
    """

    def __init__(self) -> None:
        self.keys: list[list[str]] = []
        self._numbers: dict[tuple[str, ...], int] = {}

    def written(self, event: Event) -> list[Any]:
        """An event as a list: the number of its shape, then its values."""
        keys = tuple(key for key in event if key not in _LEFT_OUT)
        if keys not in self._numbers:
            self._numbers[keys] = len(self.keys)
            self.keys.append(list(keys))
        return [self._numbers[keys], *(event[key] for key in keys)]


def _hand(telling: Telling, shapes: Shapes, totals: list[int]) -> dict[str, Any]:
    """A hand; `totals` are counted on by what each player gains, if the record is right."""
    record, made, verdict = telling
    hand: dict[str, Any] = {"line": verdict.line, "fault": None if verdict.ok else _fault(verdict), "events": []}
    players = AS_THEY_CAME if record is None else _players(record)
    if record is not None and made is not None:
        hand |= _played(record, made, shapes)
        if verdict.ok and made.result is not None:
            for seat, points in enumerate(made.result["net"]):
                totals[players[seat]] += points
    return hand | {"players": players, "totals": list(totals)}


def _fault(verdict: Verdict) -> dict[str, Any]:
    return {"move": verdict.move, "reason": verdict.reason}


def _players(record: Record) -> Players:
    """Who sits where, numbered as a match numbers its players; other programs' records need not say it."""
    match = record.extra.get("match")
    players = match.get("players") if type(match) is dict else None
    if type(players) is not list or len(players) != 4 or not all(type(player) is int for player in players):
        return AS_THEY_CAME
    return tuple(players) if sorted(players) == [0, 1, 2, 3] else AS_THEY_CAME


def _played(record: Record, made: Round, shapes: Shapes) -> dict[str, Any]:
    events = made.events(open=True)
    rules = made.rules
    return {
        "rules": rules.to_json(),
        "names": record.names,
        "dealer": made.dealer,
        "wall": len(record.wall),
        "counts": rules.counting,
        "base": rules.base if rules.counting == "fan" else 1,
        "events": [shapes.written(event) for event in events],
        "moves": [place for place, number in enumerate(move_numbers(events)) if number is not None],
        **_marks(made, events),
        "wins": [_win(made, win["seat"]) for win in events if win["event"] == "win"],
    }


def _marks(made: Round, events: Iterable[Event]) -> dict[str, list[int]]:
    """Events that throw a wildcard, and those by which a seat loses the right to win 小相公."""
    view = View(None, {}, made.dealer)
    wild, lost = [], []
    for event in events:
        before = [seat.lost for seat in view.seats]
        view.apply(event)
        if event["event"] == "discard" and view.seats[event["seat"]].discards[-1]["wild"]:
            wild.append(event["n"])
        if [seat.lost for seat in view.seats] != before:
            lost.append(event["n"])
    return {"wild": wild, "lost": lost}


def _win(made: Round, seat: int) -> dict[str, Any]:
    """What a win is worth, beside what its event says."""
    score = made.play_of.score(seat)
    elements = [[key, _worth(key, made.rules)] for key in ELEMENTS if key in score.elements]
    return {"seat": seat, "formula": score.formula, "elements": elements, "kongs": score.kong_value}


def _worth(key: str, rules: Rules) -> str:
    """What an element counts: fan that are added, or a factor."""
    if rules.counting == "flowers":
        return str(FLOWER_FAN.get(key, ""))
    if key in DOUBLES:
        return "×2"
    if key in ("tianhu", "dihu"):
        return f"{'+' if rules.heavenly_mode == 'plus' else '×'}{rules.heavenly_factor}"
    return str(SHAPE_FAN.get(key, 1))
