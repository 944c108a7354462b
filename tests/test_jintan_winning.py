"""Winning on discards in Jintan mahjong, its two locks, and payment, each by a hand written out.

Specification: jintan, "Winning" and the payments of "Counting". Moves are those of records: a seat that could
win and does not is passed over by the next move.
"""

from __future__ import annotations

from typing import Any

import pytest
from jintan_table import begun, held, melds, net, play, refused, wins, won
from rounds import round_of
from walls import deal

import tjmj
from tjmj._play import Play
from tjmj.between_hands import next_dealer

POOR = "123W456T789B11T23B"
"""Waits for 一饼 and 四饼, without a flower or a fan."""
RICH = "123W456T111F99T23B"
"""Waits for the same, with two flowers: 20 points."""
RICH_TOO = "123W456T222F88T23B"
"""Another such hand."""
TWO_PRICES = "111F999T2223344W"
"""Waits for 二万 and 五万 (20 points, no fan), 三万 and 四万 (对对胡: 40 points)."""


# What a win on a discard needs


def test_a_discard_needs_a_flower_or_a_fan():
    assert wins(play("4B", POOR, moves="0d4B"), "4B") == []
    refused(play("4B", POOR, moves="0d4B"), "1w4B", "1 flowers or a fan")
    assert wins(play("4B", RICH, moves="0d4B"), "4B") == [1]
    assert wins(play("9B", "1133W2244T11559B", moves="0d9B"), "9B") == [1]  # 七对


def test_the_flower_may_come_with_that_win():
    """Of two waits the one that completes an honour triplet may be won on."""
    assert wins(play("1F", "123W456T789B11F22B", moves="0d1F"), "1F") == [1]
    assert wins(play("2B", "123W456T789B11F22B", moves="0d2B"), "2B") == []


def test_flowers_laid_out_count():
    made = play("4F", POOR, front="9T 4B", moves="0d4F 1d9T 2d4B")
    assert wins(made, "4B") == []
    made = play("4F", POOR, front="1H 4B", back="9T", moves="0d4F 1d9T 2d4B")
    assert wins(made, "4B") == [1]
    assert won(begun(made, "1w4B")) == {1: ("jihu", 1, 15)}


def test_flowers_of_melds_count():
    made = play("1F", "11F456T789B11T23B9W", front="4B", moves="0d1F 1p1F 1d9W 2d4B")
    assert wins(made, "4B") == [1]
    assert won(begun(made, "1w4B")) == {1: ("jihu", 1, 15)}


@pytest.mark.parametrize(("min_flowers", "open_to"), [(0, [1, 2]), (1, [2]), (2, [2]), (3, [])])
def test_min_flowers(min_flowers, open_to):
    assert wins(play("4B", POOR, RICH, moves="0d4B", min_flowers=min_flowers), "4B") == open_to


def test_one_fan_does_for_any_min_flowers():
    hand = "123456T111F22J23T"
    assert wins(play("4T", hand, moves="0d4T", min_flowers=1000), "4T") == [1]


@pytest.mark.parametrize("min_flowers", [0, 1, 5])
def test_a_self_draw_needs_nothing(min_flowers):
    made = play("4F", POOR, front="4B", moves="0d4F 1h", min_flowers=min_flowers)
    assert won(made) == {1: ("jihu", 0, 10)}


def test_the_dealer_may_win_on_the_14_tiles_dealt():
    assert won(play(POOR + "4B", moves="0h")) == {0: ("jihu", 0, 10)}
    assert won(play("1133W2244T1199B11F", moves="0h")) == {0: ("qidui", 0, 40)}
    assert won(play(POOR + "1H", back="4B", moves="0h")) == {0: ("jihu", 1, 15)}
    refused(play(POOR + "5B"), "0h", "not complete")


def test_a_win_is_a_choice():
    made = play(POOR + "4B", moves="0d4B")
    assert not made.over


def test_after_the_end_there_is_nothing_to_play():
    made = play("4B", RICH, moves="0d4B 1w4B")
    assert made.over and made.legal() == []
    refused(made, "1d9T", "ended")


# Lock a: the kind that a seat discarded itself last

THROWN = "0d4F 1d4B"
"""Seat 1 draws 四饼, which would win, and throws it."""


def thrown(*fronts: str, moves: str = "", hand: str = RICH, **more: Any) -> Play:
    """Seat 1 has thrown the first of these draws, one of its waits."""
    return play("4F", hand, front=" ".join(fronts), moves=f"{THROWN} {moves}", **more)


