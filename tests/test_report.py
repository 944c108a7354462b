"""A run of simulate as a page: what it was made of stands there, and nothing else is needed to read it."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from commands import runner

import tjmj
from tjmj.cli import simulate as command
from tjmj.elements import CHINESE as ELEMENT
from tjmj.report import report
from tjmj.simulate import Summary, simulate

RUNS = {
    "tianjin": simulate("tianjin", hands=3000, seed=1, policy="simple"),
    "jintan": simulate("jintan", hands=1000, seed=1, policy="simple"),
    "street": simulate(tjmj.rules("tianjin-street", base=2, chuai=True), hands=300, seed=1),
    "nobody won": simulate("tianjin", hands=3, seed=1),
    "no hands": simulate("jintan", hands=0),
}

each_run = pytest.mark.parametrize("run", RUNS.values(), ids=list(RUNS))


class Page(HTMLParser):
    """A page taken apart: rows of its tables, titles of columns, all of its text."""

    EMPTY = ("meta", "rect", "line")

    def __init__(self, html):
        super().__init__()
        self.open, self.rows, self.titles, self.texts, self.attributes = [], [], [], [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.attributes += attributes
        if tag not in self.EMPTY or (tag == "rect" and self.get_starttag_text()[-2] != "/"):
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "title":
            self.titles.append("")

    def handle_endtag(self, tag):
        if tag not in self.EMPTY or (self.open and self.open[-1] == tag):
            assert self.open.pop() == tag

    def handle_data(self, text):
        self.texts.append(text)
        if "title" in self.open:
            self.titles[-1] += text
        elif {"td", "th"} & set(self.open):
            self.rows[-1][-1] += text

    def row(self, *beginning):
        """What stands behind the beginning of a row."""
        (row,) = [row for row in self.rows if row[: len(beginning)] == list(beginning)]
        return row[len(beginning) :]


@each_run
def test_a_page_stands_alone(run):
    html = report(run)
    page = Page(html)
    assert html.startswith("<!doctype html>\n") and len(html) < 50_000
    assert not re.search(r"<script|<link|<img|url\(|@import|https?:", html)
    assert "default-src 'none'" in dict(page.attributes)["content"]
    assert [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href")] == []


@each_run
def test_a_page_says_how_hands_ended(run):
    page = Page(report(run))
    share = [f"{run.exhausted / run.hands:.1%}"] if run.hands else ["–"]
    assert page.row("荒庄 nobody won", "") == [f"{run.exhausted:,}", *share]
    assert page.row("庄家 dealer won", "")[0] == f"{run.dealer_wins:,}"
    assert page.row("闲家 others won", "")[0] == f"{run.wins - run.dealer_wins:,}"


@each_run
def test_a_page_says_what_was_won_with(run):
    page = Page(report(run))
    fans = {int(row[0].split()[0]): int(row[2].replace(",", "")) for row in page.rows if row[0].endswith("番")}
    assert fans == {fan: wins for fan, wins in enumerate(run.fans) if wins}
    for key, wins in run.elements.items():
        if wins:
            assert page.row(f"{ELEMENT[key]} {key}", "") == [f"{wins:,}", f"{wins / run.wins:.1%}"]
        else:
            assert [row for row in page.rows if row[0] == f"{ELEMENT[key]} {key}"] == []


@each_run
def test_a_page_has_a_column_for_each_length_and_gain(run):
    told = Page(report(run)).titles[1:]
    lengths = [line for line in told if "discards" in line]
    used = [place for place, hands in enumerate(run.lengths) if hands]
    if not run.hands:
        assert told == []
        return
    assert len(lengths) == used[-1] - used[0] + 1
    assert lengths[-1].startswith(f"{used[-1]} discards: {run.lengths[used[-1]]:,} hands, ")
    points = [line for line in told if "points" in line]
    assert sum(int(line.split(": ")[1].split()[0].replace(",", "")) for line in points) == 4 * run.hands


def test_gains_are_named_by_their_bounds():
    run = RUNS["jintan"]
    gains = [0] * 43
    gains[0] = gains[18] = gains[20] = gains[21] = gains[22] = gains[42] = 1
    told = " ".join(Page(report(replace(run, gains=(tuple(gains),) * 4))).titles)
    for named in ("−1048576 and more", "−4 to 7", "−1", "0", "+1", "+1048576 and more"):
        assert f"{named} points: 1 hands" in told


def test_points_of_each_seat_are_told():
    run = RUNS["tianjin"]
    page = Page(report(run))
    for seat in range(4):
        told = [f"{run.points[seat]:+,}", f"{run.points[seat] / run.hands:+.3f}", f"{run.deviations[seat]:.2f}"]
        assert page.row(str(seat)) == told


def test_a_hand_with_several_winners_is_no_riddle():
    several = RUNS["jintan"].wins + RUNS["jintan"].exhausted - RUNS["jintan"].hands
    assert several > 0
    assert f"several seats won: {several}." in report(RUNS["jintan"])
    assert "several seats" not in report(RUNS["tianjin"])


def test_words_stay_words():
    html = report(replace(RUNS["tianjin"], policy="<script>alert('x')</script>"))
    assert "policy <script>alert('x')</script>" in "".join(Page(html).texts) and "<script" not in html


def test_options_that_were_set_are_named():
    assert "rules tianjin-street chuai=yes base=2, policy random, seed 1" in report(RUNS["street"])


# The command


@pytest.fixture
def run(capsysbinary, monkeypatch):
    return runner(capsysbinary, monkeypatch)


ASKED = ("simulate", "--hands", 200, "--policy", "simple", "--seed", 3)


def test_the_command_writes_the_page(run, tmp_path):
    file = tmp_path / "page.html"
    file.write_text("old")
    plain = run(*ASKED)
    assert run(*ASKED, "--threads", 2, "--report", file, "--records", tmp_path / "hands.jsonl") == plain
    assert file.read_text("utf-8") == report(simulate(hands=200, policy="simple", seed=3))
    assert sorted(os.listdir(tmp_path)) == ["hands.jsonl", "page.html"]


def test_an_interrupt_leaves_a_page_of_what_was_done(run, tmp_path, monkeypatch):
    file = tmp_path / "page.html"

    def interrupted(*args: object) -> Summary:
        return replace(RUNS["tianjin"], asked=10**9)

    monkeypatch.setattr(command, "run", interrupted)
    assert run(*ASKED, "--report", file).status == 130
    html = file.read_text("utf-8")
    assert "Interrupted: 1,000,000,000 hands were asked for." in html and "3,000 hands of mahjong" in html


def test_a_page_that_cannot_be_written_is_told_before_playing(run, tmp_path, monkeypatch):
    monkeypatch.delattr(command, "run")
    answer = run(*ASKED, "--report", tmp_path / "none" / "page.html")
    assert (answer.status, answer.out) == (2, "") and "none" in answer.err and answer.err.count("\n") == 1


def test_report_and_records_are_different_files(run, tmp_path):
    file = tmp_path / "both"
    for page, reason in ((file, "same file"), (tmp_path / "." / "both", "same file"), ("-", "the name of a file")):
        answer = run(*ASKED, "--records", file, "--report", page)
        assert answer.status == 2 and reason in answer.err
    assert not os.listdir(tmp_path)
