# cython: language_level=3
"""The kernel for other Cython modules: keys of a hand, whether it is complete, what completes it.

Everything here works on natural tiles. Wildcards are not even counted: with S sets to make, a hand of
3S + 2 tiles is complete exactly when its naturals fit into S sets and a pair, since a wildcard stands
for any tile and there are just as many of them as gaps (scripts/make_suit_tables.py has the recursion).
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from *:
    """
    #include <string.h>
    #include <stdint.h>
    /* Eight counts in one word, the first in the lowest byte, read exactly once: what has been checked
       is what is used, even if another thread writes to the array meanwhile. */
    static inline uint64_t tjmj_load8(const uint8_t *p) {
        uint64_t x;
        memcpy(&x, p, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        x = __builtin_bswap64(x);
    #endif
    #if defined(__GNUC__)
        __asm__("" : "+r"(x));
    #else
        volatile uint64_t kept = x;
        x = kept;
    #endif
        return x;
    }
    static inline uint64_t tjmj_load1(const uint8_t *p) {
        return *(const volatile uint8_t *)p;
    }
    /* Which key a kind is in, and what one tile adds to it: 6 to the power of its place in it. Flowers: nothing. */
    static const uint8_t TJMJ_KEY_PLACE[42] = {
        0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7};
    static const uint32_t TJMJ_KEY_WEIGHT[42] = {
        1, 6, 36, 216, 1, 6, 36, 216, 1296, 1, 6, 36, 216, 1, 6, 36, 216, 1296,
        1, 6, 36, 216, 1, 6, 36, 216, 1296, 1, 6, 36, 216, 1, 6, 36};
    #if defined(__GNUC__)
    #define tjmj_lowest(x) __builtin_ctzll(x)
    #define tjmj_highest(x) (63 - __builtin_clzll(x))
    #else
    #include <intrin.h>
    static __inline int tjmj_lowest(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    static __inline int tjmj_highest(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
    #endif
    """
    int lowest_bit "tjmj_lowest"(uint64_t x) noexcept nogil
    int highest_bit "tjmj_highest"(uint64_t x) noexcept nogil
    const uint8_t[42] KEY_PLACE "TJMJ_KEY_PLACE"
    const uint32_t[42] KEY_WEIGHT "TJMJ_KEY_WEIGHT"
    uint64_t tjmj_load1(const uint8_t *p) noexcept nogil
    uint64_t tjmj_load8(const uint8_t *p) noexcept nogil

cdef enum:
    KINDS = 34
    ALL_KINDS = 42
    COPIES = 4

cdef struct SuitTables:
    # The layout of TJMJ_SUIT_TABLES. Any key of counts 0-5 is inside, so no look-up needs a check.
    uint8_t low_class[1296]      # of ranks 1-4, by base-6 key
    uint8_t high_class[7776]     # of ranks 5-9
    uint8_t cover[128 * 128]     # [high class][low class]: sets in bits 0-4, bit 5: a pair saves one
    uint8_t honours[1296]        # cover of four kinds without sequences

cdef enum:
    # Places in HandKeys behind those of the suits
    WINDS = 6
    DRAGONS = 7

cdef struct HandKeys:
    # Base-6 keys of the natural tiles: ranks 1-4 of suit s at 2 * s, 5-9 behind it, winds, dragons.
    uint32_t key[8]

cdef struct HandRow:
    # A row of counts as words of eight bytes.
    uint64_t suit[3]     # ranks 1-8
    uint64_t honours     # 27-33
    uint64_t nines       # rank 9 of each suit
    uint64_t flowers     # 34-41; 0 for a row of 34

# The one copy of the tables in the process; other modules see it through this pointer.
cdef const SuitTables *TABLES
# [sets + 1][cover]: whether naturals of that cover fit into so many sets (-1 to 4) and a pair.
cdef uint8_t[6][256] FITS_WITH_PAIR
# Where a kind's count lies in a HandRow: which word, and how far up.
cdef uint8_t[42] ROW_WORD
cdef uint8_t[42] ROW_SHIFT
# Which kind lies where in the four lanes of 16 bytes that _rows.h lays a row out in; NOWHERE for none.
cdef enum:
    NOWHERE = 255
cdef uint8_t[64] LANE_KIND
# Eight bits as eight bytes of 0 or 1, the lowest first in memory.
cdef uint64_t[256] SPREAD


cdef inline int popcount(uint64_t x) noexcept nogil:
    """Number of bits, without an instruction that older processors lack."""
    x -= x >> 1 & 0x5555555555555555ULL
    x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL)
    x = x + (x >> 4) & 0x0F0F0F0F0F0F0F0FULL
    return <int>(x * 0x0101010101010101ULL >> 56)


cdef inline uint32_t suit_cover(const SuitTables *t, uint32_t low, uint32_t high) noexcept nogil:
    return t.cover[<uint32_t>t.high_class[high] << 7 | t.low_class[low]]


cdef inline uint32_t group_cover(const SuitTables *t, const HandKeys *k, int group) noexcept nogil:
    """Cover of a suit, or of the honours (group 3)."""
    if group == 3:
        return t.honours[k.key[WINDS]] + t.honours[k.key[DRAGONS]]
    return suit_cover(t, k.key[2 * group], k.key[2 * group + 1])


cdef inline uint32_t hand_cover(const SuitTables *t, const HandKeys *k) noexcept nogil:
    """Sum of a hand's covers, for `fits` and `fits_with_pair`."""
    return group_cover(t, k, 0) + group_cover(t, k, 1) + group_cover(t, k, 2) + group_cover(t, k, 3)


cdef inline bint fits(uint32_t cover, int32_t sets) noexcept nogil:
    """Whether the naturals fit into that many sets."""
    return <int32_t>(cover & 31) <= sets


cdef inline bint fits_with_pair(uint32_t cover, int32_t sets) noexcept nogil:
    """Whether the naturals fit into that many sets and a pair."""
    return FITS_WITH_PAIR[sets + 1][cover]


cdef inline uint64_t quads(uint64_t x) noexcept nogil:
    """Eight counts as two base-6 keys of four, in the halves of a word."""
    x = (x & 0x00FF00FF00FF00FFULL) + 6 * (x >> 8 & 0x00FF00FF00FF00FFULL)
    return (x & 0x0000FFFF0000FFFFULL) + 36 * (x >> 16 & 0x0000FFFF0000FFFFULL)


cdef inline void load_row(const uint8_t *p, bint flowers, HandRow *r) noexcept nogil:
    """Read a row of 34 counts (42 with flowers); reads no byte outside it and none twice."""
    cdef uint64_t honours = tjmj_load8(p + 26)
    r.suit[0] = tjmj_load8(p)
    r.suit[1] = tjmj_load8(p + 9)
    r.suit[2] = tjmj_load8(p + 18)
    r.honours = honours >> 8
    r.nines = tjmj_load1(p + 8) | tjmj_load1(p + 17) << 8 | (honours & 0xFF) << 16
    r.flowers = tjmj_load8(p + 34) if flowers else 0


cdef inline void row_keys(const HandRow *r, HandKeys *k) noexcept nogil:
    """Keys of a row whose counts are at most 5."""
    cdef int s
    cdef uint64_t q
    for s in range(3):
        q = quads(r.suit[s])
        k.key[2 * s] = <uint32_t>q
        k.key[2 * s + 1] = <uint32_t>(q >> 32) + 1296 * <uint32_t>(r.nines >> 8 * s & 0xFF)
    q = quads(r.honours)
    k.key[WINDS] = <uint32_t>q
    k.key[DRAGONS] = <uint32_t>(q >> 32)


cdef inline uint8_t count_in(const HandRow *row, int kind) noexcept nogil:
    """The count of a kind in a row; a look-up, since branches on a random kind cost more."""
    return <uint8_t>((<const uint64_t *>row)[ROW_WORD[kind]] >> ROW_SHIFT[kind])


cdef inline void add_count(HandRow *row, int kind, uint64_t more) noexcept nogil:
    """Add to the count of a kind; it must stay below 256."""
    (<uint64_t *>row)[ROW_WORD[kind]] += more << ROW_SHIFT[kind]


cdef inline void add_tile(HandKeys *k, int kind, int32_t copies) noexcept nogil:
    """Add natural tiles of a kind to the keys; a negative number takes away."""
    k.key[KEY_PLACE[kind]] += KEY_WEIGHT[kind] * <uint32_t>copies


# Counts as bit planes: three words with bits 0, 1 and 2 of each kind's count.

cdef inline uint64_t some(const uint64_t *held) noexcept nogil:
    return held[0] | held[1] | held[2]


cdef inline uint64_t pairs(const uint64_t *held) noexcept nogil:
    """Kinds of which there are two or more."""
    return held[1] | held[2]


cdef inline uint64_t triplets(const uint64_t *held) noexcept nogil:
    """Kinds of which there are three or more."""
    return held[0] & held[1] | held[2]


cdef inline uint64_t above(uint64_t kinds, int ranks) noexcept nogil:
    """The kinds one or two ranks above these, in their suits."""
    return (kinds & (0x3FDFEFFULL if ranks == 1 else 0x1FCFE7FULL)) << ranks


cdef inline uint64_t beneath(uint64_t kinds, int ranks) noexcept nogil:
    """The kinds one or two ranks below these, in their suits."""
    return (kinds & (0x7FBFDFEULL if ranks == 1 else 0x7F3F9FCULL)) >> ranks


cdef inline uint64_t lowest_bits(uint64_t x) noexcept nogil:
    """The lowest bit of each of eight bytes, as eight bits."""
    return (x & 0x0101010101010101ULL) * 0x0102040810204080ULL >> 56


cdef inline void row_planes(const HandRow *row, uint64_t *held) noexcept nogil:
    """Planes of a row's counts, flowers left out."""
    cdef int b, s
    for b in range(3):
        held[b] = lowest_bits(row.honours >> b) << 27
        for s in range(3):
            held[b] |= (lowest_bits(row.suit[s] >> b) | (row.nines >> 8 * s + b & 1) << 8) << 9 * s


cdef inline void put_in(uint64_t *held, int kind) noexcept nogil:
    cdef uint64_t carry = <uint64_t>1 << kind, both
    both = held[0] & carry
    held[0] ^= carry
    held[2] ^= held[1] & both
    held[1] ^= both


cdef inline void take_out(uint64_t *held, int kind) noexcept nogil:
    cdef uint64_t borrow = <uint64_t>1 << kind, none
    none = borrow & ~held[0]
    held[0] ^= borrow
    held[2] ^= none & ~held[1]
    held[1] ^= none


cdef inline void take_all(uint64_t *held, int kind) noexcept nogil:
    cdef uint64_t rest = ~(<uint64_t>1 << kind)
    held[0] &= rest
    held[1] &= rest
    held[2] &= rest


cdef inline int count_held(const uint64_t *held, uint64_t kinds) noexcept nogil:
    """How many tiles of these kinds are held."""
    return popcount(held[0] & kinds) + 2 * popcount(held[1] & kinds) + 4 * popcount(held[2] & kinds)


cdef HandKeys keys_of(const uint8_t *counts) noexcept nogil
cdef void held_keys(const uint64_t *held, HandKeys *keys) noexcept nogil
cdef uint64_t natural_waits(const SuitTables *t, const HandKeys *k, int sets) noexcept nogil

cdef class TileSet:
    cdef readonly uint64_t bits

cdef TileSet tile_set(uint64_t bits)
cdef int checked_int(object value, int low, int high, str what) except? -2
