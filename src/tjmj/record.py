"""Records 牌谱: hands of play read, written, and verified move by move (spec: record).

`verify_file` trusts nobody: it reads a file line by line and names the first fault of each record. `read`
and `parse` make values of records whose header is right; only `verify` says that the rest is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, BinaryIO, NamedTuple, NoReturn

import msgspec
import numpy as np

from ._deal import commitment as commitment_to
from ._deal import deal
from ._play import Play
from .errors import IllegalMove, RecordError, RulesError, TjmjError
from .json_lines import decode, numbered_lines
from .limits import clipped, of_type
from .rulesets import Rules, as_rules, rules_from
from .stakes import NO_STAKES, Stakes
from .tiles import NAMES

__all__ = [
    "FORMAT", "Dice", "Record", "Verdict", "dumps", "parse", "play_of", "read", "verify", "verify_file",
    "write",
]  # fmt: skip

FORMAT = "tjmj-record/1"
"""The version of the format that is read and written."""

_LONGEST_SHOWN = 200
_ENDS = ("win", "exhausted", "flowers")
_MISSING: Any = object()

# A tile's two characters, read as one number.
_TWO = np.dtype("<u2")
_NAMES = np.frombuffer("".join(NAMES).encode(), _TWO)
_NO_TILE = 255
_KINDS = np.full(1 << 16, _NO_TILE, np.uint8)
_KINDS[_NAMES] = range(len(NAMES))

_encode = msgspec.json.Encoder().encode
_encode_sorted = msgspec.json.Encoder(order="sorted").encode


class Dice(NamedTuple):
    """What was thrown."""

    open: tuple[int, ...]
    """The opening throw or throws: two or four dice, in the order thrown."""
    flip: tuple[int, ...] = ()
    """The two dice that fix the wildcards; empty where none are thrown."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One hand of play.

    `parse` and `read` make records whose header is right. Whoever makes one by hand asks `verify`.

    Attributes
    ----------
    rules : Rules
    names : tuple of four str, or None
    dealer : int
        Seat 0 to 3.
    stakes : Stakes or None
        None where the rules have no stakes.
    dice : Dice
    wall : bytes
        All 136 or 144 kinds in take order.
    seed : bytes or None
        The 32 bytes that dice and wall come from.
    client_seeds : tuple of four bytes, or None
        What the seats added to the seed.
    commitment : bytes or None
        SHA-256 of the seed, 32 bytes, published before the stakes.
    moves : str or None
        The decisions, blank-separated.
    result : dict or None
        What the writer says: `end`, `winners` and `net`, points each seat gains or loses.
    extra : dict
        Keys that the format does not know, with their values.
    """

    rules: Rules
    names: tuple[str, ...] | None = None
    dealer: int
    stakes: Stakes | None = None
    dice: Dice
    wall: bytes
    seed: bytes | None = None
    client_seeds: tuple[bytes, ...] | None = None
    commitment: bytes | None = None
    moves: str | None = None
    result: dict[str, Any] | None = None
    extra: dict[str, Any] = {}

    def __hash__(self) -> int:
        return hash((self.rules, self.dealer, self.wall, self.moves))


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether a record of a file is right.

    Attributes
    ----------
    line : int
        Line of the file, from 1.
    ok : bool
    move : int or None
        Number of the move at fault, from 1; None where it is not a move.
    reason : str or None
        The first fault, in words; None where there is none.
    """

    line: int
    ok: bool
    move: int | None = None
    reason: str | None = None


_KEYS = frozenset([
    "format", "rules", "names", "dealer", "stakes", "dice", "wall", "seed", "client_seeds", "commitment",
    "moves", "result",
])  # fmt: skip


def parse(line: bytes | str, number: int | None = None, *, with_result: bool = True) -> Record:
    """The record that a line of JSON holds.

    Its moves are not played, and its result and seed not compared with them: see `verify`.

    Parameters
    ----------
    line : bytes or str
    number : int, optional
        The line's number in its file, for faults.
    with_result : bool
        Whether its result is read; a record is as good without one where only its moves are asked for.

    Raises
    ------
    RecordError
        For a line that is no JSON or too long, a header that cannot be, or a moves or result of a wrong type.
    """
    try:
        fields = _decoded(line)
        record, _ = header_of(fields)
        if with_result and "result" in fields:
            record = msgspec.structs.replace(record, result=_result(fields["result"]))
    except RecordError as fault:
        fault.line = number
        raise
    return record


def read(
    file: str | os.PathLike[str] | BinaryIO, on_fault: Callable[[RecordError], object] | None = None
) -> Iterator[Record]:
    """The records of a file, one after the other; blank lines are skipped.

    Parameters
    ----------
    file : path or binary file
    on_fault : callable, optional
        Called with the fault of each line that `parse` refuses, and the next lines are still read. Without it
        the first fault is raised.

    Raises
    ------
    RecordError
        As `parse`.
    """
    for number, line in numbered_lines(file):
        try:
            record = parse(line, number)
        except RecordError as fault:
            if on_fault is None:
                raise
            on_fault(fault)
            continue
        yield record


