# cython: language_level=3
"""Someone else's module: it counts winning hands and plays a hand, both without the GIL."""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

cimport tjmj


@cython.boundscheck(False)
@cython.wraparound(False)
def count_wins(const uint8_t[:, ::1] rows, int flip, rules):
    """How many rows of 34 counts, each of 14 tiles and no melds, are winning hands."""
    cdef tjmj.RulesTerms terms = tjmj.terms_of(rules)
    cdef const tjmj.FlipTerms *wild = &terms.c.by_flip[flip + 1]
    cdef tjmj.HandRow row, natural
    cdef tjmj.HandKeys keys
    cdef Py_ssize_t i
    cdef int64_t wins = 0
    if rows.shape[1] != tjmj.KINDS:
        raise ValueError("rows of 34 counts are wanted")
    with nogil:
        for i in range(rows.shape[0]):
            tjmj.load_row(&rows[i, 0], False, &row)
            tjmj.natural_part(&row, wild, &natural)
            tjmj.row_keys(&natural, &keys)
            wins += tjmj.fits_with_pair(tjmj.hand_cover(tjmj.TABLES, &keys), 4)
    return wins


cdef inline int lowest(uint64_t kinds) noexcept nogil:
    cdef int kind = 0
    while not kinds >> kind & 1:
        kind += 1
    return kind


cdef void play(tjmj.GameState *g, const tjmj.Terms *terms) noexcept nogil:
    """Everybody wins on an own draw when it may, else throws the lowest kind it may; nobody claims."""
    cdef tjmj.Options options
    while g.phase < tjmj.WON:
        if g.phase == tjmj.CLAIM or g.phase == tjmj.ROB:
            tjmj.pass_claims(g, terms)
            continue
        options = tjmj.turn_options(g, terms, True)
        if options.may_win:
            tjmj.win_hand(g, terms)
        else:
            tjmj.discard(g, terms, lowest(options.discards))


def play_hand(uint64_t seed, rules):
    """Deal a hand from a seed and play it; returns its dice, its wall and each seat's gain."""
    cdef tjmj.RulesTerms terms = tjmj.terms_of(rules)
    cdef tjmj.GameState g
    cdef uint8_t[6] dice
    cdef int64_t[4] net
    cdef int thrown = tjmj.dice_count(&terms.c), flip_throw = 0
    with nogil:
        memset(&g, 0, sizeof(g))
        tjmj.fast_deal(&seed, &terms.c, g.wall, dice)
        if terms.c.flips and not terms.c.turned:
            flip_throw = dice[thrown - 2] + dice[thrown - 1]
        tjmj.start(&g, &terms.c, 0, flip_throw)
        tjmj.begin(&g, &terms.c)
        play(&g, &terms.c)
        tjmj.settle(&g, &terms.c, net)
    return [dice[i] for i in range(thrown)], bytes(g.wall[:2 * terms.c.stacks]), [net[i] for i in range(4)]
