"""Points of a winning hand of Jintan mahjong (jintan, "Winning" and "Counting").

Golden hands, each sentence by hands written out, the reference on random ones, true readings.
"""

from __future__ import annotations

import json
import pathlib
import random
from collections import Counter
from typing import Any

import pytest
from jintan_hands import Case, answer, any_case, check_reading

import tjmj
from tjmj import HandError, RulesError, score

GOLDEN = pathlib.Path(__file__).parent / "golden" / "jintan_random.jsonl"
PLAIN = "123W456T789B11T23B+4B"
"""鸡胡 without flowers."""


def check(text: str, elements: str, flowers: int, points: int, source: str = "self", laid_out: int = 0,
          **options: int) -> tjmj.Score:  # fmt: skip
    """The score of a hand, with a true reading, and the reference's too."""
    case = Case(text, source, laid_out, options)
    made = case.score
    assert (" ".join(made.elements), made.flowers, made.points) == (elements, flowers, points), f"\n{made}"
    check_reading(case, made)
    assert answer(made) == case.wanted
    return made


def incomplete(text: str) -> None:
    case = Case(text)
    made = case.score
    assert answer(made) == case.wanted == answer_of_nothing()
    assert (made.reading, made.shape, made.name) == (None, None, "")


def answer_of_nothing() -> dict[str, Any]:
    return {"win": False, "legal": False, "fan": 0, "flowers": 0, "points": 0, "elements": []}


# Golden hands


def test_random_golden_hands():
    cases = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]
    assert len(cases) == 1000
    for line in cases:
        case = Case(line["hand"], line["source"], line["flowers"])
        made = case.score
        assert answer(made) == line["want"], line
        if made.win:
            check_reading(case, made)


# "Winning": shapes


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "[123W]456T789B11T23B+4B",
        "[111W]{2222W}[3333W]456T9B+9B",
        "[123W][456W][789W][123T]9B+9B",
        "{1111F}{2222F}{3333F}{4444F}1J+1J",
        "111222333W11T22B+2B",
    ],
)
def test_four_sets_and_a_pair_win(text):
    made = score(text, rules="jintan")
    assert made.win and made.legal
    assert [group.type for group in made.reading].count("pair") == 1


@pytest.mark.parametrize("text", ["1133W2244T1199B1F+1F", "1155W2244T1199B1J+1J", "11223344F1122J3J+3J"])
def test_seven_pairs_win(text):
    made = score(text, rules="jintan")
    assert made.win and "qidui" in made.elements
    assert [group.type for group in made.reading] == ["pair"] * 7


@pytest.mark.parametrize("text", ["1111W2244T1199B1F+1F", "1111W2244T1111B1F+1F", "111W2244T1199B11F+1W"])
def test_four_of_a_kind_count_as_two_pairs(text):
    made = check(text, "qidui", 0, 40)
    assert [group.type for group in made.reading] == ["pair"] * 7


@pytest.mark.parametrize(
    "text",
    [
        "19W19T19B1234F123J+1W",  # 十三幺
        "147W258T369B1234F+1J",
        "1133W2244T1199B1F+2F",  # six pairs
        "111W2244T1199B12F+2F",  # a triplet is no pair and a tile
        "[123W]456T789B12T23B+4B",  # no pair
        "[111W]3355T1199B12F+1F",  # pairs beside a meld
        "123W456T789B1F1J23B+4B",
        "135W456T789B11T23B+4B",
        "891W456T789B11T23B+4B",  # no sequence round the corner
        "123F456T789B11T23B+4B",  # nor of honours
    ],
)
def test_nothing_else_wins(text):
    incomplete(text)


def test_a_hand_may_chow_where_the_option_says_so():
    """Notation, "Hands": a chow is written only where the ruleset has it."""
    made = score("[345W][123W]456T11B78T+9T", rules="jintan")
    assert [group.meld for group in made.reading] == ["exposed", "exposed", None, None, None]
    with pytest.raises(HandError, match="chow"):
        score("[345W][123W]456T11B78T+9T", rules=tjmj.rules("jintan", chow=False))


