"""What each seat is told of a round: events, masked as its view is (spec: table, "Events").

An event is a dict with the running number `n`, its name `event`, and plain JSON values; tiles are names such
as `"5W"`. docs/events.md describes each field by field. The full events come from `_windows`; here they are
put into words that JSON knows, and what a seat cannot see is left out.
"""

from __future__ import annotations

import copy
from typing import Any, Final

from .answers import score_answer, tile_names
from .tiles import NAMES

Event = dict[str, Any]

EVERYBODY = -1
"""In place of a seat: sees all, for tools."""

CHINESE: Final = {
    "deal": "发牌",
    "flip": "翻牌",
    "draw": "摸",
    "flower": "花",
    "discard": "打",
    "declare": "天听",
    "win": "胡",
    "flowers": "八花",
    "exhausted": "荒庄",
    "settle": "结算",
    "reveal": "亮牌",
}
"""Chinese name of each event that tells of no meld: for those see `elements.MELDS`."""

BACK_DRAW: Final = "补"
"""Chinese name of a draw from the back, a kong's or a flower's replacement."""

PAYMENTS: Final = {"win": "胡", "kong": "杠", "chan": "铲", "flowers": "八花", "cap": "封顶"}
"""Chinese name of why a line of the settlement is paid."""


def masked(n: int, told: Event, seat: int | None) -> Event:
    """An event as a seat sees it; None is a spectator, `EVERYBODY` sees all."""
    event = {"n": n, **_DRESSED.get(told["event"], copy.deepcopy)(told)}
    if seat != EVERYBODY and told["event"] in _MASKED:
        _MASKED[told["event"]](event, seat)
    return event


def _with_tile(told: Event) -> Event:
    return {**told, "tile": NAMES[told["tile"]]}


def _with_tiles(told: Event) -> Event:
    return {**told, "tiles": tile_names(told["tiles"])}


def _claim(told: Event) -> Event:
    return _with_tile(_with_tiles(told))


def _deal(told: Event) -> Event:
    hands = [tile_names(hand) for hand in told["hands"]]
    return {**copy.deepcopy(told), "hands": hands, "drawn": NAMES[told["drawn"]]}


def _flip(told: Event) -> Event:
    return {**_with_tile(told), "wild": tile_names(told["wild"])}


def _win(told: Event) -> Event:
    return {**_with_tile(told), "score": score_answer(told["score"])}


def _window(told: Event) -> Event:
    return {**told, "answers": {str(seat): list(words) for seat, words in told["answers"].items()}}


def _reveal(told: Event) -> Event:
    return {**copy.deepcopy(told), **{key: [tile_names(kinds) for kinds in told[key]] for key in ("hands", "kongs")}}


_DRESSED = {
    "deal": _deal,
    "flip": _flip,
    "draw": _with_tile,
    "flower": _with_tiles,
    "discard": _with_tile,
    "chow": _claim,
    "pong": _claim,
    "kong": _with_tile,
    "rob": _with_tile,
    "win": _win,
    "window": _window,
    "reveal": _reveal,
}


def _hide_hands(event: Event, seat: int | None) -> None:
    event["hands"] = [hand if own == seat else None for own, hand in enumerate(event["hands"])]
    if seat != event["dealer"]:
        event["drawn"] = None


def _hide_tile(event: Event, seat: int | None) -> None:
    if event["seat"] != seat:
        event["tile"] = None


def _hide_kong(event: Event, seat: int | None) -> None:
    if event["hidden"]:
        _hide_tile(event, seat)


def _hide_answers(event: Event, seat: int | None) -> None:
    event["answers"] = {own: words for own, words in event["answers"].items() if own == str(seat)}


_MASKED = {"deal": _hide_hands, "draw": _hide_tile, "kong": _hide_kong, "window": _hide_answers}
