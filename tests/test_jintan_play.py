"""Turns of Jintan mahjong: claims, kongs and robbing (jintan, "Turns"), each rule by a hand written out.

What a hand leaves open is filled with tiles that have nothing to do with each other (see `rigged.arranged`).
Moves are those of records: a claim that somebody makes is the one that counts. What a table asks whom, and
which of several answers is carried out, is in the windows of a round at the end.
"""

from __future__ import annotations

import pytest
from jintan_table import at_table, begun, held, melds, net, play, refused, undrawn, wins, won
from walls import letters, moves_of

from tjmj._play import Play
from tjmj.round import Round

POOR = "123W456T789B11T23B"
"""Waits for 一饼 and 四饼, without a flower or a fan."""
RICH = "123W456T111F99T23B"
"""Waits for the same, with two flowers."""
RICH_TOO = "123W456T222F88T23B"
"""Another such hand."""


# Claims on a discard


def test_pong_and_exposed_kong_take_two_and_three_more():
    made = play("5W", "", "5W5W5W", back="9T", moves="0d5W")
    assert moves_of(made, "po") == ["2o5W", "2p5W"]
    ponged = begun(made, "2p5W")
    assert melds(ponged, 2) == [("pong", "5W", 0)] and held(ponged, 2).count("5W") == 1
    assert len(held(ponged, 2)) == 11 and not moves_of(ponged, "h")
    konged = begun(made, "2o5W")
    assert melds(konged, 2) == [("exposed", "5W", 0)] and "9T" in held(konged, 2)
    assert undrawn(konged) == undrawn(made)[:-2] + undrawn(made)[-1:]  # the last stack's top is gone


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_any_seat_may_pong(seat):
    hands = ["5W", "", "", ""]
    hands[seat] = "5W5W"
    made = play(*hands, moves=f"0d5W {seat}p5W")
    assert made.seat == seat


@pytest.mark.parametrize(
    ("own", "tile", "lowest"),
    [("34W", "5W", ["3W"]), ("46W", "5W", ["4W"]), ("67W", "5W", ["5W"]), ("3467W", "5W", ["3W", "4W", "5W"]),
     ("23T", "1T", ["1T"]), ("13B", "2B", ["1B"]), ("78B", "9B", ["7B"]), ("79T", "8T", ["7T"])],
)  # fmt: skip
def test_a_chow_takes_two_concealed_tiles_in_sequence(own, tile, lowest):
    suit = tile[1]
    rest = "".join(f"{n}{other}" for other in "WTB" if other != suit for n in (1, 9)) + "1F2F3F4F"
    made = play(tile, own + rest + "5" + ("T" if suit == "B" else "B"), moves=f"0d{tile}")
    assert moves_of(made, "e") == [f"1e{kind}" for kind in lowest]
    for kind in lowest:
        chowed = begun(made, f"1e{kind}")
        assert melds(chowed, 1) == [("chow", kind, 0)]
        run = {f"{int(kind[0]) + step}{suit}" for step in range(3)}
        assert sorted([*held(chowed, 1), *(run - {tile})]) == sorted(held(made, 1))


@pytest.mark.parametrize(
    ("own", "tile", "lowest", "reason"),
    [
        ("8W9W", "1W", "8W", "no sequence"),  # round the corner
        ("8W9W", "1T", "8W", "no sequence"),  # across suits
        ("2T3T", "9W", "9W", "no sequence"),
        ("2F3F", "1F", "1F", "no sequence"),  # honours
        ("1J3J", "2J", "1J", "no sequence"),
        ("3W4W", "5T", "3W", "no sequence"),
        ("3W4W", "6W", "4W", "does not hold the other two"),
        ("3W4W", "5W", "4W", "does not hold the other two"),
        ("3W4W", "5W", "2W", "no sequence"),  # not with the discard
    ],
)
def test_no_chow_of_anything_else(own, tile, lowest, reason):
    made = play(tile, own + "147B1122F1122J", moves=f"0d{tile}")
    refused(made, f"1e{lowest}", reason)


@pytest.mark.parametrize("dealer", range(4))
def test_only_the_next_seat_may_chow(dealer):
    hands = ["3W4W6W7W"] * 4
    hands[dealer] = "5W"
    made = play(*hands, dealer=dealer, moves=f"{dealer}d5W")
    after = (dealer + 1) % 4
    assert moves_of(made, "e") == [f"{after}e{lowest}W" for lowest in (3, 4, 5)]
    refused(made, f"{(dealer + 2) % 4}e3W", f"only the next seat, {after}")


