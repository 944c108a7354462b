"""The rulesets known by name, and how a `Rules` is made from one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ..errors import RulesError
from ..limits import shown
from . import jintan, tianjin
from .base import Option, Rules, Ruleset, Value

__all__ = [
    "Option", "Rules", "Ruleset", "as_rules", "preset", "preset_names", "preset_title", "rules",
    "rules_from", "rules_options", "ruleset_of",
]  # fmt: skip

_RULESETS = (tianjin.RULESET, jintan.RULESET)


def ruleset_of(name: object) -> Ruleset:
    """The ruleset that a preset belongs to; raises `RulesError` for an unknown name."""
    for ruleset in _RULESETS:
        if isinstance(name, str) and name in ruleset.presets:
            return ruleset
    raise RulesError(f"unknown rules {shown(name)}; there are {', '.join(preset_names())}")


def preset_names() -> list[str]:
    """Names of all presets, in the order of the documentation."""
    return [name for ruleset in _RULESETS for name in ruleset.presets]


def preset(name: str) -> Mapping[str, Value]:
    """Options of a preset and their values; raises `RulesError` for an unknown name."""
    return ruleset_of(name).presets[name]


def preset_title(name: str) -> str:
    """A line for people that says what the preset is."""
    return ruleset_of(name).titles[name]


def rules_options(name: str) -> Mapping[str, Option]:
    """The options that a preset's ruleset has; raises `RulesError` for an unknown name."""
    return ruleset_of(name).options


def rules_from(name: str, options: Mapping[str, Any]) -> Rules:
    """A preset with the given options set on top of it; raises `RulesError`."""
    known = rules_options(name)
    for option in options:
        if option not in known:
            raise RulesError(f"rules {name!r} have no option {option!r}; they have {', '.join(known)}")
    fields = {**ruleset_of(name).fixed, **preset(name), **options}
    return Rules(name=name, **fields)


@cache
def _plain(name: str) -> Rules:
    return rules_from(name, {})


def rules(name: str = "tianjin", /, **options: Value) -> Rules:
    """Rules by the name of a preset, with any of its options set (spec: tianjin section 8).

    Parameters
    ----------
    name : str
        `"tianjin"`, `"tianjin-hall"`, `"tianjin-street"` or `"jintan"`.
    **options
        Values that differ from the preset's.

    Raises
    ------
    RulesError
        For an unknown name or option, or a value out of its range.

    Examples
    --------
    >>> import tjmj
    >>> tjmj.rules("tianjin", cap=None)
    tjmj.rules('tianjin', cap=None)
    """
    return rules_from(name, options) if options else as_rules(name)


def as_rules(value: str | Rules) -> Rules:
    """The `Rules` meant by a preset's name or given as a value; raises `RulesError`."""
    if isinstance(value, Rules):
        return value
    ruleset_of(value)  # refuses what is not a name before it is hashed
    return _plain(value)
