"""Snapshots (table): restored in every window to an identical round, and refused when damaged."""

from __future__ import annotations

import copy
import json
import pickle
import random
from typing import Any

import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st
from rounds import WINDOWS, any_answer, any_table, at_random_window, jintan, played, round_of, seen
from walls import deal

import tjmj
from tjmj.errors import RecordError
from tjmj.json_lines import LONGEST_LINE
from tjmj.round import Round

SCATTERED = "147W147T147B3F123J"
READY = "123456W789T55B99B"
FIVE = "46W123B789B111T99T"


def through_all_windows() -> dict[str, Round]:
    """A round in each window, one amid the secret answers, and one that is over."""
    rules = tjmj.rules("tianjin-street", chuai=True, wild_kinds=3)
    made = Round(rules, 1, seed=bytes(range(32)), client_seeds=[b"", b"a", bytes(32), b"b"], names=list("甲乙丙丁"))
    rounds = {"sit": copy.copy(made)}
    made.play(1, "sit")
    rounds["pull"] = copy.copy(made)
    made.play(3, "pull2")
    made.play(0, "pull1")
    rounds["secret"] = copy.copy(made)
    made.play(2, "pull0")
    rounds["kick"] = copy.copy(made)
    made.play(1, "kick03")
    for _ in range(30):
        made.play(*any_answer(random.Random(1), made))
    rounds["turn"] = copy.copy(made)
    while not made.over:
        made.play(*any_answer(random.Random(1), made))
    rounds["over"] = made
    hands = deal(SCATTERED + "9B", READY, heavenly_ready=True, wild_kinds=1)
    rounds["declare"] = round_of(hands, "0d9B")
    rounds["claim"] = round_of(hands, "0d9B")
    rounds["claim"].play(1, "pass")
    hands = ("5W" + SCATTERED, "46W258T258B124F13J", FIVE, "55W258T258B124F13J")
    rounds["claims"] = jintan(*hands, front="1F", back="9B", min_flowers=0)
    rounds["claims"].replay(["0d5W"])
    rounds["claims"].play(3, "p5W")
    rounds["rob"] = jintan(*hands[:1], hands[3], hands[2], front="3F 4F 3F 5W", back="9B", min_flowers=0)
    rounds["rob"].replay("0d5W 1p5W 1d3J 2d3F 3d4F 0d3F 1a5W".split())
    return rounds


ROUNDS = through_all_windows()
SNAPSHOTS = {name: json.dumps(made.snapshot(), ensure_ascii=False) for name, made in ROUNDS.items()}


def test_the_rounds_are_in_all_windows():
    assert {made.window for made in ROUNDS.values()} == {*WINDOWS, None}
    assert ROUNDS["secret"].given == {0: "pull1", 3: "pull2"}
    assert ROUNDS["claims"].given == {3: "p5W"}


def is_plain(value: Any) -> bool:
    if type(value) is dict:
        return all(type(key) is str and is_plain(each) for key, each in value.items())
    if type(value) is list:
        return all(map(is_plain, value))
    return type(value) in (str, int, bool, type(None))


def refuses(data: Any) -> RecordError:
    with pytest.raises(RecordError) as caught:
        Round.restore(data)
    assert type(caught.value) is RecordError and caught.value.reason.strip()
    return caught.value


def refuses_or_is_one(text: str | bytes) -> None:
    """What is not refused is the snapshot of some round, and of no other."""
    try:
        made = Round.restore(text)
    except RecordError:
        return
    assert made.snapshot() == json.loads(text)


# Right ones


@pytest.mark.parametrize("name", ROUNDS)
def test_it_is_plain_json_in_the_order_of_a_record(name):
    made = ROUNDS[name]
    snapshot = made.snapshot()
    assert is_plain(snapshot) and json.loads(SNAPSHOTS[name]) == snapshot
    assert snapshot["format"] == "tjmj-snapshot/1"
    assert list(snapshot)[:2] == ["format", "rules"] and list(snapshot)[-2:] == ["turn", "answers"]
    assert snapshot["turn"] == made.turn
    assert snapshot["moves"] == " ".join(made.moves)
    assert {int(seat): word for seat, word in snapshot["answers"].items()} == made.given
    assert ("seed" in snapshot) == (made.commitment is not None)


