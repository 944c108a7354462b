"""One hand a call, from Python.

What they are to reach:

=======================================  ==========
score of a ready Hand, reading not made  300 ns
score of a text                          1.5 µs
waits of a ready Hand                    500 ns
=======================================  ==========

All hands are complete, or ready where they wait, with 0 to 7 wildcards. Nothing fails for being slow.
"""

from __future__ import annotations

from itertools import starmap

import numpy as np
import pytest
import reference

import tjmj
from tjmj import Hand, batch
from tjmj.elements import keys_of
from tjmj.tiles import NAMES

CALLS = 1000


@pytest.fixture(scope="module")
def dealt(complete_deals):
    return complete_deals.some(CALLS)


@pytest.fixture(scope="module")
def texts(dealt):
    return list(dealt.texts())


@pytest.fixture(scope="module")
def hands(texts):
    return [Hand.parse(text, flip) for text, flip in texts]


@pytest.fixture(scope="module")
def waiting(dealt):
    return [Hand.parse(text, flip) for text, flip in dealt.waiting_texts()]


def each(function, values):
    return list(map(function, values))


def each_of(function, arguments):
    return list(starmap(function, arguments))


def assert_scores(scores, dealt):
    fan, elements, legal = batch.score(dealt.counts, dealt.flip, dealt.win)[:3]
    assert [score.fan for score in scores] == fan.tolist()
    assert [score.elements for score in scores] == [keys_of(mask) for mask in elements.tolist()]
    assert [score.legal for score in scores] == legal.tolist()


@pytest.mark.benchmark(group="call")
def test_score_of_hand(timed, hands, dealt):
    assert_scores(timed("score(hand)", CALLS, each, tjmj.score, hands, likes=("score",)), dealt)


@pytest.mark.benchmark(group="call")
def test_score_of_text(timed, texts, dealt):
    assert_scores(timed("score(text, flip)", CALLS, each_of, tjmj.score, texts, likes=("score",)), dealt)


@pytest.mark.benchmark(group="call")
def test_reading(timed, hands, texts):
    def read(hand):
        return tjmj.score(hand).reading

    readings = timed("score(hand).reading", CALLS, each, read, hands)
    for hand, text, reading in zip(hands, texts, readings, strict=True):
        shown = [
            {
                "group": group.type,
                "face": group.face,
                "tiles": [NAMES[tile] for tile in group.tiles],
                "win": group.win,
                "meld": group.meld,
            }
            for group in reading
        ]
        judged = reference.judge(shown, *text)
        score = tjmj.score(hand)
        assert (judged.fan, tuple(judged.elements)) == (score.fan, score.elements), text


@pytest.mark.benchmark(group="call")
def test_parse(timed, texts, dealt):
    hands = timed("Hand.parse(text, flip)", CALLS, each_of, Hand.parse, texts)
    assert [hand.counts[:34] for hand in hands] == [row.tobytes() for row in dealt.counts]
    assert [hand.flip for hand in hands] == dealt.flip.tolist()
    assert [hand.win for hand in hands] == dealt.win.tolist()


@pytest.mark.benchmark(group="call")
def test_waits(timed, waiting, dealt):
    answers = timed("waits(hand)", CALLS, each, tjmj.waits, waiting, likes=("waits",))
    rows = batch.waits(dealt.before, dealt.flip)
    assert [list(waits.kinds) for waits in answers] == [np.flatnonzero(row).tolist() for row in rows]


@pytest.mark.benchmark(group="call")
def test_fan_of_every_wait(timed, waiting, dealt):
    def fans(hand):
        return {tile: wait.fan for tile, wait in tjmj.waits(hand).items()}

    answers = timed("waits(hand), each with its fan", CALLS, each, fans, waiting)
    before = dealt.before
    for answer, counts, flip, hand in zip(answers, before, dealt.flip, waiting, strict=True):
        kinds = [kind for kind in map(tjmj.parse_tile, answer) if hand.left(kind) > 0]
        drawn = counts + np.eye(34, dtype=np.uint8)[kinds]
        fan = batch.score(drawn, int(flip), np.array(kinds)).fan if kinds else np.zeros(0)
        assert [answer[NAMES[kind]] for kind in kinds] == fan.tolist()
