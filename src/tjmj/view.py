"""What a seat knows of a round: the sum of the events that it was told (spec: table, "Views")."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from .events import Event
from .notebook import picture
from .tiles import NAMES

_PLACE = {name: kind for kind, name in enumerate(NAMES)}


@dataclass
class SeatView:
    """One seat as the viewer sees it; tiles are names.

    Attributes
    ----------
    concealed : int
        How many concealed tiles it holds.
    hand : list of str, or None
        Those tiles in canonical order, the drawn one among them; None where they cannot be seen.
    drawn : str or None
        The tile just drawn, where it can be seen.
    melds : list of dict
        `type`, `tiles`, `claimed` (the tile that was taken) and `from` (the seat it came from), both None
        where nothing was taken, and `gold` for 金杠. Tiles of a concealed kong that the viewer may not see
        are None.
    discards : list of dict
        In order: `tile`, `claimed` (the seat that took it, or None), `wild` (to be drawn dimmed).
    lost : bool
        小相公.
    ready : bool
        天听.
    flowers : list of str
        Laid out.
    """

    concealed: int = 0
    hand: list[str] | None = None
    drawn: str | None = None
    melds: list[dict[str, Any]] = field(default_factory=list)
    discards: list[dict[str, Any]] = field(default_factory=list)
    lost: bool = False
    ready: bool = False
    flowers: list[str] = field(default_factory=list)


@dataclass
class View:
    """What a seat, a spectator or a tool sees; made by `Round.view`, or by a client that applies events.

    Attributes
    ----------
    seat : int or None
        Whose view it is; None for a spectator's.
    rules : dict
        As a record writes them.
    dealer : int
    stakes : dict
        `sit`, `pull`, `kick`, each None until its window has closed.
    window : dict or None
        `window` (its name), `turn`, and `seat`, whose turn or discard it is; None once the round is over.
    answers : list of str, or None
        The viewer's own legal answers; None where it is not asked.
    dice : dict or None
        `open` and `flip`, as in a record; None before the deal.
    break_ : dict or None
        Where the wall was opened: `seat` whose wall, and how many `stacks` were counted from its right.
    flip : str or None
    wild : list of str
    seats : list of SeatView
    front_left : int or None
        Tiles left before the flipped one; without one all that is left.
    back_left : int or None
        Tiles left behind it; without one the same.
    wins : list of dict
        Each with `seat`, `tile`, `from` (the seat whose tile it took, or None), `robbed` and `score`; for 八花
        the winner as in a record.
    payments : list of dict, or None
        The settlement line by line; see `Round.settlement`.
    result : dict or None
        As in a record.
    next : int
        Number of the next event.
    """

    seat: int | None
    rules: dict[str, Any]
    dealer: int
    stakes: dict[str, Any] = field(default_factory=lambda: {"sit": None, "pull": None, "kick": None})
    window: dict[str, Any] | None = None
    answers: list[str] | None = None
    dice: dict[str, Any] | None = None
    break_: dict[str, int] | None = None
    flip: str | None = None
    wild: list[str] = field(default_factory=list)
    seats: list[SeatView] = field(default_factory=lambda: [SeatView() for _ in range(4)])
    front_left: int | None = None
    back_left: int | None = None
    wins: list[dict[str, Any]] = field(default_factory=list)
    payments: list[dict[str, Any]] | None = None
    result: dict[str, Any] | None = None
    next: int = 0

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; docs/views.md describes them field by field."""
        told = asdict(self)
        told["break"] = told.pop("break_")
        return told

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> View:
        """The view that `to_json` gave, for a client that goes on with events."""
        told = copy.deepcopy(told)
        told["break_"] = told.pop("break")
        told["seats"] = [SeatView(**seat) for seat in told["seats"]]
        return cls(**told)

    def _repr_svg_(self) -> str:
        return picture("view", self)

    def apply(self, event: Event) -> None:
        """Take in the next event of this viewer's stream.

        Raises
        ------
        ValueError
            For an event that is not the next one.
        """
        if event["n"] != self.next:
            raise ValueError(f"event {event['n']} where {self.next} is the next")
        _APPLY[event["event"]](self, event)
        self.next += 1


def _stakes(view: View, event: Event) -> None:
    view.stakes = {key: event[key] for key in ("sit", "pull", "kick")}


def _window(view: View, event: Event) -> None:
    view.window = {key: event[key] for key in ("window", "turn", "seat")}
    own = event["answers"]
    view.answers = None if view.seat is None else own.get(str(view.seat))


