# cython: language_level=3
"""`Hand` and `Meld`: checked once, where they are made, and immutable from then on (spec: notation, "Hands")."""

from cpython.object cimport Py_EQ, Py_NE
from libc.stdint cimport int8_t
from libc.string cimport memcmp

from ._core cimport checked_int, tile_set
from ._notation cimport CANONICAL, Run, Style, read_run, read_tile, style_of, write_run
from ._terms cimport RulesTerms, terms_of

from .errors import HandError, NotationError
from .notebook import picture
from .tiles import NAMES

cdef RulesTerms NO_TERMS = terms_of("tianjin")
cdef tuple TYPE_NAMES = ("pong", "exposed", "added", "concealed", "chow")


cdef int flip_of(object flip, RulesTerms terms, Style style=CANONICAL) except -2:
    """The flipped kind from a tile's text or a kind; -1 for none."""
    if flip is None:
        if terms.c.flips:
            raise HandError("", None, "these rules flip a tile: name it with flip= (-1 for none)")
        return -1
    if not terms.c.flips and flip != -1:
        raise HandError(str(flip), None, "these rules flip no tile")
    cdef int kind
    if isinstance(flip, str):
        # beside a hand in mpsz the flipped tile may be written either way
        kind = read_tile(flip, style if flip.endswith(("m", "p", "s", "z")) else CANONICAL)
    else:
        kind = hand_int(flip, -1, 41, "flipped kind", str(flip))
    if kind >= terms.c.kinds:
        given = flip if isinstance(flip, str) else NAMES[kind]
        raise HandError(given, None, f"{NAMES[kind]} is a flower, and these rules have none")
    return kind


cdef int hand_int(object value, int low, int high, str what, str text) except? -2:
    """`checked_int` whose fault is a `HandError` of this text."""
    try:
        return checked_int(value, low, high, what)
    except ValueError as error:
        raise HandError(text, None, str(error)) from None


cdef class Meld:
    """A set laid out: `Meld("pong", kind)`.

    Parameters
    ----------
    type : {"pong", "exposed", "concealed", "chow"}
        碰, an exposed kong 明杠 (an added one 追杠 too, which a hand's text does not tell apart), a
        concealed kong 暗杠, or a chow 吃.
    kind : int
        The kind, or the lowest of a chow.

    Raises
    ------
    HandError
        For an unknown type, a kind that does not exist, or a chow that is no sequence.
    """

    def __cinit__(self, str type not None, kind):
        cdef int checked = hand_int(kind, 0, 33, "kind of a meld", f"{type} {kind}")
        if type not in TYPE_NAMES or type == "added":
            raise HandError(type, None, "a meld is a 'pong', 'exposed' or 'concealed' kong, or 'chow'")
        if type == "chow" and (checked >= 27 or checked % 9 > 6):
            raise HandError(f"chow {NAMES[checked]}", None, "a chow starts at 1 to 7 of a suit")
        self.type_code = TYPE_NAMES.index(type)
        self.kind = checked

    @property
    def type(self):
        """`"pong"`, `"exposed"`, `"concealed"` or `"chow"`."""
        return TYPE_NAMES[self.type_code]

    @property
    def tiles(self):
        """Its three or four kinds, a tuple of int."""
        return tuple(meld_tiles(self.type_code, self.kind))

    def __richcmp__(self, other, int op):
        if not isinstance(other, Meld) or op not in (Py_EQ, Py_NE):
            return NotImplemented
        cdef Meld that = other
        return (self.type_code == that.type_code and self.kind == that.kind) == (op == Py_EQ)

    def __hash__(self):
        return hash((self.type_code, self.kind))

    def __reduce__(self):
        return Meld, (self.type, self.kind)

    def __repr__(self):
        return f"tjmj.Meld({self.type!r}, {self.kind})"

    def __str__(self):
        return meld_text(self.type_code, self.kind, CANONICAL)


