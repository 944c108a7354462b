# cython: language_level=3
"""Windows: who is asked what, when (spec: table, "Windows").

The turn machine knows moves; here stand the secret and simultaneous answers around them, and the story of
the hand as events, told only where somebody listens. Nothing here decides what is legal.
"""

from libc.stdint cimport uint64_t

from ._core cimport highest_bit, some
from ._moves cimport Move, move_text, try_move
from ._play cimport Play
from ._reasons cimport reason_against
from ._round cimport (
    ADDED_KONG, CHOW_CLAIM, CLAIM, CONCEALED_KONG, DECLARE, DISCARD, EXPOSED_KONG, GameState,
    LAST_DECLARER, NO_TILE, Options, PONG_CLAIM, ROB, TAKE_WIN, TURN, WIN, WON, declare, may_chow,
    may_declare, may_kong, may_pong, may_take_win, pass_claims, stake, turn_options,
)
from ._story cimport Story
from ._terms cimport Terms

from .errors import IllegalMove, StaleMove
from .stakes import Stakes, check_stakes
from .tiles import NAMES

cdef enum Window:
    SIT = 0
    PULL = 1
    KICK = 2
    OWN_TURN = 3
    DECLARATION = 4
    CLAIMS = 5
    ROBBING = 6
    CLOSED = 7      # the round is over

WINDOWS = ("sit", "pull", "kick", "turn", "declare", "claim", "rob", None)
"""Name of each window; None once the round is over."""

cdef enum:
    STRONGEST = 3   # of a claim's strengths: a win
    PASS = 9        # beside the acts of _round

cdef str LETTERS = "dcahporwe"
cdef dict ANSWERS = {"pass": PASS << 6 | NO_TILE, "h": WIN << 6 | NO_TILE, "r": DECLARE << 6 | NO_TILE}
cdef list TEXTS = [[None] * 64 for _ in range(10)]


def _fill_tables():
    for act, letter in enumerate(LETTERS):
        for kind in range(42):
            if act not in (WIN, DECLARE):
                ANSWERS[letter + NAMES[kind]] = act << 6 | kind
    for text, code in ANSWERS.items():
        TEXTS[code >> 6][code & 63] = text


_fill_tables()

