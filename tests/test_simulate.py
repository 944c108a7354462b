"""Simulation: the same hands whatever the threads, records that verify, policies that do what they state."""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from math import sqrt

import pytest
from commands import listen_to_interrupts

import tjmj
from tjmj import record
from tjmj import simulate as module
from tjmj._deal import deal_fast
from tjmj._play import Play
from tjmj._policy import Hands
from tjmj.cli import main
from tjmj.elements import OF_COUNTING
from tjmj.simulate import Summary, simulate
from tjmj.tiles import NAMES, suit, wild_kinds

STREET = tjmj.rules("tianjin-street")
RULES = [
    tjmj.rules(),
    tjmj.rules("tianjin-hall"),
    STREET,
    tjmj.rules(wild_by="turned", wild_kinds=3, chuai=True, min_fan=1),
    tjmj.rules(flower_wilds=True, gold_kong=0, last_tiles_closed=30, max_pulls=1),
    tjmj.rules("tianjin-street", stakes=False, wild_kinds=1, heavenly_mode="plus", cap=3, base=7),
    tjmj.rules("tianjin-hall", flower_wilds=True, wild_by="turned", opening="two-throw"),
]
JINTAN = [tjmj.rules("jintan"), tjmj.rules("jintan", chow=False, min_flowers=0, base=1)]
POLICIES = ["random", "simple"]

all_rules = pytest.mark.parametrize("rules", RULES + JINTAN, ids=repr)
both_policies = pytest.mark.parametrize("policy", POLICIES)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """So that a few hundred hands are many chunks."""
    monkeypatch.setattr(module, "CHUNK", 16)


def recorded(*args, **kwargs):
    """The summary of a run and its records as bytes."""
    file = io.BytesIO()
    summary = simulate(*args, records=file, **kwargs)
    return summary, file.getvalue()


def read(lines):
    return list(record.read(io.BytesIO(lines)))


def assert_verified(lines, hands):
    verdicts = list(record.verify_file(io.BytesIO(lines)))
    assert len(verdicts) == hands
    assert [verdict for verdict in verdicts if not verdict.ok] == []


# One seed, one run


@both_policies
def test_threads_change_nothing(policy, monkeypatch):
    alone = recorded(hands=1000, seed=5, policy=policy)
    assert alone[0].hands == 1000 and alone[1].count(b"\n") == 1000
    for threads in (2, 3, 100):
        assert recorded(hands=1000, seed=5, policy=policy, threads=threads) == alone
        assert simulate(hands=1000, seed=5, policy=policy, threads=threads) == alone[0]
    monkeypatch.setattr(module, "CHUNK", 300)
    assert recorded(hands=1000, seed=5, policy=policy, threads=2) == alone


def test_a_shorter_run_is_the_beginning_of_a_longer_one():
    _, shorter = recorded(hands=40, seed=5)
    _, longer = recorded(hands=100, seed=5)
    assert longer.startswith(shorter)


def test_seeds_and_policies_differ():
    runs = [(seed, policy) for seed in (0, 1, 2**64 - 1) for policy in POLICIES]
    assert len({recorded(hands=20, seed=seed, policy=policy)[1] for seed, policy in runs}) == len(runs)
    walls = {line.wall for seed, _ in runs for line in read(recorded(hands=20, seed=seed)[1])}
    assert len(walls) == 60


@all_rules
def test_hands_are_dealt_by_the_documented_generator(rules):
    _, lines = recorded(rules, hands=20, seed=9)
    for hand, line in enumerate(read(lines)):
        deal = deal_fast(9, hand, rules)
        assert (line.dice, line.wall, line.dealer) == ((deal.open, deal.flip), deal.wall, hand % 4)
        assert line.rules == rules and line.seed is None
        assert (line.stakes is None) is not rules.stakes


# Records


@all_rules
@both_policies
def test_records_verify(rules, policy):
    _, lines = recorded(rules, hands=150, seed=1, policy=policy, threads=2)
    assert_verified(lines, 150)