@pytest.mark.parametrize("text", ["[345]W", "[89W1T]", "[891W]", "[123F]", "{345W}", "[3456W]", "[344W]"])
def test_a_chow_is_a_sequence_of_one_suit_laid_open(text):
    with pytest.raises(tjmj.TjmjError):
        score(f"{text}123W456T11B78T+9T", rules="jintan")


@pytest.mark.parametrize(
    "text", ["1H23W456T789B11T23B+4B", "123W456T789B11T23B+1H", "[111H]456T789B11T23B+4B"]
)
def test_a_flower_is_never_a_hand_tile(text):
    with pytest.raises(HandError):
        score(text, rules="jintan")


def test_there_are_no_wildcards():
    assert list(tjmj.Hand.parse(PLAIN, rules="jintan").wild) == []
    with pytest.raises(HandError, match="flip no tile"):
        score(PLAIN, "1F", "jintan")
    assert score(PLAIN, -1, "jintan") == score(PLAIN, rules="jintan")


# "Winning": what a win on a discard needs

NEEDS = [
    # text, flowers laid out, whether one flower or one fan is there
    (PLAIN, 0, False),
    (PLAIN, 1, True),
    (PLAIN, 8, True),
    ("123W456T789B111T2B+2B", 0, False),  # a triplet of no honour is no flower
    ("123W456T789B111F2B+2B", 0, True),
    ("123W456T789B11F22B+1F", 0, True),  # counted with that win
    ("123W456T789B11F22B+2B", 0, False),  # an honour pair is none
    ("[111W]456T789B11T23B+4B", 0, False),
    ("[1111W]456T789B11T23B+4B", 0, True),
    ("{1111W}456T789B11T23B+4B", 0, True),
    ("[111J]456T789B11T23B+4B", 0, True),
    ("123789W11122W33J+3J", 0, True),
    ("123789W11F22F789W+2F", 0, True),  # 混一色: a fan and no flower before the win
    ("1133W2244T1199B1F+1F", 0, True),  # 七对
    ("[123W][456W][789T][123T]9B+9B", 0, True),  # 独吊
    ("11T222W333T444B55B+5B", 0, True),  # 对对胡
]


@pytest.mark.parametrize(("text", "laid_out", "enough"), NEEDS)
def test_a_discard_needs_a_flower_or_a_fan(text, laid_out, enough):
    case = Case(text, "discard", laid_out)
    made = case.score
    assert (made.win, made.legal) == (True, enough)
    assert answer(made) == case.wanted
    assert made.points >= 10  # told also where it may not win (cli)


@pytest.mark.parametrize(("text", "laid_out", "enough"), NEEDS)
def test_a_self_draw_needs_nothing(text, laid_out, enough):
    assert score(text, rules="jintan", flowers=laid_out).legal


@pytest.mark.parametrize("min_flowers", [0, 1, 2, 5, 1000])
def test_robbing_and_kong_draws_need_nothing(min_flowers):
    rules = tjmj.rules("jintan", min_flowers=min_flowers)
    robbed = score(PLAIN, rules=rules, source="rob")
    assert (robbed.fan, robbed.flowers, robbed.legal) == (0, 0, True)
    assert score("[1111W]456T789B11T23B+4B", rules=rules, source="kong").legal


@pytest.mark.parametrize(
    ("text", "laid_out", "least"),
    [(PLAIN, 0, 0), (PLAIN, 1, 1), (PLAIN, 3, 3), ("123W456T789B11F22B+1F", 0, 1),
     ("123W456T789B111F2B+2B", 1, 3), ("{1111J}[5555W]789B11T23B+4B", 2, 7)],
)  # fmt: skip
def test_min_flowers_is_how_many_flowers_a_discard_needs(text, laid_out, least):
    """Without a fan."""
    for min_flowers in (0, 1, 2, 3, 5, 7, 8):
        case = Case(text, "discard", laid_out, {"min_flowers": min_flowers})
        made = case.score
        assert (made.fan, made.flowers) == (0, least)
        assert made.legal == (least >= min_flowers)
        assert answer(made) == case.wanted


