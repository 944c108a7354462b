"""Windows and their answers (table, Windows): who is asked what, when, and what is refused."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys

import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st
from rounds import VIEWERS, any_answer, any_table, arranged, at_random_window, played, round_of, seen, stake
from walls import deal, tokens

import tjmj
from tjmj.errors import IllegalMove, RulesError, StaleMove
from tjmj.round import Round, replayed
from tjmj.stakes import NO_STAKES, Stakes
from tjmj.tiles import NAMES

SCATTERED = "147W147T147B3F123J"
READY = "123456W789T55B99B"
DEALT = tjmj._deal.deal(bytes(32))
WORDS = ["h", "r", "pass", "sit", "stand", "pull0", "pull1", "pull2", "pull3", "kick", "kick1", "kick31", ""]
WORDS += [letter + tile for letter in "dcapowe" for tile in NAMES]


def refused(made: Round, seat: object, answer: str, turn: object = None) -> str:
    """The reason why an answer is illegal, without the answer itself."""
    with pytest.raises(IllegalMove) as caught:
        made.play(seat, answer, turn=turn)
    assert caught.value.move == answer
    assert str(caught.value) == f"{answer!r}: {caught.value.reason}"
    return caught.value.reason


# The stakes


def test_sit():
    made = Round("tianjin", dealer=2, seed=bytes(32))
    assert (made.window, made.turn, made.pending) == ("sit", 0, {2: ("sit", "stand")})
    made.play(2, "sit", turn=0)
    assert made.stakes == Stakes(sit=True)
    assert (made.window, made.turn) == ("pull", 1)


@pytest.mark.parametrize("most", [1, 2])
def test_pull(most):
    made = Round(tjmj.rules("tianjin", max_pulls=most), dealer=1, seed=bytes(32))
    made.play(1, "stand")
    words = ("pull0", "pull1", "pull2")[: most + 1]
    assert made.pending == {0: words, 2: words, 3: words}
    made.play(3, "pull1", turn=1)
    assert made.pending == {0: words, 2: words}
    assert (made.window, made.turn, made.stakes) == ("pull", 1, NO_STAKES)
    made.play(0, words[-1], turn=1)
    made.play(2, "pull0", turn=1)
    assert made.stakes == Stakes(False, (most, 0, 0, 1))
    assert (made.window, made.turn, list(made.pending)) == ("turn", 2, [1])


@pytest.mark.parametrize(
    ("pull", "words"),
    [
        ((0, 1, 0, 0), {"kick", "kick1"}),
        ((0, 0, 2, 1), {"kick", "kick2", "kick3", "kick23"}),
        ((0, 2, 1, 1), {"kick", "kick1", "kick2", "kick3", "kick12", "kick13", "kick23", "kick123"}),
    ],
)
def test_kick(pull, words):
    for word in sorted(words):
        made = Round(tjmj.rules("tianjin", chuai=True), seed=bytes(32))
        made.play(0, "stand")
        for seat in (1, 2, 3):
            made.play(seat, f"pull{pull[seat]}")
        assert (made.window, made.turn, list(made.pending)) == ("kick", 2, [0])
        assert len(made.pending[0]) == len(words) and set(made.pending[0]) == words
        made.play(0, word, turn=2)
        assert made.stakes == Stakes(False, pull, tuple(str(seat) in word for seat in range(4)))
        assert (made.window, made.turn) == ("turn", 3)


def test_without_stakes_the_first_window_is_the_dealers_turn():
    made = Round(tjmj.rules("tianjin", stakes=False), dealer=3, seed=bytes(32))
    assert (made.window, made.turn, list(made.pending)) == ("turn", 0, [3])


def test_pull_does_not_open_where_nobody_may_pull():
    made = Round(tjmj.rules("tianjin", max_pulls=0, chuai=True), seed=bytes(32))
    made.play(0, "sit")
    assert (made.window, made.turn, made.stakes) == ("turn", 1, Stakes(sit=True))


def test_kick_does_not_open_where_nobody_pulled():
    made = Round(tjmj.rules("tianjin", chuai=True), seed=bytes(32))
    stake(made, NO_STAKES)
    assert (made.window, made.turn) == ("turn", 2)


def test_kick_does_not_open_without_the_option():
    made = Round("tianjin", seed=bytes(32))
    stake(made, Stakes(False, (0, 2, 2, 2)))
    assert (made.window, made.turn) == ("turn", 2)


# The hand


def test_turn():
    made = arranged("1111W23W5566T9B3F2J9B")
    assert made.pending == {0: ("d1W", "d2W", "d3W", "d5T", "d6T", "d9B", "d3F", "d2J", "c1W")}
    made.play(0, "c1W")
    assert (made.window, list(made.pending)) == ("turn", [0])


def test_turn_with_an_added_kong_and_a_win():
    hands = ("5B147W147T147B3F12J", "123W456W789T55B9T2J")
    made = arranged(*hands, front="1B 2B 4B 5B", back="9T", min_fan=1)
    made.replay("0d5B 1p5B 1d2J 2d1B 3d2B 0d4B".split())
    assert list(made.pending) == [1] and "a5B" in made.pending[1] and "h" not in made.pending[1]
    made.play(1, "a5B")
    assert "h" in made.pending[1]
    made.play(1, "h")
    assert made.over and made.result["winners"] == [
        {"seat": 1, "elements": ["diliu", "gangkai", "su"], "fan": 4}
    ]


def test_declare():
    """天听: one seat after the other, those that may, before any claim."""
    made = round_of(deal(SCATTERED + "9B", READY, "", "123456W789T22T33B", heavenly_ready=True))
    first = made.turn
    made.play(0, "d9B")
    assert (made.window, made.turn, made.pending) == ("declare", first + 1, {1: ("r", "pass")})
    made.play(1, "pass", turn=first + 1)
    assert (made.window, made.turn, made.pending) == ("declare", first + 2, {3: ("r", "pass")})
    made.play(3, "r", turn=first + 2)
    assert (made.window, made.turn, made.pending) == ("claim", first + 3, {1: ("p9B", "pass")})
    assert made.play_of.ready == (False, False, False, True)


def test_a_seat_that_declared_is_asked_for_no_claim():
    made = round_of(deal(SCATTERED + "9B", READY, heavenly_ready=True), "0d9B 1r")
    assert (made.window, list(made.pending)) == ("turn", [1])


def test_declare_does_not_open_without_the_option_or_later_or_where_nobody_waits():
    assert round_of(deal(SCATTERED + "9B", READY), "0d9B").window == "claim"
    assert round_of(deal(SCATTERED + "9B", heavenly_ready=True), "0d9B").window == "turn"
    made = round_of(deal(SCATTERED + "9B", "", READY, front="9B", heavenly_ready=True), "0d1W")
    assert made.window == "declare"
    made.replay("1d9B".split())
    assert (made.window, made.pending) == ("claim", {2: ("p9B", "pass")})


def test_claim():
    made = arranged(SCATTERED + "9B", "", "9B9B9B")
    made.play(0, "d9B")
    assert (made.window, made.pending) == ("claim", {2: ("p9B", "o9B", "pass")})
    for word, window, letters in (("p9B", "turn", "d"), ("o9B", "turn", "dc"), ("pass", "turn", "dch")):
        made = arranged(SCATTERED + "9B", "", "9B9B9B")
        made.play(0, "d9B")
        turn = made.turn
        made.play(2, word, turn=turn)
        assert (made.window, made.turn) == (window, turn + 1)
        assert list(made.pending) == [1 if word == "pass" else 2]
        assert {answer[0] for words in made.pending.values() for answer in words} <= set(letters)


def test_claim_of_a_wildcard():
    """Only a gold kong, and only with the option."""
    hands = (SCATTERED + "2F", "", "", "2F2F2F")
    made = arranged(*hands)
    made.play(0, "d2F")
    assert made.pending == {3: ("o2F", "pass")}
    for without in ({"gold_kong_by_discard": False}, {"gold_kong": 0}):
        made = arranged(*hands, **without)
        made.play(0, "d2F")
        assert (made.window, list(made.pending)) == ("turn", [1])


def test_claim_does_not_open_while_the_last_tiles_are_closed():
    made = arranged(SCATTERED + "9B", "9B9B", last_tiles_closed=136)
    made.play(0, "d9B")
    assert (made.window, list(made.pending)) == ("turn", [1])


def test_the_round_ends_with_the_last_discard_that_nobody_can_claim():
    made = last_turn()
    pairs = {
        kind
        for seat in range(3)
        for kind in made.play_of.held(seat)
        if made.play_of.held(seat).count(kind) > 1
    }
    alone = [tile for tile in made.view(3).seats[3].hand if NAMES.index(tile) not in pairs]
    made.play(3, f"d{alone[0]}")
    assert (made.window, made.pending, made.result["end"]) == (None, {}, "exhausted")
    assert refused(made, 0, "pass") == "the round is over"


def test_the_last_discard_can_still_be_claimed():
    made = last_turn()
    made.play(3, "d9B")
    assert (made.window, made.pending) == ("claim", {1: ("p9B", "pass")})
    assert made.result is None and made.settlement is None
    turn = made.turn
    made.play(1, "pass")
    assert (made.window, made.turn, made.result["end"]) == (None, turn + 1, "exhausted")


def last_turn() -> Round:
    """Seat 3's turn after the last front draw; seat 1 holds two nines of dots, seat 3 the third."""
    made = arranged(SCATTERED + "5B", "99B", "", "9B", throw=12)
    while made.play_of.front_left or made.window == "claim":
        (seat,) = made.pending
        drawn = made.view(seat).seats[seat].drawn
        made.play(seat, "pass" if made.window == "claim" else f"d{drawn}")
    assert list(made.pending) == [3]
    return made


