"""What a hand of Jintan mahjong waits for (cli, `tjmj waits`); scores, waits and hands as values."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from typing import Any

import pytest
from jintan_hands import Case, answer, any_waiting, wanted_waits

import tjmj
from tjmj import RulesError, score
from tjmj.answers import waits_answer

PLAIN = "123W456T789B11T23B+4B"
"""鸡胡 without flowers."""


def test_waits_say_points_for_a_self_draw_and_for_a_discard():
    """Cli, `tjmj waits`."""
    made = waits_answer(tjmj.waits("[123W]456T789T11F24B", rules="jintan", flowers=1))["waits"]
    assert made == {
        "3B": {
            "left": 4,
            "shape": "kandan",
            "self": {"fan": 0, "flowers": 1, "points": 15, "elements": ["jihu"]},
            "discard": {"legal": True, "fan": 0, "flowers": 1, "points": 15, "elements": ["jihu"]},
        }
    }


def test_a_wait_that_a_discard_may_not_end_is_listed():
    (wait,) = tjmj.waits("123W456T789B11T24B", rules="jintan").values()
    assert (wait.legal, wait.discard_score.legal, wait.shape, wait.left) == (True, False, "kandan", 4)
    assert wait.discard_score.points == 10


def test_a_triplet_is_worth_less_by_discard():
    waits = tjmj.waits("123W456T789B11F22J", rules="jintan")
    assert {tile: (wait.score.points, wait.discard_score.points) for tile, wait in waits.items()} == {
        "1F": (20, 15),
        "2J": (20, 15),
    }


def test_seven_pairs_wait_for_one_kind():
    for text, tile in (("1133W2244T1199B1F", "1F"), ("1111W2244T1199B1F", "1F"), ("111W2244T1199B11F", "1W")):
        (wait,) = tjmj.waits(text, rules="jintan").values()
        assert (str(wait).partition(" ")[0], wait.shape, wait.elements) == (tile, "dandiao", ("qidui",))
    assert list(tjmj.waits("1111W2244T119B12F", rules="jintan")) == []


def test_seven_pairs_beside_other_waits():
    waits = tjmj.waits("2223344556677W", rules="jintan")
    assert waits["2W"].elements == ("qidui", "qingyise") and waits["2W"].shape == "dandiao"
    assert len(waits) > 1


def test_dead_waits_are_listed_and_counted_like_any_other():
    """`left` 0: formally waiting. Its triplet and its pair are one kind."""
    (wait,) = tjmj.waits("[111T][222B]789W4444F", rules="jintan").values()
    assert (wait.left, wait.kind, wait.shape) == (0, 30, "dandiao")
    assert (wait.score.elements, wait.score.flowers, wait.score.points) == (("jihu",), 2, 20)
    (wait,) = tjmj.waits("[111T][222B][333W]4444F", rules="jintan").values()
    assert (wait.score.elements, wait.score.flowers, wait.score.points) == (("duiduihu",), 2, 40)
    # the discard may be read as the pair's
    assert (wait.discard_score.elements, wait.discard_score.flowers) == (("duiduihu",), 2)


@pytest.mark.parametrize("flowers", [-1, 9, 1.0, True, "1", None])
def test_flowers_that_cannot_be(flowers):
    with pytest.raises(RulesError):
        tjmj.waits("123W456T789B11T23B", rules="jintan", flowers=flowers)


# The reference on random hands


def compare_waits(case: Case) -> tjmj.Waits:
    made = case.waits
    wanted = wanted_waits(case)
    got = waits_answer(made)["waits"]
    assert got == wanted, case
    assert list(got) == list(wanted)  # in canonical order
    for wait in made.values():
        assert (wait.legal, wait.fan, wait.elements) == (True, wait.score.fan, wait.score.elements)
        assert wait.discard_score.source == "discard"
    return made


@pytest.mark.parametrize("block", range(4))
def test_waits_of_random_hands(block):
    for seed in range(75 * block, 75 * block + 75):
        compare_waits(any_waiting(random.Random(seed)))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(25))
def test_waits_of_many_hands(block):
    for seed in range(100_000 + 1000 * block, 101_000 + 1000 * block):
        compare_waits(any_waiting(random.Random(seed)))


def test_the_hands_compared_show_everything():
    seen: Counter[Any] = Counter()
    for seed in range(300):  # those of the quick tests
        waits = any_waiting(random.Random(seed)).waits
        seen["waits", min(len(waits), 4)] += 1
        for wait in waits.values():
            taken = wait.discard_score
            seen.update({wait.shape, ("dead", wait.left == 0), ("legal", taken.legal)})
            seen["worth less"] += taken.points < wait.score.points
    wanted: set[Any] = {"dandiao", "duidao", "kandan", "liangmian", "worth less"}
    wanted |= {("dead", True), ("legal", False)}
    assert wanted | {("waits", number) for number in range(5)} <= set(seen)


# Values

VALUES = [
    score(PLAIN, rules="jintan"),
    score(PLAIN, rules="jintan", flowers=1),
    score(PLAIN, rules="jintan", source="discard"),
    score(PLAIN, rules="jintan", source="rob"),
    score(PLAIN, rules="jintan", source="discard", flowers=8),
    score(PLAIN, rules=tjmj.rules("jintan", base=11)),
    score("123W456T789B11T234B", rules="jintan"),
    score("{1111F}456T789B11T23B+4B", rules="jintan"),
    score("{1111F}456T789B11T23B+4B", rules="jintan", source="kong"),
    score("[123W]456T789B11T23B+4B", rules="jintan"),
    score(PLAIN, -1),
]


def test_scores_compare_and_hash_by_value():
    assert len(set(VALUES)) == len(VALUES)
    for one in VALUES:
        again = pickle.loads(pickle.dumps(one))
        assert again == one and hash(again) == hash(one)
        assert answer(again) == answer(one) and again.reading == one.reading
        assert (again.source, again.flowers) == (one.source, one.flowers)
        assert copy.deepcopy(one) == one
        assert [other for other in VALUES if other == one] == [one]


@pytest.mark.parametrize("made", VALUES)
def test_the_repr_of_a_score_makes_it_again(made):
    assert eval(repr(made), {"tjmj": tjmj}) == made


def test_waits_and_each_wait_are_values():
    texts = ("123W456T789B11T23B", "[123W]456T789B11F22J", "1133W2244T1199B1F", "{5555W}46W123T789T11B")
    made = [tjmj.waits(text, rules="jintan", flowers=n) for text in texts for n in (0, 2)]
    made.append(tjmj.waits(texts[0], rules=tjmj.rules("jintan", cap_fan=3)))
    everything = [*made, *(wait for waits in made for wait in waits.values())]
    assert len(set(everything)) == len(everything)
    for one in everything:
        for again in (pickle.loads(pickle.dumps(one)), eval(repr(one), {"tjmj": tjmj}), copy.copy(one)):
            assert again == one and hash(again) == hash(one)
            assert str(again) == str(one)


@pytest.mark.parametrize("text", ["123W456T789B11T23B", "{5555W}46W123T789T11B"])
@pytest.mark.parametrize("kind", ["score", "discard_score"])
def test_scores_of_waits_are_values_of_dead_waits_too(text, kind):
    for wait in tjmj.waits(text, rules="jintan", flowers=2).values():
        made = getattr(wait, kind)
        for again in (pickle.loads(pickle.dumps(made)), eval(repr(made), {"tjmj": tjmj})):
            assert again == made and hash(again) == hash(made) and answer(again) == answer(made)


@pytest.mark.parametrize(
    "text", [PLAIN, "[345W]{1111F}456T11B78T+9T", "123W456T789B11T234B", "[345W]1112J456T111B"]
)
def test_hands_are_values(text):
    made = tjmj.Hand.parse(text, rules="jintan")
    for again in (pickle.loads(pickle.dumps(made)), eval(repr(made), {"tjmj": tjmj}), copy.deepcopy(made),
                  tjmj.Hand(made.concealed, made.melds, made.win, rules="jintan")):  # fmt: skip
        assert again == made and hash(again) == hash(made) and str(again) == str(made)
    assert made != tjmj.Hand.parse(text, rules=tjmj.rules("jintan", cap_fan=3))
