from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .rulesets import Rules

def row_width(rules: str | Rules) -> int: ...
def win(
    rules: str | Rules,
    counts: npt.NDArray[np.uint8],
    flip: npt.NDArray[np.int32],
    melds: npt.NDArray[np.int32] | npt.NDArray[np.int16],
    out: npt.NDArray[np.uint8],
    threads: int,
) -> None: ...
def waits(
    rules: str | Rules,
    counts: npt.NDArray[np.uint8],
    flip: npt.NDArray[np.int32],
    melds: npt.NDArray[np.int32] | npt.NDArray[np.int16],
    out: npt.NDArray[np.uint8],
    left: bool,
    threads: int,
) -> None: ...
def score(
    rules: str | Rules,
    counts: npt.NDArray[np.uint8],
    flip: npt.NDArray[np.int32],
    melds: npt.NDArray[np.int32] | npt.NDArray[np.int16],
    win: npt.NDArray[np.int32],
    flags: npt.NDArray[np.uint8],
    flowers: npt.NDArray[np.int32],
    out: Sequence[npt.NDArray[Any]],
    threads: int,
) -> None: ...
