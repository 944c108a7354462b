"""Records 牌谱 (record): read, written, verified; the first fault of each, by its place and in words."""

from __future__ import annotations

import copy
import hashlib
import io
import json
import pathlib
import pickle
import tracemalloc

import pytest
import referee
import referee_deal
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from rigged import arranged

import tjmj
from tjmj import record
from tjmj.errors import RecordError, TjmjError
from tjmj.json_lines import DEEPEST, LONGEST_LINE, decode
from tjmj.record import Dice, Record, Verdict
from tjmj.round import replayed
from tjmj.stakes import Stakes

GOLDEN = pathlib.Path(__file__).parent / "golden"
PERFT = {
    "tianjin": [12, 133, 1342, 14751],
    "tianjin-hall": [12, 133, 1342, 14751],
    "tianjin-street": [12, 157, 2049, 24712],
}


def golden(name):
    return (GOLDEN / name).read_bytes().splitlines()


RECORDS = golden("records.jsonl")


def line_of(fields):
    return json.dumps(fields, ensure_ascii=False).encode()


def verdicts(*lines):
    return list(record.verify_file(io.BytesIO(b"\n".join(lines))))


def verdict(fields):
    """The verdict on one record, given as fields or as the line itself."""
    (only,) = verdicts(fields if isinstance(fields, bytes) else line_of(fields))
    return only


def fault(fields):
    """Number of the move and reason of a record that has to be refused."""
    found = verdict(fields)
    assert not found.ok and found.line == 1
    return found.move, found.reason


# Golden records


def test_golden_records():
    assert len(RECORDS) == 103
    for found in verdicts(*RECORDS):
        assert found.ok, found


@pytest.mark.parametrize("line", RECORDS, ids=range(1, len(RECORDS) + 1))
def test_written_as_it_was_read(line):
    fields = json.loads(line)
    made = record.parse(line)
    written = record.dumps(made)
    assert json.loads(written) == fields
    assert record.parse(written) == made
    assert record.dumps(record.parse(written)) == written
    assert record.verify(made) is None


@pytest.mark.parametrize("line", golden("positions.jsonl"))
def test_golden_positions(line):
    """A line may have no result, and moves that do not end the hand."""
    fields = json.loads(line)
    made = record.parse(line)
    assert made.extra == {key: fields[key] for key in ("legal", "perft_after", "may_end")}
    play = record.play_of(made, after=None)
    assert play.dealer == fields["dealer"]
    assert play.legal() == fields["legal"]
    assert play.may_end is fields["may_end"]
    assert [play.perft(1), play.perft(2)] == fields["perft_after"]
    if play.may_end:
        assert play.result() == fields["result"]
        record.verify(made)


@pytest.mark.parametrize("name", PERFT)
def test_golden_perft(name):
    """A line may have no moves at all."""
    play = record.play_of(record.parse((GOLDEN / "perft" / f"{name}-1.json").read_bytes()))
    assert [play.perft(depth) for depth in (1, 2, 3, 4)] == PERFT[name]


# A record as a value

NAMES = ["甲", "乙", "丙", "丁"]
SEATING = {"dice": [1, 2], "winds": [0, 2, 1, 3]}
TEXT = line_of({"names": NAMES, "seating": SEATING} | json.loads(RECORDS[0]))


def test_a_record_as_a_value():
    made = record.parse(TEXT)
    fields = json.loads(TEXT)
    assert made.rules is tjmj.rules("tianjin")
    assert made.names == tuple(NAMES)
    assert made.dealer == 3
    assert made.stakes == Stakes(False, (0, 1, 2, 0), (False,) * 4)
    assert made.dice == Dice((1, 3), (6, 4))
    assert made.wall == bytes(tjmj.parse_tiles(fields["wall"]))
    assert made.seed == bytes.fromhex(fields["seed"]) and made.client_seeds is None
    assert made.commitment == hashlib.sha256(made.seed).digest()
    assert made.moves == fields["moves"] and made.result == fields["result"]
    assert made.extra == {"seating": SEATING}


def test_it_compares_hashes_and_pickles():
    made, other = record.parse(TEXT), record.parse(RECORDS[1])
    assert made == record.parse(TEXT) != other
    assert hash(made) == hash(record.parse(TEXT))
    assert len({made, other, record.parse(TEXT)}) == 2
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    assert eval(repr(made), {"tjmj": tjmj, "Record": Record, "Stakes": Stakes, "Dice": Dice}) == made
    with pytest.raises(AttributeError):
        made.dealer = 0


def test_keys_are_written_in_the_order_of_the_specification():
    line = record.dumps(record.parse(TEXT))
    assert list(json.loads(line)) == [
        "format", "rules", "names", "dealer", "stakes", "dice", "wall", "seed", "commitment", "moves",
        "result", "seating",
    ]  # fmt: skip
    assert "\n" not in line and "甲" in line


def test_only_options_that_differ_are_written():
    fields = json.loads(RECORDS[0])
    fields["rules"] = {"cap": None, "name": "tianjin", "min_fan": 2, "titles": False}
    assert json.loads(record.dumps(record.parse(line_of(fields))))["rules"] == {
        "name": "tianjin", "cap": None, "titles": False,
    }  # fmt: skip


def test_what_is_not_there_is_not_written():
    fields = {
        key: json.loads(RECORDS[0])[key] for key in ("format", "rules", "dealer", "stakes", "dice", "wall")
    }
    assert json.loads(record.dumps(record.parse(line_of(fields)))) == fields


KEPT = {
    "note": "a\tb  é", "": None, "Moves": [], "wins": {"moves": {"moves": [1, [2.5, -0.0, 1e300]]}},
    "n": 2**80, "seating": 5,
}  # fmt: skip


def test_unknown_keys_are_kept():
    made = record.parse(line_of(KEPT | json.loads(RECORDS[0])))
    assert made.extra == KEPT
    again = json.loads(record.dumps(made))
    assert {key: again[key] for key in KEPT} == KEPT
    record.verify(made)


def test_a_text_is_read_as_its_bytes_are():
    assert record.parse(TEXT.decode()) == record.parse(TEXT)
    with pytest.raises(RecordError, match="lone surrogates"):
        record.parse('{"format": "\ud800"}')


