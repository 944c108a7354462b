"""Tiles, hands, scores, waits and tables as pictures: SVG of the project's own drawing."""

from .hands import hand, score, waits
from .tiles import sprite, tile
from .view import view

__all__ = ["hand", "score", "sprite", "tile", "view", "waits"]
