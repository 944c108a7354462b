"""A match as its records tell it: each is compared with what rules, hands before and seed make of it.

Beside the keys of the format each record of a match has `match`: `hand`, its number from 0; `players`, the
player of each seat, numbered in the order in which they came; `end`, such as `{"circles": 4}`, or null; and
`commitment`, that of the match's seed. The first hand after a 打风 has `seating` (spec: record).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NoReturn, Self

import msgspec

from ._deal import commitment as commitment_to
from .between_hands import Course
from .errors import RecordError, RulesError
from .match_state import End, State
from .record import Record, verify
from .rulesets import Rules
from .seating import AS_THEY_CAME, MatchSeed, Players, WindsThrow, same_cycle, throw_winds

_LONGEST_SHOWN = 200


class History(Course):
    """The hands of a match that have ended.

    Parameters
    ----------
    rules : Rules
    names : tuple of four str, or None
        Of the players, in the order in which they came.
    seed : MatchSeed or None
        None where it is not known: then the records say what it decides.
    end : End
    """

    def __init__(self, rules: Rules, names: tuple[str, ...] | None, seed: MatchSeed | None, end: End) -> None:
        super().__init__(rules)
        self._names = names
        self._seed = seed
        self._commitment = None if seed is None else seed.commitment.hex()
        self._end = end
        self._throw: WindsThrow | None = None
        self._keyed = True  # whether records have the key `match`; other programs' have not
        self._seat_players()

    @property
    def names(self) -> tuple[str, ...] | None:
        """Names of the players in the order in which they came."""
        return self._names

    @property
    def seating(self) -> WindsThrow | None:
        """The 打风 right before the hand that is open or comes next; None where there was none."""
        return self._throw

    @property
    def end(self) -> End:
        """When it ends by itself."""
        return self._end

    @property
    def ended(self) -> str | None:
        """What it was, "circles" or "hands", that ended it; None as long as it goes on."""
        if self._end.circles is not None and self.circle > self._end.circles:
            return "circles"
        if self._end.hands is not None and self.hands >= self._end.hands:
            return "hands"
        return None

    @property
    def commitment(self) -> str | None:
        """SHA-256 of the match's key in hex, to be published before the first hand; None if not known."""
        return self._commitment

    @property
    def hand_commitment(self) -> str | None:
        """Commitment to the hand that is open or comes next, in hex.

        It is published before the seats add their client seeds (spec: record, "Fair dealing").
        """
        if self._seed is None or self.ended:
            return None
        commitment: bytes = commitment_to(self._seed.of_hand(self.hands))
        return commitment.hex()

    def _with_extra(self, record: Record) -> Record:
        """The open hand's record, with what it has in a match beside the keys of the format."""
        extra = {key: value for key, value in self._extra().items() if value is not None}
        return msgspec.structs.replace(record, extra=extra)

    def _extra(self) -> dict[str, Any]:
        told = {
            "hand": self.hands,
            "players": list(self.players),
            "end": self._end.to_json(),
            "commitment": self._commitment,
        }
        return {
            "seating": None if self._throw is None else self._throw.to_json(),
            "match": told if self._keyed else None,
        }

    def _names_by_seat(self) -> list[str] | None:
        return None if self._names is None else [self._names[player] for player in self.players]

    def _seat_players(self) -> None:
        """Draw who sits where in the next hand, and before the first who deals it, where that is due."""
        self._throw = None
        if self._seed is None or self.ended or not self._seating_due:
            return
        stream = self._seed.stream(self._seatings)
        players, first = self.players, self._seatings == 0
        if self.rules.seating == "winds":
            self._throw = throw_winds(stream, players, first)
            players = self._throw.moved(players)
        elif self.rules.seating == "random":
            players = stream.shuffled()
        self._seat(players)
        if first:
            dealer = self.rules.first_dealer
            self._let_deal(stream.below(4) if dealer == "random" else dealer)

    def _count_record(self, record: Record) -> None:
        self._count(record.result or {}, (record.moves or "").split())
        self._seat_players()

    # Reading it

    @classmethod
    def _told(
        cls, records: Iterable[tuple[int, Record]], seed: MatchSeed | None, state: State | None
    ) -> Self:
        """The match whose first hands these are.

        Parameters
        ----------
        records : iterable of (int, Record)
            With their lines, for faults.
        seed : MatchSeed or None
        state : State or None
            Of the match; without one the first record tells names and end.

        Raises
        ------
        RecordError
            For the first record that is wrong or not that of the next hand, and where there is none at all.
        """
        made = None if state is None else cls._blank(state.rules, state.names, seed, state.end)
        for line, record in records:
            try:
                made = cls._begun(record, seed) if made is None else made
                made._follow(record)
            except RecordError as fault:
                fault.line = line
                raise
            except RulesError as fault:
                raise RecordError(line, None, str(fault)) from None
        if made is None:
            _refuse("there are no records, so nothing is known of the match")
        return made

    @classmethod
    def _blank(cls, rules: Rules, names: tuple[str, ...] | None, seed: MatchSeed | None, end: End) -> Self:
        made = cls.__new__(cls)
        History.__init__(made, rules, names, seed, end)
        return made

    @classmethod
    def _begun(cls, record: Record, seed: MatchSeed | None) -> Self:
        """The match before its first hand, as that hand's record tells it."""
        told = record.extra.get("match", {})
        if type(told) is not dict:
            _refuse(f"match is {_shown(told)}: an object is wanted")
        commitment = told.get("commitment")
        if commitment is not None and type(commitment) is not str:
            _refuse(f"match: commitment is {_shown(commitment)}: hex is wanted")
        made = cls._blank(record.rules, None, seed, End.from_json(told.get("end")))
        made._keyed = "match" in record.extra
        if seed is None:
            made._commitment = commitment
            made._adopt(record)
        elif made._keyed and commitment != made._commitment:
            _refuse("the seed given is not the match's: its commitment is another")
        if record.names is not None:
            made._names = tuple(record.names[made.players.index(player)] for player in range(4))
        return made

    def _follow(self, record: Record) -> None:
        """Count the next hand; raises `RecordError` if the record is wrong or another hand's."""
        verify(record)
        if self.ended:
            _refuse(f"the match had ended before this hand, by its number of {self.ended}")
        if self._seed is None and self._seating_due:
            self._adopt(record)
        self._compare(record)
        self._count_record(record)

    def _adopt(self, record: Record) -> None:
        """Without the seed, take from the record what it decides, as far as the rules allow it."""
        first, players = self._seatings == 0, self.players
        if self.rules.seating == "winds" and "seating" in record.extra:
            self._throw = WindsThrow.from_json(record.extra["seating"])
            players = self._throw.moved(players)
            if not first and same_cycle(self.players, players):
                _refuse("seating: it leaves the cyclic order of the players, so it had to be repeated")
        elif not first:
            _refuse("seating is missing, though a 锅 begins")
        elif self.rules.seating == "random":
            players = _told_players(record)
        self._seat(players)
        if first:
            dealer = self.rules.first_dealer
            self._let_deal(record.dealer if dealer == "random" else dealer)

    def _compare(self, record: Record) -> None:
        """Refuse a record of another hand than the next one."""
        names = None if record.names is None else list(record.names)
        extra = self._extra()
        for key, told, wanted in (
            ("rules", record.rules.to_json(), self.rules.to_json()),
            ("match", record.extra.get("match"), extra["match"]),
            ("seating", record.extra.get("seating"), extra["seating"]),
            ("names", names, self._names_by_seat()),
            ("dealer", record.dealer, self.dealer),
        ):
            # As text, since true and 1.0 are not 1.
            if _text(told) != _text(wanted):
                _refuse(f"{key} is {_shown(told)}, and should be {_shown(wanted)} in hand {self.hands}")
        if self._seed is not None and record.seed != self._seed.of_hand(self.hands):
            _refuse(f"the seed is not the one that the match's seed gives hand {self.hands}")


def _told_players(record: Record) -> Players:
    """Who sits where, as the first record tells it; as they came if it does not."""
    told = record.extra.get("match", {}).get("players")
    if told is None:
        return AS_THEY_CAME
    if type(told) is not list or sorted(map(_text, told)) != ["0", "1", "2", "3"]:
        _refuse(f"match: players is {_shown(told)}: the four players are wanted")
    return told[0], told[1], told[2], told[3]


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _shown(value: Any) -> str:
    text = _text(value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _refuse(reason: str) -> NoReturn:
    raise RecordError(None, None, reason)
