"""What the clients of the table server and the server say to each other, and how clients are bounded.

Lines of JSON over TCP, one object a line, UTF-8, in both directions. A client's line has a `type`, the keys
of that type, and any whole number or short text as `id`, which the reply repeats. Each is replied to with
`ok` or `error`, in order. `?` marks keys that may be left out. A connection is at one table at most, as a
player or as a spectator.

============  =============================  =====================================================
client says   keys                           what for, and what `ok` brings
============  =============================  =====================================================
`tables`                                     brings `tables`: of each `table`, the `rules`' preset, how many
                                             `players` sit there, and whether a match is `open`
`create`      table, rules?, options?, end?  makes a table. `rules`: a preset; `options`: set on top of it;
                                             `end`: when its matches end, `{"hands": 8}`, `{"circles": 4}`
                                             or both. Brings `owner`, a secret
`join`        table, name                    takes a free place. Brings `player`, its number from 0, and
                                             `secret`, the key to it
`resume`      table, secret, hand?, since?   takes one's place up again, from another connection if there
                                             is one. `hand`, `since`: which event of which hand is wanted
                                             next; `since` 0 for all. Brings `player`
`watch`       table, hand?, since?           looks on as a spectator
`ready`       seed?                          for the next hand. `seed`: up to 32 bytes in hex for its wall
                                             (spec: record, "Fair dealing")
`answer`      hand, turn, answer             answers window `turn` of the hand
`events`      since, hand?                   brings the `hand` and its `events` from a number on: of the
                                             open one, or else of the last
`view`                                       brings the `hand` and its `view`, likewise
`leave`                                      gives the place up; this ends the match
`dissolve`    table, owner                   ends the match and closes the table for good
`ping`                                       nothing; who is silent for too long is hung up on
============  =============================  =====================================================

============  =============================  =====================================================
server says   keys                           when
============  =============================  =====================================================
`ok`          re, id?, …                     in reply; `re` is the type replied to. What it does is stored
`error`       re?, id?, error, reason        in reply; nothing has changed. `error`: `malformed`,
                                             `unknown` (type or key), `secret` (a wrong one), `stale` (that
                                             window has closed), `illegal` (an answer that is not allowed),
                                             `refused` (what cannot be now), `fault` (of the server)
`room`        table, rules, end, players,    at first, and after each change. `players`: of each place
              ready_seconds, commitment,     `name`, `here` and `ready`, or null where it is free.
              hand_commitment, match, last   `ready_seconds`: till the last one is taken as ready, or null.
                                             The commitments, to the match's and the next hand's seed, are
                                             there before anybody is ready. `match`: see `Match.to_json`,
                                             null before its first hand. `last`: the match before, with
                                             its `seed`
`hand`        hand, number, seat, dealer,    a hand is open and its events follow. `hand` is what answers
              rules, names, commitment,      call it. `seat`: null for spectators. `names`: by seat.
              view?                          `view`: for who came back without `since`; the events go on
                                             behind it
`events`      hand, events, turn, asked,     what happened, as the seat is told of it (docs/events.md).
              seconds                        `asked`: whether it still has to answer window `turn`;
                                             `seconds`: till that is done for it
`hand_over`   hand, record                   the hand has ended; the record has its seed
`bye`         reason, again                  the server hangs up. `again`: whether to come back
============  =============================  =====================================================

Who breaks one of `Limits` is told so, or has to wait. Nothing is encrypted: a server that listens elsewhere
than on the loopback wants a TLS proxy before it.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from json import dumps
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Any

from table_room import Json, Player, Refused, Table, log, now

from tjmj.errors import TjmjError
from tjmj.json_lines import decode

LONGEST_TEXT = 64
"""Characters of any text in a message."""
LARGEST_NUMBER = 2**53

MESSAGES: dict[str, tuple[dict[str, type], dict[str, type]]] = {
    "tables": ({}, {}),
    "create": ({"table": str}, {"rules": str, "options": dict, "end": dict}),
    "join": ({"table": str, "name": str}, {}),
    "resume": ({"table": str, "secret": str}, {"hand": str, "since": int}),
    "watch": ({"table": str}, {"hand": str, "since": int}),
    "ready": ({}, {"seed": str}),
    "answer": ({"hand": str, "turn": int, "answer": str}, {}),
    "events": ({"since": int}, {"hand": str}),
    "view": ({}, {}),
    "leave": ({}, {}),
    "dissolve": ({"table": str, "owner": str}, {}),
    "ping": ({}, {}),
}
"""Keys of each message: those that it must have, and those that it may have."""
COST = {"tables": 5, "create": 10, "resume": 5, "watch": 5, "events": 5, "view": 5}
"""How many messages each counts for, where it is more than one."""
WANTED = {str: f"a text of at most {LONGEST_TEXT} characters", int: "a whole number", dict: "an object"}


def _limit(default: float, about: str) -> Any:
    return field(default=default, metadata={"help": about})


@dataclass(frozen=True)
class Limits:
    """What clients are bounded by. Each is an option of the command."""

    line: int = _limit(4096, "bytes of a client's longest line")
    rate: float = _limit(20.0, "messages a second of a connection; what comes faster has to wait")
    burst: int = _limit(40, "messages that may come at once")
    refusals: int = _limit(20, "refused messages in a row until a connection is hung up on")
    first: float = _limit(10.0, "seconds that a connection at no table may be silent")
    silent: float = _limit(90.0, "seconds that a connection at a table may be silent")
    unsent: int = _limit(1 << 18, "bytes kept for a client that does not read them")
    connections: int = _limit(800, "connections in all")
    per_address: int = _limit(50, "connections from one address")
    watchers: int = _limit(16, "spectators of a table")
    tables: int = _limit(500, "tables in all")
    new_tables: int = _limit(20, "tables made from one address where no match has begun")
    idle: float = _limit(3600.0, "seconds until an unused table is put away, or deleted if it never played")


def checked(line: bytes) -> Json:
    """The message in a client's line, with a type and perhaps an id."""
    try:
        message = decode(line)
    except TjmjError as fault:
        raise Refused(str(fault), "malformed") from None
    if type(message) is not dict or type(message.get("type")) is not str:
        raise Refused("a message is an object with a type", "malformed")
    number = message.get("id", 0)
    if not (_fits(number, int) or _fits(number, str)):
        raise Refused("id is a whole number or a short text", "malformed")
    return message


