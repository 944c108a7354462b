# cython: language_level=3
"""Dice and walls from seeds: the provable shuffle of records, and a fast one for simulation.

The fast generator is SplitMix64. Hand k of a run with the whole number s starts from the state
mix(mix(s) + k), `mix` being SplitMix64's finaliser; a number below n is the upper 32 bits of a word times
n, divided by 2^32. In order: the dice as in a record; then the shuffle as in a record (Fisher-Yates from the
last tile down), four numbers from the upper 56 bits of a word: the first is the word times n, divided by
2^56, and what is left over is the word for the next; then the stakes, where they are drawn; then whatever a
policy that plays the hand draws.
"""

import hashlib
from typing import NamedTuple

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from ._round cimport begin, stake, start
from ._terms cimport RulesTerms, Terms, terms_of

from .errors import RulesError

cdef uint8_t[144] IN_ORDER
cdef int _place
for _place in range(144):
    IN_ORDER[_place] = _place // 4 if _place < 136 else _place - 102


class Deal(NamedTuple):
    """What a hand is dealt from.

    Attributes
    ----------
    open : tuple of int
        The opening throw or throws: two or four dice, in the order thrown.
    flip : tuple of int
        The two dice that fix the wildcards; empty where a tile is turned instead.
    wall : bytes
        136 or 144 kinds in take order.
    """

    open: tuple
    flip: tuple
    wall: bytes


cdef int opening_dice(const Terms *terms) noexcept nogil:
    return 2 * terms.throws


cdef int dice_count(const Terms *terms) noexcept nogil:
    return opening_dice(terms) + (2 if terms.flips and not terms.turned else 0)


cdef inline uint64_t share(uint64_t *fraction, uint64_t n) noexcept nogil:
    """A number below n from the front of a fraction of 2^56; the rest of it stays."""
    cdef uint64_t product = fraction[0] * n
    fraction[0] = product & 0xFFFFFFFFFFFFFFULL
    return product >> 56


cdef inline void swap_down(uint8_t *wall, uint64_t i, uint64_t *fraction) noexcept nogil:
    """Swap a tile with one of those up to it."""
    cdef uint64_t j = share(fraction, i + 1)
    cdef uint8_t kept = wall[i]
    wall[i] = wall[j]
    wall[j] = kept


cdef void fast_deal(uint64_t *state, const Terms *terms, uint8_t *wall, uint8_t *dice) noexcept nogil:
    """Throw the dice (six places) and shuffle the wall (144) with the fast generator."""
    cdef int i, last
    cdef uint64_t fraction
    for i in range(dice_count(terms)):
        dice[i] = 1 + below(state, 6)
    memcpy(wall, IN_ORDER, 144)
    # 136 and 144 are multiples of 4; the last swap, of the first tile with itself, changes nothing.
    for last in range(2 * terms.stacks - 1, 0, -4):
        fraction = next_word(state) >> 8
        swap_down(wall, last, &fraction)
        swap_down(wall, last - 1, &fraction)
        swap_down(wall, last - 2, &fraction)
        swap_down(wall, last - 3, &fraction)


cdef Dealt random_stakes(GameState *g, const Terms *terms, uint64_t *rng) noexcept nogil:
    """Stakes at random, where there are any."""
    cdef Dealt dealt
    cdef int seat
    memset(&dealt, 0, sizeof(dealt))
    if not terms.stakes or rng == NULL:
        return dealt
    dealt.sit = below(rng, 2)
    for seat in range(4):
        if seat != g.dealer:
            dealt.pulls[seat] = below(rng, terms.max_pulls + 1)
            if terms.chuai and dealt.pulls[seat]:
                dealt.kicks[seat] = below(rng, 2)
    stake(g, dealt.sit, dealt.pulls, dealt.kicks)
    return dealt


cdef Dealt fast_hand(GameState *g, const Terms *terms, int dealer, bint staking, uint64_t *rng) noexcept nogil:
    """Deal a hand with the fast generator, staked at random or not at all; the dealer's turn begins."""
    cdef Dealt dealt
    cdef uint8_t[6] dice
    cdef int flip_throw = 0
    fast_deal(rng, terms, g.wall, dice)
    if terms.flips and not terms.turned:
        flip_throw = dice[2 * terms.throws] + dice[2 * terms.throws + 1]
    start(g, terms, dealer, flip_throw)
    dealt = random_stakes(g, terms, rng if staking else NULL)
    memcpy(dealt.dice, dice, sizeof(dice))
    begin(g, terms)
    return dealt


