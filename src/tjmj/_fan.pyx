# cython: language_level=3
"""Fan of a winning hand, by a closed form instead of a search (spec: tianjin section 5).

Every element is a question of the kernel's kind, whether naturals fit into so many sets, asked of the
hand with the tiles taken out that the element claims: 捉五 takes 4万 and 6万 beside the drawn tile, a 龙
the nine kinds of its suit, 混吊 nothing at all, wildcards filling what is missing. "13" below is the
hand without the winning tile. The answers are combined by `elements.RANKED`.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from ._core cimport (
    HandKeys, HandRow, KEY_PLACE, KEY_WEIGHT, SuitTables, TABLES, add_tile, count_in, fits, fits_with_pair, group_cover,
    hand_cover, lowest_bit, row_keys,
)
from ._reading cimport BENHUN, FIVE, HUNDIAO, LONG, SUBEN, ZHUOWU
from ._terms cimport FlipTerms, Terms, natural_part

from . import elements as _elements

cdef struct Reduced:
    # Classes (see SuitTables) of a suit's ranks 1-4 and 5-9 with tiles taken out, where they are there
    uint8_t low_dragon[1296]         # one of each
    uint8_t low_less4[1296]          # a 4
    uint8_t low_dragon_less4[1296]   # one of each, then a 4
    uint8_t high_dragon[7776]        # one of each
    uint8_t high_less6[7776]         # a 6
    uint8_t high_dragon_less6[7776]  # one of each, then a 6
    uint8_t high_dragon_but5[7776]   # one of 6 to 9

cdef Reduced REDUCED
cdef uint8_t[32] RANK                # of each set of the bits above; 0: cannot be
cdef uint32_t[16] RANK_FAN
cdef uint32_t[16] RANK_BITS
cdef uint32_t SU = _elements.BIT["su"], GANGKAI = _elements.BIT["gangkai"]
cdef uint32_t TIANHU = _elements.BIT["tianhu"], DIHU = _elements.BIT["dihu"]
cdef uint32_t TIANTING = _elements.BIT["tianting"]


cdef uint32_t less(uint32_t key, int first, int last) noexcept:
    """A base-6 key with one taken from each place from `first` to `last` that is not 0."""
    cdef uint32_t weight = 1
    cdef int place
    for place in range(last + 1):
        if place >= first and key // weight % 6:
            key -= weight
        weight *= 6
    return key


cdef make_tables():
    cdef const SuitTables *t = TABLES
    cdef uint32_t key, dragon
    for key in range(1296):
        dragon = less(key, 0, 3)
        REDUCED.low_dragon[key] = t.low_class[dragon]
        REDUCED.low_less4[key] = t.low_class[less(key, 3, 3)]
        REDUCED.low_dragon_less4[key] = t.low_class[less(dragon, 3, 3)]
    for key in range(7776):
        dragon = less(key, 0, 4)
        REDUCED.high_dragon[key] = t.high_class[dragon]
        REDUCED.high_less6[key] = t.high_class[less(key, 1, 1)]
        REDUCED.high_dragon_less6[key] = t.high_class[less(dragon, 1, 1)]
        REDUCED.high_dragon_but5[key] = t.high_class[less(key, 1, 4)]
    bits = {"zhuowu": ZHUOWU, "long": LONG, "benhun": BENHUN, "hundiao": HUNDIAO, "suben": SUBEN}
    for rank, keys in enumerate(_elements.RANKED, 1):
        SHOWN[rank] = sum([bits.get(name, 0) for name in keys])
        RANK[SHOWN[rank]] = rank
        RANK_FAN[rank] = _elements.reading_fan(keys)
        RANK_BITS[rank] = sum([_elements.BIT[name] for name in keys])


make_tables()


cdef inline uint32_t by_class(const SuitTables *t, uint32_t low, uint32_t high) noexcept nogil:
    return t.cover[high << 7 | low]


cdef inline uint32_t reduced(const SuitTables *t, const HandKeys *hand, int s, const uint8_t *low,
                             const uint8_t *high) noexcept nogil:
    """Cover of suit s reduced as these tables of classes have it."""
    return by_class(t, low[hand.key[2 * s]], high[hand.key[2 * s + 1]])


cdef int32_t best_rank(const HandView *hand, int win, bint natural, int sets, int wild_suit) noexcept nogil:
    """Rank of what the best reading of a complete hand shows.

    `win`: the winning kind, and whether it is natural; `sets` to make.
    """
    cdef const SuitTables *t = TABLES
    cdef HandKeys before = hand.natural
    cdef uint32_t[4] covers13
    cdef uint32_t whole13, honours, dragon, five_taken
    cdef bint single, double, five = win == FIVE or not natural
    cdef int32_t best
    cdef int s, group = KEY_PLACE[win] >> 1
    covers13[0], covers13[1], covers13[2], covers13[3] = (
        hand.covers[0], hand.covers[1], hand.covers[2], hand.covers[3])
    # No branch depends on the winning kind: a wrong guess costs more than the look-ups. Nor does the key go
    # below 0 if the kind, looked up in an array that somebody writes to, is not in it.
    before.key[KEY_PLACE[win]] -= min(before.key[KEY_PLACE[win]], KEY_WEIGHT[win] * natural)
    s = min(group, 2)
    covers13[s] = group_cover(t, &before, s)
    honours = group_cover(t, &before, 3)
    covers13[3] = honours
    whole13 = covers13[0] + covers13[1] + covers13[2] + covers13[3]

    double = fits_with_pair(whole13, sets - 1)
    single = fits(whole13, sets) | double
    best = RANK[HUNDIAO * single]
    five_taken = reduced(t, &before, 0, REDUCED.low_less4, REDUCED.high_less6)
    five &= fits_with_pair(whole13 - covers13[0] + five_taken, sets - 1)
    best = max(best, RANK[(ZHUOWU | HUNDIAO * double) * five])
    if sets < 3:
        return best
    for s in range(3):
        dragon = reduced(t, &hand.natural, s, REDUCED.low_dragon, REDUCED.high_dragon)
        if fits_with_pair(hand.whole - hand.covers[s] + dragon, sets - 3):
            best = max(best, dragon_rank(&before, covers13, s, win == FIVE or not natural, five_taken, sets,
                                         LONG | (BENHUN if s == wild_suit else 0)))
    return best


cdef int32_t dragon_rank(const HandKeys *before, const uint32_t *covers13, int s, bint five, uint32_t five_taken,
                         int sets, uint32_t shown) noexcept nogil:
    """Rank of a reading with the 龙 of suit s, which shows this, and whatever goes with it."""
    cdef const SuitTables *t = TABLES
    cdef uint32_t whole13 = covers13[0] + covers13[1] + covers13[2] + covers13[3], dragon
    cdef int32_t best = RANK[shown]
    cdef bint double
    dragon = whole13 - covers13[s] + reduced(t, before, s, REDUCED.low_dragon, REDUCED.high_dragon)
    double = fits_with_pair(dragon, sets - 4)
    if double or fits(dragon, sets - 3):
        best = max(best, RANK[shown | HUNDIAO])
    if five and five_beside_dragon(t, before, s, dragon, whole13 - covers13[0], five_taken, sets):
        best = max(best, RANK[shown | ZHUOWU | (HUNDIAO if double else 0)])
    return best


cdef inline bint five_beside_dragon(const SuitTables *t, const HandKeys *before, int s, uint32_t dragon,
                                    uint32_t others, uint32_t five_taken, int sets) noexcept nogil:
    """捉五 in a reading with the 龙 of suit s: in the dragon's own 456万, or in a fourth set.

    `dragon`: cover of the 13 without the dragon; `others`: of all of them that are not 万.
    """
    if s:
        return fits_with_pair(dragon - group_cover(t, before, 0) + five_taken, sets - 4)
    if fits_with_pair(others + reduced(t, before, 0, REDUCED.low_dragon, REDUCED.high_dragon_but5), sets - 3):
        return True
    return fits_with_pair(
        others + reduced(t, before, 0, REDUCED.low_dragon_less4, REDUCED.high_dragon_less6), sets - 4)


cdef int32_t plain_dragon_rank(const HandKeys *faces, int win, int sets, int wild_suit) noexcept nogil:
    """Rank of a 素本龙, every tile its own face; 0 if there is none.

    With no wildcard left over there is nothing to fill gaps with, so what fits is exactly complete.
    """
    cdef const SuitTables *t = TABLES
    cdef HandKeys before = faces[0]
    cdef uint32_t dragon, five_taken, whole = hand_cover(t, faces)
    cdef int s = wild_suit
    if sets < 3:
        return 0
    dragon = reduced(t, faces, s, REDUCED.low_dragon, REDUCED.high_dragon)
    if not fits_with_pair(whole - group_cover(t, faces, s) + dragon, sets - 3):
        return 0
    if win != FIVE:
        return RANK[LONG | BENHUN | SUBEN]
    before.key[KEY_PLACE[win]] -= min(before.key[KEY_PLACE[win]], KEY_WEIGHT[win])
    whole = hand_cover(t, &before)
    dragon = reduced(t, &before, s, REDUCED.low_dragon, REDUCED.high_dragon)
    dragon = whole - group_cover(t, &before, s) + dragon
    five_taken = reduced(t, &before, 0, REDUCED.low_less4, REDUCED.high_less6)
    if five_beside_dragon(t, &before, s, dragon, whole - group_cover(t, &before, 0), five_taken, sets):
        return RANK[LONG | BENHUN | SUBEN | ZHUOWU]
    return RANK[LONG | BENHUN | SUBEN]


cdef inline void note_wilds(const Terms *terms, const FlipTerms *flip, const uint8_t *counts,
                            HandView *hand) noexcept nogil:
    """Say whether there are wildcards among these counts, and whether just one of each kind but flowers."""
    cdef int i, kind
    cdef uint8_t some = 0
    cdef bint one_each = terms.plain_dragon
    for i in range(flip.wild_count):
        kind = flip.wild_kinds[i]
        some |= counts[kind]
        one_each &= counts[kind] == (kind < 34)
    hand.all_natural = not some
    hand.one_each = one_each


cdef inline int32_t rank_with_faces(const HandView *hand, const FlipTerms *flip, int win, int sets) noexcept nogil:
    """Rank of a 素本龙 in a hand whose wildcards are one of each kind."""
    cdef HandKeys faces = hand.natural
    cdef uint64_t wild = flip.wild & ((<uint64_t>1 << 34) - 1)
    while wild:
        add_tile(&faces, lowest_bit(wild), 1)
        wild &= wild - 1
    return plain_dragon_rank(&faces, win, sets, flip.wild_suit)


cdef int32_t rank_of(const Terms *terms, const FlipTerms *flip, const HandView *hand, int win, int sets,
                     bint gold) noexcept nogil:
    """Rank of what the best reading of a complete hand shows with this winning kind."""
    cdef int32_t rank = best_rank(hand, win, not flip.wild >> win & 1, sets, flip.wild_suit)
    if hand.one_each and not gold and flip.wild_suit >= 0:
        rank = max(rank, rank_with_faces(hand, flip, win, sets))
    return rank


cdef inline void add_rank(HandView *hand, int32_t rank, bint gold, Verdict *verdict) noexcept nogil:
    """Elements and fan of what a hand is and shows, before circumstances."""
    cdef bint su = hand.all_natural and not gold
    verdict.rank = rank
    verdict.elements = RANK_BITS[rank] | SU * su
    verdict.fan = RANK_FAN[rank] << su


cdef Verdict judge(const Terms *terms, const FlipTerms *flip, HandView *hand, int win, int sets,
                   bint gold, uint32_t flags) noexcept nogil:
    """Fan and elements of a hand; rank 0 if it is not complete.

    `win`: the winning kind (any where 天和 is flagged); `gold`: whether a meld is of wildcards.
    """
    cdef Verdict v
    cdef int kind
    cdef int32_t rank = 0, best = 0
    v.fan = v.elements = v.flowers = 0
    v.rank = 0
    v.win = win
    look_up_covers(hand)
    if not fits_with_pair(hand.whole, sets):
        return v
    if not flags & HEAVENLY:
        best = rank_of(terms, flip, hand, win, sets, gold)
    else:
        for kind in range(42):
            if hand.kinds >> kind & 1:
                rank = rank_of(terms, flip, hand, kind, sets, gold)
                if rank > best:
                    best = rank
                    v.win = kind
    add_rank(hand, best, gold, &v)
    add_circumstances(terms, flags, &v)
    return v


cdef Verdict judge_known(const Terms *terms, const FlipTerms *flip, HandView *hand, const uint8_t *counts, int win,
                         int sets) noexcept nogil:
    """`judge` of a complete hand whose keys and covers are there, with ordinary melds and nothing about it."""
    cdef Verdict v
    note_wilds(terms, flip, counts, hand)
    add_rank(hand, rank_of(terms, flip, hand, win, sets, False), False, &v)
    v.flowers = 0
    v.win = win
    return v


cdef Verdict judge_row(const Terms *terms, const FlipTerms *flip, const HandRow *row, const uint8_t *counts,
                       int win, int sets, bint gold, uint32_t flags) noexcept nogil:
    """`judge` of a row that has been checked, and of the counts it was read from."""
    cdef HandView hand
    cdef HandRow natural
    cdef int kind
    natural_part(row, flip, &natural)
    row_keys(&natural, &hand.natural)
    note_wilds(terms, flip, counts, &hand)
    hand.kinds = 0
    if flags & HEAVENLY:
        for kind in range(42):
            hand.kinds |= <uint64_t>(count_in(row, kind) > 0) << kind
    return judge(terms, flip, &hand, win, sets, gold, flags)


cdef inline void add_circumstances(const Terms *terms, uint32_t flags, Verdict *v) noexcept nogil:
    if flags & KONG_DRAW:
        v.elements |= GANGKAI
        v.fan *= 2
    if flags & READY:
        v.elements |= TIANTING
        v.fan *= 2
    if flags & (HEAVENLY | EARTHLY):
        v.elements |= TIANHU if flags & HEAVENLY else DIHU
        v.fan = v.fan + terms.heavenly_factor if terms.heavenly_plus else v.fan * terms.heavenly_factor
