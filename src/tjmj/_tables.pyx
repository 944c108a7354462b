# cython: language_level=3
"""N hands of play in one block of memory, played in step (docs/tables.md).

A table's 512 bytes hold all of a hand and who is asked; what every step writes for Python (masks, seats,
rewards, observations) lies in arrays that are made once. What was chosen is kept step by step, for records:
a log at each table would be one more line of memory to write for each decision.
"""

import numpy as np
from msgspec.structs import replace

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ._asking cimport (
    Asking, CHOICES, MOST_MOVES, PASS, answer, answer_called, any_choice, begin_asking, move_of, told_moves,
)
from ._core cimport SPREAD
from ._deal cimport Dealt, dice_count, fast_hand, fast_state, stakes_of
from ._observation cimport Public, WIDTH, tell, write_row
from ._round cimport GameState, WON
from ._settle cimport dealer_after, settle
from ._terms cimport RulesTerms, Terms, terms_of
from ._threads cimport hire, run

from ._threads import threads_wanted
from .errors import IllegalMove, RulesError, TjmjError
from .limits import shown, whole, whole_numbers
from .record import of_hand, play_of
from .tiles import KINDS, NAMES

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define tjmj_fetch(p) __builtin_prefetch(p)
    #elif defined(_M_X64) || defined(_M_IX86)
    #define tjmj_fetch(p) _mm_prefetch((const char *)(p), _MM_HINT_T0)
    #else
    #define tjmj_fetch(p) ((void)(p))
    #endif
    """
    void fetch "tjmj_fetch"(const void *p) noexcept nogil

cdef extern from "_mask.h":
    void spread_word "tjmj_spread_word"(uint64_t word, uint8_t *row, const uint64_t *by_byte) noexcept nogil

cdef extern from "_atomics.h":
    int64_t load "tjmj_load"(volatile int64_t *at) noexcept nogil
    int64_t swap "tjmj_swap"(volatile int64_t *at, int64_t to) noexcept nogil
    bint replace_if "tjmj_replace"(volatile int64_t *at, int64_t kept, int64_t to) noexcept nogil

cdef enum:
    AHEAD = 8           # tables before its turn a table's places are fetched, and twice as many the table
    LINE = 64
    PARTS = 8           # of a step for each thread
    LEAST_PART = 64     # tables; fewer are not worth handing over
    KEPT = 1024         # steps, two hands at least: in one there are less than 108 discards, each asking 4 seats

MOST_TABLES = 10_000_000
"""More tables than this are refused."""

ACTIONS = (*[f"d{name}" for name in NAMES], "pass", "win", "declare", "pong", "kong", "chow-low", "chow-middle",
           "chow-high", *[f"k{name}" for name in NAMES[:KINDS]])
"""Name of each action; see docs/tables.md."""

STAKING = ("none", "random")
"""What can be staked."""

cdef struct Choices:
    uint64_t[2] bits

cdef struct Table:
    Asking asking
    uint64_t stream             # hand k of the table is hand k of a run with this seed
    uint64_t hand               # number of the hand that is being played
    uint64_t began              # number of its first step
    uint64_t finished_began     # the same of the hand before it
    uint8_t finished_dealer

cdef struct Block:
    # What the loops need of a `Tables`
    Table *tables
    Choices *choices            # side by side, for checking them all
    uint8_t *chosen             # what was chosen at all tables in step k: at k % KEPT
    uint64_t step               # number of the next one
    const volatile int32_t *actions     # given for it
    volatile int64_t wrong      # first table whose action is illegal; `count` where none is
    Public *public              # NULL where nothing is observed
    uint8_t *mask
    uint8_t *seat
    int32_t *reward
    uint8_t *done
    uint8_t *observation
    int64_t count
    uint64_t seed
    int32_t first_dealer        # -1: drawn
    bint staking
    const Terms *terms


cdef inline void write_mask(uint8_t *row, uint64_t low, uint64_t high) noexcept nogil:
    """Bits as bytes; the last of the own kongs are seldom there."""
    spread_word(low, row, SPREAD)
    if high:
        memcpy(row + 64, &SPREAD[high & 0xFF], 8)
        memcpy(row + 72, &SPREAD[high >> 8 & 0xFF], 8)
        memcpy(row + 80, &SPREAD[high >> 16 & 0xFF], 4)
    else:
        memset(row + 64, 0, CHOICES - 64)


cdef inline void show(const Block *b, int64_t i) noexcept nogil:
    """Write what Python sees of the next choice."""
    cdef Table *table = &b.tables[i]
    cdef const Choices *choices = &b.choices[i]
    write_mask(b.mask + CHOICES * i, choices.bits[0], choices.bits[1])
    b.seat[i] = table.asking.seat
    if b.public != NULL:
        write_row(&table.asking, b.terms, &b.public[i], b.observation + WIDTH * i)


cdef inline uint8_t *chosen_in(const Block *b, uint64_t step) noexcept nogil:
    """What was chosen at each table in a step, one of the last."""
    return b.chosen + b.count * <int64_t>(step % KEPT)


cdef void deal_table(const Block *b, int64_t i, int dealer, uint16_t *log) noexcept nogil:
    """Deal the table's next hand and ask the first seat that has a choice."""
    cdef Table *table = &b.tables[i]
    cdef uint64_t rng = fast_state(table.stream, table.hand)
    fast_hand(&table.asking.game, b.terms, dealer, b.staking, &rng)
    begin_asking(&table.asking, b.terms, b.choices[i].bits, log)
    table.began = b.step
    if b.public != NULL:
        memset(&b.public[i], 0, sizeof(Public))
        tell(&table.asking, b.terms, &b.public[i])


