# cython: language_level=3
"""Fan of a winning hand, by a closed form instead of a search (spec: tianjin section 5).

Every element is a question of the kernel's kind, whether naturals fit into so many sets, asked of the
hand with the tiles taken out that the element claims: 捉五 takes 4万 and 6万 beside the drawn tile, a 龙
the nine kinds of its suit, 混吊 nothing at all, wildcards filling what is missing. "13" below is the
hand without the winning tile. The answers are combined by `elements.RANKED`.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from ._core cimport (
    HandKeys, HandRow, SuitTables, TABLES, add_tile, count_in, fits, fits_with_pair, honour_cover, row_keys,
    suit_cover,
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


cdef inline int32_t better(int32_t best, uint32_t shown) noexcept nogil:
    return RANK[shown] if RANK[shown] > best else best


cdef int32_t best_rank(const HandKeys *hand, int win, int sets, int wild_suit) noexcept nogil:
    """Rank of what the best reading shows, 0 for an incomplete hand.

    `hand`: keys of all naturals; `win`: the winning kind, or -1 for a wildcard; `sets` to make.
    """
    cdef const SuitTables *t = TABLES
    cdef HandKeys before = hand[0]
    cdef uint32_t[3] suits
    cdef uint32_t[3] suits13
    cdef uint32_t whole, whole13, honours, dragon, shown, five_taken
    cdef bint single, double, five = win == FIVE or win < 0
    cdef int32_t best
    cdef int s
    for s in range(3):
        suits[s] = suit_cover(t, hand.low[s], hand.high[s])
    honours = honour_cover(t, hand.winds, hand.dragons)
    whole = suits[0] + suits[1] + suits[2] + honours
    if not fits_with_pair(whole, sets):
        return 0
    if win >= 0:
        add_tile(&before, win, -1)
    for s in range(3):
        suits13[s] = suit_cover(t, before.low[s], before.high[s])
    honours = honour_cover(t, before.winds, before.dragons)
    whole13 = suits13[0] + suits13[1] + suits13[2] + honours

    double = fits_with_pair(whole13, sets - 1)
    single = fits(whole13, sets)
    best = RANK[HUNDIAO if single or double else 0]
    five_taken = by_class(t, REDUCED.low_less4[before.low[0]], REDUCED.high_less6[before.high[0]])
    if five and fits_with_pair(whole13 - suits13[0] + five_taken, sets - 1):
        best = better(best, ZHUOWU | (HUNDIAO if double else 0))

    if sets < 3:
        return best
    for s in range(3):
        dragon = by_class(t, REDUCED.low_dragon[hand.low[s]], REDUCED.high_dragon[hand.high[s]])
        if not fits_with_pair(whole - suits[s] + dragon, sets - 3):
            continue
        shown = LONG | (BENHUN if s == wild_suit else 0)
        best = better(best, shown)
        dragon = by_class(t, REDUCED.low_dragon[before.low[s]], REDUCED.high_dragon[before.high[s]])
        dragon = whole13 - suits13[s] + dragon
        double = fits_with_pair(dragon, sets - 4)
        if double or fits(dragon, sets - 3):
            best = better(best, shown | HUNDIAO)
        if five and five_beside_dragon(t, &before, s, dragon, whole13, suits13, five_taken, sets):
            best = better(best, shown | ZHUOWU | (HUNDIAO if double else 0))
    return best


cdef inline bint five_beside_dragon(const SuitTables *t, const HandKeys *before, int s, uint32_t dragon,
                                    uint32_t whole13, const uint32_t *suits13, uint32_t five_taken,
                                    int sets) noexcept nogil:
    """捉五 in a reading with the 龙 of suit s: in the dragon's own 456万, or in a fourth set."""
    cdef uint32_t rest
    if s:
        rest = dragon - suits13[0] + five_taken
    else:
        rest = whole13 - suits13[0]
        if fits_with_pair(rest + by_class(t, REDUCED.low_dragon[before.low[0]],
                                          REDUCED.high_dragon_but5[before.high[0]]), sets - 3):
            return True
        rest += by_class(t, REDUCED.low_dragon_less4[before.low[0]],
                         REDUCED.high_dragon_less6[before.high[0]])
    return fits_with_pair(rest, sets - 4)


