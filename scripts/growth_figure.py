"""The figure of `plot_growth.py`: a row of panels for each part that was measured, memory beside the cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator

Part = dict[str, list[list[float]]]

COLOURS = {
    "is_win": "#0072b2", "score": "#009e73", "waits": "#d55e00",
    "masks": "#0072b2", "observations": "#d55e00",
}  # fmt: skip
NAME_HEIGHT = 11  # points
INK, GREY, FAINT = "#24292f", "#57606a", "#d8dee4"

STYLE = {
    "svg.hashsalt": "growth",  # the same data give the same file
    "svg.fonttype": "none",
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "text.color": INK, "axes.labelcolor": GREY, "xtick.color": GREY, "ytick.color": GREY,
    "axes.edgecolor": FAINT, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": FAINT, "grid.linewidth": 0.6, "axes.axisbelow": True,
    "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "lines.linewidth": 1.8, "lines.markersize": 3.2, "lines.marker": "o",
}  # fmt: skip


def draw(data: dict[str, Any], path: Path) -> None:
    """Draw what was measured into an SVG file."""
    drawers = {part: drawer for part, drawer in (("batch", draw_batch), ("tables", draw_tables)) if part in data}
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(9.4, 3.7 * len(drawers)), layout="constrained")
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)
        panels = figure.subplots(len(drawers), 2, width_ratios=[1.5, 1], squeeze=False)
        for (part, drawer), row in zip(drawers.items(), panels, strict=True):
            drawer(data[part], data["caches"], *row)
        figure.savefig(path, metadata={"Date": None, "Creator": None})
        plt.close(figure)


def draw_batch(part: Part, caches: dict[str, int], cost: Axes, memory: Axes) -> None:
    cost.set_title("Time for one hand of a batch")
    scaled(cost, "hands in the batch", nanoseconds)
    lines(cost, part, 1)
    flat = min(row[1] for row in part["is_win"])
    cost.set_ylim(bottom=flat / 3.5)
    mark(cost, 5, part["is_win"][0][1] / 12, "1")
    mark(cost, 30_000, flat / 2, "2")
    mark(cost, 3_000_000, flat / 2, "3")
    memory.set_title("What one call allocates")
    scaled(memory, "hands in the batch", size)
    lines(memory, part, 4)
    memory_of_caches(memory, caches)


def draw_tables(part: Part, caches: dict[str, int], cost: Axes, memory: Axes) -> None:
    cost.set_title("Million decisions a second, inside step")
    scaled(cost, "tables", "{:g}".format)
    lines(cost, part, 1)
    best = max(row[1] for row in part["masks"])
    mark(cost, 40, best, "4")
    mark(cost, 30_000, best / 6, "5")  # below both lines
    memory.set_title("What the tables keep")
    scaled(memory, "tables", size)
    lines(memory, part, 2)
    memory_of_caches(memory, caches)


def scaled(axes: Axes, label: str, unit: Any) -> None:
    """Logarithmic both ways, a tick for each power of ten."""
    axes.set(xscale="log", xlabel=label)
    axes.set_yscale("log", base=32 if unit is size else 10)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: unit(value)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_locator(NullLocator())
    axes.tick_params(length=0)


def lines(axes: Axes, part: Part, column: int) -> None:
    """A line for each name, which stands behind its end, or above the name of a lower line that ends there too."""
    for name, rows in part.items():
        axes.plot([row[0] for row in rows], [row[column] for row in rows], color=COLOURS[name])
    axes.autoscale_view()
    below = -NAME_HEIGHT
    for name, rows in sorted(part.items(), key=lambda named: named[1][-1][column]):
        end = (rows[-1][0], rows[-1][column])
        place = axes.transData.transform(end)[1] * 72 / axes.figure.dpi
        below = max(place, below + NAME_HEIGHT)
        axes.annotate(
            name, end, (6, below - place), textcoords="offset points", va="center",
            color=COLOURS[name], annotation_clip=False,
        )  # fmt: skip


def mark(axes: Axes, x: float, y: float, number: str) -> None:
    """The number of a bend that the text explains."""
    axes.annotate(number, (x, y), ha="center", va="center", fontsize=8, color="white", fontweight="bold",
                  bbox={"boxstyle": "circle,pad=0.25", "facecolor": GREY, "edgecolor": "none"})  # fmt: skip


def memory_of_caches(axes: Axes, caches: dict[str, int]) -> None:
    """How much each cache holds."""
    for name, held in caches.items():
        axes.axhline(held, color=GREY, linewidth=0.9, linestyle=(0, (2, 3)), marker="")
        axes.annotate(f"{name} {size(held)}", (0, held), (3, 2), xycoords=("axes fraction", "data"),
                      textcoords="offset points", fontsize=7.5, color=GREY)  # fmt: skip


def short(number: float) -> str:
    for scale, unit in ((1e6, "M"), (1e3, "k")):
        if number >= scale:
            return f"{number / scale:g}{unit}"
    return f"{number:g}"


def nanoseconds(value: float) -> str:
    return f"{value / 1000:g} µs" if value >= 1000 else f"{value:g} ns"


def size(number: float) -> str:
    for scale, unit in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if number >= 0.9 * scale:
            return f"{round(number / scale, 1):g} {unit}"
    return f"{number:g} B"
