# cython: language_level=3
"""What a seat knows at a table, as a row of numbers (docs/tables.md)."""

from libc.stdint cimport uint8_t

from ._asking cimport Asking
from ._round cimport DISCARD
from ._terms cimport Terms

cdef enum:
    THROWN = 42     # how often each kind was thrown
    TRIPLES = 34    # pongs and kongs of each kind
    CHOWS = 21      # chows by their lowest tile, seven to a suit
    SHOWN = THROWN + TRIPLES + CHOWS    # of one seat
    WIDTH = 464

cdef struct Public:
    # What lies on the table before each seat
    uint8_t[4][SHOWN] seats

cdef void tell_claim(const Terms *terms, int act, int kind, uint8_t *shown) noexcept nogil
cdef void write_row(const Asking *a, const Terms *terms, const Public *public, uint8_t *row) noexcept nogil


cdef inline void tell_move(const Terms *terms, int seat, int act, int kind, Public *public) noexcept nogil:
    """Take in a move."""
    if act == DISCARD:
        public.seats[seat][kind] += 1
    else:
        tell_claim(terms, act, kind, public.seats[seat])


cdef inline void tell(const Asking *a, const Terms *terms, Public *public) noexcept nogil:
    """Take in the moves of the log."""
    cdef int i, move
    for i in range(a.moves):
        move = a.log[i]
        tell_move(terms, move >> 10, move >> 6 & 15, move & 63, public)
