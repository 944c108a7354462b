"""Hostile clients of the table server in examples/: kept out of other seats, and bounded."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
import socket

import pytest
from at_tables import (  # noqa: F401, fixtures among them
    Raw,
    Spy,
    any_message,
    bots,
    check,
    in_hand,
    make,
    no_faults,
    quick_disk,
    run,
    serving,
)
from table_client import ask
from table_server import Limits

pytestmark = [pytest.mark.usefixtures("no_faults"), pytest.mark.process]


def test_who_may_not_answer(tmp_path):
    async def room():
        async with serving(tmp_path) as server, contextlib.AsyncExitStack() as stack:
            await make(server)
            raws, keys, hand, dealer = await in_hand(server, stack)
            table = server.tables["east"]
            before = table.match.snapshot()
            other = raws[(dealer + 1) % 4]
            sit = {"hand": hand, "turn": 0, "answer": "sit"}
            async with Raw(server.port) as stranger:
                assert await stranger.error("answer", **sit) == "refused"
                assert await stranger.error("join", table="east", name="戊") == "refused"
                for secret in ("", "x", keys[0][:-1], keys[0] + "x", keys[0].swapcase(), "é" * 32, "\0"):
                    assert await stranger.error("resume", table="east", secret=secret) == "secret"
            assert await other.error("answer", **sit) == "illegal"
            assert await other.error("answer", **sit, seat=dealer) == "unknown"
            assert await other.error("resume", table="east", secret=keys[dealer]) == "refused"
            assert await other.error("join", table="east", name="戊") == "refused"
            for answer in ("pull1", "0sit", "h", "", "d5W", "\0", "坐庄"):
                assert await raws[dealer].error("answer", hand=hand, turn=0, answer=answer) == "illegal"
            for turn in (-1, 1, 2**52, -(2**52)):
                assert await raws[dealer].error("answer", hand=hand, turn=turn, answer="sit") == "stale"
            for wrong in ("", hand[:-1], table.match.commitment):
                assert await raws[dealer].error("answer", hand=wrong, turn=0, answer="sit") in (
                    "stale",
                    "malformed",
                )
            assert await raws[dealer].error("ready") == "refused"
            for seed in ("0", "xy", "é"):
                assert await raws[dealer].error("ready", seed=seed) == "malformed"
            assert table.match.snapshot() == before
            # A double answer: the first one counts.
            raws[dealer].say("answer", **sit)
            raws[dealer].say("answer", **{**sit, "answer": "stand"})
            raws[dealer].say("answer", **sit)
            assert (await raws[dealer].reply())["type"] == "ok"
            assert await raws[dealer].error() == await raws[dealer].error() == "stale"
            pulls = [raws[(dealer + offset) % 4] for offset in (1, 2)]
            for raw in pulls:
                answers = [("pull2", None), ("pull1", "illegal")]
                for answer, error in answers:
                    assert await raw.error("answer", hand=hand, turn=1, answer=answer) == error
            assert {*table.match.round.given.values()} == {"pull2"}

    run(room())


MALFORMED = [
    b"\n", b"null\n", b"[]\n", b"1\n", b'"ready"\n', b"{}\n", b"{\n", b'{"type":1}\n', b'{"type":null}\n',
    b'{"type":"ready","type":"leave"}\n', b'{"type":"ping","id":true}\n', b'{"type":"ping","id":1.5}\n',
    b'{"type":"ping","id":"' + b"x" * 65 + b'"}\n', b'{"type":"ping","id":' + b"9" * 400 + b"}\n",
    b'{"type":"ping","id":' + b"[" * 200 + b"]" * 200 + b"}\n", b'{"a":' * 300 + b"1" + b"}" * 300 + b"\n",
    b"[" * 4000 + b"\n", b"\xff\xfe\n", b"\0\0\0\n", b"GET / HTTP/1.1\r\n",
    b'{"type":"ping","id":"\\ud800"}\n', b'{"type":"events","since":true}\n',
    b'{"type":"events","since":1e99}\n', b'{"type":"events","since":NaN}\n',
    b'{"type":"events","since":' + b"1" * 20 + b"}\n", b'{"type":"events"}\n',
    b'{"type":"watch","table":7}\n', b'{"type":"create","table":"x","options":[]}\n',
    b'{"type":"answer","hand":"","turn":0}\n',
    b'{"type":"join","table":"east","name":"' + b"x" * 65 + b'"}\n',
]  # fmt: skip
UNKNOWN = [
    b'{"type":"_take"}\n',
    b'{"type":"","x":1}\n',
    b'{"type":"ping","seat":0}\n',
    b'{"type":"ping","":0}\n',
]


def test_lines_that_are_no_messages(tmp_path):
    """Each is refused with a reason, and the connection goes on."""

    async def room():
        async with serving(tmp_path, limits=Limits(refusals=99, rate=1e6)) as server, Raw(server.port) as raw:
            for error, lines in (("malformed", MALFORMED), ("unknown", UNKNOWN)):
                for line in lines:
                    raw.write(line)
                    reply = await raw.reply()
                    assert (reply["type"], reply.get("error")) == ("error", error), line
                    assert 0 < len(reply["reason"]) <= 500
            assert await raw.reply("ping", id=5) == {"type": "ok", "re": "ping", "id": 5}
            assert await raw.reply("ping", id="x") == {"type": "ok", "re": "ping", "id": "x"}

    run(room())


@pytest.mark.parametrize(
    "keys",
    [
        {"table": ""}, {"table": "../x"}, {"table": "a/b"}, {"table": "a.b"}, {"table": "a b"},
        {"table": "\0"}, {"table": "x" * 33}, {"table": "east"}, {"table": "x", "rules": "peking"},
        {"table": "x", "options": {"cap": []}}, {"table": "x", "options": {"base": -1}},
        {"table": "x", "options": {"name": "tianjin"}}, {"table": "x", "end": {"hands": 0}},
        {"table": "x", "end": {"hands": True}}, {"table": "x", "end": {"x": 1}},
    ],
)  # fmt: skip
def test_tables_that_cannot_be(tmp_path, keys):
    async def room():
        async with serving(tmp_path) as server:
            await make(server)
            assert (await ask(server.port, "create", **keys))["error"] == "refused"
            assert [*server.tables] == ["east"]
        assert sorted(path.name for path in tmp_path.iterdir()) == ["east.table.json", "lock"]

    run(room())


@pytest.mark.parametrize("name", ["", " ", "x" * 33, "\x1b[2J", "a\nb", "\u202ex", "\u200b"])
def test_names_that_cannot_be(tmp_path, name):
    async def room():
        async with serving(tmp_path) as server:
            await make(server)
            assert (await ask(server.port, "join", table="east", name=name))["error"] == "refused"
            assert server.tables["east"].players == [None] * 4

    run(room())


def test_giant_lines(tmp_path):
    """With an end or without one: the server hangs up, and has not read them all."""

    async def room():
        async with serving(tmp_path) as server:
            for data in (b"x" * 10**6, b"x" * 5000 + b"\n", b'{"type":"ping"}\n' + b"x" * 10**7):
                async with Raw(server.port) as raw:
                    raw.write(data)
                    said = await raw.rest()
                    # What was not read may cut the farewell off.
                    assert not said or said[-1]["reason"] == "a line is longer than 4096 bytes"
            async with Raw(server.port) as raw:
                raw.write(b'{"type":"ping"' + b" " * 4080 + b"}\n")
                assert (await raw.reply())["type"] == "ok"

    run(room())


def test_who_is_refused_too_often_is_hung_up_on(tmp_path):
    async def room():
        async with serving(tmp_path, limits=Limits(refusals=5, rate=1e6)) as server:
            await make(server)
            async with Raw(server.port) as raw:
                for _ in range(5):
                    raw.say("resume", table="east", secret=secrets.token_urlsafe(24))
                said = await raw.rest()
                assert [each.get("error") for each in said] == ["secret"] * 5 + [None]
                assert said[-1]["type"] == "bye"

    run(room())


def test_a_flood_has_to_wait(tmp_path):
    """A connection that says too much is not read from; others are answered at once."""

    async def room():
        limits = Limits(rate=50, burst=10)
        async with serving(tmp_path, limits=limits) as server, Raw(server.port) as flood:
            clock = asyncio.get_running_loop().time
            flood.write(b'{"type":"ping"}\n' * 200_000)
            begun, count = clock(), 0
            while clock() - begun < 0.3:
                await flood.reply()
                count += 1
            assert count <= 10 + 50 * (clock() - begun) + 2
            async with Raw(server.port) as other:
                begun = clock()
                assert (await other.reply("ping"))["type"] == "ok"
                assert clock() - begun < 1

    run(room())


@pytest.mark.usefixtures("quick_disk")
def test_who_does_not_read_is_hung_up_on(tmp_path):
    async def room():
        limits = Limits(rate=1e6, burst=10**6, unsent=1 << 16, per_address=99)
        async with serving(tmp_path, limits=limits) as server, contextlib.AsyncExitStack() as stack:
            await make(server)
            slow = socket.socket()
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect(("127.0.0.1", server.port))
            with slow:
                slow.sendall(b'{"type":"watch","table":"east"}\n')
                raws, _, hand, dealer = await in_hand(server, stack)
                table = server.tables["east"]
                assert len(table.clients) == 5
                slow.setblocking(False)
                for _ in range(100_000):
                    with contextlib.suppress(BlockingIOError, ConnectionError):
                        slow.send(b'{"type":"events","since":0}\n')
                    await asyncio.sleep(0)
                    if len(table.clients) == 4:
                        break
                assert len(table.clients) == 4
            assert (await raws[dealer].reply("answer", hand=hand, turn=0, answer="sit"))["type"] == "ok"

    run(room())


def test_half_open_connections(tmp_path):
    """Who says nothing is hung up on, sooner where it has not even come to a table."""

    async def room():
        limits = Limits(first=0.5, silent=1.2)
        async with serving(tmp_path, limits=limits) as server, contextlib.AsyncExitStack() as stack:
            await make(server)
            raws = [await stack.enter_async_context(Raw(server.port)) for _ in range(10)]
            raws[0].write(b'{"type":')
            key = (await raws[1].reply("join", table="east", name="甲"))["secret"]
            await raws[1].reply("ping")
            for raw in (raws[0], *raws[2:]):
                assert (await raw.rest())[-1] == {
                    "type": "bye",
                    "reason": "silent for too long",
                    "again": True,
                }
            assert len(server.tables["east"].clients) == 1
            assert (await raws[1].rest())[-1]["type"] == "bye"
            assert not server.tables["east"].clients
            async with Raw(server.port) as raw:
                assert (await raw.reply("resume", table="east", secret=key))["type"] == "ok"

    run(room())


@pytest.mark.parametrize("limits", [Limits(per_address=3), Limits(connections=3)])
def test_too_many_connections(tmp_path, limits):
    async def room():
        async with serving(tmp_path, limits=limits) as server, contextlib.AsyncExitStack() as stack:
            raws = [await stack.enter_async_context(Raw(server.port)) for _ in range(3)]
            for raw in raws:
                await raw.reply("ping")
            async with Raw(server.port) as raw:
                assert [each["type"] for each in await raw.rest()] == ["bye"]
            await raws[0].__aexit__()
            for _ in range(1000):
                async with Raw(server.port) as raw:
                    raw.say("ping")
                    if (await raw.hear("ok", "bye"))["type"] == "ok":
                        return
            raise AssertionError("its place is not free again")

    run(room())


def test_too_many_tables(tmp_path):
    async def room():
        async with serving(tmp_path, limits=Limits(new_tables=2, tables=3)) as server:
            for name in "ab":
                await make(server, name)
            assert "too many" in (await ask(server.port, "create", table="c"))["reason"]
            assert (await ask(server.port, "tables"))["tables"][1]["table"] == "b"

    run(room())


def test_unused_tables_are_put_away(tmp_path):
    """One that never played is gone then; of another everything is there again when somebody asks."""

    async def room():
        async with (
            serving(tmp_path, limits=Limits(idle=1)) as server,
            contextlib.AsyncExitStack() as stack,
        ):
            await make(server)
            await make(server, "west")
            raws, keys, _, _ = await in_hand(server, stack)
            await raws[0].reply("leave")
            for raw in raws:
                await raw.__aexit__()
            while server.tables:
                await asyncio.sleep(0.01)
            assert not (tmp_path / "west.table.json").exists()
            async with Raw(server.port) as raw:
                assert await raw.error("watch", table="west") == "refused"
                assert (await raw.reply("resume", table="east", secret=keys[1]))["type"] == "ok"
                assert (await raw.hear("room"))["last"]["ended"] == "left"

    run(room())


@pytest.mark.usefixtures("quick_disk")
def test_any_messages_while_others_play(tmp_path):
    """Strangers say everything there is to say: each gets a reply, and the match goes its way."""

    async def hostile(server, rng, count):
        said = 0
        while said < count:
            async with Raw(server.port) as raw:
                for _ in range(rng.randrange(20)):
                    said += 1
                    message = any_message(rng, "0" * 16, ["k" * 32])
                    line = json.dumps(message).encode()
                    if rng.random() < 0.1:
                        line = bytes(byte ^ (rng.random() < 0.02) for byte in line).replace(b"\n", b"")
                    raw.write(line + b"\n")
                    reply = await raw.hear("ok", "error", "bye")
                    assert reply.get("error") != "fault", message
                    if reply["type"] == "bye":
                        break

    async def match():
        limits = Limits(rate=1e6, burst=10**6, per_address=1000, refusals=50, tables=20, new_tables=10)
        async with serving(tmp_path, limits=limits) as server:
            await make(server)
            clients = bots(server.port)
            async with asyncio.TaskGroup() as group:
                for client in clients:
                    group.create_task(client.run())
                    while client.secret is None:  # before a hostile one takes the place
                        await asyncio.sleep(0.001)
                for number in range(5):
                    group.create_task(hostile(server, random.Random(number), 300))
            return clients

    check(tmp_path, run(match()), 2)


class Deaf(Spy):
    """Does not mind what is refused."""

    def _on_error(self, message):
        self.errors.append(message)


@pytest.mark.usefixtures("quick_disk")
def test_any_messages_of_a_player(tmp_path):
    """One of the four says anything: it moves nobody else, and learns nothing."""

    async def match():
        async with serving(tmp_path, window_seconds=0.02, ready_seconds=0.02) as server:
            await make(server, hands=1)
            clients = bots(server.port)[:3]
            hostile = Deaf(server.port, "east", "丁")
            rng = random.Random(3)

            async def chatter():
                while not hostile.done:
                    for _ in range(20):
                        message = any_message(rng, hostile.hand, [hostile.secret])
                        if not message.get("table") and message["type"] not in ("create", "join"):
                            hostile.say(message.pop("type"), **message)
                    await asyncio.sleep(0.005)

            async with asyncio.TaskGroup() as group:
                for client in (*clients, hostile):
                    group.create_task(client.run())
                group.create_task(chatter())
            assert not [error for error in hostile.errors if error["error"] == "fault"]
            assert len(hostile.errors) > 100
            return [*clients, hostile]

    check(tmp_path, run(match()), 1)