def test_a_record_made_by_hand_is_checked_when_it_is_verified():
    made = record.parse(RECORDS[0])
    for wrong in (
        {"dealer": 4},
        {"dice": Dice((1, 3, 1, 3), (6, 4))},
        {"stakes": None},
        {"wall": bytes(136)},
    ):
        with pytest.raises(RecordError) as caught:
            record.verify(Record(**{field: getattr(made, field) for field in made.__struct_fields__} | wrong))
        assert caught.value.move is None


def test_the_hand_after_some_moves():
    made = record.parse(RECORDS[0])
    moves = made.moves.split()
    for after in (0, 1, 20, len(moves)):
        play = record.play_of(made, after)
        stepped = record.play_of(made)
        for move in moves[:after]:
            stepped.play(move)
        assert play.state_bytes == stepped.state_bytes
    assert record.play_of(made, None).may_end
    for after in (-1, len(moves) + 1):
        with pytest.raises(RecordError, match=f"{len(moves)} moves: {after} cannot be played"):
            record.play_of(made, after)


def test_only_a_winner_has_a_score():
    made = record.parse(RECORDS[0])
    play = record.play_of(made, 0)
    with pytest.raises(ValueError, match="seat 2 has not won"):
        play.score(2)


def test_a_record_is_played_again_up_to_its_fault():
    made = record.parse(RECORDS[0])
    first, second, *_ = made.moves.split()
    again = replayed(replace(made, seed=None, moves=f"{first} {second} {first}"))
    assert again.fault is not None and again.fault.move == 3
    assert again.round.record().moves == f"{first} {second}"


def test_moves_that_are_not_reached_are_not_checked():
    fields = json.loads(RECORDS[0])
    fields["moves"] = " ".join([*fields["moves"].split()[:3], "5x"])
    made = record.parse(line_of(fields))
    record.play_of(made, 3)
    with pytest.raises(RecordError) as caught:
        record.play_of(made, 4)
    assert (caught.value.line, caught.value.move) == (None, 4)


# Faults. The dealer, seat 0, is dealt a hand that wins at once; five and six bamboo are wild.

RULES = {"name": "tianjin"}
HANDS = [
    "123456W 789B 11T 2B 5T 4B", "7777W 19T 19B 1234F 1J", "55T 1223344W 6789T", "8888W 19T 19B 1234F 2J",
]  # fmt: skip
WALL = arranged(RULES, 7, 0, HANDS, flip="5T", front="9W")
STAKES = {"sit": True, "pull": [0, 1, 2, 0], "kick": [False] * 4}
HEADER = {
    "format": "tjmj-record/1", "rules": RULES, "dealer": 0, "stakes": STAKES,
    "dice": {"open": [3, 4], "flip": [1, 6]}, "wall": WALL,
}  # fmt: skip
RESULT = {
    "end": "win",
    "winners": [{"seat": 0, "elements": ["tianhu", "zhuowu"], "fan": 12}],
    "net": [168, -48, -96, -24],
}
RIGHT = HEADER | {"moves": "0h", "result": RESULT}


def changed(*path, **new):
    """A right record with the value at a path put in place, or taken out where none is given."""
    fields = copy.deepcopy(RIGHT)
    inside = fields
    *outer, last = path
    for key in outer:
        inside = inside[key]
    if "to" in new:
        inside[last] = new["to"]
    else:
        del inside[last]
    return fields


def test_the_right_record_is_right():
    assert verdict(RIGHT) == Verdict(1, True)
    assert referee.verify(RIGHT) is None


MALFORMED = {
    b"": None,
    b"{": "malformed JSON: Input data was truncated",
    b"\xef\xbb\xbf{}": "malformed JSON: it begins with a byte order mark",
    b"{}{}": "malformed JSON",
    b"{} \x00": "malformed JSON",
    b"{'a': 1}": "malformed JSON",
    b'{"a": 1,}': "malformed JSON",
    b'{"a": 01}': "malformed JSON",
    b'{"a": NaN}': "malformed JSON",
    b'{"a": -Infinity}': "malformed JSON",
    b'{"a": 1e999}': "malformed JSON: Number out of range",
    b'{"a": ' + b"9" * 5000 + b"}": "malformed JSON: Integer value out of range",
    b'{"a": "\xff"}': "malformed JSON: Invalid UTF-8",
    b'{"\xc0\x80": 1}': "malformed JSON: Invalid UTF-8",
    b'{"a": "\xed\xa0\x80"}': "malformed JSON: Invalid UTF-8",
    b'{"a": "\\ud800 alone"}': "malformed JSON",
    b'{"a": "\\udc00"}': "malformed JSON",
    b'{"a": "\t"}': "malformed JSON",
    b"null": "a record is an object, not null",
    b"[{}]": "a record is an object, not [{}]",
    b'"{}"': 'a record is an object, not "{}"',
    b"17": "a record is an object, not 17",
    b'{"a": 1, "a": 1}': 'the key "a" stands twice in an object',
    b'{"a": 1, "\\u0061": 1}': 'the key "a" stands twice in an object',
    b'{"\\"": 1, "\\u0022": 1}': 'the key "\\"" stands twice in an object',
    '{"甲": ":", "\\u7532": ":"}'.encode(): 'the key "甲" stands twice in an object',
    b'{"a": [0, {"b:": {"": 1, "c": {}, "": 1}}]}': 'the key "" stands twice in an object',
    b'{"a": {"b": 1}, "a": {"b": 1}}': 'the key "a" stands twice in an object',
    b"[" * 17 + b"]" * 17: "nested more than 16 deep",
    b'{"a":' * 17 + b"1" + b"}" * 17: "nested more than 16 deep",
    b'{"a": ' + b"[" * 16 + b"]" * 16 + b"}": "nested more than 16 deep",
    b"[" * 30000 + b"]" * 30000: "nested more than 16 deep",
    b"[" * 30000: "nested more than 16 deep",
    b'{"a": ' + b"[" * 900 + b"]" * 900 + b', "a": 1}': 'the key "a" stands twice in an object',
    b" " * (LONGEST_LINE + 1): "the line is longer than 65,536 bytes",
    b"{" + b" " * LONGEST_LINE + b"}": "the line is longer than 65,536 bytes",
}


