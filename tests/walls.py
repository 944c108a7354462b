"""Hands of play on walls arranged by hand, for tests that want this hand and that draw."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee import Referee
from referee_deal import ORDER, split_wall
from rigged import arranged

import tjmj
from tjmj._play import Play
from tjmj.stakes import NO_STAKES, Stakes
from tjmj.tiles import NAMES


@dataclass(frozen=True)
class Deal:
    """What a hand is played from: for the engine, for the referee, and as a record's header."""

    rules: tjmj.Rules
    wall: str
    throw: int | None
    dealer: int = 0
    stakes: Stakes = NO_STAKES

    def play(self, moves: str = "") -> Play:
        """The engine's hand after these moves."""
        wall = bytes(ORDER[tile] for tile in split_wall(self.wall))
        play = Play(self.rules, self.dealer, wall, self.throw, self.stakes)
        play.play_all(moves)
        return play

    def referee(self) -> Referee:
        """The referee's hand, nothing played."""
        return Referee(self.plain_rules, self.dealer, self.plain_stakes, self.wall, self.throw or 0)

    @property
    def plain_rules(self) -> dict[str, Any]:
        """The rules as a record writes them."""
        return {"name": self.rules.name, **self.rules.changed()}

    @property
    def plain_stakes(self) -> dict[str, Any]:
        """The stakes as a record writes them."""
        sit, pull, kick = self.stakes
        return {"sit": sit, "pull": list(pull), "kick": list(kick)}


def deal(
    *hands: str, front: str = "", back: str = "", flip: str = "1F", at: Mapping[int, str] | None = None,
    throw: int = 7, dealer: int = 0, staked: Stakes = NO_STAKES, rules: str = "tianjin", **options: Any,
) -> Deal:  # fmt: skip
    """A deal arranged by hand (see `rigged.arranged`): `deal("11123W…", front="5T 9B", min_fan=1)`.

    `hands` are those of seats 0, 1, ...; other options are those of the rules.
    """
    chosen = tjmj.rules(rules, **options)
    thrown = throw if chosen.wild_by == "dice" else None
    plain = {"name": chosen.name, **chosen.changed()}
    wall = arranged(plain, thrown, dealer, hands, front, back, flip, at)
    return Deal(chosen, wall, thrown, dealer, staked)


def throw_drawn(play: Play, left: int = 0, seats: Sequence[int] = (0, 1, 2, 3)) -> None:
    """From a discard on everybody passes and throws what is drawn, until so many front draws are left.

    It stops before the turn of a seat that is not one of `seats`.
    """
    while play.front_left > left and (play.seat + 1) % 4 in seats:
        drawn = NAMES[play.undrawn[0]]  # front draws take the first of what is left
        play.play(f"{(play.seat + 1) % 4}d{drawn}")


def letters(play: Play) -> str:
    """Letters of the legal moves, each once."""
    return "".join(sorted({move[1] for move in play.legal()}))


def moves_of(play: Play, letters: str) -> list[str]:
    """The legal moves of these letters."""
    return [move for move in play.legal() if move[1] in letters]


def tokens(rng: random.Random, count: int) -> list[str]:
    """Random texts, some of which look like moves."""
    seats, signs, ranks, suits = "0123", "dcahporwe", "123456789", "WTBFJH"
    found = []
    for _ in range(count):
        text = rng.choice(seats) + rng.choice(signs) + rng.choice(ranks) + rng.choice(suits)
        if rng.random() < 0.2:
            text = rng.choice((
                text[:2], text[:3], text + " ", " " + text, text * 2, text.lower(), text[1:], text + "\n",
                "４" + text[1:], "4" + text[1:], text[0] + "D" + text[2:], text[:2] + "0" + text[3],
                text[:2] + "东", "", "\0", "—", "pass",
            ))  # fmt: skip
        found.append(text)
    return found
