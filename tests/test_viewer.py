"""The page that plays records: what is in it. How it behaves is tested in test_viewer_browser.py."""

from __future__ import annotations

import io
import json
import os
import pathlib
import re
import stat

import pytest
from commands import is_one_line, runner
from shows import SHORT, finished

import tjmj
from tjmj.match import End, Match
from tjmj.record import dumps, parse, read
from tjmj.round import replayed
from tjmj.simulate import simulate
from tjmj.viewer import page
from tjmj.viewer.pages import SCRIPTS

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "records.jsonl"
LINES = GOLDEN.read_bytes().splitlines()
FIELDS = json.loads(LINES[0])
MOST = 1_000_000
"""Bytes of a page of 64 hands."""
STORY = re.compile(r'<script type="application/json" id="story">(.*?)</script>', re.S)


@pytest.fixture
def run(capsysbinary, monkeypatch):
    return runner(capsysbinary, monkeypatch)


def made(*lines, **options):
    return page(io.BytesIO(b"\n".join(lines)), **options)


def story_in(html):
    (told,) = STORY.findall(html)
    return json.loads(told)


def events_in(story, hand):
    return [dict(zip(story["shapes"][shape], values, strict=True)) for shape, *values in hand["events"]]


# What is in it


@pytest.mark.parametrize("place", [0, 20, 40, 60, 80, 102])
def test_events_are_the_engines_own(place):
    story = story_in(made(LINES[place]))
    (hand,) = story["hands"]
    told = replayed(parse(LINES[place])).round.events(open=True)
    wanted = [{key: value for key, value in event.items() if key not in ("n", "answers")} for event in told]
    assert events_in(story, hand) == json.loads(json.dumps(wanted))
    assert hand["fault"] is None and len(hand["moves"]) == len(json.loads(LINES[place])["moves"].split())


def test_moves_are_numbered_as_the_record_writes_them():
    letters = {"discard": "d", "pong": "p", "chow": "e", "win": "hw", "kong": "cao", "rob": "a", "declare": "r"}
    for line in LINES[::5]:
        story = story_in(made(line))
        (hand,) = story["hands"]
        events = events_in(story, hand)
        for place, move in zip(hand["moves"], json.loads(line)["moves"].split(), strict=True):
            event = events[place]
            assert str(event["seat"]) == move[0] and move[1] in letters[event["event"]]


def test_a_thrown_wildcard_and_the_lost_right_are_marked():
    thrown = 0
    for line in LINES:
        story = story_in(made(line))
        (hand,) = story["hands"]
        events = events_in(story, hand)
        wild = next((event["wild"] for event in events if event["event"] == "flip"), [])
        marked = [n for n, event in enumerate(events) if event["event"] == "discard" and event["tile"] in wild]
        seats = [events[n]["seat"] for n in marked]
        assert hand["wild"] == marked
        assert hand["lost"] == [n for at, n in enumerate(marked) if seats.index(seats[at]) == at]
        thrown += len(marked)
    assert thrown > 10


def test_a_win_tells_its_formula_and_what_each_element_counts():
    (hand,) = story_in(made(finished(SHORT)))["hands"]
    (win,) = hand["wins"]
    assert win == {"seat": 1, "formula": "捉五 3 × 素 2 = 6", "elements": [["su", "×2"], ["zhuowu", "3"]], "kongs": 0}
    assert hand["names"] == ["甲", "乙", "Cat", "丁"]


def test_totals_follow_the_players(tmp_path):
    path = tmp_path / "match.jsonl"
    match = Match("tianjin-street", ["a", "b", "c", "d"], seed=3, end=End(hands=12), path=path)
    while not match.ended:
        r = match.start_hand()
        while not r.over:
            seat, answers = next(iter(r.pending.items()))
            more = [each for each in answers if each[0] in "hwca"]
            r.play(seat, more[0] if more else r.default(seat), turn=r.turn)
        match.finish_hand()
    hands = story_in(page(path))["hands"]
    assert tuple(hands[-1]["totals"]) == match.totals and any(match.totals)
    assert tuple(hands[-1]["players"]) != (0, 1, 2, 3)
    assert page(read(path)) == page(path)


# Faults


def test_a_wrong_move_ends_the_hand_before_it():
    moves = FIELDS["moves"].split()
    line = json.dumps(FIELDS | {"moves": " ".join([*moves[:11], "0d9F", *moves[12:]])}).encode()
    right, wrong = story_in(made(LINES[1], line))["hands"]
    assert right["fault"] is None
    assert wrong["fault"]["move"] == 12 and wrong["fault"]["reason"].startswith("not a move")
    assert len(wrong["moves"]) == 11
    assert wrong["totals"] == right["totals"]


def test_what_is_no_record_has_a_hand_with_its_fault():
    told = []
    hands = story_in(made(b"{", LINES[0], json.dumps(FIELDS | {"dealer": 7}).encode(), on_fault=told.append))["hands"]
    assert [hand["line"] for hand in hands] == [1, 2, 3]
    assert [hand["events"] == [] for hand in hands] == [True, False, True]
    reasons = [hand["fault"] and hand["fault"]["reason"][:11] for hand in hands]
    assert reasons == ["malformed J", None, "dealer is 7"]
    assert [verdict.line for verdict in told] == [1, 3]


