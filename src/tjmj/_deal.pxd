# cython: language_level=3
"""Walls and dice from seeds."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ._round cimport GameState
from ._terms cimport Terms


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """The finaliser of SplitMix64."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL
    x = (x ^ x >> 27) * 0x94D049BB133111EBULL
    return x ^ x >> 31


cdef inline uint64_t next_word(uint64_t *state) noexcept nogil:
    """The next word of SplitMix64."""
    state[0] += 0x9E3779B97F4A7C15ULL
    return mix(state[0])


cdef inline uint32_t below(uint64_t *state, uint32_t n) noexcept nogil:
    """A number below n, n at most 2^16: uneven by less than n / 2^32, which no simulation can see."""
    return <uint32_t>((next_word(state) >> 32) * n >> 32)


cdef inline uint64_t fast_state(uint64_t seed, uint64_t hand) noexcept nogil:
    """State of the fast generator for a hand of a run: mix(mix(seed) + hand)."""
    return mix(mix(seed) + hand)


cdef struct Dealt:
    # What a record tells of a hand beside its wall and moves
    uint8_t[6] dice
    bint sit
    int[4] pulls
    bint[4] kicks

cdef void fast_deal(uint64_t *state, const Terms *terms, uint8_t *wall, uint8_t *dice) noexcept nogil
cdef Dealt fast_hand(GameState *g, const Terms *terms, int dealer, bint staking, uint64_t *rng) noexcept nogil
cdef tuple stakes_of(const Dealt *dealt)
cdef int dice_count(const Terms *terms) noexcept nogil