# Refusals

REFUSALS = [
    ("turn", "0", "d9T", "does not hold nine bamboo"),
    ("turn", "0", "h", "not complete"),
    ("turn", "0", "c1W", "does not hold four of one characters"),
    ("turn", "0", "a1W", "has no pong of one characters"),
    ("turn", "0", "pass", "not an answer to a turn"),
    ("turn", "0", "d", "not an answer to a turn"),
    ("turn", "0", "d10W", "not an answer to a turn"),
    ("turn", "0", "p1W", "not an answer to a turn"),
    ("turn", "0", "w1W", "not an answer to a turn"),
    ("turn", "1", "d1W", "it is seat 0's turn"),
    ("declare", "1", "d1W", "not one of r, pass"),
    ("declare", "1", "p9B", "r, pass"),
    ("declare", "3", "r", "seat 3 is not asked in this declare window"),
    ("claim", "3", "p1W", "the discard is east wind, not one characters"),
    ("claim", "3", "p1F", "wildcard and cannot be ponged"),
    ("claim", "2", "pass", "seat 2 is not asked in this claim window"),
    ("claim", "1", "o1F", "seat 1 is not asked in this claim window"),
    ("claim", "3", "r", "not one of o"),
]


@pytest.mark.parametrize(("window", "seat", "answer", "reason"), REFUSALS)
def test_reasons(window, seat, answer, reason):
    if window == "claim":
        made = arranged(SCATTERED + "2F", "", "", "2F2F2F")
        made.play(0, "d2F")
        answer, reason = answer.replace("1F", "2F"), reason.replace("east", "south")
    else:
        made = round_of(
            deal(SCATTERED + "9B", READY, heavenly_ready=True), "0d9B" if window == "declare" else ""
        )
    assert made.window == window
    before = seen(made)
    assert reason in refused(made, int(seat), answer, turn=made.turn)
    assert seen(made) == before