cdef list meld_tiles(int type_code, int kind):
    if type_code == CHOW:
        return [kind, kind + 1, kind + 2]
    return [kind] * (3 if type_code == PONG else 4)


cdef str meld_text(int type_code, int kind, Style style):
    cdef int8_t[4] kinds
    tiles = meld_tiles(type_code, kind)
    for i, tile in enumerate(tiles):
        kinds[i] = tile
    run = write_run(kinds, len(tiles), style)
    return f"{{{run}}}" if type_code == CONCEALED else f"[{run}]"


cdef class _Draft:
    # A hand being put together: what is counted so far, and the text that faults are reported in.
    cdef Hand hand
    cdef str text
    cdef int[42] seen       # copies in the hand, its melds and the flipped tile

    def __cinit__(self, Hand hand not None, str text, int flip, RulesTerms terms not None):
        hand.flip_kind = flip
        hand.win_kind = -1
        hand.terms = terms
        hand.wild_kinds = terms.c.by_flip[flip + 1].wild
        if flip >= 0:
            self.seen[flip] = 1
        self.hand = hand
        self.text = text

    cdef fault(self, Py_ssize_t place, str reason):
        return HandError(self.text, None if place < 0 else place, reason)

    cdef int see(self, int kind, Py_ssize_t place) except -1:
        """Count a tile wherever it lies."""
        if kind >= self.hand.terms.c.kinds:
            raise self.fault(place, f"{NAMES[kind]} is a flower, and these rules have none in a hand")
        self.seen[kind] += 1
        cdef int copies = 1 if kind >= 34 else 4
        if self.seen[kind] > copies:
            with_flip = ", the flipped one counted" if kind == self.hand.flip_kind else ""
            raise self.fault(place, f"more than {copies} of {NAMES[kind]}{with_flip}")
        return 0

    cdef int add(self, int kind, Py_ssize_t place) except -1:
        self.see(kind, place)
        self.hand.counts[kind] += 1
        self.hand.tiles += 1
        return 0

    cdef int add_win(self, int kind, Py_ssize_t place) except -1:
        self.add(kind, place)
        self.hand.win_kind = kind
        return 0

    cdef int add_meld(self, int type_code, int kind, Py_ssize_t place) except -1:
        cdef Hand hand = self.hand
        name = NAMES[kind]
        if hand.meld_count == 4:
            raise self.fault(place, "more than four melds")
        if type_code == CHOW and not hand.terms.c.chow:
            raise self.fault(place, "these rules know no chow")
        if hand.wild_kinds >> kind & 1:
            if type_code == PONG:
                raise self.fault(place, f"{name} is a wildcard and cannot be ponged")
            if not hand.terms.c.gold_kong:
                raise self.fault(place, f"{name} is a wildcard, and these rules have no gold kong")
            if type_code == EXPOSED and not hand.terms.c.gold_by_discard:
                raise self.fault(place, f"{name} is a wildcard; here a gold kong takes no discard")
        for tile in meld_tiles(type_code, kind):
            self.see(tile, place)
        hand.meld_types[hand.meld_count] = type_code
        hand.meld_kinds[hand.meld_count] = kind
        hand.meld_count += 1
        return 0

    cdef Hand finish(self):
        """The hand, if the number of its tiles is one that a hand can have."""
        cdef Hand hand = self.hand
        cdef int wanted = 13 - 3 * hand.meld_count
        beside = f" beside {hand.meld_count} meld(s)" if hand.meld_count else ""
        if hand.win_kind >= 0 and hand.tiles != wanted + 1:
            raise self.fault(-1, f"{hand.tiles - 1} concealed tiles before the winning one{beside}: "
                                 f"there must be {wanted}")
        if hand.tiles != wanted and hand.tiles != wanted + 1:
            raise self.fault(-1, f"{hand.tiles} concealed tiles{beside}: there must be {wanted}, "
                                 f"or {wanted + 1} before a discard")
        return hand


