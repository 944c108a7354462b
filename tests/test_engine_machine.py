"""Random hands of play, the engine beside the referee: the same moves, ends and payments (tianjin, all)."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest
from effort import effort
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from referee import Referee
from referee_deal import ORDER, split_wall
from rigged import rigged, shuffled
from walls import Deal, tokens

import tjmj
from tjmj._play import Play
from tjmj.errors import IllegalMove
from tjmj.stakes import NO_STAKES, Stakes
from tjmj.tiles import NAMES

PRESETS = ("tianjin", "tianjin-hall", "tianjin-street")
OPTIONS: dict[str, tuple[Any, ...]] = {
    "opening": ("one-throw", "two-throw"),
    "wild_by": ("dice", "turned"),
    "wild_kinds": (1, 2, 3),
    "flower_wilds": (False, True),
    "gold_kong": (0, 1, 4),
    "gold_kong_by_discard": (False, True),
    "chan": (0, 1, 2, 7),
    "stakes": (False, True),
    "max_pulls": (0, 1, 2),
    "chuai": (False, True),
    "exposed_kong": (0, 1, 3),
    "concealed_kong": (0, 2, 5),
    "heavenly_factor": (1, 3, 4, 8),
    "heavenly_mode": ("times", "plus"),
    "min_fan": (1, 2, 3, 4, 8),
    "base": (1, 3, 10),
    "cap": (None, 1, 7, 30, 1000),
    "plain_dragon": (False, True),
    "earthly": (False, True),
    "heavenly_ready": (False, True),
    "last_tiles_closed": (0, 1, 4, 20, 70, 136),
}
"""Every option that one hand depends on, with values to try."""


# Deals


def any_deal(rng: random.Random) -> Deal:
    """A preset with some options set, any stakes that it allows, and a wall that is mostly rigged."""
    chosen = rng.sample(sorted(OPTIONS), rng.choice((0, 1, 3, 6, 10)))
    rules = tjmj.rules(rng.choice(PRESETS), **{name: rng.choice(OPTIONS[name]) for name in chosen})
    dealer = rng.randrange(4)
    throw = None if rules.wild_by == "turned" else rng.choice((2, 2, 3, 7, 11, 12))
    plain = {"name": rules.name, **rules.changed()}
    wall = rigged(rng, plain, dealer, throw) if rng.random() < 0.8 else shuffled(rng, plain)
    return Deal(rules, wall, throw, dealer, any_stakes(rng, rules, dealer))


def any_stakes(rng: random.Random, rules: tjmj.Rules, dealer: int) -> Stakes:
    if not rules.stakes or rng.random() < 0.2:
        return NO_STAKES
    pull = tuple(0 if seat == dealer else rng.randint(0, rules.max_pulls) for seat in range(4))
    kick = tuple(bool(rules.chuai and pulls and rng.random() < 0.5) for pulls in pull)
    return Stakes(rng.random() < 0.5, pull, kick)  # type: ignore[arg-type]


# Moves


def any_move(rng: random.Random, legal: list[str], referee: Referee, patience: float, greed: float) -> str:
    """A legal move: one of those that are rare often, else the tile that was drawn or any.

    `patience` is the chance to let a win pass, `greed` that to make a kong or a claim.
    """
    by_letter: dict[str, list[str]] = {}
    for move in legal:
        by_letter.setdefault(move[1], []).append(move)
    if "h" in by_letter and rng.random() >= patience:
        return by_letter["h"][0]
    for wanted in ("r", "ca", "po"):
        moves = [move for letter in wanted for move in by_letter.get(letter, ())]
        if moves and rng.random() < greed:
            return rng.choice(moves)
    throws = by_letter.get("d") or legal
    if len(referee.thrown) < 4 and rng.random() < 0.9:  # 铲: what all have, then what was thrown last
        same = {tile for _, tile in referee.thrown[-1:]} or set.intersection(*map(set, referee.hands))
        followed = [move for move in throws if move[2:] in same]
        if followed:
            return rng.choice(followed)
    if referee.drawn and rng.random() < 0.7:
        drawn = [move for move in throws if move.endswith(referee.drawn)]
        if drawn:
            return drawn[0]
    return rng.choice(throws)


# Comparisons


def check(play: Play, referee: Referee, deal: Deal) -> list[str]:
    """The engine says the same as the referee, and its state adds up; returns the legal moves."""
    legal = play.legal()
    assert legal == referee.legal()
    assert play.perft(1) == len(legal)
    assert play.may_end == referee.may_end()
    assert play.may_end or legal
    assert not (play.over and legal)
    check_tiles(play, deal, referee)
    check_state(play, referee)
    check_result(play, referee)
    return legal


def check_tiles(play: Play, deal: Deal, referee: Referee) -> None:
    """Every tile of the wall is in exactly one place."""
    there: Counter[int] = Counter({play.flip: 1})
    there.update(play.undrawn)
    for seat in range(4):
        there.update(play.held(seat))
        there.update(ORDER[tile] for tile in referee.discards[seat])
        for form, kind, source in play.melds(seat):
            there[kind] += 3 if form == "pong" else 4
            if form != "concealed":
                assert source != seat
                there[kind] -= 1  # lies among what its source has thrown too
    assert there == Counter(ORDER[tile] for tile in split_wall(deal.wall))
    sizes = [len(play.held(seat)) + 3 * len(play.melds(seat)) for seat in range(4)]
    assert all(size == 13 or (size == 14 and seat == play.seat) for seat, size in enumerate(sizes))


def check_state(play: Play, referee: Referee) -> None:
    """The same hands, melds, discards and marks.

    Where nobody can claim a discard the referee has gone on to the next draw already.
    """
    ahead = len(play.undrawn) - referee.replacements_left
    assert ahead == 0 or (ahead == 1 and referee.seat == (play.seat + 1) % 4)
    assert play.front_left == referee.front_left + ahead
    assert play.flip == ORDER[referee.flipped]
    assert (play.lost, play.ready) == (tuple(referee.lost), tuple(referee.ready))
    for seat in range(4):
        hand = list(referee.hands[seat])
        if ahead and seat == referee.seat:
            hand.remove(referee.drawn)
        assert [NAMES[kind] for kind in play.held(seat)] == hand
        melds = [(form, NAMES[kind], None if form == "concealed" else source)
                 for form, kind, source in play.melds(seat)]  # fmt: skip
        assert melds == [(meld.form, meld.tile, meld.source) for meld in referee.melds[seat]]


def check_result(play: Play, referee: Referee) -> None:
    """The same result and payments where the hand may end, and none elsewhere."""
    if not play.may_end:
        for ask in (play.result, play.settlement):
            with pytest.raises(ValueError, match="goes on"):
                ask()
        return
    result, lines = play.result(), play.settlement()
    assert result == referee.result()
    assert lines == referee.settlement()
    net = [0, 0, 0, 0]
    for line in lines:
        if line["why"] == "cap":
            net[line["seat"]] += line["points"]
        else:
            assert line["points"] == line["units"] * line["factor"] * play.rules.base
            net[line["to"]] += line["points"]
            net[line["from"]] -= line["points"]
    assert net == result["net"] and sum(net) == 0
    assert play.rules.cap is None or max(map(abs, net)) <= play.rules.cap


def check_refused(play: Play, legal: list[str], text: str) -> None:
    """A text that is no legal move is refused with a reason and changes no byte."""
    before = play.state_bytes
    if text in legal:
        play.copy().play(text)
    else:
        with pytest.raises(IllegalMove) as caught:
            play.play(text)
        assert caught.value.move == text and caught.value.reason.strip()
    assert play.state_bytes == before


EVERY_MOVE = [f"{seat}{letter}{tile}" for seat in range(4) for letter in "dcapowe" for tile in NAMES]
EVERY_MOVE += [f"{seat}{letter}" for seat in range(4) for letter in "hr"]


def check_every_move(play: Play, legal: list[str]) -> None:
    """The engine plays each legal move and refuses each other one."""
    for move in EVERY_MOVE:
        check_refused(play, legal, move)


# Whole hands


def play_hand(seed: int) -> tuple[Play, Referee]:
    """Play a random hand to its end, comparing after every move."""
    rng = random.Random(seed)
    deal = any_deal(rng)
    play, referee = deal.play(), deal.referee()
    patience, greed = rng.choice((0.0, 0.5, 1.0)), rng.choice((0.05, 0.5, 0.9))
    moves: list[str] = []
    other = play.copy()
    while legal := check(play, referee, deal):
        for text in tokens(rng, 3):
            check_refused(play, legal, text)
        if rng.random() < 0.03:
            check_every_move(play, legal)
        if rng.random() < 0.05:
            other = play.copy()
        kept = other.state_bytes
        move = any_move(rng, legal, referee, patience, greed)
        play.play(move)
        assert other.state_bytes == kept
        referee.apply(move)
        moves.append(move)
    check_refused(play, [], rng.choice(moves))
    again = deal.play()
    assert again.play_all(" ".join(moves)) == len(moves)
    assert again.state_bytes == play.state_bytes
    return play, referee


@pytest.mark.parametrize("seed", range(20))
def test_random_hands_go_as_the_referee_says(seed):
    play_hand(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(40))
def test_many_random_hands_go_as_the_referee_says(block):
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        play_hand(seed)


# The Python face of a hand


def test_a_whole_hand_is_at_most_408_bytes():
    """`Tables` keeps 104 beside them, and a table has eight lines of memory."""
    rng = random.Random(1)
    assert {0 < len(any_deal(rng).play().state_bytes) <= 408 for _ in range(10)} == {True}


def test_seats_and_depths_out_of_range():
    play = Deal(tjmj.rules(), shuffled(random.Random(1), {"name": "tianjin"}), 7).play()
    for ask in (play.held, play.melds):
        for seat in (-1, 4):
            with pytest.raises(IndexError, match="seats are 0 to 3"):
                ask(seat)
    assert play.perft(0) == 1
    with pytest.raises(ValueError, match="no depth"):
        play.perft(-1)
    with pytest.raises(TypeError):
        play.__init__("tianjin", 0, bytes(136), 7)


@pytest.mark.parametrize("dealer", [-1, 4])
def test_a_dealer_is_a_seat(dealer):
    wall = shuffled(random.Random(1), {"name": "tianjin"})
    with pytest.raises(tjmj.RulesError, match="seats are 0 to 3"):
        Deal(tjmj.rules(), wall, 7, dealer).play()


# The machine

SEEDS = st.integers(0, 2**32 - 1)
WORDS = st.one_of(
    st.sampled_from(EVERY_MOVE),
    st.from_regex(r"[0-3][dcahporwe]([1-9][WTBFJH])?", fullmatch=True),
    st.text(max_size=6),
)


class HandOfPlay(RuleBasedStateMachine):
    """One hand played by the engine and the referee, and a pair that stands where a copy was made."""

    @initialize(seed=SEEDS)
    def begin(self, seed: int) -> None:
        self.deal = any_deal(random.Random(seed))
        self.play, self.referee = self.deal.play(), self.deal.referee()
        self.legal = self.play.legal()
        self.leave_a_copy()

    @rule()
    def leave_a_copy(self) -> None:
        self.kept = copy.copy(self.play), self.referee.copy()
        self.kept_bytes = self.play.state_bytes

    @rule()
    def go_back_to_the_copy(self) -> None:
        (self.play, self.referee), self.kept = self.kept, (self.play, self.referee)
        self.kept_bytes = self.kept[0].state_bytes

    @precondition(lambda self: self.legal)
    @rule(data=st.data())
    def any_legal_move(self, data: st.DataObject) -> None:
        self.make(data.draw(st.sampled_from(self.legal)))

    @precondition(lambda self: any(move[1] != "d" for move in self.legal))
    @rule(data=st.data())
    def more_than_a_discard(self, data: st.DataObject) -> None:
        self.make(data.draw(st.sampled_from([move for move in self.legal if move[1] != "d"])))

    @precondition(lambda self: self.legal)
    @rule(seed=SEEDS, count=st.integers(2, 25), greed=st.sampled_from((0.0, 0.5, 1.0)))
    def play_on(self, seed: int, count: int, greed: float) -> None:
        rng = random.Random(seed)
        for _ in range(count):
            if self.legal:
                self.make(any_move(rng, self.legal, self.referee, patience=0.8, greed=greed))
                self.legal = self.play.legal()

    def make(self, move: str) -> None:
        self.play.play(move)
        self.referee.apply(move)

    @rule(word=WORDS)
    def say_anything(self, word: str) -> None:
        check_refused(self.play, self.legal, word)

    @rule()
    def try_every_move(self) -> None:
        check_every_move(self.play, self.legal)

    @invariant()
    def the_referee_agrees(self) -> None:
        self.legal = check(self.play, self.referee, self.deal)

    @invariant()
    def the_copy_stays(self) -> None:
        assert self.kept[0].state_bytes == self.kept_bytes


class TestHandOfPlay(HandOfPlay.TestCase):
    settings = effort(0.3, stateful_step_count=25)


@pytest.mark.slow
class TestManyHandsOfPlay(HandOfPlay.TestCase):
    settings = settings(max_examples=200, stateful_step_count=60)
