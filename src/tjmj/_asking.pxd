# cython: language_level=3
"""A hand of play that asks one seat after the other, as policies and vectors of tables play it.

Every choice is a number: kinds to discard first, then what has one number whatever the tile, then kinds to
make an own kong of. What the seat that is asked may choose is a bit for each number.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from ._core cimport lowest_bit, pairs, some
from ._deal cimport below
from ._round cimport (
    CLAIM, DISCARD, GameState, LAST_DECLARER, WON, around, chow_parts, discard, draw_front, isolated,
    kong_kinds, may_win, might_win, turn_discards, turn_kongs,
)
from ._terms cimport Terms

cdef extern from *:
    """
    #if defined(__GNUC__) && defined(__x86_64__)
    /* BMI2 deposits bits by one instruction, which AMD's family 17h has but takes hundreds of cycles for. */
    static inline int tjmj_deposits(void) {
        __builtin_cpu_init();
        return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && !__builtin_cpu_is("amdfam17h");
    }
    static inline uint64_t tjmj_count(uint64_t x) {
        __asm__("popcnt %0, %0" : "+r"(x) : : "cc");
        return x;
    }
    static inline uint64_t tjmj_deposit(uint64_t x, uint64_t places) {
        __asm__("pdep %1, %0, %0" : "+r"(x) : "r"(places));
        return x;
    }
    #else
    static inline int tjmj_deposits(void) { return 0; }
    #define tjmj_count(x) (x)
    #define tjmj_deposit(x, places) (x)
    #endif
    """
    bint can_deposit "tjmj_deposits"() noexcept nogil
    uint64_t bits_in "tjmj_count"(uint64_t x) noexcept nogil                            # where bits are deposited
    uint64_t deposit "tjmj_deposit"(uint64_t x, uint64_t places) noexcept nogil         # the same

cdef bint DEPOSITING            # whether a choice is taken so

cdef enum Choice:
    PASS = 42           # those below discard a kind
    CHOOSE_WIN = 43     # on an own draw, a discard or a robbed tile
    CHOOSE_DECLARE = 44
    CHOOSE_PONG = 45
    CHOOSE_KONG = 46    # of the discard
    CHOOSE_CHOW = 47    # as the lowest of the sequence; the middle and the highest come next
    OWN_KONG = 50       # and 33 more: concealed or added, whichever a kind can be
    CHOICES = 84

cdef enum:
    MOST_MOVES = 256    # more than any hand has

cdef uint8_t[8][256] NTH        # place of the n-th bit that is set in a byte

cdef struct Asking:
    uint64_t *choices           # of the seat that is asked, a bit for each number in two words
    uint16_t *log               # moves as seat << 10 | act << 6 | kind; MOST_MOVES places
    uint8_t moves               # in the log
    uint8_t seat                # who is asked
    uint8_t claims[4]           # what seats that are still to be asked may choose, from PASS on
    uint8_t takers              # seats that have chosen to win on the tile
    uint8_t strength            # of the strongest claim so far
    uint8_t best                # that claim
    uint8_t claimer             # and whose it is
    GameState game
    uint64_t stray[4]           # isolated kinds of each seat's hand when it threw last; 0 where not known

cdef void begin_asking(Asking *a, const Terms *terms, uint64_t *choices, uint16_t *log) noexcept nogil
cdef void answer_called(Asking *a, const Terms *terms, int choice) noexcept nogil
cdef bint answer_otherwise(Asking *a, const Terms *terms, int choice) noexcept nogil
cdef bint ask_claims(Asking *a, const Terms *terms) noexcept nogil
cdef str move_of(const Asking *a, int choice)
cdef list told_moves(const uint16_t *log, int count)


cdef inline void note(Asking *a, int seat, int act, int kind) noexcept nogil:
    a.log[a.moves] = seat << 10 | act << 6 | kind
    a.moves += 1


cdef inline void open_turn(Asking *a, const Terms *terms) noexcept nogil:
    """What the seat whose turn it is may choose."""
    cdef uint64_t choices = turn_discards(&a.game), kongs
    a.seat = a.game.seat
    a.choices[1] = 0
    if kong_kinds(&a.game):
        kongs = turn_kongs(&a.game, terms)
        choices |= kongs << OWN_KONG
        a.choices[1] = kongs >> (64 - OWN_KONG)
    if might_win(&a.game) and may_win(&a.game, terms):
        choices |= <uint64_t>1 << CHOOSE_WIN
    a.choices[0] = choices


cdef inline bint may_complete(const Asking *a, int seat, uint64_t strays) noexcept nogil:
    """Whether a tile can complete a seat's hand; `strays` are the kinds that stand alone beside the tile too."""
    return not a.stray[seat] & strays


