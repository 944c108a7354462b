"""What a seat sees of the table, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..elements import CHINESE as ELEMENT
from ..limits import of_type
from ..tiles import NAMES
from ..view import SeatView, View
from .canvas import ALARM, BRIGHT, DIM, GOLD, PALE, Canvas, Words, tile_height

_SIDE = 760
_MIDDLE = _SIDE / 2
_HAND, _DISCARD, _FLOWER = 34, 27, 20  # widths of tiles
_CENTRE = 106  # from the middle to the edges of the field in it
_IN_ROW = 8  # discards
_PLACE = {name: kind for kind, name in enumerate(NAMES)}


def view(view: View) -> str:
    """A table as a seat sees it, itself below and the next seat to its right; a spectator sees seat 0 below.

    In the middle stand the flipped tile, what is wild, what is left of the wall, and by each seat whether it
    deals 庄, has lost 小相公 or has declared 天听; the arrow points to the seat whose turn or discard it is. Tiles
    that the viewer does not see are shown from behind, discards that were claimed are gone from the row, and
    wildcards among them are dimmed. Of melds the claimed tile lies on the side of the seat it came from.

    Returns
    -------
    str
        An SVG that stands alone.
    """
    of_type(view, View)
    canvas = Canvas((_SIDE, _SIDE))
    below = view.seat or 0
    for place in range(4):
        seat = (below + place) % 4
        with canvas.turned(-90 * place, _MIDDLE, _MIDDLE):
            _put_hand(canvas, view, seat)
            _put_discards(canvas, view, seat)
    _put_centre(canvas, view, below)
    return canvas.svg(_label(view))


def _put_hand(canvas: Canvas, view: View, seat: int) -> None:
    """Concealed tiles, the drawn one apart, and melds: in a row along the edge; flowers above it."""
    told = view.seats[seat]
    tiles = _concealed(told)
    melds = [_turned(meld, seat) for meld in told.melds]
    width = len(tiles) * (_HAND + 1) + (8 if told.drawn else 0) + sum(12 + _meld_width(meld) for meld in melds)
    x, y = _MIDDLE - width / 2, _SIDE - 14 - tile_height(_HAND)
    for place, tile in enumerate(tiles):
        if told.drawn and place == len(tiles) - 1:
            x += 8
        _put(canvas, view, tile, x, y, _HAND)
        x += _HAND + 1
    for meld in melds:
        x += 12
        for tile, on_side in meld:
            x = _put_meld_tile(canvas, view, tile, on_side, x, y)
    x = _MIDDLE - len(told.flowers) * (_FLOWER + 1) / 2
    for tile in told.flowers:
        _put(canvas, view, tile, x, y - 8 - tile_height(_FLOWER), _FLOWER)
        x += _FLOWER + 1


def _concealed(told: SeatView) -> list[str | None]:
    """Tiles in the hand, the drawn one last; None those from behind."""
    if told.hand is None:
        return [None] * told.concealed
    tiles: list[str | None] = list(told.hand)
    if told.drawn is not None:
        tiles.remove(told.drawn)
        tiles.append(told.drawn)
    return tiles


Laid = tuple[str | None, bool]
"""A tile of a meld, and whether it lies on its side."""


def _turned(meld: dict[str, Any], seat: int) -> list[Laid]:
    """The tiles of a meld from left to right; the claimed one on its side, where the seat is that it came from."""
    tiles: list[str | None] = list(meld["tiles"])
    if meld["type"] == "concealed":
        return [(None, False), (tiles[1], False), (tiles[2], False), (None, False)]
    tiles.remove(meld["claimed"])
    laid = [(tile, False) for tile in tiles]
    place = {3: 0, 2: 1, 1: len(laid)}[(meld["from"] - seat) % 4]
    laid.insert(place, (meld["claimed"], True))
    return laid


def _meld_width(meld: Sequence[Laid]) -> float:
    return sum((tile_height(_HAND) if on_side else _HAND) + 1 for _, on_side in meld)


def _put_meld_tile(canvas: Canvas, view: View, tile: str | None, on_side: bool, x: float, y: float) -> float:
    """A tile of a meld; returns where the next one stands."""
    if not on_side:
        _put(canvas, view, tile, x, y, _HAND)
        return x + _HAND + 1
    height = tile_height(_HAND)
    with canvas.turned(-90, x, y + height):
        _put(canvas, view, tile, x, y + height, _HAND)
    return x + height + 1


def _put_discards(canvas: Canvas, view: View, seat: int) -> None:
    """What a seat has thrown and nobody has taken, in rows toward it; the last one at the table has a ring."""
    lying = [discard for discard in view.seats[seat].discards if discard["claimed"] is None]
    window = view.window or {}
    fresh = window.get("seat") == seat and window["window"] in ("claim", "declare")
    step = tile_height(_DISCARD) + 2
    for place, discard in enumerate(lying):
        row, column = divmod(place, _IN_ROW)
        x = _MIDDLE - _IN_ROW * (_DISCARD + 1) / 2 + column * (_DISCARD + 1)
        y = _MIDDLE + _CENTRE + 12 + row * step
        _put(canvas, view, discard["tile"], x, y, _DISCARD, dim=discard["wild"])
        if fresh and place == len(lying) - 1:
            canvas.ring(x, y, _DISCARD)


def _put(canvas: Canvas, view: View, tile: str | None, x: float, y: float, width: float, dim: bool = False) -> None:
    canvas.tile(None if tile is None else _PLACE[tile], x, y, width, wild=tile in view.wild, dim=dim)


# The field in the middle


def _put_centre(canvas: Canvas, view: View, below: int) -> None:
    left = top = _MIDDLE - _CENTRE
    canvas.panel(left, top, 2 * _CENTRE, 2 * _CENTRE, 12)
    for place in range(4):
        seat = (below + place) % 4
        _put_seat(canvas, view, seat, place)
    if view.flip is not None:
        _put_flip(canvas, view)
    lines = _wall(view)
    y = _MIDDLE + (32 if view.flip is not None else 14 - 9 * len(lines))
    for line, words in enumerate(lines):
        canvas.write(_MIDDLE, y + 18 * line, words, anchor="middle")


def _put_seat(canvas: Canvas, view: View, seat: int, place: int) -> None:
    """A seat's number and what is said of it, at its edge of the field."""
    told = view.seats[seat]
    words = [Words(f"{seat}", BRIGHT, 14, True)]
    if seat == view.dealer:
        words.append(Words("庄", GOLD, 14, True, 5))
    if told.lost:
        words.append(Words("小相公", ALARM, 12, gap=5))
    if told.ready:
        words.append(Words("天听", GOLD, 12, gap=5))
    if view.result is not None:
        words.append(Words(_signed(view.result["net"][seat]), GOLD, 14, True, 5))
    with canvas.turned(-90 * place if place != 2 else 0, _MIDDLE, _MIDDLE):
        y = _MIDDLE + (_CENTRE - 12 if place != 2 else -_CENTRE + 20)
        canvas.write(_MIDDLE, y, *words, anchor="middle")
    if view.window is not None and view.window["seat"] == seat:
        with canvas.turned(-90 * place, _MIDDLE, _MIDDLE):
            x, y = _MIDDLE, _MIDDLE + _CENTRE + 9
            canvas.add(f'<path d="M{x - 8:g} {y - 8:g}h16l-8 8z" fill="{GOLD}"/>')