@pytest.mark.slow
@all_rules
@both_policies
def test_ten_thousand_records_verify(rules, policy, monkeypatch):
    monkeypatch.setattr(module, "CHUNK", 1000)
    _, lines = recorded(rules, hands=10_000, seed=2, policy=policy, threads=2)
    assert_verified(lines, 10_000)


def counted(lines, rules):
    """What a summary says, from the records alone."""
    count, elements, points = Counter(), Counter(), [0] * 4
    for line in lines:
        moves, result = line.moves.split(), line.result
        acts = Counter(move[1] for move in moves)
        count["hands"] += 1
        count["exhausted"] += result["end"] == "exhausted"
        count["discards"] += acts["d"]
        count["kongs"] += acts["c"] + acts["a"] + acts["o"]
        count["decisions"] += sum(1 for _ in decisions(line))
        assert sum(result["net"]) == 0
        points = [sum(both) for both in zip(points, result["net"], strict=True)]
        for winner in result["winners"]:
            count["wins"] += 1
            count["dealer_wins"] += winner["seat"] == line.dealer
            count["fan"] += winner["fan"]
            elements.update(winner["elements"])
    return count, points, elements


@all_rules
@both_policies
def test_a_summary_is_what_its_records_add_up_to(rules, policy):
    hands = 60 if policy == "random" else 300
    summary, lines = recorded(rules, hands=hands, seed=3, policy=policy)
    count, points, elements = counted(read(lines), rules)
    if rules in JINTAN:
        del count["decisions"]      # counted from records only where one seat at a time can claim
    assert {key: getattr(summary, key) for key in count} == count
    assert summary.points == tuple(points) and sum(points) == 0
    assert summary.elements == {key: elements[key] for key in OF_COUNTING[summary.rules.counting]}
    assert summary.exhausted_share == count["exhausted"] / hands
    assert summary.average_length == count["discards"] / hands
    assert summary.average_fan == (count["fan"] / count["wins"] if count["wins"] else None)
    assert (summary.asked, summary.partial, summary.rules) == (hands, False, rules)


@all_rules
def test_distributions_are_those_of_the_records(rules):
    summary, lines = recorded(rules, hands=300, seed=3, policy="simple")
    fans, lengths, gains = Counter(), Counter(), [Counter() for _ in range(4)]
    squares = [0] * 4
    for line in read(lines):
        lengths[sum(move[1] == "d" for move in line.moves.split())] += 1
        fans.update(winner["fan"] for winner in line.result["winners"])
        for seat, points in enumerate(line.result["net"]):
            squares[seat] += points**2
            bits = len(f"{abs(points):b}") if points else 0
            gains[seat][21 + bits if points > 0 else 21 - bits] += 1
    assert summary.lengths == tuple(lengths[place] for place in range(256))
    assert summary.fans == tuple(fans[fan] for fan in range(256))
    assert summary.gains == tuple(tuple(each[place] for place in range(43)) for each in gains)
    assert summary.squares == tuple(squares)
    for seat, deviation in enumerate(summary.deviations):
        mean = summary.points[seat] / 300
        assert deviation == pytest.approx(sqrt(squares[seat] / 300 - mean**2))


def test_eight_flowers_are_counted_as_a_win():
    summary, lines = recorded("jintan", hands=2, seed=4534)
    assert [line.result["end"] for line in read(lines)] == ["exhausted", "flowers"]
    assert (summary.wins, summary.exhausted, summary.dealer_wins, summary.fan) == (1, 1, 0, 2)
    assert {key: wins for key, wins in summary.elements.items() if wins} == {"bahua": 1}
    assert summary.points == (600, -200, -200, -200)  # (10 + 8 flowers * 5) * 2^2 from each


def test_what_is_too_much_for_its_place_is_counted_at_the_end():
    summary = simulate(tjmj.rules(base=1_000_000, cap=None, heavenly_factor=1000, flower_wilds=True), 3000, 3, "simple")
    assert summary.fans[255] and sum(summary.fans) == summary.wins
    for seat in range(4):
        assert summary.gains[seat][0] and summary.gains[seat][42] and sum(summary.gains[seat]) == 3000


