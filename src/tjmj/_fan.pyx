# cython: language_level=3
"""Fan of a winning hand, by a closed form instead of a search (spec: tianjin section 5).

Every element is a question of the kernel's kind, whether naturals fit into so many sets, asked of the
hand with the tiles taken out that the element claims: 捉五 takes 4万 and 6万 beside the drawn tile, a 龙
the nine kinds of its suit, 混吊 nothing at all, wildcards filling what is missing. "13" below is the
hand without the winning tile. The answers are combined by `elements.RANKED`.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from ._core cimport (
    HandKeys, HandRow, SuitTables, TABLES, add_tile, checked_int, count_in, fits, fits_with_pair, honour_cover, load_row,
    row_keys, suit_cover,
)
from ._hand cimport CONCEALED, PONG, UNMADE, Hand, flip_of, is_dead, parse_hand, waits_repr
from ._notation cimport Style, style_of
from ._reading cimport BENHUN, FIVE, HUNDIAO, LONG, SUBEN, ZHUOWU, Reading, find_reading
from ._terms cimport FlipTerms, RulesTerms, Terms, natural_part, terms_of

from . import elements as _elements
from .errors import HandError, RulesError

cdef struct Reduced:
    # Classes (see SuitTables) of a suit's ranks 1-4 and 5-9 with tiles taken out, where they are there
    uint8_t low_dragon[1296]         # one of each
    uint8_t low_less4[1296]          # a 4
    uint8_t low_dragon_less4[1296]   # one of each, then a 4
    uint8_t high_dragon[7776]        # one of each
    uint8_t high_less6[7776]         # a 6
    uint8_t high_dragon_less6[7776]  # one of each, then a 6
    uint8_t high_dragon_but5[7776]   # one of 6 to 9

FLAGS = {"kong_draw": KONG_DRAW, "heavenly": HEAVENLY, "earthly": EARTHLY, "ready": READY}
"""Bit of each circumstance, for the batch forms."""

cdef Reduced REDUCED
cdef uint8_t[32] RANK                # of each set of the bits above; 0: cannot be
cdef uint32_t[16] RANK_FAN
cdef uint32_t[16] RANK_BITS
cdef uint32_t[16] SHOWN              # the bits above of each rank
cdef uint32_t SU = _elements.BIT["su"], GANGKAI = _elements.BIT["gangkai"]
cdef uint32_t TIANHU = _elements.BIT["tianhu"], DIHU = _elements.BIT["dihu"]
cdef uint32_t TIANTING = _elements.BIT["tianting"]


cdef uint32_t less(uint32_t key, int first, int last) noexcept:
    """A base-6 key with one taken from each place from `first` to `last` that is not 0."""
    cdef uint32_t weight = 1
    cdef int place
    for place in range(last + 1):
        if place >= first and key // weight % 6:
            key -= weight
        weight *= 6
    return key


cdef make_tables():
    cdef const SuitTables *t = TABLES
    cdef uint32_t key, dragon
    for key in range(1296):
        dragon = less(key, 0, 3)
        REDUCED.low_dragon[key] = t.low_class[dragon]
        REDUCED.low_less4[key] = t.low_class[less(key, 3, 3)]
        REDUCED.low_dragon_less4[key] = t.low_class[less(dragon, 3, 3)]
    for key in range(7776):
        dragon = less(key, 0, 4)
        REDUCED.high_dragon[key] = t.high_class[dragon]
        REDUCED.high_less6[key] = t.high_class[less(key, 1, 1)]
        REDUCED.high_dragon_less6[key] = t.high_class[less(dragon, 1, 1)]
        REDUCED.high_dragon_but5[key] = t.high_class[less(key, 1, 4)]
    bits = {"zhuowu": ZHUOWU, "long": LONG, "benhun": BENHUN, "hundiao": HUNDIAO, "suben": SUBEN}
    for rank, keys in enumerate(_elements.RANKED, 1):
        SHOWN[rank] = sum([bits.get(name, 0) for name in keys])
        RANK[SHOWN[rank]] = rank
        RANK_FAN[rank] = _elements.reading_fan(keys)
        RANK_BITS[rank] = sum([_elements.BIT[name] for name in keys])


make_tables()


cdef inline uint32_t by_class(const SuitTables *t, uint32_t low, uint32_t high) noexcept nogil:
    return t.cover[high << 7 | low]


cdef inline int32_t better(int32_t best, uint32_t shown) noexcept nogil:
    return RANK[shown] if RANK[shown] > best else best


cdef int32_t best_rank(const HandKeys *hand, int win, int sets, int wild_suit) noexcept nogil:
    """Rank of what the best reading shows, 0 for an incomplete hand.

    `hand`: keys of all naturals; `win`: the winning kind, or -1 for a wildcard; `sets` to make.
    """
    cdef const SuitTables *t = TABLES
    cdef HandKeys before = hand[0]
    cdef uint32_t[3] suits
    cdef uint32_t[3] suits13
    cdef uint32_t whole, whole13, honours, dragon, shown, five_taken
    cdef bint single, double, five = win == FIVE or win < 0
    cdef int32_t best
    cdef int s
    for s in range(3):
        suits[s] = suit_cover(t, hand.low[s], hand.high[s])
    honours = honour_cover(t, hand.winds, hand.dragons)
    whole = suits[0] + suits[1] + suits[2] + honours
    if not fits_with_pair(whole, sets):
        return 0
    if win >= 0:
        add_tile(&before, win, -1)
    for s in range(3):
        suits13[s] = suit_cover(t, before.low[s], before.high[s])
    honours = honour_cover(t, before.winds, before.dragons)
    whole13 = suits13[0] + suits13[1] + suits13[2] + honours

    double = fits_with_pair(whole13, sets - 1)
    single = fits(whole13, sets)
    best = RANK[HUNDIAO if single or double else 0]
    five_taken = by_class(t, REDUCED.low_less4[before.low[0]], REDUCED.high_less6[before.high[0]])
    if five and fits_with_pair(whole13 - suits13[0] + five_taken, sets - 1):
        best = better(best, ZHUOWU | (HUNDIAO if double else 0))

    if sets < 3:
        return best
    for s in range(3):
        dragon = by_class(t, REDUCED.low_dragon[hand.low[s]], REDUCED.high_dragon[hand.high[s]])
        if not fits_with_pair(whole - suits[s] + dragon, sets - 3):
            continue
        shown = LONG | (BENHUN if s == wild_suit else 0)
        best = better(best, shown)
        dragon = by_class(t, REDUCED.low_dragon[before.low[s]], REDUCED.high_dragon[before.high[s]])
        dragon = whole13 - suits13[s] + dragon
        double = fits_with_pair(dragon, sets - 4)
        if double or fits(dragon, sets - 3):
            best = better(best, shown | HUNDIAO)
        if five and five_beside_dragon(t, &before, s, dragon, whole13, suits13, five_taken, sets):
            best = better(best, shown | ZHUOWU | (HUNDIAO if double else 0))
    return best


cdef inline bint five_beside_dragon(const SuitTables *t, const HandKeys *before, int s, uint32_t dragon,
                                    uint32_t whole13, const uint32_t *suits13, uint32_t five_taken,
                                    int sets) noexcept nogil:
    """捉五 in a reading with the 龙 of suit s: in the dragon's own 456万, or in a fourth set."""
    cdef uint32_t rest
    if s:
        rest = dragon - suits13[0] + five_taken
    else:
        rest = whole13 - suits13[0]
        if fits_with_pair(rest + by_class(t, REDUCED.low_dragon[before.low[0]],
                                          REDUCED.high_dragon_but5[before.high[0]]), sets - 3):
            return True
        rest += by_class(t, REDUCED.low_dragon_less4[before.low[0]],
                         REDUCED.high_dragon_less6[before.high[0]])
    return fits_with_pair(rest, sets - 4)


