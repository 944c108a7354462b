"""Vectors of tables to learn at (docs/tables.md)."""

from __future__ import annotations

from .._observation import FEATURES
from .._tables import ACTIONS, Tables

__all__ = ["ACTIONS", "FEATURES", "Tables"]
