"""Rounds of Jintan (table; jintan): claims of several seats at once, robbing, flowers, concealed kongs."""

from __future__ import annotations

import copy
import itertools
import json
import pathlib
import random
from typing import Any

import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st
from plain_round import WIN, strength
from referee_deal import split_wall
from rounds import VIEWERS, Table, any_answer, any_table, jintan, played, seen
from seen_table import row_of

import tjmj
from tjmj import record
from tjmj.env import FEATURES, observe
from tjmj.errors import IllegalMove
from tjmj.round import Round

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden" / "records.jsonl"
RECORDS = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines() if '"jintan"' in line]
SCATTERED = "147W147T147B3F123J"
FIVE = "46W123B789B111T99T"
"""Waits for 五万 only."""
OTHER_FIVE = "46W123B789B222T88T"


def claimed(*hands: str, front: str = "1F", back: str = "1F2F3F", **options: Any) -> Round:
    """The dealer has thrown 五万; a win needs neither flowers nor fan."""
    made = jintan("5W" + SCATTERED, *hands, front=front, back=back, min_flowers=0, **options)
    made.play(0, "d5W")
    return made


def answers(made: Round, *given: str) -> None:
    """Answers with their seats, `2w5W` or `3pass`, all to one window, which stays open until the last."""
    turn = made.turn
    for each in given:
        assert made.turn == turn, f"closed before {each}"
        made.play(int(each[0]), each[1:], turn=turn)
    assert made.turn == turn + 1


# Claims

CHOW, PONG = "46W258T258B124F13J", "55W258T258B124F13J"


def chow_win_pong() -> Round:
    """Seat 1 may chow, seat 2 may win, seat 3 may pong."""
    made = claimed(CHOW, FIVE, PONG)
    assert made.window == "claim"
    assert {seat: set(words) for seat, words in made.pending.items()} == {
        1: {"e4W", "pass"}, 2: {"w5W", "pass"}, 3: {"p5W", "pass"},
    }  # fmt: skip
    return made


@pytest.mark.parametrize(
    ("given", "moves", "whose"),
    [
        # A win decides at once: nobody else can win.
        ("2w5W", "2w5W", None),
        ("3p5W 2w5W", "2w5W", None),
        ("1e4W 3p5W 2w5W", "2w5W", None),
        # A pong waits for the win, and not for the chow.
        ("3p5W 2pass", "3p5W", 3),
        ("2pass 3p5W", "3p5W", 3),
        ("1e4W 2pass 3p5W", "3p5W", 3),
        ("1pass 3p5W 2pass", "3p5W", 3),
        # A chow waits for both.
        ("1e4W 2pass 3pass", "1e4W", 1),
        ("3pass 2pass 1e4W", "1e4W", 1),
        ("1pass 2pass 3pass", "", 1),
    ],
)
def test_the_window_closes_as_soon_as_nothing_can_change_the_outcome(given, moves, whose):
    made = chow_win_pong()
    answers(made, *given.split())
    assert " ".join(made.moves) == f"0d5W {moves}".strip()
    assert (made.over, list(made.pending)) == ((True, []) if whose is None else (False, [whose]))


@pytest.mark.parametrize("order", [*itertools.permutations((1, 2, 3))])
def test_nothing_is_shown_of_a_claim_before_the_window_closes(order):
    made = chow_win_pong()
    before = {viewer: (made.events(viewer), made.view(viewer)) for viewer in VIEWERS}
    words = {1: "e4W", 2: "pass", 3: "p5W"}
    turn, answered = made.turn, set()
    for seat in order:
        if seat not in made.pending or made.turn > turn:
            break
        for viewer in set(VIEWERS) - answered:
            assert (made.events(viewer), made.view(viewer)) == before[viewer]
        made.play(seat, words[seat])
        answered.add(seat)
    assert made.moves == ["0d5W", "3p5W"]
    for viewer in VIEWERS:
        told = made.events(viewer, since=len(before[viewer][0]))
        assert [event["event"] for event in told] == ["pong", "window"]


def test_a_second_answer_to_a_claim_window():
    made = chow_win_pong()
    made.play(3, "p5W")
    before = seen(made)
    for word in ("p5W", "pass", "w5W"):
        with pytest.raises(IllegalMove, match="answered window 1 already"):
            made.play(3, word)
    assert seen(made) == before and made.given == {3: "p5W"}


