"""A client of the table server, for people in a terminal and for bots.

    python examples/table_client.py --port 7136 --table east --name 甲 --create --hands 8
    python examples/table_client.py --port 7136 --table east --name 乙 --bot default

`TableClient` keeps a view of the open hand by applying the events that it is told, and comes back by itself
when its connection breaks. What is said over it is told in table_protocol.py.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tjmj import View
from tjmj.tiles import CHINESE, NAMES

Json = dict[str, Any]
Policy = Callable[[View], str]
LONGEST_LINE = 1 << 20
SHORTEST = 0.02
"""Seconds until the first attempt to come back."""
KEEP_ALIVE = 30.0
"""Seconds of silence after which the client says that it is still there."""
PATIENCE = 30.0
"""Seconds for which it tries to come back."""


class TableError(Exception):
    """The server does not let the client to the table."""


class TableClient:
    """A place at a table, or a spectator's, over connections that may break.

    Parameters
    ----------
    port : int
    table : str
    name : str
        What the player is called; not wanted to come back with a secret or to look on.
    host : str
    secret : str, optional
        Of a place that has been taken before.
    watch : bool
        Look on only.
    policy : callable, optional
        Gives an answer to a view. Without one `asked` has to do it.
    seed : bytes
        Added to the seeds of the hands.

    Attributes
    ----------
    view : View or None
        Of the open hand, or else of the last one.
    room, last : dict or None
        What the server has said of the room, and of the match once that is over.
    records : list of dict
        Of the hands that have ended.
    errors : list of dict
        What the server has refused.
    done : bool
        Whether it stops: the match is over, or the server has hung up for good.
    farewell : str
        Why the server has hung up.
    """

    SLOWEST = 1.0
    """Seconds between attempts to come back, at most."""

    def __init__(
        self,
        port: int,
        table: str,
        name: str = "",
        *,
        host: str = "127.0.0.1",
        secret: str | None = None,
        watch: bool = False,
        policy: Policy | None = None,
        seed: bytes = b"",
    ) -> None:
        self.host, self.port, self.table, self.name = host, port, table, name
        self.secret, self.watch, self.policy, self.seed = secret, watch, policy, seed
        self.view: View | None = None
        self.room: Json | None = None
        self.last: Json | None = None
        self.records: list[Json] = []
        self.errors: list[Json] = []
        self.done = False
        self.hand = ""  # what the open hand is called
        self.turn: int | None = None  # the window that waits for the seat's answer
        self.match = ""  # the commitment of the match that it plays
        self.farewell = ""
        self._place: int | None = None
        self._let_in = False  # over this connection
        self._said_ready = False  # and the room does not show it yet
        self._writer: asyncio.StreamWriter | None = None

    # Connections

    async def run(self) -> None:
        """Be at the table until the match is over.

        Raises
        ------
        TableError
            If the server refuses it.
        OSError
            If the server cannot be reached for half a minute.
        """
        clock = asyncio.get_running_loop().time
        there, pause = clock(), SHORTEST
        while not self.done:
            self._let_in = False
            try:
                reader, writer = await asyncio.open_connection(self.host, self.port, limit=LONGEST_LINE)
                await self._stay(reader, writer)
            except (OSError, EOFError) as fault:
                if clock() - there > PATIENCE and not self._let_in:
                    raise OSError(f"{self.host} port {self.port} cannot be reached: {fault}") from None
            if self.done:
                return
            if self._let_in:
                there, pause = clock(), SHORTEST
            await asyncio.sleep(pause)
            pause = min(self.SLOWEST, pause * 2)

    async def _stay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Use a connection until it breaks."""
        self._writer, self.turn, self._said_ready = writer, None, False
        try:
            self._enter()
            while not self.done:
                try:
                    async with asyncio.timeout(KEEP_ALIVE) as silence:
                        line = await reader.readuntil(b"\n")
                except TimeoutError:
                    if not silence.expired():
                        raise
                    self.say("ping")
                    continue
                self._take(json.loads(self.received(line)))
        finally:
            self._writer = None
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def _enter(self) -> None:
        known = {"hand": self.hand, "since": self.view.next if self.view and self.hand else 0}
        if self.watch:
            self.say("watch", table=self.table, **known)
        elif self.secret is not None:
            self.say("resume", table=self.table, secret=self.secret, **known)
        else:
            self.say("join", table=self.table, name=self.name)

    def say(self, kind: str, **keys: Any) -> None:
        """Send a message, if there is a connection."""
        if self._writer is not None and not self._writer.transport.is_closing():
            self._writer.write(json.dumps({"type": kind, **keys}).encode() + b"\n")

    def drop(self) -> None:
        """Break the connection, as a bad network does."""
        if self._writer is not None:
            self._writer.transport.abort()

    def received(self, line: bytes) -> bytes:
        """A line has come; for those who want to keep them."""
        return line

    # What the server says

    def _take(self, message: Json) -> None:
        take = getattr(self, f"_on_{message['type']}", None)
        if take is not None:
            take(message)
        self.told(message)

    def told(self, message: Json) -> None:
        """A message has been taken in; for those who want to show it."""

    def asked(self) -> None:
        """The seat is asked, in window `turn`."""
        if self.policy is not None and self.view is not None:
            self.answer(self.policy(self.view))

    def answer(self, answer: str) -> None:
        """Answer the window that waits."""
        self.say("answer", hand=self.hand, turn=self.turn, answer=answer)

    def ready(self) -> None:
        """Be ready for the next hand."""
        self._said_ready = True
        self.say("ready", seed=self.seed.hex())

    def _on_ok(self, message: Json) -> None:
        if message["re"] in ("join", "resume"):
            self._place = message["player"]
            self.secret = message.get("secret", self.secret)

    def _on_error(self, message: Json) -> None:
        self.errors.append(message)
        if message.get("re") == "resume" and message["error"] == "secret" and self.name and not self.match:
            # A place is free again if its player has never said anything.
            self.secret = None
            self._enter()
        elif message.get("re") in ("join", "resume", "watch") and message["error"] == "fault":
            self.drop()
        elif message.get("re") in ("join", "resume", "watch"):
            self.done = True
            raise TableError(message["reason"])

    def _on_bye(self, message: Json) -> None:
        self.done, self.farewell = not message["again"], message["reason"]

    def _on_room(self, message: Json) -> None:
        self.room, self._let_in = message, True
        if self.match and self.match != message["commitment"]:
            self.last, self.done = message["last"], True
            return
        if message["match"] is not None:
            self.match = message["commitment"]
        if self._place is None or (message["match"] and message["match"]["open"]):
            return
        if message["players"][self._place]["ready"]:
            self._said_ready = False
        elif not self._said_ready:
            self.may_be_ready()

    def may_be_ready(self) -> None:
        """No hand is open, and this player is not ready for the next one."""
        self.ready()

    def _on_hand(self, message: Json) -> None:
        self.hand, self._said_ready, told = message["hand"], False, message.get("view")
        if told is not None:
            self.view = View.from_json(told)
        else:
            self.view = View(message["seat"], message["rules"], message["dealer"])

    def _on_events(self, message: Json) -> None:
        assert self.view is not None
        for event in message["events"]:
            self.view.apply(event)
        self.turn = message["turn"] if message["asked"] else None
        if self.turn is not None:
            self.asked()

    def _on_hand_over(self, message: Json) -> None:
        self.records.append(message["record"])
        self.hand = ""


