"""Hands of play with answers known from other programs: positions, records, counts of legal move lists."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest
from walls import Deal

import tjmj
from tjmj.stakes import NO_STAKES, Stakes

TESTS = pathlib.Path(__file__).resolve().parent
GOLDEN = TESTS / "golden"

PUBLISHED = {
    "tianjin": [12, 133, 1342, 14751],
    "tianjin-hall": [12, 133, 1342, 14751],
    "tianjin-street": [12, 157, 2049, 24712],
}
"""Counts for the deals of `golden/perft`, as its README gives them."""


def lines_of(name: str) -> list[dict[str, Any]]:
    """The lines of a golden file that are Tianjin's."""
    with (GOLDEN / name).open(encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return [line for line in lines if line["rules"]["name"] in PUBLISHED]


def deal_of(record: dict[str, Any], **options: Any) -> Deal:
    """The deal of a record's header, with options put in the place of its own."""
    rules = dict(record["rules"]) | options
    chosen = tjmj.rules(rules.pop("name"), **rules)
    stakes = NO_STAKES
    if "stakes" in record:
        given = record["stakes"]
        stakes = Stakes(given["sit"], tuple(given["pull"]), tuple(given.get("kick", NO_STAKES.kick)))
    flip = record["dice"].get("flip")
    return Deal(chosen, record["wall"], sum(flip) if flip else None, record["dealer"], stakes)


def counts(record: dict[str, Any], depth: int, **options: Any) -> list[int]:
    """The engine's counts for 1 to `depth` moves from where a record's moves end."""
    play = deal_of(record, **options).play(record.get("moves", ""))
    return [play.perft(level) for level in range(1, depth + 1)]


# Positions and records

POSITIONS = lines_of("positions.jsonl")
RECORDS = lines_of("records.jsonl")


def test_the_golden_files_are_there():
    assert (len(POSITIONS), len(RECORDS)) == (111, 87)


@pytest.mark.parametrize("position", POSITIONS, ids=range(1, len(POSITIONS) + 1))
def test_positions(position):
    play = deal_of(position).play(position["moves"])
    assert play.legal() == position["legal"]
    assert play.may_end == position["may_end"]
    assert [play.perft(1), play.perft(2)] == position["perft_after"]
    if play.may_end:
        assert play.result() == position["result"]


@pytest.mark.parametrize("record", RECORDS, ids=range(1, len(RECORDS) + 1))
def test_records(record):
    play = deal_of(record).play()
    moves = record["moves"].split()
    for move in moves:
        assert move in play.legal()
        play.play(move)
    assert play.may_end
    assert play.result() == record["result"]

    net = [0, 0, 0, 0]
    for line in play.settlement():
        if line["why"] == "cap":
            net[line["seat"]] += line["points"]
        else:
            net[line["to"]] += line["points"]
            net[line["from"]] -= line["points"]
    assert net == record["result"]["net"]


# Counts of legal move lists


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_counts(name):
    record = json.loads((GOLDEN / "perft" / f"{name}-1.json").read_text(encoding="utf-8"))
    assert counts(record, 4) == PUBLISHED[name]


PERFT = sorted((TESTS / "perft").glob("*.json"))
BY_SETTING: dict[str, list[pathlib.Path]] = {}
for _path in PERFT:
    BY_SETTING.setdefault(_path.stem.rsplit("-", 1)[0], []).append(_path)


def test_every_setting_has_three_deals():
    assert set(PUBLISHED) < set(BY_SETTING)
    assert {len(paths) for paths in BY_SETTING.values()} == {3}


def read(path: pathlib.Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert len(record["perft"]) == 4
    return record


@pytest.mark.parametrize("path", PERFT, ids=[path.stem for path in PERFT])
def test_counts_of_the_referee(path):
    record = read(path)
    assert counts(record, 3) == record["perft"][:3]


@pytest.mark.slow
@pytest.mark.parametrize("path", PERFT, ids=[path.stem for path in PERFT])
def test_counts_of_the_referee_to_full_depth(path):
    record = read(path)
    assert counts(record, 4) == record["perft"]


SET_BACK = [path for path in PERFT if "without" in read(path)]


@pytest.mark.parametrize("path", SET_BACK, ids=[path.stem for path in SET_BACK])
def test_the_option_matters_in_its_deals(path):
    """The counts are others where the option is set back."""
    record = read(path)
    plain = counts(record, len(record["without"]["perft"]), **record["without"]["rules"])
    assert plain == record["without"]["perft"]
    assert plain != record["perft"][: len(plain)]
