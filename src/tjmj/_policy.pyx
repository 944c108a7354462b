# cython: language_level=3
"""Policies built into the engine, and many hands played by them without the GIL.

`random` takes every legal action with the same chance, passing a claim included.

`simple` wins when it may and makes every kong it may: a concealed one before an added one, the last in
canonical order first. It pongs what it can as long as it has a pair beside, and never chows. Otherwise it
throws the natural tile with the fewest own neighbours: whether it has two and three of it, and kinds within
two ranks of it, the last in canonical order of those that tie; a wildcard only when it holds nothing else.
It stakes nothing and does not declare 天听.
"""

from libc.stdint cimport int64_t, uint16_t, uint64_t
from libc.string cimport memset

from ._asking cimport (
    CHOOSE_KONG, CHOOSE_PONG, CHOOSE_WIN, MOST_MOVES, OWN_KONG, PASS, answer, any_choice, begin_asking, told_moves,
)
from ._core cimport above, beneath, highest_bit, pairs, popcount, some, triplets
from ._deal cimport Dealt, dice_count, fast_hand, fast_state, stakes_of
from ._fan cimport Verdict
from ._play cimport Play
from ._round cimport EIGHT_FLOWERS, GameState, WON, taken_verdict
from ._settle cimport settle
from ._terms cimport RulesTerms, Terms, terms_of

from . import elements as _elements
from .errors import RulesError
from .limits import shown

cdef int BAHUA = _elements.KEYS.index("bahua")

POLICIES = ("random", "simple")
"""Names of the built-in policies."""


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


cdef inline int simple_choice(const Asking *a) noexcept nogil:
    cdef const GameState *g = &a.game
    cdef uint64_t choices = a.choices[0], kongs = choices >> OWN_KONG | a.choices[1] << (64 - OWN_KONG), concealed
    cdef uint64_t discards = choices & ((<uint64_t>1 << PASS) - 1)
    if choices >> CHOOSE_WIN & 1:
        return CHOOSE_WIN
    if not discards:
        if choices >> CHOOSE_KONG & 1:
            return CHOOSE_KONG
        if choices >> CHOOSE_PONG & 1 and popcount(pairs(g.held[a.seat])) > 1:
            return CHOOSE_PONG
        return PASS
    if kongs:
        concealed = kongs & ~g.ponged[a.seat]
        return OWN_KONG + highest_bit(concealed if concealed else kongs)
    return fewest_neighbours(g.held[a.seat], g.wild)


cdef int64_t play_out(Asking *a, const Terms *terms, int policy, uint64_t *rng) noexcept nogil:
    """Play a hand to its end; returns how often a seat was asked."""
    cdef int64_t decisions = 0
    cdef int choice
    while a.game.phase < WON:
        choice = any_choice(a.choices[0], a.choices[1], rng) if policy == RANDOM else simple_choice(a)
        answer(a, terms, choice)
        decisions += 1
    return decisions


cdef struct Totals:
    int64_t hands
    int64_t wins         # a hand can have several
    int64_t exhausted
    int64_t dealer_wins
    int64_t decisions
    int64_t discards
    int64_t fan
    int64_t kongs
    int64_t[4] net
    int64_t[32] elements
    int64_t[256] lengths    # hands of so many discards
    int64_t[256] fans       # wins of so much fan; the last one: or more
    int64_t[4][43] gains    # of each seat hands by what it gained, see `gain_place`
    double[4] squares       # of what each seat gained


cdef inline int gain_place(int64_t points) noexcept nogil:
    """0 to 42: losses by the number of their bits, the greatest first, then nothing at 21, then gains."""
    cdef uint64_t size = points if points >= 0 else -points
    cdef int bits = min(highest_bit(size) + 1, 21) if size else 0
    return 21 + bits if points >= 0 else 21 - bits


cdef inline void add_win(Totals *t, int64_t fan, bint by_dealer) noexcept nogil:
    t.wins += 1
    t.dealer_wins += by_dealer
    t.fan += fan
    t.fans[min(fan, 255)] += 1


cdef void add_hand(Totals *t, const GameState *g, const Terms *terms) noexcept nogil:
    cdef int64_t[4] net
    cdef int i, k
    cdef Verdict verdict
    settle(g, terms, net)
    t.hands += 1
    t.discards += g.discards
    t.lengths[g.discards] += 1
    for i in range(4):
        t.net[i] += net[i]
        t.squares[i] += <double>net[i] * net[i]
        t.gains[i][gain_place(net[i])] += 1
        for k in range(3):
            t.kongs += g.kongs[i][k]
    if g.phase == WON:
        for i in range(4):
            if g.won >> i & 1:
                verdict = g.verdict if i == g.seat else taken_verdict(g, terms, i)
                add_win(t, verdict.fan, i == g.dealer)
                for k in range(32):
                    t.elements[k] += verdict.elements >> k & 1
    elif g.phase == EIGHT_FLOWERS:
        add_win(t, terms.cap_fan, g.seat == g.dealer)
        t.elements[BAHUA] += 1
    else:
        t.exhausted += 1


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
            raise RulesError(f"unknown policy {shown(policy)}; there are {', '.join(POLICIES)}")
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
            hands, wins (a hand can have several), exhausted, dealer_wins, decisions, discards, fan (sum over
            wins), kongs, net (points of each seat), squares (of each seat's points in a hand, summed up),
            elements (wins with each), lengths (hands of so many discards), fans (wins of so much fan), gains
            (of each seat hands by what it gained, as `Summary.gains` has them).
        """
        cdef Totals t
        cdef Asking a
        cdef uint64_t[2] choices
        cdef uint16_t[MOST_MOVES] log
        cdef uint64_t hand, rng
        cdef Terms *terms = &self.terms.c
        cdef int policy = self.policy
        memset(&t, 0, sizeof(t))
        with nogil:
            for hand in range(first, first + count):
                rng = fast_state(self.seed, hand)
                fast_hand(&a.game, terms, hand & 3, policy == RANDOM, &rng)
                begin_asking(&a, terms, choices, log)
                t.decisions += play_out(&a, terms, policy, &rng)
                add_hand(&t, &a.game, terms)
        made = dict(t)  # arrays become lists
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
        cdef Asking a
        cdef Dealt dealt
        cdef uint64_t[2] choices
        cdef uint16_t[MOST_MOVES] log
        cdef uint64_t hand, rng
        cdef Terms *terms = &self.terms.c
        cdef int i, n = 2 * terms.stacks, dice = dice_count(terms)
        cdef Play play
        told = []
        for hand in range(first, first + count):
            rng = fast_state(self.seed, hand)
            dealt = fast_hand(&a.game, terms, hand & 3, self.policy == RANDOM, &rng)
            begin_asking(&a, terms, choices, log)
            play_out(&a, terms, self.policy, &rng)
            play = Play.__new__(Play)
            play.state = a.game
            play.terms = self.terms
            told.append((a.game.dealer, stakes_of(&dealt), [dealt.dice[i] for i in range(dice)],
                         bytes(a.game.wall[:n]), told_moves(log, a.moves), play.result()))
        return told