async def ask(port: int, kind: str, *, host: str = "127.0.0.1", **keys: Any) -> Json:
    """The reply to one message, over a connection of its own."""
    reader, writer = await asyncio.open_connection(host, port, limit=LONGEST_LINE)
    try:
        writer.write(json.dumps({"type": kind, **keys}).encode() + b"\n")
        reply: Json = json.loads(await reader.readuntil(b"\n"))
        return reply
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


# Bots


def quiet(view: View) -> str:
    """What the server plays for a silent seat (`Round.default`)."""
    answers = view.answers or []
    for word in ("stand", "pull0", "kick", "pass"):
        if word in answers:
            return word
    discards = [word for word in answers if word[0] == "d"]
    natural = [word for word in discards if word[1:] not in view.wild]
    drawn = "d" + str(view.seats[view.seat or 0].drawn)
    if drawn in natural or not natural:
        return drawn if drawn in discards else discards[-1]
    return natural[-1]


def default_bot(view: View) -> str:
    """Takes every win, and else does what the server does for a silent seat."""
    wins = [word for word in view.answers or [] if word[0] in "hw"]
    return wins[0] if wins else quiet(view)


def random_bot(seed: int | str | None = None) -> Policy:
    """Any answer."""
    rng = random.Random(seed)
    return lambda view: rng.choice(view.answers or ["pass"])