cdef inline bint might_be_claimed(const Asking *a, const Terms *terms) noexcept nogil:
    """Whether it is worth asking who may claim the discard; seldom wrong."""
    cdef const GameState *g = &a.game
    cdef uint64_t tile = <uint64_t>1 << g.tile, strays
    if tile & (pairs(g.held[0]) | pairs(g.held[1]) | pairs(g.held[2]) | pairs(g.held[3])):
        return True
    if g.declarer < LAST_DECLARER or terms.chow and chow_parts(some(g.held[(g.seat + 1) & 3]), g.tile):
        return True
    if not terms.discard_wins:
        return False
    strays = ~(around(g.tile) | tile)
    return (may_complete(a, (g.seat + 1) & 3, strays) or may_complete(a, (g.seat + 2) & 3, strays)
            or may_complete(a, (g.seat + 3) & 3, strays))


cdef inline void go_on(Asking *a, const Terms *terms) noexcept nogil:
    """Play what is forced, until a seat has a choice or the hand is over."""
    cdef uint64_t choices
    while True:
        if a.game.phase == CLAIM:
            if might_be_claimed(a, terms) and ask_claims(a, terms):
                return
            draw_front(&a.game, terms)
        if a.game.phase >= WON:
            return
        open_turn(a, terms)
        choices = a.choices[0]
        if choices & (choices - 1) or a.choices[1]:
            return
        throw(a, terms, lowest_bit(choices))


cdef inline void throw(Asking *a, const Terms *terms, int kind) noexcept nogil:
    """The discard of the seat that is asked."""
    cdef const uint64_t *held = a.game.held[a.seat]
    note(a, a.seat, DISCARD, kind)
    discard(&a.game, terms, kind)
    if terms.discard_wins:
        a.stray[a.seat] = isolated(some(held), pairs(held))


cdef inline void answer(Asking *a, const Terms *terms, int choice) noexcept nogil:
    """Do what the seat that is asked has chosen, one of its `choices`, and go on to the next choice."""
    if choice < PASS:
        throw(a, terms, choice)
    elif answer_otherwise(a, terms, choice):
        return
    go_on(a, terms)


cdef inline int nth_of(uint64_t x, uint64_t sums, uint64_t n) noexcept nogil:
    """Place of the n-th bit that is set, from 0; `sums` of x has how many there are up to each byte."""
    # A byte's highest bit says whether it ends before the bit that is looked for.
    cdef uint64_t behind = (n * 0x0101010101010101ULL | 0x8080808080808080ULL) - sums & 0x8080808080808080ULL
    cdef int shift = <int>((behind >> 7) * 0x0101010101010101ULL >> 56) << 3
    return shift + NTH[n - (sums << 8 >> shift & 0xFF)][x >> shift & 0xFF]


cdef inline uint64_t byte_sums(uint64_t x) noexcept nogil:
    """In each byte how many bits are set in it and those below; the highest byte has all."""
    x -= x >> 1 & 0x5555555555555555ULL
    x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL)
    return (x + (x >> 4) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL


cdef inline int any_choice(uint64_t low, uint64_t high, uint64_t *rng) noexcept nogil:
    """Any of the choices, each with the same chance."""
    cdef uint64_t lower, higher
    cdef uint32_t n
    if DEPOSITING:
        lower = bits_in(low)
        if not high:
            return lowest_bit(deposit(<uint64_t>1 << below(rng, lower), low))
        n = below(rng, lower + bits_in(high))
        return (lowest_bit(deposit(<uint64_t>1 << n, low)) if n < lower
                else 64 + lowest_bit(deposit(<uint64_t>1 << (n - lower), high)))
    lower = byte_sums(low)
    if not high:
        return nth_of(low, lower, below(rng, lower >> 56))
    higher = byte_sums(high)
    n = below(rng, (lower >> 56) + (higher >> 56))
    return nth_of(low, lower, n) if n < lower >> 56 else 64 + nth_of(high, higher, n - (lower >> 56))