@pytest.mark.parametrize("line", MALFORMED, ids=range(len(MALFORMED)))
def test_lines_that_are_no_record(line):
    reason = MALFORMED[line]
    if reason is None:
        assert verdicts(line) == []
        return
    move, told = fault(line)
    assert move is None and told.startswith(reason)
    with pytest.raises(RecordError) as caught:
        record.parse(line, 7)
    assert (caught.value.line, caught.value.move, caught.value.reason) == (7, None, told)
    assert str(caught.value) == f"line 7: {told}"


def test_sixteen_levels_are_not_too_deep():
    deep = b"[" * (DEEPEST - 1) + b"]" * (DEEPEST - 1)
    line = line_of(RIGHT)[:-1] + b', "a": ' + deep + b"}"
    assert verdict(line).ok
    assert not verdict(line.replace(deep, b"[" + deep + b"]")).ok


def test_brackets_and_keys_in_texts_are_only_text():
    text = '{"a":1,"a":[[[[[[[[[[[[[[[[[[[[[[[[' + '\\":'
    assert verdict({"b:": text, "c": {"a": text}, "d": {"a": "\\"}} | RIGHT).ok


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
@pytest.mark.parametrize("over", [0, 1])
def test_the_longest_line(end, over):
    line = line_of(RIGHT)
    filled = line + b" " * (LONGEST_LINE + over - len(line) - len(end.strip(b"\n"))) + end
    found = list(record.verify_file(io.BytesIO(filled + (line if end else b""))))
    assert [each.ok for each in found] == [not over, True][: 1 + bool(end)]
    assert [each.line for each in found] == [1, 2][: len(found)]


HEX = "00" * 32
HEADER_FAULTS = [
    (changed("format"), "format is missing"),
    (changed("format", to="tjmj-record/2"), 'format is "tjmj-record/2": only "tjmj-record/1" is known'),
    (changed("format", to=1), 'format is 1: only "tjmj-record/1" is known'),
    (changed("rules"), "rules is missing"),
    (changed("rules", to="tianjin"), 'rules is "tianjin": an object with a name is wanted'),
    (changed("rules", to={}), "the rules' name is missing"),
    (changed("rules", to={"cap": 5}), "the rules' name is missing"),
    (changed("rules", "name", to="peking"), "unknown rules 'peking'"),
    (changed("rules", "name", to="riichi"), "unknown rules 'riichi'"),
    (changed("rules", "name", to=["tianjin"]), "unknown rules ['tianjin']"),
    (changed("rules", "hat", to=1), "rules 'tianjin' have no option 'hat'"),
    (changed("rules", "chow", to=True), "rules 'tianjin' have no option 'chow'"),
    (changed("rules", "cap", to=0), "option cap cannot be 0"),
    (changed("rules", "cap", to=True), "option cap cannot be True"),
    (changed("rules", "cap", to=5.0), "option cap cannot be 5.0"),
    (changed("rules", "cap", to=10**9 + 1), "option cap cannot be 1000000001"),
    (changed("rules", "stakes", to=1), "option stakes cannot be 1"),
    (changed("rules", "gold_kong", to=1001), "option gold_kong cannot be 1001"),
    (changed("rules", "max_pulls", to=3), "option max_pulls cannot be 3"),
    (changed("rules", "wild_kinds", to=0), "option wild_kinds cannot be 0"),
    (changed("rules", "wild_kinds", to="2"), "option wild_kinds cannot be '2'"),
    (changed("rules", "heavenly_factor", to=0), "option heavenly_factor cannot be 0"),
    (changed("rules", "base", to=1_000_001), "option base cannot be 1000001"),
    (changed("rules", "last_tiles_closed", to=137), "option last_tiles_closed cannot be 137"),
    (changed("rules", "first_dealer", to=4), "option first_dealer cannot be 4"),
    (changed("rules", "opening", to="three-throw"), "option opening cannot be 'three-throw'"),
    (changed("names", to=["a", "b", "c"]), 'names is ["a","b","c"]: four texts are wanted'),
    (changed("names", to=["a", "b", "c", 4]), 'names is ["a","b","c",4]: four texts are wanted'),
    (changed("names", to="abcd"), 'names is "abcd": four texts are wanted'),
    (changed("names", to=None), "names is null: four texts are wanted"),
    (changed("dealer"), "dealer is missing"),
    (changed("dealer", to=4), "dealer is 4: seats are 0 to 3"),
    (changed("dealer", to=-1), "dealer is -1: seats are 0 to 3"),
    (changed("dealer", to=False), "dealer is false: seats are 0 to 3"),
    (changed("dealer", to=0.0), "dealer is 0.0: seats are 0 to 3"),
    (changed("dealer", to=None), "dealer is null: seats are 0 to 3"),
    (changed("stakes"), "stakes is missing"),
    (changed("stakes", to=None), "stakes is null: an object is wanted"),
    (changed("stakes", "sit"), "stakes: sit is missing"),
    (changed("stakes", "sit", to=1), "stakes: sit is 1: true or false is wanted"),
    (changed("stakes", "pull"), "stakes: pull is missing"),
    (changed("stakes", "pull", to=[0, 0, 0]), "stakes: pull is [0,0,0]: four numbers from 0 to 2 are wanted"),
    (changed("stakes", "pull", 1, to=3), "stakes: pull is [0,3,2,0]: four numbers from 0 to 2 are wanted"),
    (
        changed("stakes", "pull", 1, to=True),
        "stakes: pull is [0,true,2,0]: four numbers from 0 to 2 are wanted",
    ),
    (
        changed("stakes", "pull", 1, to=1.0),
        "stakes: pull is [0,1.0,2,0]: four numbers from 0 to 2 are wanted",
    ),
    (changed("stakes", "pull", 1, to=-1), "stakes: pull is [0,-1,2,0]: four numbers from 0 to 2 are wanted"),
    (changed("stakes", "pull", 0, to=1), "seat 0 is the dealer and cannot pull or be kicked"),
    (
        changed("stakes", "kick", to=[False] * 3),
        "stakes: kick is [false,false,false]: four times true or false",
    ),
    (changed("stakes", "kick", 1, to=0), "stakes: kick is [false,0,false,false]: four times true or false"),
    (changed("stakes", "kick", to=None), "stakes: kick is null: four times true or false is wanted"),
    (changed("stakes", "kick", 1, to=True), "seat 1 is kicked, and chuai (踹) is off"),
    (changed("stakes", "kik", to=[False] * 4), 'stakes has no key "kik"'),
    (changed("rules", "stakes", to=False), "stakes are given, and these rules have none"),
    (changed("dice"), "dice is missing"),
    (changed("dice", to=[3, 4]), "dice is [3,4]: an object is wanted"),
    (changed("dice", "open"), "dice: open is missing"),
    (changed("dice", "open", to=[3, 4, 1, 1]), "dice: open is [3,4,1,1]: 2 numbers from 1 to 6 are wanted"),
    (changed("dice", "open", 0, to=0), "dice: open is [0,4]: 2 numbers from 1 to 6 are wanted"),
    (changed("dice", "open", 1, to=7), "dice: open is [3,7]: 2 numbers from 1 to 6 are wanted"),
    (changed("dice", "open", 1, to=4.0), "dice: open is [3,4.0]: 2 numbers from 1 to 6 are wanted"),
    (changed("dice", "flip"), "dice: flip is missing"),
    (changed("dice", "flip", to=7), "dice: flip is 7: 2 numbers from 1 to 6 are wanted"),
    (changed("dice", "flip", to=[7]), "dice: flip is [7]: 2 numbers from 1 to 6 are wanted"),
    (changed("dice", "flip", 0, to=True), "dice: flip is [true,6]: 2 numbers from 1 to 6 are wanted"),
    (changed("dice", "turn", to=[1, 1]), 'dice has no key "turn"'),
    (changed("rules", "opening", to="two-throw"), "dice: open is [3,4]: 4 numbers from 1 to 6 are wanted"),
    (changed("rules", "wild_by", to="turned"), 'dice has no key "flip"'),
    (changed("wall"), "wall is missing"),
    (changed("wall", to=[WALL]), "wall is ["),
    (changed("wall", to=""), "a wall of 0 tiles: these rules have 136"),
    (changed("wall", to=WALL[:-1]), "wall has 271 characters: two for each tile are wanted"),
    (changed("wall", to=WALL[:-2]), "a wall of 135 tiles: these rules have 136"),
    (changed("wall", to=WALL + "1W"), "a wall of 137 tiles: these rules have 136"),
    (changed("wall", to=WALL * 100), "a wall of 13600 tiles: these rules have 136"),
    (changed("wall", to=WALL[:6] + "0W" + WALL[8:]), 'wall: "0W" at position 3 is no tile'),
    (changed("wall", to=WALL[:6] + "5F" + WALL[8:]), 'wall: "5F" at position 3 is no tile'),
    (changed("wall", to=WALL[:6] + "1w" + WALL[8:]), 'wall: "1w" at position 3 is no tile'),
    (changed("wall", to=WALL[:6] + "W1" + WALL[8:]), 'wall: "W1" at position 3 is no tile'),
    (changed("wall", to=WALL[:6] + "一万" + WALL[8:]), 'wall: "一万" at position 3 is no tile'),
    (changed("wall", to=" " + WALL[:-1]), 'wall: " 1" at position 0 is no tile'),
    (changed("wall", to=WALL.replace("1J", "2J", 1)), "3 of 1J in the wall: there must be 4"),
    (changed("wall", to=WALL.replace("1J", "1H", 1)), "3 of 1J in the wall: there must be 4"),
    (changed("rules", "flower_wilds", to=True), "a wall of 136 tiles: these rules have 144"),
    (changed("seed", to=HEX[2:]), "seed is "),
    (changed("seed", to=HEX + "00"), "seed is "),
    (changed("seed", to=" " + HEX[1:]), "seed is "),
    (changed("seed", to="0x" + HEX[2:]), "seed is "),
    (changed("seed", to=None), "seed is null: 32 bytes in hex are wanted"),
    (changed("seed", to=7), "seed is 7: 32 bytes in hex are wanted"),
    (changed("client_seeds", to="00"), 'client_seeds is "00": four are wanted'),
    (changed("client_seeds", to=[""] * 3), 'client_seeds is ["","",""]: four are wanted'),
    (changed("client_seeds", to=["", "", "", HEX + "00"]), "the client seed of seat 3 is "),
    (
        changed("client_seeds", to=["", "0", "", ""]),
        'the client seed of seat 1 is "0": 0 to 32 bytes in hex are',
    ),
    (changed("client_seeds", to=["", "", None, ""]), "the client seed of seat 2 is null"),
    (changed("commitment", to=HEX[1:]), "commitment is "),
    (changed("commitment", to="g" * 64), "commitment is "),
    (changed("moves"), "moves is missing"),
    (changed("moves", to=["0h"]), 'moves is ["0h"]: a text is wanted'),
    (changed("moves", to=None), "moves is null: a text is wanted"),
]