cdef int32_t plain_dragon_rank(const HandKeys *faces, int win, int sets, int wild_suit) noexcept nogil:
    """Rank of a 素本龙, every tile its own face; 0 if there is none.

    With no wildcard left over there is nothing to fill gaps with, so what fits is exactly complete.
    """
    cdef const SuitTables *t = TABLES
    cdef HandKeys before = faces[0]
    cdef uint32_t[3] suits13
    cdef uint32_t whole, whole13, dragon, five_taken
    cdef int s = wild_suit, i
    if sets < 3:
        return 0
    add_tile(&before, win, -1)
    for i in range(3):
        suits13[i] = suit_cover(t, before.low[i], before.high[i])
    whole13 = (suits13[0] + suits13[1] + suits13[2] + honour_cover(t, before.winds, before.dragons))
    whole = honour_cover(t, faces.winds, faces.dragons)
    for i in range(3):
        if i == s:
            whole += by_class(t, REDUCED.low_dragon[faces.low[s]], REDUCED.high_dragon[faces.high[s]])
        else:
            whole += suit_cover(t, faces.low[i], faces.high[i])
    if not fits_with_pair(whole, sets - 3):
        return 0
    dragon = by_class(t, REDUCED.low_dragon[before.low[s]], REDUCED.high_dragon[before.high[s]])
    dragon = whole13 - suits13[s] + dragon
    five_taken = by_class(t, REDUCED.low_less4[before.low[0]], REDUCED.high_less6[before.high[0]])
    if win == FIVE and five_beside_dragon(t, &before, s, dragon, whole13, suits13, five_taken, sets):
        return RANK[LONG | BENHUN | SUBEN | ZHUOWU]
    return RANK[LONG | BENHUN | SUBEN]