cdef void finish(const Block *b, int64_t i, uint16_t *log) noexcept nogil:
    """Pay for the hand that is over and deal the next; one that ends as it is dealt is paid too."""
    cdef Table *table = &b.tables[i]
    cdef GameState *g = &table.asking.game
    cdef int64_t[4] net
    cdef int seat
    b.done[i] = True
    while g.phase >= WON:
        settle(g, b.terms, net)
        for seat in range(4):
            b.reward[4 * i + seat] += <int32_t>net[seat]
        table.finished_began = table.began
        table.finished_dealer = g.dealer
        table.hand += 1
        deal_table(b, i, dealer_after(g, b.terms), log)


cdef inline void fetch_table(const Block *b, int64_t i) noexcept nogil:
    """Fetch what every step reads: who is asked, the hands."""
    cdef const char *line = <const char *>&b.tables[i]
    fetch(line)
    fetch(line + LINE)
    fetch(line + 2 * LINE)
    if b.terms.discard_wins:    # what a seat has thrown or let pass
        fetch(line + 3 * LINE)
        fetch(line + 7 * LINE)


cdef inline void fetch_wall(const Block *b, int64_t i) noexcept nogil:
    """Fetch where this step will draw, now that the table itself is there."""
    cdef const GameState *g = &b.tables[i].asking.game
    fetch(g.wall + g.front)


cdef void clear_rewards(const Block *b, int64_t first, int64_t end) noexcept nogil:
    """No hand has ended yet."""
    memset(b.done + first, False, end - first)
    memset(b.reward + 4 * first, 0, 4 * (end - first) * sizeof(int32_t))


cdef void step_part(void *context, int part, int parts) noexcept nogil:
    """Do what was chosen at a part of the tables."""
    cdef const Block *b = <const Block *>context
    cdef int64_t i, first = b.count * part // parts, end = b.count * (part + 1) // parts
    cdef const uint8_t *chosen = chosen_in(b, b.step - 1)
    cdef Table *table
    cdef uint16_t[MOST_MOVES] log       # of this step
    clear_rewards(b, first, end)
    for i in range(first, end):
        if i + 2 * AHEAD < end:
            fetch_table(b, i + 2 * AHEAD)
            fetch_wall(b, i + AHEAD)
        table = &b.tables[i]
        table.asking.log = log      # read in this step only
        table.asking.moves = 0
        answer(&table.asking, b.terms, chosen[i])
        if b.public != NULL:
            tell(&table.asking, b.terms, &b.public[i])
        if table.asking.game.phase >= WON:
            finish(b, i, log)
        show(b, i)


cdef void reset_part(void *context, int part, int parts) noexcept nogil:
    """Begin again at a part of the tables."""
    cdef const Block *b = <const Block *>context
    cdef int64_t i, first = b.count * part // parts, end = b.count * (part + 1) // parts
    cdef Table *table
    cdef uint16_t[MOST_MOVES] log
    clear_rewards(b, first, end)
    for i in range(first, end):
        table = &b.tables[i]
        table.stream = fast_state(b.seed, i)
        table.hand = 0
        deal_table(b, i, b.first_dealer if b.first_dealer >= 0 else table.stream & 3, log)
        if table.asking.game.phase >= WON:
            finish(b, i, log)
        show(b, i)


