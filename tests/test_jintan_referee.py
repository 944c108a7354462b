"""Random hands of Jintan, the engine beside the referee: the same moves, ends and payments (jintan, all)."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from jintan_walls import shared
from referee import Referee
from referee_deal import ORDER, split_wall
from walls import Deal, tokens

import tjmj
from tjmj.errors import IllegalMove
from tjmj.tiles import NAMES

OPTIONS: dict[str, tuple[Any, ...]] = {
    "chow": (False, True),
    "base": (1, 10, 1_000_000),
    "value": (0, 5, 1000),
    "min_flowers": (0, 0, 1, 2, 5, 1000),
    "cap_fan": (0, 1, 2, 4, 10),
}
"""Every option that one hand depends on, with values to try."""
EVERY_MOVE = [f"{seat}{letter}{tile}" for seat in range(4) for letter in "dcapowe" for tile in NAMES]
EVERY_MOVE += [f"{seat}{letter}" for seat in range(4) for letter in "hr"]


def any_deal(rng: random.Random) -> Deal:
    """Any options, and hands that wait for the same few kinds."""
    chosen = rng.sample(sorted(OPTIONS), rng.choice((0, 1, 1, 2, 5)))
    rules = tjmj.rules("jintan", **{name: rng.choice(OPTIONS[name]) for name in chosen})
    dealer = rng.randrange(4)
    return Deal(rules, shared(rng, dealer), None, dealer)


# Moves


class Player:
    """Likes claims and kongs, lets wins pass, throws what others want, what was thrown, what is alone."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.patience = rng.choice((0.0, 0.5, 0.9, 1.0))
        self.greed = rng.choice((0.0, 0.2, 0.6, 0.95))
        self.chows = rng.choice((0.1, 1.0))
        self.follows = rng.choice((0.1, 0.5, 0.9))
        self.feeds = rng.choice((0.0, 0.3, 0.8))

    def move(self, legal: list[str], referee: Referee) -> str:
        rng = self.rng
        wins = [move for move in legal if move[1] in "wh"]
        if wins and rng.random() >= self.patience:
            return rng.choice(wins)
        for letters, chance in (("ca", 0.7), ("po", self.greed), ("e", self.greed * self.chows)):
            moves = [move for move in legal if move[1] in letters]
            if letters == "po" and rng.random() < 0.6:  # what is ponged with three in hand can be added
                moves = [move for move in moves if move[1] == "p"] or moves
            if moves and rng.random() < chance:
                return rng.choice(moves)
        throws = [move for move in legal if move[1] == "d"]
        return self.throw(throws, referee) if throws else rng.choice(legal)

    def throw(self, throws: list[str], referee: Referee) -> str:
        rng = self.rng
        before = [tile for _, tile in referee.thrown[-4:]]
        followed = [move for move in throws if move[2:] in before]
        if followed and rng.random() < self.follows:
            return rng.choice(followed)
        fed = [move for move in throws if wanted(move[2:], referee)] if rng.random() < self.feeds else []
        if fed:
            return rng.choice(fed)
        drawn = [move for move in throws if move[2:] == referee.drawn]
        if drawn and rng.random() < 0.1:
            return drawn[0]
        hand = referee.hands[referee.seat]
        least = min(friends(move[2:], hand) for move in throws)
        return rng.choice([move for move in throws if friends(move[2:], hand) == least])


def wanted(tile: str, referee: Referee) -> bool:
    """Whether another seat holds three of it, or could win on it."""
    thrown = referee.copy()
    thrown.tile, thrown.robbed = tile, False
    return any(thrown.hands[seat].count(tile) == 3 or thrown._take_score(seat) for seat in referee._others())


def friends(tile: str, hand: list[str]) -> int:
    """How well a tile goes with those of a hand."""
    rank, suit = int(tile[0]), tile[1]
    ranks = {int(other[0]) for other in hand if other[1] == suit in "WTB"}
    near = [other for other in ranks if 0 < abs(other - rank) < 3]
    return 3 * hand.count(tile) + 2 * len(near) - (rank in (1, 9))


# Comparisons


