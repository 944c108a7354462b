"""Values from outside, held to their type and range."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

import numpy as np

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
        raise TjmjError(f"{name} {number}: {least} to {most} are allowed")
    return number


def of_type(value: object, *wanted: type) -> None:
    """Refuse, by a `TypeError`, what is no such value."""
    if not isinstance(value, wanted):
        raise TypeError(f"{' or '.join(kind.__name__ for kind in wanted)} is wanted, not {type(value).__name__}")
