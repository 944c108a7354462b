# cython: language_level=3
"""Moves as records write them, played on the turn machine (spec: record, "Moves").

A record writes decisions only, so "nobody claims" is no move: a move of the next turn says it. That is
settled here, for live play, replay, verification and perft alike.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t

from ._core cimport pairs, popcount, some, triplets
from ._fan cimport Verdict
from ._flowers cimport points_of
from ._hand cimport ADDED, CHOW, CONCEALED, EXPOSED, PONG, Hand, Meld
from ._round cimport (
    ADDED_KONG, CHOW_CLAIM, CLAIM, CLAIMED, CONCEALED_KONG, DECLARE, DISCARD, EIGHT_FLOWERS, EXHAUSTED,
    EXPOSED_KONG, GameState, NO_PLACE, NO_TILE, Options, PONG_CLAIM, ROB, TAKE_WIN, TURN, WIN, WON,
    back_place, begin, chow, claim, declare, discard, front_left, may_chow, may_declare, may_kong,
    may_pong, may_take_win, own_kong, pass_claims, stake, start, take_win, taken_verdict, turn_options,
    win_hand,
)
from ._settle cimport eight_flowers_count, factor_between, settle
from ._terms cimport RulesTerms, Terms, terms_of

from . import elements as _elements
from ._score import score
from .errors import IllegalMove, RulesError
from .stakes import NO_STAKES, check_stakes
from .tiles import ENGLISH, NAMES

cdef str LETTERS = "dcahporwe"
cdef RulesTerms NO_TERMS = terms_of("tianjin")
cdef dict KONG_NAMES = {EXPOSED: "exposed", ADDED: "added", CONCEALED: "concealed"}


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
        win_hand(g, &options.verdict)
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


cdef class Play:
    """A hand of play, from the deal to its end.

    Parameters
    ----------
    rules : str or Rules
    dealer : int
        Seat 0 to 3.
    wall : bytes-like of uint8
        All 136 or 144 kinds in take order.
    flip_throw : int or None
        Sum of the two dice that fix the wildcards; None where the rules turn a tile instead.
    stakes : Stakes

    Raises
    ------
    RulesError
        For a wall that is not the tiles, a throw or stakes that cannot be.
    """

    def __cinit__(self):
        self.terms = NO_TERMS   # so that a hand that was never dealt is harmless

    def __init__(self, rules, dealer, const uint8_t[::1] wall not None, flip_throw, stakes=NO_STAKES):
        cdef RulesTerms terms = terms_of(rules)
        cdef int i
        cdef int[4] pulls
        cdef bint[4] kicks
        if self.state.front:
            raise TypeError("a Play is made once")
        if dealer not in range(4):
            raise RulesError(f"dealer {dealer!r}: seats are 0 to 3")
        thrown = terms.c.flips and not terms.c.turned
        if (flip_throw is not None) != thrown or thrown and flip_throw not in range(2, 13):
            raise RulesError(f"flip throw {flip_throw}: two dice, or none where a tile is turned")
        check_stakes(stakes, dealer, terms.rules)
        check_wall(wall, terms.c.stacks)
        for i in range(2 * terms.c.stacks):
            self.state.wall[i] = wall[i]
        for i in range(4):
            pulls[i] = stakes.pull[i]
            kicks[i] = stakes.kick[i]
        self.terms = terms
        start(&self.state, &terms.c, dealer, 0 if flip_throw is None else flip_throw)
        stake(&self.state, stakes.sit, pulls, kicks)
        begin(&self.state, &terms.c)

    def play(self, str move not None):
        """Play a move, written as in a record; raises `IllegalMove` and changes nothing otherwise."""
        cdef Move read
        if not read_move(move, 0, len(move), &read):
            raise IllegalMove(move, "not a move: a seat, a letter and for most a tile, such as '0d5W'")
        if not try_move(&self.state, &self.terms.c, read):
            raise IllegalMove(move, reason_against(&self.state, &self.terms.c, read))

    def play_all(self, str moves not None):
        """Play blank-separated moves; returns how many.

        Raises
        ------
        IllegalMove
            At the first that is illegal, those before it being played; its `played` says how many.
        """
        cdef Py_ssize_t i = 0, begin, n = len(moves)
        cdef int played = 0
        cdef Move read
        while i < n:
            if moves[i] == " ":
                i += 1
                continue
            begin = i
            while i < n and moves[i] != " ":
                i += 1
            if not read_move(moves, begin, i, &read) or not try_move(&self.state, &self.terms.c, read):
                try:
                    self.play(moves[begin:i])
                except IllegalMove as error:
                    error.played = played
                    raise
            played += 1
        return played

    def legal(self):
        """All legal next moves of all seats, those after everybody passing included; a sorted list."""
        return sorted(legal_moves(&self.state, &self.terms.c))

    @property
    def over(self):
        """Whether the hand has ended."""
        return self.state.phase >= WON

    @property
    def may_end(self):
        """Whether the hand is over if everybody passes now."""
        return after_passing(&self.state, &self.terms.c).phase >= WON

    def result(self):
        """A record's `result` (spec: record); raises `ValueError` unless `may_end`."""
        cdef GameState ended = after_passing(&self.state, &self.terms.c)
        if ended.phase < WON:
            raise ValueError("the hand goes on")
        return result_of(&ended, &self.terms.c)

    def settlement(self):
        """Every payment, then what the cap changed, as dicts (spec: table, "Settlement, line by line")."""
        cdef GameState ended = after_passing(&self.state, &self.terms.c)
        if ended.phase < WON:
            raise ValueError("the hand goes on")
        return payments(&ended, &self.terms.c)

    def perft(self, int depth):
        """How many different legal move lists of exactly this length there are (spec: record, "Perft")."""
        if depth < 0:
            raise ValueError(f"depth {depth} is negative")
        return perft(&self.state, &self.terms.c, depth)

    def copy(self):
        """The same hand of play, going its own way from here."""
        cdef Play made = Play.__new__(Play)
        made.state = self.state
        made.terms = self.terms
        return made

    def __copy__(self):
        return self.copy()

    @property
    def state_bytes(self):
        """The whole state as bytes, for comparisons."""
        return (<const char *>&self.state)[:sizeof(GameState)]

    @property
    def rules(self):
        return self.terms.rules

    @property
    def dealer(self):
        return self.state.dealer

    @property
    def seat(self):
        """Whose turn it is, or who has discarded."""
        return self.state.seat

    @property
    def flip(self):
        """Kind of the flipped tile, None where the rules flip none."""
        return None if self.state.flip < 0 else self.state.flip

    @property
    def lost(self):
        """小相公 of each seat, a tuple of bool."""
        return tuple([bool(self.state.lost >> seat & 1) for seat in range(4)])

    @property
    def ready(self):
        """天听 of each seat, a tuple of bool."""
        return tuple([bool(self.state.ready >> seat & 1) for seat in range(4)])

    @property
    def front_left(self):
        """Front draws left."""
        return front_left(&self.state, &self.terms.c)

    @property
    def undrawn(self):
        """Tiles in the wall that can still be drawn, from the front or the back, in take order."""
        return undrawn_tiles(&self.state, &self.terms.c)

    def hand(self, int seat):
        """A seat's `Hand`; the tile that it has just drawn stands as the winning tile."""
        check_seat(seat)
        cdef object win = None
        cdef GameState *g = &self.state
        tiles = list(self.held(seat))
        if seat == g.seat and (g.phase == TURN or (g.phase == WON and g.won >> seat & 1)):
            win = g.tile
            tiles.remove(win)
        elif g.phase == WON and g.won >> seat & 1:
            win = g.tile        # taken from another seat
        melds = [Meld("exposed" if meld_type == "added" else meld_type, kind)
                 for meld_type, kind, _ in self.melds(seat)]
        return Hand(tiles, melds, win, flip=g.flip, rules=self.terms.rules)

    def score(self, int seat):
        """The `Score` of a seat that has won; raises `ValueError` for any other."""
        cdef GameState *g = &self.state
        check_seat(seat)
        if g.phase != WON or not g.won >> seat & 1:
            raise ValueError(f"seat {seat} has not won")
        keys = _elements.keys_of(g.verdict.elements)
        if self.terms.c.by_flowers:
            source = "rob" if g.robbed else "discard" if seat != g.seat else (
                "kong" if "gangkai" in keys else "self")
            return score(self.hand(seat), source=source, flowers=popcount(g.flowers[seat]))
        return score(self.hand(seat), kong_draw="gangkai" in keys, heavenly="tianhu" in keys,
                     earthly="dihu" in keys, ready="tianting" in keys)

    @property
    def winners(self):
        """Seats that have won, in the order in which records tell them."""
        return tuple(winners_in_order(&self.state))

    def flowers(self, int seat):
        """Flower tiles that a seat has laid out, kinds in order; a tuple of int."""
        check_seat(seat)
        return tuple([34 + flower for flower in range(8) if self.state.flowers[seat] >> flower & 1])

    def held(self, int seat):
        """Concealed tiles of a seat, kinds in canonical order; a tuple of int."""
        check_seat(seat)
        cdef uint64_t *held = self.state.held[seat]
        return tuple([kind for kind in range(42) for _ in range(
            (held[0] >> kind & 1) + 2 * (held[1] >> kind & 1) + 4 * (held[2] >> kind & 1))])

    def melds(self, int seat):
        """Melds of a seat in order: (type, kind, seat that the claimed tile came from)."""
        check_seat(seat)
        names = {PONG: "pong", CHOW: "chow", **KONG_NAMES}
        return tuple([(names[m >> 6 & 63], m & 63, m >> 12)
                      for m in [self.state.melds[seat][i] for i in range(self.state.meld_count[seat])]])

    def thrown(self, int seat):
        """How often a seat has discarded each kind, claimed tiles included: 42 numbers."""
        check_seat(seat)
        return tuple([self.state.discarded[kind] >> 4 * seat & 15 for kind in range(42)])


