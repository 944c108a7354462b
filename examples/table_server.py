"""A table server: four clients to a table, people or bots, play matches (spec: table).

    python examples/table_server.py --port 7136 --data tables

It is one process and needs nothing but Python and tjmj. What is said over its connections is told in
table_protocol.py, what happens at a table is in table_room.py, and a client is table_client.py.

Four who are ready start a hand. When three are, the fourth has `--ready-seconds` and is then taken as ready.
Who has not answered in `--window-seconds` is answered for as `Round.default` does it.

In the folder `--data` are a file of each table, `NAME.table.json`, with digests of its secrets, and the
files of its matches, as `tjmj.Match` keeps them. The server can be killed at any moment and started again;
with `--sync` the machine can be, too.
"""

from __future__ import annotations

import argparse
import asyncio
import hmac
import logging
import os
import re
import secrets
import signal
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from typing import Any, BinaryIO

from table_protocol import COST, LONGEST_TEXT, Connection, Limits, check_keys, checked
from table_room import Json, Player, Refused, Table, digest, log, now

from tjmj.errors import IllegalMove, StaleMove, TjmjError
from tjmj.match import End
from tjmj.rulesets import rules_from

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

ENDING = ".table.json"
TABLE_NAME = re.compile(r"[\w-]{1,32}")
LONGEST_NAME = 32


