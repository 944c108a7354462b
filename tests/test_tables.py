"""Tables: what they ask, what they show, what they pay, beside rounds of the same deals (docs/tables.md)."""

from __future__ import annotations

import itertools
import os
import pickle
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from rigged import tiles
from rounds import JINTAN, OPTIONS, arranged
from seen_table import row_of
from test_deal import SplitMix64

import tjmj
from tjmj._asking import choose_by_deposit
from tjmj._deal import Deal, deal_fast
from tjmj._threads import processors
from tjmj.between_hands import kong_seats, next_dealer
from tjmj.env import ACTIONS, FEATURES, Tables, observe
from tjmj.errors import IllegalMove, RulesError, TjmjError
from tjmj.record import Record, play_of, verify
from tjmj.round import Round
from tjmj.tiles import NAMES, NEXT

PRESETS = ("tianjin", "tianjin-hall", "tianjin-street", "jintan")
ALL_AT_ONCE = tjmj.rules(
    "tianjin", flower_wilds=True, wild_by="turned", wild_kinds=3, chuai=True, heavenly_ready=True,
    plain_dragon=True, earthly=True, last_tiles_closed=20, dealer_yields_to_kong=True, min_fan=1,
)  # fmt: skip
PASS, DECLARE, OWN_KONG = map(ACTIONS.index, ("pass", "declare", "k1W"))
STRENGTH = {"w": 3, "p": 2, "o": 2, "e": 1, "pass": 0}


def any_rules(rng: random.Random) -> tjmj.Rules:
    """A preset with some options set."""
    name = rng.choice(PRESETS)
    known = JINTAN if name == "jintan" else OPTIONS
    chosen = rng.sample(sorted(known), rng.choice((0, 2, min(6, len(known)))))
    return tjmj.rules(name, **{option: rng.choice(known[option]) for option in chosen})


def eager(env: Tables, rng: np.random.Generator) -> np.ndarray:
    """Legal actions that win hands: wins first, kongs and claims often, else the tile that goes least with others."""
    held = env.observation[:, :42].astype(float)
    beside = 2.5 * held
    for first in (0, 9, 18):
        suit = held[:, first : first + 9]
        for ranks in (1, 2):
            beside[:, first : first + 9 - ranks] += suit[:, ranks:] / ranks
            beside[:, first + ranks : first + 9] += suit[:, :-ranks] / ranks
    flip = env.observation[:, FEATURES["flip"][0]]
    for table in np.flatnonzero(flip < 42):
        beside[table, [flip[table], NEXT[flip[table]]]] = 20
    worth = rng.random(env.mask.shape)
    worth[:, :42] -= beside
    worth[:, PASS + 1 :] += rng.random((len(env), 1)) < 0.6
    worth[:, PASS + 1] += 10
    return np.where(env.mask, worth, -np.inf).argmax(1)


# Beside rounds


def round_of(record: Record) -> Round:
    """The round of a hand that has just been dealt, its stakes chosen."""
    deal = Deal(record.dice.open, record.dice.flip, record.wall)
    game = Round(record.rules, record.dealer, deal=deal)
    while game.window in ("sit", "pull", "kick"):
        assert record.stakes is not None
        sit, pull, kick = record.stakes
        for seat, answers in game.pending.items():
            kicked = "kick" + "".join(str(other) for other in range(4) if kick[other])
            told = {"sit": "sit" if sit else "stand", "pull": f"pull{pull[seat]}", "kick": kicked}
            assert told[game.window] in answers
            game.play(seat, told[game.window])
    return game


def play_forced(game: Round) -> None:
    """Play what leaves no choice."""
    while not game.over and all(len(answers) == 1 for answers in game.pending.values()):
        ((seat, (answer,)),) = game.pending.items()
        game.play(seat, answer)


def strongest(answers: tuple[str, ...]) -> int:
    return max(STRENGTH["pass" if answer == "pass" else answer[0]] for answer in answers)


