"""A line of a file told: the hand as far as it is right, and its first fault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import NamedTuple

import msgspec

from .errors import TjmjError
from .events import Event
from .json_lines import decode
from .record import Record, Verdict, header_of, verify_file
from .round import Round, replayed

MOVES = ("discard", "chow", "pong", "kong", "rob", "declare", "win")
"""Events that tell of a move of the record."""


class Telling(NamedTuple):
    """What a line of a file tells.

    Attributes
    ----------
    record : Record or None
        Its header; None where that is wrong.
    round : Round or None
        The hand before the move that is wrong, or all of it.
    verdict : Verdict
        Whether the line is right.
    """

    record: Record | None
    round: Round | None
    verdict: Verdict


def told(number: int, line: bytes) -> Telling:
    """Verify a line of a file and play its hand, up to the first move that is wrong."""
    verdict = msgspec.structs.replace(next(verify_file(BytesIO(line))), line=number)
    try:
        record, _ = header_of(decode(line))
    except TjmjError:
        return Telling(None, None, verdict)
    return Telling(record, _played(record, verdict.move), verdict)


def _played(record: Record, wrong: int | None) -> Round:
    """The hand before the move that is wrong, on the wall that is written: a seed may give another one."""
    if wrong is not None:
        moves = [move for move in (record.moves or "").split(" ") if move]
        record = msgspec.structs.replace(record, moves=" ".join(moves[: wrong - 1]))
    return replayed(msgspec.structs.replace(record, seed=None)).round


def move_numbers(events: Iterable[Event]) -> Iterator[int | None]:
    """For each event of a hand the number of the record's move that it tells of, from 1; None for the others."""
    number, announced = 0, False
    for event in events:
        name = event["event"]
        if name not in MOVES:
            yield None
        elif announced and name == "kong":  # a move when it was announced, now that it is made
            announced = False
            yield None
        else:
            number, announced = number + 1, name == "rob"
            yield number
