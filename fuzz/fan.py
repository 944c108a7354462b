"""Scores and waits, with their readings, beside slow scorers that try every reading (tests/reference*.py)."""

from __future__ import annotations

import plain
import reference
from jintan_hands import any_case, any_waiting
from test_against_reference import test_scores, test_waits
from test_jintan_score import compare
from test_jintan_waits import compare_waits

from .choices import Choices

LAWS = (
    test_scores.hypothesis.fuzz_one_input,
    test_waits.hypothesis.fuzz_one_input,
    lambda data: compare(any_case(Choices(data))),
    lambda data: compare_waits(any_waiting(Choices(data))),
)
REMEMBERED = [each for each in (*vars(reference).values(), plain.complete) if hasattr(each, "cache_clear")]
_since_forgotten = 0


def check(data: bytes) -> None:
    """Beside the reference; what that remembers is forgotten now and then, or it would fill the memory."""
    global _since_forgotten
    LAWS[data[0] % len(LAWS) if data else 0](data[1:])
    _since_forgotten += 1
    if _since_forgotten == 5000:
        _since_forgotten = 0
        for each in REMEMBERED:
            each.cache_clear()
