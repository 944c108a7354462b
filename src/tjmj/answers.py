"""Scores and waits as plain JSON values, the same wherever they are written (spec: cli)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._reading import Group
from ._score import Score
from ._waits import Wait, Waits
from .tiles import NAMES


def tile_names(kinds: Iterable[int]) -> list[str]:
    """Names of tiles, such as `"5W"`."""
    return [NAMES[kind] for kind in kinds]


def score_answer(score: Score) -> dict[str, Any]:
    """A score in its JSON form."""
    reading = score.reading
    answer = {
        "win": score.win,
        "legal": score.legal,
        "fan": score.fan,
        "elements": list(score.elements),
        "name": score.name,
        "reading": None if reading is None else [_group_answer(group) for group in reading],
    }
    if score.source is not None:
        answer |= {"flowers": score.flowers, "points": score.points}
    return answer


def _group_answer(group: Group) -> dict[str, Any]:
    return {
        "group": group.type,
        "face": group.face,
        "tiles": tile_names(group.tiles),
        "win": group.win,
        "meld": group.meld,
    }


def waits_answer(waits: Waits) -> dict[str, Any]:
    """The waits of a hand in their JSON form."""
    return {"waits": {tile: _wait_answer(wait) for tile, wait in waits.items()}}


def _wait_answer(wait: Wait) -> dict[str, Any]:
    taken = wait.discard_score
    if taken is not None:
        return {
            "left": wait.left,
            "shape": wait.shape,
            "self": _counted(wait.score),
            "discard": {"legal": taken.legal, **_counted(taken)},
        }
    return {
        "legal": wait.legal,
        "fan": wait.fan,
        "elements": list(wait.elements),
        "left": wait.left,
        "shape": wait.shape,
    }


def _counted(score: Score) -> dict[str, Any]:
    return {
        "fan": score.fan,
        "flowers": score.flowers,
        "points": score.points,
        "elements": list(score.elements),
    }
