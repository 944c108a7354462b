"""Hands by the million: the kernels over NumPy arrays, one row a hand.

Rows are concealed tiles as counts, `(n, 34) uint8` in canonical order (`(n, 42)` where the rules make
flowers wild). Everything is checked before a result is given: an array of a wrong dtype is a `TypeError`,
one of a wrong shape or with a number out of its range a `TjmjError`, a row that is no hand a `HandError` that
names it; then nothing is returned. The loops run without the GIL.

Arguments that several functions share:

counts : (n, 34) or (n, 42) uint8
    Concealed tiles, the winning tile included; not for `waits`, where none is drawn.
flip : int or (n,) int
    The flipped kind, -1 for none.
melds : int, (n,) int or (n, 4) int
    How many ordinary melds (pongs and kongs that are not gold), or the melds themselves: -1 for none,
    else 64 * type + kind, types 0 pong, 1 exposed, 2 added, 3 concealed kong, 4 chow (lowest kind).
    Where flowers are counted only the melds themselves will do.
rules : str or Rules
    A preset's name or a value of `tjmj.rules`.
threads : int
    How many may share the rows, the caller's own counted; no more than there are processors do. It pays from a
    few thousand rows on, and changes no answer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _batch
from ._score import FLAGS, SOURCES
from ._threads import threads_wanted
from .errors import RulesError, TjmjError
from .limits import as_array, shown, whole_numbers
from .rulesets import Rules, as_rules

__all__ = ["Scores", "is_win", "score", "waits", "waits_left"]

IntLike = int | npt.NDArray[np.integer[Any]]
BoolLike = bool | npt.NDArray[np.bool_]


class Scores(NamedTuple):
    """Results of `score`, one of each for a row."""

    fan: npt.NDArray[np.uint16]
    """Fan of the best reading, 0 where the hand is not complete."""
    elements: npt.NDArray[np.uint32]
    """Element bits: bit i is `tjmj.elements.KEYS[i]`."""
    legal: npt.NDArray[np.bool_]
    """Whether the hand may win."""
    flowers: npt.NDArray[np.uint16] | None = None
    """Flowers of the best reading; None where they are not counted."""
    points: npt.NDArray[np.int64] | None = None
    """Points that a payer owes, 0 where the hand is not complete; None where flowers are not counted."""


def _rows(counts: npt.NDArray[np.uint8], rules: Rules) -> npt.NDArray[np.uint8]:
    if not isinstance(counts, np.ndarray) or counts.dtype != np.uint8:
        dtype = getattr(counts, "dtype", type(counts).__name__)
        raise TypeError(f"counts must be an array of uint8, not {dtype}")
    width = _batch.row_width(rules)
    if counts.ndim != 2 or counts.shape[1] != width:
        raise TjmjError(f"counts must have the shape (n, {width}) under {rules!r}, not {counts.shape}")
    return np.ascontiguousarray(as_array("counts", counts))


def _column(name: str, value: IntLike, n: int, low: int, high: int) -> npt.NDArray[np.int32]:
    """One whole number, or one for each row; arrays of int32 are read as they are and checked by the loops."""
    given = whole_numbers(name, value)
    if given.ndim > 1 or (given.ndim == 1 and given.shape != (n,)):
        raise TjmjError(f"{name} must be one number or have the shape ({n},), not {given.shape}")
    if given.ndim == 1 and given.dtype == np.int32:
        return np.ascontiguousarray(given)
    return _in_range(name, given, low, high).reshape(-1).astype(np.int32)


def _in_range(name: str, numbers: npt.NDArray[Any], low: int, high: int) -> npt.NDArray[Any]:
    wrong = (numbers < low) | (numbers > high)
    if wrong.any():
        place = int(wrong.argmax())
        where = f" of row {place * len(numbers) // numbers.size}" if numbers.ndim else ""
        allowed = f"from {low} to {high}" if low < high else f"{low}, which alone is allowed here"
        raise TjmjError(f"{name} {numbers.reshape(-1)[place]}{where} is not {allowed}")
    return numbers


def _highest_flip(rules: Rules) -> int:
    return -1 if rules.wild_by == "none" else _batch.row_width(rules) - 1


def _melds(melds: IntLike, n: int) -> npt.NDArray[np.int32] | npt.NDArray[np.int16]:
    given = whole_numbers("melds", melds)
    if given.ndim < 2:
        return _column("melds", given, n, 0, 4)
    if given.shape != (n, 4):
        raise TjmjError(f"melds must be one number or have the shape ({n},) or ({n}, 4), not {given.shape}")
    # a copy that nobody else can change: the loops read it more than once
    return _in_range("melds", given.copy(), -1, 5 * 64 - 1).astype(np.int16)


def _truths(name: str, value: BoolLike, n: int) -> npt.NDArray[np.bool_]:
    """One truth value, or one for each row."""
    given = as_array(name, value)
    if given.dtype != np.bool_:
        raise TypeError(f"{name} must be bool, not {given.dtype}")
    if given.ndim > 1 or (given.ndim == 1 and given.shape != (n,)):
        raise TjmjError(f"{name} must be one bool or have the shape ({n},), not {given.shape}")
    return given.reshape(-1)


def _flags(rules: Rules, n: int, **named: BoolLike) -> npt.NDArray[np.uint8]:
    flags = np.zeros(1, np.uint8)
    for name, value in named.items():
        flags = flags | (_truths(name, value, n) * np.uint8(FLAGS[name]))
    for name, option in (("earthly", "earthly"), ("ready", "heavenly_ready")):
        if not getattr(rules, option) and (flags & FLAGS[name]).any():
            raise RulesError(f"{name} is off: {option} in {rules!r}")
    return flags


def _sources(n: int, named: dict[str, BoolLike], source: Any) -> npt.NDArray[np.uint8]:
    for name, value in named.items():
        if _truths(name, value, n).any():
            raise RulesError(f"{name} is not asked where flowers are counted; say source=")
    given = as_array("source", source)
    if given.dtype.kind != "U" or given.ndim > 1 or (given.ndim == 1 and given.shape != (n,)):
        raise TjmjError(f"source must be one of {', '.join(SOURCES)}, or have the shape ({n},)")
    words, which = np.unique(given.reshape(-1), return_inverse=True)
    # An array keeps no NUL at the end of a text, so a text is looked at as it was given.
    for word in (source,) if isinstance(source, str) else words:
        if word not in SOURCES:
            raise RulesError(f"unknown source {shown(str(word))}: it is {', '.join(SOURCES)}")
    return np.array([SOURCES[word] for word in words], np.uint8)[which.reshape(-1)]


def is_win(
    counts: npt.NDArray[np.uint8],
    flip: IntLike,
    melds: IntLike = 0,
    rules: str | Rules = "tianjin",
    *,
    threads: int = 1,
) -> npt.NDArray[np.bool_]:
    """Whether each hand is complete: four sets and a pair, wildcards standing for any tile.

    Returns
    -------
    (n,) bool
        The shape alone; whether a hand may win depends on its fan, see `score`.

    Raises
    ------
    TypeError, TjmjError, HandError, RulesError
        See the module.
    """
    threads = threads_wanted(threads)
    rules = as_rules(rules)
    rows = _rows(counts, rules)
    n = len(rows)
    out = np.empty(n, np.bool_)
    columns = _column("flip", flip, n, -1, _highest_flip(rules)), _melds(melds, n)
    if n:
        _batch.win(rules, rows, *columns, out.view(np.uint8), threads)
    return out


def _waits(
    counts: npt.NDArray[np.uint8], flip: IntLike, melds: IntLike, rules: str | Rules, left: bool, threads: int
) -> npt.NDArray[np.uint8]:
    threads = threads_wanted(threads)
    rules = as_rules(rules)
    rows = _rows(counts, rules)
    n = len(rows)
    out = np.zeros(rows.shape, np.uint8)
    columns = _column("flip", flip, n, -1, _highest_flip(rules)), _melds(melds, n)
    if n:
        _batch.waits(rules, rows, *columns, out, left, threads)
    return out


def waits(
    counts: npt.NDArray[np.uint8],
    flip: IntLike,
    melds: IntLike = 0,
    rules: str | Rules = "tianjin",
    *,
    threads: int = 1,
) -> npt.NDArray[np.bool_]:
    """Which kinds complete each waiting hand, wild kinds and dead waits included.

    Returns
    -------
    (n, 34) bool
        `(n, 42)` where flowers are wild.

    Raises
    ------
    TypeError, TjmjError, HandError, RulesError
        See the module.
    """
    return _waits(counts, flip, melds, rules, False, threads).view(np.bool_)


def waits_left(
    counts: npt.NDArray[np.uint8],
    flip: IntLike,
    melds: IntLike = 0,
    rules: str | Rules = "tianjin",
    *,
    threads: int = 1,
) -> npt.NDArray[np.uint8]:
    """Copies of each kind that would complete each waiting hand: not in it, its melds or the flipped tile.

    Returns
    -------
    (n, 34) uint8
        0 for a kind that does not complete the hand, and for a dead wait. Where `melds` says only how
        many there are, their tiles count as not seen.

    Raises
    ------
    TypeError, TjmjError, HandError, RulesError
        See the module.
    """
    return _waits(counts, flip, melds, rules, True, threads)


def score(
    counts: npt.NDArray[np.uint8],
    flip: IntLike,
    win: IntLike,
    melds: IntLike = 0,
    rules: str | Rules = "tianjin",
    *,
    kong_draw: BoolLike = False,
    heavenly: BoolLike = False,
    earthly: BoolLike = False,
    ready: BoolLike = False,
    source: str | npt.NDArray[np.str_] | None = None,
    flowers: IntLike = 0,
    threads: int = 1,
) -> Scores:
    """Fan, elements and whether it may win, of each hand (spec: tianjin section 5).

    Parameters
    ----------
    win : int or (n,) int
        The winning kind, one of the hand's; -1 may stand where it does not matter: 天和, and an own draw where
        flowers are counted.
    kong_draw, heavenly, earthly, ready : bool or (n,) bool
        杠开, 天和, 地和, 天听, as for `tjmj.score`.
    source : str or (n,) str
        Where flowers are counted: where the winning tile came from, as for `tjmj.score`.
    flowers : int or (n,) int
        Where flowers are counted: how many flower tiles are laid out, 0 to 8.

    Returns
    -------
    Scores
        `fan` (n,) uint16, `elements` (n,) uint32 bits, `legal` (n,) bool; where flowers are counted also
        `flowers` (n,) uint16 and `points` (n,) int64.

    Raises
    ------
    TypeError, TjmjError, HandError
        See the module.
    RulesError
        For a circumstance that the rules do not have.
    """
    threads = threads_wanted(threads)
    rules = as_rules(rules)
    rows = _rows(counts, rules)
    n = len(rows)
    columns = _column("flip", flip, n, -1, _highest_flip(rules)), _melds(melds, n)
    winning = _column("win", win, n, -1, rows.shape[1] - 1)
    named = {"kong_draw": kong_draw, "heavenly": heavenly, "earthly": earthly, "ready": ready}
    if rules.counting == "flowers":
        flags = _sources(n, named, "self" if source is None else source)
        most = 8
    else:
        if source is not None:
            raise RulesError(f"source is not asked in {rules!r}: kong_draw says 杠开")
        flags = _flags(rules, n, **named)
        most = 0
    laid_out = _in_range("flowers", _column("flowers", flowers, n, 0, most), 0, most)
    out = Scores(np.empty(n, np.uint16), np.empty(n, np.uint32), np.empty(n, np.bool_))
    if most:
        out = out._replace(flowers=np.empty(n, np.uint16), points=np.empty(n, np.int64))
    if n:
        filled = [array.view(np.uint8) if array is out.legal else array for array in out if array is not None]
        _batch.score(rules, rows, *columns, winning, flags, laid_out, filled, threads)
    return out
