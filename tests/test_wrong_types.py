"""What is no hand, no record and no round is refused in words, wherever one is wanted."""

from __future__ import annotations

import pytest

import tjmj
from tjmj import draw, env, record, viewer

CALLS = {
    tjmj.score: "a hand is a str or a Hand, not {}",
    tjmj.waits: "a hand is a str or a Hand, not {}",
    record.parse: "bytes or str is wanted, not {}",
    record.dumps: "Record is wanted, not {}",
    record.verify: "Record is wanted, not {}",
    record.play_of: "Record is wanted, not {}",
    draw.hand: "Hand is wanted, not {}",
    draw.score: "Score is wanted, not {}",
    draw.waits: "Waits is wanted, not {}",
    draw.view: "View is wanted, not {}",
    lambda value: env.observe(value, 0): "Round is wanted, not {}",
    lambda value: viewer.page([value]): "Record is wanted, not {}",
}


@pytest.mark.parametrize("value", [None, 5, 1.5, [], {}, object()], ids=lambda value: type(value).__name__)
def test_no_such_thing(value):
    for call, told in CALLS.items():
        with pytest.raises(TypeError) as fault:
            call(value)
        assert str(fault.value) == told.format(type(value).__name__)