cdef int read_meld(_Draft draft, Py_ssize_t start, Style style) except -1:
    """Add the meld whose bracket stands at `start` and return where it ends."""
    cdef Run run
    cdef str text = draft.text
    cdef Py_UCS4 opening = text[start], closing = "]" if opening == "[" else "}"
    cdef int i, type_code = -1
    run.count = 0
    cdef Py_ssize_t end = read_run(text, start + 1, style, &run)
    if end == len(text):
        raise NotationError(text, start, f"{opening!r} is not closed")
    if text[end] != closing:
        raise NotationError(text, end, f"{text[end]!r} inside a meld that {opening!r} opened")
    kinds = sorted([run.kinds[i] for i in range(run.count)])
    if kinds and kinds[0] == max(kinds) and kinds[0] < 34:
        if run.count == 3 and opening == "[":
            type_code = PONG
        elif run.count == 4:
            type_code = EXPOSED if opening == "[" else CONCEALED
    elif run.count == 3 and opening == "[" and kinds == [kinds[0], kinds[0] + 1, kinds[0] + 2]:
        if kinds[0] < 27 and kinds[0] % 9 < 7:
            type_code = CHOW
    if type_code < 0:
        what = "a pong or a kong" if opening == "[" else "a concealed kong, four of a kind"
        raise HandError(text, start, f"{text[start:end + 1]!r} is not {what}")
    draft.add_meld(type_code, kinds[0], start)
    return end + 1


cdef Hand parse_hand(str text, int flip, RulesTerms terms, Style style):
    cdef _Draft draft = _Draft(Hand.__new__(Hand), text, flip, terms)
    cdef Run run
    cdef Py_ssize_t i = 0, n = len(text), plus
    cdef int k
    cdef Py_UCS4 ch
    while i < n:
        ch = text[i]
        if ch == "[" or ch == "{":
            i = read_meld(draft, i, style)
            continue
        if ch == "]" or ch == "}":
            raise NotationError(text, i, f"{ch!r} closes nothing")
        run.count = 0
        if ch == "+":
            plus = i
            i = read_run(text, i + 1, style, &run)
            if i < n:
                raise NotationError(text, i, "the winning tile stands last")
            if run.count != 1:
                raise NotationError(text, plus, f"{run.count} tiles behind '+': one tile wins")
            draft.add_win(run.kinds[0], run.places[0])
        else:
            i = read_run(text, i, style, &run)
            for k in range(run.count):
                draft.add(run.kinds[k], run.places[k])
    return draft.finish()


