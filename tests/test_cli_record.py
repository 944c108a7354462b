"""`tjmj record verify`, `tjmj record moves` and `tjmj perft` (spec: cli)."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest
import referee
from commands import is_one_line, runner

from tjmj.cli import record
from tjmj.json_lines import LONGEST_LINE

GOLDEN = pathlib.Path(__file__).parent / "golden"
COUNTS = {
    "tianjin": [12, 133, 1342, 14751],
    "tianjin-hall": [12, 133, 1342, 14751],
    "tianjin-street": [12, 157, 2049, 24712],
    "jintan": [12, 136, 1642, 19946],
}


RECORDS = (GOLDEN / "records.jsonl").read_bytes().splitlines()
POSITIONS = (GOLDEN / "positions.jsonl").read_bytes().splitlines()
FIELDS = json.loads(RECORDS[0])
MOVES = FIELDS["moves"].split()
BAD_MOVE = json.dumps(FIELDS | {"moves": " ".join([*MOVES[:11], "0d9F"])}).encode()
BAD_NET = json.dumps(FIELDS | {"result": FIELDS["result"] | {"net": [1, 0, 0, -1]}}).encode()


@pytest.fixture
def run(capsysbinary, monkeypatch):
    return runner(capsysbinary, monkeypatch)


# record verify


def test_right_records(run):
    answer = run("record", "verify", "-", "--json", stdin=RECORDS)
    assert (answer.status, answer.err) == (0, "")
    assert answer.lines == [{"line": line, "ok": True} for line in range(1, len(RECORDS) + 1)]
    assert answer.out.startswith('{"line":1,"ok":true}\n')


def test_wrong_records(run, tmp_path):
    file = tmp_path / "hands.jsonl"
    file.write_bytes(
        b"\n".join([RECORDS[0], b"", BAD_MOVE, b"x" * (LONGEST_LINE + 1), b"{", BAD_NET, RECORDS[1]])
    )
    answer = run("record", "verify", file, "--json")
    assert (answer.status, answer.err) == (1, "")
    assert answer.lines == [
        {"line": 1, "ok": True},
        {"line": 3, "ok": False, "move": 12, "reason": answer.lines[1]["reason"]},
        {"line": 4, "ok": False, "reason": "the line is longer than 65,536 bytes"},
        {"line": 5, "ok": False, "reason": "malformed JSON: Input data was truncated"},
        {"line": 6, "ok": False, "reason": "the result's net is [1,0,0,-1], and should be [0,0,0,0]"},
        {"line": 7, "ok": True},
    ]
    assert answer.lines[1]["reason"].startswith("not a move")


def test_verdicts_for_people(run):
    right = run("record", "verify", "-", stdin=RECORDS)
    assert (right.status, right.out) == (0, "103 records verified, nothing wrong\n")
    one = run("record", "verify", "-", stdin=RECORDS[:1])
    assert (one.status, one.out) == (0, "1 record verified, nothing wrong\n")
    assert run("record", "verify", "-").out == "no records\n"

    wrong = run("record", "verify", "-", stdin=[RECORDS[0], BAD_MOVE, BAD_NET])
    assert wrong.status == 1
    head, first, *more = [line.rstrip() for line in wrong.out.splitlines()]
    assert head.split() == ["line", "move", "what", "is", "wrong"]
    assert first.split()[:4] == ["2", "12", "not", "a"]
    assert any(line.split()[:3] == ["3", "the", "result's"] for line in more)
    assert more[-1] == "2 of 3 records wrong"


def test_many_faults_for_people(run):
    answer = run("record", "verify", "-", stdin=[b"{"] * 1500)
    assert answer.status == 1
    assert answer.out.count("malformed JSON") == 20
    assert "and 1,480 more" in answer.out and answer.out.endswith("1,500 of 1,500 records wrong\n")


def test_a_record_does_not_steer_the_terminal(run):
    hostile = json.dumps(FIELDS | {"names": ["\u009b31m\u202e\x1b[2J", 1, 2, 3]}, ensure_ascii=False).encode()
    hostile = hostile.replace(b"\x1b", b"\\u001b")
    out = run("record", "verify", "-", stdin=[hostile]).out
    assert all(ch.isprintable() for ch in out.replace("\n", "")), out
    assert r"\x9b31m\u202e\u001b[2J" in out.replace("\n", "").replace("  ", "")


# record moves


def test_golden_positions(run):
    answer = run("record", "moves", "-", stdin=POSITIONS)
    assert (answer.status, answer.err) == (0, "")
    for line, found in zip(POSITIONS, answer.lines, strict=True):
        fields = json.loads(line)
        keys = ["legal", "may_end", *(["result"] if fields["may_end"] else [])]
        assert found == {key: fields[key] for key in keys}
        assert list(found) == keys


def test_moves_of_a_finished_hand_and_of_its_deal(run):
    finished = json.loads(RECORDS[3])
    dealt = {key: value for key, value in finished.items() if key not in ("moves", "result", "seed")}
    answer = run("record", "moves", "-", stdin=[json.dumps(fields).encode() for fields in (finished, dealt)])
    assert answer.lines == [
        {"legal": [], "may_end": True, "result": finished["result"]},
        {"legal": referee.Referee.from_record(dealt).legal(), "may_end": False},
    ]


def test_moves_of_what_cannot_be_read(run):
    answer = run("record", "moves", "-", stdin=[BAD_MOVE, b"", b"{", RECORDS[0]])
    first, second, third = answer.lines
    assert list(first) == list(second) == ["error"]
    assert first["error"].startswith("line 1, move 12: not a move")
    assert second["error"].startswith("line 3: malformed JSON")
    assert third["may_end"] and answer.status == 1


# perft


@pytest.mark.parametrize("name", COUNTS)
def test_golden_perft(run, name):
    answer = run("perft", GOLDEN / "perft" / f"{name}-1.json", "--depth", 4)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out == "".join(f"{depth} {count}\n" for depth, count in enumerate(COUNTS[name], 1))


@pytest.mark.parametrize("position", POSITIONS[::5])
def test_perft_after_some_moves(run, position):
    fields = json.loads(position)
    after = len(fields["moves"].split())
    answer = run("perft", "-", "--depth", 2, "--after", after, stdin=[b"", position, b"{"])
    assert answer.out == "".join(f"{depth} {count}\n" for depth, count in enumerate(fields["perft_after"], 1))


def test_perft_after_less_than_all(run):
    counts = referee.perft(FIELDS, 2, after=30)
    answer = run("perft", "-", "--depth", 2, "--after", 30, stdin=[RECORDS[0]])
    assert answer.out == f"1 {counts[0]}\n2 {counts[1]}\n"
    all_of_them = run("perft", "-", "--depth", 3, "--after", len(MOVES), stdin=[RECORDS[0]])
    assert all_of_them.out == "1 0\n2 0\n3 0\n"


def test_perft_is_the_same_however_it_is_counted(run, monkeypatch):
    line = [(GOLDEN / "perft" / "tianjin-street-1.json").read_bytes().replace(b"\n", b" ")]
    at_once = run("perft", "-", "--depth", 3, stdin=line)
    monkeypatch.setattr(record, "_DEPTH_AT_ONCE", 1)
    assert run("perft", "-", "--depth", 3, stdin=line) == at_once


# Faults


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["record"], "Missing command"),
        (["record", "burn"], "'burn'"),
        (["record", "verify"], "FILE"),
        (["record", "verify", "-", "-"], "-"),
        (["record", "verify", "-", "--loud"], "--loud"),
        (["record", "verify", "no/such/file"], "no/such/file"),
        (["record", "verify", str(GOLDEN)], "irectory" if os.name == "posix" else ""),
        (["record", "moves"], "FILE"),
        (["record", "moves", "-", "--json"], "--json"),
        (["record", "moves", "no/such/file", "--json"], "--json"),
        (["perft"], "FILE"),
        (["perft", "-"], "--depth"),
        (["perft", "-", "--depth", "0"], "--depth"),
        (["perft", "-", "--depth", "two"], "--depth"),
        (["perft", "-", "--depth", "1", "--after", "-1"], "--after"),
        (["perft", "-", "--depth", "1"], "-: no record in it"),
        (["perft", "no/such/file", "--depth", "1"], "no/such/file"),
        (
            ["perft", str(GOLDEN / "records.jsonl"), "--depth", "1", "--after", "75"],
            "74 moves: 75 cannot be played",
        ),
    ],
)
def test_a_fault_is_one_line(run, args, told):
    answer = run(*args)
    assert (answer.status, answer.out) == (2, "")
    assert told in answer.err and is_one_line(answer.err)


@pytest.mark.parametrize(
    ("line", "after", "told"),
    [
        (b"{", 0, "tjmj: line 2: malformed JSON"),
        (BAD_MOVE, 12, "tjmj: move 12: not a move"),
        (b"\x1b", 0, "tjmj: line 2: malformed JSON"),
    ],
)
def test_perft_of_what_cannot_be_read(run, line, after, told):
    answer = run("perft", "-", "--depth", 1, "--after", after, stdin=[b"  ", line])
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith(told) and answer.err.count("\n") == 1


@pytest.mark.parametrize("command", [["record"], ["record", "verify"], ["record", "moves"], ["perft"]])
def test_help(run, command):
    answer = run(*command, "--help")
    assert answer.status == 0 and answer.out.startswith(f"Usage: tjmj {' '.join(command)}")
    assert run(*command, "-h") == answer


@pytest.mark.process
@pytest.mark.parametrize("command", [["record", "verify", "-", "--json"], ["record", "moves", "-"]])
def test_lines_are_answered_as_they_come(command):
    """Who asks a running command gets an answer before the next question."""
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-m", "tjmj", *command], **options) as asked:
        for line in RECORDS[:3]:
            asked.stdin.write(line + b"\n")
            asked.stdin.flush()
            answer = json.loads(asked.stdout.readline())
            assert answer.get("ok", answer.get("may_end"))
        asked.stdin.close()
        assert asked.wait(timeout=30) == 0


@pytest.mark.process
def test_a_reader_that_goes_away():
    command = [sys.executable, "-m", "tjmj", "record", "moves", str(GOLDEN / "positions.jsonl")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as asked:
        asked.stdout.close()
        assert asked.wait(timeout=30) == 141 and asked.stderr.read() == b""
