"""The project's own drawing of each tile, as shapes in a box of 60 by 80 units.

A tile is a few flat shapes: no gradient, filter or clip, so that a picture needs no ids but those of its
symbols, and any program that knows SVG shows it. Sticks and dots are strokes with round ends, drawn several
times over each other, each time thinner.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .._notation import parse_tile
from ..errors import TjmjError
from ..tiles import CHINESE, ENGLISH, NAMES

NAMESPACE = "http://www.w3.org/2000/svg"
PREFIX = "tjmj-"
"""Of ids. Those of two pictures in one page may be the same: what they name is the same too."""

WIDTH, HEIGHT = 60, 80
"""Of a tile, its thickness among it."""
FACE = 72
"""Height of the face; below it the tile's thickness is seen."""

BACK = "back"
WILD = "wild"
"""Names of the two symbols that are no kind: a tile from behind, and the corner laid over a wildcard 混儿."""

FONTS = (
    "'Noto Serif CJK SC','Noto Serif SC','Source Han Serif SC','Source Han Serif CN','Songti SC',STSong,"
    "'Kaiti SC',STKaiti,KaiTi,'Microsoft YaHei','PingFang SC','Noto Sans CJK SC','Source Han Sans SC',"
    "'WenQuanYi Micro Hei','WenQuanYi Zen Hei',SimSun,serif"
)
"""Fonts of the characters on tiles: what Linux, macOS and Windows have, the bolder and finer first."""

STYLE = (
    f"<style>.tjmj-c{{font-family:{FONTS};font-weight:700;text-anchor:middle}}"
    ".tjmj-s{fill:none;stroke-linecap:round;stroke-linejoin:round}</style>"
)
"""Of the characters and of the strokes on tiles; a picture has it once."""

RED, GREEN, BLUE, INK = "#c8202f", "#11733f", "#1f4e9c", "#1c2540"
_IVORY, _EDGE, _BAMBOO, _BAMBOO_DARK, _VIOLET = "#fffcf3", "#9c8a63", "#e2ab4b", "#b9812a", "#7a35b8"
_LIGHT = {RED: "#f0a0a0", GREEN: "#8fd0a4"}
_COLOURS = {"red": RED, "green": GREEN, "blue": BLUE}


def _line(d: str, colour: str, width: float) -> str:
    return f'<path d="{d}" stroke="{colour}" stroke-width="{width:g}"/>'


def _strokes(*lines: str) -> str:
    return f'<g class="tjmj-s">{"".join(lines)}</g>'


def _text(text: str, y: float, size: float, colour: str, x: float = 30) -> str:
    return f'<text class="tjmj-c" x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}">{text}</text>'


# 饼


def _dots(size: float, **points: str) -> str:
    """Coins of one size; `points` has for each colour the centres, such as `"16,16 44,56"`."""
    lines = []
    for name, centres in points.items():
        colour = _COLOURS[name]
        d = "".join(f"M{centre.replace(',', ' ')}h.01" for centre in centres.split())
        lines += [_line(d, colour, size), _line(d, _IVORY, size * 0.62), _line(d, colour, size * 0.36)]
    return _strokes(*lines)


def _great_dot() -> str:
    """一饼: rings around a red flower."""
    centre = "M30 37h.01"
    petals = "M30 26v22M19 37h22M22.2 29.2l15.6 15.6M37.8 29.2l-15.6 15.6"
    return _strokes(
        _line(centre, GREEN, 48), _line(centre, _IVORY, 41), _line(centre, BLUE, 37), _line(centre, _IVORY, 32),
        _line(petals, GREEN, 3.4), _line(centre, RED, 12), _line(centre, _IVORY, 5),
    )  # fmt: skip


_DOTS = (
    _great_dot(),
    _dots(25, green="30,20", blue="30,54"),
    _dots(20, blue="15,15", red="30,37", green="45,59"),
    _dots(22, blue="17,20 43,54", green="43,20 17,54"),
    _dots(19.5, blue="15,16 45,58", green="45,16 15,58", red="30,37"),
    _dots(19, green="18,14 42,14", red="18,38 42,38 18,60 42,60"),
    _dots(16.5, green="14,11.5 30,18 46,24.5", red="19,43 41,43 19,61 41,61"),
    _dots(16, blue="19,11 41,11 19,28.5 41,28.5 19,46 41,46 19,63.5 41,63.5"),
    _dots(16.5, green="12,14 30,14 48,14", red="12,37 30,37 48,37", blue="12,60 30,60 48,60"),
)


