# cython: language_level=3
"""Rows of counts from outside: each read once, checked, and used from there.

So an array that another thread writes to meanwhile gives wrong numbers at worst; it is looked at again only for
what no look-up hangs on. There are two ways: a row
alone, in 64-bit words, which finds out what is wrong; and a block of rows at once, which takes half the time
where the processor has AVX2, and only says whether anything is.
"""

from libc.stdint cimport int16_t, int32_t, intptr_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ._core cimport HandRow, LANE_KIND, add_count, count_in, load_row
from ._hand cimport CHOW, CONCEALED, EXPOSED, PONG
from ._terms cimport FlipTerms, Terms

from .errors import HandError, TjmjError
from .tiles import NAMES

cdef extern from "_rows.h":
    ctypedef struct TjmjRows:
        const uint8_t *counts
        int width
        const int32_t *flip
        intptr_t flip_step
        int flips
        const int32_t *melds
        intptr_t melds_step
        int over
        const uint8_t *lanes
        intptr_t lanes_stride
    bint tjmj_prepare_avx2(const uint8_t *kinds) noexcept nogil
    bint tjmj_keys_avx2(const TjmjRows *rows, intptr_t first, int n, uint32_t *keys) noexcept nogil

cdef bint HAS_AVX2 = tjmj_prepare_avx2(LANE_KIND)
cdef bint BY_BLOCKS = HAS_AVX2


def read_by_blocks(bint wanted):
    """Say whether blocks may be read at once, for tests of both ways; returns whether they are."""
    global BY_BLOCKS
    BY_BLOCKS = wanted and HAS_AVX2
    return BY_BLOCKS


cdef uint64_t ONES = 0x0101010101010101ULL
cdef uint64_t HIGH_BITS = 0x8080808080808080ULL


cdef inline bint exceeds(const HandRow *row, const FlipTerms *flip, bint flowers) noexcept nogil:
    """Whether any count is above the copies in play; one of 128 or more is too."""
    cdef uint64_t bad = ((row.suit[0] + flip.over.suit[0]) | row.suit[0]
                         | (row.suit[1] + flip.over.suit[1]) | row.suit[1]
                         | (row.suit[2] + flip.over.suit[2]) | row.suit[2]
                         | (row.honours + flip.over.honours) | row.honours
                         | (row.nines + flip.over.nines) | row.nines)
    if flowers:
        bad |= (row.flowers + flip.over.flowers) | row.flowers
    return bad & HIGH_BITS != 0


cdef inline int tiles_in(const HandRow *row) noexcept nogil:
    """Sum of a row's counts; each is at most 4, so a byte holds six of them."""
    cdef uint64_t sums = (row.suit[0] + row.suit[1] + row.suit[2] + row.honours + row.nines + row.flowers)
    # Bytes are at most 24 and their sum at most 144, so it stays in the top one.
    return <int>(sums * ONES >> 56)


cdef int kind_over(const HandRow *row, const FlipTerms *flip) noexcept nogil:
    """The first kind whose count is too high."""
    cdef int kind
    for kind in range(42):
        if count_in(row, kind) + <int>count_in(&flip.over, kind) > 0x7F:
            return kind
    return 0


cdef What meld_fault(const Rows *rows, const FlipTerms *flip, int code, int *value) noexcept nogil:
    """What is wrong with one meld, and its kind."""
    cdef int type_code = code >> 6, kind = code & 63
    value[0] = kind
    if code < 0 or type_code > CHOW or kind >= 34 or (
            type_code == CHOW and (not rows.terms.chow or kind >= 27 or kind % 9 > 6)):
        value[0] = code
        return MELD_CODE
    if flip.wild >> kind & 1:
        if type_code == PONG:
            return WILD_PONG
        # An added gold kong cannot be: it would stand on a pong.
        if not rows.terms.gold_kong or (type_code != CONCEALED and not (
                type_code == EXPOSED and rows.terms.gold_by_discard)):
            return GOLD_KONG
    return FINE


cdef bint read_meld_codes(const Rows *rows, Py_ssize_t i, Row *row, Fault *fault) noexcept nogil:
    cdef int place, code, kind, value
    cdef What what
    row.melds = 0
    row.kong = False
    for place in range(4):
        code = rows.meld_codes[4 * i + place]
        if code == -1:
            continue
        what = meld_fault(rows, row.flip, code, &value)
        if what:
            fail(fault, what, i, value)
            return False
        row.codes[row.melds] = code
        row.melds += 1
        row.kong = row.kong or (code >> 6 != PONG and code >> 6 != CHOW)
        row.gold = row.gold or row.flip.wild >> (code & 63) & 1
        if code >> 6 == CHOW:
            for kind in range(code & 63, (code & 63) + 3):
                add_count(&row.laid, kind, 1)
        else:
            add_count(&row.laid, code & 63, 3 if code >> 6 == PONG else 4)
    return True


cdef bint read_melds(const Rows *rows, Py_ssize_t i, Row *row, Fault *fault) noexcept nogil:
    memset(&row.laid, 0, sizeof(row.laid))
    row.gold = False
    if rows.meld_codes != NULL:
        return read_meld_codes(rows, i, row, fault)
    row.melds = at(&rows.melds, i)
    row.kong = row.melds > 0
    if not 0 <= row.melds <= 4:
        fail(fault, MELD_COUNT, i, row.melds)
        return False
    if rows.terms.by_flowers and row.melds:
        fail(fault, UNKNOWN_MELDS, i, row.melds)
        return False
    return True


