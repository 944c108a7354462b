# cython: language_level=3
"""What a hand waits for, and what each tile would make of it."""

from collections.abc import ItemsView, KeysView, Mapping, ValuesView

from libc.stdint cimport uint64_t

from ._core cimport HandKeys, HandRow, TABLES, load_row, natural_waits, row_keys, tile_set
from ._fan cimport DISCARD_WIN
from ._score cimport Score, flowers_given, hand_of, score_hand
from ._hand cimport UNMADE, Hand, copies_left, drawn, tile_kind
from ._terms cimport FlipTerms, natural_part, with_wilds

from .errors import HandError, TjmjError
from .notebook import picture
from .tiles import NAMES


cdef class Wait:
    """One kind that completes the shape; its score is made when it is looked at.

    Attributes
    ----------
    hand : Hand
        The hand that waits.
    kind : int
        The kind that completes it.
    left : int
        Copies not in the hand, its melds or the flipped tile; 0 is a dead wait, listed all the same.
    """

    cdef readonly Hand hand
    cdef readonly int kind
    cdef readonly int left
    cdef int flowers
    cdef Score made_score

    def __cinit__(self):
        self.hand = UNMADE

    @property
    def score(self):
        """The `Score` of the hand with this tile drawn."""
        if self.made_score is None:
            self.made_score = score_hand(drawn(self.hand, self.kind), 0, self.flowers)
        return self.made_score

    @property
    def discard_score(self):
        """The `Score` of the hand with this tile discarded by another; None where that cannot win."""
        if not self.hand.terms.c.discard_wins:
            return None
        return score_hand(drawn(self.hand, self.kind), DISCARD_WIN, self.flowers)

    @property
    def shape(self):
        """Name of the wait in its best reading (spec: cli): `"hundiao"` 混吊 any tile, `"dandiao"` 单吊
        pairs a natural tile, `"duidao"` 对倒 makes a triplet, `"kandan"` 坎单 middle or only end of a
        sequence, `"liangmian"` 两面 one of its two ends."""
        return self.score.shape

    @property
    def legal(self):
        """Whether the hand may win on it."""
        return self.score.legal

    @property
    def fan(self):
        """Fan of the best reading."""
        return self.score.fan

    @property
    def elements(self):
        """Sorted keys of the best reading's elements."""
        return self.score.elements

    def __eq__(self, other):
        if not isinstance(other, Wait):
            return NotImplemented
        cdef Wait that = other
        return self.kind == that.kind and self.hand == that.hand and self.flowers == that.flowers

    def __hash__(self):
        return hash((self.hand, self.kind, self.flowers))

    def __reduce__(self):
        return _wait, (self.hand, self.kind, self.flowers)

    def __repr__(self):
        return f"{waits_text(self.hand, self.flowers)}[{NAMES[self.kind]!r}]"

    def __str__(self):
        return f"{NAMES[self.kind]} ({self.left} left): {self.score.name} {self.fan} fan"


def _wait(hand, kind, flowers):
    return waits(hand, flowers=flowers)[kind]


cdef str waits_text(Hand hand, int flowers):
    return f"tjmj.waits({hand!r}" + (f", flowers={flowers})" if flowers else ")")