def dumps(record: Record) -> str:
    """A record as a line of JSON: keys in the order of the specification, unknown ones last; no line end."""
    return _encode(fields_of(record)).decode()


def write(file: str | os.PathLike[str] | BinaryIO, records: Iterable[Record]) -> None:
    """Write records to a file, each on a line of its own."""
    if isinstance(file, (str, os.PathLike)):
        with open(file, "wb") as opened:
            return write(opened, records)
    for record in records:
        file.write(_encode(fields_of(record)) + b"\n")


def verify(record: Record) -> None:
    """Replay a record; raises `RecordError` with its first fault.

    Checked are, in this order: the header, every move, the result, and that the seed gives dice and wall and
    matches the commitment.
    """
    _verify(fields_of(record))


def verify_file(file: str | os.PathLike[str] | BinaryIO) -> Iterator[Verdict]:
    """Verify the records of a file, as `verify` does; one verdict for each line that is not blank.

    Parameters
    ----------
    file : path or binary file
    """
    for number, line in numbered_lines(file):
        try:
            _verify(_decoded(line))
        except RecordError as fault:
            yield Verdict(number, False, fault.move, fault.reason)
        else:
            yield Verdict(number, True)


def play_of(record: Record, after: int | None = 0) -> Play:
    """The hand of play that a record tells.

    Parameters
    ----------
    record : Record
    after : int or None
        How many of its moves are played; all of them for None.

    Raises
    ------
    RecordError
        For a move that is illegal, or where there are not so many.
    """
    made, play = header_of(fields_of(record))
    moves = made.moves or ""
    if after is not None:
        # As `Play` parts them: by blanks and by nothing else.
        given = [move for move in moves.split(" ") if move]
        if not 0 <= after <= len(given):
            _refuse(f"the record has {len(given)} moves: {after} cannot be played")
        moves = " ".join(given[:after])
    _play_all(play, moves)
    return play


def of_hand(
    rules: Rules,
    dealer: int,
    stakes: tuple[bool, list[int], list[bool]],
    dice: list[int],
    wall: bytes,
    moves: list[str],
    result: dict[str, Any] | None,
) -> Record:
    """The record of a hand as the engine tells it: stakes as (sit, pull, kick), dice in the order thrown."""
    sit, pull, kick = stakes
    opening = 4 if rules.opening == "two-throw" else 2
    return Record(
        rules=rules, dealer=dealer,
        stakes=Stakes(sit, tuple(pull), tuple(kick)) if rules.stakes else None,  # type: ignore[arg-type]
        dice=Dice(tuple(dice[:opening]), tuple(dice[opening:])), wall=wall, moves=" ".join(moves),
        result=result,
    )  # fmt: skip


def _refuse(reason: str, move: int | None = None) -> NoReturn:
    raise RecordError(None, move, clipped(reason))


def _shown(value: object) -> str:
    return clipped(_encode(value).decode(), _LONGEST_SHOWN)


def _decoded(line: bytes | str) -> Any:
    of_type(line, bytes, str)
    try:
        return decode(line.encode() if isinstance(line, str) else line)
    except UnicodeEncodeError:
        _refuse("malformed JSON: lone surrogates are no text")
    except TjmjError as fault:
        _refuse(str(fault))


# Verifying


def _verify(fields: Any) -> None:
    record, play = header_of(fields)
    if record.moves is None:
        _refuse("moves is missing")
    _play_all(play, record.moves)
    if not play.may_end:
        _refuse("the hand has not ended")
    _compare_result(fields.get("result", _MISSING), play.result())
    if record.seed is not None:
        _check_seed(record, record.seed)


def _play_all(play: Play, moves: str) -> None:
    try:
        play.play_all(moves)
    except IllegalMove as fault:
        _refuse(fault.reason, fault.played + 1)


def _compare_result(given: Any, played: dict[str, Any]) -> None:
    """Refuse a result that is not the one played, down to the types: true and 1.0 are not 1."""
    if given is _MISSING:
        _refuse("result is missing")
    if _encode_sorted(given) == _encode_sorted(played):
        return
    if type(given) is not dict:
        _refuse(f"the result is {_shown(given)}, and should be {_shown(played)}")
    for key, value in played.items():
        if key not in given:
            _refuse(f"the result has no {key}, which should be {_shown(value)}")
        if _encode_sorted(given[key]) != _encode_sorted(value):
            _refuse(f"the result's {key} is {_shown(given[key])}, and should be {_shown(value)}")
    _only_keys(given, played, "the result")


