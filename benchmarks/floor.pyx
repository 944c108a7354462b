# cython: language_level=3, boundscheck=False, wraparound=False, freethreading_compatible=True
"""What the memory alone costs, and beside it what a hand costs whose keys are known, as inside the engine."""

from libc.stdint cimport uint8_t, uint32_t

from tjmj._core cimport HandKeys, TABLES, fits_with_pair, hand_cover


def look_up(const uint32_t[::1] table, const uint32_t[:, ::1] places, uint32_t[::1] out):
    """Four look-ups for each hand, independent of each other, and nothing else.

    Put the sum of the four entries that each row of `places` names into `out`.
    """
    cdef Py_ssize_t i
    with nogil:
        for i in range(places.shape[0]):
            out[i] = table[places[i, 0]] + table[places[i, 1]] + table[places[i, 2]] + table[places[i, 3]]


def complete(const uint32_t[:, ::1] keys, uint8_t[::1] out):
    """Say of each hand of eight keys whether it is complete."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(keys.shape[0]):
            out[i] = fits_with_pair(hand_cover(TABLES, <const HandKeys *>&keys[i, 0]), 4)