cdef class Hand:
    """A hand read together with the flipped tile and the rules; it cannot be wrong once it is made.

    It holds 13 - 3n concealed tiles beside n melds while it waits, one more with the winning tile, or
    one more without one where it has to discard (spec: notation, "Hands").

    Parameters
    ----------
    concealed : iterable of int
        Kinds of the concealed tiles, the winning tile not among them.
    melds : iterable of Meld
        In the order they were made.
    win : int or None
        Kind of the winning (last drawn) tile.
    flip : int or str
        The flipped tile, -1 for none.
    rules : str or Rules
        A preset's name or a value of `tjmj.rules`.

    Raises
    ------
    HandError
        For a wrong number of tiles, a fifth copy (melds and the flipped tile counted), a meld or a
        tile that the rules do not know.
    """

    def __cinit__(self):
        self.terms = NO_TERMS   # so that a hand that was never made is harmless

    def __init__(self, concealed, melds=(), win=None, *, flip=None, rules="tianjin"):
        if self.tiles:
            raise TypeError("a Hand does not change")
        cdef RulesTerms terms = terms_of(rules)
        cdef Meld meld
        concealed, melds = tuple(concealed), tuple(melds)
        text = f"tiles {list(concealed)}, melds {[str(meld) for meld in melds]}, winning {win}"
        cdef _Draft draft = _Draft(self, text, flip_of(flip, terms), terms)
        for meld in melds:
            draft.add_meld(meld.type_code, meld.kind, -1)
        for kind in concealed:
            draft.add(hand_int(kind, 0, 41, "tile kind", text), -1)
        if win is not None:
            draft.add_win(hand_int(win, 0, 41, "tile kind", text), -1)
        draft.finish()

    @staticmethod
    def parse(str text not None, flip=None, rules="tianjin", notation=None):
        """Read a hand (spec: notation).

        Parameters
        ----------
        text : str
            Such as `"[555W]{1111F}123T46T99B+5T"`.
        flip : str or int
            The flipped tile, which says what is wild; -1 for none. Required where the rules flip one.
        rules : str or Rules
            A preset's name or a value of `tjmj.rules`.
        notation : {None, "mpsz", "mpsz-cn"}
            As for `tjmj.parse_tiles`.

        Raises
        ------
        NotationError
            For what cannot be read.
        HandError
            For what can be read and is no hand under these rules.
        """
        cdef RulesTerms terms = terms_of(rules)
        cdef Style style = style_of(notation)
        return parse_hand(text, flip_of(flip, terms, style), terms, style)

    @property
    def concealed(self):
        """Kinds of the concealed tiles in order, the winning tile not among them; a tuple of int."""
        return tuple([kind for kind in range(42)
                      for _ in range(self.counts[kind] - (kind == self.win_kind))])

    @property
    def win(self):
        """Kind of the winning (last drawn) tile, or None."""
        return None if self.win_kind < 0 else self.win_kind

    @property
    def melds(self):
        """A tuple of `Meld`."""
        return tuple([Meld(TYPE_NAMES[self.meld_types[i]], self.meld_kinds[i])
                      for i in range(self.meld_count)])

    @property
    def flip(self):
        """Kind of the flipped tile, or None."""
        return None if self.flip_kind < 0 else self.flip_kind

    @property
    def wild(self):
        """The wild kinds 混儿, a `TileSet`."""
        return tile_set(self.wild_kinds)

    @property
    def rules(self):
        """The `Rules` that it was read with."""
        return self.terms.rules

    @property
    def counts(self):
        """How many of each kind are concealed, the winning tile included; 42 bytes."""
        return bytes(self.counts[:42])

    @property
    def waiting(self):
        """Whether it waits for a draw: 13 - 3n concealed tiles beside n melds."""
        return self.tiles == 13 - 3 * self.meld_count

    def left(self, tile):
        """Copies of a tile (str or int) that are not in the hand, its melds or the flipped tile."""
        return copies_left(self, tile_kind(tile))

    def format(self, notation=None):
        """The hand in canonical form, or in mpsz; `NotationError` for flowers in mpsz."""
        cdef int8_t[16] kinds
        cdef Style style = style_of(notation)
        cdef int kind, i, n = 0
        for kind in range(42):
            for _ in range(self.counts[kind] - (kind == self.win_kind)):
                kinds[n] = kind
                n += 1
        out = [meld_text(self.meld_types[i], self.meld_kinds[i], style) for i in range(self.meld_count)]
        out.append(write_run(kinds, n, style))
        if self.win_kind >= 0:
            kinds[0] = self.win_kind
            out.append("+" + write_run(kinds, 1, style))
        return "".join(out)

    def __str__(self):
        return self.format()

    def draw(self, tile):
        """The waiting hand with a tile drawn, as its winning tile.

        Parameters
        ----------
        tile : str or int

        Raises
        ------
        HandError
            If the hand does not wait, or holds or sees every copy of the tile already.
        """
        cdef int kind = tile_kind(tile)
        if not self.waiting:
            raise HandError(self.format(), None, "the hand has drawn already")
        if kind >= self.terms.c.kinds:
            raise HandError(self.format(), None, f"{tile!r} is no tile of these rules")
        if copies_left(self, kind) == 0:
            raise HandError(self.format(), None, f"no {NAMES[kind]} is left to draw")
        return drawn(self, kind)

    def __repr__(self):
        if is_dead(self):
            return f"{waits_repr(self)}.score.hand"
        flip = -1 if self.flip_kind < 0 else NAMES[self.flip_kind]
        beside = f"flip={flip!r}, " if self.terms.c.flips else ""
        return f"tjmj.Hand.parse({self.format()!r}, {beside}rules={self.terms.rules!r})"

    def _repr_svg_(self):
        return picture("hand", self)

    def __richcmp__(self, other, int op):
        if not isinstance(other, Hand) or op not in (Py_EQ, Py_NE):
            return NotImplemented
        return same_hand(self, other) == (op == Py_EQ)

    def __hash__(self):
        return hash((self.format(), self.flip_kind, self.terms.rules))

    def __reduce__(self):
        if is_dead(self):
            return _drawn, (undrawn(self), self.win_kind)
        return Hand.parse, (self.format(), self.flip_kind, self.terms.rules)