# People

WORDS = {
    "sit": "坐庄", "stand": "不坐庄", "pull0": "不拉", "pull1": "拉一庄", "pull2": "拉两庄", "kick": "不踹",
    "pass": "过", "h": "胡", "r": "天听",
}  # fmt: skip
VERBS = {"d": "打", "c": "暗杠", "a": "补杠", "p": "碰", "o": "明杠", "e": "吃", "w": "胡"}
MELDS = {"chow": "吃", "pong": "碰", "exposed": "明杠", "added": "补杠", "concealed": "暗杠"}
TILES = dict(zip(NAMES, CHINESE))


def tiles(names: list[str | None]) -> str:
    """Tiles in Chinese; those that cannot be seen are backs."""
    return " ".join(TILES.get(name or "", "▒") for name in names)


def in_words(answer: str) -> str:
    """An answer in Chinese."""
    if answer in WORDS:
        return WORDS[answer]
    if answer.startswith("kick"):
        return "踹 " + " ".join(answer[4:])
    return VERBS[answer[0]] + " " + TILES[answer[1:]]


def shown(view: View, names: list[str]) -> str:
    """A view as lines for a terminal."""
    lines = [f"庄 {names[view.dealer]}"]
    if view.flip is not None:
        lines[0] += f"  翻 {TILES[view.flip]}  混 {tiles([*view.wild])}  余 {view.front_left}"
    for seat, its in enumerate(view.seats):
        marks = [mark for mark, holds in (("小相公", its.lost), ("天听", its.ready)) if holds]
        hand = tiles([*its.hand]) if its.hand is not None else f"▒ × {its.concealed}"
        lines.append(f"{'→' if seat == view.seat else ' '} {names[seat]}: {hand} {' '.join(marks)}".rstrip())
        if its.melds:
            lines.append(
                "    " + "  ".join(f"{MELDS[meld['type']]} {tiles(meld['tiles'])}" for meld in its.melds)
            )
        if its.flowers:
            lines.append("    花 " + tiles([*its.flowers]))
        if its.discards:
            lines.append("    打 " + tiles([discard["tile"] for discard in its.discards]))
    if view.result is not None:
        lines.append(f"{view.result['end']}: {view.result['net']}")
    return "\n".join(lines)


