"""The `tjmj` command: its fixed JSON forms, its faults and exit statuses, and what it draws (spec: cli)."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Answer, is_one_line, jsonl, listen_to_interrupts, runner

import tjmj
from tjmj.cli import batch, main

TESTS = Path(__file__).parent
EXAMPLES = TESTS.parent / "examples" / "hands.txt"
GOLDEN = TESTS / "golden"
ZHUOWU = ("46W123B789B11T9T1F1T+5W", "--flip", "1F")
WAITING = ("46W123B789B111T9T1F", "--flip", "1F")


@pytest.fixture
def run(capsysbinary, monkeypatch):
    return runner(capsysbinary, monkeypatch)


def process(*args, python=("-m", "tjmj"), **options):
    return subprocess.run(
        [sys.executable, "-W", "error", *python, *args], capture_output=True, timeout=60, **options
    )


# The fixed forms


def test_score_answers_as_the_contract_says(run):
    assert run("score", "46W123B789B11T1T9T9T+5W", "--flip", "1F", "--json").json == {
        "win": True,
        "legal": True,
        "fan": 6,
        "elements": ["su", "zhuowu"],
        "name": "素捉五",
        "reading": [
            {"group": "sequence", "face": "456W", "tiles": ["4W", "5W", "6W"], "win": 1, "meld": None},
            {"group": "triplet", "face": "111T", "tiles": ["1T"] * 3, "win": None, "meld": None},
            {"group": "sequence", "face": "123B", "tiles": ["1B", "2B", "3B"], "win": None, "meld": None},
            {"group": "sequence", "face": "789B", "tiles": ["7B", "8B", "9B"], "win": None, "meld": None},
            {"group": "pair", "face": "99T", "tiles": ["9T", "9T"], "win": None, "meld": None},
        ],
    }


def test_a_wildcard_is_written_by_its_own_face(run):
    answer = run("score", "46W123B789B111T99T+1F", "--flip", "1F", "--json").json
    assert answer["reading"][0] == {
        "group": "sequence", "face": "456W", "tiles": ["4W", "1F", "6W"], "win": 1, "meld": None,
    }  # fmt: skip
    assert answer["fan"] == 3


def test_melds_in_a_reading(run):
    reading = run("score", "[555T]{8888T}[3333B]4467W+8W", "--flip", "1F", "--json").json["reading"]
    assert [(group["group"], group["face"], group["meld"]) for group in reading] == [
        ("triplet", "555T", "exposed"), ("kong", "8888T", "concealed"), ("kong", "3333B", "exposed"),
        ("sequence", "678W", None), ("pair", "44W", None),
    ]  # fmt: skip


def test_a_hand_that_is_not_complete(run):
    answer = run("score", "147W258T369B123J3F+4F", "--flip", "9W", "--json")
    assert answer.json == {
        "win": False, "legal": False, "fan": 0, "elements": [], "name": "", "reading": None,
    }  # fmt: skip
    assert answer.status == 0


def test_complete_but_too_little(run):
    answer = run("score", "123W345T67799B11F+8B", "--flip", "1F", "--json").json
    assert (answer["win"], answer["legal"], answer["fan"], answer["elements"]) == (True, False, 1, ["diliu"])


def test_waits_answers_as_the_contract_says(run):
    answer = run("waits", *WAITING, "--json").json
    kandan = {"legal": True, "fan": 3, "elements": ["zhuowu"], "shape": "kandan"}
    assert answer == {
        "waits": {
            "5W": kandan | {"left": 4},
            "9T": {"legal": False, "fan": 1, "elements": ["diliu"], "left": 3, "shape": "dandiao"},
            "1F": kandan | {"left": 2},
            "2F": kandan | {"left": 4},
        }
    }
    assert list(answer["waits"]) == ["5W", "9T", "1F", "2F"]


def test_waiting_for_nothing(run):
    assert run("waits", "147W258T369B1J2J3J3F", "--flip", "9W", "--json").json == {"waits": {}}


def test_rules_in_json(run):
    assert list(run("rules", "--json").json) == ["tianjin", "tianjin-hall", "tianjin-street", "jintan"]
    written = run("rules", "tianjin-street", "--json").json
    assert written == {"name": "tianjin-street", **tjmj.rules("tianjin-street").options()}
    # What is printed can be given back.
    line = {"hand": ZHUOWU[0], "flip": "1F", "rules": written, "earthly": False}
    assert run("score", "--batch", "-", stdin=jsonl(line)).json["fan"] == 3


def test_circumstances(run):
    kong = ("score", "[8888T]46W234T12399B+5W", "--flip", "1F", "--json")
    assert run(*kong).json["fan"] == 6
    assert run(*kong, "--kong-draw").json["name"] == "杠开素捉五"
    street = ("score", *ZHUOWU, "--rules", "tianjin-street", "--json")
    assert run(*street, "--ready").json["elements"] == ["tianting", "zhuowu"]
    assert run(*street, "--earthly").json["elements"] == ["dihu", "zhuowu"]
    heavenly = run("score", "456W234T789T12399B", "--flip", "1F", "--heavenly", "--json").json
    assert (heavenly["fan"], heavenly["elements"]) == (24, ["su", "tianhu", "zhuowu"])


def test_set_changes_an_option(run):
    assert run("score", *ZHUOWU, "--set", "min_fan=4", "--json").json["legal"] is False
    assert run("score", *ZHUOWU, "--set", "min_fan=4", "--set", "cap=none", "--json").json["fan"] == 3
    one = run("waits", *WAITING, "--set", "wild_kinds=1", "--json").json["waits"]
    assert list(one) == ["5W", "9T", "1F"]


def test_none_flipped(run):
    plain = run("score", "46W123B789B11T1T9T9T+5W", "--flip", "-1", "--json").json
    assert plain["elements"] == ["su", "zhuowu"]
    line = {"hand": "46W123B789B11T1T9T9T+5W", "flip": -1}
    assert run("score", "--batch", "-", stdin=jsonl(line)).json == plain


@pytest.mark.parametrize("flip", ["1z", "1F"])
def test_mpsz(run, flip):
    answer = run("score", "46m123p789p111s9s1z+5m", "--flip", flip, "--notation", "mpsz", "--json")
    assert answer.json["elements"] == ["zhuowu"]


def test_mpsz_differs_in_dragons(run):
    hand = ("waits", "123456789m123p5z", "--flip", "1z", "--json", "--notation")
    assert "3J" in run(*hand, "mpsz").json["waits"]
    assert "1J" in run(*hand, "mpsz-cn").json["waits"]


# Faults


@pytest.mark.parametrize(
    "args, told",
    [
        ([], "Missing command"),
        (["sing"], "'sing'"),
        (["--loud"], "--loud"),
        (["score"], "HAND"),
        (["waits"], "HAND"),
        (["score", "1W"], "--flip"),
        (["score", "1W", "--flip"], "--flip"),
        (["score", "1W", "2W", "--flip", "1F"], "2W"),
        (["score", *ZHUOWU, "--flap"], "--flap"),
        (["score", *ZHUOWU, "--json=yes"], "--json"),
        (["score", "46W123B789B11T9T1F1T+X", "--flip", "1F"], "at character 22: 'X' is no tile"),
        (["score", "46m123p789p11s9s1z1s+5m", "--flip", "1F"], "notation='mpsz'"),
        (["score", "46W\n\x1b[2J", "--flip", "1F"], r"'\x1b'"),
        (["score", "\udcff", "--flip", "1F"], r"\udcff"),
        (["score", "5" * 100_000, "--flip", "1F"], "too long"),
        (["score", "46W123B+5W", "--flip", "1F"], "there must be 13"),
        (["score", "55555W123B789B111T+5W", "--flip", "1F"], "more than 4 of 5W"),
        (["score", "[555W", "--flip", "1F"], "not closed"),
        (["score", "[345W]123B789B11T1T+1T", "--flip", "1F"], "no chow"),
        (["score", "[111F]123B789B11T1T+1T", "--flip", "1F"], "wildcard"),
        (["score", WAITING[0], "--flip", "1F"], "winning tile"),
        (["score", WAITING[0] + "5W", "--flip", "1F"], "which tile won"),
        (["waits", ZHUOWU[0], "--flip", "1F"], "has drawn"),
        (["score", ZHUOWU[0], "--flip", "0W"], "'0W'"),
        (["score", ZHUOWU[0], "--flip", "1W2W"], "2 tiles"),
        (["score", ZHUOWU[0], "--flip", ""], "0 tiles"),
        (["score", ZHUOWU[0], "--flip", "1H"], "flower"),
        (["score", ZHUOWU[0], "--flip", "8z", "--notation", "mpsz"], "8z"),
        (["score", *ZHUOWU, "--rules", "peking"], "'peking'"),
        (["score", *ZHUOWU, "--set", "cap"], "OPTION=VALUE"),
        (["score", *ZHUOWU, "--set", "hat=1"], "'hat'"),
        (["score", *ZHUOWU, "--set", "min_fan=0"], "min_fan"),
        (["score", *ZHUOWU, "--set", "cap=" + "9" * 5000], "cap"),
        (["score", *ZHUOWU, "--set", "chuai=maybe"], "chuai"),
        (["score", *ZHUOWU, "--notation", "tenhou"], "tenhou"),
        (["score", *ZHUOWU, "--kong-draw"], "without a kong"),
        (["score", *ZHUOWU, "--earthly"], "earthly"),
        (["score", *ZHUOWU, "--ready"], "heavenly_ready"),
        (["score", "[888T]46W234T99B333J+5W", "--flip", "1F", "--heavenly"], "without melds"),
        (["waits", *WAITING, "--kong-draw"], "--kong-draw"),
        (["score", "--batch", "no/such/file"], "no/such/file"),
        (["score", "--batch", str(TESTS)], "irectory" if os.name == "posix" else ""),
        (["score", "--batch", "-", "--flip", "1F"], "--flip"),
        (["score", "--batch", "-", "--heavenly"], "--heavenly"),
        (["score", "--batch", "-", "--file", "-"], "--file"),
        (["score", "1W", "--batch", "-"], "HAND"),
        (["waits", "1W", "--batch", "-"], "HAND"),
        (["score", "--file", "-", "--json"], "--json"),
        (["rules", "peking"], "'peking'"),
        (["rules", "tianjin", "street"], "street"),
    ],
)
def test_a_fault_is_one_line(run, args, told):
    answer = run(*args)
    assert (answer.status, answer.out) == (2, "")
    assert told in answer.err and is_one_line(answer.err)


@pytest.mark.parametrize("name", ["stdin", "stdout"])
def test_a_closed_standard_stream(capsys, monkeypatch, name):
    monkeypatch.setattr(sys, name, None)
    assert main(["score", "--batch", "-"]) == 2
    assert "closed" in capsys.readouterr().err


@pytest.mark.parametrize("module", ["click", "rich"])
@pytest.mark.parametrize("args", [(), ("score", *ZHUOWU, "--json"), ("rules", "--json"), ("--help",)])
def test_without_the_extra_the_command_says_what_to_install(run, monkeypatch, module, args):
    monkeypatch.setitem(sys.modules, module, None)
    answer = run(*args)
    assert (answer.status, answer.out) == (2, "")
    assert 'pip install "tjmj[cli]"' in answer.err and answer.err.count("\n") == 1


@pytest.mark.process
@pytest.mark.parametrize("module", ["click", "rich"])
def test_without_the_extra_in_a_process(module):
    program = f"""
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {module!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Blocker())
from tjmj.cli import main
sys.exit(main())
"""
    done = process("score", *ZHUOWU, "--json", python=("-c", program))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"tjmj[cli]" in done.stderr and done.stderr.count(b"\n") == 1


# Batches


@pytest.mark.parametrize("name", ["fan_table", "random", "reported", "waits"])
def test_golden(run, name):
    cases = [json.loads(line) for line in (GOLDEN / f"tianjin_{name}.jsonl").read_text("utf-8").splitlines()]
    asked = jsonl(*[{key: case[key] for key in case.keys() - {"want", "name"}} for case in cases])
    answer = run("waits" if name == "waits" else "score", "--batch", "-", stdin=asked)
    assert answer.status == 0 and len(answer.lines) == len(cases)
    for case, got in zip(cases, answer.lines, strict=True):
        if name == "waits":
            for wait in got["waits"].values():
                assert wait.pop("shape") in ("hundiao", "dandiao", "duidao", "kandan", "liangmian")
        else:
            groups = got.pop("reading")
            assert (groups is None) is not got["win"]
            assert (got.pop("name") == "") is not got["win"]
            assert groups is None or sum(group["win"] is not None for group in groups) == 1
        assert got == case["want"], case


FINE = {"hand": ZHUOWU[0], "flip": "1F"}
DEEP = b'{"hand": "1W", "rules": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"
BAD_LINES = [
    (b"{", "truncated"),
    (b"hello", "JSON"),
    (b"\xff\xfe", "JSON"),
    (b'{"hand": "\xff", "flip": "1F"}', "utf-8"),
    (b'{"hand": "1W", "flip": "1F", "rules": "\xff"}', "utf-8"),
    (b'{"hand": "\\ud800", "flip": "1F"}', ""),
    (b"[]", "object"),
    (b"null", "object"),
    (b"{}", "hand"),
    (b'{"hand": "1W"} {}', "trailing"),
    (b"[" * 60_000, "object"),
    (DEEP, "nested too deep"),
    (b'{"hand": "' + b"1" * 70_000 + b'"}', "longer than"),
    (b'{"hand": "1W", "flip": ' + b"9" * 6000 + b"}", "$.flip"),
    ({"hand": 5, "flip": "1F"}, "$.hand"),
    ({"hand": None, "flip": "1F"}, "$.hand"),
    ({"hand": ZHUOWU[0]}, "flip"),
    (FINE | {"flip": None}, "flip"),
    (FINE | {"flip": 27}, "27"),
    (FINE | {"flip": 1.5}, "$.flip"),
    (FINE | {"flip": True}, "$.flip"),
    (FINE | {"flip": "1F2F"}, "2 tiles"),
    (FINE | {"kong_draw": 1}, "$.kong_draw"),
    (FINE | {"heavenly": "yes"}, "$.heavenly"),
    (FINE | {"ready": None}, "$.ready"),
    (FINE | {"kong_draw": True}, "without a kong"),
    (FINE | {"earthly": True}, "earthly"),
    (FINE | {"kongdraw": True}, "kongdraw"),
    (FINE | {"source": "self"}, "source"),
    (FINE | {"flowers": 0}, "flowers"),
    (FINE | {"hand": "46W123B789B11T9T1F1T+X"}, "at character 22: 'X' is no tile"),
    (FINE | {"hand": "46W+5W"}, "there must be 13"),
    (FINE | {"hand": WAITING[0]}, "winning tile"),
    (FINE | {"hand": ""}, "0 concealed"),
    (FINE | {"rules": "peking"}, "'peking'"),
    (FINE | {"rules": ""}, "''"),
    (FINE | {"rules": {}}, "no name"),
    (FINE | {"rules": {"name": 1}}, "no name"),
    (FINE | {"rules": {"name": "peking"}}, "'peking'"),
    (FINE | {"rules": {"name": "tianjin", "hat": 1}}, "'hat'"),
    (FINE | {"rules": {"name": "tianjin", "min_fan": True}}, "min_fan"),
    (FINE | {"rules": {"name": "tianjin", "cap": 1.0}}, "rules"),
    (FINE | {"rules": {"name": "tianjin", "cap": [1]}}, "rules"),
    (FINE | {"rules": None}, "rules"),
    (FINE | {"rules": 7}, "rules"),
]


def test_bad_lines_are_answered_and_the_rest_go_on(run):
    asked = jsonl(*[part for line, _ in BAD_LINES for part in (line, FINE)])
    answer = run("score", "--batch", "-", stdin=asked)
    assert answer.status == 1 and answer.err == ""
    fine = run("score", *ZHUOWU, "--json").json
    answers = answer.lines
    assert len(answers) == 2 * len(BAD_LINES)
    for (line, told), got, after in zip(BAD_LINES, answers[::2], answers[1::2], strict=True):
        assert list(got) == ["error"], line
        assert told.lower() in got["error"].lower() and len(got["error"]) < 1000, (line, got)
        assert after == fine


def test_bad_lines_of_waits(run):
    asked = jsonl({"hand": WAITING[0], "flip": "1F"}, {"hand": WAITING[0]}, FINE, FINE | {"kong_draw": False})
    answer = run("waits", "--batch", "-", stdin=asked)
    assert answer.status == 1
    assert [list(line) for line in answer.lines] == [["waits"], ["error"], ["error"], ["error"]]


def test_rules_of_a_line(run):
    """A line's rules are all its own; the command's are for lines that name none."""
    asked = jsonl(
        FINE,
        FINE | {"rules": "tianjin"},
        FINE | {"rules": {"name": "tianjin", "min_fan": 1}},
        FINE | {"rules": {"name": "tianjin", "min_fan": 4, "cap": None}},
        FINE | {"rules": {"min_fan": True, "name": "tianjin"}},
        FINE | {"rules": {"name": "tianjin-street"}, "ready": True},
    )
    answer = run("score", "--batch", "-", "--set", "min_fan=5", stdin=asked)
    assert [line.get("legal") for line in answer.lines] == [False, True, True, False, None, True]


def test_blank_lines_and_line_ends(run, tmp_path):
    file = tmp_path / "hands.jsonl"
    line = json.dumps(FINE).encode()
    file.write_bytes(b"\n \t\r\n" + line + b"\r\n\n" + line + b"\n" + line)
    answer = run("score", "--batch", file)
    assert answer.status == 0 and [got["fan"] for got in answer.lines] == [3, 3, 3]
    assert run("score", "--batch", "-", stdin=b"") == Answer(0, "", "")


class Dribble(io.RawIOBase):
    """A stream that gives a few bytes at a time."""

    def __init__(self, data, size):
        self.data, self.size = data, size

    def readable(self):
        return True

    def read1(self, _):
        piece, self.data = self.data[: self.size], self.data[self.size :]
        return piece


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_blocks_end_anywhere(capsysbinary, size):
    lines = [json.dumps(FINE).encode(), b"x" * 3000, b"", json.dumps(FINE).encode()]
    status = batch.run(Dribble(b"\n".join(lines), size), batch.ScoreLines(tjmj.rules()))
    answers = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert status == 1 and [answer.get("fan") for answer in answers] == [3, None, 3]


def test_of_a_line_without_end_only_the_beginning_is_kept(capsysbinary):
    class Endless:
        blocks = 0

        def read1(self, size):
            self.blocks += 1
            return b"" if self.blocks > 500 else b"[" * size

    status = batch.run(Endless(), batch.ScoreLines(tjmj.rules()))
    assert status == 1 and b"longer than" in capsysbinary.readouterr().out


# Processes


@pytest.mark.process
def test_in_a_process():
    done = process("score", *ZHUOWU, "--json", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["name"] == "捉五"
    done = process("rules", "peking")
    assert (done.returncode, done.stdout) == (2, b"") and done.stderr.count(b"\n") == 1


@pytest.mark.process
def test_an_encoding_without_chinese():
    done = process("score", *ZHUOWU, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"46W1119T123789B1F+5W" in done.stdout and b"zhuowu" in done.stdout


@pytest.mark.process
def test_what_is_imported():
    program = """
