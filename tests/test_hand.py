"""`Hand` and `Meld`: what may stand in a hand, and values that cannot be wrong (notation, "Hands")."""

from __future__ import annotations

import contextlib
import copy
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import wilds_of
from strategies import HANDS, cases
from test_notation import ALPHABET

import tjmj
from tjmj import Hand, HandError, Meld, NotationError, RulesError
from tjmj.tiles import NAMES

FLOWERS = tjmj.rules("tianjin", flower_wilds=True)
HALL = tjmj.rules("tianjin-hall")
NO_GOLD = tjmj.rules("tianjin", gold_kong=0)


def tiles(text: str) -> tuple[int, ...]:
    return tjmj.parse_tiles(text)


# What a hand is


def test_the_example_of_the_specification():
    hand = Hand.parse("[555W]{1111F}123T46T99B+5T", flip="9W")
    assert hand.melds == (Meld("pong", 4), Meld("concealed", 27))
    assert [str(meld) for meld in hand.melds] == ["[555W]", "{1111F}"]
    assert hand.concealed == tiles("123T46T99B")
    assert hand.win == tjmj.parse_tile("5T")
    assert hand.flip == tjmj.parse_tile("9W")
    assert set(hand.wild) == {8, 0}  # 9W and 1W
    assert hand.rules == tjmj.rules("tianjin")
    assert not hand.waiting
    assert str(hand) == "[555W]{1111F}12346T99B+5T"


@pytest.mark.parametrize(
    ("text", "waiting", "win"),
    [
        ("46W123B789B111T9T1F", True, None),  # before the draw
        ("46W123B789B11T9T1F1T+5W", False, 4),  # after it
        ("46W123B789B11T9T1F1T5W", False, None),  # has to discard
        ("[555W]12346T11299B", True, None),
        ("[555W]12346T11299B+3B", False, 20),
        ("[555W]12346T112399B", False, None),
        ("[111T][2222B]{4444T}[222W]1J", True, None),
        ("[111T][2222B]{4444T}[222W]1J+1J", False, 31),
        ("[111T][2222B]{4444T}[222W]11J", False, None),
    ],
)
def test_hands_before_after_and_without_a_draw(text, waiting, win):
    hand = Hand.parse(text, flip="3F")
    assert (hand.waiting, hand.win) == (waiting, win)
    assert len(hand.concealed) == (14 if not waiting and win is None else 13) - 3 * len(hand.melds)


def test_counts_hold_the_concealed_tiles_with_the_winning_one():
    hand = Hand.parse("[555W]12346T11299B+3B", flip="3F")
    assert hand.counts == bytes(tiles("12346T112399B").count(kind) for kind in range(42))
    assert hand.concealed == tiles("12346T11299B")


def test_left_are_the_copies_that_nobody_sees():
    hand = Hand.parse("[555W]{1111F}123T46T99B+5T", flip="9B")
    for name, left in {"5W": 1, "1F": 0, "1T": 3, "5T": 3, "9B": 1, "9W": 4}.items():
        assert hand.left(tjmj.parse_tile(name)) == left, name
    for kind in (-1, 42, 2**70):
        with pytest.raises(ValueError):
            hand.left(kind)


@pytest.mark.parametrize(
    "text",
    [
        "[555W]{1111F}123T46T99B+5T",
        "[5W5W5W]{F1F1F1F1}1T2T3T4T6T9B9B+T5",
        " [ 555w ] { 1111f } 123t 46T\t99B + 5T ",
        "[五万五万五万]{东东东东}一二三条四六条九筒九饼+五索",
        "123T46T99B[555W]{1111F}+5T",
        "9B9B6T[555W]4T3T2T1T{1111F}+5T",
        "[伍五5万]{东1F东东}一两三條四六索九同九餅+伍条",
    ],
)
def test_every_spelling_of_a_hand_reads_the_same(text):
    assert Hand.parse(text, flip="9W") == Hand.parse("[555W]{1111F}123T46T99B+5T", flip="9W")


