"""One hand of Jintan under hypothesis' control, the engine beside the referee (jintan, all)."""

from __future__ import annotations

import random

import pytest
from effort import effort
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from test_jintan_referee import EVERY_MOVE, Comparison, Player, any_deal

SEEDS = st.integers(0, 2**32 - 1)
WORDS = st.one_of(
    st.sampled_from(EVERY_MOVE),
    st.from_regex(r"[0-3][dcahporwe]([1-9][WTBFJH])?", fullmatch=True),
    st.text(max_size=6),
)


class HandOfJintan(RuleBasedStateMachine):
    """One hand played by both, with random options; `both.make` compares after every move."""

    @initialize(seed=SEEDS)
    def begin(self, seed: int) -> None:
        self.both = Comparison(any_deal(random.Random(seed)))
        self.leave_a_copy()

    @rule()
    def leave_a_copy(self) -> None:
        self.kept = self.both.play.copy()
        self.kept_bytes = self.kept.state_bytes

    @precondition(lambda self: self.both.legal)
    @rule(data=st.data())
    def any_legal_move(self, data: st.DataObject) -> None:
        self.both.make(data.draw(st.sampled_from(self.both.legal)))

    @precondition(lambda self: any(move[1] != "d" for move in self.both.legal))
    @rule(data=st.data())
    def more_than_a_discard(self, data: st.DataObject) -> None:
        self.both.make(data.draw(st.sampled_from([move for move in self.both.legal if move[1] != "d"])))

    @precondition(lambda self: self.both.legal)
    @rule(seed=SEEDS, count=st.integers(2, 25))
    def play_on(self, seed: int, count: int) -> None:
        player = Player(random.Random(seed))
        for _ in range(count):
            if self.both.legal:
                self.both.make(player.move(self.both.legal, self.both.referee))

    @rule(word=WORDS)
    def say_anything(self, word: str) -> None:
        self.both.check_refused(word)

    @invariant()
    def the_copy_stays(self) -> None:
        assert self.kept.state_bytes == self.kept_bytes


class TestHandOfJintan(HandOfJintan.TestCase):
    settings = effort(0.3, stateful_step_count=25)


@pytest.mark.slow
class TestManyHandsOfJintan(HandOfJintan.TestCase):
    settings = settings(max_examples=200, stateful_step_count=60)
