# cython: language_level=3
"""Scores as other Cython modules make them."""

from libc.stdint cimport int32_t, uint32_t

from ._fan cimport Verdict
from ._hand cimport Hand
from ._reading cimport Reading

cdef class Score:
    cdef readonly Hand hand
    cdef Verdict verdict
    cdef uint32_t flags
    cdef int32_t flower_tiles
    cdef Reading made_reading
    cdef Reading _made(self)

cdef Score score_hand(Hand hand, uint32_t flags, int32_t flower_tiles)
cdef Hand hand_of(object hand, object flip, object rules, object notation)
cdef int32_t flowers_given(Hand hand, object flowers) except -1