def test_a_chow_of_a_later_seats_discard():
    made = play("4F", "", "", "3W4W", front="3J 5W", moves="0d4F 1d3J 2d5W")
    assert "3e3W" in made.legal()
    made.play("3e3W")
    assert melds(made, 3) == [("chow", "3W", 2)]


def test_the_option_chow():
    assert "1e3W" in play("5W", "3W4W", moves="0d5W").legal()
    made = play("5W", "3W4W5W5W", moves="0d5W", chow=False)
    assert moves_of(made, "ep") == ["1p5W"]
    refused(made, "1e3W", "no chow")


def test_chowed_tiles_do_not_chow_again():
    made = play("5W", "3W4W", "", "", front="3J 3J 3J 5W", moves="0d5W 1e3W")
    assert "3W" not in held(made, 1) and "4W" not in held(made, 1)


def test_after_a_claim_the_seat_discards():
    for hand, claim in (("3W4W", "1e3W"), ("5W5W", "1p5W")):
        made = play("5W", hand, moves=f"0d5W {claim}")
        assert letters(made) == "d" and {move[0] for move in made.legal()} == {"1"}


def test_passing_is_waiting():
    """A move of the next seat says that nobody claimed; a claim is open until then."""
    made = play("5W", "3W4W", "5W5W", front="9T", moves="0d5W")
    assert {"1e3W", "2p5W", "1d9T"} <= set(made.legal())
    made.play("1d9T")
    refused(made, "2p5W")


def test_a_claim_is_on_the_last_discard_and_never_on_ones_own():
    made = play("5W5W5W", "", front="9T", moves="0d5W")
    refused(made, "0p5W", "own discard")
    made.play("1d9T")
    refused(made, "2p5W", "the discard is")


def test_every_claim_that_is_open_stands_in_a_records_legal_moves():
    made = play("4B", "3B5B", "4B4B", RICH, front="9T", moves="0d4B")
    assert {"1e3B", "2p4B", "3w4B", "1d9T"} <= set(made.legal())


def test_after_a_win_nobody_claims():
    made = play("4B", RICH, "4B4B", RICH_TOO, moves="0d4B 1w4B")
    assert made.legal() == ["3w4B"]
    refused(made, "2p4B", "won on")


# Kongs


def test_a_concealed_kong_of_the_own_turn():
    made = play("5W5W5W5W4F", back="9T", moves="0c5W")
    assert melds(made, 0) == [("concealed", "5W", 0)] and "9T" in held(made, 0)
    assert len(held(made, 0)) == 11 and "0d9T" in made.legal()


def test_an_added_kong_with_the_tile_drawn_now_or_held():
    start = {"front": "9T 8T 7T 5W 9T 8T 7T 6T", "back": "6B", "moves": "0d5W 2p5W 2d9B 3d9T 0d8T 1d7T"}
    made = play("5W", "", "5W5W9B8B", **start)
    for moves in ("2a5W", "2d8B 3d9T 0d8T 1d7T 2a5W"):
        later = begun(made, moves)
        assert melds(later, 2) == [("added", "5W", 0)]
        assert "5W" not in held(later, 2) and "6B" in held(later, 2)
    refused(begun(made, "2d8B"), "2a5W")


@pytest.mark.parametrize("claim", ["1e3W", "1p5W"])
def test_concealed_kongs_right_after_a_claim(claim):
    made = play("5W", "3W4W5W5W8888T", back="9T", moves=f"0d5W {claim}")
    assert moves_of(made, "ca") == ["1c8T"]
    made.play("1c8T")
    assert [form for form, *_ in melds(made, 1)] == [{"e": "chow", "p": "pong"}[claim[1]], "concealed"]
    assert "1d9T" in made.legal()


def test_added_kongs_right_after_a_claim():
    """The fellow of an earlier pong, held back until another claim."""
    made = play("5W8T", "5W5W5W8T8T9B", front="9T 8B 8T", moves="0d5W 1p5W 1d9B 2d9T 3d8B 0d8T 1p8T")
    assert moves_of(made, "a") == ["1a5W"]
    made.play("1a5W")
    assert melds(made, 1) == [("added", "5W", 0), ("pong", "8T", 0)]


