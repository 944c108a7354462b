"""Servers, tables and clients of examples/table_server.py for tests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import pathlib
import random
import re
import sys

import pytest

import tjmj
from tjmj import safe_files
from tjmj.record import read, verify_file
from tjmj.round import replayed
from tjmj.view import View

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))

import table_room  # noqa: E402
from table_client import TableClient, ask, random_bot  # noqa: E402
from table_protocol import MESSAGES  # noqa: E402
from table_server import Limits, Server  # noqa: E402

MANY = Limits(rate=1e6, burst=10**6, refusals=10**6, per_address=1000, new_tables=1000)
"""For clients that are all at one address and do not wait."""
NAMES = "甲乙丙丁"
TILE = re.compile(rb'"[1-9][WTBFJH]"')


def run(made, seconds=60):
    """Run a coroutine, not for ever."""

    async def bounded():
        async with asyncio.timeout(seconds):
            return await made

    return asyncio.run(bounded())


@pytest.fixture
def no_faults(caplog, request):
    """The server logs no fault, unless a test is about them."""
    caplog.set_level(logging.WARNING, "table_server")
    yield
    if "faults" not in request.fixturenames:
        told = [each for each in caplog.get_records("call") if each.levelno >= logging.ERROR]
        assert [record.getMessage() for record in told] == []


@pytest.fixture
def quick_disk(monkeypatch):
    """A disk takes its time; these tests kill no server."""
    monkeypatch.setattr(os, "fsync", lambda file: None)
    monkeypatch.setattr(safe_files, "replace_file", plainly)
    monkeypatch.setattr(tjmj.match, "replace_file", plainly)
    monkeypatch.setattr(table_room, "replace_file", plainly)


def plainly(path, data, sync=True):
    """Write a file without any care."""
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "wb") as file:
        file.write(data)
        file.truncate()


@contextlib.asynccontextmanager
async def serving(folder, **given):
    """A server in this process, with its port."""
    server = Server(str(folder), **{"limits": MANY, "ready_seconds": 60, "window_seconds": 60, **given})
    server.port = await server.start()
    try:
        yield server
    finally:
        await server.close()


class Spy(TableClient):
    """Keeps what it received."""

    SLOWEST = 0.1

    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        self.lines = []

    def received(self, line):
        self.lines.append(line)
        return line

    def heard(self, kind):
        """All messages of a type."""
        return [message for message in map(json.loads, self.lines) if message["type"] == kind]


class Dropping(Spy):
    """Its connection breaks now and then, before or after it has said something."""

    def __init__(self, *given, chance=0.1, **named):
        super().__init__(*given, **named)
        self.rng, self.chance, self.drops = random.Random(f"drop {self.name}"), chance, 0

    def say(self, kind, **keys):
        lost = kind not in ("join", "resume") and self.rng.random() < self.chance
        if lost and self.rng.random() < 0.5:
            self.drops += 1
            return self.drop()
        super().say(kind, **keys)
        if lost:
            self.drops += 1
            asyncio.get_running_loop().call_soon(self.drop)


async def make(server_or_port, table="east", rules="tianjin", hands=2, **options):
    """Make a table; returns the owner's secret."""
    port = getattr(server_or_port, "port", server_or_port)
    made = await ask(port, "create", table=table, rules=rules, options=options, end={"hands": hands})
    assert made["type"] == "ok", made
    return made["owner"]


def bots(port, table="east", kind=Spy, policy=random_bot, **named):
    """Four clients that play."""
    return [kind(port, table, name, policy=policy(f"{table} {name}"), **named) for name in NAMES]


async def play(*clients):
    """Let clients be at their tables until they are done."""
    async with asyncio.TaskGroup() as group:
        for client in clients:
            group.create_task(client.run())


def records_of(folder, table="east"):
    """The records of a table's only match; all of them are right."""
    (path,) = pathlib.Path(folder).glob(f"{table}.*.jsonl")
    assert all(verdict.ok for verdict in verify_file(path))
    return [*read(path)]


def seat_in(record, client):
    """Where a client sat; None for a spectator."""
    return None if client.watch else record.extra["match"]["players"].index(client._place)


def check(folder, clients, hands, table="east", ended=True):
    """All hands are in the file, once; everybody was told them all and holds the right view at the end."""
    records = records_of(folder, table)
    assert [record.extra["match"]["hand"] for record in records] == list(range(hands))
    rounds = [replayed(record).round for record in records]
    for client in clients:
        assert [told["commitment"] for told in client.records] == [each.commitment.hex() for each in records]
        assert client.view.to_json() == rounds[-1].view(seat_in(records[-1], client)).to_json()
        if ended:
            assert client.last["ended"] == "hands" and client.last["totals"] == clients[0].last["totals"]
        check_secrecy(client, records, rounds)


