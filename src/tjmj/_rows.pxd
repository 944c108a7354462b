# cython: language_level=3
"""Rows of counts from outside: each read once, checked, and used from there."""

from libc.stdint cimport int16_t, int32_t, intptr_t, uint8_t, uint16_t, uint32_t

from ._core cimport HandKeys, HandRow, SuitTables, TABLES, fits_with_pair, suit_cover
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
    BLOCK = 128         # rows whose keys are made at a time; 4 KB of keys

cdef struct BlockKeys:
    # Keys of one row as _rows.h leaves them
    uint16_t[14] key
    uint16_t flip       # the flipped kind + 1
    uint16_t sets       # to make

cdef Column column_of(const int32_t[::1] numbers)
cdef Rows rows_of(const Terms *terms, const uint8_t[:, ::1] counts, const int32_t[::1] flip, melds, int over)
cdef bint read_row(const Rows *rows, Py_ssize_t i, Row *row, Fault *fault) noexcept nogil
cdef int read_block(const Rows *rows, Py_ssize_t first, int n, BlockKeys *block) noexcept nogil
cdef raise_fault(const Rows *rows, const Fault *fault)


cdef inline int32_t at(const Column *column, Py_ssize_t i) noexcept nogil:
    return read32(column.first + i * column.step)


cdef inline void keys_in(const BlockKeys *block, HandKeys *keys) noexcept nogil:
    """The keys, for what wants them as other hands have them."""
    keys.key[0] = block.key[0]
    keys.key[1] = block.key[1]
    keys.key[2] = block.key[3]
    keys.key[3] = block.key[4]
    keys.key[4] = block.key[6]
    keys.key[5] = block.key[8]
    keys.key[6] = block.key[10]
    keys.key[7] = block.key[11]


cdef inline bint block_complete(const BlockKeys *block) noexcept nogil:
    """Whether the hand is complete; each key is taken where it lies."""
    cdef const SuitTables *t = TABLES
    return fits_with_pair(
        suit_cover(t, block.key[0], block.key[1]) + suit_cover(t, block.key[3], block.key[4])
        + suit_cover(t, block.key[6], block.key[8]) + t.honours[block.key[10]] + t.honours[block.key[11]], block.sets)


cdef inline void fail(Fault *fault, What what, Py_ssize_t row, int value) noexcept nogil:
    fault.what = what
    fault.row = row
    fault.value = value
