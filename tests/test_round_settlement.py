"""Settlement line by line (table), by written-out cases with stakes (tianjin section 6)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st
from rounds import any_table, played, round_of
from walls import deal

from tjmj.round import Round
from tjmj.stakes import NO_STAKES, Stakes

SCATTERED = "147W147T147B3F123J"
FIVE = "46W123B789B111T99T"
"""Waits for 五万 only: 捉五 without a wildcard, 3 × 2 = 6 fan."""

SOME = Stakes(True, (0, 2, 1, 0), (False, False, True, False))
"""The dealer sits, seat 1 pulls twice, seat 2 once and is kicked."""


def paid(why: str, to: int, units: int, factors: dict[int, int], **more: Any) -> list[dict[str, Any]]:
    """What others pay a seat at base 1: a line for each, with its factor."""
    return [
        {
            "why": why,
            "from": giver,
            "to": to,
            "units": units,
            "factor": factor,
            "points": units * factor,
            **more,
        }
        for giver, factor in factors.items()
    ]


def check(made: Round, lines: list[dict[str, Any]], net: list[int]) -> None:
    """The round ends so: by itself, in its events and in every view."""
    assert made.over
    assert made.settlement == lines
    assert made.result["net"] == net
    settle = next(event for event in made.events() if event["event"] == "settle")
    assert (settle["payments"], settle["net"]) == (lines, net)
    for seat in (None, 0, 1, 2, 3):
        assert made.view(seat).payments == lines
        assert made.view(seat).result["net"] == net


def exhaust(made: Round) -> Round:
    """Everybody is silent from here on."""
    while not made.over:
        for seat in list(made.pending):
            made.play(seat, made.default(seat))
    assert made.result["end"] == "exhausted"
    return made


# Wins


def won_by_seat_1(staked: Stakes, **options: Any) -> Round:
    return round_of(deal(SCATTERED + "3J", FIVE, front="5W", staked=staked, **options), "0d3J 1h")


def test_a_win_of_another_seat():
    """m(1, dealer) is 2 for sitting times 4 for two pulls; between two that do not deal it is 1."""
    made = won_by_seat_1(SOME, chuai=True)
    check(made, paid("win", 1, 6, {0: 8, 2: 1, 3: 1}, elements=["su", "zhuowu"]), [-48, 60, -6, -6])


def test_a_win_of_the_dealer():
    dealt = deal("3J" + FIVE, front="1J 2J 4F 5W", staked=SOME, chuai=True)
    made = round_of(dealt, "0d3J 1d1J 2d2J 3d4F 0h")
    check(made, paid("win", 0, 6, {1: 8, 2: 8, 3: 2}, elements=["su", "zhuowu"]), [108, -48, -48, -12])


def test_without_stakes_and_with_another_base():
    made = won_by_seat_1(NO_STAKES, base=5)
    assert [(pay["units"], pay["factor"], pay["points"]) for pay in made.settlement] == [(6, 1, 30)] * 3
    assert made.result["net"] == [-30, 90, -30, -30]


def test_where_the_rules_have_no_stakes():
    made = won_by_seat_1(NO_STAKES, stakes=False)
    assert [pay["factor"] for pay in made.settlement] == [1] * 3


# Kongs


def test_an_exposed_kong_at_an_exhausted_end():
    made = round_of(deal(SCATTERED + "9T", "", "999T", staked=SOME, chuai=True), "0d9T 2o9T")
    lines = paid("kong", 2, 1, {0: 8, 1: 1, 3: 1}, tile="9T", kind="exposed")
    check(exhaust(made), lines, [-8, -1, 10, -1])


def test_a_concealed_kong_of_the_dealer():
    made = round_of(deal("1111T47W47T47B3F23J9B", staked=SOME, chuai=True), "0c1T")
    lines = paid("kong", 0, 2, {1: 8, 2: 8, 3: 2}, tile="1T", kind="concealed")
    check(exhaust(made), lines, [36, -16, -16, -4])


def test_an_added_kong_pays_as_an_exposed_one():
    hands = ("5B147W147T147B3F12J", "55B147W147T334F2J9T")
    made = round_of(deal(*hands, front="1B 2B 4B 5B", back="8W"), "0d5B 1p5B 1d2J 2d1B 3d2B 0d4B 1a5B")
    lines = paid("kong", 1, 1, {0: 1, 2: 1, 3: 1}, tile="5B", kind="added")
    check(exhaust(made), lines, [-1, 3, -1, -1])


@pytest.mark.parametrize("value", [4, 7])
def test_a_gold_kong_by_discard(value):
    made = round_of(deal(SCATTERED + "2F", "", "", "2F2F2F", gold_kong=value), "0d2F 3o2F")
    lines = paid("kong", 3, value, {0: 1, 1: 1, 2: 1}, tile="2F", kind="gold")
    check(exhaust(made), lines, [-value, -value, -value, 3 * value])
    assert made.view().seats[0].lost


def test_a_concealed_gold_kong():
    made = round_of(deal("2F2F2F2F47W47T47B3F23J9B", staked=Stakes(sit=True)), "0c2F")
    lines = paid("kong", 0, 4, {1: 2, 2: 2, 3: 2}, tile="2F", kind="gold")
    check(exhaust(made), lines, [24, -8, -8, -8])


def test_a_kong_that_is_worth_nothing_has_no_line():
    made = round_of(deal("1111T47W47T47B3F23J9B", concealed_kong=0), "0c1T")
    check(exhaust(made), [], [0, 0, 0, 0])


def test_the_winner_pays_for_others_kongs():
    """Wins first, then kongs, seat 0's first; fan does not multiply kongs."""
    hands = ("3J1111T47W47T47B3F12J", FIVE.replace("111T", "444T"), "", "8888W")
    dealt = deal(*hands, front="1J 2J 4F 9W 5W", back="9T 3F", staked=Stakes(False, (0, 1, 0, 0)))
    made = round_of(dealt, "0c1T 0d3J 1d1J 2d2J 3c8W 3d4F 0d9W 1h")
    lines = paid("win", 1, 6, {0: 2, 2: 1, 3: 1}, elements=["su", "zhuowu"])
    lines += paid("kong", 0, 2, {1: 2, 2: 1, 3: 1}, tile="1T", kind="concealed")
    lines += paid("kong", 3, 2, {0: 1, 1: 1, 2: 1}, tile="8W", kind="concealed")
    check(made, lines, [-12 + 8 - 2, 24 - 4 - 2, -6 - 2 - 2, -6 - 2 + 6])


