# cython: language_level=3
"""Policies built into the engine, and hands played by them."""

from libc.stdint cimport int64_t, uint16_t, uint64_t

from ._round cimport GameState
from ._terms cimport Terms

cdef enum Policy:
    RANDOM = 0
    SIMPLE = 1

cdef struct Log:
    # Moves of a hand as seat << 10 | act << 6 | kind; no hand has more
    int count
    uint16_t[256] moves

cdef int64_t play_out(GameState *g, const Terms *terms, int policy, uint64_t *rng, Log *log) noexcept nogil