cdef int check_seat(int seat) except -1:
    if not 0 <= seat < 4:
        raise IndexError(f"seat {seat}: seats are 0 to 3")
    return 0


cdef check_wall(const uint8_t[::1] wall, int stacks):
    cdef int[42] counts
    cdef int kind, i
    if wall.shape[0] != 2 * stacks:
        raise RulesError(f"a wall of {wall.shape[0]} tiles: these rules have {2 * stacks}")
    for kind in range(42):
        counts[kind] = 0
    for i in range(2 * stacks):
        if wall[i] >= 42:
            raise RulesError(f"{wall[i]} at place {i} of the wall is no tile kind")
        counts[wall[i]] += 1
    for kind in range(42):
        wanted = 4 if kind < 34 else stacks == 72
        if counts[kind] != wanted:
            raise RulesError(f"{counts[kind]} of {NAMES[kind]} in the wall: there must be {int(wanted)}")


cdef tuple undrawn_tiles(const GameState *g, const Terms *terms):
    cdef GameState rest = g[0]
    cdef int place
    places = []
    while True:
        place = back_place(&rest, terms)
        if place == NO_PLACE:
            return tuple([g.wall[place] for place in sorted(places)])
        places.append(place)
        rest.back = 2 * (terms.stacks - 1 - (place >> 1)) + (place & 1) + 1


