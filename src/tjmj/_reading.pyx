# cython: language_level=3
"""Lay a complete hand out as sets and a pair so that it shows given elements (spec: tianjin section 5).

The fan is known before (_fan.pyx); what is asked here is one reading that shows it. Every place that the
winning tile can take is tried with every dragon that is wanted, the kernel says at once whether the rest
fits, and only then is the rest laid out.
"""

from libc.stdint cimport int8_t, uint32_t, uint64_t

from ._core cimport HandKeys, TABLES, fits, fits_with_pair, hand_cover, keys_of
from ._hand cimport CHOW, CONCEALED, PONG, Hand

from .elements import SHAPES as _SHAPES
from .tiles import NAMES

cdef enum:
    SEQUENCE = 0
    TRIPLET = 1
    PAIR = 2

cdef enum:
    # Names of a wait, in the order in which one is chosen (spec: cli, `tjmj waits`)
    SHAPE_HUNDIAO = 0
    SHAPE_DANDIAO = 1
    SHAPE_DUIDAO = 2
    SHAPE_KANDAN = 3
    SHAPE_LIANGMIAN = 4

cdef tuple SHAPES = tuple(_SHAPES)
cdef tuple TYPES = ("sequence", "triplet", "pair")

cdef struct Piece:
    int type
    int face            # its kind, the lowest of a sequence
    int natural         # a bit for each place that a natural tile takes
    int win             # place of the winning tile, -1 for none

cdef struct Table:
    # A hand being laid out
    int8_t[34] rest     # naturals not yet placed, the winning tile not among them
    int sets            # still to make
    bint pair
    Piece[7] pieces     # seven where the hand is pairs
    int count
    bint triplets_only


cdef inline int width(int type) noexcept nogil:
    return 2 if type == PAIR else 3


cdef inline int face_at(int type, int face, int place) noexcept nogil:
    return face + place if type == SEQUENCE else face


cdef int take(Table *t, int type, int face, int win, bint naturals) noexcept nogil:
    """Place a piece, with naturals wherever there are some; returns how many it takes."""
    cdef Piece *piece = &t.pieces[t.count]
    cdef int place, taken = 0, kind
    piece.type = type
    piece.face = face
    piece.win = win
    piece.natural = 0
    for place in range(width(type)):
        kind = face_at(type, face, place)
        if place != win and naturals and t.rest[kind]:
            t.rest[kind] -= 1
            piece.natural |= 1 << place
            taken += 1
    t.count += 1
    if type == PAIR:
        t.pair = False
    else:
        t.sets -= 1
    return taken


cdef bint rest_fits(const Table *t) noexcept nogil:
    cdef HandKeys keys = keys_of(<const unsigned char *>t.rest)
    cdef uint32_t cover = hand_cover(TABLES, &keys)
    return fits_with_pair(cover, t.sets) if t.pair else fits(cover, t.sets)


cdef bint lay_out(Table *t) noexcept nogil:
    """Place the rest, lowest tile first, each time with the most naturals that one piece can take."""
    cdef int lowest = 0, option, used
    cdef int[3] gains
    cdef Table kept
    while lowest < 34 and not t.rest[lowest]:
        lowest += 1
    if lowest == 34:
        return True
    cdef int first = lowest if lowest % 9 < 7 else lowest - lowest % 9 + 6
    for option in range(3):
        gains[option] = min(<int>t.rest[lowest], width(option))
    gains[SEQUENCE] = sum_present(t, first) if lowest < 27 and not t.triplets_only else 0
    for used in range(3, 0, -1):
        for option in range(3):
            if gains[option] != used or not (t.pair if option == PAIR else t.sets > 0):
                continue
            kept = t[0]
            take(t, option, first if option == SEQUENCE else lowest, -1, True)
            if rest_fits(t) and lay_out(t):
                return True
            t[0] = kept
    return False


cdef inline int sum_present(const Table *t, int first) noexcept nogil:
    return (t.rest[first] > 0) + (t.rest[first + 1] > 0) + (t.rest[first + 2] > 0)


cdef int sequence_shape(int first, int place, uint64_t wild) noexcept nogil:
    """坎单 or 两面: an open end whose other end is missing or wild is a 坎单 too."""
    cdef int other
    if place == 1:
        return SHAPE_KANDAN
    if place == 0:
        other = first + 3 if first % 9 < 6 else -1
    else:
        other = first - 1 if first % 9 > 0 else -1
    return SHAPE_KANDAN if other < 0 or wild >> other & 1 else SHAPE_LIANGMIAN


cdef struct Wanted:
    int win             # the winning tile's face, -1 for any
    uint32_t shown
    uint64_t wild
    int dragon          # suit of the 龙, -1 for none


