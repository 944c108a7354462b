"""scripts/soak.py: finds no fault in hands as they are played, and finds what is wrong in others."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

import tjmj
from tjmj.record import read
from tjmj.simulate import simulate

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"
sys.path.insert(0, str(SCRIPTS))

import soak  # noqa: E402
import soak_laws  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("player")]


@pytest.fixture(scope="module")
def player(tmp_path_factory):
    """What plays the hands, built once: this takes a compiler, and some seconds."""
    built = soak.built(soak.SOURCE, tmp_path_factory.mktemp("built"), "-O0")
    soak.players[:] = [soak.loaded(built)]
    return soak.players[0]


def hands_of(rules, policy="random", count=20):
    """Some hands, as they are judged."""
    return [soak_laws.Hand(**told) for told in soak.players[0].hands(rules, 1, policy, 0, count)]


def test_hundreds_of_hands_keep_the_laws():
    batches = [soak.run_batch(1, number, 100) for number in range(10)]
    assert [batch.failures for batch in batches] == [[]] * 10
    assert sum(batch.hands for batch in batches) == 1000 and sum(batch.closely for batch in batches) == 20
    assert {batch.policy for batch in batches} == set(soak.POLICIES) and len({batch.rules for batch in batches}) == 10


@pytest.mark.parametrize("policy", soak.POLICIES)
def test_hands_are_those_of_a_simulation(policy, tmp_path):
    simulate("tianjin", 30, seed=1, policy=policy, records=tmp_path / "hands.jsonl")
    assert [hand.record for hand in hands_of("tianjin", policy, 30)] == [*read(tmp_path / "hands.jsonl")]


def test_choices_of_all_kinds_are_shown():
    """Own turns after a draw and after a claim, declarations, claims and robberies, at any time of a hand."""
    ready = tjmj.rules("tianjin-street", wild_kinds=3, flower_wilds=True, min_fan=1)
    hands = [*hands_of("jintan", "simple", 1500), *hands_of(ready, "random", 1500)]
    assert {hand.shown[soak_laws.FEATURES["window"][0]] for hand in hands} == {0, 1, 2, 3, 4}
    assert {hand.moves for hand in hands} >= {*range(70)}


def test_options_have_all_their_values():
    """Each option of each ruleset is set, special values and both ends of small ranges among them."""
    rng = random.Random(2)
    seen = [soak.any_rules(rng) for _ in range(1500)]
    for name in ("tianjin", "jintan"):
        own = [rules for rules in seen if rules.name.startswith(name)]
        for option, its in tjmj.rules_options(name).items():
            values = {getattr(rules, option) for rules in own}
            wanted = {True, False} if its.allowed is bool else {*its.special}
            if isinstance(its.allowed, range):
                wanted |= {*its.allowed[:2], *(its.allowed if len(its.allowed) < 12 else ())}
            elif its.allowed is not bool:
                wanted |= {*its.allowed}
            assert wanted <= values, option


def broken(hand, closely=False):
    """The law that a hand breaks, None for none."""
    (fault,) = soak_laws.faults_of([hand], 1 if closely else 10**6)
    return fault and fault.law


@pytest.mark.parametrize("rules", ["tianjin", "jintan"])
def test_a_change_to_a_record_is_found(rules):
    for hand in hands_of(rules):
        assert broken(hand, closely=True) is None
        record = hand.record
        moves = record.moves.split()
        changes = (
            {"result": record.result | {"net": [1, -1, 0, 0]}},
            {"result": record.result | {"end": "flowers"}},
            {"wall": bytes([*record.wall[:60][::-1], *record.wall[60:]])},
            {"moves": " ".join(moves[: len(moves) // 2])},
            {"dealer": (record.dealer + 1) % 4},
        )
        for change in changes:
            assert broken(replace(hand, record=msgspec.structs.replace(record, **change))) == "record"


@pytest.mark.parametrize("rules", ["tianjin-street", "jintan"])
def test_a_change_to_what_a_seat_was_shown_is_found(rules):
    """In any byte; in both rows alike by the round, if it is looked at closely."""
    rng = random.Random(4)
    for hand in hands_of(rules, count=5):
        for place in rng.sample(range(len(hand.shown)), 20):
            shown = bytes(byte ^ (at == place) for at, byte in enumerate(hand.shown))
            assert broken(replace(hand, shown=shown)) == "view"
            assert broken(replace(hand, shown=shown, replayed=shown), closely=True) == "view"
        for change in ({"choices": hand.choices + 1}, {"seat": (hand.seat + 1) % 4}, {"moves": hand.moves - 1}):
            assert broken(replace(hand, **change), closely=True) == "view"


def test_other_payments_are_found():
    hands = [hand for hand in hands_of("tianjin-hall", "simple") if hand.payments]
    assert len(hands) > 10
    for hand in hands:
        one, other, *more = hand.paid
        line, *lines = hand.payments
        for change in (
            {"paid": [one + 1, other - 1, *more]},
            {"payments": lines},
            {"payments": [line | {"points": line["points"] + 1}, *lines]},
            {"payments": [line | {"factor": 2, "points": 2 * line["points"]}, *lines]},
            {"payments": [line | {"from": line["to"]}, *lines]},
            {"payments": [line, *lines, {"why": "cap", "seat": 0, "points": -1}]},
        ):
            assert broken(replace(hand, **change)) == "sums"


def test_tiles_that_are_lost_or_doubled_are_found():
    for hand in hands_of("jintan"):
        for kind in (0, 33, 34, 41):
            for change in (-1, 1):
                tiles = [count + change * (place == kind) for place, count in enumerate(hand.tiles)]
                assert broken(replace(hand, tiles=tiles)) == "tiles"


def test_a_hand_that_comes_to_another_end_again_is_found():
    (hand,) = hands_of("tianjin", count=1)
    assert broken(replace(hand, same_end=False)) == "replay"


def test_a_crash_is_a_failure_that_tells_how_to_see_it_again(monkeypatch):
    def crash(*given):
        raise ZeroDivisionError("of a test")

    monkeypatch.setattr(soak_laws, "check_tiles", crash)
    failure, *_ = soak.run_batch(1, 4, 5).failures
    assert failure["law"] == "no crash" and "ZeroDivisionError: of a test" in failure["why"]
    assert (failure["seed"], failure["batch"], failure["number"]) == (1, 4, 0)
    rules, *options = failure["rules"].split()
    known = tjmj.rules_options(rules)
    named = {name: known[name].read(name, text) for name, text in (option.split("=") for option in options)}
    (again,) = soak.players[0].hands(tjmj.rules(rules, **named), failure["run"], failure["policy"], 0, 1)
    assert failure["hand"]["record"]["moves"] == again["record"].moves
    json.dumps(failure)


def test_a_run_over_batches_that_crash_comes_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(soak, "players", [])
    player = tmp_path / "crashing.py"
    player.write_text("def hands(*given):\n    raise ZeroDivisionError('of a test')\n")
    state = soak.State(1)
    soak.run(state, 2500, 1, tmp_path, player)
    assert (state.next, state.hands, state.failures) == (3, 0, 3)
    failures = [json.loads(line) for line in (tmp_path / "failures.jsonl").read_text("utf-8").splitlines()]
    assert [(failure["batch"], failure["law"]) for failure in failures] == [(n, "no crash") for n in range(3)]


@pytest.mark.parametrize(("early", "late", "grown"), [(100, 170, False), (10, 70, False), (100, 201, True)])
def test_memory_that_grows_is_told(early, late, grown):
    state = soak.State(1)
    for number in range(200):
        state.add(soak.Batch(number, hands=1000, memory=(early if number < 50 else late) << 20))
    assert state.grown == grown == soak.summary(state).endswith(f"{late} MB at most, which is not flat")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--processes", "0"), "argument --processes: '0' is no whole number from 1"),
        (("--hands", "many"), "argument --hands: 'many' is no whole number from 1"),
        (("--batch", "-1"), "argument --batch: '-1' is no whole number from 0"),
        (("--folder", __file__), f"argument --folder: {__file__}: File exists"),
    ],
)
def test_wrong_options_are_refused_in_a_line(options, reason, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["soak.py", *options])
    with pytest.raises(SystemExit) as refused:
        soak.main()
    assert refused.value.code == 2 and capsys.readouterr().err.splitlines()[-1].endswith(f"error: {reason}")


@pytest.mark.parametrize("kept", ["", '{"seed": 1, "ne', "[]", '{"seed": 1, "last": 2}'])
def test_a_damaged_state_is_refused_in_a_line(kept, tmp_path):
    path = tmp_path / "state.json"
    path.write_text(kept, "utf-8")
    with pytest.raises(SystemExit) as refused:
        soak.State.load(path, 1)
    assert refused.value.code == f"{path} does not tell of a run: remove it to begin anew"


def run_script(*arguments):
    command = [sys.executable, str(SCRIPTS / "soak.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_a_run_goes_on_where_it_was(tmp_path):
    first = run_script("--hands", 1000, "--processes", 1, "--folder", tmp_path)
    assert (first.returncode, first.stderr) == (0, "") and "0 failures" in first.stdout
    kept = json.loads((tmp_path / "state.json").read_text("utf-8"))
    assert (kept["next"], kept["hands"]) == (1, 1000)
    second = run_script("--hands", 3000, "--processes", 2, "--folder", tmp_path)
    assert second.returncode == 0
    assert "3,000 hands with record, replay, tiles, sums and what a seat saw; 60 as rounds too" in second.stdout
    assert run_script("--hands", 3000, "--seed", 2, "--folder", tmp_path).returncode == 1
    assert not (tmp_path / "failures.jsonl").exists()

    kept = json.loads((tmp_path / "state.json").read_text("utf-8")) | {"memory": [50 << 20, 500 << 20]}
    (tmp_path / "state.json").write_text(json.dumps(kept), "utf-8")
    grown = run_script("--hands", 3000, "--folder", tmp_path)
    assert grown.returncode == 1 and grown.stdout.endswith("500 MB at most, which is not flat\n")
