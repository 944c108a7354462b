# cython: language_level=3
"""The turn machine of a hand of play (spec: tianjin sections 1 to 4)."""

from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from ._core cimport HandKeys, TABLES, fits_with_pair, hand_cover, natural_waits, popcount
from ._fan cimport EARTHLY, HEAVENLY, HandView, KONG_DRAW, READY, Verdict, judge
from ._hand cimport ADDED, CONCEALED, EXPOSED, PONG
from ._terms cimport FlipTerms, Terms, with_wilds

cdef enum:
    EXPOSED_KONGS = 0   # places in GameState.kongs
    CONCEALED_KONGS = 1
    GOLD_KONGS = 2

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
    cdef int s
    for s in range(3):
        keys.low[s] = group_key(held, 9 * s, 15)
        keys.high[s] = group_key(held, 9 * s + 4, 31)
    keys.winds = group_key(held, 27, 15)
    keys.dragons = group_key(held, 31, 7)


cdef inline uint64_t near(uint64_t kinds) noexcept nogil:
    """Kinds within two ranks of one of these, in its suit."""
    return above(kinds, 1) | above(kinds, 2) | beneath(kinds, 1) | beneath(kinds, 2)


cdef inline int count_held(const uint64_t *held, uint64_t kinds) noexcept nogil:
    """How many tiles of these kinds are held."""
    return popcount(held[0] & kinds) + 2 * popcount(held[1] & kinds) + 4 * popcount(held[2] & kinds)


cdef inline bint too_scattered(const GameState *g, const uint64_t *held) noexcept nogil:
    """Whether isolated naturals alone rule a win out: two wildcards make a set of one, one makes the pair.

    In random play nearly every draw ends here, before any look-up.
    """
    cdef uint64_t natural[3]
    natural[0] = held[0] & ~g.wild
    natural[1] = held[1] & ~g.wild
    natural[2] = held[2] & ~g.wild
    cdef uint64_t kinds = some(natural)
    cdef uint64_t alone = kinds & ~pairs(natural) & ~near(kinds)
    return 2 * popcount(alone) > count_held(held, g.wild) + 1


cdef Verdict verdict_of(const GameState *g, const Terms *terms, int seat, int win, uint32_t flags) noexcept nogil:
    """Fan of a seat's complete hand with this winning tile; fan 0 if it is not complete."""
    cdef const uint64_t *held = g.held[seat]
    cdef const FlipTerms *flip = &terms.by_flip[g.flip + 1]
    cdef HandView hand
    cdef uint64_t natural[3]
    cdef uint64_t each
    cdef int sets = 4 - g.meld_count[seat]
    cdef Verdict none
    natural[0] = held[0] & ~g.wild
    natural[1] = held[1] & ~g.wild
    natural[2] = held[2] & ~g.wild
    held_keys(natural, &hand.natural)
    if not fits_with_pair(hand_cover(TABLES, &hand.natural), sets):
        none.fan = none.elements = 0
        none.rank = none.win = 0
        return none
    hand.kinds = some(held)
    hand.all_natural = not hand.kinds & g.wild
    # Bits above kind 33 are flowers, which rule 素本 out.
    each = g.wild & ((<uint64_t>1 << 34) - 1)
    hand.one_each = terms.plain_dragon and hand.kinds & g.wild == each and not pairs(held) & g.wild
    if hand.one_each:
        held_keys(held, &hand.faces)
    return judge(terms, flip, &hand, win, sets, g.kongs[seat][GOLD_KONGS] > 0, flags)


cdef void deal_tiles(GameState *g) noexcept nogil:
    """Three rounds of four tiles, then the jump 跳牌 (spec: tianjin section 1)."""
    cdef int offset, place = 0
    for _ in range(3):
        for offset in range(4):
            for _ in range(4):
                put_in(g.held[(g.dealer + offset) & 3], g.wall[place])
                place += 1
    put_in(g.held[g.dealer], g.wall[48])
    put_in(g.held[g.dealer], g.wall[52])
    for offset in range(1, 4):
        put_in(g.held[(g.dealer + offset) & 3], g.wall[48 + offset])


