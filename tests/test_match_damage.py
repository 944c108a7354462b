"""Files of matches that are damaged or told by others (match.py, match_history.py, match_state.py)."""

from __future__ import annotations

import copy
import json
import os

import msgspec
import pytest
from matches import LIVELY, NAMES, SECRET, answer, exhausted, play_hands, play_on, won_by_dealer, won_by_next
from matches import read_file as read
from matches import write_file as write

import tjmj
from tjmj import record
from tjmj.errors import RecordError
from tjmj.match import End, Match
from tjmj.seating import same_cycle

STREET = tjmj.rules("tianjin-street", **LIVELY)
HALL = tjmj.rules("tianjin-hall", first_dealer=0)


@pytest.fixture(scope="module")
def whole():
    """The lines of a match of six hands."""
    played = play_hands(Match(STREET, NAMES, seed=SECRET), 6)
    return [record.dumps(told).encode() + b"\n" for told in played]


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda file: None)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "match.jsonl")


def changed(line, *keys, value=None):
    """A line with another value at a place; without one the key is gone."""
    fields = json.loads(line)
    inner = fields
    for key in keys[:-1]:
        inner = inner[key]
    if value is None:
        del inner[keys[-1]]
    else:
        inner[keys[-1]] = value
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def faults(path, lines):
    """What is said of a file with the seed and without; the file is not touched."""
    write(path, lines)
    found = []
    for seed in (SECRET, None):
        try:
            Match.resume(path, seed=seed)
            found.append(None)
        except RecordError as fault:
            found.append((fault.line, fault.reason))
    assert read(path) == b"".join(lines) and (found[0] is None or not os.path.exists(path + ".secret"))
    return found


DAMAGES = [
    (("dealer",), lambda told: (told["dealer"] + 1) % 4, ""),
    (("names",), lambda told: told["names"][::-1], "names is"),
    (("names",), None, "names is null"),
    (("rules",), lambda told: {**told["rules"], "base": 2}, ""),
    (("rules",), lambda told: {**told["rules"], "titles": False}, "rules is"),
    (("match", "hand"), lambda told: told["match"]["hand"] + 1, "match is"),
    (("match", "hand"), lambda told: float(told["match"]["hand"]), "match is"),
    (("match", "players"), lambda told: told["match"]["players"][::-1], "match is"),
    (("match", "end"), lambda told: {"circles": 9}, "match is"),
    (("match", "commitment"), lambda told: "00" * 32, "match is"),
    (("match", "more"), lambda told: 1, "match is"),
    (("match",), None, "match is null"),
    (("match",), lambda told: 5, "match is 5"),
    (("seating",), lambda told: {"dice": [1, 1], "winds": [0, 1, 2, 3]}, "seating is"),
    (("moves",), lambda told: told["moves"][:-5], ""),
    (("result", "net"), lambda told: [0, 0, 0, 1], "the result's net"),
    (("seed",), lambda told: "11" * 32, "the seed does not give the wall"),
    (("format",), lambda told: "tjmj-record/2", "format is"),
]


@pytest.mark.parametrize(("keys", "value", "reason"), DAMAGES)
def test_damaged_lines_are_named(whole, path, keys, value, reason):
    for hand in (1, 4):
        told = json.loads(whole[hand])
        line = changed(whole[hand], *keys, value=None if value is None else value(told))
        for found in faults(path, [*whole[:hand], line, *whole[hand + 1 : 6]]):
            assert found is not None and found[0] == hand + 1 and reason in found[1], found


def test_lines_lost_doubled_or_swapped(whole, path):
    for lines, line in (
        (whole[1:6], 1), (whole[:3] + whole[4:6], 4), (whole[:3] + whole[2:6], 4), (whole[:2] * 2, 3),
        ([*whole[:2], whole[3], whole[2]], 3),
    ):  # fmt: skip
        for found in faults(path, lines):
            assert found is not None and found[0] == line and "match is" in found[1]


def test_the_order_of_keys_is_free(whole, path):
    told = json.loads(whole[0])
    told["match"] = dict(reversed(told["match"].items()))
    write(path, [json.dumps(dict(reversed(told.items()))).encode() + b"\n", *whole[1:]])
    assert Match.resume(path, seed=SECRET).hands == len(whole)


