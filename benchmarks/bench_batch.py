"""The batch forms on rows of counts.

What they are to reach, for one hand on one core:

=======================  ===============
is_win                   4 × the floor
score, random hands      12 ns
score, complete hands    45 ns
waits, random hands      30 ns
waits, ready hands       60 ns
score, Jintan's hands    200 ns
=======================  ===============

Every answer is held by a checksum, those of a sample are compared with the slow scorer and the scalar
functions. Nothing fails for being slow.
"""

from __future__ import annotations

import zlib

import numpy as np
import pytest
import reference
import reference_jintan
from deals import MANY

import tjmj
from tjmj import batch
from tjmj.elements import keys_of
from tjmj.tiles import NAMES

SAMPLE = 300

DEALS = ["random", "complete"]

CHECKSUMS = {
    "deals": {"random": 0xFA7D45ED, "complete": 0x622231DC},
    "is_win": {"random": 0x4E3573B7, "complete": 0x395A5577},
    "score": {"random": 0x51468795, "complete": 0xF1DAA259, "jintan": 0x2C1EB5DD},
    "waits": {"random": 0x66145CED, "complete": 0xC8ACEEF4},
    "waits_left": {"random": 0x6DA48725, "complete": 0x8769E192},
}


def checksum(*columns):
    """CRC-32 of arrays, the same on every machine."""
    value = 0
    for column in columns:
        value = zlib.crc32(column.astype(column.dtype.newbyteorder("<")).tobytes(), value)
    return value


@pytest.fixture(scope="module", params=DEALS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def dealt(kind, request):
    """The hands, which must be the ones that the other checksums were made of."""
    hands = request.getfixturevalue(f"{kind}_deals")
    assert checksum(*hands) == CHECKSUMS["deals"][kind]
    return hands


@pytest.mark.benchmark(group="batch")
def test_is_win(timed, dealt, kind):
    wins = timed(f"is_win, {kind} hands", MANY, batch.is_win, dealt.counts, dealt.flip, likes=(f"{kind} hand",))
    assert checksum(wins) == CHECKSUMS["is_win"][kind]
    some = dealt.some(SAMPLE)
    expected = [reference.score(text, flip)["win"] for text, flip in some.texts()]
    assert batch.is_win(some.counts, some.flip).tolist() == expected
    assert wins.all() == (kind == "complete")


@pytest.mark.benchmark(group="batch")
def test_score(timed, dealt, kind):
    likes = ("score",) if kind == "complete" else ()
    scores = timed(f"score, {kind} hands", MANY, batch.score, dealt.counts, dealt.flip, dealt.win, likes=likes)
    assert checksum(*scores[:3]) == CHECKSUMS["score"][kind]
    some = dealt.some(SAMPLE)
    answers = batch.score(some.counts, some.flip, some.win)
    for text, fan, elements, legal in zip(some.texts(), *answers[:3], strict=True):
        expected = reference.score(*text)
        assert (fan, legal) == (expected["fan"], expected["legal"]), text
        assert list(keys_of(int(elements))) == expected["elements"], text
        one = tjmj.score(*text)
        assert (fan, legal, keys_of(int(elements))) == (one.fan, one.legal, one.elements), text


@pytest.mark.benchmark(group="batch")
@pytest.mark.parametrize("name", ["waits", "waits_left"])
def test_waits(timed, dealt, kind, name):
    before = dealt.before
    function = getattr(batch, name)
    ready, likes = ("ready", ("waits",)) if kind == "complete" else (kind, ())
    answers = timed(f"{name}, {ready} hands", MANY, function, before, dealt.flip, likes=likes)
    assert checksum(answers) == CHECKSUMS[name][kind]
    some = dealt.some(SAMPLE)
    for text, row in zip(some.waiting_texts(), function(some.before, some.flip), strict=True):
        expected = reference.waits(*text)
        one = tjmj.waits(*text)
        if name == "waits":
            assert [NAMES[tile] for tile in np.flatnonzero(row)] == list(expected) == list(one), text
        else:
            left = {NAMES[tile]: row[tile] for tile in np.flatnonzero(row)}
            assert left == {tile: wait["left"] for tile, wait in expected.items() if wait["left"]}, text
            assert left == {tile: wait.left for tile, wait in one.items() if wait.left}, text


@pytest.mark.benchmark(group="batch")
def test_score_of_jintan(timed, plain_deals):
    flowers = np.arange(MANY, dtype=np.int32) % 9

    def score(dealt, flowers):
        return batch.score(dealt.counts, -1, dealt.win, rules="jintan", source="discard", flowers=flowers)

    scores = timed("score, complete hands of Jintan", MANY, score, plain_deals, flowers, likes=("score",))
    assert checksum(*scores) == CHECKSUMS["score"]["jintan"]
    some, laid_out = plain_deals.some(SAMPLE), flowers[:SAMPLE]
    answers = score(some, laid_out)
    for (text, _), row, number in zip(some.texts(), range(SAMPLE), laid_out.tolist(), strict=True):
        expected = reference_jintan.score(text, "discard", number)
        for name in ("fan", "legal", "flowers", "points"):
            assert getattr(answers, name)[row] == expected[name], text
        assert sorted(keys_of(int(answers.elements[row]))) == expected["elements"], text