import sys
import tjmj
assert not {"click", "rich", "msgspec", "tjmj.cli"} & set(sys.modules)
from tjmj.cli import main
assert main(["score", "--batch", "-"]) == 0
assert main(["waits", *sys.argv[1:], "--json"]) == 0
assert "rich" not in sys.modules
"""
    done = process(*WAITING, python=("-c", program), input=jsonl(FINE))
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_answers_come_as_lines_go_in_and_an_interrupt_is_quiet():
    command = [sys.executable, "-m", "tjmj", "score", "--batch", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=listen_to_interrupts
    ) as child:
        child.stdin.write(jsonl(FINE))
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["fan"] == 3
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=30) == 130
        assert child.stderr.read() == b"" and child.stdout.read() == b""


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("args", [("score", "--batch", "-"), ("score", "--file", EXAMPLES)])
def test_a_reader_that_is_gone(args):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "tjmj", *args]
    done = subprocess.run(
        command, input=jsonl(FINE), stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


# What is drawn for people


def drawn(text):
    return [line.rstrip() for line in text.splitlines()]


def test_a_score_drawn(run):
    answer = run("score", "[8888T]46W234T1F1399B+5W", "--flip", "1F", "--kong-draw")
    assert drawn(answer.out) == [
        "[8888T]46W234T1399B1F+5W  flip 1F  wild 混 东 南  tianjin",
        "",
        "  [八 八 八 八] 四 六 二 三 四 一 三 九 九 东 + 五",
        "  [条 条 条 条] 万 万 条 条 条 饼 饼 饼 饼      万",
        "                                           混",
        "",
        "  明杠 exposed kong  八条 八条 八条 八条",
        "  顺子 sequence      四万 +五万 六万",
        "  顺子 sequence      二条 三条 四条",
        "  顺子 sequence      一饼 东=二饼 三饼",
        "  将 pair            九饼 九饼",
        "",
        "  杠开捉五  6 番 + 杠 1  may win",
        "  捉五 3 × 杠开 2 = 6",
        "  杠开 gangkai, 捉五 zhuowu",
    ]


def test_why_a_hand_may_not_win(run):
    answer = run("score", "123W345T67799B11F+8B", "--flip", "1F")
    assert "may not win: to win takes 2 番 (min_fan)" in answer.out
    assert "not complete" in run("score", "46W234T789T1299B3F+5W", "--flip", "1F").out


def test_waits_drawn(run):
    lines = drawn(run("waits", *WAITING, "--set", "cap=none").out)
    assert lines[0].endswith("tianjin cap=none")
    assert [line.split() for line in lines[-7:]] == [
        ["tile", "left", "wait", "score", "fan", "may", "win"],
        ["5W", "五万", "4", "坎单", "kandan", "捉五", "3", "yes"],
        ["9T", "九条", "3", "单吊", "dandiao", "提溜", "1", "no"],
        ["1F", "东", "2", "坎单", "kandan", "捉五", "3", "yes"],
        ["2F", "南", "4", "坎单", "kandan", "捉五", "3", "yes"],
        [],
        "4 kinds, 13 tiles left; to win takes 2 番 (min_fan)".split(),
    ]
    assert "waits for nothing" in run("waits", "147W258T369B1J2J3J3F", "--flip", "9W").out


@pytest.mark.parametrize(
    "hand, name",
    [
        ("123W234T789T456B1F", "混吊"),
        ("123W234T789T456B9W", "单吊"),
        ("1199W234T789T456B", "对倒"),
        ("46W99B234T789T456B", "坎单"),
        ("34W99B234T789T456B", "两面"),
    ],
)
def test_every_shape_has_a_name(run, hand, name):
    assert name in run("waits", hand, "--flip", "1F").out


def test_rules_drawn(run):
    assert [line.split()[0] for line in drawn(run("rules").out)[1:]] == [
        "tianjin", "tianjin-hall", "tianjin-street", "jintan",
    ]  # fmt: skip
    assert "*" not in run("rules", "tianjin").out
    hall = run("rules", "tianjin-hall").out
    marked = [line.split()[0] for line in hall.splitlines() if " * " in line]
    assert marked == ["gold_kong_by_discard", "chan", "cap"]


def cells(line):
    from rich.cells import cell_len

    return cell_len(line)


@pytest.mark.parametrize(
    "args",
    [
        ("score", "--file", EXAMPLES),
        ("score", "{1111F}[8888T]{9999B}[5555W]4W+4W", "--flip", "2F", "--kong-draw"),
        ("score", "123W1H2H456T789B33F+4F", "--flip", "1F", "--set", "flower_wilds=yes"),
        ("waits", "123W234T789T456B1F", "--flip", "1F"),
        ("rules",),
        ("rules", "tianjin-street"),
    ],
)
def test_eighty_columns_are_enough(run, args, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out = run(*args).out
    assert "…" not in out and "\x1b" not in out
    assert max(cells(line.rstrip()) for line in out.splitlines()) <= 80


def test_the_examples_are_what_their_remarks_say(run):
    out = run("score", "--file", EXAMPLES)
    assert (out.status, out.err) == (0, "")
    worth = [line.strip() for line in out.out.splitlines() if re.search("  may |  not complete", line)]
    assert [re.sub("  may .*", "", line) for line in worth] == [
        "提溜  1 番",
        "素提溜  2 番",
        "捉五  3 番",
        "素捉五  6 番",
        "混吊  2 番",
        "龙  4 番",
        "本混龙  8 番",
        "双混吊本混捉五龙  28 番",
        "杠开素捉五  12 番 + 杠 1",
        "杠开捉五  6 番 + 杠 4",
        "天和素捉五  24 番",
        "not complete: no four sets and a pair",
    ]


@pytest.mark.parametrize(
    "text, told",
    [
        (b"46W", "stands alone"),
        (b"46W 1F sideways", "'sideways'"),
        (b"46W 1F", "there must be 13"),
        (b"46W X", "'X'"),
        (b"\xff", "UTF-8"),
        (ZHUOWU[0].encode() + b" 1F kong-draw", "without a kong"),
    ],
)
def test_a_fault_in_a_file_of_hands_is_told_with_its_line(run, text, told):
    answer = run("score", "--file", "-", stdin=f"# fine\n{ZHUOWU[0]} 1F # so far\n\n".encode() + text)
    assert answer.status == 2
    assert answer.out.count("捉五 zhuowu") == 1 and answer.out.startswith("# fine\n")
    assert answer.err.startswith("tjmj: -:4: ") and told in answer.err and answer.err.count("\n") == 1


def test_help(run):
    assert "score" in run("--help").out
    for command in ("score", "waits", "rules"):
        answer = run(command, "-h")
        assert answer.status == 0 and "Usage: tjmj " + command in answer.out
    assert run("--version").out == f"tjmj {tjmj.__version__}\n"