cdef void start(GameState *g, const Terms *terms, int dealer, int flip_throw) noexcept nogil:
    """Deal from `g.wall`, fix the wildcards and let the dealer act; nothing is staked yet."""
    cdef int i
    memset(g.held, 0, sizeof(g.held))
    memset(g.ponged, 0, sizeof(g.ponged))
    memset(g.discarded, 0, sizeof(g.discarded))
    memset(g.meld_count, 0, sizeof(g.meld_count))
    memset(g.melds, 0, sizeof(g.melds))
    memset(g.kongs, 0, sizeof(g.kongs))
    for i in range(4):
        g.factor[i] = 1
    g.dealer = g.seat = dealer
    deal_tiles(g)
    g.phase = TURN
    g.tile = g.wall[52]
    g.front = 53
    g.back = 0
    if terms.turned:
        g.flip = g.wall[53]
        g.front = 54
        g.flip_place = NO_PLACE
    else:
        g.flip_place = 2 * (terms.stacks - flip_throw)
        g.flip = g.wall[g.flip_place]
    g.wild = terms.by_flip[g.flip + 1].wild
    g.discards = g.lost = g.ready = 0
    g.first_discard = NO_TILE
    g.declarer = LAST_DECLARER
    g.kong_draw = g.called = g.chan = False
    g.winner = NO_PLACE
    g.verdict.fan = g.verdict.elements = 0
    g.verdict.rank = g.verdict.win = 0


cdef void stake(GameState *g, bint sit, const int *pulls, const bint *kicks) noexcept nogil:
    """坐庄, 拉庄 and 踹: the factor m between the dealer and each seat (spec: tianjin section 6)."""
    cdef int seat
    for seat in range(4):
        if seat != g.dealer:
            g.factor[seat] = 1 << (sit + pulls[seat] + kicks[seat])


cdef Options turn_options(const GameState *g, const Terms *terms, bint win) noexcept nogil:
    """What the seat whose turn it is may do; a win is looked for only where `win` is set."""
    cdef Options o
    cdef const uint64_t *held = g.held[g.seat]
    cdef uint32_t flags
    o.discards = some(held)
    o.concealed = o.added = 0
    o.may_win = False
    o.verdict.fan = o.verdict.elements = 0
    o.verdict.rank = o.verdict.win = 0
    if g.phase != TURN:
        return o
    if g.ready >> g.seat & 1:
        o.discards = <uint64_t>1 << g.tile
    elif back_place(g, terms) != NO_PLACE:
        o.concealed = held[2] if terms.gold_kong else held[2] & ~g.wild
        o.added = o.discards & g.ponged[g.seat]
    if not win or g.lost >> g.seat & 1 or too_scattered(g, held):
        return o
    flags = KONG_DRAW if g.kong_draw else 0
    if g.ready >> g.seat & 1:
        flags |= READY
    if g.seat == g.dealer:
        if g.discards == 0 and not g.called:
            flags |= HEAVENLY
    elif terms.earthly and not g.called and g.discards < 4:
        # with no claim or kong yet, the seats' first draws follow the first three discards
        flags |= EARTHLY
    o.verdict = verdict_of(g, terms, g.seat, g.tile, flags)
    o.may_win = o.verdict.fan >= <uint32_t>terms.min_fan
    return o


cdef bint may_declare(const GameState *g, const Terms *terms, int seat) noexcept nogil:
    """天听: whether the seat may declare now; its 13 tiles must wait for a win that can still be drawn."""
    cdef GameState drawn
    cdef HandKeys keys
    cdef uint64_t natural[3]
    cdef uint64_t waits
    cdef int kind, left, offset = (seat - g.dealer) & 3
    if g.phase != CLAIM or offset < g.declarer:
        return False
    natural[0] = g.held[seat][0] & ~g.wild
    natural[1] = g.held[seat][1] & ~g.wild
    natural[2] = g.held[seat][2] & ~g.wild
    held_keys(natural, &keys)
    waits = with_wilds(natural_waits(TABLES, &keys, 4), &terms.by_flip[g.flip + 1])
    for kind in range(terms.kinds):
        left = (1 if kind >= 34 else 4) - count_held(g.held[seat], <uint64_t>1 << kind) - (kind == g.flip)
        if left > 0 and waits >> kind & 1:
            drawn = g[0]
            put_in(drawn.held[seat], kind)
            if verdict_of(&drawn, terms, seat, kind, READY).fan >= <uint32_t>terms.min_fan:
                return True
    return False


