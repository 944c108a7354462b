"""What a hand waits for (cli, `tjmj waits`): kinds, copies left, scores and the names of the waits."""

from __future__ import annotations

import copy
import json
import pathlib
import pickle
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from plain import check_reading, is_win
from strategies import Case, cases

import tjmj
from tjmj import HandError, NotationError, TileSet, Wait, Waits, waits
from tjmj.tiles import NAMES

GOLDEN = pathlib.Path(__file__).parent / "golden" / "tianjin_waits.jsonl"
LINES = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]
HAND = "46W123B789B111T9T1F"
FLOWERS = tjmj.rules("tianjin", flower_wilds=True)


def answer(found: Waits) -> dict[str, Any]:
    return {
        name: {"legal": one.legal, "fan": one.fan, "elements": list(one.elements), "left": one.left}
        for name, one in found.items()
    }


def shapes(text: str, flip: str, rules: Any = "tianjin") -> dict[str, str]:
    return {name: one.shape for name, one in waits(text, flip, rules).items()}


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line['hand']} {line['flip']}")
def test_golden_waits(line):
    assert answer(waits(line["hand"], line["flip"])) == line["want"]["waits"]


def test_the_example_of_the_design():
    found = waits(HAND, flip="1F")
    assert [(name, one.left, one.shape, one.fan) for name, one in found.items() if one.legal] == [
        ("5W", 4, "kandan", 3), ("1F", 2, "kandan", 3), ("2F", 4, "kandan", 3),
    ]  # fmt: skip
    assert (found["9T"].legal, found["9T"].fan, found["9T"].shape) == (False, 1, "dandiao")


# 13 tiles to 14


@given(cases(waiting=True))
def test_a_kind_is_a_wait_exactly_when_drawing_it_wins(case):
    hand = case.hand
    found = waits(hand)
    for kind in range(42 if case.rules.flower_wilds else 34):
        left = hand.left(kind)
        if left:
            assert (kind in found) == tjmj.score(hand.draw(kind)).win
        # A dead kind is listed as the shape says, with the copy that does not exist (notation, "Hands").
        assert (kind in found) == is_win(hand, (kind,))
        if kind in found:
            one = found[kind]
            assert (one.kind, one.left, one.hand) == (kind, left, hand)
            assert one.score.win and one.legal == (one.fan >= case.rules.min_fan)
            if left:
                drawn = tjmj.score(hand.draw(kind))
                assert one.score == drawn
                assert (one.fan, one.elements, one.shape) == (drawn.fan, drawn.elements, drawn.shape)
            check_reading(one.score)
    assert [kind for kind in range(42) if kind in found] == list(found.kinds)


@given(cases(waiting=True))
def test_wildcards_are_waited_for_where_anything_is(case):
    """Section 2: a wildcard stands for any tile when winning."""
    found = waits(case.hand)
    assert not found or found.kinds >= case.hand.wild


@given(cases(waiting=True))
def test_hundiao_is_the_shape_where_it_is_the_element(case):
    """Any tile: a single 混吊 waits for everything."""
    found = waits(case.hand)
    for one in found.values():
        assert (one.shape == "hundiao") == ("hundiao" in one.elements)
    if any(one.shape == "hundiao" for one in found.values()):
        assert set(found.kinds) >= set(range(34))


def test_dead_waits_are_listed():
    """`left` 0: formally waiting, dead."""
    found = waits("123456789W3333J", "1F")
    assert {name: one.left for name, one in found.items()} == {"1F": 3, "2F": 4, "3J": 0}
    assert (found["3J"].fan, found["3J"].elements, found["3J"].legal) == (8, ("long", "su"), True)
    # All four in a kong, or three in the hand and the flipped one.
    found = waits("456B789T13W1F1F{2222W}", "1J")
    assert (found["2W"].left, found["2W"].shape) == (0, "kandan")
    found = waits("123W789T456B111F3J", "1F")
    assert (found["1F"].left, found["2F"].left, found["3J"].left) == (0, 4, 3)


@pytest.mark.parametrize("text", ["123W123T123B789T3J+3J", "123W123T123B45699B", "[111J]123W123T45B1F2F3F"])
def test_a_hand_that_has_drawn_does_not_wait(text):
    with pytest.raises(HandError):
        waits(text, "1F")


# Names of waits, by written-out hands (cli). The wildcards are 1F and 2F where 1F is flipped.


