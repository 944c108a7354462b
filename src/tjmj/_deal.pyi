from collections.abc import Sequence
from typing import NamedTuple

from .rulesets import Rules

class Deal(NamedTuple):
    open: tuple[int, ...]
    flip: tuple[int, ...]
    wall: bytes

def deal(
    seed: bytes, rules: str | Rules = "tianjin", client_seeds: Sequence[bytes] | None = None
) -> Deal: ...
def deal_fast(seed: int, hand: int, rules: str | Rules = "tianjin") -> Deal: ...
def commitment(seed: bytes) -> bytes: ...
def run_seed(seed: int, hand: int) -> bytes: ...