@pytest.mark.parametrize("notation", ["mpsz", "mpsz-cn"])
def test_hands_in_mpsz_are_read_where_it_is_named(notation):
    text = "[555m]{1111z}123s46s99p+5s"
    assert str(Hand.parse(text, "9m", notation=notation)) == "[555W]{1111F}12346T99B+5T"
    assert Hand.parse(text, "9m", notation=notation).format(notation) == "[555m]{1111z}99p12346s+5s"
    assert Hand.parse(text, "9W", notation=notation) == Hand.parse(text, 8, notation=notation)
    for flip, mpsz in (("9W", text), ("9m", "123W34789T45699B")):
        with pytest.raises(NotationError, match="notation='mpsz'"):
            Hand.parse(mpsz, flip)


def test_dragons_of_the_two_mpsz_differ():
    text = "[555z]123456m6677z+7z"
    assert str(Hand.parse(text, "9m", notation="mpsz")) == "[333J]123456W1122J+1J"
    assert str(Hand.parse(text, "9m", notation="mpsz-cn")) == "[111J]123456W2233J+3J"


def test_melds_keep_the_order_in_which_they_were_made():
    assert str(Hand.parse("{1111F}[555W]123T46T99B+5T", "9W")) == "{1111F}[555W]12346T99B+5T"


def test_the_flipped_tile_may_be_a_name_or_a_kind_and_minus_one_is_none():
    text = "46W123B789B111T9T1F"
    assert Hand.parse(text, "1F") == Hand.parse(text, 27) == Hand.parse(text, "东")
    without = Hand.parse(text, -1)
    assert (without.flip, set(without.wild)) == (None, set())
    assert without != Hand.parse(text, "1F")


@pytest.mark.parametrize("flip", NAMES[:34])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_wild_kinds_follow_in_their_cycle(flip, count):
    """Section 2: 1 to 9 to 1 in a suit, 东南西北东, 中发白中."""
    hand = Hand.parse("147W147T147B1234F", flip, tjmj.rules("tianjin", wild_kinds=count))
    assert set(hand.wild) == wilds_of(tjmj.parse_tile(flip), count, False)


@pytest.mark.parametrize(
    ("flip", "wild"),
    [("8W", "8W 9W"), ("9W", "9W 1W"), ("9T", "9T 1T"), ("9B", "9B 1B"), ("1F", "1F 2F"), ("4F", "4F 1F"),
     ("1J", "1J 2J"), ("3J", "3J 1J")],
)  # fmt: skip
def test_the_flipped_kind_and_the_next_are_wild(flip, wild):
    assert str(tjmj.TileSet(tiles(wild.replace(" ", "")))) == str(Hand.parse("147W147T147B1234F", flip).wild)


def test_flowers_are_wild_and_a_flipped_flower_makes_nothing_else_wild():
    """Section 2, `flower_wilds`."""
    hand = Hand.parse("123W34789T4569B1H+5H", "1F", FLOWERS)
    assert set(hand.wild) == {27, 28, *range(34, 42)}
    assert set(Hand.parse("123W34789T4569B1H+5H", "8H", FLOWERS).wild) == set(range(34, 42))


# Gold kongs


def test_gold_kongs_are_written_as_the_kongs_they_are():
    """Section 2: four of one wild kind, concealed, or with a discard where the rules have that."""
    assert str(Hand.parse("{2222F}123W34T45699B+2T", "1F")) == "{2222F}123W34T45699B+2T"
    assert str(Hand.parse("[2222F]123W34T45699B+2T", "1F")) == "[2222F]123W34T45699B+2T"
    assert Hand.parse("{2222F}123W34T45699B+2T", "1F", HALL).melds == (Meld("concealed", 28),)