cdef tuple stakes_of(const Dealt *dealt):
    """The stakes of a hand: (sit, pull, kick)."""
    return (bool(dealt.sit), [dealt.pulls[i] for i in range(4)], [bool(dealt.kicks[i]) for i in range(4)])


cdef class _Stream:
    # SHA-256(key || counter) as 32-bit big-endian words
    cdef bytes key
    cdef bytes block
    cdef int at
    cdef unsigned long long counter

    def __cinit__(self, bytes key):
        self.key = key
        self.at = 32

    cdef unsigned long long below(self, unsigned long long n) except? 0:
        """An unbiased integer below n."""
        cdef unsigned long long word, limit = (<unsigned long long>1 << 32) - (<unsigned long long>1 << 32) % n
        cdef const unsigned char *block
        while True:
            if self.at == 32:
                self.block = hashlib.sha256(self.key + self.counter.to_bytes(8, "big")).digest()
                self.counter += 1
                self.at = 0
            block = self.block
            block += self.at
            word = (<unsigned long long>block[0] << 24 | block[1] << 16 | block[2] << 8 | block[3])
            self.at += 4
            if word < limit:
                return word % n


cdef bytes stream_key(bytes seed, client_seeds):
    if len(seed) != 32:
        raise RulesError(f"a seed of {len(seed)} bytes: it has 32")
    if client_seeds is None:
        return seed
    if len(client_seeds) != 4:
        raise RulesError(f"{len(client_seeds)} client seeds: there are four")
    joined = seed
    for seat, given in enumerate(client_seeds):
        if len(given) > 32:
            raise RulesError(f"client seed of seat {seat} has {len(given)} bytes: at most 32")
        joined += bytes([len(given)]) + given
    return hashlib.sha256(joined).digest()


def deal(bytes seed not None, rules="tianjin", client_seeds=None):
    """Dice and wall of a seed, provable to whoever gets the seed (spec: record, "Fair dealing").

    Parameters
    ----------
    seed : bytes
        32 random bytes.
    rules : str or Rules
    client_seeds : sequence of four bytes, or None
        0 to 32 bytes from each seat.

    Returns
    -------
    Deal

    Raises
    ------
    RulesError
        For seeds of a wrong length, or unknown rules.
    """
    cdef RulesTerms terms = terms_of(rules)
    cdef _Stream stream = _Stream(stream_key(seed, client_seeds))
    cdef uint8_t[144] wall
    cdef uint8_t kept
    cdef int i, j, count = 2 * terms.c.stacks, opening = opening_dice(&terms.c)
    dice = tuple([1 + stream.below(6) for _ in range(dice_count(&terms.c))])
    memcpy(wall, IN_ORDER, 144)
    for i in range(count - 1, 0, -1):
        j = stream.below(i + 1)
        kept = wall[i]
        wall[i] = wall[j]
        wall[j] = kept
    return Deal(dice[:opening], dice[opening:], bytes(wall[:count]))


def deal_fast(seed, hand, rules="tianjin"):
    """Dice and wall of a hand of a simulation, from the fast generator.

    Parameters
    ----------
    seed, hand : int
        The run's seed and the hand's number in it, 0 to 2^64 - 1.

    Returns
    -------
    Deal
    """
    cdef RulesTerms terms = terms_of(rules)
    cdef uint64_t state = fast_state(seed, hand)
    cdef uint8_t[144] wall
    cdef uint8_t[6] dice
    cdef int opening = opening_dice(&terms.c)
    fast_deal(&state, &terms.c, wall, dice)
    thrown = tuple([dice[i] for i in range(dice_count(&terms.c))])
    return Deal(thrown[:opening], thrown[opening:], bytes(wall[:2 * terms.c.stacks]))


def commitment(bytes seed not None):
    """What is published before the stakes: SHA-256 of the seed, 32 bytes."""
    return hashlib.sha256(seed).digest()


def run_seed(seed, hand):
    """The 32-byte seed of a hand of a run (spec: record, "Runs").

    Parameters
    ----------
    seed : int
        The run's whole number, 0 to 2^128 - 1.
    hand : int
        The hand's number in the run, from 0.
    """
    if not 0 <= seed < 1 << 128 or not 0 <= hand < 1 << 64:
        raise RulesError(f"run seed {seed} and hand {hand}: they are at most 2^128 - 1 and 2^64 - 1")
    return hashlib.sha256(b"tjmj" + seed.to_bytes(16, "big") + hand.to_bytes(8, "big")).digest()
