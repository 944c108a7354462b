"""Tianjin mahjong 天津麻将, exact and fast: read, score and wait for hands.

`score` and `waits` take one hand, `batch` takes arrays of them, `rules` names a house and its options.
"""

from __future__ import annotations

from . import batch, elements
from ._core import TileSet
from ._score import Score, score
from ._hand import Hand, Meld
from ._notation import parse_tile, parse_tiles, write_tiles
from ._reading import Group
from ._waits import Wait, Waits, waits
from .errors import HandError, NotationError, RulesError, TjmjError
from .rulesets import Rules, preset_names, rules, rules_options


__version__ = "0.1.0"

__all__ = [
    "Group",
    "Hand",
    "HandError",
    "Meld",
    "NotationError",
    "Rules",
    "RulesError",
    "Score",
    "TileSet",
    "TjmjError",
    "Wait",
    "Waits",
    "batch",
    "elements",
    "parse_tile",
    "parse_tiles",
    "preset_names",
    "rules",
    "rules_options",
    "score",
    "waits",
    "write_tiles",
]
