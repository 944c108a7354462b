"""`tjmj record show` of records that are wrong, of hostile names, and of files (spec: cli)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from commands import Answer, is_one_line, jsonl, runner
from rich.cells import cell_len
from shows import SHORT, finished, rows

from tjmj.json_lines import LONGEST_LINE

RECORDS = (Path(__file__).parent / "golden" / "records.jsonl").read_bytes().splitlines()


@pytest.fixture
def run(capsysbinary, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    return runner(capsysbinary, monkeypatch)


# Records that are wrong


BAD_MOVE = json.dumps(SHORT | {"moves": "0d3F 3o3F 3d9B 0d1F"}).encode()
BAD_NET = finished(SHORT).replace(b'"net": [-32', b'"net": [-31')
BAD_SEED = json.dumps(json.loads(finished(SHORT)) | {"seed": "00" * 32}).encode()


def test_a_record_is_told_up_to_its_fault(run):
    answer = run("record", "show", "-", stdin=BAD_MOVE)
    assert answer.status == 1
    assert [line.split()[0] for line in rows(answer)] == ["1", "2", "3"] and "to move" in rows(answer)[-1]
    assert "hands as they stand" in answer.out and "payments" not in answer.out
    assert answer.drawn[-1].startswith("line 1, move 3: the seat does not hold")


@pytest.mark.parametrize(
    ("line", "told", "moves"),
    [
        (BAD_NET, "line 1: the result's net is", 5),
        (BAD_SEED, "line 1: the seed does not give the wall", 5),
        (jsonl(SHORT | {"moves": "0d3F"}), "line 1: the hand has not ended", 1),
        (jsonl({key: value for key, value in SHORT.items() if key != "moves"}), "line 1: moves is missing", 0),
        (jsonl(SHORT | {"moves": SHORT["moves"] + " 2d5W"}), "line 1, move 6: the hand has ended", 5),
        (jsonl(SHORT), "line 1: result is missing", 5),
        (jsonl(SHORT | {"result": []}), "line 1: the result is []", 5),
        (jsonl(SHORT | {"moves": "\x1b[2J"}), "line 1, move 1: not a move", 0),
    ],
)
def test_faults_are_named(run, line, told, moves):
    answer = run("record", "show", "-", stdin=line)
    assert (answer.status, answer.err) == (1, "")
    assert len(rows(answer)) == moves
    assert told in answer.out.replace("\n", " ") and all(line.isprintable() for line in answer.drawn)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"{", "line 1: malformed JSON: Input data was truncated"),
        (b"x" * (LONGEST_LINE + 1), "line 1: the line is longer than 65,536 bytes"),
        (b"[" * 17 + b"]" * 17, "line 1: nested more than 16 deep"),
        (b"\x1b[2J", "line 1: malformed JSON"),
        (jsonl(SHORT | {"dealer": 4}), "line 1: dealer is 4: seats are 0 to 3"),
        (jsonl(SHORT | {"names": ["\x9b31m\u202e", 1, 2, 3]}), "line 1: names is"),
        (jsonl(SHORT | {"wall": SHORT["wall"][2:] + "1W"}), "line 1: "),
        (jsonl([]), "line 1: a record is an object"),
    ],
)
def test_what_is_no_record_is_told_in_one_line(run, line, told):
    answer = run("record", "show", "-", stdin=line)
    assert (answer.status, answer.err) == (1, "")
    assert answer.out.startswith(told) and all(line.isprintable() for line in answer.drawn)


HOSTILE = [
    ["[bold]x[/bold]", "\x1b[2J\x1b]0;x\x07", "a\nb\rc\td", "\u202eevil\u2066"],
    ["[/]", "[red", "\\[link=x]", ":smile:"],
    ["x" * 2000, "甲" * 2000, "e" + "\u0301" * 2000, "\U0001f468\u200d\U0001f469\u200d\U0001f467"],
    ["", " ", "\u3000", "\x00"],
]


@pytest.mark.parametrize("names", HOSTILE)
def test_names_are_shown_and_do_nothing(run, names, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "")
    answer = run("record", "show", "-", stdin=finished(SHORT | {"names": names}))
    assert answer.status == 0
    assert all(line.isprintable() for line in answer.drawn) and "\x1b" not in answer.out
    assert max(map(cell_len, answer.drawn)) <= 80
    plain = run("record", "show", "-", stdin=finished(SHORT | {"names": [""] * 4}))
    assert len(rows(answer)) == len(rows(plain))


def test_a_name_is_not_read_as_markup(run):
    out = run("record", "show", "-", stdin=finished(SHORT | {"names": HOSTILE[0]})).out
    assert "  0 [bold]x[/bold]  " in out and "  1 [2J]0;x  " in out and "  2 abcd  " in out and "  3 evil  " in out


# Files


def test_every_record_of_a_file_is_told(run, tmp_path):
    file = tmp_path / "hands.jsonl"
    file.write_bytes(b"\n".join([RECORDS[0], b"", BAD_MOVE, b"{", RECORDS[1]]))
    answer = run("record", "show", file)
    assert (answer.status, answer.err) == (1, "")
    assert [line for line in answer.drawn if re.match(r"line \d", line)] == [
        "line 1  tianjin", "line 1: verified", "line 3  tianjin cap=none",
        next(line for line in answer.drawn if line.startswith("line 3, move 3: ")),
        "line 4: malformed JSON: Input data was truncated", "line 5  tianjin", "line 5: verified",
    ]  # fmt: skip


def test_one_line_of_a_file(run, tmp_path):
    file = tmp_path / "hands.jsonl"
    file.write_bytes(b"\n".join([b"{", b"", RECORDS[1], b"{"]))
    answer = run("record", "show", file, "--line", 3)
    assert answer.status == 0 and answer.drawn[0] == "line 3  tianjin" and answer.drawn[-1] == "line 3: verified"
    for line in (2, 5):
        answer = run("record", "show", file, "--line", line)
        assert (answer.status, answer.out) == (2, "")
        assert answer.err.endswith(f"no record on line {line}\n") and is_one_line(answer.err)


def test_no_records(run):
    assert run("record", "show", "-") == Answer(0, "no records\n", "")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ([], "FILE"),
        (["-", "--seat", "4"], "--seat"),
        (["-", "--seat", "-1"], "--seat"),
        (["-", "--seat", "east"], "--seat"),
        (["-", "--line", "0"], "--line"),
        (["-", "--line", "1"], "-: no record on line 1"),
        (["-", "--json"], "--json"),
        (["no/such/file"], "no/such/file"),
    ],
)
def test_a_fault_is_one_line(run, args, told):
    answer = run("record", "show", *args)
    assert (answer.status, answer.out) == (2, "")
    assert told in answer.err and is_one_line(answer.err)


@pytest.mark.parametrize("columns", ["80", "60"])
def test_a_narrow_terminal_loses_nothing(run, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    for line in RECORDS[::26]:
        answer = run("record", "show", "-", stdin=line)
        assert "…" not in answer.out and max(map(cell_len, answer.drawn)) <= int(columns)


def test_help(run):
    out = run("record", "show", "--help").out
    assert out.startswith("Usage: tjmj record show") and "--seat" in out and "--line" in out
