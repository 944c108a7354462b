# cython: language_level=3
"""The story of a hand as events, before they are masked for a seat (spec: table, "Events").

It is told where somebody listens, from the states before and after each move; events.py puts it into JSON.
"""

from libc.stdint cimport uint64_t

from ._moves cimport Move
from ._play cimport Play
from ._round cimport (
    ADDED_KONG, DISCARD, EIGHT_FLOWERS, EXHAUSTED, EXPOSED_KONG, GameState, NO_PLACE, PONG_CLAIM, ROB,
    WIN, back_left, back_place, front_left, front_place, start,
)
from ._terms cimport Terms

cdef class Story:
    """Events of a hand, in the order in which they happened.

    Attributes
    ----------
    told : list of dict
    """

    def __init__(self, Play game not None):
        self.game = game
        self.told = []

    cdef tell(self, str name, dict fields):
        self.told.append({"event": name, **fields})

    cdef dict left(self, int fewer=0):
        """Tiles left; `fewer` replacements are still to be told."""
        cdef GameState *g = &self.game.state
        cdef int front = front_left(g, &self.game.terms.c) + (fewer if g.flip_place == NO_PLACE else 0)
        return {"front_left": front, "back_left": back_left(g, &self.game.terms.c) + fewer}

    cdef stakes(self, stakes, int known):
        """The stakes, as far as they are chosen: so many of sit, pull and kick."""
        chosen = {name: value if place < known else None
                  for place, (name, value) in enumerate(stakes._asdict().items())}
        self.tell("stakes", {name: list(value) if isinstance(value, tuple) else value
                             for name, value in chosen.items()})

    cdef deal(self, dict seen):
        """The hands as they were dealt, the flipped tile, and the dealer's flowers."""
        cdef GameState *g = &self.game.state
        cdef GameState dealt = g[0]
        cdef int throw = self.game.terms.c.stacks - g.flip_place // 2
        start(&dealt, &self.game.terms.c, g.dealer, throw)
        drawn = back_draws(&dealt, g, &self.game.terms.c)
        self.tell("deal", {"hands": [held_kinds(dealt.held[seat]) for seat in range(4)], "drawn": dealt.tile,
                           "dealer": g.dealer, **seen, **self.left(len(drawn))})
        if g.flip >= 0:
            wild = [kind for kind in range(42) if g.wild >> kind & 1]
            place = dealt.front - 1 if g.flip_place == NO_PLACE else g.flip_place
            self.tell("flip", {"tile": g.flip, "place": place, "wild": wild})
        self.flowers(g.dealer, drawn, flower_kinds(dealt.held[g.dealer]))

    cdef draw(self, int seat, str where, int place, int fewer):
        """A draw; `place` is that of its tile in the wall."""
        self.tell("draw", {"seat": seat, "from": where, "tile": self.game.state.wall[place], "place": place,
                           **self.left(fewer)})

    cdef front_draw(self, const GameState *before):
        cdef GameState *g = &self.game.state
        place = front_place(before, &self.game.terms.c)
        drawn = back_draws(before, g, &self.game.terms.c)
        self.draw(g.seat, "front", place, len(drawn))
        self.flowers(g.seat, drawn, flower_kinds(before.held[g.seat]) + flowers_at(g, [place]))

    cdef flowers(self, int seat, list drawn, list flowers):
        """Flowers laid out, all in hand first, and what is drawn for them (spec: jintan)."""
        while flowers and self.game.terms.c.flower_tiles:
            self.tell("flower", {"seat": seat, "tiles": flowers})
            replaced = [drawn.pop(0) for _ in range(min(len(flowers), len(drawn)))]
            for done, place in enumerate(replaced, 1):
                self.draw(seat, "back", place, len(drawn) + len(replaced) - done)
            if len(replaced) < len(flowers):
                return              # none was left to draw: 流局
            flowers = flowers_at(&self.game.state, replaced)

    cdef turn(self, int seat, int act, int kind, const GameState *before):
        if act == DISCARD:
            self.tell("discard", {"seat": seat, "tile": kind})
        elif act == WIN:
            self.wins(self.game.state.tile, False)
        elif self.game.state.phase == ROB:
            self.tell("rob", {"seat": seat, "tile": kind})
        else:
            self.kong(seat, kind, "added" if act == ADDED_KONG else "concealed", None, before)

    cdef wins(self, int tile, bint robbing):
        thrower = self.game.state.seat
        for seat in self.game.winners:
            self.tell("win", {"seat": seat, "tile": tile, "from": None if seat == thrower else thrower,
                              "robbed": robbing, "score": self.game.score(seat)})

    cdef kong(self, int seat, int kind, str kong, object taken_from, const GameState *before):
        cdef list drawn = back_draws(before, &self.game.state, &self.game.terms.c)
        hidden = kong == "concealed" and self.game.rules.hidden_kongs
        self.tell("kong", {"seat": seat, "tile": kind, "kind": kong, "from": taken_from,
                           "gold": bool(before.wild >> kind & 1), "hidden": hidden})
        if kong == "exposed":       # the flowers of a first claim come before the kong's own tile
            self.flowers(seat, drawn, flower_kinds(before.held[seat]))
        if drawn:
            place = drawn.pop(0)
            self.draw(seat, "back", place, len(drawn))
            self.flowers(seat, drawn, flowers_at(&self.game.state, [place]))

    cdef claim(self, Move move, int taken_from, const GameState *before):
        if move.act == EXPOSED_KONG:
            self.kong(move.seat, move.kind, "exposed", taken_from, before)
            return
        name = "pong" if move.act == PONG_CLAIM else "chow"
        tiles = [move.kind] * 3 if move.act == PONG_CLAIM else [move.kind, move.kind + 1, move.kind + 2]
        self.tell(name, {"seat": move.seat, "tile": before.tile, "tiles": tiles, "from": taken_from})
        drawn = back_draws(before, &self.game.state, &self.game.terms.c)
        self.flowers(move.seat, drawn, flower_kinds(before.held[move.seat]))

    cdef end(self):
        result = self.game.result()
        if self.game.state.phase == EXHAUSTED:
            self.tell("exhausted", {})
        elif self.game.state.phase == EIGHT_FLOWERS:
            self.tell("flowers", result["winners"][0])
        self.tell("settle", {"payments": self.game.settlement(), "net": result["net"]})
        concealed = [[kind for name, kind, _ in self.game.melds(seat) if name == "concealed"] for seat in range(4)]
        self.tell("reveal", {"hands": [self.game.held(seat) for seat in range(4)], "kongs": concealed,
                             "result": result})


cdef list held_kinds(const uint64_t *held):
    return [kind for kind in range(42) for _ in range(
        (held[0] >> kind & 1) + 2 * (held[1] >> kind & 1) + 4 * (held[2] >> kind & 1))]


cdef list flower_kinds(const uint64_t *held):
    return [kind for kind in range(34, 42) if held[0] >> kind & 1]


cdef list flowers_at(const GameState *g, list places):
    """Those of the tiles that lay there which are flowers."""
    cdef int place
    return [g.wall[place] for place in places if g.wall[place] >= 34]


cdef list back_draws(const GameState *before, const GameState *after, const Terms *terms):
    """Places of the tiles drawn from the back between two states, in order; a front draw came before them."""
    cdef GameState g = before[0]
    cdef int place
    g.front = after.front
    places = []
    while g.back < after.back:
        place = back_place(&g, terms)
        places.append(place)
        g.back = 2 * (terms.stacks - 1 - (place >> 1)) + (place & 1) + 1
    return places
