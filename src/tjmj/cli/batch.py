"""The JSON forms: one answer, and JSON Lines answered line by line (spec: cli)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from .. import score as score_of
from .. import waits as waits_of
from ..answers import score_answer, waits_answer
from ..errors import HandError, NotationError, RulesError, TjmjError
from ..json_lines import LONGEST_LINE, decode
from ..rulesets import Rules, as_rules, rules_from
from ..rulesets.base import Value
from .options import asks_flowers

if TYPE_CHECKING:
    from .._notation import _Notation

_BLOCK = 1 << 16
_NOT_READ = (msgspec.DecodeError, UnicodeDecodeError)  # older versions of msgspec raise the second
_encode = msgspec.json.Encoder().encode


def write(answer: object) -> None:
    """Write one answer as a line of its own, always in UTF-8."""
    sys.stdout.buffer.write(_encode(answer) + b"\n")
    sys.stdout.buffer.flush()


class _Asked(msgspec.Struct, forbid_unknown_fields=True):
    hand: str
    flip: str | int | None = None
    flowers: int | UnsetType = UNSET
    rules: msgspec.Raw = msgspec.Raw()  # as text it can be looked up among the rules seen before


class _ScoreAsked(_Asked):
    kong_draw: bool = False
    heavenly: bool = False
    earthly: bool = False
    ready: bool = False
    source: str | UnsetType = UNSET


_AskedT = TypeVar("_AskedT", bound=_Asked)


class Lines(Generic[_AskedT]):
    """How the lines of a batch are answered.

    Parameters
    ----------
    rules : Rules
        For lines that name none.
    notation : {None, "mpsz", "mpsz-cn"}
        Of the hands.
    """

    asked: type[_AskedT]

    def __init__(self, rules: Rules, notation: _Notation = None) -> None:
        self._rules = rules
        self._notation = notation
        self._decode = msgspec.json.Decoder(self.asked).decode

    def answer(self, asked: _AskedT, rules: Rules) -> dict[str, Any]:
        """The answer to a line that could be read; raises `TjmjError`."""
        raise NotImplementedError

    def answer_line(self, line: bytes) -> dict[str, Any]:
        """The answer to a line, `{"error": ...}` where it cannot be read."""
        try:
            asked = self._read(line)
            return self.answer(asked, _rules_of(bytes(asked.rules)) if asked.rules else self._rules)
        except TjmjError as fault:
            return {"error": str(fault)}

    def _read(self, line: bytes) -> _AskedT:
        if len(line) > LONGEST_LINE:
            raise _unreadable(line, f"longer than {LONGEST_LINE} bytes")
        try:
            asked = self._decode(line)
        except _NOT_READ as fault:
            raise _unreadable(line, str(fault)) from None
        except RecursionError:
            raise _unreadable(line, "nested too deep") from None
        decode(line)    # refuses a key that stands twice, of which the typed decoder takes the last
        if isinstance(asked.flip, int) and asked.flip != -1:
            raise HandError(str(asked.flip), None, "a flipped tile is written as text, or -1 for none")
        return asked


class ScoreLines(Lines[_ScoreAsked]):
    """`tjmj score --batch`."""

    asked = _ScoreAsked

    def answer(self, asked: _ScoreAsked, rules: Rules) -> dict[str, Any]:
        source: Any = None if asked.source is UNSET else asked.source  # which there are, `score` knows
        score = score_of(asked.hand, asked.flip, rules, notation=self._notation, kong_draw=asked.kong_draw,
                         heavenly=asked.heavenly, earthly=asked.earthly, ready=asked.ready,
                         source=source, flowers=_flowers(asked, rules))  # fmt: skip
        return score_answer(score)


class WaitsLines(Lines[_Asked]):
    """`tjmj waits --batch`."""

    asked = _Asked

    def answer(self, asked: _Asked, rules: Rules) -> dict[str, Any]:
        flowers = _flowers(asked, rules)
        return waits_answer(waits_of(asked.hand, asked.flip, rules, flowers=flowers, notation=self._notation))


def _flowers(asked: _Asked, rules: Rules) -> int:
    """How many are laid out; where none are counted, not even none may be given."""
    if asked.flowers is UNSET:
        return 0
    if not asks_flowers(rules):
        raise RulesError(f"flowers {asked.flowers}: these rules count none")
    return asked.flowers


def run(stream: BinaryIO, lines: Lines[Any]) -> int:
    """Answer each line of a stream on standard output, blank ones left out as in a file of records.

    What has come in is answered before more is waited for.

    Returns
    -------
    int
        Exit status 1 where a line could not be read, else 0.
    """
    status = 0
    for block in _blocks(stream):
        answers: list[bytes] = []
        try:
            for line in block:
                if line and not line.isspace():
                    answer = lines.answer_line(line)
                    status |= "error" in answer
                    answers.append(_encode(answer))
        finally:  # an interrupt loses no answer that was made
            if answers:
                sys.stdout.buffer.write(b"\n".join(answers) + b"\n")
                sys.stdout.buffer.flush()
    return int(status)


def _blocks(stream: BinaryIO) -> Iterator[list[bytes]]:
    """The lines of a stream as they come in; of one that is too long only the beginning is kept."""
    rest = bytearray()
    while block := stream.read1(_BLOCK):  # type: ignore[attr-defined]  # not declared, but always there
        first, *more = block.split(b"\n")
        rest += first[: LONGEST_LINE + 1 - len(rest)]
        if more:
            yield [bytes(rest), *more[:-1]]
            rest = bytearray(more[-1])
    yield [bytes(rest)]


_RULES = msgspec.json.Decoder(str | dict[str, Value])


@lru_cache(maxsize=1000)
def _rules_of(written: bytes) -> Rules:
    """The rules that a line names, or sets the options of as a record does."""
    try:
        read = _RULES.decode(written)
    except _NOT_READ as fault:
        raise _unreadable(written, f"these are no rules: {fault}") from None
    if isinstance(read, str):
        return as_rules(read)
    if not isinstance(name := read.pop("name", None), str):
        raise RulesError(f"rules {written.decode()!r} have no name")
    return rules_from(name, read)


def _unreadable(line: bytes, reason: str) -> NotationError:
    return NotationError(line[:LONGEST_LINE].decode(errors="backslashreplace"), None, reason)