def assert_asked_as_in(game: Round, env: Tables, table: int) -> None:
    """A table asks a seat that the round asks, the strongest claim first, and lets it do the same."""
    seat = int(env.seat[table])
    pending = game.pending
    legal = [env.move(table, action) for action in np.flatnonzero(env.mask[table])]
    assert sorted(legal) == sorted(f"{seat}{answer}" for answer in pending[seat])
    assert len(legal) > 1
    if game.window in ("claim", "rob"):
        subject = game.view().window["seat"]  # type: ignore[index]
        first = min(pending, key=lambda other: (-strongest(pending[other]), (other - subject) % 4))
        assert seat == first
    else:
        assert list(pending) == [seat]


def play_beside_rounds(rules: tjmj.Rules | str, seed: int, hands: int, stakes: str = "random") -> int:
    """Play tables and rounds of the same deals in step; returns how many hands had a winner."""
    env = Tables(3, rules, seed=seed, stakes=stakes)
    rng = np.random.default_rng(seed)
    games = [round_of(env.record(table, finished=False)) for table in range(3)]
    wins = 0
    while env.hands.sum() < hands:
        for table, game in enumerate(games):
            play_forced(game)
            assert_asked_as_in(game, env, table)
            seat = int(env.seat[table])
            assert env.observation[table].tolist() == row_of(game, seat) == observe(game, seat).tolist()
        actions = eager(env, rng)
        moves = [env.move(table, action) for table, action in enumerate(actions)]
        env.step(actions)
        for table, move in enumerate(moves):
            games[table].play(int(move[0]), move[1:])
            play_forced(games[table])
            if not env.done[table]:
                assert not games[table].over
                assert not env.reward[table].any()
                continue
            record = env.record(table)
            verify(record)
            assert record.result is not None
            wins += bool(record.result["winners"])
            played = games[table].record()
            assert (record.moves, record.result) == (played.moves, played.result)
            assert env.reward[table].tolist() == record.result["net"]
            games[table] = round_of(env.record(table, finished=False))
            dealer = next_dealer(record.rules, record.dealer, record.result, kong_seats(record.moves.split()))
            assert games[table].dealer == dealer
    return wins


@pytest.mark.parametrize("rules", [*PRESETS, ALL_AT_ONCE], ids=str)
def test_tables_ask_show_and_pay_as_rounds_do(rules):
    assert play_beside_rounds(rules, seed=1, hands=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_tables_beside_rounds_under_any_rules(seed):
    rng = random.Random(seed)
    play_beside_rounds(any_rules(rng), seed, hands=12, stakes=rng.choice(("random", "none")))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [*PRESETS, ALL_AT_ONCE], ids=str)
def test_tables_beside_rounds_for_long(rules):
    assert play_beside_rounds(rules, seed=2, hands=60) > 20


# Records and rewards


@pytest.mark.parametrize("rules", [*PRESETS, ALL_AT_ONCE], ids=str)
def test_every_hand_is_a_record_that_verifies(rules):
    """Its payments are the reward, and the next dealer is the one that the rules say."""
    env = Tables(40, rules, seed=5)
    rng = np.random.default_rng(5)
    last: dict[int, Record] = {}
    for _ in range(150):
        env.step(eager(env, rng))
        for table in map(int, np.flatnonzero(env.done)):
            record = env.record(table)
            verify(record)
            assert env.reward[table].tolist() == record.result["net"]
            if table in last:
                before = last[table]
                made = kong_seats(before.moves.split())
                assert record.dealer == next_dealer(before.rules, before.dealer, before.result, made)
            last[table] = record
    assert env.hands.sum() >= len(last) > 10


def test_records_when_what_was_chosen_long_ago_is_forgotten():
    """A table keeps the last 1,024 choices, and writes them over."""
    env = Tables(3, seed=8, observe=False)
    ended = 0
    for step in range(2500):
        env.step(env.sample(step))
        for table in map(int, np.flatnonzero(env.done)):
            record = env.record(table)
            verify(record)
            assert record.result["net"] == env.reward[table].tolist()
            ended += 1
    assert ended == env.hands.sum() > 60
    for table in range(3):
        assert round_of(env.record(table, finished=False)).pending


def test_rewards_stand_for_one_step_only():
    env = Tables(50, seed=6, observe=False)
    paid = 0
    for step in range(400):
        env.step(env.sample(step))
        assert not env.reward[~env.done].any()
        assert not env.reward.sum(1).any()
        paid += env.reward[env.done].any(1).sum()
    assert paid > 10