# 条


def _sticks(length: float, width: float, **points: str) -> str:
    """Bamboo sticks; `points` has for each colour the middles, behind a third comma how far the feet lean right."""
    lines = []
    for name, middles in points.items():
        colour, half = _COLOURS[name], (length - width) / 2
        whole, joints, shine = "", "", ""
        for middle in middles.split():
            x, y, *leaning = map(float, middle.split(","))
            lean = leaning[0] if leaning else 0
            step = f"l{lean * 2 / 3:g} {half * 2 / 3:g}"
            whole += f"M{x - lean:g} {y - half:g}l{lean * 2:g} {half * 2:g}"
            shine += f"M{x - lean:g} {y - half:g}{step}m{lean * 2 / 3:g} {half * 2 / 3:g}{step}"
            joints += f"M{x - width / 2 - 1:g} {y:g}h{width + 2:g}"
        lines += [_line(whole, colour, width), _line(shine, _LIGHT[colour], width * 0.26)]
        lines += [_line(joints, _IVORY, 3.4), _line(joints, colour, 1.5)]
    return _strokes(*lines)


def _bird() -> str:
    """一条: a bird with a fan of feathers."""
    feathers = "M36 42L53 39M36 44L52 50M35 46L46 60"
    eyes = "M53 38.5h.01M51.5 51h.01M46 60.5h.01"
    return _strokes(
        _line("M20 10L17 4M22 9.5L22.5 3.5M24 11L28 6M24 50V65M31 51V65M19.5 66H26M26.5 66H33", RED, 2.2),
        _line(feathers, GREEN, 4), _line(eyes, BLUE, 9), _line(eyes, _IVORY, 5), _line(eyes, RED, 3),
        f'<path d="M14 14L5.5 18.5L14 21Z" fill="{RED}"/>',
        '<path d="M21 9C13 9 11 17 14 23C16 28 13 33 14 39C16 49 26 54 34 51C40 49 42 44 42 39L36 38'
        f'C30 35 28 29 28.5 21C29 13 26 9 21 9Z" fill="{GREEN}"/>',
        f'<path d="M20 34C22 30 27 31 30 34L39 42C36 48 23 49 20 34Z" fill="{_LIGHT[GREEN]}"/>',
        _line("M19.5 17h.01", _IVORY, 5.5), _line("M19 17h.01", INK, 2.8),
    )  # fmt: skip


_BAMBOO_FACES = (
    _bird(),
    _sticks(29, 10, green="30,20 30,54"),
    _sticks(29, 10, green="30,20 17,54 43,54"),
    _sticks(29, 10, green="17,20 43,20 17,54 43,54"),
    _sticks(28, 9, green="13,20 47,20 13,54 47,54", red="30,37"),
    _sticks(29, 9, green="13,20 30,20 47,20 13,54 30,54 47,54"),
    _sticks(20, 8, red="30,14", green="13,37 30,37 47,37 13,60 30,60 47,60"),
    _sticks(27, 7.5, green="10,20 50,20 10,54 50,54 23.5,20,-5.5 36.5,20,5.5 23.5,54,5.5 36.5,54,-5.5"),
    _sticks(20, 8, green="13,14 13,37 13,60 47,14 47,37 47,60", red="30,14 30,37 30,60"),
)


# Characters

_NUMERALS = "一二三四五六七八九"


def _faces() -> list[str]:
    faces = [_text(numeral, 33, 31, INK) + _text("萬", 67, 31, RED) for numeral in _NUMERALS]
    faces += [*_BAMBOO_FACES, *_DOTS]
    faces += [_text(wind, 54, 46, INK) for wind in "東南西北"]
    faces += [_text("中", 54, 48, RED), _text("發", 54, 46, GREEN), _white()]
    for number, flower in enumerate("春夏秋冬梅兰竹菊", 1):
        colour = RED if number < 5 else GREEN
        faces.append(_text(str(number), 18, 15, BLUE, 13) + _text(flower, 58, 38, colour))
    return faces


