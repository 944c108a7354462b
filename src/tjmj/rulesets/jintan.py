"""Jintan mahjong 金坛麻将 (spec: jintan)."""

from __future__ import annotations

from .base import Option, Ruleset, Value

_POINTS = range(0, 1001)

OPTIONS = {
    "chow": Option("the next seat may chow 吃 a discard", "Turns", bool),
    "base": Option("points of a hand without flowers and fan", "Counting", range(1, 1_000_001)),
    "value": Option("points of a flower 花", "Counting", _POINTS),
    "min_flowers": Option("flowers, or else one fan, that a win on a discard needs", "Winning", _POINTS),
    "cap_fan": Option("fan beyond which points no longer double", "Counting", range(0, 11)),
    "seating": Option("who sits where: as they come, shuffled, 打风", "Counting", ("fixed", "random", "winds")),
    "first_dealer": Option("who deals first", "Counting", range(0, 4), ("random",)),
}

FIXED: dict[str, Value] = {
    "opening": "picked-wall",
    "wild_by": "none",
    "wild_kinds": 0,
    "flower_wilds": False,
    "gold_kong": 0,
    "gold_kong_by_discard": False,
    "chan": 0,
    "stakes": False,
    "max_pulls": 0,
    "chuai": False,
    "exposed_kong": 0,
    "concealed_kong": 0,
    "heavenly_factor": 1,
    "heavenly_mode": "times",
    "min_fan": 0,
    "cap": None,
    "dealer_yields_to_kong": False,
    "plain_dragon": False,
    "earthly": False,
    "heavenly_ready": False,
    "last_tiles_closed": 0,
    "titles": False,
    "counting": "flowers",
    "flower_tiles": True,
    "discard_wins": True,
    "claim_kongs": True,
    "hidden_kongs": True,
    "seven_pairs": True,
}

RULESET = Ruleset(
    options=OPTIONS,
    fixed=FIXED,
    presets={
        "jintan": {
            "chow": True,
            "base": 10,
            "value": 5,
            "min_flowers": 1,
            "cap_fan": 2,
            "seating": "random",
            "first_dealer": 0,
        }
    },
    titles={"jintan": "Jintan mahjong: flowers, chow, wins on discards"},
)