@pytest.mark.parametrize(("fields", "reason"), HEADER_FAULTS, ids=range(len(HEADER_FAULTS)))
def test_faults_of_the_header(fields, reason):
    move, told = fault(fields)
    assert move is None
    assert told.startswith(reason)
    if "moves" in fields:  # a record may be read without them
        with pytest.raises(RecordError, match=r"^line 3: ") as caught:
            record.parse(line_of(fields), 3)
        assert caught.value.reason == told


MOVE_FAULTS = [
    (changed("moves", to="0d5T 2p5T"), 2, "five bamboo is a wildcard and cannot be ponged"),
    (changed("moves", to="0d1T 1d7T"), 2, "the seat does not hold seven bamboo"),
    (changed("moves", to="1h"), 1, "it is seat 0's turn"),
    (changed("moves", to="0h 1d7W"), 2, "the hand has ended"),
    (changed("moves", to="0h 0h"), 2, "the hand has ended"),
    (changed("moves", to="0d9T"), 1, "the seat does not hold nine bamboo"),
    (changed("moves", to="0d5T 1d9W 1d9T"), 3, "it is seat 2's turn"),
    (changed("moves", to="0d5T 1c7W 1d7W"), 3, "the seat does not hold seven characters"),
    (changed("moves", to="0d5T 1h"), 2, "the hand is not complete"),
    (changed("moves", to="0c1W"), 1, "the seat does not hold four of one characters"),
    (changed("moves", to="0r"), 1, "天听 is declared right after the dealer's first discard"),
    (changed("moves", to="0d1T 1r"), 2, "天听 (heavenly_ready) is off in these rules"),
    (changed("moves", to="0d1W 2p2W"), 2, "the discard is one characters, not two characters"),
    (changed("moves", to="0d1W 2o1W"), 2, "the seat does not hold three of one characters"),
    (changed("moves", to="0a1W"), 1, "the seat has no pong of one characters"),
]
MOVE_FAULTS += [
    (changed("moves", to=f"0d5T {move} 1d9W"), 2, "not a move")
    for move in (
        "1", "1d", "1d9", "d9W1", "4d9W", "1D9W", "1d9w", "1d0W", "1d5F", "1d9W,", "1d9W1d9W", "1h9W", "1r9W",
        "1x9W", "-d9W", "1\td9W", "1d9W\t", "\n", "一d9W", "1d９W", "\x001d9W", "x" * 40000,
    )
]  # fmt: skip