def test_kongs_may_be_held_back():
    made = play("4F5W5W5W5W", front="9T 8T 7T 6T", back="3B", moves="0d4F 1d9T 2d8T 3d7T")
    assert "0c5W" in made.legal()
    made.play("0c5W")
    assert melds(made, 0) == [("concealed", "5W", 0)]


def test_a_concealed_kong_held_back_until_a_claim():
    """Text point 12: the kong after a pong brings its 杠开."""
    made = play("9B", "", "123W456T1111F9B9B2B", back="2B", moves="0d9B 2p9B 2c1F 2h")
    assert won(made) == {2: ("gangkai", 4, 60)}


def test_no_kong_of_the_own_turn_while_another_discards():
    made = play("5W", "", "8888T5W5W", front="9T", moves="0d5W")
    refused(made, "2c8T")
    refused(made, "2a5W")


def test_the_kind_just_claimed_may_be_discarded():
    made = play("5W", "", "5W5W5W", moves="0d5W 2p5W 2d5W")
    assert "5W" not in held(made, 2)
    made = play("5W", "3W4W5W", moves="0d5W 1e3W 1d5W")
    assert "5W" not in held(made, 1)


def test_the_kind_just_claimed_may_be_added_to_the_new_pong():
    made = play("5W", "", "5W5W5W", back="9T", moves="0d5W 2p5W 2a5W")
    assert melds(made, 2) == [("added", "5W", 0)] and "9T" in held(made, 2)


@pytest.mark.parametrize(
    ("own", "front", "moves", "flowers"),
    [
        ("1111F", "", "0c1F 0h", 4),
        ("111F9B", "1F", "0d9B 1d1F 0o1F 0h", 3),
        ("111F9B", "1F", "0d9B 1d1F 0p1F 0a1F 0h", 3),
    ],
)
def test_gangkai_is_a_win_on_the_replacement_of_any_kong(own, front, moves, flowers):
    made = play(f"{own}123W456T99T23B", front=front, back="4B", moves=moves)
    assert won(made) == {0: ("gangkai", flowers, (10 + 5 * flowers) * 2)}


def test_gangkai_is_over_with_the_discard():
    made = play("1111F123W456T99T23B", front="1J 2J 3J 4B", back="9B", moves="0c1F 0d9B 1d1J 2d2J 3d3J 0h")
    assert won(made) == {0: ("jihu", 4, 30)}


# Robbing

PONGED = "4B4B4B9W9W"
"""With a fourth 四饼 discarded: a pong, and a kong added at once."""


def robbed(*others: str) -> Play:
    """Seat 3, the dealer, throws 四饼; seat 0 pongs it and adds the kong at once."""
    hands = (PONGED, *others, *[""] * (2 - len(others)), "4B")
    return play(*hands, dealer=3, back="9B", moves="3d4B 0p4B 0a4B")


def test_an_added_kong_can_be_robbed_without_flower_or_fan():
    made = robbed(POOR)
    assert wins(made, "4B") == [1]
    made.play("1w4B")
    assert won(made) == {1: ("jihu qianggang", 0, 10)}
    assert made.result()["winners"][0]["from"] == 0


def test_the_robbed_kong_is_not_made():
    made = robbed(POOR)
    made.play("1w4B")
    assert made.over
    assert melds(made, 0) == [("pong", "4B", 3)] and "4B" not in held(made, 0)
    assert len(undrawn(made)) == 91  # and no replacement drawn


def test_robbing_is_paid_three_times_by_who_was_robbed():
    made = robbed(POOR)
    made.play("1w4B")
    assert net(made) == [-30, 30, 0, 0]
    (line,) = made.settlement()
    assert (line["units"], line["factor"], line["points"]) == (10, 3, 30)


def test_several_rob():
    made = robbed(POOR, RICH)
    assert wins(made, "4B") == [1, 2]
    made.play("1w4B")
    assert made.may_end and made.legal() == ["2w4B"]
    alone = net(made)
    assert alone == [-30, 30, 0, 0]
    made.play("2w4B")
    assert made.over
    assert won(made) == {1: ("jihu qianggang", 0, 10), 2: ("jihu qianggang", 2, 20)}
    assert net(made) == [-90, 30, 60, 0]
    # Winners are told in turn order.
    made = robbed(POOR, RICH)
    made.play("2w4B")
    assert made.over
    refused(made, "1w4B")


def test_nobody_robs():
    """The kong is made, and its replacement may bring 杠开."""
    made = robbed(POOR)
    assert {"1w4B", "0d9B"} <= set(made.legal())
    made.play("0d9B")
    assert melds(made, 0) == [("added", "4B", 3)]
    refused(made, "1w4B")


