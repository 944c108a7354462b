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
) -> None: ...
def waits(
    rules: str | Rules,
    counts: npt.NDArray[np.uint8],
    flip: npt.NDArray[np.int32],
    melds: npt.NDArray[np.int32] | npt.NDArray[np.int16],
    out: npt.NDArray[np.uint8],
    left: bool,
) -> None: ...
def score(
    rules: str | Rules,
    counts: npt.NDArray[np.uint8],
    flip: npt.NDArray[np.int32],
    melds: npt.NDArray[np.int32] | npt.NDArray[np.int16],
    win: npt.NDArray[np.int32],
    flags: npt.NDArray[np.uint8],
    fan: npt.NDArray[np.uint16],
    elements: npt.NDArray[np.uint32],
    legal: npt.NDArray[np.uint8],
) -> None: ...
