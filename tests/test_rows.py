"""Rows are read one by one or in blocks: both ways, and on any number of threads, the same is said."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest

import tjmj
from tjmj import HandError, TjmjError, batch
from tjmj._rows import read_by_blocks
from tjmj.tiles import COPIES, KINDS, wild_kinds

ROWS = 700
RULES = {
    "tianjin": tjmj.rules("tianjin"),
    "three kinds and the flowers": tjmj.rules("tianjin", wild_kinds=3, flower_wilds=True),
    "素本": tjmj.rules("tianjin-street"),
}


@pytest.fixture(scope="module", params=RULES)
def rules(request) -> Any:
    return RULES[request.param]


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    read_by_blocks(True)


def deal(rules: Any) -> dict[str, Any]:
    """The same hands each time, as arrays of their own."""
    return {name: value if name == "rules" else value.copy() for name, value in dealt(rules).items()}


@cache
def dealt(rules: Any) -> dict[str, Any]:
    """Hands of all sizes: drawn at random, and made of sets and a pair with wildcards thrown in."""
    random = np.random.default_rng(1)
    width = 42 if rules.flower_wilds else 34
    counts = np.zeros((ROWS, width), np.uint8)
    flip = random.integers(-1 if rules.wild_by == "none" else 0, 34, ROWS, dtype=np.int32)
    melds = random.integers(0, 5, ROWS, dtype=np.int32)
    win = np.zeros(ROWS, np.int32)
    for row, sets, flipped, kind in zip(counts, 4 - melds, flip, range(ROWS), strict=True):
        copies = np.array([COPIES] * KINDS + [1] * (width - KINDS))
        copies[flipped] -= flipped >= 0
        wild = list(wild_kinds(flipped if flipped >= 0 else None, rules.wild_kinds, rules.flower_wilds))
        if kind % 3:
            tiles = made_of_sets(random, sets, wild)
            row[:] = np.minimum(np.bincount(tiles, minlength=width), copies)
        for _ in range(3 * int(sets) + 2 - int(row.sum())):
            row[random.choice(np.flatnonzero(row < copies))] += 1
        win[kind % ROWS] = random.choice(np.flatnonzero(row))
    return {"counts": counts, "flip": flip, "melds": melds, "win": win, "rules": rules}


def made_of_sets(random: Any, sets: int, wild: list[int]) -> Any:
    tiles = [int(random.integers(34))] * 2
    for _ in range(int(sets)):
        lowest = int(random.integers(27))
        tiles += [lowest, lowest + 1, lowest + 2] if lowest % 9 < 7 and random.random() < 0.7 else [lowest] * 3
    places = random.permutation(len(tiles))[: random.integers(0, 4)] if wild else []
    for place in places:
        tiles[place] = int(random.choice(wild))
    return np.array(tiles)


def waiting(hands: dict[str, Any]) -> dict[str, Any]:
    counts = hands["counts"].copy()
    counts[np.arange(ROWS), hands["win"]] -= 1
    return {"counts": counts, **{name: hands[name] for name in ("flip", "melds", "rules")}}


def everything(hands: dict[str, Any], **how: Any) -> list[bytes]:
    complete = {name: hands[name] for name in ("counts", "flip", "melds", "rules")}
    scores = batch.score(**hands, **how)
    before = waiting(hands)
    waits = batch.waits(**before, **how), batch.waits_left(**before, **how)
    answers = [batch.is_win(**complete, **how), *waits, *scores]
    return [answer.tobytes() for answer in answers if answer is not None]


def test_both_ways_say_the_same(rules: Any):
    hands = deal(rules)
    assert read_by_blocks(True) == has_avx2()
    at_once = everything(hands)
    read_by_blocks(False)
    assert everything(hands) == at_once
    wins = batch.is_win(hands["counts"], hands["flip"], hands["melds"], rules)
    assert ROWS // 6 < wins.sum() < ROWS


def has_avx2() -> bool:
    """What the system says of its processor; where it says nothing, what the package found out."""
    try:
        with open("/proc/cpuinfo") as file:
            return "avx2" in file.read()
    except OSError:
        return read_by_blocks(True)


@pytest.mark.parametrize("threads", [2, 3, 64, 1024])
def test_threads_change_no_answer(rules: Any, threads: int):
    hands = deal(rules)
    hands = {name: value if name == "rules" else np.concatenate([value] * 20) for name, value in hands.items()}
    score = batch.score(**hands)
    for column, other in zip(score, batch.score(**hands, threads=threads), strict=True):
        assert (column is other is None) or (column == other).all()


def spoil(hands: dict[str, Any], row: int, how: str) -> None:
    counts = hands["counts"][row]
    some = np.flatnonzero(counts)[0]
    if how == "one too many":
        counts[some] += 1
    elif how == "copies":
        counts[:] = 0
        counts[4], counts[5] = 5, 3 * (4 - hands["melds"][row]) + 2 - 5
        hands["win"][row] = 4
    elif how == "flipped":
        hands["flip"][row] = some
        counts[some] = 4
    elif how == "many":
        counts[some] = 255
    else:
        hands[how][row] = 99


@pytest.mark.parametrize("how", ["one too many", "copies", "flipped", "many", "flip", "melds", "win"])
@pytest.mark.parametrize("threads", [1, 2])
def test_both_ways_name_the_first_fault(rules: Any, how: str, threads: int):
    if how == "flipped" and rules.wild_by == "none":
        return
    said = set()
    for blocks in (True, False):
        read_by_blocks(blocks)
        hands = deal(rules)
        for row in (650, 577):
            spoil(hands, row, how)
        with pytest.raises((ValueError, HandError), match="row 577") as fault:
            batch.score(**hands, threads=threads)
        said.add(str(fault.value))
    assert len(said) == 1


@pytest.mark.parametrize(
    ("threads", "error"), [(0, TjmjError), (-1, TjmjError), (1025, TjmjError), (1.0, TypeError), (True, TypeError)]
)
def test_threads_that_cannot_be(threads: Any, error: type[Exception]):
    with pytest.raises(error, match="threads"):
        batch.is_win(np.zeros((0, 34), np.uint8), -1, threads=threads)


def test_a_batch_from_many_threads_at_once():
    hands = deal(RULES["tianjin"])
    alone = everything(hands)
    with ThreadPoolExecutor(8) as pool:
        for answers in pool.map(lambda _: everything(hands, threads=2), range(24)):
            assert answers == alone