@pytest.mark.parametrize(
    ("text", "flip", "expected"),
    [
        # 坎单: the middle
        ("46W123B789B111T99T", "1F", {"5W": "kandan", "1F": "kandan", "2F": "kandan"}),
        ("68T123B789B111W99W", "1F", {"7T": "kandan", "1F": "kandan", "2F": "kandan"}),
        # 坎单: the only end of 12 or 89
        ("12T123B789B111W99W", "1F", {"3T": "kandan", "1F": "kandan", "2F": "kandan"}),
        ("89T123B789B111W99W", "1F", {"7T": "kandan", "1F": "kandan", "2F": "kandan"}),
        # 两面: both ends
        ("45T123B789B111W99W", "1F",
         {"3T": "liangmian", "6T": "liangmian", "1F": "liangmian", "2F": "liangmian"}),
        ("23T123B789B111W99W", "1F",
         {"1T": "liangmian", "4T": "liangmian", "1F": "liangmian", "2F": "liangmian"}),
        ("78T123B789B111W99W", "1F",
         {"6T": "liangmian", "9T": "liangmian", "1F": "liangmian", "2F": "liangmian"}),
        # 对倒: two pairs
        ("11T123B789B111W99W", "1F",
         {"9W": "duidao", "1T": "duidao", "1F": "duidao", "2F": "duidao"}),
        # 单吊: a natural tile for the pair
        ("4T123B789B111W999W", "1F", {"4T": "dandiao", "1F": "dandiao", "2F": "dandiao"}),
    ],
)  # fmt: skip
def test_names_of_waits(text, flip, expected):
    assert shapes(text, flip) == expected


def test_an_open_end_whose_other_end_is_wild_is_kandan():
    """004: with 三万 四万 wild, 五六 waits for 七 alone."""
    found = shapes("56W123B789B111T99T", "3W")
    assert found == {"3W": found["3W"], "4W": found["4W"], "7W": "kandan"}
    # 2W and 3W wild: of 四五, 三 is wild, so that 六 is the only end.
    assert shapes("45W123B789B111T99T", "2W")["6W"] == "kandan"
    assert shapes("45W123B789B111T99T", "6T")["6W"] == "liangmian"
    # One wild kind only leaves the other end open.
    one = tjmj.rules("tianjin", wild_kinds=1)
    found = shapes("56W123B789B111T99T", "3W", one)
    assert (found["4W"], found["7W"]) == ("liangmian", "liangmian")


def test_hundiao_waits_for_any_tile():
    found = shapes("123W234789T456B1F", "1F")
    assert set(found) == set(NAMES[:34])
    assert set(found.values()) == {"hundiao"}
    found = shapes("123W789T456B12F33J", "1F")  # 双混吊
    assert set(found) == set(NAMES[:34])
    assert set(found.values()) == {"hundiao"}


def test_a_group_inside_the_dragon_is_no_hundiao():
    """Two wildcards and 9W as 789万 of the dragon: the element is not there, so neither is the name."""
    found = waits("123456W123B11T12F", "1F")
    named = {name: (found[name].elements, found[name].shape) for name in ("7W", "8W", "9W", "2T")}
    assert named == {
        "7W": (("long",), "kandan"),  # 7 of 789 has no other end
        "8W": (("long",), "kandan"),
        "9W": (("long",), "liangmian"),
        "2T": (("hundiao",), "hundiao"),
    }


def test_the_best_reading_names_the_wait():
    """五 pairs the other 五 (单吊), or goes between 四 and 六 (坎单): in 万 捉五 is the better reading."""
    wan, tiao = waits("4556W123B789B111T", "1F"), waits("4556T123B789B111W", "1F")
    assert (wan["5W"].fan, wan["5W"].shape) == (6, "kandan")
    assert (tiao["5T"].fan, tiao["5T"].shape) == (2, "dandiao")


def test_of_equal_readings_the_first_name_in_order_counts():
    """The order is 混吊, 单吊, 对倒, 坎单, 两面."""
    # 4T pairs beside 333, 2T and 5T end 34 beside the pair 33.
    assert shapes("3334T123B789B111W", "1F") == {
        "2T": "liangmian", "4T": "dandiao", "5T": "liangmian", "1F": "dandiao", "2F": "dandiao",
    }  # fmt: skip
    # 2T pairs beside 111, 3T is the only end of 12 beside the pair 11.
    assert shapes("1112T123B789B111W", "1F") == {
        "2T": "dandiao", "3T": "kandan", "1F": "dandiao", "2F": "dandiao",
    }  # fmt: skip
    # 3T makes 333 beside 123, or is the only end of 12 beside 333.
    assert shapes("12333T123B789B99W", "1F")["3T"] == "duidao"
    # 5T goes between 4 and 6 beside 345, or is an end of 34 beside 456.
    assert shapes("34456T123B789B11W", "1F")["5T"] == "kandan"


# A mapping