cdef bint try_piece(Table *t, const Wanted *w, int shape, int type, int face, int place) noexcept nogil:
    """Put the winning tile at a place of a piece, the 龙 beside it or around it, and ask for the rest."""
    cdef Table kept = t[0]
    cdef int own_shape = SHAPE_DANDIAO if type == PAIR else SHAPE_DUIDAO
    cdef int part, taken
    cdef bint inside = type == SEQUENCE and w.dragon >= 0 and face // 9 == w.dragon and face % 3 == 0
    cdef bint in_dragon
    if w.win >= 0 and face_at(type, face, place) != w.win:
        return False
    if w.shown & ZHUOWU and not (type == SEQUENCE and face == FIVE - 1 and place == 1):
        return False
    if type == SEQUENCE:
        own_shape = sequence_shape(face, place, w.wild)
    for in_dragon in range(inside + 1):
        if shape != (SHAPE_HUNDIAO if w.shown & HUNDIAO else own_shape) or (w.shown & HUNDIAO and in_dragon):
            continue
        taken = take(t, type, face, place, not w.shown & HUNDIAO)
        if taken or in_dragon or w.shown & HUNDIAO:
            if w.dragon >= 0:
                for part in range(3):
                    if not (in_dragon and 9 * w.dragon + 3 * part == face):
                        take(t, SEQUENCE, 9 * w.dragon + 3 * part, -1, True)
            if t.sets >= 0 and rest_fits(t) and lay_out(t):
                return True
        t[0] = kept
    return False


cdef int try_all(Table *t, const Wanted *w, int shape) noexcept nogil:
    """Try every place of the winning tile that has this shape."""
    cdef int face, place
    for face in range(34):
        if w.win >= 0 and not w.win - 2 <= face <= w.win:
            continue
        if t.pair and try_piece(t, w, shape, PAIR, face, 0):
            return True
        if t.sets == 0:
            continue
        if try_piece(t, w, shape, TRIPLET, face, 0):
            return True
        if face < 27 and face % 9 < 7 and not t.triplets_only:
            for place in range(3):
                if try_piece(t, w, shape, SEQUENCE, face, place):
                    return True
    return False


cdef Reading find_reading(Hand hand, int win, uint32_t shown, int wild_suit):
    """A reading that shows these elements with this winning tile; there must be one."""
    cdef Table table
    table.triplets_only = shown & TRIPLETS
    cdef Wanted wanted
    cdef uint64_t wild = 0 if shown & SUBEN else hand.wild_kinds
    cdef int kind, shape, dragon
    wanted.win = -1 if wild >> win & 1 else win
    wanted.shown = shown
    wanted.wild = hand.wild_kinds
    for kind in range(34):
        table.rest[kind] = 0 if wild >> kind & 1 else hand.counts[kind] - (kind == win)
    table.sets = 4 - hand.meld_count
    table.pair = True
    table.count = 0
    for shape in range(5):
        for dragon in range(-1, 3):
            if (dragon >= 0) != (shown & LONG > 0):
                continue
            if dragon >= 0 and (dragon == wild_suit) != (shown & BENHUN > 0):
                continue
            wanted.dragon = dragon
            if try_all(&table, &wanted, shape):
                return made_reading(hand, win, wild, &table, shape)
    raise SystemError(f"no reading of {hand!r} shows {shown}")


