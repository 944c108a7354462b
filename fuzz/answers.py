"""Answers to a round, by any rules and on any wall.

Laws: what a seat cannot see changes nothing that it is told (two worlds); a round goes as the referee's; an answer that
is not asked for is refused and changes nothing.
"""

from __future__ import annotations

import random

from rounds import VIEWERS, Table, any_answer, any_table
from test_round_referee import check_record, check_view, check_windows
from test_round_worlds import FIXED, Seen, two_worlds

from tjmj import TjmjError
from tjmj.round import Round
from tjmj.tiles import NAMES

from .choices import Choices

WORDS = ("pass", "sit", "stand", "pull0", "pull3", "kick", "kick01", "kick10", "h", "r", "", "\0", "d", "5W", "dd5W")
LETTERS = "dcaporwehx"


def check(data: bytes) -> None:
    """The first bytes choose the law and the table, the others the answers."""
    law = beside_the_referee if data[:1] < b"\x40" else in_two_worlds
    dealt = random.Random(data[1:5])
    law(Choices(data[5:]), any_table(dealt, **dealt.choice(FIXED)))


def in_two_worlds(rng: Choices, table: Table) -> None:
    two_worlds(rng, table, Seen())


def beside_the_referee(rng: Choices, table: Table) -> None:
    """As far as the bytes go; how it then ends the referee sees from the record."""
    made, plain = table.round(), table.plain()
    patience = rng.random()
    while not made.over and not rng.spent:
        check_windows(made, plain)
        if rng.random() < 0.3:
            answer_wrongly(rng, made)
        seat, answer = any_answer(rng, made, patience)
        made.play(seat, answer, turn=made.turn)
        plain.play(seat, answer)
    check_windows(made, plain)
    check_view(made, plain, rng.choice(VIEWERS))
    while not made.over:
        made.play(*any_answer(rng, made, patience))
    answer_wrongly(rng, made)
    check_record(made)


def answer_wrongly(rng: random.Random, made: Round) -> None:
    before = face(made)
    seat, turn = rng.choice((0, 1, 2, 3, 4, -1)), made.turn + rng.choice((0, 0, 0, 1, -1))
    words = [word for each in made.pending.values() for word in each]
    word = rng.choice((*WORDS, *words, rng.choice(LETTERS) + rng.choice(NAMES)))
    if turn == made.turn and word in made.pending.get(seat, ()):
        return
    try:
        made.play(seat, word, turn=turn)
    except TjmjError as fault:
        assert str(fault)
    else:
        raise AssertionError(f"{word!r} of seat {seat} was taken in window {turn}")
    assert face(made) == before


def face(made: Round) -> tuple[object, ...]:
    """What an answer could change."""
    return made.window, made.turn, made.pending, made.given, made.stakes, made.moves, made.play_of.state_bytes
