"""Slow reference referee: the rules of play of Tianjin and Jintan, move by move.

It states the rules as plainly as it can and shares no code with the package that it
tests. Section numbers are those of the Tianjin specification; "Jintan" and "record"
name the other pages. Hands are scored by ``reference`` and ``reference_jintan``.
"""

from __future__ import annotations

import copy
import json
from functools import cache

import reference
import reference_jintan
from referee_deal import (
    FLOWERS,
    KINDS,
    ORDER,
    Meld,
    Wall,
    check_header,
    check_seed,
    deal_from_seed,
    full_rules,
    ruleset,
    tiles_text,
    wild_kinds,
)
from referee_settle import settle

__all__ = ["Meld", "Referee", "Fault", "verify", "replay", "perft", "deal_from_seed"]

NO_STAKES = {"sit": False, "pull": [0] * 4, "kick": [False] * 4}

#: Options that the score of a Tianjin hand depends on.
SCORING = ("wild_kinds", "flower_wilds", "min_fan", "plain_dragon", "earthly",
           "heavenly_ready", "heavenly_factor", "heavenly_mode")
JINTAN_SCORING = ("base", "value", "min_flowers", "cap_fan")


@cache
def _score(text: str, flip: str, options: tuple, flags: tuple) -> dict:
    return reference.score(text, flip, dict(options), **dict(flags))


@cache
def _score_jintan(text: str, source: str, flowers: int, options: tuple) -> dict:
    return reference_jintan.score(text, source, flowers, dict(options))