@pytest.mark.parametrize(
    ("text", "rules", "reason"),
    [
        ("123W34789T9B[222F]+9B", "tianjin", "cannot be ponged"),
        ("123W34789T9B[2222F]+9B", HALL, "takes no discard"),
        ("123W34789T9B{2222F}+9B", NO_GOLD, "no gold kong"),
        ("123W34789T9B[2222F]+9B", NO_GOLD, "no gold kong"),
        ("123W34789T9B{1111F}+9B", "tianjin", "the flipped one counted"),
    ],
)
def test_wild_kinds_in_melds_that_the_rules_do_not_know(text, rules, reason):
    with pytest.raises(HandError, match=reason) as caught:
        Hand.parse(text, "1F", rules)
    assert (caught.value.text, caught.value.place) == (text, 12)


# Refused, with text, place and reason

GOOD = "123W34789T45699B"  # 13 tiles

REFUSED = [
    # text, class, place, a word of the reason
    ("", HandError, None, "0 concealed tiles: there must be 13"),
    ("123W", HandError, None, "3 concealed tiles: there must be 13"),
    ("123W34789T4569B", HandError, None, "12 concealed tiles"),
    (GOOD + "1J2J", HandError, None, "15 concealed tiles"),
    (GOOD + "1J+2J", HandError, None, "14 concealed tiles before the winning one: there must be 13"),
    ("123W34789T4569B+2T", HandError, None, "12 concealed tiles before the winning one"),
    ("[555W]" + GOOD, HandError, None, "13 concealed tiles beside 1 meld(s): there must be 10"),
    ("[555W]" + GOOD + "+2T", HandError, None, "13 concealed tiles before the winning one beside 1"),
    ("[555W][555T][555B][666B]", HandError, None, "0 concealed tiles beside 4 meld(s): there must be 1"),
    ("[555W][555T][555B][666B]{2222F}9B", HandError, 24, "more than four melds"),
    ("11111W23489T4569B", HandError, 4, "more than 4 of 1W"),
    ("1111W3489T456699B+1W", HandError, 18, "more than 4 of 1W"),
    ("[111W]11W34789T456B", HandError, 7, "more than 4 of 1W"),
    ("11W34789T45699B[111W]", HandError, 15, "more than 4 of 1W"),
    ("{1111W}1W34789T4569B", HandError, 7, "more than 4 of 1W"),
    ("[111W][1111W]4789T45B", HandError, 6, "more than 4 of 1W"),
    ("3333F23489T45699B", HandError, 3, "more than 4 of 3F, the flipped one counted"),
    ("{3333F}34789T4569B", HandError, 0, "more than 4 of 3F, the flipped one counted"),
    (GOOD[:-1] + "B+1H", HandError, 17, "these rules have none"),
    ("春" + GOOD, HandError, 0, "these rules have none"),
    ("[555W", NotationError, 0, "is not closed"),
    (GOOD + "{5555W", NotationError, 16, "is not closed"),
    ("[", NotationError, 0, "is not closed"),
    ("[555W}", NotationError, 5, "inside a meld"),
    ("{5555W]", NotationError, 6, "inside a meld"),
    ("[[555W]]", NotationError, 1, "inside a meld"),
    ("[555W+5W]", NotationError, 5, "inside a meld"),
    ("555W]", NotationError, 4, "closes nothing"),
    ("}" + GOOD, NotationError, 0, "closes nothing"),
    ("[]" + GOOD, HandError, 0, "'[]' is not a pong or a kong"),
    ("[55W]" + GOOD, HandError, 0, "is not a pong or a kong"),
    ("[556W]" + GOOD, HandError, 0, "is not a pong or a kong"),
    ("[55555W]" + GOOD, HandError, 0, "is not a pong or a kong"),
    ("1W [5W5T5B]" + GOOD, HandError, 3, "is not a pong or a kong"),
    ("[234F]" + GOOD, HandError, 0, "is not a pong or a kong"),
    ("[891W]" + GOOD, HandError, 0, "is not a pong or a kong"),
    ("[8W9W1T]" + GOOD, HandError, 0, "is not a pong or a kong"),
    ("[345W]" + GOOD, HandError, 0, "no chow"),
    ("[543W]" + GOOD, HandError, 0, "no chow"),
    ("{555W}" + GOOD, HandError, 0, "is not a concealed kong"),
    ("{345W}" + GOOD, HandError, 0, "is not a concealed kong"),
    ("{}" + GOOD, HandError, 0, "is not a concealed kong"),
    ("{1H2H3H4H}" + GOOD, HandError, 0, "is not a concealed kong"),
    (GOOD + "+", NotationError, 16, "0 tiles behind '+'"),
    (GOOD + "+2T3T", NotationError, 16, "2 tiles behind '+'"),
    (GOOD + "+22T", NotationError, 16, "2 tiles behind '+'"),
    (GOOD + "++2T", NotationError, 17, "stands last"),
    (GOOD + "+2T+3T", NotationError, 19, "stands last"),
    (GOOD + "+2T[555W]", NotationError, 19, "stands last"),
    (GOOD + "+2T}", NotationError, 19, "stands last"),
    ("+", NotationError, 0, "0 tiles behind '+'"),
    (GOOD + "+2", NotationError, 17, "without its suit"),
    (GOOD + "+2X", NotationError, 17, "without its suit"),
    ("[555X]" + GOOD, NotationError, 1, "without its suit"),
    ("[?]" + GOOD, NotationError, 1, "no tile"),
    (GOOD + "0W", NotationError, 16, "from 1 to 9, not 0"),
    (GOOD + "混", NotationError, 16, "no tile"),  # a wildcard is written by its own face
    (GOOD + "*", NotationError, 16, "no tile"),
    ("123m34789s45699p", NotationError, 3, "notation='mpsz'"),
]