def _fits(value: Any, wanted: type) -> bool:
    if type(value) is not wanted:
        return False
    if isinstance(value, int):
        return abs(value) < LARGEST_NUMBER
    return not isinstance(value, str) or len(value) <= LONGEST_TEXT


def check_keys(kind: str, keys: Json) -> None:
    """Refuse what is no message of the protocol."""
    if kind not in MESSAGES:
        raise Refused(f"no such type; there are {', '.join(MESSAGES)}", "unknown")
    needed, optional = MESSAGES[kind]
    for key, value in keys.items():
        wanted = needed.get(key) or optional.get(key)
        if wanted is None:
            raise Refused(f"{kind} has no key {key[:LONGEST_TEXT]!r}", "unknown")
        if not _fits(value, wanted):
            raise Refused(f"{kind}: {key} is {WANTED[wanted]}", "malformed")
    for key in needed:
        if key not in keys:
            raise Refused(f"{kind} needs the key {key!r}", "malformed")


class Connection:
    """A client's connection (see `table_room.Client`)."""

    def __init__(self, writer: asyncio.StreamWriter, limits: Limits) -> None:
        self._writer, self._limits = writer, limits
        # The system keeps much for a slow reader by itself.
        writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, 1 << 16)
        peer = writer.get_extra_info("peername")
        self.address = str(peer[0]) if peer else ""
        self.table: Table | None = None
        self.player: Player | None = None
        self.hand, self.next, self.news = "", 0, -1
        self.wants_view = self.came = False
        self.refused = 0
        self._tokens, self._counted = float(limits.burst), now()

    @property
    def closing(self) -> bool:
        """Whether the server has hung up."""
        return self._writer.transport.is_closing()

    def send(self, message: Json) -> None:
        """Never waits: who lets too much pile up is hung up on."""
        if self.closing:
            return
        line = dumps(message, ensure_ascii=False, separators=(",", ":"))
        self._writer.write(line.encode(errors="replace") + b"\n")
        if self._writer.transport.get_write_buffer_size() > self._limits.unsent:
            log.info("%s does not read", self.address)
            self._writer.transport.abort()

    def bye(self, reason: str, again: bool = False) -> None:
        """Hang up; what is still to be sent has a second for it."""
        self.send({"type": "bye", "reason": reason, "again": again})
        self._writer.close()
        asyncio.get_running_loop().call_later(1, self._writer.transport.abort)

    async def closed(self) -> None:
        """Wait until it is, after hanging up."""
        self._writer.close()
        with suppress(OSError, asyncio.CancelledError):
            async with asyncio.timeout(1):
                await self._writer.wait_closed()
        self._writer.transport.abort()

    async def pace(self, cost: int) -> None:
        """Wait if more came than may; what comes meanwhile is not read."""
        earned = (now() - self._counted) * self._limits.rate
        self._tokens, self._counted = min(self._limits.burst, self._tokens + earned) - cost, now()
        if self._tokens < 0:
            await asyncio.sleep(-self._tokens / self._limits.rate)
