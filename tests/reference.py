"""Slow, exhaustive reference scorer for Tianjin mahjong 天津麻将 hands.

An oracle for tests. It follows the rules text only and enumerates readings: explicit groups of tiles,
wildcards 混儿 standing for faces, the winning tile at one known place of one known group.

Why no reading is missed: a reading is four sets and a pair, and the melds are sets already. The winning tile
lies in one of the other groups: `_holding` lists every face, every filling by natural tiles and wildcards,
every place for it. What is left is laid out by `_lay`: the lowest natural tile not yet placed must lie in
some group and is that group's lowest natural tile, so every such filling is tried; the order of the groups
means nothing, so each layout is met this way. With no natural tile left, the groups to come are all
wildcards, of any face.

What is dropped where only the score is wanted (`brief`): of a group without the winning tile, the elements
ask only whether it is part of a dragon 龙, and for 素本 where the wildcards lie in it. So all of these but
123, 456 and 789 of a suit are forgotten, and one all-wild group stands for all faces no element asks for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any, NamedTuple

Options = dict[str, Any]
Layout = tuple["Group", ...]

SUITS = {"W": 9, "T": 9, "B": 9, "F": 4, "J": 3, "H": 8}
NAMES: list[str] = [f"{n}{suit}" for suit, size in SUITS.items() for n in range(1, size + 1)]
FACES = range(34)  # what a tile of a group can stand for: everything but the flowers
FLOWERS = range(34, 42)
CYCLES = ((0, 9), (9, 9), (18, 9), (27, 4), (31, 3))  # first kind and length
WILD = -1  # a wildcard, no matter which
SIZES = {"sequence": 3, "triplet": 3, "kong": 4, "pair": 2}
MELDS = {"pong": ("triplet", "exposed"), "exposed": ("kong", "exposed"), "concealed": ("kong", "concealed")}
SHAPES = ("hundiao", "dandiao", "duidao", "kandan", "liangmian")
DEFAULTS: Options = {"wild_kinds": 2, "flower_wilds": False, "plain_dragon": False, "min_fan": 2}
DEFAULTS |= {"earthly": False, "heavenly_ready": False, "heavenly_factor": 4, "heavenly_mode": "times"}


class Group(NamedTuple):
    """A group of a reading; a sequence's `face` is its lowest, a meld is "exposed" or "concealed"."""

    type: str  # a key of SIZES
    face: int
    tiles: tuple[int, ...]
    meld: str | None = None

    @property
    def faces(self) -> tuple[int, ...]:
        """What the tiles stand for, tile by tile."""
        return tuple(self.face + (i if self.type == "sequence" else 0) for i in range(SIZES[self.type]))


class Reading(NamedTuple):
    """A reading and its score; the winning tile is `groups[at].tiles[place]`."""

    groups: Layout
    at: int
    place: int
    fan: int
    elements: list[str]


@dataclass(frozen=True)
class _Hand:
    """A hand with its winning tile, and all that its score depends on."""

    melds: Layout
    tiles: tuple[int, ...]  # concealed, sorted, the winning tile included
    wins: tuple[int, ...]  # kinds that may count as the winning tile
    options: Options
    flags: frozenset[str]  # element keys that come from the situation
    wilds: frozenset[int]
    cycle: tuple[int, ...]  # the wild kinds that are not flowers, sorted
    suit: int | None  # the wildcards' suit

    def all_tiles(self) -> list[int]:
        return [tile for group in self.melds for tile in group.tiles] + list(self.tiles)


def _run(text: str) -> list[int]:
    """Tiles of runs of digits with their letter: `123W5T`."""
    if not re.fullmatch(r"([1-9]+[WTBFJH])*", text):
        raise ValueError(f"not canonical notation: {text!r}")
    return [NAMES.index(digit + run[-1]) for run in re.findall(r"[1-9]+[WTBFJH]", text) for digit in run[:-1]]


