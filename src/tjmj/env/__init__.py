"""Vectors of tables to learn at, and what their policies need elsewhere (docs/tables.md)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._observation import FEATURES, row_of
from .._tables import ACTIONS, Tables
from ..errors import TjmjError
from ..limits import of_type
from ..round import Round

__all__ = ["ACTIONS", "FEATURES", "Tables", "observe"]


def observe(game: Round, seat: int) -> NDArray[np.uint8]:
    """What a seat knows that is asked in a round: a row of 464 numbers, as `Tables` gives it.

    Raises
    ------
    TjmjError
        If the seat is not asked, or the stakes are not chosen yet.
    """
    of_type(game, Round)
    if game.window in ("sit", "pull", "kick", None) or seat not in game.pending:
        raise TjmjError(f"seat {seat} is asked for no action")
    return np.frombuffer(row_of(game.play_of, seat, game.moves), np.uint8)
