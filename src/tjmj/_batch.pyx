# cython: language_level=3
"""The loops behind `tjmj.batch`: one pass over rows of counts, checks included, without the GIL.

Each loop has rows read in blocks, and takes row by row what cannot be read so, or has a fault to be named.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ._core cimport (
    HandKeys, HandRow, SPREAD, TABLES, count_in, fits_with_pair, hand_cover,
    natural_waits, popcount, row_keys, row_planes,
)
from ._fan cimport (
    DISCARD_WIN, EARTHLY, HEAVENLY, KONG_DRAW, READY, ROB_WIN, Verdict, judge_known, judge_row,
)
from ._flowers cimport FlowerHand, judge_flowers, may_take, points_of
from ._rows cimport (
    BLOCK, BlockKeys, Column, Fault, FINE, NOT_WON, NO_KONG, ROB_HELD, Row, Rows, WHOSE, WIN, WITH_MELDS, What,
    at, block_complete, column_of, fail, raise_fault, read_block, read_row, rows_of,
)
from ._terms cimport FlipTerms, RulesTerms, natural_part, terms_of, with_wilds
from ._threads cimport hire, run

cdef uint64_t ONES = 0x0101010101010101ULL


cdef inline int odd_kinds(const HandRow *row) noexcept nogil:
    """How many kinds there are an odd number of."""
    return (popcount(row.suit[0] & ONES) + popcount(row.suit[1] & ONES) + popcount(row.suit[2] & ONES)
            + popcount(row.honours & ONES) + popcount(row.nines & ONES))


cdef uint64_t last_of_pairs(const HandRow *row) noexcept nogil:
    """The kind that six pairs and a single tile wait for, a bit."""
    cdef int kind
    if odd_kinds(row) == 1:
        for kind in range(34):
            if count_in(row, kind) & 1:
                return <uint64_t>1 << kind
    return 0


cdef bint win_row(const Rows *rows, Py_ssize_t i, uint8_t *out, Fault *fault) noexcept nogil:
    cdef Row row
    cdef HandRow natural
    cdef HandKeys keys
    if not read_row(rows, i, &row, fault):
        return False
    natural_part(&row.counts, row.flip, &natural)
    row_keys(&natural, &keys)
    out[i] = fits_with_pair(hand_cover(TABLES, &keys), 4 - row.melds) or (
        rows.terms.seven_pairs and not row.melds and not odd_kinds(&row.counts))
    return True


cdef void win_rows(const Rows *rows, Py_ssize_t first, Py_ssize_t stop, uint8_t *out, Fault *fault) noexcept nogil:
    cdef BlockKeys[BLOCK] block
    cdef Py_ssize_t i
    cdef int n, k
    while first < stop:
        n = <int>min(BLOCK, stop - first)
        if read_block(rows, first, n, block):
            for k in range(n):
                out[first + k] = block_complete(&block[k])
        else:
            for i in range(first, first + n):
                if not win_row(rows, i, out, fault):
                    return
        first += n


cdef inline void write_waits(uint64_t waits, int kinds, uint8_t *to) noexcept nogil:
    """Write 1 for each of these kinds, 0 for the others."""
    cdef int kind
    for kind in range(0, 32, 8):
        memcpy(to + kind, &SPREAD[waits >> kind & 0xFF], 8)
    memcpy(to + 32, &SPREAD[waits >> 32 & 0xFF], 2)
    if kinds > 34:
        memcpy(to + 34, &SPREAD[waits >> 34 & 0xFF], 8)


cdef inline void write_left(const uint8_t *counts, const FlipTerms *flip, int kinds, uint8_t *to) noexcept nogil:
    """Write instead of each 1 how many copies of the kind are in play and not among these counts."""
    cdef int kind
    for kind in range(kinds):
        to[kind] = -to[kind] & (flip.copies[kind] - counts[kind])


cdef bint waits_row(const Rows *rows, Py_ssize_t i, bint left, uint8_t *out, Fault *fault) noexcept nogil:
    cdef Row row
    cdef HandRow natural
    cdef HandKeys keys
    cdef uint64_t waits
    cdef int kinds = rows.terms.kinds, kind
    cdef uint8_t *to = out + i * kinds
    if not read_row(rows, i, &row, fault):
        return False
    natural_part(&row.counts, row.flip, &natural)
    row_keys(&natural, &keys)
    waits = with_wilds(natural_waits(TABLES, &keys, 4 - row.melds), row.flip)
    if rows.terms.seven_pairs and not row.melds:
        waits |= last_of_pairs(&row.counts)
    if waits:
        write_waits(waits, kinds, to)
        if left:
            write_left(rows.counts + i * kinds, row.flip, kinds, to)
            for kind in range(34):
                if to[kind]:
                    to[kind] -= count_in(&row.laid, kind)
    return True


cdef void waits_rows(const Rows *rows, Py_ssize_t first, Py_ssize_t stop, bint left, uint8_t *out,
                     Fault *fault) noexcept nogil:
    """Write 1, or the copies left, for every kind that completes a row; `out` comes zeroed."""
    cdef BlockKeys[BLOCK] block
    cdef const FlipTerms *flip
    cdef int kinds = rows.terms.kinds, n, k
    cdef uint8_t *to
    cdef Py_ssize_t i
    while first < stop:
        n = <int>min(BLOCK, stop - first)
        if read_block(rows, first, n, block):
            for k in range(n):
                if not block_complete(&block[k]):
                    continue
                flip = &rows.terms.by_flip[block[k].flip]
                to = out + (first + k) * kinds
                write_waits(with_wilds(natural_waits(TABLES, &block[k].natural, block[k].sets), flip), kinds, to)
                if left:
                    write_left(rows.counts + (first + k) * kinds, flip, kinds, to)
        else:
            for i in range(first, first + n):
                if not waits_row(rows, i, left, out, fault):
                    return
        first += n


cdef inline What circumstance_fault(uint32_t flags, const Row *row, int win) noexcept nogil:
    if flags & KONG_DRAW and not row.kong:
        return NO_KONG
    if flags & ROB_WIN and win >= 0 and (count_in(&row.counts, win) > 1 or count_in(&row.laid, win)):
        return ROB_HELD
    if row.melds and flags & (HEAVENLY | EARTHLY | READY):
        return WITH_MELDS
    if flags & HEAVENLY and flags & (EARTHLY | READY):
        return WHOSE
    return FINE


cdef struct Asked:
    # What else is told of each row
    Column win
    const uint8_t *flags
    Py_ssize_t flags_step
    Column flowers


cdef struct Judged:
    # Where the results go; flowers and points are null where they are not counted
    uint16_t *fan
    uint32_t *elements
    uint8_t *legal
    uint16_t *flowers
    int64_t *points


cdef FlowerHand flower_hand(const Row *row, int win, int flower_tiles, uint32_t flags) noexcept nogil:
    cdef FlowerHand hand
    row_planes(&row.counts, hand.held)
    memcpy(hand.melds, row.codes, sizeof(hand.melds))
    hand.meld_count = row.melds
    hand.win = win
    hand.flower_tiles = flower_tiles
    hand.flags = flags
    return hand


cdef inline void note(const Rows *rows, const Verdict *verdict, const Judged *to, Py_ssize_t i) noexcept nogil:
    to.fan[i] = verdict.fan
    to.elements[i] = verdict.elements
    to.legal[i] = verdict.rank > 0 and verdict.fan >= <uint32_t>rows.terms.min_fan


cdef bint score_row(const Rows *rows, Py_ssize_t i, const Asked *asked, const Judged *to,
                    Fault *fault) noexcept nogil:
    cdef Row row
    cdef FlowerHand counted
    cdef Verdict verdict
    cdef What what
    cdef uint32_t flags = asked.flags[i * asked.flags_step]
    cdef int win = at(&asked.win, i)
    cdef bint any_tile = flags & HEAVENLY or (rows.terms.by_flowers and not flags)
    if not read_row(rows, i, &row, fault):
        return False
    if not -1 <= win < rows.terms.kinds:
        fail(fault, WIN, i, win)
        return False
    what = circumstance_fault(flags, &row, win)
    if not what and (count_in(&row.counts, win) == 0 if win >= 0 else not any_tile):
        what = NOT_WON
    if what:
        fail(fault, what, i, win)
        return False
    if not rows.terms.by_flowers:
        verdict = judge_row(rows.terms, row.flip, &row.counts, rows.counts + i * rows.terms.kinds, win,
                            4 - row.melds, row.gold, flags)
        note(rows, &verdict, to, i)
        return True
    counted = flower_hand(&row, win, at(&asked.flowers, i), flags)
    verdict = judge_flowers(rows.terms, &counted)
    note(rows, &verdict, to, i)
    to.flowers[i] = verdict.flowers
    to.points[i] = points_of(rows.terms, verdict.flowers, verdict.fan) if verdict.rank else 0
    if flags & DISCARD_WIN:
        to.legal[i] = may_take(rows.terms, &verdict)
    return True


cdef int score_block(const Rows *rows, Py_ssize_t first, int k, int n, const BlockKeys *block,
                     const Asked *asked, const Judged *to) noexcept nogil:
    """Score rows of a block from the k-th on, up to the first that there is more to; return its place, or n."""
    # In locals, since after each byte that is written anything behind a pointer may have changed.
    cdef uint32_t kinds = rows.terms.kinds, win
    cdef const uint8_t *counts = rows.counts + (first + k) * kinds
    cdef const uint8_t *flags = asked.flags + (first + k) * asked.flags_step
    cdef Py_ssize_t flags_step = asked.flags_step
    cdef Verdict verdict
    memset(to.fan + first + k, 0, (n - k) * sizeof(to.fan[0]))
    memset(to.elements + first + k, 0, (n - k) * sizeof(to.elements[0]))
    memset(to.legal + first + k, 0, n - k)
    for k in range(k, n):
        win = at(&asked.win, first + k)
        if flags[0] or win >= kinds or not counts[win]:
            return k
        if block_complete(&block[k]):
            verdict = judge_known(rows.terms, &rows.terms.by_flip[block[k].flip], &block[k].natural, counts, win,
                                  block[k].sets)
            note(rows, &verdict, to, first + k)
        counts += kinds
        flags += flags_step
    return n


cdef void score_rows(const Rows *rows, Py_ssize_t first, Py_ssize_t stop, const Asked *asked, const Judged *to,
                     Fault *fault) noexcept nogil:
    cdef BlockKeys[BLOCK] block
    cdef bint at_once
    cdef int n, k
    while first < stop:
        n = <int>min(BLOCK, stop - first)
        at_once = read_block(rows, first, n, block)
        k = 0
        while k < n:
            if at_once:
                k = score_block(rows, first, k, n, block, asked, to)
            if k < n and not score_row(rows, first + k, asked, to, fault):
                return
            k += 1
        first += n


cdef enum Question:
    IS_WIN
    WAITS
    WAITS_LEFT
    SCORE


cdef enum:
    FEWEST_ROWS = 1024      # of a part: some 10 microseconds, waking a thread takes as long


cdef struct Job:
    # What the threads share; each part notes its own fault
    const Rows *rows
    Question question
    uint8_t *out
    const Asked *asked
    const Judged *to
    Fault[64] faults


cdef void do_part(void *context, int part, int parts) noexcept nogil:
    """Answer the question for one of so many equal parts of the rows."""
    cdef Job *job = <Job *>context
    cdef Py_ssize_t first = job.rows.n * part // parts, stop = job.rows.n * (part + 1) // parts
    cdef Fault fault
    fault.what = FINE
    if job.question == IS_WIN:
        win_rows(job.rows, first, stop, job.out, &fault)
    elif job.question == SCORE:
        score_rows(job.rows, first, stop, job.asked, job.to, &fault)
    else:
        waits_rows(job.rows, first, stop, job.question == WAITS_LEFT, job.out, &fault)
    job.faults[part] = fault


cdef answer(Job *job, int threads):
    """Do a job on so many threads, without the GIL; raises the fault of the first row that has one."""
    cdef int parts, part
    threads = hire(threads)
    # A thread that other programs hold up leaves its parts to the others.
    parts = <int>max(1, min(4 * threads if threads > 1 else 1, 64, job.rows.n // FEWEST_ROWS))
    with nogil:
        run(do_part, job, parts, threads)
    for part in range(parts):
        if job.faults[part].what:
            raise_fault(job.rows, &job.faults[part])


def row_width(rules):
    """Counts in a row: 34, or 42 where flowers are wild."""
    return terms_of(rules).c.kinds


def win(rules, const uint8_t[:, ::1] counts, const int32_t[::1] flip, melds, uint8_t[::1] out, int threads):
    cdef RulesTerms terms = terms_of(rules)  # held while the loop reads it
    cdef Rows rows = rows_of(&terms.c, counts, flip, melds, 2)
    cdef Job job
    job.rows, job.question, job.out = &rows, IS_WIN, &out[0]
    answer(&job, threads)


def waits(rules, const uint8_t[:, ::1] counts, const int32_t[::1] flip, melds, uint8_t[:, ::1] out, bint left,
          int threads):
    cdef RulesTerms terms = terms_of(rules)  # held while the loop reads it
    cdef Rows rows = rows_of(&terms.c, counts, flip, melds, 1)
    cdef Job job
    job.rows, job.question, job.out = &rows, WAITS_LEFT if left else WAITS, &out[0, 0]
    answer(&job, threads)


def score(rules, const uint8_t[:, ::1] counts, const int32_t[::1] flip, melds, const int32_t[::1] win,
          const uint8_t[::1] flags, const int32_t[::1] flowers, out, int threads):
    """`out`: fan, elements, legal, and where flowers count flowers and points."""
    cdef RulesTerms terms = terms_of(rules)  # held while the loop reads it
    cdef Rows rows = rows_of(&terms.c, counts, flip, melds, 2)
    cdef uint16_t[::1] fan = out[0]
    cdef uint32_t[::1] elements = out[1]
    cdef uint8_t[::1] legal = out[2]
    cdef uint16_t[::1] counted
    cdef int64_t[::1] points
    cdef Asked asked = Asked(column_of(win), &flags[0], flags.shape[0] > 1, column_of(flowers))
    cdef Judged to = Judged(&fan[0], &elements[0], &legal[0], NULL, NULL)
    cdef Job job
    if len(out) > 3:
        counted, points = out[3], out[4]
        to.flowers, to.points = &counted[0], &points[0]
    job.rows, job.question, job.asked, job.to = &rows, SCORE, &asked, &to
    answer(&job, threads)