def test_faults_are_told_in_words(whole, path):
    (line, reason), _ = faults(path, [whole[0], changed(whole[1], "names", value=["戊", *NAMES[1:]])])
    names = [json.loads(whole[1])["names"], ["戊", *NAMES[1:]]]
    shown = [json.dumps(each, ensure_ascii=False) for each in names]
    assert (line, reason) == (2, f"names is {shown[1]}, and should be {shown[0]} in hand 1")
    _, reason = faults(path, [changed(whole[0], "match", "more", value="x" * 60_000)])[0]
    assert "x" * 50 in reason and "…, and should be" in reason and len(reason) < 600
    # A value of 200 characters is shown whole.
    _, reason = faults(path, [changed(whole[0], "match", value="x" * 198)])[0]
    assert reason == f'match is "{"x" * 198}": an object is wanted'
    _, reason = faults(path, [changed(whole[0], "match", value="x" * 199)])[0]
    assert reason == f'match is "{"x" * 198}…: an object is wanted'


def test_a_hand_after_the_end(path):
    made = Match("tianjin", NAMES, seed=SECRET, end=End(hands=2), path=path)
    play_hands(made, 2)
    made._end = End()
    line = changed(record.dumps(play_on(made)).encode(), "match", "end", value={"hands": 2})
    os.unlink(path + ".secret")
    lines = [*read(path).splitlines(keepends=True)[:2], line]
    for found in faults(path, lines):
        assert found == (3, "the match had ended before this hand, by its number of hands")


def test_first_lines_that_cannot_be(whole, path):
    for keys, value in (
        (("match", "end"), 5), (("match", "end"), {}), (("match", "end"), {"hands": 0}),
        (("match", "end"), {"x": 1}), (("match", "players"), [0, 1, 2]), (("match", "players"), "0123"),
        (("match", "players"), [[0], 1, 2, 3]), (("match", "commitment"), 7), (("match",), [1]),
        (("match",), "x"), (("match",), {}), (("seating",), 5), (("seating",), None),
        (("seating", "dice"), [0, 1]), (("seating", "dice"), [1, 7]),
        (("seating", "dice"), [True, 1]), (("seating", "dice"), [1, 1, 1]), (("dealer",), 2),
        (("seating", "winds"), [0, 0, 1, 2]), (("seating", "winds"), [0, 1, 2]),
    ):  # fmt: skip
        for found in faults(path, [changed(whole[0], *keys, value=value)]):
            assert found is not None and found[0] == 1, (keys, value)


def test_first_lines_of_a_shuffled_match(path):
    made = Match(tjmj.rules("tianjin", seating="random"), NAMES, seed=5)
    line = record.dumps(play_on(made)).encode()
    assert Match.from_records([record.parse(line)]).players == made.players != (0, 1, 2, 3)
    for players in ([0, 0, 1, 2], [0, 1, 2], "x", 5, [1.0, 0, 2, 3]):
        write(path, [changed(line, "match", "players", value=players)])
        with pytest.raises(RecordError, match=r"line 1: match: players is .*: the four players are wanted"):
            Match.resume(path)


def test_the_seed_of_another_hand(whole, path):
    """A record that is right in itself, but was dealt from a seed of the server's choice."""
    other = Match(STREET, NAMES, seed=SECRET)
    other._seed.of_hand = lambda hand: bytes(32)
    line = record.dumps(play_on(other)).encode() + b"\n"
    known, unknown = faults(path, [line])
    assert known == (1, "the seed is not the one that the match's seed gives hand 0")
    assert unknown is None


# Records of other programs


def test_records_without_the_key_match():
    records = [won_by_next(0, HALL), exhausted(1, HALL), won_by_dealer(1, HALL)]
    made = Match.from_records(records)
    assert (made.hands, made.dealer, made.end, made.commitment) == (3, 1, End(), None)
    assert made.totals == (-8 - 56, 24 + 168, -8 - 56, -8 - 56)
    with pytest.raises(RecordError, match="line 2: dealer is 0, and should be 1 in hand 1"):
        Match.from_records([records[0], exhausted(0, HALL)])


def street_passes(count):
    rules = tjmj.rules("tianjin-street", stakes=False)
    return [won_by_next(hand % 4, rules) for hand in range(count)]


def seated(told, winds):
    """A record with a 打风 in which East takes the first wind."""
    return msgspec.structs.replace(told, extra={"seating": {"dice": [4, 5], "winds": winds}})