@pytest.mark.parametrize(("text", "error", "place", "word"), REFUSED)
def test_what_is_no_hand_is_refused_with_its_place_and_reason(text, error, place, word):
    with pytest.raises(tjmj.TjmjError) as caught:
        Hand.parse(text, "3F")
    assert type(caught.value) is error
    assert (caught.value.text, caught.value.place) == (text, place)
    assert word in caught.value.reason
    assert repr(text) in str(caught.value) or not text
    assert ("character" in str(caught.value)) == (place is not None)


def test_flowers_have_one_copy_and_no_melds():
    """Section 1: 8 flowers, one of each."""
    for text, place in (
        ("123W34789T4569B11H", 16),
        ("123W34789T4569B1H+1H", 18),
        ("{1111H}34789T4569B1F", 0),
    ):
        with pytest.raises(HandError) as caught:
            Hand.parse(text, "1F", FLOWERS)
        assert (caught.value.text, caught.value.place) == (text, place)
    with pytest.raises(HandError, match="more than 1 of 1H, the flipped one counted"):
        Hand.parse("123W34789T4569B1H+2H", "1H", FLOWERS)


@pytest.mark.parametrize("flip", ["", "1W2W", "X", "0W", "10W", "1W+", "m1", "[1W]"])
def test_a_flip_that_is_no_tile_is_refused(flip):
    with pytest.raises(NotationError) as caught:
        Hand.parse(GOOD, flip)
    assert caught.value.text == flip


def test_the_flip_has_to_be_named_and_known_to_the_rules():
    with pytest.raises(HandError, match="flip="):
        Hand.parse(GOOD)
    for flip in ("1H", "h1", "春"):
        with pytest.raises(HandError, match="flower") as caught:
            Hand.parse(GOOD, flip)
        assert caught.value.text == flip
    for flip in (-2, 42, 255, 10**6, 2**31, 2**70):
        with pytest.raises(HandError):
            Hand.parse(GOOD, flip)


