"""Matches: hands in sequence, kept in files, and resumed from them (spec: tianjin section 7).

A match is the records of its hands: totals, dealer, circle and seating follow from them (match_history.py).
Kept in files it is two. At `path` are its records, a line for each hand that has ended, for everybody to
read. Beside it, at `path` + ".secret", for the owner only, is what they cannot tell: the seed that the hands
to come are dealt from, and the open hand.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from .between_hands import title
from .errors import RecordError, TjmjError
from .json_lines import numbered_lines
from .match_history import History
from .match_state import End, Left, State, checked_names
from .record import FORMAT, Record, dumps, parse
from .round import Round
from .rulesets import Rules, as_rules
from .safe_files import StrPath, append_line, is_torn, mend, replace_file, sync_folder
from .seating import MatchSeed

__all__ = ["SECRET", "End", "Match", "Standing"]

SECRET = ".secret"
"""How the name of the file beside the records ends."""

_BEGINNING = f'{{"format":"{FORMAT}"'.encode()


class Standing(NamedTuple):
    """How a player stands."""

    place: int
    """From 1; players with equal totals share it."""
    player: int
    """Number from 0, in the order in which they came."""
    seat: int
    total: int
    """Points of all hands that have ended."""
    title: str | None
    """称号; None where the rules give none."""


class Match(History):
    """Hands in sequence (spec: tianjin section 7).

    Players are numbered 0 to 3 in the order in which they came, and keep their totals when they move.

    Parameters
    ----------
    rules : str or Rules
    names : sequence of four str, or None
        Of the players.
    seed : bytes or int, optional
        32 secret bytes that are used for no other match; random ones if left out. A whole number, which is no
        secret, makes the hands those of that run (spec: record, "Runs"). See `MatchSeed`.
    end : End, optional
        When the match ends by itself; if left out it goes on until somebody leaves.
    path : path, optional
        Where the records go: a file that is empty or not there yet.

    Raises
    ------
    RulesError
        For unknown rules, and names, a seed or an end that cannot be.
    OSError
        If the files cannot be made, or are another match's.

    Examples
    --------
    >>> from tjmj.match import End, Match
    >>> match = Match("tianjin", ["甲", "乙", "丙", "丁"], seed=7, end=End(circles=4))
    >>> round = match.start_hand()
    >>> while not round.over:
    ...     seat = min(round.pending)
    ...     round.play(seat, round.default(seat))
    >>> record = match.finish_hand()
    >>> match.hands, sum(match.totals)
    (1, 0)
    """

    _round: Round | None = None
    _left: Left | None = None
    _path: str | None = None
    _size = 0  # bytes that the file of records has

    def __init__(
        self,
        rules: str | Rules = "tianjin",
        names: Sequence[str] | None = None,
        *,
        seed: bytes | int | None = None,
        end: End | None = None,
        path: StrPath | None = None,
    ) -> None:
        secret = MatchSeed(os.urandom(32) if seed is None else seed)
        super().__init__(as_rules(rules), checked_names(names), secret, (end or End()).checked())
        if path is not None:
            self._create(os.fspath(path))

    def _create(self, path: str) -> None:
        if os.path.exists(path + SECRET) or (os.path.exists(path) and os.path.getsize(path)):
            raise FileExistsError(f"{path} is another match's: Match.resume goes on with it")
        with open(path, "ab"):
            pass
        sync_folder(path)
        self._path = path
        self.save()

    @property
    def ended(self) -> str | None:
        """What ended it: "circles" or "hands" as chosen, "left" or "dissolved"; None while it goes on."""
        return super().ended if self._left is None else self._left.why

    @property
    def left(self) -> int | None:
        """The player who left and so ended it."""
        return None if self._left is None else self._left.player

    @property
    def round(self) -> Round | None:
        """The open hand; None between hands."""
        return self._round

    @property
    def standings(self) -> list[Standing]:
        """The players by their totals, the highest first; of equal ones first who came first."""
        totals = self.totals
        order = sorted(range(4), key=lambda player: (-totals[player], player))
        return [self._standing(player, totals) for player in order]

    def _standing(self, player: int, totals: Sequence[int]) -> Standing:
        total = totals[player]
        place = 1 + sum(other > total for other in totals)
        its_title = title(total) if self.rules.titles else None
        return Standing(place, player, self.players.index(player), total, its_title)

    def to_json(self) -> dict[str, Any]:
        """All that everybody may know of the match beside its records and the open hand, as plain JSON.

        Returns
        -------
        dict
            `rules` as in a record; `names` of the players, or null; `players`, of each seat; `dealer`, a
            seat; `hand`, the number from 0 of the hand that is open or comes next; `open`, whether one is;
            `circle` and `pot`, from 1; `seating`, the 打风 right before that hand, or null; `totals`, points
            by player; `standings`, see `Standing`; `end` as in records; `ended` and `left`, null while it
            goes on; `commitment` and `hand_commitment`, in hex, or null.
        """
        return {
            "rules": self.rules.to_json(),
            "names": None if self.names is None else list(self.names),
            "players": list(self.players),
            "dealer": self.dealer,
            "hand": self.hands,
            "open": self._round is not None,
            "circle": self.circle,
            "pot": self.pot,
            "seating": None if self.seating is None else self.seating.to_json(),
            "totals": list(self.totals),
            "standings": [standing._asdict() for standing in self.standings],
            "end": self.end.to_json(),
            "ended": self.ended,
            "left": self.left,
            "commitment": self.commitment,
            "hand_commitment": self.hand_commitment,
        }

    def __repr__(self) -> str:
        where = f"ended: {self.ended}" if self.ended else f"circle {self.circle}, dealer {self.dealer}"
        return f"<tjmj.Match {self.rules.name}, {self.hands} hands, {where}>"

    # Playing it

    def start_hand(self, client_seeds: Sequence[bytes] | None = None) -> Round:
        """Open the next hand.

        Parameters
        ----------
        client_seeds : sequence of four bytes, or None
            What the seats add to its seed, asked for after `hand_commitment` was published.

        Raises
        ------
        TjmjError
            If a hand is open, the match has ended, or its seed is not known.
        OSError
            If the match is kept in files and cannot be saved; no hand is open then.
        """
        if self._round is not None:
            raise TjmjError(f"hand {self.hands} is open")
        if self.ended:
            raise TjmjError(f"the match has ended: {self.ended}")
        if self._seed is None:
            raise TjmjError("the match's seed is not known: it can be read, and does not go on")
        seed, names = self._seed.of_hand(self.hands), self._names_by_seat()
        made = Round(self.rules, self.dealer, seed=seed, client_seeds=client_seeds, names=names)
        self._become(made, None)
        return made

    def finish_hand(self) -> Record:
        """Count the open hand, which has to be over, and append its record to the file.

        If the program is killed meanwhile the hand is in the file, or it is open again and over, and is
        finished once more. It is never lost, and never counted twice.

        Returns
        -------
        Record

        Raises
        ------
        TjmjError
            If no hand is open, or it goes on.
        OSError
            If the record cannot be stored; the hand is open then, as before.
        """
        if self._round is None:
            raise TjmjError("no hand is open")
        if not self._round.over:
            raise TjmjError(f"hand {self.hands} goes on: its {self._round.window} window is open")
        record = self._with_extra(self._round.record())
        if self._path is not None:
            self.save()
            self._size = append_line(self._path, dumps(record).encode(), self._size)
        self._round = None
        self._count_record(record)
        return record

    def leave(self, seat: int | None = None) -> None:
        """End the match, since a seat leaves; the open hand is dropped, unpaid (spec: tianjin section 7).

        The next hand begins a new match.

        Parameters
        ----------
        seat : int or None
            None where the room is dissolved.

        Raises
        ------
        TjmjError
            If the match has ended already.
        ValueError
            For a seat that cannot be.
        OSError
            If the match is kept in files and cannot be saved; it goes on then.
        """
        if self.ended:
            raise TjmjError(f"the match has ended: {self.ended}")
        if seat is not None and (type(seat) is not int or not 0 <= seat < 4):
            raise ValueError(f"seat {seat!r}: seats are 0 to 3, None where the room is dissolved")
        self._become(None, Left("dissolved") if seat is None else Left("left", self.players[seat]))

    def _become(self, made: Round | None, left: Left | None) -> None:
        """Open or drop a hand, and save that; if it cannot be saved nothing changes."""
        before = self._round, self._left
        self._round, self._left = made, left
        if self._path is not None:
            try:
                self.save()
            except BaseException:
                self._round, self._left = before
                raise

    # Keeping it

    def snapshot(self) -> dict[str, Any]:
        """What the records cannot tell, for `restore`: plain JSON with every secret (`tjmj-match/1`).

        Raises
        ------
        TjmjError
            If the match's seed is not known.
        """
        if self._seed is None:
            raise TjmjError("the match's seed is not known")
        made = None if self._round is None else self._round.snapshot()
        return State(self.rules, self.names, self._seed, self.end, self.hands, self._left, made).to_json()

    def save(self, path: StrPath | None = None, *, sync: bool = True) -> None:
        """Write the snapshot to a file, readable by its owner only, so that a crash leaves it old or new.

        A match that is kept in files does this by itself whenever a hand begins or ends and when somebody
        leaves. A server does it after each answer too, before it tells anybody of it.

        Parameters
        ----------
        path : path, optional
            The file beside the records if left out.
        sync : bool
            Wait until it is stored. Without that it is much faster and survives the program's death; that of
            the machine may leave neither the old nor the new one.

        Raises
        ------
        TjmjError
            If no path is given and the match is kept in no file.
        OSError
            If it cannot be written; the file then is as it was.
        """
        if path is None:
            if self._path is None:
                raise TjmjError("the match is kept in no file: a path is wanted")
            path = self._path + SECRET
        replace_file(path, json.dumps(self.snapshot(), ensure_ascii=False).encode(), sync)

    @classmethod
    def resume(cls, path: StrPath, *, seed: bytes | int | None = None) -> Match:
        """The match that a file of records is the history of, going on in that file.

        Every line is verified, and compared with what rules, hands before and seed make of it. A last line
        that was only half written is cut off. The open hand is as it was saved last; it may be over.

        Parameters
        ----------
        path : path
            The records. What they cannot tell is read from the file beside them.
        seed : bytes or int, optional
            The match's, wanted where the file beside them is missing. Without either the match can be read
            and does not go on, and nothing is written.

        Raises
        ------
        RecordError
            With the line and its first fault; the files are left as they are.
        OSError
            If a file cannot be read or written.
        """
        path = os.fspath(path)
        state = _state_beside(path)
        secret = None if seed is None else MatchSeed(seed)
        if state is not None:
            if secret not in (None, state.seed):
                _refuse(f"the seed given is not the one in {path + SECRET}")
            secret = state.seed
        lines = _Lines(path)
        made = cls._told(lines, secret, state)
        made._go_on(state)
        if secret is not None:
            made._size = mend(path, lines.torn)
            made._path = path
            made.save()
        return made

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any] | str | bytes, records: Iterable[Record] = ()) -> Match:
        """The match that a snapshot was taken of, kept in no file.

        Parameters
        ----------
        snapshot : dict, str or bytes
            What `snapshot` gave, or its JSON.
        records : iterable of Record
            Those of all hands that have ended. If the open hand of the snapshot is among them, it has ended
            since then and is not opened again.

        Raises
        ------
        RecordError
            As for `resume`; `line` is the number of the record, from 1.
        """
        state = State.read(snapshot)
        made = cls._told(enumerate(records, 1), state.seed, state)
        made._go_on(state)
        return made

    @classmethod
    def from_records(cls, records: Iterable[Record], *, seed: bytes | int | None = None) -> Match:
        """The match that records are the history of, kept in no file.

        Records without `match`, which other programs write, are read too, as far as they tell everything.

        Parameters
        ----------
        records : iterable of Record
            At least one.
        seed : bytes or int, optional
            The match's. With it the match can go on, and has been proved to have kept to it; without it the
            match can be read.

        Raises
        ------
        RecordError
            As for `resume`; `line` is the number of the record, from 1.
        """
        return cls._told(enumerate(records, 1), None if seed is None else MatchSeed(seed), None)

    def _go_on(self, state: State | None) -> None:
        """Take up a snapshot's open hand or its end, unless hands have ended since it was taken."""
        if state is None or state.hands < self.hands:
            return
        if state.hands > self.hands:
            _refuse(f"there are {self.hands} records, and {state.hands} hands had ended when it was saved")
        if state.round is not None:
            if self.ended or state.left is not None:
                _refuse("snapshot: the match has ended, and a hand is open")
            self._round = self._next_hand(state.round)
        self._left = state.left

    def _next_hand(self, snapshot: dict[str, Any]) -> Round:
        made = Round.restore(snapshot)
        names = None if made.names is None else list(made.names)
        told = (made.rules, made.dealer, names, made.record().seed)
        wanted = (self.rules, self.dealer, self._names_by_seat())
        if self._seed is None or told != (*wanted, self._seed.of_hand(self.hands)):
            _refuse("snapshot: its open hand is not the one that comes next")
        return made


def _state_beside(path: str) -> State | None:
    try:
        with open(path + SECRET, "rb") as file:
            return State.read(file.read())
    except FileNotFoundError:
        return None


class _Lines:
    """The records of a file with the numbers of their lines."""

    torn = 0
    """Bytes of a last line that was only half written, once all have been read."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __iter__(self) -> Iterator[tuple[int, Record]]:
        for number, line in numbered_lines(self._path):
            if is_torn(line, _BEGINNING):
                self.torn = len(line)
                return
            yield number, parse(line, number)


def _refuse(reason: str) -> NoReturn:
    raise RecordError(None, None, reason)