class Referee:
    """One hand of play, from the dealt position to its end.

    The hand waits in a *phase*: ``turn`` (``seat`` acts), ``declare`` (天听), ``claim``
    (``tile`` was discarded by ``seat``), ``rob`` (``seat`` adds ``tile`` to a pong),
    ``wins`` (somebody won on ``tile``; others still may) or ``over``. Phases in which
    nobody can do anything are passed at once.

    Attributes
    ----------
    hands, melds, discards, flowers : list of list
        Per seat: concealed tiles in canonical order, melds, discards in order (claimed
        ones stay), flowers laid out.
    thrown : list of tuple
        All discards of the hand as (seat, tile).
    lost : list of bool
        小相公: discarded a wildcard and cannot win any more.
    ready : list of bool
        天听: declared.
    drawn : str or None
        The tile drawn last in this turn; none right after a claim.
    end : str or None
        ``win``, ``exhausted`` or ``flowers`` once the hand is over.
    """

    def __init__(self, rules: dict, dealer: int, stakes: dict | None, wall: str,
                 flip_throw: int) -> None:
        self.rules = full_rules(rules)
        self.ruleset = ruleset(self.rules)
        self.dealer = dealer
        self.stakes = NO_STAKES | (stakes or {})
        self.wall = Wall(wall, self.rules, flip_throw)
        self.flipped = self.wall.flipped
        self.wild = wild_kinds(self.flipped, self.rules)
        self.hands: list[list[str]] = [[], [], [], []]
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.discards: list[list[str]] = [[], [], [], []]
        self.flowers: list[list[str]] = [[], [], [], []]
        self.thrown: list[tuple[int, str]] = []
        self.lost = [False] * 4
        self.ready = [False] * 4
        self.melded = False            # any claim or kong so far
        self.last_declarer = 0         # how far the declarations went round
        # Jintan, Winning: the kind that lock a closes; the best win passed (lock b).
        self.own_throw: list[str | None] = [None] * 4
        self.passed: list[tuple[int, int] | None] = [None] * 4
        self.tile: str | None = None   # discarded, or robbed if so
        self.robbed = False
        self.end: str | None = None
        self.winners: list[dict] = []
        self._deal()

    @classmethod
    def from_record(cls, record: dict) -> Referee:
        """The dealt position of a record; its moves are not played (see `replay`)."""
        return cls(record["rules"], record["dealer"], record.get("stakes"), record["wall"],
                   sum(record["dice"].get("flip", ())))

    def copy(self) -> Referee:
        """An independent position that is equal to this one."""
        other = copy.copy(self)
        for name in ("hands", "melds", "discards", "flowers"):
            setattr(other, name, [list(row) for row in getattr(self, name)])
        for name in ("thrown", "lost", "ready", "own_throw", "passed", "winners"):
            setattr(other, name, list(getattr(self, name)))
        other.wall = copy.copy(self.wall)
        other.wall.taken = set(self.wall.taken)
        return other

    # Dealing and drawing (sections 1 and 3).

    def _deal(self) -> None:
        for place in range(48):  # three rounds, two stacks each
            self._take(self.dealer + place // 4, place)
        for place, turn in ((48, 0), (49, 1), (50, 2), (51, 3), (52, 0)):  # 跳牌
            self._take(self.dealer + turn, place)
        self._start_turn(self.dealer, "draw")
        self.drawn = self.wall.tiles[52]
        self._lay_out_flowers()

    def _take(self, seat: int, place: int) -> str:
        tile = self.wall.take(place)
        hand = self.hands[seat % 4]
        hand.append(tile)
        hand.sort(key=ORDER.__getitem__)
        return tile

    @property
    def front_left(self) -> int:
        """Tiles that front draws can still take."""
        return len(self.wall.front_places())

    @property
    def back_left(self) -> int:
        """Tiles that front draws cannot reach; without a flipped stack all that is left."""
        left = len(self.wall.back_places())
        shared = self.wall.front_end == len(self.wall.tiles)
        return left if shared else left - self.front_left

    @property
    def replacements_left(self) -> int:
        """Tiles that a kong's replacement can be: all that are left."""
        return len(self.wall.back_places())

    def _draw(self, back: bool) -> bool:
        """Draw for the acting seat; 荒庄 (流局) where none is left."""
        places = self.wall.back_places() if back else self.wall.front_places()
        if not places:
            self._finish("exhausted")
            return False
        self.drawn = self._take(self.seat, places[0])
        return True

    def _lay_out_flowers(self) -> None:
        """Jintan: lay out all flowers in hand, replace them, until none is left."""
        if not self.ruleset.flowers_laid:
            return
        hand, laid = self.hands[self.seat], self.flowers[self.seat]
        while found := [tile for tile in hand if tile in FLOWERS]:
            laid += found
            hand[:] = [tile for tile in hand if tile not in FLOWERS]
            self.kong_draw = False  # a flower's replacement is no 杠开
            if len(laid) == 8:      # looked at before the draw that may be missing
                self._win_by_flowers()
                return
            for _ in found:
                if not self._draw(back=True):
                    return

    # Turns.

    def _start_turn(self, seat: int, began: str) -> None:
        self.phase, self.seat, self.began = "turn", seat, began
        self.drawn, self.kong_draw = None, False
        self.own_throw[seat] = self.passed[seat] = None  # a draw or claim ends both locks

    def _next_seat_draws(self) -> None:
        self._start_turn((self.seat + 1) % 4, "draw")
        if self._draw(back=False):
            self._lay_out_flowers()

    def _replace_kong_tile(self) -> None:
        if self._draw(back=True):
            self.kong_draw = True
            self._lay_out_flowers()

    def _finish(self, end: str) -> None:
        self.phase, self.end = "over", end

    def _win_by_flowers(self) -> None:
        """Jintan 八花: flowers are the eight and those of the melds."""
        fan = self.rules["cap_fan"]
        flowers = 8 + sum(reference_jintan.meld_flowers(
            "exposed" if meld.form == "added" else meld.form, meld.tile)
            for meld in self.melds[self.seat])
        points = (self.rules["base"] + flowers * self.rules["value"]) * 2**fan
        self.winners.append({"seat": self.seat, "elements": ["bahua"], "fan": fan,
                             "flowers": flowers, "points": points})
        self._finish("flowers")

    # What the seats may do.

    def legal(self) -> list[str]:
        """All legal next moves of all seats, those after everybody passing included."""
        state, moves = self.copy(), []
        while True:
            moves += state.window_moves()
            if state.phase in ("turn", "over"):
                return sorted(moves)
            state._pass()

    def window_moves(self) -> list[str]:
        """The moves that the open phase itself allows."""
        if self.phase == "turn":
            return self._turn_moves()
        if self.phase == "declare":
            # A claim is open too, but only once the declarations are passed.
            return [f"{seat}r" for seat in self._declarers()]
        if self.phase == "claim":
            return [move for seat in self._others() for move in self._claims(seat)]
        if self.phase in ("rob", "wins"):
            return [f"{seat}w{self.tile}" for seat in self._takers()]
        return []

    def _others(self) -> list[int]:
        return [(self.seat + step) % 4 for step in (1, 2, 3)]

    def _turn_moves(self) -> list[str]:
        seat, hand = self.seat, self.hands[self.seat]
        moves = [f"{seat}h"] if self._self_drawn_win() else []
        if self.ready[seat]:  # only wins or discards what it draws
            return [*moves, f"{seat}d{self.drawn}"]
        moves += [f"{seat}d{tile}" for tile in sorted(set(hand))]
        # After a pong only a discard: kongs of an own turn need a draw (section 3.3).
        if (self.drawn or self.ruleset.kong_after_claim) and self.replacements_left:
            moves += [f"{seat}c{tile}" for tile in sorted(set(hand))
                      if hand.count(tile) == 4
                      and (tile not in self.wild or self.rules["gold_kong"])]
            moves += [f"{seat}a{meld.tile}" for meld in self.melds[seat]
                      if meld.form == "pong" and meld.tile in hand]
        return moves

    def _claims(self, seat: int) -> list[str]:
        tile, moves = self.tile, []
        if self.ready[seat]:
            return moves
        if self._take_score(seat):
            moves.append(f"{seat}w{tile}")
        wild, held = tile in self.wild, self.hands[seat].count(tile)
        if not self._claims_closed():
            if held >= 2 and not wild:
                moves.append(f"{seat}p{tile}")
            gold = wild and self.rules["gold_kong"] and self.rules["gold_kong_by_discard"]
            if held == 3 and (not wild or gold) and self.replacements_left:
                moves.append(f"{seat}o{tile}")
        if self.ruleset.chow and seat == (self.seat + 1) % 4:
            moves += [f"{seat}e{lowest}" for lowest in self._chows(seat)]
        return moves

    def _claims_closed(self) -> bool:
        closed = self.rules.get("last_tiles_closed", 0)
        return 0 < closed >= self.front_left

    def _chows(self, seat: int) -> list[str]:
        digit, suit = int(self.tile[0]), self.tile[1]
        if suit not in "WTB":
            return []
        return [f"{low}{suit}" for low in range(max(1, digit - 2), min(7, digit) + 1)
                if all(f"{n}{suit}" in self.hands[seat]
                       for n in range(low, low + 3) if n != digit)]

    def _declarers(self) -> list[int]:
        """Seats that may declare 天听: in turn order, none before one that did."""
        return [(self.dealer + step) % 4 for step in range(self.last_declarer + 1, 4)
                if self._waits((self.dealer + step) % 4)]

    def _waits(self, seat: int) -> bool:
        """A kind that the seat does not see every copy of would win (天听 counted)."""
        hand = self.hands[seat]
        for tile in KINDS + (FLOWERS if self.rules["flower_wilds"] else []):
            copies = 1 if tile in FLOWERS else 4
            if hand.count(tile) + (tile == self.flipped) < copies and \
                    self._score(seat, hand, tile, ready=True)["legal"]:
                return True
        return False

    # Winning (section 4; Jintan, Winning).

    def _score(self, seat: int, concealed: list[str], last: str | None,
               **flags: bool) -> dict:
        text = "".join(meld.text() for meld in self.melds[seat]) + tiles_text(concealed)
        if last:
            text += f"+{last}"
        options = tuple((key, self.rules[key]) for key in SCORING)
        return _score(text, self.flipped, options, tuple(flags.items()))

    def _score_jintan(self, seat: int, concealed: list[str], last: str,
                      source: str) -> dict:
        text = "".join(meld.text() for meld in self.melds[seat])
        text += f"{tiles_text(concealed)}+{last}"
        options = tuple((key, self.rules[key]) for key in JINTAN_SCORING)
        return _score_jintan(text, source, len(self.flowers[seat]), options)

    def _self_drawn_win(self) -> dict | None:
        """The score of a win on the own draw, if the seat may win."""
        seat = self.seat
        if self.drawn is None or self.lost[seat]:
            return None
        before = list(self.hands[seat])
        before.remove(self.drawn)
        if self.ruleset.win_on_discard:
            source = "kong" if self.kong_draw else "self"
            score = self._score_jintan(seat, before, self.drawn, source)
        elif not self.thrown and not self.melded:
            # 天和: any of the 14 may count as the winning tile, so none is named.
            score = self._score(seat, self.hands[seat], None, heavenly=True)
        else:
            # 地和: without a claim or kong a seat's first turn is its first front draw.
            first = (self.rules["earthly"] and not self.melded
                     and seat != self.dealer and not self.discards[seat])
            score = self._score(seat, before, self.drawn, kong_draw=self.kong_draw,
                                earthly=first, ready=self.ready[seat])
        return score if score["legal"] else None

    def _take_score(self, seat: int) -> dict | None:
        """The score of a win on the discarded or robbed tile, if the seat may win."""
        hand = self.hands[seat]
        # Before its first action a seat may hold flowers, and so too few tiles to win.
        if not self.ruleset.win_on_discard or any(tile in FLOWERS for tile in hand):
            return None
        source = "rob" if self.robbed else "discard"
        score = self._score_jintan(seat, hand, self.tile, source)
        if not score["legal"] or self.own_throw[seat] == self.tile:  # lock a
            return None
        if not self.robbed and self.passed[seat]:  # lock b speaks of discards
            points, fan = self.passed[seat]
            if not (score["fan"] > fan and score["points"] > points):
                return None
        return score

    def _takers(self) -> list[int]:
        """Seats that may still win on the tile; wins are written in turn order."""
        last = self.winners[-1]["seat"] if self.winners else self.seat
        return [seat for seat in self._others()
                if (seat - self.seat) % 4 > (last - self.seat) % 4 and self._take_score(seat)]

    # Passing and playing.

    def _open(self, phase: str) -> None:
        """Open a phase, or pass it where nobody can do anything in it."""
        self.phase = phase
        if not self.window_moves():
            self._pass()

    def _pass(self) -> None:
        """Everybody passes in the open phase."""
        if self.phase == "declare":
            self._open("claim")
        elif self.phase == "claim":
            self._remember_passed_wins()
            self._next_seat_draws()
        elif self.phase == "rob":
            self._complete_added_kong()
        elif self.phase == "wins":
            self._finish("win")

    def _remember_passed_wins(self) -> None:
        """Jintan, lock b: the best win let pass, by points, then fan."""
        for seat in self._others():
            score = self._take_score(seat)
            if score:
                best = (score["points"], score["fan"])
                self.passed[seat] = max(self.passed[seat] or best, best)

    def apply(self, move: str) -> None:
        """Play one move.

        Raises
        ------
        ValueError
            If the move is not legal here; nothing has then changed.
        """
        if move not in self.legal():
            raise ValueError(f"{move} is not legal here")
        while move not in self.window_moves():
            self._pass()
        seat, letter, tile = int(move[0]), move[1], move[2:]
        if letter == "d":
            self._discard(tile)
        elif letter in "hw":
            self._win(seat, letter)
        elif letter == "r":
            self.ready[seat] = True
            self.last_declarer = (seat - self.dealer) % 4
            self._open("declare")
        elif letter in "poe":
            self._claim(seat, letter, tile)
        elif letter == "c":
            self._take_out(seat, [tile] * 4)
            self._add_meld(seat, Meld("concealed", tile))
            self._replace_kong_tile()
        elif letter == "a":
            self._take_out(seat, [tile])
            self.tile, self.robbed = tile, True
            self._open("rob")

    def _take_out(self, seat: int, tiles: list[str]) -> None:
        for tile in tiles:
            self.hands[seat].remove(tile)

    def _add_meld(self, seat: int, meld: Meld) -> None:
        self.melds[seat].append(meld)
        self.melded = True

    def _discard(self, tile: str) -> None:
        seat = self.seat
        self._take_out(seat, [tile])
        self.discards[seat].append(tile)
        self.thrown.append((seat, tile))
        self.tile, self.robbed = tile, False
        if tile in self.wild:
            self.lost[seat] = True
        # Lock a spares 独吊 thrown after a claim (Jintan, point 13).
        single = self.began in ("chow", "pong") and len(self.melds[seat]) == 4
        self.own_throw[seat] = None if single else tile
        first = len(self.thrown) == 1 and self.rules.get("heavenly_ready")
        self._open("declare" if first else "claim")

    def _claim(self, seat: int, letter: str, tile: str) -> None:
        """Take the discard for a pong, an exposed kong or a chow (``tile`` its lowest)."""
        self._remember_passed_wins()
        taken = self.tile
        if letter == "e":
            run = [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)]
            run.remove(taken)
            self._take_out(seat, run)
        else:
            self._take_out(seat, [taken] * (2 if letter == "p" else 3))
        form = {"p": "pong", "o": "exposed", "e": "chow"}[letter]
        self._add_meld(seat, Meld(form, tile, self.seat))
        self._start_turn(seat, form)
        self._lay_out_flowers()  # Jintan: those of the deal come before a kong's own tile
        if letter == "o" and self.phase == "turn":
            self._replace_kong_tile()

    def _complete_added_kong(self) -> None:
        melds = self.melds[self.seat]
        place = next(i for i, meld in enumerate(melds)
                     if meld.form == "pong" and meld.tile == self.tile)
        melds[place] = Meld("added", self.tile, melds[place].source)
        self.phase, self.melded = "turn", True
        self._replace_kong_tile()

    def _win(self, seat: int, letter: str) -> None:
        score = self._self_drawn_win() if letter == "h" else self._take_score(seat)
        winner = {"seat": seat, "elements": score["elements"], "fan": score["fan"]}
        if self.ruleset.win_on_discard:
            winner |= {"flowers": score["flowers"], "points": score["points"]}
        if letter == "w":
            winner["from"] = self.seat
        self.winners.append(winner)
        if letter == "h":
            self._finish("win")
        else:
            self._open("wins")

    # The end.

    def _after_passes(self) -> Referee:
        state = self.copy()
        while state.phase not in ("turn", "over"):
            state._pass()
        return state

    def may_end(self) -> bool:
        """Whether the hand is over, or is if everybody passes now."""
        return self._after_passes().phase == "over"

    def settlement(self) -> list[dict]:
        """Every payment, line by line; valid where `may_end` holds."""
        return settle(self._ended())[0]

    def result(self) -> dict:
        """A record's ``result``; valid where `may_end` holds."""
        state = self._ended()
        return {"end": state.end, "winners": state.winners, "net": settle(state)[1]}

    def _ended(self) -> Referee:
        state = self._after_passes()
        if state.phase != "over":
            raise ValueError("the hand has not ended")
        return state

    def default(self, seat: int) -> str:
        """What a server plays for a silent seat (table, Windows)."""
        if self.phase != "turn" or seat != self.seat:
            return "pass"
        natural = [tile for tile in self.hands[seat] if tile not in self.wild]
        if self.drawn and (self.ready[seat] or self.drawn not in self.wild or not natural):
            return f"d{self.drawn}"
        return f"d{(natural or self.hands[seat])[-1]}"


