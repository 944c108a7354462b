"""The `Rules` type: one value for all that a game is played by, whatever the ruleset.

A ruleset (tianjin.py, ...) says which options it has and which values its presets give them; code
elsewhere reads the fields of a `Rules` and never its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from ..errors import RulesError
from ..limits import shown

Value = bool | int | str | None


@dataclass(frozen=True)
class Option:
    """What an option may be, and what it means.

    Parameters
    ----------
    meaning : str
        One line for people.
    section : str
        The page and section of the specification.
    allowed : type or range or tuple
        `bool` for a flag, a range of whole numbers, or a tuple of choices.
    special : tuple
        Values allowed besides a range, such as None for "no cap".
    """

    meaning: str
    section: str
    allowed: type[bool] | range | tuple[str, ...]
    special: tuple[Value, ...] = ()

    def check(self, name: str, value: object) -> None:
        """Raise `RulesError` unless `value` is one that this option may have."""
        if self.allowed is bool:
            fine = isinstance(value, bool)
        elif isinstance(self.allowed, range):
            fine = isinstance(value, int) and not isinstance(value, bool) and value in self.allowed
        else:
            fine = isinstance(value, str) and value in self.allowed
        # True == 1, so a special value has to agree in type as well.
        if not fine and not any(value == v and type(value) is type(v) for v in self.special):
            raise RulesError(f"option {name} cannot be {shown(value)}: it is {self.range_text()}")

    def range_text(self) -> str:
        """The values that are allowed, in words."""
        if self.allowed is bool:
            words = ["true or false"]
        elif isinstance(self.allowed, range):
            words = [f"a whole number from {self.allowed[0]} to {self.allowed[-1]}"]
        else:
            words = [" or ".join(repr(choice) for choice in self.allowed)]
        words += ["none" if value is None else repr(value) for value in self.special]
        return ", or ".join(words)

    def read(self, name: str, text: str) -> Value:
        """The value that `text` spells on a command line; raises `RulesError`."""
        lowered = text.strip().lower()
        words: dict[str, Value] = {}
        if self.allowed is bool:
            words = dict.fromkeys(("true", "yes", "on", "1"), True)
            words |= dict.fromkeys(("false", "no", "off", "0"), False)
        if None in self.special:
            words |= {"none": None, "null": None}
        value: Value = words.get(lowered, lowered)
        if isinstance(self.allowed, range) and isinstance(value, str):
            try:
                value = int(value) if value.isascii() and value.lstrip("-").isdigit() else value
            except ValueError:  # more digits than int() converts
                pass
        self.check(name, value)
        return value


@dataclass(frozen=True, kw_only=True, repr=False)
class Rules:
    """A ruleset's preset with its options set: immutable, compared and hashed by value.

    Made by `tjmj.rules`. Most fields are options that can be set on top of a preset, and
    `rules_options(name)` describes those that a ruleset has; the rest is what makes the ruleset:

    counting : {"fan", "flowers"}
        How a hand is counted: by fan, or by flowers and fan.
    flower_tiles : bool
        The eight flowers are laid out and replaced.
    discard_wins : bool
        A discard can be won on and an added kong robbed, with the locks on such wins.
    claim_kongs : bool
        A concealed or added kong may be made right after a claim.
    hidden_kongs : bool
        The others do not see which tiles lie in a concealed kong.
    seven_pairs : bool
        七对 is a winning shape.
    """

    name: str
    opening: Literal["one-throw", "two-throw", "picked-wall"]
    wild_by: Literal["dice", "turned", "none"]
    wild_kinds: int
    flower_wilds: bool
    gold_kong: int
    gold_kong_by_discard: bool
    chan: int
    stakes: bool
    max_pulls: int
    chuai: bool
    exposed_kong: int
    concealed_kong: int
    heavenly_factor: int
    heavenly_mode: Literal["times", "plus"]
    min_fan: int
    base: int
    cap: int | None
    dealer_yields_to_kong: bool
    plain_dragon: bool
    earthly: bool
    heavenly_ready: bool
    last_tiles_closed: int
    seating: Literal["fixed", "random", "winds"]
    titles: bool
    first_dealer: int | Literal["random"]
    counting: Literal["fan", "flowers"]
    flower_tiles: bool
    chow: bool
    discard_wins: bool
    claim_kongs: bool
    hidden_kongs: bool
    seven_pairs: bool
    value: int
    min_flowers: int
    cap_fan: int

    def __post_init__(self) -> None:
        from . import preset, ruleset_of  # the registry imports this module

        ruleset = ruleset_of(self.name)
        for name, value in self.values().items():
            if name in ruleset.options:
                ruleset.options[name].check(name, value)
            elif name != "name" and value != ruleset.fixed[name]:
                known = ", ".join(preset(self.name))
                raise RulesError(f"rules {self.name!r} have no option {shown(name)}; they have {known}")

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(self.values().values()))

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        changed = "".join(f", {name}={value!r}" for name, value in self.changed().items())
        return f"tjmj.rules({self.name!r}{changed})"

    def __str__(self) -> str:
        """The name and the options that were set, as they are written on a command line."""
        return " ".join([self.name, *(f"{name}={value_text(value)}" for name, value in self.changed().items())])

    def __reduce__(self) -> tuple[Any, ...]:
        from . import rules_from  # the registry imports this module

        return rules_from, (self.name, self.changed())

    def values(self) -> dict[str, Value]:
        """Every field and its value."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def options(self) -> dict[str, Value]:
        """The options of its ruleset and their values."""
        from . import preset

        return {name: getattr(self, name) for name in preset(self.name)}

    def changed(self) -> dict[str, Value]:
        """The options that differ from the preset, as a record writes them."""
        return dict(self._changed)

    @cached_property
    def _changed(self) -> dict[str, Value]:
        # Every record asks for them.
        from . import preset

        usual = preset(self.name)
        return {name: value for name, value in self.options().items() if value != usual[name]}

    def to_json(self) -> dict[str, Value]:
        """The name and the options that differ from the preset, as a record writes rules."""
        return {"name": self.name, **self.changed()}


def value_text(value: Value) -> str:
    """A value as `Option.read` reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _read_only(values: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(dict(values))


@dataclass(frozen=True)
class Ruleset:
    """A ruleset: the options it has, the presets that give each a value, and all that is fixed."""

    options: Mapping[str, Option]
    fixed: Mapping[str, Value]
    """The fields of `Rules` that are no options here."""
    presets: Mapping[str, Mapping[str, Value]]
    titles: Mapping[str, str]
    """What each preset is, in a line for people."""

    def __post_init__(self) -> None:
        for name, chosen in self.presets.items():
            given = {**self.fixed, **chosen}
            if given["counting"] != "flowers" and (given["discard_wins"] or given["seven_pairs"]):
                raise RulesError(f"{name}: discards and seven pairs win only where flowers are counted")
            if given["counting"] == "flowers" and given["wild_by"] != "none":
                raise RulesError(f"{name}: where flowers are counted there are no wildcards")
        presets = {name: _read_only(values) for name, values in self.presets.items()}
        for name, values in (("options", self.options), ("fixed", self.fixed), ("presets", presets)):
            object.__setattr__(self, name, _read_only(values))
