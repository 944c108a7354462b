# cython: language_level=3
"""`Score`: what a winning hand is worth and why, whatever it is counted by."""

from libc.stdint cimport int32_t, uint32_t

from ._core cimport HandRow, checked_int, load_row, row_planes
from ._fan cimport (
    DISCARD_WIN, EARTHLY, HEAVENLY, KONG_DRAW, READY, ROB_WIN, SHOWN, judge_row,
)
from ._flowers cimport FlowerHand, judge_flowers, may_take, points_of
from ._hand cimport CHOW, CONCEALED, PONG, UNMADE, Hand, flip_of, is_dead, parse_hand, waits_repr
from ._notation cimport Style, style_of
from ._reading cimport Reading, find_reading, flower_reading
from ._terms cimport FlipTerms, RulesTerms, Terms, terms_of

from . import elements as _elements
from .errors import HandError, RulesError
from .limits import shown
from .notebook import picture
from .tiles import NAMES

FLAGS = {"kong_draw": KONG_DRAW, "heavenly": HEAVENLY, "earthly": EARTHLY, "ready": READY}
"""Bit of each circumstance, for the batch forms."""

SOURCES = {"self": 0, "kong": KONG_DRAW, "discard": DISCARD_WIN, "rob": ROB_WIN}
"""Bits of where the winning tile came from, where the rules ask for it."""


cdef bint has_kong(Hand hand) noexcept:
    cdef int i
    for i in range(hand.meld_count):
        if hand.meld_types[i] != PONG and hand.meld_types[i] != CHOW:
            return True
    return False


cdef bint is_gold(Hand hand) noexcept:
    """Whether a meld is of wildcards."""
    cdef int i
    for i in range(hand.meld_count):
        if hand.wild_kinds >> hand.meld_kinds[i] & 1:
            return True
    return False


cdef inline bint flag(object value, str name) except -1:
    if value is not True and value is not False:
        raise TypeError(f"{name} must be bool, not {value!r}")
    return value is True


cdef uint32_t flags_of(Hand hand, kong_draw, heavenly, earthly, ready, source) except? 0xFFFF:
    """The circumstances as flags; raises `RulesError` for those that cannot be (spec: cli)."""
    cdef uint32_t flags = (KONG_DRAW * flag(kong_draw, "kong_draw") | HEAVENLY * flag(heavenly, "heavenly")
                           | EARTHLY * flag(earthly, "earthly") | READY * flag(ready, "ready"))
    if hand.terms.c.by_flowers:
        if flags:
            raise RulesError("kong_draw, heavenly, earthly and ready are not asked here; say source=")
        return source_flags(hand, "self" if source is None else source)
    if source is not None:
        raise RulesError(f"source {shown(source)}: these rules win on an own draw only; kong_draw says 杠开")
    if not flags:
        return 0
    cdef const Terms *terms = &hand.terms.c
    if earthly and not terms.earthly:
        raise RulesError(f"earthly (地和) is off in {hand.terms.rules!r}")
    if ready and not terms.heavenly_ready:
        raise RulesError(f"ready (天听) is off: heavenly_ready in {hand.terms.rules!r}")
    if kong_draw and not has_kong(hand):
        raise RulesError(f"kong_draw (杠开) without a kong in {hand}")
    if hand.meld_count and flags & ~<uint32_t>KONG_DRAW:
        raise RulesError(f"heavenly, earthly and ready (天和, 地和, 天听) are hands without melds, not {hand}")
    if heavenly and (earthly or ready):
        raise RulesError("heavenly (天和) is the dealer's, earthly and ready (地和, 天听) are the others'")
    return flags


cdef uint32_t source_flags(Hand hand, source) except? 0xFFFF:
    """Where the winning tile came from (spec: jintan)."""
    if source not in SOURCES:
        raise RulesError(f"unknown source {shown(source)}: it is {', '.join(SOURCES)}")
    if source == "kong" and not has_kong(hand):
        raise RulesError(f"source kong (杠开) without a kong in {hand}")
    if source == "rob" and hand.win_kind >= 0 and (hand.counts[hand.win_kind] > 1 or meld_has(hand, hand.win_kind)):
        raise RulesError(f"source rob (抢杠): the other three {NAMES[hand.win_kind]} lie in the robbed pong")
    return SOURCES[source]


