"""Matches as they are played: their seeds, who knows what, one hand after the other (see match.py)."""

from __future__ import annotations

import doctest
import hashlib
import json

import pytest
import referee_deal
from effort import effort
from hypothesis import given
from hypothesis import strategies as st
from matches import NAMES, SECRET, play_hands, play_on

import tjmj
from tjmj import match, record
from tjmj.errors import RulesError, TjmjError
from tjmj.match import End, Match
from tjmj.seating import Stream

# Seeds


def words(key, pot):
    return referee_deal._words(hashlib.sha256(b"tjmj-seating" + key + pot.to_bytes(8, "big")).digest())


def plain_shuffle(stream):
    order = [0, 1, 2, 3]
    for i in (3, 2, 1):
        j = referee_deal._below(i + 1, stream)
        order[i], order[j] = order[j], order[i]
    return order


@given(st.binary(min_size=32, max_size=32))
@effort(0.25)
def test_draws_are_those_that_are_written_down(seed):
    stream = words(seed, 0)
    dice = [1 + referee_deal._below(6, stream) for _ in range(2)]
    winds = plain_shuffle(stream)
    made = Match(tjmj.rules("tianjin-street", first_dealer="random"), seed=seed)
    assert made.seating == ((*dice,), (*winds,))
    assert made.dealer == referee_deal._below(4, stream)

    stream = words(seed, 0)
    made = Match(tjmj.rules("tianjin", seating="random"), seed=seed)
    assert list(made.players) == plain_shuffle(stream)
    assert made.dealer == referee_deal._below(4, stream)
    assert Match("tianjin", seed=seed).dealer == referee_deal._below(4, words(seed, 0))


@given(
    st.binary(max_size=40), st.lists(st.sampled_from((1, 2, 4, 6, 2**31 + 1, 3 * 2**30, 2**32)), max_size=60)
)
@effort(0.25)
def test_streams_are_those_of_walls(key, bounds):
    stream, plain = Stream(key), referee_deal._words(key)
    assert [stream.below(n) for n in bounds] == [referee_deal._below(n, plain) for n in bounds]


def test_hands_have_the_seeds_that_are_written_down():
    made = Match("tianjin", seed=SECRET)
    assert made.commitment == hashlib.sha256(SECRET).hexdigest()
    for k in range(3):
        seed = hashlib.sha256(b"tjmj" + SECRET + k.to_bytes(8, "big")).digest()
        assert made.hand_commitment == hashlib.sha256(seed).hexdigest()
        told = play_on(made)
        assert told.seed == seed and told.commitment.hex() == hashlib.sha256(seed).hexdigest()


@pytest.mark.parametrize("run", [0, 7, 2**128 - 1])
def test_a_whole_number_is_a_run(run):
    made = Match("tianjin", seed=run)
    assert [told.seed for told in play_hands(made, 3)] == [referee_deal.run_seed(run, k) for k in range(3)]


def test_without_a_seed_it_is_a_new_secret():
    assert len({Match("tianjin").commitment for _ in range(5)}) == 5


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), -1, 2**128, True, 1.0, "00" * 32])
def test_seeds_that_cannot_be(seed):
    with pytest.raises(RulesError, match="seed"):
        Match("tianjin", seed=seed)


def test_client_seeds():
    made = Match("tianjin", seed=SECRET)
    given = (b"", b"a", bytes(32), b"tjmj")
    committed = made.hand_commitment
    made.start_hand(client_seeds=given)
    assert made.hand_commitment == committed
    told = play_on(made)
    assert told.client_seeds == given and told.commitment.hex() == committed
    record.verify(told)
    with pytest.raises(RulesError):
        made.start_hand(client_seeds=[bytes(33)] * 4)
    assert made.round is None


def test_nothing_that_is_shown_holds_a_secret():
    made = Match("tianjin-street", NAMES, seed=SECRET)
    shown = ""
    for _ in range(3):
        made.start_hand()
        shown += json.dumps(made.to_json()) + repr(made) + repr(made._seed)
        secrets = [SECRET.hex(), *(made._seed.of_hand(k).hex() for k in range(made.hands, 50))]
        assert not any(secret in shown for secret in secrets)
        shown += record.dumps(play_on(made))
    assert SECRET.hex() not in shown
    assert made.snapshot()["seed"] == SECRET.hex(), "it is a snapshot that holds it"


# Playing


def test_one_hand_after_the_other():
    made = Match("tianjin", NAMES, seed=1)
    with pytest.raises(TjmjError, match="no hand is open"):
        made.finish_hand()
    opened = made.start_hand()
    assert made.round is opened and opened.names == NAMES and opened.dealer == made.dealer
    with pytest.raises(TjmjError, match="hand 0 is open"):
        made.start_hand()
    with pytest.raises(TjmjError, match="hand 0 goes on: its sit window is open"):
        made.finish_hand()
    told = play_on(made)
    assert made.round is None and made.hands == 1 and told.result == opened.result


BAD_NAMES = (
    "甲乙丙丁",
    NAMES[:3],
    [*NAMES, ""],
    [1, 2, 3, 4],
    [*NAMES[:3], None],
    ["\ud800"] * 4,
    ["a" * 257] * 4,
)


def test_the_longest_names():
    made = Match("tianjin", ["\0" * 256] * 4, seed=1)
    assert Match.from_records([record.parse(record.dumps(play_on(made)))]).names == made.names


@pytest.mark.parametrize("names", BAD_NAMES)
def test_names_that_cannot_be(names):
    with pytest.raises(RulesError, match="name"):
        Match("tianjin", names)


def test_json():
    made = Match("tianjin-street", NAMES, seed=6, end=End(circles=4))
    play_hands(made, 2)
    made.start_hand()
    told = made.to_json()
    assert json.loads(json.dumps(told)) == told
    assert told == {
        "rules": {"name": "tianjin-street"}, "names": list(NAMES), "players": list(made.players),
        "dealer": made.dealer, "hand": 2, "open": True, "circle": 1, "pot": 1, "seating": None,
        "totals": list(made.totals), "standings": [s._asdict() for s in made.standings],
        "end": {"circles": 4}, "ended": None, "left": None, "commitment": made.commitment,
        "hand_commitment": made.round.commitment.hex(),
    }  # fmt: skip
    assert Match("tianjin-street", seed=6).to_json()["seating"].keys() == {"dice", "winds"}


def test_the_example():
    assert doctest.testmod(match).failed == 0