def test_seating_of_other_programs_is_followed():
    records = street_passes(17)
    assert Match.from_records(records[:16]).pot == 2
    with pytest.raises(RecordError, match="line 17: seating is missing, though a 锅 begins"):
        Match.from_records(records)
    with pytest.raises(RecordError, match="line 17: seating: it leaves the cyclic order"):
        Match.from_records([*records[:16], seated(records[16], [1, 2, 3, 0])])
    made = Match.from_records([*records[:16], seated(records[16], [0, 2, 1, 3])])
    assert made.players == (0, 2, 1, 3) and not same_cycle(made.players, (0, 1, 2, 3))
    with pytest.raises(RecordError, match="line 6: seating is"):
        Match.from_records([*records[:5], seated(records[5], [0, 2, 1, 3])])


# Snapshots


def some_snapshot():
    made = Match(STREET, NAMES, seed=SECRET, end=End(circles=4))
    made.start_hand()
    for _ in range(20):
        if not made.round.over:
            answer(made)
    return made.snapshot()


SNAPSHOT = some_snapshot()


@pytest.mark.parametrize(
    "bad",
    [
        "", "{", "[]", "null", b"\xff", "[" * 5000, {}, {"format": "tjmj-match/2"}, "\ud800", {1: object()},
        '{"format":"tjmj-match/1"}', '{"format":"tjmj-match/1","format":"tjmj-match/1"}',
    ],
)  # fmt: skip
def test_what_is_no_snapshot(bad):
    with pytest.raises(RecordError, match="snapshot: "):
        Match.restore(bad)


BAD_VALUES = {
    "rules": [None, "tianjin", {}, {"name": 5}, {"name": "chess"}, {"name": "tianjin"},
              {"name": "tianjin", "cap": 0}],
    "names": ["甲乙丙丁", 5, {}, [1, 2, 3, 4], [], None, ["戊", *NAMES[1:]]],
    "seed": [None, 5, "", "00", "zz" * 32, "٣", "9" * 60, "00" * 32, "7"],
    "end": [5, {}, {"circles": 0}, {"circles": None}, {"hands": 1, "x": 1}, []],
    "hands": [None, -1, 1, 1.0, True, 10**20],
    "left": [["left", 1]],
    "round": [5, [], {}, "x"],
    "more": [1],
}  # fmt: skip


@pytest.mark.parametrize(("key", "value"), [(key, value) for key in BAD_VALUES for value in BAD_VALUES[key]])
def test_snapshots_that_cannot_be(key, value):
    with pytest.raises(RecordError):
        Match.restore({**SNAPSHOT, key: value})


def test_who_left_is_checked():
    between = {**SNAPSHOT, "round": None}
    for left in (5, [], ["left"], ["left", 4], ["left", -1], ["left", True], ["left", None], ["left", 1.0],
                 ["dissolved", 1], ["x", 0], ["x", None], "ab", [["left"], 0]):  # fmt: skip
        with pytest.raises(RecordError, match="snapshot: "):
            Match.restore({**between, "left": left})
    for left in (["left", 0], ["left", 3], ["dissolved", None]):
        made = Match.restore({**between, "left": left})
        assert [made.ended, made.left] == left


@pytest.mark.parametrize("seed", [bytes.fromhex("11" * 32), bytes(32), 0, 10**38, 2**128 - 1])
def test_seeds_are_written_and_read(seed):
    made = Match("tianjin", seed=seed, end=End(hands=10**9))
    assert Match.restore(made.snapshot()).commitment == made.commitment


@pytest.mark.parametrize("key", SNAPSHOT)
def test_snapshots_that_lack_something(key):
    with pytest.raises(RecordError, match="snapshot: "):
        Match.restore({name: value for name, value in SNAPSHOT.items() if name != key})


def test_open_hands_that_are_not_the_next():
    other = Match(STREET, NAMES, seed=1)
    other.start_hand()
    with pytest.raises(RecordError, match="is not the one that comes next"):
        Match.restore({**SNAPSHOT, "round": other.snapshot()["round"]})
    damaged = copy.deepcopy(SNAPSHOT)
    damaged["round"]["moves"] += " 0h"
    with pytest.raises(RecordError, match="snapshot: "):
        Match.restore(damaged)


def test_a_damaged_secret_is_refused(path):
    Match("tianjin", seed=SECRET, path=path)
    stored = read(path + ".secret")
    for cut in (0, 10, len(stored) - 1):
        write(path + ".secret", [stored[:cut]])
        with pytest.raises(RecordError, match="snapshot: "):
            Match.resume(path)
