"""Write the perft files beside this script: deals, and how many legal move lists start from them.

Usage: python tests/perft/make.py [SETTING ...]

Every count is the referee's (`tests/referee.py`); nothing here imports the package, so that the files can
tell what the package gets wrong. A file is a record of one line with two keys more: `perft` holds the counts
for 1 to 4 moves after `moves`, `without` the counts with an option set back, which have to be others.
"""

from __future__ import annotations

import json
import pathlib
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import referee  # noqa: E402
from jintan_walls import shared  # noqa: E402
from referee import Referee, perft, replay  # noqa: E402
from referee_deal import check_header, dice_wanted, full_rules, ruleset  # noqa: E402
from rigged import arranged, rigged  # noqa: E402

Record = dict[str, Any]
DEALS = 3
DEPTH = 4
LARGEST = 60_000
"""Files with more lists than this would slow the tests down."""


@dataclass(frozen=True)
class Setting:
    """Rules, and what tells that their options matter."""

    rules: Record
    without: Record = field(default_factory=dict)
    """Options set back; none where the wall or the dice would have to be others."""
    left: tuple[int | None, ...] = (None, None, 2)
    """Front draws left where each deal is counted from; None for one soon after the start."""
    start: bool = False
    """Whether all of its deals are counted from the very start."""
    hands: tuple[tuple[str, ...], ...] = ()
    """Hands of the seats for each deal, where random ones would hardly ever do."""
    front: str = ""
    flip: str = ""
    letters: int = 3
    """How many kinds of moves beside discards have to be near, where no option is set back."""


SETTINGS = {
    "tianjin": Setting({"name": "tianjin"}),
    "tianjin-hall": Setting({"name": "tianjin-hall"}),
    "tianjin-street": Setting({"name": "tianjin-street"}),
    "gold_kong_0": Setting({"name": "tianjin", "gold_kong": 0}, {"gold_kong": 4}),
    "gold_kong_by_discard_no": Setting(
        {"name": "tianjin", "gold_kong_by_discard": False}, {"gold_kong_by_discard": True}
    ),
    "gold_kong_by_discard_yes": Setting(
        {"name": "tianjin-hall", "gold_kong_by_discard": True}, {"gold_kong_by_discard": False}
    ),
    "last_tiles_closed_4": Setting(
        {"name": "tianjin", "last_tiles_closed": 4}, {"last_tiles_closed": 0}, left=(5, 5, 5)
    ),
    "last_tiles_closed_75": Setting(
        {"name": "tianjin-hall", "last_tiles_closed": 75}, {"last_tiles_closed": 0}
    ),
    "heavenly_ready": Setting(
        {"name": "tianjin", "heavenly_ready": True}, {"heavenly_ready": False}, start=True
    ),
    "heavenly_ready_min_fan_5": Setting(
        {"name": "tianjin-hall", "heavenly_ready": True, "min_fan": 5}, {"min_fan": 2}, start=True
    ),
    "earthly": Setting({"name": "tianjin", "earthly": True}, {"earthly": False}, start=True),
    "earthly_and_ready": Setting(
        {"name": "tianjin", "earthly": True, "heavenly_ready": True, "min_fan": 3}, {"earthly": False},
        start=True,
    ),
    "plain_dragon": Setting(
        {"name": "tianjin", "plain_dragon": True, "min_fan": 12}, {"plain_dragon": False},
        hands=(
            ("19T19B1234F123J", "1236789W45W123T9B"),
            ("", "19T19B1234F123J", "1236789W45W123B1F"),
            ("", "1236789W45W123T9B", "1236789W45W456T1F"),
        ),
        front="9B 1F", flip="4W", start=True,
    ),
    "wild_by_turned": Setting({"name": "tianjin", "wild_by": "turned"}),
    "wild_kinds_1": Setting({"name": "tianjin", "wild_kinds": 1}, {"wild_kinds": 2}),
    "wild_kinds_3": Setting({"name": "tianjin", "wild_kinds": 3}, {"wild_kinds": 2}),
    "flower_wilds": Setting({"name": "tianjin", "flower_wilds": True}),
    "min_fan_1": Setting({"name": "tianjin", "min_fan": 1}, {"min_fan": 2}),
    "min_fan_3": Setting({"name": "tianjin", "min_fan": 3}, {"min_fan": 2}),
    "min_fan_9": Setting({"name": "tianjin-street", "min_fan": 9}, {"min_fan": 2}),
    "heavenly_factor_1": Setting(
        {"name": "tianjin", "heavenly_factor": 1}, {"heavenly_factor": 4}, start=True
    ),
    "heavenly_mode_plus": Setting(
        {"name": "tianjin", "heavenly_mode": "plus", "min_fan": 5}, {"heavenly_mode": "times"}, start=True
    ),
    "much_at_once": Setting(
        {"name": "tianjin-street", "wild_by": "turned", "flower_wilds": True, "wild_kinds": 3,
         "gold_kong_by_discard": True, "last_tiles_closed": 3, "min_fan": 1}, {"min_fan": 2},
        left=(None, None, 12),
    ),
    "jintan": Setting({"name": "jintan"}, letters=5),
    "jintan_no_chow": Setting({"name": "jintan", "chow": False}, {"chow": True}),
    "jintan_min_flowers_0": Setting(
        {"name": "jintan", "min_flowers": 0}, {"min_flowers": 1}, left=(None, None, None)
    ),
    "jintan_min_flowers_2": Setting(
        {"name": "jintan", "min_flowers": 2}, {"min_flowers": 1}, left=(None, None, None)
    ),
}  # fmt: skip


