# cython: language_level=3
"""`Play`: a hand of play as a Python value, with its result and every payment."""

from libc.stdint cimport int64_t, uint8_t, uint64_t

from ._core cimport checked_int, popcount
from ._fan cimport Verdict
from ._flowers cimport points_of
from ._hand cimport ADDED, CHOW, CONCEALED, EXPOSED, Hand, Meld, PONG
from ._moves cimport Move, after_passing, legal_moves, perft, read_move, try_move
from ._reasons cimport reason_against
from ._round cimport (
    EIGHT_FLOWERS, EXHAUSTED, GameState, NO_PLACE, TURN, WON, back_place, begin, front_left, stake,
    start, taken_verdict,
)
from ._settle cimport eight_flowers_count, factor_between, settle
from ._terms cimport RulesTerms, Terms, terms_of

from . import elements as _elements
from ._score import score
from .errors import IllegalMove, RulesError
from .stakes import NO_STAKES, check_stakes
from .tiles import NAMES

cdef RulesTerms NO_TERMS = terms_of("tianjin")
cdef dict KONG_NAMES = {EXPOSED: "exposed", ADDED: "added", CONCEALED: "concealed"}


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
        if wall.shape[0] != 2 * terms.c.stacks:
            raise RulesError(f"a wall of {wall.shape[0]} tiles: these rules have {2 * terms.c.stacks}")
        for i in range(2 * terms.c.stacks):     # copied first, so that what is checked is what is played
            self.state.wall[i] = wall[i]
        check_wall(self.state.wall, terms.c.stacks)
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
        cdef Py_ssize_t i = 0, first, n = len(moves)
        cdef int played = 0
        cdef Move read
        while i < n:
            if moves[i] == " ":
                i += 1
                continue
            first = i
            while i < n and moves[i] != " ":
                i += 1
            if not read_move(moves, first, i, &read) or not try_move(&self.state, &self.terms.c, read):
                try:
                    self.play(moves[first:i])
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

    def perft(self, depth):
        """How many different legal move lists of exactly this length there are (spec: record, "Perft")."""
        return perft(&self.state, &self.terms.c, checked_int(depth, 0, 1000, "depth"))

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


cdef int check_seat(int seat) except -1:
    if not 0 <= seat < 4:
        raise IndexError(f"seat {seat}: seats are 0 to 3")
    return 0


cdef check_wall(const uint8_t *wall, int stacks):
    cdef int[42] counts
    cdef int kind, i
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
                              {"tile": NAMES[kind], "kind": "gold" if gold else KONG_NAMES[meld_type]})
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