@pytest.mark.parametrize(("fields", "move", "reason"), MOVE_FAULTS, ids=range(len(MOVE_FAULTS)))
def test_faults_of_the_moves(fields, move, reason):
    found = fault(fields)
    assert found[0] == move and found[1].startswith(reason)
    with pytest.raises(RecordError) as caught:
        record.verify(record.parse(line_of(fields)))
    assert (caught.value.line, caught.value.move, caught.value.reason) == (None, *found)
    assert str(caught.value) == f"move {move}: {found[1]}"


@pytest.mark.parametrize("moves", ["", " ", "0d1W", "0d5T 1c7W", "0d5T 1d9W"])
def test_a_hand_that_has_not_ended(moves):
    assert fault(changed("moves", to=moves)) == (None, "the hand has not ended")


@pytest.mark.parametrize("moves", [" 0h", "0h ", "  0h   "])
def test_more_blanks_than_one_part_moves_as_one_does(moves):
    assert verdict(changed("moves", to=moves)).ok


def test_in_a_longer_hand_too():
    fields = json.loads(RECORDS[0])
    fields["moves"] = "  " + fields["moves"].replace(" ", "   ") + " "
    assert verdict(fields).ok
    assert record.play_of(record.parse(line_of(fields)), 5).state_bytes == record.play_of(
        record.parse(RECORDS[0]), 5).state_bytes  # fmt: skip


def winner(**new):
    return [RESULT["winners"][0] | new]


RESULT_FAULTS = [
    (changed("result"), "result is missing"),
    (changed("result", to=None), 'the result is null, and should be {"end":"win","winners":'),
    (changed("result", to=[]), 'the result is [], and should be {"end":"win","winners":'),
    (changed("result", to={}), 'the result has no end, which should be "win"'),
    (changed("result", "end", to="exhausted"), 'the result\'s end is "exhausted", and should be "win"'),
    (changed("result", "end", to=True), 'the result\'s end is true, and should be "win"'),
    (changed("result", "winners"), "the result has no winners, which should be [{"),
    (
        changed("result", "winners", to=[]),
        'the result\'s winners is [], and should be [{"seat":0,"elements":',
    ),
    (changed("result", "winners", to=winner() * 2), "the result's winners is [{"),
    (changed("result", "winners", to=winner(seat=1)), 'the result\'s winners is [{"seat":1,'),
    (changed("result", "winners", to=winner(fan=12.0)), "the result's winners is [{"),
    (changed("result", "winners", to=winner(seat=False)), "the result's winners is [{"),
    (changed("result", "winners", to=winner(points=12)), "the result's winners is [{"),
    (changed("result", "winners", to=winner(elements=["zhuowu", "tianhu"])), "the result's winners is [{"),
    (changed("result", "winners", to=winner(elements="zhuowu")), "the result's winners is [{"),
    (changed("result", "net"), "the result has no net, which should be [168,-48,-96,-24]"),
    (
        changed("result", "net", to=[168, -48, -95, -25]),
        "the result's net is [168,-48,-95,-25], and should be [168,-48,-96,-24]",
    ),
    (changed("result", "net", 0, to=168.0), "the result's net is [168.0,-48,"),
    (changed("result", "net", to=[168, -48, -96, -24, 0]), "the result's net is [168,-48,-96,-24,0]"),
    (changed("result", "note", to=1), 'the result has no key "note"'),
]


@pytest.mark.parametrize(("fields", "reason"), RESULT_FAULTS, ids=range(len(RESULT_FAULTS)))
def test_faults_of_the_result(fields, reason):
    move, told = fault(fields)
    assert move is None and told.startswith(reason)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (None, "result is null: an object is wanted"),
        ({}, "result: end is missing"),
        (RESULT | {"end": "draw"}, 'result: end is "draw": it is one of win, exhausted, flowers'),
        (RESULT | {"winners": None}, "result: winners is null"),
        (RESULT | {"winners": [None]}, "result: winners is [null]"),
        (RESULT | {"winners": [{"seat": 0}]}, "result: winners is [{"),
        (RESULT | {"winners": winner(fan=12.0)}, "result: winners is [{"),
        (RESULT | {"winners": winner(elements=[1])}, "result: winners is [{"),
        (RESULT | {"winners": winner(hat=1)}, "result: winners is [{"),
        (RESULT | {"net": [0, 0, 0, False]}, "result: net is [0,0,0,false]: four whole numbers are wanted"),
        (RESULT | {"note": 1}, 'result has no key "note"'),
    ],
)
def test_a_result_of_a_wrong_type_is_not_even_read(result, reason):
    with pytest.raises(RecordError) as caught:
        record.parse(line_of(RIGHT | {"result": result}))
    assert caught.value.reason.startswith(reason)


SEEDED = json.loads(RECORDS[0])
OTHER = "11" * 32


def seeded(**new):
    """A right record that has a seed, with keys changed."""
    return SEEDED | new


def dealt_by(seed, clients=None):
    """Header of a record whose seed has given dice and wall."""
    parts = clients and [bytes.fromhex(part) for part in clients]
    dice, wall = referee_deal.deal_from_seed(bytes.fromhex(seed), RULES, parts)
    fields = HEADER | {"dice": dice, "wall": wall, "seed": seed}
    return fields | {"client_seeds": clients} if clients else fields


def exhausted(fields):
    """The record of a hand that nobody wins: all discard the first tile that they may."""
    play = referee.Referee.from_record(fields)
    moves = []
    while not play.may_end():
        moves.append(next(move for move in play.legal() if "d" in move))
        play.apply(moves[-1])
    return fields | {"moves": " ".join(moves), "result": play.result()}


