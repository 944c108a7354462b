# cython: language_level=3
"""What a seat knows at a table, as a row of numbers (docs/tables.md)."""

from libc.stdint cimport uint8_t

from ._asking cimport Asking
from ._terms cimport Terms

cdef enum:
    THROWN = 42     # how often each kind was thrown
    TRIPLES = 34    # pongs and kongs of each kind
    CHOWS = 21      # chows by their lowest tile, seven to a suit
    SHOWN = 97      # of one seat, all of these
    WIDTH = 464

cdef struct Public:
    # What lies on the table before each seat
    uint8_t[4][SHOWN] seats

cdef void tell(const Asking *a, const Terms *terms, int first, Public *public) noexcept nogil
cdef void write_row(const Asking *a, const Terms *terms, const Public *public, uint8_t *row) noexcept nogil