@pytest.mark.parametrize(
    ("name", "stakes"),
    [
        ("sit", {}),
        ("pull", {"sit": True}),
        ("secret", {"sit": True}),
        ("kick", {"sit": True, "pull": [1, 0, 0, 2]}),
        ("turn", {"sit": True, "pull": [1, 0, 0, 2], "kick": [True, False, False, True]}),
    ],
)
def test_stakes_as_far_as_they_are_chosen(name, stakes):
    assert ROUNDS[name].snapshot()["stakes"] == stakes


@pytest.mark.parametrize("name", ROUNDS)
def test_restored_in_every_window(name):
    made = ROUNDS[name]
    for given_as in (made.snapshot(), SNAPSHOTS[name], SNAPSHOTS[name].encode(), json.dumps(made.snapshot())):
        again = Round.restore(given_as)
        assert type(again) is Round and repr(again) == repr(made)
        assert (again.rules, again.dealer, again.names) == (made.rules, made.dealer, made.names)
        assert again.commitment == made.commitment
        assert seen(again) == seen(made)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
def test_copies_go_their_own_way(again):
    for name, made in ROUNDS.items():
        before = seen(made)
        other = again(made)
        assert other is not made and seen(other) == before
        if name != "over":
            other.play(*any_answer(random.Random(1), other))
            assert other.given != made.given or other.turn > made.turn
        assert seen(made) == before


@effort(0.175)
@given(st.integers(0, 2**32 - 1))
def test_restored_anywhere_and_played_on(seed):
    """The same round: now, after the same answers, and at its end."""
    made = at_random_window(seed)
    again = Round.restore(json.dumps(made.snapshot()))
    assert seen(again) == seen(made)
    patience = random.Random(seed).random()
    for one, other in zip(
        *(played(random.Random(seed), each, patience) for each in (made, again)), strict=True
    ):
        assert (one.window, one.turn, one.pending, one.given) == (
            other.window,
            other.turn,
            other.pending,
            other.given,
        )
    assert seen(again) == seen(made)


@effort(0.075)
@given(st.integers(0, 2**32 - 1))
def test_restored_in_every_window_of_a_round(seed):
    rng = random.Random(seed)
    for made in played(rng, any_table(rng).round()):
        again = Round.restore(made.snapshot())
        assert (again.window, again.turn, again.pending, again.given) == (
            made.window, made.turn, made.pending, made.given,
        )  # fmt: skip
        assert again.play_of.state_bytes == made.play_of.state_bytes
        assert again.snapshot() == made.snapshot()


class Named(Round):
    """A subclass."""


def test_a_subclass_stays_one():
    made = Named(seed=bytes(32))
    assert type(Named.restore(made.snapshot())) is Named
    assert type(copy.copy(made)) is Named and type(pickle.loads(pickle.dumps(made))) is Named


# Damaged ones

DEEP: list[Any] = []
for _ in range(5000):
    DEEP = [DEEP]

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 3, 4, 1.0, 1.5, 1e400, float("nan"), 10**30, 10**400, -(10**400), 10**5000,
    "", " ", "x", "0", "tianjin", "tjmj-record/1", "\0", "\ud800", "9" * 5000, "x" * (LONGEST_LINE + 1),
    [], [[]], [None] * 4, [0] * 4, [True] * 4, [1, 2], ["", "", "", ""], [0] * 100_000, DEEP,
    {}, {"name": "tianjin"}, {"": 0}, {"0": "pass"}, {"sit": 1},
]  # fmt: skip


@pytest.mark.parametrize("name", ROUNDS)
def test_a_field_is_missing(name):
    snapshot = ROUNDS[name].snapshot()
    for key in snapshot:
        less = {other: value for other, value in snapshot.items() if other != key}
        # Without its seed or its names it is a round's all the same.
        if key in ("names", "seed", "client_seeds", "commitment"):
            refuses_or_is_one(json.dumps(less))
        else:
            refuses(less)


