"""Jintan hands of play on walls arranged by hand, and what tests ask about them."""

from __future__ import annotations

from typing import Any

import pytest
from rounds import round_of
from walls import Deal, deal, throw_drawn

from tjmj._play import Play
from tjmj.errors import IllegalMove
from tjmj.round import Round
from tjmj.tiles import NAMES

__all__ = [
    "Deal", "at_table", "begun", "exhausted", "held", "laid", "melds", "net", "play", "refused", "table",
    "throw_drawn", "undrawn", "wins", "won",
]  # fmt: skip


def table(*hands: str, **more: Any) -> Deal:
    """A deal as `walls.deal` makes it, of Jintan."""
    return deal(*hands, rules="jintan", **more)


def play(*hands: str, moves: str = "", **more: Any) -> Play:
    """The engine's hand of such a deal after these moves; the referee agrees on what may come next."""
    dealt = table(*hands, **more)
    made, judge = dealt.play(moves), dealt.referee()
    for move in moves.split():
        judge.apply(move)
    assert made.legal() == judge.legal()
    assert made.may_end == judge.may_end()
    if made.may_end:
        assert made.result() == judge.result()
    return made


def at_table(*hands: str, moves: str = "", **more: Any) -> Round:
    """The same as a round, whose windows are answered one by one."""
    return round_of(table(*hands, **more), moves)


def begun(made: Play, moves: str) -> Play:
    """A copy, played on."""
    other = made.copy()
    other.play_all(moves)
    return other


def held(made: Play, seat: int) -> list[str]:
    return [NAMES[kind] for kind in made.held(seat)]


def laid(made: Play, seat: int) -> list[str]:
    """Flowers that a seat has laid out."""
    return [NAMES[kind] for kind in made.flowers(seat)]


def melds(made: Play, seat: int) -> list[tuple[str, str, int]]:
    return [(form, NAMES[kind], source) for form, kind, source in made.melds(seat)]


def undrawn(made: Play) -> list[str]:
    return [NAMES[kind] for kind in made.undrawn]


def wins(made: Play, tile: str) -> list[int]:
    """Seats that may win on a tile that lies on the table."""
    return [int(move[0]) for move in made.legal() if move[1:] == f"w{tile}"]


def won(made: Play) -> dict[int, tuple[str, int, int]]:
    """Elements, flowers and points of each winner, in order."""
    result = made.result()
    assert result["end"] in ("win", "flowers")
    return {
        winner["seat"]: (" ".join(winner["elements"]), winner["flowers"], winner["points"])
        for winner in result["winners"]
    }


def net(made: Play) -> list[int]:
    """What each seat gains or loses; the settlement's lines come to the same."""
    result: dict[str, Any] = made.result()
    sums = [0, 0, 0, 0]
    for line in made.settlement():
        assert line["points"] == line["units"] * line["factor"]
        sums[line["to"]] += line["points"]
        sums[line["from"]] -= line["points"]
    assert sums == result["net"] and sum(sums) == 0
    return sums


def exhausted(made: Play) -> bool:
    """Whether it is 流局, with nothing paid."""
    if not made.may_end:
        return False
    result = made.result()
    if result["end"] != "exhausted":
        return False
    assert (result["winners"], result["net"], made.settlement()) == ([], [0, 0, 0, 0], [])
    return True


def refused(made: Play, move: str, why: str = ".") -> None:
    """The move is illegal and changes no byte; the reason says so."""
    before = made.state_bytes
    assert move not in made.legal()
    with pytest.raises(IllegalMove, match=why):
        made.play(move)
    assert made.state_bytes == before
