"""What a server plays for a silent seat (table, Windows), case by case and for whole hands."""

from __future__ import annotations

import random

import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st
from rounds import any_answer, any_table, arranged, at_random_window, round_of
from walls import deal

import tjmj
from tjmj.errors import IllegalMove
from tjmj.round import Round

SCATTERED = "147W147T147B3F123J"
READY = "123456W789T55B99B"


def test_stakes():
    made = Round(tjmj.rules("tianjin", chuai=True), dealer=1, seed=bytes(32))
    assert made.default(1) == "stand"
    made.play(1, "stand")
    assert [made.default(seat) for seat in (0, 2, 3)] == ["pull0"] * 3
    for seat in (0, 2, 3):
        made.play(seat, "pull1")
    assert made.default(1) == "kick"


def test_the_tile_drawn_last():
    """The dealer's first turn: position 52's; then what comes from the front, or for a kong from the back."""
    made = arranged("1111T47W47T47B3F12J2B", front="5T 6B", back="8T")
    assert made.default(0) == "d2B"
    made.play(0, "c1T")
    assert made.default(0) == "d8T"
    made.replay(["0d8T"])
    assert made.default(1) == "d5T"
    made.replay(["1d5T"])
    assert made.default(2) == "d6B"


def test_the_dealers_first_turn_throws_the_tile_of_position_52_not_the_last_in_order():
    made = arranged("147W147T147B3F123J1W")
    assert made.default(0) == "d1W"


def test_a_win_is_let_pass():
    made = arranged("123456W789T55B99B9B", min_fan=1)
    assert "h" in made.pending[0] and made.default(0) == "d9B"


@pytest.mark.parametrize("drawn", ["1F", "2F"])
def test_a_drawn_wildcard_is_kept(drawn):
    """The last natural tile in canonical order goes instead: dragons behind winds behind suits."""
    made = arranged(SCATTERED + drawn)
    assert made.default(0) == "d3J"
    made = arranged("2F2F3F4F147W147T147B" + drawn)
    assert made.default(0) == "d4F"


def four_pongs(rest: str, drawn: str = "") -> Round:
    """Seat 1 has made its fourth pong, holds two tiles more, and may draw that next."""
    front = "7W 8W 9T 7T 8T 9W 7B 8B 9B 1J 2J 4F".split()
    hands = ("1W5W5W5T5T5B5B2W2T2B3F4F3J9B", "55W55T55B11W2T2B3T" + rest)
    made = arranged(*hands, front="".join(front) + drawn)
    for place, tile, thrown in ((0, "5W", "2T"), (3, "5T", "2B"), (6, "5B", "3T")):
        made.replay(f"0d{tile} 1p{tile} 1d{thrown} 2d{front[place]} 3d{front[place + 1]}".split())
    made.replay("0d1W 1p1W".split())
    return made


def test_after_a_claim_the_last_natural_tile():
    made = arranged("5B147W147T147B3F12J", "55B11W234T9T3J12F11T")
    made.replay("0d5B 1p5B".split())
    assert made.default(1) == "d3J"
    assert four_pongs("9T2F").default(1) == "d9T"


def test_after_a_claim_with_only_wildcards_the_last_of_them():
    made = four_pongs("1F2F")
    assert made.pending == {1: ("d1F", "d2F")} and made.default(1) == "d2F"


@pytest.mark.parametrize(("kept", "drawn"), [("1F", "2F"), ("2F", "1F"), ("2F", "2F")])
def test_a_wildcard_only_when_nothing_else_is_left(kept, drawn):
    """Then the one that was drawn."""
    made = four_pongs("3J" + kept, drawn)
    made.replay("1d3J 2d1J 3d2J 0d4F".split())
    assert {word for word in made.pending[1] if word != "h"} == {f"d{kept}", f"d{drawn}"}
    assert made.default(1) == f"d{drawn}"


@pytest.mark.parametrize("drawn", ["9T", "1F", "2F"])
def test_after_a_declaration_the_drawn_tile_also_a_wildcard(drawn):
    made = round_of(deal(SCATTERED + "9B", READY, front=drawn, heavenly_ready=True), "0d9B 1r")
    assert made.pending[1][0] == f"d{drawn}" and made.default(1) == f"d{drawn}"
    assert [word for word in made.pending[1] if word[0] == "d"] == [f"d{drawn}"]


def test_pass():
    made = round_of(deal(SCATTERED + "9B", READY, heavenly_ready=True), "0d9B")
    assert (made.window, made.default(1)) == ("declare", "pass")
    made.play(1, "pass")
    assert (made.window, made.default(1)) == ("claim", "pass")


def test_only_for_a_seat_that_is_asked():
    made = Round(seed=bytes(32))
    made.play(0, "sit")
    made.play(2, "pull1")
    for seat in (0, 2, -1, 4, 2**70):
        with pytest.raises(IllegalMove, match="not asked"):
            made.default(seat)
    while not made.over:
        seat = next(iter(made.pending))
        made.play(seat, made.default(seat))
    with pytest.raises(IllegalMove, match="not asked"):
        made.default(0)


# Laws


def play_all_by_default(made: Round) -> None:
    while not made.over:
        for seat in list(made.pending):
            answer = made.default(seat)
            assert answer in made.pending[seat] and answer != "h"
            made.play(seat, answer, turn=made.turn)


@effort(0.75)
@given(st.integers(0, 2**32 - 1))
def test_whole_hands(seed):
    """From anywhere on it plays to the end, claims nothing, declares nothing and never wins."""
    made = at_random_window(seed)
    before = len(made.moves)
    play_all_by_default(made)
    assert {move[1] for move in made.moves[before:]} <= {"d"}
    assert made.result["end"] == "exhausted" or len(made.moves) == before


@effort(0.2)
@given(st.integers(0, 2**32 - 1))
def test_silent_seats_among_others(seed):
    """Some seats are silent, the others play: the hand ends all the same, and no silent seat wins."""
    rng = random.Random(seed)
    made = any_table(rng).round()
    silent = rng.sample(range(4), rng.randint(1, 3))
    while not made.over:
        seat, answer = any_answer(rng, made, patience=0.0)
        made.play(seat, made.default(seat) if seat in silent else answer)
    assert not any(winner["seat"] in silent for winner in made.result["winners"])
