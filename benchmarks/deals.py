"""Hands to measure with, as rows of counts: the same ones in every run and with every numpy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tjmj import write_tiles
from tjmj.tiles import COPIES, KINDS, NAMES, NEXT

MANY = 100_000
"""Hands in a batch, and lines in a file of them."""

DECK = KINDS * COPIES
HAND = 14
MOST_WILDCARDS = 7  # three of the flipped kind, four of the next

Tiles = npt.NDArray[np.int64]


class Deals(NamedTuple):
    """Hands of 14 concealed tiles, each beside the tile that was flipped for it."""

    counts: npt.NDArray[np.uint8]
    """(n, 34), the winning tile included."""
    flip: npt.NDArray[np.int32]
    """(n,) flipped kind, which is wild with the next of its cycle; -1 where none is."""
    win: npt.NDArray[np.int32]
    """(n,) winning kind."""

    @property
    def before(self) -> npt.NDArray[np.uint8]:
        """(n, 34) counts without the winning tile."""
        counts = self.counts.copy()
        counts[np.arange(len(counts)), self.win] -= 1
        return counts

    def texts(self) -> Iterator[tuple[str, str | None]]:
        """Each hand and its flipped tile as text, the winning tile behind a plus."""
        for row, flip, win in zip(self.before, self.flip, self.win, strict=True):
            hand = write_tiles(np.repeat(np.arange(KINDS), row))
            yield f"{hand}+{NAMES[win]}", NAMES[flip] if flip >= 0 else None

    def waiting_texts(self) -> Iterator[tuple[str, str | None]]:
        """Each hand without its winning tile, and its flipped tile, as text."""
        return ((text.partition("+")[0], flip) for text, flip in self.texts())

    def some(self, number: int) -> Deals:
        """So many of them, from all over."""
        rows = np.linspace(0, len(self.flip) - 1, number).astype(int)
        return Deals(*(column[rows] for column in self))


# Unlike those of np.random.Generator, the numbers of a RandomState never change with numpy's version.


def random_hands(n: int, seed: int) -> Deals:
    """A tile flipped and 14 drawn from 136, the last one as the winning tile."""
    random = np.random.RandomState(seed)
    decks = np.tile(np.repeat(np.arange(KINDS), COPIES), (n, 1))
    rows = np.arange(n)
    for top in range(1 + HAND):
        place = top + _below(random, DECK - top, n)
        drawn = decks[rows, place]
        decks[rows, place] = decks[:, top]
        decks[:, top] = drawn
    return _deals(decks[:, 1 : 1 + HAND], decks[:, 0], decks[:, HAND])


def complete_hands(n: int, seed: int) -> Deals:
    """Four sets and a pair; in the first hand no tile, in the next one, and so on up to 7, is a wildcard.

    Groups are drawn at random, three sequences to a triplet; those that lie on a wild kind are filled with
    wildcards first, others wherever it may be. The winning tile is any of the 14.
    """
    random = np.random.RandomState(seed)
    flip = _below(random, KINDS, n)
    wildcards = np.arange(n) % (MOST_WILDCARDS + 1)
    tiles = np.empty((n, HAND), np.int64)
    missing = np.arange(n)
    while len(missing):
        faces = _faces(random, len(missing))
        filled, possible = _with_wildcards(random, faces, flip[missing], wildcards[missing])
        tiles[missing[possible]] = filled[possible]
        missing = missing[~possible]
    return _deals(tiles, flip, tiles[np.arange(n), _below(random, HAND, n)])


def plain_hands(n: int, seed: int) -> Deals:
    """Four sets and a pair, nothing flipped and nothing wild; the winning tile is any of the 14."""
    random = np.random.RandomState(seed)
    tiles = _faces(random, 2 * n)
    tiles = tiles[(_counts(tiles) <= COPIES).all(axis=1)][:n]
    return _deals(tiles, np.full(n, -1), tiles[np.arange(n), _below(random, HAND, n)])


def _below(random: np.random.RandomState, limit: int, n: Any) -> Tiles:
    return (random.random_sample(n) * limit).astype(np.int64)


def _faces(random: np.random.RandomState, n: int) -> Tiles:
    """What the tiles of four random sets and a pair stand for, (n, 14)."""
    suit, rank = _below(random, 3, (n, 4)), _below(random, 7, (n, 4))
    is_sequence = _below(random, 4, (n, 4)) < 3
    lowest = np.where(is_sequence, 9 * suit + rank, _below(random, KINDS, (n, 4)))
    sets = lowest[:, :, None] + is_sequence[:, :, None] * np.arange(3)
    pair = _below(random, KINDS, n)
    return np.column_stack([sets.reshape(n, 12), pair, pair])


def _with_wildcards(
    random: np.random.RandomState, faces: Tiles, flip: Tiles, wildcards: Tiles
) -> tuple[Tiles, npt.NDArray[np.bool_]]:
    """Tiles for these faces, so many of them wildcards, and in which rows there are such tiles."""
    following = np.array(NEXT)[flip]
    wild = (faces == flip[:, None]) | (faces == following[:, None])
    pool = np.column_stack([flip] * (COPIES - 1) + [following] * COPIES)
    pool = np.take_along_axis(pool, np.argsort(random.random_sample(pool.shape)), axis=1)
    order = np.argsort(random.random_sample(faces.shape) - wild)  # wild faces first
    tiles = faces.copy()
    for i in range(MOST_WILDCARDS):
        rows = np.flatnonzero(i < wildcards)
        tiles[rows, order[rows, i]] = pool[rows, i]
    enough = (_counts(tiles) <= COPIES).all(axis=1)
    return tiles, enough & (wild.sum(axis=1) <= wildcards)


def _counts(tiles: Tiles) -> npt.NDArray[np.uint8]:
    n = len(tiles)
    places = np.arange(n)[:, None] * KINDS + tiles
    return np.bincount(places.ravel(), minlength=n * KINDS).reshape(n, KINDS).astype(np.uint8)


def _deals(tiles: Tiles, flip: Tiles, win: Tiles) -> Deals:
    return Deals(_counts(tiles), flip.astype(np.int32), win.astype(np.int32))
