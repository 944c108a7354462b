# cython: language_level=3
"""Rules as C values for the kernels."""

from .rulesets import Rules, as_rules
from .tiles import ALL_KINDS, COPIES, KINDS, suit, wild_kinds

from libc.stdint cimport uint64_t

from ._core cimport LANE_KIND, NOWHERE, add_count

cdef set_flip(FlipTerms *f, rules, int flip):
    wild = wild_kinds(flip if flip >= 0 else None, rules.wild_kinds, rules.flower_wilds)
    in_suit = suit(flip) if flip >= 0 else None
    f.wild_suit = -1 if in_suit is None else in_suit
    # Bytes that hold no kind keep 0x7F in `over`: anything but zero there would be a fault.
    f.over.honours = 0x7F00000000000000ULL
    f.over.nines = 0x7F7F7F7F7F000000ULL
    for kind in range(ALL_KINDS):
        f.copies[kind] = (COPIES if kind < KINDS else 1) - (kind == flip)
        add_count(&f.over, kind, 0x7F - f.copies[kind])
        if kind not in wild:
            add_count(&f.natural, kind, 0xFF)
    for kind in sorted(wild):
        f.wild |= <uint64_t>1 << kind
        f.wild_kinds[f.wild_count] = kind
        f.wild_count += 1
    for place in range(64):
        kind = LANE_KIND[place]
        if kind != NOWHERE:
            f.lanes.copies[place] = f.copies[<int>kind]
            f.lanes.most[place] = 0 if kind in wild or kind >= KINDS else COPIES


cdef class RulesTerms:
    """The C side of a `Rules`."""

    def __init__(self, rules):
        self.rules = rules
        self.c.kinds = ALL_KINDS if rules.flower_wilds else KINDS
        self.c.flips = rules.wild_by != "none"
        self.c.min_fan = rules.min_fan
        self.c.heavenly_factor = rules.heavenly_factor
        self.c.heavenly_plus = rules.heavenly_mode == "plus"
        self.c.plain_dragon = rules.plain_dragon
        self.c.earthly = rules.earthly
        self.c.heavenly_ready = rules.heavenly_ready
        self.c.exposed_kong = rules.exposed_kong
        self.c.concealed_kong = rules.concealed_kong
        self.c.gold_kong = rules.gold_kong
        self.c.gold_by_discard = rules.gold_kong_by_discard
        self.c.stacks = 72 if rules.flower_wilds or rules.flower_tiles else 68
        self.c.by_flowers = rules.counting == "flowers"
        self.c.flower_tiles = rules.flower_tiles
        self.c.chow = rules.chow
        self.c.discard_wins = rules.discard_wins
        self.c.claim_kongs = rules.claim_kongs
        self.c.hidden_kongs = rules.hidden_kongs
        self.c.dealer_yields_to_kong = rules.dealer_yields_to_kong
        self.c.seven_pairs = rules.seven_pairs
        self.c.value = rules.value
        self.c.min_flowers = rules.min_flowers
        self.c.cap_fan = rules.cap_fan
        self.c.throws = 2 if rules.opening == "two-throw" else 1
        self.c.turned = rules.wild_by == "turned"
        self.c.stakes = rules.stakes
        self.c.max_pulls = rules.max_pulls
        self.c.chuai = rules.chuai
        self.c.last_tiles_closed = rules.last_tiles_closed
        self.c.chan = rules.chan
        self.c.base = rules.base
        self.c.cap = rules.cap or 0
        for flip in range(-1, self.c.kinds):
            set_flip(&self.c.by_flip[flip + 1], rules, flip)


cdef dict _made = {}


cdef RulesTerms terms_of(rules):
    """The terms of a preset's name or a `Rules`; raises `RulesError` for anything else."""
    made = _made.get(rules) if isinstance(rules, (str, Rules)) else None
    if made is None:
        made = RulesTerms(as_rules(rules))
        if len(_made) >= 1000:  # rules made up without end must not fill the memory
            _made.clear()
        _made[rules] = made
    return made
