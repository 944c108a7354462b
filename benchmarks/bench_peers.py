"""The nearest works of other packages, on hands without wildcards; what they are is said in `table.PEERS`.

A package that is not installed is left out. The tiles are written as the package wants them beforehand.
"""

from __future__ import annotations

import random
import zlib

import numpy as np
import pytest
import table

from tjmj import batch
from tjmj.tiles import KINDS

HANDS = 500
GAMES = 20

# With the versions that are pinned; han and fu are the same with both packages that count them.
HAN_AND_FU = 0xE9A369BB
CHINESE_FAN = 0xFD094AE2
POKER = 0xA482CC50
ANSWERS = 1_791

CHINESE = [f"{suit}{rank}" for suit in "WTB" for rank in range(1, 10)] + ["F1", "F2", "F3", "F4", "J1", "J2", "J3"]
JAPANESE = np.array([*range(9), *range(18, 27), *range(9, 18), 27, 28, 29, 30, 33, 32, 31])
"""For each of our kinds that of riichienv and mahjong: dots before bamboo, 白 发 中."""



def peer(name):
    return table.load(name) or pytest.skip(f"{name} is not installed")


@pytest.fixture(scope="module")
def complete(plain_deals):
    return plain_deals.some(HANDS)


@pytest.fixture(params=["random", "complete"])
def kind(request):
    return request.param


@pytest.fixture
def counts(kind, complete, random_deals):
    return (complete if kind == "complete" else random_deals.some(HANDS)).counts


def each(function, values):
    return list(map(function, values))


def checksum(answers):
    return zlib.crc32(repr(answers).encode())


def chinese(row):
    return tuple(CHINESE[kind] for kind, count in enumerate(row.tolist()) for _ in range(count))


def japanese(row):
    """Tiles as numbers up to 135, the copies that may be red fives last."""
    return sorted(4 * JAPANESE[kind] + 3 - copy for kind, count in enumerate(row.tolist()) for copy in range(count))


def wins(counts):
    """Which hands are complete, seven pairs too; there are no thirteen orphans among ours."""
    return (batch.is_win(counts, -1) | ((counts == 2).sum(axis=1) == 7)).tolist()


def waits(dealt, most_held=3):
    """What each hand waits for, without the kinds of which it holds more."""
    found = batch.waits(dealt.before, -1) & (dealt.before <= most_held)
    return [np.flatnonzero(row).tolist() for row in found]


def drawn_tiles(dealt):
    return [(4 * JAPANESE[kind] + 3 - row[kind]).item() for row, kind in zip(dealt.before.astype(int), dealt.win)]


@pytest.mark.benchmark(group="peer")
def test_mahjong_complete(timed, counts, kind):
    peer("mahjong")
    from mahjong.agari import Agari

    hands, work, likes = counts.tolist(), f"is_agari, {kind} hands", (f"{kind} hand",)
    answers = timed(work, HANDS, each, Agari.is_agari, hands, peer="mahjong", likes=likes)
    assert answers == wins(counts)


@pytest.mark.benchmark(group="peer")
def test_mahjong_waits(timed, complete):
    peer("mahjong")
    from mahjong.agari import Agari

    def tries(counts):
        found = []
        for kind in range(KINDS):
            if counts[kind] < 4:
                counts[kind] += 1
                if Agari.is_agari(counts):
                    found.append(kind)
                counts[kind] -= 1
        return found

    hands = [row.tolist() for row in complete.before]
    answers = timed("is_agari with each kind", HANDS, each, tries, hands, peer="mahjong", likes=("waits",))
    assert answers == waits(complete)


@pytest.mark.benchmark(group="peer")
def test_mahjong_score(timed, complete):
    peer("mahjong")
    from mahjong.constants import EAST
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules

    reds = OptionalRules(has_aka_dora=True)
    config = HandConfig(is_tsumo=True, player_wind=EAST, round_wind=EAST, options=reds)

    def score(hand):
        return HandCalculator.estimate_hand_value(*hand, config=config)

    hands = list(zip(each(japanese, complete.counts), drawn_tiles(complete)))
    scores = timed("estimate_hand_value", HANDS, each, score, hands, peer="mahjong", likes=("score",))
    assert checksum([(score.han, score.fu) for score in scores]) == HAN_AND_FU


@pytest.mark.benchmark(group="peer")
def test_chinese_complete(timed, counts, kind):
    calculator = peer("PyMahjongGB").MahjongFanCalculator

    def complete(hand):
        try:
            calculator((), hand[:-1], hand[-1], 0, True, False, False, False, 0, 0)
        except TypeError as error:
            assert str(error) == "ERROR_NOT_WIN"
            return False
        return True

    hands, work = each(chinese, counts), f"MahjongFanCalculator, {kind} hands"
    answers = timed(work, HANDS, each, complete, hands, peer="PyMahjongGB", likes=(f"{kind} hand",))
    assert answers == wins(counts)


