"""Walls in take order: arranged tile by tile, or at random with hands dealt that make things happen.

Plain Python on the referee's tiles; nothing here comes from the package, so perft files can be made with it.
Places of the wall are those of the specification (tianjin section 1).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from referee_deal import FLOWERS, KINDS, SUITED, full_rules, ruleset, tile_set, wild_kinds

Options = Mapping[str, Any]


def tiles(text: str) -> list[str]:
    """Tiles of a text such as "123W 5T"; the order is kept."""
    found, digits = [], ""
    for char in text.replace(" ", ""):
        if char.isdigit():
            digits += char
        else:
            found += [digit + char for digit in digits]
            digits = ""
    assert not digits, f"{text} ends without a suit"
    assert all(tile in KINDS or tile in FLOWERS for tile in found), text
    return found


def flip_place(rules: Options, throw: int | None) -> int | None:
    """Where the flipped tile lies; None where the rules flip none."""
    options = full_rules(dict(rules))
    if not ruleset(options).wildcards:
        return None
    return 53 if throw is None else len(tile_set(options)) - 2 * throw


def hand_places(offset: int) -> list[int]:
    """Places dealt to the seat so many behind the dealer, in the order in which it takes them."""
    rounds = [16 * turn + 4 * offset + k for turn in range(3) for k in range(4)]
    return [*rounds, 48 + offset, *([52] if offset == 0 else [])]


def back_places(rules: Options, throw: int | None) -> list[int]:
    """Places in the order of back draws, the flipped one left out; front draws are not considered."""
    stacks = len(tile_set(full_rules(dict(rules)))) // 2
    flipped = flip_place(rules, throw)
    order = [2 * stack + half for stack in range(stacks - 1, -1, -1) for half in (0, 1)]
    return [place for place in order if place != flipped and place > 52]


def arranged(
    rules: Options, throw: int | None, dealer: int, hands: Sequence[str],
    front: str = "", back: str = "", flip: str = "1F", at: Mapping[int, str] | None = None,
) -> str:  # fmt: skip
    """A wall that deals and draws what is asked for.

    Parameters
    ----------
    rules : mapping
        As in a record.
    throw : int or None
        Sum of the flip dice; None where the rules turn a tile, or flip none.
    hands : sequence of str
        Tiles of seat 0, 1, ... in the order taken, the dealer's last one being that of place 52; what is
        missing comes from the rest.
    front, back : str
        The first draws from the front and from the back.
    flip : str
        The flipped tile, where there is one.
    at : mapping of int to str
        Tiles of other places.

    The rest of the tiles fills the rest of the places, hands first: no kind twice in a hand, kinds that are
    asked for somewhere last, wildcards behind them. Where flowers are laid out, those that nothing asks for
    lie in the middle of the undrawn tiles, far from both ends.
    """
    flipped = flip_place(rules, throw)
    wall = {**({} if flipped is None else {flipped: flip}), **(at or {})}
    asked = [(hand_places((seat - dealer) % 4), hand) for seat, hand in enumerate(hands)]
    asked += [([place for place in range(53, 144) if place != flipped], front)]
    asked += [(back_places(rules, throw), back)]
    for places, text in asked:
        wanted = tiles(text)
        assert len(wanted) <= len(places), f"{text}: too many tiles"
        for place, tile in zip(places, wanted):
            assert place not in wall, f"place {place} is asked to be {wall.get(place)} and {tile}"
            wall[place] = tile

    every = tile_set(full_rules(dict(rules)))
    left = Counter(every)
    left.subtract(wall.values())
    assert min(left.values()) >= 0, f"too many of {[tile for tile in left if left[tile] < 0]}"
    wild = wild_kinds(None if flipped is None else flip, full_rules(dict(rules)))
    if ruleset(full_rules(dict(rules))).flowers_laid:
        free = [place for place in range(53, len(every)) if place not in wall]
        free.sort(key=lambda place: abs(place - 98))
        for place, tile in zip(free, [tile for tile in FLOWERS if left[tile]]):
            wall[place] = tile
            left[tile] -= 1
    named = set(wall.values())
    rest = [(tile in wild, tile in named, copy, KINDS.index(tile) * 5 % 34 if tile in KINDS else 0, tile)
            for tile in left for copy in range(left[tile])]  # fmt: skip
    order = [tile for *_, tile in sorted(rest)]
    for offset in range(4):
        for place in hand_places(offset):
            if place not in wall:
                hand = {wall.get(other) for other in hand_places(offset)}
                wall[place] = next(tile for tile in order if tile not in hand)
                order.remove(wall[place])
    for place in range(len(every)):
        if place not in wall:
            wall[place] = order.pop(0)
    assert not order, "a place that is not in the wall was asked for"
    return "".join(wall[place] for place in range(len(every)))


# Random walls.


class _Pool:
    """Tiles not yet given out."""

    def __init__(self, rng: random.Random, every: list[str]) -> None:
        self.rng = rng
        self.left = Counter(every)

    def take(self, *choices: str) -> str:
        """One of the choices if there is any left, else any tile."""
        there = [tile for tile in choices if self.left[tile]]
        tile = self.rng.choice(there or sorted(self.left.elements()))
        self.left[tile] -= 1
        return tile

    def keep(self, hand: list[str], size: int) -> list[str]:
        """The first tiles of a hand; the others go back."""
        self.left.update(hand[size:])
        return hand[:size]


def _near_won(pool: _Pool, wild: Sequence[str], size: int) -> list[str]:
    """A complete hand, often with wildcards, of which a tile or two may be wrong."""
    rng = pool.rng
    suit = rng.choice("WTB")
    faces: list[str] = []
    if rng.random() < 0.3:  # a dragon 龙
        faces += [f"{rank}{suit}" for rank in range(1, 10)]
    elif rng.random() < 0.3:  # 捉五
        faces += ["4W", "6W", "5W"]
    while len(faces) < 12:
        tile = rng.choice(SUITED if rng.random() < 0.8 else KINDS)
        if tile in SUITED and tile[0] <= "7" and rng.random() < 0.6:
            faces += [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)]
        else:
            faces += [tile] * 3
    faces += [rng.choice(KINDS)] * 2
    wrong = rng.choice((0, 0, 1, 2))
    hand = [pool.take(*(wild if rng.random() < 0.15 else (face,))) for face in faces[wrong:]]
    rng.shuffle(hand)
    return pool.keep(hand, size)


def _of_a_kind(pool: _Pool, wild: Sequence[str], size: int) -> list[str]:
    """Threes and fours of a kind, wild kinds among them."""
    rng = pool.rng
    hand: list[str] = []
    while len(hand) < size:
        kind = rng.choice(wild if rng.random() < 0.25 and wild else KINDS)
        hand += [pool.take(kind) for _ in range(rng.choice((2, 3, 3, 4)))]
    return pool.keep(hand, size)


def _any(pool: _Pool, wild: Sequence[str], size: int) -> list[str]:
    return [pool.take() for _ in range(size)]


def rigged(rng: random.Random, rules: Options, dealer: int, throw: int | None) -> str:
    """A random wall that deals hands near to winning, full of pairs and triplets, or of no kind."""
    options = full_rules(dict(rules))
    pool = _Pool(rng, tile_set(options))
    flipped = flip_place(rules, throw)
    wall: dict[int, str] = {}
    wild: list[str] = []
    if flipped is not None:
        flip = pool.take(*rng.choice((("4W", "5W", "6W"), KINDS, KINDS, FLOWERS)))
        wild = sorted(tile for tile in wild_kinds(flip, options) if tile != flip)
        wall[flipped] = flip
    common = [kind for kind in KINDS if pool.left[kind] == 4 and kind not in wild]
    same = rng.choice(common) if rng.random() < 0.15 else None  # for 铲
    for seat in rng.sample(range(4), 4):
        places = hand_places((seat - dealer) % 4)
        kept = [pool.take(same)] if same and pool.left[same] else []
        style = rng.choice((_near_won, _near_won, _of_a_kind, _any))
        wall |= zip(places, rng.sample(kept, len(kept)) + style(pool, wild, len(places) - len(kept)))
    rest = sorted(pool.left.elements())
    rng.shuffle(rest)
    return "".join(wall[place] if place in wall else rest.pop() for place in range(len(tile_set(options))))


def shuffled(rng: random.Random, rules: Options) -> str:
    """A random wall."""
    every = tile_set(full_rules(dict(rules)))
    rng.shuffle(every)
    return "".join(every)
