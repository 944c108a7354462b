# cython: language_level=3
"""What a seat knows at a table, as a row of numbers: its own tiles, and what everybody sees.

What lies on the table is kept for each seat as it stands in the row, so that a row is little more than four
copies. It is told move by move; nothing of a concealed kong is, where the others do not see it.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ._hand cimport ADDED, CONCEALED, EXPOSED, PONG
from ._moves cimport Move, read_move
from ._play cimport Play
from ._round cimport (
    ADDED_KONG, CHOW_CLAIM, CLAIM, CLAIMED, CONCEALED_KONG, CONCEALED_KONGS, EXPOSED_KONG, GameState,
    LAST_DECLARER, NO_PLACE, NO_TILE, PONG_CLAIM, ROB, back_left, front_left,
)

from .tiles import ALL_KINDS

cdef extern from *:
    """
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define tjmj_turn(x, n) ((x) << (n) | (x) >> (-(n) & 31))
    #else
    #define tjmj_turn(x, n) ((x) >> (n) | (x) << (-(n) & 31))
    #endif
    """
    # Four bytes of memory, the one at n / 8 first
    uint32_t turn "tjmj_turn"(uint32_t x, int n) noexcept nogil

cdef enum:
    HELD = 0
    WINDOW = 42
    TILE = 43
    FROM = 44
    DEALER = 45
    FLIP = 46
    FRONT_LEFT = 47
    BACK_LEFT = 48
    KONG_DRAW = 49
    OWN_THROW = 50
    PASSED_WIN = 51
    CONCEALED_TILES = 52
    LOST = 56
    READY = 60
    FLOWERS = 64
    FACTOR = 68
    HIDDEN_KONGS = 72
    TABLE = 76

cdef enum Window:
    OWN_TURN = 0
    AFTER_CLAIM = 1
    DECLARING = 2
    CLAIMING = 3
    ROBBING = 4

FEATURES = {
    "held": (HELD, (ALL_KINDS,)), "window": (WINDOW, ()), "tile": (TILE, ()), "from": (FROM, ()),
    "dealer": (DEALER, ()), "flip": (FLIP, ()), "front_left": (FRONT_LEFT, ()), "back_left": (BACK_LEFT, ()),
    "kong_draw": (KONG_DRAW, ()), "own_throw": (OWN_THROW, ()), "passed_win": (PASSED_WIN, ()),
    "concealed": (CONCEALED_TILES, (4,)), "lost": (LOST, (4,)), "ready": (READY, (4,)), "flowers": (FLOWERS, (4,)),
    "factor": (FACTOR, (4,)), "hidden_kongs": (HIDDEN_KONGS, (4,)), "table": (TABLE, (4, SHOWN)),
}
"""Where each feature of an observation lies, and its shape."""

cdef uint64_t[256] ONES     # bits as bytes, in the order of memory
cdef uint64_t[256] TWOS     # the same, 2 for each
cdef uint64_t[256] FOURS
cdef uint8_t[27] CHOW_PLACE

cdef int _bits, _bit
for _bits in range(256):
    for _bit in range(8):
        (<uint8_t *>&ONES[_bits])[_bit] = _bits >> _bit & 1
    TWOS[_bits] = 2 * ONES[_bits]
    FOURS[_bits] = 4 * ONES[_bits]
for _bit in range(27):
    CHOW_PLACE[_bit] = THROWN + TRIPLES + 7 * (_bit // 9) + _bit % 9


cdef void tell_claim(const Terms *terms, int act, int kind, uint8_t *shown) noexcept nogil:
    """Lay out what a move, no discard, lays before its seat."""
    if act == CHOW_CLAIM:
        shown[CHOW_PLACE[kind]] += 1
    elif act == PONG_CLAIM:
        shown[THROWN + kind] = 1 + PONG
    elif act == EXPOSED_KONG:
        shown[THROWN + kind] = 1 + EXPOSED
    elif act == ADDED_KONG:
        shown[THROWN + kind] = 1 + ADDED
    elif act == CONCEALED_KONG and not terms.hidden_kongs:
        shown[THROWN + kind] = 1 + CONCEALED


cdef inline void write_held(const uint64_t *held, uint8_t *row) noexcept nogil:
    """42 counts, and zeros up to a multiple of 8."""
    cdef int byte
    cdef uint64_t counts
    for byte in range(6):
        counts = (ONES[held[0] >> 8 * byte & 0xFF] + TWOS[held[1] >> 8 * byte & 0xFF]
                  + FOURS[held[2] >> 8 * byte & 0xFF])
        memcpy(row + 8 * byte, &counts, 8)


cdef inline void write_turned(const uint8_t *four, int seat, uint8_t *row) noexcept nogil:
    """A number for each seat, the observer's first."""
    cdef uint32_t x
    memcpy(&x, four, 4)
    x = turn(x, 8 * seat)
    memcpy(row, &x, 4)


