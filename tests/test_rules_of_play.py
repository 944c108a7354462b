"""The rules of play, each by a small hand written out; sections are those of the Tianjin specification.

Wildcards are 东 (1F, flipped) and 南 (2F) unless a hand says otherwise. What a hand leaves open is filled
with natural tiles that have nothing to do with each other (see `rigged.arranged`).
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from rigged import shuffled
from walls import Deal, deal, letters, moves_of, throw_drawn

import tjmj
from tjmj._deal import deal as deal_of_seed
from tjmj._play import Play
from tjmj.errors import IllegalMove, RulesError
from tjmj.stakes import NO_STAKES, Stakes, check_stakes
from tjmj.tiles import NAMES

FIVE = "46W789T789B555B99T"
"""Waits for 五万 alone, or a wildcard for it: 捉五 and 素, 6 fan; 3 with a wildcard."""
POOR = "23W789T789B555B9T1F"
"""Waits for 一万 and 四万 with a wildcard in the pair: 提溜, 1 fan."""
LAST_SEAT = 3
"""With a flip throw of 12 front draws end at place 111, and seat 3 makes the last one for dealer 0."""


def held(play: Play, seat: int) -> list[str]:
    return [NAMES[kind] for kind in play.held(seat)]


def melds(play: Play, seat: int) -> list[tuple[str, str, int]]:
    return [(form, NAMES[kind], source) for form, kind, source in play.melds(seat)]


def undrawn(play: Play) -> list[str]:
    return [NAMES[kind] for kind in play.undrawn]


def won(play: Play) -> tuple[int, int, list[str]]:
    """Winner, fan and elements."""
    result = play.result()
    assert result["end"] == "win"
    (winner,) = result["winners"]
    return winner["seat"], winner["fan"], winner["elements"]


def exhausted(play: Play) -> list[int]:
    """The net of a hand that nobody won."""
    result = play.result()
    assert (result["end"], result["winners"]) == ("exhausted", [])
    net: list[int] = result["net"]
    return net


def refused(play: Play, move: str) -> None:
    before = play.state_bytes
    assert move not in play.legal()
    with pytest.raises(IllegalMove):
        play.play(move)
    assert play.state_bytes == before


# Section 1: tiles, seats, wall


@pytest.mark.parametrize(("flowers", "size"), [(False, 136), (True, 144)])
def test_section_1_a_wall_has_four_of_each_kind_and_one_of_each_flower(flowers, size):
    rules = tjmj.rules("tianjin", flower_wilds=flowers)
    wall = bytes(kind for kind in range(34) for _ in range(4)) + bytes(range(34, 34 + size - 136))
    assert len(Play(rules, 0, wall, 7).undrawn) == size - 53 - 1
    wrongs = [wall[1:], wall + b"\0", b"\1" + wall[1:], wall[:-1] + b"\x2a", wall[:136] + bytes(144 - size)]
    for wrong in wrongs:
        with pytest.raises(RulesError, match="wall"):
            Play(rules, 0, wrong, 7)


def test_section_1_the_turn_goes_round_from_the_dealer():
    play = deal("4F", "4F", "4F", "3F", dealer=2).play()
    seats = []
    for _ in range(6):
        seats.append(play.legal()[0][0])
        play.play(play.legal()[0])
    assert seats == ["2", "3", "0", "1", "2", "3"]


@pytest.mark.parametrize(("opening", "dice"), [("one-throw", 2), ("two-throw", 4)])
def test_section_1_one_throw_or_two_open_the_wall(opening, dice):
    """Walls are in take order, so that the opening says where the ring is broken and nothing else."""
    rules = tjmj.rules("tianjin", opening=opening)
    dealt = deal_of_seed(bytes(32), rules)
    assert (len(dealt.open), len(dealt.flip)) == (dice, 2)
    wall = deal("123W", FIVE).wall
    one, two = (Deal(r, wall, 7).play() for r in (tjmj.rules("tianjin"), rules))
    assert one.state_bytes == two.state_bytes


DEALT = {
    0: [0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35, 48, 52],
    1: [4, 5, 6, 7, 20, 21, 22, 23, 36, 37, 38, 39, 49],
    2: [8, 9, 10, 11, 24, 25, 26, 27, 40, 41, 42, 43, 50],
    3: [12, 13, 14, 15, 28, 29, 30, 31, 44, 45, 46, 47, 51],
}
"""Places that go to the dealer, the next, the opposite and the previous seat."""


@pytest.mark.parametrize("dealer", range(4))
def test_section_1_three_rounds_of_two_stacks_then_the_jump(dealer):
    dealt = Deal(tjmj.rules("tianjin"), shuffled(random.Random(dealer), {"name": "tianjin"}), 7, dealer)
    wall = [dealt.wall[i : i + 2] for i in range(0, 272, 2)]
    play = dealt.play()
    for offset, places in DEALT.items():
        assert sorted(held(play, (dealer + offset) % 4)) == sorted(wall[place] for place in places)
    # The next front draw is place 53.
    assert undrawn(play)[0] == wall[53]
    play.play(play.legal()[0])
    play.play(f"{(dealer + 1) % 4}d{wall[53]}")
    assert sorted(held(play, (dealer + 1) % 4)) == sorted(wall[place] for place in DEALT[1])
    assert undrawn(play)[0] == wall[54]


@pytest.mark.parametrize("flowers", [False, True])
@pytest.mark.parametrize("throw", range(2, 13))
def test_section_1_dice_flip_the_top_of_the_stack_so_far_from_the_tail(throw, flowers):
    stacks = 72 if flowers else 68
    place = 2 * (stacks - throw)
    around = {place - 1: "2J", place + 1: "3J"}
    play = deal("", flip="7T", throw=throw, at=around, flower_wilds=flowers).play()
    assert NAMES[play.flip] == "7T"
    assert play.front_left == place - 53
    left = undrawn(play)  # all but the flipped tile, those around it too
    assert len(left) == 2 * stacks - 54
    assert left[play.front_left - 1 : play.front_left + 1] == ["2J", "3J"]


def test_section_1_turned_the_next_tile_is_flipped_and_the_one_behind_it_drawn():
    play = deal("4F", front="3J 2J", flip="7T", wild_by="turned").play("0d4F")
    assert NAMES[play.flip] == "7T"
    assert play.front_left == len(play.undrawn) == 136 - 54
    play.play("1d3J")
    play.play("2d2J")


@pytest.mark.parametrize(
    ("wild_by", "throw"), [("dice", None), ("dice", 1), ("dice", 13), ("turned", 7), ("turned", 0)]
)
def test_section_1_a_flip_throw_is_two_dice_or_none(wild_by, throw):
    rules = tjmj.rules("tianjin", wild_by=wild_by)
    wall = bytes(kind for kind in range(34) for _ in range(4))
    with pytest.raises(RulesError, match="flip throw"):
        Play(rules, 0, wall, throw)


# Section 2: wildcards

FLOWERS = [f"{n}H" for n in range(1, 9)]


@pytest.mark.parametrize(
    ("flip", "options", "wild"),
    [
        ("4T", {}, ["4T", "5T"]),
        ("9W", {}, ["9W", "1W"]),
        ("9T", {}, ["9T", "1T"]),
        ("9B", {}, ["9B", "1B"]),
        ("3F", {}, ["3F", "4F"]),
        ("4F", {}, ["4F", "1F"]),
        ("2J", {}, ["2J", "3J"]),
        ("3J", {}, ["3J", "1J"]),
        ("9W", {"wild_kinds": 1}, ["9W"]),
        ("8W", {"wild_kinds": 3}, ["8W", "9W", "1W"]),
        ("3F", {"wild_kinds": 3}, ["3F", "4F", "1F"]),
        ("2J", {"wild_kinds": 3}, ["2J", "3J", "1J"]),
        ("9W", {"flower_wilds": True}, ["9W", "1W", *FLOWERS]),
        ("3H", {"flower_wilds": True}, [*FLOWERS]),
        ("9W", {"flower_wilds": True, "wild_by": "turned", "wild_kinds": 1}, ["9W", *FLOWERS]),
    ],
)
def test_section_2_the_flipped_kind_and_the_next_are_wild(flip, options, wild):
    """Cycles, `wild_kinds` and 死混儿, told by who becomes 小相公 for throwing a tile."""
    tiles = NAMES if "flower_wilds" in options else NAMES[:34]
    lost = []
    for tile in tiles:
        if not (tile == flip and tile in FLOWERS):
            lost += [tile] * deal(tile, flip=flip, **options).play(f"0d{tile}").lost[0]
    assert sorted(lost) == sorted(set(wild) - ({flip} & set(FLOWERS)))


def test_section_2_a_wildcard_stands_for_a_fifth_copy():
    play = deal("4F", "123T456T789B5555W", front="2F", min_fan=1).play("0d4F 1h")
    assert won(play) == (1, 1, ["diliu"])


def test_section_2_a_wildcard_is_one_also_as_its_own_face():
    play = deal("4F", "123T456T789B99W1F1F", front="9W").play("0d4F 1h")
    assert won(play) == (1, 2, ["hundiao"])  # and not 素


def test_section_2_a_wildcard_never_stands_for_another_tile_in_a_pong_or_kong():
    play = deal("5W", "5W1F2F2F", "5W5W1F", front="9B").play("0d5W")
    assert moves_of(play, "po") == ["2p5W"]
    assert moves_of(deal("5W5W5W1F").play(), "c") == []


def test_section_2_a_wild_kind_cannot_be_ponged():
    for hand in ("2F2F", "2F2F2F"):
        play = deal("2F", hand).play("0d2F")
        refused(play, "1p2F")
    assert deal("3F", "3F3F").play("0d3F").legal().count("1p3F") == 1


def test_section_2_four_of_a_wild_kind_are_a_concealed_gold_kong():
    play = deal("2F2F2F2F").play()
    assert moves_of(play, "c") == ["0c2F"]
    play.play("0c2F")
    assert melds(play, 0) == [("concealed", "2F", 0)]


def test_section_2_a_gold_kong_by_discard():
    play = deal("2F", "2F2F2F").play("0d2F")
    assert moves_of(play, "po") == ["1o2F"]
    play.play("1o2F")
    assert melds(play, 1) == [("exposed", "2F", 0)]
    assert play.lost == (True, False, False, False)  # who threw it, not who took it


@pytest.mark.parametrize(
    ("options", "concealed", "exposed"),
    [
        ({}, True, True),
        ({"gold_kong_by_discard": False}, True, False),
        ({"gold_kong": 0}, False, False),
        ({"rules": "tianjin-hall"}, True, False),
        ({"rules": "tianjin-street"}, True, False),
        ({"rules": "tianjin-street", "gold_kong_by_discard": True}, True, True),
    ],
)
def test_section_2_and_6_which_gold_kongs_the_rules_have(options, concealed, exposed):
    assert ("0c2F" in deal("2F2F2F2F", **options).play().legal()) == concealed
    assert ("1o2F" in deal("2F", "2F2F2F", **options).play("0d2F").legal()) == exposed
    # Kongs of natural kinds do not care.
    assert "0c3F" in deal("3F3F3F3F", **options).play().legal()
    assert "1o3F" in deal("3F", "3F3F3F", **options).play("0d3F").legal()


def test_section_2_the_flipped_kind_has_three_copies_and_makes_no_gold_kong():
    play = deal("1F1F1F2F2F2F2F3F3F3F3F", wild_kinds=3).play()
    assert moves_of(play, "c") == ["0c2F", "0c3F"]


def test_section_2_who_throws_a_wildcard_cannot_win_any_more():
    """小相公."""
    moves = "0d4F 1d{} 2d3J 3d3J 0d3J"
    table = deal("4F3J", FIVE, front="1F 3J 3J 4F 5W")
    wild = table.play(moves.format("1F"))
    assert wild.lost == (False, True, False, False)
    refused(wild, "1h")
    other = deal("4F3J", FIVE, front="2J 3J 3J 4F 5W").play(moves.format("2J"))
    assert "1h" in other.legal()


def test_section_2_who_throws_a_wildcard_plays_on_and_its_kongs_pay():
    play = deal("4F", "9999B1F", throw=12).play("0d4F 1d1F")
    throw_drawn(play, seats=(0, 2, 3))
    play.play("1c9B")
    play.play(play.legal()[0])
    assert play.lost[1]
    throw_drawn(play)
    assert exhausted(play) == [-2, 6, -2, -2]


# Section 3.1: stakes


@pytest.mark.parametrize(
    ("stakes", "options", "why"),
    [
        (Stakes(pull=(1, 0, 0, 0)), {}, "dealer"),
        (Stakes(kick=(True, False, False, False)), {"chuai": True}, "dealer"),
        (Stakes(pull=(0, 3, 0, 0)), {}, "0 to 2"),
        (Stakes(pull=(0, 0, -1, 0)), {}, "0 to 2"),
        (Stakes(pull=(0, 0, 2, 0)), {"max_pulls": 1}, "0 to 1"),
        (Stakes(pull=(0, 0, 0, 1)), {"max_pulls": 0}, "0 to 0"),
        (Stakes(pull=(0, 1, 0, 0), kick=(False, True, False, False)), {}, "chuai"),
        (Stakes(pull=(0, 1, 0, 0), kick=(False, False, True, False)), {"chuai": True}, "having pulled"),
        (Stakes(sit=True), {"stakes": False}, "stakes are off"),
        (Stakes(pull=(0, 1, 0, 0)), {"stakes": False}, "stakes are off"),
    ],
)
def test_section_3_1_stakes_that_cannot_be(stakes, options, why):
    with pytest.raises(RulesError, match=why):
        deal("", staked=stakes, **options).play()


@pytest.mark.parametrize(
    ("stakes", "options"),
    [
        (Stakes(sit=True), {}),
        (Stakes(pull=(0, 0, 1, 2)), {}),  # whether the dealer sits or not
        (Stakes(sit=True, pull=(0, 2, 2, 2)), {}),
        (Stakes(pull=(0, 1, 0, 2), kick=(False, True, False, True)), {"chuai": True}),  # sitting or not
        (Stakes(True, (0, 1, 1, 1), (False, True, True, True)), {"chuai": True, "max_pulls": 1}),
        (NO_STAKES, {"stakes": False}),
    ],
)
def test_section_3_1_stakes_that_can_be(stakes, options):
    assert deal("", staked=stakes, **options).play().legal()


def test_section_3_1_the_dealer_of_any_seat_does_not_pull():
    assert deal("", dealer=2, staked=Stakes(pull=(2, 2, 0, 2))).play().legal()
    with pytest.raises(RulesError, match="seat 2 is the dealer"):
        deal("", dealer=2, staked=Stakes(pull=(0, 0, 2, 0))).play()


@pytest.mark.parametrize(
    "stakes",
    [
        Stakes(False, (0, 0, 0), (False, False, False)),  # type: ignore[arg-type]
        Stakes(False, (0,) * 5, (False,) * 5),  # type: ignore[arg-type]
        Stakes(False, (0,) * 4, (False,) * 3),  # type: ignore[arg-type]
    ],
)
def test_section_3_1_stakes_are_those_of_four_seats(stakes):
    """Asked without a `Play`, which must not see such stakes."""
    with pytest.raises(RulesError):
        check_stakes(stakes, 0, tjmj.rules())


# Section 3.2 and 3.3: turns


def test_section_3_2_the_dealer_acts_on_14_tiles():
    play = deal("1199W2288T3377B4F1J").play()
    assert play.legal() == [f"0d{tile}" for tile in "1J 1W 2T 3B 4F 7B 8T 9W".split()]
    assert [len(play.held(seat)) for seat in range(4)] == [14, 13, 13, 13]


def test_section_3_3_after_a_draw_win_or_kong_or_discard_any_concealed_tile():
    table = deal("5B4F", "55B9999T46W78T123B", front="3J 3J 3J 5W")
    play = table.play("0d5B 1p5B 1d1B 2d3J 3d3J 0d3J")
    assert play.legal() == ["1c9T", *(f"1d{tile}" for tile in "2B 3B 4W 5W 6W 7T 8T 9T".split())]
    table = deal("5B4F", "555B9999T46W99B8T1J", front="3J 3J 3J 7T")
    play = table.play("0d5B 1p5B 1d1J 2d3J 3d3J 0d3J")
    assert letters(play) == "acd"
    play = deal("9999T78T46W5W99B5T5T5T").play()
    assert letters(play) == "cdh"


def test_section_3_3_an_added_kong_with_the_tile_drawn_now():
    table = deal("5B4F", "55B", front="3J 3J 3J 5B")
    play = table.play("0d5B 1p5B")
    play.play(moves_of(play, "d")[0])
    throw_drawn(play, seats=(2, 3, 0))
    assert "1a5B" in play.legal()
    play.play("1a5B")
    assert melds(play, 1) == [("added", "5B", 0)]


def test_section_3_3_an_added_kong_with_a_tile_held_before():
    table = deal("5B4F", "555B8W", front="3J 3J 3J 4F 3J")
    play = table.play("0d5B 1p5B")
    assert letters(play) == "d"  # these kongs need a draw first
    play.play_all("1d8W 2d3J 3d3J 0d3J")
    assert "1a5B" in play.legal()
    play.play("1d4F")  # and not only at once
    throw_drawn(play, seats=(2, 3, 0))
    assert "1a5B" in play.legal()


def test_section_3_3_after_a_pong_only_a_discard():
    play = deal("5W", "55W9999T123B789B9W").play("0d5W 1p5W")
    assert play.legal() == [f"1d{tile}" for tile in "1B 2B 3B 7B 8B 9B 9T 9W".split()]


def test_section_3_3_a_pong_that_completes_the_hand_does_not_win():
    play = deal("5W", "55W123T456T789B99B").play("0d5W 1p5W")
    assert letters(play) == "d"


def test_section_3_3_four_of_a_kind_that_are_not_declared_pay_nothing():
    play = deal("4F", "9999B", throw=12).play("0d4F")
    throw_drawn(play)
    assert exhausted(play) == [0, 0, 0, 0]


def test_section_3_3_a_kong_can_be_declared_in_a_later_turn():
    play = deal("9999B4F3J").play("0d4F")
    throw_drawn(play, seats=(1, 2, 3))
    assert "0c9B" in play.legal()


# Section 3.4: claims


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_section_3_4_any_seat_that_holds_two_more_may_pong(seat):
    hands = [""] * 4
    hands[0], hands[seat] = "5W", "5W5W9W"
    play = deal(*hands).play("0d5W")
    assert moves_of(play, "po") == [f"{seat}p5W"]
    play.play(f"{seat}p5W")
    assert melds(play, seat) == [("pong", "5W", 0)]
    assert {move[0] for move in play.legal()} == {str(seat)}
    play.play(f"{seat}d9W")
    following = moves_of(play, "d")
    assert {move[0] for move in following} == {str((seat + 1) % 4)}  # the turn goes on from there


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_section_3_4_who_holds_three_more_may_make_an_exposed_kong_or_pong(seat):
    hands = [""] * 4
    hands[0], hands[seat] = "5W", "5W5W5W"
    table = deal(*hands, back="3J")
    play = table.play("0d5W")
    assert moves_of(play, "po") == [f"{seat}o5W", f"{seat}p5W"]
    before = held(play, seat)
    play.play(f"{seat}o5W")
    assert melds(play, seat) == [("exposed", "5W", 0)]
    assert sorted([*held(play, seat), "5W", "5W", "5W"]) == sorted([*before, "3J"])
    assert f"{seat}d3J" in play.legal()  # its turn goes on as after a draw


def test_section_3_4_a_claim_can_wait_for_a_discard_of_any_seat():
    play = deal("55W9B", "4F", "5W4F", front="3J").play("0d9B 1d4F 2d5W")
    assert moves_of(play, "po") == ["0p5W"]
    play.play("0p5W")
    assert melds(play, 0) == [("pong", "5W", 2)]


def test_section_3_4_a_seat_cannot_claim_its_own_discard():
    play = deal("5555W").play("0d5W")
    assert letters(play) == "d"
    refused(play, "0p5W")
    refused(play, "0o5W")


def test_section_3_4_only_the_last_discard_can_be_claimed():
    play = deal("5W", "9W", "5W5W").play("0d5W 1d9W")
    refused(play, "2p5W")


def test_section_3_4_no_chow_and_no_win_on_a_discard():
    play = deal("5W", FIVE, front="3J").play("0d5W")
    assert letters(play) == "d"
    for move in ("1h", "1w5W", "1e4W"):
        refused(play, move)


def test_section_3_4_an_added_kong_cannot_be_robbed():
    table = deal("5W4F", "55W8W", FIVE, front="3J 3J 3J 5W", back="4F")
    play = table.play("0d5W 1p5W 1d8W 2d3J 3d3J 0d3J 1a5W")
    assert {move[0] for move in play.legal()} == {"1"}
    refused(play, "2h")


@pytest.mark.parametrize("closed", [1, 4, 20])
def test_section_3_4_no_claims_while_so_many_front_tiles_or_fewer_are_left(closed):
    """`last_tiles_closed`; places 107 and 108 are drawn with 4 and 3 left after them."""
    for left in (closed + 1, closed, closed - 1):
        place = 111 - left
        seat = (place - 52) % 4  # who draws there
        hands = ["4F", "", "", ""]
        hands[(seat + 2) % 4] += "555W"
        table = deal(*hands, at={place: "5W"}, throw=12, last_tiles_closed=closed)
        play = table.play("0d4F" if seat != 2 else f"0d{held(table.play(), 0)[0]}")
        throw_drawn(play, left + 1)
        play.play(f"{seat}d5W")
        assert play.front_left == left
        claims = [f"{(seat + 2) % 4}{letter}5W" for letter in "op"] if left > closed else []
        assert moves_of(play, "po") == claims
        if not claims:
            refused(play, f"{(seat + 2) % 4}p5W")


def test_section_3_4_gold_kongs_by_discard_are_closed_too_but_not_those_of_the_own_turn():
    for closed, claims in ((3, ["1o2F"]), (4, [])):
        table = deal("4F", "2F2F2F", "", "9999B", at={107: "2F"}, throw=12, last_tiles_closed=closed)
        play = table.play("0d4F")
        throw_drawn(play, 5)
        assert "3c9B" in play.legal()
        play.play("3d2F")
        assert moves_of(play, "po") == claims
    play = deal("9999B", last_tiles_closed=136).play()
    assert "0c9B" in play.legal()


# Section 3.5: replacements


def test_section_3_5_the_turn_goes_on_after_a_kong_as_after_a_draw():
    play = deal("9999B8888B46W99T55B", back="5B 5W").play("0c9B")
    assert "0c8B" in play.legal()
    play.play("0c8B")
    assert {"0h", "0d5W", "0d9T"} <= set(play.legal())


def test_section_3_5_back_draws_take_top_then_bottom_and_the_tile_under_the_flipped_one():
    """With a throw of 2 places 134 and 135 lie behind the flipped tile at 132."""
    table = deal("1111W2222W3333W44W", at={134: "4W", 135: "4W", 133: "3J", 130: "8B"}, throw=2)
    play = table.play()
    taken = ["1W"] * 4 + ["2W"] * 4 + ["3W"] * 4 + ["4W"] * 2
    for kong, tile, front in (("1W", "4W", 79), ("2W", "4W", 79), ("3W", "3J", 79), ("4W", "8B", 78)):
        play.play(f"0c{kong}")
        taken = [held for held in taken if held != kong] + [tile]
        assert sorted(held(play, 0)) == sorted(taken)
        assert play.front_left == front  # past the flipped stack they eat into the front tiles
    assert len(undrawn(play)) == 78


def test_section_3_5_a_hole_behind_2f_minus_2_leaves_a_front_tile():
    """130 is taken from the back, 131 is still drawn from the front, last of all."""
    places = {134: "4W", 135: "4W", 133: "3J", 130: "8B", 129: "7B", 131: "6B"}
    play = deal("1111W2222W3333W44W", at=places, throw=2).play("0c1W 0c2W 0c3W 0c4W 0d8B")
    assert undrawn(play)[-2:] == ["7B", "6B"]
    throw_drawn(play, 2)
    assert undrawn(play) == ["7B", "6B"]
    seat = (play.seat + 1) % 4
    play.play(f"{seat}d7B")
    assert (play.front_left, play.may_end) == (1, False)
    play.play(f"{(seat + 1) % 4}d6B")
    assert (play.front_left, undrawn(play), play.may_end) == (0, [], True)


def test_section_3_5_the_next_back_draw_takes_the_tile_under_the_hole():
    places = {134: "4W", 135: "4W", 133: "3J", 130: "8B", 131: "6B"}
    play = deal("1111W2222W3333W44W", "9999T", at=places, throw=2).play("0c1W 0c2W 0c3W 0c4W 0d8B 1c9T 1d6B")
    assert play.front_left == 76  # 53 and 131 are gone now too
    assert len(undrawn(play)) == 76


def test_section_3_5_no_kong_without_a_replacement():
    """翻混: front draws take all that is left, the last one (seat 2's) with nothing behind it."""
    table = deal("4F", "", "9999B", wild_by="turned")
    play = table.play("0d4F")
    throw_drawn(play, 4)
    throw_drawn(play, 1, seats=(3, 0, 1))
    assert play.front_left == 1
    assert moves_of(play, "c") == []
    refused(play, "2c9B")
    # Four draws earlier there was something left.
    play = table.play("0d4F")
    throw_drawn(play, 5)
    assert "2c9B" in play.legal()


def test_section_3_5_no_exposed_kong_without_a_replacement():
    table = deal("4F", "", "", "555W", at={135: "5W"}, wild_by="turned")
    play = table.play("0d4F")
    throw_drawn(play)
    assert moves_of(play, "po") == ["3p5W"]
    refused(play, "3o5W")


def test_section_3_5_no_added_kong_without_a_replacement():
    """Two pongs move the turns on, so that seat 1 makes the last draw."""
    table = deal("5B4F", "55B9W", "", "99W8T", at={135: "5B"}, wild_by="turned")
    play = table.play("0d5B 1p5B 1d9W 3p9W 3d8T")
    throw_drawn(play, 1)
    assert undrawn(play) == ["5B"] and "1d5B" in play.legal()
    refused(play, "1a5B")


# Section 3.6 and the end of the wall


def test_section_3_6_without_a_claim_the_next_seat_draws_from_the_front_in_rising_order():
    play = deal("4F", front="3J 2J 1J 3J 2J").play("0d4F 1d3J 2d2J 3d1J 0d3J")
    assert "1d2J" in play.legal()


def test_section_3_front_draws_end_at_the_flipped_tile_even_if_back_tiles_remain():
    play = deal("4F", throw=12).play("0d4F")
    assert play.front_left == 111 - 52
    throw_drawn(play, 1)
    assert not play.may_end  # the last front draw is still to come
    throw_drawn(play)
    assert (play.seat, play.front_left, len(undrawn(play))) == (LAST_SEAT, 0, 23)
    assert play.may_end and not play.over
    assert play.legal() == []
    assert exhausted(play) == [0, 0, 0, 0]


def test_section_3_the_last_discard_can_be_ponged():
    play = deal("4F", "55W9B", at={111: "5W"}, throw=12).play("0d4F")
    throw_drawn(play)
    assert play.legal() == ["1p5W"]
    # The record may end here, the open claim included.
    assert play.may_end
    assert exhausted(play) == [0, 0, 0, 0]
    play.play("1p5W")
    assert not play.may_end
    with pytest.raises(ValueError, match="goes on"):
        play.result()
    play.play("1d9B")
    assert play.may_end and play.legal() == []


def test_section_3_the_last_discard_can_be_konged_and_the_replacement_win():
    table = deal("4F", FIVE, at={111: "5B"}, back="5W", throw=12)
    play = table.play("0d4F")
    throw_drawn(play)
    assert play.legal() == ["1o5B", "1p5B"]
    play.play("1o5B")
    assert not play.may_end
    play.play("1h")
    assert won(play) == (1, 12, ["gangkai", "su", "zhuowu"])


def test_section_3_a_kong_of_the_last_discard_pays_at_the_end():
    play = deal("4F", "555W9B", at={111: "5W"}, back="3J", throw=12).play("0d4F")
    throw_drawn(play)
    play.play_all("1o5W 1d3J")
    assert play.may_end and play.legal() == []
    assert exhausted(play) == [-1, 3, -1, -1]


def test_section_3_with_turned_front_and_back_draws_meet_in_the_middle():
    play = deal("9999B4F", back="3J", at={135: "2J"}, wild_by="turned").play("0c9B")
    assert play.front_left == len(undrawn(play)) == 81  # one of 82 has gone
    play.play("0d4F")
    throw_drawn(play, 1)
    assert undrawn(play) == ["2J"]  # behind the hole at 134
    throw_drawn(play)
    assert (undrawn(play), play.may_end) == ([], True)
    assert exhausted(play) == [6, -2, -2, -2]


# Section 3, 天听 (option `heavenly_ready`)

READY: dict[str, Any] = {"heavenly_ready": True}
OTHER = "12W789W123B456T11J"
"""Waits as well, beside `FIVE`."""


def test_section_3_ready_is_refused_where_the_option_is_off():
    assert moves_of(deal("4F", FIVE).play("0d4F"), "r") == []
    assert moves_of(deal("4F", FIVE, rules="tianjin-street").play("0d4F"), "r") == ["1r"]


def test_section_3_ready_is_declared_right_after_the_dealers_first_discard():
    table = deal("4F3J", FIVE, "", OTHER, front="3J 2J 3J 2J", **READY)
    assert moves_of(table.play(), "r") == []
    assert moves_of(table.play("0d4F"), "r") == ["1r", "3r"]  # the hand of seat 2 does not wait
    assert moves_of(table.play("0d4F 1d3J"), "r") == []
    assert moves_of(table.play("0d4F 1d3J 2d2J 3d3J 0d2J"), "r") == []
    assert table.play("0d4F 1r 3r").ready == (False, True, False, True)


def test_section_3_ready_also_after_a_kong_of_the_dealer():
    assert moves_of(deal("9999W4F", FIVE, **READY).play("0c9W 0d4F"), "r") == ["1r"]


def test_section_3_ready_goes_round_in_turn_order():
    table = deal("4F", FIVE, "", OTHER, **READY)
    play = table.play("0d4F 3r")
    assert moves_of(play, "r") == []
    refused(play, "1r")
    play = table.play("0d4F 1r")
    assert moves_of(play, "r") == ["3r"]
    refused(play, "1r")


@pytest.mark.parametrize("dealer", range(4))
def test_section_3_ready_begins_with_the_dealers_next_seat(dealer):
    hands = [FIVE, OTHER, "12W345T678T345B88B", "4F"]
    hands = hands[3 - dealer :] + hands[: 3 - dealer]
    assert hands[dealer] == "4F"
    play = deal(*hands, dealer=dealer, **READY).play(f"{dealer}d4F")
    refused(play, f"{dealer}r")
    last = (dealer + 3) % 4
    play.play(f"{last}r")
    assert moves_of(play, "r") == []


def test_section_3_ready_comes_before_any_claim_on_that_discard():
    table = deal("9B", FIVE, "9B9B8W", **READY)
    play = table.play("0d9B")
    assert moves_of(play, "rp") == ["1r", "2p9B"]
    assert moves_of(table.play("0d9B 1r"), "rp") == ["2p9B"]
    # Once somebody has claimed the discard, no more declarations.
    play = table.play("0d9B 2p9B")
    assert moves_of(play, "r") == []
    refused(play, "1r")
    play.play("2d8W")
    assert moves_of(play, "r") == []


def test_section_3_ready_claims_nothing_that_first_discard_included():
    table = deal("9T5B", FIVE, front="3J 3J 3J 3J", **READY)
    assert moves_of(table.play("0d9T"), "rpo") == ["1o9T", "1p9T", "1r"]
    play = table.play("0d9T 1r")
    assert moves_of(play, "rpo") == []
    refused(play, "1p9T")
    refused(play, "1o9T")
    play.play_all("1d3J 2d3J 3d3J 0d5B")
    assert moves_of(play, "po") == []
    refused(play, "1o5B")


def test_section_3_ready_only_wins_or_discards_what_it_draws():
    table = deal("4F", "46W9999B78B789T99T", front="3J 3J 3J 3J 5W", **READY)
    play = table.play("0d4F 1r")
    assert moves_of(play, "dchao") == ["1d3J"]
    for move in ("1d9T", "1c9B", "1h"):
        refused(play, move)
    play.play_all("1d3J 2d3J 3d3J 0d3J")
    assert play.legal() == ["1d5W", "1h"]


def test_section_3_ready_may_pass_a_win_and_stays():
    table = deal("4F", FIVE, front="5W 3J 3J 3J 5W", **READY)
    play = table.play("0d4F 1r 1d5W 2d3J 3d3J 0d3J")
    assert play.legal() == ["1d5W", "1h"]
    assert won(table.play("0d4F 1r 1d5W 2d3J 3d3J 0d3J 1h")) == (1, 12, ["su", "tianting", "zhuowu"])


def test_section_3_ready_throws_a_wildcard_too_and_then_cannot_win():
    table = deal("4F", FIVE, front="2F 3J 3J 3J 5W", **READY)
    play = table.play("0d4F 1r")
    assert play.legal()[:2] == ["1d2F", "1h"]
    play.play_all("1d2F 2d3J 3d3J 0d3J")
    assert (play.lost[1], play.ready[1]) == (True, True)
    assert play.legal() == ["1d5W"]


def test_section_3_ready_doubles_the_win_only_of_who_declared():
    table = deal("4F", FIVE, "", "", front="3J 3J 3J 3J 5W", **READY)
    moves = "1d3J 2d3J 3d3J 0d3J 1h"
    assert won(table.play(f"0d4F {moves}")) == (1, 6, ["su", "zhuowu"])
    assert won(table.play(f"0d4F 1r {moves}")) == (1, 12, ["su", "tianting", "zhuowu"])
    assert won(table.play("0d4F 1r 1d3J 2d3J 3d3J 0d3J 1h")) == (1, 12, ["su", "tianting", "zhuowu"])


def test_section_3_ready_waits_for_min_fan_with_its_own_doubling_counted():
    """`POOR` is 1 fan, 2 with 天听."""
    for min_fan, declares in ((1, True), (2, True), (3, False)):
        play = deal("4F", POOR, min_fan=min_fan, **READY).play("0d4F")
        assert (moves_of(play, "r") == ["1r"]) == declares


def test_section_3_ready_does_not_count_what_only_the_draw_brings():
    """杠开 and 地和 would make more of it."""
    play = deal("4F", POOR, min_fan=4, earthly=True, **READY).play("0d4F")
    assert moves_of(play, "r") == []
    assert "1h" in deal("4F", POOR, front="4W", min_fan=4, earthly=True, **READY).play("0d4F").legal()


def test_section_3_ready_needs_a_kind_of_which_a_copy_is_not_seen():
    """With `min_fan` 8 only 五万 would do (捉五, 素, 天听): 12 fan, and 6 for a wildcard instead."""
    eight: dict[str, Any] = {"min_fan": 8, **READY}
    four = "46W555W567W123T99B"  # all four copies in the hand
    assert moves_of(deal("4F", four, **eight).play("0d4F"), "r") == []
    three = "46W55W123T456T999B"
    assert moves_of(deal("4F", three, **eight).play("0d4F"), "r") == ["1r"]
    # Only the own hand counts: seat 1 cannot see that the dealer holds all four.
    assert moves_of(deal("4F5W5W5W5W", FIVE, **eight).play("0d4F"), "r") == ["1r"]


def test_section_3_ready_sees_the_flipped_tile_too():
    """五万 or a wildcard would do (捉五, 混吊, 天听); all 五万 are held, and all of a single wild kind are seen."""
    hand = "5555W123T789B1F1F1F"
    for wild_kinds, declares in ((1, []), (2, ["1r"])):
        play = deal("4F", hand, wild_kinds=wild_kinds, min_fan=8, **READY).play("0d4F")
        assert moves_of(play, "r") == declares


# Section 4: winning


def test_section_4_winning_on_a_front_draw_and_on_a_back_draw():
    assert won(deal("4F", FIVE, front="5W").play("0d4F 1h")) == (1, 6, ["su", "zhuowu"])
    table = deal("4F", "9999W46W789T123B9T", front="9T", back="5W")
    assert won(table.play("0d4F 1c9W 1h")) == (1, 12, ["gangkai", "su", "zhuowu"])


@pytest.mark.parametrize("hand", ["1133557799W1133T", "19W19T19B1234F1233J"])
def test_section_4_nothing_but_four_sets_and_a_pair_wins(hand):
    """七对 and 十三幺, with nothing wild among them."""
    play = deal(hand, flip="5B", min_fan=1).play()
    assert "0h" not in play.legal()


def test_section_4_a_kong_or_pong_is_a_set():
    pong = deal("5B4F", "55B46W999T111J22T3W", front="3J 3J 3J 5W")
    assert won(pong.play("0d5B 1p5B 1d3W 2d3J 3d3J 0d3J 1h")) == (1, 6, ["su", "zhuowu"])
    kong = deal("5B4F", "555B46W999T111J22T", front="3J 3J 3J 5W", back="2J")
    assert won(kong.play("0d5B 1o5B 1d2J 2d3J 3d3J 0d3J 1h")) == (1, 6, ["su", "zhuowu"])


def test_section_4_min_fan_counts_no_kong_points():
    for min_fan, wins in ((1, True), (2, False)):
        play = deal("4F", POOR, front="4W", min_fan=min_fan).play("0d4F")
        assert ("1h" in play.legal()) == wins
    table = deal("4F", "9999W23W789T789B1F", front="3J 3J 3J 3J 1W", back="9B", concealed_kong=9)
    play = table.play("0d4F 1c9W 1d3J 2d3J 3d3J 0d3J")
    refused(play, "1h")


def test_section_4_passing_a_win_costs_nothing():
    table = deal("4F", FIVE, front="5W 3J 3J 3J 5W")
    play = table.play("0d4F")
    assert "1h" in play.legal()
    play.play_all("1d5W 2d3J 3d3J 0d3J")
    assert "1h" in play.legal()


def test_section_4_after_the_win_there_is_nothing_to_play():
    play = deal("4F", FIVE, front="5W").play("0d4F 1h")
    assert play.over and play.may_end and play.legal() == []
    refused(play, "2d4F")


# Section 5, as far as play decides: 杠开, 天和, 地和


def test_section_5_gangkai_counts_once_however_many_kongs_in_a_row():
    play = deal("9999B8888B46W99T55B", back="5B 5W").play("0c9B 0c8B 0h")
    assert won(play) == (0, 12, ["gangkai", "su", "zhuowu"])


def test_section_5_gangkai_is_over_with_the_discard():
    table = deal("4F", "9999W46W789T123B9T", front="9T 3J 3J 3J 5W", back="3J")
    assert won(table.play("0d4F 1c9W 1d3J 2d3J 3d3J 0d3J 1h")) == (1, 6, ["su", "zhuowu"])


@pytest.mark.parametrize("kong", ["concealed", "exposed", "added", "gold"])
def test_section_5_gangkai_after_every_kind_of_kong(kong):
    rest = "46W789T99T"
    if kong == "concealed":
        play = deal("4F", f"999W123B{rest}", front="9W", back="5W").play("0d4F 1c9W 1h")
    elif kong == "exposed":
        play = deal("9W", f"999W123B{rest}", back="5W").play("0d9W 1o9W 1h")
    elif kong == "added":
        table = deal("9W4F", f"99W123B{rest}1J", front="3J 3J 3J 9W", back="5W")
        play = table.play("0d9W 1p9W 1d1J 2d3J 3d3J 0d3J 1a9W 1h")
    else:
        play = deal("2F", f"222F123B{rest}", back="5W").play("0d2F 1o2F 1h")
    natural = [] if kong == "gold" else ["su"]  # a gold kong ends 素
    assert won(play) == (1, 6 if kong == "gold" else 12, ["gangkai", *natural, "zhuowu"])


HEAVENLY = "5W46W789T789B555B99T"
"""Dealt in this order, so that 九条 is place 52's tile."""


def test_section_5_tianhu_takes_the_best_of_the_14_as_the_winning_tile():
    assert won(deal(HEAVENLY).play("0h")) == (0, 24, ["su", "tianhu", "zhuowu"])


@pytest.mark.parametrize(
    ("options", "fan"),
    [
        ({"heavenly_factor": 8}, 48),
        ({"heavenly_factor": 1}, 6),
        ({"heavenly_mode": "plus"}, 10),
        ({"heavenly_mode": "plus", "heavenly_factor": 7}, 13),
    ],
)
def test_section_5_heavenly_factor_and_mode(options, fan):
    assert won(deal(HEAVENLY, **options).play("0h")) == (0, fan, ["su", "tianhu", "zhuowu"])
    play = deal("4F", FIVE, front="5W", earthly=True, **options).play("0d4F 1h")
    assert won(play) == (1, fan, ["dihu", "su", "zhuowu"])


def test_section_5_tianhu_makes_the_plainest_hand_worth_winning():
    play = deal("1F23W789T789B555B9T9T").play("0h")
    assert won(play) == (0, 4, ["diliu", "tianhu"])


def test_section_5_no_tianhu_after_a_kong():
    play = deal("9999B456W789T123T9T", back="9T").play("0c9B 0h")
    assert won(play) == (0, 4, ["diliu", "gangkai", "su"])


def test_section_5_no_tianhu_after_the_first_discard():
    play = deal(f"{FIVE}4F", front="3J 3J 3J 5W").play("0d4F 1d3J 2d3J 3d3J 0h")
    assert won(play) == (0, 6, ["su", "zhuowu"])


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_section_5_dihu_on_the_first_front_draw_of_each_other_seat(seat):
    hands = ["4F", "", "", ""]
    hands[seat] = FIVE
    draws = ["3J", "2J"][: seat - 1]
    moves = " ".join(["0d4F", *(f"{i}d{tile}" for i, tile in enumerate(draws, 1)), f"{seat}h"])
    table = deal(*hands, front=" ".join([*draws, "5W"]), earthly=True)
    assert won(table.play(moves)) == (seat, 24, ["dihu", "su", "zhuowu"])
    off = deal(*hands, front=" ".join([*draws, "5W"]))
    assert won(off.play(moves)) == (seat, 6, ["su", "zhuowu"])


def test_section_5_dihu_with_tianting():
    play = deal("4F", FIVE, front="5W", earthly=True, **READY).play("0d4F 1r 1h")
    assert won(play) == (1, 48, ["dihu", "su", "tianting", "zhuowu"])


def test_section_5_dihu_counts_the_drawn_tile_as_the_winning_one():
    """天和 could choose 五万."""
    play = deal("4F", "456W789T789B555B9T", front="9T", earthly=True).play("0d4F 1h")
    assert won(play) == (1, 8, ["dihu", "diliu", "su"])


PLAIN_FIVE = (6, ["su", "zhuowu"])


def test_section_5_no_dihu_on_a_second_draw():
    play = deal("4F", FIVE, front="3J 3J 3J 3J 5W", earthly=True).play("0d4F 1d3J 2d3J 3d3J 0d3J 1h")
    assert won(play)[1:] == PLAIN_FIVE


def test_section_5_no_dihu_for_the_dealer():
    play = deal(f"{FIVE}4F", front="3J 3J 3J 5W", earthly=True).play("0d4F 1d3J 2d3J 3d3J 0h")
    assert won(play)[1:] == PLAIN_FIVE


def test_section_5_no_dihu_after_a_claim():
    """Seat 3 pongs, so that seat 1's first draw comes after the dealer's second discard."""
    table = deal("8W4F", FIVE, "", "8W8W1J", front="3J 5W", earthly=True)
    assert won(table.play("0d8W 3p8W 3d1J 0d3J 1h"))[1:] == PLAIN_FIVE
    table = deal("8W", "8W8W1J", FIVE, front="5W", earthly=True)
    assert won(table.play("0d8W 1p8W 1d1J 2h"))[1:] == PLAIN_FIVE


def test_section_5_no_dihu_after_a_kong_by_anyone():
    table = deal("9999W4F", FIVE, front="5W", earthly=True)
    assert won(table.play("0c9W 0d4F 1h"))[1:] == PLAIN_FIVE
    table = deal("4F", "9999W3J", FIVE, front="1J 5W", back="2J", earthly=True)
    assert won(table.play("0d4F 1c9W 1d3J 2h"))[1:] == PLAIN_FIVE
    table = deal("4F", "9999W46W789T123B9T", front="9T", back="5W", earthly=True)  # its own
    assert won(table.play("0d4F 1c9W 1h"))[1:] == (12, ["gangkai", "su", "zhuowu"])


# Section 6: payments


def seat_1_wins(**given: Any) -> Play:
    """捉五 and 素, 6 fan, for the seat after dealer 0."""
    return deal("4F", FIVE, front="5W", **given).play("0d4F 1h")


def test_section_6_the_winner_gets_its_fan_from_each_other_seat():
    assert seat_1_wins().result()["net"] == [-6, 18, -6, -6]


def test_section_6_all_points_are_fan_units_times_base():
    assert seat_1_wins(base=5).result()["net"] == [-30, 90, -30, -30]
    play = deal("9999B4F", base=5, throw=12).play("0c9B 0d4F")
    throw_drawn(play)
    assert exhausted(play) == [30, -10, -10, -10]


@pytest.mark.parametrize(
    ("staked", "dealer_pays"),
    [
        (Stakes(), 6),
        (Stakes(sit=True), 12),
        (Stakes(pull=(0, 1, 0, 0)), 12),
        (Stakes(pull=(0, 2, 0, 0)), 24),
        (Stakes(sit=True, pull=(0, 2, 1, 2)), 48),
        (Stakes(pull=(0, 0, 2, 1)), 6),  # others' pulls are between them and the dealer
        (Stakes(pull=(0, 2, 0, 0), kick=(False, True, False, False)), 48),
        (Stakes(pull=(0, 1, 2, 0), kick=(False, False, True, False)), 12),
        (Stakes(sit=True, pull=(0, 2, 2, 2), kick=(False, True, True, True)), 96),
    ],
)
def test_section_6_stakes_double_what_dealer_and_seat_pay_each_other(staked, dealer_pays):
    """Between two others m is 1."""
    play = seat_1_wins(staked=staked, chuai=True)
    assert play.result()["net"] == [-dealer_pays, dealer_pays + 12, -6, -6]


def test_section_6_a_winning_dealer_gets_from_each_by_its_own_stakes():
    staked = Stakes(sit=True, pull=(0, 0, 1, 2), kick=(False, False, False, True))
    play = deal(HEAVENLY, staked=staked, chuai=True, cap=None).play("0h")
    # 24 fan by 2, by 2 and 2, by 2 and 4 and 2
    assert play.result()["net"] == [48 + 96 + 384, -48, -96, -384]


@pytest.mark.parametrize("dealer", range(4))
def test_section_6_stakes_go_with_the_seats_of_any_dealer(dealer):
    hands, pull = ["", "", "", ""], [1, 1, 1, 1]
    winner, other = (dealer + 1) % 4, (dealer + 2) % 4
    hands[dealer], hands[winner] = "4F", FIVE
    pull[dealer], pull[winner] = 0, 2
    table = deal(*hands, front="5W", dealer=dealer, staked=Stakes(True, tuple(pull)))
    net = table.play(f"{dealer}d4F {winner}h").result()["net"]
    assert (net[dealer], net[winner], net[other]) == (-48, 60, -6)


KONG_HANDS: dict[str, tuple[list[str], str, str]] = {
    "exposed": (["5W", "5W5W5W"], "", "0d5W 1o5W"),
    "added": (["5W4F", "5W5W3F"], "3J 3J 3J 5W", "0d5W 1p5W 1d3F 2d3J 3d3J 0d3J 1a5W"),
    "concealed": (["4F", "5W5W5W5W"], "3J", "0d4F 1c5W"),
    "gold concealed": (["4F", "2F2F2F2F"], "3J", "0d4F 1c2F"),
    "gold by discard": (["2F", "2F2F2F"], "", "0d2F 1o2F"),
}


@pytest.mark.parametrize(
    ("kong", "options", "value"),
    [
        ("exposed", {}, 1),
        ("added", {}, 1),
        ("concealed", {}, 2),
        ("gold concealed", {}, 4),
        ("gold by discard", {}, 4),
        ("exposed", {"exposed_kong": 3, "concealed_kong": 50, "gold_kong": 70}, 3),
        ("added", {"exposed_kong": 3, "concealed_kong": 50, "gold_kong": 70}, 3),
        ("concealed", {"exposed_kong": 30, "concealed_kong": 5, "gold_kong": 70}, 5),
        ("gold concealed", {"exposed_kong": 30, "concealed_kong": 50, "gold_kong": 7}, 7),
        ("gold by discard", {"exposed_kong": 30, "concealed_kong": 50, "gold_kong": 7}, 7),
        ("exposed", {"exposed_kong": 0}, 0),
        ("added", {"exposed_kong": 0}, 0),
        ("concealed", {"concealed_kong": 0}, 0),
    ],
)
def test_section_6_each_kong_pays_its_value_also_when_nobody_wins(kong, options, value):
    """And there is no 承包: whoever discarded the tile pays what the others pay."""
    hands, front, moves = KONG_HANDS[kong]
    play = deal(*hands, front=front, back="1J", throw=12, **options).play(f"{moves} 1d1J")
    throw_drawn(play)
    assert exhausted(play) == [-value, 3 * value, -value, -value]
    assert len(play.settlement()) == (3 if value else 0)


@pytest.mark.parametrize("kong", KONG_HANDS)
def test_section_6_kongs_pay_by_the_stakes(kong):
    hands, front, moves = KONG_HANDS[kong]
    staked = Stakes(sit=True, pull=(0, 1, 2, 0))
    play = deal(*hands, front=front, back="1J", throw=12, staked=staked).play(f"{moves} 1d1J")
    throw_drawn(play)
    value = {"exposed": 1, "added": 1, "concealed": 2}.get(kong, 4)
    assert exhausted(play) == [-4 * value, 6 * value, -value, -value]


def test_section_6_a_pong_pays_nothing():
    play = deal("5W", "5W5W3F", throw=12).play("0d5W 1p5W 1d3F")
    throw_drawn(play)
    assert (exhausted(play), play.settlement()) == ([0, 0, 0, 0], [])


def test_section_6_every_seats_kongs_pay_and_the_winner_pays_for_others():
    """Seat 0: concealed 2; seat 2: gold 4 and exposed 1; seat 1 wins 6 fan."""
    table = deal("9999W8W4F", FIVE, "2F2F2F2F8W8W8W", front="3J 3J 5W", back="1J 2J 1J")
    play = table.play("0c9W 0d8W 2o8W 2c2F 2d1J 3d3J 0d3J 1h")
    assert play.result()["net"] == [6 - 5 - 6, 18 - 2 - 5, 15 - 2 - 6, -2 - 5 - 6]


def test_section_6_kong_points_are_never_multiplied_by_fan_elements():
    """杠开 doubles the 6 fan to 12; the kong stays 2."""
    table = deal("4F", "9999W46W789T123B9T", front="9T", back="5W")
    assert table.play("0d4F 1c9W 1h").result()["net"] == [-14, 42, -14, -14]


# Section 6: 铲

SAME = ("4F", "4F", "4F", "4F")


@pytest.mark.parametrize(
    ("options", "value"),
    [({}, 1), ({"rules": "tianjin-hall"}, 2), ({"rules": "tianjin-street"}, 0), ({"chan": 7}, 7)],
)
def test_section_6_chan_the_dealer_pays_each_other_seat(options, value):
    play = deal(*SAME, throw=12, **options).play("0d4F 1d4F 2d4F 3d4F")
    throw_drawn(play)
    assert exhausted(play) == [-3 * value, value, value, value]
    assert len(play.settlement()) == (3 if value else 0)


def test_section_6_chan_from_any_dealer_by_the_stakes():
    staked = Stakes(sit=True, pull=(1, 2, 0, 0))
    table = deal("4F", "4F", "4F1J", "4F", dealer=2, staked=staked, chan=3)
    play = table.play("2d4F 3d4F 0d4F 1d4F")
    throw_drawn(play)
    assert exhausted(play) == [12, 24, -42, 6]


def test_section_6_chan_pays_at_a_win_too():
    table = deal("4F", "46W789T789B555B9T4F", "4F", "4F", front="9T 3J 3J 3J 5W")
    play = table.play("0d4F 1d4F 2d4F 3d4F 0d3J 1h")
    assert play.result()["net"] == [-6 - 3, 18 + 1, -6 + 1, -6 + 1]


def test_section_6_chan_does_not_mind_kongs_before():
    table = deal("9999W4F", "4F", "8888W4F", "4F", throw=12)
    play = table.play("0c9W 0d4F 1d4F 2c8W 2d4F 3d4F")
    throw_drawn(play)
    # 铲 1 each from the dealer; concealed kongs of seats 0 and 2 at 2 each
    assert exhausted(play) == [6 - 2 - 3, -4 + 1, 6 - 2 + 1, -4 + 1]


def test_section_6_chan_with_wildcards():
    play = deal("2F", "2F", "2F", "2F", throw=12).play("0d2F 1d2F 2d2F 3d2F")
    assert play.lost == (True, True, True, True)
    throw_drawn(play)
    assert exhausted(play) == [-3, 1, 1, 1]


@pytest.mark.parametrize(
    "moves",
    [
        "0d4F 1d4F 2d4F 3d3F",
        "0d4F 1d4F 2d3F 3d4F",
        "0d4F 1d3F 2d4F 3d4F",
        "0d3J 1d4F 2d4F 3d4F 0d4F",
    ],
)
def test_section_6_chan_needs_the_first_four_discards_of_one_kind(moves):
    play = deal("4F3J", "4F3F", "4F3F", "4F3F", throw=12).play(moves)
    throw_drawn(play)
    assert exhausted(play) == [0, 0, 0, 0]


def test_section_6_chan_happens_once():
    """Four more alike change nothing."""
    play = deal("4F3F", "4F3F", "4F3F", "4F3F", front="9W 9W 9W 9W", throw=12)
    play = play.play("0d4F 1d4F 2d4F 3d4F 0d3F 1d3F 2d3F 3d3F")
    throw_drawn(play)
    assert exhausted(play) == [-3, 1, 1, 1]


# Section 6: the cap

PULLS = Stakes(sit=True, pull=(0, 2, 0, 0))
"""With these seat 1's win is -48, 60, -6, -6 before the cap."""


def cap_lines(play: Play) -> dict[int, int]:
    return {line["seat"]: line["points"] for line in play.settlement() if line["why"] == "cap"}


@pytest.mark.parametrize(
    ("cap", "net"),
    [
        (None, [-48, 60, -6, -6]),
        (60, [-48, 60, -6, -6]),
        # 59 : losses 60 become 59: 47.2, 5.9, 5.9; both missing points go to the fractions of 9
        (59, [-47, 59, -6, -6]),
        # 10: losses 10, 6, 6 become 10: 4 and 12/22, 2 and 16/22 twice
        (10, [-4, 10, -3, -3]),
        # 9: losses 9, 6, 6 become 9: 3 and 18/21, 2 and 12/21 twice; the tie goes to seat 2
        (9, [-4, 9, -3, -2]),
        # 6: losses 6, 6, 6 become 6
        (6, [-2, 6, -2, -2]),
        # 1: losses 1, 1, 1 become 1: a third each, the lowest seat pays
        (1, [-1, 1, 0, 0]),
    ],
)
def test_section_6_the_cap_scales_losses_down(cap, net):
    play = seat_1_wins(staked=PULLS, cap=cap)
    assert play.result()["net"] == net
    plain = [-48, 60, -6, -6]
    assert cap_lines(play) == {seat: net[seat] - plain[seat] for seat in range(4) if net[seat] != plain[seat]}


@pytest.mark.parametrize(
    ("pull", "cap", "net"),
    [
        ((0, 0, 1, 2), None, [-70, 10, 20, 40]),
        ((0, 0, 1, 2), 70, [-70, 10, 20, 40]),
        # gains 10, 20, 40 become 50: 7 and 10/70, 14 and 20/70, 28 and 40/70
        ((0, 0, 1, 2), 50, [-50, 7, 14, 29]),
        # gains 10, 20, 30 become 30
        ((0, 0, 1, 2), 30, [-30, 5, 10, 15]),
        ((0, 0, 0, 0), 30, [-30, 10, 10, 10]),
        # gains 10, 10, 10 become 20: 6 and 20/30 each; two points for the lower seats
        ((0, 0, 0, 0), 20, [-20, 7, 7, 6]),
        # gains 5, 5, 5 become 5: 1 and 10/15 each
        ((0, 0, 0, 0), 5, [-5, 2, 2, 1]),
    ],
)
def test_section_6_the_cap_scales_gains_down(pull, cap, net):
    play = deal(*SAME, throw=12, chan=10, staked=Stakes(pull=pull), cap=cap).play("0d4F 1d4F 2d4F 3d4F")
    throw_drawn(play)
    assert exhausted(play) == net


def test_section_6_the_cap_is_in_points_not_in_units():
    assert seat_1_wins(base=1000).result()["net"] == [-334, 1000, -333, -333]  # the preset's 1000
    assert seat_1_wins(base=10, cap=180).result()["net"] == [-60, 180, -60, -60]
    assert seat_1_wins(base=10, cap=120).result()["net"] == [-40, 120, -40, -40]


def test_section_6_a_cap_that_clips_both_sides_alike_scales_nothing():
    """Kongs pay seats 2 and 3 back what they lose: -56, 56, 0, 0 before the cap."""
    table = deal("4F", FIVE, "9999W1J", "8888W1J", front="3J 2J 2J 3J 5W", back="3F 3F", cap=40, staked=PULLS)
    play = table.play("0d4F 1d3J 2c9W 2d2J 3c8W 3d2J 0d3J 1h")
    assert play.result()["net"] == [-40, 40, 0, 0]
    assert cap_lines(play) == {0: 16, 1: -16}


# Table, "Settlement, line by line"


def test_settlement_lists_every_payment_then_the_cap():
    table = deal(
        "4F", "9999B46W789T11J1T4F", "4F", "4F", front="2T 3J 3J 3J 3T", back="5W",
        staked=Stakes(sit=True, pull=(0, 1, 0, 0)), base=2, cap=100,
    )  # fmt: skip
    play = table.play("0d4F 1d4F 2d4F 3d4F 0d3J 1c9B 1h")
    win: dict[str, Any] = {"why": "win", "to": 1, "units": 12, "elements": ["gangkai", "su", "zhuowu"]}
    kong: dict[str, Any] = {"why": "kong", "to": 1, "units": 2, "tile": "9B", "kind": "concealed"}
    chan: dict[str, Any] = {"why": "chan", "from": 0, "units": 1}
    assert play.settlement() == [
        {**win, "from": 0, "factor": 4, "points": 96},
        {**win, "from": 2, "factor": 1, "points": 24},
        {**win, "from": 3, "factor": 1, "points": 24},
        {**kong, "from": 0, "factor": 4, "points": 16},
        {**kong, "from": 2, "factor": 1, "points": 4},
        {**kong, "from": 3, "factor": 1, "points": 4},
        {**chan, "to": 1, "factor": 4, "points": 8},
        {**chan, "to": 2, "factor": 2, "points": 4},
        {**chan, "to": 3, "factor": 2, "points": 4},
        # -128, 176, -24, -24; losses 100, 24, 24 become 100: 67 and 84/148, 16 and 32/148 twice
        {"why": "cap", "seat": 0, "points": 60},
        {"why": "cap", "seat": 1, "points": -76},
        {"why": "cap", "seat": 2, "points": 8},
        {"why": "cap", "seat": 3, "points": 8},
    ]
    assert play.result()["net"] == [-68, 100, -16, -16]


@pytest.mark.parametrize(
    ("kong", "name", "tile"),
    [
        ("exposed", "exposed", "5W"),
        ("added", "added", "5W"),
        ("concealed", "concealed", "5W"),
        ("gold concealed", "gold", "2F"),
        ("gold by discard", "gold", "2F"),
    ],
)
def test_settlement_names_kongs(kong, name, tile):
    hands, front, moves = KONG_HANDS[kong]
    play = deal(*hands, front=front, back="1J", throw=12).play(f"{moves} 1d1J")
    throw_drawn(play)
    assert {(line["why"], line["kind"], line["tile"]) for line in play.settlement()} == {("kong", name, tile)}


def test_settlement_and_result_only_where_the_hand_may_end():
    play = deal("4F").play("0d4F")
    assert not play.may_end
    for ask in (play.result, play.settlement):
        with pytest.raises(ValueError, match="goes on"):
            ask()