def _deal(view: View, event: Event) -> None:
    view.dice, view.break_ = event["dice"], event["break"]
    for seat, hand in enumerate(event["hands"]):
        view.seats[seat].hand = None if hand is None else list(hand)
        view.seats[seat].concealed = 14 if seat == view.dealer else 13
    view.seats[view.dealer].drawn = event["drawn"]
    _left(view, event)


def _left(view: View, event: Event) -> None:
    view.front_left, view.back_left = event["front_left"], event["back_left"]


def _flip(view: View, event: Event) -> None:
    view.flip, view.wild = event["tile"], list(event["wild"])


def _draw(view: View, event: Event) -> None:
    seat = view.seats[event["seat"]]
    seat.concealed += 1
    seat.drawn = event["tile"]
    if seat.hand is not None:
        seat.hand = sorted([*seat.hand, event["tile"]], key=_PLACE.__getitem__)
    _left(view, event)


def _lose(seat: SeatView, tile: str | None) -> None:
    seat.concealed -= 1
    seat.drawn = None
    if seat.hand is not None and tile is not None:
        seat.hand.remove(tile)


def _discard(view: View, event: Event) -> None:
    seat, tile = view.seats[event["seat"]], event["tile"]
    wild = tile in view.wild
    _lose(seat, tile)
    seat.discards.append({"tile": tile, "claimed": None, "wild": wild})
    seat.lost = seat.lost or wild


def _flower(view: View, event: Event) -> None:
    seat = view.seats[event["seat"]]
    for tile in event["tiles"]:
        _lose(seat, tile)
    seat.flowers += event["tiles"]


def _claim(view: View, event: Event) -> None:
    own = list(event["tiles"])
    own.remove(event["tile"])
    _lay_out(view, event, event["event"], event["tiles"], own, False)


def _lay_out(
    view: View, event: Event, kind: str, tiles: list[str | None], own: list[str | None], gold: bool
) -> None:
    """A new meld; `own` are those of its tiles that come from the hand."""
    seat, giver = view.seats[event["seat"]], event["from"]
    for tile in own:
        _lose(seat, tile)
    if giver is not None:
        view.seats[giver].discards[-1]["claimed"] = event["seat"]
    claimed = None if giver is None else event["tile"]
    seat.melds.append({"type": kind, "tiles": list(tiles), "claimed": claimed, "from": giver, "gold": gold})


def _kong(view: View, event: Event) -> None:
    tile = event["tile"]
    if event["kind"] != "added":
        own = [tile] * (3 if event["kind"] == "exposed" else 4)
        _lay_out(view, event, event["kind"], [tile] * 4, own, event["gold"])
        return
    seat = view.seats[event["seat"]]
    _lose(seat, tile)
    pong = next(meld for meld in seat.melds if meld["type"] == "pong" and meld["claimed"] == tile)
    pong.update(type="added", tiles=[tile] * 4)


def _rob(view: View, event: Event) -> None:
    """The kong is only announced: the tile is still in the hand until it is made or robbed."""


def _declare(view: View, event: Event) -> None:
    view.seats[event["seat"]].ready = True


def _win(view: View, event: Event) -> None:
    if event["robbed"] and not view.wins:
        _lose(view.seats[event["from"]], event["tile"])
    view.wins.append({key: event[key] for key in ("seat", "tile", "from", "robbed", "score")})


def _flowers(view: View, event: Event) -> None:
    view.wins.append({key: event[key] for key in ("seat", "elements", "fan", "flowers", "points")})


def _exhausted(view: View, event: Event) -> None:
    """The result says so."""


def _settle(view: View, event: Event) -> None:
    view.payments = event["payments"]
    view.window = view.answers = None


def _reveal(view: View, event: Event) -> None:
    for seat, hand, kongs in zip(view.seats, event["hands"], event["kongs"], strict=True):
        seat.hand = list(hand)
        concealed = [meld for meld in seat.melds if meld["type"] == "concealed"]
        for meld, tile in zip(concealed, kongs, strict=True):
            meld["tiles"] = [tile] * 4
    view.result = event["result"]


_APPLY: dict[str, Callable[[View, Event], None]] = {
    "stakes": _stakes,
    "window": _window,
    "deal": _deal,
    "flip": _flip,
    "draw": _draw,
    "flower": _flower,
    "discard": _discard,
    "chow": _claim,
    "pong": _claim,
    "kong": _kong,
    "rob": _rob,
    "declare": _declare,
    "win": _win,
    "flowers": _flowers,
    "exhausted": _exhausted,
    "settle": _settle,
    "reveal": _reveal,
}
