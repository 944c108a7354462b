"""Tiles, melds, presets, the wall, record headers and fair dealing for the referee.

Section numbers are those of the Tianjin specification; "record" names the
specification of records.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

SUITED = [f"{n}{suit}" for suit in "WTB" for n in range(1, 10)]
WINDS = [f"{n}F" for n in range(1, 5)]
DRAGONS = [f"{n}J" for n in range(1, 4)]
FLOWERS = [f"{n}H" for n in range(1, 9)]
KINDS = SUITED + WINDS + DRAGONS
#: Canonical order, flowers last.
ORDER = {tile: index for index, tile in enumerate(KINDS + FLOWERS)}

#: Section 8; options that a preset shares with the first one are not repeated.
TIANJIN = {
    "opening": "one-throw", "wild_by": "dice", "wild_kinds": 2, "flower_wilds": False,
    "gold_kong": 4, "gold_kong_by_discard": True, "chan": 1,
    "stakes": True, "max_pulls": 2, "chuai": False,
    "exposed_kong": 1, "concealed_kong": 2,
    "heavenly_factor": 4, "heavenly_mode": "times", "min_fan": 2, "base": 1, "cap": 1000,
    "dealer_yields_to_kong": False,
    "plain_dragon": False, "earthly": False, "heavenly_ready": False,
    "last_tiles_closed": 0, "seating": "fixed", "titles": True, "first_dealer": "random",
}
PRESETS: dict[str, dict] = {
    "tianjin": TIANJIN,
    "tianjin-hall": TIANJIN | {"gold_kong_by_discard": False, "chan": 2, "cap": None},
    "tianjin-street": TIANJIN | {
        "opening": "two-throw", "gold_kong_by_discard": False, "chan": 0, "cap": None,
        "dealer_yields_to_kong": True, "plain_dragon": True, "earthly": True,
        "heavenly_ready": True, "seating": "winds", "first_dealer": 0},
    "jintan": {"chow": True, "base": 10, "value": 5, "min_flowers": 1, "cap_fan": 2,
               "first_dealer": 0, "seating": "random"},
}

WORDS = {"opening": ("one-throw", "two-throw"), "wild_by": ("dice", "turned"),
         "heavenly_mode": ("times", "plus"), "seating": ("fixed", "random", "winds")}
RANGES = {"max_pulls": (0, 2), "cap_fan": (0, 10), "heavenly_factor": (1, 1000),
          "min_fan": (1, 1000), "base": (1, 1_000_000), "wild_kinds": (1, 3),
          "last_tiles_closed": (0, 136), "cap": (1, 10**9), "first_dealer": (0, 3)}
SMALL = (0, 1000)  # kong values, 铲, value and min_flowers


class Ruleset(NamedTuple):
    """What tells Tianjin and Jintan apart at the table, beside their options."""

    wildcards: bool          # a tile is flipped and fixes the wildcards 混儿
    flowers_laid: bool       # flowers are laid out and replaced
    win_on_discard: bool     # and an added kong can be robbed
    chow: bool
    kong_after_claim: bool   # own-turn kongs need no draw first
    kongs_pay: bool          # kongs and 铲 are paid for by themselves


def ruleset(rules: dict) -> Ruleset:
    """The ruleset that a full set of options belongs to."""
    if rules["name"] == "jintan":
        return Ruleset(False, True, True, rules["chow"], True, False)
    return Ruleset(True, False, False, False, False, True)


def full_rules(rules: dict) -> dict:
    """A record's ``rules`` with every option of its preset filled in."""
    return PRESETS[rules["name"]] | rules


def tile_set(rules: dict) -> list[str]:
    """All tiles in canonical order: four of each kind, then the flowers (section 1)."""
    tiles = [tile for tile in KINDS for _ in range(4)]
    if ruleset(rules).flowers_laid or rules["flower_wilds"]:
        tiles += FLOWERS
    return tiles


def dice_wanted(rules: dict) -> tuple[int, int]:
    """How many dice are thrown for the opening and for the flip (section 1)."""
    if not ruleset(rules).wildcards:
        return 2, 0
    return (4 if rules["opening"] == "two-throw" else 2,
            2 if rules["wild_by"] == "dice" else 0)


def wild_kinds(flipped: str | None, rules: dict) -> frozenset[str]:
    """The wild kinds that a flipped tile fixes (section 2)."""
    if flipped is None:
        return frozenset()
    flowers = FLOWERS if rules["flower_wilds"] else []
    if flipped in FLOWERS:  # then only the flowers are wild
        return frozenset(flowers)
    cycle = {"F": WINDS, "J": DRAGONS}.get(
        flipped[1], [tile for tile in SUITED if tile[1] == flipped[1]])
    start = cycle.index(flipped)
    kinds = [cycle[(start + step) % len(cycle)] for step in range(rules["wild_kinds"])]
    return frozenset(kinds + flowers)


