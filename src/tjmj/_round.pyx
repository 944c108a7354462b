# cython: language_level=3
"""The turn machine of a hand of play (spec: tianjin sections 1 to 4, jintan)."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset

from ._core cimport (
    KINDS, HandKeys, TABLES, count_held, held_keys, natural_waits,
    pairs, popcount, put_in, some, take_all, take_out, triplets,
)
from ._fan cimport DISCARD_WIN, EARTHLY, HEAVENLY, HandView, KONG_DRAW, READY, ROB_WIN, Verdict, judge
from ._flowers cimport FlowerHand, judge_flowers, may_take, points_of
from ._hand cimport ADDED, CHOW, CONCEALED, EXPOSED, PONG
from ._terms cimport FlipTerms, Terms, with_wilds

cdef Verdict verdict_of(const GameState *g, const Terms *terms, int seat, int win, uint32_t flags) noexcept nogil:
    """Fan of a seat's complete hand with this winning tile; fan 0 if it is not complete."""
    cdef const uint64_t *held = g.held[seat]
    cdef const FlipTerms *flip = &terms.by_flip[g.flip + 1]
    cdef HandView hand
    cdef uint64_t natural[3]
    cdef uint64_t each
    cdef int sets = 4 - g.meld_count[seat]
    natural[0] = held[0] & ~g.wild
    natural[1] = held[1] & ~g.wild
    natural[2] = held[2] & ~g.wild
    held_keys(natural, &hand.natural)
    hand.kinds = some(held)
    hand.all_natural = not hand.kinds & g.wild
    # Bits above kind 33 are flowers, which rule 素本 out.
    each = g.wild & ((<uint64_t>1 << 34) - 1)
    hand.one_each = terms.plain_dragon and hand.kinds & g.wild == each and not pairs(held) & g.wild
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
    g.flip_place = NO_PLACE
    g.flip = -1
    if terms.turned:
        g.flip = g.wall[53]
        g.front = 54
    elif terms.flips:
        g.flip_place = 2 * (terms.stacks - flip_throw)
        g.flip = g.wall[g.flip_place]
    g.wild = terms.by_flip[g.flip + 1].wild
    end_front(g, terms)
    g.discards = g.lost = g.ready = 0
    g.first_discard = NO_TILE
    g.declarer = LAST_DECLARER
    g.kong_draw = g.called = g.chan = False
    g.claim_turn = g.robbed = False
    g.won = 0
    for i in range(4):
        g.flowers[i] = 0
        clear_locks(g, i)
    g.verdict.fan = g.verdict.elements = g.verdict.flowers = 0
    g.verdict.rank = g.verdict.win = 0


cdef void begin(GameState *g, const Terms *terms) noexcept nogil:
    """The dealer's own turn begins: its flowers are laid out."""
    lay_out_flowers(g, terms)


cdef void stake(GameState *g, bint sit, const int *pulls, const bint *kicks) noexcept nogil:
    """坐庄, 拉庄 and 踹: the factor m between the dealer and each seat (spec: tianjin section 6)."""
    cdef int seat
    for seat in range(4):
        if seat != g.dealer:
            g.factor[seat] = 1 << (sit + pulls[seat] + kicks[seat])


cdef Options turn_options(const GameState *g, const Terms *terms, bint win) noexcept nogil:
    """What the seat whose turn it is may do; a win is looked for only where `win` is set."""
    cdef Options o
    cdef uint64_t kongs = turn_kongs(g, terms)
    o.discards = turn_discards(g)
    o.added = kongs & g.ponged[g.seat]
    o.concealed = kongs ^ o.added
    o.may_win = win and may_win(g, terms)
    return o


cdef uint64_t turn_kongs(const GameState *g, const Terms *terms) noexcept nogil:
    """Kinds that the seat whose turn it is may make a concealed kong of, or add to a pong."""
    if g.phase != TURN and not (g.phase == CLAIMED and terms.claim_kongs):
        return 0
    if is_ready(g, g.seat) or back_place(g, terms) == NO_PLACE:
        return 0
    return kong_kinds(g) if terms.gold_kong else kong_kinds(g) & ~g.wild