cdef inline bint same_wilds(const HandRow *row, const FlipTerms *flip) noexcept nogil:
    """Whether the wildcards in a row are exactly one of each kind that the flipped tile made wild."""
    return not ((row.suit[0] & ~flip.natural.suit[0] ^ flip.one_each.suit[0])
                | (row.suit[1] & ~flip.natural.suit[1] ^ flip.one_each.suit[1])
                | (row.suit[2] & ~flip.natural.suit[2] ^ flip.one_each.suit[2])
                | (row.honours & ~flip.natural.honours ^ flip.one_each.honours)
                | (row.nines & ~flip.natural.nines ^ flip.one_each.nines)
                | row.flowers)


cdef Verdict judge(const Terms *terms, const FlipTerms *flip, const HandView *hand, int win, int sets,
                   bint gold, uint32_t flags) noexcept nogil:
    """Fan and elements of a hand.

    `win`: the winning kind (any where 天和 is flagged); `gold`: whether a meld is of wildcards.
    """
    cdef Verdict v
    cdef int kind, rank
    cdef bint plain = terms.plain_dragon and not gold and flip.wild_suit >= 0 and hand.one_each
    v.rank = 0
    v.win = win
    for kind in range(42 if flags & HEAVENLY else 1):
        if flags & HEAVENLY:
            if not hand.kinds >> kind & 1:
                continue
            win = kind
        rank = best_rank(&hand.natural, -1 if flip.wild >> win & 1 else win, sets, flip.wild_suit)
        if plain and rank:
            rank = max(rank, plain_dragon_rank(&hand.faces, win, sets, flip.wild_suit))
        if rank > v.rank:
            v.rank = rank
            v.win = win
    v.fan = v.elements = 0
    if v.rank:
        v.elements = RANK_BITS[v.rank]
        v.fan = RANK_FAN[v.rank]
        if not gold and hand.all_natural:
            v.elements |= SU
            v.fan *= 2
        add_circumstances(terms, flags, &v)
    return v


cdef Verdict judge_row(const Terms *terms, const FlipTerms *flip, const HandRow *row, int win, int sets,
                       bint gold, uint32_t flags) noexcept nogil:
    """`judge` of a row that has been checked."""
    cdef HandView hand
    cdef HandRow natural
    cdef int kind
    natural_part(row, flip, &natural)
    row_keys(&natural, &hand.natural)
    hand.all_natural = all_natural(row, &natural)
    hand.one_each = terms.plain_dragon and same_wilds(row, flip)
    if hand.one_each:
        row_keys(row, &hand.faces)
    hand.kinds = 0
    if flags & HEAVENLY:
        for kind in range(42):
            hand.kinds |= <uint64_t>(count_in(row, kind) > 0) << kind
    return judge(terms, flip, &hand, win, sets, gold, flags)


cdef inline bint all_natural(const HandRow *row, const HandRow *natural) noexcept nogil:
    return not ((row.suit[0] ^ natural.suit[0]) | (row.suit[1] ^ natural.suit[1])
                | (row.suit[2] ^ natural.suit[2]) | (row.honours ^ natural.honours)
                | (row.nines ^ natural.nines) | row.flowers)


cdef inline void add_circumstances(const Terms *terms, uint32_t flags, Verdict *v) noexcept nogil:
    if flags & KONG_DRAW:
        v.elements |= GANGKAI
        v.fan *= 2
    if flags & READY:
        v.elements |= TIANTING
        v.fan *= 2
    if flags & (HEAVENLY | EARTHLY):
        v.elements |= TIANHU if flags & HEAVENLY else DIHU
        v.fan = v.fan + terms.heavenly_factor if terms.heavenly_plus else v.fan * terms.heavenly_factor


