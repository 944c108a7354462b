"""Files that the command reads, and the hands that people write into them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, BinaryIO

import click

from ..elements import SOURCES
from ..errors import TjmjError
from ..rulesets import Rules
from ..safe_files import replacing
from .options import FLAGS, asks_flip, asks_flowers

_FLAGS = {flag.replace("_", "-"): flag for flag in FLAGS}
_FLOWERS = {f"flowers={count}": count for count in range(9)}


def opened(name: str) -> AbstractContextManager[BinaryIO]:
    """A file's bytes, standard input's where it is called `-`; raises `OSError`."""
    if name != "-":
        return open(name, "rb")
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return nullcontext(sys.stdin.buffer)


@dataclass(frozen=True)
class HandLine:
    """A line of a file of hands.

    Attributes
    ----------
    hand : str
    flip : str or None
        None where the rules flip no tile.
    circumstances : dict
        Arguments for `tjmj.score`.
    remark : list of str
        The lines of the comment that stands right before the hand.
    place : str
        The file and the line, for faults.
    """

    hand: str
    flip: str | None
    circumstances: dict[str, Any]
    remark: list[str]
    place: str

    @contextmanager
    def fault_named(self) -> Iterator[None]:
        """Put the place before whatever is wrong with the hand."""
        try:
            yield
        except TjmjError as fault:
            raise TjmjError(f"{self.place}: {fault}") from None


def read_hands(lines: BinaryIO, name: str, rules: Rules) -> Iterator[HandLine]:
    """The hands of a file: a hand, its flipped tile and words that say how it won; `#` begins a comment.

    The words are those of `tjmj score`: `kong-draw` and the like, or, where flowers are counted, a source and
    `flowers=2`.

    Raises
    ------
    TjmjError
        With the file and the line.
    """
    remark: list[str] = []
    for number, raw in enumerate(lines, 1):
        place = f"{name}:{number}"
        try:
            text, mark, comment = raw.decode("utf-8-sig").partition("#")
        except UnicodeDecodeError as fault:
            raise TjmjError(f"{place}: not UTF-8 at byte {fault.start + 1}") from None
        words = text.split()
        if words:
            yield _hand_line(words, rules, remark, place)
        # A blank line parts a remark from the hand before which it would stand.
        remark = [*remark, comment.strip()] if mark and not words else []


def _hand_line(words: Sequence[str], rules: Rules, remark: list[str], place: str) -> HandLine:
    hand, *rest = words
    flip = None
    if asks_flip(rules):
        if not rest:
            raise TjmjError(f"{place}: {hand!r} stands alone; write HAND FLIP")
        flip, *rest = rest
    read = _flower_words if asks_flowers(rules) else _flag_words
    return HandLine(hand, flip, read(rest, place), remark, place)


def _flag_words(words: Sequence[str], place: str) -> dict[str, Any]:
    for word in words:
        if word not in _FLAGS:
            raise TjmjError(f"{place}: {word!r} is none of {', '.join(_FLAGS)}")
    return {_FLAGS[word]: True for word in words}


def _flower_words(words: Sequence[str], place: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for word in words:
        name = "flowers" if word in _FLOWERS else "source"
        if word not in SOURCES and word not in _FLOWERS:
            raise TjmjError(f"{place}: {word!r} is none of {', '.join(SOURCES)}, flowers=0 to flowers=8")
        if name in found:
            raise TjmjError(f"{place}: {word!r} comes after another {name}")
        found[name] = _FLOWERS.get(word, word)
    return found


def write_whole(name: str, data: bytes) -> None:
    """Write a file that appears, or is replaced, when it is complete; - is standard output. Raises `OSError`."""
    if name == "-":
        sys.stdout.buffer.write(data)
        return
    with replacing(name) as file:
        file.write(data)


def apart(first: str | None, first_name: str, second: str | None, second_name: str) -> None:
    """Raise `click.UsageError` where one file would overwrite the other."""
    if first and second and "-" not in (first, second) and os.path.realpath(first) == os.path.realpath(second):
        raise click.UsageError(f"{first_name} and {second_name} are the same file: {second}")
