"""Tianjin mahjong 天津麻将: its options and its three houses (spec: tianjin section 8)."""

from __future__ import annotations

from .base import Option, Ruleset, Value

_POINTS = range(0, 1001)

OPTIONS = {
    "opening": Option("how the wall is broken", "1", ("one-throw", "two-throw")),
    "wild_by": Option("wildcards by dice 打混 or by the turned tile 翻混", "1", ("dice", "turned")),
    "wild_kinds": Option("kinds that the flipped tile makes wild", "2", range(1, 4)),
    "flower_wilds": Option("the eight flowers are wild too 死混儿", "2", bool),
    "gold_kong": Option("value of a gold kong 金杠; 0: none may be made", "6", _POINTS),
    "gold_kong_by_discard": Option("a gold kong may take a discard", "2", bool),
    "chan": Option("value of 铲, the dealer's first discard followed by all; 0: none", "6", _POINTS),
    "stakes": Option("sitting 坐庄 and pulling 拉庄 before the deal", "3", bool),
    "max_pulls": Option("how often a seat may pull", "3", range(0, 3)),
    "chuai": Option("the dealer may kick 踹 seats that pulled", "3", bool),
    "exposed_kong": Option("value of an exposed or added kong 明杠", "6", _POINTS),
    "concealed_kong": Option("value of a concealed kong 暗杠", "6", _POINTS),
    "heavenly_factor": Option("factor of 天和 and 地和", "5", range(1, 1001)),
    "heavenly_mode": Option("whether that factor multiplies or is added", "5", ("times", "plus")),
    "min_fan": Option("fan that a hand needs to win", "4", range(1, 1001)),
    "base": Option("points for one fan unit", "6", range(1, 1_000_001)),
    "cap": Option("most points a seat gains or loses in a hand", "6", range(1, 10**9 + 1), (None,)),
    "dealer_yields_to_kong": Option("荒庄 with only others' kongs passes the deal", "7", bool),
    "plain_dragon": Option("素本龙: ×2 for a 本混龙 whose wildcards are themselves", "5", bool),
    "earthly": Option("地和 counts", "5", bool),
    "heavenly_ready": Option("天听 may be declared", "3", bool),
    "last_tiles_closed": Option("last front tiles without pong or exposed kong", "3", range(0, 137)),
    "seating": Option("who sits where: as they come, shuffled, 打风", "7", ("fixed", "random", "winds")),
    "titles": Option("titles by total points", "7", bool),
    "first_dealer": Option("who deals first", "7", range(0, 4), ("random",)),
}

_TIANJIN: dict[str, Value] = {
    "opening": "one-throw",
    "wild_by": "dice",
    "wild_kinds": 2,
    "flower_wilds": False,
    "gold_kong": 4,
    "gold_kong_by_discard": True,
    "chan": 1,
    "stakes": True,
    "max_pulls": 2,
    "chuai": False,
    "exposed_kong": 1,
    "concealed_kong": 2,
    "heavenly_factor": 4,
    "heavenly_mode": "times",
    "min_fan": 2,
    "base": 1,
    "cap": 1000,
    "dealer_yields_to_kong": False,
    "plain_dragon": False,
    "earthly": False,
    "heavenly_ready": False,
    "last_tiles_closed": 0,
    "seating": "fixed",
    "titles": True,
    "first_dealer": "random",
}

FIXED: dict[str, Value] = {
    "counting": "fan",
    "flower_tiles": False,
    "chow": False,
    "discard_wins": False,
    "claim_kongs": False,
    "hidden_kongs": False,
    "seven_pairs": False,
    "value": 0,
    "min_flowers": 0,
    "cap_fan": 0,
}

RULESET = Ruleset(
    options=OPTIONS,
    fixed=FIXED,
    presets={
        "tianjin": _TIANJIN,
        "tianjin-hall": _TIANJIN | {"gold_kong_by_discard": False, "chan": 2, "cap": None},
        "tianjin-street": _TIANJIN
        | {
            "opening": "two-throw",
            "gold_kong_by_discard": False,
            "chan": 0,
            "cap": None,
            "dealer_yields_to_kong": True,
            "plain_dragon": True,
            "earthly": True,
            "heavenly_ready": True,
            "seating": "winds",
            "first_dealer": 0,
        },
    },
    titles={
        "tianjin": "an online room's Tianjin mahjong (the default)",
        "tianjin-hall": "a game hall's: no gold kong by discard, 铲 counts 2, no cap",
        "tianjin-street": "the street's: 天听, 地和 and 素本龙, two throws, 打风",
    },
)
