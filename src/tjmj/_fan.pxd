# cython: language_level=3
"""Fan of a complete hand, for loops without the GIL."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from ._core cimport HandKeys, HandRow
from ._terms cimport FlipTerms, Terms

cdef enum:
    # What came about outside the hand
    KONG_DRAW = 1
    HEAVENLY = 2
    EARTHLY = 4
    READY = 8
    DISCARD_WIN = 16
    ROB_WIN = 32

cdef struct Verdict:
    uint32_t fan        # without a cap
    uint32_t elements   # element bits
    uint32_t flowers    # 花 where they are counted
    int32_t rank        # 0: not complete; else what the best reading shows, by elements.RANKED from 1
    int32_t win         # the winning kind it shows it with; 天和 may choose

cdef struct HandView:
    # What the fan of a hand depends on, the winning tile included
    HandKeys natural
    uint64_t kinds      # a bit for each kind among them; read only for 天和
    bint all_natural
    bint one_each       # the wildcards are one of each kind that the flipped tile made wild

cdef uint32_t[16] SHOWN     # what each rank shows, in the bits of _reading

cdef Verdict judge(const Terms *terms, const FlipTerms *flip, HandView *hand, int win, int sets,
                   bint gold, uint32_t flags) noexcept nogil
cdef Verdict judge_row(const Terms *terms, const FlipTerms *flip, const HandRow *row, const uint8_t *counts,
                       int win, int sets, bint gold, uint32_t flags) noexcept nogil
cdef Verdict judge_known(const Terms *terms, const FlipTerms *flip, const HandKeys *natural, const uint8_t *counts,
                         int win, int sets) noexcept nogil
