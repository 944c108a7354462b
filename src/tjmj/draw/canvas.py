"""A picture being put together from tiles and words; what is written into it stays text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from unicodedata import east_asian_width

from ..tiles import NAMES
from .tiles import BACK, FACE, HEIGHT, NAMESPACE, PREFIX, WIDTH, WILD, symbols

MARGIN = 20.0
"""Around what is drawn."""

FELT = "#1c6a4f"
BRIGHT, PALE, DIM, GOLD, ALARM = "#fff", "#d9ebe2", "#a9cdbc", "#ffd97a", "#ffb4a3"
"""Colours of words on the felt: what counts, captions, remarks, worth, what may not be."""

_FONTS = (
    "system-ui,-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',"
    "'Source Han Sans SC','WenQuanYi Micro Hei',sans-serif"
)


@dataclass(frozen=True)
class Words:
    """A piece of a line of text."""

    text: str
    colour: str = PALE
    size: float = 13
    bold: bool = False
    gap: float = 0
    """Left free before it."""

    @property
    def width(self) -> float:
        """About how wide it is: a Chinese character is as wide as it is high, others a little over half of it."""
        wide = sum(east_asian_width(ch) in "WF" for ch in self.text)
        return self.gap + self.size * (wide + (0.6 if self.bold else 0.56) * (len(self.text) - wide))


class Canvas:
    """A picture on green felt, put together piece by piece; places are in pixels from the upper left corner.

    It is as large as what is put on it, with a margin, where no size is given.

    Parameters
    ----------
    size : tuple of float, optional
        Width and height.
    """

    def __init__(self, size: tuple[float, float] | None = None) -> None:
        self._parts: list[str] = []
        self._used: dict[str, None] = {}
        self._size = size
        self._right = self._bottom = 0.0

    def _reach(self, right: float, bottom: float) -> None:
        self._right, self._bottom = max(self._right, right), max(self._bottom, bottom)

    def add(self, element: str) -> None:
        """Any element of SVG."""
        self._parts.append(element)

    def tile(
        self, kind: int | None, x: float, y: float, width: float, *, wild: bool = False, dim: bool = False
    ) -> None:
        """A tile standing upright, None one from behind; the place is that of its upper left corner."""
        self._reach(x + width, y + tile_height(width))
        faded = ' opacity=".45"' if dim else ""
        box = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{tile_height(width):g}"'
        for name in (BACK if kind is None else NAMES[kind], *[WILD] * wild):
            self._used[name] = None
            self.add(f'<use href="#{PREFIX}{name}" {box}{faded}/>')

    def ring(self, x: float, y: float, width: float) -> None:
        """A golden line around a tile's face: the winning one."""
        self.add(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{width * FACE / WIDTH + 1:g}" '
            f'rx="{width / 7:g}" fill="none" stroke="#ffb82e" stroke-width="{max(2, width / 14):g}"/>'
        )

    def panel(self, x: float, y: float, width: float, height: float, radius: float = 6) -> None:
        """A darker field behind something."""
        self._reach(x + width, y + height)
        self.add(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"'
            ' fill="#000" fill-opacity=".18"/>'
        )

    def write(self, x: float, y: float, *words: Words, anchor: str = "start") -> None:
        """A line of text: `x` is where it has its `anchor`, start, middle or end; `y` its baseline."""
        width = sum(each.width for each in words)
        self._reach(x + width * {"start": 1, "middle": 0.5, "end": 0}[anchor], y)
        self.add(f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{"".join(map(_span, words))}</text>')

    @contextmanager
    def turned(self, degrees: float, x: float, y: float) -> Iterator[None]:
        """What is drawn inside is turned clockwise around a point."""
        self.add(f'<g transform="rotate({degrees:g} {x:g} {y:g})">')
        yield
        self.add("</g>")

    def svg(self, label: str) -> str:
        """The picture as an SVG that stands alone; `label` says what it shows to those who cannot see it."""
        width, height = self._size or (round(self._right + MARGIN), round(self._bottom + MARGIN))
        label = escape(label)
        return (
            f'<svg xmlns="{NAMESPACE}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
            f' style="max-width:100%;height:auto" font-family="{_FONTS}" role="img" aria-label="{label}">'
            f"<title>{label}</title>{symbols(self._used)}"
            f'<rect width="{width:g}" height="{height:g}" rx="12" fill="{FELT}"/>{"".join(self._parts)}</svg>\n'
        )


def _span(words: Words) -> str:
    style = f'fill="{words.colour}" font-size="{words.size:g}"' + ' font-weight="600"' * words.bold
    if words.gap:
        style += f' dx="{words.gap:g}"'
    return f"<tspan {style}>{escape(words.text)}</tspan>"


def tile_height(width: float) -> float:
    """Height of a tile of this width."""
    return width * HEIGHT / WIDTH
