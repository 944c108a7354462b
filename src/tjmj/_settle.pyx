# cython: language_level=3
"""Settlement: who pays whom at the end of a hand (spec: tianjin section 6, jintan "Counting")."""

from libc.stdint cimport int64_t

from ._fan cimport Verdict
from ._flowers cimport meld_flowers, points_of
from ._round cimport (
    CONCEALED_KONGS, EIGHT_FLOWERS, EXPOSED_KONGS, GOLD_KONGS, GameState, taken_verdict,
)
from ._terms cimport Terms


cdef int64_t factor_between(const GameState *g, int a, int b) noexcept nogil:
    """m(a, b) (spec: tianjin section 6)."""
    if a == g.dealer:
        return g.factor[b]
    return g.factor[a] if b == g.dealer else 1


cdef inline int64_t kong_units(const GameState *g, const Terms *terms, int seat) noexcept nogil:
    return (<int64_t>g.kongs[seat][EXPOSED_KONGS] * terms.exposed_kong
            + <int64_t>g.kongs[seat][CONCEALED_KONGS] * terms.concealed_kong
            + <int64_t>g.kongs[seat][GOLD_KONGS] * terms.gold_kong)


cdef int64_t eight_flowers_count(const GameState *g) noexcept nogil:
    """Flowers of a seat that has laid out all eight: them and those of its melds."""
    cdef int i, flowers = 8
    for i in range(g.meld_count[g.seat]):
        flowers += meld_flowers(g.melds[g.seat][i] & 0xFFF)
    return flowers


cdef void settle(const GameState *g, const Terms *terms, int64_t *net) noexcept nogil:
    """Points that each seat gains or loses in the hand, cap applied; their sum is 0."""
    cdef int a, b
    cdef int64_t units
    net[0] = net[1] = net[2] = net[3] = 0
    if terms.by_flowers:
        settle_points(g, terms, net)
    for a in range(4):
        units = kong_units(g, terms, a)
        if g.won >> a & 1 and not terms.by_flowers:
            units += g.verdict.fan
        for b in range(4):
            if a != b and units:
                pay(net, b, a, units * factor_between(g, a, b) * terms.base)
        if g.chan and a != g.dealer:
            pay(net, g.dealer, a, terms.chan * g.factor[a] * terms.base)
    if terms.cap:
        cap_net(net, terms.cap)


cdef void settle_points(const GameState *g, const Terms *terms, int64_t *net) noexcept nogil:
    """An own draw is paid by all, a discard by its seat, a robbed kong by its seat three times."""
    cdef int a, b
    cdef int64_t points
    cdef Verdict verdict
    for a in range(4):
        if not g.won >> a & 1:
            continue
        if a == g.seat:
            points = points_of(terms, g.verdict.flowers, g.verdict.fan)
            if g.phase == EIGHT_FLOWERS:
                points = points_of(terms, eight_flowers_count(g), terms.cap_fan)
            for b in range(4):
                if a != b:
                    pay(net, b, a, points)
        else:
            verdict = taken_verdict(g, terms, a)
            points = points_of(terms, verdict.flowers, verdict.fan)
            pay(net, g.seat, a, 3 * points if g.robbed else points)


cdef inline void pay(int64_t *net, int giver, int taker, int64_t points) noexcept nogil:
    net[giver] -= points
    net[taker] += points


cdef void cap_net(int64_t *net, int64_t cap) noexcept nogil:
    """Clip to the cap and scale the larger side down, so that the sum stays 0 (spec: tianjin section 6)."""
    cdef int seat
    cdef int64_t gains = 0, losses = 0
    for seat in range(4):
        net[seat] = max(-cap, min(cap, net[seat]))
        if net[seat] > 0:
            gains += net[seat]
        else:
            losses -= net[seat]
    if gains > losses:
        scale_down(net, 1, losses, gains)
    elif losses > gains:
        scale_down(net, -1, gains, losses)


cdef void scale_down(int64_t *net, int sign, int64_t smaller, int64_t larger) noexcept nogil:
    """Scale one side to a smaller sum: round down, then one each to the largest fractions, lower seat first."""
    cdef int64_t[4] fractions
    cdef int64_t rest = smaller, amount
    cdef int seat, best
    for seat in range(4):
        fractions[seat] = -1
        amount = sign * net[seat]
        if amount > 0:
            # at most 10^9 times 3 * 10^9, inside 63 bits
            fractions[seat] = amount * smaller % larger
            net[seat] = sign * (amount * smaller // larger)
            rest -= sign * net[seat]
    while rest:
        best = 0
        for seat in range(4):
            if fractions[seat] > fractions[best]:
                best = seat
        net[best] += sign
        fractions[best] = -1
        rest -= 1


def deal_passes(int dealer, int won, int konged, bint yields_to_kong):
    """Whether the next seat deals the next hand; seats that have won, and that have made a kong, as bits."""
    return passes(dealer, won, konged, yields_to_kong)


cdef bint passes(int dealer, int won, int konged, bint yields_to_kong) noexcept nogil:
    """The dealer stays after winning and after 荒庄 (spec: tianjin section 7; jintan, last paragraph)."""
    if won:
        return not won >> dealer & 1
    return yields_to_kong and konged and not konged >> dealer & 1


cdef int dealer_after(const GameState *g, const Terms *terms) noexcept nogil:
    """The seat that deals the hand after one that is over."""
    cdef int seat, konged = 0
    for seat in range(4):
        if g.kongs[seat][EXPOSED_KONGS] or g.kongs[seat][CONCEALED_KONGS] or g.kongs[seat][GOLD_KONGS]:
            konged |= 1 << seat
    return (g.dealer + passes(g.dealer, g.won, konged, terms.dealer_yields_to_kong)) & 3
