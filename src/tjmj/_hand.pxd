# cython: language_level=3
"""Hands and melds as other Cython modules see them."""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint64_t

from ._notation cimport Style
from ._terms cimport RulesTerms

cdef enum:
    # Meld types, with the numbers of the batch forms; a hand's text does not tell ADDED from EXPOSED.
    PONG = 0
    EXPOSED = 1
    ADDED = 2
    CONCEALED = 3
    CHOW = 4

cdef class Meld:
    cdef readonly int type_code
    cdef readonly int kind

cdef class Hand:
    cdef uint8_t[42] counts      # concealed tiles, the winning one included
    cdef int32_t win_kind        # -1 for none
    cdef int32_t flip_kind       # -1 for none
    cdef int32_t meld_count
    cdef uint8_t[4] meld_types
    cdef int8_t[4] meld_kinds
    cdef uint64_t wild_kinds     # a bit each
    cdef int32_t tiles           # concealed, the winning one included
    cdef RulesTerms terms

cdef int flip_of(object flip, RulesTerms terms, Style style=*) except -2
cdef Hand UNMADE     # stands in values that were never made

cdef Hand parse_hand(str text, int flip, RulesTerms terms, Style style)
cdef int copies_left(Hand hand, int kind) noexcept
cdef Hand drawn(Hand waiting, int kind)
cdef bint is_dead(Hand hand) noexcept
cdef str waits_repr(Hand dead, int flowers=*)
cdef int tile_kind(object tile) except -1