cdef list MOVES = [[[move_text(seat, act, kind) if act < PASS and (kind < 42 or kind == NO_TILE) else None
                     for kind in range(64)] for act in range(10)] for seat in range(4)]


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
    cdef list made_moves
    cdef bint sit
    cdef int[4] pulls
    cdef bint[4] kicks
    cdef int staked             # how many of the stakes' windows have closed
    cdef Options options        # of an own turn, made when first asked for
    cdef bint have_options
    cdef dict made_pending
    cdef dict dealt
    cdef Story teller           # None where nobody listens

    def __cinit__(self):
        self.game = Play.__new__(Play)
        self.window_code = CLOSED

    def __init__(self, Play game not None, dict dealt, bint listen=False):
        if self.made_moves is not None:
            raise TypeError("windows are opened once")
        self.game = game
        self.dealt = dealt
        self.made_moves = []
        self.teller = Story(game) if listen else None
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
    def moves(self):
        """The moves so far as records write them, a list of str."""
        return list(self.made_moves or ())

    @property
    def stakes(self):
        """The `Stakes`, as far as their windows have closed."""
        return Stakes(bool(self.sit), tuple(self.pulls), tuple([bool(kick) for kick in self.kicks]))

    @property
    def pending(self):
        """Who may act and how: a dict from each seat that is asked to its answers, a tuple of str."""
        if self.made_pending is None:
            self.made_pending = {seat: self._answers_of(seat) for seat in range(4) if self.asked >> seat & 1}
        return dict(self.made_pending)

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

    def default(self, seat):
        """What a server plays for a silent seat (spec: table, "Windows"); it never wins for a player.

        Raises
        ------
        IllegalMove
            If the seat is not asked.
        """
        if type(seat) is not int or not 0 <= seat < 4 or not self.asked >> <int>seat & 1:
            raise IllegalMove("", f"seat {seat!r} is not asked")
        if self.window_code == OWN_TURN:
            return TEXTS[DISCARD][default_discard(&self.game.state)]
        return ("stand", "pull0", "kick", None, "pass", "pass", "pass")[self.window_code]

    def replay(self, moves, turn=-1):
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
            if not DECLARATION <= self.window_code <= ROBBING:
                raise IllegalMove("pass", f"window {turn} is not reached by passing in window {self.turn}")
            self._pass_all()

    def resume(self, stakes, int closed, moves, turn):
        """Answer a round that nobody has answered yet as another of the same deal was.

        Parameters
        ----------
        stakes : Stakes
        closed : int
            How many of the stakes' windows have closed, those that never opened counted.
        moves, turn
            As for `replay`.

        Raises
        ------
        RulesError
            For stakes that cannot be; else as `replay`.
        """
        check_stakes(stakes, self.game.state.dealer, self.game.terms.rules)
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
        while DECLARATION <= self.window_code <= ROBBING:
            if self.asked >> seat & 1 and answer in self._answers_of(seat):
                return
            self._pass_all()

    def finish(self):
        """Let everybody pass who is asked, where that ends the round: a record may stop there."""
        while DECLARATION <= self.window_code <= ROBBING:
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
        if self.teller is not None and window != CLOSED:
            self.teller.tell("window", {"window": WINDOWS[window], "turn": self.turn,
                                        "seat": self._subject(), "answers": dict(self.pending)})

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
        else:
            return claim_answers(g, terms, seat)
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
        cdef GameState before
        cdef Move move
        cdef int code = ANSWERS.get(answer, -1)
        if code < 0 or code >> 6 > WIN:
            raise IllegalMove(answer, "not an answer to a turn: h, or d, c or a with a tile")
        move.seat = seat
        move.act = code >> 6
        move.kind = code & 63
        if self.teller is not None:
            before = g[0]
        if not try_move(g, &self.game.terms.c, move):
            raise IllegalMove(answer, reason_against(g, &self.game.terms.c, move))
        self.made_moves.append(MOVES[seat][move.act][move.kind])
        self.turn += 1
        if self.teller is not None:
            self.teller.turn(seat, move.act, move.kind, &before)
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
        if self.teller is not None:
            self.teller.stakes(self.stakes, self.staked)
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
        if self.teller is not None:
            self.teller.deal(self.dealt)
        self._open_next()

    cdef _answer_discard(self, int seat, str answer):
        """A declaration, a claim or a robbery; the window closes as soon as no answer could change its outcome."""
        cdef Move move
        cdef int code = ANSWERS.get(answer, -1)
        choices = self._answers_of(seat)
        if answer not in choices:
            move.seat = seat
            move.act = code >> 6
            move.kind = code & 63
            claims = self.window_code != DECLARATION and move.act >= PONG_CLAIM and move.act != DECLARE
            if code < 0 or not claims or move.act == PASS:
                raise IllegalMove(answer, f"not one of {', '.join(choices)}")
            raise IllegalMove(answer, reason_against(&self.game.state, &self.game.terms.c, move))
        self.answers[seat] = code
        self.asked &= ~(1 << seat)
        self.made_pending = None
        if self.window_code == DECLARATION:
            self.turn += 1
            self._take_declaration(seat, code >> 6 == DECLARE)
            self._open_next()
        elif self._decided():
            self.turn += 1
            self._carry_out()
            self._open_next()

    cdef _take_declaration(self, int seat, bint declares):
        cdef GameState *g = &self.game.state
        if not declares:
            g.declarer = ((seat - g.dealer) & 3) + 1
            return
        declare(g, seat)
        self.made_moves.append(MOVES[seat][DECLARE][NO_TILE])
        if self.teller is not None:
            self.teller.tell("declare", {"seat": seat})

    cdef bint _decided(self):
        """Whether no outstanding answer could change what is carried out: wins stand beside each other."""
        cdef int seat, best = 0
        for seat in range(4):
            best = max(best, strength(self.answers[seat] >> 6) if self.answers[seat] >= 0 else 0)
        for seat in range(4):
            if self.asked >> seat & 1:
                possible = max([strength(ANSWERS[text] >> 6) for text in self._answers_of(seat)])
                if possible == STRONGEST or possible > best:
                    return False
        return True

    cdef _carry_out(self):
        """All wins, or the strongest claim, or nothing."""
        cdef GameState *g = &self.game.state
        cdef int offset, seat, best = 0, thrower = g.seat, tile = g.tile, code
        cdef bint robbing = self.window_code == ROBBING
        for seat in range(4):
            best = max(best, strength(self.answers[seat] >> 6) if self.answers[seat] >= 0 else 0)
        self.asked = 0
        for offset in range(1, 4):
            seat = (thrower + offset) & 3
            code = self.answers[seat]
            if code >= 0 and best and strength(code >> 6) == best:
                self._take(seat, code, thrower)
        if g.won:
            pass_claims(g, &self.game.terms.c)
            if self.teller is not None:
                self.teller.wins(tile, robbing)
        elif not best:
            self._pass_on()

    cdef _take(self, int seat, int code, int thrower):
        cdef Move move
        cdef GameState before = self.game.state
        move.seat = seat
        move.act = code >> 6
        move.kind = code & 63
        try_move(&self.game.state, &self.game.terms.c, move)
        self.made_moves.append(MOVES[seat][move.act][move.kind])
        if self.teller is not None and move.act != TAKE_WIN:
            self.teller.claim(move, thrower, &before)

    cdef _pass_on(self):
        """Nobody wants the tile: the kong is made, or the next seat draws."""
        cdef GameState before = self.game.state
        pass_claims(&self.game.state, &self.game.terms.c)
        if self.teller is not None:
            if before.phase == ROB:
                self.teller.kong(before.seat, before.tile, "added", None, &before)
            elif self.game.state.seat != before.seat:
                self.teller.front_draw(&before)

    cdef _open_next(self):
        """Open the next window that has somebody to ask."""
        cdef GameState *g = &self.game.state
        cdef Terms *terms = &self.game.terms.c
        cdef int asked
        while g.phase == CLAIM or g.phase == ROB:
            asked = self._next_declarer() if g.phase == CLAIM else 0
            if asked:
                self._ask(DECLARATION, asked)
                return
            asked = claimers(g, terms)
            if asked:
                self._ask(CLAIMS if g.phase == CLAIM else ROBBING, asked)
                return
            self._pass_on()
        if g.phase < WON:
            self._ask(OWN_TURN, 1 << g.seat)
            return
        if self.teller is not None:
            self.teller.end()
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
        cdef int code = self.answers[seat]
        return self._answers_of(seat)[code] if self.window_code <= KICK else TEXTS[code >> 6][code & 63]

    def story(self, Windows fresh not None):
        """The events so far, unmasked; a `fresh` listening round of the same deal tells them if none did."""
        if self.teller is None:
            if fresh.teller is None or fresh.made_moves:
                raise ValueError("a fresh round that listens is wanted")
            fresh.resume(self.stakes, self.staked, self.made_moves, self.turn)
            self.teller = fresh.teller
            self.teller.game = self.game
        return self.teller.told

    @property
    def chosen(self):
        """Which of the stakes are chosen: names of `Stakes`' fields."""
        return Stakes._fields[:self.staked] if self.game.terms.c.stakes else ()

    @property
    def listening(self):
        """Whether events are being told."""
        return self.teller is not None


