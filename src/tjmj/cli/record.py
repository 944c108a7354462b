"""`tjmj record` and `tjmj perft` (spec: cli)."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, BinaryIO, Literal

import click
import msgspec

from .._play import Play
from ..errors import RecordError, TjmjError
from ..json_lines import numbered_lines
from ..record import Record, Verdict, parse, play_of, verify_file
from . import printable
from .files import apart, opened, write_whole

_MOST_SHOWN = 20
"""Faults that are drawn for people; with `--json` all are named."""

_DEPTH_AT_ONCE = 4
"""How deep perft counts in one call: no interrupt gets into it."""

_encode = msgspec.json.Encoder().encode

_file = click.argument("file", metavar="FILE")


@click.group(no_args_is_help=False)
def record() -> None:
    """Verify and read records 牌谱, hands written down move by move.

    FILE is JSON Lines; - reads standard input.
    """


@record.command()
@_file
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, a line for each record.")
def verify(file: str, as_json: bool) -> int:
    """Replay each record of FILE and name its first fault; exit with 1 if one has any."""
    with opened(file) as lines:
        verdicts = verify_file(lines)
        return _write(verdicts, at_once=file == "-") if as_json else _show(verdicts)


@record.command()
@_file
def moves(file: str) -> int:
    """Answer in JSON what may come after the moves of each record of FILE."""
    status = 0
    with opened(file) as lines:
        for number, line in numbered_lines(lines):
            answer = _next_moves(number, line)
            status |= "error" in answer
            _write_line(answer, at_once=file == "-")
    return status


@record.command()
@_file
@click.option("--seat", type=click.IntRange(0, 3), metavar="N", help="Tell only what this seat saw, 0 to 3.")
@click.option("--line", "only", type=click.IntRange(min=1), metavar="K",
              help="Tell the record of this line only.")  # fmt: skip
def show(file: str, seat: int | None, only: int | None) -> int:
    """Tell each hand of FILE for people: the deal, every move, the win, the payments.

    A record that is wrong is told up to its first fault, which is named; the exit status is then 1.
    """
    from .show_story import StoryScreen
    from .story import told

    screen = StoryScreen()
    status = shown = 0
    with opened(file) as lines:
        for number, line in numbered_lines(lines):
            if only is not None and number != only:
                continue
            if shown:
                screen.gap()
            telling = told(number, line, seat)
            screen.tell(telling)
            status |= not telling.verdict.ok
            shown += 1
            if number == only:
                break
    if not shown and only is not None:
        raise TjmjError(f"{file}: no record on line {only}")
    if not shown:
        screen.nothing()
    return status


@record.command()
@_file
@click.option("-o", "--output", metavar="PAGE", required=True,
              help="The file to write; - is standard output.")
@click.option("--lang", type=click.Choice(["en", "zh"]),
              help="The language it begins in; without it the browser's.")  # fmt: skip
def html(file: str, output: str, lang: Literal["en", "zh"] | None) -> int:
    """Write a page that plays the hands of FILE: one HTML file that opens from disk in any browser.

    A record that is wrong is played up to its first fault, which is named; the exit status is then 1.
    """
    from ..viewer import page

    apart(file, "FILE", output, "--output")
    faults: list[Verdict] = []
    with opened(file) as lines:
        made = page(lines, lang=lang, on_fault=faults.append).encode()
    write_whole(output, made)
    for fault in faults[:_MOST_SHOWN]:
        reason = RecordError(fault.line, fault.move, fault.reason or "")
        click.echo(f"tjmj: {printable(str(reason))}", err=True)
    return int(bool(faults))


@click.command()
@_file
@click.option("--depth", type=click.IntRange(min=1), required=True, help="Moves of the longest lists.")
@click.option("--after", type=click.IntRange(min=0), default=0, metavar="K", show_default=True,
              help="Start after the record's first K moves.")  # fmt: skip
def perft(file: str, depth: int, after: int) -> int:
    """Count the legal move lists from the deal of the first record of FILE: `depth count` on each line.

    - reads standard input.
    """
    with opened(file) as lines:
        play = play_of(_first_record(lines, file), after)
    for length in range(1, depth + 1):
        click.echo(f"{length} {_count(play, length)}")
    return 0


def _write_line(answer: object, at_once: bool) -> None:
    sys.stdout.buffer.write(_encode(answer) + b"\n")
    if at_once:  # who writes to standard input may wait for the answer
        sys.stdout.buffer.flush()


def _write(verdicts: Iterable[Verdict], at_once: bool) -> int:
    status = 0
    for verdict in verdicts:
        status |= not verdict.ok
        _write_line(verdict, at_once)
    return status


def _show(verdicts: Iterable[Verdict]) -> int:
    records, wrong = 0, 0
    first: list[Verdict] = []
    for verdict in verdicts:
        records += 1
        if not verdict.ok:
            wrong += 1
            if wrong <= _MOST_SHOWN:
                first.append(verdict)
    from .show_record import RecordScreen

    RecordScreen().verdicts(records, wrong, first)
    return int(wrong > 0)


def _next_moves(number: int, line: bytes) -> dict[str, Any]:
    try:
        play = play_of(parse(line, with_result=False), after=None)
    except RecordError as fault:
        fault.line = number
        return {"error": str(fault)}
    answer = {"legal": play.legal(), "may_end": play.may_end}
    return answer | {"result": play.result()} if play.may_end else answer


def _first_record(lines: BinaryIO, file: str) -> Record:
    for number, line in numbered_lines(lines):
        return parse(line, number)
    raise TjmjError(f"{file}: no record in it")


def _count(play: Play, length: int) -> int:
    if length <= _DEPTH_AT_ONCE:
        return play.perft(length)
    total = 0
    for move in play.legal():
        following = play.copy()
        following.play(move)
        total += _count(following, length - 1)
    return total