@pytest.mark.parametrize(("first", "second"), [(1, 2), (2, 1)])
def test_several_wins_stand_together(first, second):
    made = claimed(FIVE, OTHER_FIVE, PONG)
    answers(made, f"{first}w5W", f"{second}w5W")
    assert made.moves[1:] == ["1w5W", "2w5W"]
    assert [(winner["seat"], winner["from"]) for winner in made.result["winners"]] == [(1, 0), (2, 0)]
    assert [(pay["from"], pay["to"]) for pay in made.settlement] == [(0, 1), (0, 2)]
    wins = [event for event in made.events() if event["event"] == "win"]
    assert [(win["seat"], win["tile"], win["from"], win["robbed"]) for win in wins] == [
        (1, "5W", 0, False), (2, "5W", 0, False),
    ]  # fmt: skip
    record.verify(made.record())


def test_a_win_waits_for_another_that_may_still_come():
    made = claimed(FIVE, OTHER_FIVE, PONG)
    answers(made, "2w5W", "1pass")
    assert made.moves[1:] == ["2w5W"] and made.over


def test_a_seat_that_may_win_and_pong_may_pong():
    made = claimed("", "55W123B789B111T99T")
    assert set(made.pending[2]) == {"w5W", "p5W", "pass"}
    answers(made, "2p5W")
    assert list(made.pending) == [2]


def test_chow_takes_the_discard_and_two_tiles():
    made = claimed("34679W147T147B2F2J")
    assert set(made.pending[1]) == {"e3W", "e4W", "e5W", "pass"}
    made.play(1, "e5W")
    (meld,) = made.view().seats[1].melds
    assert meld == {"type": "chow", "tiles": ["5W", "6W", "7W"], "claimed": "5W", "from": 0, "gold": False}
    assert made.view().seats[0].discards[-1]["claimed"] == 1
    assert made.view(1).seats[1].hand.count("6W") == 0


# Robbing


def about_to_rob(moves: str = "1a5W", held: str = "55W258T258B12F13J", **options: Any) -> Round:
    """Seat 1 adds a tile that seats 2 and 3 may rob; seat 2 has let the discard pass."""
    hands = ("5W" + SCATTERED, held, "46W123B789B111T99T", "46W123B789B222T88T")
    front = "3F 4F 3F 5W"
    made = jintan(*hands, front=front, back="9B1F", min_flowers=0, **options)
    made.replay(f"0d5W 1p5W 1d3J 2d3F 3d4F 0d3F {moves}".split())
    return made


def test_rob():
    made = about_to_rob()
    assert (made.window, made.pending) == ("rob", {2: ("w5W", "pass"), 3: ("w5W", "pass")})
    assert made.view().window["seat"] == 1
    assert made.events()[-2]["event"] == "rob" and made.events()[-2]["tile"] == "5W"
    assert made.view(1).seats[1].hand.count("5W") == 1
    assert [made.default(seat) for seat in (2, 3)] == ["pass", "pass"]


def test_a_robbed_tile_is_no_replacement():
    """Also where its seat has just made a kong and drawn for it."""
    made = about_to_rob("1c6T 1a5W", "55W6666T25B12F13J")
    assert made.window == "rob"
    row = observe(made, 2)
    assert row[FEATURES["kong_draw"][0]] == 0
    assert list(row) == row_of(made, 2)


def test_nobody_robs():
    made = about_to_rob()
    answers(made, "3pass", "2pass")
    assert (made.window, list(made.pending)) == ("turn", [1])
    assert made.view().seats[1].melds[0]["type"] == "added"
    assert made.view(1).seats[1].drawn == "9B"
    assert [event["event"] for event in made.events()[-5:]] == ["rob", "window", "kong", "draw", "window"]


@pytest.mark.parametrize("robbers", [(2,), (3,), (2, 3)])
def test_a_robbed_kong_is_not_made(robbers):
    made = about_to_rob()
    answers(made, *(f"{seat}{'w5W' if seat in robbers else 'pass'}" for seat in (3, 2)))
    assert made.over and [winner["seat"] for winner in made.result["winners"]] == list(robbers)
    assert {pay["from"] for pay in made.settlement} == {1}
    assert {pay["factor"] for pay in made.settlement} == {3}
    seat = made.view().seats[1]
    assert seat.melds[0]["type"] == "pong" and "5W" not in seat.hand
    assert seat.concealed == len(seat.hand) == 10
    assert all(win["robbed"] and win["from"] == 1 for win in made.view().wins)
    record.verify(made.record())


# Flowers