cdef bint may_win(const GameState *g, const Terms *terms) noexcept nogil:
    """Whether the seat whose turn it is may win on the tile that it drew."""
    cdef Verdict verdict
    if not might_win(g):
        return False
    verdict = own_verdict(g, terms)
    return verdict.rank > 0 and verdict.fan >= <uint32_t>terms.min_fan


cdef Verdict own_verdict(const GameState *g, const Terms *terms) noexcept nogil:
    """Worth of the hand of the seat whose turn it is, with the tile that it drew."""
    cdef uint32_t flags = KONG_DRAW if g.kong_draw else 0
    if terms.by_flowers:
        return flower_verdict(g, terms, g.seat, g.tile, flags)
    if is_ready(g, g.seat):
        flags |= READY
    if g.seat == g.dealer:
        if g.discards == 0 and not g.called:
            flags |= HEAVENLY
    elif terms.earthly and not g.called and g.discards < 4:
        # with no claim or kong yet, the seats' first draws follow the first three discards
        flags |= EARTHLY
    return verdict_of(g, terms, g.seat, g.tile, flags)


cdef bint may_declare(const GameState *g, const Terms *terms, int seat) noexcept nogil:
    """天听: whether the seat may declare now; its 13 tiles must wait for a win that can still be drawn."""
    cdef GameState drawn
    cdef HandKeys keys
    cdef uint64_t natural[3]
    cdef uint64_t waits
    cdef Verdict verdict
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
            verdict = verdict_of(&drawn, terms, seat, kind, READY)
            if verdict.rank and verdict.fan >= <uint32_t>terms.min_fan:
                return True
    return False


