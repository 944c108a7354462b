"""Pictures: tiles that can be told apart, hands, readings and tables drawn as they are, words that stay words."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from commands import runner

import tjmj
from tjmj import draw
from tjmj.draw.tiles import SHAPES
from tjmj.elements import CHINESE as ELEMENT
from tjmj.errors import NotationError, TjmjError
from tjmj.tiles import CHINESE, ENGLISH, NAMES
from tjmj.view import View

SVG = "{http://www.w3.org/2000/svg}"
DRAGON = tjmj.score("12345678889W11F+5W", flip="8W")
"""双混吊本混捉五龙."""
PAIRS = tjmj.score("1122335566W77T3J+3J", rules="jintan")
SCORES = [
    DRAGON, PAIRS,
    tjmj.score("46W123B789B11T9T1F1T+5W", flip="1F"),
    tjmj.score("46W123B789B111T9T1F+9T", flip="1F"),
    tjmj.score("{8888T}46W123789B9T1F+5W", flip="1F", kong_draw=True),
    tjmj.score("[222J]{4444F}333W55W11W+5W", rules="jintan", source="discard", flowers=2),
    tjmj.score("[345W]789W22W567T23B+1B", rules="jintan", source="discard"),
]  # fmt: skip


def parsed(svg):
    return ElementTree.fromstring(svg)


def words(svg):
    """All that is written in a picture beside its tiles."""
    lines = (text.findall(f"{SVG}tspan") for text in parsed(svg).iter(f"{SVG}text"))
    return [" ".join(span.text for span in spans) for spans in lines if spans]


def tiles(svg, width=None):
    """Tiles of a picture that are this wide, in the order drawn: name, whether it has the corner, x, y."""
    found = []
    for use in parsed(svg).iter(f"{SVG}use"):
        name, x, y = use.get("href").removeprefix("#tjmj-"), float(use.get("x")), float(use.get("y"))
        if width in (None, float(use.get("width"))):
            if name == "wild":
                assert found[-1][2:] == (x, y), "the corner lies over its tile"
                found[-1] = (found[-1][0], True, x, y)
            else:
                found.append((name, False, x, y))
    return found


def names(svg, width=None):
    return [name for name, *_ in tiles(svg, width)]


# Tiles


@pytest.mark.parametrize("name", NAMES)
def test_a_tile_stands_alone_and_says_what_it_is(name):
    svg = parsed(draw.tile(name, width=24))
    kind = tjmj.parse_tile(name)
    assert (svg.get("width"), svg.get("height"), svg.get("viewBox")) == ("24", "32", "0 0 60 80")
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == svg.find(f"{SVG}title").text == f"{CHINESE[kind]} {ENGLISH[kind]}"


def test_a_tile_is_read_as_everywhere():
    assert draw.tile("五万") == draw.tile("5W") != draw.tile("5W", wild=True)
    assert parsed(draw.tile(None)).get("aria-label") == "a tile from behind"
    assert "wildcard" in parsed(draw.tile("5W", wild=True)).get("aria-label")
    with pytest.raises(NotationError, match="0W"):
        draw.tile("0W")


def test_every_kind_is_drawn_differently():
    assert set(SHAPES) == {*NAMES, "back", "wild"}
    assert len(set(SHAPES.values())) == 44


def strokes(name, end):
    """Ends of strokes by colour, of those that are drawn first."""
    paths = parsed(draw.tile(name)).iter(f"{SVG}path")
    found = Counter()
    for path in paths:
        found.setdefault(path.get("stroke"), len(re.findall(end, path.get("d"))))
    return found


@pytest.mark.parametrize("rank", range(2, 10))
def test_dots_and_sticks_are_as_many_as_the_rank(rank):
    colours = ("#c8202f", "#11733f", "#1f4e9c")
    for suit, end in (("B", r"h\.01"), ("T", r"M[^M]+l")):
        found = strokes(f"{rank}{suit}", end)
        assert sum(found[colour] for colour in colours) == rank
    assert (strokes(f"{rank}T", r"M[^M]+l")[colours[0]]) == {5: 1, 7: 1, 9: 3}.get(rank, 0)


@pytest.mark.parametrize("prefix", ["", "a b", '"><script>', "1-", "é", 5, None])
def test_a_prefix_that_is_none(prefix):
    with pytest.raises(TjmjError, match="prefix"):
        draw.sprite(prefix)


def test_the_sprite_has_every_tile_once_and_is_small():
    svg = draw.sprite()
    ids = [symbol.get("id") for symbol in parsed(svg).iter() if symbol.get("id")]
    assert ids == [f"tjmj-{name}" for name in (*NAMES, "back", "wild")]
    assert len(svg.encode()) < 25_000
    assert parsed(draw.sprite("own-")).find(f".//{SVG}symbol").get("id") == "own-1W"


# Hands


def test_a_hand_stands_in_order_with_the_winning_tile_and_the_melds_apart():
    svg = draw.hand(tjmj.Hand.parse("[444F]{8888T}46W129B9T1F+5W", flip="1F"))
    row = tiles(svg, 44)
    concealed, (win,), pong, kong = row[:7], row[7:8], row[8:11], row[11:]
    assert [name for name, *_ in concealed] == ["4W", "6W", "9T", "1B", "2B", "9B", "1F"]
    assert win[0] == "5W"
    assert [name for name, *_ in pong] == ["4F"] * 3
    assert [name for name, *_ in kong] == ["back", "8T", "8T", "back"]
    steps = [after[2] - before[2] for before, after in pairwise(row)]
    assert [place for place, step in enumerate(steps) if step > steps[0]] == [6, 7, 10]
    assert [wild for _, wild, *_ in row] == [name == "1F" for name, *_ in row]
    assert [(name, wild) for name, wild, *_ in tiles(svg, 22)] == [("1F", True), ("1F", True), ("2F", True)]


def test_a_hand_without_flipped_tile_has_none_drawn():
    svg = draw.hand(tjmj.Hand.parse("{4444F}333W555W11W22J", rules="jintan"))
    assert tiles(svg, 22) == [] and words(svg) == ["jintan"]


@pytest.mark.parametrize("score", SCORES, ids=str)
def test_a_reading_is_drawn_group_by_group(score):
    svg = draw.score(score)
    drawn, groups = tiles(svg, 32), []
    for group in score.reading:
        groups.append(drawn[: len(group.tiles)])
        del drawn[: len(group.tiles)]
    assert drawn == []
    under = {x + 11: name for name, _, x, y in tiles(svg, 22) if y > groups[0][0][3] and x + 11 in middles(groups)}
    for group, shown in zip(score.reading, groups):
        assert [NAMES[kind] for kind in group.tiles] == [name for name, *_ in shown]
        assert group.wild == tuple(wild for _, wild, *_ in shown)
        for kind, face, (_, _, x, _) in zip(group.tiles, group.faces, shown):
            assert under.get(x + 16) == (NAMES[face] if face != kind else None)


def middles(groups):
    return {x + 16 for group in groups for _, _, x, _ in group}


def test_a_score_says_name_fan_elements_and_formula():
    told = words(draw.score(DRAGON))
    assert told[0] == "双混吊本混捉五龙 28 番 fan"
    assert told[1:6] == ["顺子 sequence"] * 4 + ["将 pair"]
    assert told[6:10] == ["混吊 hundiao ×2", "本混 benhun ×2", "捉五 zhuowu 3", "龙 long 4"]
    assert told[10] == DRAGON.formula == "(捉五 3 + 龙 4) × 混吊 2 × 本混 2 = 28"


@pytest.mark.parametrize("score", SCORES, ids=str)
def test_a_score_names_each_element(score):
    told = words(draw.score(score))
    for key in score.elements:
        assert [line for line in told if line.startswith(f"{ELEMENT[key]} {key}")]
    assert any("may not win" in line for line in told) is not score.legal


@pytest.mark.parametrize(
    ("options", "told"), [({}, "天和 tianhu ×4"), ({"heavenly_mode": "plus"}, "天和 tianhu +4")]
)
def test_heavenly_counts_as_the_rules_have_it(options, told):
    rules = tjmj.rules("tianjin", **options)
    assert told in words(draw.score(tjmj.score("46W123B789B11T9T1F1T5W", "1F", rules, heavenly=True)))


def test_melds_and_points_of_jintan_are_named():
    told = words(draw.score(SCORES[5]))
    assert told[0] == "对对胡混一色 2 番 fan 7 花 flowers, 180 分 points"
    assert told[1:3] == ["碰 exposed triplet", "暗杠 concealed kong"]
    assert told[-1] == "吃炮 discard, jintan"
    assert words(draw.score(PAIRS))[1:8] == ["对子 pair"] * 7


def test_a_hand_that_is_not_complete_has_no_reading():
    svg = draw.score(tjmj.score("46W123B789B11T9T1F1T+8W", flip="1F"))
    assert words(svg)[0] == "not complete 未和" and tiles(svg, 32) == []


def test_waits_that_make_the_same_of_a_hand_stand_side_by_side():
    told = tjmj.waits("46W123B789B111T9T1F", flip="1F")
    svg = draw.waits(told)
    assert [name for name, *_ in tiles(svg, 32)] == ["5W", "1F", "2F", "9T"]
    assert words(svg)[3:] == [
        "捉五 3 番 fan 坎单 kandan", "×4", "×2", "×4",
        "提溜 1 番 fan 不够 may not win 单吊 dandiao", "×3",
    ]  # fmt: skip
    assert [wild for _, wild, *_ in tiles(svg, 32)] == [False, True, True, False]


def test_a_hand_that_waits_for_every_tile_shows_them_all():
    told = tjmj.waits("123W456T789B99W1J2J", flip="1J")
    assert sorted(names(draw.waits(told), 32), key=list(told).index) == list(told)
    assert len(told) == 34


def test_waits_of_jintan_have_points_for_both_ways():
    told = words(draw.waits(tjmj.waits("{4444F}333W555W11W22J", rules="jintan")))
    assert "对对胡混一色 自摸 self-draw 160 吃炮 discard 140 对倒 duidao" in told
    poor = words(draw.waits(tjmj.waits("123W456W789T23B55T", rules="jintan")))
    assert "鸡胡 自摸 self-draw 10 吃炮 discard 不够 may not win 两面 liangmian" in poor


def test_a_hand_that_waits_for_nothing_says_so():
    assert words(draw.waits(tjmj.waits("147W258T369B1234F", flip="1J")))[-1] == "waits for nothing 不听"


# Tables


def played(rules, moves, dealer=0, seed=5):
    """A round after so many answers, of seats that take what they can."""
    round_ = tjmj.Round(rules, dealer=dealer, seed=seed.to_bytes(32))
    while not round_.over and moves:
        seat, answers = next(iter(round_.pending.items()))
        more = [each for each in answers if each[0] in "hwcaope"]
        round_.play(seat, more[0] if more else round_.default(seat), turn=round_.turn)
        moves -= 1
    return round_


@pytest.mark.parametrize("rules", ["tianjin", "jintan"])
@pytest.mark.parametrize("seat", [None, 0, 3])
def test_a_table_shows_what_a_view_holds(rules, seat):
    view = played(rules, 70).view(seat)
    shown = Counter(names(draw.view(view)))
    expected = Counter([view.flip, *view.wild] if view.flip else [])
    for told in view.seats:
        expected.update(told.hand if told.hand is not None else ["back"] * told.concealed)
        expected.update(told.flowers)
        expected.update(each["tile"] for each in told.discards if each["claimed"] is None)
        for meld in told.melds:
            inner = meld["tiles"][1:3]
            expected.update(["back", *inner, "back"] if meld["type"] == "concealed" else meld["tiles"])
    expected["back"] += expected.pop(None, 0)
    assert shown == +expected


def test_a_table_is_drawn_at_every_moment():
    round_ = tjmj.Round("tianjin", dealer=2, seed=bytes(32))
    assert names(draw.view(round_.view(1))) == []
    over = played("jintan", -1)
    assert over.over
    assert over.result["winners"] == [] and "荒庄" in " ".join(words(draw.view(over.view(0))))


@pytest.mark.parametrize(
    ("rules", "seed", "told"),
    [("tianjin", 2, ["2 和 2 番", "双混吊", "+6", "-2"]), ("jintan", 1, ["1 和 1 番", "独吊", "+30", "-30"])],
)
def test_the_winner_stands_in_the_middle_of_the_table(rules, seed, told):
    shown = " ".join(words(draw.view(played(rules, -1, seed=seed).view(0))))
    assert all(word in shown for word in told)


def test_a_seat_is_said_to_be_ready_or_to_have_lost_its_right_to_win():
    view = played("tianjin", 20).view(0)
    shown = " ".join(words(draw.view(view)))
    assert "天听" not in shown and "小相公" not in shown
    view.seats[1].ready, view.seats[2].lost = True, True
    shown = " ".join(words(draw.view(view)))
    assert (shown.count("天听"), shown.count("小相公")) == (1, 1)


def test_a_discard_that_may_be_claimed_has_a_ring():
    def rings():
        shown = parsed(draw.view(round_.view(3))).iter(f"{SVG}rect")
        return [each for each in shown if each.get("stroke") == "#ffb82e"]

    round_ = tjmj.Round("tianjin", dealer=0, seed=(341).to_bytes(32))
    for seat, answer in ((0, "sit"), (1, "pull1"), (2, "pull1"), (3, "pull1"), (0, "d4F")):
        assert not rings()
        round_.play(seat, answer, turn=round_.turn)
    assert round_.pending == {3: ("p4F", "pass")} and len(rings()) == 1
    round_.play(3, "pass", turn=round_.turn)
    assert not rings()


@pytest.mark.parametrize(("giver", "place"), [(0, 0), (3, 1), (2, 2)])
def test_a_claimed_tile_lies_toward_the_seat_it_came_from(giver, place):
    view = View(seat=1, rules={"name": "tianjin"}, dealer=0)
    meld = {"type": "pong", "tiles": ["5W"] * 3, "claimed": "5W", "from": giver, "gold": False}
    view.seats[1].melds.append(meld)
    (own, *_) = parsed(draw.view(view)).findall(f"{SVG}g")
    assert [each.tag for each in own if each.tag != f"{SVG}path"].index(f"{SVG}g") == place


def test_a_concealed_kong_shows_its_inner_tiles():
    view = View(seat=1, rules={"name": "tianjin"}, dealer=0)
    before = Counter(names(draw.view(view)))
    view.seats[2].melds.append({"type": "concealed", "tiles": ["5W"] * 4, "claimed": None, "from": None, "gold": False})
    assert Counter(names(draw.view(view))) - before == {"back": 2, "5W": 2}


# What pictures have in common

PICTURES = {
    "hand": draw.hand(DRAGON.hand),
    "score": draw.score(DRAGON),
    "waits": draw.waits(tjmj.waits("46W123B789B111T9T1F", flip="1F")),
    "view": draw.view(played("tianjin", 60).view(0)),
}


@pytest.mark.parametrize("svg", PICTURES.values(), ids=list(PICTURES))
def test_a_picture_stands_alone(svg):
    root = parsed(svg)
    assert root.get("role") == "img" and root.get("aria-label") == root.find(f"{SVG}title").text
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    used = {use.get("href").removeprefix("#") for use in root.iter(f"{SVG}use")}
    assert len(ids) == len(set(ids)) and set(ids) == used
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|url\(|<script|\son\w+=", svg)


def test_values_show_themselves_in_a_notebook():
    waits = tjmj.waits("46W123B789B111T9T1F", flip="1F")
    view = played("tianjin", 60).view(0)
    assert DRAGON._repr_svg_() == draw.score(DRAGON)
    assert DRAGON.hand._repr_svg_() == draw.hand(DRAGON.hand)
    assert waits._repr_svg_() == draw.waits(waits)
    assert view._repr_svg_() == draw.view(view)


def test_words_stay_words():
    hostile = "</title><script>alert('x')</script>&\"\x3c!--"
    view = View(seat=None, rules={"name": hostile}, dealer=0)
    root = parsed(draw.view(view))
    assert hostile in root.find(f"{SVG}title").text and hostile in root.get("aria-label")
    assert root.findall(f".//{SVG}script") == []


def test_the_pictures_of_the_documents_are_what_is_drawn():
    script = pathlib.Path(__file__).parent.parent / "scripts" / "draw_pictures.py"
    told = "python scripts/draw_pictures.py draws them anew"
    assert subprocess.run([sys.executable, script, "--check"]).returncode == 0, told


# The command


@pytest.fixture
def run(capsysbinary, monkeypatch):
    return runner(capsysbinary, monkeypatch)


HAND = ("score", "12345678889W11F+5W", "--flip", "8W")


def test_the_command_draws_a_score(run, tmp_path):
    file = tmp_path / "hand.svg"
    file.write_text("old")
    plain = run(*HAND)
    assert run(*HAND, "--svg", file) == plain
    assert file.read_text("utf-8") == draw.score(DRAGON)
    assert run(*HAND, "--json", "--svg", file).json["fan"] == 28
    assert run(*HAND, "--svg", "-").out == draw.score(DRAGON)
    assert os.listdir(tmp_path) == ["hand.svg"]


def test_the_command_says_why_it_draws_nothing(run, tmp_path):
    file = tmp_path / "hand.svg"
    file.write_text("old")
    for arguments, fault in [
        (("score", "1W", "--flip", "8W", "--svg", file), "concealed tiles"),
        ((*HAND, "--svg", tmp_path / "none" / "hand.svg"), "No such file"),
        (("score", "--batch", "-", "--svg", file), "--svg cannot stand beside --batch"),
        (("score", "--file", "-", "--svg", file), "--svg cannot stand beside --file"),
    ]:
        answer = run(*arguments)
        assert (answer.status, answer.out) == (2, "")
        assert fault in answer.err and answer.err.count("\n") == 1
    assert file.read_text() == "old" and os.listdir(tmp_path) == ["hand.svg"]