cdef bint has_kong(Hand hand) noexcept:
    cdef int i
    for i in range(hand.meld_count):
        if hand.meld_types[i] != PONG:
            return True
    return False


cdef uint32_t flags_of(Hand hand, bint kong_draw, bint heavenly, bint earthly, bint ready) except? 0xFFFF:
    """The circumstances as flags; raises `RulesError` for those that cannot be (spec: cli)."""
    cdef uint32_t flags = (KONG_DRAW * kong_draw | HEAVENLY * heavenly | EARTHLY * earthly | READY * ready)
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


cdef Score score_hand(Hand hand, uint32_t flags):
    cdef HandRow row
    cdef Score score = Score.__new__(Score)
    cdef int i
    cdef bint gold = False
    if hand.tiles != 14 - 3 * hand.meld_count:
        raise HandError(str(hand), None, "a hand that waits has no score; write the winning tile behind '+'")
    if hand.win_kind < 0 and not flags & HEAVENLY:
        raise HandError(str(hand), None, "which tile won? write it behind '+'")
    for i in range(hand.meld_count):
        gold = gold or hand.wild_kinds >> hand.meld_kinds[i] & 1
    load_row(hand.counts, True, &row)
    score.hand = hand
    score.flags = flags
    score.verdict = judge_row(&hand.terms.c, &hand.terms.c.by_flip[hand.flip_kind + 1], &row, hand.win_kind,
                              4 - hand.meld_count, gold, flags)
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
        return self.verdict.fan != 0

    @property
    def legal(self):
        """Whether the hand may win: its fan is at least the rules' `min_fan` (spec: tianjin section 4)."""
        return self.verdict.fan >= <uint32_t>self.hand.terms.c.min_fan

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
        return formula(self.verdict.fan, self.elements, self.hand.terms.rules)

    @property
    def kong_value(self):
        """Fan units that the hand's kongs are paid with, beside the fan (spec: tianjin section 6)."""
        cdef const Terms *terms = &self.hand.terms.c
        cdef int i, value = 0
        for i in range(self.hand.meld_count):
            if self.hand.meld_types[i] != PONG:
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
        return None if self.verdict.fan == 0 else self._made().groups

    @property
    def shape(self):
        """The wait that the win ended (spec: cli, `tjmj waits`): `"hundiao"`, `"dandiao"`, `"duidao"`,
        `"kandan"` or `"liangmian"`; None where the shape is not complete."""
        return None if self.verdict.fan == 0 else self._made().shape

    cdef Reading _made(self):
        cdef FlipTerms *flip = &self.hand.terms.c.by_flip[self.hand.flip_kind + 1]
        cdef Reading made = self.made_reading
        if made is None:
            made = find_reading(self.hand, self.verdict.win, SHOWN[self.verdict.rank], flip.wild_suit)
            self.made_reading = made
        return made

    def _flags(self):
        return [name for name, flag in FLAGS.items() if self.flags & flag]

    def __eq__(self, other):
        if not isinstance(other, Score):
            return NotImplemented
        return self.hand == other.hand and self.flags == (<Score>other).flags

    def __hash__(self):
        return hash((self.hand, self.flags))

    def __reduce__(self):
        return _score, (self.hand, self.flags)

    def __repr__(self):
        if is_dead(self.hand):
            return f"{waits_repr(self.hand)}.score"
        return f"tjmj.score({self.hand!r}" + "".join([f", {name}=True" for name in self._flags()]) + ")"

    def __str__(self):
        """The name, the fan and why: the formula and the reading."""
        if not self.win:
            return f"{self.hand}: not complete"
        verdict = "" if self.legal else f", too little to win (min_fan {self.hand.terms.c.min_fan})"
        kongs = f" + kongs {self.kong_value}" if self.kong_value else ""
        groups = "  ".join([f"[{group}]" if group.meld else f"{group}" for group in self.reading])
        return f"{self.name} {self.fan} fan{kongs}{verdict}: {self.formula}\n{groups}"


def _score(Hand hand not None, flags):
    return score_hand(hand, checked_int(flags, 0, KONG_DRAW | HEAVENLY | EARTHLY | READY, "set of flags"))


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
          notation=None):
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
    return score_hand(read, flags_of(read, kong_draw, heavenly, earthly, ready))


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
