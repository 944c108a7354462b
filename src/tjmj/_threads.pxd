# cython: language_level=3
"""Threads that share the parts of a job, for loops without the GIL."""

# Does one part of a job: `part` of `parts`, from 0.
ctypedef void (*Work)(void *context, int part, int parts) noexcept nogil

cdef enum:
    MOST_THREADS = 1024
    MOST_PARTS = 0xFFFF

cdef int hire(int threads) except -1
cdef void run(Work work, void *context, int parts, int threads) noexcept nogil
