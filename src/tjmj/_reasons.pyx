# cython: language_level=3
"""Why a move is illegal, in words: asked only once it is known that it is."""

from libc.stdint cimport uint64_t

from ._core cimport pairs, some, triplets
from ._fan cimport Verdict
from ._moves cimport Move, after_passing
from ._round cimport (
    ADDED_KONG, CHOW_CLAIM, CLAIM, CLAIMED, CONCEALED_KONG, DECLARE, EXHAUSTED, EXPOSED_KONG, GameState,
    PONG_CLAIM, ROB, TAKE_WIN, WIN, WON, front_left, may_take_win, own_verdict, taken_verdict,
)
from ._terms cimport Terms

from . import elements as _elements
from .tiles import ENGLISH


cdef str reason_against(const GameState *g, const Terms *terms, Move move):
    """Why a move is illegal here, in words."""
    cdef GameState passed
    if g.phase >= WON:
        return "the hand has ended"
    if move.act == DECLARE:
        return reason_against_declaring(g, terms, move.seat)
    if move.act == PONG_CLAIM or move.act == EXPOSED_KONG or move.act == CHOW_CLAIM:
        return reason_against_claim(g, terms, move)
    if move.act == TAKE_WIN:
        return reason_against_taking(g, terms, move)
    passed = after_passing(g, terms)
    if passed.phase == EXHAUSTED:
        return "no front draw is left: the hand has ended unless the discard is claimed"
    if passed.phase >= WON:
        return "the hand has ended"
    return reason_against_turn(&passed, terms, move)


cdef str reason_against_declaring(const GameState *g, const Terms *terms, int seat):
    if g.phase != CLAIM or g.discards != 1:
        return "天听 is declared right after the dealer's first discard"
    if not terms.heavenly_ready:
        return "天听 (heavenly_ready) is off in these rules"
    if seat == g.dealer:
        return "the dealer cannot declare 天听"
    if (seat - g.dealer & 3) < g.declarer:
        return "this seat's turn to declare 天听 has passed"
    return "the hand does not wait for a win that can be drawn"


cdef str reason_against_claim(const GameState *g, const Terms *terms, Move move):
    name = ENGLISH[move.kind]
    cdef bint kong = move.act == EXPOSED_KONG
    if g.phase != CLAIM:
        return "there is no discard to claim"
    if g.won:
        return "the discard has been won on"
    if move.seat == g.seat:
        return "a seat cannot claim its own discard"
    if move.act == CHOW_CLAIM:
        return reason_against_chow(g, terms, move)
    if move.kind != g.tile:
        return f"the discard is {ENGLISH[g.tile]}, not {name}"
    if g.ready >> move.seat & 1:
        return "a seat that declared 天听 claims nothing"
    if g.wild >> move.kind & 1 and not kong:
        return f"{name} is a wildcard and cannot be ponged"
    if g.wild >> move.kind & 1 and not (terms.gold_kong and terms.gold_by_discard):
        return f"{name} is a wildcard, and these rules have no gold kong by discard"
    have = triplets(g.held[move.seat]) if kong else pairs(g.held[move.seat])
    if not have >> move.kind & 1:
        return f"the seat does not hold {'three' if kong else 'two'} of {name}"
    if terms.last_tiles_closed and front_left(g, terms) <= terms.last_tiles_closed:
        return f"no claims while {terms.last_tiles_closed} or fewer front tiles are left"
    return "no replacement is left in the wall"


cdef str reason_against_chow(const GameState *g, const Terms *terms, Move move):
    if not terms.chow:
        return "these rules know no chow"
    if move.seat != (g.seat + 1 & 3):
        return f"only the next seat, {g.seat + 1 & 3}, may chow"
    if move.kind >= 27 or move.kind % 9 > 6 or not move.kind <= g.tile <= move.kind + 2:
        return f"no sequence from {ENGLISH[move.kind]} on holds the discard, {ENGLISH[g.tile]}"
    return f"the seat does not hold the other two tiles from {ENGLISH[move.kind]} on"


cdef str reason_against_taking(const GameState *g, const Terms *terms, Move move):
    cdef GameState unlocked = g[0]
    if not terms.discard_wins:
        return "these rules have no win on a discard and no robbing of a kong"
    if g.phase != CLAIM and g.phase != ROB:
        return "there is no discard to win on and no kong to rob"
    if move.seat == g.seat:
        return "a seat cannot win on its own tile"
    if move.kind != g.tile:
        return f"the tile is {ENGLISH[g.tile]}, not {ENGLISH[move.kind]}"
    if g.won >> move.seat & 1:
        return "the seat has won on it already"
    if g.own_throw[move.seat] == g.tile:
        return f"the seat discarded {ENGLISH[g.tile]} itself last, and has neither drawn nor claimed since"
    unlocked.passed_points[move.seat] = 0
    if may_take_win(&unlocked, terms, move.seat):
        return "the seat let a win pass since it last drew or claimed, and this one has not more fan and points"
    unlocked.won = 0
    if may_take_win(&unlocked, terms, move.seat):
        return "winners are told in turn order, and a later seat has won"
    if not taken_verdict(g, terms, move.seat).rank:
        return "the hand is not complete"
    return f"a win on a discard needs {terms.min_flowers} flowers or a fan"


cdef str reason_against_turn(const GameState *g, const Terms *terms, Move move):
    cdef uint64_t held = some(g.held[move.seat])
    if move.seat != g.seat:
        return f"it is seat {g.seat}'s turn"
    if move.act == WIN:
        return reason_against_win(g, terms)
    name = ENGLISH[move.kind]
    if move.act != ADDED_KONG and not held >> move.kind & 1:
        return f"the seat does not hold {name}"
    if g.ready >> move.seat & 1:
        return f"a seat that declared 天听 wins or discards what it draws, {ENGLISH[g.tile]}"
    if g.phase == CLAIMED and not terms.claim_kongs:
        return "after a pong only a discard"
    if move.act == CONCEALED_KONG and not g.held[move.seat][2] >> move.kind & 1:
        return f"the seat does not hold four of {name}"
    if move.act == ADDED_KONG and not g.ponged[move.seat] >> move.kind & 1:
        return f"the seat has no pong of {name}"
    if move.act == ADDED_KONG and not held >> move.kind & 1:
        return f"the seat does not hold {name}"
    if g.wild >> move.kind & 1 and not terms.gold_kong:
        return f"{name} is a wildcard, and these rules have no gold kong"
    return "no replacement is left in the wall"


cdef str reason_against_win(const GameState *g, const Terms *terms):
    cdef Verdict verdict
    if g.phase == CLAIMED:
        return "a win needs a draw, and this turn began with a claim"
    if g.lost >> g.seat & 1:
        return "the seat discarded a wildcard (小相公) and cannot win this hand"
    verdict = own_verdict(g, terms)
    if not verdict.rank:
        return "the hand is not complete"
    keys = ", ".join(_elements.keys_of(verdict.elements))
    return f"{verdict.fan} fan ({keys}) is too little: at least {terms.min_fan} are needed"
