"""Random rounds beside a plain one on the referee: the same windows, answers, defaults, views and ends."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import referee
from plain_round import PlainRound
from rounds import VIEWERS, any_answer, any_table

from tjmj import record
from tjmj.round import Round


def check_windows(made: Round, plain: PlainRound) -> None:
    assert (made.window, made.turn, made.over) == (plain.window, plain.turn, plain.window is None)
    assert made.given == plain.given
    assert list(made.pending) == sorted(made.pending)
    pending = plain.pending()
    assert {seat: sorted(words) for seat, words in made.pending.items()} == {
        seat: sorted(words) for seat, words in pending.items()
    }
    for seat in pending:
        assert made.default(seat) == plain.default(seat)


def check_view(made: Round, plain: PlainRound, viewer: int | None, open: bool = False) -> None:
    told = made.view(viewer, open=open).to_json()
    assert told.pop("next") == len(made.events(viewer))
    answers = told.pop("answers")
    if viewer not in plain.given:
        words = plain.pending().get(viewer)
        assert (answers and sorted(answers)) == (words and sorted(words))
    for win, winner in zip(told["wins"], plain.referee.winners if told["wins"] else []):
        if "score" in win:
            check_score(win.pop("score"), winner, plain)
    for seat in told["seats"]:
        seat["flowers"].sort()
    assert told == plain.view(viewer, open)


def check_score(score: dict[str, Any], winner: dict[str, Any], plain: PlainRound) -> None:
    """The score of the win, and its reading: these tiles, the winning one in one group."""
    hand, seat = plain.referee, winner["seat"]
    assert (score["win"], score["legal"]) == (True, True)
    assert {key: score[key] for key in winner if key not in ("seat", "from")} == {
        key: winner[key] for key in winner if key not in ("seat", "from")
    }
    groups = score["reading"]
    shown = [tile for group in groups if not group["meld"] for tile in group["tiles"]]
    assert sorted(shown) == sorted(hand.hands[seat] + [hand.tile] * ("from" in winner))
    assert [group["win"] is not None for group in groups].count(True) == 1
    assert len([group for group in groups if group["meld"]]) == len(hand.melds[seat])


def check_record(made: Round) -> None:
    """The record verifies, by the package and by the referee, and says the same as the round."""
    written = record.dumps(made.record())
    record.verify(record.parse(written))
    fields = json.loads(written)
    referee.verify(fields)
    assert fields["result"] == made.result
    again = record.play_of(made.record(), after=None)
    assert [again.held(seat) for seat in range(4)] == [made.play_of.held(seat) for seat in range(4)]
    assert (again.settlement(), again.result()) == (made.settlement, made.result)


def play_round(seed: int, viewers: int) -> Round:
    """Play one round in both, comparing in every window; so many views are compared in each."""
    rng = random.Random(seed)
    table = any_table(rng, **rng.choice(({}, {}, {"chuai": True}, {"heavenly_ready": True})))
    made, plain = table.round(), table.plain()
    patience = rng.choice((0.0, 0.5, 1.0))
    while True:
        check_windows(made, plain)
        for viewer in rng.sample(VIEWERS, viewers):
            check_view(made, plain, viewer)
        if rng.random() < 0.3:
            check_view(made, plain, rng.choice(VIEWERS), open=True)
        if made.over:
            break
        seat, answer = any_answer(rng, made, patience)
        made.play(seat, answer, turn=made.turn)
        plain.play(seat, answer)
    assert made.settlement == made.view().payments
    assert made.result == plain.referee.result()
    check_record(made)
    return made


@pytest.mark.parametrize("seed", range(5))
def test_random_rounds_go_as_the_plain_one(seed):
    play_round(seed, viewers=1)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_many_random_rounds_go_as_the_plain_one(block):
    for seed in range(1000 + 50 * block, 1050 + 50 * block):
        play_round(seed, viewers=2)
