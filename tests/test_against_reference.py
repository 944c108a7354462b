"""The package beside a slow exhaustive scorer that shares nothing with it (tests/reference.py)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import reference
from effort import effort
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import PRESETS, Case, cases

import tjmj

assert reference.NAMES == list(tjmj.tiles.NAMES)


TIANJIN_KEYS = [
    "benhun", "dihu", "diliu", "gangkai", "hundiao", "long", "su", "suben", "tianhu", "tianting", "zhuowu",
]  # fmt: skip


def compare_score(case: Case) -> None:
    made = case.score
    got = {"win": made.win, "legal": made.legal, "fan": made.fan, "elements": list(made.elements)}
    assert got == reference.score(case.text, case.flip, case.options, **case.circumstances)


def compare_reading(case: Case) -> None:
    """A shown reading is one of the hand's, and the reference counts it just so."""
    made = case.score
    if made.win:
        shown = [
            {
                "group": group.type,
                "face": group.face,
                "tiles": [reference.NAMES[kind] for kind in group.tiles],
                "win": group.win,
                "meld": group.meld,
            }
            for group in made.reading
        ]
        judged = reference.judge(shown, case.text, case.flip, case.options, **case.circumstances)
        assert (judged.fan, judged.elements) == (made.fan, list(made.elements))


def compare_waits(case: Case) -> None:
    got: dict[str, dict[str, Any]] = {
        name: {
            "legal": one.legal,
            "left": one.left,
            "fan": one.fan,
            "elements": list(one.elements),
            "shape": one.shape,
        }
        for name, one in tjmj.waits(case.text, case.flip, case.rules).items()
    }
    wanted = reference.waits(case.text, case.flip, case.options)
    assert got == wanted
    assert list(got) == list(wanted)  # in canonical order


@effort(2)
@given(cases())
def test_scores(case):
    compare_score(case)
    compare_reading(case)


@effort(0.75)
@given(cases(waiting=True))
def test_waits(case):
    compare_waits(case)


@pytest.mark.slow
@effort(25)
@given(cases())
def test_scores_of_many_hands(case):
    compare_score(case)
    compare_reading(case)


@pytest.mark.slow
@effort(5)
@given(cases(waiting=True))
def test_waits_of_many_hands(case):
    compare_waits(case)


@pytest.mark.parametrize("preset", PRESETS)
@effort(0.5)
@given(data=st.data())
def test_scores_under_each_preset(preset, data):
    compare_score(data.draw(cases(rules=st.just(tjmj.rules(preset)))))


@pytest.mark.slow
def test_the_hands_compared_show_everything():
    """Comparing is worth little if some element, meld or number of wildcards is not among the hands."""
    seen: Counter[Any] = Counter()

    @settings(max_examples=1200, derandomize=True, database=None)
    @given(cases())
    def look(case):
        made = case.score
        hand = made.hand
        seen.update(made.elements)
        seen["complete" if made.win else "incomplete"] += 1
        seen["wildcards", sum(hand.counts[kind] for kind in hand.wild)] += 1
        seen["melds", len(hand.melds)] += 1
        seen.update({("meld", meld.type, meld.kind in hand.wild) for meld in hand.melds})
        seen["flip", hand.flip if hand.flip < 34 else "flower"] += 1
        seen["flowers", any(hand.counts[34:])] += 1
        seen.update({("shape", made.shape), ("rules", case.rules.name), ("kinds", case.rules.wild_kinds)})
        seen["plus", hand.win is not None] += 1

    look()
    wanted: set[Any] = {*TIANJIN_KEYS, "complete", "incomplete"}
    wanted |= {("flip", "flower"), ("flowers", True), ("plus", False)}
    wanted |= {("wildcards", number) for number in range(9)} | {("melds", number) for number in range(5)}
    wanted |= {("meld", type, False) for type in ("pong", "exposed", "concealed")}
    wanted |= {("meld", type, True) for type in ("exposed", "concealed")}
    wanted |= {("flip", kind) for kind in range(34)} | {("kinds", number) for number in (1, 2, 3)}
    wanted |= {("shape", shape) for shape in reference.SHAPES} | {("rules", name) for name in PRESETS}
    assert wanted - set(seen) == set()
    assert seen["complete"] > seen["incomplete"] > 100
    assert sum(seen["wildcards", number] for number in range(8, 15)) > 30
    assert max(number for number in range(15) if seen["wildcards", number]) >= 13


@pytest.mark.parametrize("circumstance", ["kong_draw", "heavenly", "earthly", "ready", "heavenly earthly"])
@effort(0.3)
@given(case=cases())
def test_circumstances_that_cannot_be_are_the_same(circumstance, case):
    flags = dict.fromkeys(circumstance.split(), True)
    text = case.text if "+" in case.text else f"{case.text[:-2]}+{case.text[-2:]}"
    try:
        wanted = reference.score(text, case.flip, case.options, **flags)
    except ValueError:
        with pytest.raises(tjmj.RulesError):
            tjmj.score(text, case.flip, case.rules, **flags)
    else:
        made = tjmj.score(text, case.flip, case.rules, **flags)
        assert (made.fan, list(made.elements)) == (wanted["fan"], wanted["elements"])