@pytest.mark.parametrize("name", list(ROUNDS)[::3])
@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"{type(value).__name__}")
def test_a_field_is_something_else(name, value):
    """Fields and what is inside them."""
    snapshot = ROUNDS[name].snapshot()
    for key in [*snapshot, "result", "extra"]:
        damaged = {**snapshot, key: value}
        check_damaged(damaged)
        if isinstance(snapshot.get(key), dict):
            for inner in [*snapshot[key], "extra"]:
                check_damaged({**snapshot, key: {**snapshot[key], inner: value}})
        if isinstance(snapshot.get(key), list):
            for place in range(len(snapshot[key])):
                check_damaged({**snapshot, key: [*snapshot[key][:place], value, *snapshot[key][place + 1 :]]})


def check_damaged(damaged: dict[str, Any]) -> None:
    """Refused, or the snapshot of a round that there can be, down to its types."""
    try:
        made = Round.restore(damaged)
    except RecordError as fault:
        assert len(str(fault)) < 2000
        return
    assert json.dumps(made.snapshot(), sort_keys=True) == json.dumps(damaged, sort_keys=True)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("sit", {"turn": 1}),
        ("sit", {"turn": -1}),
        ("sit", {"turn": 1000}),
        ("sit", {"turn": 10**9}),
        ("sit", {"moves": "1d1W"}),
        ("sit", {"stakes": {"sit": True}}),
        ("sit", {"stakes": {"pull": [0] * 4}}),
        ("sit", {"answers": {"1": "sit"}}),
        ("sit", {"answers": {"0": "sit"}}),
        ("pull", {"answers": {"0": "pull3"}}),
        ("pull", {"answers": {"0": "pull1", "2": "pull1", "3": "pull1"}}),
        ("pull", {"answers": {"00": "pull1"}}),
        ("pull", {"answers": {" 0": "pull1"}}),
        ("pull", {"answers": {"٠": "pull1"}}),
        ("pull", {"answers": {"-1": "pull1"}}),
        ("pull", {"answers": {"0": 1}}),
        ("pull", {"stakes": {"sit": True, "kick": [False] * 4}}),
        ("kick", {"stakes": {"sit": True, "pull": [1, 1, 0, 0]}}),
        ("kick", {"stakes": {"sit": True, "pull": [1, 0, 0, 2], "kick": [False, False, True, False]}}),
        ("turn", {"turn": 4}),
        ("turn", {"answers": {"1": "h"}}),
        ("turn", {"moves": ""}),
        ("turn", {"dealer": 0}),
        ("turn", {"commitment": "00" * 32}),
        ("turn", {"seed": "00" * 32}),
        ("declare", {"answers": {"1": "r"}}),
        ("declare", {"answers": {"1": "pass"}}),
        ("declare", {"moves": "0d9B 1p9B"}),
        ("claim", {"answers": {"1": "pass"}}),
        ("claim", {"answers": {"1": "p9B"}}),
        ("claim", {"moves": "0d9B "}),
        ("claim", {"moves": " 0d9B"}),
        ("claim", {"moves": "0d9B\n"}),
        ("claim", {"moves": "0d9B 1pass"}),
        ("claim", {"moves": "0d9B 1p9B"}),
        ("claims", {"answers": {"3": "p5W", "2": "pass"}}),
        ("claims", {"answers": {"3": "p5W", "2": "p5W"}}),
        ("claims", {"answers": {"0": "pass"}}),
        ("claims", {"moves": "0d5W 3p5W"}),
        ("rob", {"answers": {"2": "w5W"}}),
        ("rob", {"answers": {"1": "pass"}}),
        ("over", {"turn": 999}),
        ("over", {"result": {"end": "exhausted", "winners": [], "net": [0] * 4}}),
    ],
)
def test_it_contradicts_itself(name, change):
    refuses(ROUNDS[name].snapshot() | change)


