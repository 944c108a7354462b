"""Fan of a winning hand (tianjin sections 4 and 5): golden hands, every trap by name, true readings."""

from __future__ import annotations

import copy
import json
import pathlib
import pickle
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import check_reading, is_win
from strategies import Case, cases

import tjmj
from tjmj import Group, HandError, RulesError, Score, TileSet, score
from tjmj.tiles import NAMES

GOLDEN = pathlib.Path(__file__).parent / "golden"
CIRCUMSTANCES = ("kong_draw", "heavenly", "earthly", "ready")

STREET = tjmj.rules("tianjin-street")
PLAIN = tjmj.rules("tianjin", plain_dragon=True)
FLOWERS = tjmj.rules("tianjin", flower_wilds=True)


def lines(name: str) -> list[dict[str, Any]]:
    with open(GOLDEN / name, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def case_of(line: dict[str, Any]) -> Case:
    flags = {name: True for name in CIRCUMSTANCES if line.get(name)}
    return Case(line["hand"], line["flip"], tjmj.rules("tianjin"), flags)


def answer(made: Score) -> dict[str, Any]:
    return {"win": made.win, "legal": made.legal, "fan": made.fan, "elements": list(made.elements)}


FAN_TABLE = lines("tianjin_fan_table.jsonl")
REPORTED = lines("tianjin_reported.jsonl")
RANDOM = lines("tianjin_random.jsonl")


@pytest.mark.parametrize("line", FAN_TABLE, ids=lambda line: f"{line['name']}: {line['hand']}")
def test_every_row_of_the_published_fan_tables(line):
    assert answer(case_of(line).score) == line["want"]


@pytest.mark.parametrize("line", REPORTED, ids=lambda line: line["hand"])
def test_situations_that_other_engines_got_wrong(line):
    assert answer(case_of(line).score) == line["want"]


def test_random_golden_hands():
    wrong = [(line, answer(case_of(line).score)) for line in RANDOM]
    assert [(line, got) for line, got in wrong if got != line["want"]] == []
    assert len(wrong) == 2000


def test_readings_of_all_golden_hands_are_true():
    for line in FAN_TABLE + REPORTED + RANDOM:
        case = case_of(line)
        made = case.score
        if made.win:
            check_reading(made, case.keys)
        else:
            assert (made.reading, made.shape, made.elements, made.name) == (None, None, (), ""), line


@given(cases())
def test_readings_are_true(case):
    """Section 5: a reading lays out exactly the hand, and all elements come from this one reading."""
    made = case.score
    assert made.win == is_win(case.hand)
    assert made.legal == (made.fan >= case.rules.min_fan)
    if made.win:
        check_reading(made, case.keys)
    else:
        assert (made.fan, made.elements, made.reading, made.shape, made.name) == (0, (), None, None, "")


# Each trap of section 5. A case: hand, flipped tile, fan, elements; PLAIN and others name the rules.


def check(
    text: str, flip: str | int, fan: int, elements: str, rules: Any = "tianjin", **circumstances: bool
) -> Score:
    made = score(text, flip, rules, **circumstances)
    assert (made.fan, " ".join(made.elements)) == (fan, elements), f"\n{made}"
    check_reading(made, Case(text, flip, made.hand.rules, circumstances).keys)
    return made


@pytest.mark.parametrize(
    ("text", "flip", "fan", "elements"),
    [
        ("46W123B789B111T99T+5W", "1F", 6, "su zhuowu"),
        ("46W123B789B11T9T1F1T+5W", "1F", 3, "zhuowu"),
        ("4W123B789B111T99T1F+5W", "1F", 3, "zhuowu"),  # 6W is a wildcard
        ("6W123B789B111T99T2F+5W", "1F", 3, "zhuowu"),  # 4W is one
        ("46W123B789B111T99T+1F", "1F", 3, "zhuowu"),  # the winning one is one
        ("6W123B789B111T99T2F+1F", "1F", 3, "zhuowu"),  # and two of the three
        ("46T123B789B111W99W+5T", "1F", 2, "diliu su"),  # 五万 only
        ("56W123B789B111T99T+4W", "1F", 2, "diliu su"),  # the middle only
        ("67W123B789B111T99T+5W", "1F", 2, "diliu su"),
        ("34W123B789B111T99T+5W", "1F", 2, "diliu su"),
        ("55W123B789B111T99T+5W", "1F", 2, "diliu su"),
        ("5W123B789B111T999T+5W", "1F", 2, "diliu su"),  # not in the pair
    ],
)
def test_zhuowu_is_the_middle_of_456_wan(text, flip, fan, elements):
    check(text, flip, fan, elements)


def test_zhuowu_does_not_ask_for_a_sole_wait():
    """Other waits do not matter: 双混捉5 waits on everything."""
    waiting = "789T123456B1233F"
    check(waiting + "+5W", "1F", 6, "hundiao zhuowu")
    assert len(tjmj.waits(waiting, "1F")) == 34


def test_zhuowu_is_the_drawn_five_only():
    """A 五 that lay in the hand or was ponged is none."""
    check("456W123B789B111T9T+9T", "1F", 2, "diliu su")
    check("[555W]123W34T45699B+2T", "1F", 2, "diliu su")


def test_benhun_doubles_a_dragon_and_never_adds_eight():
    """捉五 + 本混龙 = 14, not 3 + 8."""
    check("123789W46W11T123B+5W", "9W", 14, "benhun long zhuowu")
    check("123789W46W11T123B+5W", "1F", 14, "long su zhuowu")
    check("12456789W11T123B+3W", "9W", 8, "benhun long")
    check("12456789W11T123B+3W", "1F", 8, "long su")


def test_benhun_needs_the_dragon_in_the_wildcards_suit():
    check("12346789W11T12B1F+5W", "1F", 7, "long zhuowu")
    check("12346789T11W12B9B+5T", "8B", 4, "long")
    check("12346789T11W12B9T+5T", "8T", 8, "benhun long")


def test_single_and_double_hundiao_never_multiply():
    """One ×2, also where two wildcards could show the one or the other."""
    assert check("123W234789T456B1F+9B", "1F", 2, "hundiao").name == "混吊"
    assert check("123W789T456B12F33J+9B", "1F", 2, "hundiao").name in ("混吊", "双混吊")
    assert check("789T456B122F33J11T+9B", "1F", 2, "hundiao").name in ("混吊", "双混吊")


def test_zhuowu_with_hundiao_is_always_double():
    """Two wildcards and 五 as 四五六; a single 混吊 is a pair, which no 捉五 is in."""
    made = check("789T123456B33F12F+5W", "1F", 6, "hundiao zhuowu")
    (winning,) = [group for group in made.reading if group.win is not None]
    assert (winning.face, winning.win, winning.wild) == ("456W", 1, (True, False, True))
    assert made.name == "双混吊捉五"
    # One wildcard: 五 beside it is 混吊, 五 between 四六 is 捉五 and the better; never both.
    check("456W123B789B111T1F+5W", "1F", 3, "zhuowu")


def test_456_wan_may_lie_in_the_dragon():
    check("12346789W11T123B+5W", "1F", 14, "long su zhuowu")
    check("1234789W11T123B1F+5W", "1F", 7, "long zhuowu")


def test_456_wan_in_the_dragon_is_no_hundiao():
    """混吊 with 龙 only where the winning tile's group is not one of the dragon's three."""
    made = check("123789W11T123B12F+5W", "1F", 7, "long zhuowu")
    assert made.name == "捉五龙"
    # With a second 456万 beside the dragon both count.
    made = check("123456789W11T12F+5W", "1F", 14, "hundiao long zhuowu")
    assert made.name == "双混吊捉五龙"


def test_a_dragon_with_hundiao_must_stand_whatever_is_drawn():
    check("123456W789W123B1F+9T", "1F", 8, "hundiao long")
    # 789万 by the drawn 9万 and two wildcards is no 混吊; drawn elsewhere there is no 龙.
    check("123456W123B11T12F+9W", "1F", 4, "long")
    check("123456W123B11T12F+2T", "1F", 2, "hundiao")


def test_the_winning_tile_may_be_a_wildcard():
    check("123W234789T456B1F+2F", "1F", 2, "hundiao")
    # Three wildcards are 四五六万 with the winning one in the middle.
    check("123W789T456B12F33J+1F", "1F", 6, "hundiao zhuowu")


def test_su_is_no_wildcard_anywhere():
    check("123W34789T45699B+2T", "1F", 2, "diliu su")
    check("123W34789T4569B1F+2T", "1F", 1, "diliu")
    # A wildcard stays one where it is used as its own face (section 2).
    check("123W34789T45699B+2T", "9T", 1, "diliu")


def test_a_gold_kong_ends_su():
    check("[8888T]123W34T45699B+2T", "1F", 2, "diliu su")
    made = check("{2222F}123W34T45699B+2T", "1F", 1, "diliu")
    assert (made.legal, made.kong_value) == (False, 4)
    made = check("[2222F]123W34T45699B+2T", "1F", 2, "diliu gangkai", kong_draw=True)
    assert (made.legal, made.kong_value) == (True, 4)


@pytest.mark.parametrize("flip", NAMES[:9])
def test_su_and_benhun_never_meet(flip):
    """A dragon of the wildcards' suit has wild kinds in it."""
    made = score("12346789W11T123B+5W", flip)
    assert "benhun" in made.elements and "su" not in made.elements


def test_gangkai_doubles_once_however_many_kongs():
    check("[8888T]{1111B}123W34T99B+2T", "1F", 4, "diliu gangkai su", kong_draw=True)
    check("[8888T]{1111B}123W34T99B+2T", "1F", 2, "diliu su")


def test_gangkai_and_tianhu_with_the_plain_shape_may_win():
    """杠开 + 提溜 (2) and 天和 + 提溜 (4)."""
    made = check("{8888T}123W34T4569B1F+2T", "1F", 2, "diliu gangkai", kong_draw=True)
    assert made.legal and made.name == "杠开提溜"
    made = check("77W234789T1299B1F+7W", "1F", 4, "diliu tianhu", heavenly=True)
    assert made.legal and made.name == "天和提溜"


def test_diliu_alone_is_one_fan_and_may_not_win():
    made = check("123W34789T4569B1F+2T", "1F", 1, "diliu")
    assert (made.win, made.legal, made.name) == (True, False, "提溜")


def test_the_greatest_hand_is_112():
    """000's "102" is 4 × 28."""
    made = check("123455678889W3F+3F", "8W", 112, "benhun hundiao long tianhu zhuowu", heavenly=True)
    assert made.name == "天和双混吊本混捉五龙"


def test_gangkai_with_double_hundiao_zhuowu_and_dragon_cannot_exist():
    """002's row 32: beside a kong the dragon takes all sets, so 捉五 lies in it and is no 混吊."""
    check("[8888T]123789W33F12F+5W", "1F", 14, "gangkai long zhuowu", kong_draw=True)


def test_readings_that_tie_give_the_keys_that_come_first():
    # The wildcards' 条 dragon with the drawn 9T is 8, the 饼 dragon beside 9T 混吊 too.
    check("123T555666T1234B+9T", "5T", 8, "benhun long")
    # Likewise 14: 捉五 inside the 万 dragon, or as 双混吊 beside the 条 one.
    three = tjmj.rules("tianjin", wild_kinds=3)
    check("1W1234T77888999W+5W", "7W", 14, "benhun long zhuowu", three)


def test_tianhu_chooses_the_winning_tile():
    """Any of the 14 may count: with 五 as the last tile it is 捉五, whichever was written last."""
    for text in ("456W123B789B111T99T", "456W123B789B111T9T+9T", "456W123B789B11T99T+1T"):
        made = check(text, "1F", 24, "su tianhu zhuowu", heavenly=True)
        (winning,) = [group for group in made.reading if group.win is not None]
        assert (winning.face, winning.win) == ("456W", 1)
    check("456W123B789B111T9T+9T", "1F", 2, "diliu su")
    check("123W34789T4569B1F+2T", "1F", 8, "hundiao tianhu", heavenly=True)  # 9B beside the wildcard


def test_tianhu_needs_no_plus_and_other_hands_do():
    with pytest.raises(HandError, match="which tile won"):
        score("456W123B789B111T99T", "1F")
    with pytest.raises(HandError, match="waits"):
        score("46W123B789B111T99T", "1F")
    with pytest.raises(HandError, match="waits"):
        score("46W123B789B111T99T", "1F", heavenly=True)


@pytest.mark.parametrize("min_fan", [1, 2, 3, 4])
def test_min_fan_decides_what_may_win(min_fan):
    """Section 4."""
    rules = tjmj.rules("tianjin", min_fan=min_fan)
    for text, fan in (("123W34789T4569B1F+2T", 1), ("123W34789T45699B+2T", 2), ("46W34789T4569B1F2T+5W", 3)):
        made = score(text, "1F", rules)
        assert (made.fan, made.legal) == (fan, fan >= min_fan)
    incomplete = score("123W34789T45699B+9W", "1F", rules)
    assert (incomplete.win, incomplete.legal, incomplete.fan) == (False, False, 0)


def test_kong_points_do_not_help_to_win():
    """Section 4: kong points not counted."""
    made = score("{8888T}123W34T4569B1F+2T", "1F")
    assert (made.fan, made.kong_value, made.legal) == (1, 2, False)


@pytest.mark.parametrize(
    ("factor", "mode", "fan"),
    [(4, "times", 24), (4, "plus", 10), (1, "times", 6), (7, "plus", 13), (1000, "times", 6000)],
)
def test_heavenly_factor_and_mode(factor, mode, fan):
    """`plus`: added after everything else is multiplied; 地和 as 天和."""
    rules = tjmj.rules("tianjin", heavenly_factor=factor, heavenly_mode=mode, earthly=True)
    check("456W123B789B111T99T", "1F", fan, "su tianhu zhuowu", rules, heavenly=True)
    check("46W123B789B111T99T+5W", "1F", fan, "dihu su zhuowu", rules, earthly=True)


def test_plus_is_added_after_the_ready_hand_doubled():
    rules = tjmj.rules("tianjin-street", heavenly_mode="plus")
    check("46W123B789B111T99T+5W", "1F", 16, "dihu su tianting zhuowu", rules, earthly=True, ready=True)


def test_earthly_takes_the_drawn_tile_as_the_winning_one():
    check("46W123B789B111T99T+5W", "1F", 24, "dihu su zhuowu", STREET, earthly=True)
    check("456W123B789B111T9T+9T", "1F", 8, "dihu diliu su", STREET, earthly=True)


def test_heavenly_ready_doubles():
    check("456W123B789B111T9T+9T", "1F", 4, "diliu su tianting", STREET, ready=True)
    both = {"earthly": True, "ready": True}
    made = check("46W123B789B111T99T+5W", "1F", 48, "dihu su tianting zhuowu", STREET, **both)
    assert made.name == "地和天听素捉五"


# 素本龙


def test_plain_dragon_is_16_and_28_with_zhuowu():
    """The wildcards are one of each wild kind, each its own face in the dragon."""
    check("12456789W11T123B+3W", "1W", 16, "benhun long suben", PLAIN)
    check("12346789W11T123B+5W", "1W", 28, "benhun long suben zhuowu", PLAIN)
    assert score("12456789W11T123B+3W", "1W", PLAIN).name == "本混素本龙"
    assert score("12346789W11T123B+5W", "1W", PLAIN).name == "本混素本捉五龙"


def test_a_five_beside_a_plain_dragon_counts_only_between_four_and_six():
    check("123456789T111B5W+5W", "1T", 16, "benhun long suben", PLAIN)
    check("123456789T11B46W+5W", "1T", 28, "benhun long suben zhuowu", PLAIN)


def test_plain_dragon_is_off_where_the_rules_have_none():
    check("12456789W11T123B+3W", "1W", 8, "benhun long")
    check("12456789W11T123B+3W", "1W", 8, "benhun long", "tianjin-hall")
    check("12456789W11T123B+3W", "1W", 16, "benhun long suben", "tianjin-street")


def test_plain_dragon_with_gangkai():
    check("{8888T}12456789W11T+3W", "1W", 32, "benhun gangkai long suben", PLAIN, kong_draw=True)


def test_the_winning_tile_of_a_plain_dragon_may_be_a_wildcard_as_itself():
    check("12345678W11T123B+9W", "9W", 16, "benhun long suben", PLAIN)
    check("12346789W11T123B+5W", "5W", 28, "benhun long suben zhuowu", PLAIN)


@pytest.mark.parametrize(
    ("text", "flip", "fan", "elements", "why"),
    [
        ("12456789W11T123B+3W", "1F", 8, "long su", "no wildcard at all"),
        ("12456789W11T123B+3W", "1B", 4, "long", "the dragon is not the wildcards'"),
        ("11245678W11T123B+3W", "9W", 8, "benhun long", "1W twice, once as 9W"),
        ("112456789W11T12B+3W", "1W", 8, "benhun long", "a third wildcard, as 3B"),
        ("{2222W}113456789W1T+1T", "1W", 8, "benhun long", "a gold kong, and 1W as 2W"),
    ],
)
def test_what_rules_a_plain_dragon_out(text, flip, fan, elements, why):
    check(text, flip, fan, elements, PLAIN)


@pytest.mark.parametrize(("count", "flip"), [(1, "3W"), (2, "9W"), (3, "8W"), (3, "4W")])
def test_plain_dragon_with_any_number_of_wild_kinds(count, flip):
    """One of each wild kind, cycles included."""
    rules = tjmj.rules("tianjin", plain_dragon=True, wild_kinds=count)
    check("12346789W11T123B+5W", flip, 28, "benhun long suben zhuowu", rules)


def test_a_flower_rules_a_plain_dragon_out():
    rules = tjmj.rules("tianjin", plain_dragon=True, flower_wilds=True)
    check("12456789W11T123B+3W", "1W", 16, "benhun long suben", rules)
    check("12456789W1T123B1H+3W", "1W", 8, "benhun long", rules)
    check("12456789W11T12B1H+3W", "1W", 8, "benhun long", rules)


# Other wildcards


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("wind", [1, 2, 3, 4])
def test_wild_kinds_one_two_and_three(count, wind):
    """1F is flipped: 2F is wild where two kinds are, 3F where three are."""
    rules = tjmj.rules("tianjin", wild_kinds=count)
    made = score(f"123W34789T4569B{wind}F+2T", "1F", rules)
    assert (made.win, made.fan) == ((True, 1) if wind <= count else (False, 0))


def test_flowers_are_wildcards():
    """死混儿: they stand for any tile and for no flower."""
    check("123W34789T4569B1H+2T", "1F", 1, "diliu", FLOWERS)
    check("46W123B789B11T9T1H1T+5W", "1F", 3, "zhuowu", FLOWERS)
    check("789T123456B33F18H+5W", "1F", 6, "hundiao zhuowu", FLOWERS)
    check("123456789W111T1H+9B", "1F", 8, "hundiao long", FLOWERS)


def test_a_flipped_flower_leaves_no_wildcards_suit():
    """Only the flowers are wild then, so no 本混."""
    check("1246789W11T123B1H+5W", "9W", 14, "benhun long zhuowu", FLOWERS)
    check("1246789W11T123B1H+5W", "8H", 7, "long zhuowu", FLOWERS)
    check("12346789W11T123B+5W", "8H", 14, "long su zhuowu", FLOWERS)


def test_without_a_flipped_tile_nothing_is_wild():
    """A hand without wildcards is worth the same whatever honour is flipped, or none."""
    for line in RANDOM:
        case = case_of(line)
        tiles = tjmj.parse_tiles(re.sub(r"[\[\]{}+]", "", case.text))
        if case.hand.flip >= 27 and case.hand.wild.isdisjoint(TileSet(tiles)):
            assert answer(score(case.text, -1, **case.circumstances)) == line["want"], line
    check("46W123B789B111T99T+5W", -1, 6, "su zhuowu")
    check("123W34789T45699B+2T", -1, 2, "diliu su")


# What is said beside the fan


@pytest.mark.parametrize(
    ("melds", "rest", "value"),
    [
        ("", "123W34789T45699B+2T", 0),
        ("[888T]", "123W34T45699B+2T", 0),
        ("[8888T]", "123W34T45699B+2T", 1),
        ("{8888T}", "123W34T45699B+2T", 2),
        ("{2222F}", "123W34T45699B+2T", 4),
        ("[2222F]", "123W34T45699B+2T", 4),
        ("[8888T]{7777B}", "123W34T99B+2T", 3),
        ("{2222F}{9999W}[8888T]", "34T99B+2T", 7),
    ],
)
def test_kong_value(melds, rest, value):
    """Section 6: exposed and added 1, concealed 2, gold 4; never multiplied by elements."""
    assert score(melds + rest, "1F").kong_value == value


def test_kong_values_are_options():
    rules = tjmj.rules("tianjin", exposed_kong=3, concealed_kong=5, gold_kong=11)
    assert score("{2222F}{9999W}[8888T]34T99B+2T", "1F", rules).kong_value == 19


@pytest.mark.parametrize(
    ("text", "flip", "circumstances", "name", "formula"),
    [
        ("123W34789T4569B1F+2T", "1F", "", "提溜", "提溜 1 = 1"),
        ("123W34789T45699B+2T", "1F", "", "素提溜", "提溜 1 × 素 2 = 2"),
        ("46W123B789B111T99T+5W", "1F", "", "素捉五", "捉五 3 × 素 2 = 6"),
        ("123W234789T456B1F+9B", "1F", "", "混吊", "混吊 2 = 2"),
        ("[8888T]123W234T456B1F+9B", "1F", "kong_draw", "杠开混吊", "混吊 2 × 杠开 2 = 4"),
        ("123789W46W11T23B9W+5W", "9W", "", "本混捉五龙", "(捉五 3 + 龙 4) × 本混 2 = 14"),
        ("12346789W11T12B1F+5W", "1F", "", "捉五龙", "捉五 3 + 龙 4 = 7"),
        ("[8888T]12346789W1F1T+5W", "1F", "kong_draw", "杠开捉五龙", "(捉五 3 + 龙 4) × 杠开 2 = 14"),
        ("123W234789T456B1F+9B", "1F", "heavenly", "天和混吊", "混吊 2 × 天和 4 = 8"),
        ("123455678889W3F+3F", "8W", "heavenly", "天和双混吊本混捉五龙",
         "(捉五 3 + 龙 4) × 混吊 2 × 本混 2 × 天和 4 = 112"),
    ],
)  # fmt: skip
def test_names_and_formulas(text, flip, circumstances, name, formula):
    """Section 5: the name says its elements in the given order; the formula how the fan comes about."""
    made = score(text, flip, **dict.fromkeys(circumstances.split(), True))
    assert (made.name, made.formula) == (name, formula)
    assert name in str(made) and formula in str(made) and f"{made.fan} fan" in str(made)


def test_names_and_formulas_of_the_street():
    rules = tjmj.rules("tianjin-street", heavenly_mode="plus")
    made = score("12346789W11T123B+5W", "1W", rules, earthly=True, ready=True)
    assert made.name == "地和天听本混素本捉五龙"
    assert made.fan == 60 and made.formula.endswith(" + 地和 4 = 60")


@given(cases())
def test_a_formula_is_right(case):
    made = case.score
    if made.win:
        numbers, result = made.formula.split(" = ")
        for sign, python in (("×", "*"), ("+", "+")):
            numbers = numbers.replace(sign, python)
        arithmetic = "".join(char for char in numbers if char in "0123456789+*() ")
        assert eval(arithmetic) == int(result) == made.fan
        assert ("双混吊" in made.name) <= ("混吊" in made.name) == ("hundiao" in made.elements)


def test_str_says_what_is_too_little_and_what_is_not_complete():
    assert "min_fan 2" in str(score("123W34789T4569B1F+2T", "1F"))
    assert "not complete" in str(score("123W34789T45699B+9W", "1F"))
    assert "kongs 2" in str(score("{8888T}123W34T4569B1F+2T", "1F"))


# Circumstances that cannot be


@pytest.mark.parametrize(
    ("text", "rules", "circumstances"),
    [
        ("123W34789T45699B+2T", "tianjin", "kong_draw"),
        ("[888T]123W34T45699B+2T", "tianjin", "kong_draw"),  # a pong is no kong
        ("[888T]123W34T45699B+2T", "tianjin", "heavenly"),
        ("{8888T}123W34T45699B+2T", "tianjin", "heavenly"),
        ("{8888T}123W34T45699B+2T", "tianjin", "heavenly kong_draw"),
        ("123W34789T45699B+2T", "tianjin", "earthly"),
        ("123W34789T45699B+2T", "tianjin", "ready"),
        ("123W34789T45699B+2T", "tianjin-hall", "earthly"),
        ("123W34789T45699B+2T", "tianjin-hall", "ready"),
        ("{8888T}123W34T45699B+2T", "tianjin-street", "earthly"),
        ("[888T]123W34T45699B+2T", "tianjin-street", "ready"),
        ("{8888T}123W34T45699B+2T", "tianjin-street", "ready kong_draw"),
        ("123W34789T45699B+2T", "tianjin-street", "heavenly earthly"),
        ("123W34789T45699B+2T", "tianjin-street", "heavenly ready"),
        ("123W34789T45699B+2T", "tianjin-street", "heavenly earthly ready"),
        ("123W34789T45699B+2T", "tianjin-street", "ready kong_draw"),
    ],
)
def test_circumstances_that_cannot_be(text, rules, circumstances):
    with pytest.raises(RulesError):
        score(text, "1F", rules, **dict.fromkeys(circumstances.split(), True))
    # An incomplete hand is refused just so.
    with pytest.raises(RulesError):
        score(text.replace("+2T", "+9W"), "1F", rules, **dict.fromkeys(circumstances.split(), True))


# Values


@given(cases())
def test_a_score_is_made_again_from_what_it_shows(case):
    made = case.score
    for again in (eval(repr(made), {"tjmj": tjmj}), pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert again == made and hash(again) == hash(made)
        assert answer(again) == answer(made)
        assert (again.reading, again.shape, again.name) == (made.reading, made.shape, made.name)
    assert score(case.hand, **case.circumstances) == made
    for group in made.reading or ():
        again = pickle.loads(pickle.dumps(group))
        assert again == group and hash(again) == hash(group) and str(again) == str(group)


def test_scores_differ_in_hand_and_circumstances():
    made = [
        score("46W123B789B111T99T+5W", "1F"),
        score("46W123B789B111T99T+5W", "1F", heavenly=True),
        score("46W123B789B111T99T+5W", "1F", STREET),
        score("46W123B789B111T99T+5W", "1F", STREET, earthly=True),
        score("46W123B789B111T99T+5W", "1F", STREET, ready=True),
        score("46W123B789B111T99T+5W", "1F", STREET, earthly=True, ready=True),
        score("46W123B789B111T99T+5W", "2F"),
        score("{1111T}46W123B99T789B+5W", "1F"),
        score("{1111T}46W123B99T789B+5W", "1F", kong_draw=True),
    ]
    assert len(set(made)) == len(made)
    assert made[0] != made[0].hand


@pytest.mark.parametrize("attribute", ["hand", "win", "legal", "fan", "elements", "name", "reading", "new"])
def test_a_score_does_not_change(attribute):
    made = score("46W123B789B111T99T+5W", "1F")
    with pytest.raises(AttributeError):
        setattr(made, attribute, 0)


@pytest.mark.parametrize("attribute", ["type", "faces", "tiles", "win", "meld", "wild", "face", "new"])
def test_a_group_does_not_change(attribute):
    group = score("46W123B789B111T99T+5W", "1F").reading[0]
    with pytest.raises(AttributeError):
        setattr(group, attribute, 0)


def test_a_group_says_what_stands_for_what():
    made = score("4W123B789B111T99T1F+5W", "1F")
    winning = made.reading[0]
    assert isinstance(winning, Group)
    assert (winning.type, winning.face, winning.meld, winning.win) == ("sequence", "456W", None, 1)
    assert [NAMES[kind] for kind in winning.faces] == ["4W", "5W", "6W"]
    assert [NAMES[kind] for kind in winning.tiles] == ["4W", "5W", "1F"]
    assert winning.wild == (False, False, True)
    assert str(winning) == "4W +5W 1F=6W"
    assert winning != made.reading[1] and winning != "456W"


def test_melds_come_first_in_a_reading():
    made = score("[888T]{1111B}123W34T99B+2T", "1F")
    assert [(group.type, group.meld, group.face) for group in made.reading[:2]] == [
        ("triplet", "exposed", "888T"), ("kong", "concealed", "1111B"),
    ]  # fmt: skip


# Ways to ask


def test_a_hand_or_its_text():
    hand = tjmj.Hand.parse("46W123B789B111T99T+5W", "1F", STREET)
    assert score(hand) == score("46W123B789B111T99T+5W", "1F", STREET)
    assert score(hand) == score("46W123B789B111T99T+5W", flip=27, rules="tianjin-street")
    assert score("46m123p789p111s99s+5m", "1z", "tianjin-street", notation="mpsz") == score(hand)
    for beside in ({"flip": "1F"}, {"rules": "tianjin"}, {"notation": "mpsz"}):
        with pytest.raises(TypeError, match="knows"):
            score(hand, **beside)
    for wrong in (None, 5, b"46W", ["46W"]):
        with pytest.raises(TypeError):
            score(wrong, "1F")
    with pytest.raises(TypeError):
        score("46W123B789B111T99T+5W", "1F", "tianjin", True)


@given(cases(), st.permutations(range(5)))
def test_the_order_of_the_tiles_does_not_matter(case, order):
    """A reading is chosen by the tiles alone; only the winning one stands apart."""
    tiles = [NAMES[kind] for kind in case.hand.concealed]
    mixed = "".join("".join(tiles[place::5]) for place in order)
    win = "" if case.hand.win is None else f"+{NAMES[case.hand.win]}"
    text = "".join(map(str, case.hand.melds)) + mixed + win
    assert score(text, case.flip, case.rules, **case.circumstances) == case.score


def test_circumstances_are_true_or_false():
    with pytest.raises(TypeError, match="kong_draw must be bool, not 1"):
        score("46W123B789B11T9T1F1T+5W", flip="1F", kong_draw=1)