cdef inline void write_bits(int four, int seat, uint8_t *row) noexcept nogil:
    """A bit for each seat, the observer's first."""
    memcpy(row, &ONES[(four | four << 4) >> seat & 15], 4)


cdef inline void write_concealed(const GameState *g, int seat, int whose, uint8_t *row) noexcept nogil:
    """13 tiles less 3 for each meld, and one more for whose turn it is."""
    cdef uint32_t melds
    memcpy(&melds, g.meld_count, 4)
    melds = 0x0D0D0D0D - 3 * turn(melds, 8 * seat)
    memcpy(row, &melds, 4)
    row[whose] += g.phase != CLAIM


cdef inline int window_of(const GameState *g) noexcept nogil:
    if g.phase == CLAIM:
        return DECLARING if g.declarer < LAST_DECLARER else CLAIMING
    return ROBBING if g.phase == ROB else AFTER_CLAIM if g.phase == CLAIMED else OWN_TURN


cdef void write_hidden_kongs(const GameState *g, int seat, uint8_t *row) noexcept nogil:
    """How many each seat has; which they are is shown to their owner alone."""
    cdef int other, i, meld
    for other in range(4):
        row[HIDDEN_KONGS + other] = g.kongs[(seat + other) & 3][CONCEALED_KONGS]
    for i in range(g.meld_count[seat]):
        meld = g.melds[seat][i] & 0xFFF
        if meld >> 6 == CONCEALED:
            row[TABLE + THROWN + (meld & 63)] = 1 + CONCEALED


cdef void write_row(const Asking *a, const Terms *terms, const Public *public, uint8_t *row) noexcept nogil:
    """Write what the seat that is asked knows."""
    cdef const GameState *g = &a.game
    cdef int seat = a.seat, whose = (g.seat - seat) & 3, front = front_left(g, terms)
    write_held(g.held[seat], row + HELD)
    row[WINDOW] = window_of(g)
    row[TILE] = 255 if g.tile == NO_TILE else g.tile
    row[FROM] = whose
    row[DEALER] = (g.dealer - seat) & 3
    row[FLIP] = g.flip              # -1 is 255
    row[FRONT_LEFT] = front
    row[BACK_LEFT] = front if g.flip_place == NO_PLACE else back_left(g, terms)
    row[KONG_DRAW] = g.kong_draw
    row[OWN_THROW] = 255 if g.own_throw[seat] == NO_TILE else g.own_throw[seat]
    row[PASSED_WIN] = g.passed_points[seat] > 0
    write_concealed(g, seat, whose, row + CONCEALED_TILES)
    write_bits(g.lost, seat, row + LOST)
    write_bits(g.ready, seat, row + READY)
    write_turned(g.flowers, seat, row + FLOWERS)
    write_turned(g.factor, seat, row + FACTOR)
    memset(row + HIDDEN_KONGS, 0, 4)
    memcpy(row + TABLE, public.seats[seat], SHOWN)
    memcpy(row + TABLE + SHOWN, public.seats[(seat + 1) & 3], SHOWN)
    memcpy(row + TABLE + 2 * SHOWN, public.seats[(seat + 2) & 3], SHOWN)
    memcpy(row + TABLE + 3 * SHOWN, public.seats[(seat + 3) & 3], SHOWN)
    if terms.hidden_kongs:
        write_hidden_kongs(g, seat, row)


def row_of(Play play not None, int seat, list moves not None):
    """The row of a seat that is asked in a hand of play, whose moves so far are given as records write them."""
    cdef Asking a
    cdef Public public
    cdef Move move
    cdef uint8_t[WIDTH] row
    a.game = play.state
    a.seat = seat
    memset(&public, 0, sizeof(public))
    for text in moves:
        read_move(text, 0, len(text), &move)
        tell_move(&play.terms.c, move.seat, move.act, move.kind, &public)
    write_row(&a, &play.terms.c, &public, row)
    return bytes(row[:WIDTH])
