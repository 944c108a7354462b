"""Values from outside, held to their type and range."""

from __future__ import annotations

from operator import index
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from .errors import TjmjError


def whole(name: str, value: SupportsIndex, least: int, most: int) -> int:
    """A whole number in its range; `TjmjError` for any other, `TypeError` for what is none."""
    try:
        number = index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is {value!r}: a whole number is wanted")
    if not least <= number <= most:
        raise TjmjError(f"{name} {shown(number)}: {least} to {most} are allowed")
    return number


def clipped(text: str, longest: int = 600) -> str:
    """A text cut to so many characters: a fault must not repeat all of what was wrong."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def shown(value: object) -> str:
    """A value as errors show it, cut to a length that a line has room for."""
    try:
        return clipped(repr(value), 80)
    except ValueError:  # Python writes no number of more than some thousand digits
        return "a number of thousands of digits"


def of_type(value: object, *wanted: type) -> None:
    """Refuse, by a `TypeError`, what is no such value."""
    if not isinstance(value, wanted):
        raise TypeError(f"{' or '.join(kind.__name__ for kind in wanted)} is wanted, not {type(value).__name__}")


def as_array(name: str, value: object) -> NDArray[Any]:
    """An array, or what can be made one; `TypeError` for rows of several lengths and for masked places."""
    if np.any(getattr(value, "mask", False)):
        raise TypeError(f"{name} has masked places: fill them")
    try:
        return np.asarray(value)
    except ValueError:
        raise TypeError(f"{name} must have rows of one length") from None


def whole_numbers(name: str, value: object) -> NDArray[np.integer[Any]]:
    """An array of whole numbers of any size; `TypeError` for what is none."""
    given = as_array(name, value)
    if given.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, not {given.dtype}")
    return given