cdef int tile_kind(object tile) except -1:
    """The kind of a tile given as text or as its kind."""
    return read_tile(tile) if isinstance(tile, str) else hand_int(tile, 0, 41, "tile kind", str(tile))


cdef Hand copied(Hand hand):
    cdef Hand made = Hand.__new__(Hand)
    made.counts = hand.counts
    made.win_kind = hand.win_kind
    made.flip_kind = hand.flip_kind
    made.meld_count = hand.meld_count
    made.meld_types = hand.meld_types
    made.meld_kinds = hand.meld_kinds
    made.wild_kinds = hand.wild_kinds
    made.tiles = hand.tiles
    made.terms = hand.terms
    return made


cdef Hand drawn(Hand waiting, int kind):
    """A waiting hand with a tile drawn, which may formally be a fifth copy (a dead wait)."""
    cdef Hand made = copied(waiting)
    made.counts[kind] += 1
    made.tiles += 1
    made.win_kind = kind
    return made


cdef Hand undrawn(Hand hand):
    cdef Hand made = copied(hand)
    made.counts[hand.win_kind] -= 1
    made.tiles -= 1
    made.win_kind = -1
    return made


def _drawn(Hand waiting not None, kind):
    if not waiting.waiting:
        raise HandError(waiting.format(), None, "the hand has drawn already")
    return drawn(waiting, tile_kind(kind))


cdef bint is_dead(Hand hand) noexcept:
    """Whether the winning tile is a copy that does not exist: the score of a dead wait."""
    return hand.win_kind >= 0 and copies_left(hand, hand.win_kind) < 0


cdef str waits_repr(Hand dead, int flowers=0):
    beside = f", flowers={flowers}" if flowers else ""
    return f"tjmj.waits({undrawn(dead)!r}{beside})[{NAMES[dead.win_kind]!r}]"


cdef int copies_left(Hand hand, int kind) noexcept:
    cdef int left = (1 if kind >= 34 else 4) - hand.counts[kind] - (kind == hand.flip_kind)
    cdef int i
    for i in range(hand.meld_count):
        if hand.meld_types[i] == CHOW:
            left -= hand.meld_kinds[i] <= kind <= hand.meld_kinds[i] + 2
        elif hand.meld_kinds[i] == kind:
            left -= 3 if hand.meld_types[i] == PONG else 4
    return left


cdef bint same_hand(Hand a, Hand b):
    return (memcmp(a.counts, b.counts, sizeof(a.counts)) == 0
            and a.win_kind == b.win_kind and a.flip_kind == b.flip_kind
            and a.meld_count == b.meld_count
            and memcmp(a.meld_types, b.meld_types, a.meld_count) == 0
            and memcmp(a.meld_kinds, b.meld_kinds, a.meld_count) == 0
            and a.terms.rules == b.terms.rules)


UNMADE = Hand.__new__(Hand)