def candidate(setting: Setting, number: int, rng: random.Random) -> Record:
    """A deal with moves that may be worth counting from."""
    rules = full_rules(setting.rules)
    opening, thrown = dice_wanted(rules)
    flip = [rng.randint(1, 6), rng.randint(1, 6)]
    dealer = 0 if setting.hands else rng.randrange(4)
    record: Record = {"format": "tjmj-record/1", "rules": setting.rules, "dealer": dealer}
    if rules.get("stakes"):
        record["stakes"] = {"sit": False, "pull": [0] * 4, "kick": [False] * 4}
    record["dice"] = {"open": [rng.randint(1, 6) for _ in range(opening)]}
    if thrown:
        record["dice"]["flip"] = flip
    throw = sum(flip) if thrown else None
    if ruleset(rules).win_on_discard:
        record["wall"] = shared(rng, dealer)
    elif setting.hands:
        hands = setting.hands[number - 1]
        record["wall"] = arranged(rules, throw, dealer, hands, front=setting.front, flip=setting.flip)
    else:
        record["wall"] = rigged(rng, rules, dealer, throw)
    moves = moves_before(Referee.from_record(record), setting, setting.left[number - 1], rng)
    record["moves"] = " ".join(moves)
    return record


def moves_before(hand: Referee, setting: Setting, left: int | None, rng: random.Random) -> Iterator[str]:
    """Moves up to where the counting starts; nobody wins, and claims are made now and then."""
    few = 0 if setting.start else rng.choice((0, 0, 1, 4, 9))
    while few > 0 if setting.start or left is None else hand.front_left > left:
        legal = hand.legal()
        throws = [move for move in legal if move[1] == "d"]
        if not throws and ruleset(hand.rules).flowers_laid:  # 八花, or the last flowers
            return
        rare = [move for move in legal if move[1] in "pocare"]
        move = rng.choice(rare if rare and rng.random() < 0.1 else throws or legal)
        if hand.drawn and f"{hand.seat}d{hand.drawn}" in throws and rng.random() < 0.8:
            move = f"{hand.seat}d{hand.drawn}"
        hand.apply(move)
        yield move
        few -= 1


def letters_near(hand: Referee, depth: int) -> set[str]:
    """Letters of all moves that can come within so many moves."""
    found = set()
    for move in hand.legal():
        found.add(move[1])
        if depth > 1:
            following = hand.copy()
            following.apply(move)
            found |= letters_near(following, depth - 1)
    return found


def counted(record: Record, setting: Setting) -> Record | None:
    """The record with its counts; None if it is too large, or too dull."""
    after = len(record["moves"].split())
    three = perft(record, 3, after)
    if setting.without:
        try:
            without = perft(record | {"rules": setting.rules | setting.without}, 3, after)
        except ValueError:  # its moves cannot be played
            return None
        if without == three:
            return None
    elif len(letters_near(replay(record), 3) & set("hcaporwe")) < setting.letters:
        return None
    counts = perft(record, DEPTH, after)
    if not 500 < counts[-1] <= LARGEST:
        return None
    record["perft"] = counts
    if setting.without:
        record["without"] = {"rules": setting.without, "perft": without}
    return record


def make(name: str) -> None:
    """Write the files of a setting."""
    setting = SETTINGS[name]
    for number in range(1, DEALS + 1):
        tries = 0
        while True:
            tries += 1
            referee._score.cache_clear()  # they would keep every hand of every deal
            referee._score_jintan.cache_clear()
            record = counted(candidate(setting, number, random.Random(f"{name} {number} {tries}")), setting)
            if record:
                break
            if tries == 5000:
                sys.exit(f"{name}-{number}: no deal found that its options matter in")
        check_header(record)
        (HERE / f"{name}-{number}.json").write_text(json.dumps(record) + "\n", encoding="utf-8")
        print(f"{name}-{number}: {record['perft']} after {tries} tries")


if __name__ == "__main__":
    for name in sys.argv[1:] or SETTINGS:
        make(name)
