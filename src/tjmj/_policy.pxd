# cython: language_level=3
"""Policies built into the engine, and hands played by them."""

from libc.stdint cimport int64_t, uint64_t

from ._asking cimport Asking
from ._terms cimport Terms

cdef enum Policy:
    RANDOM = 0
    SIMPLE = 1

cdef int64_t play_out(Asking *a, const Terms *terms, int policy, uint64_t *rng) noexcept nogil
