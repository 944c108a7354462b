"""Batch forms: a row gives what the hand gives by itself, and what is no hand is refused (tjmj.batch)."""

from __future__ import annotations

import json
import pathlib
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from strategies import Case, cases

import tjmj
from tjmj import HandError, RulesError, TjmjError, batch

GOLDEN = pathlib.Path(__file__).parent / "golden"
TYPES = {"pong": 0, "exposed": 1, "concealed": 3, "chow": 4}
CIRCUMSTANCES = ("kong_draw", "heavenly", "earthly", "ready")


def golden(*names: str) -> list[dict[str, Any]]:
    lines = [line for name in names for line in (GOLDEN / f"{name}.jsonl").read_text().splitlines()]
    return [json.loads(line) for line in lines]


def row_of(hand: tjmj.Hand) -> list[int]:
    return list(hand.counts)[: 42 if hand.rules.flower_wilds else 34]


def melds_of(hand: tjmj.Hand) -> list[int]:
    codes = [64 * TYPES[meld.type] + meld.kind for meld in hand.melds]
    return codes + [-1] * (4 - len(codes))


def arrays(hands: list[tjmj.Hand]) -> tuple[Any, Any, Any, Any]:
    """Counts, flipped kinds, winning kinds and melds."""
    return (
        np.array([row_of(hand) for hand in hands], np.uint8),
        np.array([-1 if hand.flip is None else hand.flip for hand in hands]),
        np.array([-1 if hand.win is None else hand.win for hand in hands]),
        np.array([melds_of(hand) for hand in hands], np.int16),
    )


def answer(scores: batch.Scores, i: int) -> dict[str, Any]:
    return {
        "win": scores.fan[i] > 0,
        "legal": bool(scores.legal[i]),
        "fan": int(scores.fan[i]),
        "elements": list(tjmj.elements.keys_of(int(scores.elements[i]))),
    }


# A row is a hand


def test_golden_scores():
    lines = golden("tianjin_fan_table", "tianjin_reported", "tianjin_random")
    counts, flip, win, melds = arrays([tjmj.Hand.parse(line["hand"], line["flip"]) for line in lines])
    flags = {name: np.array([line.get(name, False) for line in lines]) for name in ("kong_draw", "heavenly")}
    scores = batch.score(counts, flip, win, melds, **flags)
    assert [answer(scores, i) for i in range(len(lines))] == [line["want"] for line in lines]
    assert list(batch.is_win(counts, flip, melds)) == [line["want"]["win"] for line in lines]
    assert (scores.fan.dtype, scores.elements.dtype, scores.legal.dtype) == (np.uint16, np.uint32, np.bool_)
    assert scores.flowers is None and scores.points is None


def test_golden_waits():
    lines = golden("tianjin_waits")
    counts, flip, _, melds = arrays([tjmj.Hand.parse(line["hand"], line["flip"]) for line in lines])
    waits, left = batch.waits(counts, flip, melds), batch.waits_left(counts, flip, melds)
    assert waits.dtype == np.bool_ and left.dtype == np.uint8 and waits.shape == left.shape == (len(lines), 34)
    for i, line in enumerate(lines):
        want = line["want"]["waits"]
        assert [tjmj.tiles.NAMES[kind] for kind in np.flatnonzero(waits[i])] == list(want)
        assert [int(left[i, tjmj.parse_tile(tile)]) for tile in want] == [wait["left"] for wait in want.values()]
        assert left[i].sum() == sum(wait["left"] for wait in want.values())


def test_golden_jintan():
    lines = golden("jintan_random")
    counts, flip, win, melds = arrays([tjmj.Hand.parse(line["hand"], rules="jintan") for line in lines])
    sources = np.array([line["source"] for line in lines])
    flowers = np.array([line["flowers"] for line in lines])
    scores = batch.score(counts, flip, win, melds, "jintan", source=sources, flowers=flowers)
    for i, line in enumerate(lines):
        counted = {"win": scores.points[i] > 0, "flowers": scores.flowers[i], "points": scores.points[i]}
        assert answer(scores, i) | counted == line["want"], line
    assert list(batch.is_win(counts, flip, melds, "jintan")) == [line["want"]["win"] for line in lines]


