"""What a row of `tjmj.env.Tables` must hold, worked out from nothing but a seat's own view and events."""

from __future__ import annotations

from typing import Any

from tjmj.round import Round
from tjmj.tiles import NAMES

KIND = {name: kind for kind, name in enumerate(NAMES)}
WINDOWS = {"turn": 0, "declare": 2, "claim": 3, "rob": 4}
KONGS = {"pong": 1, "exposed": 2, "added": 3, "concealed": 4}


def row_of(game: Round, seat: int) -> list[int]:
    """The 464 numbers, in the order of docs/tables.md."""
    view = game.view(seat)
    events = game.events(seat)
    assert view.window is not None
    window, whose = view.window["window"], view.window["seat"]
    turned = [(seat + offset) % 4 for offset in range(4)]
    own = view.seats[seat]
    drawn = None if own.drawn is None else KIND[own.drawn]
    tile = drawn if window == "turn" else KIND[claimed_tile(events, window)]
    number = WINDOWS[window] if window != "turn" or drawn is not None else 1
    sit, pull, kick = (view.stakes[key] for key in ("sit", "pull", "kick"))
    factors = [
        1 if other == view.dealer else 2 ** ((sit or 0) + (pull or [0] * 4)[other] + (kick or [0] * 4)[other])
        for other in range(4)
    ]
    hidden = view.rules["name"] == "jintan"
    row = counts([KIND[name] for name in own.hand or []], 42)
    row += [number, none(tile), (whose - seat) % 4, (view.dealer - seat) % 4]
    row += [none(None if view.flip is None else KIND[view.flip]), view.front_left, view.back_left]  # type: ignore[list-item]
    row += [int(window == "turn" and kong_draw(events)), *(locks(events, seat) if hidden else (255, 0))]
    row += [view.seats[other].concealed for other in turned]
    row += [int(view.seats[other].lost) for other in turned]
    row += [int(view.seats[other].ready) for other in turned]
    row += [sum(1 << KIND[name] - 34 for name in view.seats[other].flowers) for other in turned]
    row += [factors[other] for other in turned]
    row += [
        sum(meld["type"] == "concealed" for meld in view.seats[other].melds) * hidden for other in turned
    ]
    for other in turned:
        row += block(view.seats[other], tile if window == "rob" and other == whose else None)
    return row


def counts(kinds: list[int], many: int) -> list[int]:
    return [kinds.count(kind) for kind in range(many)]


def none(kind: int | None) -> int:
    return 255 if kind is None else kind


def claimed_tile(events: list[dict[str, Any]], window: str) -> str:
    """The tile on the table: thrown, or added to a pong."""
    name = "rob" if window == "rob" else "discard"
    return next(event["tile"] for event in reversed(events) if event["event"] == name)


def kong_draw(events: list[dict[str, Any]]) -> bool:
    """Whether the last draw is a kong's replacement, no flower's."""
    draws = flowers = 0
    for event in reversed(events):
        if event["event"] == "draw":
            draws += not flowers  # those behind the last flowers that were laid out
        elif event["event"] == "flower":
            flowers = flowers or len(event["tiles"])
        elif event["event"] == "kong":
            return draws == flowers + 1  # a first claim's flowers are replaced before the kong's own tile is drawn
        elif event["event"] not in ("window", "declare"):
            break
    return False


def locks(events: list[dict[str, Any]], seat: int) -> tuple[int, int]:
    """The kind that a seat threw last, and whether it has let a win pass (jintan, "Winning")."""
    thrown, passed, melds, claimed, offered = 255, 0, 0, False, False
    for event in events:
        name = event["event"]
        if name not in ("window", "declare"):
            passed |= offered and name != "win"
            offered = False
        if name == "window" and event["window"] == "claim":
            offered = any(answer[0] == "w" for answer in event["answers"].get(str(seat), ()))
        if event.get("seat") != seat:
            continue
        if name in ("draw", "pong", "chow", "kong"):
            thrown, passed = 255, 0
        if name in ("pong", "chow", "kong") and event.get("kind") != "added":
            melds += 1
        if name in ("pong", "chow"):
            claimed = True
        elif name == "kong" or (name == "draw" and event["from"] == "front"):
            claimed = False
        if name == "discard":
            thrown = 255 if claimed and melds == 4 else KIND[event["tile"]]
    return thrown, int(passed)


def block(seat: Any, announced: int | None) -> list[int]:
    """What lies before a seat; `announced` is the kind of a kong that may still be robbed."""
    triples, chows = [0] * 34, [0] * 21
    for meld in seat.melds:
        if meld["tiles"][0] is None:
            continue
        kind = KIND[meld["tiles"][0]]
        if meld["type"] == "chow":
            chows[kind // 9 * 7 + kind % 9] += 1
        else:
            triples[kind] = 3 if kind == announced else KONGS[meld["type"]]
    return counts([KIND[thrown["tile"]] for thrown in seat.discards], 42) + triples + chows