cdef bint read_row(const Rows *rows, Py_ssize_t i, Row *row, Fault *fault) noexcept nogil:
    """Read and check row i; False if it is no hand."""
    cdef int flip = at(&rows.flip, i), tiles
    cdef bint flowers = rows.terms.kinds == 42
    cdef HandRow all_tiles
    if not -1 <= flip < flips(rows.terms) - 1:
        fail(fault, FLIP, i, flip)
        return False
    row.flip = &rows.terms.by_flip[flip + 1]
    load_row(rows.counts + i * rows.terms.kinds, flowers, &row.counts)
    if not read_melds(rows, i, row, fault):
        return False
    if exceeds(&row.counts, row.flip, flowers):
        fail(fault, TOO_MANY, i, kind_over(&row.counts, row.flip))
        return False
    tiles = tiles_in(&row.counts)
    if tiles != 3 * (4 - row.melds) + rows.over:
        fail(fault, TILES, i, tiles)
        return False
    if rows.meld_codes != NULL:
        all_tiles = with_melds(row)
        if exceeds(&all_tiles, row.flip, flowers):
            fail(fault, TOO_MANY, i, kind_over(&all_tiles, row.flip))
            return False
    return True


cdef inline HandRow with_melds(const Row *row) noexcept nogil:
    cdef HandRow tiles
    tiles.suit[0] = row.counts.suit[0] + row.laid.suit[0]
    tiles.suit[1] = row.counts.suit[1] + row.laid.suit[1]
    tiles.suit[2] = row.counts.suit[2] + row.laid.suit[2]
    tiles.honours = row.counts.honours + row.laid.honours
    tiles.nines = row.counts.nines + row.laid.nines
    tiles.flowers = row.counts.flowers
    return tiles


cdef inline int flips(const Terms *terms) noexcept nogil:
    """How many flipped kinds there can be, and one for none."""
    return 1 + terms.kinds if terms.flips else 1


cdef int read_block(const Rows *rows, Py_ssize_t first, int n, BlockKeys *block) noexcept nogil:
    """Make the keys of so many rows, `BLOCK` at most, at once; False if it can't be done, or a row is no hand."""
    cdef TjmjRows given
    if not BY_BLOCKS or rows.meld_codes != NULL or rows.terms.by_flowers:
        return False
    given.counts = rows.counts
    given.width = rows.terms.kinds
    given.flip = rows.flip.first
    given.flip_step = rows.flip.step
    given.flips = flips(rows.terms)
    given.melds = rows.melds.first
    given.melds_step = rows.melds.step
    given.over = rows.over
    given.lanes = <const uint8_t *>&rows.terms.by_flip[0].lanes
    given.lanes_stride = sizeof(FlipTerms)
    return tjmj_keys_avx2(&given, first, n, <uint32_t *>block)


cdef Column column_of(const int32_t[::1] numbers):
    return Column(&numbers[0], numbers.shape[0] > 1)


cdef Rows rows_of(const Terms *terms, const uint8_t[:, ::1] counts, const int32_t[::1] flip, melds, int over):
    """The arguments, whose shapes tjmj.batch has checked; there must be a row."""
    cdef Rows rows
    cdef const int16_t[:, ::1] codes
    rows.terms = terms
    rows.counts = &counts[0, 0]
    rows.n = counts.shape[0]
    rows.flip = column_of(flip)
    rows.over = over
    rows.meld_codes = NULL
    rows.melds = Column(NULL, 0)
    if melds.ndim == 1:
        rows.melds = column_of(melds)
    else:
        codes = melds
        rows.meld_codes = &codes[0, 0]
    return rows


cdef raise_fault(const Rows *rows, const Fault *fault):
    value = fault.value
    if fault.what in (FLIP, WIN, MELD_COUNT):
        name, low, high = {
            FLIP: ("flip", -1, flips(rows.terms) - 2), WIN: ("win", -1, rows.terms.kinds - 1),
            MELD_COUNT: ("melds", 0, 4),
        }[fault.what]
        raise TjmjError(f"{name} {value} of row {fault.row} is not from {low} to {high}")
    name = NAMES[value] if 0 <= value < 42 else str(value)
    reason = {
        TOO_MANY: f"more copies of {name} than there are, melds and the flipped tile counted",
        TILES: f"{value} tiles: there must be {12 + rows.over} less 3 for each meld",
        MELD_CODE: f"{value} is no meld of these rules: it is -1, or 64 * type + kind, see tjmj.batch",
        WILD_PONG: f"{name} is a wildcard and cannot be ponged",
        GOLD_KONG: f"{name} is a wildcard, and these rules have no such gold kong",
        NOT_WON: f"the winning tile ({name}) is not in the hand",
        NO_KONG: "kong_draw (杠开) without a kong",
        WITH_MELDS: "heavenly, earthly and ready (天和, 地和, 天听) are hands without melds",
        WHOSE: "heavenly (天和) is the dealer's, earthly and ready (地和, 天听) are the others'",
        ROB_HELD: f"a robbed {name} (抢杠): the other three lie in the robbed pong, the hand holds none",
        UNKNOWN_MELDS: "these rules count melds: give them as (n, 4), not their number",
    }[fault.what]
    raise HandError(f"row {fault.row}", None, reason)