def test_one_fan_does_for_any_min_flowers():
    made = score("11T222W333T444B55B+5B", rules=tjmj.rules("jintan", min_flowers=1000), source="discard")
    assert (made.fan, made.flowers, made.legal) == (1, 0, True)


def test_the_dealer_may_win_on_the_14_tiles():
    """14 tiles without a winning one can be asked for as a self-draw (notation, "Hands")."""
    made = check("123W456T789B11T234B", "jihu", 0, 10)
    assert made.source == "self" and made.shape is None
    check("1111W2244T1199B11F", "qidui", 0, 40)
    check("[1111F]456T789B11T234B", "jihu", 3, 25)
    incomplete("123W456T789B12T234B")


@pytest.mark.parametrize("source", ["discard", "kong", "rob"])
def test_which_tile_won_has_to_be_said_otherwise(source):
    with pytest.raises(HandError, match="which tile won"):
        score("[1111F]456T789B11T234B", rules="jintan", source=source)


@pytest.mark.parametrize("source", ["self", "discard"])
def test_a_hand_that_waits_has_no_score(source):
    with pytest.raises(HandError, match="waits has no score"):
        score("123W456T789B11T23B", rules="jintan", source=source)


# "Counting": flowers


@pytest.mark.parametrize("laid_out", range(9))
def test_flower_tiles_count_one_each(laid_out):
    check(PLAIN, "jihu", laid_out, 10 + 5 * laid_out, laid_out=laid_out)
    check(PLAIN, "jihu", laid_out, 10 + 5 * laid_out, "discard", laid_out)


HONOURS = ["1F", "2F", "3F", "4F", "1J", "2J", "3J"]


@pytest.mark.parametrize("tile", HONOURS)
def test_honour_sets_count_1_to_4(tile):
    """风将, read as winds and dragons."""
    digit, suit = tile
    rest = "456T789B11T23B+4B"
    check(f"[{digit * 3}{suit}]{rest}", "jihu", 1, 15)
    check(f"{digit * 3}{suit}{rest}", "jihu", 2, 20)
    check(f"[{digit * 4}{suit}]{rest}", "jihu", 3, 25)
    check(f"{{{digit * 4}{suit}}}{rest}", "jihu", 4, 30)


@pytest.mark.parametrize("tile", ["1W", "5W", "9W", "1T", "9T", "1B", "9B"])
def test_other_kinds_count_for_kongs_alone(tile):
    digit, suit = tile
    rest = "234W234T67B22F+8B"
    check(f"[{digit * 3}{suit}]{rest}", "jihu", 0, 10)
    check(f"{digit * 3}{suit}{rest}", "jihu", 0, 10)
    check(f"[{digit * 4}{suit}]{rest}", "jihu", 1, 15)
    check(f"{{{digit * 4}{suit}}}{rest}", "jihu", 2, 20)


def test_sequences_and_honour_pairs_count_no_flower():
    check("[123W]456T789B11F23B+4B", "jihu", 0, 10)


def test_flowers_of_all_sets_are_added():
    check("{1111F}[2222F][333F]222J9T+9T", "duiduihu hunyise", 4 + 3 + 1 + 2 + 5, 340, laid_out=5)
    check("{1111T}[2222W][333F]1112J+2J", "duiduihu", 2 + 1 + 1 + 2, 80)


@pytest.mark.parametrize(
    ("source", "elements", "flowers", "points"),
    [("self", "jihu", 1 + 2, 25), ("kong", "gangkai", 1 + 2, 50), ("discard", "jihu", 1 + 1, 20)],
)
def test_a_triplet_that_a_discard_completes_is_exposed(source, elements, flowers, points):
    check("[1111W]456T789B11F22B+1F", elements, flowers, points, source)


def test_other_triplets_stay_concealed_on_a_discard():
    check("111F222J456T11B78T+9T", "jihu", 4, 30, "discard")
    check("111F22J456T11B789T+2J", "jihu", 3, 25, "discard")
    check("111F22J456T11B789T+2J", "jihu", 4, 30)
    # In the pair the discard completes no triplet.
    check("111F222J456T1B789T+1B", "jihu", 4, 30, "discard")


