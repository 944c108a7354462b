"""`tjmj score`, `waits` and `rules` where flowers are counted and a discard wins (spec: cli, jintan)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from commands import is_one_line, jsonl, runner
from rich.cells import cell_len

import tjmj

GOLDEN = Path(__file__).parent / "golden" / "jintan_random.jsonl"
CASES = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]
RULES = ("--rules", "jintan")
KONGS = "[333F]{1111J}[8888T]46W22F+5W"
HONOUR = "[345W]{1111J}123B44F99T"
PLAIN = "45W11T123B456B777B"
TIANJIN = ("46W123B789B11T9T1F1T+5W", "--flip", "1F")
FINE = {"hand": PLAIN + "+6W", "rules": "jintan"}


@pytest.fixture
def run(capsysbinary, monkeypatch):
    return runner(capsysbinary, monkeypatch)


# The fixed forms


def test_golden(run):
    asked = jsonl(*[{key: case[key] for key in case.keys() - {"want"}} for case in CASES])
    answer = run("score", "--batch", "-", stdin=asked)
    assert answer.status == 0 and len(answer.lines) == len(CASES)
    for case, got in zip(CASES, answer.lines, strict=True):
        groups = got.pop("reading")
        assert (groups is None) is not got["win"]
        assert (got.pop("name") == "") is not got["win"]
        assert got == case["want"], case


@pytest.mark.parametrize("case", CASES[::40], ids=lambda case: case["hand"])
def test_one_hand_and_a_batch_of_one_give_the_same_answer(run, case):
    circumstances = ("--source", case["source"], "--flowers", case["flowers"])
    alone = run("score", case["hand"], *circumstances, *RULES, "--json")
    asked = {key: case[key] for key in case.keys() - {"want", "rules"}}
    assert alone == run("score", "--batch", "-", *RULES, stdin=jsonl(asked))


def test_score_answers_as_the_contract_says(run):
    answer = run("score", HONOUR + "+4F", "--source", "discard", "--flowers", "2", "--json", *RULES)
    assert answer.json == {
        "win": True,
        "legal": True,
        "fan": 0,
        "elements": ["jihu"],
        "name": "鸡胡",
        "reading": [
            {"group": "sequence", "face": "345W", "tiles": ["3W", "4W", "5W"], "win": None, "meld": "exposed"},
            {"group": "kong", "face": "1111J", "tiles": ["1J"] * 4, "win": None, "meld": "concealed"},
            {"group": "sequence", "face": "123B", "tiles": ["1B", "2B", "3B"], "win": None, "meld": None},
            {"group": "triplet", "face": "444F", "tiles": ["4F"] * 3, "win": 0, "meld": None},
            {"group": "pair", "face": "99T", "tiles": ["9T", "9T"], "win": None, "meld": None},
        ],
        "flowers": 7,
        "points": 45,
    }


def test_the_source_makes_a_difference(run):
    hand = ("score", HONOUR + "+4F", *RULES, "--json")
    own = run(*hand).json
    assert own == run(*hand, "--source", "self", "--flowers", "0").json
    assert (own["fan"], own["flowers"], own["points"]) == (0, 6, 40)
    kong = run(*hand, "--source", "kong").json
    assert (kong["elements"], kong["flowers"], kong["points"]) == (["gangkai"], 6, 80)
    assert run(*hand, "--source", "discard").json["flowers"] == 5
    robbed = run("score", PLAIN + "+6W", *RULES, "--source", "rob", "--json").json
    assert (robbed["elements"], robbed["name"], robbed["legal"]) == (["jihu", "qianggang"], "抢杠鸡胡", True)


def test_flowers_and_points_are_told_wherever_the_shape_is_complete(run):
    little = run("score", PLAIN + "+6W", *RULES, "--source", "discard", "--json").json
    assert [little[key] for key in ("win", "legal", "flowers", "points")] == [True, False, 0, 10]
    apart = run("score", PLAIN + "+6B", *RULES, "--flowers", "8", "--json").json
    assert [apart[key] for key in ("win", "legal", "flowers", "points")] == [False, False, 0, 0]
    assert apart["reading"] is None
    assert not {"flowers", "points"} & run("score", *TIANJIN, "--json").json.keys()


def test_a_self_draw_need_not_say_which_tile_came_last(run):
    answer = run("score", "456W11T123B456B777B", *RULES, "--flowers", "1", "--json").json
    assert (answer["points"], {group["win"] for group in answer["reading"]}) == (15, {None})
    assert run("score", "456W11T123B456B777B", *RULES, "--source", "discard").status == 2


def test_waits_answers_as_the_contract_says(run):
    jihu = {"fan": 0, "elements": ["jihu"]}
    assert run("waits", HONOUR, *RULES, "--flowers", "1", "--json").json == {
        "waits": {
            "9T": {
                "left": 2,
                "shape": "duidao",
                "self": jihu | {"flowers": 5, "points": 35},
                "discard": {"legal": True} | jihu | {"flowers": 5, "points": 35},
            },
            "4F": {
                "left": 2,
                "shape": "duidao",
                "self": jihu | {"flowers": 7, "points": 45},
                "discard": {"legal": True} | jihu | {"flowers": 6, "points": 40},
            },
        }
    }
    poor = run("waits", PLAIN, *RULES, "--json").json["waits"]
    assert {tile: wait["discard"]["legal"] for tile, wait in poor.items()} == {"3W": False, "6W": False}


def test_a_batch_of_waits(run):
    asked = jsonl(
        {"hand": HONOUR, "flowers": 1},
        {"hand": HONOUR, "flowers": 9},
        {"hand": HONOUR, "source": "self"},
        {"hand": TIANJIN[0][:-3], "flip": "1F", "rules": "tianjin"},
        {"hand": TIANJIN[0][:-3], "flip": "1F", "rules": "tianjin", "flowers": 0},
    )
    answer = run("waits", "--batch", "-", *RULES, stdin=asked)
    assert answer.status == 1
    assert answer.lines[0] == run("waits", HONOUR, *RULES, "--flowers", "1", "--json").json
    assert "0 to 8" in answer.lines[1]["error"] and "source" in answer.lines[2]["error"]
    assert "waits" in answer.lines[3] and "flowers" in answer.lines[4]["error"]


def test_rules_in_json_can_be_given_back(run):
    assert run("rules", "--json").json["jintan"]
    written = run("rules", "jintan", "--json").json
    assert list(written) == ["name", *tjmj.rules_options("jintan")]
    assert run("score", "--batch", "-", stdin=jsonl(FINE | {"rules": written})).json["points"] == 10


def test_set_changes_an_option(run):
    hand = ("score", HONOUR + "+4F", *RULES, "--json", "--source", "discard")
    assert run(*hand, "--set", "base=100", "--set", "value=7").json["points"] == 135
    assert run(*hand, "--set", "min_flowers=6").json["legal"] is False
    doubled = ("score", "1199T55W1122F33J44B", *RULES, "--json", "--set")
    assert run(*doubled, "cap_fan=1").json["points"] == 20
    assert run(*doubled, "cap_fan=10").json["points"] == 40


# Faults


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["score", KONGS, *RULES, "--flip", "1F"], "--flip"),
        (["score", KONGS, *RULES, "--flip", "-1"], "--flip"),
        (["score", KONGS, *RULES, "--kong-draw"], "--kong-draw"),
        (["score", KONGS, *RULES, "--heavenly"], "--heavenly"),
        (["score", KONGS, *RULES, "--earthly"], "--earthly"),
        (["score", KONGS, *RULES, "--ready"], "--ready"),
        (["score", KONGS, *RULES, "--source", "luck"], "'luck'"),
        (["score", KONGS, *RULES, "--source", ""], "''"),
        (["score", KONGS, *RULES, "--flowers", "9"], "0 to 8"),
        (["score", KONGS, *RULES, "--flowers", "-1"], "0 to 8"),
        (["score", KONGS, *RULES, "--flowers", "9" * 5000], "--flowers"),
        (["score", KONGS, *RULES, "--flowers", "two"], "--flowers"),
        (["score", PLAIN + "+6W", *RULES, "--source", "kong"], "without a kong"),
        (["score", HONOUR + "+4F", *RULES, "--source", "rob"], "the other three 4F"),
        (["score", PLAIN, *RULES], "waits"),
        (["score", "1H45W11T123B456B77B+6W", *RULES], "1H"),
        (["score", *TIANJIN, "--source", "self"], "--source"),
        (["score", *TIANJIN, "--flowers", "0"], "--flowers"),
        (["score", TIANJIN[0], *RULES[:1], "tianjin-street"], "Missing --flip"),
        (["score", "--batch", "-", *RULES, "--source", "self"], "--source"),
        (["score", "--batch", "-", *RULES, "--flowers", "0"], "--flowers"),
        (["score", "--file", "-", *RULES, "--flowers", "0"], "--flowers"),
        (["waits", PLAIN, *RULES, "--flip", "1F"], "--flip"),
        (["waits", PLAIN, *RULES, "--source", "self"], "--source"),
        (["waits", PLAIN, *RULES, "--flowers", "9"], "0 to 8"),
        (["waits", PLAIN, "--flip", "1F", "--flowers", "0"], "--flowers"),
        (["waits", "--batch", "-", *RULES, "--flowers", "0"], "--flowers"),
        (["waits", *RULES], "HAND"),
    ],
)
def test_a_fault_is_one_line(run, args, told):
    answer = run(*args)
    assert (answer.status, answer.out) == (2, "")
    assert told in answer.err and is_one_line(answer.err)


BAD_LINES = [
    (FINE | {"flip": "1F"}, "flip"),
    (FINE | {"kong_draw": True}, "source"),
    (FINE | {"heavenly": True}, "source"),
    (FINE | {"ready": True}, "source"),
    (FINE | {"source": None}, "$.source"),
    (FINE | {"source": 1}, "$.source"),
    (FINE | {"source": "luck"}, "'luck'"),
    (FINE | {"source": "kong"}, "without a kong"),
    (FINE | {"hand": HONOUR + "+4F", "source": "rob"}, "the other three 4F"),
    (FINE | {"flowers": None}, "$.flowers"),
    (FINE | {"flowers": "1"}, "$.flowers"),
    (FINE | {"flowers": True}, "$.flowers"),
    (FINE | {"flowers": 1.5}, "$.flowers"),
    (FINE | {"flowers": -1}, "0 to 8"),
    (FINE | {"flowers": 9}, "0 to 8"),
    (FINE | {"flowers": 10**18}, "0 to 8"),
    (FINE | {"hand": PLAIN}, "waits"),
    ({"hand": TIANJIN[0], "flip": "1F", "source": "self"}, "source"),
    ({"hand": TIANJIN[0], "flip": "1F", "flowers": 0}, "flowers"),
]


def test_bad_lines_are_answered_and_the_rest_go_on(run):
    asked = jsonl(*[part for line, _ in BAD_LINES for part in (line, FINE)])
    answer = run("score", "--batch", "-", stdin=asked)
    assert (answer.status, answer.err) == (1, "")
    fine = run("score", FINE["hand"], *RULES, "--json").json
    for (line, told), got, after in zip(BAD_LINES, answer.lines[::2], answer.lines[1::2], strict=True):
        assert list(got) == ["error"] and told in got["error"], (line, got)
        assert after == fine


# What is drawn for people


def test_a_score_drawn(run):
    assert run("score", KONGS, *RULES, "--flowers", "2").drawn == [
        "[333F]{1111J}[8888T]46W22F+5W  自摸 self  jintan",
        "",
        "  [西 西 西] {中 中 中 中} [八 八 八 八] 四 六 南 南 + 五",
        "  [        ] {           } [条 条 条 条] 万 万         万",
        "",
        "  碰 exposed triplet   西 西 西",
        "  暗杠 concealed kong  中 中 中 中",
        "  明杠 exposed kong    八条 八条 八条 八条",
        "  顺子 sequence        四万 +五万 六万",
        "  将 pair              南 南",
        "",
        "  2 花  laid out",
        "  1 花  碰 exposed triplet of an honour   西 西 西",
        "  4 花  暗杠 concealed kong of an honour  中 中 中 中",
        "  1 花  明杠 exposed kong                 八条 八条 八条 八条",
        "  8 花  in all",
        "",
        "  鸡胡  0 番  8 花  50 points  may win",
        "  (10 + 8 花 × 5) × 2^0 = 50 [0]",
        "  鸡胡 jihu",
    ]


def test_a_triplet_that_a_discard_completes_counts_as_exposed(run):
    own, taken = (run("score", HONOUR + "+4F", *RULES, "--source", source) for source in ("self", "discard"))
    assert "  2 花  刻子 triplet of an honour         +北 北 北" in own.drawn
    assert "  1 花  刻子 triplet of an honour, by the discard  +北 北 北" in taken.drawn
    assert "吃炮 discard" in taken.drawn[0]


def test_seven_pairs_count_what_is_laid_out_alone(run):
    lines = run("score", "11119T55W2222F33J+9T", *RULES, "--source", "discard", "--flowers", "3").drawn
    assert [line for line in lines if "对子 pair" in line] == lines[5:12]
    assert lines[13:15] == ["  3 花  laid out", ""]
    assert lines[15:] == [
        "  七对  2 番  3 花  100 points  may win",
        "  (10 + 3 花 × 5) × 2^2 = 100 [七对 2]",
        "  七对 qidui",
    ]


def test_why_a_hand_may_not_win(run):
    lines = run("score", PLAIN + "+6W", *RULES, "--source", "discard").drawn
    assert lines[-4:-2] == [
        "  鸡胡  0 番  0 花  10 points",
        "  may not win: to win on a discard takes 1 花 (min_flowers) or 1 番",
    ]
    lines = run("score", KONGS, *RULES, "--source", "discard", "--set", "min_flowers=9").drawn
    assert "  may not win: to win on a discard takes 9 花 (min_flowers) or 1 番" in lines
    assert "not complete: no four sets and a pair, and no seven pairs" in run(
        "score", "147W258T369B1234F+1J", *RULES
    ).out


@pytest.mark.parametrize("case", [case for case in CASES if case["want"]["win"]][::12], ids=lambda case: case["hand"])
def test_the_lines_of_flowers_add_up(run, case):
    lines = run("score", case["hand"], "--source", case["source"], "--flowers", case["flowers"], *RULES).drawn
    counts = [(int(match[1]), match[2]) for line in lines if (match := re.match(r" +(\d+) 花  (.*)", line))]
    assert counts[0] == (case["flowers"], "laid out")
    total = case["want"]["flowers"]
    if len(counts) > 1:
        assert counts.pop() == (total, "in all")
    assert sum(count for count, _ in counts) == total and all(count for count, _ in counts[1:])


def test_waits_drawn(run):
    lines = run("waits", HONOUR, *RULES, "--flowers", "1").drawn
    assert lines[0] == "[345W]{1111J}99T123B44F  1 花 laid out  jintan"
    assert lines[-5:] == [
        "  tile        left  wait          score  fan  self-draw  discard",
        "  9T    九条     2  对倒  duidao  鸡胡     0    5 花 35  5 花 35",
        "  4F    北       2  对倒  duidao  鸡胡     0    7 花 45  6 花 40",
        "",
        "  2 kinds, 4 tiles left; to win on a discard takes 1 花 (min_flowers) or 1 番",
    ]
    assert [line.split()[-1] for line in run("waits", PLAIN, *RULES).drawn[-4:-2]] == ["no", "no"]
    assert "waits for nothing" in run("waits", "147W258T369B1234F", *RULES).out


def test_rules_drawn(run):
    assert run("rules").drawn[-1].split()[0] == "jintan"
    lines = run("rules", "jintan").drawn
    assert [line.split()[0] for line in lines[2:] if not line.startswith(" ")] == list(tjmj.rules_options("jintan"))
    # It differs from nothing: the presets of another ruleset are no measure for it.
    assert not any("*" in line or "differs" in line for line in lines)


def test_a_file_of_hands(run):
    text = f"# 抢杠\n{PLAIN}+6W rob\n\n{HONOUR}+4F discard flowers=2 # so far\n{HONOUR}+4F\n"
    answer = run("score", "--file", "-", *RULES, stdin=text.encode())
    assert (answer.status, answer.err) == (0, "")
    assert [line.split(" points")[0] for line in answer.drawn if "points" in line] == [
        "  抢杠鸡胡  0 番  0 花  10", "  鸡胡  0 番  7 花  45", "  鸡胡  0 番  6 花  40",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("1F", "'1F'"),
        ("kong-draw", "'kong-draw'"),
        ("flowers=9", "'flowers=9'"),
        ("discard rob", "another source"),
        ("flowers=1 flowers=2", "another flowers"),
        ("kong", "without a kong"),
    ],
)
def test_a_fault_in_a_file_of_hands_is_told_with_its_line(run, words, told):
    answer = run("score", "--file", "-", *RULES, stdin=f"{PLAIN}+6W\n{PLAIN}+6W {words}\n".encode())
    assert answer.status == 2 and is_one_line(answer.err)
    assert answer.err.startswith("tjmj: -:2: ") and told in answer.err


@pytest.mark.parametrize(
    "args",
    [
        ("score", "{1111F}{2222F}[3333F][1111J]2J+2J", "--flowers", "8", "--source", "discard"),
        ("score", "[345W]{1111J}123B44F99T+4F", "--source", "discard", "--set", "min_flowers=1000"),
        ("score", "{1111F}{2222F}{3333F}{1111J}2J+2J", "--flowers", "8", "--set", "cap_fan=10"),
        ("waits", "123W234T789T456B1F", "--flowers", "8"),
        ("waits", "{1111F}[2222F][3333F][4444F]1J", "--set", "base=1000000", "--set", "cap_fan=1"),
        ("waits", "1122334455667W"),
    ],
)
def test_eighty_columns_are_enough(run, args, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    answer = run(*args, *RULES)
    assert answer.status == 0 and "…" not in answer.out and "\x1b" not in answer.out
    assert max(map(cell_len, answer.drawn)) <= 80


def test_help(run):
    for command in ("score", "waits"):
        out = run(command, "--help").out
        assert "--flowers" in out and ("--source" in out) is (command == "score")
