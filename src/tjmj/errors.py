"""What can be wrong with what comes from outside, each with its own class."""

from __future__ import annotations


class TjmjError(ValueError):
    """Base of every error that this package raises about its input."""


class _TextError(TjmjError):
    """A fault in a text, with the place where it is.

    Attributes
    ----------
    text : str
        The whole text that was given.
    place : int or None
        Index into `text` of the first character at fault; None where the text as a whole is.
    reason : str
        What is wrong, in words.
    """

    def __init__(self, text: str, place: int | None, reason: str) -> None:
        super().__init__(text, place, reason)
        self.text = text
        self.place = place
        self.reason = reason

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 80 else self.text[:77] + "..."
        if not shown:
            return self.reason
        where = "" if self.place is None else f" at character {self.place + 1}"
        return f"{shown!r}{where}: {self.reason}"


class NotationError(_TextError):
    """A text that is not in the notation (spec: notation)."""


class HandError(_TextError):
    """Tiles that cannot be such a hand: their number, a fifth copy, a meld that the rules do not know."""


class RulesError(TjmjError):
    """An unknown ruleset or option, a value out of its range, or a circumstance that the rules exclude."""


class IllegalMove(TjmjError):
    """A move that the rules do not allow here.

    Attributes
    ----------
    move : str
        As a record writes it, such as `"2p5W"`.
    reason : str
        Why not, in words.
    played : int
        How many moves were played before it, where several were given.
    """

    def __init__(self, move: str, reason: str) -> None:
        super().__init__(move, reason)
        self.move = move
        self.reason = reason
        self.played = 0

    def __str__(self) -> str:
        shown = self.move if len(self.move) <= 80 else self.move[:77] + "..."
        return f"{shown!r}: {self.reason}"


class StaleMove(TjmjError):
    """An answer to a window that has closed: the round has gone on.

    Attributes
    ----------
    answer : str
    turn : int
        The window that was answered.
    now : int
        The one that is open.
    """

    def __init__(self, answer: str, turn: int, now: int) -> None:
        super().__init__(answer, turn, now)
        self.answer = answer
        self.turn = turn
        self.now = now

    def __str__(self) -> str:
        return f"{self.answer!r} answers window {self.turn}; window {self.now} is open"


class RecordError(TjmjError):
    """The first fault of a record.

    Attributes
    ----------
    line : int or None
        Line of the file, from 1; None for a record that comes from no file.
    move : int or None
        Number of the move at fault, from 1; None where it is not a move.
    reason : str
        What is wrong, in words.
    """

    def __init__(self, line: int | None, move: int | None, reason: str) -> None:
        super().__init__(line, move, reason)
        self.line = line
        self.move = move
        self.reason = reason

    def __str__(self) -> str:
        places = (("line", self.line), ("move", self.move))
        where = ", ".join(f"{name} {number}" for name, number in places if number is not None)
        return f"{where}: {self.reason}" if where else self.reason
