# cython: language_level=3
"""Who pays whom at the end of a hand."""

from libc.stdint cimport int64_t

from ._round cimport GameState
from ._terms cimport Terms

cdef int64_t factor_between(const GameState *g, int a, int b) noexcept nogil
cdef int64_t eight_flowers_count(const GameState *g) noexcept nogil
cdef void settle(const GameState *g, const Terms *terms, int64_t *net) noexcept nogil
cdef int dealer_after(const GameState *g, const Terms *terms) noexcept nogil