def parse(text: str) -> tuple[list[tuple[str, int]], list[int], int | None]:
    """Read a hand: melds as (key of MELDS, kind), concealed kinds before `+`, the kind after it or None."""
    body, _, last = text.replace(" ", "").partition("+")
    kinds, melds = {(True, 3): "pong", (True, 4): "exposed", (False, 4): "concealed"}, []
    for exposed, concealed in re.findall(r"\[([^\[\]{}]*)\]|\{([^\[\]{}]*)\}", body):
        tiles = _run(exposed or concealed)
        kind = kinds.get((bool(exposed), len(tiles)))
        if kind is None or len(set(tiles)) != 1:
            raise ValueError(f"not a meld: {exposed or concealed!r}")
        melds.append((kind, tiles[0]))
    drawn = _run(last)
    if len(drawn) > 1:
        raise ValueError(f"more than one winning tile: {text!r}")
    return melds, _run(re.sub(r"\[[^\]]*\]|\{[^}]*\}", "", body)), drawn[0] if drawn else None


def wild_kinds(flip: int, options: Options) -> tuple[frozenset[int], tuple[int, ...], int | None]:
    """Wild kinds, those of them that are not flowers, and the wildcards' suit (section 2)."""
    flowers = frozenset(FLOWERS) if options["flower_wilds"] else frozenset()
    if flip in flowers:
        return flowers, (), None
    start, size = next((start, size) for start, size in CYCLES if start <= flip < start + size)
    cycle = sorted({start + (flip - start + i) % size for i in range(options["wild_kinds"])})
    return flowers.union(cycle), tuple(cycle), flip // 9 if flip < 27 else None


def _hand(text: str, flip: str, options: Options | None, drawn: int | None = None, **flags: bool) -> _Hand:
    """Read a hand, or one of 13 tiles with a drawn tile."""
    opts = DEFAULTS | (options or {})
    melds, tiles, win = parse(text)
    if drawn is not None and win is not None:
        raise ValueError("a hand with a winning tile does not wait")
    win = drawn if win is None else win
    tiles = sorted(tiles if win is None else [*tiles, win])
    flowers = any(tile in FLOWERS for tile in [*tiles, NAMES.index(flip)])
    if len(tiles) != 14 - 3 * len(melds) or (flowers and not opts["flower_wilds"]):
        raise ValueError("wrong number of tiles, or flowers where there are none")
    kong_draw, heavenly, earthly, ready = map(flags.get, ("kong_draw", "heavenly", "earthly", "ready"))
    if kong_draw and all(kind == "pong" for kind, _ in melds):
        raise ValueError("kong_draw without a kong")
    if ((heavenly or earthly or ready) and melds) or (heavenly and (earthly or ready)):
        raise ValueError("heavenly is the dealer's, earthly and ready another seat's, all without melds")
    if (earthly and not opts["earthly"]) or (ready and not opts["heavenly_ready"]):
        raise ValueError("flag of an option that is off")
    if win is None and not heavenly:
        raise ValueError("the winning tile is not given")
    keys = {"gangkai": kong_draw, "tianhu": heavenly, "dihu": earthly, "tianting": ready}
    return _Hand(
        tuple(Group(t, kind, (kind,) * SIZES[t], how) for key, kind in melds for t, how in [MELDS[key]]),
        tuple(tiles),
        tuple(sorted(set(tiles))) if heavenly or win is None else (win,),  # 天和: any of the 14
        opts,
        frozenset(key for key, holds in keys.items() if holds),
        *wild_kinds(NAMES.index(flip), opts),
    )


def _fillings(kind: str, face: int) -> list[Group]:
    """All ways to fill a group's places with natural tiles of its faces and wildcards."""
    if kind == "sequence":
        return [Group(kind, face, tiles) for tiles in product(*((face + i, WILD) for i in range(3)))]
    size = SIZES[kind]  # the order of equal faces means nothing: natural tiles first
    return [Group(kind, face, (face,) * n + (WILD,) * (size - n)) for n in range(size + 1)]