cdef inline bint claims_closed(const GameState *g, const Terms *terms, int seat) noexcept nogil:
    return (g.phase != CLAIM or seat == g.seat or g.ready >> seat & 1
            or (terms.last_tiles_closed and front_left(g, terms) <= terms.last_tiles_closed))


cdef bint may_pong(const GameState *g, const Terms *terms, int seat) noexcept nogil:
    return (pairs(g.held[seat]) & ~g.wild) >> g.tile & 1 and not claims_closed(g, terms, seat)


cdef bint may_kong(const GameState *g, const Terms *terms, int seat) noexcept nogil:
    """Whether the seat may make an exposed kong of the discard, a gold one too."""
    if not triplets(g.held[seat]) >> g.tile & 1 or claims_closed(g, terms, seat):
        return False
    if g.wild >> g.tile & 1 and not (terms.gold_kong and terms.gold_by_discard):
        return False
    return back_place(g, terms) != NO_PLACE


cdef void discard(GameState *g, const Terms *terms, int kind) noexcept nogil:
    cdef int seat = g.seat
    take_out(g.held[seat], kind)
    g.discarded[kind] += 1 << 4 * seat
    if g.wild >> kind & 1:
        g.lost |= 1 << seat
    if g.discards == 0:
        g.first_discard = kind
        g.declarer = 1 if terms.heavenly_ready else LAST_DECLARER
    if kind != g.first_discard or seat != (g.dealer + g.discards & 3):
        g.first_discard = NO_TILE       # no 铲 any more
    elif g.discards == 3:
        g.chan = True
    if g.discards < 255:
        g.discards += 1
    g.tile = kind
    g.kong_draw = False
    g.phase = CLAIM


cdef void replace(GameState *g, const Terms *terms) noexcept nogil:
    """Draw a kong's replacement."""
    cdef int place = back_place(g, terms)
    g.back = 2 * (terms.stacks - 1 - (place >> 1)) + (place & 1) + 1
    g.tile = g.wall[place]
    put_in(g.held[g.seat], g.tile)
    g.kong_draw = True
    g.called = True
    g.phase = TURN


cdef void own_kong(GameState *g, const Terms *terms, int kind, bint added) noexcept nogil:
    """A concealed or added kong of an own turn, and its replacement."""
    cdef int seat = g.seat, i
    if added:
        take_out(g.held[seat], kind)
        g.ponged[seat] &= ~(<uint64_t>1 << kind)
        for i in range(g.meld_count[seat]):
            if (g.melds[seat][i] & 0xFFF) == 64 * PONG + kind:
                g.melds[seat][i] += 64 * ADDED
        g.kongs[seat][EXPOSED_KONGS] += 1
    else:
        take_all(g.held[seat], kind)
        g.melds[seat][g.meld_count[seat]] = 64 * CONCEALED + kind | seat << 12
        g.meld_count[seat] += 1
        g.kongs[seat][GOLD_KONGS if g.wild >> kind & 1 else CONCEALED_KONGS] += 1
    replace(g, terms)


cdef void win_hand(GameState *g, const Verdict *verdict) noexcept nogil:
    g.winner = g.seat
    g.verdict = verdict[0]
    g.phase = WON


cdef void declare(GameState *g, int seat) noexcept nogil:
    """天听; seats before this one may not declare after it."""
    g.ready |= 1 << seat
    g.declarer = ((seat - g.dealer) & 3) + 1


