"""The `tjmj` command run in this process, for tests."""

from __future__ import annotations

import io
import json
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tjmj.cli import main


@dataclass(frozen=True)
class Answer:
    """What the command wrote, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The answer where it is one line."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """The answers of JSON Lines."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def drawn(self) -> list[str]:
        """What was drawn for people, without blanks at the ends of lines."""
        return [line.rstrip() for line in self.out.splitlines()]


def as_line(value: Any) -> bytes:
    """A value, or bytes as they are, as a line of a file."""
    return (value if isinstance(value, bytes) else json.dumps(value).encode()) + b"\n"


def jsonl(*lines: Any) -> bytes:
    """A file of JSON Lines."""
    return b"".join(map(as_line, lines))


def runner(capsysbinary: Any, monkeypatch: Any) -> Callable[..., Answer]:
    """A function that runs the command with these arguments; `stdin` is what it reads, or the lines of it."""

    def run(*args: Any, stdin: bytes | list[bytes] = b"") -> Answer:
        text = stdin if isinstance(stdin, bytes) else jsonl(*stdin)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        status = main([str(arg) for arg in args])
        sys.stdout.flush()
        out, err = capsysbinary.readouterr()
        return Answer(status, out.decode(), err.decode())

    return run


def is_one_line(told: str) -> bool:
    """Whether a fault is told in one line that cannot steer a terminal."""
    return told.startswith("tjmj: ") and told.count("\n") == 1 and told.endswith("\n") and told[:-1].isprintable()


def listen_to_interrupts() -> None:
    """In a child before it starts: a shell's background jobs ignore SIGINT, and theirs would too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
