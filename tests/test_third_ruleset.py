"""A third ruleset, added by the steps of CONTRIBUTING.md, "How to add a ruleset", and nothing else.

It has the tiles of Tianjin, no wildcards and no stakes, and any complete hand wins. Whether kongs may follow
a claim and whether concealed ones are hidden are its options: what others have fixed may be left open.
"""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Iterator
from typing import Any

import commands
import numpy as np
import pytest
from rigged import hand_places

import tjmj
from tjmj import rulesets
from tjmj._deal import Deal
from tjmj._play import Play
from tjmj.env import ACTIONS, Tables
from tjmj.errors import RulesError
from tjmj.match import Match
from tjmj.record import dumps, parse, play_of, verify
from tjmj.round import Round
from tjmj.rulesets.base import Option, Ruleset
from tjmj.simulate import simulate

# The first step: a module with what the ruleset is.

OPTIONS = {
    "min_fan": Option("fan that a hand needs to win", "Winning", range(1, 1001)),
    "base": Option("points for one fan unit", "Payment", range(1, 1_000_001)),
    "exposed_kong": Option("value of an exposed or added kong 明杠", "Payment", range(0, 1001)),
    "concealed_kong": Option("value of a concealed kong 暗杠", "Payment", range(0, 1001)),
    "claim_kongs": Option("a kong may be made right after a claim", "Turns", bool),
    "hidden_kongs": Option("concealed kongs are hidden", "Turns", bool),
    "cap": Option("most points a seat gains or loses in a hand", "Payment", range(1, 10**9 + 1), (None,)),
}

FIXED = {
    "opening": "one-throw",
    "wild_by": "none",
    "wild_kinds": 0,
    "flower_wilds": False,
    "gold_kong": 0,
    "gold_kong_by_discard": False,
    "chan": 0,
    "stakes": False,
    "max_pulls": 0,
    "chuai": False,
    "heavenly_factor": 1,
    "heavenly_mode": "times",
    "dealer_yields_to_kong": False,
    "plain_dragon": False,
    "earthly": False,
    "heavenly_ready": False,
    "last_tiles_closed": 0,
    "seating": "fixed",
    "titles": False,
    "first_dealer": 0,
    "counting": "fan",
    "flower_tiles": False,
    "chow": False,
    "discard_wins": False,
    "seven_pairs": False,
    "value": 0,
    "min_flowers": 0,
    "cap_fan": 0,
}

BARE = {
    "min_fan": 1,
    "base": 1,
    "exposed_kong": 1,
    "concealed_kong": 2,
    "claim_kongs": False,
    "hidden_kongs": False,
    "cap": None,
}

RULESET = Ruleset(
    options=OPTIONS,
    fixed=FIXED,
    presets={"bare": BARE, "bare-10": BARE | {"base": 10}},
    titles={"bare": "any complete hand wins", "bare-10": "the same for ten points"},
)
EATING = Ruleset(options=OPTIONS, fixed={**FIXED, "chow": True}, presets={"eating": BARE}, titles={"eating": ""})
PASS = ACTIONS.index("pass")

# The second step: it is known by name.


@pytest.fixture(autouse=True, scope="module")
def _known() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rulesets, "_RULESETS", (*rulesets._RULESETS, EATING, RULESET))
        yield


# All the rest follows.

EVERY_TILE = [kind for kind in range(34) for _ in range(4)]


def wall(*hands: str, seed: int = 0) -> bytes:
    """A wall that deals these tiles to seats 0, 1, ..., dealer 0, the rest at random."""
    left = list(EVERY_TILE)
    placed: dict[int, int] = {}
    for seat, hand in enumerate(hands):
        for place, kind in zip(hand_places(seat), tjmj.parse_tiles(hand)):
            left.remove(kind)
            placed[place] = kind
    random.Random(seed).shuffle(left)
    return bytes(placed[place] if place in placed else left.pop() for place in range(136))


def play_to_the_end(made: Round, seed: int) -> None:
    """Answer at random, winning and claiming where it is possible."""
    rng = random.Random(seed)
    while not made.over:
        seat = rng.choice(sorted(made.pending))
        words = made.pending[seat]
        rare = [word for word in words if word == "h" or (word[0] in "capo" and word != "pass")]
        made.play(seat, "h" if "h" in words else rng.choice(rare or words))


def test_it_is_among_the_presets():
    assert rulesets.preset_names()[-2:] == ["bare", "bare-10"]
    assert tjmj.rules("bare-10").values() == {"name": "bare-10", **FIXED, **BARE, "base": 10}
    assert rulesets.preset_title("bare") == "any complete hand wins"
    assert set(rulesets.rules_options("bare")) == set(OPTIONS)


