"""The law of two worlds (table, Views): what a seat cannot see changes nothing that it is told.

Two rounds that differ only in what a seat cannot see, and in which the same windows open, give it equal
views and events, before and after every move.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st
from rounds import VIEWERS, WINDOWS, Table, any_table
from worlds import Step, Viewer, other_world, same_window, story

from tjmj.env import observe
from tjmj.errors import TjmjError
from tjmj.round import Round

WORDS = (
    "h",
    "r",
    "pass",
    "sit",
    "pull1",
    "kick",
    "d5W",
    "c5W",
    "a5W",
    "p5W",
    "o5W",
    "w5W",
    "e5W",
    "nonsense",
)
FIXED: tuple[dict[str, Any], ...] = (
    {"chuai": True},
    {"heavenly_ready": True},
    {},
    {"jintan": 1},
    {"jintan": 0},
)
"""Rules that are compared in turn."""
EVENTS = {"window", "stakes", "deal", "flip", "draw", "flower", "discard", "chow", "pong", "kong"}


@dataclass
class Seen:
    """What was compared in worlds that differ."""

    windows: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)


def compare(one: Round, other: Round, viewer: Viewer, since: int) -> list[dict[str, Any]]:
    """Both tell the viewer the same; returns the events from a number on."""
    told = one.events(viewer, since)
    assert told == other.events(viewer, since)
    assert one.view(viewer) == other.view(viewer)
    if viewer in one.pending and one.window not in ("sit", "pull", "kick"):
        assert observe(one, viewer).tobytes() == observe(other, viewer).tobytes()
    return told


def reason(made: Round, seat: int, word: str) -> str:
    """What a seat is told when it says something that it may not say; empty if it may."""
    if word in made.pending.get(seat, ()):
        return ""
    with pytest.raises(TjmjError) as caught:
        made.play(seat, word)
    return str(caught.value)


def answer_all(made: Round, answers: list[tuple[int, str]], viewer: Viewer) -> bool:
    """Give these answers, then let all others pass; False where that is not legal.

    As long as the window is open the viewer is told nothing of it.
    """
    turn = made.turn
    events, view = made.events(viewer), made.view(viewer)
    while not made.over and made.turn == turn:
        seat, word = answers.pop(0) if answers else (next(iter(made.pending)), "pass")
        if word not in made.pending.get(seat, ()):
            return False
        made.play(seat, word, turn=turn)
        if made.turn == turn and viewer not in made.given:
            assert (made.events(viewer), made.view(viewer)) == (events, view)
    return True


def play_step(one: Round, other: Round, step: Step, viewer: Viewer, rng: random.Random) -> bool:
    """Give the step's answers in both; False where the other world cannot go the same way.

    It may ask others to pass, and in another order.
    """
    again = list(step.answers)
    if step.window not in ("turn", "sit", "kick"):
        again = [answer for answer in again if answer[1] != "pass" or answer[0] == viewer in other.pending]
        rng.shuffle(again)
    return answer_all(one, list(step.answers), viewer) and answer_all(other, again, viewer)


def two_worlds(rng: random.Random, table: Table, seen: Seen) -> None:
    """Play one story in two worlds, and compare as long as they stay alike."""
    told = story(rng, table)
    viewer = rng.choice(VIEWERS)
    changed = other_world(rng, told, viewer)
    one, other = told.table.round(), changed.round()
    since = 0
    for step in told.steps:
        events = compare(one, other, viewer, since)
        since += len(events)
        if changed != told.table:
            seen.windows[one.window] += 1
            seen.events.update(event["event"] for event in events)
        if viewer is not None and rng.random() < 0.1:
            assert all(reason(one, viewer, word) == reason(other, viewer, word) for word in WORDS)
        if not play_step(one, other, step, viewer, rng) or not same_window(one, other, viewer):
            return
    compare(one, other, viewer, 0)


def random_worlds(seed: int, seen: Seen, **fixed: Any) -> None:
    rng = random.Random(seed)
    two_worlds(rng, any_table(rng, **fixed), seen)


def test_random_worlds():
    for seed in range(30):
        random_worlds(seed, Seen(), **FIXED[seed % len(FIXED)])


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_many_random_worlds(block):
    """All windows, and all events but the rarest, are compared in worlds that differ."""
    seen = Seen()
    for seed in range(1000 + 500 * block, 1500 + 500 * block):
        random_worlds(seed, seen, **FIXED[seed % len(FIXED)])
    assert seen.windows.keys() | {"rob"} == WINDOWS
    assert seen.events.keys() >= EVENTS | {"declare"}


@effort(0.15)
@given(st.integers(0, 2**64 - 1))
def test_any_worlds(seed):
    random_worlds(seed, Seen())
