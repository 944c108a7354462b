# cython: language_level=3
"""Reading and writing tiles, for the modules that read hands and moves."""

from libc.stdint cimport int8_t, int16_t

cdef enum:
    MOST_TILES = 160    # in one text; a wall has 144

cdef enum Style:
    CANONICAL = 0
    MPSZ = 1
    MPSZ_CN = 2

cdef struct Run:
    # Tiles read so far, each with its place in the text.
    int count
    int8_t[160] kinds
    int16_t[160] places

cdef Style style_of(object notation) except *
cdef Py_ssize_t read_run(str text, Py_ssize_t start, Style style, Run *run) except -1
cdef int read_tile(str text, Style style=*) except -1
cdef str write_run(const int8_t *kinds, int count, Style style)
