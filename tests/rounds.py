"""Rounds for tests: at random, under all rules, or on walls arranged by hand; and answers for them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import walls
from plain_round import PlainRound
from referee_deal import dice_wanted, full_rules, split_wall
from rigged import arranged as place_tiles
from rigged import rigged, shuffled, tiles

import tjmj
from tjmj._deal import Deal
from tjmj.round import Round
from tjmj.stakes import Stakes
from tjmj.tiles import NAMES

PRESETS = ("tianjin", "tianjin-hall", "tianjin-street")
BIG: dict[str, Any] = {"name": "tianjin", "flower_wilds": True, "wild_by": "turned"}
"""Rules with all tiles of Jintan, for arranging them."""
VIEWERS = (None, 0, 1, 2, 3)
WINDOWS = {"sit", "pull", "kick", "turn", "declare", "claim", "rob"}
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
    "chuai": (True, True, False),
    "exposed_kong": (0, 1, 3),
    "concealed_kong": (0, 2, 5),
    "min_fan": (1, 2, 3, 8),
    "base": (1, 3, 10),
    "cap": (None, 1, 7, 30, 1000),
    "plain_dragon": (False, True),
    "earthly": (False, True),
    "heavenly_ready": (True, True, False),
    "last_tiles_closed": (0, 1, 4, 20, 70, 136),
}
"""Options that one hand of Tianjin depends on, with values to try."""

JINTAN: dict[str, tuple[Any, ...]] = {
    "chow": (True, True, False),
    "base": (1, 10),
    "value": (0, 1, 5),
    "min_flowers": (0, 0, 1, 3),
    "cap_fan": (0, 1, 2, 10),
}
"""And of Jintan."""


@dataclass(frozen=True)
class Table:
    """What a round is dealt from."""

    rules: tjmj.Rules
    dealer: int
    dice: dict[str, list[int]]
    wall: tuple[str, ...]

    def round(self, names: tuple[str, ...] | None = None) -> Round:
        """The round, nothing answered."""
        wall = bytes(NAMES.index(tile) for tile in self.wall)
        dealt = Deal(tuple(self.dice["open"]), tuple(self.dice.get("flip", ())), wall)
        return Round(self.rules, self.dealer, deal=dealt, names=names)

    def plain(self) -> PlainRound:
        """The same by the referee."""
        return PlainRound(rules_json(self.rules), self.dealer, self.dice, "".join(self.wall))


def rules_json(rules: tjmj.Rules) -> dict[str, Any]:
    """Rules as a record writes them."""
    return {"name": rules.name, **rules.changed()}


def any_rules(rng: random.Random, jintan: float = 0.25, **fixed: Any) -> tjmj.Rules:
    """A preset with up to four options set, and those that are given; Jintan so often."""
    is_jintan = not fixed and rng.random() < jintan
    values = JINTAN if is_jintan else OPTIONS
    chosen = rng.sample(sorted(values), rng.choice((0, 1, 2, 4)))
    options = {name: rng.choice(values[name]) for name in chosen}
    return tjmj.rules("jintan" if is_jintan else rng.choice(PRESETS), **options | fixed)


def any_table(rng: random.Random, jintan: float = 0.25, **fixed: Any) -> Table:
    """Any rules, and a wall that mostly deals hands in which much happens."""
    rules = any_rules(rng, jintan, **fixed)
    dealer = rng.randrange(4)
    plain = rules_json(rules)
    opening, flip = dice_wanted(full_rules(plain))
    dice = {"open": [rng.randint(1, 6) for _ in range(opening)]}
    if flip:
        dice["flip"] = rng.choice(([1, 1], [1, 2], [rng.randint(1, 6), rng.randint(1, 6)]))
    throw = sum(dice["flip"]) if flip else None
    dealt_as = BIG if rules.name == "jintan" else plain
    wall = rigged(rng, dealt_as, dealer, throw) if rng.random() < 0.8 else shuffled(rng, plain)
    return Table(rules, dealer, dice, split_wall(wall))


def jintan(*hands: str, front: str, back: str, dealer: int = 0, **options: Any) -> Round:
    """A round of Jintan arranged by hand (see `rigged.arranged`)."""
    first, *later = tiles(front)
    wall = place_tiles(BIG, None, dealer, hands, "".join(later), back, first)
    return Table(tjmj.rules("jintan", **options), dealer, {"open": [1, 2]}, split_wall(wall)).round()


def table_of(deal: walls.Deal) -> Table:
    """The table of a deal arranged by hand; its stakes are still to be chosen."""
    opening, _ = dice_wanted(full_rules(deal.plain_rules))
    dice = {"open": [1, 2, 3, 4][:opening]}
    if deal.throw is not None:
        dice["flip"] = [deal.throw - 1, 1] if deal.throw < 8 else [6, deal.throw - 6]
    return Table(deal.rules, deal.dealer, dice, split_wall(deal.wall))


def round_of(deal: walls.Deal, moves: str = "") -> Round:
    """The round of a deal arranged by hand, its stakes chosen and these moves made, the others passing."""
    made = table_of(deal).round()
    stake(made, deal.stakes)
    made.replay(moves.split())
    return made


def stake(made: Round, stakes: Stakes) -> None:
    """Answer the windows before the deal."""
    while made.window in ("sit", "pull", "kick"):
        for seat in list(made.pending):
            kicked = "".join(str(other) for other in range(4) if stakes.kick[other])
            words = {"sit": "sit" if stakes.sit else "stand", "pull": f"pull{stakes.pull[seat]}"}
            made.play(seat, words.get(made.window, f"kick{kicked}"))


def arranged(*hands: str, **more: Any) -> Round:
    """The round of `walls.deal`, stakes chosen."""
    return round_of(walls.deal(*hands, **more))


# Answers


def any_answer(rng: random.Random, made: Round | PlainRound, patience: float = 0.5) -> tuple[int, str]:
    """A seat that is asked, and one of its answers: what is rare most of the time, else any.

    `patience` is the chance to let a win pass.
    """
    pending = made.pending if isinstance(made, Round) else made.pending()
    seat = rng.choice(sorted(pending))
    words = sorted(pending[seat])
    if "h" in words and rng.random() >= patience:
        return seat, "h"
    for letters, chance in (
        (["w"], 1 - patience),
        (["r"], 0.7),
        (["c", "a"], 0.7),
        (["p", "o"], 0.6),
        (["e"], 0.4),
    ):
        rare = [word for word in words if (word[:-2] or word) in letters]  # the letter before a tile
        if rare and rng.random() < chance:
            return seat, rng.choice(rare)
    if made.window == "turn" and rng.random() < 0.6:
        return seat, made.default(seat)
    return seat, rng.choice([word for word in words if word not in ("h", "r") and word[0] != "w"])


def played(rng: random.Random, made: Round, patience: float = 0.5) -> Iterator[Round]:
    """Play a round to its end at random; it is given before each answer and once more when it is over."""
    while not made.over:
        yield made
        made.play(*any_answer(rng, made, patience))
    yield made


def at_random_window(seed: int, **fixed: Any) -> Round:
    """Somewhere in a random round."""
    rng = random.Random(seed)
    made = any_table(rng, **fixed).round()
    for _ in range(rng.choice((0, 1, 2, 3, 4, 5, 6, 8, rng.randrange(100)))):
        if not made.over:
            made.play(*any_answer(rng, made, patience=0.9))
    return made


# All that can be seen of a round


def seen(made: Round) -> dict[str, Any]:
    """The round's whole face: windows, answers, all views and events, snapshot and record."""
    return {
        "window": (made.window, made.turn, made.over),
        "pending": dict(made.pending),
        "given": made.given,
        "moves": list(made.moves),
        "stakes": made.stakes,
        "result": made.result,
        "settlement": made.settlement,
        "snapshot": json.dumps(made.snapshot()),
        "record": made.record(),
        "views": [made.view(seat).to_json() for seat in VIEWERS] + [made.view(open=True).to_json()],
        "events": [made.events(seat) for seat in VIEWERS] + [made.events(open=True)],
        "state": made.play_of.state_bytes,
    }
