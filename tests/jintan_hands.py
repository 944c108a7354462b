"""Hands of Jintan mahjong 金坛麻将 at random, and their readings counted in plain lines.

A `Case` is a hand as text with all that is said beside it: the package and the reference read the same. Kinds
are numbers as in `plain`: 万 0-8, 条 9-17, 饼 18-26, 风 27-30, 箭 31-33.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import reference_jintan

import tjmj
from tjmj.tiles import NAMES

SOURCES = ("self", "discard", "kong", "rob")
HONOURS = range(27, 34)
OPTIONS: dict[str, tuple[int, ...]] = {
    "base": (1, 3, 10, 1_000_000),
    "value": (0, 1, 5, 1000),
    "min_flowers": (0, 1, 2, 5),
    "cap_fan": (0, 1, 2, 4, 10),
}
"""Options that a score depends on, with values to try."""

Set = tuple[str, int]
"""Form (`chow`, `pong`, `exposed`, `concealed`, or `triplet` in the hand) and lowest kind."""


@dataclass(frozen=True)
class Case:
    """A hand as text, where its winning tile came from, the flowers laid out, and the options."""

    text: str
    source: str = "self"
    flowers: int = 0
    options: dict[str, int] = field(default_factory=dict)

    @property
    def rules(self) -> tjmj.Rules:
        return tjmj.rules("jintan", **self.options)

    @property
    def score(self) -> tjmj.Score:
        return tjmj.score(self.text, rules=self.rules, source=self.source, flowers=self.flowers)

    @property
    def waits(self) -> tjmj.Waits:
        return tjmj.waits(self.text, rules=self.rules, flowers=self.flowers)

    @property
    def wanted(self) -> dict[str, Any]:
        """What the reference says."""
        return reference_jintan.score(self.text, self.source, self.flowers, self.options)


def answer(made: tjmj.Score) -> dict[str, Any]:
    """A score as the reference writes it."""
    return {
        "win": made.win,
        "legal": made.legal,
        "fan": made.fan,
        "flowers": made.flowers,
        "points": made.points,
        "elements": list(made.elements),
    }


# Random hands.


def written(melds: Iterable[Set], concealed: Iterable[int], win: int | None) -> str:
    """The text of a hand, in no particular order."""
    out = ""
    for form, kind in melds:
        if form == "chow":
            out += "[" + "".join(NAMES[kind + step] for step in range(3)) + "]"
        else:
            run = NAMES[kind] * (3 if form == "pong" else 4)
            out += f"{{{run}}}" if form == "concealed" else f"[{run}]"
    out += "".join(NAMES[kind] for kind in concealed)
    return out if win is None else f"{out}+{NAMES[win]}"


def _palette(rng: random.Random) -> list[int]:
    """Kinds that a hand is made of: any, one suit, one suit and honours, honours alone."""
    first = rng.choice((0, 9, 18))
    suit = list(range(first, first + 9))
    return rng.choice((
        [*range(34)], [*range(34)], [*range(34)] + 4 * [*HONOURS], suit, suit, [*suit, *HONOURS],
        suit + 2 * [*HONOURS], [*HONOURS],
    ))  # fmt: skip


def _tiles(form: str, kind: int) -> list[int]:
    if form == "chow":
        return [kind, kind + 1, kind + 2]
    return [kind] * {"pair": 2, "pong": 3, "triplet": 3}.get(form, 4)


class _Left:
    """Copies not yet used."""

    def __init__(self) -> None:
        self.copies = Counter(dict.fromkeys(range(34), 4))

    def take(self, form: str, kind: int) -> list[int] | None:
        tiles = _tiles(form, kind)
        if form == "chow" and (kind >= 27 or kind % 9 > 6):
            return None
        if any(self.copies[tile] < times for tile, times in Counter(tiles).items()):
            return None
        self.copies.subtract(tiles)
        return tiles


def _sets(rng: random.Random, palette: Sequence[int], left: _Left) -> tuple[list[Set], list[int]]:
    """Melds, and the concealed tiles of a complete hand."""
    meld_count = rng.choice((0, 0, 0, 1, 1, 2, 2, 3, 4, 4))
    chows = rng.choice((0.0, 0.2, 0.6))
    melds: list[Set] = []
    concealed: list[int] = []
    while len(melds) + len(concealed) // 3 < 4:
        own = len(melds) == meld_count
        if rng.random() < chows:
            form = "chow"
        else:
            form = "triplet" if own else rng.choice(("pong", "exposed", "concealed"))
        tiles = left.take(form, kind := rng.choice(palette))
        if tiles is None:
            chows = min(chows, 0.5) + 0.01 if palette[0] < 27 else 0.0
        elif own:
            concealed += tiles
        else:
            melds.append((form, kind))
    while (pair := left.take("pair", rng.choice(palette))) is None:
        pass
    return melds, concealed + pair


def _seven_pairs(rng: random.Random, palette: Sequence[int], left: _Left) -> list[int]:
    """七对, now and then with four of a kind."""
    concealed: list[int] = []
    while len(concealed) < 14:
        kind = rng.choice(concealed) if concealed and rng.random() < 0.15 else rng.choice(palette)
        concealed += left.take("pair", kind) or []
    return concealed


def _hand(rng: random.Random) -> tuple[list[Set], list[int]]:
    """Melds and 14 - 3n tiles that are complete or nearly so; the winning one last."""
    palette, left = _palette(rng), _Left()
    melds: list[Set] = []
    if rng.random() < 0.2:
        concealed = _seven_pairs(rng, palette, left)
    else:
        melds, concealed = _sets(rng, palette, left)
    rng.shuffle(melds)
    rng.shuffle(concealed)
    if rng.random() < 0.3:  # an honour of which there are three, if there is one
        concealed.sort(key=lambda kind: kind in HONOURS and concealed.count(kind) == 3)
    for _ in range(rng.choice((0, 0, 0, 0, 0, 1, 2))):
        place = rng.randrange(len(concealed))
        kind = rng.choice([kind for kind in range(34) if left.copies[kind]])
        left.copies[concealed[place]] += 1
        left.copies[kind] -= 1
        concealed[place] = kind
    return melds, concealed


def _options(rng: random.Random) -> dict[str, int]:
    chosen = rng.sample(sorted(OPTIONS), rng.choice((0, 0, 1, 2)))
    return {name: rng.choice(OPTIONS[name]) for name in chosen}


def any_case(rng: random.Random) -> Case:
    """A hand with its winning tile, by whatever way such a hand can win."""
    melds, concealed = _hand(rng)
    win = concealed.pop()
    seen = [tile for form, kind in melds for tile in _tiles(form, kind)] + concealed
    sources = ["self", "discard", "discard"]
    sources += ["kong"] * any(form in ("exposed", "concealed") for form, _ in melds)
    sources += ["rob"] * (win not in seen)
    source = rng.choice(sources)
    if source == "self" and rng.random() < 0.3:  # where it does not matter which tile came last
        return Case(written(melds, [*concealed, win], None), source, rng.randint(0, 8), _options(rng))
    return Case(written(melds, concealed, win), source, rng.choice((0, 0, 1, 4, 8)), _options(rng))


def any_waiting(rng: random.Random) -> Case:
    """A hand that waits, or nearly waits, for its last tile."""
    melds, concealed = _hand(rng)
    return Case(written(melds, concealed[:-1], None), "self", rng.choice((0, 0, 1, 8)), _options(rng))


# Readings counted by themselves.


def _group_flowers(group: Any, taken: bool) -> int:
    """Flowers of a group ("Counting"); `taken`: a discard has completed it."""
    honour = group.faces[0] in HONOURS
    if group.type == "triplet":
        return (1 if group.meld or taken else 2) if honour else 0
    if group.type == "kong":
        concealed = group.meld == "concealed"
        return 3 + concealed if honour else 1 + concealed
    return 0


def counted(groups: Sequence[Any], source: str, laid_out: int) -> tuple[int, int, list[str]]:
    """Fan, flowers and elements that follow from the groups of a reading."""
    tiles = [tile for group in groups for tile in group.tiles]
    suits = {tile // 9 for tile in tiles if tile < 27}
    honours = any(tile in HONOURS for tile in tiles)
    fan: dict[str, int] = {}
    if len(suits) <= 1:
        fan |= {"hunyise": 1} if honours else {"qingyise": 2}
    if len(groups) == 7:
        fan["qidui"] = 2
    elif not any(group.type == "sequence" for group in groups):
        fan["duiduihu"] = 1
    if source == "kong":
        fan["gangkai"] = 1
    if len([group for group in groups if group.meld]) == 4:
        fan["dudiao"] = 1
    names = [*fan, *(["jihu"] if not fan else []), *(["qianggang"] if source == "rob" else [])]
    flowers = [_group_flowers(group, source == "discard" and group.win is not None) for group in groups]
    return sum(fan.values()), laid_out + sum(flowers), sorted(names)


def shape_of(group: Any) -> str:
    """Name of the wait that the winning tile of a group ended (cli, `tjmj waits`)."""
    if group.type != "sequence":
        return {"pair": "dandiao", "triplet": "duidao"}[group.type]
    return _sequence_shape(group.faces[0], group.win)


def _sequence_shape(lowest: int, place: int) -> str:
    other_end = {0: lowest + 3, 2: lowest - 1}.get(place, -1)
    return "liangmian" if other_end >= 0 and other_end // 9 == lowest // 9 else "kandan"


def check_reading(case: Case, made: tjmj.Score) -> None:
    """Assert that the reading a score shows is one of its hand, and counts just what the score says."""
    hand, groups = made.hand, made.reading
    assert groups is not None
    melds, own = groups[: len(hand.melds)], groups[len(hand.melds) :]
    for group, meld in zip(melds, hand.melds, strict=True):
        assert group.type == {"pong": "triplet", "chow": "sequence"}.get(meld.type, "kong")
        assert group.meld == ("concealed" if meld.type == "concealed" else "exposed")
        assert group.tiles == group.faces == meld.tiles and group.win is None

    tiles = [tile for group in own for tile in group.tiles]
    assert sorted(tiles) == sorted([*hand.concealed, *([] if hand.win is None else [hand.win])])
    for group in own:
        first = group.faces[0]
        assert group.meld is None and group.tiles == group.faces
        if group.type == "sequence":
            assert group.faces == (first, first + 1, first + 2) and first < 27 and first % 9 < 7
        else:
            assert group.faces == (first,) * {"triplet": 3, "pair": 2}[group.type]
    pairs = [group.type for group in groups].count("pair")
    assert (pairs, len(groups)) in ((1, 5), (7, 7))
    assert not any(any(group.wild) for group in groups)

    winning = [group for group in own if group.win is not None]
    if hand.win is None:
        assert winning == [] and made.shape is None
    else:
        (group,) = winning
        assert group.tiles[group.win] == hand.win
        assert made.shape == shape_of(group)

    fan, flowers, elements = counted(groups, case.source, case.flowers)
    assert (fan, flowers, elements) == (made.fan, made.flowers, list(made.elements))
    rules = case.rules
    assert made.points == (rules.base + flowers * rules.value) * 2 ** min(fan, rules.cap_fan)


# Waits by the reference.


def _placements(case: Case, kind: str) -> Iterator[tuple[tuple[int, int, int], str]]:
    """Worth of each reading with this tile drawn, and the wait that it ends there."""
    rules = reference_jintan.DEFAULTS | case.options
    melds, concealed, win = reference_jintan.parse(f"{case.text}+{kind}")
    hand = tjmj.Hand.parse(case.text, rules=case.rules)
    tiles = [NAMES[tile] for meld in hand.melds for tile in meld.tiles]
    for groups in reference_jintan.readings(melds, concealed, win, False):
        more, fan, _ = reference_jintan._count(groups, melds, concealed + tiles, "self")
        flowers = case.flowers + more
        points = (rules["base"] + flowers * rules["value"]) * 2 ** min(fan, rules["cap_fan"])
        for form, lowest in [("pair", kind)] if groups is None else groups[len(melds) :]:
            place = NAMES.index(kind) - NAMES.index(lowest)
            if form == "chow" and 0 <= place <= 2:
                yield (points, fan, flowers), _sequence_shape(NAMES.index(lowest), place)
            elif form != "chow" and place == 0:
                yield (points, fan, flowers), "dandiao" if form == "pair" else "duidao"


def wanted_waits(case: Case) -> dict[str, Any]:
    """Every kind that completes a waiting hand, as `tjmj waits` writes it."""
    waits = {}
    hand = tjmj.Hand.parse(case.text, rules=case.rules)
    for kind in NAMES[:34]:
        drawn = reference_jintan.score(f"{case.text}+{kind}", "self", case.flowers, case.options)
        if drawn["win"]:
            taken = reference_jintan.score(f"{case.text}+{kind}", "discard", case.flowers, case.options)
            best = max(worth for worth, _ in _placements(case, kind))
            shapes = {shape for worth, shape in _placements(case, kind) if worth == best}
            held = [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)]
            counts = ("fan", "flowers", "points", "elements")
            waits[kind] = {
                "left": 4 - held.count(NAMES.index(kind)),
                "shape": next(s for s in ("dandiao", "duidao", "kandan", "liangmian") if s in shapes),
                "self": {key: drawn[key] for key in counts},
                "discard": {"legal": taken["legal"], **{key: taken[key] for key in counts}},
            }
    return waits
