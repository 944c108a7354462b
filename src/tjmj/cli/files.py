"""Files that the command reads, and the hands that people write into them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import BinaryIO

from ..errors import TjmjError

_CIRCUMSTANCES = {"kong-draw": "kong_draw", "heavenly": "heavenly", "earthly": "earthly", "ready": "ready"}


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
    hand, flip : str
    circumstances : dict
        Arguments for `tjmj.score`.
    remark : list of str
        The lines of the comment that stands right before the hand.
    place : str
        The file and the line, for faults.
    """

    hand: str
    flip: str
    circumstances: dict[str, bool]
    remark: list[str]
    place: str

    @contextmanager
    def fault_named(self) -> Iterator[None]:
        """Put the place before whatever is wrong with the hand."""
        try:
            yield
        except TjmjError as fault:
            raise TjmjError(f"{self.place}: {fault}") from None


def read_hands(lines: BinaryIO, name: str) -> Iterator[HandLine]:
    """The hands of a file: `HAND FLIP` and words such as `kong-draw` in a line, `#` begins a comment.

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
            yield _hand_line(words, remark, place)
        # A blank line parts a remark from the hand before which it would stand.
        remark = [*remark, comment.strip()] if mark and not words else []


def _hand_line(words: list[str], remark: list[str], place: str) -> HandLine:
    if len(words) == 1:
        raise TjmjError(f"{place}: {words[0]!r} stands alone; write HAND FLIP")
    hand, flip, *rest = words
    for word in rest:
        if word not in _CIRCUMSTANCES:
            raise TjmjError(f"{place}: {word!r} is none of {', '.join(_CIRCUMSTANCES)}")
    return HandLine(hand, flip, {_CIRCUMSTANCES[word]: True for word in rest}, remark, place)
