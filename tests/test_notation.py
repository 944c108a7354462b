"""Tiles read from text and written to it (notation, "Tiles")."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tjmj
from tjmj import NotationError, parse_tile, parse_tiles, write_tiles
from tjmj.tiles import CHINESE, NAMES

# The table of the specification, written out once more.
TABLE = [f"{rank}{suit}" for suit in "WTB" for rank in range(1, 10)]
TABLE += ["1F", "2F", "3F", "4F", "1J", "2J", "3J", *(f"{rank}H" for rank in range(1, 9))]

NUMBERS = {1: "一", 2: "二两", 3: "三", 4: "四", 5: "五伍", 6: "六", 7: "七", 8: "八", 9: "九"}
SUITS = {"W": "万萬", "T": "条條索", "B": "饼餅筒同"}
WORDS = {
    "1T": ["幺鸡"],
    "1F": ["东", "東"], "2F": ["南"], "3F": ["西"], "4F": ["北"],
    "1J": ["中", "红中"], "2J": ["发", "發", "发财"], "3J": ["白", "白板"],
    "1H": ["春"], "2H": ["夏"], "3H": ["秋"], "4H": ["冬"],
    "5H": ["梅"], "6H": ["兰"], "7H": ["竹"], "8H": ["菊"],
}  # fmt: skip


def kinds(*names: str) -> tuple[int, ...]:
    return tuple(TABLE.index(name) for name in names)


def test_names_are_the_table_of_the_specification():
    assert list(NAMES) == TABLE
    assert "".join(CHINESE[27:]) == "东南西北中发白春夏秋冬梅兰竹菊"
    assert [CHINESE[kind] for kind in kinds("1W", "9W", "2T", "8B")] == ["一万", "九万", "二条", "八饼"]


@pytest.mark.parametrize("kind", range(42), ids=TABLE)
def test_parse_and_name_are_a_pair(kind):
    assert write_tiles([kind]) == TABLE[kind]
    assert parse_tile(TABLE[kind]) == kind
    assert parse_tile(CHINESE[kind]) == kind
    assert parse_tiles(TABLE[kind]) == (kind,)


@pytest.mark.parametrize("kind", range(42), ids=TABLE)
def test_every_tile_is_read_with_its_letter_first_and_in_lower_case(kind):
    rank, suit = TABLE[kind]
    for text in (rank + suit.lower(), suit + rank, suit.lower() + rank):
        assert parse_tile(text) == kind


@pytest.mark.parametrize("rank", NUMBERS)
@pytest.mark.parametrize("suit", SUITS)
def test_every_number_goes_with_every_name_of_a_suit(rank, suit):
    for sign in SUITS[suit]:
        for number in (*NUMBERS[rank], str(rank)):
            assert parse_tile(number + sign) == TABLE.index(f"{rank}{suit}")


@pytest.mark.parametrize("name", WORDS)
def test_honours_and_flowers_are_read_by_their_names(name):
    kind = TABLE.index(name)
    for word in WORDS[name]:
        assert parse_tile(word) == kind
        assert parse_tiles(word * 3) == (kind,) * 3


@pytest.mark.parametrize("text", ["123W", "1W2W3W", "1w2w3w", "W1W2W3", "w1w2w3", "一万二万三万", "一二三万",
                                  "1W 23W", " 1W  2W\t3W ", "1W\u30002W\n3W\r\n", "一两三萬", "1二W3万",
                                  "W12W 三万", "12w三W"])  # fmt: skip
def test_all_these_read_the_same(text):
    assert parse_tiles(text) == (0, 1, 2)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("11123W45T1F", "1W 1W 1W 2W 3W 4T 5T 1F"),
        ("3W3W 1T2T3T", "3W 3W 1T 2T 3T"),
        ("东东", "1F 1F"),
        ("东 南 西 北 中 发 白", "1F 2F 3F 4F 1J 2J 3J"),
        ("东南西北中发白", "1F 2F 3F 4F 1J 2J 3J"),
        ("红中中發发财白板白", "1J 1J 2J 2J 3J 3J"),
        ("幺鸡一条幺鸡", "1T 1T 1T"),
        ("春夏秋冬梅兰竹菊", "1H 2H 3H 4H 5H 6H 7H 8H"),
        ("两伍九索", "2T 5T 9T"),
        ("五筒五同5饼", "5B 5B 5B"),
        ("9B8T7W", "9B 8T 7W"),  # in the text's own order
        ("1F1J1H", "1F 1J 1H"),
        ("F1J2H3", "1F 2J 3H"),
        ("", ""),
        (" \u3000 ", ""),
    ],
)
def test_mixed_spellings(text, names):
    assert parse_tiles(text) == kinds(*names.split())


@pytest.mark.parametrize(
    ("tiles", "text"),
    [
        ("1F 5T 4T 3W 1W 1W 2W 1W", "11123W45T1F"),
        ("8H 1H 3J 1J 4F 9B 1B 9T 9W", "9W9T19B4F13J18H"),
        ("", ""),
    ],
)
def test_written_form_is_one_run_for_each_suit_in_canonical_order(tiles, text):
    assert write_tiles(kinds(*tiles.split())) == text


@pytest.mark.parametrize(
    ("notation", "text", "names"),
    [
        ("mpsz", "123m456p789s11z", "1W 2W 3W 4B 5B 6B 7T 8T 9T 1F 1F"),
        ("mpsz-cn", "123m456p789s11z", "1W 2W 3W 4B 5B 6B 7T 8T 9T 1F 1F"),
        ("mpsz", "1234567z", "1F 2F 3F 4F 3J 2J 1J"),  # Tenhou: 5z 白, 6z 发, 7z 中
        ("mpsz-cn", "1234567z", "1F 2F 3F 4F 1J 2J 3J"),  # 5z 中, 6z 发, 7z 白
        ("mpsz", "1m 2m\t3m", "1W 2W 3W"),
        ("mpsz-cn", "9s1m", "9T 1W"),
        ("mpsz", "", ""),
    ],
)
def test_mpsz_is_read_where_it_is_named(notation, text, names):
    assert parse_tiles(text, notation=notation) == kinds(*names.split())


def test_mpsz_is_written_with_dots_before_bamboo_and_its_own_honours():
    tiles = kinds("1T", "1B", "1W", "1J", "3J", "2J", "4F")
    assert write_tiles(tiles, notation="mpsz") == "1m1p1s4567z"
    assert write_tiles(tiles, notation="mpsz-cn") == "1m1p1s4567z"
    assert write_tiles(kinds("1J", "1J", "3J"), notation="mpsz") == "577z"
    assert write_tiles(kinds("1J", "1J", "3J"), notation="mpsz-cn") == "557z"


@pytest.mark.parametrize("notation", ["mpsz", "mpsz-cn"])
@pytest.mark.parametrize("kind", range(34), ids=TABLE[:34])
def test_parse_and_name_are_a_pair_in_mpsz(kind, notation):
    assert parse_tile(write_tiles([kind], notation=notation), notation=notation) == kind


@pytest.mark.parametrize("notation", ["mpsz", "mpsz-cn"])
@pytest.mark.parametrize("kind", range(34, 42), ids=TABLE[34:])
def test_mpsz_has_no_flowers(kind, notation):
    with pytest.raises(NotationError) as caught:
        write_tiles([0, kind], notation=notation)
    assert caught.value.text == TABLE[kind]
    assert "flower" in caught.value.reason


@given(st.lists(st.integers(0, 41), max_size=60))
def test_what_was_written_reads_the_same(tiles):
    text = write_tiles(tiles)
    assert parse_tiles(text) == tuple(sorted(tiles))
    assert parse_tiles("".join(TABLE[kind] for kind in tiles)) == tuple(tiles)
    assert parse_tiles(" ".join(CHINESE[kind] for kind in tiles)) == tuple(tiles)


@given(st.lists(st.integers(0, 33), max_size=60), st.sampled_from(["mpsz", "mpsz-cn"]))
def test_what_was_written_in_mpsz_reads_the_same(tiles, notation):
    assert sorted(parse_tiles(write_tiles(tiles, notation=notation), notation=notation)) == sorted(tiles)


MALFORMED = [
    # text, notation, place, a word of the reason
    ("0W", None, 0, "from 1 to 9, not 0"),
    ("10W", None, 1, "from 1 to 9, not 0"),
    ("W0", None, 0, "from 1 to 9, not 0"),
    ("5F", None, 0, "from 1 to 4, not 5"),
    ("125F", None, 2, "from 1 to 4, not 5"),
    ("1W F5", None, 3, "from 1 to 4, not 5"),
    ("4J", None, 0, "from 1 to 3, not 4"),
    ("9H", None, 0, "from 1 to 8, not 9"),
    ("九H", None, 0, "from 1 to 8, not 9"),
    ("12", None, 0, "without its suit"),
    ("1W23", None, 2, "without its suit"),
    ("12 3W", None, 0, "without its suit"),
    ("1W2", None, 2, "without its suit"),
    ("一", None, 0, "without its suit"),
    ("一东", None, 0, "without its suit"),
    ("2中", None, 0, "without its suit"),
    ("3X", None, 0, "without its suit"),
    ("W", None, 0, "no number"),
    ("WW1", None, 0, "no number"),
    ("1W2WT", None, 4, "no number"),
    ("W 1", None, 0, "no number"),
    ("W1W", None, 2, "no number"),
    ("X", None, 0, "no tile"),
    ("1W?", None, 2, "no tile"),
    ("1W,2W", None, 2, "no tile"),
    ("1W-2W", None, 2, "no tile"),
    ("万", None, 0, "no tile"),
    ("1W筒", None, 2, "no tile"),
    ("1W红", None, 2, "no tile"),
    ("幺", None, 0, "no tile"),
    ("幺万", None, 0, "no tile"),
    ("发财板", None, 2, "no tile"),
    ("混", None, 0, "no tile"),
    ("１W", None, 0, "no tile"),
    ("1W\x00", None, 2, "no tile"),
    ("\ud800", None, 0, "no tile"),
    ("1W🀀", None, 2, "no tile"),
    ("1W]", None, 2, "no tile"),
    ("1W+2W", None, 2, "no tile"),
    ("[111W]", None, 0, "no tile"),
    # mpsz is never guessed: the error names the option
    ("123m", None, 3, "notation='mpsz'"),
    ("1W5p", None, 3, "notation='mpsz-cn'"),
    ("5s", None, 1, "notation='mpsz'"),
    ("1z", None, 1, "notation='mpsz'"),
    ("m1", None, 0, "notation='mpsz'"),
    # and in mpsz nothing else is read
    ("123W", "mpsz", 0, "without its suit"),
    ("1m一万", "mpsz", 2, "without its suit"),
    ("1m东", "mpsz", 2, "not in mpsz"),
    ("m1", "mpsz", 0, "not in mpsz"),
    ("0m", "mpsz", 0, "from 1 to 9, not 0"),  # no red fives
    ("8z", "mpsz", 0, "from 1 to 7, not 8"),
    ("10z", "mpsz-cn", 1, "from 1 to 7, not 0"),
    ("1m2", "mpsz-cn", 2, "without its suit"),
    ("1M", "mpsz", 0, "without its suit"),
    ("1m+1p", "mpsz-cn", 2, "no tile"),
]


@pytest.mark.parametrize(("text", "notation", "place", "word"), MALFORMED)
def test_malformed_text_is_refused_with_its_place_and_reason(text, notation, place, word):
    with pytest.raises(NotationError) as caught:
        parse_tiles(text, notation=notation)
    error = caught.value
    assert (error.text, error.place) == (text, place)
    assert word in error.reason
    assert repr(text) in str(error) and f"character {place + 1}" in str(error) and error.reason in str(error)


@pytest.mark.parametrize(
    ("text", "place"), [("", None), ("  ", None), ("1W2W", None), ("东东", None), ("1W+", 2)]
)
def test_one_tile_is_one_tile(text, place):
    with pytest.raises(NotationError) as caught:
        parse_tile(text)
    assert (caught.value.text, caught.value.place) == (text, place)


def test_text_without_end_is_refused():
    for text in ("1W" * 161, "1" * 161 + "W"):
        with pytest.raises(NotationError, match="more than 160 tiles"):
            parse_tiles(text)
    assert len(parse_tiles("1W" * 160)) == 160
    with pytest.raises(NotationError, match="too long"):
        parse_tiles(" " * 1_000_000)


def test_a_long_text_is_shown_in_short():
    with pytest.raises(NotationError) as caught:
        parse_tiles("1W" * 60 + "?")
    assert len(str(caught.value)) < 160
    assert caught.value.place == 120


@pytest.mark.parametrize("notation", ["tenhou", "MPSZ", "", "mpsz_cn", 1, False])
def test_unknown_notations_are_refused(notation):
    for call in (parse_tiles, parse_tile):
        with pytest.raises(ValueError, match="unknown notation"):
            call("1W", notation=notation)
    with pytest.raises(ValueError, match="unknown notation"):
        write_tiles([0], notation=notation)


@pytest.mark.parametrize("kind", [-1, 42, 255, 10**6, 2**31, 2**64, -(2**63)])
def test_numbers_that_are_no_kind_are_not_written(kind):
    with pytest.raises(ValueError):
        write_tiles([0, kind])


@pytest.mark.parametrize("wrong", [["1W"], [None], 5, [0.0], [1.5]])
def test_only_whole_numbers_are_written(wrong):
    with pytest.raises(TypeError):
        write_tiles(wrong)


@pytest.mark.parametrize("wrong", [None, 5, b"1W", ["1W"]])
def test_only_text_is_read(wrong):
    for call in (parse_tiles, parse_tile):
        with pytest.raises(TypeError):
            call(wrong)


ALPHABET = "123456789WTBFJHwtbfjhmpsz0 \u3000+[]{}"
ALPHABET += "一二两三四五伍六七八九万萬条條索饼餅筒同东南西北中发發财白板红幺鸡春兰菊混X"


@given(st.one_of(st.text(ALPHABET, max_size=40), st.text(max_size=20)),
       st.sampled_from([None, "mpsz", "mpsz-cn"]))  # fmt: skip
def test_any_text_is_read_or_refused_as_notation(text, notation):
    try:
        tiles = parse_tiles(text, notation=notation)
    except NotationError as error:
        assert error.text == text
        assert error.place is None or 0 <= error.place < max(len(text), 1)
        assert error.reason
    else:
        # Nothing is lost: every tile takes one to four characters.
        assert all(0 <= kind < 42 for kind in tiles)
        assert len(tiles) <= len(text.replace(" ", ""))
        assert sorted(tiles) == sorted(parse_tiles(write_tiles(tiles)))


def test_errors_are_value_errors_of_the_package():
    for error in (tjmj.NotationError, tjmj.HandError, tjmj.RulesError):
        assert issubclass(error, tjmj.TjmjError)
    assert issubclass(tjmj.TjmjError, ValueError)