cdef bint meld_has(Hand hand, int kind) noexcept:
    cdef int i, first
    for i in range(hand.meld_count):
        first = hand.meld_kinds[i]
        if kind == first or (hand.meld_types[i] == CHOW and first <= kind <= first + 2):
            return True
    return False


cdef int32_t flowers_given(Hand hand, object flowers) except -1:
    if not hand.terms.c.by_flowers and flowers != 0:
        raise RulesError(f"flowers {flowers!r}: these rules count none")
    if type(flowers) is not int or not 0 <= flowers <= 8:
        raise RulesError(f"flowers {flowers!r}: a seat lays out 0 to 8")
    return flowers


cdef FlowerHand flower_hand(Hand hand, uint32_t flags, int32_t flower_tiles) noexcept:
    cdef FlowerHand made
    cdef HandRow row
    cdef int i
    load_row(hand.counts, True, &row)
    row_planes(&row, made.held)
    for i in range(hand.meld_count):
        made.melds[i] = 64 * hand.meld_types[i] + hand.meld_kinds[i]
    made.meld_count = hand.meld_count
    made.win = hand.win_kind
    made.flower_tiles = flower_tiles
    made.flags = flags
    return made


cdef Score score_hand(Hand hand, uint32_t flags, int32_t flower_tiles):
    """The score of a hand with its winning tile; `flower_tiles` laid out, where they count."""
    cdef HandRow row
    cdef FlowerHand counted
    cdef const Terms *terms = &hand.terms.c
    cdef bint any_tile = flags & HEAVENLY or (terms.by_flowers and not flags)
    if hand.tiles != 14 - 3 * hand.meld_count:
        raise HandError(str(hand), None, "a hand that waits has no score; write the winning tile behind '+'")
    if hand.win_kind < 0 and not any_tile:
        raise HandError(str(hand), None, "which tile won? write it behind '+'")
    cdef Score score = Score.__new__(Score)
    score.hand = hand
    score.flags = flags
    score.flower_tiles = flower_tiles
    if terms.by_flowers:
        counted = flower_hand(hand, flags, flower_tiles)
        score.verdict = judge_flowers(terms, &counted)
    else:
        load_row(hand.counts, True, &row)
        score.verdict = judge_row(terms, &terms.by_flip[hand.flip_kind + 1], &row, hand.counts,
                                  hand.win_kind, 4 - hand.meld_count, is_gold(hand), flags)
    return score


