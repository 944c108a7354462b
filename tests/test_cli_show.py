"""`tjmj record show`: a hand of play told for people (spec: cli; table, Events)."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import Answer, jsonl, runner
from referee import Referee
from rich.cells import cell_len
from rigged import hand_places
from rounds import any_table, played
from shows import KILL, SHORT, finished, header, rows, told

from tjmj import Stakes
from tjmj.cli.story import Story
from tjmj.record import dumps, parse
from tjmj.round import replayed

GOLDEN = Path(__file__).parent / "golden"
RECORDS = (GOLDEN / "records.jsonl").read_bytes().splitlines()
SEATS = (None, 0, 1, 2, 3)


@pytest.fixture
def run(capsysbinary, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    return runner(capsysbinary, monkeypatch)


# Whole screens


def test_a_hand_told(run):
    answer = run("record", "show", "-", stdin=finished(SHORT))
    assert (answer.status, answer.err) == (0, "")
    assert answer.drawn == [
        "line 1  tianjin cap=none",
        "",
        "  0 甲   庄家 dealer, 坐庄 sits",
        "  1 乙   拉庄 pulls 1",
        "  2 Cat",
        "  3 丁   拉庄 pulls 2",
        "",
        "  骰子 dice 3 4: the wall is opened behind 7 stacks of seat 0's",
        "  翻牌 flip 东, dice 3 4  wild 混 东 南",
        "",
        "  发牌 deal",
        "  0 甲   一 五 九 一 二 四 五 一 三 东 北 中 发 + 西",
        "         万 万 万 条 条 条 条 饼 饼",
        "                                    混",
        "  1 乙   四 六 七 八 九 九 九 五 五 五 七 八 九",
        "         万 万 条 条 条 条 条 饼 饼 饼 饼 饼 饼",
        "  2 Cat  二 三 五 八 三 六 八 二 四 七 八 发 白",
        "         万 万 万 万 条 条 条 饼 饼 饼 饼",
        "  3 丁   一 四 七 一 三 四 六 二 五 八 西 西 西",
        "         万 万 万 条 条 条 条 饼 饼 饼",
        "",
        "  move  seat  摸 draws  打 discards          leaves",
        "     1  0 甲            打 3F                159W1245T13B14F12J",
        "     2  3 丁            明杠 exposed 3F ← 0  [3333F]147W1346T258B",
        "     3  3 丁  补 5W     打 5W                [3333F]147W1346T258B",
        "     4  0 甲  摸 2W     打 1F 小相公         1259W1245T13B4F12J",
        "     5  1 乙  摸 5W     胡 wins 5W",
        "",
        "  摸 from the front, 补 from the back, ← from",
        "",
        "  seat 1 乙  胡 wins on 五万, 自摸 its own draw",
        "",
        "  四 六 七 八 九 九 九 五 五 五 七 八 九 + 五",
        "  万 万 条 条 条 条 条 饼 饼 饼 饼 饼 饼   万",
        "",
        "  顺子 sequence  四万 +五万 六万",
        "  顺子 sequence  七条 八条 九条",
        "  刻子 triplet   五饼 五饼 五饼",
        "  顺子 sequence  七饼 八饼 九饼",
        "  将 pair        九条 九条",
        "",
        "  素捉五  6 番",
        "  捉五 3 × 素 2 = 6",
        "  素 su, 捉五 zhuowu",
        "",
        "  亮牌 hands at the end",
        "  0 甲   1259W1245T13B4F12J  小相公",
        "  1 乙   456W78999T555789B",
        "  2 Cat  2358W368T2478B23J",
        "  3 丁   [3333F]147W1346T258B",
        "",
        "  结算 payments",
        "  for                0 甲  1 乙  2 Cat  3 丁",
        "  胡 win   6 番 × 4   -24   +24",
        "  胡 win   6 番              +6     -6",
        "  胡 win   6 番              +6           -6",
        "  明杠 3F  1 × 8       -8                 +8",
        "  明杠 3F  1                 -1           +1",
        "  明杠 3F  1                        -1    +1",
        "  net                 -32   +35     -7    +4",
        "",
        "line 1: verified",
    ]


def test_what_a_seat_saw(run):
    answer = run("record", "show", "-", "--seat", 3, stdin=finished(SHORT))
    lines = answer.drawn
    start, end = (lines.index(next(line for line in lines if word in line)) for word in ("发牌", "not seen"))
    assert lines[start : end + 1] == [
        "  发牌 deal",
        "  0 甲   14 tiles",
        "  1 乙   13 tiles",
        "  2 Cat  13 tiles",
        "  3 丁   一 四 七 一 三 四 六 二 五 八 西 西 西",
        "         万 万 万 条 条 条 条 饼 饼 饼",
        "",
        "  move  seat  摸 draws  打 discards          leaves",
        "     1  0 甲            打 3F                13 tiles",
        "     2  3 丁            明杠 exposed 3F ← 0  [3333F]147W1346T258B",
        "     3  3 丁  补 5W     打 5W                [3333F]147W1346T258B",
        "     4  0 甲  摸 ·      打 1F 小相公         13 tiles",
        "     5  1 乙  摸 ·      胡 wins 5W",
        "",
        "  摸 from the front, 补 from the back, · not seen, ← from",
    ]
    # Then all is shown.
    everything = run("record", "show", "-", stdin=finished(SHORT)).drawn
    assert lines[end + 1 :] == everything[everything.index("  摸 from the front, 补 from the back, ← from") + 1 :]


# Things that happen

ROBBED = header(
    "258W258T28B13J12F9T 5B", "555B147W147T234F4B", "46B123W789T222J99W", "", rules="jintan",
    moves="0d5B 1p5B 1a5B 2w5B",
)  # fmt: skip


def shown(run: Any, fields: dict[str, Any], *options: Any) -> Answer:
    """What is told of a record with its result, which is right."""
    answer = run("record", "show", "-", *options, stdin=finished(fields))
    assert (answer.status, answer.err) == (0, "") and answer.drawn[-1] == "line 1: verified"
    return answer


def words(lines: list[str]) -> list[str]:
    """Lines without the blanks that line columns up."""
    return [" ".join(line.split()) for line in lines]


def test_several_winners(run):
    record = header(
        "147W147T147B123F1J5B", "46B123W789T222F99W", "46B111F456T789B33W", "", rules="jintan",
        moves="0d5B 1w5B 2w5B",
    )  # fmt: skip
    answer = shown(run, record)
    assert words(rows(answer)[1:]) == ["2 1 胡 wins 5B ← 0", "3 2 胡 wins 5B ← 0"]
    winners = [line for line in answer.drawn if line.startswith("  seat ")]
    assert winners == [f"  seat {seat}  胡 wins on 五饼, 吃炮 the discard of seat 0" for seat in (1, 2)]
    assert answer.out.count("triplet of an honour") == 2
    assert "net -40 +20 +20 0" in words(answer.drawn)


def test_a_robbed_kong(run):
    answer = shown(run, ROBBED)
    assert words(rows(answer)[-2:]) == ["3 1 补杠 added 5B robbed [555B]147W147T4B234F", "4 2 胡 wins 5B ← 1"]
    assert "  seat 2  胡 wins on 五饼, 抢杠 the kong of seat 1" in answer.drawn
    assert "胡 win 20 points × 3 -60 +60" in words(answer.drawn)


def test_a_kong_that_is_not_robbed_is_one_move(run):
    answer = run("record", "show", "-", stdin=jsonl(ROBBED | {"moves": "0d5B 1p5B 1a5B 1d1W"}))
    kong, after = words(rows(answer))[2:4]
    assert kong == "3 1 补杠 added 5B [5555B]147W147T4B234F" and after.startswith("4 1 补 ")


@pytest.mark.parametrize("seat", SEATS)
def test_a_concealed_kong_is_hidden_where_the_rules_hide_it(run, seat):
    record = header("1111F258W258T258B1J", rules="jintan", moves="0c1F", back="3F")
    line, *_ = rows(run("record", "show", "-", *(() if seat is None else ("--seat", seat)), stdin=jsonl(record)))
    known = seat in (None, 0)
    assert ("暗杠 concealed 1F" in line) is known and ("{1111F}258W" in line) is known
    assert ("暗杠 concealed ·" in line) is not known and ("{····} 10 tiles" in line) is not known
    open_to_all = header("1111J258W258T258B3F", moves="0c1J")
    line, *_ = rows(run("record", "show", "-", "--seat", 2, stdin=jsonl(open_to_all)))
    assert "暗杠 concealed 1J  {1111J} 10 tiles" in line


def test_eight_flowers(run):
    answer = shown(run, header("12345678H159W1F2F3F", rules="jintan"), "--seat", 1)
    assert " ".join(words(rows(answer))) == "0 花 春 夏 八花 eight flowers 秋 冬 梅 兰 竹 菊"
    assert "  seat 0  八花 has laid out all eight flowers" in answer.drawn
    assert "  (10 + 8 花 × 5) × 2^2 = 200" in answer.drawn
    assert "八花 flowers 200 points +200 -200" in words(answer.drawn)


def test_flowers_and_their_replacements_stand_before_the_next_move(run):
    record = header(
        "147W147T147B123F1J5B", "55B13H258W258T26B9T", "", "", rules="jintan", front="9T8T", back="7B2H1W",
        moves="0d5B 1p5B 1d1W 2d9T",
    )  # fmt: skip
    lines = words(rows(run("record", "show", "-", stdin=jsonl(record))))
    assert lines[1:6] == [
        "2 1 碰 pong 555B ← 0 [555B]258W2589T26B13H",
        "3 1 花 春 秋 打 1W [555B]258W2589T267B", "补 7B 2H", "花 夏 补", "1W",
    ]  # fmt: skip
    masked = words(rows(run("record", "show", "-", "--seat", 3, stdin=jsonl(record))))
    assert masked[1] == "2 1 碰 pong 555B ← 0 [555B] 11 tiles"
    assert " ".join(masked[2:5]) == "3 1 花 春 秋 打 1W [555B] 10 tiles 补 · · 花 夏 补 ·"


def test_ready_hands_are_marked(run):
    lines = (GOLDEN / "positions.jsonl").read_bytes().splitlines()
    position = next(line for line in lines if json.loads(line)["moves"].endswith(" 1r"))
    answer = run("record", "show", "-", stdin=position)
    assert rows(answer)[1].split()[:4] == ["2", "1", "天听", "ready"]
    assert any(line.startswith("  1  ") and line.endswith("  天听") for line in answer.drawn)


def test_nobody_wins(run):
    line = next(line for line in RECORDS if json.loads(line)["result"]["end"] == "exhausted")
    answer = run("record", "show", "-", stdin=line)
    assert rows(answer)[-1].strip() == "荒庄 nobody wins" and "wins on" not in answer.out


def test_the_cap_and_chan_have_their_lines(run):
    record = header(
        KILL + "4F", "4F", "4F", "4F", front="123T5W", staked=Stakes(True, (0, 1, 1, 2)), cap=20, chan=3,
        moves="0d4F 1d4F 2d4F 3d4F 0h",
    )  # fmt: skip
    lines = words(shown(run, record).drawn)
    ledger = lines[lines.index("结算 payments") + 2 : -2]
    assert ledger == [
        "胡 win 6 番 × 4 +24 -24", "胡 win 6 番 × 4 +24 -24", "胡 win 6 番 × 8 +48 -48",
        "铲 chan 3 × 4 -12 +12", "铲 chan 3 × 4 -12 +12", "铲 chan 3 × 8 -24 +24",
        "封顶 cap -28", "封顶 cap +6", "封顶 cap +7", "封顶 cap +15", "net +20 -6 -5 -9",
    ]  # fmt: skip


# Any record


def check(fields: dict[str, Any], story: Story) -> None:
    """Each move of a record has its place in the story, and the hand that it leaves."""
    moves = fields["moves"].split()
    numbered = [move for move in story.moves if move.number]
    assert [move.number for move in numbered] == [*range(1, len(moves) + 1)]
    assert [str(move.seat) for move in numbered] == [move[0] for move in moves]
    referee = Referee.from_record(fields)
    for move, written in zip(numbered, moves, strict=True):
        referee.apply(written)
        if written[1] == "d":
            known = story.view.seat in (None, move.seat)
            assert move.left.hand == (referee.hands[move.seat] if known else None), written
            assert move.left.concealed == len(referee.hands[move.seat])
    assert story.view.result == fields["result"]


def check_drawn(story: Story, answer: Answer) -> None:
    """A line for each move and each payment, in so many columns as there are."""
    assert (answer.status, answer.err) == (0, "") and answer.drawn[-1] == "line 1: verified"
    assert max(map(cell_len, answer.drawn)) <= 100
    assert "…" not in answer.out and all(line.isprintable() for line in answer.drawn)
    numbers = [line[:6].strip() for line in rows(answer) if line[:6].strip()]
    assert numbers == [str(move.number) for move in story.moves if move.number]
    ledger = answer.drawn[answer.drawn.index("  结算 payments") + 2 : -2]
    assert len(ledger) == len(story.view.payments) + 1
    net = [int(points.replace(",", "")) for points in ledger[-1].split()[1:]]
    assert net == story.view.result["net"]


def seat_options(seat: int | None) -> tuple[Any, ...]:
    return () if seat is None else ("--seat", seat)


def check_golden_records(run, seat, each):
    for number, line in enumerate(RECORDS[SEATS.index(seat) :: each]):
        fields = json.loads(line)
        story = told(fields, seat)
        check(fields, story)
        if number % 5 == 0:
            check_drawn(story, run("record", "show", "-", *seat_options(seat), stdin=line))


@pytest.mark.parametrize("seat", SEATS)
def test_golden_records(run, seat):
    check_golden_records(run, seat, each=50)


@pytest.mark.slow
@pytest.mark.parametrize("seat", SEATS)
def test_all_golden_records(run, seat):
    check_golden_records(run, seat, each=1)


def random_records(count: int, seed: int) -> Iterator[dict[str, Any]]:
    for number in range(seed, seed + count):
        rng = random.Random(number)
        *_, made = played(rng, any_table(rng).round(("甲", "", "\x1b[1m", "丁")))
        yield json.loads(dumps(made.record()))


def test_random_records(run):
    for number, fields in enumerate(random_records(12, 0)):
        story = told(fields, seat := SEATS[number % 5])
        check(fields, story)
        if number % 4 == 0:
            check_drawn(story, run("record", "show", "-", *seat_options(seat), stdin=jsonl(fields)))


# Only what a seat saw


def exchanged(rng: random.Random, fields: dict[str, Any], seat: int) -> dict[str, Any] | None:
    """The record with some tiles exchanged that this seat has not seen; None if other moves would be legal."""
    made = replayed(parse(json.dumps(fields))).round
    wall = re.findall("..", fields["wall"])
    kept = {own: list(view.hand) for own, view in enumerate(made.view(open=True).seats)}
    places = []
    for own in {0, 1, 2, 3} - {seat}:
        for place in hand_places((own - fields["dealer"]) % 4):
            # Dealt, and held still: all of its kind that the seat was dealt are in its hand.
            dealt = [wall[other] for other in hand_places((own - fields["dealer"]) % 4)]
            if kept[own].count(wall[place]) >= dealt.count(wall[place]) > 0:
                places.append(place)
    rng.shuffle(places)
    one, other = places[: len(places) // 2], places[len(places) // 2 :]
    for mine, yours in zip(one, other):
        wall[mine], wall[yours] = wall[yours], wall[mine]
    changed = fields | {"wall": "".join(wall)}
    replay = replayed(parse(json.dumps(changed)))
    alike = not replay.fault and replay.round.view().window == made.view().window
    return changed if alike and changed != fields else None


def test_a_seat_is_told_nothing_that_it_did_not_see(run):
    """Two records that differ only in what a seat has not seen are told it alike."""
    compared = 0
    for number, fields in enumerate(random_records(60, 1000)):
        rng = random.Random(number)
        moves = fields["moves"].split()
        cut = fields | {"moves": " ".join(moves[: rng.randrange(1, max(2, min(len(moves), 25)))])}
        cut = {key: value for key, value in cut.items() if key not in ("result", "seed", "commitment")}
        seat = rng.randrange(4)
        if replayed(parse(json.dumps(cut))).round.over or not (changed := exchanged(rng, cut, seat)):
            continue
        for viewer in (seat, None):
            command = ("record", "show", "-", *seat_options(viewer))
            one, other = (run(*command, stdin=jsonl(each)) for each in (cut, changed))
            assert one.drawn[-1] == other.drawn[-1] == "line 1: the hand has not ended"
            assert (one == other) is (viewer == seat)
        compared += 1
        if compared == 10:
            return
    raise AssertionError(f"only {compared} pairs of records were compared")
