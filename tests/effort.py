"""How many examples a property takes: a share of what the profile of conftest.py gives, so that it grows with it."""

from __future__ import annotations

from hypothesis import settings


def effort(share: float, **more: int) -> settings:
    """The settings of a property that takes so many times the usual number of examples."""
    return settings(max_examples=max(1, round(settings().max_examples * share)), **more)
