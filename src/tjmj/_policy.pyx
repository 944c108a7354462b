# cython: language_level=3
"""Policies built into the engine, and many hands played by them without the GIL.

`random` takes every legal action with the same chance, passing a claim included.

`simple` wins when it may and makes every kong it may. It pongs what it can as long as it has a pair beside.
Otherwise it throws the natural tile with the fewest own neighbours: further copies of it and kinds within
two ranks of it, the last in canonical order of those that tie; a wildcard only when it holds nothing else.
It stakes nothing and does not declare 天听.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

from ._core cimport highest_bit, nth_bit, popcount
from ._deal cimport below, fast_deal, fast_state
from ._play cimport Play, move_text
from ._round cimport (
    ADDED_KONG, CLAIM, CONCEALED_KONG, DECLARE, DISCARD, EXPOSED_KONG, GameState, LAST_DECLARER, NO_TILE,
    Options, PONG_CLAIM, WIN, WON, above, beneath, claim, declare, discard, may_declare, may_kong, may_pong,
    own_kong, pairs, pass_claims, settle, some, stake, start, triplets, turn_options, win_hand,
)
from ._terms cimport RulesTerms, Terms, terms_of

from . import elements as _elements
from .errors import RulesError

POLICIES = ("random", "simple")
"""Names of the built-in policies."""


cdef inline void write(Log *log, int seat, int act, int kind) noexcept nogil:
    if log != NULL:
        log.moves[log.count] = seat << 9 | act << 6 | kind
        log.count += 1


cdef inline int fewest_neighbours(const uint64_t *held, uint64_t wild) noexcept nogil:
    """The natural kind that `simple` throws; counts of neighbours are added up in bit slices."""
    cdef uint64_t kinds = some(held), natural = kinds & ~wild, least
    cdef uint64_t ones = 0, twos = 0, fours = 0
    if not natural:
        return highest_bit(kinds)
    count_up(above(natural, 1), &ones, &twos, &fours)
    count_up(above(natural, 2), &ones, &twos, &fours)
    count_up(beneath(natural, 1), &ones, &twos, &fours)
    count_up(beneath(natural, 2), &ones, &twos, &fours)
    count_up(pairs(held), &ones, &twos, &fours)
    count_up(triplets(held), &ones, &twos, &fours)
    least = natural & ~fours
    natural = least if least else natural
    least = natural & ~twos
    natural = least if least else natural
    least = natural & ~ones
    return highest_bit(least if least else natural)


cdef inline void count_up(uint64_t more, uint64_t *ones, uint64_t *twos, uint64_t *fours) noexcept nogil:
    cdef uint64_t carry = ones[0] & more
    ones[0] ^= more
    fours[0] |= twos[0] & carry
    twos[0] ^= carry


cdef inline bint take_turn(GameState *g, const Terms *terms, int policy, uint64_t *rng, Log *log) noexcept nogil:
    """One own turn; returns whether there was a choice."""
    cdef Options o = turn_options(g, terms, True)
    cdef int seat = g.seat, act = DISCARD, kind
    cdef int discards = popcount(o.discards), concealed = popcount(o.concealed), added = popcount(o.added)
    cdef int choices = discards + concealed + added + o.may_win, chosen
    if policy == RANDOM:
        chosen = below(rng, choices)
        if chosen < discards:
            kind = nth_bit(o.discards, chosen)
        elif chosen < discards + concealed:
            act = CONCEALED_KONG
            kind = nth_bit(o.concealed, chosen - discards)
        elif chosen < discards + concealed + added:
            act = ADDED_KONG
            kind = nth_bit(o.added, chosen - discards - concealed)
        else:
            act = WIN
            kind = NO_TILE
    elif o.may_win:
        act = WIN
        kind = NO_TILE
    elif o.concealed | o.added:
        act = CONCEALED_KONG if o.concealed else ADDED_KONG
        kind = highest_bit(o.concealed if o.concealed else o.added)
    elif g.ready >> seat & 1:
        kind = g.tile
    else:
        kind = fewest_neighbours(g.held[seat], g.wild)
    write(log, seat, act, kind)
    if act == DISCARD:
        discard(g, terms, kind)
    elif act == WIN:
        win_hand(g, &o.verdict)
    else:
        own_kong(g, terms, kind, act == ADDED_KONG)
    return choices > 1


cdef inline bint answer_discard(GameState *g, const Terms *terms, int policy, uint64_t *rng, Log *log) noexcept nogil:
    """Whoever can claim the discard answers; only one seat can hold enough. Returns whether one was asked."""
    cdef int offset, seat, chosen
    cdef bint pong, kong
    for offset in range(1, 4):
        seat = (g.seat + offset) & 3
        if not pairs(g.held[seat]) >> g.tile & 1:
            continue
        pong = may_pong(g, terms, seat)
        kong = may_kong(g, terms, seat)
        if not pong and not kong:
            break
        if policy == RANDOM:
            chosen = below(rng, 1 + pong + kong)    # 0 passes
            kong = kong and chosen == 1 + pong
            pong = pong and chosen == 1
        else:
            pong = pong and not kong and popcount(pairs(g.held[seat])) > 1
        if pong or kong:
            write(log, seat, EXPOSED_KONG if kong else PONG_CLAIM, g.tile)
            claim(g, terms, seat, kong)
        else:
            pass_claims(g, terms)
        return True
    pass_claims(g, terms)
    return False


cdef inline int ask_declarers(GameState *g, const Terms *terms, int policy, uint64_t *rng, Log *log) noexcept nogil:
    """天听: each seat that may declare answers; returns how many were asked."""
    cdef int offset, seat, asked = 0
    for offset in range(g.declarer, 4):
        seat = (g.dealer + offset) & 3
        if may_declare(g, terms, seat):
            asked += 1
            if policy == RANDOM and below(rng, 2):
                write(log, seat, DECLARE, NO_TILE)
                declare(g, seat)
    return asked


cdef int64_t play_out(GameState *g, const Terms *terms, int policy, uint64_t *rng, Log *log) noexcept nogil:
    """Play a hand to its end; returns how often a seat had more than one legal action."""
    cdef int64_t decisions = 0
    while g.phase < WON:
        if g.phase != CLAIM:
            decisions += take_turn(g, terms, policy, rng, log)
            continue
        if g.declarer < LAST_DECLARER:
            decisions += ask_declarers(g, terms, policy, rng, log)
        decisions += answer_discard(g, terms, policy, rng, log)
    return decisions


cdef void random_stakes(GameState *g, const Terms *terms, int policy, uint64_t *rng, bint *sit, int *pulls,
                        bint *kicks) noexcept nogil:
    """What the policies stake: at random, or nothing."""
    cdef int seat
    sit[0] = False
    for seat in range(4):
        pulls[seat] = 0
        kicks[seat] = False
    if not terms.stakes or policy != RANDOM:
        return
    sit[0] = below(rng, 2)
    for seat in range(4):
        if seat != g.dealer:
            pulls[seat] = below(rng, terms.max_pulls + 1)
            if terms.chuai and pulls[seat]:
                kicks[seat] = below(rng, 2)
    stake(g, sit[0], pulls, kicks)


cdef struct Staked:
    uint8_t[6] dice
    bint sit
    int[4] pulls
    bint[4] kicks


cdef void deal_hand(GameState *g, const Terms *terms, int policy, uint64_t state, int dealer, uint64_t *rng,
                    Staked *staked) noexcept nogil:
    """Deal and stake a hand; the generator goes on in `rng`."""
    cdef Staked s
    cdef int flip_throw
    rng[0] = state
    fast_deal(rng, terms, g.wall, s.dice)
    flip_throw = 0 if terms.turned else s.dice[2 * terms.throws] + s.dice[2 * terms.throws + 1]
    start(g, terms, dealer, flip_throw)
    random_stakes(g, terms, policy, rng, &s.sit, s.pulls, s.kicks)
    if staked != NULL:
        staked[0] = s


cdef struct Totals:
    int64_t hands
    int64_t wins
    int64_t dealer_wins
    int64_t decisions
    int64_t discards
    int64_t fan
    int64_t kongs
    int64_t[4] net
    int64_t[16] elements


cdef void add_hand(Totals *t, const GameState *g, const Terms *terms) noexcept nogil:
    cdef int64_t[4] net
    cdef int i, k
    settle(g, terms, net)
    t.hands += 1
    t.discards += g.discards
    for i in range(4):
        t.net[i] += net[i]
        for k in range(3):
            t.kongs += g.kongs[i][k]
    if g.phase == WON:
        t.wins += 1
        t.dealer_wins += g.winner == g.dealer
        t.fan += g.verdict.fan
        for i in range(16):
            t.elements[i] += g.verdict.elements >> i & 1


cdef class Hands:
    """Hands `first` to `first + count - 1` of a run, played by a policy.

    Hand k is dealt by seat k mod 4 from the fast generator's state for (seed, k), which the policy goes on
    drawing from: a hand is the same whoever plays it, in whatever order.

    Parameters
    ----------
    rules : str or Rules
    seed : int
        0 to 2^64 - 1.
    policy : {"random", "simple"}

    Raises
    ------
    RulesError
        For unknown rules or an unknown policy.
    """

    cdef readonly object rules
    cdef RulesTerms terms
    cdef uint64_t seed
    cdef int policy

    def __cinit__(self, rules, seed, str policy="random"):
        if policy not in POLICIES:
            raise RulesError(f"unknown policy {policy!r}; there are {', '.join(POLICIES)}")
        if not 0 <= seed < 1 << 64:
            raise RulesError(f"seed {seed}: it is 0 to 2^64 - 1")
        self.terms = terms_of(rules)
        self.rules = self.terms.rules
        self.seed = seed
        self.policy = POLICIES.index(policy)

    def totals(self, uint64_t first, uint64_t count):
        """Play the hands and add them up; runs without the GIL.

        Returns
        -------
        dict
            hands, wins, dealer_wins, decisions, discards, fan (sum over wins), kongs, net (points of each
            seat), elements (wins with each).
        """
        cdef Totals t
        cdef GameState g
        cdef uint64_t hand, rng
        cdef Terms *terms = &self.terms.c
        cdef int policy = self.policy
        memset(&t, 0, sizeof(t))
        with nogil:
            for hand in range(first, first + count):
                deal_hand(&g, terms, policy, fast_state(self.seed, hand), hand & 3, &rng, NULL)
                t.decisions += play_out(&g, terms, policy, &rng, NULL)
                add_hand(&t, &g, terms)
        made = dict(t)
        made["net"] = [t.net[i] for i in range(4)]
        made["elements"] = {key: t.elements[i] for i, key in enumerate(_elements.KEYS)}
        return made

    def records(self, uint64_t first, uint64_t count):
        """Play the hands and tell each of them.

        Returns
        -------
        list of tuple
            (dealer, (sit, pull, kick), dice in the order thrown, wall as bytes, moves as a list of str,
            result as a dict).
        """
        cdef GameState g
        cdef Staked staked
        cdef Log log
        cdef uint64_t hand, rng
        cdef Terms *terms = &self.terms.c
        cdef int i, n = 2 * terms.stacks, dice = 2 * terms.throws + (0 if terms.turned else 2)
        cdef Play play
        told = []
        for hand in range(first, first + count):
            log.count = 0
            deal_hand(&g, terms, self.policy, fast_state(self.seed, hand), hand & 3, &rng, &staked)
            play_out(&g, terms, self.policy, &rng, &log)
            play = Play.__new__(Play)
            play.state = g
            play.terms = self.terms
            stakes = (bool(staked.sit), [staked.pulls[i] for i in range(4)],
                      [bool(staked.kicks[i]) for i in range(4)])
            moves = [move_text(log.moves[i] >> 9, log.moves[i] >> 6 & 7, log.moves[i] & 63)
                     for i in range(log.count)]
            told.append((g.dealer, stakes, [staked.dice[i] for i in range(dice)], bytes(g.wall[:n]), moves,
                         play.result()))
        return told