def printable(text: object) -> str:
    """Text from the server, so that it can do nothing to a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(text))


class Person(TableClient):
    """Shows the table in a terminal, and answers what is typed."""

    names: tuple[str, ...] = ("东", "南", "西", "北")

    def told(self, message: Json) -> None:
        kind = message["type"]
        if kind == "ok" and "secret" in message:
            print(f"To come back: --secret {printable(message['secret'])}")
        elif kind == "room":
            for number, each in enumerate(message["players"]):
                marks = (
                    ""
                    if each is None
                    else f"{'' if each['here'] else ' (gone)'}{' 准备' if each['ready'] else ''}"
                )
                print(f"place {number}: {'free' if each is None else printable(each['name']) + marks}")
        elif kind == "hand":
            self.names = tuple(printable(name) for name in message["names"])
        elif kind == "events" and self.view is not None:
            print("\n" + shown(self.view, [*self.names]))
            if self.turn is not None:
                print(f"{message['seconds']} s: " + "  ".join(f"{n} {word}" for n, word in self._choices()))
        elif kind in ("error", "bye"):
            print(f"({printable(message['reason'])})")
        sys.stdout.flush()

    def _choices(self) -> list[tuple[int, str]]:
        answers = (self.view and self.view.answers) or []
        return [(number, in_words(answer)) for number, answer in enumerate(answers, 1)]

    def may_be_ready(self) -> None:
        print("Press Enter when you are ready, q to leave.")

    def asked(self) -> None:
        """It waits for a line."""

    def typed(self, line: str) -> None:
        """What a person has typed: a number of the list, an answer as records write it, Enter or q."""
        answers = (self.view and self.view.answers) or []
        if line == "q":
            self.say("leave")
            self.done = True
        elif not line and not self.hand:
            self.ready()
        elif self.turn is None:
            print("(It is not your turn.)")
        elif line.isdecimal() and 1 <= int(line) <= len(answers):
            self.answer(answers[int(line) - 1])
        elif line:
            self.answer(line)


def read_lines(take: Callable[[str], None]) -> None:
    """Hand each line that is typed to the loop."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        # Not sys.stdin: its lock, held by a thread that waits, would be missed when the process ends.
        with open(0, "rb", buffering=0, closefd=False) as typed, suppress(RuntimeError):
            for line in typed:
                loop.call_soon_threadsafe(take, line.decode(errors="replace").strip())

    # A thread, since not every system's loop can wait for a terminal; it must not hold the process up.
    threading.Thread(target=read, daemon=True).start()


async def run(options: argparse.Namespace) -> TableClient:
    """Be at the table that the options name."""
    if options.create:
        given = dict(option.split("=", 1) for option in options.option)
        made = {
            "rules": options.rules,
            "options": {name: json.loads(value) for name, value in given.items()},
            "end": {key: getattr(options, key) for key in ("hands", "circles") if getattr(options, key)}
            or None,
        }
        keys = {key: value for key, value in made.items() if value}
        reply = await ask(options.port, "create", host=options.host, table=options.table, **keys)
        print(printable(f"owner's secret: {reply['owner']}" if reply["type"] == "ok" else reply["reason"]))
    where: Json = {"host": options.host, "secret": options.secret, "watch": options.watch}
    if options.bot:
        policy = default_bot if options.bot == "default" else random_bot()
        client = TableClient(options.port, options.table, options.name, policy=policy, **where)
    else:
        client = person = Person(options.port, options.table, options.name, **where)
        read_lines(person.typed)
    await client.run()
    return client


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="A client of the table server.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=7136)
    parser.add_argument("--table", required=True)
    parser.add_argument("--name", default="", help="what you are called")
    parser.add_argument("--secret", help="come back to a place")
    parser.add_argument("--watch", action="store_true", help="look on")
    parser.add_argument("--bot", choices=("default", "random"), help="let a bot play")
    parser.add_argument("--create", action="store_true", help="make the table first")
    parser.add_argument("--rules", default="tianjin", help="preset of a new table")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=JSON", help="set on top of it")
    parser.add_argument("--hands", type=int, help="after how many hands matches at a new table end")
    parser.add_argument("--circles", type=int, help="after how many circles they do")
    try:
        client = asyncio.run(run(parser.parse_args()))
    except (TableError, OSError) as fault:
        sys.exit(f"table_client: {printable(fault)}")
    except KeyboardInterrupt:
        sys.exit(1)
    for standing in (client.last or {}).get("standings", []):
        names = (client.last or {})["names"]
        print(f"{standing['place']}. {printable(names[standing['player']])}: {standing['total']}")


if __name__ == "__main__":
    main()