cdef inline bint claims_closed(const GameState *g, const Terms *terms, int seat) noexcept nogil:
    return (g.phase != CLAIM or g.won or seat == g.seat or g.ready >> seat & 1
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


cdef bint may_chow(const GameState *g, const Terms *terms, int seat, int lowest) noexcept nogil:
    """Whether the next seat may chow the discard with this lowest tile."""
    cdef int part = g.tile - lowest
    if not terms.chow or seat != ((g.seat + 1) & 3) or not 0 <= part <= 2 or claims_closed(g, terms, seat):
        return False
    return chow_parts(some(g.held[seat]), g.tile) >> part & 1


cdef Verdict flower_verdict(const GameState *g, const Terms *terms, int seat, int win, uint32_t flags) noexcept nogil:
    """Worth of a seat's concealed tiles and melds; a seat that holds flowers is not complete."""
    cdef FlowerHand hand
    cdef int i
    cdef Verdict none
    if g.held[seat][0] >> KINDS:
        none.fan = none.elements = none.flowers = 0
        none.rank = none.win = 0
        return none
    for i in range(3):
        hand.held[i] = g.held[seat][i]
    for i in range(g.meld_count[seat]):
        hand.melds[i] = g.melds[seat][i] & 0xFFF
    hand.meld_count = g.meld_count[seat]
    hand.win = win
    hand.flower_tiles = popcount(g.flowers[seat])
    hand.flags = flags
    return judge_flowers(terms, &hand)


cdef Verdict taken_verdict(const GameState *g, const Terms *terms, int seat) noexcept nogil:
    """Worth of a seat's hand with the discarded or robbed tile."""
    cdef GameState taken = g[0]
    put_in(taken.held[seat], g.tile)
    return flower_verdict(&taken, terms, seat, g.tile, ROB_WIN if g.phase == ROB or g.robbed else DISCARD_WIN)


cdef bint may_take_win(const GameState *g, const Terms *terms, int seat) noexcept nogil:
    """Whether the seat may win on the discard, or rob the kong (spec: jintan, "Winning")."""
    cdef int offset = (seat - g.seat) & 3
    cdef Verdict verdict
    if not terms.discard_wins or (g.phase != CLAIM and g.phase != ROB) or not offset:
        return False
    if g.won and offset <= ((highest_winner(g) - g.seat) & 3):
        return False        # winners are told in turn order
    if g.own_throw[seat] == g.tile or not near_tile(g, seat):
        return False
    verdict = taken_verdict(g, terms, seat)
    if g.phase == ROB:
        return verdict.rank > 0
    if not may_take(terms, &verdict):
        return False
    return not g.passed_points[seat] or (
        points_of(terms, verdict.flowers, verdict.fan) > g.passed_points[seat]
        and verdict.fan > g.passed_fan[seat])


cdef inline bint near_tile(const GameState *g, int seat) noexcept nogil:
    """Whether the hand with the tile has no isolated one, as `too_scattered` asks of an own draw."""
    cdef uint64_t held[3]
    held[0] = g.held[seat][0]
    held[1] = g.held[seat][1]
    held[2] = g.held[seat][2]
    put_in(held, g.tile)
    return not too_scattered(g.wild, held)


cdef int highest_winner(const GameState *g) noexcept nogil:
    """The last winner in turn order from the seat whose tile it is."""
    cdef int offset
    for offset in range(3, 0, -1):
        if g.won >> ((g.seat + offset) & 3) & 1:
            return (g.seat + offset) & 3
    return g.seat


cdef bint may_anybody_win(const GameState *g, const Terms *terms) noexcept nogil:
    cdef int seat
    if not terms.discard_wins:
        return False
    for seat in range(4):
        if may_take_win(g, terms, seat):
            return True
    return False


cdef void note_first_discards(GameState *g, const Terms *terms, int kind) noexcept nogil:
    """What hangs on the first four discards: who may declare 天听, and 铲."""
    if g.discards == 0:
        g.first_discard = kind
        g.declarer = 1 if terms.heavenly_ready else LAST_DECLARER
    if kind != g.first_discard or g.seat != (g.dealer + g.discards & 3):
        g.first_discard = NO_TILE
    elif g.discards == 3:
        g.chan = True


cdef bint draw_back(GameState *g, const Terms *terms) noexcept nogil:
    """Draw a tile from the back for the seat whose turn it is; False if none is left."""
    cdef int place = back_place(g, terms)
    if place == NO_PLACE:
        g.phase = EXHAUSTED
        return False
    g.back = 2 * (terms.stacks - 1 - (place >> 1)) + (place & 1) + 1
    end_front(g, terms)
    g.tile = g.wall[place]
    put_in(g.held[g.seat], g.tile)
    clear_locks(g, g.seat)
    g.phase = TURN
    return True


cdef void replace(GameState *g, const Terms *terms) noexcept nogil:
    """Draw a kong's replacement."""
    g.called = True
    if draw_back(g, terms):
        g.kong_draw = True
        lay_out_flowers(g, terms)


cdef void lay_out_flowers(GameState *g, const Terms *terms) noexcept nogil:
    """Lay out all flowers in hand and draw for them, until none is left (spec: jintan)."""
    cdef uint64_t *held = g.held[g.seat]
    cdef uint64_t flowers
    if not terms.flower_tiles:
        return
    while g.phase < WON:
        flowers = held[0] >> KINDS
        if not flowers:
            return
        held[0] ^= flowers << KINDS
        g.flowers[g.seat] |= flowers
        if g.flowers[g.seat] == 0xFF:
            g.phase = EIGHT_FLOWERS
            g.won = 1 << g.seat
            return
        g.kong_draw = False     # a flower's own replacement is no 杠开
        for _ in range(popcount(flowers)):
            if not draw_back(g, terms):
                return


cdef void own_kong(GameState *g, const Terms *terms, int kind, bint added) noexcept nogil:
    """A concealed or added kong of an own turn, and its replacement unless somebody may rob it."""
    cdef int seat = g.seat
    if added:
        take_out(g.held[seat], kind)
        g.tile = kind
        g.kong_draw = False     # the tile on the table is none, whatever was drawn before
        g.phase = ROB
        if not may_anybody_win(g, terms):
            add_to_pong(g, terms)
        return
    take_all(g.held[seat], kind)
    g.melds[seat][g.meld_count[seat]] = 64 * CONCEALED + kind | seat << 12
    g.meld_count[seat] += 1
    g.kongs[seat][GOLD_KONGS if g.wild >> kind & 1 else CONCEALED_KONGS] += 1
    replace(g, terms)


cdef void add_to_pong(GameState *g, const Terms *terms) noexcept nogil:
    """Complete an added kong."""
    cdef int seat = g.seat, kind = g.tile, i
    g.ponged[seat] &= ~(<uint64_t>1 << kind)
    for i in range(g.meld_count[seat]):
        if (g.melds[seat][i] & 0xFFF) == 64 * PONG + kind:
            g.melds[seat][i] += 64 * ADDED
    g.kongs[seat][EXPOSED_KONGS] += 1
    replace(g, terms)


cdef void win_hand(GameState *g, const Terms *terms) noexcept nogil:
    """A win on an own draw."""
    g.verdict = own_verdict(g, terms)
    g.won = 1 << g.seat
    g.phase = WON


cdef void declare(GameState *g, int seat) noexcept nogil:
    """天听; seats before this one may not declare after it."""
    g.ready |= 1 << seat
    g.declarer = ((seat - g.dealer) & 3) + 1


cdef void take_discard(GameState *g, const Terms *terms, int seat, int meld) noexcept nogil:
    """Lay out a meld with the discard; the seat's turn begins."""
    note_passed_wins(g, terms)
    g.melds[seat][g.meld_count[seat]] = meld | g.seat << 12
    g.meld_count[seat] += 1
    g.declarer = LAST_DECLARER
    g.called = True
    g.claim_turn = True
    g.seat = seat
    clear_locks(g, seat)
    g.phase = CLAIMED


cdef void claim(GameState *g, const Terms *terms, int seat, bint kong) noexcept nogil:
    """Pong or exposed kong of the discard."""
    cdef int kind = g.tile
    take_discard(g, terms, seat, 64 * (EXPOSED if kong else PONG) + kind)
    if kong:
        take_all(g.held[seat], kind)
        g.kongs[seat][GOLD_KONGS if g.wild >> kind & 1 else EXPOSED_KONGS] += 1
        g.claim_turn = False    # a kong is no pong: its turn goes on as after a draw
        lay_out_flowers(g, terms)
        if g.phase < WON:
            replace(g, terms)
        return
    take_out(g.held[seat], kind)
    take_out(g.held[seat], kind)
    g.ponged[seat] |= <uint64_t>1 << kind
    g.tile = NO_TILE
    lay_out_flowers(g, terms)


cdef void chow(GameState *g, const Terms *terms, int seat, int lowest) noexcept nogil:
    """Chow the discard; `lowest` of the sequence."""
    cdef int kind = g.tile, part
    take_discard(g, terms, seat, 64 * CHOW + lowest)
    for part in range(lowest, lowest + 3):
        if part != kind:
            take_out(g.held[seat], part)
    g.tile = NO_TILE
    lay_out_flowers(g, terms)


cdef void take_win(GameState *g, const Terms *terms, int seat) noexcept nogil:
    """A win on the discard or the robbed tile; the hand is over when no seat behind may win on it too."""
    g.won |= 1 << seat
    g.robbed = g.phase == ROB
    if not may_anybody_win(g, terms):
        g.phase = WON


cdef void note_passed_wins(GameState *g, const Terms *terms) noexcept nogil:
    """Remember the best win that each seat lets pass with this discard."""
    cdef int seat
    cdef Verdict verdict
    cdef int64_t points
    if not terms.discard_wins:
        return
    for seat in range(4):
        if may_take_win(g, terms, seat):
            verdict = taken_verdict(g, terms, seat)
            points = points_of(terms, verdict.flowers, verdict.fan)
            # A win that is legal under the lock is better than what was passed before.
            g.passed_points[seat] = <uint32_t>points
            g.passed_fan[seat] = verdict.fan


cdef void pass_claims(GameState *g, const Terms *terms) noexcept nogil:
    """Nobody claims the discard (any more) or robs the kong: the hand goes on, or is over."""
    if g.won:
        g.phase = WON
        return
    if g.phase == ROB:
        add_to_pong(g, terms)
        return
    note_passed_wins(g, terms)
    draw_front(g, terms)


cdef int place_behind_hole(const GameState *g, const Terms *terms) noexcept nogil:
    """The bottom of a stack whose top was taken from the back, if it is the one front draw left."""
    cdef int place = 2 * last_stack(g, terms) + 1
    if g.back & 1 and g.front <= place and (g.flip_place == NO_PLACE or place < g.flip_place):
        return place
    return NO_PLACE


cdef void end_front(GameState *g, const Terms *terms) noexcept nogil:
    """Front draws end at the flipped tile, or where back draws have come to."""
    cdef int end = 2 * last_stack(g, terms) + (0 if g.back & 1 else 2)
    g.front_end = min(end, g.flip_place)    # NO_PLACE is behind every place
