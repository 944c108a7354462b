# cython: language_level=3
"""Fan of a complete hand, for loops without the GIL."""

from libc.stdint cimport int32_t, uint32_t

from ._core cimport HandRow
from ._hand cimport Hand
from ._reading cimport Reading
from ._terms cimport FlipTerms, Terms

cdef enum:
    # What came about outside the hand
    KONG_DRAW = 1
    HEAVENLY = 2
    EARTHLY = 4
    READY = 8

cdef struct Verdict:
    uint32_t fan        # 0 where the hand is not complete
    uint32_t elements   # element bits
    int32_t rank        # what the best reading shows, an index into elements.RANKED plus 1
    int32_t win         # the winning kind it shows it with; 天和 may choose

cdef Verdict judge(const Terms *terms, const FlipTerms *flip, const HandRow *row, int win, int sets,
                   bint gold, uint32_t flags) noexcept nogil

cdef class Score:
    cdef readonly Hand hand
    cdef Verdict verdict
    cdef uint32_t flags
    cdef Reading made_reading
    cdef Reading _made(self)

cdef Score score_hand(Hand hand, uint32_t flags)
cdef uint32_t flags_of(Hand hand, bint kong_draw, bint heavenly, bint earthly, bint ready) except? 0xFFFF
cdef Hand hand_of(object hand, object flip, object rules, object notation)
