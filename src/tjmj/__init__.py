"""Tianjin mahjong 天津麻将 (and Jintan mahjong 金坛麻将), exact and fast.

`score` and `waits` take one hand, `batch` takes arrays of them, `rules` names a house and its options.
`Round` is a hand of play at the table, `Match` many in sequence; `tjmj.record` reads, writes and verifies
them, `tjmj.simulate` plays many, `tjmj.draw` draws tiles, hands and tables.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import batch, elements
from ._core import TileSet
from ._hand import Hand, Meld
from ._notation import parse_tile, parse_tiles, write_tiles
from ._reading import Group
from ._score import Score, score
from ._waits import Wait, Waits, waits
from .errors import (
    HandError,
    IllegalMove,
    NotationError,
    RecordError,
    RulesError,
    StaleMove,
    TjmjError,
)
from .rulesets import Rules, preset_names, rules, rules_options

if TYPE_CHECKING:
    from ._deal import Deal
    from .match import Match
    from .round import Round
    from .stakes import Stakes
    from .view import View

__version__ = "0.1.0"

# Play is looked up when it is first asked for: who only scores hands does not wait for it.
_LATER = {"Deal": "_deal", "Match": "match", "Round": "round", "Stakes": "stakes", "View": "view"}


if not TYPE_CHECKING:  # a type checker would take any name at all for one of these

    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f".{_LATER[name]}", __name__), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


def get_include() -> str:
    """The folder where Cython finds `tjmj` for `cimport tjmj` (docs/embedding.md)."""
    return str(Path(__file__).parent.parent)


__all__ = [
    "Deal",
    "Group",
    "Hand",
    "HandError",
    "IllegalMove",
    "Match",
    "Meld",
    "NotationError",
    "RecordError",
    "Round",
    "Rules",
    "RulesError",
    "Score",
    "Stakes",
    "StaleMove",
    "TileSet",
    "TjmjError",
    "View",
    "Wait",
    "Waits",
    "batch",
    "elements",
    "get_include",
    "parse_tile",
    "parse_tiles",
    "preset_names",
    "rules",
    "rules_options",
    "score",
    "waits",
    "write_tiles",
]
