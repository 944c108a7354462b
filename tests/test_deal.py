"""Dice and walls from seeds (record, "Fair dealing" and "Runs"), and the fast generator's."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
import referee_deal
from hypothesis import given
from hypothesis import strategies as st

import tjmj
from tjmj import RulesError
from tjmj._deal import commitment, deal, deal_fast, run_seed
from tjmj.tiles import NAMES

SEED = bytes(range(32))
PRESETS = ("tianjin", "tianjin-hall", "tianjin-street")

FAST_DICE = (6, 3, 1, 6)
FAST_WALL = (
    "3W7B1J2J4B6W1B2T3W5T2F2W9T7B8B1T9T1J2W1W4W9B2T7W4W1J6T3J4B3J2W3T2B9W1B9W8W2B5W7W1F1W2W1B1W3F4F5B8W1J5B"
    "6B9W5B7W9B1T3J4F5W1T8B9T8T1T3B6T2F8W4B2T7T4F1F5B3B3T5T3F3B5W7T9B8T5W3W1W2J4B8T7T3T2B6B6B8T8B2J3F5T8B6T"
    "2F9B4T5T6W3F7B7B1F3T6W3W4T1F4F3J6T2J1B2B3B6B2F4T9W6W8W4W7W2T4T9T7T4W"
)


def text(wall):
    return "".join(NAMES[kind] for kind in wall)


def kinds(wall):
    return bytes(NAMES.index(tile) for tile in referee_deal.split_wall(wall))


FLOWERS_TURNED = {"flower_wilds": True, "wild_by": "turned"}

# Vectors, so that whoever writes another program can compare. They come from tests/referee_deal.py.


def test_a_wall():
    dealt = deal(SEED)
    assert (dealt.open, dealt.flip) == ((1, 2), (4, 2))
    assert text(dealt.wall) == (
        "1J3W1J3T5B2B8B3F3W1F7B5W1J2W6T3W4B4T1B1T6W1T9T3T2W4B2T6W3F8T8T9W2B1B2B2F4T6W2J1T7W5T2J9T1W5B7B5T6W9B"
        "4W5W3F4B1B7T1T1B5B9T6B2J9B5W8B3B4T3J1W8W2T4F3F4W7W4F8B7W6B1W1F3W2F7T6T9W3B3J4W2J9T2F4B9W1F9B4F8W2B3B"
        "5B2T7T3J8T1J7W3B7T6T1W9B2W2T2W4F4T5T5W7B8T3T2F3J6B6T6B1F5T3T8B8W7B9W4W8W"
    )


@pytest.mark.parametrize(
    ("rules", "clients", "open_", "flip", "begins", "digest"),
    [
        ({}, None, (1, 2), (4, 2), "1J3W1J3T5B2B8B3F", "a092b831ef8e858f"),
        ({}, [b""] * 4, (1, 6), (2, 5), "2B7T9W1J5W7B6B1T", "e20e1d2692f3f484"),
        ({}, [b"", b"\0", SEED, b"tjmj"], (1, 2), (5, 3), "2J4B3J7B6W8W1W9T", "754844f01dc721a1"),
        ({"opening": "two-throw"}, None, (1, 2, 4, 2), (6, 4), "3W7W4B4B9W2B3F1J", "f525d222a12f4214"),
        (FLOWERS_TURNED, None, (1, 2), (), "3W8H4B7T5B4W1J7W", "b1a8d0b9dddc1a54"),
    ],
)  # fmt: skip
def test_vectors(rules, clients, open_, flip, begins, digest):
    dealt = deal(SEED, tjmj.rules("tianjin", **rules), clients)
    assert (dealt.open, dealt.flip) == (open_, flip)
    assert text(dealt.wall)[:16] == begins
    assert hashlib.sha256(text(dealt.wall).encode()).hexdigest()[:16] == digest


def test_commitment():
    assert commitment(SEED).hex() == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize(
    ("seed", "hand", "expected"),
    [
        (0, 0, "e2eb1acef63dcdce324c0259c7be5243ab4b03b3e70e40f7fe8acd2aa31faaeb"),
        (1, 0, "600b5ea1379617b3c5753499ed1bd746839cc0bf6cf49952bf5265ea16c49f1f"),
        (2**128 - 1, 2**64 - 1, "9fb511a3e053417987e6b3a716a932d284e234bacd8eb86e8c190869886de16c"),
    ],
)
def test_seeds_of_a_run(seed, hand, expected):
    assert run_seed(seed, hand).hex() == expected


def test_a_wall_of_the_fast_generator():
    dealt = deal_fast(0, 0)
    assert (dealt.open, dealt.flip) == (FAST_DICE[:2], FAST_DICE[2:])
    assert text(dealt.wall) == FAST_WALL


# The laws


@given(
    seed=st.binary(min_size=32, max_size=32),
    name=st.sampled_from(PRESETS),
    options=st.fixed_dictionaries(
        {},
        optional={
            "opening": st.sampled_from(["one-throw", "two-throw"]),
            "wild_by": st.sampled_from(["dice", "turned"]),
            "flower_wilds": st.booleans(),
        },
    ),
    clients=st.none() | st.lists(st.binary(max_size=32), min_size=4, max_size=4),
)
def test_the_referee_deals_the_same(seed, name, options, clients):
    dealt = deal(seed, tjmj.rules(name, **options), clients)
    dice, wall = referee_deal.deal_from_seed(seed, {"name": name} | options, clients)
    assert dealt == (tuple(dice["open"]), tuple(dice.get("flip", ())), kinds(wall))


@given(st.integers(0, 2**128 - 1), st.integers(0, 2**64 - 1))
def test_runs_as_the_referee_has_them(seed, hand):
    assert run_seed(seed, hand) == referee_deal.run_seed(seed, hand)


class SplitMix64:
    """The fast generator as its documentation describes it, in plain Python."""

    def __init__(self, seed, hand):
        self.state = self.mix(self.mix(seed) + hand & 2**64 - 1)

    @staticmethod
    def mix(x):
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & 2**64 - 1
        x = (x ^ x >> 27) * 0x94D049BB133111EB & 2**64 - 1
        return x ^ x >> 31

    def word(self):
        self.state = self.state + 0x9E3779B97F4A7C15 & 2**64 - 1
        return self.mix(self.state)

    def below(self, n):
        return (self.word() >> 32) * n >> 32


def test_splitmix64_is_what_its_authors_published():
    """The first words from state 1234567, as the reference implementation in C gives them."""
    stream = SplitMix64(0, 0)
    stream.state = 1234567
    words = [stream.word() for _ in range(3)]
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def fast(seed, hand, rules):
    stream = SplitMix64(seed, hand)
    opening, flip = referee_deal.dice_wanted(rules)
    dice = tuple(1 + stream.below(6) for _ in range(opening + flip))
    tiles = referee_deal.tile_set(rules)
    for i in range(len(tiles) - 1, 0, -1):
        if (i + 1) % 4 == 0:
            share = stream.word() >> 8
        j, share = divmod(share * (i + 1), 2**56)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return dice[:opening], dice[opening:], kinds("".join(tiles))


@given(
    st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.booleans(), st.sampled_from(["dice", "turned"])
)
def test_the_fast_generator_is_the_documented_one(seed, hand, flowers, wild_by):
    options = {"flower_wilds": flowers, "wild_by": wild_by, "opening": "two-throw"}
    rules = referee_deal.full_rules({"name": "tianjin"} | options)
    assert deal_fast(seed, hand, tjmj.rules("tianjin", **options)) == fast(seed, hand, rules)


@pytest.mark.parametrize("dealt", [lambda k: deal(run_seed(7, k)), lambda k: deal_fast(7, k)])
def test_dice_and_places_are_even(dealt):
    """Each die falls on each number, and each tile comes to the front, about as often as it should."""
    hands = 3000
    dice, first = Counter(), Counter()
    for k in range(hands):
        hand = dealt(k)
        dice.update(enumerate(hand.open + hand.flip))
        first[hand.wall[0]] += 1
    assert all(
        abs(dice[die, n] - hands / 6) < 5 * (hands / 6) ** 0.5 for die in range(4) for n in range(1, 7)
    )
    assert all(abs(first[kind] - hands / 34) < 5 * (hands / 34) ** 0.5 for kind in range(34))


# Refused


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_has_32_bytes(size):
    with pytest.raises(RulesError, match=f"{size} bytes"):
        deal(bytes(size))


@pytest.mark.parametrize("clients", [[], [b""] * 3, [b""] * 5])
def test_there_are_four_client_seeds(clients):
    with pytest.raises(RulesError, match="four"):
        deal(SEED, "tianjin", clients)


def test_a_client_seed_has_at_most_32_bytes():
    with pytest.raises(RulesError, match="seat 2 has 33 bytes"):
        deal(SEED, "tianjin", [b"", b"", bytes(33), b""])


@pytest.mark.parametrize(("seed", "hand"), [(-1, 0), (2**128, 0), (0, -1), (0, 2**64)])
def test_a_run_has_its_bounds(seed, hand):
    with pytest.raises(RulesError):
        run_seed(seed, hand)