@given(cases())
def test_a_batch_of_one_scores_as_the_hand(case: Case):
    hand, made = case.hand, case.score
    counts, flip, win, melds = arrays([hand])
    flags = {name: case.circumstances.get(name, False) for name in CIRCUMSTANCES}
    scores = batch.score(counts, flip, win, melds, case.rules, **flags)
    assert answer(scores, 0) == {
        "win": made.win, "legal": made.legal, "fan": made.fan, "elements": list(made.elements),
    }  # fmt: skip
    assert batch.is_win(counts, int(flip[0]), melds, case.rules)[0] == made.win


@given(cases(waiting=True))
def test_a_batch_of_one_waits_as_the_hand(case: Case):
    made = tjmj.waits(case.hand)
    counts, flip, _, melds = arrays([case.hand])
    assert list(np.flatnonzero(batch.waits(counts, flip, melds, case.rules)[0])) == list(made.kinds)
    left = batch.waits_left(counts, flip, melds, case.rules)[0]
    assert {kind: left[kind] for kind in made.kinds} == {wait.kind: wait.left for wait in made.values()}


@pytest.mark.parametrize(
    ("hand", "waits"),
    [
        ("11W33W55W77W99W11T1F", "1F"), ("1111W3355T77B99B1F", "1F"),
        ("1122334455667W", "147W"), ("111W33W55W77W99W11T", "1W"), ("1112W3355T77B99B1F", ""),
    ],
)  # fmt: skip
def test_seven_pairs_in_a_batch(hand: str, waits: str):
    """Jintan's 七对: six pairs wait for the seventh, four of a kind count as two pairs."""
    waiting = tjmj.Hand.parse(hand, rules="jintan")
    got = np.flatnonzero(batch.waits(arrays([waiting])[0], -1, 0, "jintan")[0])
    assert list(got) == list(tjmj.waits(waiting).kinds) == list(tjmj.parse_tiles(waits))


@pytest.mark.parametrize(("hand", "rules"), [("1133W5577T2244B1F", "tianjin"), ("[222T][888B]11W33W55T7W", "jintan")])
def test_pairs_wait_for_nothing_without_seven_pairs_or_beside_melds(hand: str, rules: str):
    """七对 is Jintan's, and of a hand without melds."""
    waiting = tjmj.Hand.parse(hand, "1F" if rules == "tianjin" else None, rules=rules)
    counts, flip, _, melds = arrays([waiting])
    assert not tjmj.waits(waiting)
    assert not batch.waits(counts, flip, melds, rules).any()


def test_ordinary_melds_by_their_number():
    hand = tjmj.Hand.parse("[222T]{8888B}123W55W4W6W+5W", "1F")
    counts, flip, win, melds = arrays([hand])
    by_number = batch.score(counts, flip, win, 2)
    known = batch.score(counts, flip, win, melds)
    assert answer(by_number, 0) == answer(known, 0)
    assert batch.is_win(counts, 27, np.array([2]))[0]


def test_gold_kong_ends_su():
    counts, flip, win, melds = arrays([tjmj.Hand.parse("{2222F}123W123T456B9B+9B", "1F")])
    assert "su" not in answer(batch.score(counts, flip, win, melds), 0)["elements"]
    assert "su" in answer(batch.score(counts, flip, win, 1), 0)["elements"]


def test_an_empty_batch():
    none = np.zeros((0, 34), np.uint8)
    assert batch.is_win(none, -1).shape == (0,)
    assert batch.waits(none, -1).shape == batch.waits_left(none, -1).shape == (0, 34)
    assert batch.score(none, -1, -1).fan.shape == (0,)


def test_views_and_read_only_arrays_are_read_as_they_are():
    hand = tjmj.Hand.parse("46W123B789B11T9T1F1T+5W", "1F")
    row = np.array(row_of(hand), np.uint8)
    wide = np.zeros((6, 80), np.uint8)
    wide[::2, 4:72:2] = row
    frozen = np.tile(row, (3, 1))
    frozen.setflags(write=False)
    for counts in (wide[::2, 4:72:2], wide[::-2, 4:72:2][:0], wide[4::-2, 4:72:2], frozen, np.asfortranarray(frozen)):
        before = counts.copy()
        assert list(batch.score(counts, 27, 4).fan) == [3] * len(counts)
        assert (counts == before).all()