def test_no_win_on_the_kind_that_it_discarded_itself():
    made = thrown("4B", "4B", moves="2d4B")
    assert wins(made, "4B") == []
    refused(made, "1w4B", "discarded four dots itself last")


def test_also_not_later_in_the_same_go_around():
    assert wins(thrown("4B", "9T", "4B", moves="2d9T 3d4B"), "4B") == []
    assert wins(thrown("4B", "9T", "8T", "4B", moves="2d9T 3d8T 0d4B"), "4B") == []


def test_other_kinds_are_open():
    """And letting a discard pass that it may not win on locks nothing."""
    assert wins(thrown("4B", "1B", moves="2d1B"), "1B") == [1]
    assert wins(thrown("4B", "4B", "1B", moves="2d4B 3d1B"), "1B") == [1]


def test_the_next_draw_ends_the_go_around():
    made = thrown("4B", "9T", "8T", "7T", "6T", "4B", moves="2d9T 3d8T 0d7T 1d6T 2d4B")
    assert wins(made, "4B") == [1]


def test_only_its_last_discard_counts():
    made = thrown("4B", "9T", "8T", "7T", "6T", "9T", "4B", moves="2d9T 3d8T 0d7T 1d6T 2d9T 3d4B")
    assert wins(made, "4B") == [1]


CLAIMER = "55W456T111F99T23B9B"
"""With 五万 ponged and 九饼 thrown it waits for 一饼 and 四饼."""


def test_a_claim_of_its_own_ends_the_go_around():
    made = play("4F", CLAIMER, front="4B 5W 4B", moves=f"{THROWN} 2d5W 1p5W 1d9B 2d4B")
    assert wins(made, "4B") == [1]


def test_robbing_is_locked_by_the_own_discard():
    """Seat 1 throws 四饼, seat 0 pongs it and adds the fourth."""
    made = play("4B4B4B4F", POOR, RICH_TOO, front="4B", back="8T", moves="0d4F 1d4B 0p4B 0a4B")
    assert wins(made, "4B") == [2]
    refused(made, "1w4B", "itself last")


# Lock a, spared: 独吊 thrown after a chow or pong (point 13)

KONGS = "1111F2222F3333F9B"
"""Three concealed kongs, the first turn of seat 1."""
THREE_KONGS = "0d4F 1c1F 1c2F 1c3F 1d8T"


def dudiao(hand: str, front: str, back: str, moves: str, dealer: str = "4F") -> Play:
    return play(dealer, hand, front=front, back=back, moves=moves)


def test_dudiao_after_a_pong_may_win_on_what_it_threw():
    """Four tiles left, a win let pass by ponging, the pair broken, and another throws the same."""
    made = dudiao(KONGS, "5W 5W 9B", "5W 9B 8T", f"{THREE_KONGS} 2d5W")
    assert wins(made, "5W") == [1]  # which it does not take
    made.play_all("1p5W 1d9B")
    assert held(made, 1) == ["9B"] and len(melds(made, 1)) == 4
    made.play("2d9B")
    assert wins(made, "9B") == [1]
    assert won(begun(made, "1w9B")) == {1: ("dudiao duiduihu", 12, 280)}


def test_dudiao_after_a_chow_too():
    made = dudiao(
        KONGS.replace("9B", "6W"), "9B 3T 3T 3J 9B", "7W 9B 8T", f"{THREE_KONGS} 2d3T 3d3T 0d5W", "4F5W"
    )
    assert wins(made, "5W") == [1]
    made.play_all("1e5W 1d9B")
    assert held(made, 1) == ["9B"] and melds(made, 1)[3] == ("chow", "5W", 0)
    made.play("2d9B")
    assert wins(made, "9B") == [1]
    assert won(begun(made, "1w9B")) == {1: ("dudiao", 12, 140)}


def test_the_spared_dudiao_is_over_with_its_next_discard():
    """A turn that begins with a draw throws a kind that is locked."""
    start = f"{THREE_KONGS} 2d5W 1p5W 1d9B"
    made = dudiao(KONGS, "5W 5W 3T 3T 3T 9B 9B", "5W 9B 8T", f"{start} 2d3T 3d3T 0d3T 1d9B 2d9B")
    assert len(melds(made, 1)) == 4 and held(made, 1) == ["9B"]
    assert wins(made, "9B") == []
    refused(made, "1w9B", "itself last")


