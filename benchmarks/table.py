"""The one table that the benchmarks end with: each work beside the floor and beside its likes in other packages."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from importlib import import_module, metadata
from typing import Any, NamedTuple

from rich import box
from rich.table import Table

SECTIONS = {
    "floor": "the floor",
    "batch": "batches, for each hand",
    "threads": "batches by the clock, for each hand",
    "call": "one hand a call",
    "play": "play, for each decision",
    "tables": "tables in step, for each decision",
    "copy": "records and states, each",
    "peer": "other packages",
    "process": "whole processes",
}
"""Groups of benchmarks in the order in which the table shows them, and its headings."""

PEERS = {
    "mahjong": "complete: Agari.is_agari; waits: 34 times that; score: HandCalculator.estimate_hand_value",
    "PyMahjongGB": "complete and score: MahjongFanCalculator; waits: RegularShanten",
    "riichienv": "complete: calculate_shanten; waits: get_waits; score: calc; play: RiichiEnv.step by random answers",
    "eval7": "evaluate, which ranks seven cards of poker: the best there is for another game",
}
"""What is measured of each package from PyPI: the nearest that it has."""

MODULES = {"PyMahjongGB": "MahjongGB"}
"""Modules whose name is not the package's."""

WIDTH = 124

CAPTION = (
    "Fastest round, in time of the processor; by the clock for two threads and whole processes. Floor: four "
    "independent random look-ups in 400 KB. Under a package stands how many times as long it takes for the nearest "
    "that it has. None knows wildcards, or takes more than one hand in a call; its hands have no wildcards, and what "
    "it reads is made beforehand."
)


class Timed(NamedTuple):
    """The fastest round of a benchmark."""

    section: str
    work: str
    seconds: float
    """For one hand, decision or the like."""
    likes: tuple[str, ...] = ()
    """What it is compared by; of a peer's work and one of ours with a name in common the ratio is shown."""
    peer: str | None = None
    """The package that did it, None for this one."""
    once: bool = False
    """Whether it is about no hand, so that the floor says nothing."""


class Row(NamedTuple):
    """A line of the table."""

    work: str
    nanoseconds: str
    floor: str
    peers: tuple[str, ...]


def version_of(peer: str) -> str | None:
    """The version that is installed."""
    try:
        return metadata.version(peer)
    except metadata.PackageNotFoundError:
        return None


def load(peer: str) -> Any:
    """The package as a module, or None where it is not installed."""
    if version_of(peer) is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what they warn of is theirs
        return import_module(MODULES.get(peer, peer))


def ratio_text(ratio: float) -> str:
    return f"{ratio:,.1f}" if ratio < 9.95 else f"{ratio:,.0f}"


def nanoseconds_text(seconds: float) -> str:
    nanoseconds = seconds * 1e9
    return f"{nanoseconds:,.1f}" if nanoseconds < 99.95 else f"{nanoseconds:,.0f}"


def rows_of(timed: Iterable[Timed]) -> dict[str, list[Row]]:
    """The lines of each section, in the order of the sections."""
    timed = list(timed)
    floor = next((each.seconds for each in timed if each.section == "floor"), None)
    found = {(each.peer, like): each.seconds for each in timed for like in each.likes if each.peer}

    def row(each: Timed) -> Row:
        of_floor = ratio_text(each.seconds / floor) if floor and not each.once else ""
        against: list[str] = []
        for peer in PEERS:
            theirs = next((found[peer, like] for like in each.likes if (peer, like) in found), None)
            against.append("" if theirs is None or each.peer else ratio_text(theirs / each.seconds))
        work = f"{each.peer}: {each.work}" if each.peer else each.work
        return Row(work, nanoseconds_text(each.seconds), of_floor, tuple(against))

    shown = {section: [row(each) for each in timed if each.section == section] for section in SECTIONS}
    return {section: rows for section, rows in shown.items() if rows}


def drawn(timed: Iterable[Timed]) -> Table:
    """The table for people."""
    caption = "\n".join([CAPTION, *(f"{peer}: {what}." for peer, what in PEERS.items())])
    table = Table(box=box.SIMPLE_HEAD, caption=caption, caption_justify="left", pad_edge=False)
    table.add_column("work", no_wrap=True, overflow="fold")
    table.add_column("ns each", justify="right", vertical="bottom")
    table.add_column("of the\nfloor", justify="right")
    for peer in PEERS:
        table.add_column(f"{peer}\n{version_of(peer) or 'not installed'}", justify="right")
    for section, rows in rows_of(timed).items():
        table.add_section()
        table.add_row(f"[bold]{SECTIONS[section]}[/bold]")
        for work, nanoseconds, floor, peers in rows:
            table.add_row(f"  {work}", nanoseconds, floor, *peers)
    return table


def markdown(timed: Iterable[Timed]) -> str:
    """The ratios alone, for the documentation; without the rows that are about no hand."""
    lines = [f"| work | of the floor | {' | '.join(PEERS)} |", f"|---|--:|{'--:|' * len(PEERS)}"]
    for section, rows in rows_of(timed).items():
        if section not in ("peer", "process"):
            lines.append(f"| **{SECTIONS[section]}** |{' |' * (1 + len(PEERS))}")
            lines += [f"| {row.work} | {' | '.join([row.floor, *row.peers])} |" for row in rows]
    return "\n".join(lines) + "\n"
