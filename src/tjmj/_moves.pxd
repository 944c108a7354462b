# cython: language_level=3
"""Moves: read, written, listed, and played if they are legal."""

from libc.stdint cimport int64_t

from ._round cimport GameState
from ._terms cimport Terms

cdef struct Move:
    int seat
    int act         # an Act of _round
    int kind        # NO_TILE for h and r

cdef int try_move(GameState *g, const Terms *terms, Move move) noexcept nogil
cdef str move_text(int seat, int act, int kind)
cdef bint read_move(str text, Py_ssize_t begin, Py_ssize_t end, Move *move) noexcept
cdef GameState after_passing(const GameState *g, const Terms *terms) noexcept
cdef list legal_moves(const GameState *g, const Terms *terms)
cdef int64_t perft(const GameState *g, const Terms *terms, int depth)