def test_unknown_rules_are_refused():
    for rules in ("", "jintan-hall", "Tianjin", None, 5, ["tianjin"]):
        with pytest.raises(RulesError, match="unknown rules"):
            Hand.parse(GOOD, "1F", rules)


@pytest.mark.parametrize("wrong", [None, 5, b"123W", ["1W"]])
def test_only_text_is_parsed(wrong):
    with pytest.raises(TypeError):
        Hand.parse(wrong, "1F")


@given(
    st.one_of(st.text(ALPHABET, max_size=50), st.text(max_size=20)),
    st.one_of(st.text(max_size=3), st.sampled_from(NAMES)),
    st.sampled_from([None, "mpsz", "mpsz-cn"]),
)
def test_any_text_is_a_hand_or_refused(text, flip, notation):
    try:
        hand = Hand.parse(text, flip, notation=notation)
    except (NotationError, HandError) as error:
        assert error.text in (text, flip)
        assert error.place is None or 0 <= error.place < len(error.text)
        assert error.reason
    else:
        assert Hand.parse(str(hand), flip) == hand


@given(cases(), st.data())
def test_a_hand_with_a_fault_is_a_hand_or_refused(case, data):
    """A character changed, left out or put in gives a hand or an error, never anything else."""
    text = case.text
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        behind = text[place + data.draw(st.integers(0, 2)) :]
        text = text[:place] + data.draw(st.text(ALPHABET, max_size=2)) + behind
    for call in (tjmj.Hand.parse, tjmj.score, tjmj.waits):
        try:
            value = call(text, case.flip, case.rules)
        except (NotationError, HandError) as error:
            assert error.place is None or 0 <= error.place < len(error.text)
            assert error.reason
        else:
            hand = value if isinstance(value, Hand) else value.hand
            assert Hand.parse(str(hand), case.flip, case.rules) == hand


# Values


@given(HANDS)
def test_what_was_written_reads_the_same(hand):
    """Notation: reading what was written gives the same value, for every hand."""
    assert Hand.parse(str(hand), -1 if hand.flip is None else hand.flip, hand.rules) == hand
    assert eval(repr(hand), {"tjmj": tjmj}) == hand
    assert pickle.loads(pickle.dumps(hand)) == hand
    assert copy.copy(hand) == copy.deepcopy(hand) == hand
    assert hash(pickle.loads(pickle.dumps(hand))) == hash(hand)


@given(HANDS, st.sampled_from(["mpsz", "mpsz-cn"]))
def test_what_was_written_in_mpsz_reads_the_same(hand, notation):
    flip = -1 if hand.flip is None else hand.flip
    if any(hand.counts[34:]):
        with pytest.raises(NotationError, match="flower"):
            hand.format(notation)
    else:
        assert Hand.parse(hand.format(notation), flip, hand.rules, notation) == hand


@given(HANDS)
def test_a_hand_made_of_kinds_is_the_one_that_was_read(hand):
    flip = -1 if hand.flip is None else hand.flip
    assert Hand(hand.concealed, hand.melds, hand.win, flip=flip, rules=hand.rules) == hand
    assert Hand(reversed(hand.concealed), list(hand.melds), hand.win, flip=flip, rules=hand.rules) == hand


@given(HANDS)
def test_tiles_are_conserved(hand):
    """Every copy is in the hand, in a meld, flipped, or left."""
    for kind in range(42 if hand.rules.flower_wilds else 34):
        seen = hand.counts[kind] + (kind == hand.flip) + sum(meld.tiles.count(kind) for meld in hand.melds)
        assert hand.left(kind) == (4 if kind < 34 else 1) - seen >= 0


def test_a_kind_of_which_every_copy_is_seen_cannot_be_drawn():
    hand = Hand.parse("46W123B789B1111T9T", "1F")
    with pytest.raises(HandError, match="no 1T is left to draw"):
        hand.draw("1T")
    assert hand.draw("9T").left("9T") == 2


