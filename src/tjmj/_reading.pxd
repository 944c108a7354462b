# cython: language_level=3
"""How a complete hand can be laid out."""

from libc.stdint cimport uint32_t

from ._hand cimport Hand

cdef enum:
    # What a reading shows, one bit each (spec: tianjin section 5)
    ZHUOWU = 1
    LONG = 2
    BENHUN = 4
    HUNDIAO = 8
    SUBEN = 16
    TRIPLETS = 32       # no sequence: 对对胡
    FIVE = 4            # 五万

cdef class Group:
    cdef readonly str type
    cdef readonly tuple faces
    cdef readonly tuple tiles
    cdef readonly object win
    cdef readonly str meld
    cdef readonly tuple wild

cdef class Reading:
    cdef readonly tuple groups
    cdef readonly str shape

cdef Reading find_reading(Hand hand, int win, uint32_t shown, int wild_suit)
cdef Reading flower_reading(Hand hand, bint pairs, bint triplets)