def _check_seed(record: Record, seed: bytes) -> None:
    dealt = deal(seed, record.rules, record.client_seeds)
    if dealt.wall != record.wall:
        _refuse("the seed does not give the wall")
    if (dealt.open, dealt.flip) != record.dice:
        thrown = Dice(dealt.open, dealt.flip)
        _refuse(f"the seed does not give the dice: it gives {_shown(_dice_fields(thrown))}")
    if record.commitment is not None and record.commitment != commitment_to(seed):
        _refuse("the commitment does not match the seed")


# Reading


def header_of(fields: Any) -> tuple[Record, Play]:
    """The record without its result, its header checked, and its hand as it is dealt; raises `RecordError`."""
    if type(fields) is not dict:
        _refuse(f"a record is an object, not {_shown(fields)}")
    if fields.get("format") != FORMAT:
        _refuse(f"format is {_shown(_required(fields, 'format'))}: only {_shown(FORMAT)} is known")
    rules = _rules(_required(fields, "rules"))
    names = _names(fields["names"]) if "names" in fields else None
    dealer = _required(fields, "dealer")
    if not _whole(dealer, 0, 3):
        _refuse(f"dealer is {_shown(dealer)}: seats are 0 to 3")
    stakes = _stakes(fields, rules)
    dice = _dice(_required(fields, "dice"), rules)
    wall = _wall(_required(fields, "wall"))
    try:
        play = Play(rules, dealer, wall, sum(dice.flip) if dice.flip else None, stakes or NO_STAKES)
    except RulesError as fault:
        _refuse(str(fault))
    record = Record(
        rules=rules,
        names=names,
        dealer=dealer,
        stakes=stakes,
        dice=dice,
        wall=wall,
        seed=_hex(fields["seed"], "seed", 32, 32) if "seed" in fields else None,
        client_seeds=_client_seeds(fields["client_seeds"]) if "client_seeds" in fields else None,
        commitment=_hex(fields["commitment"], "commitment", 32, 32) if "commitment" in fields else None,
        moves=_moves(fields["moves"]) if "moves" in fields else None,
        extra={key: value for key, value in fields.items() if key not in _KEYS},
    )
    return record, play


def _required(fields: dict[str, Any], key: str, where: str = "") -> Any:
    if key not in fields:
        _refuse(f"{where}{key} is missing")
    return fields[key]


def _object(value: Any, name: str, keys: tuple[str, ...]) -> None:
    if type(value) is not dict:
        _refuse(f"{name} is {_shown(value)}: an object is wanted")
    _only_keys(value, keys, name)


def _only_keys(value: dict[str, Any], keys: Iterable[str], name: str) -> None:
    for key in value:
        if key not in keys:
            _refuse(f"{name} has no key {_shown(key)}")