cdef int32_t plain_dragon_rank(const HandKeys *faces, int win, int sets, int wild_suit) noexcept nogil:
    """Rank of a 素本龙, every tile its own face; 0 if there is none.

    With no wildcard left over there is nothing to fill gaps with, so what fits is exactly complete.
    """
    cdef const SuitTables *t = TABLES
    cdef HandKeys before = faces[0]
    cdef uint32_t[3] suits13
    cdef uint32_t whole, whole13, dragon, five_taken
    cdef int s = wild_suit, i
    if sets < 3:
        return 0
    add_tile(&before, win, -1)
    for i in range(3):
        suits13[i] = suit_cover(t, before.low[i], before.high[i])
    whole13 = (suits13[0] + suits13[1] + suits13[2] + honour_cover(t, before.winds, before.dragons))
    whole = honour_cover(t, faces.winds, faces.dragons)
    for i in range(3):
        if i == s:
            whole += by_class(t, REDUCED.low_dragon[faces.low[s]], REDUCED.high_dragon[faces.high[s]])
        else:
            whole += suit_cover(t, faces.low[i], faces.high[i])
    if not fits_with_pair(whole, sets - 3):
        return 0
    dragon = by_class(t, REDUCED.low_dragon[before.low[s]], REDUCED.high_dragon[before.high[s]])
    dragon = whole13 - suits13[s] + dragon
    five_taken = by_class(t, REDUCED.low_less4[before.low[0]], REDUCED.high_less6[before.high[0]])
    if win == FIVE and five_beside_dragon(t, &before, s, dragon, whole13, suits13, five_taken, sets):
        return RANK[LONG | BENHUN | SUBEN | ZHUOWU]
    return RANK[LONG | BENHUN | SUBEN]


cdef inline bint same_wilds(const HandRow *row, const FlipTerms *flip) noexcept nogil:
    """Whether the wildcards in a row are exactly one of each kind that the flipped tile made wild."""
    return not ((row.suit[0] & ~flip.natural.suit[0] ^ flip.one_each.suit[0])
                | (row.suit[1] & ~flip.natural.suit[1] ^ flip.one_each.suit[1])
                | (row.suit[2] & ~flip.natural.suit[2] ^ flip.one_each.suit[2])
                | (row.honours & ~flip.natural.honours ^ flip.one_each.honours)
                | (row.nines & ~flip.natural.nines ^ flip.one_each.nines)
                | row.flowers)


cdef Verdict judge(const Terms *terms, const FlipTerms *flip, const HandView *hand, int win, int sets,
                   bint gold, uint32_t flags) noexcept nogil:
    """Fan and elements of a hand.

    `win`: the winning kind (any where 天和 is flagged); `gold`: whether a meld is of wildcards.
    """
    cdef Verdict v
    cdef int kind, rank
    cdef bint plain = terms.plain_dragon and not gold and flip.wild_suit >= 0 and hand.one_each
    v.rank = 0
    v.win = win
    for kind in range(42 if flags & HEAVENLY else 1):
        if flags & HEAVENLY:
            if not hand.kinds >> kind & 1:
                continue
            win = kind
        rank = best_rank(&hand.natural, -1 if flip.wild >> win & 1 else win, sets, flip.wild_suit)
        if plain and rank:
            rank = max(rank, plain_dragon_rank(&hand.faces, win, sets, flip.wild_suit))
        if rank > v.rank:
            v.rank = rank
            v.win = win
    v.fan = v.elements = v.flowers = 0
    if v.rank:
        v.elements = RANK_BITS[v.rank]
        v.fan = RANK_FAN[v.rank]
        if not gold and hand.all_natural:
            v.elements |= SU
            v.fan *= 2
        add_circumstances(terms, flags, &v)
    return v


cdef Verdict judge_row(const Terms *terms, const FlipTerms *flip, const HandRow *row, int win, int sets,
                       bint gold, uint32_t flags) noexcept nogil:
    """`judge` of a row that has been checked."""
    cdef HandView hand
    cdef HandRow natural
    cdef int kind
    natural_part(row, flip, &natural)
    row_keys(&natural, &hand.natural)
    hand.all_natural = all_natural(row, &natural)
    hand.one_each = terms.plain_dragon and same_wilds(row, flip)
    if hand.one_each:
        row_keys(row, &hand.faces)
    hand.kinds = 0
    if flags & HEAVENLY:
        for kind in range(42):
            hand.kinds |= <uint64_t>(count_in(row, kind) > 0) << kind
    return judge(terms, flip, &hand, win, sets, gold, flags)


cdef inline bint all_natural(const HandRow *row, const HandRow *natural) noexcept nogil:
    return not ((row.suit[0] ^ natural.suit[0]) | (row.suit[1] ^ natural.suit[1])
                | (row.suit[2] ^ natural.suit[2]) | (row.honours ^ natural.honours)
                | (row.nines ^ natural.nines) | row.flowers)


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