def test_hands_are_dealt_from_the_seed_of_their_table():
    env = Tables(3, "tianjin-street", seed=8)
    while env.hands.min() < 2:
        env.step(env.sample(1))
    stream = SplitMix64.mix(SplitMix64.mix(8) + 2)
    record = env.record(2, finished=False)
    dealt = deal_fast(stream, int(env.hands[2]), "tianjin-street")
    assert (record.dice, record.wall) == ((dealt.open, dealt.flip), dealt.wall)
    assert env.record(2).wall == deal_fast(stream, int(env.hands[2]) - 1, "tianjin-street").wall


def test_a_hand_that_ends_as_it_is_dealt_is_paid_and_asks_nobody():
    env = Tables(1, "jintan", seed=10_583_025)  # eight flowers with the first dealer, once in some ten million hands
    assert env.done.tolist() == [True] and env.hands.tolist() == [1]
    assert env.reward.tolist() == [[600, -200, -200, -200]]
    ended = env.record(0)
    verify(ended)
    assert (ended.dealer, ended.moves, ended.result["end"]) == (0, "", "flowers")
    env.step(env.sample(0))
    assert not env.done.any() and not env.reward.any()


def test_first_dealers():
    dealers = [Tables(8, seed=9).record(table, finished=False).dealer for table in range(8)]
    assert dealers == [SplitMix64.mix(SplitMix64.mix(9) + table) & 3 for table in range(8)]
    env = Tables(5, tjmj.rules("tianjin", first_dealer=2))
    assert {env.record(table, finished=False).dealer for table in range(5)} == {2}


def test_stakes_are_drawn_or_left_out():
    drawn = Tables(60, tjmj.rules("tianjin", chuai=True), seed=3)
    stakes = {drawn.record(table, finished=False).stakes for table in range(60)}
    assert len(stakes) > 30
    none = Tables(60, tjmj.rules("tianjin", chuai=True), seed=3, stakes="none")
    assert {none.record(table, finished=False).stakes for table in range(60)} == {tjmj.stakes.NO_STAKES}


# Runs


def run(threads: int, steps: int, tables: int = 700) -> list[bytes]:
    env = Tables(tables, "jintan", seed=11, threads=threads)
    told = []
    for step in range(steps):
        arrays = env.step(env.sample(step))
        told.append(b"".join(array.tobytes() for array in arrays))
    return told


def test_runs_repeat_whatever_the_threads():
    assert run(1, 60) == run(2, 60) == run(1024, 60)


