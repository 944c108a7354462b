# cython: language_level=3
"""Rows of counts from outside: each read once, checked, and used from there."""

from libc.stdint cimport int16_t, int32_t, intptr_t, uint8_t, uint16_t, uint32_t

from ._core cimport HandKeys, HandRow, TABLES, fits_with_pair, hand_cover
from ._terms cimport FlipTerms, Terms

cdef extern from *:
    """
    /* Read once, whatever another thread writes meanwhile. */
    static inline int32_t tjmj_read32(const int32_t *p) {
        return *(const volatile int32_t *)p;
    }
    """
    int32_t read32 "tjmj_read32"(const int32_t *p) noexcept nogil

cdef enum What:
    FINE = 0
    FLIP                # no flipped kind
    TOO_MANY            # copies of a kind
    TILES               # their number
    MELD_COUNT
    MELD_CODE
    WILD_PONG
    GOLD_KONG
    UNKNOWN_MELDS       # only their number is given where they count
    WIN                 # no kind
    NOT_WON             # the winning tile is not in the hand
    NO_KONG             # kong_draw without a kong
    WITH_MELDS          # heavenly, earthly, ready
    WHOSE               # heavenly beside earthly or ready
    ROB_HELD            # a robbed tile of which the hand holds another

cdef struct Fault:
    # The first thing that is wrong: what, in which row, with which kind or number
    What what
    Py_ssize_t row
    int value

cdef struct Column:
    # A number for each row, or with step 0 one for all
    const int32_t *first
    Py_ssize_t step

cdef struct Rows:
    # The arguments that say what the hands are
    const Terms *terms
    const uint8_t *counts
    Py_ssize_t n
    Column flip
    Column melds                # how many; not read where they are given
    const int16_t *meld_codes   # four for each row, or null
    int over                    # tiles of a hand over three for each set: 2, or 1 where it waits

cdef struct Row:
    # A row that has been checked, and its melds
    HandRow counts
    const FlipTerms *flip
    int melds
    bint gold           # one of them is of wildcards
    bint kong           # one of them may be a kong
    uint16_t[4] codes   # 64 * type + kind, as far as they are known
    HandRow laid        # what lies in them; zero where only their number is known

cdef enum:
    BLOCK = 128         # rows whose keys are made at a time; 5 KB of keys

cdef struct BlockKeys:
    # What _rows.h makes of one row
    HandKeys natural
    uint32_t flip       # the flipped kind + 1
    uint32_t sets       # to make

cdef Column column_of(const int32_t[::1] numbers)
cdef Rows rows_of(const Terms *terms, const uint8_t[:, ::1] counts, const int32_t[::1] flip, melds, int over)
cdef bint read_row(const Rows *rows, Py_ssize_t i, Row *row, Fault *fault) noexcept nogil
cdef int read_block(const Rows *rows, Py_ssize_t first, int n, BlockKeys *block) noexcept nogil
cdef raise_fault(const Rows *rows, const Fault *fault)


cdef inline int32_t at(const Column *column, Py_ssize_t i) noexcept nogil:
    return read32(column.first + i * column.step)


cdef inline bint block_complete(const BlockKeys *block) noexcept nogil:
    return fits_with_pair(hand_cover(TABLES, &block.natural), block.sets)


cdef inline void fail(Fault *fault, What what, Py_ssize_t row, int value) noexcept nogil:
    fault.what = what
    fault.row = row
    fault.value = value
