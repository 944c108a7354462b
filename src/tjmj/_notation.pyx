# cython: language_level=3
"""Tiles read from text and written to it (spec: notation, "Tiles").

Reading is generous, writing canonical: one run for each suit, in canonical order.
"""

from libc.stdint cimport int8_t

from ._core cimport checked_int

from .errors import NotationError
from .tiles import NAMES

cdef int[6] FIRST = [0, 9, 18, 27, 31, 34]
cdef int[6] SIZE = [9, 9, 9, 4, 3, 8]
cdef tuple GROUPS = ("characters (W, 万)", "bamboo (T, 条)", "dots (B, 饼)", "winds (F)", "dragons (J)",
                     "flowers (H)")
cdef str LETTERS = "WTBFJH"
# mpsz writes 万 饼 条 and honours in this order
cdef int[3] MPSZ_ORDER = [0, 2, 1]
# kinds of 1z to 7z; they differ in the dragons
cdef int8_t[7] TENHOU_Z = [27, 28, 29, 30, 33, 32, 31]
cdef int8_t[7] CHINESE_Z = [27, 28, 29, 30, 31, 32, 33]
cdef int LONGEST_TEXT = 4000


cdef Style style_of(object notation) except *:
    if notation is None:
        return CANONICAL
    if notation == "mpsz":
        return MPSZ
    if notation == "mpsz-cn":
        return MPSZ_CN
    raise ValueError(f"unknown notation {notation!r}: it is None, 'mpsz' (Tenhou) or 'mpsz-cn'")


cdef inline bint is_blank(Py_UCS4 ch) noexcept:
    return ch in " \t\r\n\u3000"


cdef inline bint ends_run(Py_UCS4 ch) noexcept:
    return ch in "[]{}+"


cdef inline int letter_group(Py_UCS4 ch) noexcept:
    """Group of an ASCII letter, -1 for none."""
    if ch in "Ww":
        return 0
    if ch in "Tt":
        return 1
    if ch in "Bb":
        return 2
    if ch in "Ff":
        return 3
    if ch in "Jj":
        return 4
    if ch in "Hh":
        return 5
    return -1


cdef inline int chinese_suit(Py_UCS4 ch) noexcept:
    if ch in "万萬":
        return 0
    if ch in "条條索":
        return 1
    if ch in "饼餅筒同":
        return 2
    return -1


cdef inline int number(Py_UCS4 ch) noexcept:
    """A rank in digits or Chinese, -1 for none."""
    if ch in "0123456789":
        return <int>ch - 48
    if ch < 0x4E00:
        return -1
    if ch in "二两":
        return 2
    if ch in "五伍":
        return 5
    if ch == "一":
        return 1
    if ch == "三":
        return 3
    if ch == "四":
        return 4
    if ch == "六":
        return 6
    if ch == "七":
        return 7
    if ch == "八":
        return 8
    if ch == "九":
        return 9
    return -1


cdef inline int whole_tile(Py_UCS4 ch) noexcept:
    """Kind that one Chinese character names, -1 for none."""
    cdef int place = "东南西北中发白春夏秋冬梅兰竹菊".find(ch) if ch >= 0x4E00 else -1
    if place >= 0:
        return 27 + place
    if ch == "東":
        return 27
    if ch == "發":
        return 32
    return -1


cdef int put(str text, Run *run, int kind, Py_ssize_t place) except -1:
    if run.count == MOST_TILES:
        raise NotationError(text, place, f"more than {MOST_TILES} tiles")
    run.kinds[run.count] = kind
    run.places[run.count] = place
    run.count += 1
    return 0


cdef int put_ranked(str text, Run *run, int group, int rank, Py_ssize_t place) except -1:
    if not 1 <= rank <= SIZE[group]:
        raise NotationError(text, place, f"{GROUPS[group]} run from 1 to {SIZE[group]}, not {rank}")
    return put(text, run, FIRST[group] + rank - 1, place)


cdef object unreadable(str text, Py_ssize_t place, Style style):
    cdef Py_UCS4 ch = text[place]
    if style == CANONICAL and ch in "mpszMPSZ":
        reason = f"{ch!r} belongs to mpsz; name it with notation='mpsz' (Tenhou) or notation='mpsz-cn'"
    elif style != CANONICAL:
        reason = f"{ch!r} is not in mpsz, which writes m, p, s and z behind the numbers"
    else:
        reason = f"{ch!r} is no tile"
    return NotationError(text, place, reason)


cdef Py_ssize_t read_run(str text, Py_ssize_t start, Style style, Run *run) except -1:
    """Append the tiles from `start` on up to a bracket, a plus or the end, and return where that is."""
    cdef Py_ssize_t i = start, n = len(text), numbers = -1, k
    cdef Py_UCS4 ch
    cdef int group
    if n > LONGEST_TEXT:
        raise NotationError(text, LONGEST_TEXT, f"a text of {n} characters is too long")
    while i < n:
        ch = text[i]
        if ends_run(ch):
            break
        if number(ch) >= 0:
            if numbers < 0:
                numbers = i
            i += 1
            continue
        group = mpsz_group(ch) if style else letter_group(ch)
        if group < 0 and not style:
            group = chinese_suit(ch)
        if numbers >= 0:
            if group < 0:
                if not style and ch in "mpszMPSZ":
                    raise unreadable(text, i, style)
                break
            for k in range(numbers, i):
                if style and group == 3:
                    put_honour(text, run, style, number(text[k]), k)
                else:
                    put_ranked(text, run, group, number(text[k]), k)
            numbers = -1
            i += 1
        elif is_blank(ch):
            i += 1
        elif style:
            raise unreadable(text, i, style)
        elif letter_group(ch) >= 0:
            # letter first, as Botzone writes a single tile
            if i + 1 == n or number(text[i + 1]) < 0:
                raise NotationError(text, i, f"{ch!r} has no number")
            put_ranked(text, run, group, number(text[i + 1]), i)
            i += 2
        else:
            i = read_word(text, i, run)
    if numbers >= 0:
        raise NotationError(text, numbers, "a number without its suit")
    return i


