"""What an illegal move is told: every reason in words, exactly."""

from __future__ import annotations

from typing import Any

import jintan_table
import pytest
from walls import Deal, deal, throw_drawn

from tjmj.errors import IllegalMove

FIVE = "46W789T789B555B99T"
"""Waits for 五万; the wildcards are 东 and 南 (1F, 2F)."""
NO_MOVE = "not a move: a seat, a letter and for most a tile, such as '0d5W'"
LATE_DECLARATION = "天听 is declared right after the dealer's first discard"
AFTER_READY = "a seat that declared 天听 wins or discards what it draws, "
NO_TAKEN_WIN = "these rules have no win on a discard and no robbing of a kong"
NO_REPLACEMENT = "no replacement is left in the wall"
READY: dict[str, Any] = {"heavenly_ready": True}


def check(play: Any, move: str, reason: str) -> None:
    before = play.state_bytes
    with pytest.raises(IllegalMove) as caught:
        play.play(move)
    assert caught.value.reason == reason
    assert (caught.value.move, str(caught.value)) == (move, f"{move!r}: {reason}")
    assert play.state_bytes == before


@pytest.mark.parametrize(
    "text",
    ["", "0", "0d", "0d5", "d5W", "4d5W", "-d5W", "0x5W", "0D5W", "0d0W", "0d5w", "0d5F", "0d4J", "0d9H",
     "0d5X", "0d55W", "0h5W", "0r5W", "0e", "0w", " 0d5W", "0d5W ", "0 d5W", "0d5W 1d5W", "0d五万", "0dW5",
     "٠d5W", "０d5W", "0d5W\n", "pass", "\0\0\0\0", "😀d5W"],
)  # fmt: skip
def test_what_is_no_move(text):
    check(deal("5W").play(), text, NO_MOVE)


@pytest.mark.parametrize("move", [None, 5, b"0d5W", ["0d5W"]])
def test_what_is_no_text(move):
    with pytest.raises(TypeError):
        deal("5W").play().play(move)


