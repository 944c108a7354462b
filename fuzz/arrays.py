"""Arguments of `tjmj.batch`: right rows and wrong ones, in arrays of every layout and type.

Law: a clear error, or what plain copies of the same arrays give, also row by row and by more threads; nothing that is
given is changed. While another thread writes to them the answers may be anything, but each is one that there can be.
"""

from __future__ import annotations

import ctypes
import random
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from test_batch import arrays, golden

import tjmj
from tjmj import HandError, TjmjError, batch

from .choices import Choices

Arguments = dict[str, Any]
RULES = (
    "tianjin", "tianjin-hall", "tianjin-street", "jintan", tjmj.rules(flower_wilds=True), tjmj.rules(gold_kong=0),
    tjmj.rules("tianjin-street", wild_kinds=3, flower_wilds=True), tjmj.rules("jintan", chow=False, min_flowers=3),
)  # fmt: skip
WITH_WIN = [tjmj.Hand.parse(line["hand"], line["flip"]) for line in golden("tianjin_fan_table", "tianjin_random")[:150]]
WAITING = [tjmj.Hand.parse(line["hand"], line["flip"]) for line in golden("tianjin_waits")[:150]]
JINTAN = [tjmj.Hand.parse(line["hand"], rules="jintan") for line in golden("jintan_random")[:150]]
CALLS = ("is_win", "score", "waits", "waits_left")
NUMBERS = (-(2**63), -(2**31), -2, -1, 0, 1, 4, 5, 27, 33, 34, 41, 42, 63, 64, 92, 255, 319, 320, 2**31, 2**63 - 1)
NO_ARRAYS = (
    None, True, 1.5, "1F", "", b"", [], [0], [[0] * 34], (), {}, object, 2**64, np.zeros(()), np.float32(1),
    [[0], [0, 1]],
)  # fmt: skip
SOURCES = ("self", "discard", "kong", "rob", "chow", "")
DTYPES = (
    "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u2", "f4", "f8", "?", "O", "U3", "M8[s]", "c8", "m8[s]",
)  # fmt: skip

WRITER = ThreadPoolExecutor(1)  # the sanitizer keeps half a megabyte of every thread that there was


def check(data: bytes) -> None:
    rng = Choices(data)
    written_to = rng.random() < 0.04
    name = rng.choice(CALLS)
    given = arguments(rng, name, many=written_to)
    if written_to:
        while_written_to(rng, name, given)
        return
    copies = {key: copied(value) for key, value in given.items()}
    found = outcome(name, given)
    assert same(found, outcome(name, copies)), (found, given)
    assert all(same(value, copies[key]) for key, value in given.items())
    alone = copies | {"threads": 1}
    if "threads" in given and given["threads"] in (2, 3):
        assert same(found, outcome(name, alone)), (found, given)
    check_rows(rng, name, alone, found)


# What is given


def arguments(rng: random.Random, name: str, many: bool) -> Arguments:
    rules = rng.choice(RULES)
    counts, flip, win, melds = rows(rng, name, rules, many)
    given: Arguments = {"counts": counts, "flip": flip, "melds": melds, "rules": rules}
    n = len(counts)
    if name == "score":
        given["win"] = win
        for flag in ("kong_draw", "heavenly", "earthly", "ready"):
            if rng.random() < 0.1:
                given[flag] = rng.choice((True, False, np.array([rng.random() < 0.5 for _ in range(n)], np.bool_)))
        if getattr(rules, "name", rules) == "jintan":
            given["source"] = rng.choice((*SOURCES[:4], np.array([rng.choice(SOURCES[:4]) for _ in range(n)])))
            given["flowers"] = rng.choice((0, 3, np.array([rng.randrange(9) for _ in range(n)])))
        if rng.random() < 0.03:
            given["source"] = rng.choice((*SOURCES, np.array([rng.choice(SOURCES) for _ in range(n)], "U9"), 3))
    if rng.random() < 0.3:
        given["threads"] = rng.choice((1, 2, 3) if rng.random() < 0.9 else (0, -1, 2**40, None, "2", 1.0, True))
    for key in given:
        if key not in ("rules", "threads"):
            given[key] = bent(rng, given[key])
    if rng.random() < 0.05:
        given[rng.choice(sorted(given))] = rng.choice((*NO_ARRAYS, *NUMBERS))
    if rng.random() < 0.05:
        share_memory(rng, given)
    return given


