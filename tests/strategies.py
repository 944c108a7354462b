"""Hands, rules and circumstances for hypothesis, as text: the package and the reference read the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from plain import wilds_of

import tjmj
from tjmj.tiles import NAMES

PRESETS = ("tianjin", "tianjin-hall", "tianjin-street")
SCORING_OPTIONS: dict[str, tuple[Any, ...]] = {
    "wild_kinds": (1, 2, 3),
    "flower_wilds": (False, True),
    "plain_dragon": (False, True),
    "earthly": (False, True),
    "heavenly_ready": (False, True),
    "heavenly_factor": (1, 3, 4, 8),
    "heavenly_mode": ("times", "plus"),
    "min_fan": (1, 2, 3, 8),
    "gold_kong": (0, 4),
    "gold_kong_by_discard": (False, True),
    "exposed_kong": (0, 1, 3),
    "concealed_kong": (0, 2, 5),
}
"""Every option that a score depends on, with values to try."""

SEQUENCES = [9 * suit + rank for suit in range(3) for rank in range(7)]
SETS = [(kind, kind + 1, kind + 2) for kind in SEQUENCES] + [(kind,) * 3 for kind in range(34)]
WILDCARDS = (0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 7)


@dataclass(frozen=True)
class Case:
    """A hand as text, and all that is said beside it."""

    text: str
    flip: str
    rules: tjmj.Rules
    circumstances: dict[str, bool] = field(default_factory=dict)

    @property
    def hand(self) -> tjmj.Hand:
        return tjmj.Hand.parse(self.text, self.flip, self.rules)

    @property
    def score(self) -> tjmj.Score:
        return tjmj.score(self.text, self.flip, self.rules, **self.circumstances)

    @property
    def options(self) -> dict[str, Any]:
        return {name: getattr(self.rules, name) for name in SCORING_OPTIONS}

    @property
    def keys(self) -> list[str]:
        """Elements that come from the circumstances."""
        names = {"kong_draw": "gangkai", "heavenly": "tianhu", "earthly": "dihu", "ready": "tianting"}
        return [names[name] for name, holds in self.circumstances.items() if holds]


def _rules(preset: str, changes: list[tuple[str, Any]], flowers: bool) -> tjmj.Rules:
    return tjmj.rules(preset, **({"flower_wilds": True} if flowers else {}) | dict(changes))


_CHANGES = [(name, value) for name, values in SCORING_OPTIONS.items() for value in values]
_CHANGES += [("plain_dragon", True)] * 4
RULES = st.builds(
    _rules,
    st.sampled_from(PRESETS),
    st.lists(st.sampled_from(_CHANGES), max_size=3),
    st.sampled_from((False, False, True)),
)
"""A preset, most often with an option or two set on top."""


def written(concealed: list[int], melds: list[tuple[str, int]], win: int | None) -> str:
    """The text of a hand in no particular order, which the reader has to put right."""
    out = ""
    for kind, tile in melds:
        run = NAMES[tile] * (3 if kind == "pong" else 4)
        out += f"{{{run}}}" if kind == "concealed" else f"[{run}]"
    out += "".join(NAMES[tile] for tile in concealed)
    return out if win is None else f"{out}+{NAMES[win]}"


def _pick(draw: st.DrawFn, options: Sequence[Any]) -> Any:
    return options[draw(st.integers(0, len(options) - 1))]


def _melds(draw: st.DrawFn, rules: tjmj.Rules, flip: int, wild: set[int], left: Counter[int]) -> list[Any]:
    """Up to four melds, taken out of what is left: pongs, kongs, gold kongs where the rules allow them."""
    melds: list[tuple[str, int]] = []
    gold = [kind for kind in sorted(wild) if kind < 34 and kind != flip and rules.gold_kong]
    for _ in range(_pick(draw, (0, 0, 0, 0, 1, 1, 2, 3, 4))):
        if gold and _pick(draw, (False, False, False, True)):
            kind = _pick(draw, gold)
            type = _pick(draw, ("concealed", "exposed")) if rules.gold_kong_by_discard else "concealed"
        else:
            kind = _pick(draw, [kind for kind in range(34) if kind not in wild])
            type = _pick(draw, ("pong", "exposed", "concealed"))
        size = 3 if type == "pong" else 4
        if left[kind] >= size:
            left[kind] -= size
            melds.append((type, kind))
    return melds


def _faces(draw: st.DrawFn, sets: int, plan: str, suit: int) -> list[int]:
    """Faces of sets and a pair, the winning one first; often a dragon 龙, 456万 or all of one suit."""
    if plan == "random":
        return [draw(st.integers(0, 33)) for _ in range(3 * sets + 2)]
    chosen = [_pick(draw, SETS) for _ in range(sets)]
    pair = draw(st.integers(0, 33))
    if "dragon" in plan and sets >= 3:
        chosen[:3] = [(suit + part, suit + part + 1, suit + part + 2) for part in (0, 3, 6)]
    if "five" in plan and sets:
        chosen[-1] = (4, 3, 5)
    if plan == "suit":
        pair = suit + pair % 9
        chosen = [tuple(suit + kind % 9 for kind in one) for one in chosen]
    faces = [kind for one in reversed(chosen) for kind in one] + [pair] * 2
    first = 0 if "five" in plan else draw(st.integers(0, len(faces) - 1))
    return [faces[first], *faces[:first], *faces[first + 1 :]]


PLANS = ("random", "any", "any", "dragon", "own dragon", "five", "dragon and five", "suit")


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    waiting: bool = False,
    rules: st.SearchStrategy[tjmj.Rules] | None = None,
) -> Case:
    """A hand that is complete, nearly so or neither, with its winning tile or waiting for it."""
    its_rules = draw(RULES if rules is None else rules)
    flip = draw(st.integers(0, 41 if its_rules.flower_wilds else 33))
    wild = wilds_of(flip, its_rules.wild_kinds, its_rules.flower_wilds)
    left = Counter(dict.fromkeys(range(34), 4) | {kind: 1 for kind in wild if kind >= 34})
    left[flip] -= 1
    melds = _melds(draw, its_rules, flip, wild, left)
    plan = _pick(draw, PLANS)
    own = plan == "own dragon" and flip < 27
    faces = _faces(draw, 4 - len(melds), plan, 9 * (flip // 9 if own else draw(st.integers(0, 2))))

    # Wildcards stand in for some of the faces, and for those of which there is no copy.
    wanted = 0 if own else _pick(draw, WILDCARDS + (9, 10, 11, 12, 13, 14) * its_rules.flower_wilds)
    places = {draw(st.integers(0, len(faces) - 1)) for _ in range(wanted if wanted < 8 else 14 - wanted)}
    gaps = places if wanted < 8 else set(range(len(faces))) - places
    tiles: list[int] = []
    for place, face in enumerate(faces):
        jokers = [kind for kind in sorted(wild, reverse=True) if left[kind] > 0]
        if jokers and place in gaps:
            kind = _pick(draw, jokers)
        elif left[face] > 0:
            kind = face
        else:
            kind = _pick(draw, jokers or [kind for kind in range(34) if left[kind] > 0])
        left[kind] -= 1
        tiles.append(kind)
    for _ in range(_pick(draw, (0, 0, 0, 0, 0, 1, 2))):  # nearly complete
        place = draw(st.integers(0, len(tiles) - 1))
        kind = _pick(draw, [kind for kind in range(42) if left[kind] > 0])
        left[kind] -= 1
        left[tiles[place]] += 1
        tiles[place] = kind

    win, concealed = tiles[0], tiles[1:]
    if waiting:
        return Case(written(concealed, melds, None), NAMES[flip], its_rules)
    circumstances = _circumstances(draw, its_rules, melds)
    if circumstances.get("heavenly") and draw(st.booleans()):
        return Case(written(tiles, melds, None), NAMES[flip], its_rules, circumstances)
    return Case(written(concealed, melds, win), NAMES[flip], its_rules, circumstances)


def _circumstances(draw: st.DrawFn, rules: tjmj.Rules, melds: list[Any]) -> dict[str, bool]:
    """Circumstances that can be (cli, `tjmj score`)."""
    if melds:
        kong = any(type != "pong" for type, _ in melds)
        return {"kong_draw": True} if kong and draw(st.booleans()) else {}
    choices: list[tuple[str, ...]] = [(), (), ("heavenly",)]
    choices += [("earthly",)] * rules.earthly + [("ready",)] * rules.heavenly_ready
    choices += [("earthly", "ready")] * (rules.earthly and rules.heavenly_ready)
    return dict.fromkeys(_pick(draw, choices), True)


def _without_plus(case: Case) -> tjmj.Hand:
    return tjmj.Hand.parse(case.text.replace("+", ""), case.flip, case.rules)


def _without_flip(case: Case) -> tjmj.Hand:
    return tjmj.Hand.parse(case.text, -1, case.rules)


HANDS = st.one_of(
    cases(waiting=True).map(lambda case: case.hand),
    cases().map(lambda case: case.hand),
    cases().map(_without_plus),
    cases().map(_without_flip),
)
"""Hands that wait, with a winning tile, with a tile to discard, and with nothing wild but flowers."""
