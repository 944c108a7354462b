# cython: language_level=3
"""Windows: who is asked what, when (spec: table, "Windows").

The turn machine knows moves; here stand the secret and simultaneous answers around them, and the story of
the hand as events, told only where somebody listens. Nothing here decides what is legal.
"""

from libc.stdint cimport uint64_t

from ._core cimport highest_bit, some
from ._play cimport Move, Play, move_text, reason_against, try_move
from ._round cimport (
    ADDED_KONG, CLAIM, CLAIMED, CONCEALED_KONG, DECLARE, DISCARD, EXPOSED_KONG, EXHAUSTED, GameState,
    LAST_DECLARER, NO_TILE, Options, PONG_CLAIM, TURN, WIN, WON, back_place, front_left, may_declare,
    may_kong, may_pong, pass_claims, stake, turn_options,
)
from ._terms cimport Terms

from .errors import IllegalMove, StaleMove
from .stakes import NO_STAKES, Stakes
from .tiles import NAMES

cdef enum Window:
    SIT = 0
    PULL = 1
    KICK = 2
    OWN_TURN = 3
    DECLARATION = 4
    CLAIMS = 5
    CLOSED = 6      # the round is over

WINDOWS = ("sit", "pull", "kick", "turn", "declare", "claim", None)
"""Name of each window; None once the round is over."""

cdef enum:
    PASS = 7        # beside the acts of _round

cdef str LETTERS = "dcahpor"
cdef dict ANSWERS = {"pass": PASS << 6 | NO_TILE, "h": WIN << 6 | NO_TILE, "r": DECLARE << 6 | NO_TILE}
cdef list TEXTS = [[None] * 64 for _ in range(8)]


def _fill_tables():
    for act, letter in enumerate(LETTERS):
        for kind in range(42):
            if act not in (WIN, DECLARE):
                ANSWERS[letter + NAMES[kind]] = act << 6 | kind
    for text, code in ANSWERS.items():
        TEXTS[code >> 6][code & 63] = text


_fill_tables()

cdef list MOVES = [[[move_text(seat, act, kind) if act < PASS and (kind < 42 or kind == NO_TILE) else None
                     for kind in range(64)] for act in range(8)] for seat in range(4)]