@cache
def _naturals(tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Drop the wildcards."""
    return tuple(tile for tile in tiles if tile != WILD)


def _in_dragons(group: Group) -> bool:
    """Whether the group is 123, 456 or 789 of a suit."""
    return group.type == "sequence" and group.face % 9 in (0, 3, 6)


SEQUENCES = [9 * suit + n for suit in range(3) for n in range(7)]
GROUPS = [g for f in SEQUENCES for g in _fillings("sequence", f)]
GROUPS += [g for kind in ("triplet", "pair") for f in FACES for g in _fillings(kind, f)]
BY_LOWEST: dict[int, list[Group]] = {face: [] for face in (WILD, *FACES)}
for _group in GROUPS:
    BY_LOWEST[min(_naturals(_group.tiles), default=WILD)].append(_group)
ALL_WILD = {False: BY_LOWEST[WILD]}  # by `brief`: there one triplet and one pair for all faces but dragons'
ALL_WILD[True] = [g for g in BY_LOWEST[WILD] if _in_dragons(g) or (g.type != "sequence" and g.face == 33)]


def _without(tiles: tuple[int, ...], used: Sequence[int]) -> tuple[int, ...] | None:
    """Tiles less the used ones, or None where they are not all there."""
    rest = list(tiles)
    for tile in used:
        if tile not in rest:
            return None
        rest.remove(tile)
    return tuple(rest)


def _join(groups: Layout, brief: bool) -> Layout:
    return tuple(sorted(group for group in groups if not brief or _in_dragons(group)))


@lru_cache(maxsize=1 << 16)
def _lay(naturals: tuple[int, ...], wilds: int, sets: int, pairs: int, brief: bool) -> frozenset[Layout]:
    """All layouts of sorted natural tiles and a number of wildcards as so many sets and pairs."""
    if not naturals:
        triples = combinations_with_replacement([g for g in ALL_WILD[brief] if g.type != "pair"], sets)
        twos = list(combinations_with_replacement([g for g in ALL_WILD[brief] if g.type == "pair"], pairs))
        return frozenset(_join(a + b, brief) for a in triples for b in twos)
    found: set[Layout] = set()
    for group in BY_LOWEST[naturals[0]]:
        pair, used = group.type == "pair", _naturals(group.tiles)
        wild = len(group.tiles) - len(used)
        rest = _without(naturals, used)
        if rest is None or wild > wilds or (pairs if pair else sets) == 0:
            continue
        layouts = _lay(rest, wilds - wild, sets - (not pair), pairs - pair, brief)
        if brief and not _in_dragons(group):
            found |= layouts
        else:
            found.update(_join((*layout, group), brief) for layout in layouts)
    return frozenset(found)


@lru_cache(maxsize=1 << 16)
def _useful(layout: Layout, fillings: bool) -> Layout:
    """Drop parts too few for a dragon with the winning group, and fillings unless asked for."""
    parts = Counter(face // 9 for face in {group.face for group in layout})
    groups = (group if fillings else group._replace(tiles=(WILD,) * 3) for group in layout)
    return tuple(group for group in groups if parts[group.face // 9] >= 2)


def _holding(win: int, wild: bool, naturals: Sequence[int], brief: bool) -> Iterator[tuple[Group, int]]:
    """All groups that can hold the winning tile, it at its place by its own kind, the others as in `_lay`."""
    pools = [BY_LOWEST[tile] for tile in sorted({*naturals} if wild else {*naturals, win})]
    for group in (group for pool in [*pools, ALL_WILD[brief]] for group in pool):
        places = [place for place, tile in enumerate(group.tiles) if tile == (WILD if wild else win)]
        for place in places if group.type == "sequence" else places[:1]:
            yield group._replace(tiles=(*group.tiles[:place], win, *group.tiles[place + 1 :])), place


def _others(group: Group, place: int) -> tuple[int, ...]:
    """Drop the winning tile from its group."""
    return group.tiles[:place] + group.tiles[place + 1 :]


def _layouts(hand: _Hand, win: int, brief: bool) -> Iterator[tuple[Layout, int]]:
    """All layouts of the concealed tiles, the winning tile's group first, and its place in that group."""
    concealed = _without(hand.tiles, [win]) or ()
    naturals = tuple(tile for tile in concealed if tile not in hand.wilds)
    for group, place in _holding(win, win in hand.wilds, naturals, brief):
        others, pair = _others(group, place), group.type == "pair"
        rest = _without(naturals, _naturals(others))
        wilds = len(concealed) - len(naturals) - others.count(WILD)
        sets = 4 - len(hand.melds) - (not pair)
        if rest is None or wilds < 0 or sets < 0:
            continue
        layouts = _lay(rest, wilds, sets, 1 - pair, brief)
        for layout in {_useful(x, hand.options["plain_dragon"]) for x in layouts} if brief else layouts:
            yield (group, *layout), place


def _dragons(groups: Sequence[Group]) -> list[tuple[int, ...]]:
    """Every choice of three groups that are a dragon; where there is none, the empty choice.

    A dragon that is there is never declined: 龙 is worth more than a 混吊 that it forbids (4 > 2, 7 > 6).
    """
    parts = [i for i, group in enumerate(groups) if _in_dragons(group)]
    found: list[tuple[int, ...]] = []
    for trio in combinations(parts, 3):
        faces = {groups[i].face for i in trio}
        if len(faces) == 3 and len({face // 9 for face in faces}) == 1:
            found.append(trio)
    return found or [()]


def _elements(hand: _Hand, groups: Sequence[Group], at: int, place: int) -> tuple[int, list[str]]:
    """Fan and sorted elements (section 5) of a reading, for its best choice of dragon."""
    group, scores = groups[at], []
    hundiao = all(tile == WILD or tile in hand.wilds for tile in _others(group, place))
    for dragon in _dragons(groups):
        keys = set(hand.flags)
        if hand.wilds.isdisjoint(hand.all_tiles()):
            keys.add("su")
        if group.type == "sequence" and group.face == NAMES.index("4W") and place == 1:
            keys.add("zhuowu")
        if dragon:
            keys.add("long")
            if groups[dragon[0]].face // 9 == hand.suit:
                keys.add("benhun")
                if hand.options["plain_dragon"] and _plain(hand, [groups[i] for i in dragon]):
                    keys.add("suben")
        if hundiao and at not in dragon:
            keys.add("hundiao")
        if keys.isdisjoint({"zhuowu", "long", "hundiao"}):
            keys.add("diliu")
        scores.append((-_fan(keys, hand.options), sorted(keys)))
    fan, elements = min(scores)
    return -fan, elements


def _plain(hand: _Hand, dragon: Sequence[Group]) -> bool:
    """素本: the hand's wildcards are one of each wild kind (no flower), each as its own face in the dragon.

    A dragon's faces differ, so as many own faces as wild kinds are each kind once. The wildcards but the
    winning one can change places: `WILD` at the face of a wild kind is taken for that kind.
    """
    held = sorted(tile for tile in hand.all_tiles() if tile in hand.wilds)
    places = [place for group in dragon for place in zip(group.faces, group.tiles, strict=True)]
    own = sum(face in hand.cycle and tile in (WILD, face) for face, tile in places)
    return held == list(hand.cycle) and own == len(held)


def _fan(keys: set[str], options: Options) -> int:
    fan: int = (3 * ("zhuowu" in keys) + 4 * ("long" in keys)) or 1
    fan <<= len(keys & {"hundiao", "benhun", "su", "gangkai", "suben", "tianting"})
    times, factor = options["heavenly_mode"] == "times", int(options["heavenly_factor"])
    return fan if keys.isdisjoint({"tianhu", "dihu"}) else fan * factor if times else fan + factor


def _shape(hand: _Hand, group: Group, place: int, elements: Sequence[str]) -> str:
    """Name the wait that the winning tile ends.

    混吊 where the reading has it: beside two wildcards inside the dragon not any tile would do.
    """
    if "hundiao" in elements:
        return "hundiao"
    if group.type != "sequence":
        return "dandiao" if group.type == "pair" else "duidao"
    other_end = group.face + (3 if place == 0 else -1)
    edge = group.face % 9 == (6 if place == 0 else 0)  # 89 waits for 7 only, 12 for 3 only
    return "kandan" if place == 1 or edge or other_end in hand.wilds else "liangmian"


def _solve(hand: _Hand) -> tuple[int, list[str], str] | None:
    """Best fan, its elements and the shape of the wait; None if the hand is not complete."""
    ranks = []
    for win in hand.wins:
        for groups, place in _layouts(hand, win, brief=True):
            fan, elements = _elements(hand, groups, 0, place)
            # Ties in fan: the elements that come first; ties in these too: the shape named first.
            ranks.append((-fan, elements, SHAPES.index(_shape(hand, groups[0], place, elements))))
    best = min(ranks, default=None)
    return best and (-best[0], best[1], SHAPES[best[2]])


def score(
    text: str,
    flip: str,
    options: Options | None = None,
    *,
    kong_draw: bool = False,
    heavenly: bool = False,
    earthly: bool = False,
    ready: bool = False,
) -> dict[str, Any]:
    """Score a hand: whether it is complete and may win, its fan and elements (sorted keys)."""
    hand = _hand(text, flip, options, kong_draw=kong_draw, heavenly=heavenly, earthly=earthly, ready=ready)
    fan, elements, _ = _solve(hand) or (0, [], "")  # a complete hand has at least 1
    return {"win": fan > 0, "legal": 0 < fan >= hand.options["min_fan"], "fan": fan, "elements": elements}


def waits(text: str, flip: str, options: Options | None = None) -> dict[str, dict[str, Any]]:
    """All kinds that complete a hand of 13 tiles: the score, the copies left and the shape of the wait."""
    answer: dict[str, dict[str, Any]] = {}
    for kind in range(42 if (options or {}).get("flower_wilds") else 34):
        hand = _hand(text, flip, options, kind)
        if best := _solve(hand):
            left = (1 if kind in FLOWERS else 4) - hand.all_tiles().count(kind) + 1 - (NAMES[kind] == flip)
            keys = dict(zip(("fan", "elements", "shape"), best, strict=True))
            answer[NAMES[kind]] = {"legal": best[0] >= hand.options["min_fan"], "left": left, **keys}
    return answer


def readings(text: str, flip: str, options: Options | None = None, **flags: bool) -> Iterator[Reading]:
    """Every reading of a hand, all faces of all-wild groups included; flags as in `score`.

    Wildcards but the winning one are not told apart. Past some five wildcards there are very many readings:
    check shown ones with `judge` instead.
    """
    hand = _hand(text, flip, options, **flags)
    for win in hand.wins:
        for layout, place in _layouts(hand, win, brief=False):
            groups, at = hand.melds + layout, len(hand.melds)
            yield Reading(groups, at, place, *_elements(hand, groups, at, place))


def judge(shown: Any, text: str, flip: str, options: Options | None = None, **flags: bool) -> Reading:
    """Score a shown reading, a list of {group, face, tiles, win, meld}; ValueError if not of the hand."""
    hand = _hand(text, flip, options, **flags)
    groups = []
    for item in shown:
        faces, tiles = _run(item["face"]), tuple(NAMES.index(name) for name in item["tiles"])
        group = Group(item["group"], faces[0], tiles, item["meld"])
        starts = SEQUENCES if group.type == "sequence" else FACES if group.type in SIZES else ()
        if group.face not in starts or group.faces != tuple(faces) or len(tiles) != len(faces):
            raise ValueError(f"not a group: {item}")
        if any(tile != face and tile not in hand.wilds for tile, face in zip(tiles, faces, strict=True)):
            raise ValueError(f"a natural tile stands for another: {item}")
        groups.append(group)
    own = [group for group in groups if group.meld is None]
    concealed = sorted(tile for group in own for tile in group.tiles)
    if sorted(group for group in groups if group.meld) != sorted(hand.melds) or concealed != list(hand.tiles):
        raise ValueError("not the tiles of the hand")
    if len(groups) != 5 or [g.type for g in groups].count("pair") != 1 or any(g.type == "kong" for g in own):
        raise ValueError("not four sets and a pair")
    marks = [(at, item["win"]) for at, item in enumerate(shown) if item["win"] is not None]
    places = [(at, i) for at, g in enumerate(groups) for i, tile in enumerate(g.tiles) if tile in hand.wins]
    if len(marks) != 1 or marks[0] not in places or groups[marks[0][0]].meld:
        raise ValueError("the winning tile is not at one known place")
    return Reading(tuple(groups), *marks[0], *_elements(hand, groups, *marks[0]))