# Policies


def decisions(line):
    """Each question of a hand with more than one answer: (play, the answers, what was answered).

    In the order of the hand; `None` among the answers is passing.
    """
    play = record.play_of(line)
    asked_to_declare = False
    moves = [*line.moves.split(), None]
    for place, move in enumerate(moves):
        legal = play.legal()
        claims = [other for other in legal if other[1] in "po"]
        if not asked_to_declare and place == 1:
            asked_to_declare = True
            declared = [other for other in moves[1:4] if other and other[1] == "r"]
            for other in legal:
                if other[1] == "r":
                    yield play, [None, other], other if other in declared else None
        if move and move[1] == "r":
            play.play(move)
            continue
        if claims:
            assert len({claim[0] for claim in claims}) == 1
            yield play, [None, *claims], move if move in claims else None
        if move and move not in claims:
            own = [other for other in legal if other[1] in "dcah"]
            if len(own) > 1:
                yield play, own, move
        if move:
            play.play(move)
    assert play.may_end


def test_random_does_everything():
    acts = Counter()
    for seed in range(4):
        _, lines = recorded(STREET, hands=1000, seed=seed)
        acts.update(move[1] for line in read(lines) for move in line.moves.split())
    assert acts.keys() == set("dcahpor")


def test_random_takes_each_action_with_the_same_chance():
    """Over all questions: the place of the answer among n is each time as likely (3.5 standard errors)."""
    chosen, expected, variance = Counter(), Counter(), Counter()
    _, lines = recorded(STREET, hands=400, seed=8)
    for line in read(lines):
        for _, answers, answer in decisions(line):
            place = answers.index(answer)
            for each in range(len(answers)):
                chosen[each] += each == place
                expected[each] += 1 / len(answers)
                variance[each] += 1 / len(answers) * (1 - 1 / len(answers))
    for place in chosen:
        assert abs(chosen[place] - expected[place]) < 3.5 * max(1, variance[place]) ** 0.5, place


def test_random_stakes_everything():
    rules = tjmj.rules("tianjin-street", chuai=True)
    stakes = [line.stakes for line in read(recorded(rules, hands=200)[1])]
    assert {staked.sit for staked in stakes} == {False, True}
    assert {pulls for staked in stakes for pulls in staked.pull} == {0, 1, 2}
    assert {kick for staked in stakes for kick in staked.kick} == {False, True}


def neighbours(kind, held):
    """Further copies of a tile, and kinds within two ranks of it, all of them natural."""
    near = [other for other in set(held) if other != kind and suit(kind) is not None
            and suit(other) == suit(kind) and abs(other - kind) <= 2]  # fmt: skip
    return held.count(kind) - 1 + len(near)


def thrown(held, wild):
    natural = [kind for kind in held if kind not in wild]
    fewest = min((neighbours(kind, natural) for kind in natural), default=None)
    return max((kind for kind in natural if neighbours(kind, natural) == fewest), default=max(held))


def chosen_by_simple(play, answers, answer, rules):
    """What `simple` states that it does; a list where more than one thing would fit."""
    if None in answers:
        if any(other and other[1] == "r" for other in answers):
            return [None]
        kongs = [other for other in answers if other and other[1] == "o"]
        held = Counter(play.held(int(answers[1][0])))
        pair_beside = sum(copies > 1 for copies in held.values()) > 1
        return kongs or [answers[1] if pair_beside else None]
    wins = [other for other in answers if other[1] == "h"]
    kongs = [other for other in answers if other[1] in "ca"]
    if wins or kongs:
        return wins or kongs
    seat = int(answer[0])
    after = play.copy()
    after.play(answer)  # the draw comes with the move
    held = [*after.held(seat), NAMES.index(answer[2:])]
    wild = wild_kinds(play.flip, rules.wild_kinds, rules.flower_wilds)
    return [f"{seat}d{NAMES[thrown(held, wild)]}"]