cdef tuple claim_answers(const GameState *g, const Terms *terms, int seat):
    """What a seat may answer to a discard or an added kong."""
    cdef list found = []
    cdef int lowest
    if may_take_win(g, terms, seat):
        found.append(TEXTS[TAKE_WIN][g.tile])
    if may_pong(g, terms, seat):
        found.append(TEXTS[PONG_CLAIM][g.tile])
    if may_kong(g, terms, seat):
        found.append(TEXTS[EXPOSED_KONG][g.tile])
    for lowest in range(max(0, g.tile - 2), g.tile + 1):
        if may_chow(g, terms, seat, lowest):
            found.append(TEXTS[CHOW_CLAIM][lowest])
    found.append("pass")
    return tuple(found)


cdef inline int strength(int act) noexcept:
    """Wins stand before pongs and kongs, these before chows; passing is nothing."""
    if act == TAKE_WIN:
        return STRONGEST
    return 2 if act == PONG_CLAIM or act == EXPOSED_KONG else 1 if act == CHOW_CLAIM else 0


cdef int claimers(const GameState *g, const Terms *terms):
    """Seats that may claim the discard or rob the kong, a bit each."""
    cdef int seat, asked = 0
    for seat in range(4):
        if may_pong(g, terms, seat) or may_kong(g, terms, seat) or (
                terms.discard_wins and len(claim_answers(g, terms, seat)) > 1):
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
