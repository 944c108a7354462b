# cython: language_level=3
"""Moves as records write them, on the turn machine (spec: record, "Moves").

A record writes decisions only, so "nobody claims" is no move: a move of the next turn says it. That is
settled here, for live play, replay, verification and perft alike.
"""

from libc.stdint cimport int64_t

from ._round cimport (
    ADDED_KONG, CHOW_CLAIM, CLAIM, CLAIMED, CONCEALED_KONG, DECLARE, DISCARD, EXPOSED_KONG, GameState,
    NO_TILE, Options, PONG_CLAIM, ROB, TAKE_WIN, TURN, WIN, WON, chow, claim, declare, discard,
    may_chow, may_declare, may_kong, may_pong, may_take_win, own_kong, pass_claims, take_win,
    turn_options, win_hand,
)
from ._terms cimport Terms

from .tiles import NAMES

cdef str LETTERS = "dcahporwe"


cdef bint on_turn(const GameState *g, const Terms *terms, Move move, Options *options) noexcept nogil:
    """Whether a move of an own turn is legal; `options` are made only as far as they are asked for."""
    if move.seat != g.seat or (g.phase != TURN and g.phase != CLAIMED):
        return False
    options[0] = turn_options(g, terms, move.act == WIN)
    if move.act == DISCARD:
        return options.discards >> move.kind & 1
    if move.act == CONCEALED_KONG:
        return options.concealed >> move.kind & 1
    if move.act == ADDED_KONG:
        return options.added >> move.kind & 1
    return options.may_win


cdef int try_move(GameState *g, const Terms *terms, Move move) noexcept nogil:
    """Play a move if it is legal and say whether it was; otherwise nothing changes."""
    cdef Options options
    cdef GameState passed
    if move.act == DECLARE:
        if not may_declare(g, terms, move.seat):
            return False
        declare(g, move.seat)
        return True
    if move.act == PONG_CLAIM or move.act == EXPOSED_KONG:
        if g.phase != CLAIM or move.kind != g.tile or not (
                may_pong(g, terms, move.seat) if move.act == PONG_CLAIM else may_kong(g, terms, move.seat)):
            return False
        claim(g, terms, move.seat, move.act == EXPOSED_KONG)
        return True
    if move.act == TAKE_WIN:
        if move.kind != g.tile or not may_take_win(g, terms, move.seat):
            return False
        take_win(g, terms, move.seat)
        return True
    if move.act == CHOW_CLAIM:
        if not may_chow(g, terms, move.seat, move.kind):
            return False
        chow(g, terms, move.seat, move.kind)
        return True
    if g.phase == CLAIM or g.phase == ROB:
        passed = g[0]
        pass_claims(&passed, terms)
        if not on_turn(&passed, terms, move, &options):
            return False
        g[0] = passed
    elif not on_turn(g, terms, move, &options):
        return False
    if move.act == DISCARD:
        discard(g, terms, move.kind)
    elif move.act == WIN:
        win_hand(g, terms)
    else:
        own_kong(g, terms, move.kind, move.act == ADDED_KONG)
    return True


cdef str move_text(int seat, int act, int kind):
    return f"{seat}{LETTERS[act]}" + (NAMES[kind] if kind < NO_TILE else "")


cdef bint read_move(str text, Py_ssize_t begin, Py_ssize_t end, Move *move) noexcept:
    """Read the move in text[begin:end]; False if it is none."""
    cdef int length = end - begin, rank, group
    if length != 2 and length != 4:
        return False
    move.seat = <int>text[begin] - 48
    move.act = LETTERS.find(text[begin + 1])
    move.kind = NO_TILE
    if not 0 <= move.seat < 4 or move.act < 0 or (length == 2) != (move.act == WIN or move.act == DECLARE):
        return False
    if length == 4:
        rank = <int>text[begin + 2] - 49
        group = "WTBFJH".find(text[begin + 3])
        if group < 0 or not 0 <= rank < (9 if group < 3 else 4 if group == 3 else 3 if group == 4 else 8):
            return False
        move.kind = rank + (9 * group if group < 4 else 31 if group == 4 else 34)
    return True


cdef GameState after_passing(const GameState *g, const Terms *terms) noexcept:
    """The hand once nobody claims what lies on the table."""
    cdef GameState passed = g[0]
    if passed.phase == CLAIM or passed.phase == ROB:
        pass_claims(&passed, terms)
    return passed


cdef void add_turn_moves(list moves, const GameState *g, const Terms *terms):
    cdef Options o = turn_options(g, terms, True)
    cdef int kind
    for kind in range(42):
        if o.discards >> kind & 1:
            moves.append(move_text(g.seat, DISCARD, kind))
        if o.concealed >> kind & 1:
            moves.append(move_text(g.seat, CONCEALED_KONG, kind))
        if o.added >> kind & 1:
            moves.append(move_text(g.seat, ADDED_KONG, kind))
    if o.may_win:
        moves.append(move_text(g.seat, WIN, NO_TILE))


cdef list legal_moves(const GameState *g, const Terms *terms):
    cdef list moves = []
    cdef GameState passed
    if g.phase >= WON:
        return moves
    if g.phase != CLAIM and g.phase != ROB:
        add_turn_moves(moves, g, terms)
        return moves
    add_claims(moves, g, terms)
    passed = after_passing(g, terms)
    if passed.phase < WON:
        add_turn_moves(moves, &passed, terms)
    return moves


cdef void add_claims(list moves, const GameState *g, const Terms *terms):
    cdef int seat, lowest
    for seat in range(4):
        if may_take_win(g, terms, seat):
            moves.append(move_text(seat, TAKE_WIN, g.tile))
        if may_declare(g, terms, seat):
            moves.append(move_text(seat, DECLARE, NO_TILE))
        if may_pong(g, terms, seat):
            moves.append(move_text(seat, PONG_CLAIM, g.tile))
        if may_kong(g, terms, seat):
            moves.append(move_text(seat, EXPOSED_KONG, g.tile))
        for lowest in range(max(0, g.tile - 2), g.tile + 1):
            if may_chow(g, terms, seat, lowest):
                moves.append(move_text(seat, CHOW_CLAIM, lowest))


cdef int64_t perft(const GameState *g, const Terms *terms, int depth):
    cdef GameState after
    cdef Move read
    cdef int64_t total = 0
    if depth == 0:
        return 1
    moves = legal_moves(g, terms)
    if depth == 1:
        return len(moves)
    for move in moves:
        after = g[0]
        read_move(move, 0, len(move), &read)
        try_move(&after, terms, read)
        total += perft(&after, terms, depth - 1)
    return total