def rows(rng: random.Random, name: str, rules: Any, many: bool) -> tuple[Any, Any, Any, Any]:
    """Rows of hands, many if they must be, some of them with a wrong number, and what goes with them."""
    jintan = getattr(rules, "name", rules) == "jintan"
    pool = JINTAN if jintan else WAITING if name.startswith("waits") else WITH_WIN
    hands = [rng.choice(pool) for _ in range(rng.choice((0, 1, 1, 2, 3, 7, 20)))]
    counts, flip, win, melds = arrays(hands) if hands else (np.zeros((0, 34), np.uint8), *np.zeros((3, 0), int))
    melds = melds.reshape(-1, 4)
    if name.startswith("waits") and jintan and hands:
        counts[np.arange(len(hands)), win] -= 1
    width = 42 if getattr(rules, "flower_wilds", False) else 34
    if width > 34:
        counts = np.hstack([counts, np.zeros((len(counts), 8), np.uint8)])
    for _ in range(rng.choice((0, 0, 0, 1, 2)) if hands else 0):
        at, kind, other = rng.randrange(len(hands)), rng.randrange(width), rng.randrange(width)
        counts[at, kind] = rng.choice((0, 1, 2, 4, 5, 127, 128, 255))
        if rng.random() < 0.5:
            counts[at, kind], counts[at, other] = 1, 0
        column = rng.choice((flip, win, melds[:, rng.randrange(4)]))
        column[at] = rng.choice(NUMBERS[2:19])
    if (rng.random() < 0.1 or many) and hands:
        repeat = rng.choice((50, 300))
        counts, flip, win, melds = (np.repeat(each, repeat, axis=0) for each in (counts, flip, win, melds))
    if rng.random() < 0.3 and len(flip):
        flip, win = rng.choice(((int(flip[0]), win), (flip, int(win[0])), (int(flip[0]), int(win[0]))))
    if rng.random() < 0.3 and not jintan:
        melds = rng.choice((0, 1, 4, rng.choice(NUMBERS), (melds >= 0).sum(axis=1)))
    return counts, flip, win, melds


def bent(rng: random.Random, value: Any) -> Any:
    """The same numbers in another layout, or now and then of another type or shape."""
    if not isinstance(value, np.ndarray) or rng.random() < 0.5:
        return value
    return rng.choice(LAYOUTS)(rng, value)


def spread(rng: random.Random, value: Any) -> Any:
    steps = tuple(rng.choice((1, 2, 3, -1, -2)) for _ in value.shape)
    wide = np.zeros([abs(step) * size + 1 for step, size in zip(steps, value.shape)], value.dtype)
    part = wide[tuple(slice(1, None, abs(step)) if step > 0 else slice(None, None, step) for step in steps)]
    part = part[tuple(slice(size) for size in value.shape)]
    part[...] = value
    return part


def unaligned(rng: random.Random, value: Any) -> Any:
    memory = bytearray(rng.choice((1, 3))) + value.tobytes()
    return np.frombuffer(memory, value.dtype, offset=len(memory) - value.nbytes).reshape(value.shape)


def read_only(rng: random.Random, value: Any) -> Any:
    value = value.copy()
    value.setflags(write=False)
    return value


def of_other_type(rng: random.Random, value: Any) -> Any:
    try:
        with np.errstate(all="ignore"):
            return value.astype(rng.choice(DTYPES))
    except (TypeError, ValueError):  # words are no numbers
        return value


def of_other_shape(rng: random.Random, value: Any) -> Any:
    return rng.choice((value.reshape(-1), value[None], value.T, value[1:], value[:, None], value[..., :1]))


def repeated(rng: random.Random, value: Any) -> Any:
    """One row for all, its bytes lying over each other."""
    return np.broadcast_to(value[:1], value.shape) if len(value) else value


