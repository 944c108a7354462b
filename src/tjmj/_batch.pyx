# cython: language_level=3
"""The loops behind `tjmj.batch`: one pass over rows of counts, checks included, without the GIL.

A row is read once into registers, checked there and used from there (_core.load_row), so an array that
another thread writes to meanwhile gives wrong numbers at worst. The other arguments are private copies.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from ._core cimport (
    HandKeys, HandRow, TABLES, add_count, count_in, fits_with_pair, hand_cover, load_row, natural_waits,
    popcount, row_keys,
)
from ._fan cimport DISCARD_WIN, EARTHLY, HEAVENLY, KONG_DRAW, READY, ROB_WIN, Verdict, judge_row
from ._flowers cimport FlowerHand, judge_flowers, may_take, points_of
from ._hand cimport CHOW, CONCEALED, EXPOSED, PONG
from ._terms cimport FlipTerms, RulesTerms, Terms, natural_part, terms_of, with_wilds

from .errors import HandError
from .tiles import NAMES

cdef enum Fault:
    FINE = 0
    TOO_MANY            # copies of a kind
    TILES               # their number
    MELD_COUNT
    MELD_CODE
    WILD_PONG
    GOLD_KONG
    NOT_WON             # the winning tile is not in the hand
    NO_KONG             # kong_draw without a kong
    WITH_MELDS          # heavenly, earthly, ready
    WHOSE               # heavenly beside earthly or ready
    ROB_HELD            # a robbed tile of which the hand holds another
    UNKNOWN_MELDS       # only their number is given where they count

cdef struct Melds:
    # The melds of one row
    int count
    bint gold
    bint kong           # one of them may be a kong
    uint16_t[4] codes   # 64 * type + kind, as far as they are known
    HandRow tiles       # what lies in them; zero where only their number is known

cdef struct Batch:
    # The arguments of a batch: a column with step 0 says the same for every row
    const Terms *terms
    const uint8_t *counts
    Py_ssize_t rows
    const int32_t *flip
    Py_ssize_t flip_step
    const int32_t *melds        # how many, or null
    Py_ssize_t melds_step
    const int16_t *meld_codes   # four for each row, or null
    int over                    # tiles of a hand over three for each set: 2, or 1 where it waits
    Fault fault                 # the first that was found, with its row and kind
    Py_ssize_t fault_row
    int fault_kind

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


cdef Fault meld_fault(Batch *b, const FlipTerms *flip, int code) noexcept nogil:
    """What is wrong with one meld, the kind left in `fault_kind`."""
    cdef int type_code = code >> 6, kind = code & 63
    b.fault_kind = kind
    if code < 0 or type_code > CHOW or kind >= 34 or (
            type_code == CHOW and (not b.terms.chow or kind >= 27 or kind % 9 > 6)):
        b.fault_kind = code
        return MELD_CODE
    if flip.wild >> kind & 1:
        if type_code == PONG:
            return WILD_PONG
        # An added gold kong cannot be: it would stand on a pong.
        if not b.terms.gold_kong or (type_code != CONCEALED and not (
                type_code == EXPOSED and b.terms.gold_by_discard)):
            return GOLD_KONG
    return FINE


cdef Fault read_melds(Batch *b, const FlipTerms *flip, Py_ssize_t i, Melds *melds) noexcept nogil:
    cdef int place, code, kind
    cdef Fault fault
    cdef HandRow *tiles = &melds.tiles
    melds.gold = melds.kong = False
    melds.count = 0
    if b.meld_codes == NULL:
        melds.count = b.melds[i * b.melds_step]
        melds.kong = melds.count > 0
        if b.terms.by_flowers and melds.count:
            return UNKNOWN_MELDS
        return FINE if 0 <= melds.count <= 4 else MELD_COUNT
    tiles.suit[0] = tiles.suit[1] = tiles.suit[2] = tiles.honours = tiles.nines = tiles.flowers = 0
    for place in range(4):
        code = b.meld_codes[4 * i + place]
        if code == -1:
            continue
        fault = meld_fault(b, flip, code)
        if fault:
            return fault
        melds.codes[melds.count] = code
        melds.count += 1
        melds.kong = melds.kong or (code >> 6 != PONG and code >> 6 != CHOW)
        melds.gold = melds.gold or flip.wild >> (code & 63) & 1
        if code >> 6 == CHOW:
            for kind in range(code & 63, (code & 63) + 3):
                add_count(tiles, kind, 1)
        else:
            add_count(tiles, code & 63, 3 if code >> 6 == PONG else 4)
    return FINE


cdef inline Fault read_row(Batch *b, Py_ssize_t i, HandRow *row, Melds *melds) noexcept nogil:
    """Read and check row i."""
    cdef const FlipTerms *flip = &b.terms.by_flip[b.flip[i * b.flip_step] + 1]
    cdef bint flowers = b.terms.kinds == 42
    cdef HandRow all_tiles
    cdef Fault fault
    load_row(b.counts + i * b.terms.kinds, flowers, row)
    fault = read_melds(b, flip, i, melds)
    if fault:
        return fault
    if exceeds(row, flip, flowers):
        b.fault_kind = kind_over(row, flip)
        return TOO_MANY
    if tiles_in(row) != 3 * (4 - melds.count) + b.over:
        b.fault_kind = tiles_in(row)
        return TILES
    if b.meld_codes != NULL:
        all_tiles.suit[0] = row.suit[0] + melds.tiles.suit[0]
        all_tiles.suit[1] = row.suit[1] + melds.tiles.suit[1]
        all_tiles.suit[2] = row.suit[2] + melds.tiles.suit[2]
        all_tiles.honours = row.honours + melds.tiles.honours
        all_tiles.nines = row.nines + melds.tiles.nines
        all_tiles.flowers = row.flowers
        if exceeds(&all_tiles, flip, flowers):
            b.fault_kind = kind_over(&all_tiles, flip)
            return TOO_MANY
    return FINE


cdef inline int odd_kinds(const HandRow *row) noexcept nogil:
    """How many kinds there are an odd number of."""
    return (popcount(row.suit[0] & ONES) + popcount(row.suit[1] & ONES) + popcount(row.suit[2] & ONES)
            + popcount(row.honours & ONES) + popcount(row.nines & ONES))


cdef uint64_t last_of_pairs(const HandRow *row) noexcept nogil:
    """The kind that six pairs and a single tile wait for, a bit."""
    cdef int kind
    if odd_kinds(row) == 1:
        for kind in range(34):
            if count_in(row, kind) & 1:
                return <uint64_t>1 << kind
    return 0


cdef void win_loop(Batch *b, uint8_t *out) noexcept nogil:
    cdef HandRow row, natural
    cdef HandKeys keys
    cdef Melds melds
    cdef Py_ssize_t i
    for i in range(b.rows):
        b.fault = read_row(b, i, &row, &melds)
        if b.fault:
            b.fault_row = i
            return
        natural_part(&row, &b.terms.by_flip[b.flip[i * b.flip_step] + 1], &natural)
        row_keys(&natural, &keys)
        out[i] = fits_with_pair(hand_cover(TABLES, &keys), 4 - melds.count) or (
            b.terms.seven_pairs and not melds.count and not odd_kinds(&row))


cdef inline uint64_t spread(uint64_t bits) noexcept nogil:
    """Eight bits as eight bytes of 0 or 1."""
    return (((bits & 0xFF) * ONES & 0x8040201008040201ULL) + 0x7F7F7F7F7F7F7F7FULL & HIGH_BITS) >> 7


cdef void waits_loop(Batch *b, uint8_t *out, bint left) noexcept nogil:
    """Write 1, or the copies left, for every kind that completes a row; `out` comes zeroed."""
    cdef HandRow row, natural
    cdef HandKeys keys
    cdef Melds melds
    cdef uint64_t waits, part
    cdef const FlipTerms *flip
    cdef int kinds = b.terms.kinds, kind
    cdef uint8_t *to
    cdef Py_ssize_t i
    for i in range(b.rows):
        b.fault = read_row(b, i, &row, &melds)
        if b.fault:
            b.fault_row = i
            return
        flip = &b.terms.by_flip[b.flip[i * b.flip_step] + 1]
        natural_part(&row, flip, &natural)
        row_keys(&natural, &keys)
        waits = with_wilds(natural_waits(TABLES, &keys, 4 - melds.count), flip)
        if b.terms.seven_pairs and not melds.count:
            waits |= last_of_pairs(&row)
        if not waits:
            continue
        to = out + i * kinds
        for kind in range(0, 32, 8):
            part = spread(waits >> kind)
            memcpy(to + kind, &part, 8)
        for kind in range(32, kinds):
            to[kind] = waits >> kind & 1
        if left:
            for kind in range(kinds):
                if to[kind]:
                    to[kind] = 0x7F - count_in(&flip.over, kind) - count_in(&row, kind)
                    if b.meld_codes != NULL:
                        to[kind] -= count_in(&melds.tiles, kind)


cdef inline Fault circumstance_fault(uint32_t flags, const HandRow *row, const Melds *melds,
                                     int win) noexcept nogil:
    if flags & KONG_DRAW and not melds.kong:
        return NO_KONG
    if flags & ROB_WIN and win >= 0 and (count_in(row, win) > 1 or (
            melds.count and count_in(&melds.tiles, win))):
        return ROB_HELD
    if melds.count and flags & (HEAVENLY | EARTHLY | READY):
        return WITH_MELDS
    if flags & HEAVENLY and flags & (EARTHLY | READY):
        return WHOSE
    return FINE


cdef struct Judged:
    # Where the results go; flowers and points are null where they are not counted
    uint16_t *fan
    uint32_t *elements
    uint8_t *legal
    uint16_t *flowers
    int64_t *points


cdef FlowerHand flower_hand(const HandRow *row, const Melds *melds, int win, int flower_tiles,
                            uint32_t flags) noexcept nogil:
    cdef FlowerHand hand
    cdef int kind
    cdef uint64_t count
    hand.held[0] = hand.held[1] = hand.held[2] = 0
    for kind in range(34):
        count = count_in(row, kind)
        hand.held[0] |= (count & 1) << kind
        hand.held[1] |= (count >> 1 & 1) << kind
        hand.held[2] |= (count >> 2) << kind
    memcpy(hand.melds, melds.codes, sizeof(hand.melds))
    hand.meld_count = melds.count
    hand.win = win
    hand.flower_tiles = flower_tiles
    hand.flags = flags
    return hand


cdef inline void judge_one(Batch *b, const HandRow *row, const Melds *melds, int win, uint32_t flags,
                           int flower_tiles, Judged *to, Py_ssize_t i) noexcept nogil:
    cdef Verdict verdict
    cdef FlowerHand counted
    if b.terms.by_flowers:
        counted = flower_hand(row, melds, win, flower_tiles, flags)
        verdict = judge_flowers(b.terms, &counted)
        to.flowers[i] = verdict.flowers
        to.points[i] = points_of(b.terms, verdict.flowers, verdict.fan) if verdict.rank else 0
        to.legal[i] = may_take(b.terms, &verdict) if flags & DISCARD_WIN else verdict.rank > 0
    else:
        verdict = judge_row(b.terms, &b.terms.by_flip[b.flip[i * b.flip_step] + 1], row, win,
                            4 - melds.count, melds.gold, flags)
        to.legal[i] = verdict.rank > 0 and verdict.fan >= <uint32_t>b.terms.min_fan
    to.fan[i] = verdict.fan
    to.elements[i] = verdict.elements


cdef void score_loop(Batch *b, const int32_t *win, Py_ssize_t win_step, const uint8_t *flags,
                     Py_ssize_t flags_step, const int32_t *flowers, Py_ssize_t flowers_step,
                     Judged *to) noexcept nogil:
    cdef HandRow row
    cdef Melds melds
    cdef uint32_t flag
    cdef int kind
    cdef bint any_tile
    cdef Py_ssize_t i
    for i in range(b.rows):
        b.fault_row = i
        b.fault = read_row(b, i, &row, &melds)
        if b.fault:
            return
        flag = flags[i * flags_step]
        kind = win[i * win_step]
        if flag:
            b.fault = circumstance_fault(flag, &row, &melds, kind)
            if b.fault:
                b.fault_kind = kind
                return
        any_tile = flag & HEAVENLY or (b.terms.by_flowers and not flag)
        if not (kind >= 0 and count_in(&row, kind)) and not (kind < 0 and any_tile):
            b.fault_kind = kind
            b.fault = NOT_WON
            return
        judge_one(b, &row, &melds, kind, flag, flowers[i * flowers_step], to, i)


cdef raise_fault(Batch *b):
    kind = b.fault_kind
    name = NAMES[kind] if 0 <= kind < 42 else str(kind)
    reason = {
        TOO_MANY: f"more copies of {name} than there are, melds and the flipped tile counted",
        TILES: f"{kind} tiles: there must be {12 + b.over} less 3 for each meld",
        MELD_COUNT: "a hand has 0 to 4 melds",
        MELD_CODE: f"{kind} is no meld of these rules: it is -1, or 64 * type + kind, see tjmj.batch",
        WILD_PONG: f"{name} is a wildcard and cannot be ponged",
        GOLD_KONG: f"{name} is a wildcard, and these rules have no such gold kong",
        NOT_WON: f"the winning tile ({name}) is not in the hand",
        NO_KONG: "kong_draw (杠开) without a kong",
        WITH_MELDS: "heavenly, earthly and ready (天和, 地和, 天听) are hands without melds",
        WHOSE: "heavenly (天和) is the dealer's, earthly and ready (地和, 天听) are the others'",
        ROB_HELD: f"a robbed {name} (抢杠): the other three lie in the robbed pong, the hand holds none",
        UNKNOWN_MELDS: "these rules count melds: give them as (n, 4), not their number",
    }[b.fault]
    raise HandError(f"row {b.fault_row}", None, reason)


cdef prepare(Batch *b, RulesTerms terms, const uint8_t[:, ::1] counts, const int32_t[::1] flip,
             melds, int over):
    """Point at the arguments, which tjmj.batch has checked for their shapes and values."""
    cdef const int32_t[::1] meld_counts
    cdef const int16_t[:, ::1] codes
    b.terms = &terms.c
    b.rows = counts.shape[0]
    b.counts = &counts[0, 0]
    b.flip = &flip[0]
    b.flip_step = 0 if flip.shape[0] == 1 else 1
    b.melds = NULL
    b.meld_codes = NULL
    b.melds_step = 0
    if melds.ndim == 1:
        meld_counts = melds
        b.melds = &meld_counts[0]
        b.melds_step = 0 if meld_counts.shape[0] == 1 else 1
    else:
        codes = melds
        b.meld_codes = &codes[0, 0]
    b.over = over
    b.fault = FINE
    b.fault_kind = 0


def row_width(rules):
    """Counts in a row: 34, or 42 where flowers are wild."""
    return terms_of(rules).c.kinds


def win(rules, const uint8_t[:, ::1] counts, const int32_t[::1] flip, melds, uint8_t[::1] out):
    cdef Batch b
    cdef RulesTerms terms = terms_of(rules)  # held while the loop reads it
    prepare(&b, terms, counts, flip, melds, 2)
    with nogil:
        win_loop(&b, &out[0])
    if b.fault:
        raise_fault(&b)


def waits(rules, const uint8_t[:, ::1] counts, const int32_t[::1] flip, melds, uint8_t[:, ::1] out, bint left):
    cdef Batch b
    cdef RulesTerms terms = terms_of(rules)  # held while the loop reads it
    prepare(&b, terms, counts, flip, melds, 1)
    with nogil:
        waits_loop(&b, &out[0, 0], left)
    if b.fault:
        raise_fault(&b)


def score(rules, const uint8_t[:, ::1] counts, const int32_t[::1] flip, melds, const int32_t[::1] win,
          const uint8_t[::1] flags, const int32_t[::1] flowers, out):
    """`out`: fan, elements, legal, and where flowers count flowers and points."""
    cdef Batch b
    cdef RulesTerms terms = terms_of(rules)  # held while the loop reads it
    cdef uint16_t[::1] fan = out[0]
    cdef uint32_t[::1] elements = out[1]
    cdef uint8_t[::1] legal = out[2]
    cdef uint16_t[::1] counted
    cdef int64_t[::1] points
    cdef Judged to = Judged(&fan[0], &elements[0], &legal[0], NULL, NULL)
    if len(out) > 3:
        counted, points = out[3], out[4]
        to.flowers, to.points = &counted[0], &points[0]
    prepare(&b, terms, counts, flip, melds, 2)
    with nogil:
        score_loop(&b, &win[0], win.shape[0] > 1, &flags[0], flags.shape[0] > 1,
                   &flowers[0], flowers.shape[0] > 1, &to)
    if b.fault:
        raise_fault(&b)
