# cython: language_level=3
"""The story of a hand as events."""

from ._moves cimport Move
from ._play cimport Play
from ._round cimport GameState

cdef class Story:
    cdef readonly list told
    cdef Play game
    cdef tell(self, str name, dict fields)
    cdef dict left(self, int fewer=*)
    cdef stakes(self, stakes, int known)
    cdef deal(self, dict seen)
    cdef draw(self, int seat, str where, int place, int fewer)
    cdef front_draw(self, const GameState *before)
    cdef flowers(self, int seat, list drawn, list flowers)
    cdef turn(self, int seat, int act, int kind, const GameState *before)
    cdef wins(self, int tile, bint robbing)
    cdef kong(self, int seat, int kind, str kong, object taken_from, const GameState *before)
    cdef claim(self, Move move, int taken_from, const GameState *before)
    cdef end(self)