class Server:
    """All tables and connections.

    Parameters
    ----------
    data : str
        The folder that tables and matches are kept in, used by no other server meanwhile.
    window_seconds, ready_seconds : float
    sync : bool
        Wait for the disk after each answer, so that they outlive the machine too.
    limits : Limits
    """

    def __init__(
        self,
        data: str,
        *,
        window_seconds: float = 20,
        ready_seconds: float = 15,
        sync: bool = False,
        limits: Limits | None = None,
    ) -> None:
        self.data, self.limits = data, limits or Limits()
        self.window_seconds, self.ready_seconds, self.sync = window_seconds, ready_seconds, sync
        self.tables: dict[str, Table] = {}
        self._makers: dict[Table, str] = {}
        self._addresses: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._listener: asyncio.Server | None = None
        self._lock: BinaryIO | None = None

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Take all tables up again, and listen; returns the port."""
        os.makedirs(self.data, mode=0o700, exist_ok=True)
        self._lock = _locked(os.path.join(self.data, "lock"))
        for file in sorted(os.listdir(self.data)):
            if file.endswith(ENDING):
                self._load(file.removesuffix(ENDING))
        self._listener = await asyncio.start_server(self._serve, host, port, limit=self.limits.line)
        self._keep(asyncio.create_task(self._sweep()))
        number: int = self._listener.sockets[0].getsockname()[1]
        return number

    async def close(self) -> None:
        """Hang up on everybody; what they were told is stored."""
        if self._listener is not None:
            self._listener.close()
        for table in list(self.tables.values()):
            self._put_away(table, "the server goes down", again=True)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._lock is not None:
            self._lock.close()

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Tables

    def path_of(self, name: str) -> str:
        """The file of a table."""
        return os.path.join(self.data, name + ENDING)

    def table(self, name: str) -> Table:
        """A table by its name, taken up again if it was put away."""
        if name not in self.tables:
            if not TABLE_NAME.fullmatch(name) or not os.path.exists(self.path_of(name)):
                raise Refused("there is no such table")
            self._load(name)
        if name not in self.tables:
            raise Refused("this table cannot be taken up now", "fault")
        return self.tables[name]

    def _load(self, name: str) -> None:
        try:
            table = self.tables[name] = Table.load(self, name)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
            log.error("%s cannot be taken up: %s: %s", name, type(fault).__name__, fault)
            return
        log.info("%s is taken up: %s", name, table.match)
        self.guarded(table)

    def guarded(self, table: Table, action: Callable[[], None] | None = None) -> None:
        """Do something to a table and what follows from it; what goes wrong stops this table only."""
        try:
            if action is not None:
                action()
            table.update()
        except Exception:
            self._fail(table)

    def _fail(self, table: Table) -> None:
        """After a fault only what is stored counts: whoever comes next has it taken up again."""
        log.exception("%s: a fault", table.name)
        self._put_away(table, "something went wrong at this table", again=True)

    def _put_away(self, table: Table, reason: str, again: bool) -> None:
        table.stop_clock()
        self.tables.pop(table.name, None)
        self._makers.pop(table, None)
        for client in list(table.clients):
            client.bye(reason, again)
            client.table = client.player = None
        table.clients.clear()

    async def _sweep(self) -> None:
        """Now and then put away the tables that nobody uses."""
        while True:
            await asyncio.sleep(self.limits.idle / 4)
            for table in list(self.tables.values()):
                if table.clients or table.match.round or now() - table.unused_since < self.limits.idle:
                    continue
                self._put_away(table, "", again=False)
                log.info("%s is put away", table.name)
                if not table.played:
                    with suppress(OSError):
                        os.unlink(self.path_of(table.name))

    # Connections

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A connection from its beginning to its end."""
        task = asyncio.current_task()
        assert task is not None
        self._keep(task)
        connection = Connection(writer, self.limits)
        self._addresses[connection.address] += 1
        try:
            await self._listen(connection, reader)
        except Refused as refused:
            log.info("%s is hung up on: %s", connection.address, refused)
            connection.bye(str(refused))
        except asyncio.LimitOverrunError:
            connection.bye(f"a line is longer than {self.limits.line} bytes")
        except TimeoutError:
            connection.bye("silent for too long", again=True)
        except asyncio.CancelledError:
            connection.bye("the server goes down", again=True)
        except (OSError, EOFError):
            pass
        except Exception:
            log.exception("%s: a fault", connection.address)
        finally:
            self._forget(connection)
            await connection.closed()

    async def _listen(self, connection: Connection, reader: asyncio.StreamReader) -> None:
        if self._addresses.total() > self.limits.connections:
            raise Refused("the server is full")
        if self._addresses[connection.address] > self.limits.per_address:
            raise Refused("too many connections from this address")
        while True:
            async with asyncio.timeout(self.limits.first if connection.table is None else self.limits.silent):
                line = await reader.readuntil(b"\n")
            if connection.closing:
                return
            await connection.pace(self._take(connection, line))
            if connection.refused >= self.limits.refusals:
                raise Refused("too much was refused")

    def _forget(self, connection: Connection) -> None:
        self._addresses[connection.address] -= 1
        self._addresses += Counter()  # without those at zero
        table = connection.table
        if table is not None:
            self.guarded(table, lambda: table.unbind(connection))

    def _take(self, connection: Connection, line: bytes) -> int:
        """Do what a line asks for, reply, and tell everybody what follows; returns what it counts for."""
        before = connection.table
        message: Json = {}
        reply: Json = {}
        try:
            message = checked(line)
            kind = message.pop("type")
            reply = {"re": kind[:LONGEST_TEXT], **({"id": message.pop("id")} if "id" in message else {})}
            check_keys(kind, message)
            told = getattr(self, f"_on_{kind}")(connection, **message) or {}
        except (Refused, TjmjError) as refused:
            connection.refused += 1
            connection.send(
                {"type": "error", **reply, "error": _error(refused), "reason": str(refused)[:500]}
            )
        except Exception:
            connection.send({"type": "error", **reply, "error": "fault", "reason": "something went wrong"})
            for table in self._touched(before, connection.table, message.get("table")):
                self._fail(table)
        else:
            connection.refused = 0
            connection.send({"type": "ok", **reply, **told})
            for table in self._touched(before, connection.table):
                self.guarded(table)
        return COST.get(reply.get("re", ""), 1)

    def _touched(self, *tables: Table | str | None) -> set[Table]:
        """Those of some tables that are in use."""
        names = {table.name if isinstance(table, Table) else table for table in tables}
        return {self.tables[name] for name in names if name is not None and name in self.tables}

    # What clients ask for

    def _on_tables(self, connection: Connection) -> Json:
        return {
            "tables": [
                {
                    "table": table.name,
                    "rules": table.rules.name,
                    "players": 4 - table.players.count(None),
                    "open": table.begun,
                }
                for table in self.tables.values()
            ]
        }

    def _on_create(
        self,
        connection: Connection,
        table: str,
        rules: str = "tianjin",
        options: Json | None = None,
        end: Json | None = None,
    ) -> Json:
        if not TABLE_NAME.fullmatch(table):
            raise Refused("a table's name is 1 to 32 letters, digits, - and _")
        chosen, until = rules_from(rules, options or {}), End.from_json(end)
        if table in self.tables or os.path.exists(self.path_of(table)):
            raise Refused("there is a table of this name already")
        waiting = [
            its for its, maker in self._makers.items() if maker == connection.address and not its.played
        ]
        if len(self.tables) >= self.limits.tables or len(waiting) >= self.limits.new_tables:
            raise Refused("there are too many tables")
        owner = secrets.token_urlsafe(24)
        made = Table(self, table, chosen, until, digest(owner))
        made.save()
        self.tables[table], self._makers[made] = made, connection.address
        log.info("%s is made: %s, %s", table, chosen, until)
        return {"owner": owner}

    def _on_join(self, connection: Connection, table: str, name: str) -> Json:
        if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            raise Refused(f"a name is 1 to {LONGEST_NAME} characters that can be printed")
        room = self._entered(connection, table)
        player, secret = room.sit(name)
        room.bind(connection, player)
        log.info("%s: %s sits down", table, name)
        return {"player": room.players.index(player), "secret": secret}

    def _on_resume(
        self, connection: Connection, table: str, secret: str, hand: str = "", since: int | None = None
    ) -> Json:
        room = self._entered(connection, table)
        player = room.player_with(secret)
        room.bind(connection, player, hand, since)
        return {"player": room.players.index(player)}

    def _on_watch(self, connection: Connection, table: str, hand: str = "", since: int | None = None) -> None:
        room = self._entered(connection, table)
        if sum(client.player is None for client in room.clients) >= self.limits.watchers:
            raise Refused("too many look on")
        room.bind(connection, None, hand, since)

    def _entered(self, connection: Connection, name: str) -> Table:
        if connection.table is not None:
            raise Refused("this connection is at a table already")
        return self.table(name)

    def _at(self, connection: Connection) -> Table:
        if connection.table is None:
            raise Refused("this connection is at no table")
        if connection.player is not None:
            connection.table.prove(connection.player)
        return connection.table

    def _seated(self, connection: Connection) -> tuple[Table, Player]:
        table = self._at(connection)
        if connection.player is None:
            raise Refused("spectators look on")
        return table, connection.player

    def _on_ready(self, connection: Connection, seed: str = "") -> None:
        table, player = self._seated(connection)
        try:
            table.ready(player, bytes.fromhex(seed))
        except ValueError:
            raise Refused("seed is up to 32 bytes in hex", "malformed") from None

    def _on_answer(self, connection: Connection, hand: str, turn: int, answer: str) -> None:
        table, player = self._seated(connection)
        table.answer(player, hand, turn, answer)

    def _on_events(self, connection: Connection, since: int, hand: str | None = None) -> Json:
        name, round, seat = self._at(connection).looked_at(connection.player, hand)
        if since < 0:
            raise Refused("events are numbered from 0")
        return {"hand": name, "events": round.events(seat, since)}

    def _on_view(self, connection: Connection) -> Json:
        name, round, seat = self._at(connection).looked_at(connection.player)
        return {"hand": name, "view": round.view(seat).to_json()}

    def _on_leave(self, connection: Connection) -> None:
        table, player = self._seated(connection)
        table.leave(player)
        table.unbind(connection)
        log.info("%s: %s leaves", table.name, player.name)

    def _on_dissolve(self, connection: Connection, table: str, owner: str) -> None:
        room = self.table(table)
        if not hmac.compare_digest(room.owner, digest(owner)):
            raise Refused("the secret is wrong", "secret")
        room.dissolve()
        os.unlink(self.path_of(table))
        self._put_away(room, "the room is dissolved", again=False)
        log.info("%s is dissolved", table)

    def _on_ping(self, connection: Connection) -> None:
        if connection.table is not None:
            self._at(connection)