cdef class Score:
    """What a hand is worth, made by `tjmj.score`; its reading is made when it is looked at.

    Attributes
    ----------
    hand : Hand
    """

    def __cinit__(self):
        self.hand = UNMADE

    @property
    def win(self):
        """Whether the shape is complete."""
        return self.verdict.rank != 0

    @property
    def legal(self):
        """Whether the hand may win: its fan is at least the rules' `min_fan` (spec: tianjin section 4), or
        a win on a discard has the flowers or the fan it needs (jintan, "Winning")."""
        cdef const Terms *terms = &self.hand.terms.c
        if self.flags & DISCARD_WIN:
            return may_take(terms, &self.verdict)
        return self.verdict.rank != 0 and self.verdict.fan >= <uint32_t>terms.min_fan

    @property
    def source(self):
        """`"self"`, `"discard"`, `"kong"` or `"rob"`; None where the rules know own draws only."""
        if not self.hand.terms.c.by_flowers:
            return None
        return next(name for name, bits in SOURCES.items() if bits == self.flags)

    @property
    def flowers(self):
        """Flowers 花 of the best reading, those laid out among them; 0 where they are not counted."""
        return self.verdict.flowers

    @property
    def points(self):
        """Points that a payer owes, where flowers are counted; 0 where the hand is not complete."""
        if not self.hand.terms.c.by_flowers or not self.verdict.rank:
            return 0
        return points_of(&self.hand.terms.c, self.verdict.flowers, self.verdict.fan)

    @property
    def fan(self):
        """Fan 番 of the best reading, kong points not counted; 0 where the shape is not complete."""
        return self.verdict.fan

    @property
    def elements(self):
        """Sorted keys of the best reading's elements, a tuple of str."""
        return _elements.keys_of(self.verdict.elements)

    @property
    def name(self):
        """The score's name for people, such as 杠开双混吊捉五; empty where the shape is not complete."""
        keys = self.elements
        words = [_elements.CHINESE[key] for key in _elements.CHINESE if key in keys]
        if "hundiao" in keys and any([group.win is not None and group.type != "pair"
                                      for group in self.reading]):
            words[words.index("混吊")] = "双混吊"
        return "".join(words)

    @property
    def formula(self):
        """How the fan comes about, such as `(捉五 3 + 龙 4) × 本混 2 = 14`."""
        if self.hand.terms.c.by_flowers:
            return flower_formula(self)
        return formula(self.verdict.fan, self.elements, self.hand.terms.rules)

    @property
    def kong_value(self):
        """Fan units that the hand's kongs are paid with, beside the fan (spec: tianjin section 6)."""
        cdef const Terms *terms = &self.hand.terms.c
        cdef int i, value = 0
        for i in range(self.hand.meld_count):
            if self.hand.meld_types[i] != PONG and self.hand.meld_types[i] != CHOW:
                if self.hand.wild_kinds >> self.hand.meld_kinds[i] & 1:
                    value += terms.gold_kong
                elif self.hand.meld_types[i] == CONCEALED:
                    value += terms.concealed_kong
                else:
                    value += terms.exposed_kong
        return value

    @property
    def reading(self):
        """The best reading, a tuple of `Group`, melds first; None where the shape is not complete."""
        return None if self.verdict.rank == 0 else self._made().groups

    @property
    def shape(self):
        """The wait that the win ended (spec: cli, `tjmj waits`): `"hundiao"`, `"dandiao"`, `"duidao"`,
        `"kandan"` or `"liangmian"`; None where the shape is not complete."""
        return None if self.verdict.rank == 0 else self._made().shape

    cdef Reading _made(self):
        cdef FlipTerms *flip = &self.hand.terms.c.by_flip[self.hand.flip_kind + 1]
        cdef Reading made = self.made_reading
        if made is None:
            if self.hand.terms.c.by_flowers:
                keys = self.elements
                made = flower_reading(self.hand, "qidui" in keys, "duiduihu" in keys)
            else:
                made = find_reading(self.hand, self.verdict.win, SHOWN[self.verdict.rank], flip.wild_suit)
            self.made_reading = made
        return made

    def _flags(self):
        """The arguments of `tjmj.score` beside the hand."""
        if self.hand.terms.c.by_flowers:
            return {"source": self.source, "flowers": self.flower_tiles}
        return {name: True for name, flag in FLAGS.items() if self.flags & flag}

    def __eq__(self, other):
        if not isinstance(other, Score):
            return NotImplemented
        return (self.hand == other.hand and self.flags == (<Score>other).flags
                and self.flower_tiles == (<Score>other).flower_tiles)

    def __hash__(self):
        return hash((self.hand, self.flags, self.flower_tiles))

    def __reduce__(self):
        return _score, (self.hand, self.flags, self.flower_tiles)

    def __repr__(self):
        if is_dead(self.hand):
            which = "discard_score" if self.flags & DISCARD_WIN else "score"
            return f"{waits_repr(self.hand, self.flower_tiles)}.{which}"
        beside = "".join([f", {name}={value!r}" for name, value in self._flags().items()])
        return f"tjmj.score({self.hand!r}{beside})"

    def _repr_svg_(self):
        return picture("score", self)

    def __str__(self):
        """The name, the fan and why: the formula and the reading."""
        if not self.win:
            return f"{self.hand}: not complete"
        groups = "  ".join([f"[{group}]" if group.meld else f"{group}" for group in self.reading])
        return f"{self.name} {self._worth()}: {self.formula}\n{groups}"

    def _worth(self):
        if self.hand.terms.c.by_flowers:
            need = "" if self.legal else ", too little to win on a discard"
            return f"{self.fan} fan, {self.flowers} flowers, {self.points} points{need}"
        kongs = f" + kongs {self.kong_value}" if self.kong_value else ""
        need = "" if self.legal else f", too little to win (min_fan {self.hand.terms.c.min_fan})"
        return f"{self.fan} fan{kongs}{need}"


def _score(Hand hand not None, flags, flower_tiles):
    known = KONG_DRAW | HEAVENLY | EARTHLY | READY | DISCARD_WIN | ROB_WIN
    return score_hand(hand, checked_int(flags, 0, known, "set of flags"),
                      checked_int(flower_tiles, 0, 8, "number of flowers"))