# What is no hand is refused, and the row named

ROW = row_of(tjmj.Hand.parse("46W123B789B11T9T1F1T+5W", "1F"))
WAITING = row_of(tjmj.Hand.parse("46W123B789B111T9T1F", "1F"))


def changed(*changes: tuple[int, int], rows: int = 3, at: int = 1) -> Any:
    counts = np.array([ROW] * rows, np.uint8)
    for kind, count in changes:
        counts[at, kind] = count
    return counts


@pytest.mark.parametrize(
    ("counts", "error"),
    [
        ([ROW], TypeError), (None, TypeError), (np.array([ROW]), TypeError), (np.array([ROW], np.int8), TypeError),
        (np.array([ROW], np.float32), TypeError), (np.array(ROW, np.uint8), ValueError),
        (np.zeros((2, 33), np.uint8), ValueError), (np.zeros((2, 42), np.uint8), ValueError),
        (np.zeros((1, 2, 34), np.uint8), ValueError), (changed((0, 5)), HandError), (changed((0, 255)), HandError),
        (changed((0, 128)), HandError), (changed((0, 1)), HandError), (changed((3, 0)), HandError),
        (changed((27, 4), (0, 0)), HandError), (np.zeros((1, 34), np.uint8), HandError),
    ],
)  # fmt: skip
def test_counts_that_are_no_hands(counts: Any, error: type[Exception]):
    for call in (lambda: batch.is_win(counts, 27), lambda: batch.score(counts, 27, 4)):
        with pytest.raises(error) as raised:
            call()
        if error is HandError and len(counts) > 1:
            assert "row 1" in str(raised.value)


@pytest.mark.parametrize("change", [(0, 5), (0, 255), (0, 1), (27, 4)])
@pytest.mark.parametrize("call", [batch.waits, batch.waits_left])
def test_counts_that_wait_for_nothing_since_they_are_no_hands(call: Any, change: tuple[int, int]):
    """Waits are made by blocks of rows; the row is named all the same, also behind a whole block."""
    counts = np.array([WAITING] * 200, np.uint8)
    assert call(counts, 27).any(axis=1).all()
    counts[150, change[0]] = change[1]
    with pytest.raises(HandError, match="row 150"):
        call(counts, 27)


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("flip", 1.0, TypeError), ("flip", "1F", TypeError), ("flip", True, TypeError), ("flip", 34, ValueError),
        ("flip", -2, ValueError), ("flip", 2**63, (TypeError, ValueError)), ("flip", np.array([27, 27]), ValueError),
        ("flip", np.array([[27]] * 3), ValueError), ("flip", np.array([27, 27, 99]), ValueError),
        ("flip", np.array([27, 27, 2**40]), ValueError), ("win", 35, ValueError), ("win", -1, HandError),
        ("win", 8, HandError), ("win", None, TypeError), ("win", np.array([4, 4, 8]), HandError),
        ("melds", 5, ValueError), ("melds", -1, ValueError), ("melds", 1, HandError), ("melds", 0.0, TypeError),
        ("melds", np.zeros((3, 3), np.int16), ValueError), ("melds", np.full((3, 4), 320), ValueError),
        ("melds", np.full((3, 4), 40), HandError), ("melds", np.full((3, 4), 0), HandError),
        ("melds", np.full((3, 4), 64 * 4 + 0), HandError), ("melds", np.full((3, 4), 64 * 2 + 27), HandError),
        ("kong_draw", 1, TypeError), ("kong_draw", True, HandError), ("kong_draw", np.array([True]), ValueError),
        ("earthly", True, RulesError), ("ready", np.array([False, True, False]), RulesError),
        ("source", "self", RulesError), ("flowers", 1, ValueError), ("rules", "riichi", RulesError),
        ("rules", None, RulesError),
    ],
)  # fmt: skip
def test_arguments_that_cannot_be(name: str, value: Any, error: type[Exception]):
    arguments = {"flip": 27, "win": 4, name: value}
    with pytest.raises(error) as fault:
        batch.score(changed(), **arguments)
    assert isinstance(fault.value, (TypeError, TjmjError))