def split_wall(wall: str) -> tuple[str, ...]:
    """The tiles of a wall, position 0 first."""
    return tuple(wall[place:place + 2] for place in range(0, len(wall), 2))


def tiles_text(tiles: list[str]) -> str:
    """Tiles in canonical notation: one run per suit, in canonical order."""
    runs: dict[str, str] = {}
    for tile in sorted(tiles, key=ORDER.__getitem__):
        runs[tile[1]] = runs.get(tile[1], "") + tile[0]
    return "".join(digits + suit for suit, digits in runs.items())


@dataclass(frozen=True)
class Meld:
    """A meld: ``form`` is chow, pong, exposed, added or concealed (the kongs).

    ``tile`` is the lowest one; ``source`` the seat that a claimed tile came from. A gold
    kong 金杠 is an exposed or concealed one of a wild kind.
    """

    form: str
    tile: str
    source: int | None = None

    def text(self) -> str:
        """Canonical notation."""
        digit, suit = self.tile
        if self.form == "concealed":
            return "{" + digit * 4 + suit + "}"
        if self.form == "chow":
            return f"[{digit}{int(digit) + 1}{int(digit) + 2}{suit}]"
        return "[" + digit * (3 if self.form == "pong" else 4) + suit + "]"


class Wall:
    """The wall in take order, and what has been taken of it (sections 1 and 3).

    Attributes
    ----------
    flip_place : int or None
        Where the flipped tile lies, face up; it is never drawn.
    """

    def __init__(self, tiles: str, rules: dict, flip_throw: int) -> None:
        self.tiles = split_wall(tiles)
        self.flip_place: int | None = None
        self.front_end = len(self.tiles)
        if ruleset(rules).wildcards and rules["wild_by"] == "turned":
            self.flip_place = 53  # front and back draws meet in the middle
        elif ruleset(rules).wildcards:
            # The top of stack F = n - d. Front draws end there.
            self.flip_place = self.front_end = 2 * (len(self.tiles) // 2 - flip_throw)
        self.taken: set[int] = set()

    @property
    def flipped(self) -> str | None:
        """The flipped tile."""
        return None if self.flip_place is None else self.tiles[self.flip_place]

    def _left(self, place: int) -> bool:
        return place not in self.taken and place != self.flip_place

    def front_places(self) -> list[int]:
        """Positions that front draws can still take, in their order.

        Back draws may have left a hole, so they need not be in one piece.
        """
        return [place for place in range(53, self.front_end) if self._left(place)]

    def back_places(self) -> list[int]:
        """Positions that back draws can still take, in their order.

        The last stack's top, its bottom, the stack before it, and so on. The flipped
        tile is skipped, the one under it is not; past it they eat into the front tiles.
        """
        stacks = range(len(self.tiles) // 2 - 1, -1, -1)
        return [place for stack in stacks for place in (2 * stack, 2 * stack + 1)
                if self._left(place)]

    def take(self, place: int) -> str:
        """Take the tile at a position."""
        self.taken.add(place)
        return self.tiles[place]


# Fair dealing (record).

def _words(seed: bytes) -> Iterator[int]:
    for counter in count():
        block = hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start:start + 4], "big")


def _below(n: int, words: Iterator[int]) -> int:
    # Words of the last, incomplete run of n are skipped so that no rest is favoured.
    return next(word for word in words if word < 2**32 - 2**32 % n) % n


def deal_from_seed(seed: bytes, rules: dict,
                   client_seeds: list[bytes] | None = None) -> tuple[dict, str]:
    """Dice and wall that a seed gives.

    Parameters
    ----------
    seed : bytes
        The 32 secret bytes.
    rules : dict
        As in a record.
    client_seeds : list of bytes, optional
        Four seeds that the seats add.

    Returns
    -------
    tuple of dict and str
        ``dice`` and ``wall`` as a record writes them.
    """
    rules = full_rules(rules)
    if client_seeds is not None:
        parts = b"".join(len(part).to_bytes(1, "big") + part for part in client_seeds)
        seed = hashlib.sha256(seed + parts).digest()
    words = _words(seed)
    opening, flip = dice_wanted(rules)
    dice = {"open": [1 + _below(6, words) for _ in range(opening)]}
    if flip:
        dice["flip"] = [1 + _below(6, words) for _ in range(flip)]
    tiles = tile_set(rules)
    for i in range(len(tiles) - 1, 0, -1):  # Fisher–Yates
        j = _below(i + 1, words)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return dice, "".join(tiles)


def run_seed(seed: int, hand: int) -> bytes:
    """The 32-byte seed of one hand of a run (record, Runs)."""
    return hashlib.sha256(
        b"tjmj" + seed.to_bytes(16, "big") + hand.to_bytes(8, "big")).digest()