@pytest.mark.parametrize("name", ROUNDS)
def test_moves_are_lost_doubled_or_swapped(name):
    snapshot, rng = ROUNDS[name].snapshot(), random.Random(1)
    moves = snapshot["moves"].split()
    for place in range(len(moves)):
        other = rng.randrange(len(moves))
        swapped = list(moves)
        swapped[place], swapped[other] = swapped[other], swapped[place]
        for damaged in (moves[:place] + moves[place + 1 :], moves[:place] + moves[place - 1 :], swapped):
            check_damaged({**snapshot, "moves": " ".join(damaged)})


@pytest.mark.parametrize("name", ROUNDS)
def test_cut_off(name):
    text = SNAPSHOTS[name].encode()
    for length in range(len(text)):
        refuses(text[:length])


def damage(rng: random.Random, text: bytes) -> bytes:
    """One byte changed, dropped, put in, or a piece of the text moved elsewhere."""
    place, other = rng.randrange(len(text)), rng.randrange(len(text))
    kind = rng.randrange(6)
    byte = rng.choice((rng.randrange(256), rng.choice(text), ord(rng.choice('0123456789"[]{},: \\-.e'))))
    if kind <= 2:
        return text[:place] + bytes([byte]) + text[place + 1 :]
    if kind == 3:
        return text[:place] + text[place + 1 :]
    if kind == 4:
        return text[:place] + bytes([byte]) + text[place:]
    piece = text[place : place + rng.randrange(1, 20)]
    return text[:other] + piece + text[other:]


@pytest.mark.parametrize("name", ROUNDS)
def test_damaged_bytes(name, times=300):
    rng, text = random.Random(name), SNAPSHOTS[name].encode()
    for _ in range(times):
        refuses_or_is_one(damage(rng, text))


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUNDS)
def test_many_damaged_bytes(name):
    test_damaged_bytes(name, times=20_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUNDS)
def test_every_byte_changed(name):
    text = SNAPSHOTS[name].encode()
    for place in range(len(text)):
        for byte in b'0123456789"{}[],: WTBFJdpr\x00\x80\xff':
            refuses_or_is_one(text[:place] + bytes([byte]) + text[place + 1 :])


@effort(0.5)
@given(st.binary(max_size=200), st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
))  # fmt: skip
def test_anything(data, value):
    refuses(data)
    refuses(value)
    refuses({"format": "tjmj-snapshot/1", "turn": 0, "answers": {}, "rules": value})


def test_hostile_sizes():
    """Refused, however large or deep."""
    snapshot = ROUNDS["turn"].snapshot()
    loop: dict[str, Any] = {}
    loop["loop"] = loop
    for value in (
        "0d1W " * 10**6,
        " " * 60_000,
        "1d1W" * 15_000,
        DEEP,
        [0] * 10**6,
        "9" * 60_000,
        loop,
        10**4000,
    ):
        for key in snapshot:
            refuses({**snapshot, key: value})
    for text in (
        "[" * 60_000,
        '{"a":' * 10_000,
        "[" * 10**6,
        "9" * 60_000,
        "1e999999999",
        '"\\ud800"',
        "\ud800",
        "",
    ):
        refuses(text)
        refuses(SNAPSHOTS["turn"].replace('"answers": {}', f'"answers": {text}'))
    refuses({**snapshot, "answers": {str(n): "pass" for n in range(5000)}})
    refuses({**snapshot, "stakes": {str(n): n for n in range(5000)}})


@pytest.mark.parametrize(
    "data", [None, 5, 1.5, [], (), bytearray(b"{}"), memoryview(b"{}"), object(), Round, {1: 2}]
)
def test_it_is_no_snapshot(data):
    refuses(data)


def test_a_record_is_no_snapshot():
    refuses(tjmj.record.dumps(ROUNDS["over"].record()))
    refuses(SNAPSHOTS["turn"].replace("tjmj-snapshot/1", "tjmj-snapshot/2"))


def test_a_key_that_stands_twice():
    text = SNAPSHOTS["turn"]
    refuses(text[:-1] + ', "turn": 3}')
