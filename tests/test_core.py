"""The kernel: sets of kinds, complete hands and waits with wildcards; it knows no ruleset."""

from __future__ import annotations

import importlib.util
import itertools
import operator
import pathlib
import pickle
import re
from collections import Counter
from collections.abc import Set
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import complete

import tjmj
from tjmj import TileSet
from tjmj._core import is_complete, waits

ROOT = pathlib.Path(__file__).resolve().parent.parent
SETS = st.sets(st.integers(0, 41))


# TileSet


@given(SETS, SETS)
def test_a_tile_set_is_a_set(a, b):
    left, right = TileSet(a), TileSet(b)
    for name in ("and_", "or_", "xor", "sub"):
        made = getattr(operator, name)(left, right)
        assert set(made) == getattr(operator, name)(a, b) and type(made) is TileSet
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        assert getattr(operator, name)(left, right) == getattr(operator, name)(a, b)
    assert left.isdisjoint(right) == a.isdisjoint(b)
    assert set(~left) == set(range(42)) - a
    assert list(left) == sorted(a)
    assert (len(left), bool(left)) == (len(a), bool(a))
    assert [kind for kind in range(-2, 44) if kind in left] == sorted(a)
    assert (hash(left) == hash(right)) or a != b
    assert (left == right) == (left.bits == right.bits)


@given(SETS)
def test_a_tile_set_is_made_again_from_what_it_shows(kinds):
    made = TileSet(kinds)
    assert made.bits == sum(1 << kind for kind in kinds)
    assert TileSet(sorted(kinds, reverse=True)) == TileSet([*kinds, *kinds]) == TileSet(made) == made
    assert TileSet.from_bits(made.bits) == made
    assert pickle.loads(pickle.dumps(made)) == eval(repr(made), {"tjmj": tjmj}) == made
    assert hash(pickle.loads(pickle.dumps(made))) == hash(made)
    assert str(made) == " ".join(tjmj.write_tiles([kind]) for kind in sorted(kinds))


def test_a_tile_set_is_one_of_pythons_sets():
    assert isinstance(TileSet(), Set)
    assert TileSet() != set() and TileSet() != 0
    assert "1W" not in TileSet([0]) and None not in TileSet([0]) and 2**70 not in TileSet([0])
    with pytest.raises(TypeError):
        TileSet([1]) < {1, 2}  # noqa: B015
    for other in ({1}, 1, None):
        for name in ("and_", "or_", "xor", "sub"):
            with pytest.raises(TypeError):
                getattr(operator, name)(TileSet([1]), other)


def test_a_tile_set_does_not_change():
    made = TileSet([3, 5])
    for attribute in ("bits", "new"):
        with pytest.raises(AttributeError):
            setattr(made, attribute, 0)
    made.__init__([7])
    before, made_or = made, made
    made_or |= TileSet([9])
    assert list(before) == [3, 5] and list(made_or) == [3, 5, 9]


@pytest.mark.parametrize("kind", [-1, 42, 64, 255, 10**6, 2**31, 2**32, 2**64, -(2**63)])
def test_only_kinds_are_in_a_tile_set(kind):
    with pytest.raises(ValueError):
        TileSet([0, kind])


@pytest.mark.parametrize("bits", [-1, 1 << 42, 1 << 63, 1 << 64, 1 << 200])
def test_only_bits_of_kinds_make_a_tile_set(bits):
    with pytest.raises(ValueError):
        TileSet.from_bits(bits)
    assert len(TileSet.from_bits((1 << 42) - 1)) == 42


@pytest.mark.parametrize("wrong", [5, None, ["1W"], [None], [0.0], [1.5]])
def test_a_tile_set_takes_whole_numbers_only(wrong):
    with pytest.raises(TypeError):
        TileSet(wrong)


def test_bits_are_a_whole_number():
    for wrong in (1.0, "1", None):
        with pytest.raises(TypeError):
            TileSet.from_bits(wrong)


# Complete hands and waits, beside a brute force


def counts_of(tiles: Any) -> list[int]:
    count = Counter(tiles)
    return [count[kind] for kind in range(34)]


def brute_waits(tiles: tuple[int, ...], wildcards: int) -> list[int]:
    sets = (len(tiles) + wildcards) // 3
    return [kind for kind in range(34) if complete(tuple(sorted((*tiles, kind))), wildcards, sets, 1)]