def test_its_rules_are_values():
    made = tjmj.rules("bare", min_fan=3, cap=None)
    assert repr(made) == "tjmj.rules('bare', min_fan=3)"
    assert eval(repr(made), {"tjmj": tjmj}) == pickle.loads(pickle.dumps(made)) == made
    assert made != tjmj.rules("bare") != tjmj.rules("tianjin")


@pytest.mark.parametrize("option", ["chow", "stakes", "wild_kinds", "value", "seating"])
def test_what_it_has_fixed_is_no_option(option):
    with pytest.raises(tjmj.RulesError, match="no option"):
        tjmj.rules("bare", **{option: FIXED[option]})


@pytest.mark.parametrize(("option", "value"), [("min_fan", 0), ("claim_kongs", 1), ("cap", 0)])
def test_its_options_have_their_ranges(option, value):
    with pytest.raises(tjmj.RulesError, match=option):
        tjmj.rules("bare", **{option: value})


def test_hands_are_read_without_a_flipped_tile():
    hand = tjmj.Hand.parse("[555W]{1111F}123T46T99B+5T", rules="bare")
    assert (hand.flip, list(hand.wild)) == (None, [])
    for text, flip in (("[345W]{1111F}123T46T99B+5T", None), ("[555W]{1111F}123T46T99B+5T", "1F")):
        with pytest.raises(tjmj.HandError):
            tjmj.Hand.parse(text, flip, "bare")


@pytest.mark.parametrize(
    ("text", "elements", "fan"),
    [
        ("123W456T789B111F2B+2B", "diliu su", 2),
        ("46W123T789B111F22B+5W", "su zhuowu", 6),
        ("123456789W11F22B+2B", "long su", 8),
        ("1133W2244T1199B1F+1F", "", 0),  # 七对 does not win here
        ("123W456T789B111F2B+3B", "", 0),
    ],
)
def test_any_complete_hand_wins(text, elements, fan):
    made = tjmj.score(text, rules="bare")
    assert (" ".join(made.elements), made.fan, made.win, made.legal) == (elements, fan, fan > 0, fan > 0)
    assert tjmj.score(text, rules=tjmj.rules("bare", min_fan=7)).legal == (fan > 6)
    assert made.source is None and made.points == 0
    assert pickle.loads(pickle.dumps(made)) == made == eval(repr(made), {"tjmj": tjmj})


def test_waits():
    made = tjmj.waits("123W456T789B11F23B", rules="bare")
    assert {tile: (wait.left, wait.shape, wait.fan) for tile, wait in made.items()} == {
        "1B": (4, "liangmian", 2),
        "4B": (4, "liangmian", 2),
    }


def test_a_hand_of_play():
    """Dealt in the usual order, without a flipped tile, and won on the 14 tiles dealt."""
    made = Play("bare", 0, wall("123W456T789B11F23B4B"), None)
    assert made.flip is None and len(made.undrawn) == 136 - 53 == made.front_left
    assert "0h" in made.legal()
    made.play("0h")
    result = made.result()
    (winner,) = result["winners"]
    assert (winner["fan"], sum(result["net"])) == (2, 0)
    assert winner["elements"] == ["diliu", "su", "tianhu"]
    with pytest.raises(tjmj.RulesError, match="flip throw"):
        Play("bare", 0, wall(), 7)


@pytest.mark.parametrize("claim_kongs", [False, True])
def test_claim_kongs(claim_kongs):
    """A concealed kong right after a pong, as an option."""
    rules = tjmj.rules("bare", claim_kongs=claim_kongs)
    made = Play(rules, 0, wall("5W", "5W5W8888T1F"), None)
    made.play_all("0d5W 1p5W")
    assert ("1c8T" in made.legal()) == claim_kongs


@pytest.mark.parametrize("hidden_kongs", [False, True])
def test_hidden_kongs(hidden_kongs):
    """Whether the others see a concealed kong, as an option."""
    rules = tjmj.rules("bare", hidden_kongs=hidden_kongs)
    made = Round(rules, 0, deal=Deal((1, 2), (), wall("8888T")))
    made.play(0, "c8T")
    (meld,) = made.view(1).seats[0].melds
    assert meld["tiles"] == ([None] * 4 if hidden_kongs else ["8T"] * 4)


def test_kongs_pay():
    rules = tjmj.rules("bare-10", concealed_kong=3)
    made = Play(rules, 0, wall("8888T"), None)
    made.play("0c8T")
    while not made.may_end:
        made.play(next(move for move in made.legal() if move[1] == "d"))
    assert made.result() == {"end": "exhausted", "winners": [], "net": [90, -30, -30, -30]}