def test_an_exposed_kong_is_neither_chow_nor_pong():
    made = dudiao(KONGS, "5W 5W 9B", "5W 5W 8T 9B", f"{THREE_KONGS} 2d5W 1o5W 1d9B 2d9B")
    assert [form for form, *_ in melds(made, 1)] == ["concealed"] * 3 + ["exposed"]
    assert held(made, 1) == ["9B"]
    refused(made, "1w9B", "itself last")


def test_a_kong_in_the_turn_that_began_with_a_pong_makes_the_fourth_meld():
    hand = "1111F2222F7777T9B"
    start = "0d4F 1c1F 1c2F 1d8T 2d5W 1p5W 1c7T 1d9B"
    made = dudiao(hand, "5W 5W 9B", "5W 8T 9B", start)
    assert [form for form, *_ in melds(made, 1)] == ["concealed", "concealed", "pong", "concealed"]
    assert held(made, 1) == ["9B"]
    made.play("2d9B")
    assert wins(made, "9B") == [1]


def test_a_kong_added_in_that_turn_spares_it_too():
    made = dudiao(KONGS, "5W 5W 9B", "5W 5W 8T 9B", f"{THREE_KONGS} 2d5W 1p5W 1a5W 1d9B")
    assert [form for form, *_ in melds(made, 1)] == ["concealed"] * 3 + ["added"]
    made.play("2d9B")
    assert wins(made, "9B") == [1]


def test_three_melds_are_not_enough():
    hand = "1111F2222F123T55W"
    start = "0d4F 1c1F 1c2F 1d8T 2d5W 1p5W 1d9B"
    made = dudiao(hand, "9B 5W 9B", "9B 8T", start)
    assert len(melds(made, 1)) == 3 and sorted(held(made, 1)) == ["1T", "2T", "3T", "9B"]
    made.play("2d9B")
    refused(made, "1w9B", "itself last")


def test_the_spared_kind_may_be_won_on_by_any_seats_discard():
    made = dudiao(KONGS, "5W 5W 3T 9B", "5W 9B 8T", f"{THREE_KONGS} 2d5W 1p5W 1d9B 2d3T 3d9B")
    assert wins(made, "9B") == [1]


# Lock b: a win let pass


def passed(*fronts: str, moves: str = "", hand: str = RICH, first: str = "4B", **more: Any) -> Play:
    """The dealer throws a tile that seat 2 lets pass; seats 1, 2, 3, ... draw these."""
    return play(first, "", hand, front=" ".join(fronts), moves=f"0d{first} {moves}", **more)


def test_a_win_let_pass_locks_all_waits():
    assert wins(passed(), "4B") == [2]
    for tile in ("4B", "1B"):
        made = passed(tile, moves=f"1d{tile}")
        assert wins(made, tile) == []
        refused(made, f"2w{tile}", "let a win pass")


def test_until_the_next_draw():
    made = passed("9T", "8T", "4B", moves="1d9T 2d8T 3d4B")
    assert wins(made, "4B") == [2]


def test_a_self_draw_is_not_locked():
    assert won(passed("9T", "4B", moves="1d9T 2h")) == {2: ("jihu", 2, 20)}


def test_a_later_win_needs_more_fan_and_more_points():
    two = {"hand": TWO_PRICES}
    assert wins(passed("3W", first="5W", moves="1d3W", **two), "3W") == [2]  # 20 then 40
    assert wins(passed("4W", first="5W", moves="1d4W", **two), "4W") == [2]
    assert wins(passed("2W", first="5W", moves="1d2W", **two), "2W") == []  # 20 then 20
    assert wins(passed("5W", first="3W", moves="1d5W", **two), "5W") == []  # 40 then 20
    assert wins(passed("4W", first="3W", moves="1d4W", **two), "4W") == []  # 40 then 40


def test_more_fan_without_more_points_is_not_enough():
    """The cap lets the points stay."""
    two = {"hand": TWO_PRICES, "first": "5W", "moves": "1d3W"}
    assert wins(passed("3W", **two, cap_fan=1), "3W") == [2]
    assert wins(passed("3W", **two, cap_fan=0), "3W") == []


def test_more_points_without_more_fan_are_not_enough():
    hand = "123W456T222F11F22B"
    assert wins(passed("1F", hand=hand, first="2B", moves="1d1F"), "1F") == []  # 20 then 25
    assert won(begun(play("1F", "", hand, moves="0d1F"), "2w1F")) == {2: ("jihu", 3, 25)}