cdef str flower_formula(Score score):
    """The arithmetic of points in words."""
    rules = score.hand.terms.rules
    fan = " + ".join([f"{_elements.CHINESE[key]} {_elements.FLOWER_FAN[key]}" for key in score.elements
                      if key in _elements.FLOWER_FAN]) or "0"
    doubled = min(score.fan, rules.cap_fan)
    return (f"({rules.base} + {score.flowers} 花 × {rules.value}) × 2^{doubled} = {score.points}"
            f" [{fan}{f', cap {rules.cap_fan}' if doubled < score.fan else ''}]")


cdef str formula(int fan, tuple keys, rules):
    """The arithmetic of a score in words."""
    name = _elements.CHINESE
    shape = [f"{name[key]} {_elements.SHAPE_FAN[key]}" for key in ("zhuowu", "long") if key in keys]
    out = " + ".join(shape) or f"{name['diliu']} 1"
    factors = [f"{name[key]} 2" for key in _elements.DOUBLES if key in keys]
    heavenly = [name[key] for key in ("tianhu", "dihu") if key in keys]
    plus = rules.heavenly_mode == "plus"
    if heavenly and not plus:
        factors.append(f"{heavenly[0]} {rules.heavenly_factor}")
    if not shape and factors and "diliu" not in keys:
        out = factors.pop(0)
    if len(shape) == 2 and factors:
        out = f"({out})"
    out = " × ".join([out] + factors)
    if heavenly and plus:
        out += f" + {heavenly[0]} {rules.heavenly_factor}"
    return f"{out} = {fan}"


def score(hand, flip=None, rules=None, *, kong_draw=False, heavenly=False, earthly=False, ready=False,
          source=None, flowers=0, notation=None):
    """Score a winning hand: the best of all its readings (spec: tianjin section 5).

    Parameters
    ----------
    hand : str or Hand
        Such as `"46W123B789B11T9T1F1T+5W"`, the winning tile behind the plus; with `heavenly` it may
        be one of 14 tiles without a plus.
    flip : str or int
        The flipped tile, -1 for none; not beside a `Hand`, which knows it.
    rules : str or Rules
        `"tianjin"` where it is not given; not beside a `Hand`.
    kong_draw : bool
        杠开: the winning tile is a kong's replacement.
    heavenly : bool
        天和: the dealer wins on the 14 tiles dealt.
    earthly : bool
        地和, where the rules have it: another seat wins on its first front draw.
    ready : bool
        天听, where the rules have it: the seat had declared.
    source : {None, "self", "discard", "kong", "rob"}
        Where the rules count flowers: where the winning tile came from; an own draw for None.
    flowers : int
        Where the rules count flowers: how many flower tiles are laid out, 0 to 8.
    notation : {None, "mpsz", "mpsz-cn"}
        As for `tjmj.parse_tiles`.

    Returns
    -------
    Score

    Raises
    ------
    NotationError, HandError
        As `Hand.parse`; also for a hand without a winning tile.
    RulesError
        For unknown rules, or a circumstance that cannot be.

    Examples
    --------
    >>> import tjmj
    >>> s = tjmj.score("46W123B789B11T9T1F1T+5W", flip="1F")
    >>> s.fan, s.elements, s.legal
    (3, ('zhuowu',), True)
    """
    cdef Hand read = hand_of(hand, flip, rules, notation)
    cdef uint32_t flags = flags_of(read, kong_draw, heavenly, earthly, ready, source)
    return score_hand(read, flags, flowers_given(read, flowers))


cdef Hand hand_of(hand, flip, rules, notation):
    """The hand given as text, or ready."""
    cdef RulesTerms terms
    cdef Style style
    if isinstance(hand, Hand):
        if flip is not None or rules is not None or notation is not None:
            raise TypeError("a Hand knows its flipped tile and its rules: give them with a text only")
        return hand
    if not isinstance(hand, str):
        raise TypeError(f"a hand is a str or a Hand, not {type(hand).__name__}")
    terms = terms_of("tianjin" if rules is None else rules)
    style = style_of(notation)
    return parse_hand(hand, flip_of(flip, terms, style), terms, style)
