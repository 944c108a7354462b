"""What the records of a match do not tell: its names and end, its seed, the open hand (see match.py)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from .errors import RecordError, RulesError, TjmjError
from .json_lines import decode
from .rulesets import Rules, rules_from
from .seating import MatchSeed

FORMAT = "tjmj-match/1"
"""The version of the snapshots of matches that are written and read."""

LONGEST_NAME = 256
"""Characters of a player's name, so that a record always fits into its line."""

_MOST = 10**9


class End(NamedTuple):
    """When a match ends by itself: with what comes first; never, if both are None."""

    circles: int | None = None
    """How many circles 圈; four are a 锅."""
    hands: int | None = None
    """How many hands."""

    def checked(self) -> End:
        """Itself; raises `RulesError` for numbers that cannot be."""
        for name, number in zip(self._fields, self):
            if number is not None and (type(number) is not int or not 1 <= number <= _MOST):
                raise RulesError(f"a match of {number!r} {name}: a whole number from 1 to {_MOST} is wanted")
        return self

    def to_json(self) -> dict[str, int] | None:
        """As records and snapshots write it: such as `{"circles": 4}`, or None."""
        return {name: number for name, number in zip(self._fields, self) if number is not None} or None

    @classmethod
    def from_json(cls, value: Any) -> End:
        """What `to_json` wrote; raises `RulesError`."""
        if value is None:
            return cls()
        if type(value) is not dict or not value or None in value.values() or value.keys() - set(cls._fields):
            raise RulesError("a match's end is an object with circles, hands or both, or null")
        return cls(**value).checked()


class Left(NamedTuple):
    """How a match was ended before its time."""

    why: str
    """"left", or "dissolved" with the room."""
    player: int | None = None
    """Who left."""

    def checked(self) -> Left:
        """Itself; raises `RulesError` if it cannot be."""
        if (self.why, self.player) != ("dissolved", None):
            if self.why != "left" or type(self.player) is not int or not 0 <= self.player < 4:
                raise RulesError(f"a match is left by a player or dissolved, and not {tuple(self)}")
        return self


def checked_names(names: Sequence[str] | None) -> tuple[str, ...] | None:
    """The players' names; raises `RulesError` unless they are four texts that a record can hold."""
    if names is None:
        return None
    if isinstance(names, str) or len(names) != 4 or not all(isinstance(name, str) for name in names):
        raise RulesError("names: four texts are wanted")
    for name in names:
        if len(name) > LONGEST_NAME:
            raise RulesError(f"a name of {len(name)} characters: at most {LONGEST_NAME} are allowed")
        try:
            name.encode()
        except UnicodeEncodeError:
            raise RulesError("names: lone surrogates are no text") from None
    return tuple(names)


class State(NamedTuple):
    """A snapshot of a match, without its history.

    Attributes
    ----------
    rules : Rules
    names : tuple of four str, or None
    seed : MatchSeed
    end : End
    hands : int
        How many had ended.
    left : Left or None
    round : dict or None
        Snapshot of the open hand.
    """

    rules: Rules
    names: tuple[str, ...] | None
    seed: MatchSeed
    end: End
    hands: int
    left: Left | None
    round: dict[str, Any] | None

    def to_json(self) -> dict[str, Any]:
        """The snapshot as plain JSON values."""
        return {
            "format": FORMAT,
            "rules": self.rules.to_json(),
            "names": None if self.names is None else list(self.names),
            "seed": self.seed.to_json(),
            "end": self.end.to_json(),
            "hands": self.hands,
            "left": None if self.left is None else list(self.left),
            "round": self.round,
        }

    @classmethod
    def read(cls, data: Mapping[str, Any] | str | bytes) -> State:
        """The snapshot that `to_json` gave, or its JSON; its round is not looked at.

        Raises
        ------
        RecordError
            For anything else.
        """
        fields = _decoded(data)
        try:
            state = _state(fields)
        except RulesError as fault:
            _refuse(str(fault))
        if json.dumps(state.to_json(), sort_keys=True) != json.dumps(fields, sort_keys=True):
            _refuse("it is not as it would be written")
        return state


def _refuse(reason: str) -> NoReturn:
    raise RecordError(None, None, f"snapshot: {reason}")


def _decoded(data: Mapping[str, Any] | str | bytes) -> dict[str, Any]:
    try:
        text = data if isinstance(data, (str, bytes)) else json.dumps(data, ensure_ascii=False)
        fields = decode(text.encode() if isinstance(text, str) else text)
    except (TjmjError, TypeError, ValueError) as fault:
        _refuse(str(fault))
    if type(fields) is not dict or fields.get("format") != FORMAT:
        _refuse(f"its format is not {FORMAT}")
    return fields


def _state(fields: dict[str, Any]) -> State:
    """The state that decoded fields tell; what they say too much shows when it is written again."""
    rules, names, hands = fields.get("rules"), fields.get("names"), fields.get("hands")
    left, made = fields.get("left"), fields.get("round")
    if type(rules) is not dict or type(rules.get("name")) is not str:
        _refuse("its rules are no object with a name")
    if names is not None and type(names) is not list:
        _refuse("its names are no list")
    if type(hands) is not int or not 0 <= hands <= _MOST:
        _refuse("its number of hands is none")
    if left is not None and (type(left) is not list or len(left) != 2):
        _refuse("how it was left is no pair")
    if made is not None and type(made) is not dict:
        _refuse("its round is no object")
    options = {name: value for name, value in rules.items() if name != "name"}
    return State(
        rules=rules_from(rules["name"], options),
        names=checked_names(names),
        seed=MatchSeed.from_json(fields.get("seed")),
        end=End.from_json(fields.get("end")),
        hands=hands,
        left=None if left is None else Left(*left).checked(),
        round=made,
    )