def test_fan_is_compared_before_the_cap():
    """四万: 混一色, 20 points. 东: 混一色对对胡 with a flower; the cap lets one fan count, 30 points."""
    hand = "11222333444W11F"
    made = passed("1F", hand=hand, first="4W", moves="1d1F", cap_fan=1)
    assert wins(made, "1F") == [2]
    assert won(begun(made, "2w1F")) == {2: ("duiduihu hunyise", 1, 30)}
    assert won(begun(passed(hand=hand, first="4W", cap_fan=1), "2w4W")) == {2: ("hunyise", 0, 20)}


def test_the_best_win_let_pass_is_what_the_next_has_to_beat():
    def third(*thrown: str) -> list[int]:
        first, second, last = thrown
        moves = f"0d{first} 1d{second} 2d{last}"
        return wins(play(first, "", "", TWO_PRICES, front=f"{second} {last}", moves=moves), last)

    assert third("5W", "9T", "4W") == [3]  # 20, then 40
    assert third("5W", "3W", "4W") == []  # 20 and 40, then 40
    assert third("3W", "5W", "4W") == []
    assert third("5W", "2W", "4W") == [3]


def test_a_pass_is_noted_when_another_claims():
    for claim in ("3p4B", "3o4B"):
        made = play("4B", "", RICH, "4B4B4B1B", back="9T", moves=f"0d4B {claim} 3d1B")
        assert wins(made, "1B") == []
    made = play("4B", "3B5B1B", RICH, moves="0d4B 1e3B 1d1B")
    assert wins(made, "1B") == []
    # What could not be won on is not let pass.
    made = play("5B", "3B4B1B", RICH, moves="0d5B 1e3B 1d1B")
    assert wins(made, "1B") == [2]


PAIRS = "111F234T678B55W22B"
"""Waits for 五万 and 二饼: 20 points each."""


def test_a_pong_of_its_own_unlocks():
    made = play("2B", "", PAIRS, front="5W 5B", moves="0d2B 1d5W")
    refused(made, "2w5W", "let a win pass")
    made.play_all("2p5W 2d8B 3d5B")
    assert wins(made, "5B") == [2]


def test_a_chow_of_its_own_unlocks():
    made = play("2B", "", PAIRS, front="5T 2B", moves="0d2B 1d5T 2e3T 2d2T 3d2B")
    assert wins(made, "2B") == [2]


def test_a_kong_of_its_own_unlocks():
    made = play("2B", "", PAIRS, front="1F 5W", back="9T", moves="0d2B 1d1F 2o1F 2d9T 3d5W")
    assert wins(made, "5W") == [2]


def test_a_pong_of_the_very_discard_unlocks():
    made = play("5W", "", PAIRS, front="5B", moves="0d5W 2p5W 2d8B 3d5B")
    assert wins(made, "5B") == [2]


def test_robbing_is_not_locked_by_a_win_let_pass():
    """Seat 1 lets the discard pass that is ponged, and may rob the kong."""
    made = play("4B4B4B", RICH, "", "4B", dealer=3, back="9T", moves="3d4B")
    assert wins(made, "4B") == [1]
    made.play_all("0p4B 0a4B")
    assert wins(made, "4B") == [1]


def test_a_robbery_let_pass_locks_nothing():
    """Seat 1 comes to wait only after the pong to which the kong is added."""
    hands = ("444B9W1B", RICH.replace("23B", "2B1J"), "", "4B")
    moves = "3d4B 0p4B 0d9W 1d1J 2d9T 3d8T 0a4B"
    made = play(*hands, dealer=3, front="3B 9T 8T 7T", back="6T", moves=moves)
    assert wins(made, "4B") == [1]
    made.play("0d1B")
    assert wins(made, "1B") == [1]


def test_a_seat_that_passes_while_another_wins():
    made = play("4B", RICH, "", RICH_TOO, moves="0d4B 3w4B")
    assert made.over
    assert won(made) == {3: ("jihu", 2, 20)}
    refused(made, "1w4B")


# Payment


def test_a_self_draw_is_paid_by_each_other_seat():
    made = play("4F", RICH, front="4B", moves="0d4F 1h")
    assert net(made) == [-20, 60, -20, -20]


