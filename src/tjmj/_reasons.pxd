# cython: language_level=3
"""Why a move is illegal."""

from ._moves cimport Move
from ._round cimport GameState
from ._terms cimport Terms

cdef str reason_against(const GameState *g, const Terms *terms, Move move)