TURNS: list[tuple[Deal, str, str, str]] = [
    # an own turn
    (deal("5W"), "", "1d5W", "it is seat 0's turn"),
    (deal("5W", dealer=2), "", "0d5W", "it is seat 2's turn"),
    (deal("5W"), "0d5W", "2d5W", "it is seat 1's turn"),
    (deal("5W"), "0d5W", "0d5W", "it is seat 1's turn"),
    (deal("5W"), "0d5W", "3h", "it is seat 1's turn"),
    (deal("147W147T147B123J3F4F"), "", "0d9T", "the seat does not hold nine bamboo"),
    (deal("147W147T147B123J3F4F"), "", "0d1H", "the seat does not hold the flower 春"),
    (deal("147W147T147B123J3F4F"), "", "0c2F", "the seat does not hold south wind"),
    (deal("555W"), "", "0c5W", "the seat does not hold four of five characters"),
    (deal("555W"), "", "0a5W", "the seat has no pong of five characters"),
    (deal("5555W"), "0c5W", "0a5W", "the seat has no pong of five characters"),
    (deal("5W4F", "55W1J", front="3J 3J 3J 5W"), "0d5W 1p5W 1d1J 2d3J 3d3J 0d3J 1a5W", "1a5W",
     "the seat has no pong of five characters"),
    (deal("5W4F", "55W1J", front="3J 3J 3J 2J"), "0d5W 1p5W 1d1J 2d3J 3d3J 0d3J", "1a5W",
     "the seat does not hold five characters"),
    (deal("2222F", gold_kong=0), "", "0c2F", "south wind is a wildcard, and these rules have no gold kong"),
    (deal("5W", "555W"), "0d5W 1p5W", "1a5W", "after a pong only a discard"),
    (deal("5W", "55W9999T"), "0d5W 1p5W", "1c9T", "after a pong only a discard"),
    (deal("5W", "55W"), "0d5W 1p5W", "2d5W", "it is seat 1's turn"),
    # winning
    (deal("147W258T369B123J3F4F"), "", "0h", "the hand is not complete"),
    (deal("123456789W1124T9B"), "", "0h", "the hand is not complete"),
    (deal("4F", FIVE, front="3J"), "0d4F", "1h", "the hand is not complete"),
    (deal("4F", FIVE, front="1F 3J 3J 3J 5W"), "0d4F 1d1F 2d3J 3d3J 0d3J", "1h",
     "the seat discarded a wildcard (小相公) and cannot win this hand"),
    (deal("4F", "23W789T789B555B9T1F", front="4W"), "0d4F", "1h",
     "1 fan (diliu) is too little: at least 2 are needed"),
    (deal("4F", FIVE, front="5W", min_fan=7), "0d4F", "1h",
     "6 fan (su, zhuowu) is too little: at least 7 are needed"),
    (deal("5W", "55W123T456T789B99B"), "0d5W 1p5W", "1h",
     "a win needs a draw, and this turn began with a claim"),
    (deal("5W", FIVE), "0d5W", "1w5W", NO_TAKEN_WIN),
    (deal("5W", FIVE), "", "1w5W", NO_TAKEN_WIN),
    # after 天听
    (deal("4F", FIVE, front="3J", **READY), "0d4F 1r", "1d9T", AFTER_READY + "white dragon"),
    (deal("4F", FIVE, front="3J", **READY), "0d4F 1r", "1d1W", "the seat does not hold one characters"),
    (deal("4F", "46W9999B78B789T99T", front="3J", **READY), "0d4F 1r", "1c9B", AFTER_READY + "white dragon"),
    (deal("4F", FIVE, front="3J", **READY), "0d4F 1r", "1h", "the hand is not complete"),
    # claims
    (deal("5W"), "", "1p5W", "there is no discard to claim"),
    (deal("5W", "55W"), "0d5W 1p5W", "2o5W", "there is no discard to claim"),
    (deal("5555W"), "0d5W", "0p5W", "a seat cannot claim its own discard"),
    (deal("5555W"), "0d5W", "0o5W", "a seat cannot claim its own discard"),
    (deal("5W"), "", "1e5W", "there is no discard to claim"),
    (deal("5W", "46W"), "0d5W", "1e4W", "these rules know no chow"),
    (deal("5W", "66W"), "0d5W", "1p6W", "the discard is five characters, not six characters"),
    (deal("9T", FIVE, **READY), "0d9T 1r", "1p9T", "a seat that declared 天听 claims nothing"),
    (deal("9T", FIVE, **READY), "0d9T 1r", "1o9T", "a seat that declared 天听 claims nothing"),
    (deal("2F", "222F"), "0d2F", "1p2F", "south wind is a wildcard and cannot be ponged"),
    (deal("5T", "55T", flip="4T"), "0d5T", "1p5T", "five bamboo is a wildcard and cannot be ponged"),
    (deal("2F", "222F", rules="tianjin-hall"), "0d2F", "1o2F",
     "south wind is a wildcard, and these rules have no gold kong by discard"),
    (deal("2F", "222F", gold_kong=0), "0d2F", "1o2F",
     "south wind is a wildcard, and these rules have no gold kong by discard"),
    (deal("2F", "22F"), "0d2F", "1o2F", "the seat does not hold three of south wind"),
    (deal("5W", "5W"), "0d5W", "1p5W", "the seat does not hold two of five characters"),
    (deal("5W", "55W"), "0d5W", "1o5W", "the seat does not hold three of five characters"),
    (deal("3J", "33J", last_tiles_closed=136), "0d3J", "1p3J",
     "no claims while 136 or fewer front tiles are left"),
    (deal("3J", "333J", last_tiles_closed=136), "0d3J", "1o3J",
     "no claims while 136 or fewer front tiles are left"),
    # declaring 天听
    (deal("4F", FIVE, **READY), "", "1r", LATE_DECLARATION),
    (deal("4F", FIVE, front="3J", **READY), "0d4F 1d3J", "2r", LATE_DECLARATION),
    (deal("9B", FIVE, "99B", **READY), "0d9B 2p9B", "1r", LATE_DECLARATION),
    (deal("4F", FIVE), "0d4F", "1r", "天听 (heavenly_ready) is off in these rules"),
    (deal("4F", FIVE, **READY), "0d4F", "0r", "the dealer cannot declare 天听"),
    (deal("4F", FIVE, "12W789W123B456T11J", **READY), "0d4F 2r", "1r",
     "this seat's turn to declare 天听 has passed"),
    (deal("4F", FIVE, **READY), "0d4F 1r", "1r", "this seat's turn to declare 天听 has passed"),
    (deal("4F", "147W258T369B123J4F", **READY), "0d4F", "1r",
     "the hand does not wait for a win that can be drawn"),
    # the end
    (deal("4F", FIVE, front="5W"), "0d4F 1h", "2d4F", "the hand has ended"),
    (deal("4F", FIVE, front="5W"), "0d4F 1h", "1h", "the hand has ended"),
    (deal("4F", FIVE, front="5W"), "0d4F 1h", "0p5W", "the hand has ended"),
    (deal("4F", FIVE, front="5W"), "0d4F 1h", "3r", "the hand has ended"),
]  # fmt: skip


