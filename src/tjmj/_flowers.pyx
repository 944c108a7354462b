# cython: language_level=3
"""Points of a hand counted by flowers 花 and fan (spec: jintan, "Counting").

Without wildcards a hand has few readings that differ in worth: honours can only be triplets or the pair, so
what is left to choose is whether it is read as four triplets, as seven pairs, or as anything else.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ._core cimport HandKeys, TABLES, fits_with_pair, hand_cover, held_keys, popcount, some
from ._fan cimport DISCARD_WIN, KONG_DRAW, ROB_WIN, Verdict
from ._hand cimport ADDED, CHOW, CONCEALED, EXPOSED, PONG
from ._terms cimport Terms

from . import elements as _elements

cdef uint64_t HONOURS = 0x7F << 27
cdef uint64_t SUIT = 0x1FF

cdef uint32_t HUNYISE = _elements.BIT["hunyise"], QINGYISE = _elements.BIT["qingyise"]
cdef uint32_t DUIDUIHU = _elements.BIT["duiduihu"], QIDUI = _elements.BIT["qidui"]
cdef uint32_t GANGKAI = _elements.BIT["gangkai"], DUDIAO = _elements.BIT["dudiao"]
cdef uint32_t QIANGGANG = _elements.BIT["qianggang"], JIHU = _elements.BIT["jihu"]

cdef int32_t[5][2] MELD     # flowers of a meld's type: of a suit's kind, and of an honour
for _type, _group in ((PONG, ("triplet", "exposed")), (EXPOSED, ("kong", "exposed")),
                      (ADDED, ("kong", "exposed")), (CONCEALED, ("kong", "concealed"))):
    MELD[_type][0], MELD[_type][1] = _elements.GROUP_FLOWERS[_group]
cdef int32_t CONCEALED_TRIPLET = _elements.GROUP_FLOWERS["triplet", "concealed"][1]
cdef int32_t[32] FAN
for _key, _fan in _elements.FLOWER_FAN.items():
    FAN[_elements.KEYS.index(_key)] = _fan


cdef int32_t meld_flowers(int code) noexcept nogil:
    """Flowers of a meld, given as 64 * type + kind."""
    return MELD[code >> 6][(code & 63) >= 27]


cdef int64_t points_of(const Terms *terms, int32_t flowers, int32_t fan) noexcept nogil:
    """Points that a payer owes for a hand, before a robber's factor."""
    return (terms.base + flowers * terms.value) << min(fan, terms.cap_fan)


cdef bint may_take(const Terms *terms, const Verdict *verdict) noexcept nogil:
    """Whether a complete hand is enough to win on a discard."""
    return verdict.rank > 0 and (<int32_t>verdict.flowers >= terms.min_flowers or verdict.fan >= 1)


cdef uint32_t colour(const FlowerHand *hand) noexcept nogil:
    """混一色 or 清一色, if it is one of them."""
    cdef uint64_t kinds = some(hand.held)
    cdef int i, suits
    for i in range(hand.meld_count):
        kinds |= <uint64_t>1 << (hand.melds[i] & 63)    # a chow lies in one suit
    suits = (kinds & SUIT != 0) + (kinds >> 9 & SUIT != 0) + (kinds >> 18 & SUIT != 0)
    if suits > 1:
        return 0
    return QINGYISE if not kinds & HONOURS else HUNYISE


cdef bint four_triplets(const FlowerHand *hand) noexcept nogil:
    """Whether a complete hand is triplets and a pair; five of a kind (a dead wait) are both."""
    cdef uint64_t ones = hand.held[0], twos = hand.held[1], fours = hand.held[2]
    cdef int i
    for i in range(hand.meld_count):
        if hand.melds[i] >> 6 == CHOW:
            return False
    return not ~twos & (ones ^ fours) and popcount(twos & ~ones | ones & fours) == 1


cdef int32_t triplet_flowers(const FlowerHand *hand) noexcept nogil:
    """Flowers of the honour triplets in hand; one that a discard completes counts as exposed."""
    cdef uint64_t threes = hand.held[0] & hand.held[1] & HONOURS
    cdef uint64_t fives = hand.held[0] & hand.held[2] & HONOURS
    cdef int32_t flowers = CONCEALED_TRIPLET * popcount(threes | fives)
    if hand.flags & DISCARD_WIN and hand.win >= 0 and threes >> hand.win & 1:
        flowers += MELD[PONG][1] - CONCEALED_TRIPLET
    return flowers


cdef int32_t fan_of(uint32_t elements) noexcept nogil:
    cdef int bit
    cdef int32_t fan = 0
    for bit in range(32):
        if elements >> bit & 1:
            fan += FAN[bit]
    return fan


cdef Verdict judge_flowers(const Terms *terms, const FlowerHand *hand) noexcept nogil:
    """Fan, flowers and elements of a hand of the right number of tiles; rank 0 where it is not complete."""
    cdef Verdict v
    cdef HandKeys keys
    cdef int i
    cdef bint pairs = terms.seven_pairs and not hand.meld_count and not hand.held[0]
    v.fan = v.elements = v.flowers = 0
    v.rank = 0
    v.win = hand.win
    held_keys(hand.held, &keys)
    if not pairs and not fits_with_pair(hand_cover(TABLES, &keys), 4 - hand.meld_count):
        return v
    v.rank = 1
    v.flowers = hand.flower_tiles
    v.elements = colour(hand)
    if pairs:
        # Beside it there is no honour triplet and no 对对胡, so no other reading is worth more.
        v.elements |= QIDUI
    else:
        v.flowers += triplet_flowers(hand)
        for i in range(hand.meld_count):
            v.flowers += meld_flowers(hand.melds[i])
        if four_triplets(hand):
            v.elements |= DUIDUIHU
    if hand.meld_count == 4:
        v.elements |= DUDIAO
    if hand.flags & KONG_DRAW:
        v.elements |= GANGKAI
    v.fan = fan_of(v.elements)
    if not v.fan:
        v.elements |= JIHU
    if hand.flags & ROB_WIN:
        v.elements |= QIANGGANG
    return v
