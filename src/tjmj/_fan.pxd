# cython: language_level=3
"""Fan of a complete hand, for loops without the GIL."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from ._core cimport HandKeys, HandRow
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

cdef struct HandView:
    # What the fan of a hand depends on, the winning tile included
    HandKeys natural
    HandKeys faces      # keys of all tiles; read only where one_each is set
    uint64_t kinds      # a bit for each kind among them; read only for 天和
    bint all_natural
    bint one_each       # the wildcards are one of each kind that the flipped tile made wild

cdef Verdict judge(const Terms *terms, const FlipTerms *flip, const HandView *hand, int win, int sets,
                   bint gold, uint32_t flags) noexcept nogil
cdef Verdict judge_row(const Terms *terms, const FlipTerms *flip, const HandRow *row, int win, int sets,
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
