"""Rounds at the table: answers through `Round.play`, known or taken from `pending`, with and without events.

What they are to reach, on one core:

=================  =================
Round.play         1.5 µs an answer
=================  =================

Every seat that is asked gives one of the answers in `pending`. All rounds are held by a checksum of their moves
and their records verified; the referee replays some of them. Nothing fails for being slow.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable

import pytest
import referee

from tjmj import record
from tjmj._deal import deal_fast
from tjmj.round import Round

SEED = 4
ROUNDS = 400
REPLAYED = 10
WINDOW = 60

# answers, wins, checksum of the moves
SUMS = (33_518, 1, 0xB2287722)

DEALS = [deal_fast(SEED, hand) for hand in range(ROUNDS)]


def play(made: Round, chance: Callable[[], float], windows: int = 1000) -> int:
    """Play a round at random, to its end or until it has come so far; returns how many answers were given."""
    answers = 0
    while not made.over and made.turn < windows:
        for seat, words in made.pending.items():
            made.play(seat, words[int(chance() * len(words))], turn=made.turn)
            answers += 1
    return answers


def answers_of(made: Round) -> list[tuple[int, str]]:
    """All answers of a random round, passing too."""
    given, chance = [], random.Random(SEED).random
    while not made.over:
        for seat, words in made.pending.items():
            given.append((seat, words[int(chance() * len(words))]))
            made.play(*given[-1])
    return given


@pytest.mark.benchmark(group="play")
def test_known_answers(timed):
    known = [answers_of(Round(deal=dealt)) for dealt in DEALS]

    def play_again() -> list[Round]:
        rounds = [Round(deal=dealt) for dealt in DEALS]
        for made, answers in zip(rounds, known, strict=True):
            play = made.play
            for seat, answer in answers:
                play(seat, answer)
        return rounds

    rounds = timed("Round.play, answers known", sum(map(len, known)), play_again, likes=("play",))
    assert all(made.over for made in rounds)
    for made in rounds[:REPLAYED]:
        referee.verify(json.loads(record.dumps(made.record())))


def play_all(listened: bool) -> tuple[list[Round], int]:
    chance, rounds, answers = random.Random(SEED).random, [], 0
    for dealt in DEALS:
        made = Round(deal=dealt)
        if listened:
            made.events(0)
        answers += play(made, chance)
        rounds.append(made)
    return rounds, answers


@pytest.mark.benchmark(group="play")
@pytest.mark.parametrize("listened", [False, True], ids=["nobody listening", "with events"])
def test_random_answers(timed, listened):
    work = f"Round.pending and play, {'with events' if listened else 'nobody listening'}"
    rounds, answers = timed(work, SUMS[0], play_all, listened, likes=("play",))
    moves = "\n".join(" ".join(made.moves) for made in rounds)
    wins = sum(made.result["end"] == "win" for made in rounds)
    assert (answers, wins, zlib.crc32(moves.encode())) == SUMS
    for number, made in enumerate(rounds):
        assert made.listening is listened
        written = made.record()
        record.verify(written)
        if number < REPLAYED:
            referee.verify(json.loads(record.dumps(written)))


@pytest.fixture(scope="module")
def amid() -> Round:
    """A round somewhere in the middle, its events told."""
    made = Round(deal=DEALS[0])
    play(made, random.Random(SEED).random, WINDOW)
    assert made.turn == WINDOW and made.events()
    return made


@pytest.mark.benchmark(group="copy")
def test_view(timed, amid):
    def views():
        for _ in range(100):
            view = amid.view(1)
        return view

    view = timed("Round.view in the middle of a hand", 100, views)
    assert view == Round.restore(amid.snapshot()).view(1)
    assert view.window["turn"] == WINDOW


@pytest.mark.benchmark(group="copy")
def test_restore(timed, amid):
    snapshot = json.dumps(amid.snapshot())

    def restored():
        for _ in range(100):
            made = Round.restore(snapshot)
        return made

    made = timed("Round.restore in the middle of a hand", 100, restored)
    assert made.snapshot() == amid.snapshot()
    assert made.play_of.state_bytes == amid.play_of.state_bytes
