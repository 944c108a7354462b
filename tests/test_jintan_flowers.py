"""Tiles, deal and flowers of Jintan mahjong (jintan, section of that name), each rule by a hand written out.

What a hand leaves open is filled with tiles that have nothing to do with each other; flowers that nothing
asks for lie in the middle of the wall (see `rigged.arranged`).
"""

from __future__ import annotations

import random

import pytest
from jintan_table import (
    at_table,
    begun,
    exhausted,
    held,
    laid,
    melds,
    net,
    play,
    refused,
    table,
    undrawn,
    won,
)  # fmt: skip
from rigged import hand_places, shuffled
from walls import Deal, throw_drawn

import tjmj
from tjmj._deal import Deal as Dealt
from tjmj._deal import deal as deal_of_seed
from tjmj._play import Play
from tjmj.between_hands import next_dealer
from tjmj.errors import RulesError
from tjmj.round import Round

EVERY_TILE = bytes(kind for kind in range(34) for _ in range(4)) + bytes(range(34, 42))
FLOWERS = [f"{n}H" for n in range(1, 9)]
SEVEN = "1H2H3H4H5H6H7H"
RICH = "123W456T111F99T23B"
"""Waits for 一饼 and 四饼; two flowers, no fan."""


# Tiles


def test_144_tiles_four_of_each_kind_and_one_of_each_flower():
    rules = tjmj.rules("jintan")
    assert len(Play(rules, 0, EVERY_TILE, None).undrawn) == 144 - 53
    for wrong in (EVERY_TILE[1:], EVERY_TILE + b"\0", b"\1" + EVERY_TILE[1:], EVERY_TILE[:136],
                  EVERY_TILE[:136] + bytes(8), EVERY_TILE[:143] + b"\x22"):  # fmt: skip
        with pytest.raises(RulesError, match="wall"):
            Play(rules, 0, wrong, None)


def test_no_tile_is_flipped():
    assert Play("jintan", 0, EVERY_TILE, None).flip is None
    for throw in (7, 0):
        with pytest.raises(RulesError, match="flip throw"):
            Play("jintan", 0, EVERY_TILE, throw)


# The deal


@pytest.mark.parametrize("dealer", range(4))
def test_take_order_and_jump_are_as_in_tianjin(dealer):
    """Tianjin section 1; the next front draw is place 53."""
    dealt = table("", dealer=dealer)
    wall = [dealt.wall[i : i + 2] for i in range(0, 288, 2)]
    made = dealt.play()
    for offset in range(4):
        places = hand_places(offset)
        assert len(places) == 14 - (offset > 0)
        assert sorted(held(made, (dealer + offset) % 4)) == sorted(wall[place] for place in places)
    assert undrawn(made)[0] == wall[53]
    made.play(made.legal()[0])
    made.play(f"{(dealer + 1) % 4}d{wall[53]}")
    assert undrawn(made)[0] == wall[54]


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("dice", [(1, 1), (1, 2), (2, 2), (3, 4), (6, 6)])
def test_the_dealers_throw_picks_the_wall_that_is_opened(dealer, dice):
    """Seat (dealer + s - 1) mod 4 opens, and s stacks are left standing at the right end of its wall."""
    view = Round("jintan", dealer, deal=Dealt(dice, (), EVERY_TILE)).view()
    assert view.break_ == {"seat": (dealer + sum(dice) - 1) % 4, "stacks": sum(dice)}
    assert view.dice == {"open": list(dice), "flip": []}
    assert (view.flip, view.wild) == (None, [])


def test_two_dice_are_thrown_and_none_for_a_flip():
    dealt = deal_of_seed(bytes(32), "jintan")
    assert (len(dealt.open), dealt.flip, len(dealt.wall)) == (2, (), 144)


# Laying out


def test_the_dealer_lays_out_before_its_first_discard():
    made = play("5H1H", back="9T 8B")
    assert laid(made, 0) == ["1H", "5H"]
    assert len(held(made, 0)) == 14 and not set(held(made, 0)) & set(FLOWERS)
    assert len(undrawn(made)) == 91 - 2
    assert {move[1] for move in made.legal()} == {"d"}  # it is no decision
    refused(made, "0d1H")


