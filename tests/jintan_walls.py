"""Random Jintan walls that deal hands near to winning on the same few kinds, without the package."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from referee_deal import FLOWERS, KINDS, tile_set
from rigged import hand_places, shuffled

JINTAN = {"name": "jintan"}


class _Pool:
    """Tiles not yet given out."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.left = Counter(tile_set(dict(JINTAN, chow=True)))

    def take(self, tiles: Sequence[str]) -> list[str]:
        """All of these tiles, or none."""
        wanted = Counter(tiles)
        if any(self.left[tile] < times for tile, times in wanted.items()):
            return []
        self.left.subtract(wanted)
        return list(tiles)

    def any_of(self, tiles: Sequence[str]) -> list[str]:
        """One of these that is left."""
        there = [tile for tile in tiles if self.left[tile]]
        return self.take([self.rng.choice(there)]) if there else []


def _group(rng: random.Random, kinds: Sequence[str], chows: float) -> list[str]:
    tile = rng.choice(kinds)
    if tile[1] in "WTB" and tile[0] <= "7" and rng.random() < chows:
        return [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)]
    return [tile] * rng.choice((3, 3, 3, 4))


def _hand(pool: _Pool, kinds: Sequence[str], size: int) -> list[str]:
    """A hand of sets, pairs and two tiles in sequence, near to winning, full of pairs, or of no kind."""
    rng = pool.rng
    style = rng.random()
    hand: list[str] = []
    chows = rng.choice((0.0, 0.5, 0.9))
    for _ in range(12):
        if style < 0.6:
            hand += pool.take(_group(rng, kinds, chows))
        elif style < 0.8:  # 七对
            hand += pool.take([rng.choice(kinds)] * 2)
    if style < 0.6 and len(hand) < size:
        hand += pool.take([rng.choice(kinds)] * 2)
    if rng.random() < 0.3:  # flowers that have to be laid out
        for _ in range(rng.choice((1, 1, 2, 4, 8))):
            hand[:0] = pool.any_of(FLOWERS)
    while len(hand) < size:
        hand += pool.any_of(kinds) or pool.any_of(KINDS)
    pool.left.update(hand[size:])
    del hand[size:]
    rng.shuffle(hand)
    return hand


def _waiting(pool: _Pool, tile: str, size: int) -> list[str]:
    """A hand that waits for this tile as part of a sequence."""
    rng, rank, suit = pool.rng, int(tile[0]), tile[1]
    runs = [range(low, low + 3) for low in range(max(1, rank - 2), min(7, rank) + 1)]
    hand: list[str] = []
    for run in rng.sample(runs, len(runs)):
        hand = hand or pool.take([f"{n}{suit}" for n in run if n != rank])
    for _ in range(40):
        if len(hand) < 11:
            hand += pool.take(_group(rng, KINDS, 0.7)[:3])
        elif len(hand) == 11:
            hand += pool.take([rng.choice(KINDS)] * 2)
    while len(hand) < size:
        hand += pool.any_of(KINDS)
    return hand


def robbing(rng: random.Random, dealer: int) -> str:
    """A wall in which a seat holds three of a kind that others wait for; the fourth comes early."""
    pool = _Pool(rng)
    tile = f"{rng.randint(1, 9)}{rng.choice('WTB')}"
    pool.take([tile] * 4)
    seats = rng.sample(range(4), 4)
    if rng.random() < 0.5:
        wall, waiting = {rng.randint(53, 56): tile}, seats[1 : rng.choice((2, 3, 4))]
    else:
        wall, waiting = {hand_places((seats[3] - dealer) % 4)[-1]: tile}, seats[1 : rng.choice((2, 3))]
    for seat in seats:
        places = [place for place in hand_places((seat - dealer) % 4) if place not in wall]
        hand = _waiting(pool, tile, len(places)) if seat in waiting else []
        if seat == seats[0]:
            hand = [tile] * 3
        while len(hand) < len(places):
            hand += pool.any_of(KINDS)
        wall |= zip(places, hand)
    rest = sorted(pool.left.elements())
    rng.shuffle(rest)
    return "".join(wall[place] if place in wall else rest.pop() for place in range(144))


def shared(rng: random.Random, dealer: int) -> str:
    """A wall whose hands are made of the same few kinds, so that several seats wait for one tile.

    Now and then the kinds come early in the wall too, or the flowers go to its ends; a few walls are made for
    robbing, or at random.
    """
    special = rng.random()
    if special < 0.05:
        return shuffled(rng, JINTAN)
    if special < 0.3:
        return robbing(rng, dealer)
    pool = _Pool(rng)
    suits = rng.sample("WTB", rng.choice((1, 1, 2)))
    kinds = [kind for kind in KINDS if kind[1] in suits] + rng.sample(KINDS[27:], rng.choice((0, 2, 4, 7)))
    wall: dict[int, str] = {}
    for seat in rng.sample(range(4), 4):
        places = hand_places((seat - dealer) % 4)
        wall |= zip(places, _hand(pool, kinds, len(places)))
    rest = sorted(pool.left.elements())
    rng.shuffle(rest)
    if rng.random() < 0.6:
        early = [tile for tile in rest if tile in kinds or (tile in FLOWERS and rng.random() < 0.5)]
        late = [tile for tile in rest if tile in KINDS and tile not in kinds]
        late += [tile for tile in rest if tile in FLOWERS and tile not in early]
        rest = early + late
    places = [place for place in range(144) if place not in wall]
    if rng.random() < 0.3:  # from both ends
        places = [places[i // 2] if i % 2 == 0 else places[-1 - i // 2] for i in range(len(places))]
    wall |= zip(places, rest)
    return "".join(wall[place] for place in range(144))