cdef GameState after_passing(const GameState *g, const Terms *terms) noexcept:
    """The hand once nobody claims what lies on the table."""
    cdef GameState passed = g[0]
    if passed.phase == CLAIM or passed.phase == ROB:
        pass_claims(&passed, terms)
    return passed


cdef list winners_in_order(const GameState *g):
    return [(g.seat + offset) & 3 for offset in range(4) if g.won >> ((g.seat + offset) & 3) & 1]


cdef dict result_of(const GameState *g, const Terms *terms):
    cdef int64_t[4] net
    settle(g, terms, net)
    end = "exhausted" if g.phase == EXHAUSTED else "flowers" if g.phase == EIGHT_FLOWERS else "win"
    return {"end": end, "winners": [winner_of(g, terms, seat) for seat in winners_in_order(g)],
            "net": [net[i] for i in range(4)]}


cdef dict winner_of(const GameState *g, const Terms *terms, int seat):
    cdef Verdict verdict = g.verdict if seat == g.seat else taken_verdict(g, terms, seat)
    if g.phase == EIGHT_FLOWERS:
        verdict.elements = _elements.BIT["bahua"]
        verdict.fan = terms.cap_fan
        verdict.flowers = eight_flowers_count(g)
    winner = {"seat": seat, "elements": list(_elements.keys_of(verdict.elements)), "fan": verdict.fan}
    if terms.by_flowers:
        winner |= {"flowers": verdict.flowers, "points": points_of(terms, verdict.flowers, verdict.fan)}
    if seat != g.seat:
        winner["from"] = g.seat
    return winner


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


