"""The page: what happened as JSON, the drawing of tiles, a style sheet and a script, put into one file."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from typing import BinaryIO, Final, Literal, cast
from urllib.parse import quote

import msgspec

from ..draw.tiles import BACK, HEIGHT, NAMESPACE, SHAPES, STYLE, WIDTH, WILD
from ..errors import TjmjError
from ..json_lines import numbered_lines
from ..record import Record, Verdict, dumps
from ..tiles import NAMES
from .story import story

SCRIPTS: Final = (
    "table.js", "english.js", "chinese.js", "words.js", "nodes.js", "board.js", "panels.js", "main.js",
)  # fmt: skip
"""Modules of the script; each imports only from those before it."""

LANGUAGES: Final = ("en", "zh")

_IMPORT = re.compile(r'^import .* from "\./.*";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const |function |class )", re.MULTILINE)
_INLINE = {
    "style": re.compile(r"<style>(.*?)</style>", re.S),
    "script": re.compile(r'<script type="module">(.*?)</script>', re.S),
}
_PART = re.compile(r"<!-- (\w+) -->")

_encode = msgspec.json.Encoder().encode


def page(
    records: str | os.PathLike[str] | BinaryIO | Iterable[Record],
    *,
    lang: Literal["en", "zh"] | None = None,
    on_fault: Callable[[Verdict], object] | None = None,
) -> str:
    """A page that plays records: it opens from disk, in any browser of today, and asks for nothing from outside.

    Each record is verified. One that is wrong is shown up to its first fault, and the fault is named there.
    All hands of the table can be seen in the page, whoever looks at it.

    Parameters
    ----------
    records : path, binary file, or iterable of Record
        A file of records, or records of one match or run in order.
    lang : {"en", "zh"}, optional
        The language that the page begins in; without it the browser's. It can be changed in the page.
    on_fault : callable, optional
        Called with the verdict on each record that is wrong.

    Returns
    -------
    str
        HTML.

    Raises
    ------
    TjmjError
        Where there is no record at all, or for an unknown language.
    OSError
        For a file that cannot be read.

    Examples
    --------
    >>> import tjmj
    >>> from tjmj.viewer import page
    >>> r = tjmj.Round("jintan", seed=bytes(32))
    >>> while not r.over:
    ...     seat = min(r.pending)
    ...     r.play(seat, r.default(seat))
    >>> page([r.record()]).partition("\\n")[0]
    '<!doctype html>'
    """
    if lang is not None and lang not in LANGUAGES:
        raise TjmjError(f"language {lang!r}: the page speaks {' and '.join(LANGUAGES)}")
    told = story(_lines(records), on_fault)
    if not told["hands"]:
        raise TjmjError("there is no record to show")
    return _assembled(told | {"lang": lang})


def _lines(records: str | os.PathLike[str] | BinaryIO | Iterable[Record]) -> Iterator[tuple[int, bytes]]:
    if isinstance(records, (str, os.PathLike)):
        return numbered_lines(records)
    if hasattr(records, "readline"):
        return numbered_lines(cast(BinaryIO, records))
    return ((number, dumps(record).encode()) for number, record in enumerate(records, 1))


def _assembled(told: dict[str, object]) -> str:
    parts = {
        "style": f"<style>{_source('page.css')}</style>",
        "tiles": f"<style>{_tile_styles()}</style>",
        "story": f'<script type="application/json" id="story">{_data(told)}</script>',
        "script": f'<script type="module">{script()}</script>',
    }
    frame = _source("page.html")
    parts["policy"] = _policy(frame + parts["style"] + parts["tiles"] + parts["script"])
    return _PART.sub(lambda part: parts[part[1]], frame)


def _tile_styles() -> str:
    """A class for each tile with its picture in the background: a tenth of the layout that SVG elements cost."""
    selectors = {name: f".tile-{name}" for name in (*NAMES, BACK)} | {WILD: ".wild::after"}
    return "".join(f'{selector}{{background-image:url("{_picture(name)}")}}' for name, selector in selectors.items())


def _picture(name: str) -> str:
    drawn = f'<svg xmlns="{NAMESPACE}" viewBox="0 0 {WIDTH} {HEIGHT}">{STYLE}{SHAPES[name]}</svg>'
    return "data:image/svg+xml," + quote(drawn, safe=" /:;,='(){}+*!?&@$^")


def script() -> str:
    """The modules of the script as one: imports among them fall away, since each stands behind what it needs."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", _source(name))) for name in SCRIPTS)


def _data(told: dict[str, object]) -> str:
    """JSON that cannot end the element that it stands in."""
    return _encode(told).decode().replace("<", "\\u003c")


def _policy(markup: str) -> str:
    """What the page may do: run its own script, use its own styles, and nothing else; no network at all."""
    sources = {name: " ".join(_hash(text) for text in found.findall(markup)) for name, found in _INLINE.items()}
    allowed = f"script-src {sources['script']}; style-src {sources['style']}; img-src data:"
    rules = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    return f'<meta http-equiv="Content-Security-Policy" content="{rules}">'


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _source(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
