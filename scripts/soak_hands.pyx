# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, freethreading_compatible=True
"""Hands for `soak.py`: played by a policy, and played again by their moves in two other ways.

Once seat by seat, as tables ask them: so a seat is shown its row of numbers at one of its choices. And once move
by move, as records are verified: this must come to the same row there, and to the same end. What is told of a
hand is for `soak_laws.py` to judge.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcmp, memset

from tjmj._asking cimport (
    Asking, CHOOSE_CHOW, CHOOSE_DECLARE, CHOOSE_KONG, CHOOSE_PONG, CHOOSE_WIN, MOST_MOVES, OWN_KONG, PASS,
    answer, begin_asking, told_moves,
)
from tjmj._core cimport popcount
from tjmj._deal cimport Dealt, below, dice_count, fast_hand, fast_state, stakes_of
from tjmj._hand cimport CHOW, PONG
from tjmj._moves cimport Move, try_move
from tjmj._observation cimport Public, WIDTH, tell, tell_move, write_row
from tjmj._play cimport Play
from tjmj._policy cimport RANDOM, SIMPLE, play_out
from tjmj._round cimport (
    CHOW_CLAIM, CLAIM, DECLARE, DISCARD, EXPOSED_KONG, GameState, LAST_DECLARER, NO_PLACE, PONG_CLAIM, ROB, TAKE_WIN,
    WIN, WON, back_place, pass_claims,
)
from tjmj._settle cimport settle
from tjmj._terms cimport RulesTerms, Terms, terms_of

from tjmj.record import of_hand

cdef enum:
    RARE = 100      # times as often as other choices declaring and robbing is looked at

cdef struct Moment:
    # A choice of a seat, and what it was shown
    int moves
    int seat
    int choices
    bint on_turn        # nobody is asked about a tile on the table
    bint declaring
    uint8_t[WIDTH] row


cdef inline Move move_at(const uint16_t *log, int i) noexcept nogil:
    cdef Move move
    move.seat = log[i] >> 10
    move.act = log[i] >> 6 & 15
    move.kind = log[i] & 63
    return move


cdef int choice_of(const Asking *a, const uint16_t *log, int made, int moves) noexcept nogil:
    """What the seat that is asked chose, if these moves follow those made; passing, if none of them is its own now."""
    cdef int i
    cdef bint declaring = a.game.phase == CLAIM and a.game.declarer < LAST_DECLARER
    cdef bint asked_about = a.game.phase == CLAIM or a.game.phase == ROB
    cdef Move move
    for i in range(made, moves):
        move = move_at(log, i)
        if move.seat == a.seat:
            break
        if move.act != TAKE_WIN:    # several wins stand beside each other, and nothing else does
            return PASS
    else:
        return PASS
    if move.act == DECLARE:
        return CHOOSE_DECLARE if declaring else PASS
    if not asked_about:
        if move.act == DISCARD:
            return move.kind
        return CHOOSE_WIN if move.act == WIN else OWN_KONG + move.kind
    if declaring:
        return PASS
    if move.act == TAKE_WIN:
        return CHOOSE_WIN
    if move.act == PONG_CLAIM:
        return CHOOSE_PONG
    if move.act == EXPOSED_KONG:
        return CHOOSE_KONG
    return CHOOSE_CHOW + a.game.tile - move.kind if move.act == CHOW_CLAIM else PASS


cdef void play_asking(Asking *a, const Terms *terms, const uint16_t *log, int moves, uint64_t *chance,
                      Moment *shown) noexcept nogil:
    """Answer for each seat that is asked what it chose, up to the end, and show one choice; rare ones more often."""
    cdef Public public
    cdef int weights = 0, weight, made = 0, choice
    cdef bint declaring
    memset(&public, 0, sizeof(public))
    while a.game.phase < WON:
        tell(a, terms, &public)
        made += a.moves
        a.moves = 0
        declaring = a.game.phase == CLAIM and a.game.declarer < LAST_DECLARER
        weight = RARE if declaring or a.game.phase == ROB else 1
        weights += weight
        if <int>below(chance, weights) < weight:
            shown.moves = made
            shown.seat = a.seat
            shown.choices = popcount(a.choices[0]) + popcount(a.choices[1])
            shown.on_turn = a.game.phase != CLAIM and a.game.phase != ROB
            shown.declaring = declaring
            write_row(a, terms, &public, shown.row)
        choice = choice_of(a, log, made, moves)
        if not a.choices[choice >> 6] >> (choice & 63) & 1:
            return      # the end will not be the same
        answer(a, terms, choice)


cdef bint play_moves(Asking *a, const Terms *terms, const uint16_t *log, int moves, const Moment *shown,
                     uint8_t *row) noexcept nogil:
    """Make the moves one by one up to the end, and write the row where one was shown; whether they are all legal."""
    cdef Public public
    cdef GameState *g = &a.game
    cdef Move move
    cdef int i
    memset(&public, 0, sizeof(public))
    for i in range(moves + 1):
        if i == shown.moves:
            a.seat = shown.seat
            write_passed(a, terms, &public, shown, row)
        if i < moves:
            move = move_at(log, i)
            if not try_move(g, terms, move):
                return False
            tell_move(terms, move.seat, move.act, move.kind, &public)
    if g.phase == CLAIM or g.phase == ROB:
        pass_claims(g, terms)
    return g.phase >= WON


cdef void write_passed(const Asking *a, const Terms *terms, const Public *public, const Moment *shown,
                       uint8_t *row) noexcept nogil:
    """The row once those have passed who were asked before: no record writes that."""
    cdef Asking passed = a[0]
    if shown.on_turn and (passed.game.phase == CLAIM or passed.game.phase == ROB):
        pass_claims(&passed.game, terms)
    elif passed.game.phase == CLAIM and not shown.declaring:
        passed.game.declarer = LAST_DECLARER
    write_row(&passed, terms, public, row)


cdef void count_tiles(const GameState *g, const Terms *terms, const uint16_t *log, int moves,
                      uint8_t *counts) noexcept nogil:
    """How often each kind is held, laid out, thrown and not claimed, flipped, or still in the wall."""
    cdef GameState rest = g[0]
    cdef int seat, kind, i, place
    cdef Move move
    memset(counts, 0, 42)
    for kind in range(42):
        for seat in range(4):
            counts[kind] += (g.held[seat][0] >> kind & 1) + 2 * (g.held[seat][1] >> kind & 1)
            counts[kind] += 4 * (g.held[seat][2] >> kind & 1)
    for seat in range(4):
        for i in range(g.meld_count[seat]):
            kind = g.melds[seat][i] & 63
            if (g.melds[seat][i] >> 6 & 63) == CHOW:
                counts[kind] += 1
                counts[kind + 1] += 1
                counts[kind + 2] += 1
            else:
                counts[kind] += 3 if (g.melds[seat][i] >> 6 & 63) == PONG else 4
        for i in range(8):
            counts[34 + i] += g.flowers[seat] >> i & 1
    for i in range(moves):
        move = move_at(log, i)
        if move.act == DISCARD:
            kind = move.kind
            counts[kind] += 1
        elif move.act == PONG_CLAIM or move.act == EXPOSED_KONG or move.act == CHOW_CLAIM:
            counts[kind] -= 1
    if g.robbed:
        counts[g.tile] += 1
    if g.flip >= 0:
        counts[g.flip] += 1
    place = back_place(&rest, terms)
    while place != NO_PLACE:
        counts[g.wall[place]] += 1
        rest.back = 2 * (terms.stacks - 1 - (place >> 1)) + (place & 1) + 1
        place = back_place(&rest, terms)


def hands(rules, uint64_t seed, str policy, uint64_t first, uint64_t count):
    """Hands `first` to `first + count - 1` of a run of `tjmj.simulate`, as keywords of `soak_laws.Hand`."""
    cdef RulesTerms made = terms_of(rules)
    cdef const Terms *terms = &made.c
    cdef int number = RANDOM if policy == "random" else SIMPLE
    cdef Asking a, asked, moved
    cdef Dealt dealt
    cdef Moment shown
    cdef uint64_t[2] choices
    cdef uint16_t[MOST_MOVES] log, other_log
    cdef uint64_t hand, rng, chance
    cdef int64_t[4] net
    cdef uint8_t[WIDTH] row
    cdef uint8_t[42] tiles
    cdef Play play
    cdef bint same_end
    cdef int i
    told = []
    for hand in range(first, first + count):
        with nogil:
            rng = fast_state(seed, hand)
            chance = ~rng
            dealt = fast_hand(&a.game, terms, hand & 3, number == RANDOM, &rng)
            asked.game = moved.game = a.game
            begin_asking(&a, terms, choices, log)
            play_out(&a, terms, number, &rng)
            memset(&shown, 0, sizeof(shown))
            shown.moves = -1
            begin_asking(&asked, terms, choices, other_log)
            play_asking(&asked, terms, log, a.moves, &chance, &shown)
            memset(row, 0, WIDTH)
            same_end = play_moves(&moved, terms, log, a.moves, &shown, row)
            moved.game.declarer = asked.game.declarer = a.game.declarer     # says nothing any more
            settle(&moved.game, terms, net)
            count_tiles(&moved.game, terms, log, a.moves, tiles)
        play = Play.__new__(Play)
        play.state = a.game
        play.terms = made
        dice = [dealt.dice[i] for i in range(dice_count(terms))]
        record = of_hand(made.rules, a.game.dealer, stakes_of(&dealt), dice, bytes(a.game.wall[:2 * terms.stacks]),
                         told_moves(log, a.moves), play.result())
        same_end = same_end and not memcmp(&a.game, &asked.game, sizeof(GameState))
        same_end = same_end and not memcmp(&a.game, &moved.game, sizeof(GameState))
        told.append({
            "record": record, "payments": play.settlement(), "paid": list(net), "seat": shown.seat,
            "moves": shown.moves, "choices": shown.choices, "shown": bytes(shown.row[:WIDTH]),
            "replayed": bytes(row[:WIDTH]), "same_end": bool(same_end), "tiles": [tiles[i] for i in range(42)],
        })
    return told
