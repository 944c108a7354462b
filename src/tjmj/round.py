"""A round: a hand of play at the table, from the stakes to the settlement (spec: table)."""

from __future__ import annotations

import copy
import json
import os
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from ._deal import Deal, commitment, deal
from ._play import Play
from ._windows import Windows
from .errors import IllegalMove, RecordError, RulesError, StaleMove
from .events import EVERYBODY, Event, masked
from .json_lines import decode
from .limits import clipped
from .record import FORMAT, Dice, Record, fields_of, header_of
from .rulesets import Rules, as_rules
from .stakes import NO_STAKES, Stakes
from .view import View

SNAPSHOT = "tjmj-snapshot/1"
"""The version of the snapshots that are written and read."""

MOST_WINDOWS = 1000
"""More windows than any round opens."""


class Round(Windows):
    """A hand of play that servers, bots and people play (spec: table).

    Parameters
    ----------
    rules : str or Rules
        A preset's name or a value of `tjmj.rules`.
    dealer : int
        Seat 0 to 3.
    seed : bytes or None
        32 secret bytes that dice and wall come from; random ones for None.
    client_seeds : sequence of four bytes, or None
        What the seats add to it (spec: record, "Fair dealing").
    deal : Deal or None
        Dice and wall that come from elsewhere, in place of seeds.
    names : sequence of four str, or None

    Raises
    ------
    RulesError
        For unknown rules, a dealer, seeds or a deal that cannot be.

    Examples
    --------
    >>> import tjmj
    >>> r = tjmj.Round("tianjin", dealer=0, seed=bytes(32))
    >>> r.window, r.pending
    ('sit', {0: ('sit', 'stand')})
    >>> r.play(0, "sit", turn=r.turn)
    >>> r.pending[1]
    ('pull0', 'pull1', 'pull2')
    """

    def __init__(
        self,
        rules: str | Rules = "tianjin",
        dealer: int = 0,
        *,
        seed: bytes | None = None,
        client_seeds: Sequence[bytes] | None = None,
        deal: Deal | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self._rules = as_rules(rules)
        self._dealer = _checked_seat(dealer)
        self._names = None if names is None else _checked_names(names)
        self._client_seeds = None if client_seeds is None else tuple(client_seeds)
        if deal is None:
            seed = os.urandom(32) if seed is None else seed
            deal = _dealt(seed, self._rules, self._client_seeds)
        elif seed is not None:
            raise RulesError("a round is dealt from a seed or from a deal, not both")
        _check_dice(deal, self._rules)
        self._seed = seed
        self._deal = deal
        self._views: dict[tuple[int | None, bool], View] = {}
        self._viewing = threading.Lock()
        super().__init__(self._fresh_play(), self._dice_seen())

    def _fresh_play(self) -> Play:
        flip = self._deal.flip
        return Play(self._rules, self._dealer, self._deal.wall, sum(flip) if flip else None)

    def _dice_seen(self) -> dict[str, Any]:
        thrown = self._deal.open
        # One throw opens the dealer's own wall; otherwise the first picks whose wall all are counted in.
        own = self._rules.opening == "one-throw"
        seat = self._dealer if own else (self._dealer + sum(thrown[:2]) - 1) % 4
        return {
            "dice": {"open": list(thrown), "flip": list(self._deal.flip)},
            "break": {"seat": seat, "stacks": sum(thrown)},
        }

    @property
    def rules(self) -> Rules:
        """The rules that it is played by."""
        return self._rules

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self._dealer

    @property
    def names(self) -> tuple[str, ...] | None:
        """Names of the players, seat 0 first."""
        return self._names

    @property
    def commitment(self) -> bytes | None:
        """SHA-256 of the seed, to be published before the stakes; None where there is no seed."""
        return None if self._seed is None else commitment(self._seed)

    @property
    def result(self) -> dict[str, Any] | None:
        """A record's result: `end`, `winners` and `net` (points of each seat); None until it is over."""
        return self.play_of.result() if self.over else None

    @property
    def settlement(self) -> list[dict[str, Any]] | None:
        """Every payment, then what the cap changed (spec: table); None until it is over."""
        return self.play_of.settlement() if self.over else None

    def events(self, seat: int | None = None, since: int = 0, *, open: bool = False) -> list[Event]:
        """What a seat was told, from a running number on (spec: table, "Events").

        Parameters
        ----------
        seat : int or None
            None for a spectator, who is told of no concealed tile.
        since : int
            Number of the first event wanted.
        open : bool
            All of it unmasked, for tools.

        Returns
        -------
        list of dict
            docs/events.md describes them field by field.

        Raises
        ------
        ValueError
            For a seat or a number that cannot be.
        """
        _check_seat(seat)
        if since < 0:
            raise ValueError(f"since {since}: events are numbered from 0")
        told = self._told()
        viewer = EVERYBODY if open else seat
        return [masked(n, told[n], viewer) for n in range(since, len(told))]

    def view(self, seat: int | None = None, *, open: bool = False) -> View:
        """What a seat knows (spec: table, "Views"); None for a spectator, `open` for tools: all of it."""
        _check_seat(seat)
        key = (seat, open)
        view = self._views.setdefault(key, View(seat, self._rules.to_json(), self._dealer))
        with self._viewing:  # or threads that ask at once apply an event twice
            for event in self.events(seat, view.next, open=open):
                view.apply(event)
            return copy.deepcopy(view)

    def _told(self) -> list[Event]:
        if self.listening:
            return self.story(self)
        return self.story(Windows(self._fresh_play(), self._dice_seen(), True))

    def record(self) -> Record:
        """The record of the round, without a result as long as it goes on; it holds the seed, a secret till then."""
        return Record(
            rules=self._rules,
            names=self._names,
            dealer=self._dealer,
            stakes=self.stakes if self._rules.stakes else None,
            dice=Dice(self._deal.open, self._deal.flip),
            wall=self._deal.wall,
            seed=self._seed,
            client_seeds=self._client_seeds,
            commitment=self.commitment,
            moves=" ".join(self.moves),
            result=self.result,
        )

    def snapshot(self) -> dict[str, Any]:
        """All of the round, for `restore`: plain JSON values with every secret (spec: table, "Snapshots")."""
        fields = fields_of(self.record())
        fields.pop("result", None)
        fields["format"] = SNAPSHOT
        if self._rules.stakes:
            fields["stakes"] = {key: value for key, value in fields["stakes"].items() if key in self.chosen}
        fields["turn"] = self.turn
        fields["answers"] = {str(seat): answer for seat, answer in self.given.items()}
        return fields

    @classmethod
    def restore(cls, data: dict[str, Any] | str | bytes) -> Round:
        """The round that a snapshot was taken of, checked like a record.

        Parameters
        ----------
        data : dict, str or bytes
            What `snapshot` gave, or its JSON.

        Raises
        ------
        RecordError
            For a snapshot that cannot have been taken of a round.
        """
        return _restored(cls, _snapshot_fields(data))

    def __repr__(self) -> str:
        where = "over" if self.over else f"window {self.turn}, {self.window}"
        return f"<tjmj.Round {self._rules.name}, dealer {self._dealer}, {where}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).restore, (self.snapshot(),)


class Replay(NamedTuple):
    """A record played again.

    Attributes
    ----------
    round : Round
        As far as the record's moves are legal.
    fault : RecordError or None
        The first illegal move.
    """

    round: Round
    fault: RecordError | None


def replayed(record: Record) -> Replay:
    """Play a record again, everybody passing where it writes nothing, also behind its last move if that ends it."""
    made = _same_deal(Round, record)
    moves = [move for move in (record.moves or "").split(" ") if move]
    made.resume(record.stakes or NO_STAKES, len(Stakes._fields), (), -1)
    for number, move in enumerate(moves, 1):
        try:
            made.replay([move])
        except IllegalMove as fault:
            return Replay(made, RecordError(None, number, fault.reason))
    if made.play_of.may_end:
        made.finish()
    return Replay(made, None)


def _same_deal(cls: type[Round], record: Record) -> Round:
    dealt = Deal(record.dice.open, record.dice.flip, record.wall)
    return cls(
        record.rules,
        record.dealer,
        seed=record.seed,
        client_seeds=record.client_seeds,
        deal=None if record.seed is not None else dealt,
        names=record.names,
    )


def _dealt(seed: bytes, rules: Rules, client_seeds: Sequence[bytes] | None) -> Deal:
    return deal(seed, rules, client_seeds)


def _checked_seat(dealer: object) -> int:
    if type(dealer) is not int or not 0 <= dealer < 4:
        raise RulesError(f"dealer {dealer!r}: seats are 0 to 3")
    return dealer


def _checked_names(names: Sequence[str]) -> tuple[str, ...]:
    given = () if isinstance(names, str) else tuple(names)
    if len(given) != 4 or not all(type(name) is str for name in given):
        raise RulesError(f"names are four texts, not {given!r:.200}")
    return given


def _check_dice(dealt: Deal, rules: Rules) -> None:
    thrown = (4 if rules.opening == "two-throw" else 2, 2 if rules.wild_by == "dice" else 0)
    for name, dice, count in zip(("opening", "flip"), (dealt.open, dealt.flip), thrown, strict=True):
        if len(dice) != count or not all(type(die) is int and 1 <= die <= 6 for die in dice):
            raise RulesError(f"{name} dice {dice!r}: these rules throw {count}, each 1 to 6")


def _check_seat(seat: int | None) -> None:
    if seat is not None and (type(seat) is not int or not 0 <= seat < 4):
        raise ValueError(f"seat {seat!r}: seats are 0 to 3, None for a spectator")


def _refuse(reason: str) -> RecordError:
    return RecordError(None, None, clipped(f"snapshot: {reason}"))


def _snapshot_fields(data: dict[str, Any] | str | bytes) -> dict[str, Any]:
    try:
        line = data if isinstance(data, (str, bytes)) else json.dumps(data, ensure_ascii=False)
        fields = decode(line.encode() if isinstance(line, str) else line)
    except RecursionError:
        raise _refuse("it is nested too deep") from None
    except (ValueError, TypeError) as fault:
        raise _refuse(str(fault)) from None
    if type(fields) is not dict or fields.get("format") != SNAPSHOT:
        raise _refuse(f"its format is not {SNAPSHOT}")
    return fields


def _restored(cls: type[Round], given: dict[str, Any]) -> Round:
    """Check the header as a record's, answer as the snapshot says, and compare with what that gives."""
    fields = {**given, "format": FORMAT}
    turn, answers = fields.pop("turn", None), fields.pop("answers", None)
    if type(turn) is not int or not 0 <= turn <= MOST_WINDOWS or type(answers) is not dict:
        raise _refuse("it has no turn or no answers")
    chosen = fields.get("stakes", {})
    if type(chosen) is not dict:
        raise _refuse("its stakes are no object")
    if "stakes" in fields:
        fields["stakes"] = {"sit": False, "pull": [0] * 4, "kick": [False] * 4, **chosen}
    record, _ = header_of(fields)
    try:
        made = _same_deal(cls, record)
        made.resume(record.stakes or NO_STAKES, len(chosen), (record.moves or "").split(" "), turn)
        for seat, answer in answers.items():
            made.play(int(seat) if seat in ("0", "1", "2", "3") else -1, str(answer), turn=turn)
    except (IllegalMove, RulesError, StaleMove) as fault:
        raise _refuse(str(fault)) from None
    if json.dumps(made.snapshot(), sort_keys=True) != json.dumps(given, sort_keys=True):
        raise _refuse("it is not the one that its own moves lead to")
    return made