cdef class Waits:
    """The kinds that complete a hand, in canonical order: a mapping from a tile's name to its `Wait`.

    A tile may also be asked for by its kind or another spelling.

    Attributes
    ----------
    hand : Hand
    kinds : TileSet
    """

    cdef readonly Hand hand
    cdef readonly int flowers
    cdef uint64_t bits

    def __cinit__(self):
        self.hand = UNMADE

    @property
    def kinds(self):
        return tile_set(self.bits)

    def __len__(self):
        return len(tile_set(self.bits))

    def __iter__(self):
        return iter([NAMES[kind] for kind in tile_set(self.bits)])

    cdef int _kind(self, tile):
        """The kind that is asked for, -1 if it is none of the waits."""
        cdef int kind
        try:
            kind = tile_kind(tile)
        except (TjmjError, TypeError):
            return -1
        return kind if self.bits >> kind & 1 else -1

    def __contains__(self, tile):
        return self._kind(tile) >= 0

    def __getitem__(self, tile):
        cdef int kind = self._kind(tile)
        if kind < 0:
            raise KeyError(tile)
        cdef Wait wait = Wait.__new__(Wait)
        wait.hand = self.hand
        wait.kind = kind
        wait.left = copies_left(self.hand, kind)
        wait.flowers = self.flowers
        return wait

    def get(self, tile, default=None):
        """The `Wait` of a tile, or `default`."""
        return self[tile] if tile in self else default

    def keys(self):
        """The tiles' names."""
        return KeysView(self)

    def values(self):
        """A `Wait` for each."""
        return ValuesView(self)

    def items(self):
        """Names and `Wait`."""
        return ItemsView(self)

    def __eq__(self, other):
        if not isinstance(other, Waits):
            return NotImplemented
        return self.hand == (<Waits>other).hand and self.flowers == (<Waits>other).flowers

    def __hash__(self):
        return hash(("waits", self.hand, self.flowers))

    def __reduce__(self):
        return _waits, (self.hand, self.flowers)

    def __repr__(self):
        return waits_text(self.hand, self.flowers)

    def _repr_svg_(self):
        return picture("waits", self)

    def __str__(self):
        return "\n".join([str(wait) for wait in self.values()]) or f"{self.hand}: waits for nothing"


Mapping.register(Waits)


def _waits(hand, flowers):
    return waits(hand, flowers=flowers)


cdef uint64_t last_of_seven_pairs(Hand hand) noexcept:
    """The kind that six pairs and a single tile wait for, a bit; 0 for any other hand."""
    cdef uint64_t odd = 0
    cdef int kind
    for kind in range(34):
        odd |= <uint64_t>(hand.counts[kind] & 1) << kind
    return odd if not hand.meld_count and not odd & (odd - 1) else 0


def waits(hand, flip=None, rules=None, *, flowers=0, notation=None):
    """Every kind that completes a waiting hand, wild kinds included (spec: cli, `tjmj waits`).

    Parameters
    ----------
    hand : str or Hand
        13 - 3n concealed tiles beside n melds, such as `"46W123B789B111T9T1F"`.
    flip, rules, flowers, notation
        As for `tjmj.score`.

    Returns
    -------
    Waits
        Empty where nothing completes it.

    Raises
    ------
    NotationError, HandError, RulesError
        As `Hand.parse`; `HandError` also for a hand that has drawn.

    Examples
    --------
    >>> import tjmj
    >>> w = tjmj.waits("46W123B789B111T9T1F", flip="1F")
    >>> [(tile, wait.left, wait.shape, wait.fan) for tile, wait in w.items() if wait.legal]
    [('5W', 4, 'kandan', 3), ('1F', 2, 'kandan', 3), ('2F', 4, 'kandan', 3)]
    """
    cdef Waits made = Waits.__new__(Waits)
    cdef HandRow row, natural
    cdef HandKeys keys
    cdef FlipTerms *flip_terms
    cdef Hand read = hand_of(hand, flip, rules, notation)
    if read.tiles != 13 - 3 * read.meld_count:
        raise HandError(str(read), None, "a hand that has drawn waits for nothing; leave one tile out")
    flip_terms = &read.terms.c.by_flip[read.flip_kind + 1]
    load_row(read.counts, True, &row)
    natural_part(&row, flip_terms, &natural)
    row_keys(&natural, &keys)
    made.hand = read
    made.flowers = flowers_given(read, flowers)
    made.bits = with_wilds(natural_waits(TABLES, &keys, 4 - read.meld_count), flip_terms)
    if read.terms.c.seven_pairs:
        made.bits |= last_of_seven_pairs(read)
    return made