IDS = [f"{moves} {move}".strip() for _, moves, move, _ in TURNS]


@pytest.mark.parametrize(("table", "moves", "move", "reason"), TURNS, ids=IDS)
def test_reasons(table, moves, move, reason):
    check(table.play(moves), move, reason)


@pytest.mark.parametrize(
    ("moves", "move", "reason"),
    [
        ("0d4B", "0w4B", "a seat cannot win on its own tile"),
        ("0d4B", "1w5B", "the tile is four dots, not five dots"),
        ("0d4B 2w4B", "1w4B", "winners are told in turn order, and a later seat has won"),
        ("0d4B 1w4B", "1w4B", "the seat has won on it already"),
        ("0d4B 1w4B", "2p4B", "the discard has been won on"),
        ("0d4B 1w4B", "1d2B", "the hand has ended"),
        ("0d4B 1w4B 3w4B", "2w4B", "the hand has ended"),
    ],
)
def test_reasons_around_wins_on_a_discard(moves, move, reason):
    waiting = ["123W456T111F99T23B", "123W456T222F88T23B", "123W333F444F77T23B"]
    check(jintan_table.play("4B", *waiting, moves=moves), move, reason)


def test_reasons_while_a_kong_may_be_robbed_are_those_of_the_turn_after_it():
    hands = ["5W", "55W258T258B12F1J3J", "123W456T111F99T46W", "123W456T222F88T46W"]
    play = jintan_table.play(*hands, front="3F 4F 3F 5W", moves="0d5W 1p5W 1d3J 2d3F 3d4F 0d3F 1a5W")
    assert {move[1] for move in play.legal()} > {"w"}
    check(play, "1a5W", "the seat has no pong of five characters")
    check(play, "1d9B", "the seat does not hold nine dots")


def test_no_front_draw_is_left():
    """With a throw of 12 the last front draw, at place 111, is seat 3's."""
    play = deal("4F", "55W", at={111: "5W"}, throw=12).play("0d4F")
    throw_drawn(play)
    ended = "no front draw is left: the hand has ended unless the discard is claimed"
    for move in ("0d4F", "0h", "1d5W", "3d5W", "0c5W"):
        check(play, move, ended)
    check(play, "2p5W", "the seat does not hold two of five characters")
    check(play, "1o5W", "the seat does not hold three of five characters")


def test_no_replacement_is_left():
    """翻混: seat 2 draws the last tile of all."""
    play = deal("4F", "", "9999B", "555W", at={135: "5W"}, wild_by="turned").play("0d4F")
    throw_drawn(play, 1)
    check(play, "2c9B", NO_REPLACEMENT)
    play.play("2d5W")
    check(play, "3o5W", NO_REPLACEMENT)


def test_no_replacement_is_left_for_an_added_kong():
    table = deal("5B4F", "55B9W", "", "99W8T", at={135: "5B"}, wild_by="turned")
    play = table.play("0d5B 1p5B 1d9W 3p9W 3d8T")
    throw_drawn(play, 1)
    check(play, "1a5B", NO_REPLACEMENT)


def test_no_claims_at_the_very_end():
    play = deal("4F", "55W", at={111: "5W"}, throw=12, last_tiles_closed=1).play("0d4F")
    throw_drawn(play)
    check(play, "1p5W", "no claims while 1 or fewer front tiles are left")


def test_play_all_plays_what_comes_before_and_says_how_many():
    play = deal("4F", FIVE, front="3J").play()
    with pytest.raises(IllegalMove) as caught:
        play.play_all("0d4F  1d3J 2h 2d9W")
    assert (caught.value.move, caught.value.played) == ("2h", 2)
    assert caught.value.reason == "the hand is not complete"
    assert play.state_bytes == deal("4F", FIVE, front="3J").play("0d4F 1d3J").state_bytes
    with pytest.raises(IllegalMove, match="not a move") as caught:
        play.play_all("what\tis this")
    assert (caught.value.move, caught.value.played) == ("what\tis", 0)
    assert play.play_all("  ") == 0


def test_play_all_plays_nothing_that_is_no_move():
    play = deal("123456789W11T123B", min_fan=1).play()
    assert "0h" in play.legal()
    with pytest.raises(IllegalMove, match="not a move") as caught:
        play.play_all("0h5W")
    assert (caught.value.move, caught.value.played, play.over) == ("0h5W", 0, False)