def test_no_claim_but_pong_and_kong():
    made = Play("bare", 0, wall("5W", "3W4W", "46W123B789B111T99T", "5W5W5W"), None)
    made.play("0d5W")
    assert {move[1] for move in made.legal() if move[0] != "1"} == {"p", "o"}
    assert not any(move[1] == "e" for move in made.legal())


def test_chows_where_only_own_draws_win():
    """At tables too whoever may chow is asked."""
    env = Tables(20, "eating", seed=1, observe=False)
    chows = 0
    for step in range(60):
        actions = np.where(env.mask[:, PASS], PASS, env.sample(step))
        env.step(actions)
        for table in np.flatnonzero((actions < PASS) & ~env.done):
            play = play_of(env.record(table, finished=False), after=None)
            claims = [move for move in play.legal() if move[1] in "poe"]
            assert env.mask[table, PASS] == bool(claims)
            chows += any(move[1] == "e" for move in claims)
    assert chows > 20


@pytest.mark.parametrize("given", [{"counting": "flowers"}, {"seven_pairs": True}, {"discard_wins": True}])
def test_rulesets_that_cannot_be(given):
    fixed = FIXED | {"wild_by": "turned", "wild_kinds": 1} | given
    with pytest.raises(RulesError, match="where flowers are counted"):
        Ruleset(options=OPTIONS, fixed=fixed, presets={"bare": BARE}, titles={"bare": ""})


@pytest.mark.parametrize("seed", range(5))
def test_rounds_records_and_snapshots(seed):
    made = Round(tjmj.rules("bare", cap=20), seed % 4, seed=bytes([seed] * 32))
    assert made.window == "turn"  # there are no stakes
    play_to_the_end(made, seed)
    written = dumps(made.record())
    assert json.loads(written)["rules"] == {"name": "bare", "cap": 20}
    assert "stakes" not in json.loads(written) and "flip" not in json.loads(written)["dice"]
    verify(parse(written))
    assert sum(made.result["net"]) == 0 and max(map(abs, made.result["net"])) <= 20
    again = Round.restore(made.snapshot())
    assert again.result == made.result
    for viewer in (None, 0, 1, 2, 3):
        assert again.view(viewer) == made.view(viewer)
    assert not any(seat.lost for seat in made.view().seats)


def test_simulation(tmp_path):
    file = tmp_path / "hands.jsonl"
    summary = simulate("bare", hands=50, seed=3, policy="simple", records=file)
    assert summary.wins + summary.exhausted == 50 and summary.wins > 0
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert {record["rules"]["name"] for record in records} == {"bare"}
    for line in file.read_text("utf-8").splitlines():
        verify(parse(line))


def test_a_match():
    match = Match("bare", ("甲", "乙", "丙", "丁"), seed=5)
    for hand in range(4):
        match.start_hand()
        play_to_the_end(match.round, hand)
        match.finish_hand()
    assert match.hands == 4 and sum(match.totals) == 0


def test_the_command(capsysbinary, monkeypatch, tmp_path):
    run = commands.runner(capsysbinary, monkeypatch)
    answer: dict[str, Any] = run("score", "46W123T789B111F22B+5W", "--rules", "bare", "--json").json
    assert (answer["legal"], answer["fan"], answer["elements"]) == (True, 6, ["su", "zhuowu"])
    answer = run("score", "46W123T789B111F22B+5W", "--rules", "bare", "--set", "min_fan=7", "--json").json
    assert answer["legal"] is False
    assert list(run("waits", "46W123T789B111F22B", "--rules", "bare", "--json").json["waits"]) == ["5W"]
    shown = run("rules", "bare", "--json").json
    assert shown["name"] == "bare" and shown["min_fan"] == 1
    file = tmp_path / "hands.jsonl"
    assert run("simulate", "--rules", "bare", "--hands", 5, "--records", file).status == 0
    assert run("record", "verify", file, "--json").status == 0


WHAT_TELLS_THEM_APART = [
    ("counting", "fan", "flowers", "fan"),
    ("flower_tiles", False, True, False),
    ("chow", False, True, False),
    ("discard_wins", False, True, False),
    ("claim_kongs", False, True, False),
    ("hidden_kongs", False, True, False),
    ("seven_pairs", False, True, False),
    ("wild_by", "dice", "none", "none"),
    ("stakes", True, False, False),
]


@pytest.mark.parametrize(("field", "tianjin", "jintan", "bare"), WHAT_TELLS_THEM_APART)
def test_what_tells_the_rulesets_apart_is_a_field(field, tianjin, jintan, bare):
    values = [getattr(tjmj.rules(name), field) for name in ("tianjin", "jintan", "bare")]
    assert values == [tianjin, jintan, bare]
