# cython: language_level=3
"""Rules as C values, made once for each `Rules` and read by every loop that runs without the GIL."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from ._core cimport HandRow

cdef struct RowLanes:
    # The same for a row laid out by LANE_KIND
    uint8_t copies[64]    # in play
    uint8_t most[64]      # 4 where a kind is natural, so that no key is ever too large, else 0

cdef struct FlipTerms:
    # What follows from the flipped kind. The rows are masks over a hand's counts as _core reads them.
    uint64_t wild         # a bit for each wild kind
    int32_t wild_count
    uint8_t wild_kinds[12]   # 3 of the cycle, 8 flowers, and room
    int32_t wild_suit     # the wildcards' suit, -1 for none
    uint8_t copies[42]    # in play of each kind
    HandRow natural       # 0xFF where a kind is natural
    HandRow over          # a count above its copies in play carries into bit 7 when this is added
    RowLanes lanes

cdef struct Terms:
    int32_t kinds               # 34, or 42 where flowers are wild and in the hand
    bint flips                  # whether a tile is flipped at all
    int32_t min_fan
    uint32_t heavenly_factor
    bint heavenly_plus
    bint plain_dragon
    bint earthly
    bint heavenly_ready
    uint32_t exposed_kong
    uint32_t concealed_kong
    uint32_t gold_kong
    bint gold_by_discard
    # of play
    int32_t stacks              # in the wall: 68, or 72 with flowers
    int32_t throws              # for the opening: 1 or 2
    bint turned                 # 翻混: the first tile behind the deal is flipped
    bint stakes
    int32_t max_pulls
    bint chuai
    int32_t last_tiles_closed
    int64_t chan
    bint by_flowers             # counted by flowers, not by fan alone
    bint flower_tiles
    bint chow
    bint discard_wins
    bint claim_kongs
    bint hidden_kongs
    bint dealer_yields_to_kong
    bint seven_pairs
    int64_t value
    int32_t min_flowers
    int32_t cap_fan
    int64_t base
    int64_t cap                 # 0 for none
    FlipTerms by_flip[43]       # [flipped kind + 1]; [0] for no flipped tile

cdef class RulesTerms:
    cdef readonly object rules
    cdef Terms c

cdef RulesTerms terms_of(rules)


cdef inline void natural_part(const HandRow *row, const FlipTerms *flip, HandRow *natural) noexcept nogil:
    """A row without its wildcards."""
    natural.suit[0] = row.suit[0] & flip.natural.suit[0]
    natural.suit[1] = row.suit[1] & flip.natural.suit[1]
    natural.suit[2] = row.suit[2] & flip.natural.suit[2]
    natural.honours = row.honours & flip.natural.honours
    natural.nines = row.nines & flip.natural.nines
    natural.flowers = 0


cdef inline uint64_t with_wilds(uint64_t waits, const FlipTerms *flip) noexcept nogil:
    """All kinds that complete a hand, from the natural ones: a wildcard does wherever anything does."""
    return waits | flip.wild if waits else 0