def test_only_added_kongs_can_be_robbed():
    concealed = play("4B4B4B4B", POOR, moves="0c4B")
    assert wins(concealed, "4B") == [] and melds(concealed, 0) == [("concealed", "4B", 0)]
    exposed = play(PONGED, POOR, "", "4B", dealer=3, moves="3d4B 0o4B")
    assert wins(exposed, "4B") == [] and melds(exposed, 0) == [("exposed", "4B", 3)]


def test_a_robbery_is_open_to_every_seat_that_the_tile_completes():
    """And to no other; the robbed seat may be any."""
    for robber in (1, 2):
        made = robbed(*([POOR] if robber == 1 else ["", POOR]))
        assert wins(made, "4B") == [robber]
    assert wins(robbed(), "4B") == []
    made = play("", PONGED, "4B", POOR, dealer=2, moves="2d4B 1p4B 1a4B 3w4B")
    assert net(made) == [0, -30, 0, 30]


def test_a_robber_of_more_fan_and_flowers():
    made = robbed("123789B111F22J23B")
    made.play("1w4B")
    assert won(made) == {1: ("hunyise qianggang", 2, 40)}
    assert net(made) == [-120, 120, 0, 0]


# At the table


def asked(made: Round) -> dict[int, set[str]]:
    return {seat: set(words) - {"pass"} for seat, words in made.pending.items()}


def test_wins_go_before_pongs_and_these_before_chows():
    hands = ("5W", "3W4W9T", "5W5W9B", "46W123B789B111F99T")

    def carried_out(*answers: str) -> list[str]:
        made = at_table(*hands, moves="0d5W")
        assert asked(made) == {1: {"e3W"}, 2: {"p5W"}, 3: {"w5W"}}
        for answer in answers:
            made.play(int(answer[0]), answer[1:])
        return made.moves[1:]

    assert carried_out("1e3W", "2p5W", "3w5W") == ["3w5W"]
    assert carried_out("1e3W", "2p5W", "3pass") == ["2p5W"]
    assert carried_out("1e3W", "2pass", "3pass") == ["1e3W"]
    assert carried_out("1pass", "2pass", "3pass") == []
    assert carried_out("1e3W", "2p5W") == []  # the window is still open
    assert carried_out("3w5W") == ["3w5W"]  # nothing could change it any more
    assert carried_out("3pass", "2p5W") == ["2p5W"]


def test_wins_stand_beside_each_other_in_turn_order():
    hands = ("4B", RICH, "4B4B", "123W456T222F88T23B")
    for answers in (("1w4B", "3w4B"), ("3w4B", "1w4B")):
        made = at_table(*hands, moves="0d4B")
        for answer in answers:
            assert not made.over
            made.play(int(answer[0]), answer[1:])
        assert made.over and made.moves == ["0d4B", "1w4B", "3w4B"]
        assert [winner["seat"] for winner in made.result["winners"]] == [1, 3]


def test_a_concealed_kong_is_hidden_from_the_others_until_the_end():
    made = at_table("5W5W5W5W4F", back="9T", moves="0c5W")
    hidden = [{"type": "concealed", "tiles": [None] * 4, "claimed": None, "from": None, "gold": False}]
    shown = [{**hidden[0], "tiles": ["5W"] * 4}]
    assert made.view(0).seats[0].melds == shown
    for viewer in (None, 1, 2, 3):
        assert made.view(viewer).seats[0].melds == hidden
        (told,) = [event for event in made.events(viewer) if event["event"] == "kong"]
        assert told["tile"] is None
    assert made.view(open=True).seats[0].melds == shown
    ended = at_table("1111F123W456T99T23B", back="4B", moves="0c1F 0h")
    assert ended.over
    assert all(ended.view(viewer).seats[0].melds[0]["tiles"] == ["1F"] * 4 for viewer in (None, 1, 2, 3))


def test_exposed_and_added_kongs_are_seen_by_all():
    made = at_table("5W", "", "5W5W5W", back="9T", moves="0d5W 2o5W")
    assert made.view(None).seats[2].melds[0]["tiles"] == ["5W"] * 4
    made = at_table("5W", "", "5W5W5W", back="9T", moves="0d5W 2p5W 2a5W")
    assert made.view(1).seats[2].melds[0]["tiles"] == ["5W"] * 4
