"""A user of the package, for a type checker: what everything is, and what has to be refused.

It runs too, so what the types promise is also there.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Set
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal, assert_type

import numpy as np
from numpy.typing import NDArray

import tjmj
from tjmj.match import End, Standing
from tjmj.record import Dice, Record, Verdict, dumps, parse, read, verify, verify_file, write
from tjmj.simulate import Summary, simulate
from tjmj.view import SeatView

Shape = Literal["hundiao", "dandiao", "duidao", "kandan", "liangmian"]

TEXT = "46W123B789B11T9T1F1T+5W"
WAITING = "46W123B789B111T9T1F"
FLOWERY = "111222333W99W77W"

Source = Literal["self", "kong", "discard", "rob"]
Window = Literal["sit", "pull", "kick", "turn", "declare", "claim", "rob"]

assert_type(tjmj.get_include(), str)

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
assert_type(score.source, Source | None)
assert_type((score.flowers, score.points), tuple[int, int])
flowery = tjmj.score(FLOWERY + "+9W", rules="jintan", source="discard", flowers=2)
assert_type(flowery, tjmj.Score)
assert_type(tjmj.score(flowery.hand, source="self", flowers=8), tjmj.Score)
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
assert_type(wait.discard_score, tjmj.Score | None)
as_mapping: Mapping[str, tjmj.Wait] = waits
waits = assert_type(tjmj.waits(FLOWERY, rules="jintan", flowers=2), tjmj.Waits)
assert_type(tjmj.waits(waits.hand, flowers=waits.flowers), tjmj.Waits)

rows = np.frombuffer(hand.counts[:34], np.uint8).reshape(1, 34)
before = rows - np.eye(34, dtype=np.uint8)[[4]]
assert_type(tjmj.batch.is_win(rows, 27), NDArray[np.bool_])
assert_type(tjmj.batch.waits(before, np.array([27]), melds=0, rules=rules), NDArray[np.bool_])
assert_type(tjmj.batch.waits_left(before, 27), NDArray[np.uint8])
scores = assert_type(tjmj.batch.score(rows, 27, 4, ready=False), tjmj.batch.Scores)
assert_type(scores.fan, NDArray[np.uint16])
assert_type(scores.elements, NDArray[np.uint32])
assert_type(scores.legal, NDArray[np.bool_])
assert_type(scores.flowers, NDArray[np.uint16] | None)
assert_type(scores.points, NDArray[np.int64] | None)
nine = np.frombuffer(flowery.hand.counts[:34], np.uint8).reshape(1, 34)
no_melds = np.full((1, 4), -1)
words = np.array(["discard"])
assert_type(tjmj.batch.score(nine, -1, 8, no_melds, "jintan", source=words, flowers=2), tjmj.batch.Scores)
assert_type(tjmj.batch.score(nine, -1, 8, no_melds, "jintan", source="self"), tjmj.batch.Scores)
wide: NDArray[np.int64] = rows.astype(np.int64)

table = assert_type(tjmj.Round(rules, 1, seed=bytes(32), names=["a", "b", "c", "d"]), tjmj.Round)
assert_type(table.window, Window | None)
assert_type((table.turn, table.dealer, table.over), tuple[int, int, bool])
assert_type(table.rules, tjmj.Rules)
assert_type(table.names, tuple[str, ...] | None)
assert_type(table.commitment, bytes | None)
assert_type(table.pending, dict[int, tuple[str, ...]])
assert_type(table.play(1, "sit", turn=table.turn), None)
while not table.over:
    seat = assert_type(min(table.pending), int)
    table.play(seat, assert_type(table.default(seat), str))
assert_type(table.moves, list[str])
stakes = assert_type(table.stakes, tjmj.Stakes)
assert_type(stakes.sit, bool)
assert_type(stakes.pull, tuple[int, int, int, int])
assert_type(stakes.kick, tuple[bool, bool, bool, bool])
assert_type(table.result, dict[str, Any] | None)
assert_type(table.settlement, list[dict[str, Any]] | None)
assert_type(table.events(0, since=3), list[dict[str, Any]])
view = assert_type(table.view(0), tjmj.View)
assert_type(table.view(open=True), tjmj.View)
seats = assert_type(view.seats, list[SeatView])
assert_type(seats[0].hand, list[str] | None)
assert_type((seats[0].concealed, seats[0].lost), tuple[int, bool])
assert_type(view.answers, list[str] | None)
assert_type(view.seat, int | None)
assert_type(tjmj.View.from_json(view.to_json()), tjmj.View)
snapshot = assert_type(table.snapshot(), dict[str, Any])
assert_type(tjmj.Round.restore(snapshot), tjmj.Round)

record = assert_type(table.record(), Record)
assert_type(record.wall, bytes)
assert_type(record.moves, str | None)
assert_type(record.stakes, tjmj.Stakes | None)
assert_type(record.result, dict[str, Any] | None)
dice = assert_type(record.dice, Dice)
assert_type((dice.open, dice.flip), tuple[tuple[int, ...], tuple[int, ...]])
deal = assert_type(tjmj.Deal(dice.open, dice.flip, record.wall), tjmj.Deal)
assert_type((deal.open, deal.flip), tuple[tuple[int, ...], tuple[int, ...]])
assert_type(deal.wall, bytes)
assert_type(tjmj.Round(record.rules, record.dealer, deal=deal), tjmj.Round)
assert_type(parse(assert_type(dumps(record), str)), Record)
assert_type(verify(record), None)
file = BytesIO()
assert_type(write(file, [record]), None)
file.seek(0)
assert_type(read(file), Iterator[Record])
verdict = assert_type(next(verify_file(file)), Verdict)
assert_type((verdict.line, verdict.ok), tuple[int, bool])
assert_type((verdict.move, verdict.reason), tuple[int | None, str | None])

match = assert_type(tjmj.Match("jintan", ["a", "b", "c", "d"], seed=7, end=End(hands=1)), tjmj.Match)
opened = assert_type(match.start_hand(), tjmj.Round)
assert_type(match.round, tjmj.Round | None)
while not opened.over:
    seat = min(opened.pending)
    opened.play(seat, opened.default(seat))
assert_type(match.finish_hand(), Record)
assert_type((match.hands, match.circle, match.dealer), tuple[int, int, int])
assert_type(match.totals, tuple[int, int, int, int])
assert_type((match.ended, match.left), tuple[str | None, int | None])
standings = assert_type(match.standings, list[Standing])
assert_type((standings[0].place, standings[0].title), tuple[int, str | None])
assert_type(match.to_json(), dict[str, Any])
assert_type(match.snapshot(), dict[str, Any])
assert_type(tjmj.Match.from_records([record]), tjmj.Match)

told: list[int] = []
summary = assert_type(
    simulate("jintan", hands=2, seed=1, records=file, progress=lambda done, asked: told.append(done)), Summary
)
assert_type((summary.hands, summary.wins, summary.partial), tuple[int, int, bool])
assert_type(summary.average_fan, float | None)
assert_type(summary.points, tuple[int, int, int, int])
assert_type(summary.elements, dict[str, int])
assert_type(summary.to_json(), dict[str, Any])

# Every one of these is a fault: an ignore that ignores nothing would be one, too.
if TYPE_CHECKING:
    tjmj.score(TEXT.encode(), flip="1F")  # type: ignore[call-overload]
    tjmj.score(hand, flip="1F")  # type: ignore[call-overload]
    tjmj.score(TEXT, "1F", "tianjin", True)  # type: ignore[call-overload]
    tjmj.score(TEXT, rules="jintan", source="wall")  # type: ignore[call-overload]
    tjmj.waits(hand, rules=rules)  # type: ignore[call-overload]
    tjmj.parse_tiles("1m", notation="tenhou")  # type: ignore[arg-type]
    tjmj.Meld("added", 0)  # type: ignore[arg-type]
    hand.win = 4  # type: ignore[misc]
    score.fan = 100  # type: ignore[misc]
    tiles | {1}  # type: ignore[operator]
    len(score.reading)  # type: ignore[arg-type]
    tjmj.batch.score(rows, 27)  # type: ignore[call-arg]
    tjmj.batch.is_win(wide, 27)  # type: ignore[arg-type]
    tjmj.batch.score(rows, 27, 4, source=0)  # type: ignore[arg-type]
    tjmj.rounds()  # type: ignore[attr-defined]
    tjmj.Round(rules, seed="00")  # type: ignore[arg-type]
    table.play("0", "sit")  # type: ignore[arg-type]
    table.turn = 3  # type: ignore[misc]
    len(table.result)  # type: ignore[arg-type]
    record.moves = ""  # type: ignore[misc]
    match.start_hand("seed")  # type: ignore[arg-type]
    simulate("tianjin", hands="2")  # type: ignore[arg-type]
