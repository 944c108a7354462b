"""What values show in a notebook: their picture.

This is the one look upward in the package. Values know that they can be drawn, and the drawing, which knows them
all, is imported when one of them is looked at.
"""

from __future__ import annotations

from importlib import import_module


def picture(function: str, value: object) -> str:
    """The SVG that a function of `tjmj.draw` makes of a value."""
    svg: str = getattr(import_module("tjmj.draw"), function)(value)
    return svg