@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_simple_does_what_it_states(rules):
    asked = Counter()
    for line in read(recorded(rules, hands=80, seed=4, policy="simple")[1]):
        assert line.stakes in (None, tjmj.stakes.NO_STAKES)
        for play, answers, answer in decisions(line):
            chosen = chosen_by_simple(play, answers, answer, rules)
            assert answer in chosen, (line, answers)
            asked["pass" if chosen == [None] else chosen[0][1]] += 1
    assert asked.keys() >= set("dh") | {"pass", "p"}


def test_simple_throws_a_wildcard_where_it_holds_nothing_else():
    line = read(recorded(STREET, hands=5, seed=3330, policy="simple")[1])[4]
    play = record.play_of(line, after=44)  # seat 3 has just ponged for the fourth time, and can't win on that
    assert NAMES[play.flip] == "9T" and [NAMES[kind] for kind in play.held(3)] == ["9T", "9T"]
    assert line.moves.split()[44] == "3d9T"


@pytest.mark.parametrize(
    ("hand", "before", "kongs", "made"),
    [(31626, 11, ["1a1J", "1c3J"], "1c3J"), (418145, 3, ["0c2T", "0c5B"], "0c5B")],
)
def test_simple_makes_concealed_kongs_first_and_the_last_kind_of_them(hand, before, kongs, made):
    ((dealer, _, dice, wall, moves, _),) = Hands(STREET, 0, "simple").records(hand, 1)
    play = Play(STREET, dealer, wall, sum(dice[-2:]))
    play.play_all(" ".join(moves[:before]))
    assert [move for move in play.legal() if move[1] in "ca"] == kongs
    assert moves[before] == made


# Progress and interrupts


@pytest.mark.parametrize("threads", [1, 3])
def test_progress(threads):
    told = []
    simulate(hands=200, threads=threads, progress=lambda *both: told.append(both))
    assert told[-1] == (200, 200)
    assert told == sorted(told) and {asked for _, asked in told} == {200}


def interrupting(done, asked):
    """A progress that is interrupted when the first hands are done."""
    if done:
        raise KeyboardInterrupt


@both_policies
@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupt_keeps_what_is_done(policy, threads, tmp_path):
    file = tmp_path / "hands.jsonl"
    file.write_text("from an earlier run")
    summary = simulate(hands=10**9, policy=policy, threads=threads, records=file, progress=interrupting)
    assert summary.partial and 0 < summary.hands < 10**9 and summary.asked == 10**9
    assert os.listdir(tmp_path) == ["hands.jsonl"]
    whole, lines = recorded(hands=summary.hands, policy=policy)
    assert file.read_bytes() == lines
    assert summary.to_json() == whole.to_json() | {"partial": True, "asked": 10**9}


def test_an_interrupt_without_records():
    summary = simulate(hands=2**64 - 1, threads=2, progress=interrupting)
    assert summary == replace(simulate(hands=summary.hands), asked=2**64 - 1)


def test_an_interrupt_at_the_end_is_none():
    def interrupted_at_last(done, asked):
        if done == asked:
            raise KeyboardInterrupt

    assert simulate(hands=50, progress=interrupted_at_last) == simulate(hands=50)


class Full(io.BytesIO):
    """A disk that is full after some writes."""

    def write(self, data):
        if self.tell() > 100_000:
            raise OSError(28, "No space left on device")
        return super().write(data)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_fault_in_writing_ends_the_run(threads):
    with pytest.raises(OSError, match="No space"):
        simulate(hands=10**9, threads=threads, records=Full())


def test_a_fault_leaves_the_file_as_it_was(tmp_path):
    def fails(done, asked):
        raise ZeroDivisionError

    file = tmp_path / "hands.jsonl"
    for content in (None, "from an earlier run"):
        if content:
            file.write_text(content)
        with pytest.raises(ZeroDivisionError):
            simulate(hands=10**9, threads=2, records=file, progress=fails)
        assert os.listdir(tmp_path) == (["hands.jsonl"] if content else [])
    assert file.read_text() == "from an earlier run"


