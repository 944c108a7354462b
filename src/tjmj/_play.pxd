# cython: language_level=3
"""A hand of play as a Python value."""

from ._round cimport GameState
from ._terms cimport RulesTerms

cdef class Play:
    cdef GameState state
    cdef RulesTerms terms