def _whole(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _four(value: Any, check: Callable[[Any], bool]) -> bool:
    return type(value) is list and len(value) == 4 and all(map(check, value))


def _rules(written: Any) -> Rules:
    if type(written) is not dict:
        _refuse(f"rules is {_shown(written)}: an object with a name is wanted")
    name = _required(written, "name", "the rules' ")
    try:
        return as_rules(name) if len(written) == 1 else _rules_with_options(_encode(written))
    except RulesError as fault:
        _refuse(str(fault))


# As text, since 1, 1.0 and true are the same key of a dictionary.
@lru_cache(maxsize=1000)
def _rules_with_options(written: bytes) -> Rules:
    options = msgspec.json.decode(written)
    return rules_from(options.pop("name"), options)


def _names(names: Any) -> tuple[str, ...]:
    if not _four(names, lambda name: type(name) is str):
        _refuse(f"names is {_shown(names)}: four texts are wanted")
    return tuple(names)


def _stakes(fields: dict[str, Any], rules: Rules) -> Stakes | None:
    if not rules.stakes:
        if "stakes" in fields:
            _refuse("stakes are given, and these rules have none")
        return None
    stakes = _required(fields, "stakes")
    _object(stakes, "stakes", ("sit", "pull", "kick"))
    sit, pull = (_required(stakes, key, "stakes: ") for key in ("sit", "pull"))
    kick = stakes.get("kick", [False] * 4)
    if type(sit) is not bool:
        _refuse(f"stakes: sit is {_shown(sit)}: true or false is wanted")
    if not _four(pull, lambda pulls: _whole(pulls, 0, rules.max_pulls)):
        _refuse(f"stakes: pull is {_shown(pull)}: four numbers from 0 to {rules.max_pulls} are wanted")
    if not _four(kick, lambda kicked: type(kicked) is bool):
        _refuse(f"stakes: kick is {_shown(kick)}: four times true or false is wanted")
    return Stakes(sit, tuple(pull), tuple(kick))


def _dice(dice: Any, rules: Rules) -> Dice:
    flip = ("flip",) if rules.wild_by == "dice" else ()
    _object(dice, "dice", ("open", *flip))
    opening = _throw(dice, "open", 4 if rules.opening == "two-throw" else 2)
    return Dice(opening, _throw(dice, "flip", 2) if flip else ())


def _throw(dice: dict[str, Any], key: str, count: int) -> tuple[int, ...]:
    throw = _required(dice, key, "dice: ")
    if type(throw) is not list or len(throw) != count or not all(_whole(die, 1, 6) for die in throw):
        _refuse(f"dice: {key} is {_shown(throw)}: {count} numbers from 1 to 6 are wanted")
    return tuple(throw)


def _wall(wall: Any) -> bytes:
    """The kinds of a wall; that they are the right ones is not checked here."""
    if type(wall) is not str:
        _refuse(f"wall is {_shown(wall)}: a text is wanted")
    if len(wall) % 2:
        _refuse(f"wall has {len(wall)} characters: two for each tile are wanted")
    # A character that is no tile's becomes one byte that is no tile's either.
    kinds = _KINDS[np.frombuffer(wall.encode("ascii", "replace"), _TWO)].tobytes()
    place = kinds.find(_NO_TILE)
    if place >= 0:
        _refuse(f"wall: {_shown(wall[2 * place : 2 * place + 2])} at position {place} is no tile")
    return kinds


def _hex(text: Any, name: str, least: int, most: int) -> bytes:
    wanted = f"{least} bytes" if least == most else f"{least} to {most} bytes"
    try:
        data = bytes.fromhex(text)
    except (TypeError, ValueError):
        _refuse(f"{name} is {_shown(text)}: {wanted} in hex are wanted")
    # Blanks, which `fromhex` skips, show in the length.
    if not least <= len(data) <= most or len(text) != 2 * len(data):
        _refuse(f"{name} is {_shown(text)}: {wanted} in hex are wanted")
    return data


def _client_seeds(seeds: Any) -> tuple[bytes, ...]:
    if type(seeds) is not list or len(seeds) != 4:
        _refuse(f"client_seeds is {_shown(seeds)}: four are wanted")
    return tuple(_hex(seed, f"the client seed of seat {seat}", 0, 32) for seat, seed in enumerate(seeds))


def _moves(moves: Any) -> str:
    if type(moves) is not str:
        _refuse(f"moves is {_shown(moves)}: a text is wanted")
    return moves


def _result(result: Any) -> dict[str, Any]:
    """A result, its types checked; the numbers are for `verify` to compare."""
    _object(result, "result", ("end", "winners", "net"))
    end, winners, net = (_required(result, key, "result: ") for key in ("end", "winners", "net"))
    if end not in _ENDS:
        _refuse(f"result: end is {_shown(end)}: it is one of {', '.join(_ENDS)}")
    if type(winners) is not list or not all(map(_is_winner, winners)):
        _refuse(f"result: winners is {_shown(winners)}: a list of seats, elements and fan is wanted")
    if not _four(net, lambda points: type(points) is int):
        _refuse(f"result: net is {_shown(net)}: four whole numbers are wanted")
    return dict(result)


def _is_winner(winner: Any) -> bool:
    if type(winner) is not dict or not {"seat", "elements", "fan"} <= winner.keys():
        return False
    numbers = {key: value for key, value in winner.items() if key != "elements"}
    elements = winner["elements"]
    return (
        numbers.keys() <= {"seat", "fan", "flowers", "points", "from"}
        and all(type(number) is int for number in numbers.values())
        and type(elements) is list
        and all(type(element) is str for element in elements)
    )


# Writing


def fields_of(record: Record) -> dict[str, Any]:
    """A record as its JSON form, with the keys that it has."""
    of_type(record, Record)
    rules = record.rules
    fields: dict[str, Any] = {"format": FORMAT, "rules": rules.to_json()}
    if record.names is not None:
        fields["names"] = list(record.names)
    fields["dealer"] = record.dealer
    if record.stakes is not None:
        sit, pull, kick = record.stakes
        fields["stakes"] = {"sit": sit, "pull": list(pull), "kick": list(kick)}
    fields["dice"] = _dice_fields(record.dice)
    fields["wall"] = _NAMES[np.frombuffer(record.wall, np.uint8)].tobytes().decode()
    if record.seed is not None:
        fields["seed"] = record.seed.hex()
    if record.client_seeds is not None:
        fields["client_seeds"] = [seed.hex() for seed in record.client_seeds]
    if record.commitment is not None:
        fields["commitment"] = record.commitment.hex()
    if record.moves is not None:
        fields["moves"] = record.moves
    if record.result is not None:
        fields["result"] = record.result
    return fields | record.extra


def _dice_fields(dice: Dice) -> dict[str, list[int]]:
    opening, flip = dice
    return {"open": list(opening), "flip": list(flip)} if flip else {"open": list(opening)}
