"""Plain checks, as slow and as short as the rules can be said; nothing here comes from the package.

Kinds are the numbers of the specification's table: 万 0-8, 条 9-17, 饼 18-26, 风 27-30, 箭 31-33, 花 34-41.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any

DOUBLES = {"hundiao", "su", "benhun", "suben", "gangkai", "tianting"}
"""What doubles a fan (tianjin section 5)."""


@cache
def complete(tiles: tuple[int, ...], wildcards: int, sets: int, pairs: int) -> bool:
    """Whether sorted natural tiles and wildcards are exactly so many sets and pairs."""
    if not tiles:
        return wildcards == 3 * sets + 2 * pairs
    first = tiles[0]
    groups = [(first,) * 3] if sets else []
    if sets and first < 27:  # the suit's sequences that hold the tile
        starts = range(max(first - 2, first - first % 9), min(first, first - first % 9 + 6) + 1)
        groups += [(start, start + 1, start + 2) for start in starts]
    if pairs:
        groups.append((first,) * 2)
    for group in groups:
        for size in range(1, len(group) + 1):
            for used in set(combinations(group, size)):
                rest = without(tiles, used) if first in used else None
                missing = len(group) - size
                if rest is not None and missing <= wildcards:
                    pair = len(group) == 2
                    if complete(rest, wildcards - missing, sets - (not pair), pairs - pair):
                        return True
    return False


def without(tiles: Sequence[int], used: Iterable[int]) -> tuple[int, ...] | None:
    """Tiles less the used ones; None where they are not all there."""
    rest = list(tiles)
    for tile in used:
        if tile not in rest:
            return None
        rest.remove(tile)
    return tuple(rest)


def is_win(hand: Any, extra: Sequence[int] = ()) -> bool:
    """Whether a hand (with more tiles) has the shape: sets and a pair beside its melds (section 4)."""
    tiles = [*hand.concealed, *([] if hand.win is None else [hand.win]), *extra]
    naturals = tuple(sorted(tile for tile in tiles if tile not in hand.wild))
    return complete(naturals, len(tiles) - len(naturals), 4 - len(hand.melds), 1)


def wilds_of(flip: int | None, count: int, flowers: bool) -> set[int]:
    """Wild kinds (section 2)."""
    wild = set(range(34, 42)) if flowers else set()
    if flip is not None and flip < 34:
        first, size = next((f, s) for f, s in ((31, 3), (27, 4), (18, 9), (9, 9), (0, 9)) if flip >= f)
        wild |= {first + (flip - first + i) % size for i in range(count)}
    return wild


def dragons_in(groups: Sequence[Any]) -> Iterator[tuple[int, ...]]:
    """Every choice of three groups that are 123, 456 and 789 of one suit."""
    for three in combinations(range(len(groups)), 3):
        lowest = sorted(groups[i].faces[0] for i in three)
        if all(groups[i].type == "sequence" for i in three) and lowest[0] in (0, 9, 18):
            if lowest == [lowest[0], lowest[0] + 3, lowest[0] + 6]:
                yield three


def elements_of(groups: Sequence[Any], hand: Any, circumstances: Iterable[str] = ()) -> tuple[int, list[str]]:
    """Fan and elements that follow from the groups of a reading (section 5), for its best dragon."""
    rules, wild = hand.rules, set(hand.wild)
    held = sorted(tile for group in groups for tile in group.tiles if tile in wild)
    at = next(i for i, group in enumerate(groups) if group.win is not None)
    place, winning = groups[at].win, groups[at]
    others = [tile for i, tile in enumerate(winning.tiles) if i != place]
    found = []
    for dragon in [*dragons_in(groups)] or [()]:
        keys = set(circumstances)
        if winning.faces == (3, 4, 5) and place == 1:
            keys.add("zhuowu")
        if dragon:
            keys.add("long")
        if dragon and hand.flip is not None and groups[dragon[0]].faces[0] // 9 == hand.flip // 9 < 3:
            keys.add("benhun")
            own = sorted(tile for i in dragon for tile, face in zip(groups[i].tiles, groups[i].faces)
                         if tile in wild and tile == face)  # fmt: skip
            one_each = sorted(kind for kind in wild if kind < 34)
            if rules.plain_dragon and held == one_each == own:
                keys.add("suben")
        if all(tile in wild for tile in others) and at not in dragon:
            keys.add("hundiao")
        if not held:
            keys.add("su")
        if not keys & {"zhuowu", "long", "hundiao"}:
            keys.add("diliu")
        fan = (3 * ("zhuowu" in keys) + 4 * ("long" in keys) or 1) * 2 ** len(keys & DOUBLES)
        if keys & {"tianhu", "dihu"}:
            factor = rules.heavenly_factor
            fan = fan + factor if rules.heavenly_mode == "plus" else fan * factor
        found.append((fan, sorted(keys)))
    return min(found, key=lambda one: (-one[0], one[1]))


def shape_of(groups: Sequence[Any], hand: Any, elements: Iterable[str]) -> str:
    """Name of the wait that the winning tile of a reading ended (cli, `tjmj waits`)."""
    group = next(group for group in groups if group.win is not None)
    if "hundiao" in elements:
        return "hundiao"
    if group.type != "sequence":
        return {"pair": "dandiao", "triplet": "duidao"}[group.type]
    if group.win == 1:
        return "kandan"
    other_end = group.faces[0] + 3 if group.win == 0 else group.faces[0] - 1
    same_suit = other_end >= 0 and other_end // 9 == group.faces[0] // 9
    return "liangmian" if same_suit and other_end not in hand.wild else "kandan"


def check_reading(score: Any, circumstances: Iterable[str] = ()) -> None:
    """Assert that the reading a score shows is one of its hand and gives exactly its fan and elements."""
    hand, groups = score.hand, score.reading
    wild = set(hand.wild)
    melds, own = groups[: len(hand.melds)], groups[len(hand.melds) :]

    assert [group.tiles for group in melds] == [meld.tiles for meld in hand.melds]
    for group, meld in zip(melds, hand.melds, strict=True):
        assert group.type == ("triplet" if meld.type == "pong" else "kong")
        assert group.meld == ("concealed" if meld.type == "concealed" else "exposed")
        assert group.faces == group.tiles and group.win is None

    tiles = [tile for group in own for tile in group.tiles]
    assert sorted(tiles) == sorted([*hand.concealed, *([] if hand.win is None else [hand.win])])
    assert sorted(group.type == "pair" for group in groups) == [False] * 4 + [True]
    for group in own:
        first = group.faces[0]
        assert group.meld is None
        assert all(0 <= face < 34 for face in group.faces)  # nothing stands for a flower
        if group.type == "sequence":
            assert group.faces == (first, first + 1, first + 2) and first < 27 and first % 9 < 7
        else:
            assert group.faces == (first,) * {"triplet": 3, "pair": 2}[group.type]
        assert len(group.tiles) == len(group.faces)
        # A natural tile is its own face; only a wildcard stands for another.
        assert all(tile == face or tile in wild for tile, face in zip(group.tiles, group.faces))
    for group in groups:
        assert group.wild == tuple(tile in wild for tile in group.tiles)

    (winning,) = [group for group in own if group.win is not None]
    if "tianhu" not in score.elements:  # 天和 may choose any of the 14
        assert winning.tiles[winning.win] == hand.win

    assert elements_of(groups, hand, circumstances) == (score.fan, list(score.elements))
    assert score.shape == shape_of(groups, hand, score.elements)
