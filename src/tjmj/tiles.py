"""Tile kinds as small ints, in the canonical order (spec: notation, "Tiles").

0-8 万 characters, 9-17 条 bamboo, 18-26 饼 dots, 27-30 winds 东南西北, 31-33 dragons 中发白,
34-41 flowers 春夏秋冬梅兰竹菊. The order is that of sorting and of every array.
"""

from __future__ import annotations

from typing import Final

KINDS: Final = 34
"""Kinds that a hand is made of; flowers come after them."""
ALL_KINDS: Final = 42
COPIES: Final = 4
"""Copies of each kind; a flower has one."""

_GROUPS: Final = (("W", 9), ("T", 9), ("B", 9), ("F", 4), ("J", 3), ("H", 8))

NAMES: Final = tuple(f"{rank + 1}{letter}" for letter, size in _GROUPS for rank in range(size))
"""Canonical name of each kind, `"1W"` to `"8H"`."""

FIVE_OF_CHARACTERS: Final = 4
"""五万, the tile of 捉五."""

CHINESE: Final = tuple(
    [number + suit for suit in "万条饼" for number in "一二三四五六七八九"]
    + list("东南西北中发白春夏秋冬梅兰竹菊")
)
"""Chinese name of each kind."""

_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
ENGLISH: Final = tuple(
    [f"{number} {suit}" for suit in ("characters", "bamboo", "dots") for number in _NUMBERS]
    + [f"{wind} wind" for wind in ("east", "south", "west", "north")]
    + ["red dragon", "green dragon", "white dragon"]
    + [f"the flower {name}" for name in "春夏秋冬梅兰竹菊"]
)
"""English name of each kind, for reasons in words."""


def _cycles() -> tuple[int, ...]:
    following: list[int] = []
    for letter, size in _GROUPS:
        first = len(following)
        if letter == "H":
            following += range(first, first + size)
        else:
            following += [first + (rank + 1) % size for rank in range(size)]
    return tuple(following)


NEXT: Final = _cycles()
"""The next kind in each kind's cycle: 1 to 9 to 1, 东南西北东, 中发白中; a flower is its own."""


def suit(kind: int) -> int | None:
    """Suit of a kind: 0 万, 1 条, 2 饼; None for honours and flowers."""
    return kind // 9 if kind < 27 else None


def wild_kinds(flip: int | None, count: int, flower_wilds: bool) -> frozenset[int]:
    """Kinds that are wild (spec: tianjin section 2).

    Parameters
    ----------
    flip : int or None
        The flipped kind; None where nothing is flipped.
    count : int
        How many kinds in cycle the flipped tile makes wild, itself first.
    flower_wilds : bool
        死混儿: the eight flowers are wild too; a flipped flower then makes nothing else wild.
    """
    wild = set(range(KINDS, ALL_KINDS)) if flower_wilds else set()
    if flip is not None and flip < KINDS:
        for _ in range(count):
            wild.add(flip)
            flip = NEXT[flip]
    return frozenset(wild)
