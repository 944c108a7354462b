"""`tjmj simulate` (spec: cli)."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TextIO

import click
import msgspec

from ..report import report as report_of
from ..safe_files import replacing
from ..simulate import Progress, Summary
from ..simulate import simulate as run
from . import INTERRUPTED
from .files import apart
from .options import chosen_rules, rules_options


@click.command()
@rules_options
@click.option("--hands", type=int, metavar="N", default=1000, show_default=True, help="How many hands.")
@click.option("--seed", type=int, metavar="S", default=0, show_default=True,
              help="The same seed gives the same hands, whatever the threads.")
@click.option("--policy", metavar="NAME", default="random", show_default=True,
              help="What plays all four seats: random, or simple, which wins when it may, else throws the "
                   "tile with the fewest neighbours.")
@click.option("--threads", type=int, metavar="N", default=1, show_default=True, help="How many threads play.")
@click.option("--records", metavar="FILE",
              help="Write a record of each hand. FILE appears, or is replaced, when the run has ended. - is "
                   "standard output; the summary then goes to standard error.")
@click.option("--report", "page", metavar="FILE",
              help="Write a page with charts: fan, elements, lengths of hands, points by seat. FILE appears, or is "
                   "replaced, when the run has ended.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary in JSON.")  # fmt: skip
def simulate(
    preset: str,
    settings: tuple[str, ...],
    hands: int,
    seed: int,
    policy: str,
    threads: int,
    records: str | None,
    page: str | None,
    as_json: bool,
) -> int:
    """Play many hands by a simple policy, and sum them up.

    Ctrl-C ends the run early: the summary, the report and the records of the hands played so far remain.
    """
    rules = chosen_rules(preset, settings)
    apart(records, "--records", page, "--report")
    if page == "-":
        raise click.UsageError("--report wants the name of a file: standard output is for the summary")
    file = sys.stdout.buffer if records == "-" else records
    with nullcontext() if page is None else replacing(page) as report:
        with _bar(hands, records) as progress:
            summary = run(rules, hands, seed, policy, threads, file, progress)
        if report is not None:
            report.write(report_of(summary).encode())
    stream = sys.stderr if records == "-" else sys.stdout
    if stream is not None:
        _write(summary, stream) if as_json else _show(summary, stream)
    return INTERRUPTED if summary.partial else 0


def _bar(hands: int, records: str | None) -> AbstractContextManager[Progress | None]:
    """A progress bar on a terminal, unless records are written there."""
    if sys.stderr is None or not sys.stderr.isatty() or (records == "-" and sys.stdout.isatty()):
        return nullcontext()
    from .show_simulate import progress_bar

    return progress_bar(hands)


def _write(summary: Summary, stream: TextIO) -> None:
    stream.buffer.write(msgspec.json.encode(summary.to_json()) + b"\n")
    stream.buffer.flush()


def _show(summary: Summary, stream: TextIO) -> None:
    from .show_simulate import SimulationScreen

    SimulationScreen(stream).summary(summary)
