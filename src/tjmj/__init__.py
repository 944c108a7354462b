"""Tianjin mahjong 天津麻将, exact and fast."""

__version__ = "0.1.0"

from .errors import HandError, NotationError, RulesError, TjmjError
from ._core import TileSet
from ._notation import parse_tile, parse_tiles, write_tiles
from ._hand import Hand, Meld
from ._reading import Group
from ._fan import Score, score
from ._waits import Wait, Waits, waits
from . import batch
from .rulesets import Rules, rules