cdef class Windows:
    """A hand of play seen as windows that seats answer.

    Parameters
    ----------
    game : Play
        Dealt and not yet played; it belongs to these windows from here on.
    dealt : dict
        What everybody sees of the deal beside the tiles, for its event.
    listen : bool
        Whether events are told from the start.
    """

    cdef Play game
    cdef int window_code
    cdef readonly int turn
    cdef int asked              # seats whose answer is outstanding, a bit each
    cdef int[4] answers         # of the open window: act << 6 | kind, or what is staked; -1 for none yet
    cdef readonly list moves
    cdef bint sit
    cdef int[4] pulls
    cdef bint[4] kicks
    cdef int staked             # how many of the stakes' windows have closed
    cdef Options options        # of an own turn, made when first asked for
    cdef bint have_options
    cdef dict made_pending
    cdef dict dealt
    cdef list told              # events with the seat whose they are masked for; None where nobody listens

    def __cinit__(self):
        self.game = Play.__new__(Play)
        self.window_code = CLOSED

    def __init__(self, Play game not None, dict dealt, bint listen=False):
        if self.moves is not None:
            raise TypeError("windows are opened once")
        self.game = game
        self.dealt = dealt
        self.moves = []
        self.told = [] if listen else None
        if game.terms.c.stakes:
            self._ask(SIT, 1 << game.state.dealer)
        else:
            self._deal()

    @property
    def window(self):
        """Name of the open window, None once the round is over (spec: table)."""
        return WINDOWS[self.window_code]

    @property
    def over(self):
        """Whether the round is over."""
        return self.window_code == CLOSED

    @property
    def stakes(self):
        """The `Stakes`, as far as their windows have closed."""
        return Stakes(bool(self.sit), tuple(self.pulls), tuple([bool(kick) for kick in self.kicks]))

    @property
    def pending(self):
        """Who may act and how: a dict from each seat that is asked to its answers, a tuple of str."""
        if self.made_pending is None:
            self.made_pending = {seat: self._answers_of(seat) for seat in range(4) if self.asked >> seat & 1}
        return self.made_pending

    def play(self, seat, str answer not None, turn=None):
        """Answer the open window for a seat (spec: table, "Windows").

        Parameters
        ----------
        seat : int
        answer : str
            One of `pending[seat]`.
        turn : int or None
            The window that is answered; None for the one that is open.

        Raises
        ------
        StaleMove
            If another window is open.
        IllegalMove
            If the seat is not asked, has answered, or may not answer so. Nothing changes then.
        """
        cdef int who
        if turn is not None and turn != self.turn:
            raise StaleMove(answer, turn, self.turn)
        if type(seat) is not int or not 0 <= seat < 4:
            raise IllegalMove(answer, f"seat {seat!r}: seats are 0 to 3")
        who = seat
        if not self.asked >> who & 1:
            raise IllegalMove(answer, self._why_not_asked(who))
        if self.window_code == OWN_TURN:
            self._play_turn(who, answer)
        elif self.window_code <= KICK:
            self._answer_stakes(who, answer)
        else:
            self._answer_discard(who, answer)

    def default(self, int seat):
        """What a server plays for a silent seat (spec: table, "Windows"); it never wins for a player.

        Raises
        ------
        IllegalMove
            If the seat is not asked.
        """
        if not 0 <= seat < 4 or not self.asked >> seat & 1:
            raise IllegalMove("", f"seat {seat} is not asked")
        if self.window_code == OWN_TURN:
            return TEXTS[DISCARD][default_discard(&self.game.state)]
        return ("stand", "pull0", "kick", None, "pass", "pass")[self.window_code]

    def replay(self, moves, int turn=-1):
        """Answer as a record's moves say, everybody else passing.

        Parameters
        ----------
        moves : iterable of str
            As records write them.
        turn : int
            After them pass until this window is open; -1 to leave it.

        Raises
        ------
        IllegalMove
            For a move that is not legal, or a window that passing does not lead to.
        """
        for move in moves:
            if not move:
                continue
            seat, answer = move[:1], move[1:]
            if seat not in ("0", "1", "2", "3") or answer not in ANSWERS or answer == "pass":
                raise IllegalMove(move, "not a move: a seat, a letter and for most a tile, such as '0d5W'")
            self._pass_up_to(int(seat), answer)
            self.play(int(seat), answer)
        while self.turn < turn:
            if self.window_code != DECLARATION and self.window_code != CLAIMS:
                raise IllegalMove("pass", f"window {turn} is not reached by passing in window {self.turn}")
            self._pass_all()

    def resume(self, stakes, int closed, moves, int turn):
        """Answer a round that nobody has answered yet as another of the same deal was.

        Parameters
        ----------
        stakes : Stakes
        closed : int
            How many of the stakes' windows have closed, those that never opened counted.
        moves, turn
            As for `replay`.
        """
        for window in range(closed):
            if self.window_code == window:
                self._answer_as(window, stakes)
        self.replay(moves, turn)

    cdef _answer_as(self, int window, stakes):
        """Answer one of the stakes' windows."""
        cdef int dealer = self.game.state.dealer, asked = self.asked
        if window == SIT:
            self.play(dealer, "sit" if stakes.sit else "stand")
        elif window == KICK:
            self.play(dealer, "kick" + "".join([str(seat) for seat in range(4) if stakes.kick[seat]]))
        else:
            for seat in range(4):
                if asked >> seat & 1:
                    self.play(seat, f"pull{stakes.pull[seat]}")

    cdef _pass_up_to(self, int seat, str answer):
        """Pass windows that this answer does not belong to."""
        while self.window_code == DECLARATION or self.window_code == CLAIMS:
            if self.asked >> seat & 1 and answer in self._answers_of(seat):
                return
            self._pass_all()

    cdef _pass_all(self):
        cdef int turn = self.turn, asked = self.asked
        for seat in range(4):
            if asked >> seat & 1 and self.turn == turn:
                self.play(seat, "pass")

    cdef _ask(self, int window, int asked):
        cdef int seat
        self.window_code = window
        self.asked = asked
        self.have_options = False
        self.made_pending = None
        for seat in range(4):
            self.answers[seat] = -1
        if self.told is not None and window != CLOSED:
            self._tell("window", {"window": WINDOWS[window], "turn": self.turn, "seat": self._subject(),
                                  "answers": dict(self.pending)})

    cdef object _subject(self):
        """Whose turn, or whose discard it is; the dealer while stakes are chosen."""
        return self.game.state.dealer if self.window_code <= KICK else self.game.state.seat

    cdef Options *_own_options(self):
        if not self.have_options:
            self.options = turn_options(&self.game.state, &self.game.terms.c, True)
            self.have_options = True
        return &self.options

    cdef tuple _answers_of(self, int seat):
        cdef GameState *g = &self.game.state
        cdef Terms *terms = &self.game.terms.c
        cdef Options *o
        cdef list found = []
        if self.window_code == SIT:
            return ("sit", "stand")
        if self.window_code == PULL:
            return ("pull0", "pull1", "pull2")[:terms.max_pulls + 1]
        if self.window_code == KICK:
            return self._kicks()
        if self.window_code == OWN_TURN:
            o = self._own_options()
            add_kinds(found, DISCARD, o.discards)
            add_kinds(found, CONCEALED_KONG, o.concealed)
            add_kinds(found, ADDED_KONG, o.added)
            if o.may_win:
                found.append("h")
        elif self.window_code == DECLARATION:
            return ("r", "pass")
        elif self.window_code == CLAIMS:
            if may_pong(g, terms, seat):
                found.append(TEXTS[PONG_CLAIM][g.tile])
            if may_kong(g, terms, seat):
                found.append(TEXTS[EXPOSED_KONG][g.tile])
            found.append("pass")
        return tuple(found)

    cdef tuple _kicks(self):
        """All sets of seats that pulled, as `kick`, `kick2`, `kick23`."""
        words = ["kick"]
        for seat in range(4):
            if self.pulls[seat]:
                words += [word + str(seat) for word in words]
        return tuple(sorted(words))

    cdef str _why_not_asked(self, int seat):
        if self.window_code == CLOSED:
            return "the round is over"
        if self.answers[seat] >= 0:
            return f"seat {seat} has answered window {self.turn} already"
        if self.window_code == OWN_TURN:
            return f"it is seat {self.game.state.seat}'s turn"
        return f"seat {seat} is not asked in this {WINDOWS[self.window_code]} window"

    cdef _play_turn(self, int seat, str answer):
        cdef GameState *g = &self.game.state
        cdef Move move
        cdef int code = ANSWERS.get(answer, -1)
        if code < 0 or code >> 6 == PASS:
            raise IllegalMove(answer, "not an answer to a turn: h, or d, c or a with a tile")
        move.seat = seat
        move.act = code >> 6
        move.kind = code & 63
        if not try_move(g, &self.game.terms.c, move):
            raise IllegalMove(answer, reason_against(g, &self.game.terms.c, move))
        self.moves.append(MOVES[seat][move.act][move.kind])
        self.turn += 1
        if self.told is not None:
            self._tell_turn(seat, move.act, move.kind)
        self._open_next()

    cdef _answer_stakes(self, int seat, str answer):
        """坐庄, 拉庄, 踹: the window closes when all have answered."""
        cdef int window = self.window_code, other
        choices = self._answers_of(seat)
        if answer not in choices:
            raise IllegalMove(answer, f"not one of {', '.join(choices)}")
        self.answers[seat] = choices.index(answer)
        self.asked &= ~(1 << seat)
        self.made_pending = None
        if self.asked:
            return
        if window == SIT:
            self.sit = answer == "sit"
        elif window == PULL:
            for other in range(4):
                self.pulls[other] = max(0, self.answers[other])
        else:
            for other in range(4):
                self.kicks[other] = str(other) in answer
        self.turn += 1
        self.staked = self._next_stakes(window)
        if self.told is not None:
            self._tell_stakes()
        if self.staked == PULL:
            self._ask(PULL, 15 & ~(1 << self.game.state.dealer))
        elif self.staked == KICK:
            self._ask(KICK, 1 << self.game.state.dealer)
        else:
            stake(&self.game.state, self.sit, self.pulls, self.kicks)
            self._deal()

    cdef int _next_stakes(self, int closed):
        """The next of the stakes' windows that has somebody to ask; the dealer's turn behind the last."""
        if closed == SIT and self.game.terms.c.max_pulls:
            return PULL
        if closed == PULL and self.game.terms.c.chuai and any(self.stakes.pull):
            return KICK
        return OWN_TURN

    cdef _deal(self):
        cdef GameState *g = &self.game.state
        if self.told is not None:
            self._tell("deal", {"hands": [self.game.held(seat) for seat in range(4)], "drawn": g.tile,
                                "dealer": g.dealer, **self.dealt, **self._left()})
            wild = [kind for kind in range(42) if g.wild >> kind & 1]
            self._tell("flip", {"tile": g.flip, "wild": wild})
        self._ask(OWN_TURN, 1 << g.seat)

    cdef _answer_discard(self, int seat, str answer):
        """A declaration or a claim. Only one seat can ever hold enough to claim, so one answer decides."""
        cdef GameState *g = &self.game.state
        cdef Terms *terms = &self.game.terms.c
        cdef Move move
        cdef int code = ANSWERS.get(answer, -1)
        if answer not in self._answers_of(seat):
            move.seat = seat
            move.act = code >> 6
            move.kind = code & 63
            if code < 0 or (move.act != PONG_CLAIM and move.act != EXPOSED_KONG):
                raise IllegalMove(answer, f"not one of {', '.join(self._answers_of(seat))}")
            raise IllegalMove(answer, reason_against(g, terms, move))
        self.turn += 1
        if answer != "pass":
            move.seat = seat
            move.act = code >> 6
            move.kind = code & 63
            taken_from = g.seat
            try_move(g, terms, move)
            self.moves.append(MOVES[seat][move.act][move.kind])
            if self.told is not None:
                self._tell_claim(move, taken_from)
        elif self.window_code == DECLARATION:
            g.declarer = ((seat - g.dealer) & 3) + 1
        else:
            self._draw_front()
        self._open_next()

    cdef _draw_front(self):
        pass_claims(&self.game.state, &self.game.terms.c)
        if self.told is not None and self.game.state.phase == TURN:
            self._tell_draw("front")

    cdef _open_next(self):
        """Open the next window that has somebody to ask."""
        cdef GameState *g = &self.game.state
        cdef Terms *terms = &self.game.terms.c
        cdef int asked
        while g.phase == CLAIM:
            asked = self._next_declarer()
            if asked:
                self._ask(DECLARATION, asked)
                return
            asked = claimers(g, terms)
            if asked:
                self._ask(CLAIMS, asked)
                return
            self._draw_front()
        if g.phase < WON:
            self._ask(OWN_TURN, 1 << g.seat)
            return
        if self.told is not None:
            self._tell_end()
        self._ask(CLOSED, 0)

    cdef int _next_declarer(self):
        cdef GameState *g = &self.game.state
        cdef int offset, seat
        for offset in range(g.declarer, 4):
            seat = (g.dealer + offset) & 3
            if may_declare(g, &self.game.terms.c, seat):
                return 1 << seat
        g.declarer = LAST_DECLARER
        return 0

    @property
    def play_of(self):
        """A copy of the `Play` underneath."""
        return self.game.copy()

    @property
    def given(self):
        """Answers already given in the open window: a dict from seat to answer. They are secret."""
        return {seat: self._given_by(seat) for seat in range(4) if self.answers[seat] >= 0}

    cdef str _given_by(self, int seat):
        # only the stakes' windows wait for more than one answer
        return self._answers_of(seat)[self.answers[seat]]

    def story(self, Windows fresh):
        """The events so far, unmasked; a `fresh` listening round of the same deal tells them if none did."""
        if self.told is None:
            fresh.resume(self.stakes, self.staked, self.moves, self.turn)
            self.told = fresh.told
        return self.told

    @property
    def chosen(self):
        """Which of the stakes are chosen: names of `Stakes`' fields."""
        return Stakes._fields[:self.staked] if self.game.terms.c.stakes else ()

    @property
    def listening(self):
        """Whether events are being told."""
        return self.told is not None

    # The story of the hand: events as they are, before they are masked for a seat (events.py)

    cdef _tell(self, str name, dict fields):
        self.told.append({"event": name, **fields})

    cdef dict _left(self):
        return {"front_left": front_left(&self.game.state, &self.game.terms.c),
                "back_left": len(self.game.undrawn)}

    cdef _tell_stakes(self):
        self._tell("stakes", {"sit": bool(self.sit),
                              "pull": list(self.pulls) if self.staked > PULL else None,
                              "kick": [bool(kick) for kick in self.kicks] if self.staked > KICK else None})

    cdef _tell_draw(self, str where):
        self._tell("draw", {"seat": self.game.state.seat, "from": where, "tile": self.game.state.tile,
                            **self._left()})

    cdef _tell_turn(self, int seat, int act, int kind):
        if act == DISCARD:
            self._tell("discard", {"seat": seat, "tile": kind})
        elif act == WIN:
            self._tell("win", {"seat": seat, "tile": self.game.state.tile, "score": self.game.score()})
        else:
            self._tell_kong(seat, kind, "added" if act == ADDED_KONG else "concealed", None)

    cdef _tell_kong(self, int seat, int kind, str kong, object taken_from):
        gold = bool(self.game.state.wild >> kind & 1)
        self._tell("kong", {"seat": seat, "tile": kind, "kong": kong, "gold": gold, "from": taken_from})
        self._tell_draw("back")

    cdef _tell_claim(self, Move move, int taken_from):
        if move.act == DECLARE:
            self._tell("declare", {"seat": move.seat})
        elif move.act == PONG_CLAIM:
            self._tell("pong", {"seat": move.seat, "tile": move.kind, "from": taken_from})
        else:
            self._tell_kong(move.seat, move.kind, "exposed", taken_from)

    cdef _tell_end(self):
        if self.game.state.phase == EXHAUSTED:
            self._tell("exhausted", {})
        self._tell("settle", {"payments": self.game.settlement(), "net": self.game.result()["net"]})
        self._tell("reveal", {"hands": [self.game.held(seat) for seat in range(4)],
                              "result": self.game.result()})


cdef int claimers(const GameState *g, const Terms *terms) noexcept:
    """Seats that may claim the discard, a bit each."""
    cdef int seat, asked = 0
    for seat in range(4):
        if may_pong(g, terms, seat) or may_kong(g, terms, seat):
            asked |= 1 << seat
    return asked


cdef void add_kinds(list found, int act, uint64_t kinds):
    cdef list texts = TEXTS[act]
    cdef int kind
    for kind in range(42):
        if kinds >> kind & 1:
            found.append(texts[kind])


cdef int default_discard(const GameState *g) noexcept:
    """The tile just drawn if it is natural; else the last natural one; a wildcard when nothing else is left."""
    cdef uint64_t held = some(g.held[g.seat]), natural = held & ~g.wild
    if g.phase == TURN and (g.ready >> g.seat & 1 or natural >> g.tile & 1 or not natural):
        return g.tile
    return highest_bit(natural if natural else held)