@given(cases(waiting=True), st.integers(0, 41))
def test_draw_makes_the_hand_with_the_winning_tile(case, kind):
    hand = case.hand
    if kind >= (42 if hand.rules.flower_wilds else 34) or hand.left(kind) == 0:
        with pytest.raises(HandError):
            hand.draw(kind)
    else:
        drawn = hand.draw(kind)
        assert drawn == hand.draw(NAMES[kind]) == Hand.parse(f"{hand}+{NAMES[kind]}", case.flip, case.rules)
        with pytest.raises(HandError, match="drawn already"):
            drawn.draw(kind)
    assert hand == case.hand  # a draw makes a new hand


@pytest.mark.parametrize("tile", ["X", "", "1W2W"])
def test_only_a_tile_is_drawn(tile):
    with pytest.raises(NotationError):
        Hand.parse(GOOD, "1F").draw(tile)


@pytest.mark.parametrize("tile", [-1, 34, 42, 10**6, 2**70])
def test_only_a_kind_of_the_rules_is_drawn(tile):
    with pytest.raises(HandError):
        Hand.parse(GOOD, "1F").draw(tile)


def test_hands_differ_in_all_that_they_hold():
    hands = [
        Hand.parse(text, flip, rules)
        for text, flip, rules in [
            ("[555W]12346T11299B+3B", "3F", "tianjin"),
            ("[555W]12346T11299B+3B", "4F", "tianjin"),
            ("[555W]12346T11299B+3B", -1, "tianjin"),
            ("[555W]12346T11299B+3B", "3F", "tianjin-hall"),
            ("[555W]12346T11299B+3B", "3F", FLOWERS),
            ("[555W]12346T11399B+2B", "3F", "tianjin"),
            ("[555W]12346T112399B", "3F", "tianjin"),
            ("[555W]12346T11299B1F", "3F", "tianjin"),
            ("[5555W]12346T11299B+3B", "3F", "tianjin"),
            ("{5555W}12346T11299B+3B", "3F", "tianjin"),
            ("[555T]12346T11299B+3B", "3F", "tianjin"),
            ("555W12346T11299B+3B", "3F", "tianjin"),
        ]
    ]
    assert len(set(hands)) == len(hands)
    assert all((a == b) == (a is b) and (a != b) == (a is not b) for a in hands for b in hands)
    assert hands[0] != str(hands[0])
    with pytest.raises(TypeError):
        hands[0] < hands[1]  # noqa: B015


@pytest.mark.parametrize("attribute", ["concealed", "win", "melds", "flip", "wild", "rules", "counts", "new"])
def test_a_hand_does_not_change(attribute):
    hand = Hand.parse("[555W]12346T11299B+3B", "3F")
    with pytest.raises(AttributeError):
        setattr(hand, attribute, 0)
    with contextlib.suppress(TypeError):
        hand.__init__(hand.concealed, hand.melds, flip="1F")
    assert hand == Hand.parse("[555W]12346T11299B+3B", "3F")


@pytest.mark.parametrize("wrong", [
    ([0] * 5 + [1] * 8, (), None), ([0] * 13, (), None), ([0, 1, 2], (), None), ([42] + [0] * 12, (), None),
    ([-1] + [0] * 12, (), None), ([34] + [0] * 12, (), None), ([2**70] + [0] * 12, (), None),
    ([2**31] + [0] * 12, (), None), (range(13), (), 42), (range(13), (), -1), (range(14), (), 5),
    (range(13), [Meld("pong", 33)], None), (range(7), [Meld("pong", 33)] * 2, None),
    (range(10), [Meld("chow", 3)], None), (range(10), [Meld("pong", 28)], None),
])  # fmt: skip
def test_kinds_that_are_no_hand_are_refused(wrong):
    concealed, melds, win = wrong
    with pytest.raises(HandError):
        Hand(concealed, melds, win, flip="1F")


# Melds