CLIENTS = ["", "00", "ab" * 32, "746a6d6a"]


@pytest.fixture(scope="module")
def with_clients():
    return exhausted(dealt_by(HEX, CLIENTS))


SEED_FAULTS = [
    (seeded(seed=OTHER), "the seed does not give the wall"),
    (seeded(client_seeds=[""] * 4), "the seed does not give the wall"),
    (seeded(dice=SEEDED["dice"] | {"open": [3, 1]}), "the seed does not give the dice: it gives"),
    (seeded(dice=SEEDED["dice"] | {"flip": [4, 6]}), "the seed does not give the dice: it gives"),
    (seeded(commitment=OTHER), "the commitment does not match the seed"),
]


@pytest.mark.parametrize(("fields", "reason"), SEED_FAULTS)
def test_faults_of_seed_and_commitment(fields, reason):
    move, told = fault(fields)
    assert move is None and told.startswith(reason)


def test_client_seeds(with_clients):
    assert verdict(with_clients).ok
    for seat in range(4):
        other = [*CLIENTS[:seat], "01", *CLIENTS[seat + 1 :]]
        assert fault(with_clients | {"client_seeds": other}) == (None, "the seed does not give the wall")
    without = {key: value for key, value in with_clients.items() if key != "client_seeds"}
    assert fault(without) == (None, "the seed does not give the wall")
    commitment = hashlib.sha256(bytes(32)).hexdigest()
    assert verdict(with_clients | {"commitment": commitment}).ok
    assert not verdict(with_clients | {"commitment": OTHER}).ok
    written = record.dumps(record.parse(line_of(with_clients)))
    assert json.loads(written) == with_clients
    assert list(json.loads(written))[7:9] == ["client_seeds", "moves"]


def test_what_is_not_checked():
    without = {key: value for key, value in SEEDED.items() if key != "seed"}
    assert verdict(without | {"commitment": OTHER}).ok
    assert verdict(without | {"client_seeds": CLIENTS}).ok
    assert verdict(without | {"seating": {"dice": "loaded"}}).ok
    assert verdict({key: value for key, value in SEEDED.items() if key != "commitment"}).ok


def test_what_may_be_spelled_otherwise():
    assert verdict(seeded(seed=SEEDED["seed"].upper(), commitment=SEEDED["commitment"].upper())).ok
    assert verdict(changed("stakes", "kick")).ok
    for option, value in (("cap", 1000), ("wild_kinds", 2), ("first_dealer", "random"), ("titles", True)):
        assert verdict(changed("rules", option, to=value)).ok
    assert verdict(json.dumps(RIGHT, ensure_ascii=True, indent=1).replace("\n", "\r").encode() + b" \r").ok
    assert verdict(line_of(dict(reversed(RIGHT.items())))).ok
    escaped = "".join(f"\\u{ord(ch):04x}" for ch in "moves")
    assert verdict(line_of(RIGHT).replace(b'"moves"', f'"{escaped}"'.encode())).ok


def test_kicks():
    stakes = {"sit": False, "pull": [0, 1, 2, 0], "kick": [False, True, False, False]}
    fields = RIGHT | {"rules": RULES | {"chuai": True}, "stakes": stakes}
    play = referee.Referee.from_record(fields)
    play.apply("0h")
    fields["result"] = play.result()
    assert verdict(fields).ok
    for seat, reason in ((3, "seat 3 is kicked without having pulled"), (0, "seat 0 is the dealer")):
        wrong = copy.deepcopy(fields)
        wrong["stakes"]["kick"][seat] = True
        assert fault(wrong)[1].startswith(reason)


def test_rules_without_stakes_and_with_a_turned_tile():
    fields = RIGHT | {"rules": RULES | {"stakes": False, "wild_by": "turned"}, "dice": {"open": [1, 1]}}
    del fields["stakes"]
    fields["moves"] = "0d1W"
    del fields["result"]
    play = record.play_of(record.parse(line_of(fields)))
    assert play.legal() == referee.Referee.from_record(fields).legal()
    assert fault(fields) == (None, "the hand has not ended")
    assert fault(fields | {"dice": {"open": [1, 1], "flip": []}}) == (None, 'dice has no key "flip"')
    assert fault(fields | {"stakes": STAKES}) == (None, "stakes are given, and these rules have none")
    assert fault(fields | {"stakes": None}) == (None, "stakes are given, and these rules have none")


def test_the_first_fault_is_named():
    """In this order: header, moves, result, seed and commitment."""
    wrong = seeded(seed=OTHER, commitment=OTHER, result=5, moves="0x", dealer=7)
    assert fault(wrong) == (None, "dealer is 7: seats are 0 to 3")
    wrong["dealer"] = 3
    assert fault(wrong)[0] == 1
    wrong["moves"] = SEEDED["moves"].rsplit(" ", 1)[0]
    assert fault(wrong) == (None, "the hand has not ended")
    wrong["moves"] = SEEDED["moves"]
    assert fault(wrong)[1].startswith("the result is 5, and should be")
    wrong["result"] = SEEDED["result"]
    assert fault(wrong) == (None, "the seed does not give the wall")
    wrong["seed"] = SEEDED["seed"]
    assert fault(wrong) == (None, "the commitment does not match the seed")


def test_reasons_do_not_repeat_a_whole_line():
    long, number, key = "x" * 60000, 10**4000, b'"' + b"x" * 30000 + b'"'
    for wrong in (
        changed("rules", "name", to=long), changed("rules", long, to=1), changed("rules", "cap", to=number),
        changed("names", to=long), changed("dealer", to=number), changed("stakes", long, to=1),
        changed("moves", to=long), changed("result", "net", to=[0] * 20000), {long: 1},
        b"{" + key + b": 1, " + key + b": 1}",
    ):  # fmt: skip
        assert len(fault(wrong)[1]) <= 600


# Files