def multisets(kinds: list[int], size: int) -> list[tuple[int, ...]]:
    found = itertools.combinations_with_replacement(kinds, size)
    return [tiles for tiles in found if max(Counter(tiles).values(), default=0) <= 4]


PLACES = {
    "one suit": list(range(9, 18)),
    "the end of a suit and honours": [7, 8, 9, 27, 30, 31, 33],
    "two suits": [0, 1, 2, 3, 23, 24, 25, 26],
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("size", [2, 5])
def test_every_small_hand_is_complete_or_not(place, size):
    """All hands of 2 or 5 tiles there, with any number of them wildcards."""
    for naturals in range(size + 1):
        for tiles in multisets(PLACES[place], naturals):
            wildcards = size - naturals
            assert is_complete(counts_of(tiles), wildcards) == complete(tiles, wildcards, size // 3, 1), tiles


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("size", [1, 4])
def test_every_small_hand_waits_for_what_completes_it(place, size):
    for naturals in range(size + 1):
        for tiles in multisets(PLACES[place], naturals):
            wildcards = size - naturals
            assert list(waits(counts_of(tiles), wildcards)) == brute_waits(tiles, wildcards), tiles


@pytest.mark.slow
def test_every_hand_of_eight_tiles_of_a_suit():
    for naturals in range(9):
        for tiles in multisets(PLACES["one suit"], naturals):
            assert is_complete(counts_of(tiles), 8 - naturals) == complete(tiles, 8 - naturals, 2, 1), tiles


@st.composite
def random_tiles(draw: st.DrawFn, most: int) -> tuple[tuple[int, ...], int]:
    """Naturals, many of a few kinds, and wildcards: as many as sets and a pair, less 14 - `most`."""
    total = most - 3 * draw(st.integers(0, 4))
    wildcards = min(draw(st.sampled_from((0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 9, 11, 13, 15))), total)
    first = draw(st.sampled_from((0, 4, 9, 18, 24)))
    starts = st.one_of(st.integers(first, first + 7), st.integers(0, 31))
    groups = st.sampled_from(((0, 1, 2), (0, 1, 2), (0, 0, 0), (0, 0), (0,)))
    first_tiles = draw(st.lists(starts, min_size=5, max_size=5))
    drawn = [start + step for start in first_tiles for step in draw(groups)]
    drawn += range(34)  # enough of them, whatever was drawn
    tiles = [kind for place, kind in enumerate(drawn) if drawn[:place].count(kind) < 4]
    return tuple(sorted(tiles[: total - wildcards])), wildcards


@given(random_tiles(14))
def test_complete_hands(hand):
    tiles, wildcards = hand
    sets = (len(tiles) + wildcards) // 3
    assert is_complete(counts_of(tiles), wildcards) == complete(tiles, wildcards, sets, 1)


@given(random_tiles(13))
def test_waits(hand):
    tiles, wildcards = hand
    found = waits(counts_of(tiles), wildcards)
    assert type(found) is TileSet
    assert list(found) == brute_waits(tiles, wildcards)
    # A wildcard completes it exactly when something does.
    assert bool(found) == is_complete(counts_of(tiles), wildcards + 1)


@given(random_tiles(13), st.integers(0, 33))
def test_waits_are_what_completes(hand, kind):
    tiles, wildcards = hand
    count = counts_of((*tiles, kind))
    if count[kind] <= 4:
        assert (kind in waits(counts_of(tiles), wildcards)) == is_complete(count, wildcards)


@pytest.mark.parametrize("total", [2, 5, 8, 11, 14])
def test_wildcards_alone_are_complete(total):
    assert is_complete([0] * 34, total)
    assert list(waits([0] * 34, total - 1)) == list(range(34))


@pytest.mark.parametrize(
    ("text", "wildcards", "found"),
    [
        ("1112345678999W", 0, "123456789W"),  # nine gates
        ("3344455566667W", 0, "234578W"),
        ("1111W", 0, "1W"),  # formally, the fifth copy
        ("123456789W3333J", 0, "3J"),
        ("1122W", 0, "12W"),
        ("222W", 1, "123456789W123456789T123456789B1234F123J"),
        ("22W", 2, "123456789W123456789T123456789B1234F123J"),
        ("19W19T19B1234F123J", 0, ""),  # nothing else wins: no 十三幺
        ("1133W5577T2244B1J", 0, ""),  # and no 七对
        ("89W11T", 0, "7W"),
        ("12W11T", 0, "3W"),
        ("8W1T", 2, "6789W123T"),
    ],
)
def test_known_waits(text, wildcards, found):
    tiles = tjmj.parse_tiles(text)
    wanted = set(tjmj.parse_tiles(found))
    got = set(waits(counts_of(tiles), wildcards))
    assert got == set(brute_waits(tiles, wildcards))
    assert got == wanted


@pytest.mark.parametrize("call", [is_complete, waits])
@pytest.mark.parametrize(
    ("naturals", "wildcards"),
    [
        ([0] * 33, 2), ([0] * 35, 2), ([], 2), ([0] * 42, 2),
        ([5] + [0] * 33, 0), ([-1] + [0] * 33, 3), ([256] + [0] * 33, 0), ([2**40] + [0] * 33, 0),
        ([0] * 34, 0), ([0] * 34, -1), ([1] + [0] * 33, -1), ([2] + [0] * 33, -1),
        ([0] * 34, 15), ([0] * 34, 16),
        ([0] * 34, 3), ([1, 1, 1] + [0] * 31, 0), ([3] + [0] * 33, 0), ([4] * 4 + [0] * 30, 0),
        ([1] * 15 + [0] * 19, 2), ([1] * 34, 0), ([4] * 34, 0),
        ([4] + [0] * 33, 2**31 - 1), ([0] * 34, 2**31), ([0] * 34, 2**64), ([0] * 34, -(2**31)),
    ],
)  # fmt: skip
def test_counts_that_are_no_hand_are_refused(call, naturals, wildcards):
    with pytest.raises(ValueError):
        call(naturals, wildcards)


def test_a_hand_to_complete_and_a_hand_that_waits_differ_by_one_tile():
    pair = [2] + [0] * 33
    assert is_complete(pair)
    with pytest.raises(ValueError):
        waits(pair)
    with pytest.raises(ValueError):
        is_complete([1] + [0] * 33)


@pytest.mark.parametrize("call", [is_complete, waits])
@pytest.mark.parametrize(
    ("naturals", "wildcards"),
    [
        (None, 2), (5, 2), ([None] * 34, 2), (["0"] * 34, 2), ([2.0] + [0] * 33, 0), ([1.5] + [0] * 33, 0),
        ([0] * 34, 2.5), ([0] * 34, "2"), ([0] * 34, None),
    ],
)  # fmt: skip
def test_what_are_no_counts_is_refused(call, naturals, wildcards):
    with pytest.raises(TypeError):
        call(naturals, wildcards)


class Longer(list):
    """Says that it holds 34 counts, and gives more."""

    def __iter__(self):
        return iter([0] * 100)


def test_a_sequence_that_lies_about_its_length_is_refused():
    with pytest.raises(ValueError):
        is_complete(Longer([0] * 34), 2)


def test_counts_are_left_as_they_are():
    counts = counts_of(tjmj.parse_tiles("123W34789T45699B"))
    kept = list(counts)
    assert list(waits(counts)) == list(tjmj.parse_tiles("25T"))
    assert counts == kept
    assert is_complete(bytes(counts_of(tjmj.parse_tiles("123W234789T45699B"))))


# Tables


@pytest.mark.slow
def test_the_shipped_tables_are_what_the_script_makes():
    path = ROOT / "scripts" / "make_suit_tables.py"
    spec = importlib.util.spec_from_file_location("make_suit_tables", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    for name, text in script.headers().items():
        assert (ROOT / "src" / "tjmj" / name).read_text("utf-8") == text, "run scripts/make_suit_tables.py"


def test_tables_are_small():
    """At most 1 MB in memory."""
    size = 0
    for name in ("_suit_tables.h", "_fan_tables.h"):
        shipped = re.sub(r"/\*.*?\*/", "", (ROOT / "src" / "tjmj" / name).read_text("utf-8"))
        for kind, length, numbers in re.findall(r"const ([\w ]+) \w+\[(\d+)\] = {([^}]*)}", shipped):
            assert numbers.count(",") == int(length)
            size += int(length) * (2 if kind == "uint16_t" else 1)
    assert 100_000 < size <= 1 << 20