def test_processors_of_systems_that_hold_no_process_to_some(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    for known, counted in ((6, 6), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda known=known: known)
        assert processors() == counted


def test_reset_begins_again():
    env = Tables(30, seed=4)
    first = [array.copy() for array in env.reset()]
    for step in range(200):
        env.step(env.sample(step))
    assert all((before == after).all() for before, after in zip(first, env.reset(), strict=True))
    assert not env.hands.any()
    assert not env.done.any()


def test_arrays_are_made_once():
    env = Tables(5)
    arrays = env.reset()
    assert all(a is b for a, b in zip(arrays, (env.observation, env.mask, env.seat), strict=True))
    places = [array.ctypes.data for array in env.step(env.sample(0))]
    again = env.step(env.sample(1))
    assert [array.ctypes.data for array in again] == places
    assert [(array.shape, array.dtype) for array in again] == [
        ((5, 464), np.uint8), ((5, 84), bool), ((5,), np.uint8), ((5, 4), np.int32), ((5,), bool),
    ]  # fmt: skip


def test_without_observations():
    seen, unseen = Tables(20, seed=1), Tables(20, seed=1, observe=False)
    assert unseen.observation.shape == (20, 0)
    for step in range(100):
        _, *told = seen.step(seen.sample(step))
        _, *also = unseen.step(unseen.sample(step))
        assert all((a == b).all() for a, b in zip(told, also, strict=True))


def test_features_fill_the_row():
    at = 0
    for first, shape in FEATURES.values():
        assert first == at
        at += int(np.prod(shape, dtype=int))
    assert at == Tables(1).observation.shape[1]


@pytest.mark.parametrize(
    "hand", ["12345678W111223T", "9W1234567T111223B", "89T123456B111223W", "789B1234F1J111223W"]
)
def test_a_seat_sees_how_many_of_each_kind_it_holds(hand):
    first, (kinds,) = FEATURES["held"]
    held = tiles(hand)
    assert observe(arranged(hand), 0)[first : first + kinds].tolist() == [held.count(name) for name in NAMES[:kinds]]


@pytest.mark.parametrize("rules", PRESETS)
def test_all_who_may_claim_are_asked_where_nobody_does(rules):
    env = Tables(150, rules, seed=4, observe=False)
    windows: dict[int, tuple[str, set[int], set[int]]] = {}
    several = 0
    for step in range(150):
        claiming = env.mask[:, PASS] & ~env.mask[:, DECLARE]
        for table in range(len(env)):
            moves = env.record(table, finished=False).moves if claiming[table] else ""
            if table in windows and moves != windows[table][0]:
                _, asked, may = windows.pop(table)
                assert asked == may
                several += len(asked) > 1
            if moves:
                legal = play_of(env.record(table, finished=False), after=None).legal()
                may = {int(move[0]) for move in legal if move[1] in "poew"}
                windows.setdefault(table, (moves, set(), may))[1].add(int(env.seat[table]))
        env.step(np.where(env.mask[:, PASS], PASS, env.sample(step)))
    assert (several > 20) == (rules == "jintan")    # elsewhere only one can hold two of the others


def test_a_hidden_kong_is_shown_to_its_owner():
    env = Tables(300, "jintan", seed=2)
    kongs = np.arange(OWN_KONG, len(ACTIONS))
    owners: dict[tuple[int, int], int] = {}
    place, hidden = FEATURES["table"][0], FEATURES["hidden_kongs"][0]
    shown = 0
    for step in range(100):
        for table in range(len(env)):
            kind = owners.get((table, int(env.seat[table])))
            if kind is not None:
                assert env.observation[table, hidden] >= 1
                assert env.observation[table, place + 42 + kind] == 4
                shown += 1
        actions = np.where(env.mask[:, PASS], PASS, env.sample(step))
        wanted = env.mask[:, kongs]
        actions[wanted.any(1)] = kongs[wanted.argmax(1)][wanted.any(1)]
        for table in np.flatnonzero(wanted.any(1)):
            owners[table, int(env.seat[table])] = int(actions[table]) - OWN_KONG
        env.step(actions)
        owners = {key: kind for key, kind in owners.items() if not env.done[key[0]]}
    assert shown > 20


def test_declaring_is_told_as_a_record_writes_it():
    env = Tables(2000, tjmj.rules("tianjin-hall", heavenly_ready=True), seed=1)
    env.step(env.sample(0))  # the dealer's first discard, on which who waits may declare 天听
    (tables,) = np.nonzero(env.mask[:, DECLARE])
    assert len(tables)
    for table in tables:
        assert env.move(int(table), DECLARE) == f"{env.seat[table]}r"


def test_names_of_actions():
    assert len(ACTIONS) == len(set(ACTIONS)) == Tables(1).mask.shape[1]
    assert [ACTIONS[number] for number in (0, 41, 42, 50, 83)] == ["d1W", "d8H", "pass", "k1W", "k3J"]


def test_samples_are_legal_and_even():
    env = Tables(1, seed=2)
    drawn = np.array([env.sample(seed)[0] for seed in range(5000)])
    legal = np.flatnonzero(env.mask[0])
    assert set(drawn) == set(legal)
    shares = np.bincount(drawn)[legal] / len(drawn)
    assert abs(shares - 1 / len(legal)).max() < 0.02
    many = Tables(500, "jintan", seed=2)
    rng = np.random.default_rng(1)
    for _ in range(100):
        actions = many.sample(rng)
        assert many.mask[np.arange(500), actions].all()
        many.step(actions)


@pytest.mark.parametrize("rules", ["tianjin", "jintan"])
def test_samples_are_the_same_on_processors_that_cannot_deposit_bits(rules: str):
    def sampled(wanted: bool) -> list[bytes]:
        choose_by_deposit(wanted)
        env, own_kongs = Tables(500, rules, seed=5, observe=False), 0
        actions = []
        for seed in range(60):
            actions.append(env.sample(seed).tobytes())
            own_kongs += int(env.mask[:, 64:].any(1).sum())
            env.step(env.sample(seed))
        assert own_kongs    # so that both words of choices are drawn from
        return actions

    try:
        assert sampled(True) == sampled(False)
    finally:
        choose_by_deposit(True)


# What is refused


def everything(env: Tables) -> list[Any]:
    arrays = (env.observation, env.mask, env.seat, env.reward, env.done, env.hands)
    moves = [env.record(table, finished=False).moves for table in range(len(env))]
    return [array.tolist() for array in arrays] + moves


def test_what_is_written_into_the_arrays_is_gone_after_a_step():
    env, other = Tables(20, seed=5), Tables(20, seed=5)
    for step in range(80):
        actions = env.sample(step).copy()
        for array in (env.observation, env.mask, env.seat, env.reward, env.done):
            array[...] = step % 2
        env.step(actions)
        other.step(actions)
        assert everything(env) == everything(other)


def test_an_illegal_action_changes_nothing():
    env = Tables(6, seed=3)
    for step in range(30):
        env.step(env.sample(step))
    before = everything(env)
    legal = env.sample(7).copy()
    for table, action in itertools.product((0, 5), (-1, -(2**31), 84, 2**31 - 1, int(env.mask[0].argmin()))):
        if 0 <= action < 84 and env.mask[table, action]:
            continue
        actions = legal.copy()
        actions[table] = action
        with pytest.raises(IllegalMove, match=f"action {action} of table {table} is not one of its seat"):
            env.step(actions)
        assert everything(env) == before
    for number in (2**40, -(2**40)):
        with pytest.raises(IllegalMove, match=f"'{number}': action {number} of table 1 "):
            env.step(np.where(np.arange(6) == 1, np.int64(number), legal))
    with pytest.raises(IllegalMove, match="'pass': action 42 of table 0"):
        Tables(1).step([42])
    assert everything(env) == before


@pytest.mark.parametrize(
    ("actions", "error", "match"),
    [
        ([0, 1], TjmjError, r"shape \(2,\): \(3,\) is wanted"),
        ([[0], [1], [2]], TjmjError, "shape"),
        (5, TjmjError, "shape"),
        ([0.0, 1.0, 2.0], TypeError, "float64"),
        ([True, False, True], TypeError, "bool"),
        (["0", "1", "2"], TypeError, "must be whole numbers"),
        ([[0], [1, 2], [3]], TypeError, "rows of one length"),
        (np.ma.masked_equal([0, 1, 2], 1), TypeError, "masked places"),
        (None, TypeError, "must be whole numbers"),
    ],
)
def test_arrays_that_are_no_actions(actions, error, match):
    env = Tables(3)
    with pytest.raises(error, match=match):
        env.step(actions)


def test_tables_show_what_they_were_set_up_with():
    env = Tables(2, tjmj.rules("jintan", chow=False), seed=7, observe=False, threads=2, stakes="none")
    assert (len(env), env.rules.chow, env.seed, env.threads, env.stakes) == (2, False, 7, 2, "none")
    again = eval(repr(env), {"tjmj": tjmj})
    assert repr(again) == repr(env)
    assert all(again.record(table, finished=False) == env.record(table, finished=False) for table in range(2))


def test_tables_are_neither_set_up_again_nor_pickled():
    env = Tables(2, seed=1)
    mask = env.mask.copy()
    with pytest.raises(TypeError, match="set up once"):
        env.__init__(3)
    with pytest.raises(TypeError, match="write down their seed"):
        pickle.dumps(env)
    assert len(env) == 2 and (env.mask == mask).all()


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int64, np.uint64])
def test_actions_of_any_integer_type(kind):
    env, other = Tables(9, seed=1), Tables(9, seed=1)
    for step in range(50):
        actions = env.sample(step).copy()
        env.step(np.repeat(actions.astype(kind), 2)[::2])
        other.step(actions)
        assert (env.observation == other.observation).all()


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"n": 0}, TjmjError),
        ({"n": -1}, TjmjError),
        ({"n": 10**7 + 1}, TjmjError),
        ({"n": 2.0}, TypeError),
        ({"n": True}, TypeError),
        ({"rules": "riichi"}, RulesError),
        ({"rules": 3}, RulesError),
        ({"rules": tjmj.rules("tianjin-hall", base=1_000_000)}, RulesError),
        ({"rules": tjmj.rules("jintan", base=1_000_000, cap_fan=10)}, RulesError),
        ({"rules": tjmj.rules("tianjin-hall", base=10_000, concealed_kong=1000)}, RulesError),
        ({"seed": -1}, TjmjError),
        ({"seed": 2**64}, TjmjError),
        ({"seed": None}, TypeError),
        ({"observe": 1}, TypeError),
        ({"threads": 0}, TjmjError),
        ({"threads": 1025}, TjmjError),
        ({"stakes": "high"}, TjmjError),
    ],
)
def test_tables_that_cannot_be(given, error):
    with pytest.raises(error):
        Tables(**{"n": 1} | given)