@pytest.mark.benchmark(group="peer")
def test_chinese_waits(timed, complete):
    shanten = peer("PyMahjongGB").RegularShanten
    hands = each(chinese, complete.before)
    answers = timed("RegularShanten", HANDS, each, shanten, hands, peer="PyMahjongGB", likes=("waits",))
    found = [(distance, sorted(map(CHINESE.index, useful))) for distance, useful in answers]
    assert found == [(0, kinds) for kinds in waits(complete, most_held=4)]


@pytest.mark.benchmark(group="peer")
def test_chinese_score(timed, complete):
    calculator = peer("PyMahjongGB").MahjongFanCalculator

    def score(hand):
        return calculator((), *hand, 0, True, False, False, False, 0, 0)

    hands = [(chinese(row), CHINESE[kind]) for row, kind in zip(complete.before, complete.win)]
    scores = timed("MahjongFanCalculator", HANDS, each, score, hands, peer="PyMahjongGB", likes=("score",))
    assert checksum(scores) == CHINESE_FAN
    won = (("W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "T2", "T3", "B5", "B5"), "T4")
    assert (16, "清龙") in score(won)


@pytest.mark.benchmark(group="peer")
def test_riichienv_complete(timed, counts, kind):
    shanten = peer("riichienv").calculate_shanten
    hands, work = each(japanese, counts), f"calculate_shanten, {kind} hands"
    answers = timed(work, HANDS, each, shanten, hands, peer="riichienv", likes=(f"{kind} hand",))
    assert [answer == -1 for answer in answers] == wins(counts)


@pytest.mark.benchmark(group="peer")
def test_riichienv_waits(timed, complete):
    evaluator = peer("riichienv").HandEvaluator
    hands = [evaluator(japanese(row)) for row in complete.before]
    answers = timed("get_waits", HANDS, each, evaluator.get_waits, hands, peer="riichienv", likes=("waits",))
    assert each(sorted, answers) == [sorted(JAPANESE[kinds].tolist()) for kinds in waits(complete)]


@pytest.mark.benchmark(group="peer")
def test_riichienv_score(timed, complete):
    riichienv = peer("riichienv")
    conditions = riichienv.Conditions(tsumo=True)

    def score(hand):
        return hand[0].calc(hand[1], conditions=conditions)

    evaluators = map(riichienv.HandEvaluator, map(japanese, complete.before))
    hands = list(zip(evaluators, drawn_tiles(complete)))
    scores = timed("calc", HANDS, each, score, hands, peer="riichienv", likes=("score",))
    assert checksum([(score.han, score.fu) for score in scores]) == HAN_AND_FU


@pytest.mark.benchmark(group="peer")
def test_riichienv_play(timed):
    riichienv = peer("riichienv")

    def play():
        chance, answers, scores = random.Random(GAMES), 0, []
        for seed in range(GAMES):
            env = riichienv.RiichiEnv(seed=seed)
            asked = env.reset()
            while not env.done():
                chosen = {seat: chance.choice(asked[seat].legal_actions()) for seat in sorted(asked)}
                answers += len(chosen)
                asked = env.step(chosen)
            scores.append([*env.scores(), 1000 * env.riichi_sticks])
        return answers, scores

    answers, scores = timed("step by random answers", ANSWERS, play, peer="riichienv", likes=("play",))
    assert answers == ANSWERS
    assert each(sum, scores) == [100_000] * GAMES


@pytest.mark.benchmark(group="peer")
def test_eval7(timed):
    eval7 = peer("eval7")
    cards = np.array(eval7.Deck().cards, dtype=object)
    chance = np.random.RandomState(52)
    hands = [cards[chance.permutation(52)[:7]].tolist() for _ in range(HANDS)]
    likes = ("random hand", "complete hand", "score")
    values = timed("evaluate, seven cards", HANDS, each, eval7.evaluate, hands, peer="eval7", likes=likes)
    assert checksum(values) == POKER
    shown = {
        "As Ks Qs Js Ts 2d 3c": "Straight Flush",
        "9s 9h 9d 9c 2s 3d 4c": "Quads",
        "9s 9h 9d 3c 3s Kd 4c": "Full House",
        "2s 5s 9s Js Ks 3d 4c": "Flush",
        "As 2h 3d 4c 5s Kd Kc": "Straight",
    }
    known = [eval7.evaluate(each(eval7.Card, hand.split())) for hand in shown]
    assert each(eval7.handtype, known) == list(shown.values())
    assert known == sorted(known, reverse=True)
