from typing import Any, Literal, TypeAlias, overload

from ._hand import Hand
from ._notation import _Notation
from ._reading import Group, _Shape
from .rulesets import Rules

_Source: TypeAlias = Literal["self", "kong", "discard", "rob"]

FLAGS: dict[str, int]
SOURCES: dict[str, int]

class Score:
    @property
    def hand(self) -> Hand: ...
    @property
    def win(self) -> bool: ...
    @property
    def legal(self) -> bool: ...
    @property
    def source(self) -> _Source | None: ...
    @property
    def flowers(self) -> int: ...
    @property
    def points(self) -> int: ...
    @property
    def fan(self) -> int: ...
    @property
    def elements(self) -> tuple[str, ...]: ...
    @property
    def name(self) -> str: ...
    @property
    def formula(self) -> str: ...
    @property
    def kong_value(self) -> int: ...
    @property
    def reading(self) -> tuple[Group, ...] | None: ...
    @property
    def shape(self) -> _Shape | None: ...
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@overload
def score(
    hand: Hand,
    *,
    kong_draw: bool = False,
    heavenly: bool = False,
    earthly: bool = False,
    ready: bool = False,
    source: _Source | None = None,
    flowers: int = 0,
) -> Score: ...
@overload
def score(
    hand: str,
    flip: str | int | None = None,
    rules: str | Rules | None = None,
    *,
    kong_draw: bool = False,
    heavenly: bool = False,
    earthly: bool = False,
    ready: bool = False,
    source: _Source | None = None,
    flowers: int = 0,
    notation: _Notation = None,
) -> Score: ...