@pytest.mark.parametrize(
    ("melds", "reason"),
    [
        ([27, -1, -1, -1], "cannot be ponged"), ([64 + 27 + 1, -1, -1, -1], "more copies"),
        ([0, 0, -1, -1], "more copies"), ([64 * 3, -1, -1, -1], "more copies"), ([63, -1, -1, -1], "no meld"),
    ],
)
def test_melds_that_cannot_be(melds: list[int], reason: str):
    row = np.array(row_of(tjmj.Hand.parse("[999T]123W45W123B2F2F+2F", "1F")), np.uint8)[None]
    if melds[:2] == [0, 0]:
        row = np.array(row_of(tjmj.Hand.parse("[999T][888T]45W123B2F2F+2F", "1F")), np.uint8)[None]
    with pytest.raises(HandError, match=reason):
        batch.is_win(row, 27, np.array([melds]))


@pytest.mark.parametrize("lowest", ["8W", "9W", "8T", "9B", "1F", "1J"])
def test_a_chow_lies_in_one_suit(lowest: str):
    counts, flip, _, melds = arrays([tjmj.Hand.parse("[123W]123W456T22B333B", rules="jintan")])
    assert batch.is_win(counts, flip, melds, "jintan").all()
    melds[0, 0] = 64 * TYPES["chow"] + tjmj.tiles.NAMES.index(lowest)
    with pytest.raises(HandError, match="no meld"):
        batch.is_win(counts, flip, melds, "jintan")


def test_a_gold_kong_that_the_rules_do_not_have():
    row = np.array(row_of(tjmj.Hand.parse("[999T]123W45W123B33J+3W", "1F")), np.uint8)[None]
    exposed, concealed = (np.array([[64 * type + 28, -1, -1, -1]]) for type in (1, 3))
    assert batch.is_win(row, 27, exposed).shape == (1,)
    for melds, rules in ((exposed, "tianjin-hall"), (concealed, tjmj.rules(gold_kong=0))):
        with pytest.raises(HandError, match="gold kong"):
            batch.is_win(row, 27, melds, rules)


def test_circumstances_that_exclude_each_other():
    street = "tianjin-street"
    for flags in ({"heavenly": True, "earthly": True}, {"heavenly": True, "ready": True}):
        with pytest.raises(HandError, match="heavenly"):
            batch.score(changed(), 27, 4, 0, street, **flags)
    melded = np.array([row_of(tjmj.Hand.parse("[999T]123W46W123B11T+5W", "1F"))], np.uint8)
    for name in ("heavenly", "earthly", "ready"):
        with pytest.raises(HandError, match="without melds"):
            batch.score(melded, 27, 4, 1, street, **{name: True})


def test_jintan_needs_to_know_the_melds_and_refuses_a_held_robbed_tile():
    hand = tjmj.Hand.parse("[222T]123W46W123B11T+5W", rules="jintan")
    counts, flip, win, melds = arrays([hand])
    assert batch.score(counts, flip, win, melds, "jintan", source="rob").fan.shape == (1,)
    with pytest.raises(HandError, match="count melds"):
        batch.score(counts, flip, win, 1, "jintan")
    with pytest.raises(HandError, match="robbed"):
        batch.score(counts, flip, np.array([9]), melds, "jintan", source="rob")
    with pytest.raises(HandError, match="without a kong"):
        batch.score(counts, flip, win, melds, "jintan", source="kong")
    two = np.array(["self", "rob"])
    for source, error in (("chow", RulesError), ("self\0", RulesError), (3, ValueError), (two, ValueError)):
        with pytest.raises(error):
            batch.score(counts, flip, win, melds, "jintan", source=source)
    with pytest.raises(ValueError, match="flowers"):
        batch.score(counts, flip, win, melds, "jintan", flowers=9)