def test_melds():
    for meld, text, meld_tiles in [
        (Meld("pong", 4), "[555W]", (4,) * 3),
        (Meld("exposed", 27), "[1111F]", (27,) * 4),
        (Meld("concealed", 33), "{3333J}", (33,) * 4),
        (Meld("chow", 24), "[789B]", (24, 25, 26)),
    ]:
        assert (str(meld), meld.tiles) == (text, meld_tiles)
        assert eval(repr(meld), {"tjmj": tjmj}) == pickle.loads(pickle.dumps(meld)) == meld
        assert hash(pickle.loads(pickle.dumps(meld))) == hash(meld)
    assert len({Meld(type, kind) for type in ("pong", "exposed", "concealed") for kind in range(34)}) == 102
    assert Meld("pong", 4) != (0, 4)


@pytest.mark.parametrize(
    ("type", "kind"),
    [("pung", 0), ("", 0), ("added", 0), ("pong", -1), ("pong", 34), ("pong", 256), ("exposed", 2**31),
     ("concealed", 2**70), ("chow", 7), ("chow", 17), ("chow", 27), ("chow", 33)],
)  # fmt: skip
def test_melds_that_do_not_exist_are_refused(type, kind):
    with pytest.raises(HandError):
        Meld(type, kind)


def test_a_meld_does_not_change():
    meld = Meld("pong", 4)
    for attribute in ("type", "kind", "tiles", "type_code", "new"):
        with pytest.raises(AttributeError):
            setattr(meld, attribute, 0)
    with contextlib.suppress(TypeError):
        meld.__init__("concealed", 7)
    assert meld == Meld("pong", 4)


@pytest.mark.parametrize("call", [
    "tjmj.Meld('pong', 3.7)", "tjmj.Meld('pong', '3')", "tjmj.Meld(b'pong', 3)",
    "tjmj.Hand([0.5] + list(range(1, 13)), flip=27)", "tjmj.Hand(range(13), (), 1.5, flip=27)",
    "tjmj.Hand(range(13), [('pong', 3)], flip=27)", "tjmj.Hand(['1W'] * 13, flip=27)",
    "tjmj.Hand.parse('123W34789T45699B', 4.0)", "tjmj.Hand.parse('123W34789T45699B', 4.9)",
    "tjmj.Hand.parse('123W34789T45699B', ['1F'])", "tjmj.Hand.parse('123W34789T45699B', b'1F')",
    "tjmj.Hand.parse('123W34789T45699B', '1F').draw(3.5)",
    "tjmj.Hand.parse('123W34789T45699B', '1F').draw(None)",
    "tjmj.Hand.parse('123W34789T45699B', '1F').left(3.5)",
])  # fmt: skip
def test_what_is_no_whole_number_is_not_rounded(call):
    with pytest.raises(TypeError):
        eval(call, {"tjmj": tjmj})


UNMADE = """
import contextlib, pickle, tjmj
for type in (tjmj.Hand, tjmj.Meld, tjmj.Group, tjmj.Score, tjmj.Wait, tjmj.Waits, tjmj.TileSet):
    try:
        value = type.__new__(type)
    except TypeError:
        continue
    tries = [repr, str, hash, bool, len, list, pickle.dumps, lambda it: it == type.__new__(type)]
    tries += [lambda it, name=name: getattr(it, name) for name in dir(type) if name[0] != "_"]
    tries += [lambda it: it.draw("1W"), lambda it: it.left(0), lambda it: it.format(), lambda it: it["1W"]]
    tries += [lambda it: it.get("1W"), lambda it: "1W" in it, lambda it: list(it.items())]
    tries += [tjmj.score, tjmj.waits, lambda it: tjmj.score(it, heavenly=True)]
    for attempt in tries:
        with contextlib.suppress(Exception):
            attempt(value)
print("alive")
"""


def test_a_value_that_was_never_made_does_not_crash_the_interpreter():
    done = subprocess.run([sys.executable, "-c", UNMADE], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "alive\n")