def test_eight_flowers_end_the_round_before_anybody_acts():
    made = jintan("12345678H147W147T", front="1F", back="123456789B")
    assert (made.over, made.window, made.turn, made.pending) == (True, None, 0, {})
    assert made.result["end"] == "flowers" and made.result["winners"][0]["elements"] == ["bahua"]
    names = [event["event"] for event in made.events()]
    assert names == ["deal", "flower", "flowers", "settle", "reveal"]
    assert made.view(2).wins == [{key: made.result["winners"][0][key] for key in
                                  ("seat", "elements", "fan", "flowers", "points")}]  # fmt: skip
    assert made.view().seats[0].flowers == [f"{n}H" for n in range(1, 9)]
    record.verify(made.record())
    assert seen(Round.restore(made.snapshot())) == seen(made)


def test_flowers_are_laid_out_before_the_first_action():
    """The dealer's two, one of whose replacements is a flower; seat 1's only when it draws."""
    made = jintan("1H2H147W147T147B123J", "3H" + "258W258T258B124F", front="4F", back="4H 5W 6W 7W")
    told = [(event["event"], event.get("tiles", event.get("tile"))) for event in made.events(open=True)]
    assert told[1:-1] == [
        ("flower", ["1H", "2H"]), ("draw", "4H"), ("draw", "5W"), ("flower", ["4H"]), ("draw", "6W"),
    ]  # fmt: skip
    left = [(event["front_left"], event["back_left"]) for event in made.events() if event["event"] in ("deal", "draw")]
    assert left == [(91, 91), (90, 90), (89, 89), (88, 88)]
    assert made.view(0).seats[0].drawn == "6W" and made.default(0) == "d6W"
    assert made.view(0).seats[0].flowers == ["1H", "2H", "4H"]
    assert made.view().seats[1].flowers == [] and "3H" in made.view(1).seats[1].hand
    made.play(0, "d6W")
    made.finish()
    assert made.view().seats[1].flowers == ["3H"] and made.default(1) == "d7W"


def test_after_a_first_claim_the_default_is_the_flowers_replacement():
    made = claimed("55W" + "3H" + "258T258B124F1J", back="9W")
    made.play(1, "p5W")
    assert made.view().seats[1].flowers == ["3H"]
    assert made.view(1).seats[1].drawn == "9W" and made.default(1) == "d9W"


# Concealed kongs


def test_a_concealed_kong_is_four_backs_until_the_end():
    made = jintan("1111T47W47T47B3F23J9B", front="1F", back="8W")
    made.play(0, "c1T")
    for viewer in VIEWERS:
        own = viewer == 0
        kong = next(event for event in made.events(viewer) if event["event"] == "kong")
        assert (kong["tile"], kong["hidden"]) == ("1T" if own else None, True)
        assert made.view(viewer).seats[0].melds[0]["tiles"] == ["1T" if own else None] * 4
        assert "1T" not in json.dumps([made.events(viewer), made.view(viewer).to_json()]) or own
    assert made.view(open=True).seats[0].melds[0]["tiles"] == ["1T"] * 4
    for _ in played(random.Random(1), made, patience=1.0):
        pass
    assert made.view(2).seats[0].melds[0]["tiles"] == ["1T"] * 4


# Laws


@effort(0.3)
@given(st.integers(0, 2**32 - 1))
def test_a_window_stays_open_only_for_what_could_change_the_outcome(seed):
    rng = random.Random(seed)
    made = any_table(rng, jintan=1).round()
    while not made.over:
        asked, turn = dict(made.pending), made.turn
        given: dict[int, str] = {}
        while made.turn == turn and not made.over:
            if given:
                best = max(map(strength, given.values()))
                open_ = [max(map(strength, words)) for words in made.pending.values()]
                assert any(most == WIN or most > best for most in open_)
            seat, answer = any_answer(rng, made, patience=0.6)
            made.play(seat, answer)
            given[seat] = answer
        if len(asked) > 1:
            best = max(map(strength, given.values()))
            late = [max(map(strength, words)) for seat, words in asked.items() if seat not in given]
            assert not any(most == WIN or most > best for most in late)


@pytest.mark.parametrize("fields", RECORDS, ids=range(1, len(RECORDS) + 1))
def test_golden_records(fields):
    """Each played again as a round: its result, its record, and the snapshot of every window."""
    rules = dict(fields["rules"])
    table = Table(
        tjmj.rules(rules.pop("name"), **rules), fields["dealer"], fields["dice"], split_wall(fields["wall"])
    )
    made = table.round()
    for move in fields["moves"].split():
        made.replay([move])
        again = copy.copy(made)
        assert (again.window, again.turn, again.pending) == (made.window, made.turn, made.pending)
    if not made.over:
        made.finish()
    assert made.result == fields["result"]
    assert " ".join(made.moves) == fields["moves"]
    assert seen(copy.copy(made)) == seen(made)
    record.verify(made.record())