# Checking a header (record, Verifying).

def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise ValueError(reason)


def _whole(value: object, low: int, high: int) -> bool:
    # A JSON flag is an int to Python, but not to a record.
    return type(value) is int and low <= value <= high


def _check_option(key: str, value: object, default: object) -> None:
    if key in WORDS:
        fits = value in WORDS[key]
    elif type(default) is bool:
        fits = type(value) is bool
    elif (key, value) in (("cap", None), ("first_dealer", "random")):
        fits = True
    else:
        fits = _whole(value, *RANGES.get(key, SMALL))
    _require(fits, f"option {key} out of range: {value!r}")


def check_rules(rules: object) -> dict:
    """Check a record's ``rules`` and return all options."""
    _require(isinstance(rules, dict) and isinstance(rules.get("name"), str)
             and rules["name"] in PRESETS, "unknown rules")
    preset = PRESETS[rules["name"]]
    for key, value in rules.items():
        if key != "name":
            _require(key in preset, f"unknown option {key}")
            _check_option(key, value, preset[key])
    return preset | rules


def _check_stakes(record: dict, rules: dict) -> None:
    if not rules.get("stakes"):
        _require("stakes" not in record, "stakes where the rules have none")
        return
    stakes = record.get("stakes")
    _require(isinstance(stakes, dict) and type(stakes.get("sit")) is bool, "stakes: sit")
    pull, kick = stakes.get("pull"), stakes.get("kick", [False] * 4)
    _require(isinstance(pull, list) and len(pull) == 4
             and all(_whole(n, 0, rules["max_pulls"]) for n in pull), "stakes: pull")
    _require(isinstance(kick, list) and len(kick) == 4
             and all(type(flag) is bool for flag in kick), "stakes: kick")
    dealer = record["dealer"]
    _require(pull[dealer] == 0, "the dealer cannot pull")
    # Only a seat that pulled can be kicked (section 3), so never the dealer.
    _require(not any(kick[seat] and not pull[seat] for seat in range(4)),
             "kicks a seat that did not pull")
    _require(rules["chuai"] or not any(kick), "kick where the rules have none")


def _check_dice(dice: object, rules: dict) -> None:
    _require(isinstance(dice, dict), "dice")
    for key, wanted in zip(("open", "flip"), dice_wanted(rules)):
        throw = dice.get(key, [])
        _require(isinstance(throw, list) and len(throw) == wanted
                 and all(_whole(die, 1, 6) for die in throw), f"dice: {key}")
    _require(dice_wanted(rules)[1] > 0 or "flip" not in dice, "dice: no flip is thrown")


def _check_hex(value: object, low: int, high: int, what: str) -> None:
    _require(isinstance(value, str) and len(value) % 2 == 0
             and low <= len(value) // 2 <= high
             and all(char in "0123456789abcdefABCDEF" for char in value), what)


def check_header(record: dict) -> None:
    """Raise ``ValueError`` for the first fault of a record's header."""
    _require(isinstance(record, dict), "not an object")
    _require(record.get("format") == "tjmj-record/1", "unknown format")
    rules = check_rules(record.get("rules"))
    names = record.get("names", [""] * 4)
    _require(isinstance(names, list) and len(names) == 4
             and all(isinstance(name, str) for name in names), "names")
    _require(_whole(record.get("dealer"), 0, 3), "dealer")
    _check_stakes(record, rules)
    _check_dice(record.get("dice"), rules)
    wall = record.get("wall")
    _require(isinstance(wall, str) and len(wall) % 2 == 0
             and Counter(split_wall(wall)) == Counter(tile_set(rules)), "wall")
    if "seed" in record:
        _check_hex(record["seed"], 32, 32, "seed")
    if "commitment" in record:
        _check_hex(record["commitment"], 32, 32, "commitment")
    if "client_seeds" in record:
        seeds = record["client_seeds"]
        _require(isinstance(seeds, list) and len(seeds) == 4, "client_seeds")
        for seed in seeds:
            _check_hex(seed, 0, 32, "client_seeds")


def check_seed(record: dict) -> None:
    """Raise ``ValueError`` where a record's seed gives another deal or commitment."""
    if "seed" not in record:  # a commitment without a seed is not checked
        return
    seed = bytes.fromhex(record["seed"])
    clients = record.get("client_seeds")
    if clients is not None:
        clients = [bytes.fromhex(part) for part in clients]
    dice, wall = deal_from_seed(seed, record["rules"], clients)
    _require(wall == record["wall"], "the seed does not give the wall")
    _require(dice == record["dice"], "the seed does not give the dice")
    if "commitment" in record:
        digest = hashlib.sha256(seed).hexdigest()
        _require(digest == record["commitment"].lower(), "the commitment does not match")
