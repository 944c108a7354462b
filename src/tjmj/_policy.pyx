# cython: language_level=3
"""Policies built into the engine, and many hands played by them without the GIL.

`random` takes every legal action with the same chance, passing a claim included.

`simple` wins when it may and makes every kong it may: a concealed one before an added one, the last in
canonical order first. It pongs what it can as long as it has a pair beside, and never chows. Otherwise it
throws the natural tile with the fewest own neighbours: whether it has two and three of it, and kinds within
two ranks of it, the last in canonical order of those that tie; a wildcard only when it holds nothing else.
It stakes nothing and does not declare 天听.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

from ._core cimport above, beneath, highest_bit, nth_bit, pairs, popcount, some, triplets
from ._deal cimport below, dice_count, fast_deal, fast_state
from ._fan cimport Verdict
from ._moves cimport move_text
from ._play cimport Play
from ._round cimport (
    ADDED_KONG, CHOW_CLAIM, CLAIM, CONCEALED_KONG, DECLARE, DISCARD, EIGHT_FLOWERS, EXPOSED_KONG,
    GameState, LAST_DECLARER, NO_TILE, Options, PONG_CLAIM, ROB, TAKE_WIN, WIN, WON, begin, chow, claim,
    declare, discard, may_chow, may_declare, may_kong, may_pong, may_take_win, own_kong, pass_claims,
    stake, start, take_win, taken_verdict, turn_options, win_hand,
)
from ._settle cimport settle
from ._terms cimport RulesTerms, Terms, terms_of

from . import elements as _elements
from .errors import RulesError

cdef int BAHUA = _elements.KEYS.index("bahua")

POLICIES = ("random", "simple")
"""Names of the built-in policies."""


cdef inline void write(Log *log, int seat, int act, int kind) noexcept nogil:
    if log != NULL:
        log.moves[log.count] = seat << 10 | act << 6 | kind
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


cdef inline int choose_claim(const GameState *g, const Terms *terms, int policy, uint64_t *rng, int seat,
                             int *act, int *kind) noexcept nogil:
    """What a seat that may claim answers, -1 in `act` for passing; returns how many answers it had."""
    cdef int[7] acts
    cdef int[7] kinds
    cdef int n = 0, lowest, chosen
    if terms.discard_wins and may_take_win(g, terms, seat):
        acts[n] = TAKE_WIN
        kinds[n] = g.tile
        n += 1
    if pairs(g.held[seat]) >> g.tile & 1:
        if may_kong(g, terms, seat):
            acts[n] = EXPOSED_KONG
            kinds[n] = g.tile
            n += 1
        if may_pong(g, terms, seat):
            acts[n] = PONG_CLAIM
            kinds[n] = g.tile
            n += 1
    if terms.chow and seat == ((g.seat + 1) & 3):
        for lowest in range(max(0, g.tile - 2), g.tile + 1):
            if may_chow(g, terms, seat, lowest):
                acts[n] = CHOW_CLAIM
                kinds[n] = lowest
                n += 1
    act[0] = -1
    if not n:
        return 1
    if policy == RANDOM:
        chosen = below(rng, n + 1)
        if chosen < n:
            act[0] = acts[chosen]
            kind[0] = kinds[chosen]
    elif acts[0] == TAKE_WIN or acts[0] == EXPOSED_KONG or (
            acts[0] == PONG_CLAIM and popcount(pairs(g.held[seat])) > 1):
        act[0] = acts[0]
        kind[0] = kinds[0]
    return n + 1


cdef inline int strength(int act) noexcept nogil:
    """Wins stand before pongs and kongs, these before chows."""
    return 0 if act < 0 else 3 if act == TAKE_WIN else 1 if act == CHOW_CLAIM else 2


cdef int answer_discard(GameState *g, const Terms *terms, int policy, uint64_t *rng, Log *log) noexcept nogil:
    """All who can claim the discard or rob the kong answer; returns how many were asked."""
    cdef int[4] acts
    cdef int[4] kinds
    cdef int offset, seat, best = 0, winner = 0, asked = 0, thrower = g.seat
    for offset in range(1, 4):
        seat = (thrower + offset) & 3
        acts[offset] = -1
        if not terms.discard_wins and not pairs(g.held[seat]) >> g.tile & 1:
            continue
        asked += choose_claim(g, terms, policy, rng, seat, &acts[offset], &kinds[offset]) > 1
        if strength(acts[offset]) > best:
            best = strength(acts[offset])
            winner = offset
    if best == 3:
        for offset in range(winner, 4):
            if acts[offset] == TAKE_WIN:
                seat = (thrower + offset) & 3
                write(log, seat, TAKE_WIN, g.tile)
                take_win(g, terms, seat)
        if g.phase < WON:
            pass_claims(g, terms)
    elif best:
        seat = (thrower + winner) & 3
        write(log, seat, acts[winner], kinds[winner])
        if best == 1:
            chow(g, terms, seat, kinds[winner])
        else:
            claim(g, terms, seat, acts[winner] == EXPOSED_KONG)
    else:
        pass_claims(g, terms)
    return asked


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
        if g.phase != CLAIM and g.phase != ROB:
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
    flip_throw = 0 if terms.turned or not terms.flips else s.dice[2 * terms.throws] + s.dice[2 * terms.throws + 1]
    start(g, terms, dealer, flip_throw)
    random_stakes(g, terms, policy, rng, &s.sit, s.pulls, s.kicks)
    begin(g, terms)
    if staked != NULL:
        staked[0] = s


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
            hands, wins (a hand can have several), exhausted, dealer_wins, decisions, discards, fan (sum over
            wins), kongs, net (points of each seat), squares (of each seat's points in a hand, summed up),
            elements (wins with each), lengths (hands of so many discards), fans (wins of so much fan), gains
            (of each seat hands by what it gained, as `Summary.gains` has them).
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
        cdef GameState g
        cdef Staked staked
        cdef Log log
        cdef uint64_t hand, rng
        cdef Terms *terms = &self.terms.c
        cdef int i, n = 2 * terms.stacks, dice = dice_count(terms)
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
            moves = [move_text(log.moves[i] >> 10, log.moves[i] >> 6 & 15, log.moves[i] & 63)
                     for i in range(log.count)]
            told.append((g.dealer, stakes, [staked.dice[i] for i in range(dice)], bytes(g.wall[:n]), moves,
                         play.result()))
        return told
