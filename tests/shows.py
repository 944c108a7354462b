"""Records of hands that are dealt as is asked for, and what `tjmj record show` tells of them."""

from __future__ import annotations

import json
from typing import Any

from commands import Answer
from referee import Referee
from walls import deal

from tjmj import Stakes
from tjmj.cli.story import Story, story_of
from tjmj.record import parse
from tjmj.round import replayed

KILL = "46W789T789B555B99T"
"""Waits for 五万."""


def header(*hands: str, names: list[str] | None = None, moves: str = "", **options: Any) -> dict[str, Any]:
    """A record of a hand dealt as is asked for (see `walls.deal`), without a result."""
    made = deal(*hands, **options)
    named = {"names": names} if names else {}
    stakes = {"stakes": made.plain_stakes} if made.rules.stakes else {}
    flip = {"flip": [made.throw // 2, made.throw - made.throw // 2]} if made.throw else {}
    dice = {"open": [3, 4], **flip}
    return {"format": "tjmj-record/1", "rules": made.plain_rules, **named, "dealer": made.dealer, **stakes,
            "dice": dice, "wall": made.wall, "moves": moves}  # fmt: skip


def finished(fields: dict[str, Any]) -> bytes:
    """The record with the result that its moves lead to."""
    played_out = Referee.from_record(fields)
    for move in fields["moves"].split():
        played_out.apply(move)
    return json.dumps(fields | {"result": played_out.result()}).encode()


def told(fields: dict[str, Any], seat: int | None = None) -> Story:
    """The story of a record as a seat saw it; None tells all of it."""
    return story_of(replayed(parse(json.dumps(fields))).round, seat)


def rows(answer: Answer) -> list[str]:
    """The lines of the moves' table."""
    lines = answer.drawn
    start = next((place for place, line in enumerate(lines) if line.startswith("  move  seat")), None)
    return [] if start is None else lines[start + 1 : lines.index("", start)]


SHORT = header(
    "1F159W15T13B4F12J24T3F", KILL, "2358W368T247B23J8B", "333F147W258B1346T", front="2W5W", back="5W",
    names=["甲", "乙", "Cat", "丁"], staked=Stakes(True, (0, 1, 0, 2)), cap=None,
    moves="0d3F 3o3F 3d5W 0d1F 1h",
)  # fmt: skip