def test_waits_are_a_mapping_in_canonical_order():
    found = waits(HAND, "1F")
    assert isinstance(found, Mapping)
    assert list(found) == list(found.keys()) == ["5W", "9T", "1F", "2F"]
    assert (len(found), bool(found)) == (4, True)
    assert list(found.values()) == [found[name] for name in found]
    assert list(found.items()) == [(name, found[name]) for name in found]
    assert dict(found) == {name: found[name] for name in found}
    assert found.kinds == TileSet(tjmj.parse_tiles("5W9T12F"))
    assert found.hand == tjmj.Hand.parse(HAND, "1F")
    assert found.keys() & {"5W", "1W"} == {"5W"}


@pytest.mark.parametrize("tile", ["5W", "5w", "W5", "五万", "伍萬", 4])
def test_a_wait_is_found_by_any_spelling_of_its_tile(tile):
    found = waits(HAND, "1F")
    assert tile in found
    assert found[tile] == found.get(tile) == found["5W"]


@pytest.mark.parametrize(
    "tile", ["1W", "5X", "", "5W5W", "5W+", "8H", 0, 41, 42, -1, 2**70, None, 4.0, 4.5, (4,), [4]]
)
def test_what_is_no_wait_is_not_found(tile):
    found = waits(HAND, "1F")
    assert tile not in found
    assert found.get(tile) is None and found.get(tile, 7) == 7
    with pytest.raises(KeyError):
        found[tile]


def test_a_hand_that_waits_for_nothing():
    found = waits("159W159T159B1234F", "3J")
    assert (len(found), bool(found), list(found), dict(found)) == (0, False, [], {})
    assert "waits for nothing" in str(found)


def test_each_wait_is_a_line_for_people():
    found = waits(HAND, "1F")
    assert str(found).splitlines() == [str(one) for one in found.values()]
    assert str(found["5W"]) == "5W (4 left): 捉五 3 fan"


# Values


@given(cases(waiting=True))
def test_waits_are_made_again_from_what_they_show(case):
    """Dead waits and their scores included."""
    found = waits(case.hand)
    for again in (eval(repr(found), {"tjmj": tjmj}), pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert again == found and hash(again) == hash(found) and answer(again) == answer(found)
    dead = [one for one in found.values() if one.left == 0]
    for one in [*found.values()][:2] + dead:
        for value in (one, one.score, one.score.hand):
            for again in (eval(repr(value), {"tjmj": tjmj}), pickle.loads(pickle.dumps(value))):
                assert again == value and hash(again) == hash(value) and type(again) is type(value)
        assert isinstance(one, Wait)
        assert [other for other in found.values() if other == one] == [found[one.kind]]


def test_waits_differ_by_hand():
    made = [waits(HAND, "1F"), waits(HAND, "4F"), waits(HAND, "1F", "tianjin-hall")]
    made.append(waits("46W123B789B111T99T", "1F"))
    assert len(set(made)) == len(made)
    assert made[0] != dict(made[0]) and made[0]["5W"] != "5W"
    assert len({one for found in made for one in found.values()}) == sum(map(len, made))


@pytest.mark.parametrize("attribute", ["hand", "kinds", "new"])
def test_waits_do_not_change(attribute):
    found = waits(HAND, "1F")
    with pytest.raises(AttributeError):
        setattr(found, attribute, 0)
    with pytest.raises(TypeError):
        found["5W"] = 0


@pytest.mark.parametrize("attribute", ["hand", "kind", "left", "score", "shape", "legal", "fan", "new"])
def test_a_wait_does_not_change(attribute):
    one = waits(HAND, "1F")["5W"]
    with pytest.raises(AttributeError):
        setattr(one, attribute, 0)


def test_a_hand_or_its_text():
    hand = tjmj.Hand.parse(HAND, "1F")
    assert waits(hand) == waits(HAND, "1F") == waits(HAND, flip=27, rules="tianjin")
    assert waits("46m123789p1119s1z", "1z", notation="mpsz") == waits(hand)
    for beside in ({"flip": "1F"}, {"rules": "tianjin"}, {"notation": "mpsz"}):
        with pytest.raises(TypeError, match="knows"):
            waits(hand, **beside)
    with pytest.raises(NotationError):
        waits("46X", "1F")
    for wrong in (None, 5, b"46W"):
        with pytest.raises(TypeError):
            waits(wrong, "1F")


def test_flowers_are_waited_for():
    """死混儿: a flower in the hand is the only copy."""
    found = waits("46W123B789B11T9T1T1H", "1F", FLOWERS)
    assert {name: one.left for name, one in found.items() if name.endswith("H")} == {
        f"{rank}H": int(rank > 1) for rank in range(1, 9)
    }
    assert found["2H"].elements == ("zhuowu",)
    assert Case("46W123B789B11T9T1T1H", "1F", FLOWERS).hand == found.hand