def overlapping(rng: random.Random, value: Any) -> Any:
    """Each row begins within the one before."""
    if value.ndim != 2 or len(value) < 2:
        return value
    step = rng.choice((0, 1, value.strides[0] // 2, value.shape[1] - 1)) // value.itemsize * value.itemsize
    return np.lib.stride_tricks.as_strided(value, value.shape, (step, value.itemsize))


LAYOUTS = (
    spread, spread, unaligned, read_only, repeated, overlapping, of_other_type, of_other_shape,
    lambda rng, value: np.asfortranarray(value), lambda rng, value: value.view(np.ma.MaskedArray),
    lambda rng, value: value.astype("i4") if value.dtype == "i8" else value, lambda rng, value: value.tolist(),
)  # fmt: skip


def share_memory(rng: random.Random, given: Arguments) -> None:
    """The columns lie in the bytes of the counts."""
    counts = given["counts"]
    if isinstance(counts, np.ndarray) and counts.dtype == np.uint8 and counts.ndim == 2 and counts.shape[1]:
        for key in {"flip", "win"} & given.keys():
            given[key] = counts[:, rng.randrange(counts.shape[1])].view(np.int8)


# What is answered


def outcome(name: str, given: Arguments) -> Any:
    """The arrays of an answer, or the error with its words."""
    try:
        found = getattr(batch, name)(**given)
    except (TypeError, TjmjError) as fault:
        assert 0 < len(str(fault)) < 2000
        return type(fault), str(fault)
    return tuple(found) if isinstance(found, tuple) else (found,)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    return bool(type(one) is type(other) and one == other)


def copied(value: Any) -> Any:
    return np.array(value, order="C", subok=True) if isinstance(value, np.ndarray) else value


def sliced(given: Arguments, part: slice, n: int) -> Arguments:
    return {
        key: value[part] if isinstance(value, np.ndarray) and value.ndim and len(value) == n else value
        for key, value in given.items()
    }


def check_rows(rng: random.Random, name: str, given: Arguments, found: Any) -> None:
    """A row alone gives what it gives among others; where one is wrong it is the first such row, and is named."""
    plain = all(isinstance(value, (np.ndarray, int, str)) for key, value in given.items() if key != "rules")
    n = len(given["counts"]) if isinstance(given["counts"], np.ndarray) and given["counts"].ndim else 0
    if not n or not plain:
        return
    if isinstance(found[0], np.ndarray):
        at = rng.randrange(n)
        alone = outcome(name, sliced(given, slice(at, at + 1), n))
        assert same(alone, tuple(None if each is None else each[at : at + 1] for each in found)), (alone, found)
    elif found[0] is HandError:
        named, row = re.search(r"row (\d+)", found[1]).group(0, 1)
        at = int(row)
        before, alone = (outcome(name, sliced(given, part, n)) for part in (slice(at), slice(at, at + 1)))
        assert at < n and before[0] is not HandError, (found, before)
        assert alone == (HandError, found[1].replace(named, "row 0", 1)), (found, alone)


def while_written_to(rng: random.Random, name: str, given: Arguments) -> None:
    """Another thread scribbles in the memory of what is given; whatever is answered has the right shape."""
    arrays = [value for value in given.values() if isinstance(value, np.ndarray) and value.size]
    targets = [memory_of(value) for value in arrays if value.dtype.kind in "iu"]
    seed, stop = rng.getrandbits(32), threading.Event()

    def scribble() -> None:
        numbers = np.random.default_rng(seed)
        while targets and not stop.is_set():
            target = targets[numbers.integers(len(targets))]
            at = numbers.integers(0, len(target), 20)
            old = target[at]
            target[at] = numbers.integers(0, 120, 20)
            target[at] = old

    scribbling = WRITER.submit(scribble)
    try:
        for _ in range(3):
            found = outcome(name, given)
            if isinstance(found[0], np.ndarray):
                assert all(each is None or len(each) == len(given["counts"]) for each in found)
    finally:
        stop.set()
    scribbling.result()


def memory_of(value: Any) -> Any:
    """The bytes from the first to the last that an array lies in; they may be written to even if it may not."""
    first, end = np.lib.array_utils.byte_bounds(value)
    return np.ctypeslib.as_array((ctypes.c_uint8 * (end - first)).from_address(first))