@pytest.mark.parametrize("source", ["self", "discard"])
def test_seven_pairs_count_only_flower_tiles(source):
    check("1111F2244T1199B1J+1J", "qidui", 0, 40, source)
    check("1111F2222J1199B1T+1T", "qidui", 3, 100, source, 3)


# "Counting": fan


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("123456789W11F22J+2J", "hunyise"),
        ("[123W][777W]456W11F22J+2J", "hunyise"),
        ("{1111F}[123W]456W789W9W+9W", "hunyise"),
        ("111222333F11J22J+2J", "duiduihu hunyise"),  # honours alone
        ("{1111F}[222F]{3333F}[4444F]1J+1J", "dudiao duiduihu hunyise"),
        ("11223344F1122J3J+3J", "hunyise qidui"),
        ("1122334466W11F2F+2F", "hunyise qidui"),
        ("123456789W1122W+2W", "qingyise"),
        ("[123T][555T]456T1177T+7T", "qingyise"),
        ("{1111B}234B567B99B78B+9B", "qingyise"),
        ("1122334466778W+8W", "qidui qingyise"),
        ("[123T]456W789W11F22J+2J", "jihu"),  # melds count
        ("{1111T}456W789W11F22J+2J", "jihu"),
        ("[123T]456W789W99W78W+9W", "jihu"),
        ("123456W789T11F22J+2J", "jihu"),
    ],
)
def test_hunyise_and_qingyise(text, elements):
    assert " ".join(check_by_reference(text).elements) == elements


def check_by_reference(text: str, source: str = "self", **options: int) -> tjmj.Score:
    case = Case(text, source, 0, options)
    made = case.score
    assert answer(made) == case.wanted
    check_reading(case, made)
    return made


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("111W222T333B44F55B+5B", "duiduihu"),
        ("[111W][2222T]{3333B}44F55B+5B", "duiduihu"),
        ("[111W][2222T]{3333B}444F5B+5B", "duiduihu"),
        ("[111W][2222T]{3333B}[444F]5B+5B", "dudiao duiduihu"),
        ("111222333W44F55B+5B", "duiduihu"),  # and not three sequences
        ("[555T]11222333W44W+1W", "duiduihu"),  # and not a pair of 一万
        ("[123W][2222T]{3333B}44F55B+5B", "jihu"),  # a chow is no triplet
        ("[222T]{3333B}44F55B567W+5B", "jihu"),
    ],
)
def test_duiduihu_is_four_triplets_or_kongs_and_a_pair(text, elements):
    assert " ".join(check_by_reference(text).elements) == elements


def test_qidui_counts_two():
    assert check("1133W2244T1199B1F+1F", "qidui", 0, 40).fan == 2


@pytest.mark.parametrize("kong", ["[1111W]", "{1111W}", "[1111F]", "{1111F}"])
def test_gangkai_counts_one(kong):
    text = f"{kong}456T789B11T23B+4B"
    assert "gangkai" not in score(text, rules="jintan").elements
    made = check_by_reference(text, "kong")
    assert (made.elements, made.fan) == (("gangkai",), 1)


@pytest.mark.parametrize(
    ("melds", "dudiao"),
    [
        ("[123W][456W][789T][123T]", True),
        ("{1111W}{2222T}{3333B}{4444F}", True),  # concealed kongs are melds
        ("[123W]{2222T}[333B][4444F]", True),
        ("{1111W}{2222T}{3333B}444F", False),
        ("[123W][456W][789T]123T", False),
    ],
)
@pytest.mark.parametrize("source", ["self", "discard"])
def test_dudiao_is_four_melds_and_the_last_tile_paired(melds, dudiao, source):
    made = check_by_reference(f"{melds}9B+9B", source)
    assert ("dudiao" in made.elements) == dudiao


def test_dudiao_counts_one():
    assert check("[123W][456W][789T][123T]9B+9B", "dudiao", 0, 20).fan == 1


def test_all_that_hold_are_added():
    made = check("{1111F}{2222F}[3333F][111J]9W+9W", "dudiao duiduihu gangkai hunyise", 12, 280, "kong")
    assert made.fan == 4
    made = check("{1111W}{2222W}[3333W][555W]9W+9W", "dudiao duiduihu gangkai qingyise", 5, 140, "kong")
    assert made.fan == 5  # written without the cap
    assert check("1122334466W77W8W+8W", "qidui qingyise", 0, 40).fan == 4