cdef inline int mpsz_group(Py_UCS4 ch) noexcept:
    if ch == "m":
        return 0
    if ch == "p":
        return 2
    if ch == "s":
        return 1
    if ch == "z":
        return 3
    return -1


cdef int put_honour(str text, Run *run, Style style, int rank, Py_ssize_t place) except -1:
    if not 1 <= rank <= 7:
        raise NotationError(text, place, f"honours (z) run from 1 to 7, not {rank}")
    return put(text, run, TENHOU_Z[rank - 1] if style == MPSZ else CHINESE_Z[rank - 1], place)


cdef Py_ssize_t read_word(str text, Py_ssize_t i, Run *run) except -1:
    """A tile written as a word: 东, 红中, 发财, 白板, 幺鸡."""
    cdef Py_UCS4 ch = text[i], after = text[i + 1] if i + 1 < len(text) else 0
    cdef int kind = whole_tile(ch)
    if ch in "红紅" and after == "中":
        put(text, run, 31, i)
        return i + 2
    if ch == "幺" and after in "鸡雞":
        put(text, run, 9, i)
        return i + 2
    if kind < 0:
        raise unreadable(text, i, CANONICAL)
    put(text, run, kind, i)
    return i + 2 if (kind == 32 and after in "财財") or (kind == 33 and after == "板") else i + 1


cdef int read_tile(str text, Style style=CANONICAL) except -1:
    """The one tile that a text names."""
    cdef Run run
    run.count = 0
    cdef Py_ssize_t end = read_run(text, 0, style, &run)
    if end < len(text):
        raise NotationError(text, end, f"{text[end]!r} is no tile")
    if run.count != 1:
        raise NotationError(text, None, f"{run.count} tiles where one is wanted")
    return run.kinds[0]


cdef str write_run(const int8_t *kinds, int count, Style style):
    """Tiles in canonical (or mpsz) order, one run for each suit."""
    cdef int[42] copies
    cdef int i, group, z
    cdef str out = "", digits
    for i in range(42):
        copies[i] = 0
    for i in range(count):
        copies[kinds[i]] += 1
    if style == CANONICAL:
        for group in range(6):
            digits = "".join([str(i + 1) * copies[FIRST[group] + i] for i in range(SIZE[group])])
            if digits:
                out += digits + LETTERS[group]
        return out
    for i in range(34, 42):
        if copies[i]:
            raise NotationError(NAMES[i], None, "mpsz has no flowers")
    for group in range(3):
        digits = "".join([str(i + 1) * copies[FIRST[MPSZ_ORDER[group]] + i] for i in range(9)])
        if digits:
            out += digits + "msp"[MPSZ_ORDER[group]]
    digits = ""
    for i in range(7):
        z = TENHOU_Z[i] if style == MPSZ else CHINESE_Z[i]
        digits += str(i + 1) * copies[z]
    return out + digits + "z" if digits else out


def parse_tiles(str text not None, notation=None):
    """Tiles of a text, in its order (spec: notation, "Tiles").

    Parameters
    ----------
    text : str
        Such as `"11123W45T1F"`, `"W1W2W3"` or `"一二三万东东"`.
    notation : {None, "mpsz", "mpsz-cn"}
        mpsz is read only where it is named, since its dragons are disputed: Tenhou's 5z 6z 7z are
        白 发 中, the Chinese ones 中 发 白.

    Returns
    -------
    tuple of int
        Kinds 0 to 41.

    Raises
    ------
    NotationError
        With the place and the reason.
    """
    cdef Run run
    run.count = 0
    cdef Py_ssize_t end = read_run(text, 0, style_of(notation), &run)
    if end < len(text):
        raise NotationError(text, end, f"{text[end]!r} is no tile")
    return tuple([run.kinds[i] for i in range(run.count)])


def parse_tile(str text not None, notation=None):
    """The one tile that a text names, as its kind; otherwise as `parse_tiles`."""
    return read_tile(text, style_of(notation))


def write_tiles(kinds, notation=None):
    """Tiles as text: one run for each suit, in canonical order.

    Parameters
    ----------
    kinds : iterable of int
        Kinds 0 to 41, at most 160.
    notation : {None, "mpsz", "mpsz-cn"}
        As for `parse_tiles`.

    Raises
    ------
    ValueError
        For a number that is no kind; `NotationError` for a flower in mpsz.
    """
    cdef Run run
    run.count = 0
    for kind in kinds:
        put("", &run, checked_int(kind, 0, 41, "tile kind"), 0)
    return write_run(run.kinds, run.count, style_of(notation))