def test_the_others_lay_out_right_after_their_first_draw():
    made = play("4F", "1H2H", "3H", front="3J 2J", back="9T 8B 7W", moves="0d4F")
    assert laid(made, 1) == [] and {"1H", "2H"} <= set(held(made, 1))
    made.play("1d3J")
    assert laid(made, 1) == ["1H", "2H"]
    assert {"9T", "8B"} <= set(held(made, 1)) and len(held(made, 1)) == 13
    assert laid(made, 2) == [] and "3H" in held(made, 2)
    made.play("2d7W")
    assert laid(made, 2) == ["3H"] and "2J" in held(made, 2)


@pytest.mark.parametrize(
    ("hand", "claim"), [("5W5W1H2H", "2p5W"), ("5W5W5W1H2H", "2p5W"), ("5W5W5W1H2H", "2o5W")]
)
def test_the_others_lay_out_right_after_their_first_claim(hand, claim):
    made = play("5W", "", hand, back="9T 8B 7W", moves="0d5W")
    assert laid(made, 2) == []
    made.play(claim)
    assert laid(made, 2) == ["1H", "2H"]
    assert {"9T", "8B"} <= set(held(made, 2))
    assert ("7W" in held(made, 2)) == (claim == "2o5W")  # a kong's own replacement
    assert "2d9T" in made.legal()


def test_the_next_seat_lays_out_right_after_its_first_chow():
    made = play("5W", "3W4W1H", back="9T", moves="0d5W 1e3W")
    assert laid(made, 1) == ["1H"]
    assert "9T" in held(made, 1) and len(held(made, 1)) == 11


def test_a_seat_that_has_not_acted_keeps_its_flowers():
    """So it holds too few tiles to win on a discard."""
    complete = play("4B", "", RICH, moves="0d4B")
    assert "2w4B" in complete.legal()
    refused(play("4B", "", RICH.replace("23B", "2B1H"), moves="0d4B"), "2w4B", "not complete")


def test_later_a_flower_is_laid_out_whenever_it_is_drawn():
    made = play("4F", "", front="3J 1H 3J", back="9T", moves="0d4F 1d3J 2d9T")
    assert laid(made, 2) == ["1H"]
    made = play("4F1111W", back="2H 8B", moves="0c1W")
    assert laid(made, 0) == ["2H"] and "8B" in held(made, 0)


def test_a_flower_replacement_is_replaced_again():
    made = play("1H2H", back="3H 9T 4H 8B", moves="")
    assert laid(made, 0) == ["1H", "2H", "3H", "4H"]
    assert {"9T", "8B"} <= set(held(made, 0)) and len(undrawn(made)) == 91 - 4


def test_all_flowers_in_hand_first_then_their_replacements():
    """Round after round: seven laid out, seven drawn, the eighth among them laid out only then."""
    made = play(SEVEN, back="8H 9T 8T 7T 6T 5T 4T")
    assert made.over and len(undrawn(made)) == 91 - 7
    events = at_table("1H2H", back="3H 9T 8B").events(open=True)
    told = [(one["event"], one.get("tiles", one.get("tile"))) for one in events
            if one["event"] in ("flower", "draw")]  # fmt: skip
    assert told[:3] == [("flower", ["1H", "2H"]), ("draw", "3H"), ("draw", "9T")]
    assert told[3:] == [("flower", ["3H"]), ("draw", "8B")]


def test_replacements_come_from_the_back_top_then_bottom():
    made = play("1H2H3H", at={142: "9T", 143: "8B", 140: "7W", 141: "6W"})
    assert {"9T", "8B", "7W"} <= set(held(made, 0))
    assert undrawn(made)[-1] == "6W"


# A replacement is a draw


def test_a_seat_may_win_on_a_flowers_replacement():
    made = play(RICH + "1H", back="4B", moves="0h")
    assert won(made) == {0: ("jihu", 3, 25)}  # and it is no 杠开
    made = play("4F", RICH, front="1H", back="4B", moves="0d4F 1h")
    assert won(made) == {1: ("jihu", 3, 25)}