# "Counting": points


@pytest.mark.parametrize("cap_fan", range(11))
def test_points_double_with_every_fan_up_to_cap_fan(cap_fan):
    for text, fan in ((PLAIN, 0), ("123456789W11F22J+2J", 1), ("111222333F11J22J+2J", 2),
                      ("1122334466W77W8W+8W", 4), ("{1111W}{2222W}[3333W][555W]9W+9W", 4)):  # fmt: skip
        made = check_by_reference(text, cap_fan=cap_fan)
        assert made.fan == fan
        assert made.points == (10 + 5 * made.flowers) * 2 ** min(fan, cap_fan)


@pytest.mark.parametrize(("base", "value"), [(10, 5), (1, 0), (7, 1000), (1_000_000, 3)])
def test_base_and_value_are_what_a_hand_and_a_flower_are_worth(base, value):
    made = check_by_reference("{1111F}456T789B11T23B+4B", base=base, value=value)
    assert made.points == base + 4 * value
    made = check_by_reference("111222333F11J22J+2J", base=base, value=value)
    assert made.points == (base + 8 * value) * 4


def test_the_defaults_are_10_and_5_and_two_fan():
    rules = tjmj.rules("jintan")
    assert (rules.base, rules.value, rules.min_flowers, rules.cap_fan, rules.chow) == (10, 5, 1, 2, True)


def test_of_several_readings_the_one_with_most_points_counts():
    # 七对 beside three double sequences; 对对胡 beside three sequences of one kind
    check("112233W112233T9B+9B", "qidui", 0, 40)
    check("111222333W11T22B+2B", "duiduihu", 0, 20)
    check("111222333W99W77W+9W", "duiduihu qingyise", 0, 80, cap_fan=3)


def test_where_points_tie_the_one_with_more_fan_counts():
    assert check("112233445566W7W+7W", "qidui qingyise", 0, 40).fan == 4
    assert check("112233W112233T9B+9B", "qidui", 0, 10, cap_fan=0).fan == 2
    assert check("111222333W99W77W+9W", "duiduihu qingyise", 0, 40).fan == 3


# "Counting": elements that are names only


def test_jihu_is_no_fan_at_all():
    assert check(PLAIN, "jihu", 0, 10).fan == 0
    assert "jihu" not in check_by_reference("123456789W11F22J+2J").elements


def test_jihu_stands_beside_qianggang():
    assert check(PLAIN, "jihu qianggang", 0, 10, "rob").fan == 0
    assert check(PLAIN, "jihu qianggang", 2, 20, "rob", 2).fan == 0


def test_qianggang_counts_nothing():
    made = check("123456W111F22J78W+9W", "hunyise qianggang", 2, 40, "rob")
    assert made.fan == 1


# Where the winning tile came from


@pytest.mark.parametrize(
    "text",
    [
        "123W456T789B22T11F+1F",  # completes a triplet
        "123W456T789B222T1F+1F",  # a pair
        "123W456T789B44B23B+4B",  # another in the pair
        "234W34W456T789B11T+2W",  # another in a sequence
        "[234W]456T789B11T23W+4W",  # in a chow
        "[123W][456W][789T][123T]9B+9B",  # 独吊
        "1133W2244T1199B1F+1F",
    ],
)
def test_robbing_refuses_a_hand_that_holds_another(text):
    """The three fellows of a robbed tile lie in the pong."""
    assert score(text, rules="jintan", source="discard").win
    with pytest.raises(RulesError, match="rob"):
        score(text, rules="jintan", source="rob")


def test_a_robbed_tile_completes_a_sequence():
    for text in (PLAIN, "[123W]456T789B11T23B+1B", "[123W]456T789B11T24B+3B", "{1111F}123W99T34B567T+5B"):
        made = score(text, rules="jintan", source="rob")
        assert made.win and made.source == "rob"
        assert next(group for group in made.reading if group.win is not None).type == "sequence"


