"""Lines of JSON from people who need not mean well: bounded, and read strictly (spec: record, "Verifying").

Beyond what a JSON reader refuses anyway, a line is refused that is too long, is nested too deep, or has a
key twice in an object.
"""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn

import msgspec

from .errors import TjmjError

LONGEST_LINE = 1 << 16
"""Bytes of the longest line, its end not counted."""
DEEPEST = 16
"""Levels of objects and arrays, the outermost counted."""

_decode = msgspec.json.Decoder().decode
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')


def numbered_lines(file: str | os.PathLike[str] | BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines of a file and their numbers from 1, without those that are blank.

    Of a line that is too long only the beginning is kept, long enough for `decode` to refuse it.

    Parameters
    ----------
    file : path or binary file
        A file that is given open is left open.
    """
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            yield from numbered_lines(opened)
        return
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        rest = line
        while _goes_on(rest):
            rest = file.readline(LONGEST_LINE + 1)
        if rest is not line or not line.isspace():
            yield number, line


def _goes_on(line: bytes) -> bool:
    return len(line) > LONGEST_LINE and not line.endswith(b"\n")


def decode(line: bytes) -> Any:
    """The value that a line of JSON holds.

    Raises
    ------
    TjmjError
        With the reason, where the line is refused.
    """
    if len(line) > LONGEST_LINE and len(line.removesuffix(b"\n")) > LONGEST_LINE:
        raise TjmjError(f"the line is longer than {LONGEST_LINE:,} bytes")
    if line.startswith(codecs.BOM_UTF8):
        raise TjmjError("malformed JSON: it begins with a byte order mark; save it as UTF-8 without one")
    try:
        value = _decode(line)
    # Not every version of msgspec makes an error of its own of text that is not UTF-8.
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise TjmjError(f"malformed JSON: {str(fault).removeprefix('JSON is malformed: ')}") from None
    except RecursionError:
        _too_deep()
    pairs = _pairs(value, DEEPEST)
    # Colons in strings count too, so that only a line that has some, or a key twice, is looked at again.
    if line.count(b":") != pairs and _STRING.sub(b"", line).count(b":") != pairs:
        raise TjmjError(f"the key {_key_given_twice(line)} stands twice in an object")
    return value


def _pairs(value: Any, room: int) -> int:
    """How many pairs of key and value there are in all objects; a key that stands twice makes one."""
    pairs, inner = 0, value
    if type(value) is dict:
        pairs, inner = len(value), value.values()
    elif type(value) is not list:
        return 0
    if not room:
        _too_deep()
    for each in inner:
        if type(each) is dict or type(each) is list:
            pairs += _pairs(each, room - 1)
    return pairs


def _too_deep() -> NoReturn:
    raise TjmjError(f"nested more than {DEEPEST} deep")


class _Twice(Exception):
    pass


def _no_key_twice(pairs: list[tuple[str, Any]]) -> None:
    keys: set[str] = set()
    for key, _ in pairs:
        if key in keys:
            raise _Twice(key)
        keys.add(key)


def _key_given_twice(line: bytes) -> str:
    try:
        json.loads(line, object_pairs_hook=_no_key_twice, parse_int=str)
    except _Twice as twice:
        return json.dumps(twice.args[0], ensure_ascii=False)
    except RecursionError:  # in what the second key has hidden
        _too_deep()
    raise AssertionError("no key stands twice")