@pytest.mark.parametrize("seat", [-1, 4, 2**70, None, "0", 1.0, True, (), b"0"])
def test_a_seat_that_there_is_not(seat):
    made = Round(seed=bytes(32))
    assert "seats are 0 to 3" in refused(made, seat, "sit")
    assert made.pending == {0: ("sit", "stand")}


def test_another_window_is_stale():
    made = Round(seed=bytes(32))
    made.play(0, "sit", turn=0)
    before = seen(made)
    for turn in (0, 2, -1, 10**30, "1", 1.5, True + 1):
        with pytest.raises(StaleMove) as caught:
            made.play(1, "pull1", turn=turn)
        assert (caught.value.answer, caught.value.turn, caught.value.now) == ("pull1", turn, 1)
        assert str(caught.value) == f"'pull1' answers window {turn}; window 1 is open"
    assert seen(made) == before


def test_a_late_answer_is_stale_whatever_it_says_and_whoever_says_it():
    made = Round(seed=bytes(32))
    made.play(0, "sit")
    for seat, word in ((0, "sit"), (0, "nonsense"), (9, "sit"), (1, "pull1")):
        with pytest.raises(StaleMove):
            made.play(seat, word, turn=0)


def test_a_second_answer_is_illegal():
    made = Round(seed=bytes(32))
    made.play(0, "sit")
    made.play(2, "pull1")
    before = seen(made)
    for word in ("pull1", "pull2", "nonsense"):
        assert refused(made, 2, word, turn=1) == "seat 2 has answered window 1 already"
    assert seen(made) == before


