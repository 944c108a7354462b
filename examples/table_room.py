"""Rooms of the table server: who sits there, when hands begin, the clock, and what each seat is told.

What is legal, what a seat may see and how a match is kept is decided in tjmj; what clients say is told in
table_protocol.py. Nothing here waits: a request changes a table, then `Table.update` does what follows from
it and tells everybody. What anybody is told has been stored before.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import os
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tjmj.match import SECRET, End, Match
from tjmj.record import Record, dumps, read
from tjmj.round import Round, replayed
from tjmj.rulesets import Rules, rules_from
from tjmj.safe_files import replace_file

log = logging.getLogger("table_server")

Json = dict[str, Any]
FORMAT = "tjmj-table/1"


class Refused(Exception):
    """A request that cannot be; the client is told why."""

    def __init__(self, reason: str, error: str = "refused") -> None:
        super().__init__(reason)
        self.error = error


@dataclass(eq=False)
class Player:
    """Who has a place at a table."""

    name: str
    digest: bytes  # of the secret
    proven: bool = True  # has said something since the secret was given away
    ready: bool = False
    seed: bytes = b""
    client: Client | None = None


class Client(Protocol):
    """A connection, as a table sees it, and how much it has been told."""

    table: Table | None
    player: Player | None  # None for a spectator
    hand: str  # the hand and the number of the event that it is told next
    next: int
    wants_view: bool  # has not said what it knows
    came: bool  # has been told nothing yet
    news: int

    def send(self, message: Json) -> None:
        """Without waiting, and without end where it does not read."""

    def bye(self, reason: str, again: bool = False) -> None:
        """Hang up."""


class Home(Protocol):
    """The server, as a table sees it."""

    data: str
    window_seconds: float
    ready_seconds: float
    sync: bool  # whether to wait for the disk after each answer

    def path_of(self, name: str) -> str:
        """The file of a table."""

    def guarded(self, table: Table, action: Callable[[], None]) -> None:
        """Do something, update the table, and stop it if that fails."""


@dataclass
class Shown:
    """The last hand that has ended."""

    hand: str
    round: Round
    record: Json
    players: Sequence[int]  # of each seat


def digest(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode(errors="replace")).digest()


def rules_json(rules: Rules) -> Json:
    """Rules as records write them."""
    return {"name": rules.name, **rules.changed()}


def now() -> float:
    """Seconds of the clock that timers use."""
    return asyncio.get_running_loop().time()


class Table:
    """A room and its matches, one after the other.

    Parameters
    ----------
    home : Home
    name : str
        Fit for the name of a file.
    rules, end
        Of its matches.
    owner : bytes
        Digest of the secret with which it can be dissolved.
    """

    def __init__(self, home: Home, name: str, rules: Rules, end: End, owner: bytes) -> None:
        self.home, self.name, self.rules, self.end, self.owner = home, name, rules, end, owner
        self.players: list[Player | None] = [None] * 4  # by their numbers in the match
        self.clients: set[Client] = set()
        self.last: Match | None = None
        self.shown: Shown | None = None
        self.match: Match
        self.begun: bool  # whether the match is kept in files
        self.seed: bytes
        self.news = 0
        self.unused_since = self._until = now()
        self._timer: asyncio.TimerHandle | None = None
        self._timed: tuple[Any, ...] | None = None
        self._next_match(secrets.token_bytes(32))

    # Kept in files

    def _records(self, match: Match) -> str:
        return os.path.join(self.home.data, f"{self.name}.{(match.commitment or '')[:16]}.jsonl")

    def save(self) -> None:
        """Store what the match does not store itself."""
        players = [
            each and {"name": each.name, "digest": each.digest.hex(), "proven": each.proven}
            for each in self.players
        ]
        kept = {
            "format": FORMAT,
            "name": self.name,
            "rules": rules_json(self.rules),
            "end": self.end.to_json(),
            "owner": self.owner.hex(),
            "players": players,
            "seed": self.seed.hex(),
            "last": self.last and os.path.basename(self._records(self.last)),
        }
        replace_file(self.home.path_of(self.name), json.dumps(kept, ensure_ascii=False).encode())

    @classmethod
    def load(cls, home: Home, name: str) -> Table:
        """The table and its match as they were stored last."""
        with open(home.path_of(name), "rb") as file:
            kept = json.load(file)
        if kept["format"] != FORMAT or kept["name"] != name:
            raise ValueError(f"it is not a table {name} of the format {FORMAT}")
        options = dict(kept["rules"])
        rules = rules_from(options.pop("name"), options)
        made = cls(home, name, rules, End.from_json(kept["end"]), bytes.fromhex(kept["owner"]))
        made.players = [
            each and Player(each["name"], bytes.fromhex(each["digest"]), each["proven"])
            for each in kept["players"]
        ]
        made._next_match(bytes.fromhex(kept["seed"]))
        if kept["last"]:
            made.last = Match.resume(os.path.join(home.data, kept["last"]))
            made._show_last(made.last)
        path = made._records(made.match)
        if os.path.exists(path + SECRET):
            made.match, made.begun = Match.resume(path), True
            made._show_last(made.match)
        for player in made.players:
            if player is not None:
                made._free_if_unproven(player)
        if made.match.ended:
            made._match_over()
        return made

    # Places

    def sit(self, name: str) -> tuple[Player, str]:
        """Take a free place; the other value is its secret."""
        if None not in self.players:
            raise Refused("all four places are taken")
        secret = secrets.token_urlsafe(24)
        player = Player(name, digest(secret), proven=False)
        self.players[self.players.index(None)] = player
        self.save()
        return player, secret

    def player_with(self, secret: str) -> Player:
        """Who has this secret."""
        given = digest(secret)
        found = [
            each for each in self.players if each is not None and hmac.compare_digest(each.digest, given)
        ]
        if not found:
            raise Refused("the secret is wrong", "secret")
        self.prove(found[0])
        return found[0]

    def bind(self, client: Client, player: Player | None, hand: str = "", since: int | None = None) -> None:
        """From now on a connection is a player's, or a spectator's."""
        if since is not None and since < 0:
            raise Refused("since: events are numbered from 0")
        if player is not None and player.client is not None:
            player.client.bye("another connection has taken this place up")
            self.unbind(player.client)
        if player is not None:
            player.client = client
        client.table, client.player, client.came, client.news = self, player, True, -1
        client.wants_view, client.next = since is None, since or 0
        client.hand = "" if since is None else hand
        self.clients.add(client)
        self.news += 1

    def unbind(self, client: Client) -> None:
        """A connection is gone, or has nothing to do with this table any more."""
        self.clients.discard(client)
        player, client.table, client.player = client.player, None, None
        self.unused_since = now()
        self.news += 1
        if player is None:
            return
        player.client = None
        self._free_if_unproven(player)

    def prove(self, player: Player) -> None:
        """A player has said something, and so has got the secret."""
        if not player.proven:
            player.proven = True
            self.save()

    def _free_if_unproven(self, player: Player) -> None:
        # The reply with the secret may be lost, and then nobody could come back to the place.
        if not player.proven and not self.begun and player in self.players:
            self._free(player)

    def _free(self, player: Player) -> None:
        self.players[self.players.index(player)] = None
        self.save()

    def leave(self, player: Player) -> None:
        """A player gives the place up: this ends the match (spec: tianjin section 7)."""
        self._end_match(self._seat_of(player))
        self._free(player)

    def dissolve(self) -> None:
        """End the match; the table is not to be used any more."""
        self._end_match(None)
        self.update()

    def _end_match(self, seat: int | None) -> None:
        if self.begun:
            self.match.leave(seat)
            self._match_over()
        self._nobody_ready()

    def _seat_of(self, player: Player | None, players: Sequence[int] | None = None) -> int | None:
        """The seat that a player has, or had when others sat there; None for spectators."""
        if player is None:
            return None
        return list(players or self.match.players).index(self.players.index(player))

    # Requests

    @property
    def played(self) -> bool:
        """Whether a hand has ever begun here."""
        return self.begun or self.last is not None

    @property
    def hand(self) -> str:
        """What names the open hand, or the next one."""
        return (self.match.hand_commitment or "")[:16]

    def ready(self, player: Player, seed: bytes) -> None:
        """A player is ready for the next hand and adds to its seed."""
        if self.match.round is not None:
            raise Refused("a hand is open")
        player.ready, player.seed = True, seed
        self.news += 1

    def answer(self, player: Player, hand: str, turn: int, answer: str) -> None:
        """Answer a window."""
        if self.match.round is None or hand != self.hand:
            raise Refused("that hand is not open", "stale")
        self.match.round.play(self.match.players.index(self.players.index(player)), answer, turn=turn)
        self.match.save(sync=self.home.sync)

    def looked_at(self, player: Player | None, hand: str | None = None) -> tuple[str, Round, int | None]:
        """A hand by its name, or the open or else the last one, with its round and the player's seat."""
        if self.match.round is not None and hand in (None, self.hand):
            return self.hand, self.match.round, self._seat_of(player)
        if self.shown is not None and hand in (None, self.shown.hand):
            return self.shown.hand, self.shown.round, self._seat_of(player, self.shown.players)
        raise Refused("that hand is not known")

    # Hands

    def update(self) -> None:
        """Do what follows from what has changed, and tell everybody."""
        if self.match.round is not None and self.match.round.over:
            self._hand_over(self.match.round)
        if self.match.round is None and self._ready() == 4:
            self._start_hand()
        self._set_clock()
        for client in list(self.clients):
            self._tell(client)

    def _ready(self) -> int:
        return sum(player is not None and player.ready for player in self.players)

    def _start_hand(self) -> None:
        players = [player for player in self.players if player is not None]
        if not self.begun:
            names, path = [player.name for player in players], self._records(self.match)
            self.match = Match(self.rules, names, seed=self.seed, end=self.end, path=path)
            self.begun = True
        seeds = [players[number].seed for number in self.match.players]
        self.match.start_hand(seeds if any(seeds) else None)
        self._nobody_ready()
        log.info("%s: hand %d begins, seat %d deals", self.name, self.match.hands + 1, self.match.dealer)

    def _hand_over(self, round: Round) -> None:
        self._show(self.match.finish_hand(), round)
        assert round.result is not None
        log.info("%s: hand %d: %s %s", self.name, self.match.hands, round.result["end"], round.result["net"])
        self.news += 1
        if self.match.ended:
            self._match_over()

    def _show(self, record: Record, round: Round) -> None:
        hand = (record.commitment or b"").hex()[:16]
        self.shown = Shown(hand, round, json.loads(dumps(record)), record.extra["match"]["players"])

    def _show_last(self, match: Match) -> None:
        for record in deque(read(self._records(match)), 1):
            self._show(record, replayed(record).round)

    def _match_over(self) -> None:
        log.info("%s: the match is over (%s): %s", self.name, self.match.ended, list(self.match.totals))
        self.last = self.match
        self._next_match(secrets.token_bytes(32))
        self.save()

    def _next_match(self, seed: bytes) -> None:
        # Kept in no file until it begins; here it is for its commitments.
        self.match, self.seed, self.begun = Match(self.rules, seed=seed, end=self.end), seed, False
        self._nobody_ready()

    def _nobody_ready(self) -> None:
        for player in self.players:
            if player is not None:
                player.ready, player.seed = False, b""
        self.news += 1

    # The clock

    def _set_clock(self) -> None:
        """Let it run for the open window, or for the last one who is not ready."""
        timed: tuple[Any, ...] | None = None
        if self.match.round is not None:
            timed, seconds, late = (
                (self.hand, self.match.round.turn),
                self.home.window_seconds,
                self._answer_for_all,
            )
        elif None not in self.players and self._ready() == 3:
            timed, seconds, late = ("ready",), self.home.ready_seconds, self._take_as_ready
        if timed == self._timed:
            return
        self.stop_clock()
        if timed is not None:
            self._timed, self._until = timed, now() + seconds
            self._timer = asyncio.get_running_loop().call_later(seconds, self.home.guarded, self, late)

    def stop_clock(self) -> None:
        """Nobody is waited for."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._timed = None

    def _take_as_ready(self) -> None:
        for player in self.players:
            if player is not None:
                player.ready = True

    def _answer_for_all(self) -> None:
        round = self.match.round
        if round is None:
            return
        turn = round.turn
        while not round.over and round.turn == turn:
            seat = min(round.pending)
            log.info("%s: seat %d is silent in window %d", self.name, seat, turn)
            round.play(seat, round.default(seat), turn=turn)
        self.match.save(sync=self.home.sync)

    def _seconds(self) -> float | None:
        return None if self._timed is None else round(max(0.0, self._until - now()), 2)

    # Telling

    def _tell(self, client: Client) -> None:
        """Tell a connection what it does not know yet."""
        shown, round = self.shown, self.match.round
        if shown is not None and client.hand == shown.hand:
            self._tell_events(client, shown.round, self._seat_of(client.player, shown.players))
            client.send({"type": "hand_over", "hand": shown.hand, "record": shown.record})
            client.hand = ""
        if client.news != self.news:
            client.news = self.news
            client.send(self._room())
        if round is not None:
            seat = self._seat_of(client.player)
            if client.hand != self.hand or (client.came and client.next > round.view(None).next):
                self._tell_hand(client, round, seat)
            self._tell_events(client, round, seat)
        client.came = client.wants_view = False

    def _tell_hand(self, client: Client, round: Round, seat: int | None) -> None:
        told: Json = {
            "type": "hand",
            "hand": self.hand,
            "number": self.match.hands,
            "seat": seat,
            "dealer": round.dealer,
            "rules": rules_json(self.rules),
            "names": round.names,
            "commitment": self.match.hand_commitment,
        }
        client.hand, client.next = self.hand, 0
        if client.wants_view:
            told["view"] = round.view(seat).to_json()
            client.next = told["view"]["next"]
        client.send(told)

    def _tell_events(self, client: Client, round: Round, seat: int | None) -> None:
        events = round.events(seat, client.next)
        if not events and not client.came:
            return
        client.next += len(events)
        client.send({
            "type": "events",
            "hand": client.hand,
            "events": events,
            "turn": round.turn,
            "asked": seat in round.pending,
            "seconds": None if round.over else self._seconds(),
        })  # fmt: skip

    def _room(self) -> Json:
        players = [
            each and {"name": each.name, "here": each.client is not None, "ready": each.ready}
            for each in self.players
        ]
        return {
            "type": "room",
            "table": self.name,
            "rules": rules_json(self.rules),
            "end": self.end.to_json(),
            "players": players,
            "ready_seconds": None if self.match.round else self._seconds(),
            "commitment": self.match.commitment,
            "hand_commitment": self.match.hand_commitment,
            "match": self.match.to_json() if self.begun else None,
            "last": self.last and {**self.last.to_json(), "seed": self.last.snapshot()["seed"]},
        }