cdef Reading flower_reading(Hand hand, bint pairs, bint triplets):
    """A reading of a hand without wildcards: seven pairs, four triplets, or whatever there is.

    Where it does not matter which tile won none is marked, and the wait has no name.
    """
    cdef int kind, win = hand.win_kind
    cdef Table table
    cdef Reading reading
    if win < 0:
        while not hand.counts[win + 1]:
            win += 1
        win += 1
    if not pairs:
        reading = find_reading(hand, win, TRIPLETS if triplets else 0, -1)
    else:
        table.sets = table.count = 0
        for kind in range(34):
            for _ in range(hand.counts[kind] // 2):
                table.pieces[table.count] = Piece(PAIR, kind, 3, -1)
                table.count += 1
        table.pair = False
        for kind in range(7):
            if table.pieces[kind].face == win:
                table.pieces[kind].win = 1
                break
        reading = made_reading(hand, win, 0, &table, SHAPE_DANDIAO)
    if hand.win_kind < 0:
        reading.groups = tuple([unmarked(group) for group in reading.groups])
        reading.shape = None
    return reading


cdef Group unmarked(Group group):
    return group if group.win is None else _group(
        group.type, group.faces, group.tiles, None, group.meld, group.wild)


cdef Reading made_reading(Hand hand, int win, uint64_t wild, Table *t, int shape):
    """Give every gap a wildcard, its own face where that is the gap's, and make the groups."""
    cdef int[42] free
    cdef int[7][3] tiles
    cdef Piece *piece
    cdef int kind, i, place, lowest = 0
    for kind in range(42):
        free[kind] = hand.counts[kind] - (kind == win) if wild >> kind & 1 else 0
    while t.sets or t.pair:     # what is left is made of wildcards alone
        kind = 0
        while kind < 33 and not free[kind]:
            kind += 1
        take(t, TRIPLET if t.sets else PAIR, kind, -1, False)
    sort_pieces(t)
    for i in range(t.count):
        piece = &t.pieces[i]
        for place in range(width(piece.type)):
            kind = face_at(piece.type, piece.face, place)
            tiles[i][place] = -1
            if place == piece.win:
                tiles[i][place] = win
            elif piece.natural >> place & 1:
                tiles[i][place] = kind
            elif free[kind]:
                free[kind] -= 1
                tiles[i][place] = kind
    groups = [meld_group(hand, i) for i in range(hand.meld_count)]
    for i in range(t.count):
        piece = &t.pieces[i]
        for place in range(width(piece.type)):
            if tiles[i][place] < 0:
                while not free[lowest]:
                    lowest += 1
                free[lowest] -= 1
                tiles[i][place] = lowest
        groups.append(piece_group(piece, tiles[i], hand.wild_kinds))
    cdef Reading reading = Reading.__new__(Reading)
    reading.groups = tuple(groups)
    reading.shape = SHAPES[shape]
    return reading


cdef void sort_pieces(Table *t) noexcept:
    """Sets in canonical order, the pair last."""
    cdef int i, j
    cdef Piece moved
    for i in range(1, t.count):
        moved = t.pieces[i]
        j = i
        while j and piece_order(&t.pieces[j - 1]) > piece_order(&moved):
            t.pieces[j] = t.pieces[j - 1]
            j -= 1
        t.pieces[j] = moved


cdef inline int piece_order(const Piece *piece) noexcept:
    return 64 * (piece.type == PAIR) + piece.face


cdef Group piece_group(const Piece *piece, const int *tiles, uint64_t wild):
    cdef int first = piece.face, last = piece.face + 2 * (piece.type == SEQUENCE)
    cdef object win = None if piece.win < 0 else piece.win
    if piece.type == PAIR:
        return new_group("pair", (first, first), (tiles[0], tiles[1]), win, None, wild)
    return new_group(TYPES[piece.type], (first, (first + last) // 2, last), (tiles[0], tiles[1], tiles[2]),
                     win, None, wild)


cdef Group meld_group(Hand hand, int i):
    cdef int kind = hand.meld_kinds[i], type_code = hand.meld_types[i]
    if type_code == CHOW:
        tiles = (kind, kind + 1, kind + 2)
        return new_group("sequence", tiles, tiles, None, "exposed", hand.wild_kinds)
    tiles = (kind,) * (3 if type_code == PONG else 4)
    return new_group("triplet" if type_code == PONG else "kong", tiles, tiles, None,
                     "concealed" if type_code == CONCEALED else "exposed", hand.wild_kinds)


cdef Group new_group(str type, tuple faces, tuple tiles, object win, str meld, uint64_t wild):
    cdef Group group = Group.__new__(Group)
    group.type = type
    group.faces = faces
    group.tiles = tiles
    group.win = win
    group.meld = meld
    group.wild = tuple([wild >> <int>kind & 1 != 0 for kind in tiles])
    return group


cdef class Group:
    """One set or the pair of a reading.

    Attributes
    ----------
    type : {"sequence", "triplet", "kong", "pair"}
    faces : tuple of int
        The kinds it stands for.
    tiles : tuple of int
        The kinds of the tiles themselves, in the same order.
    wild : tuple of bool
        Which of the tiles are wildcards 混儿.
    win : int or None
        Place of the winning tile in it.
    meld : {None, "exposed", "concealed"}
        How it was laid out; None where it is in the hand.
    """

    @property
    def face(self):
        """The kinds it stands for as text, such as `"456W"`."""
        name = NAMES[self.faces[0]]
        return "".join([NAMES[kind][0] for kind in self.faces]) + name[1]

    def __eq__(self, other):
        if not isinstance(other, Group):
            return NotImplemented
        return self._values() == (<Group>other)._values()

    def __hash__(self):
        return hash(self._values())

    def _values(self):
        return (self.type, self.faces, self.tiles, self.win, self.meld, self.wild)

    def __reduce__(self):
        return _group, self._values()

    def __repr__(self):
        return f"<{self.type} {self}>"

    def __str__(self):
        """Such as `4W 1F=5W 6W`: a wildcard says what it stands for, the winning tile has a plus."""
        words = []
        for place, (tile, face, wild) in enumerate(zip(self.tiles, self.faces, self.wild)):
            word = NAMES[tile] + (f"={NAMES[face]}" if wild else "")
            words.append("+" + word if place == self.win else word)
        return " ".join(words)


def _group(type, faces, tiles, win, meld, wild):
    cdef Group group = Group.__new__(Group)
    group.type, group.faces, group.tiles = type, faces, tiles
    group.win, group.meld, group.wild = win, meld, wild
    return group


cdef class Reading:
    """A hand laid out: `groups`, melds first, and the `shape` of the wait that the win ended."""
