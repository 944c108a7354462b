"""Draws the pictures that the documents show into docs/pictures/.

Run it after a change to what is drawn; with --check it compares and writes nothing.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

import tjmj
from tjmj import draw
from tjmj.draw.canvas import MARGIN, Canvas
from tjmj.tiles import NAMES

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "pictures"


def all_tiles() -> str:
    """Every kind, a suit in a row; then a tile from behind, and a wildcard."""
    canvas = Canvas()
    rows = [range(start, start + 9) for start in (0, 9, 18)] + [range(27, 34), range(34, len(NAMES))]
    for row, kinds in enumerate(rows):
        for column, kind in enumerate(kinds):
            canvas.tile(kind, MARGIN + 52 * column, MARGIN + 70 * row, 48)
    canvas.tile(None, MARGIN + 52 * 7, MARGIN + 70 * 3, 48)
    canvas.tile(tjmj.parse_tile("5W"), MARGIN + 52 * 8, MARGIN + 70 * 3, 48, wild=True)
    return canvas.svg("all tiles, a tile from behind, and 五万 as a wildcard")


def table() -> str:
    """A hand of play after some turns, as seat 0 sees it: seats claim what they can."""
    played = tjmj.Round("tianjin", dealer=0, seed=(341).to_bytes(32))
    for _ in range(75):
        seat, answers = next(iter(played.pending.items()))
        claims = [answer for answer in answers if answer[0] in "pk"]
        played.play(seat, claims[0] if claims else played.default(seat), turn=played.turn)
    return draw.view(played.view(0))


def pictures() -> dict[str, str]:
    """Each picture by the name of its file."""
    return {
        "tiles.svg": all_tiles(),
        "score.svg": draw.score(tjmj.score("12345678889W11F+5W", flip="8W")),
        "waits.svg": draw.waits(tjmj.waits("46W123B789B111T9T1F", flip="1F")),
        "table.svg": table(),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the files, write nothing")
    if parser.parse_args().check:
        return int(any((FOLDER / name).read_text("utf-8") != svg for name, svg in pictures().items()))
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