def test_tables_that_are_not_there():
    env = Tables(3)
    assert env.threads == 1
    for call in (lambda: env.record(3), lambda: env.move(-1, 0), lambda: env.record(0)):
        with pytest.raises(TjmjError):
            call()
    with pytest.raises(IllegalMove):
        env.move(0, 84)
    with pytest.raises(TypeError):
        env.sample("seed")
    with pytest.raises(TypeError, match="true or false"):
        env.record(0, finished=1)
    assert env.sample(2**64 - 1).shape == (3,)
    for seed in (-1, 2**64):
        with pytest.raises(TjmjError, match="rng"):
            env.sample(seed)


def test_seats_that_are_not_asked_observe_nothing():
    game = Round("tianjin", dealer=1, seed=bytes(32))
    with pytest.raises(TjmjError, match="seat 1 is asked for no action"):
        observe(game, 1)
    game = Round("jintan", dealer=1, seed=bytes(32))
    assert observe(game, 1).shape == (464,)
    with pytest.raises(TjmjError, match="seat 2 is asked for no action"):
        observe(game, 2)


def test_capped_points_fit_whatever_the_base():
    env = Tables(200, tjmj.rules("tianjin", base=1_000_000), seed=3)
    rng = np.random.default_rng(3)
    most = 0
    for _ in range(200):
        most = max(most, env.step(eager(env, rng))[3].max())
    assert most == 1000


