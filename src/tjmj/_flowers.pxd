# cython: language_level=3
"""Points of a hand counted by flowers and fan, for loops without the GIL."""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

from ._fan cimport Verdict
from ._terms cimport Terms

cdef struct FlowerHand:
    uint64_t held[3]        # planes of the concealed tiles, the winning one included
    uint16_t melds[4]       # 64 * type + kind, the lowest of a chow
    int32_t meld_count
    int32_t win             # the winning kind, -1 where it does not matter
    int32_t flower_tiles    # laid out
    uint32_t flags          # where the winning tile came from

cdef Verdict judge_flowers(const Terms *terms, const FlowerHand *hand) noexcept nogil
cdef int32_t meld_flowers(int code) noexcept nogil
cdef int64_t points_of(const Terms *terms, int32_t flowers, int32_t fan) noexcept nogil
cdef bint may_take(const Terms *terms, const Verdict *verdict) noexcept nogil