@pytest.mark.skipif(os.name != "posix", reason="links and devices of POSIX")
def test_where_records_go(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.touch()
    link.symlink_to(target)
    simulate(hands=20, records=link)
    assert link.is_symlink() and target.read_bytes() == recorded(hands=20)[1]
    simulate(hands=20, records="/dev/null")
    assert not os.path.isfile("/dev/null")
    for folder in (tmp_path, f"{tmp_path}/new/", ""):
        with pytest.raises((IsADirectoryError, FileNotFoundError)):
            simulate(hands=20, records=folder)
    assert sorted(os.listdir(tmp_path)) == ["link", "target"]


@pytest.mark.parametrize(
    "kwargs, told",
    [
        ({"hands": -1}, "hands -1"),
        ({"hands": 2**64}, "hands 1844"),
        ({"seed": -1}, "seed -1"),
        ({"seed": 2**64}, "seed 1844"),
        ({"threads": 0}, "threads 0"),
        ({"threads": 10**6}, "threads 1000000"),
        ({"policy": "clever"}, "'clever'"),
        ({"rules": "peking"}, "'peking'"),
    ],
)
def test_faults(kwargs, told, tmp_path):
    file = tmp_path / "hands.jsonl"
    with pytest.raises(tjmj.TjmjError, match=told):
        simulate(records=file, **kwargs)
    assert not file.exists()


def test_numbers_have_to_be_whole():
    for name in ("hands", "seed", "threads"):
        with pytest.raises(TypeError):
            simulate(**{name: 1.5})


def test_no_hands():
    summary, lines = recorded(hands=0)
    assert lines == b"" and summary.hands == 0 and not summary.partial
    assert summary.average_fan is summary.average_length is summary.exhausted_share is summary.deviations is None


def test_a_summary_is_a_value():
    summary = simulate(hands=30, policy="simple")
    assert summary == simulate(hands=30, policy="simple") != simulate(hands=31, policy="simple")
    assert hash(summary) == hash(pickle.loads(pickle.dumps(summary)))
    assert eval(repr(summary), {"Summary": Summary, "tjmj": tjmj}) == summary
    with pytest.raises(AttributeError):
        summary.hands = 3


# The command


@pytest.fixture
def run(capsysbinary):
    def run_with(*args):
        status = main(["simulate", *map(str, args)])
        sys.stdout.flush()
        out, err = capsysbinary.readouterr()
        return status, out.decode(), err.decode()

    return run_with


def test_command_in_json(run):
    status, out, err = run("--hands", 100, "--seed", 7, "--policy", "simple", "--threads", 2, "--json",
                           "--set", "cap=none")  # fmt: skip
    assert (status, err) == (0, "")
    summary = simulate(tjmj.rules(cap=None), 100, 7, "simple")
    assert json.loads(out) == summary.to_json()
    assert json.loads(out)["rules"] == {"name": "tianjin", "cap": None}


def test_command_writes_records(run, tmp_path):
    file = tmp_path / "hands.jsonl"
    asked = ("--hands", 100, "--seed", 7, "--rules", "tianjin-street")
    assert run(*asked, "--json", "--records", file)[0] == 0
    summary, lines = recorded(STREET, 100, 7)
    assert file.read_bytes() == lines
    status, out, err = run(*asked, "--records", "-", "--json")
    assert (status, out) == (0, lines.decode()) and json.loads(err) == summary.to_json()
    status, out, err = run(*asked, "--records", "-")
    assert (status, out) == (0, lines.decode()) and err.startswith("100 hands  policy random")
    assert main(["record", "verify", str(file)]) == 0


def test_a_summary_drawn(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    status, out, err = run("--hands", 1000, "--seed", 7, "--policy", "simple")
    assert (status, err) == (0, "")
    summary = simulate(hands=1000, seed=7, policy="simple")
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == "1,000 hands policy simple seed 7 tianjin".split()
    assert ["和", "won", str(summary.wins), f"{summary.wins / 1000:.1%}"] in lines
    assert ["荒庄", "nobody", "won", str(summary.exhausted), f"{summary.exhausted_share:.1%}"] in lines
    assert ["番", "fan", "of", "a", "win", f"{summary.average_fan:.2f}"] in lines
    assert ["打", "discards", "a", "hand", f"{summary.average_length:.2f}"] in lines
    won = summary.elements["zhuowu"]
    assert ["捉五", "zhuowu", str(won), f"{won / summary.wins:.1%}"] in lines
    assert lines[-2:] == [
        ["seat", "0", "1", "2", "3", "sum"],
        ["points", *[f"{points:+,}" if points else "0" for points in summary.points], "0"],
    ]


def test_a_summary_of_nothing_drawn(run):
    status, out, err = run("--hands", 0)
    assert (status, err) == (0, "") and out.startswith("0 hands") and "won with" not in out
    assert [line.split() for line in out.splitlines()][6] == "打 discards a hand -".split()
    assert run("--hands", 1)[1].startswith("1 hand ")


@pytest.mark.parametrize(
    "args, told",
    [
        (["--hands", "-1"], "hands -1"),
        (["--hands", "many"], "'many'"),
        (["--hands", "9" * 5000], "--hands"),
        (["--seed", str(2**64)], "seed"),
        (["--threads", "0"], "threads 0"),
        (["--policy", "clever"], "'clever'; there are random, simple"),
        (["--rules", "peking"], "'peking'"),
        (["--set", "cap"], "OPTION=VALUE"),
        (["--records", "no/such/folder/hands.jsonl"], "no/such/folder/hands.jsonl"),
        (["--records", "."], "irectory" if os.name == "posix" else ""),
        (["tianjin"], "tianjin"),
    ],
)
def test_faults_of_the_command(run, args, told):
    status, out, err = run(*args)
    assert (status, out) == (2, "")
    assert told in err and err.startswith("tjmj: ") and err.count("\n") == 1


COMMAND = [sys.executable, "-W", "error", "-m", "tjmj", "simulate"]


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("where", ["hands.jsonl", "-"])
def test_ctrl_c(tmp_path, where):
    file = where if where == "-" else tmp_path / where
    asked = ["--hands", str(10**9), "--threads", "2", "--policy", "simple", "--json", "--records", file]
    with (tmp_path / "out").open("wb") as out, subprocess.Popen(
        [*COMMAND, *asked], stdout=out, stderr=subprocess.PIPE, preexec_fn=listen_to_interrupts
    ) as child:
        end = time.monotonic() + 30
        while time.monotonic() < end and sum(part.stat().st_size for part in tmp_path.iterdir()) < 10**6:
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        try:
            err = child.communicate(timeout=30)[1]
        finally:
            child.kill()    # never to be waited for
    assert child.returncode == 130
    written = (tmp_path / "out").read_bytes()
    summary = json.loads(err if where == "-" else written)
    lines = written if where == "-" else file.read_bytes()
    assert where == "-" or err == b""
    assert summary["partial"] and summary["asked"] == 10**9 and summary["hands"] > 0
    assert lines.endswith(b"}\n") and lines.count(b"\n") == summary["hands"]
    assert sorted(os.listdir(tmp_path)) == sorted({where, "out"} - {"-"})


@pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX")
def test_a_progress_bar_on_a_terminal_only():
    import pty

    parent, terminal = pty.openpty()
    done = subprocess.run([*COMMAND, "--hands", "3000", "--json"], stdout=subprocess.PIPE, stderr=terminal,
                          env=os.environ | {"TERM": "xterm", "COLUMNS": "100"}, timeout=60)  # fmt: skip
    os.close(terminal)
    shown = os.read(parent, 1 << 16).decode()
    os.close(parent)
    assert json.loads(done.stdout)["hands"] == 3000
    assert "of 3,000 hands" in shown and "hands/s" in shown and " left" in shown


def test_rich_is_for_people_only():
    program = """
import sys
from tjmj.cli import main
assert main(["simulate", "--hands", "10", "--json"]) == 0
assert "rich" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