# Records.

class Fault(ValueError):
    """A record's first fault; ``move`` counts from 1 and is None outside the moves."""

    def __init__(self, reason: str, move: int | None = None) -> None:
        super().__init__(reason if move is None else f"move {move}: {reason}")
        self.move = move


def replay(record: dict) -> Referee:
    """The position after all moves of a record; raises `Fault` at an illegal one."""
    referee = Referee.from_record(record)
    for number, move in enumerate(record.get("moves", "").split(), 1):
        try:
            referee.apply(move)
        except ValueError as error:
            over = referee.phase == "over"
            raise Fault("moves after the end" if over else str(error), number) from None
    return referee


def verify(record: dict) -> None:
    """Raise `Fault` for the first fault of a record: header, moves, result, seed."""
    try:
        check_header(record)
        if not isinstance(record.get("moves"), str):
            raise ValueError("moves")
    except ValueError as error:
        raise Fault(str(error)) from None
    referee = replay(record)
    if not referee.may_end():
        raise Fault("the hand has not ended")
    result = referee.result()
    # As text, so that true or 1.0 does not pass for 1.
    if json.dumps(record.get("result"), sort_keys=True) != json.dumps(result, sort_keys=True):
        raise Fault(f"result {record.get('result')}, should be {result}")
    try:
        check_seed(record)
    except ValueError as error:
        raise Fault(str(error)) from None


def perft(record: dict, depth: int, after: int = 0) -> list[int]:
    """Numbers of legal move lists of 1 to ``depth`` moves (record, Perft).

    They start from a record's deal, after its first ``after`` moves.
    """
    referee = Referee.from_record(record)
    for move in record.get("moves", "").split()[:after]:
        referee.apply(move)
    counts = [0] * depth
    _count(referee, 0, counts)
    return counts


def _count(referee: Referee, level: int, counts: list[int]) -> None:
    moves = referee.legal()
    counts[level] += len(moves)
    if level + 1 < len(counts):
        for move in moves:
            following = referee.copy()
            following.apply(move)
            _count(following, level + 1, counts)