cdef void claim(GameState *g, const Terms *terms, int seat, bint kong) noexcept nogil:
    """Pong or exposed kong of the discard."""
    cdef int kind = g.tile
    g.melds[seat][g.meld_count[seat]] = 64 * (EXPOSED if kong else PONG) + kind | g.seat << 12
    g.meld_count[seat] += 1
    g.declarer = LAST_DECLARER
    g.called = True
    g.seat = seat
    if kong:
        take_all(g.held[seat], kind)
        g.kongs[seat][GOLD_KONGS if g.wild >> kind & 1 else EXPOSED_KONGS] += 1
        replace(g, terms)
    else:
        take_out(g.held[seat], kind)
        take_out(g.held[seat], kind)
        g.ponged[seat] |= <uint64_t>1 << kind
        g.tile = NO_TILE
        g.phase = CLAIMED


cdef void pass_claims(GameState *g, const Terms *terms) noexcept nogil:
    """Nobody claims the discard: the next seat draws, or the hand is over 荒庄."""
    cdef int place = front_place(g, terms)
    g.declarer = LAST_DECLARER
    if place == NO_PLACE:
        g.phase = EXHAUSTED
        return
    g.seat = (g.seat + 1) & 3
    g.front = place + 1
    g.tile = g.wall[place]
    put_in(g.held[g.seat], g.tile)
    g.kong_draw = False
    g.phase = TURN


cdef int64_t factor_between(const GameState *g, int a, int b) noexcept nogil:
    """m(a, b) (spec: tianjin section 6)."""
    if a == g.dealer:
        return g.factor[b]
    return g.factor[a] if b == g.dealer else 1


cdef inline int64_t kong_units(const GameState *g, const Terms *terms, int seat) noexcept nogil:
    return (<int64_t>g.kongs[seat][EXPOSED_KONGS] * terms.exposed_kong
            + <int64_t>g.kongs[seat][CONCEALED_KONGS] * terms.concealed_kong
            + <int64_t>g.kongs[seat][GOLD_KONGS] * terms.gold_kong)


cdef void settle(const GameState *g, const Terms *terms, int64_t *net) noexcept nogil:
    """Points that each seat gains or loses in the hand, cap applied; their sum is 0."""
    cdef int a, b
    cdef int64_t units
    net[0] = net[1] = net[2] = net[3] = 0
    for a in range(4):
        units = kong_units(g, terms, a)
        if g.phase == WON and g.winner == a:
            units += g.verdict.fan
        for b in range(4):
            if a != b and units:
                pay(net, b, a, units * factor_between(g, a, b) * terms.base)
        if g.chan and a != g.dealer:
            pay(net, g.dealer, a, terms.chan * g.factor[a] * terms.base)
    if terms.cap:
        cap_net(net, terms.cap)


cdef inline void pay(int64_t *net, int giver, int taker, int64_t points) noexcept nogil:
    net[giver] -= points
    net[taker] += points


cdef void cap_net(int64_t *net, int64_t cap) noexcept nogil:
    """Clip to the cap and scale the larger side down, so that the sum stays 0 (spec: tianjin section 6)."""
    cdef int seat
    cdef int64_t gains = 0, losses = 0
    for seat in range(4):
        net[seat] = max(-cap, min(cap, net[seat]))
        if net[seat] > 0:
            gains += net[seat]
        else:
            losses -= net[seat]
    if gains > losses:
        scale_down(net, 1, losses, gains)
    elif losses > gains:
        scale_down(net, -1, gains, losses)


cdef void scale_down(int64_t *net, int sign, int64_t smaller, int64_t larger) noexcept nogil:
    """Scale one side to a smaller sum: round down, then one each to the largest fractions, lower seat first."""
    cdef int64_t[4] fractions
    cdef int64_t rest = smaller, amount
    cdef int seat, best
    for seat in range(4):
        fractions[seat] = -1
        amount = sign * net[seat]
        if amount > 0:
            # at most 10^9 times 3 * 10^9, inside 63 bits
            fractions[seat] = amount * smaller % larger
            net[seat] = sign * (amount * smaller // larger)
            rest -= sign * net[seat]
    while rest:
        best = 0
        for seat in range(4):
            if fractions[seat] > fractions[best]:
                best = seat
        net[best] += sign
        fractions[best] = -1
        rest -= 1