cdef list payments(const GameState *g, const Terms *terms):
    cdef int64_t[4] net
    cdef int seat, i
    lines = []
    for seat in winners_in_order(g):
        lines += win_payments(g, terms, seat)
    for seat in range(4):
        for i in range(g.meld_count[seat]):
            meld_type, kind = g.melds[seat][i] >> 6 & 63, g.melds[seat][i] & 63
            if meld_type != PONG and meld_type != CHOW:
                gold = g.wild >> kind & 1
                units = (terms.gold_kong if gold else terms.concealed_kong if meld_type == CONCEALED
                         else terms.exposed_kong)
                lines += paid(g, terms, "kong", seat, units,
                              {"tile": NAMES[kind], "kong": "gold" if gold else KONG_NAMES[meld_type]})
    if g.chan:
        for seat in range(4):
            if seat != g.dealer:
                lines += [line for line in paid(g, terms, "chan", seat, terms.chan, {})
                          if line["from"] == g.dealer]
    settle(g, terms, net)
    for seat in range(4):
        change = net[seat] - sum([line["points"] * ((line["to"] == seat) - (line["from"] == seat))
                                  for line in lines if "to" in line])
        if change:
            lines.append({"why": "cap", "seat": seat, "points": change})
    return lines


cdef list win_payments(const GameState *g, const Terms *terms, int seat):
    """What a winner gets, from everybody or from the seat whose tile it took."""
    winner = winner_of(g, terms, seat)
    if not terms.by_flowers:
        return paid(g, terms, "win", seat, winner["fan"], {"elements": winner["elements"]})
    payers = [g.seat] if "from" in winner else [payer for payer in range(4) if payer != seat]
    factor = 3 if g.robbed else 1
    why = "flowers" if g.phase == EIGHT_FLOWERS else "win"
    return [{"why": why, "from": payer, "to": seat, "units": winner["points"], "factor": factor,
             "points": winner["points"] * factor, "elements": winner["elements"],
             "flowers": winner["flowers"]} for payer in payers]


cdef list paid(const GameState *g, const Terms *terms, str why, int to, units, dict more):
    """What each other seat pays a seat; nothing where it is worth nothing."""
    return [{"why": why, "from": seat, "to": to, "units": units, "factor": factor_between(g, to, seat),
             "points": units * factor_between(g, to, seat) * terms.base, **more}
            for seat in range(4) if seat != to and units]


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
    if g.phase == CLAIM or g.phase == ROB:
        passed = after_passing(g, terms)
        if passed.phase == EXHAUSTED:
            return "no front draw is left: the hand has ended unless the discard is claimed"
        if passed.phase >= WON:
            return "the hand has ended"
        return reason_against_turn(&passed, terms, move)
    return reason_against_turn(g, terms, move)


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
    cdef Options o = turn_options(g, terms, True)
    if g.phase == CLAIMED:
        return "a win needs a draw, and this turn began with a claim"
    if g.lost >> g.seat & 1:
        return "the seat discarded a wildcard (小相公) and cannot win this hand"
    if not o.verdict.rank:
        return "the hand is not complete"
    keys = ", ".join(_elements.keys_of(o.verdict.elements))
    return f"{o.verdict.fan} fan ({keys}) is too little: at least {terms.min_fan} are needed"
