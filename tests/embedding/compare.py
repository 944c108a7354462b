"""The embedded module beside the Python face: the same wins, the same hands of play. Run by test_packaging.py."""

from __future__ import annotations

import embedded
import numpy as np

import tjmj

DRAWS = 2000
HANDS = 40


def dealt_hands() -> np.ndarray:
    """Random hands of 14 tiles that often win: three sequences of one suit, a triplet and two tiles."""
    random = np.random.default_rng(7)
    rows = np.zeros((DRAWS, 34), np.uint8)
    for row in rows:
        for first in random.integers(0, 7, 3):
            row[first : first + 3] += 1
        for kind in random.choice([0, 4, 8, 27], 2):
            row[kind] += 1
        row[random.integers(9, 34)] += 3
    return rows[(rows <= 3).all(axis=1)]  # the flipped tile is out of play


def compare_wins() -> None:
    rows = dealt_hands()
    for flip in (27, 9):
        told = int(tjmj.batch.is_win(rows, flip).sum())
        assert 0 < told < len(rows)
        assert embedded.count_wins(rows, flip, "tianjin") == told


def answered(table: tjmj.Round) -> None:
    """Win when it may, else throw the first kind it may; stake nothing, declare and claim nothing."""
    seat, answers = min(table.pending.items())
    if table.window != "turn":
        table.play(seat, {"sit": "stand", "pull": "pull0"}.get(table.window, "pass"))
    elif "h" in answers:
        table.play(seat, "h")
    else:
        table.play(seat, min((answer for answer in answers if answer[0] == "d"), key=lambda d: tjmj.parse_tile(d[1:])))


def compare_play(rules: str) -> None:
    ended = set()
    for seed in range(HANDS):
        dice, wall, net = embedded.play_hand(seed, rules)
        flip = tuple(dice[-2:]) if tjmj.rules(rules).wild_by == "dice" else ()
        deal = tjmj.Deal(tuple(dice[: len(dice) - len(flip)]), flip, wall)
        table = tjmj.Round(rules, 0, deal=deal)
        while not table.over:
            answered(table)
        assert table.result is not None
        assert list(table.result["net"]) == net, (rules, seed)
        ended.add(table.result["end"])
    assert ended == {"exhausted", "win"}


if __name__ == "__main__":
    assert embedded.play_hand(26, "tianjin")[2] == [-2, -2, 6, -2]  # as docs/embedding.md shows it
    compare_wins()
    for name in ("tianjin", "jintan"):
        compare_play(name)
    print("the same")