def test_two_threads_at_the_same_tables():
    """Each call is answered completely, or refused."""
    env = Tables(2000, "jintan", seed=1, observe=False, threads=2)
    done: Counter[str] = Counter()

    def attempt(name: str, call: Callable[..., object], *given: int) -> None:
        try:
            call(*given)
            done[name] += 1
        except IllegalMove:  # the other thread has gone on in between
            done["illegal"] += 1
        except TjmjError as error:
            assert "another thread is playing at these tables" in str(error)
            done["refused"] += 1

    def play(seed: int) -> None:
        for step in range(60):
            attempt("step", lambda rng: env.step(env.sample(rng).copy()), 1000 * seed + step)
            attempt("move", lambda: [env.move(table, 49) for table in range(2000) if env.mask[table, 49]])
            attempt("record", lambda table: play_of(env.record(table, finished=False), after=None).legal(), step)
            attempt("hands", lambda: env.hands)

    players = [threading.Thread(target=play, args=(seed,)) for seed in range(3)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    assert min(done[name] for name in ("step", "record", "hands")) > 0
    assert done.total() == 3 * 60 * 4
    while not env.hands.any():
        env.step(env.sample(0))
    verify(env.record(int(env.hands.argmax())))


CHILD = """
import os, numpy, tjmj.env
env = tjmj.env.Tables(2000, threads=2, seed=1)
for step in range(20): env.step(env.sample(step))
if hasattr(os, "fork"):
    child = os.fork()
    for step in range(20): env.step(env.sample(step))
    if not child: os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
print(env.hands.sum() >= 0)
"""


def test_threads_end_with_the_process_and_are_not_missed_in_a_fork():
    # From 3.12 on Python warns of every fork beside threads, which is what is tried here.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", CHILD]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")