CLAIMER = "123T456T789B1F1H"
"""With 五万 ponged it waits for 东."""


def test_also_after_a_first_claim():
    made = play("5W", "", "5W5W" + CLAIMER, back="1F", moves="0d5W 2p5W 2h")
    assert won(made) == {2: ("jihu", 1, 15)}
    made = play("5W", "4W6W" + CLAIMER, back="1F", moves="0d5W 1e4W 1h")
    assert won(made) == {1: ("jihu", 1, 15)}


def test_not_after_a_claim_without_a_replacement():
    made = play("5W", "", "5W5W123T456T789B1F1F", moves="0d5W 2p5W")
    refused(made, "2h", "claim")
    refused(play("5W", "4W6W123T456T789B1F1F", moves="0d5W 1e4W"), "1h", "claim")


def test_a_first_exposed_kong_replaces_flowers_first_then_draws_its_own():
    """杠开 then comes from the last of these draws."""
    hand = "5W5W5W123T456T789B1H"
    moves = "0d5W 2o5W 2h"
    assert won(play("5W", "", hand, back="1F 1F", moves=moves)) == {2: ("gangkai", 2, 40)}
    # The flower's replacement is a flower, the kong's is not.
    assert won(play("5W", "", hand, back="2H 1F 1F", moves=moves)) == {2: ("gangkai", 3, 50)}
    # The flower's replacement is none, the kong's is one.
    assert won(play("5W", "", hand, back="1F 2H 1F", moves=moves)) == {2: ("jihu", 3, 25)}
    events = at_table("5W", "", hand, back="2H 1F 1F", moves="0d5W 2o5W").events(2)
    told = [(one["event"], one.get("tiles", one.get("tile"))) for one in events
            if one["event"] in ("kong", "flower", "draw")]  # fmt: skip
    assert told == [
        ("kong", "5W"),
        ("flower", ["1H"]),
        ("draw", "2H"),
        ("flower", ["2H"]),
        ("draw", "1F"),
        ("draw", "1F"),
    ]


@pytest.mark.parametrize("back", ["1H 4B", "1H 2H 4B"])
def test_gangkai_is_lost_by_a_flower(back):
    hand = "1111F123W456T99T23B"
    made = play(hand, back="4B", moves="0c1F 0h")
    assert won(made) == {0: ("gangkai", 4, 60)}
    made = play(hand, back=back, moves="0c1F 0h")
    flowers = 3 + len(back.split())
    assert won(made) == {0: ("jihu", flowers, 10 + 5 * flowers)}


def test_gangkai_comes_back_with_the_next_kong():
    made = play("1111F2222F123W9T23B", back="1H 4B 9T", moves="0c1F 0c2F 0h")
    assert won(made) == {0: ("gangkai", 9, 110)}


# The end of the wall

HALF, OTHER_HALF = "1H2H3H4H", "5H6H7H8H"
"""Two seats' flowers; when both have acted 83 front draws are made, the last one at place 135 by seat 3."""


def test_front_and_back_draws_use_up_the_whole_wall():
    made = play("4F" + HALF, OTHER_HALF, moves="0d4F")
    assert made.front_left == len(undrawn(made)) == 91 - 4
    throw_drawn(made, left=1)
    assert made.front_left == len(undrawn(made)) == 1 and not made.may_end
    throw_drawn(made)
    assert undrawn(made) == []
    seen = [tile for seat in range(4) for tile in [*held(made, seat), *laid(made, seat)]]
    assert len(seen) == 4 * 13 + 8 == 144 - (1 + 83)    # what is not thrown


def test_a_draw_due_and_none_left_is_liuju_and_nothing_is_paid():
    made = play("4F" + HALF, OTHER_HALF, moves="0d4F")
    throw_drawn(made, left=1)
    assert not exhausted(made)
    throw_drawn(made)
    assert made.may_end and exhausted(made)


