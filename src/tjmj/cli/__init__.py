"""The `tjmj` command (spec: cli).

What it needs beyond the package itself comes with the `cli` extra, so it is looked for before
anything is done, and rich is imported only where something is drawn for people.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

BAD_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 141
"""What a shell says of a command that wrote to a reader that is gone."""

_EXTRA = ("click", "rich")


def printable(text: str) -> str:
    """Text that strangers may have written: what could steer a terminal is shown and has no effect."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode() for ch in text)


def fail(message: str) -> int:
    """Say in one line on standard error what is wrong, and return the exit status for it."""
    if sys.stderr is not None:
        print(f"tjmj: {printable(message)}", file=sys.stderr)
    return BAD_INPUT


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:
        return False


def main(args: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    args : sequence of str, optional
        The arguments behind the command's name; those of the process where there are none.

    Returns
    -------
    int
        The exit status: 0, 1 where lines of a batch could not be read, 2 on bad usage or input.
    """
    try:
        if not all(_installed(module) for module in _EXTRA):
            return fail('the command line needs click and rich: pip install "tjmj[cli]"')
        from .app import app

        return app.run(args)
    except KeyboardInterrupt:
        return INTERRUPTED