def test_a_bad_line_does_not_stop_a_file():
    good, bad = RECORDS[0], b"{"
    long = b'{"a":"' + b"x" * 100_000 + b'"}'
    lines = [good, b"", b"  \t\r", bad, b"[" * 50000, good, long, b"\xff", good + b"\r", b""]
    found = verdicts(*lines)
    assert [(each.line, each.ok) for each in found] == [
        (1, True), (4, False), (5, False), (6, True), (7, False), (8, False), (9, True),
    ]  # fmt: skip
    assert all((each.reason is None) is each.ok for each in found)

    faults = []
    read = list(record.read(io.BytesIO(b"\n".join(lines)), faults.append))
    assert len(read) == 3 and [each.line for each in faults] == [4, 5, 7, 8]
    records = record.read(io.BytesIO(b"\n".join(lines)))
    assert next(records) == read[0]
    with pytest.raises(RecordError, match=r"^line 4: malformed JSON"):
        next(records)


def test_a_file_by_its_name(tmp_path):
    path = tmp_path / "hands.jsonl"
    records = [record.parse(line) for line in (*RECORDS[:5], TEXT)]
    record.write(path, records)
    assert path.read_bytes().endswith(b"}\n") and path.read_bytes().count(b"\n") == 6
    assert list(record.read(path)) == list(record.read(str(path))) == records
    assert list(record.verify_file(path)) == [Verdict(line, True) for line in range(1, 7)]
    with path.open("ab") as file:
        record.write(file, records[:1])
        assert not file.closed
    assert len(list(record.read(path))) == 7
    with pytest.raises(FileNotFoundError):
        next(record.read(tmp_path / "none"))


class LongLine(io.RawIOBase):
    """A file that is one very long line and a short one behind it, and is never to be read as a whole."""

    def __init__(self, size, behind):
        self.left, self.behind = size, io.BytesIO(b"\n" + behind)

    def readable(self):
        return True

    def readinto(self, buffer):
        if not self.left:
            return self.behind.readinto(buffer)
        count = min(len(buffer), self.left)
        buffer[:count] = b"1" * count
        self.left -= count
        return count


def test_a_giant_line_is_not_held_in_memory():
    with io.BufferedReader(LongLine(50_000_000, RECORDS[0])) as file:
        tracemalloc.start()
        found = list(record.verify_file(file))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert [(each.line, each.ok) for each in found] == [(1, False), (2, True)]
    assert peak < 2_000_000


def test_a_stream_is_answered_as_it_comes_in():
    class Stream(io.BytesIO):
        def readline(self, size=-1):
            line = super().readline(size)
            if not line:
                raise AssertionError("waited for more")
            return line

    found = record.verify_file(Stream(RECORDS[0] + b"\n" + RECORDS[1]))
    assert [next(found).line, next(found).line] == [1, 2]


# One byte changed. What is accepted says the same of the hand, or tells of another hand that is right too.

KNOWN = {"format", "rules", "dealer", "stakes", "dice", "wall", "moves", "result"}
"""Keys that say what was played; besides them there are names, seeds and keys that are not known."""


def played(line):
    """What a record says of the hand played, white space and spelling of values left aside."""
    fields = {key: value for key, value in json.loads(line).items() if key in KNOWN}
    fields["moves"] = fields["moves"].split(" ")
    return json.dumps(fields, sort_keys=True)


TELLING = b'0123456789 "\\{}[]:,.-+eEtrufalsn/WTBFJHdhpx\t\r\x00\x1f\x7f\x80\xc3\xe4\xff'
"""Bytes that mean something in JSON or in a record, and some that must not be there."""


def one_byte_changed(line, replacements):
    for place, old in enumerate(line):
        for new in replacements(old):
            if new != old and new != ord("\n"):
                yield line[:place] + bytes([new]) + line[place + 1 :]


def flipped_bits(byte):
    return (byte ^ 1 << bit for bit in range(8))


def accepted_though_it_differs(line, replacements):
    """The changed lines that are accepted and do not say the same of the hand."""
    right = played(line)
    assert verdict(line).ok
    for other in one_byte_changed(line, replacements):
        if any(found.ok for found in verdicts(other)) and played(other) != right:
            yield other


def accepted_by_the_referee(line):
    try:
        referee.verify(json.loads(line))
    except referee.Fault:
        return False
    return True


@pytest.fixture(scope="module")
def shortest():
    """A record without slack: every stake is paid, a seed fixes all dice, and the only move is the win.

    The 106th hand of run 0 is won as dealt.
    """
    seed = referee_deal.run_seed(0, 105)
    stakes = {"sit": True, "pull": [0, 1, 2, 1], "kick": [False] * 4}
    fields = dealt_by(seed.hex()) | {"stakes": stakes, "commitment": hashlib.sha256(seed).hexdigest()}
    fields |= {"names": ["甲", "乙", "\\", ""], "note": {"a": [1, None]}, "moves": "0h", "result": None}
    play = referee.Referee.from_record(fields)
    play.apply("0h")
    return line_of(fields | {"result": play.result()})


@pytest.mark.parametrize("replacements", [lambda old: TELLING, flipped_bits], ids=["telling bytes", "bits"])
def test_one_byte_changed(shortest, replacements):
    assert list(accepted_though_it_differs(shortest, replacements)) == []


@pytest.mark.slow
def test_any_byte_changed_to_any_other(shortest):
    assert list(accepted_though_it_differs(shortest, lambda old: range(256))) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "least"),
    [
        (RECORDS[5], 4),  # seat 1 wins, so that two pulls are not paid for
        (next(line for line in RECORDS if b'"net": [-16, -16, -16, 48]' in line), 1),
    ],
)
def test_one_byte_changed_in_longer_records(line, least):
    """Where a tile is discarded that nobody misses it may have been another: then that is another hand."""
    others = list(accepted_though_it_differs(line, lambda old: TELLING))
    assert len(others) >= least
    for other in others:
        assert accepted_by_the_referee(other)


@given(st.sampled_from(RECORDS), st.integers(0, 1300), st.sampled_from(list(TELLING)))
def test_one_byte_changed_in_any_record(line, place, new):
    other = line[:place] + bytes([new]) + line[place + 1 :]
    if verdict(other).ok and played(other) != played(line):
        assert accepted_by_the_referee(other)


# Nothing but RecordError

NUMBERS = st.integers() | st.integers(-5, 200) | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(max_size=8) | st.sampled_from(["tianjin", "0h", "random", "00" * 32, WALL, "一", "\x7f"])
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
TOKENS = ["{", "}", "[", "]", ":", ",", '"a"', '"', "\\", "1", "-", "null", "NaN", "1e999", '"\\ud800"', " "]
TOKENS += ["9" * 5000, "[" * 17, "[" * 3000, "\ud800", "\x00", '"rules"', '"moves"']
BYTES = st.binary(max_size=200) | (
    st.text(max_size=100) | st.lists(st.sampled_from(TOKENS), max_size=30).map("".join)
).map(lambda text: text.encode("utf-8", "surrogatepass"))


