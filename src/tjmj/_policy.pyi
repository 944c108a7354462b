from typing import Any, Self, TypeAlias

from .rulesets import Rules

# Dealer, stakes, dice, wall, moves, result.
_Told: TypeAlias = tuple[
    int, tuple[bool, list[int], list[bool]], list[int], bytes, list[str], dict[str, Any]
]

POLICIES: tuple[str, ...]

class Hands:
    def __new__(cls, rules: str | Rules, seed: int, policy: str = "random") -> Self: ...
    @property
    def rules(self) -> Rules: ...
    def totals(self, first: int, count: int) -> dict[str, Any]: ...
    def records(self, first: int, count: int) -> list[_Told]: ...
