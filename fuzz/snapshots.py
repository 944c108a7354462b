"""Snapshots.

Law: refused with `RecordError`, or the one snapshot of a round: that is restored to an equal one, and played on to its
end by both it is the same hand, whose record verifies and which the referee accepts too.
"""

from __future__ import annotations

import json
import random
import zlib

from rounds import any_answer, seen
from test_round_referee import check_record

from tjmj import RecordError
from tjmj.round import Round

from . import damage

mutate = damage.mutate


def check(data: bytes) -> None:
    try:
        made = Round.restore(data)
    except RecordError as fault:
        assert 0 < len(str(fault)) < 2000
        return
    told = made.snapshot()
    assert json.dumps(told, sort_keys=True) == json.dumps(json.loads(data), sort_keys=True)
    again = Round.restore(told)
    assert seen(again) == seen(made)
    rng = random.Random(zlib.crc32(data))
    if rng.random() < 0.3:
        play_both(rng, made, again)


def play_both(rng: random.Random, made: Round, again: Round) -> None:
    while not made.over:
        turn, (seat, answer) = made.turn, any_answer(rng, made)
        for each in (made, again):
            each.play(seat, answer, turn=turn)
        assert (made.window, made.turn, made.pending, made.given) == (
            again.window, again.turn, again.pending, again.given,
        )  # fmt: skip
    assert made.record() == again.record() and made.play_of.state_bytes == again.play_of.state_bytes
    check_record(made)
