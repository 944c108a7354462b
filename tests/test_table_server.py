"""The table server and its client in examples/: four clients play matches over connections."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import threading

import at_tables
import pytest
import table_client
import table_room
from at_tables import (  # noqa: F401, fixtures among them
    MANY,
    NAMES,
    Dropping,
    Raw,
    Spy,
    bots,
    check,
    in_hand,
    make,
    no_faults,
    plainly,
    play,
    quick_disk,
    records_of,
    run,
    seated,
    serving,
)
from matches import LIVELY
from table_client import Person, TableClient, TableError, ask, default_bot, quiet, random_bot
from table_server import Limits, Server

import tjmj
from tjmj import safe_files
from tjmj.match import End, Match
from tjmj.round import Round
from tjmj.view import View

pytestmark = [pytest.mark.usefixtures("no_faults"), pytest.mark.process]
POSIX = pytest.mark.skipif(os.name != "posix", reason="processes are killed here as POSIX does it")


@pytest.fixture
def faults(caplog):
    """For tests that are about faults of the server: what it logs of them."""
    return caplog


# Playing


@pytest.mark.parametrize("rules", ["tianjin", "tianjin-street", "jintan"])
@pytest.mark.usefixtures("quick_disk")
def test_a_match_over_the_wire(tmp_path, rules):
    """Two hands by four bots with a spectator: all hold the right views at the end."""

    async def match():
        async with serving(tmp_path) as server:
            await make(server, rules=rules)
            seats = [
                Spy(server.port, "east", name, policy=random_bot(name), seed=name.encode()) for name in NAMES
            ]
            watcher = Spy(server.port, "east", watch=True)
            await play(*seats, watcher)
            return [*seats, watcher]

    clients = run(match())
    check(tmp_path, clients, 2)
    # A claim window may close while an answer to it is on its way.
    assert all(error["error"] == "stale" for client in clients for error in client.errors)
    for record in records_of(tmp_path):
        by_seat = record.extra["match"]["players"]
        assert record.client_seeds == tuple(NAMES[player].encode() for player in by_seat)
        assert record.names == tuple(NAMES[player] for player in by_seat)


@pytest.mark.usefixtures("quick_disk")
def test_commitments_come_before_anybody_is_ready_and_seeds_after_the_hand(tmp_path):
    async def match():
        async with serving(tmp_path) as server:
            await make(server)
            clients = bots(server.port, policy=lambda seed: default_bot)
            await play(*clients)
            return clients

    for client in run(match()):
        committed = set()
        for message in map(json.loads, client.lines):
            if message["type"] == "room" and not (message["match"] or {}).get("open"):
                assert len(message["commitment"]) == 64
                committed.add(message["hand_commitment"])
            elif message["type"] == "hand":
                assert message["commitment"] in committed
            elif message["type"] == "hand_over":
                record = message["record"]
                assert hashlib.sha256(bytes.fromhex(record["seed"])).hexdigest() == record["commitment"]
        last = client.last
        assert hashlib.sha256(bytes.fromhex(last["seed"])).hexdigest() == last["commitment"]


def tables_at_once(folder, tables, hands, kind=Spy, **named):
    """Many tables, each with four bots."""

    async def matches():
        async with serving(folder) as server:
            names = [f"t{number}" for number in range(tables)]
            for name in names:
                await make(server, name, hands=hands, **LIVELY)
            seats = {name: bots(server.port, name, kind, **named) for name in names}
            await play(*(client for four in seats.values() for client in four))
            return seats

    for table, clients in run(matches(), 600).items():
        check(folder, clients, hands, table)


@pytest.mark.usefixtures("quick_disk")
@pytest.mark.slow
def test_fifty_tables_at_once(tmp_path):
    tables_at_once(tmp_path, 50, 1)


@pytest.mark.slow
def test_fifty_tables_whose_clients_drop(tmp_path):
    tables_at_once(tmp_path, 50, 4, Dropping)


@pytest.mark.parametrize("rules", ["tianjin", "jintan"])
@pytest.mark.usefixtures("quick_disk")
def test_clients_that_drop_come_back(tmp_path, rules):
    async def match():
        async with serving(tmp_path) as server:
            await make(server, rules=rules)
            clients = bots(server.port, kind=Dropping, chance=0.2)
            await play(*clients)
            return clients

    clients = run(match())
    check(tmp_path, clients, 2)
    assert sum(client.drops for client in clients) > 20


@pytest.mark.usefixtures("quick_disk")
def test_silent_seats_are_answered_for(tmp_path):
    """Nobody ever answers: the hand is what `Round.default` makes of it."""

    async def match():
        async with serving(tmp_path, window_seconds=0.001) as server:
            await make(server, hands=1)
            clients = [Spy(server.port, "east", name) for name in NAMES]
            await play(*clients)
            return clients

    check(tmp_path, run(match()), 1)
    (record,) = records_of(tmp_path)
    made = Round(record.rules, record.dealer, seed=record.seed, names=record.names)
    while not made.over:
        seat = min(made.pending)
        made.play(seat, made.default(seat))
    assert made.record().moves == record.moves


@pytest.mark.parametrize("rules", tjmj.preset_names())
def test_the_quiet_bot_does_what_the_server_does(rules):
    rng = random.Random(rules)
    for _ in range(20):
        made = Round(rules, rng.randrange(4), seed=rng.randbytes(32))
        while not made.over:
            seat = rng.choice([*made.pending])
            assert quiet(made.view(seat)) == made.default(seat)
            made.play(seat, rng.choice(made.pending[seat]))


# The room


def test_three_ready_start_the_countdown_of_the_fourth(tmp_path):
    async def room():
        async with serving(tmp_path, ready_seconds=0.05) as server, contextlib.AsyncExitStack() as stack:
            await make(server)
            raws, _ = await seated(server, stack)
            for raw in raws[:2]:
                await raw.reply("ready")
            await asyncio.sleep(0.1)
            assert server.tables["east"].match.round is None
            await raws[2].reply("ready")
            while (room := await raws[3].hear("room"))["ready_seconds"] is None:
                pass
            assert [player["ready"] for player in room["players"]] == [True, True, True, False]
            assert 0 < room["ready_seconds"] <= 0.05
            assert (await raws[3].hear("hand"))["number"] == 0

    run(room())


def test_three_are_not_enough(tmp_path):
    async def room():
        async with serving(tmp_path, ready_seconds=0.01) as server, contextlib.AsyncExitStack() as stack:
            await make(server)
            raws, _ = await seated(server, stack, 3)
            for raw in raws:
                assert (await raw.reply("ready"))["type"] == "ok"
            await asyncio.sleep(0.05)
            assert not server.tables["east"].begun
            async with Raw(server.port) as fourth:
                await fourth.reply("join", table="east", name="丁")
                await fourth.hear("hand")

    run(room())


def test_who_leaves_ends_the_match_and_another_begins(tmp_path):
    async def room():
        async with serving(tmp_path) as server, contextlib.AsyncExitStack() as stack:
            await make(server)
            raws, _, hand, dealer = await in_hand(server, stack)
            assert (await raws[dealer].reply("answer", hand=hand, turn=0, answer="sit"))["type"] == "ok"
            left, stays = raws[1], raws[2]
            assert (await left.reply("leave"))["type"] == "ok"
            while (room := await stays.hear("room"))["players"][1] is not None:
                pass
            assert room["match"] is None and room["last"]["ended"] == "left" and room["last"]["left"] == 1
            assert await stays.error("answer", hand=hand, turn=1, answer="pull0") == "stale"
            assert await left.error("ready") == "refused"
            assert (await left.reply("join", table="east", name="戊"))["player"] == 1
            for raw in raws:
                assert (await raw.reply("ready"))["type"] == "ok"
            begun = await stays.hear("hand")
            assert begun["number"] == 0 and begun["hand"] != hand and "戊" in begun["names"]
        first, second = sorted(tmp_path.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
        assert first.read_bytes() == second.read_bytes() == b""

    run(room())


def test_the_owner_dissolves_the_room(tmp_path):
    async def room():
        async with serving(tmp_path) as server, contextlib.AsyncExitStack() as stack:
            owner = await make(server)
            raws, keys, _, _ = await in_hand(server, stack)
            for wrong in (keys[0], "", owner[:-1]):
                assert await raws[0].error("dissolve", table="east", owner=wrong) == "secret"
            assert (await ask(server.port, "dissolve", table="east", owner=owner))["type"] == "ok"
            said = await raws[0].rest()
            assert said[-1] == {"type": "bye", "reason": "the room is dissolved", "again": False}
            assert [each for each in said if each["type"] == "room"][-1]["last"]["ended"] == "dissolved"
            assert (await ask(server.port, "tables"))["tables"] == []
        (path,) = tmp_path.glob("*.jsonl")
        assert Match.resume(path).ended == "dissolved"

    run(room())


def test_a_place_whose_secret_was_lost_is_free_again(tmp_path):
    async def room():
        async with serving(tmp_path) as server:
            await make(server)
            async with Raw(server.port) as raw:
                await raw.reply("join", table="east", name="甲")
            async with Raw(server.port) as raw:
                key = (await raw.reply("join", table="east", name="乙"))["secret"]
                assert (await raw.hear("room"))["players"][0]["name"] == "乙"
                assert (await raw.reply("ping"))["type"] == "ok"
            async with Raw(server.port) as raw:
                assert (await raw.reply("resume", table="east", secret=key))["player"] == 0

    run(room())


def test_coming_back(tmp_path):
    """With a view; with events from a number on; from another connection."""

    async def room():
        async with serving(tmp_path) as server, contextlib.AsyncExitStack() as stack:
            await make(server)
            raws, keys, hand, dealer = await in_hand(server, stack)
            await raws[dealer].reply("answer", hand=hand, turn=0, answer="sit")
            made = server.tables["east"].match.round
            for place, key in enumerate(keys):
                async with Raw(server.port) as raw:
                    assert (await raw.reply("resume", table="east", secret=key))["player"] == place
                    assert (await raws[place].rest())[-1]["reason"].startswith("another connection")
                    view = View.from_json((await raw.hear("hand"))["view"])
                    assert view == made.view(place)
                    told = await raw.hear("events")
                    assert told["events"] == [] and told["asked"] == (place != dealer) and told["turn"] == 1
                    assert (await raw.reply("view"))["view"] == view.to_json()
                    assert server.tables["east"].players[place].client is not None
                    assert (await raw.reply("events", since=1))["events"] == made.events(place, 1)
                for since in (0, 1, view.next, view.next + 5):
                    async with Raw(server.port) as raw:
                        await raw.reply("resume", table="east", secret=key, hand=hand, since=since)
                        expected = made.events(place, since if since <= view.next else 0)
                        assert (await raw.hear("events"))["events"] == expected

    run(room())


def test_spectators(tmp_path):
    async def room():
        given = {"limits": Limits(watchers=2), "sync": True}
        async with serving(tmp_path, **given) as server, contextlib.AsyncExitStack() as stack:
            await make(server)
            _, _, hand, _ = await in_hand(server, stack)
            lookers = [await stack.enter_async_context(Raw(server.port)) for _ in range(3)]
            for raw in lookers[:2]:
                assert (await raw.reply("watch", table="east"))["type"] == "ok"
                assert (await raw.hear("hand"))["seat"] is None
                assert not (await raw.hear("events"))["asked"]
                assert await raw.error("answer", hand=hand, turn=0, answer="sit") == "refused"
                assert await raw.error("ready") == await raw.error("leave") == "refused"
            assert await lookers[2].error("watch", table="east") == "refused"

    run(room())


# Killed and started again


class Process:
    """A server in a process of its own."""

    def __init__(self, folder):
        self.folder, self.port = folder, 0

    def start(self):
        command = [
            sys.executable,
            "-W",
            "error",
            str(at_tables.EXAMPLES / "table_server.py"),
            "--data",
            str(self.folder),
        ]
        options = ["--port", str(self.port), "--per-address", "1000", "--rate", "1000000"]
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen(
                [*command, *options], stdout=subprocess.PIPE, stderr=log, text=True, env=environment()
            )
        self.port = int(self.process.stdout.readline().split()[-1])

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait(10)
        self.process.stdout.close()

    def log(self):
        return pathlib.Path(self.folder, "log").read_text("utf-8")


def environment():
    """For a process that uses the same package."""
    paths = [str(pathlib.Path(tjmj.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONUTF8": "1"}


@contextlib.contextmanager
def process(folder):
    made = Process(folder)
    made.start()
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.kill()
    assert "Traceback" not in made.log()


class Claimer(Spy):
    """In a claim window waits for what the others at the table may do; stops with the hand of the kill."""

    def __init__(self, *given, board, **named):
        super().__init__(*given, **named)
        self.board = board

    def may(self, letter):
        return any(word.startswith(letter) for word in self.view.answers)

    def asked(self):
        if (
            self.view.window["window"] == "claim"
            and not self.board.killed
            and (self.may("e") or self.may("p"))
        ):
            self.board.wait(self)
        else:
            super().asked()

    def _on_ok(self, message):
        super()._on_ok(message)
        if message["re"] == "answer" and self is self.board.chower:
            self.board.stored.set()

    def _on_hand_over(self, message):
        super()._on_hand_over(message)
        self.done = self.board.killed


class Board:
    """Brings about that one has chowed, and another, who may pong, has not answered yet."""

    def __init__(self):
        self.waiting, self.chower, self.chow, self.killed = [], None, "", False
        self.stored = asyncio.Event()

    def wait(self, client):
        self.waiting.append(client)
        if len(self.waiting) == 1:
            asyncio.get_running_loop().call_later(0.01, self.decide)

    def decide(self):
        clients, self.waiting = self.waiting, []
        chowers = [client for client in clients if client.may("e")]
        if (
            self.chower is None
            and chowers
            and any(other.may("p") for other in clients if other not in chowers)
        ):
            self.chower = chowers[0]
            self.chow = next(word for word in self.chower.view.answers if word[0] == "e")
            self.chower.answer(self.chow)
            return
        for client in clients:
            client.answer("pass")


@POSIX
def test_killed_in_mid_claim(tmp_path):
    """After the kill a chow that was answered is still there, and a pong that was not is still open."""

    async def match(server):
        board = Board()
        await make(server, rules="jintan", hands=100)
        clients = bots(server.port, kind=Claimer, policy=lambda seed: quiet, board=board)
        playing = asyncio.create_task(play(*clients))
        await board.stored.wait()
        turn, seat, hand = board.chower.turn, board.chower.view.seat, board.chower.hand
        server.kill()
        board.killed = True
        server.start()
        await playing
        claims = [
            told for told in board.chower.heard("events") if (told["hand"], told["turn"]) == (hand, turn)
        ]
        assert [told["asked"] for told in claims] == [True, False]
        return clients, f"{seat}{board.chow}"

    with process(tmp_path) as server:
        clients, chow = run(match(server))
    record = records_of(tmp_path)[-1]
    check(tmp_path, clients, record.extra["match"]["hand"] + 1, ended=False)
    assert chow in record.moves.split()


def killed_at_any_moment(folder, hands, kills):
    """Bots that do not wait, and a server that is killed and started again."""

    async def match(server):
        rng = random.Random(kills)
        await make(server, hands=hands)
        clients = bots(server.port, kind=Dropping, chance=0.02)
        playing = asyncio.create_task(play(*clients))
        for kill in range(kills):
            await asyncio.wait([playing], timeout=rng.uniform(0.05, 0.4))
            if playing.done():
                assert kill
                break
            server.kill()
            server.start()
        await playing
        return clients

    with process(folder) as server:
        check(folder, run(match(server), 300), hands)


@POSIX
def test_killed_at_any_moment(tmp_path):
    killed_at_any_moment(tmp_path, 2, 3)


@POSIX
@pytest.mark.slow
def test_killed_at_many_moments(tmp_path):
    killed_at_any_moment(tmp_path, 40, 40)


@POSIX
def test_told_to_stop(tmp_path):
    """SIGTERM ends it without complaint; nothing is lost by that either."""
    with process(tmp_path) as server:
        run(make(server))
        server.kill(signal.SIGTERM)
        assert server.process.returncode == 0
        server.start()
        assert [table["table"] for table in run(ask(server.port, "tables"))["tables"]] == ["east"]


def test_every_place_of_a_crash(tmp_path, monkeypatch):
    """The server is given up at each of its writes in turn, before and after it: the match is never wrong."""

    class Crash(BaseException):
        pass

    monkeypatch.setattr(os, "fsync", lambda file: None)
    where = {"left": 0, "after": False}

    def crashing(write):
        def written(*given, **named):
            where["left"] -= 1
            if where["left"] == 0 and not where["after"]:
                raise Crash
            result = write(*given, **named)
            if where["left"] == 0:
                raise Crash
            return result

        return written

    for module in (tjmj.match, table_room):
        monkeypatch.setattr(module, "replace_file", crashing(plainly))
    monkeypatch.setattr(tjmj.match, "append_line", crashing(safe_files.append_line))
    rng = random.Random(5)

    async def match(folder, writes, after):
        where.update(left=0, after=after)
        keys, server = {}, None
        while True:
            server = Server(str(folder), limits=MANY)
            try:
                await server.start()
                where["left"] = writes
                played(server, keys)
                return
            except Crash:
                writes = 0
            finally:
                where["left"] = 0
                await server.close()

    def played(server, keys):
        """Play the match as clients do, without connections; what was told is true after every crash."""
        if "east" not in server.tables:
            made = table_room.Table(server, "east", tjmj.rules(**LIVELY), End(hands=1), b"")
            made.save()
            server.tables["east"] = made
        table = server.tables["east"]
        for name in NAMES:
            try:
                assert table.player_with(keys[name]).name == name
            except (KeyError, table_room.Refused):
                assert not table.played
                player, keys[name] = table.sit(name)
                table.prove(player)
        if not table.played:
            table._take_as_ready()
        table.update()
        while table.match.round is not None:
            seat = min(table.match.round.pending)
            answers = table.match.round.pending[seat]
            player = table.players[table.match.players[seat]]
            table.answer(player, table.hand, table.match.round.turn, answers[rng.randrange(len(answers))])
            table.update()
        if not table.last:
            assert table.begun and not table.match.hands
            table._take_as_ready()
            table.update()
            played(server, keys)

    for writes in (*range(1, 14), 20, 40):
        for after in (False, True):
            folder = tmp_path / f"{writes}{after}"
            with contextlib.suppress(Crash):
                run(match(folder, writes, after))
            assert len(records_of(folder)) == 1


@pytest.mark.usefixtures("quick_disk")
def test_taken_up_again(tmp_path, faults):
    """A server that starts leaves out what it cannot read, and no two use the same folder."""

    async def rooms():
        async with serving(tmp_path) as server, contextlib.AsyncExitStack() as stack:
            await make(server)
            await make(server, "west")
            _, keys, hand, _ = await in_hand(server, stack)
            with pytest.raises(OSError, match="another server uses"):
                await Server(str(tmp_path)).start()
        for name, text in {
            "a": "",
            "b": "{}",
            "c": "[]",
            "d": '{"format":"tjmj-table/1"}',
            "e": "\0",
        }.items():
            (tmp_path / f"{name}.table.json").write_text(text)
        west = (tmp_path / "west.table.json").read_text()
        (tmp_path / "other.table.json").write_text(west)
        (tmp_path / "west.table.json").write_text(west.replace('"tianjin"', '"peking"'))
        async with serving(tmp_path) as server:
            assert [*server.tables] == ["east"]
            assert server.tables["east"].hand == hand
            async with Raw(server.port) as raw:
                assert await raw.error("watch", table="west") == "fault"
                assert (await raw.reply("resume", table="east", secret=keys[2]))["player"] == 2

    run(rooms())
    assert len(faults.records) == 8


def test_a_disk_that_fails(tmp_path, monkeypatch, faults):
    """What could not be stored was told to nobody; the table goes on from its files."""
    monkeypatch.setattr(os, "fsync", lambda file: None)
    fails = random.Random(1)

    def failing(write):
        def written(*given, **named):
            if fails.random() < 0.05:
                raise OSError("the disk is full")
            return write(*given, **named)

        return written

    for module in (tjmj.match, table_room):
        monkeypatch.setattr(module, "replace_file", failing(safe_files.replace_file))
    monkeypatch.setattr(tjmj.match, "append_line", failing(safe_files.append_line))

    async def match():
        async with serving(tmp_path) as server:
            with contextlib.suppress(AssertionError):
                await make(server)
            while "east" not in server.tables:
                await asyncio.sleep(0)
                with contextlib.suppress(AssertionError):
                    await make(server)
            clients = bots(server.port)
            await play(*clients)
            return clients

    check(tmp_path, run(match()), 2)
    assert any("the disk is full" in record.exc_text for record in faults.records if record.exc_text)


# The client


class Scripted(Person):
    """A person who always takes the first answer."""

    def may_be_ready(self):
        super().may_be_ready()
        self.typed("")

    def asked(self):
        self.turn, turn = None, self.turn
        self.typed("1")
        self.turn = turn
        self.typed("?")
        self.typed("1")


@pytest.mark.usefixtures("quick_disk")
def test_a_person_at_a_terminal(tmp_path, capsys):
    async def match():
        async with serving(tmp_path) as server:
            await make(server, hands=1, first_dealer=0, **LIVELY)
            person = Scripted(server.port, "east", "甲")
            await play(person, *bots(server.port)[1:])
            return person

    person = run(match())
    assert person.last["ended"] == "hands"
    shown = capsys.readouterr().out
    for words in ("To come back: --secret", "Press Enter", "place 3: 丁", "→ 甲: ", "混 ", "1 坐庄", "1 打 "):
        assert words in shown
    assert "(It is not your turn.)" in shown and "('?': " in shown


def test_what_a_server_says_does_nothing_to_a_terminal():
    assert table_client.printable("\x1b[2J甲\u202e\n") == "?[2J甲??"


def test_a_person_leaves(tmp_path):
    async def match():
        async with serving(tmp_path) as server:
            await make(server)
            person = Person(server.port, "east", "甲")
            staying = asyncio.create_task(person.run())
            while person.room is None:
                await asyncio.sleep(0.01)
            person.typed("q")
            await staying
            while server.tables["east"].players != [None] * 4:
                await asyncio.sleep(0.01)

    run(match())


def test_a_client_that_is_not_let_in(tmp_path):
    async def room():
        async with serving(tmp_path) as server:
            for named in ({"name": "甲"}, {"secret": "x"}, {"watch": True}):
                with pytest.raises(TableError, match="no such table"):
                    await TableClient(server.port, "north", **named).run()

    run(room())


def test_a_client_without_a_server(monkeypatch):
    monkeypatch.setattr(table_client, "PATIENCE", 0.1)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(OSError):
            run(TableClient(taken.getsockname()[1], "east", "甲").run())


def started_client(server, *options, **named):
    """The command of the client."""
    path = str(at_tables.EXAMPLES / "table_client.py")
    return subprocess.Popen(
        [sys.executable, "-W", "error", path, "--port", str(server.port), "--table", "east", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
        **named,
    )


def test_a_person_by_the_command(tmp_path):
    """The process ends with the room, though it still waits for what may be typed."""
    with process(tmp_path) as server:
        owner = run(make(server))
        person = started_client(server, "--name", "甲", stdin=subprocess.PIPE)
        patience = threading.Timer(60, person.kill)
        patience.start()
        try:
            said = [person.stdout.readline() for _ in range(2)]
            assert "--secret" in said[0] and "Press Enter" in said[1]
            person.stdin.write("\n")
            person.stdin.flush()
            assert any("准备" in line for line in person.stdout)
            run(ask(server.port, "dissolve", table="east", owner=owner))
            assert person.wait(30) == 0
            assert person.stdout.read().endswith("(the room is dissolved)\n") and not person.stderr.read()
        finally:
            patience.cancel()
            person.kill()
            person.communicate()


def test_all_by_commands(tmp_path):
    """A server and four bots, each a process of its own; the first makes the table."""
    with process(tmp_path) as server:
        made = ["--create", "--hands", "1", "--option", "min_fan=1"]
        started = []
        try:
            for name, bot in zip(NAMES, ("default", "random", "default", "random")):
                options = ["--name", name, "--bot", bot]
                started.append(started_client(server, *options, *(made if not started else [])))
                while len(started) == 1 and not (tmp_path / "east.table.json").exists():
                    assert started[0].poll() is None
            for bot in started:
                said, complaint = bot.communicate(timeout=60)
                assert (bot.returncode, complaint) == (0, "")
                assert sorted(line.split()[1] for line in said.splitlines()[-4:]) == sorted(
                    f"{n}:" for n in NAMES
                )
        finally:
            for bot in started:
                bot.kill()
                bot.communicate()
    assert len(records_of(tmp_path)) == 1
