"""Options that several commands have."""

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
