"""A user of the package, for a type checker: what everything is, and what has to be refused.

It runs too, so what the types promise is also there.
"""

from __future__ import annotations

from collections.abc import ItemsView, Mapping, Set
from typing import TYPE_CHECKING, Literal, assert_type

import numpy as np
from numpy.typing import NDArray

import tjmj

Shape = Literal["hundiao", "dandiao", "duidao", "kandan", "liangmian"]

TEXT = "46W123B789B11T9T1F1T+5W"
WAITING = "46W123B789B111T9T1F"

rules = assert_type(tjmj.rules("tianjin", cap=None), tjmj.Rules)

kinds = assert_type(tjmj.parse_tiles("123W東", notation=None), tuple[int, ...])
assert_type(tjmj.parse_tile("5m", "mpsz"), int)
assert_type(tjmj.write_tiles(kinds, notation="mpsz-cn"), str)

tiles = assert_type(tjmj.TileSet(kinds), tjmj.TileSet)
assert_type(tiles & ~tiles | tiles ^ tiles - tiles, tjmj.TileSet)
assert_type(tiles <= tiles, bool)
assert_type(next(iter(tiles)), int)
assert_type(tjmj.TileSet.from_bits(tiles.bits), tjmj.TileSet)
as_set: Set[int] = tiles

hand = assert_type(tjmj.Hand.parse(TEXT, flip="1F", rules=rules), tjmj.Hand)
assert_type(hand.concealed, tuple[int, ...])
assert_type(hand.win, int | None)
assert_type(hand.flip, int | None)
assert_type(hand.melds, tuple[tjmj.Meld, ...])
assert_type(hand.wild, tjmj.TileSet)
assert_type(hand.rules, tjmj.Rules)
assert_type(hand.counts, bytes)
assert_type(hand.left(4) + hand.left("5W"), int)
assert_type(hand.format("mpsz"), str)
assert_type(hand == 1, bool)
meld = assert_type(tjmj.Meld("pong", 0), tjmj.Meld)
assert_type(meld.type, Literal["pong", "exposed", "concealed", "chow"])
assert_type(meld.tiles, tuple[int, ...])
made = tjmj.Hand(range(10), [tjmj.Meld("concealed", 30)], win=None, flip=-1)
assert_type(made.draw("1W"), tjmj.Hand)
assert_type({hand: meld}, dict[tjmj.Hand, tjmj.Meld])

score = assert_type(tjmj.score(TEXT, flip="1F", rules="tianjin", heavenly=True), tjmj.Score)
score = assert_type(tjmj.score(hand, kong_draw=False), tjmj.Score)
assert_type(score.hand, tjmj.Hand)
assert_type((score.win, score.legal), tuple[bool, bool])
assert_type((score.fan, score.kong_value), tuple[int, int])
assert_type(score.elements, tuple[str, ...])
assert_type((score.name, score.formula), tuple[str, str])
assert_type(score.shape, Shape | None)
reading = assert_type(score.reading, tuple[tjmj.Group, ...] | None)
for group in reading or ():
    assert_type(group.type, Literal["sequence", "triplet", "kong", "pair"])
    assert_type((group.faces, group.tiles), tuple[tuple[int, ...], tuple[int, ...]])
    assert_type(group.face, str)
    assert_type(group.wild, tuple[bool, ...])
    assert_type(group.win, int | None)
    assert_type(group.meld, Literal["exposed", "concealed"] | None)

waits = assert_type(tjmj.waits(WAITING, flip="1F"), tjmj.Waits)
waits = assert_type(tjmj.waits(tjmj.Hand.parse(WAITING, "1F")), tjmj.Waits)
wait = assert_type(waits["5W"], tjmj.Wait)
assert_type(waits[4], tjmj.Wait)
assert_type(waits.get("9T"), tjmj.Wait | None)
assert_type(waits.get(tjmj.parse_tile("9T"), 0), tjmj.Wait | int)
assert_type(next(iter(waits)), str)
assert_type(waits.items(), ItemsView[str, tjmj.Wait])
assert_type(waits.kinds, tjmj.TileSet)
assert_type((wait.kind, wait.left, wait.fan), tuple[int, int, int])
assert_type((wait.score, wait.shape, wait.legal), tuple[tjmj.Score, Shape, bool])
as_mapping: Mapping[str, tjmj.Wait] = waits

rows = np.frombuffer(hand.counts[:34], np.uint8).reshape(1, 34)
before = rows - np.eye(34, dtype=np.uint8)[[4]]
assert_type(tjmj.batch.is_win(rows, 27), NDArray[np.bool_])
assert_type(tjmj.batch.waits(before, np.array([27]), melds=0, rules=rules), NDArray[np.bool_])
assert_type(tjmj.batch.waits_left(before, 27), NDArray[np.uint8])
scores = assert_type(tjmj.batch.score(rows, 27, 4, ready=False), tjmj.batch.Scores)
assert_type(scores.fan, NDArray[np.uint16])
assert_type(scores.elements, NDArray[np.uint32])
assert_type(scores.legal, NDArray[np.bool_])
wide: NDArray[np.int64] = rows.astype(np.int64)

# Every one of these is a fault: an ignore that ignores nothing would be one, too.
if TYPE_CHECKING:
    tjmj.score(TEXT.encode(), flip="1F")  # type: ignore[call-overload]
    tjmj.score(hand, flip="1F")  # type: ignore[call-overload]
    tjmj.score(TEXT, "1F", "tianjin", True)  # type: ignore[call-overload]
    tjmj.waits(hand, rules=rules)  # type: ignore[call-overload]
    tjmj.parse_tiles("1m", notation="tenhou")  # type: ignore[arg-type]
    tjmj.Meld("added", 0)  # type: ignore[arg-type]
    hand.win = 4  # type: ignore[misc]
    score.fan = 100  # type: ignore[misc]
    tiles | {1}  # type: ignore[operator]
    len(score.reading)  # type: ignore[arg-type]
    tjmj.batch.score(rows, 27)  # type: ignore[call-arg]
    tjmj.batch.is_win(wide, 27)  # type: ignore[arg-type]
