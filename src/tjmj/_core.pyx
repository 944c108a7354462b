# cython: language_level=3
"""The kernel: sets of tile kinds as bitboards, complete hands and waits with any number of wildcards.

It knows no ruleset: a wildcard stands for any tile, a fifth copy included, and a hand is complete as
four sets and a pair. Fan, rules and notation are built on it.
"""

from collections.abc import Set as _Set
from operator import index

from libc.stdint cimport uint16_t
from libc.string cimport memset

from cpython.object cimport Py_EQ, Py_GE, Py_LE, Py_LT, Py_NE

from .tiles import NAMES

cdef extern from "_suit_tables.h":
    const unsigned char TJMJ_SUIT_TABLES[]

TABLES = <const SuitTables *>&TJMJ_SUIT_TABLES[0]

for _kind in range(42):
    if _kind < 27:
        ROW_WORD[_kind] = 4 if _kind % 9 == 8 else _kind // 9
        ROW_SHIFT[_kind] = 8 * (_kind // 9 if _kind % 9 == 8 else _kind % 9)
    else:
        ROW_WORD[_kind] = 3 if _kind < 34 else 5
        ROW_SHIFT[_kind] = 8 * (_kind - 27 if _kind < 34 else _kind - 34)

# Four ranks, or honours, in a row make one key; a ninth rank is added to the key before it.
_lanes = [
    *[0, 1, 2, 3], *[None] * 4, *[4, 5, 6, 7], *[None, None, 8, None],
    *[18, 19, 20, 21], *[None] * 4, *[22, 23, 24, 25], *[None, None, 26, None],
    *[9, 10, 11, 12], *[None] * 4, *[13, 14, 15, 16], *[None, None, 17, None],
    *[27, 28, 29, 30], *[34, 35, 36, 37], *[31, 32, 33, None], *[38, 39, 40, 41],
]
for _lane_place, _kind_there in enumerate(_lanes):
    LANE_KIND[_lane_place] = NOWHERE if _kind_there is None else _kind_there

cdef int _byte, _shift
for _byte in range(256):
    for _shift in range(8):
        (<uint8_t *>&SPREAD[_byte])[_shift] = _byte >> _shift & 1

for _sets in range(-1, 5):
    for _cover in range(256):
        FITS_WITH_PAIR[_sets + 1][_cover] = (_cover & 31) - (_cover > 31) <= _sets

cdef uint64_t ALL = (<uint64_t>1 << ALL_KINDS) - 1


cdef HandKeys keys_of(const uint8_t *counts) noexcept nogil:
    """Keys of 34 counts of natural tiles."""
    cdef HandKeys k
    cdef int kind
    memset(&k, 0, sizeof(k))
    for kind in range(KINDS):
        if counts[kind]:
            add_tile(&k, kind, counts[kind])
    return k


# Base-6 key of up to five kinds present; a count's bits weigh 1, 2 and 4 times that.
cdef uint16_t[32] KEY

cdef int _bits, _place
for _bits in range(32):
    for _place in range(5):
        if _bits >> _place & 1:
            KEY[_bits] += [1, 6, 36, 216, 1296][_place]


cdef inline uint32_t group_key(const uint64_t *held, int first, int kinds) noexcept nogil:
    """Key of the kinds from `first` on; `kinds` has a bit for each."""
    return (KEY[held[0] >> first & kinds] + 2 * KEY[held[1] >> first & kinds]
            + 4 * KEY[held[2] >> first & kinds])


cdef void held_keys(const uint64_t *held, HandKeys *keys) noexcept nogil:
    """Keys of the tiles in three planes, flowers left out."""
    cdef int s
    for s in range(3):
        keys.key[2 * s] = group_key(held, 9 * s, 15)
        keys.key[2 * s + 1] = group_key(held, 9 * s + 4, 31)
    keys.key[WINDS] = group_key(held, 27, 15)
    keys.key[DRAGONS] = group_key(held, 31, 7)


cdef uint64_t natural_waits(const SuitTables *t, const HandKeys *k, int sets) noexcept nogil:
    """Kinds whose natural tile completes a hand of 3 * sets + 1 tiles, one bit each.

    A wildcard completes it exactly when the naturals already fit, that is when anything does: a natural
    tile never makes the rest need less room. So 0 is returned at once for most hands.
    """
    cdef uint32_t whole = hand_cover(t, k)
    cdef uint64_t waits = 0, suit
    cdef const uint8_t *row
    cdef const uint8_t *classes
    cdef const uint8_t *fit
    cdef int s, r
    if not fits_with_pair(whole, sets):
        return 0
    # One more natural tile never takes more than one more set.
    if fits_with_pair(whole, sets - 1):
        return (<uint64_t>1 << KINDS) - 1
    # `fit`: a row of FITS_WITH_PAIR, moved on by what the other groups need
    for s in range(3):
        fit = FITS_WITH_PAIR[sets + 1] + (whole - group_cover(t, k, s))
        row = t.cover + (<uint32_t>t.high_class[k.key[2 * s + 1]] << 7)
        classes = t.low_class + k.key[2 * s]
        suit = 0
        for r in range(4):
            suit |= <uint64_t>fit[row[classes[KEY_WEIGHT[r]]]] << r
        row = t.cover + t.low_class[k.key[2 * s]]
        classes = t.high_class + k.key[2 * s + 1]
        for r in range(4, 9):
            suit |= <uint64_t>fit[row[<uint32_t>classes[KEY_WEIGHT[r]] << 7]] << r
        waits |= suit << 9 * s
    fit = FITS_WITH_PAIR[sets + 1] + (whole - t.honours[k.key[WINDS]])
    for r in range(27, 31):
        waits |= <uint64_t>fit[t.honours[k.key[WINDS] + KEY_WEIGHT[r]]] << r
    fit = FITS_WITH_PAIR[sets + 1] + (whole - t.honours[k.key[DRAGONS]])
    for r in range(31, 34):
        waits |= <uint64_t>fit[t.honours[k.key[DRAGONS] + KEY_WEIGHT[r]]] << r
    return waits


cdef int checked_int(object value, int low, int high, str what) except? -2:
    """A whole number from low to high; `ValueError` for any other, `TypeError` for what is none."""
    if isinstance(value, (bool, float, str)) or not hasattr(value, "__index__"):
        raise TypeError(f"{value!r} is no {what}: a whole number from {low} to {high} is wanted")
    if not low <= value <= high:
        raise ValueError(f"{value} is no {what}: it is {low} to {high}")
    return index(value)


cdef TileSet tile_set(uint64_t bits):
    cdef TileSet made = TileSet.__new__(TileSet)
    made.bits = bits
    return made


cdef class TileSet:
    """An immutable set of tile kinds, one bit each (bit 0 is 一万, bit 41 the flower 菊).

    The operators of Python's sets work on it, `~` gives the kinds that are not in it.

    Parameters
    ----------
    kinds : iterable of int
        Kinds 0 to 41.

    Raises
    ------
    ValueError
        For a number that is not a kind.
    """

    def __cinit__(self, kinds=()):
        for kind in kinds:
            self.bits |= <uint64_t>1 << checked_int(kind, 0, ALL_KINDS - 1, "tile kind")

    @staticmethod
    def from_bits(bits):
        """The set with these bits; raises `ValueError` for bits beyond kind 41."""
        if not 0 <= index(bits) <= ALL:
            raise ValueError(f"{bits:#x} has bits beyond the {ALL_KINDS} tile kinds")
        return tile_set(bits)

    def __reduce__(self):
        return TileSet.from_bits, (self.bits,)

    def __len__(self):
        return popcount(self.bits)

    def __bool__(self):
        return self.bits != 0

    def __contains__(self, kind):
        return isinstance(kind, int) and 0 <= kind < ALL_KINDS and (self.bits >> <int>kind & 1)

    def __iter__(self):
        cdef uint64_t rest = self.bits
        while rest:
            yield lowest_bit(rest)
            rest &= rest - 1

    def __and__(TileSet self, TileSet other not None):
        return tile_set(self.bits & other.bits)

    def __or__(TileSet self, TileSet other not None):
        return tile_set(self.bits | other.bits)

    def __xor__(TileSet self, TileSet other not None):
        return tile_set(self.bits ^ other.bits)

    def __sub__(TileSet self, TileSet other not None):
        return tile_set(self.bits & ~other.bits)

    def __invert__(self):
        return tile_set(ALL & ~self.bits)

    def isdisjoint(self, TileSet other not None):
        """Whether no kind is in both."""
        return not self.bits & other.bits

    def __richcmp__(self, other, int op):
        if not isinstance(other, TileSet):
            return NotImplemented
        cdef uint64_t a = self.bits, b = (<TileSet>other).bits
        if op == Py_EQ:
            return a == b
        if op == Py_NE:
            return a != b
        if op == Py_LE:
            return not a & ~b
        if op == Py_LT:
            return a != b and not a & ~b
        if op == Py_GE:
            return not b & ~a
        return a != b and not b & ~a

    def __hash__(self):
        return hash(self.bits)

    def __repr__(self):
        return f"tjmj.TileSet({list(self)})"

    def __str__(self):
        return " ".join([NAMES[kind] for kind in self])


_Set.register(TileSet)


cdef HandKeys _checked_keys(naturals, wildcards, int over) except *:
    # `over`: how many tiles more than three for each set
    cdef uint8_t[34] counts
    cdef int total = checked_int(wildcards, 0, 14, "number of wildcards")
    naturals = tuple(naturals)
    if len(naturals) != KINDS:
        raise ValueError(f"naturals has {len(naturals)} counts, not {KINDS}")
    for kind, count in enumerate(naturals):
        counts[kind] = checked_int(count, 0, COPIES, f"number of copies of {NAMES[kind]}")
        total += counts[kind]
    if total > 14 or total < over or (total - over) % 3:
        raise ValueError(f"{total - wildcards} natural tiles and {wildcards} wildcards are no such hand")
    return keys_of(counts)


def is_complete(naturals, wildcards=0):
    """Whether the tiles are sets and a pair, wildcards standing for any tile.

    Parameters
    ----------
    naturals : sequence of int
        34 counts, 0 to 4, of the tiles that are no wildcards.
    wildcards : int
        How many wildcards; all tiles together are 2, 5, 8, 11 or 14.

    Raises
    ------
    ValueError
        If the counts or their sum are not such a hand.
    """
    cdef HandKeys keys = _checked_keys(naturals, wildcards, 2)
    return fits_with_pair(hand_cover(TABLES, &keys), (sum(naturals) + wildcards - 2) // 3)


def waits(naturals, wildcards=0):
    """Kinds whose natural tile completes the hand; all tiles together are 1, 4, 7, 10 or 13.

    Parameters and errors as for `is_complete`. A kind that the hand holds four times can be among them.
    If the set is not empty, any wildcard completes the hand too.

    Returns
    -------
    TileSet
    """
    cdef HandKeys keys = _checked_keys(naturals, wildcards, 1)
    return tile_set(natural_waits(TABLES, &keys, (sum(naturals) + wildcards - 1) // 3))
