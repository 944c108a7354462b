# cython: language_level=3
"""A hand of play that asks one seat after the other: claims in the order of their strength.

Claims are simultaneous and secret (spec: table, "Windows"). So a seat is asked with all that it may choose,
whatever others have chosen before it, and nothing is carried out until no outstanding answer could change
what happens. Asked first is who may win, in turn order, then who may pong or kong, then who may chow; who
could only be too weak is not asked any more.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from ._core cimport pairs, some
from ._moves cimport move_text
from ._round cimport (
    ADDED_KONG, CHOW_CLAIM, CONCEALED_KONG, DECLARE, EXPOSED_KONG, NO_TILE, PONG_CLAIM, ROB, TAKE_WIN, WIN,
    around, chow, chow_parts, claim, declare, may_chow, may_declare, may_kong, may_pong, may_take_win,
    own_kong, pass_claims,
    take_win, win_hand,
)

cdef int _byte, _place, _n
for _byte in range(256):
    _n = 0
    for _place in range(8):
        if _byte >> _place & 1:
            NTH[_n][_byte] = _place
            _n += 1

DEPOSITING = can_deposit()


def choose_by_deposit(bint wanted):
    """Say whether random choices may be taken by depositing bits, for tests of both ways; returns whether they are."""
    global DEPOSITING
    DEPOSITING = wanted and can_deposit()
    return DEPOSITING


cdef enum Strength:
    NOTHING = 0
    A_CHOW = 1
    A_MELD = 2
    A_WIN = 3

cdef uint8_t PASSES = 1, WINS = 1 << (CHOOSE_WIN - PASS)
cdef uint8_t MELDS = 1 << (CHOOSE_PONG - PASS) | 1 << (CHOOSE_KONG - PASS)


cdef void begin_asking(Asking *a, const Terms *terms, uint64_t *choices, uint16_t *log) noexcept nogil:
    """Ask about a hand that has been dealt; `choices` and `log` are where its choices and its moves go."""
    cdef int seat
    a.choices = choices
    a.log = log
    a.moves = 0
    for seat in range(4):
        a.stray[seat] = 0
    go_on(a, terms)


cdef void answer_called(Asking *a, const Terms *terms, int choice) noexcept nogil:
    """`answer`, for calls beside a loop: a second one in a module keeps compilers from inlining it in the first."""
    answer(a, terms, choice)


cdef bint answer_otherwise(Asking *a, const Terms *terms, int choice) noexcept nogil:
    """Do what is no discard; whether somebody else has been asked about the same tile."""
    cdef GameState *g = &a.game
    cdef int kind
    if choice >= OWN_KONG:
        kind = choice - OWN_KONG
        note(a, a.seat, ADDED_KONG if g.ponged[a.seat] >> kind & 1 else CONCEALED_KONG, kind)
        own_kong(g, terms, kind, g.ponged[a.seat] >> kind & 1)
        return g.phase == ROB and ask_claims(a, terms)
    if g.phase != CLAIM and g.phase != ROB:
        note(a, a.seat, WIN, NO_TILE)
        win_hand(g, terms)
        return False
    if g.declarer < LAST_DECLARER:
        answer_declaring(a, choice)
        return False
    return answer_claim(a, terms, choice)


cdef void answer_declaring(Asking *a, int choice) noexcept nogil:
    if choice == CHOOSE_DECLARE:
        note(a, a.seat, DECLARE, NO_TILE)
        declare(&a.game, a.seat)
    else:
        a.game.declarer = ((a.seat - a.game.dealer) & 3) + 1


cdef bint ask_claims(Asking *a, const Terms *terms) noexcept nogil:
    """Ask who may do something about the tile on the table; whether there is anybody."""
    cdef GameState *g = &a.game
    cdef int offset, seat
    while g.declarer < LAST_DECLARER:
        seat = (g.dealer + g.declarer) & 3
        if may_declare(g, terms, seat):
            ask(a, seat, PASSES | 1 << (CHOOSE_DECLARE - PASS))
            return True
        g.declarer += 1
    a.takers = 0
    a.strength = NOTHING
    memset(a.claims, 0, sizeof(a.claims))
    if not terms.discard_wins and not terms.chow:
        return ask_holder(a, terms)
    for offset in range(1, 4):
        seat = (g.seat + offset) & 3
        a.claims[seat] = claims_of(a, terms, seat)
    return ask_next(a)


cdef inline bint ask_holder(Asking *a, const Terms *terms) noexcept nogil:
    """Where only melds of three or four are claimed: one seat at most can hold two of the three other tiles."""
    cdef const GameState *g = &a.game
    cdef int seat = ((pairs(g.held[1]) >> g.tile & 1) + (pairs(g.held[2]) >> g.tile & 1) * 2
                     + (pairs(g.held[3]) >> g.tile & 1) * 3)
    cdef uint8_t claims = melds_of(g, terms, seat)
    if claims:
        ask(a, seat, claims | PASSES)
    return claims != 0


cdef inline uint8_t melds_of(const GameState *g, const Terms *terms, int seat) noexcept nogil:
    """Whether a seat may make a pong or a kong of the tile."""
    return (may_pong(g, terms, seat) << (CHOOSE_PONG - PASS)
            | may_kong(g, terms, seat) << (CHOOSE_KONG - PASS))


cdef uint8_t claims_of(const Asking *a, const Terms *terms, int seat) noexcept nogil:
    """What a seat may do about the tile, from PASS on; 0 for nothing."""
    cdef const GameState *g = &a.game
    cdef uint64_t tile = <uint64_t>1 << g.tile
    cdef uint8_t claims = 0
    cdef int part, parts
    if terms.discard_wins and may_complete(a, seat, ~(around(g.tile) | tile)) and may_take_win(g, terms, seat):
        claims |= WINS
    if pairs(g.held[seat]) & tile:
        claims |= melds_of(g, terms, seat)
    if terms.chow and seat == ((g.seat + 1) & 3):
        parts = chow_parts(some(g.held[seat]), g.tile)
        for part in range(3 if parts else 0):
            claims |= may_chow(g, terms, seat, g.tile - part) << (CHOOSE_CHOW - PASS + part)
    return claims | PASSES if claims else 0


cdef inline int most(uint8_t claims) noexcept nogil:
    """Strength of the strongest of these claims."""
    return (NOTHING if not claims else A_WIN if claims & WINS else A_MELD if claims & MELDS else A_CHOW)


cdef void ask(Asking *a, int seat, uint8_t claims) noexcept nogil:
    a.seat = seat
    a.choices[0] = <uint64_t>claims << PASS
    a.choices[1] = 0


cdef bint ask_next(Asking *a) noexcept nogil:
    """Ask the seat with the strongest claim, if it could change what happens: wins stand beside each other."""
    cdef int offset, seat, asked = 0, strongest = NOTHING
    for offset in range(1, 4):
        seat = (a.game.seat + offset) & 3
        if most(a.claims[seat]) > strongest:
            strongest = most(a.claims[seat])
            asked = seat
    if strongest < A_WIN and strongest <= a.strength:
        return False
    ask(a, asked, a.claims[asked])
    return True


cdef bint answer_claim(Asking *a, const Terms *terms, int choice) noexcept nogil:
    """A claim on the discard or the robbed tile; whether another seat is asked before it is carried out."""
    cdef int strength = NOTHING if choice == PASS else most(1 << (choice - PASS))
    a.claims[a.seat] = 0
    if strength == A_WIN:
        a.takers |= 1 << a.seat
    if strength > a.strength:
        a.strength = strength
        a.best = choice
        a.claimer = a.seat
    if (a.claims[0] | a.claims[1] | a.claims[2] | a.claims[3]) and ask_next(a):
        return True
    carry_out(a, terms)
    return False


cdef void carry_out(Asking *a, const Terms *terms) noexcept nogil:
    """All wins, or the strongest claim, or nothing."""
    cdef GameState *g = &a.game
    cdef int offset, seat, tile = g.tile, thrower = g.seat
    if a.takers:
        for offset in range(1, 4):
            seat = (thrower + offset) & 3
            if a.takers >> seat & 1:
                note(a, seat, TAKE_WIN, tile)
                take_win(g, terms, seat)
    if g.phase >= WON:
        return
    if a.takers or not a.strength:
        pass_claims(g, terms)
    elif a.strength == A_CHOW:
        tile -= a.best - CHOOSE_CHOW
        note(a, a.claimer, CHOW_CLAIM, tile)
        chow(g, terms, a.claimer, tile)
    else:
        note(a, a.claimer, EXPOSED_KONG if a.best == CHOOSE_KONG else PONG_CLAIM, tile)
        claim(g, terms, a.claimer, a.best == CHOOSE_KONG)


cdef str move_of(const Asking *a, int choice):
    """A choice as a record writes the move; passing is none."""
    cdef const GameState *g = &a.game
    if choice < PASS:
        return move_text(a.seat, DISCARD, choice)
    if choice >= OWN_KONG:
        kind = choice - OWN_KONG
        return move_text(a.seat, ADDED_KONG if g.ponged[a.seat] >> <int>kind & 1 else CONCEALED_KONG, kind)
    if choice == CHOOSE_DECLARE:
        return move_text(a.seat, DECLARE, NO_TILE)
    if choice == CHOOSE_WIN:
        taken = g.phase == CLAIM or g.phase == ROB
        return move_text(a.seat, TAKE_WIN, g.tile) if taken else move_text(a.seat, WIN, NO_TILE)
    if choice == CHOOSE_PONG:
        return move_text(a.seat, PONG_CLAIM, g.tile)
    if choice == CHOOSE_KONG:
        return move_text(a.seat, EXPOSED_KONG, g.tile)
    return move_text(a.seat, CHOW_CLAIM, g.tile - (choice - CHOOSE_CHOW))


cdef list told_moves(const uint16_t *log, int count):
    """The moves of a log as records write them."""
    return [move_text(log[i] >> 10, log[i] >> 6 & 15, log[i] & 63) for i in range(count)]
