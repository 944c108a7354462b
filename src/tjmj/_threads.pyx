# cython: language_level=3
"""Threads that share the parts of a job, for loops without the GIL.

There is one crew in the process. Its threads are Python's own, which is what makes them portable, but they
never come back from their loop: a worker looks for a job for a while, since the next step of a vector of
tables comes soon, and then sleeps on a lock until it is woken. As daemons they end with the process.
"""

import os
import threading

from cpython.pythread cimport (
    PyThread_acquire_lock, PyThread_allocate_lock, PyThread_release_lock, PyThread_type_lock,
)
from libc.stdint cimport int64_t

from .limits import whole

cdef extern from "_atomics.h":
    int64_t load "tjmj_load"(volatile int64_t *at) noexcept nogil
    int64_t swap "tjmj_swap"(volatile int64_t *at, int64_t to) noexcept nogil
    int64_t add "tjmj_add"(volatile int64_t *at, int64_t more) noexcept nogil
    bint replace "tjmj_replace"(volatile int64_t *at, int64_t kept, int64_t to) noexcept nogil
    void pause "tjmj_pause"() noexcept nogil

cdef enum:
    LOOKS = 20000       # before falling asleep; a fraction of a millisecond

cdef struct Sleeper:
    # Somebody who may fall asleep, on a line of its own
    volatile int64_t asleep
    PyThread_type_lock bed      # held by whoever sleeps or is awake; released to wake
    char[48] line

cdef struct Crew:
    # `ticket`: which workers may help << 32 | parts << 16 | the next part to be taken. It is all that
    # tells whether there is work, so that whoever takes a part has a part of the job that is there now.
    volatile int64_t ticket
    char[56] line
    volatile int64_t left       # parts that are not done yet
    volatile int64_t busy       # somebody's job is being done
    Work work
    void *context
    char[32] other_line
    Sleeper boss
    Sleeper[MOST_THREADS] workers

cdef Crew CREW
cdef int _hired = 0
_hiring = threading.Lock()


cdef int make_bed(Sleeper *sleeper) except -1:
    sleeper.asleep = 0
    sleeper.bed = PyThread_allocate_lock()
    if sleeper.bed == NULL:
        raise MemoryError("no lock for a thread")
    PyThread_acquire_lock(sleeper.bed, 1)
    return 0


cdef inline void wake(Sleeper *sleeper) noexcept nogil:
    if load(&sleeper.asleep) and swap(&sleeper.asleep, 0):
        PyThread_release_lock(sleeper.bed)


cdef inline bint is_open(int64_t ticket, int worker) noexcept nogil:
    return worker < ticket >> 32 and ticket & 0xFFFF < ticket >> 16 & 0xFFFF


cdef inline bint has_work(int worker) noexcept nogil:
    return is_open(load(&CREW.ticket), worker)


cdef inline bint is_done(int _) noexcept nogil:
    return load(&CREW.left) == 0


ctypedef bint (*Awaited)(int worker) noexcept nogil


cdef inline void wait_for(Awaited awaited, int worker, Sleeper *sleeper) noexcept nogil:
    """Look for a while, then sleep until woken, and look again."""
    while True:
        for _ in range(LOOKS):
            if awaited(worker):
                return
            pause()
        swap(&sleeper.asleep, 1)
        # Whoever brings it about after this look sees the sleeper and wakes it.
        if awaited(worker) and swap(&sleeper.asleep, 0):
            return
        PyThread_acquire_lock(sleeper.bed, 1)


cdef void take_parts(int worker) noexcept nogil:
    """Do parts of the job as long as there are any."""
    cdef int64_t ticket = load(&CREW.ticket)
    while is_open(ticket, worker):
        if replace(&CREW.ticket, ticket, ticket + 1):
            CREW.work(CREW.context, <int>(ticket & 0xFFFF), <int>(ticket >> 16 & 0xFFFF))
            if add(&CREW.left, -1) == 0:
                wake(&CREW.boss)
        ticket = load(&CREW.ticket)


def _work(int worker):
    """What a worker does all its life."""
    with nogil:
        while True:
            wait_for(has_work, worker, &CREW.workers[worker])
            take_parts(worker)


def _forget():
    """A forked child has none of the threads."""
    global _hiring, _hired
    _hiring = threading.Lock()
    _hired = 0
    CREW.ticket = CREW.left = CREW.busy = 0
    make_bed(&CREW.boss)


make_bed(&CREW.boss)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def threads_wanted(threads):
    """A number of threads from outside, checked."""
    return whole("threads", threads, 1, MOST_THREADS)


def processors():
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


cdef int hire(int threads) except -1:
    """See to it that so many threads, the caller's own counted, can share a job; to be called with the GIL.

    Returns how many will: workers that wait for each other on one processor would only lose time.
    """
    global _hired
    threads = min(threads, MOST_THREADS, processors())
    with _hiring:
        while _hired < threads - 1:
            make_bed(&CREW.workers[_hired])
            threading.Thread(target=_work, args=(_hired,), name=f"tjmj-{_hired + 1}", daemon=True).start()
            _hired += 1
    return threads


cdef void run(Work work, void *context, int parts, int threads) noexcept nogil:
    """Have `work` do parts 0 to `parts - 1`, on as many threads as `hire` said, the caller's own one of them.

    More parts than threads even out what other programs take away; `MOST_PARTS` at most. While the crew does
    another caller's job this one does its own alone.
    """
    cdef int part, worker
    if threads < 2 or parts < 2 or swap(&CREW.busy, 1):
        for part in range(parts):
            work(context, part, parts)
        return
    CREW.work = work
    CREW.context = context
    swap(&CREW.left, parts)
    swap(&CREW.ticket, <int64_t>(threads - 1) << 32 | <int64_t>parts << 16)
    for worker in range(min(threads - 1, _hired)):
        wake(&CREW.workers[worker])
    take_parts(-1)
    wait_for(is_done, 0, &CREW.boss)
    swap(&CREW.busy, 0)
