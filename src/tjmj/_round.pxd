# cython: language_level=3
"""The turn machine: a hand of play as one block of memory, its legal moves and what they do.

Functions here trust their arguments; `_round.Play` and what reads records check a move against `Options`
first. Everybody passing is no move: `pass_claims` is called where a move of the next turn comes.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from ._core cimport KINDS, above, beneath, count_held, pairs, popcount, put_in, some, take_out
from ._fan cimport Verdict
from ._terms cimport Terms

cdef enum Phase:
    TURN = 0            # `seat` acts on the tile it drew
    CLAIMED = 1         # `seat` discards after a pong or chow
    CLAIM = 2           # `seat` has discarded `tile`; the others may declare 天听 first, then claim
    ROB = 3             # `seat` adds `tile` to a pong; the others may rob it
    WON = 4             # from here on the hand is over
    EXHAUSTED = 5       # 荒庄, 流局
    EIGHT_FLOWERS = 6   # 八花

cdef enum Act:
    # What a move does, with the letters of records: d c a h p o r w e
    DISCARD = 0
    CONCEALED_KONG = 1
    ADDED_KONG = 2
    WIN = 3
    PONG_CLAIM = 4
    EXPOSED_KONG = 5
    DECLARE = 6
    TAKE_WIN = 7
    CHOW_CLAIM = 8

cdef enum:
    EXPOSED_KONGS = 0   # places in GameState.kongs
    CONCEALED_KONGS = 1
    GOLD_KONGS = 2
    NO_TILE = 63
    NO_PLACE = 255
    LAST_DECLARER = 4   # `declarer` where nobody may declare any more

cdef struct GameState:
    # 408 bytes (tests hold it): copying a hand of play is copying this. Kinds are bits of 64-bit
    # words wherever a rule asks for "any kind that ...". What every turn reads comes first, in few lines of
    # the cache.
    uint8_t phase
    uint8_t seat
    uint8_t dealer
    uint8_t tile                # drawn last in this turn, or discarded; NO_TILE after a claim
    uint8_t front               # place of the next front draw, as far as it is there
    uint8_t front_end           # front draws go on without a hole up to here
    uint8_t back                # how many places have been passed from the back
    uint8_t flip_place          # of the flipped tile in the wall; NO_PLACE where it is not in the way
    int8_t flip                 # its kind; -1 where none is flipped
    uint8_t discards            # made so far; there are fewer than 255 turns in a hand
    uint8_t first_discard       # kind of the dealer's first; NO_TILE once 铲 cannot happen any more
    uint8_t lost                # 小相公, a bit for each seat
    uint8_t ready               # 天听, a bit for each seat
    uint8_t declarer            # seats from this many places behind the dealer may still declare
    uint8_t kong_draw           # `tile` is a kong's replacement
    uint8_t called              # somebody has claimed or made a kong
    uint8_t chan                # 铲 has happened
    uint8_t claim_turn          # this turn began with a pong or chow
    uint8_t robbed              # the win took the tile of an added kong
    uint8_t won                 # seats that have won, a bit each
    uint64_t wild
    uint64_t held[4][3]         # concealed tiles of each seat: bits 0, 1 and 2 of each kind's count
    uint64_t ponged[4]          # kinds that a fourth tile may be added to
    uint8_t meld_count[4]
    uint8_t flowers[4]          # laid out by each seat, a bit each
    uint8_t factor[4]           # m of a seat beside the dealer; 1 for the dealer itself
    uint8_t own_throw[4]        # kind that a seat may not win on, since it threw it last; NO_TILE for none
    uint8_t passed_fan[4]       # best win on a discard that a seat has let pass since its last draw or claim
    uint32_t passed_points[4]   # 0 for none
    uint8_t wall[144]           # kinds in take order
    uint16_t melds[4][4]        # 64 * type + kind, the seat it came from in bits 12 and 13
    uint8_t kongs[4][3]         # made by each seat: exposed and added, concealed, gold
    Verdict verdict             # of a win on an own draw

cdef struct Options:
    # What one seat may do on its turn, a bit for each kind
    uint64_t discards
    uint64_t concealed
    uint64_t added
    bint may_win


cdef int place_behind_hole(const GameState *g, const Terms *terms) noexcept nogil


cdef inline int last_stack(const GameState *g, const Terms *terms) noexcept nogil:
    """The stack that back draws have come to."""
    return terms.stacks - 1 - (g.back >> 1)


cdef inline int front_place(const GameState *g, const Terms *terms) noexcept nogil:
    """Place of the next front draw, NO_PLACE if none is left (spec: tianjin section 3)."""
    return g.front if g.front < g.front_end else place_behind_hole(g, terms)


cdef inline int front_left(const GameState *g, const Terms *terms) noexcept nogil:
    """How many front draws are left."""
    cdef int left = g.front_end - g.front
    if left < 0:
        left = 0
    if g.back & 1 and place_behind_hole(g, terms) != NO_PLACE:
        left += 1
    return left


cdef inline int back_left(const GameState *g, const Terms *terms) noexcept nogil:
    """Tiles left behind the flipped one; without one all that are left."""
    cdef int left = 2 * terms.stacks - 1 - g.flip_place - g.back
    if g.flip_place == NO_PLACE:
        return front_left(g, terms)
    return left if left > 0 else 0


cdef inline int back_place(const GameState *g, const Terms *terms) noexcept nogil:
    """Place of the next replacement from the back, NO_PLACE if none is left."""
    cdef int place = 2 * last_stack(g, terms) + (g.back & 1)
    if place == g.flip_place or (place < g.front and not place & 1):
        place += 1
    return place if place >= g.front else NO_PLACE


cdef void start(GameState *g, const Terms *terms, int dealer, int flip_throw) noexcept nogil
cdef void begin(GameState *g, const Terms *terms) noexcept nogil
cdef void stake(GameState *g, bint sit, const int *pulls, const bint *kicks) noexcept nogil
cdef Options turn_options(const GameState *g, const Terms *terms, bint win) noexcept nogil
cdef uint64_t turn_kongs(const GameState *g, const Terms *terms) noexcept nogil
cdef Verdict own_verdict(const GameState *g, const Terms *terms) noexcept nogil
cdef bint may_win(const GameState *g, const Terms *terms) noexcept nogil
cdef bint may_declare(const GameState *g, const Terms *terms, int seat) noexcept nogil
cdef bint may_pong(const GameState *g, const Terms *terms, int seat) noexcept nogil
cdef bint may_kong(const GameState *g, const Terms *terms, int seat) noexcept nogil
cdef bint may_chow(const GameState *g, const Terms *terms, int seat, int lowest) noexcept nogil
cdef bint may_take_win(const GameState *g, const Terms *terms, int seat) noexcept nogil
cdef Verdict taken_verdict(const GameState *g, const Terms *terms, int seat) noexcept nogil
cdef void note_first_discards(GameState *g, const Terms *terms, int kind) noexcept nogil
cdef void lay_out_flowers(GameState *g, const Terms *terms) noexcept nogil
cdef void own_kong(GameState *g, const Terms *terms, int kind, bint added) noexcept nogil
cdef void win_hand(GameState *g, const Terms *terms) noexcept nogil
cdef void declare(GameState *g, int seat) noexcept nogil
cdef void claim(GameState *g, const Terms *terms, int seat, bint kong) noexcept nogil
cdef void chow(GameState *g, const Terms *terms, int seat, int lowest) noexcept nogil
cdef void take_win(GameState *g, const Terms *terms, int seat) noexcept nogil
cdef void pass_claims(GameState *g, const Terms *terms) noexcept nogil


cdef inline bint is_ready(const GameState *g, int seat) noexcept nogil:
    """Whether the seat has declared 天听."""
    return g.ready >> seat & 1


cdef inline uint64_t turn_discards(const GameState *g) noexcept nogil:
    """Kinds that the seat whose turn it is may throw."""
    return <uint64_t>1 << g.tile if is_ready(g, g.seat) else some(g.held[g.seat])


cdef inline uint64_t kong_kinds(const GameState *g) noexcept nogil:
    """Kinds of which the seat whose turn it is has all four, as far as its tiles and pongs tell."""
    cdef const uint64_t *held = g.held[g.seat]
    return held[2] | some(held) & g.ponged[g.seat]


cdef inline uint64_t isolated(uint64_t kinds, uint64_t paired) noexcept nogil:
    """Those of these kinds that stand alone: not paired, and no other kind within two ranks in their suit."""
    cdef uint64_t beside = kinds & beneath(kinds, 1), apart = kinds & beneath(kinds, 2)
    return kinds & ~(paired | beside | beside << 1 | apart | apart << 2)


cdef inline uint64_t around(int kind) noexcept nogil:
    """The kinds within two ranks of one, in its suit."""
    cdef uint64_t bit = <uint64_t>1 << kind
    return above(bit, 1) | above(bit, 2) | beneath(bit, 1) | beneath(bit, 2)


cdef inline int chow_parts(uint64_t held, int tile) noexcept nogil:
    """As which part of a sequence these kinds let a tile be chowed: bit 0 the lowest, 1 the middle, 2 the highest."""
    cdef int beside = <int>((held & around(tile)) << 2 >> tile)     # from two ranks below to two above
    return (beside >> 3 & beside >> 4 & 1) | (beside >> 2 & beside & 2) | (beside << 1 & beside << 2 & 4)


cdef inline bint too_scattered(uint64_t wild, const uint64_t *held) noexcept nogil:
    """Whether isolated naturals alone rule a win out: two wildcards make a set of one, one makes the pair.

    In random play nearly every draw ends here, before any look-up.
    """
    cdef uint64_t kinds = some(held), paired = pairs(held), jokers = kinds & wild, more = jokers & (jokers - 1)
    cdef uint64_t alone = isolated(kinds & ~wild, paired)
    if paired & wild or more & (more - 1):
        return 2 * popcount(alone) > count_held(held, wild) + 1
    return alone & (alone - (jokers != 0)) != 0     # one is too many, beside one or two wildcards two are


cdef inline bint might_win(const GameState *g) noexcept nogil:
    """Whether a win on the tile just drawn is worth a look."""
    # `or` would ask about 小相公 first, which no processor guesses well.
    return g.phase == TURN and not (g.lost >> g.seat & 1 | too_scattered(g.wild, g.held[g.seat]))


cdef inline void clear_locks(GameState *g, int seat) noexcept nogil:
    """A draw or claim of its own frees a seat to win again."""
    g.own_throw[seat] = NO_TILE
    g.passed_points[seat] = 0
    g.passed_fan[seat] = 0


cdef inline void discard(GameState *g, const Terms *terms, int kind) noexcept nogil:
    cdef int seat = g.seat
    take_out(g.held[seat], kind)
    g.lost |= (g.wild >> kind & 1) << seat
    if g.discards < 4:
        note_first_discards(g, terms, kind)
    g.discards += 1
    if terms.discard_wins:
        # 独吊 thrown after a claim may be won on again (jintan, point 13)
        g.own_throw[seat] = NO_TILE if g.claim_turn and g.meld_count[seat] == 4 else kind
    g.tile = kind
    g.kong_draw = False
    g.phase = CLAIM


cdef inline void draw_front(GameState *g, const Terms *terms) noexcept nogil:
    """The next seat draws, or the hand is over: nobody has claimed the discard."""
    cdef int place = front_place(g, terms), seat = (g.seat + 1) & 3
    g.declarer = LAST_DECLARER
    if place == NO_PLACE:
        g.phase = EXHAUSTED
        return
    g.seat = seat
    g.front = place + 1
    g.tile = g.wall[place]
    put_in(g.held[seat], g.tile)
    g.kong_draw = g.claim_turn = False
    g.phase = TURN
    if terms.discard_wins:
        clear_locks(g, seat)
    if terms.flower_tiles and g.held[seat][0] >> KINDS:
        lay_out_flowers(g, terms)