def test_kongs_are_not_paid():
    made = play("4F1111J" + HALF, OTHER_HALF, moves="0c1J 0d4F")
    throw_drawn(made)
    assert melds(made, 0) == [("concealed", "1J", 0)]
    assert exhausted(made)


def test_the_last_discard_can_still_be_claimed():
    made = play("4F3W4W" + HALF, OTHER_HALF + "5W5W", "123W456T111F99T46W", at={135: "5W"}, moves="0d4F")
    throw_drawn(made, left=1)
    made.play("3d5W")
    assert made.may_end and exhausted(made)
    assert set(made.legal()) >= {"0e3W", "1p5W", "2w5W"} and not any(move[1] in "dh" for move in made.legal())
    assert won(begun(made, "2w5W")) == {2: ("jihu", 2, 20)}
    ponged = begun(made, "1p5W")
    assert not ponged.may_end
    ponged.play(ponged.legal()[0])
    assert exhausted(ponged)


def test_a_kong_is_possible_only_while_a_replacement_is_left():
    hands = ("4F4W4W4W" + HALF, OTHER_HALF, "", "6666W")
    made = play(*hands, at={135: "4W"}, moves="0d4F")
    throw_drawn(made, left=5)
    assert "3c6W" in made.legal()
    throw_drawn(made, left=1)
    refused(made, "3c6W", "no replacement")
    made.play("3d4W")
    refused(made, "0o4W", "no replacement")
    made.play("0p4W")
    refused(made, "0a4W", "no replacement")


def test_the_last_tile_can_replace_a_kong():
    made = play("4F" + HALF, OTHER_HALF, "5W5W5W", at={134: "5W", 135: "9T"}, moves="0d4F")
    throw_drawn(made, left=2)
    made.play("2c5W")
    assert undrawn(made) == [] and "2d9T" in made.legal()
    made.play("2d9T")
    assert exhausted(made)


LAST = 137
"""With the first seven flowers laid out 84 front draws are left: the last at 137, behind the hole at 136."""


def test_a_flower_as_the_last_tile_is_liuju():
    """Its replacement is due and missing."""
    made = play("4F" + HALF, "5H6H7H", at={LAST: "8H"}, moves="0d4F")
    throw_drawn(made, left=1)
    assert undrawn(made) == ["8H"] and made.may_end and exhausted(made)
    assert not any(move[1] in "dh" for move in made.legal())


def test_the_eighth_flower_is_looked_at_before_the_draw_that_is_missing():
    made = play("4F" + SEVEN, at={LAST: "8H"}, moves="0d4F")
    throw_drawn(made, left=1)
    assert undrawn(made) == ["8H"] and made.may_end
    assert won(made) == {0: ("bahua", 8, 200)}


def test_liuju_where_a_kongs_replacement_is_a_flower_and_the_last_tile():
    made = play("4F" + HALF, "5H6H7H", "", "5W5W5W", at={135: "5W", LAST: "8H"}, moves="0d4F")
    throw_drawn(made, left=2)
    made.play("3c5W")
    assert made.over and undrawn(made) == [] and laid(made, 3) == ["8H"]
    assert exhausted(made)


# 八花


def test_eight_flowers_end_the_hand_at_once():
    made = play("".join(FLOWERS), dealer=0)
    assert made.over and made.legal() == []
    assert made.result() == {
        "end": "flowers",
        "winners": [{"seat": 0, "elements": ["bahua"], "fan": 2, "flowers": 8, "points": 200}],
        "net": [600, -200, -200, -200],
    }
    told = {"why": "flowers", "to": 0, "units": 200, "factor": 1, "points": 200, "flowers": 8}
    told |= {"elements": ["bahua"]}
    assert made.settlement() == [{**told, "from": seat} for seat in (1, 2, 3)]
    refused(made, "0d1W")