@effort(0.25)
@given(st.integers(0, 2**32 - 1))
def test_late_double_and_foreign_answers_change_nothing(seed):
    """Whatever is not one of the pending answers to this window is refused and leaves all as it was."""
    made = at_random_window(seed)
    rng = random.Random(seed)
    before, pending, turn = seen(made), dict(made.pending), made.turn
    for seat, words in pending.items():
        for word in words:
            for other in (turn - 1, turn + 1, 0 if turn else 7):
                with pytest.raises(StaleMove):
                    made.play(seat, word, turn=other)
    for seat in range(4):
        for word in [*WORDS, *tokens(rng, 20)]:
            if word not in pending.get(seat, ()):
                assert refused(made, seat, word, turn=turn).strip()
        if seat not in pending:
            with pytest.raises(IllegalMove, match="not asked"):
                made.default(seat)
    assert seen(made) == before


# Secrets


@pytest.mark.parametrize("order", [*itertools.permutations((0, 2, 3))])
def test_nothing_is_shown_of_an_answer_before_the_window_closes(order):
    made = Round(tjmj.rules("tianjin", chuai=True), dealer=1, seed=bytes(32))
    made.play(1, "sit")
    views = {viewer: made.view(viewer) for viewer in VIEWERS}
    events = {viewer: made.events(viewer) for viewer in VIEWERS}
    answered: set[int] = set()
    for seat in order:
        for viewer in set(VIEWERS) - answered:
            assert made.view(viewer) == views[viewer]
            assert made.events(viewer) == events[viewer]
            assert made.stakes == Stakes(sit=True)
        made.play(seat, f"pull{seat % 3}")
        answered.add(seat)
    for viewer in VIEWERS:
        told = made.events(viewer, since=len(events[viewer]))
        assert told[0] == {"n": len(events[viewer]), "event": "stakes", "sit": True, "pull": [0, 0, 2, 0],
                           "kick": None}  # fmt: skip


def test_the_dealers_answer_is_public_before_the_others_pull():
    made = Round(seed=bytes(32))
    made.play(0, "sit")
    assert made.view(3).stakes == {"sit": True, "pull": None, "kick": None}


# Laws


@effort(0.2)
@given(st.integers(0, 2**32 - 1))
def test_turn_numbers_count_the_windows(seed):
    rng = random.Random(seed)
    made = any_table(rng).round()
    assert made.turn == 0
    while not made.over:
        turn, pending = made.turn, dict(made.pending)
        assert len(pending) == 1 or made.window in ("pull", "claim", "rob")
        seat, answer = any_answer(rng, made)
        made.play(seat, answer, turn=turn)
        del pending[seat]
        if made.turn == turn:  # it waits for the others
            assert made.pending == pending != {}
        else:
            assert made.turn == turn + 1 and made.given == {}