def _error(refused: Exception) -> str:
    """The kind of error that the client is told."""
    known = {StaleMove: "stale", IllegalMove: "illegal"}
    return str(getattr(refused, "error", known.get(type(refused), "refused")))


def _locked(path: str) -> BinaryIO:
    """A file that says that its folder is in use, for as long as this process lives."""
    file = open(path, "ab")
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise OSError(f"another server uses {os.path.dirname(path)}") from None
    return file


async def run(server: Server, host: str, port: int) -> None:
    """Serve until the process is told to stop."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # on Windows
            loop.add_signal_handler(number, stop.set)
    try:
        print(f"listening on {host} port {await server.start(host, port)}", flush=True)
        await stop.wait()
    finally:
        await server.close()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="A table server.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=7136, help="0 for any that is free")
    parser.add_argument("--data", required=True, help="folder that tables and matches are kept in")
    parser.add_argument(
        "--window-seconds", type=float, default=20.0, help="till a silent seat is answered for"
    )
    parser.add_argument("--ready-seconds", type=float, default=15.0, help="till the fourth is taken as ready")
    parser.add_argument("--sync", action="store_true", help="wait for the disk after each answer")
    for limit in fields(Limits):
        option, kind = "--" + limit.name.replace("_", "-"), type(limit.default)
        parser.add_argument(option, type=kind, default=limit.default, help=limit.metadata["help"])
    given = vars(parser.parse_args())
    limits = Limits(**{limit.name: given[limit.name] for limit in fields(Limits)})
    own = {name: given[name] for name in ("window_seconds", "ready_seconds", "sync")}
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    try:
        asyncio.run(run(Server(given["data"], limits=limits, **own), given["host"], given["port"]))
    except OSError as fault:
        sys.exit(f"table_server: {fault}")
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