def test_gangkai_is_paid_by_each_other_seat():
    made = play("1111F123W456T99T23B", back="4B", moves="0c1F 0h")
    assert won(made) == {0: ("gangkai", 4, 60)}
    assert net(made) == [180, -60, -60, -60]


@pytest.mark.parametrize("thrower", range(4))
def test_a_discarder_alone_pays_each_winner(thrower):
    hands = ["", "", "", ""]
    hands[thrower] = "4B"
    hands[(thrower + 1) % 4] = RICH
    hands[(thrower + 3) % 4] = "123W456T222F8T8T23B"
    made = play(*hands, dealer=thrower, moves=f"{thrower}d4B {(thrower + 1) % 4}w4B {(thrower + 3) % 4}w4B")
    wanted = [0, 0, 0, 0]
    wanted[thrower], wanted[(thrower + 1) % 4], wanted[(thrower + 3) % 4] = -40, 20, 20
    assert net(made) == wanted
    assert [winner["from"] for winner in made.result()["winners"]] == [thrower] * 2


def test_several_winners_are_paid_their_own_points():
    made = play("4B", RICH, POOR, "123W222F333F88T23B", moves="0d4B 1w4B 3w4B")
    assert won(made) == {1: ("jihu", 2, 20), 3: ("jihu", 4, 30)}
    assert net(made) == [-50, 20, 0, 30]


def test_three_winners():
    made = play("4B", RICH, RICH_TOO, "123W333F444F77T23B", moves="0d4B 1w4B 2w4B 3w4B")
    assert made.over and net(made) == [-70, 20, 20, 30]


@pytest.mark.parametrize("dealer", range(4))
def test_there_is_no_dealer_multiplier(dealer):
    hands = ["", "", "", ""]
    hands[dealer] = RICH + "4B"
    made = play(*hands, dealer=dealer, moves=f"{dealer}h")
    assert sorted(net(made)) == [-20, -20, -20, 60]
    hands[dealer] = "4F"
    hands[(dealer + 1) % 4] = RICH
    made = play(*hands, dealer=dealer, front="4B", moves=f"{dealer}d4F {(dealer + 1) % 4}h")
    assert sorted(net(made)) == [-20, -20, -20, 60]


@pytest.mark.parametrize(
    ("options", "points"),
    [({}, 80), ({"base": 1}, 44), ({"value": 0}, 40), ({"value": 100, "base": 7}, 828), ({"cap_fan": 1}, 40),
     ({"cap_fan": 0}, 20), ({"cap_fan": 10}, 160)],
)  # fmt: skip
def test_base_value_and_cap_fan_in_play(options, points):
    """清一色对对胡: three fan, with two flowers laid out."""
    made = play("1112223339W77W1H2H", back="7W 9W", moves="0h", **options)
    assert won(made) == {0: ("duiduihu qingyise", 2, points)}
    assert net(made) == [3 * points, -points, -points, -points]


def test_the_settlement_names_the_hands_points_and_flowers():
    made = play("4B", RICH, moves="0d4B 1w4B")
    (line,) = made.settlement()
    assert line == {
        "why": "win", "from": 0, "to": 1, "units": 20, "factor": 1, "points": 20, "elements": ["jihu"],
        "flowers": 2,
    }  # fmt: skip


# What follows


def test_the_dealer_stays_after_winning_also_as_one_of_several():
    rules = tjmj.rules("jintan")
    made = play("4F", RICH, front="4B", moves="0d4F 1h")
    assert (next_dealer(rules, 1, made.result()), next_dealer(rules, 0, made.result())) == (1, 1)
    made = play(RICH, RICH_TOO, "", "4B", dealer=3, moves="3d4B 0w4B 1w4B")
    assert [next_dealer(rules, dealer, made.result()) for dealer in range(4)] == [0, 1, 3, 0]


def test_the_dealer_stays_after_liuju():
    rules = tjmj.rules("jintan")
    result = {"end": "exhausted", "winners": [], "net": [0, 0, 0, 0]}
    for dealer in range(4):
        assert next_dealer(rules, dealer, result) == dealer
        assert next_dealer(rules, dealer, result, [(dealer + 1) % 4]) == dealer  # whoever made kongs


def test_the_first_dealer_is_seat_0_and_players_are_shuffled():
    rules = tjmj.rules("jintan")
    assert (rules.first_dealer, rules.seating) == (0, "random")


def test_a_round_of_it_has_no_stakes():
    made = round_of(deal("4F", rules="jintan"))
    assert made.window == "turn" and made.pending.keys() == {0}
