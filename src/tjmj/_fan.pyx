# cython: language_level=3
"""Fan of a winning hand, by a closed form instead of a search (spec: tianjin section 5).

Every element is a question of the kernel's kind, whether naturals fit into so many sets, asked of the
hand with the tiles taken out that the element claims: 捉五 takes 4万 and 6万 beside the drawn tile, a 龙
the nine kinds of its suit, 混吊 nothing at all, wildcards filling what is missing. A table has a suit's answers to
all of them. 龙 is asked of the whole hand, all that goes with it and the others of the hand without the winning tile.
The answers are combined by `elements.RANKED`.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from ._core cimport (
    HandKeys, HandRow, KEY_PLACE, KEY_WEIGHT, TABLES, add_tile, count_in, fits_with_pair, group_cover, hand_cover,
    lowest_bit, row_keys,
)
from ._reading cimport BENHUN, FIVE, HUNDIAO, LONG, SUBEN, ZHUOWU
from ._terms cimport FlipTerms, Terms, natural_part

from . import elements as _elements

cdef extern from "_fan_tables.h":
    enum:
        ANSWERS "TJMJ_ANSWERS"
        LOW_CLASSES "TJMJ_LOW_CLASSES"
    const uint8_t[1296] LOW_CLASS "TJMJ_LOW_CLASS"
    const uint16_t[7776] HIGH_CLASS "TJMJ_HIGH_CLASS"
    const uint8_t *ANSWER "TJMJ_ANSWER"
    const uint8_t *COVERS "TJMJ_COVERS"

# A hand is asked eight questions at once, each in a byte of a word: what it takes as it is, and with a dragon of each
# suit; then the same four with 456万 as well. A suit's covers are added to those of the others byte by byte, and no sum
# goes beyond its byte: no cover has more than 5 sets, of all honours 14.
cdef enum:
    # What may be shown beside a dragon, or beside none: bits of a byte in each of four
    STANDS = 1
    HANGS = 2           # 混吊
    CATCHES = 4         # 捉五
    HANGS_CATCHING = 8

cdef uint64_t[3][256] QUESTIONS      # [suit][answer]: its covers where they belong
cdef uint8_t[3][16] BEST             # rank of the best of such bits: without a dragon, with one, with 本混龙
cdef uint8_t[32] RANK                # of each set of bits of _reading; 0: cannot be
cdef uint32_t[16] RANK_FAN
cdef uint32_t[16] RANK_BITS
cdef uint32_t SU = _elements.BIT["su"], GANGKAI = _elements.BIT["gangkai"]
cdef uint32_t TIANHU = _elements.BIT["tianhu"], DIHU = _elements.BIT["dihu"]
cdef uint32_t TIANTING = _elements.BIT["tianting"]


cdef make_questions():
    cdef int answer, suit, place, which
    for answer in range(ANSWERS):
        for suit in range(3):
            for place in range(8):
                # in COVERS: 1 with 456万, 2 with a dragon
                which = (place >= 4 and suit == 0) + 2 * (place & 3 == suit + 1)
                QUESTIONS[suit][answer] |= <uint64_t>COVERS[4 * answer + which] << 8 * place


cdef make_ranks():
    bits = {"zhuowu": ZHUOWU, "long": LONG, "benhun": BENHUN, "hundiao": HUNDIAO, "suben": SUBEN}
    for rank, keys in enumerate(_elements.RANKED, 1):
        SHOWN[rank] = sum([bits.get(name, 0) for name in keys])
        RANK[SHOWN[rank]] = rank
        RANK_FAN[rank] = _elements.reading_fan(keys)
        RANK_BITS[rank] = sum([_elements.BIT[name] for name in keys])
    more = {STANDS: 0, HANGS: HUNDIAO, CATCHES: ZHUOWU, HANGS_CATCHING: HUNDIAO | ZHUOWU}
    for row, dragon in enumerate([0, LONG, LONG | BENHUN]):
        for some in range(16):
            BEST[row][some] = max([RANK[dragon | shown] for bit, shown in more.items() if some & bit] or [0])


make_questions()
make_ranks()


cdef inline uint64_t suit_covers(const HandKeys *hand, int s) noexcept nogil:
    cdef uint32_t low = LOW_CLASS[hand.key[2 * s]], high = HIGH_CLASS[hand.key[2 * s + 1]]
    return QUESTIONS[s][ANSWER[LOW_CLASSES * high + low]]


cdef inline uint64_t all_covers(const HandKeys *hand) noexcept nogil:
    """Covers of a hand for each of the questions."""
    return (suit_covers(hand, 0) + suit_covers(hand, 1) + suit_covers(hand, 2)
            + group_cover(TABLES, hand, 3) * 0x0101010101010101ULL)


cdef inline uint64_t alone(uint64_t covers, int sets) noexcept nogil:
    """For each question bit 7 says whether the naturals fit into so many sets; `fits` for eight covers."""
    return (0x80 | sets) * 0x0101010101010101ULL - (covers & 0x1F1F1F1F1F1F1F1FULL)


cdef inline uint64_t saved(uint64_t covers) noexcept nogil:
    """1 for each question where a pair saves a set: added to `alone`, it is `fits_with_pair`."""
    return ((covers >> 1 & 0x7070707070707070ULL) + 0x7070707070707070ULL) >> 7 & 0x0101010101010101ULL


cdef inline uint32_t readings(const HandKeys *hand, int win, bint natural, bint five, int sets) noexcept nogil:
    """What readings without a dragon show, and with the dragon of each suit: a byte each, 0 if there are none.

    `win`: the winning kind; whether it is natural, and whether it may be the 5 of 捉五; `sets` to make.
    """
    cdef HandKeys before
    cdef uint64_t covers = all_covers(hand), single, paired, double
    cdef uint32_t stands = (alone(covers, sets) + saved(covers)) >> 7 & 0x01010101, catches
    # No branch depends on the winning kind: a wrong guess costs more than the look-ups. Nor does the key go
    # below 0 if the kind, looked up in an array that somebody writes to, is not in it.
    memcpy(&before, hand, sizeof(before))
    before.key[KEY_PLACE[win]] -= min(before.key[KEY_PLACE[win]], KEY_WEIGHT[win] * natural)
    covers = all_covers(&before)
    single = alone(covers, sets)
    paired = single + saved(covers)
    double = paired - 0x0101010101010101ULL     # one set more, of the winning tile and two wildcards
    catches = (paired >> 39 & 0x01010101) * five
    return stands * 15 & (stands | ((single | double) >> 7 & 0x01010101) * HANGS | catches * CATCHES
                          | (catches & double >> 7) * HANGS_CATCHING)


cdef inline int32_t best_rank(const HandKeys *hand, int win, bint natural, int sets, int wild_suit) noexcept nogil:
    """Rank of what the best reading of a hand shows, 0 if it is not complete."""
    cdef uint64_t shown = readings(hand, win, natural, win == FIVE or not natural, sets)
    cdef uint8_t plain = BEST[0][shown & 15], dragon = BEST[1][(shown >> 8 | shown >> 16 | shown >> 24) & 15]
    # with no suit of wildcards nothing is left of the four bytes
    return max(max(plain, dragon), BEST[2][shown >> 8 * (1 + (wild_suit & 3)) & 15])


cdef int32_t plain_dragon_rank(const HandKeys *faces, int win, int sets, int wild_suit) noexcept nogil:
    """Rank of a 素本龙, every tile its own face; 0 if there is none.

    With no wildcard left over there is nothing to fill gaps with, so what fits is exactly complete.
    """
    cdef uint32_t shown = readings(faces, win, True, win == FIVE, sets) >> 8 * (1 + wild_suit)
    if not shown & STANDS:
        return 0
    return RANK[LONG | BENHUN | SUBEN | (ZHUOWU if shown & CATCHES else 0)]


cdef inline bint no_wilds(const FlipTerms *flip, const uint8_t *counts) noexcept nogil:
    cdef int i
    cdef uint8_t some = 0
    for i in range(flip.wild_count):
        some |= counts[flip.wild_kinds[i]]
    return not some


cdef bint one_of_each(const FlipTerms *flip, const uint8_t *counts) noexcept nogil:
    """Whether the wildcards are just one of each kind but flowers."""
    cdef int i, kind
    for i in range(flip.wild_count):
        kind = flip.wild_kinds[i]
        if counts[kind] != (kind < 34):
            return False
    return True


cdef int32_t rank_with_faces(const HandKeys *natural, const FlipTerms *flip, int win, int sets) noexcept nogil:
    """Rank of a 素本龙 in a hand whose wildcards are one of each kind."""
    cdef HandKeys faces = natural[0]
    cdef uint64_t wild = flip.wild & ((<uint64_t>1 << 34) - 1)
    if flip.wild_suit < 0:
        return 0
    while wild:
        add_tile(&faces, lowest_bit(wild), 1)
        wild &= wild - 1
    return plain_dragon_rank(&faces, win, sets, flip.wild_suit)


cdef inline int32_t rank_of(const FlipTerms *flip, const HandKeys *natural, bint faces, int win,
                            int sets) noexcept nogil:
    """Rank of what the best reading of a complete hand shows with this winning kind.

    `faces`: whether the wildcards may be a 素本龙's, one of each kind.
    """
    cdef int32_t rank = best_rank(natural, win, not flip.wild >> win & 1, sets, flip.wild_suit)
    if faces:
        rank = max(rank, rank_with_faces(natural, flip, win, sets))
    return rank


cdef inline void add_rank(int32_t rank, bint su, Verdict *verdict) noexcept nogil:
    """Elements and fan of what a hand shows, and of whether it is without wildcards, before circumstances."""
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
    cdef bint faces = hand.one_each and not gold
    v.fan = v.elements = v.flowers = 0
    v.rank = 0
    v.win = win
    if not fits_with_pair(hand_cover(TABLES, &hand.natural), sets):
        return v
    if not flags & HEAVENLY:
        best = rank_of(flip, &hand.natural, faces, win, sets)
    else:
        for kind in range(42):
            if hand.kinds >> kind & 1:
                rank = rank_of(flip, &hand.natural, faces, kind, sets)
                if rank > best:
                    best = rank
                    v.win = kind
    add_rank(best, hand.all_natural and not gold, &v)
    add_circumstances(terms, flags, &v)
    return v


cdef Verdict judge_known(const Terms *terms, const FlipTerms *flip, const HandKeys *natural, const uint8_t *counts,
                         int win, int sets) noexcept nogil:
    """`judge` of a complete hand whose keys are there, with ordinary melds and nothing about it."""
    cdef Verdict v
    cdef bint faces = terms.plain_dragon and one_of_each(flip, counts)
    add_rank(rank_of(flip, natural, faces, win, sets), no_wilds(flip, counts), &v)
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
    hand.all_natural = no_wilds(flip, counts)
    hand.one_each = terms.plain_dragon and one_of_each(flip, counts)
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