def test_answers_belong_to_the_caller():
    """What is handed out can be changed without changing the round."""
    made = Round(seed=bytes(32))
    before = seen(made)
    made.pending.clear()
    made.moves.append("0d1W")
    assert seen(made) == before


# Making one


@pytest.mark.parametrize(
    "wrong",
    [
        {"rules": "mahjong"},
        {"dealer": 4},
        {"dealer": -1},
        {"dealer": True},
        {"dealer": 1.0},
        {"dealer": None},
        {"seed": bytes(31)},
        {"client_seeds": [b""] * 3},
        {"client_seeds": [bytes(33)] * 4},
        {"names": ["one", "two"]},
        {"names": [1, 2, 3, 4]},
    ],
)
def test_a_round_that_cannot_be(wrong):
    with pytest.raises(RulesError):
        Round(**{"seed": bytes(32)} | wrong)


@pytest.mark.parametrize("opening", [(9, 9), (0, 1), (1, 2, 3), (1, 2, 3, 4), ()])
def test_an_opening_throw_that_cannot_be(opening):
    with pytest.raises(RulesError):
        Round(deal=DEALT._replace(open=opening))


@pytest.mark.parametrize("flip", [(3,), (), (0, 3), (1, 1, 1), (1, 7)])
def test_a_flip_throw_that_cannot_be(flip):
    with pytest.raises(RulesError):
        Round(deal=DEALT._replace(flip=flip))


@pytest.mark.parametrize(
    "wall", [b"", DEALT.wall[:-1], DEALT.wall + b"\0", DEALT.wall[:-1] + b"\x2a", bytes(136)]
)
def test_a_wall_that_cannot_be(wall):
    with pytest.raises(RulesError):
        Round(deal=DEALT._replace(wall=wall))


def test_a_deal_is_in_place_of_seeds():
    with pytest.raises(RulesError):
        Round(seed=bytes(32), deal=DEALT)


def test_what_it_is():
    made = Round("tianjin-hall", 2, seed=bytes(32), client_seeds=[b"a", b"", b"b", b"c"], names=list("甲乙丙丁"))
    assert (made.rules, made.dealer, made.names) == (tjmj.rules("tianjin-hall"), 2, ("甲", "乙", "丙", "丁"))
    assert made.commitment.hex() == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    assert repr(made) == "<tjmj.Round tianjin-hall, dealer 2, window 0, sit>"
    for _ in played(random.Random(1), made):
        pass
    assert repr(made) == "<tjmj.Round tianjin-hall, dealer 2, over>"


def test_random_seeds_differ():
    assert Round().commitment != Round().commitment


def test_without_init_it_is_harmless():
    """A crash would take the whole process, so it is tried in another."""
    code = """
from tjmj.round import Round
made = Round.__new__(Round)
for name in ("window", "turn", "over", "pending", "given", "moves", "stakes", "chosen", "listening",
             "play_of", "result", "settlement"):
    try:
        getattr(made, name)
    except (AttributeError, ValueError, TypeError):
        pass
assert made.window is None and made.over and made.pending == {}
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


def test_a_record_may_end_with_the_last_claims_open():
    """A record may end wherever everybody passing ends the hand, the last discard's open claims included."""
    made = round_of(deal("4F", "55W", at={111: "5W"}, throw=12), "0d4F")
    while made.view().front_left or made.window != "claim":
        seat = min(made.pending)
        made.play(seat, made.default(seat))
    assert made.moves[-1] == "3d5W" and "p5W" in made.pending[1]
    ended = replayed(made.record())
    assert ended.fault is None and ended.round.over and ended.round.result["end"] == "exhausted"
    assert not made.over