@pytest.mark.parametrize(
    ("options", "fan", "points"),
    [
        ({"cap_fan": 0}, 0, 50),
        ({"cap_fan": 3}, 3, 400),
        ({"base": 1, "value": 0}, 2, 4),
        ({"value": 7}, 2, 264),
    ],
)
def test_eight_flowers_are_paid_by_base_value_and_cap(options, fan, points):
    made = play("".join(FLOWERS), **options)
    (winner,) = made.result()["winners"]
    assert (winner["fan"], winner["points"]) == (fan, points)
    assert net(made) == [3 * points, -points, -points, -points]


@pytest.mark.parametrize(("tile", "flowers"), [("1F", 8 + 4), ("3J", 8 + 4), ("5W", 8 + 2)])
def test_the_flowers_of_concealed_kongs_are_counted_and_triplets_in_hand_are_not(tile, flowers):
    made = play(f"{tile * 4}222F{SEVEN}", back="1234567T8H", moves=f"0c{tile}")
    assert made.over and won(made) == {0: ("bahua", flowers, (10 + 5 * flowers) * 4)}


@pytest.mark.parametrize(
    ("own", "moves", "flowers"),
    [
        ("1F1F", "1d1F 0p1F 0d9B", 8 + 1),
        ("1F1F1F", "1d1F 0o1F 0d9B", 8 + 3),
        ("1F1F1F", "1d1F 0p1F 0a1F 0d9B", 8 + 3),
        ("5W5W", "1d5W 0p5W 0d9B", 8 + 0),
        ("5W5W5W", "1d5W 0o5W 0d9B", 8 + 1),
        ("5W5W5W", "1d5W 0p5W 0a5W 0d9B", 8 + 1),
    ],
)
def test_the_flowers_of_open_melds_are_counted(own, moves, flowers):
    tile = moves[2:4]
    made = play(f"{own}9B{SEVEN}9W", front=f"{tile} 9T 8T 7T 8H", moves=f"0d9W {moves}")
    throw_drawn(made, seats=(1, 2, 3))
    assert made.may_end and won(made) == {0: ("bahua", flowers, (10 + 5 * flowers) * 4)}


def test_a_chow_counts_no_flower():
    moves = "0d9W 1d9T 2d8T 3d5W 0e3W 0d9B"
    made = play(f"3W4W9B9W{SEVEN}", front="9T 8T 5W 7T 6T 5T 8H", moves=moves)
    throw_drawn(made, seats=(1, 2, 3))
    assert melds(made, 0) == [("chow", "3W", 3)]
    assert made.may_end and won(made) == {0: ("bahua", 8, 200)}


@pytest.mark.parametrize("claim", ["2p1F", "2o1F"])
def test_eight_flowers_at_a_first_claim(claim):
    """Before a discard, and before a kong's own replacement."""
    made = play("1F", "", "1F1F1F" + "".join(FLOWERS), moves=f"0d1F {claim}")
    assert made.over and len(undrawn(made)) == 91
    flowers = 8 + (3 if claim[1] == "o" else 1)
    assert won(made) == {2: ("bahua", flowers, (10 + 5 * flowers) * 4)}
    points = (10 + 5 * flowers) * 4
    assert net(made) == [-points, -points, 3 * points, -points]


def test_eight_flowers_at_a_first_draw():
    made = play("4F", "".join(FLOWERS), moves="0d4F")
    assert made.may_end and won(made) == {1: ("bahua", 8, 200)}
    assert net(made) == [-200, 600, -200, -200]


def test_eight_flowers_count_as_winning_for_who_deals_next():
    rules = tjmj.rules("jintan")
    dealer = play("".join(FLOWERS)).result()
    other = play("4F", "", "", "".join(FLOWERS), front="9T 8T", moves="0d4F 1d9T 2d8T").result()
    assert next_dealer(rules, 0, dealer) == 0
    assert next_dealer(rules, 0, other) == 1


def test_flowers_of_random_hands_are_never_in_the_way():
    """However the flowers lie, no move ever names one."""
    rng = random.Random(5)
    for _ in range(20):
        made = Deal(tjmj.rules("jintan"), shuffled(rng, {"name": "jintan"}), None, rng.randrange(4)).play()
        while not made.over and (moves := made.legal()):
            assert not any(move.endswith("H") for move in moves)
            made.play(rng.choice(moves))