def check_secrecy(client, records, rounds):
    """In all bytes that a connection received there is nothing but what its seat may know at that time."""
    may, closed = {}, {}
    for record, played in zip(records, rounds):
        seat = seat_in(record, client)
        events, hand = played.events(seat), record.commitment.hex()[:16]
        check_masked(events, seat)
        may[hand], closed[hand] = events, record.seed.hex().encode()
    for line in client.lines:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hand_over":
            del closed[message["hand"]]
        assert not any(seed in line for seed in closed.values())
        if kind == "events":
            first = message["events"][0]["n"] if message["events"] else 0
            assert message["events"] == may[message["hand"]][first : first + len(message["events"])]
        elif kind == "ok" and "events" in message:
            assert all(event == may[message["hand"]][event["n"]] for event in message["events"])
        elif kind == "ok" and "view" in message:
            events = may[message["hand"]][: message["view"]["next"]]
            assert message["view"] == view_after(events, message["view"]).to_json()
        elif kind not in ("error", "hand_over"):
            assert not TILE.search(line)


def view_after(events, told):
    """The view that events give to whom `told` belongs to."""
    view = View(told["seat"], told["rules"], told["dealer"])
    for event in events:
        view.apply(event)
    return view


def check_masked(events, seat):
    """A seat is told of no tile that it cannot see."""
    for event in events:
        name = event["event"]
        if name == "deal":
            shown = [at for at, hand in enumerate(event["hands"]) if hand is not None]
            assert shown == ([] if seat is None else [seat])
            assert event["drawn"] is None or seat == event["dealer"]
        elif name == "draw":
            assert (event["tile"] is None) == (event["seat"] != seat)
        elif name == "kong":
            assert (event["tile"] is None) == (event["hidden"] and event["seat"] != seat)
        elif name == "window":
            assert set(event["answers"]) <= {str(seat)}


class Raw:
    """A connection that says what it likes."""

    def __init__(self, port):
        self.port = port

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        return self

    async def __aexit__(self, *fault):
        self.writer.close()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()

    def say(self, kind, **keys):
        self.write(json.dumps({"type": kind, **keys}).encode() + b"\n")

    def write(self, data):
        self.writer.write(data)

    async def hear(self, *kinds):
        """The next message of these types."""
        while True:
            message = json.loads(await self.reader.readuntil(b"\n"))
            if message["type"] in kinds:
                return message

    async def reply(self, kind=None, **keys):
        """The next reply, after saying something."""
        if kind is not None:
            self.say(kind, **keys)
        return await self.hear("ok", "error")

    async def error(self, kind=None, **keys):
        """What kind of error that gives."""
        return (await self.reply(kind, **keys)).get("error")

    async def rest(self):
        """Everything until the server hangs up."""
        with contextlib.suppress(OSError):
            return [json.loads(line) for line in (await self.reader.read()).splitlines()]


async def seated(server, stack, count=4, table="east"):
    """Connections of players who have just sat down, with their secrets."""
    raws, keys = [], []
    for name in NAMES[:count]:
        raw = await stack.enter_async_context(Raw(server.port))
        reply = await raw.reply("join", table=table, name=name)
        raws.append(raw)
        keys.append(reply["secret"])
    return raws, keys


async def in_hand(server, stack):
    """Four players in their first hand, which waits in its first window; the dealer's place too."""
    raws, keys = await seated(server, stack)
    for raw in raws:
        assert (await raw.reply("ready"))["type"] == "ok"
    told = [await raw.hear("hand") for raw in raws]
    dealer = [each["seat"] for each in told].index(told[0]["dealer"])
    return raws, keys, told[0]["hand"], dealer


def any_message(rng, hand, keys):
    """A message that makes sense in part."""
    values = [
        None,
        True,
        -1,
        0,
        1,
        2,
        3,
        10**9,
        2**70,
        1.5,
        "",
        "east",
        "x",
        hand,
        "sit",
        "pull1",
        "d5W",
        "pass",
        "00",
    ]
    values += [*keys, [], {}, {"hands": 1}, {"hands": 0}, {"cap": None}, "甲", "\0", "é", "tianjin", "jintan"]
    kinds = [
        "tables",
        "create",
        "join",
        "resume",
        "watch",
        "ready",
        "answer",
        "events",
        "view",
        "dissolve",
        "ping",
    ]
    names = [
        "table",
        "name",
        "secret",
        "hand",
        "since",
        "seed",
        "turn",
        "answer",
        "owner",
        "rules",
        "options",
        "end",
    ]
    kind = rng.choice(kinds)
    sensible = [*MESSAGES[kind][0], *(key for key in MESSAGES[kind][1] if rng.random() < 0.5)]
    if rng.random() < 0.2:
        sensible.append(rng.choice(names))
    message = {key: rng.choice(values) for key in sensible if rng.random() < 0.95}
    return {
        "type": kind,
        **message,
        **({"table": "east"} if "table" in message and rng.random() < 0.5 else {}),
    }
