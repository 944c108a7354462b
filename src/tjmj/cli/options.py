"""Options that several commands have, and which of them rules ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from .. import rulesets
from ..rulesets import Rules

_Command = TypeVar("_Command", bound=Callable[..., Any])


def added(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """One decorator that adds several arguments and options, in their order."""

    def decorated(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


rules_options = added(
    click.option("--rules", "preset", metavar="NAME", default="tianjin", show_default=True,
                 help="The preset to play by; `tjmj rules` lists them."),
    click.option("--set", "settings", metavar="OPTION=VALUE", multiple=True,
                 help="Set an option of the rules; may be given more than once."),
)  # fmt: skip
"""`--rules` and `--set`, for `chosen_rules`."""


def chosen_rules(preset: str, settings: Sequence[str]) -> Rules:
    """The preset with what is set; raises `RulesError` and `click.UsageError`."""
    known = rulesets.rules_options(preset)
    values: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise click.UsageError(f"--set {setting!r}: write it as OPTION=VALUE")
        values[name] = known[name].read(name, text) if name in known else text
    return rulesets.rules_from(preset, values)


FLAGS = ("kong_draw", "heavenly", "earthly", "ready")
"""What is asked of a win where fan alone are counted."""

_ASKED = {"fan": FLAGS, "flowers": ("source", "flowers")}
"""What is asked about a hand beside its tiles, by how the rules count; arguments of `tjmj.score`."""


def asks_flip(rules: Rules) -> bool:
    """Whether a hand is read beside a flipped tile."""
    return rules.wild_by != "none"


def asks_flowers(rules: Rules) -> bool:
    """Whether flowers are counted, and a winning tile's source asked for."""
    return rules.counting == "flowers"


def is_given(value: object) -> bool:
    """Whether an option was given on the command line: 0 is a value like others."""
    return value is not None and value is not False


def circumstances(rules: Rules, given: dict[str, Any]) -> dict[str, Any]:
    """What was given of a hand's circumstances; raises `click.UsageError` for what the rules do not ask."""
    chosen = {name: value for name, value in given.items() if is_given(value)}
    for name in chosen:
        if name not in _ASKED[rules.counting]:
            raise click.UsageError(f"{option_name(name)} is not asked by the rules {rules.name!r}")
    return chosen


def option_name(argument: str) -> str:
    """How an argument is written on the command line."""
    return argument if argument.isupper() else "--" + argument.replace("_", "-")