cdef void take_part(void *context, int part, int parts) noexcept nogil:
    """Keep the actions of a part of the tables, or say which is the first that has an illegal one."""
    cdef Block *b = <Block *>context
    cdef uint8_t *chosen = chosen_in(b, b.step)
    cdef int64_t i, known
    cdef uint32_t action
    for i in range(b.count * part // parts, b.count * (part + 1) // parts):
        action = <uint32_t>b.actions[i]
        if action >= CHOICES or not b.choices[i].bits[action >> 6] >> (action & 63) & 1:
            known = load(&b.wrong)
            while i < known and not replace_if(&b.wrong, known, i):
                known = load(&b.wrong)
            return
        chosen[i] = action


cdef class Tables:
    """Many tables at which hands are played in step, one choice at each table in every step.

    All arrays are made once and written anew by every call. docs/tables.md tells what the actions, the
    features of an observation and the rewards are.

    Parameters
    ----------
    n : int
        How many tables, 1 to 10,000,000.
    rules : str or Rules
    seed : int
        0 to 2^64 - 1; the same seed gives the same hands for the same actions, whatever `threads`.
    observe : bool
        Whether observations are written; without them they are an array of no columns.
    threads : int
        1 to 1024; more than there are processors are not used.
    stakes : {"random", "none"}
        What is staked 坐庄, 拉庄, 踹 before each hand, where the rules have stakes.

    Attributes
    ----------
    observation : (n, 464) uint8
        What the seat that is asked knows, feature by feature.
    mask : (n, 84) bool
        Its legal actions.
    seat : (n,) uint8
        The seat that is asked.
    reward : (n, 4) int32
        Points that each seat has gained or lost, where a hand has ended in this step; else 0.
    done : (n,) bool
        Whether a hand has ended in this step; what is asked then belongs to the next hand.

    Raises
    ------
    TjmjError
        For numbers out of their range, unknown rules, and rules whose points may not fit into 32 bits.
    MemoryError
        If there is not enough memory for so many tables.
    """

    cdef Block block
    cdef RulesTerms terms
    cdef void *memory
    cdef volatile int64_t busy
    cdef int crew
    cdef readonly object rules
    cdef readonly object seed
    cdef readonly object stakes
    cdef readonly object threads
    cdef readonly object observation
    cdef readonly object mask
    cdef readonly object seat
    cdef readonly object reward
    cdef readonly object done
    cdef object sampled
    cdef list held      # buffers of the arrays, which keep them where they are

    def __init__(self, n, rules="tianjin", seed=0, observe=True, threads=1, stakes="random"):
        if self.memory != NULL:
            raise TypeError("tables are set up once")
        self.terms = terms_of(rules)
        self.rules = self.terms.rules
        check_points(self.rules)
        if stakes not in STAKING:
            raise TjmjError(f"stakes {shown(stakes)}: they are {' or '.join(map(repr, STAKING))}")
        self.stakes = stakes
        self.threads = threads_wanted(threads)
        self.seed = whole("seed", seed, 0, 2**64 - 1)
        if type(observe) is not bool:
            raise TypeError(f"observe is {observe!r}: true or false is wanted")
        self._take_memory(whole("n", n, 1, MOST_TABLES), observe)
        self.block.terms = &self.terms.c
        self.block.seed = self.seed
        self.block.staking = stakes == "random"
        self.block.first_dealer = -1 if self.rules.first_dealer == "random" else self.rules.first_dealer
        self.crew = hire(self.threads)
        self.reset()

    cdef _take_memory(self, int64_t n, bint observing):
        cdef Block *b = &self.block
        cdef size_t size = n * (sizeof(Table) + sizeof(Choices) + KEPT)
        size += n * sizeof(Public) if observing else 0
        self.memory = PyMem_RawCalloc(size + LINE, 1)
        if self.memory == NULL:
            raise MemoryError(f"no memory for {n} tables")
        b.tables = <Table *>((<size_t>self.memory + LINE - 1) & ~<size_t>(LINE - 1))
        b.choices = <Choices *>(b.tables + n)
        b.chosen = <uint8_t *>(b.choices + n)
        b.public = <Public *>(b.chosen + KEPT * n) if observing else NULL
        self.observation = np.zeros((n, WIDTH if observing else 0), np.uint8)
        self.mask = np.zeros((n, CHOICES), bool)
        self.seat = np.zeros(n, np.uint8)
        self.reward = np.zeros((n, 4), np.int32)
        self.done = np.zeros(n, bool)
        self.sampled = np.zeros(n, np.int32)
        self.held = []
        b.observation = <uint8_t *>self._data(self.observation)
        b.mask = <uint8_t *>self._data(self.mask)
        b.seat = <uint8_t *>self._data(self.seat)
        b.reward = <int32_t *>self._data(self.reward)
        b.done = <uint8_t *>self._data(self.done)
        b.count = n     # once all is there

    cdef void *_data(self, array):
        """Where an array's bytes lie; it stays there as long as its buffer is held."""
        cdef uint8_t[::1] data = array.reshape(-1).view(np.uint8)
        self.held.append(data)
        return &data[0] if data.shape[0] else NULL

    def __dealloc__(self):
        PyMem_RawFree(self.memory)

    def __len__(self):
        return self.block.count

    def __repr__(self):
        return (f"tjmj.env.Tables({self.block.count}, rules={self.rules!r}, seed={self.seed}, "
                f"observe={self.block.public != NULL}, threads={self.threads}, stakes={self.stakes!r})")

    def __reduce__(self):
        raise TypeError("tables are not pickled; write down their seed and the actions")

    def reset(self):
        """Begin again with the first hand of each table.

        Returns
        -------
        observation, mask, seat
            The arrays that are attributes too.
        """
        self._enter()
        try:
            self.block.step = 0
            with nogil:
                run(reset_part, &self.block, self._parts(), self.crew)
        finally:
            self.busy = 0
        return self.observation, self.mask, self.seat

    def step(self, actions):
        """Play one action at each table, and go on to the next choice there.

        Parameters
        ----------
        actions : (n,) integers
            A legal action of each table; int32 without gaps is fastest.

        Returns
        -------
        observation, mask, seat, reward, done
            The arrays that are attributes too.

        Raises
        ------
        IllegalMove
            For an illegal action; it names the first table that has one. Nothing has changed then.
        TjmjError
            For a wrong number of actions, and while another thread is in a call.
        TypeError
            For actions that are no integers.
        """
        cdef Block *b = &self.block
        cdef const int32_t[::1] given = self._as_actions(actions)
        self._enter()
        try:
            b.actions = &given[0]
            b.wrong = b.count
            with nogil:
                run(take_part, b, self._parts(), self.crew)
                if b.wrong == b.count:
                    b.step += 1
                    run(step_part, b, self._parts(), self.crew)
            if b.wrong < b.count:
                self._refuse(b.wrong, int(np.asarray(actions)[b.wrong]))
        finally:
            self.busy = 0
        return self.observation, self.mask, self.seat, self.reward, self.done

    def sample(self, rng):
        """Any legal action of each table, each with the same chance.

        Parameters
        ----------
        rng : numpy.random.Generator or int
            Whole numbers are seeds: the same one gives the same actions.

        Returns
        -------
        (n,) int32
            Written anew by every call.
        """
        cdef uint64_t state
        cdef int64_t i
        cdef int32_t[::1] chosen = self.sampled
        cdef const Choices *choices = self.block.choices
        seed = rng.integers(2**64, dtype=np.uint64) if isinstance(rng, np.random.Generator) else rng
        state = whole("rng", seed, 0, 2**64 - 1)
        self._enter()
        with nogil:
            for i in range(self.block.count):
                chosen[i] = any_choice(choices[i].bits[0], choices[i].bits[1], &state)
        self.busy = 0
        return self.sampled

    def move(self, table, action):
        """A legal action of a table as a record writes it, such as `"2p5W"`; passing is `"2pass"`.

        Raises
        ------
        IllegalMove
            For an action that is not legal there.
        """
        cdef int64_t i = self._table(table)
        cdef int64_t number = whole("action", action, -2**31, 2**31 - 1)
        cdef const Asking *a = &self.block.tables[i].asking
        self._enter()
        try:
            if not 0 <= number < CHOICES or not self.block.choices[i].bits[number >> 6] >> (number & 63) & 1:
                self._refuse(i, number)
            return f"{a.seat}pass" if number == PASS else move_of(a, number)
        finally:
            self.busy = 0

    @property
    def hands(self):
        """How many hands have ended at each table: (n,) int64, made anew."""
        cdef int64_t i
        cdef int64_t[::1] counted = np.zeros(self.block.count, np.int64)
        self._enter()
        for i in range(self.block.count):
            counted[i] = self.block.tables[i].hand
        self.busy = 0
        return np.asarray(counted)

    def record(self, table, finished=True):
        """The `Record` of the hand that has ended last at a table.

        Parameters
        ----------
        table : int
        finished : bool
            False for the hand that is being played: its moves so far, without a result.

        Raises
        ------
        TjmjError
            If there is no such table, no hand has ended there, or another thread is in a call.
        """
        cdef int64_t i = self._table(table)
        if type(finished) is not bool:
            raise TypeError(f"finished is {finished!r}: true or false is wanted")
        self._enter()
        try:
            if finished and not self.block.tables[i].hand:
                raise TjmjError(f"no hand has ended at table {i}")
            made = self._told(i, finished)
        finally:
            self.busy = 0
        return replace(made, result=play_of(made, after=None).result()) if finished else made

    cdef _told(self, int64_t i, bint finished):
        """Deal the hand again and play what was chosen."""
        cdef Table *t = &self.block.tables[i]
        cdef const Terms *terms = self.block.terms
        cdef uint64_t step, first = t.finished_began if finished else t.began
        cdef uint64_t end = t.began if finished else self.block.step
        cdef uint64_t rng = fast_state(t.stream, t.hand - finished)
        cdef Asking a
        cdef uint64_t[2] choices
        cdef uint16_t[MOST_MOVES] log
        cdef int dealer = t.finished_dealer if finished else t.asking.game.dealer
        cdef Dealt dealt = fast_hand(&a.game, terms, dealer, self.block.staking, &rng)
        begin_asking(&a, terms, choices, log)
        for step in range(first, end):
            answer_called(&a, terms, chosen_in(&self.block, step)[i])
        return of_hand(self.rules, a.game.dealer, stakes_of(&dealt), list(dealt.dice)[:dice_count(terms)],
                       bytes(a.game.wall[:2 * terms.stacks]), told_moves(log, a.moves), None)

    cdef int64_t _table(self, table) except -1:
        return whole("table", table, 0, self.block.count - 1)

    cdef int _parts(self) noexcept nogil:
        cdef int64_t most = self.block.count // LEAST_PART
        return <int>min(most, PARTS * self.crew) if most > 1 else 1

    cdef int _enter(self) except -1:
        if swap(&self.busy, 1):
            raise TjmjError("another thread is playing at these tables")
        return 0

    cdef object _as_actions(self, actions):
        array = whole_numbers("actions", actions)
        if array.shape != (self.block.count,):
            raise TjmjError(f"actions of shape {array.shape}: ({self.block.count},) is wanted")
        if array.dtype.itemsize > 4 or array.dtype == np.uint32:
            array = np.clip(array, -1, CHOICES)     # what does not fit is no action either
        return np.ascontiguousarray(array, np.int32)

    cdef _refuse(self, int64_t i, action):
        cdef Table *t = &self.block.tables[i]
        name = ACTIONS[action] if 0 <= action < CHOICES else str(action)
        legal = ", ".join([ACTIONS[a] for a in range(CHOICES) if self.block.choices[i].bits[a >> 6] >> (a & 63) & 1])
        raise IllegalMove(name, f"action {action} of table {i} is not one of its seat {t.asking.seat}: {legal}")


def check_points(rules):
    """Refuse rules by which a seat may gain or lose more points in a hand than a reward holds."""
    kongs = 16 * max(rules.gold_kong, rules.concealed_kong, rules.exposed_kong)
    most = 3 * 16 * rules.base * (256 * rules.heavenly_factor + kongs + rules.chan)
    if rules.counting == "flowers":
        most = 9 * (rules.base + 24 * rules.value) << rules.cap_fan
    if min(most, rules.cap or most) >= 2**31:
        raise RulesError(f"points of {rules!r} may not fit into 32 bits")