# 铲


@pytest.mark.parametrize("value", [0, 1, 2])
def test_chan(value):
    """The first four discards are one kind: the dealer pays each other seat, stakes counted."""
    hands = [SCATTERED + "9T", "9T", "9T", "9T"]
    made = round_of(deal(*hands, staked=SOME, chuai=True, chan=value), "0d9T 1d9T 2d9T 3d9T")
    factors = {1: 8, 2: 8, 3: 2} if value else {}
    lines = [line for seat, factor in factors.items() for line in paid("chan", seat, value, {0: factor})]
    check(exhaust(made), lines, [-18 * value, 8 * value, 8 * value, 2 * value])


# The cap


def cap_line(seat: int, points: int) -> dict[str, Any]:
    return {"why": "cap", "seat": seat, "points": points}


def test_the_cap_changes_everybody():
    """-48, 60, -6, -6 at 30: the gain is clipped, the losses scaled down to it; the largest fraction goes up."""
    made = won_by_seat_1(SOME, chuai=True, cap=30)
    lines = won_by_seat_1(SOME, chuai=True).settlement
    caps = [cap_line(0, 26), cap_line(1, -30), cap_line(2, 2), cap_line(3, 2)]
    check(made, [*lines, *caps], [-22, 30, -4, -4])


def test_of_equal_fractions_the_lower_seat_comes_first():
    """-48, 60, -6, -6 at 40: -40, 40, -6, -6, then losses times 40 / 52: 30.8, 4.6 and 4.6; two go up."""
    made = won_by_seat_1(SOME, chuai=True, cap=40)
    assert made.settlement[3:] == [cap_line(0, 17), cap_line(1, -20), cap_line(2, 1), cap_line(3, 2)]
    assert made.result["net"] == [-31, 40, -5, -4]


def test_a_cap_that_is_not_reached_has_no_line():
    made = won_by_seat_1(SOME, chuai=True, cap=60)
    assert [pay["why"] for pay in made.settlement] == ["win"] * 3


# Laws


@effort(0.75)
@given(st.integers(0, 2**32 - 1))
def test_the_lines_sum_up_to_the_net(seed):
    rng = random.Random(seed)
    made = any_table(rng).round()
    for _ in played(rng, made, patience=0.2):
        assert (made.settlement is None) == (made.result is None) == (not made.over)
    net, order = [0, 0, 0, 0], ("flowers", "win", "kong", "chan", "cap")
    before = [0, 0, 0, 0]
    for pay in made.settlement:
        if pay["why"] == "cap":
            assert pay["points"] and made.rules.cap
            net[pay["seat"]] += pay["points"]
            continue
        base = made.rules.base if made.rules.name != "jintan" else 1
        assert pay["points"] == pay["units"] * pay["factor"] * base > 0
        assert pay["from"] != pay["to"]
        assert pay["factor"] in (1, 3) or made.dealer in (pay["from"], pay["to"])
        net[pay["to"]] += pay["points"]
        net[pay["from"]] -= pay["points"]
        before = list(net)
    assert net == made.result["net"] and sum(net) == 0
    whys = [order.index(pay["why"]) for pay in made.settlement]
    assert whys == sorted(whys)
    capped = [pay["seat"] for pay in made.settlement if pay["why"] == "cap"]
    assert capped == [seat for seat in range(4) if net[seat] != before[seat]]