def _white() -> str:
    """白板: a frame."""
    return (
        f'<g fill="none" stroke="{BLUE}"><rect x="10" y="11" width="40" height="52" rx="3" stroke-width="4"/>'
        '<rect x="16" y="17" width="28" height="40" rx="1" stroke-width="1.5"/></g>'
    )


def _body(face: str) -> str:
    return (
        f'<rect x="1" y="1" width="58" height="78" rx="8" fill="{_BAMBOO}" stroke="{_BAMBOO_DARK}"/>'
        f'<rect x="1" y="1" width="58" height="{FACE}" rx="8" fill="{_IVORY}" stroke="{_EDGE}"/>{face}'
    )


def _back() -> str:
    return (
        f'<rect x="1" y="1" width="58" height="78" rx="8" fill="{_IVORY}" stroke="{_EDGE}"/>'
        f'<rect x="1" y="1" width="58" height="{FACE}" rx="8" fill="{_BAMBOO}" stroke="{_BAMBOO_DARK}"/>'
        f'<g fill="none" stroke="{_BAMBOO_DARK}"><rect x="8" y="8" width="44" height="58" rx="4" stroke-width="1.6"/>'
        '<path d="M30 22L42 37L30 52L18 37ZM30 30L36 37L30 44L24 37Z" stroke-width="2"/></g>'
    )


def _wild() -> str:
    return (
        f'<path d="M33 1H51A8 8 0 0 1 59 9V27Z" fill="{_VIOLET}"/>' + _text("混", 15, 11.5, "#fff", 49.5)
    )


SHAPES = {**dict(zip(NAMES, map(_body, _faces()))), BACK: _back(), WILD: _wild()}
"""What is drawn for each kind's name, for `BACK` and for `WILD`."""

_BOX = f'viewBox="0 0 {WIDTH} {HEIGHT}"'


def symbols(names: Iterable[str], prefix: str = PREFIX) -> str:
    """The style of tiles and a `<symbol>` for each name, whose id is the name behind the prefix."""
    made = (f'<symbol id="{prefix}{name}" {_BOX}>{SHAPES[name]}</symbol>' for name in names)
    return f"{STYLE}<defs>{''.join(made)}</defs>"


def sprite(prefix: str = PREFIX) -> str:
    """All tiles as symbols, in an SVG that shows nothing.

    Put it into a page once; `<svg viewBox="0 0 60 80"><use href="#tjmj-5W"/></svg>` then draws 五万 at any size.
    Names are `"1W"` to `"8H"`, `"back"`, and `"wild"`, the corner to be drawn over a wildcard.

    Parameters
    ----------
    prefix : str
        Before the name in each id: letters, digits, - and _, a letter first.

    Returns
    -------
    str

    Raises
    ------
    TjmjError
        For a prefix that is none.
    """
    if not isinstance(prefix, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", prefix):
        raise TjmjError(f"prefix {prefix!r}: letters, digits, - and _ are wanted, a letter first")
    return f'<svg xmlns="{NAMESPACE}" width="0" height="0" aria-hidden="true">{symbols(SHAPES, prefix)}</svg>'


def tile(tile: str | None, *, wild: bool = False, width: float = WIDTH) -> str:
    """One tile as an SVG that stands alone.

    Parameters
    ----------
    tile : str or None
        As it is written; None for a tile from behind.
    wild : bool
        Whether it has a wildcard's 混儿 corner.
    width : float
        In pixels; the height is 4/3 of it.

    Returns
    -------
    str

    Raises
    ------
    NotationError
        For what is no tile.
    """
    kind = None if tile is None else parse_tile(tile)
    label = tile_label(kind, wild)
    drawn = SHAPES[BACK if kind is None else NAMES[kind]] + (SHAPES[WILD] if wild else "")
    return (
        f'<svg xmlns="{NAMESPACE}" {_BOX} width="{width:g}" height="{width * HEIGHT / WIDTH:g}" role="img"'
        f' aria-label="{label}"><title>{label}</title>{STYLE}{drawn}</svg>'
    )


def tile_label(kind: int | None, wild: bool = False) -> str:
    """A tile in words, for those who cannot see it."""
    label = "a tile from behind" if kind is None else f"{CHINESE[kind]} {ENGLISH[kind]}"
    return label + ", wildcard 混" * wild