@pytest.mark.parametrize("text", [PLAIN, "[123W]456T789B11T23B+4B", "[111W]456T789B11T23B+4B"])
def test_no_kong_draw_without_a_kong(text):
    with pytest.raises(RulesError, match="kong"):
        score(text, rules="jintan", source="kong")


@pytest.mark.parametrize(
    "circumstance",
    [
        {"source": "draw"}, {"source": ""}, {"source": "Self"}, {"source": 0},
        {"flowers": -1}, {"flowers": 9}, {"flowers": 1.0}, {"flowers": True}, {"flowers": "1"},
        {"flowers": None}, {"kong_draw": True}, {"heavenly": True}, {"earthly": True}, {"ready": True},
    ],
)  # fmt: skip
def test_circumstances_that_cannot_be(circumstance):
    with pytest.raises(RulesError):
        score(PLAIN, rules="jintan", **circumstance)


@pytest.mark.parametrize("circumstance", [{"source": "self"}, {"source": "discard"}, {"flowers": 1}])
def test_tianjin_asks_neither_source_nor_flowers(circumstance):
    with pytest.raises(RulesError):
        score(PLAIN, -1, "tianjin", **circumstance)


def test_no_source_is_an_own_draw():
    assert score(PLAIN, rules="jintan") == score(PLAIN, rules="jintan", source="self", flowers=0)


def test_the_name_and_the_formula_say_it_line_by_line():
    made = score("{1111F}{2222F}[3333F][111J]9W+9W", rules="jintan", source="kong", flowers=2)
    assert made.name == "杠开独吊对对胡混一色"
    for part in ("10", "14", "5", "= 320", "杠开 1", "独吊 1", "对对胡 1", "混一色 1"):
        assert part in made.formula, made.formula
    assert "too little" in str(score(PLAIN, rules="jintan", source="discard"))


# The reference on random hands


def compare(case: Case) -> tjmj.Score:
    made = case.score
    assert answer(made) == case.wanted, case
    if made.win:
        check_reading(case, made)
    else:
        assert (made.reading, made.shape, made.name) == (None, None, "")
    return made


@pytest.mark.parametrize("block", range(4))
def test_scores_of_random_hands(block):
    for seed in range(200 * block, 200 * block + 200):
        compare(any_case(random.Random(seed)))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(30))
def test_scores_of_many_hands(block):
    for seed in range(10_000 + 1000 * block, 11_000 + 1000 * block):
        compare(any_case(random.Random(seed)))


def test_the_hands_compared_show_everything():
    """Comparing is worth little if some element, source or meld is not among the hands."""
    seen: Counter[Any] = Counter()
    for seed in range(800):  # those of the quick tests
        case = any_case(random.Random(seed))
        made = case.score
        seen.update(made.elements)
        seen["complete" if made.win else "incomplete"] += 1
        seen["legal", case.source, made.legal] += 1
        seen["melds", len(made.hand.melds)] += 1
        seen.update(("meld", meld.type) for meld in made.hand.melds)
        seen["shape", made.shape] += 1
        seen["flowers", case.flowers] += 1
        seen["plus", made.hand.win is not None] += 1
        seen.update(case.options)
        seen["capped", made.fan > case.rules.cap_fan] += 1
    wanted: set[Any] = {"hunyise", "qingyise", "duiduihu", "qidui", "gangkai", "dudiao", "qianggang", "jihu"}
    wanted |= {"complete", "incomplete", "base", "value", "min_flowers", "cap_fan"}
    wanted |= {("legal", source, True) for source in ("self", "discard", "kong", "rob")}
    wanted |= {("melds", number) for number in range(5)} | {("flowers", number) for number in range(9)}
    wanted |= {("meld", type) for type in ("pong", "exposed", "concealed", "chow")}
    wanted |= {("shape", shape) for shape in ("dandiao", "duidao", "kandan", "liangmian", None)}
    wanted |= {("plus", False), ("plus", True), ("capped", False), ("capped", True)}
    wanted |= {("legal", "discard", False)}
    assert wanted - set(seen) == set()
    assert seen["complete"] > seen["incomplete"] > 50