def _signed(points: int) -> str:
    return f"{points:+,}" if points else "0"


def _put_flip(canvas: Canvas, view: View) -> None:
    """The flipped tile and the wild kinds."""
    kinds = [tile for tile in view.wild if tile[1] != "H"]
    width = (len(kinds) + 1) * 27 + 34
    x, y = _MIDDLE - width / 2, _MIDDLE - 42
    canvas.write(x + 12, y - 6, Words("翻", DIM, 12), anchor="middle")
    _put(canvas, view, view.flip, x, y, 25)
    x += 34
    canvas.write(x, y - 6, Words("混", DIM, 12))
    for tile in kinds:
        _put(canvas, view, tile, x, y, 25)
        x += 27


def _wall(view: View) -> list[Words]:
    """What is left of the wall, or how the hand ended."""
    if view.result is None:
        if view.front_left is None:
            return []
        left = f"{view.front_left}" if view.flip is None else f"{view.front_left} + {view.back_left}"
        return [Words(f"剩 left {left}", PALE, 13)]
    if not view.wins:
        return [Words("荒庄 nobody won", BRIGHT, 14, True)]
    return [words for win in view.wins for words in _win(win)]


def _win(win: dict[str, Any]) -> list[Words]:
    """Who won, with what, and how much it was."""
    score = win.get("score", win)
    name = score.get("name") or "".join(ELEMENT[key] for key in score["elements"])
    return [Words(f"{win['seat']} 和 {score['fan']} 番", GOLD, 13, True), Words(name, BRIGHT, 13, True)]


def _label(view: View) -> str:
    who = "a spectator's view" if view.seat is None else f"the view of seat {view.seat}"
    flip = "" if view.flip is None else f", flipped {view.flip}"
    own = view.seats[view.seat or 0].hand
    hand = "" if own is None else f", hand {' '.join(own)}"
    ended = f", {' '.join(words.text for words in _wall(view))}" if view.result else ""
    return f"{view.rules['name']}, {who}: seat {view.dealer} deals{flip}{hand}{ended}"