@pytest.mark.parametrize("rules", ["tianjin", "jintan"])
@pytest.mark.parametrize("given", [[[True], [True, False]], 1, "", None, [1.5]])
def test_what_is_no_truth_value(rules, given):
    hand = tjmj.Hand.parse("[222T]123W46W123B11T+5W", rules="jintan")
    counts, _, win, melds = arrays([hand])
    with pytest.raises(TypeError, match="kong_draw"):
        batch.score(counts, -1 if rules == "jintan" else 0, win, melds, rules, kong_draw=given)


def test_tiles_of_a_chow_are_on_the_table():
    """They are not left to draw, cannot be held a fifth time, and are not robbed."""
    counts, flip, win, melds = arrays([tjmj.Hand.parse("[123W]12W789W22T333B+3W", rules="jintan")])
    waiting = counts.copy()
    waiting[0, 2] -= 1
    left = batch.waits_left(waiting, flip, melds, "jintan")[0]
    assert list(np.flatnonzero(left)) == [2] and left[2] == 3
    with pytest.raises(HandError, match="robbed"):
        batch.score(counts, flip, win, melds, "jintan", source="rob")
    counts[0, [0, 8, 10]] = 4, 0, 0
    with pytest.raises(HandError, match="more copies of 1W"):
        batch.is_win(counts, flip, melds, "jintan")


def test_arrays_that_another_thread_writes_to_do_no_harm():
    counts = np.array([ROW] * 20_000, np.uint8)
    flip, win, melds = (np.full(20_000, kind, np.int32) for kind in (27, 4, 0))
    stop = threading.Event()

    def scribble() -> None:
        random = np.random.default_rng(0)
        while not stop.is_set():
            counts[random.integers(0, len(counts), 50), random.integers(0, 34, 50)] ^= 255
            for column in (flip, win, melds):
                column[random.integers(0, len(column), 5)] = random.integers(-(2**31), 2**31, 5)
                column[random.integers(0, len(column), 50)] = random.integers(0, 5, 50)
            flip[:], win[:], melds[:], counts[:] = 27, 4, 0, ROW

    thread = threading.Thread(target=scribble)
    thread.start()
    try:
        for _ in range(60):
            try:
                assert batch.score(counts, flip, win, melds, threads=2).fan.shape == (20_000,)
                assert batch.is_win(counts, flip, melds).shape == (20_000,)
            except ValueError as fault:
                assert "row" in str(fault)
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize(
    ("flip", "told"),
    [
        ([[27], [27, 3]], "flip must have rows of one length"),
        (np.full(2, "NaT", "m8[s]"), "flip must be whole numbers, not timedelta64"),
        (np.ma.masked_equal([27, 3], 3), "flip has masked places"),
    ],
)
def test_what_only_looks_like_numbers(flip, told):
    with pytest.raises(TypeError, match=told):
        batch.is_win(np.zeros((2, 34), np.uint8), flip)


def test_one_number_is_of_no_row():
    rows = np.zeros((2, 34), np.uint8)
    with pytest.raises(TjmjError, match=r"^flip 34 is not from -1 to 33$"):
        batch.is_win(rows, 34)
    with pytest.raises(TjmjError, match=r"^flip 27 is not -1, which alone is allowed here$"):
        batch.is_win(rows, 27, rules="jintan")
    with pytest.raises(TjmjError, match=r"^flip 34 of row 1 is not from -1 to 33$"):
        batch.is_win(rows, np.array([3, 34]))


def test_numbers_and_words_without_end_are_cut():
    for call in (lambda: tjmj.rules("tianjin", min_fan=10**9000), lambda: tjmj.rules("x" * 9000)):
        with pytest.raises(RulesError) as fault:
            call()
        assert len(str(fault.value)) < 300


@pytest.mark.parametrize(
    ("call", "error", "told"),
    [
        (lambda row: batch.is_win(row, -1, np.zeros((1, 4))), TypeError, "melds must be whole numbers, not float64"),
        (lambda row: batch.score(row, -1, 0, rules="jintan", heavenly=True), RulesError, "heavenly is not asked where"),
    ],
)
def test_what_is_not_asked_so_is_refused(call, error, told):
    with pytest.raises(error, match=told):
        call(np.zeros((1, 34), np.uint8))
