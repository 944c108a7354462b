"""Hands, what they are worth and what they wait for, as pictures.

What is put on the canvas from some height on says where it ends, for what comes below it.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._hand import Hand, Meld
from .._reading import Group
from .._score import Score
from .._waits import Wait, Waits
from ..elements import CHINESE as ELEMENT
from ..elements import DOUBLES, FLOWER_FAN, SHAPE_FAN, SHAPES, SOURCES, group_name
from ..limits import of_type
from ..rulesets import Rules
from ..tiles import NAMES
from .canvas import ALARM, BRIGHT, DIM, GOLD, MARGIN, PALE, Canvas, Words, tile_height

_TILE, _SMALL, _TINY = 44, 32, 22  # widths of tiles in a hand, in a reading, and in captions
_APART = 14  # between parts of a hand


def hand(hand: Hand) -> str:
    """A hand as a picture: concealed tiles in order, the winning one set apart, melds behind a gap.

    Of a concealed kong 暗杠 only the inner tiles are shown. Wildcards 混儿 have a corner; below the tiles stand
    the flipped one and those that are wild.

    Parameters
    ----------
    hand : Hand

    Returns
    -------
    str
        An SVG that stands alone.
    """
    of_type(hand, Hand)
    canvas = Canvas()
    y = _put_row(canvas, hand, MARGIN)
    _put_caption(canvas, hand, y + 12)
    return canvas.svg(_hand_label(hand))


def score(score: Score) -> str:
    """A hand and what it is worth: its best reading, the elements with their fan, and how they are counted.

    Below a wildcard of the reading stands the tile that it stands for, where that is another one.

    Parameters
    ----------
    score : Score

    Returns
    -------
    str
        An SVG that stands alone.
    """
    of_type(score, Score)
    canvas = Canvas()
    canvas.write(MARGIN, MARGIN + 22, *_worth(score))
    y = _put_row(canvas, score.hand, MARGIN + 40)
    if score.win:
        y = _put_reading(canvas, score.reading or (), y + 18)
        y = _put_elements(canvas, score, y + 16)
        y += 26
        canvas.write(MARGIN, y, Words(score.formula, size=14))
    source = f"{SOURCES[score.source]} {score.source}, " if score.source else ""
    _put_caption(canvas, score.hand, y + 18, source)
    worth = " ".join(words.text for words in _worth(score))
    return canvas.svg(f"{_hand_label(score.hand)}: {worth}")


def waits(waits: Waits) -> str:
    """A waiting hand, and what it waits for: tiles that make the same of it side by side, with the copies left.

    Parameters
    ----------
    waits : Waits

    Returns
    -------
    str
        An SVG that stands alone.
    """
    of_type(waits, Waits)
    canvas = Canvas()
    y = _put_row(canvas, waits.hand, MARGIN)
    y = _put_caption(canvas, waits.hand, y + 12)
    if waits:
        _put_waits(canvas, waits, y + 14)
    else:
        canvas.write(MARGIN, y + 32, Words("waits for nothing 不听", ALARM, 15, True))
    return canvas.svg(f"{_hand_label(waits.hand)}: waits for {' '.join(waits) or 'nothing'}")


# A hand


def _put_row(canvas: Canvas, hand: Hand, y: float) -> float:
    """The tiles of a hand."""
    x = _put_tiles(canvas, hand.concealed, hand, MARGIN, y)
    if hand.win is not None:
        x = _put_tiles(canvas, [hand.win], hand, x + _APART, y)
        canvas.ring(x - _TILE, y, _TILE)
    for meld in hand.melds:
        x = _put_tiles(canvas, _shown(meld), hand, x + _APART, y)
    return y + tile_height(_TILE)


def _put_tiles(canvas: Canvas, kinds: Sequence[int | None], hand: Hand, x: float, y: float) -> float:
    """Tiles side by side; returns the right edge."""
    for place, kind in enumerate(kinds):
        canvas.tile(kind, x + place * (_TILE + 1), y, _TILE, wild=kind in hand.wild)
    return x + len(kinds) * (_TILE + 1) - 1


def _shown(meld: Meld) -> Sequence[int | None]:
    return (None, meld.kind, meld.kind, None) if meld.type == "concealed" else meld.tiles


def _put_caption(canvas: Canvas, hand: Hand, y: float, beside: str = "") -> float:
    """The flipped tile, what is wild, what else is said of the hand, and the rules."""
    x = MARGIN
    flipped = [] if hand.flip is None else [hand.flip]
    for words, kinds in ((Words("翻 flipped"), flipped), (Words("混 wild"), list(hand.wild))):
        if kinds:
            canvas.write(x, y + 19, words)
            x += words.width + 6
            for kind in kinds:
                canvas.tile(kind, x, y, _TINY, wild=kind in hand.wild)
                x += _TINY + 2
            x += 16
    canvas.write(x, y + 19, Words(f"{beside}{hand.rules}", DIM, 12))
    return y + tile_height(_TINY)


def _hand_label(hand: Hand) -> str:
    flip = "" if hand.flip is None else f", flipped {NAMES[hand.flip]}"
    return f"{hand}{flip}, {hand.rules}"


# A score


def _worth(score: Score) -> list[Words]:
    """What a hand is called and worth, and whether it may win."""
    if not score.win:
        return [Words("not complete 未和", ALARM, 20, True)]
    worth = [Words(score.name, BRIGHT, 24, True), Words(f"{score.fan} 番 fan", GOLD, 20, True, 14)]
    if score.source is not None:
        worth.append(Words(f"{score.flowers} 花 flowers, {score.points} 分 points", GOLD, 16, gap=14))
    if score.kong_value:
        worth.append(Words(f"+ 杠 kongs {score.kong_value}", GOLD, 16, gap=8))
    if not score.legal:
        worth.append(Words("不够 may not win", ALARM, 15, gap=14))
    return worth


def _put_reading(canvas: Canvas, groups: Sequence[Group], y: float) -> float:
    """The groups of a reading side by side, each with its name below."""
    below = y + tile_height(_SMALL)
    if any(group.tiles != group.faces for group in groups):
        below += tile_height(_TINY) + 4
    x = MARGIN
    for group in groups:
        right = _put_group(canvas, group, x, y)
        chinese, english = ("对子", "pair") if len(groups) == 7 else _group_name(group)
        name = Words(chinese, size=12), Words(english, DIM, 11, gap=4)
        width = max(right - x, sum(words.width for words in name))
        canvas.write(x + (right - x) / 2, below + 18, *name, anchor="middle")
        x += width + _APART
    return below + 18


def _put_group(canvas: Canvas, group: Group, x: float, y: float) -> float:
    """The tiles of a group; below a wildcard what it stands for. Returns the right edge."""
    for place, (kind, face, wild) in enumerate(zip(group.tiles, group.faces, group.wild, strict=True)):
        left = x + place * (_SMALL + 1)
        canvas.tile(kind, left, y, _SMALL, wild=wild)
        if place == group.win:
            canvas.ring(left, y, _SMALL)
        if kind != face:
            canvas.tile(face, left + (_SMALL - _TINY) / 2, y + tile_height(_SMALL) + 4, _TINY)
    return x + len(group.tiles) * (_SMALL + 1) - 1


def _group_name(group: Group) -> tuple[str, str]:
    return group_name(group.type, group.meld, group.type == "kong" and group.wild[0])


def _put_elements(canvas: Canvas, score: Score, y: float) -> float:
    """A field for each element: its name in Chinese, its key, and what it counts."""
    x = MARGIN
    for key in (key for key in ELEMENT if key in score.elements):
        words = [Words(ELEMENT[key], BRIGHT, 15, True), Words(key, DIM, 12, gap=4)]
        if worth := _element_worth(key, score.hand.rules):
            words.append(Words(worth, GOLD, 15, True, 8))
        width = sum(each.width for each in words) + 20
        canvas.panel(x, y, width, 28, 14)
        canvas.write(x + width / 2, y + 19.5, *words, anchor="middle")
        x += width + 8
    return y + 28


def _element_worth(key: str, rules: Rules) -> str:
    """What an element counts, fan or a factor; empty for nothing."""
    if rules.counting == "flowers":
        fan = FLOWER_FAN.get(key, 0)
        return f"+{fan}" if fan else ""
    if key in DOUBLES:
        return "×2"
    if key in ("tianhu", "dihu"):
        return f"{'+' if rules.heavenly_mode == 'plus' else '×'}{rules.heavenly_factor}"
    return str(SHAPE_FAN.get(key, 1))


# Waits

_IN_LINE = 18  # tiles
_LINE = tile_height(_SMALL) + 22  # a line of them, with what is left of each


def _put_waits(canvas: Canvas, waits: Waits, y: float) -> None:
    """A field for all tiles that make the same of the hand."""
    alike: dict[str, list[Wait]] = {}
    for wait in waits.values():
        alike.setdefault(repr(_wait_worth(wait)), []).append(wait)
    for those in alike.values():
        height = 38 + _LINE * -(-len(those) // _IN_LINE)
        canvas.panel(MARGIN - 8, y, _IN_LINE * (_SMALL + 2) + 14, height)
        canvas.write(MARGIN, y + 23, *_wait_worth(those[0]))
        for place, wait in enumerate(those):
            line, column = divmod(place, _IN_LINE)
            _put_wait(canvas, wait, MARGIN + column * (_SMALL + 2), y + 34 + line * _LINE)
        y += height + 6


def _put_wait(canvas: Canvas, wait: Wait, x: float, y: float) -> None:
    """A tile that is waited for, and below it how many are left."""
    canvas.tile(wait.kind, x, y, _SMALL, wild=wait.kind in wait.hand.wild, dim=not wait.left)
    left = Words(f"×{wait.left}", PALE if wait.left else DIM, 12)
    canvas.write(x + _SMALL / 2, y + tile_height(_SMALL) + 14, left, anchor="middle")


def _wait_worth(wait: Wait) -> list[Words]:
    """What a tile makes of the hand: its name and worth, whether it may win, and the shape of the wait."""
    words = [Words(wait.score.name, BRIGHT, 16, True)]
    taken = wait.discard_score
    if taken is None:
        words.append(Words(f"{wait.fan} 番 fan", GOLD, 15, True, 10))
    else:
        words.append(Words(f"自摸 self-draw {wait.score.points}", GOLD, 14, True, 10))
        if taken.legal:
            words.append(Words(f"吃炮 discard {taken.points}", GOLD, 14, True, 10))
        else:
            words.append(Words("吃炮 discard 不够 may not win", ALARM, 13, gap=10))
    if not wait.legal:
        words.append(Words("不够 may not win", ALARM, 13, gap=10))
    return [*words, Words(f"{SHAPES[wait.shape]} {wait.shape}", DIM, 13, gap=10)]
