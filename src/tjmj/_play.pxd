# cython: language_level=3
"""A hand of play as a Python value."""

from libc.stdint cimport uint64_t

from ._round cimport GameState, Options
from ._terms cimport RulesTerms, Terms

cdef struct Move:
    int seat
    int act         # an Act of _round
    int kind        # NO_TILE for h and r

cdef class Play:
    cdef GameState state
    cdef RulesTerms terms

cdef int try_move(GameState *g, const Terms *terms, Move move) noexcept nogil
cdef str move_text(int seat, int act, int kind)
cdef str reason_against(const GameState *g, const Terms *terms, Move move)