def test_a_wrong_result_is_no_move():
    line = json.dumps(FIELDS | {"result": FIELDS["result"] | {"net": [1, 0, 0, -1]}}).encode()
    (hand,) = story_in(made(line))["hands"]
    assert hand["fault"]["move"] is None and "net is [1,0,0,-1]" in hand["fault"]["reason"]
    assert hand["totals"] == [0, 0, 0, 0]


def test_nothing_to_show():
    with pytest.raises(tjmj.TjmjError, match="no record"):
        made(b"", b"  ")
    with pytest.raises(tjmj.TjmjError, match="language 'fr'"):
        made(LINES[0], lang="fr")


# The file


def test_text_of_a_record_is_no_markup():
    hostile = ["</script><script>alert(1)</script>", "<!--<script>", "<img src=x onerror=alert(1)>", "\u202e]]>&lt;"]
    plain = made(LINES[0])
    html = made(json.dumps(FIELDS | {"names": hostile}).encode())
    assert [hand["names"] for hand in story_in(html)["hands"]] == [hostile]
    assert html.count("<") == plain.count("<")


def test_the_page_needs_and_may_do_nothing_outside():
    html = made(LINES[0])
    assert re.findall(r"(?:src|href)=\"(?!#)[^\"]*", html) == []
    assert set(re.findall(r"https?://[\w./]*", html)) == {"http://www.w3.org/2000/svg"}
    assert "@import" not in html and html.count("url(") == html.count('url("data:image/svg+xml,')
    assert "default-src 'none'; script-src 'sha256-" in html
    assert html.count('<script type="module">') == 1 and "import " not in html.partition('<script type="module">')[2]


def test_the_language_is_told():
    assert [story_in(made(LINES[0], **told))["lang"] for told in ({}, {"lang": "zh"})] == [None, "zh"]


def test_modules_import_only_from_those_before():
    folder = ROOT / "src" / "tjmj" / "viewer"
    assert sorted(path.name for path in folder.glob("*.js")) == sorted(SCRIPTS)
    for place, name in enumerate(SCRIPTS):
        imported = re.findall(r'from "\./(.*)";', (folder / name).read_text("utf-8"))
        assert set(imported) <= set(SCRIPTS[:place]), name


@pytest.mark.parametrize("rules", ["tianjin", "jintan"])
def test_a_match_of_64_hands_is_small(tmp_path, rules):
    path = tmp_path / "hands.jsonl"
    simulate(rules, 64, 0, "random", 1, str(path))
    assert len(page(path).encode()) <= MOST


# The command


def test_the_command_writes_a_page(run, tmp_path):
    file, out = tmp_path / "hands.jsonl", tmp_path / "page.html"
    file.write_bytes(LINES[0] + b"\n")
    answer = run("record", "html", file, "-o", out, "--lang", "zh")
    assert (answer.status, answer.out, answer.err) == (0, "", "")
    assert out.read_text("utf-8") == page(file, lang="zh")
    assert run("record", "html", "-", "-o", "-", stdin=LINES[:1]).out == page(file)
    assert sorted(os.listdir(tmp_path)) == ["hands.jsonl", "page.html"]
    if os.name == "posix":
        assert stat.S_IMODE(out.stat().st_mode) == stat.S_IMODE(file.stat().st_mode)


def test_the_command_names_faults(run, tmp_path):
    answer = run("record", "html", "-", "-o", tmp_path / "page.html", stdin=[LINES[0], b"{"])
    assert answer.status == 1 and is_one_line(answer.err) and "line 2: malformed JSON" in answer.err
    assert len(story_in((tmp_path / "page.html").read_text("utf-8"))["hands"]) == 2


@pytest.mark.parametrize(
    ("given", "reason"),
    [(b"", "there is no record"), (None, "No such file")],
)
def test_the_command_refuses(run, tmp_path, given, reason):
    file, out = tmp_path / "hands.jsonl", tmp_path / "page.html"
    if given is not None:
        file.write_bytes(given)
    out.write_text("as it was")
    answer = run("record", "html", file, "-o", out)
    assert answer.status == 2 and reason in answer.err and is_one_line(answer.err)
    assert out.read_text() == "as it was"


def test_a_page_never_takes_the_place_of_its_records(run, tmp_path):
    file, link = tmp_path / "hands.jsonl", tmp_path / "link"
    file.write_bytes(LINES[0] + b"\n")
    link.symlink_to(file)
    for out in (file, tmp_path / "." / "hands.jsonl", link):
        answer = run("record", "html", file, "-o", out)
        assert answer.status == 2 and "same file" in answer.err
    assert file.read_bytes() == LINES[0] + b"\n"


def test_a_record_made_here_is_a_page_too():
    r = tjmj.Round("jintan", seed=bytes(32))
    while not r.over:
        seat = min(r.pending)
        r.play(seat, r.default(seat))
    assert page([r.record()]) == made(dumps(r.record()).encode())