def only_record_errors(line):
    """A line is refused by verdict and by RecordError alike, or not at all."""
    for found in verdicts(line):
        assert found.ok or found.reason
        try:
            record.verify(record.parse(line.split(b"\n")[found.line - 1], found.line))
        except RecordError as error:
            assert str(error)
            assert not found.ok
        else:
            assert found.ok


@given(BYTES)
def test_any_bytes(line):
    only_record_errors(line)


@given(JSON)
def test_any_json(value):
    only_record_errors(line_of(value))


@given(st.sampled_from(RECORDS), st.data())
def test_any_value_in_any_place(line, data):
    fields = json.loads(line)
    inside, key = fields, data.draw(st.sampled_from([*fields, "names", "client_seeds", "other"]))
    while isinstance(inside.get(key), dict) and inside[key] and data.draw(st.booleans()):
        inside = inside[key]
        key = data.draw(st.sampled_from([*inside, "other"]))
    inside[key] = data.draw(JSON)
    only_record_errors(line_of(fields))


@given(st.sampled_from(RECORDS), st.integers(0, 1300), st.binary(max_size=3), st.integers(0, 3))
def test_any_cut(line, place, put_in, left_out):
    only_record_errors(line[:place] + put_in + line[place + left_out :])
    only_record_errors(line[:place])


@given(JSON | st.text(max_size=300).map(lambda text: [text, text]))
def test_json_is_read_as_by_the_standard_library(value):
    line = line_of(value)
    assert decode(line) == json.loads(line)


KEYS = st.sampled_from(["a", "b", "\\u0061", ":", '\\":'])


@given(st.lists(st.tuples(KEYS, JSON), max_size=4), st.booleans())
def test_a_key_given_twice_is_found(pairs, in_list):
    line = "{" + ", ".join(f'"{key}": {json.dumps(value)}' for key, value in pairs) + "}"
    line = f"[{line}]" if in_list else line
    keys = [json.loads(f'"{key}"') for key, _ in pairs]
    try:
        assert decode(line.encode()) == json.loads(line)
    except TjmjError as error:
        assert "twice" in str(error) and len(set(keys)) < len(keys)
    else:
        assert len(set(keys)) == len(keys)


# The referee

PLAIN_KEYS = ["dealer", "dice", "moves", "result", "rules", "seed", "stakes", "wall", "commitment", "format"]


MUTATIONS = [
    "move", "cut", "more", "swap", "wall", "dealer", "sit", "pull", "kick", "dice", "net", "end", "fan",
    "elements", "option", "drop", "type",
]  # fmt: skip


@st.composite
def mutated(draw):
    """A golden record with something wrong, or nothing."""
    fields = json.loads(draw(st.sampled_from(SHORT)))
    moves = fields["moves"].split()
    kind = draw(st.sampled_from(MUTATIONS))
    at = draw(st.integers(0, len(moves) - 1))
    if kind == "move":
        end = draw(st.sampled_from(["", "5W", "p1B", "h", "r", "3T", "c1F"]))
        moves[at] = moves[at][: draw(st.integers(0, 3))] + end
        assume(moves[at])
    elif kind == "cut":
        del moves[at:]
    elif kind == "more":
        moves.insert(at, draw(st.sampled_from(moves)))
    elif kind == "swap":
        moves[at], moves[-1] = moves[-1], moves[at]
    elif kind == "wall":
        tiles = list(referee_deal.split_wall(fields["wall"]))
        a, b = draw(st.integers(0, len(tiles) - 1)), draw(st.integers(0, len(tiles) - 1))
        tiles[a], tiles[b] = tiles[b], tiles[a]
        fields["wall"] = "".join(tiles)
    elif kind == "dealer":
        fields["dealer"] = draw(st.integers(-1, 4))
    elif kind in ("pull", "kick", "sit") and "stakes" in fields:
        if kind == "sit":
            fields["stakes"]["sit"] = draw(st.sampled_from([True, False, 1, None]))
        else:
            new = st.integers(-1, 3) if kind == "pull" else st.sampled_from([True, False, 0])
            fields["stakes"][kind][draw(st.integers(0, 3))] = draw(new)
    elif kind == "dice":
        throw = fields["dice"][draw(st.sampled_from(sorted(fields["dice"])))]
        throw[draw(st.integers(0, len(throw) - 1))] = draw(st.integers(0, 7))
    elif kind == "net":
        fields["result"]["net"][draw(st.integers(0, 3))] = draw(st.integers(-20, 20))
    elif kind == "end":
        fields["result"]["end"] = draw(st.sampled_from(["win", "exhausted", "flowers", 1]))
    elif kind in ("fan", "elements") and fields["result"]["winners"]:
        new = st.sampled_from([2, 3, 2.0, [], ["hundiao"], ["su", "diliu"]])
        fields["result"]["winners"][0][kind] = draw(new)
    elif kind == "option":
        option = draw(st.sampled_from(sorted(referee_deal.TIANJIN)))
        new = st.sampled_from([0, 1, 2, 5, True, False, None, "turned", "random", "winds"])
        fields["rules"][option] = draw(new)
    elif kind == "drop":
        del fields[draw(st.sampled_from(sorted(set(PLAIN_KEYS) & set(fields))))]
    elif kind == "type":
        fields[draw(st.sampled_from(PLAIN_KEYS))] = draw(st.sampled_from([None, 1, True, "", [], {}, 1.0]))
    if isinstance(fields.get("moves"), str):
        fields["moves"] = fields["moves"] if kind == "type" else " ".join(moves)
    if draw(st.booleans()):  # so that what lies behind the seed shows
        fields.pop("seed", None)
    return fields


SHORT = sorted(RECORDS, key=len)[:40]


@given(mutated())
def test_the_referee_says_the_same(fields):
    try:
        referee.verify(fields)
    except referee.Fault as wrong:
        found = verdict(fields)
        assert not found.ok, wrong
        assert found.move == wrong.move, (found, wrong)
    else:
        assert verdict(fields) == Verdict(1, True)