class Comparison:
    """A hand played by both, compared after every move."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.play, self.referee = deal.play(), deal.referee()
        self.moves: list[str] = []
        self.claimed: list[str] = []
        self.legal = self.check()

    def make(self, move: str) -> None:
        self.play.play(move)
        self.referee.apply(move)
        if move[1] in "poe":
            self.claimed.append(next(m for m in reversed(self.moves) if m[1] == "d")[2:])
        self.moves.append(move)
        self.legal = self.check()

    def check(self) -> list[str]:
        play, referee = self.play, self.referee
        legal = play.legal()
        assert legal == referee.legal()
        assert play.perft(1) == len(legal)
        assert play.may_end == referee.may_end()
        assert play.may_end or legal
        assert not (play.over and legal)
        self.check_tiles()
        if len(play.undrawn) == referee.replacements_left:  # else the referee has gone on to the next draw
            self.check_state()
        if play.may_end:
            self.check_result()
        return legal

    def check_tiles(self) -> None:
        """Every tile of the wall is in exactly one place."""
        play = self.play
        there: Counter[int] = Counter(play.undrawn)
        for seat in range(4):
            there.update(play.held(seat))
            there.update(play.flowers(seat))
            there.update(ORDER[tile] for tile in self.referee.discards[seat])
            for form, kind, source in play.melds(seat):
                assert (form == "concealed") == (source == seat)
                run = [kind, kind + 1, kind + 2] if form == "chow" else [kind] * (3 if form == "pong" else 4)
                there.update(run)
        there.subtract(ORDER[tile] for tile in self.claimed)  # they lie among what was thrown too
        missing = Counter(ORDER[tile] for tile in split_wall(self.deal.wall))
        missing.subtract(there)
        # A tile that may be robbed, or was, lies on the table.
        added = self.moves[-1:] + [move for move in self.moves[-4:-1] if self.moves[-1][1] == "w"]
        table = [ORDER[move[2:]] for move in added if move[1] == "a"]
        assert +missing in (Counter(), Counter(table)) and not -missing

    def check_state(self) -> None:
        play, referee = self.play, self.referee
        for seat in range(4):
            assert [NAMES[kind] for kind in play.held(seat)] == referee.hands[seat]
            assert sorted(NAMES[kind] for kind in play.flowers(seat)) == sorted(referee.flowers[seat])
            melds = [(form, NAMES[kind], None if form == "concealed" else source)
                     for form, kind, source in play.melds(seat)]  # fmt: skip
            assert melds == [(meld.form, meld.tile, meld.source) for meld in referee.melds[seat]]

    def check_result(self) -> None:
        result, lines = self.play.result(), self.play.settlement()
        assert result == self.referee.result()
        common = ("why", "from", "to", "units", "factor", "points")
        assert [{key: line[key] for key in common} for line in lines] == self.referee.settlement()
        points = {winner["seat"]: winner for winner in result["winners"]}
        net = [0, 0, 0, 0]
        for line in lines:
            winner = points[line["to"]]
            assert (line["units"], line["flowers"]) == (winner["points"], winner["flowers"])
            assert line["elements"] == winner["elements"]
            net[line["to"]] += line["points"]
            net[line["from"]] -= line["points"]
        assert net == result["net"] and sum(net) == 0

    def check_refused(self, text: str) -> None:
        """A text that is no legal move is refused with a reason and changes no byte."""
        before = self.play.state_bytes
        if text in self.legal:
            self.play.copy().play(text)
        else:
            with pytest.raises(IllegalMove) as caught:
                self.play.play(text)
            assert caught.value.move == text and caught.value.reason.strip()
        assert self.play.state_bytes == before


def play_hand(seed: int) -> Comparison:
    """Play a random hand to its end, comparing after every move."""
    rng = random.Random(seed)
    both = Comparison(any_deal(rng))
    player = Player(rng)
    other = both.play.copy()
    while both.legal:
        for text in tokens(rng, 2):
            both.check_refused(text)
        if rng.random() < 0.02:
            for text in EVERY_MOVE:
                both.check_refused(text)
        if rng.random() < 0.05:
            other = both.play.copy()
        kept = other.state_bytes
        both.make(player.move(both.legal, both.referee))
        assert other.state_bytes == kept
    again = both.deal.play()
    assert again.play_all(" ".join(both.moves)) == len(both.moves)
    assert again.state_bytes == both.play.state_bytes
    for move in both.moves[-3:]:
        both.check_refused(move)
    return both


@pytest.mark.parametrize("seed", range(20))
def test_random_hands_go_as_the_referee_says(seed):
    play_hand(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(40))
def test_many_random_hands_go_as_the_referee_says(block):
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        play_hand(seed)


# What random hands show


def locks(referee: Referee) -> Counter[str]:
    """What the locks say to the seats that the tile on the table completes."""
    seen: Counter[str] = Counter()
    for seat in referee._others():
        free = referee.copy()
        free.own_throw[seat] = free.passed[seat] = None
        if not free._take_score(seat):
            continue
        may = referee._take_score(seat) is not None
        if referee.own_throw[seat] == referee.tile:
            seen["own throw, robbing" if referee.robbed else "own throw"] += 1
            assert not may
        elif referee.passed[seat]:
            seen["let pass, robbing" if referee.robbed else "beaten" if may else "let pass"] += 1
            assert may or not referee.robbed
        elif referee.discards[seat][-1:] == [referee.tile] and len(referee.melds[seat]) == 4:
            seen["spared"] += may
    return seen


@pytest.mark.slow
def test_the_hands_played_show_everything():
    """Comparing is worth little if some rule is never met; played by the referee alone."""
    seen: Counter[Any] = Counter()
    for seed in range(1000, 3000):
        rng = random.Random(seed)
        deal = any_deal(rng)
        player, referee = Player(rng), deal.referee()
        while legal := referee.legal():
            if referee.phase in ("claim", "rob"):
                seen += locks(referee)
                seen["takers", referee.phase, len(referee._takers())] += 1
            before = referee.copy()
            move = player.move(legal, referee)
            referee.apply(move)
            seen[move[1]] += 1
            seat = int(move[0])
            if move[1] in "poe" and len(referee.flowers[seat]) > len(before.flowers[seat]):
                seen["flowers at a first", move[1]] += 1
        result = referee.result()
        seen[result["end"], len(result["winners"])] += 1
        for winner in result["winners"]:
            seen.update(winner["elements"])
    wanted: set[Any] = set("dhwcaope")
    wanted |= {("exhausted", 0), ("flowers", 1), ("win", 1), ("win", 2)}
    wanted |= {"own throw", "let pass", "let pass, robbing", "beaten", "spared"}
    wanted |= {("takers", "claim", n) for n in (0, 1, 2)} | {("takers", "rob", n) for n in (1, 2)}
    wanted |= {("flowers at a first", letter) for letter in "poe"}
    wanted |= {"hunyise", "qingyise", "duiduihu", "qidui", "gangkai", "dudiao", "qianggang", "jihu", "bahua"}
    assert wanted - {key for key, times in seen.items() if times} == set(), seen
