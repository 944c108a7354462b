"""A plain round on the referee: windows, pending answers, defaults, views, straight from the specification.

Like the referee it imports nothing from the package. A seat that has answered the open window is asked no
more; what its view shows as its answers is left to the caller.
"""

from __future__ import annotations

from typing import Any

from referee import Referee
from referee_deal import ORDER, full_rules

STAKES = ("sit", "pull", "kick")
WIN = 3
NOTHING: dict[str, Any] = {"sit": False, "pull": [0] * 4, "kick": [False] * 4}


def strength(answer: str) -> int:
    """Claims in order of strength (jintan, Turns): a win, a pong or kong, a chow, passing."""
    return 0 if answer == "pass" else {"w": WIN, "p": 2, "o": 2, "e": 1}[answer[0]]


class PlainRound:
    """A round (table, Windows and Views).

    Attributes
    ----------
    window : str or None
        Name of the open window, None once the round is over.
    turn : int
        Number of the open window.
    given : dict
        Answers to it so far.
    stakes : dict
        As far as they are chosen.
    referee : Referee or None
        The hand, from the deal on.
    """

    def __init__(self, rules: dict[str, Any], dealer: int, dice: dict[str, Any], wall: str) -> None:
        self.written = rules
        self.rules = full_rules(rules)
        self.dealer = dealer
        self.dice = dice
        self.wall = wall
        self.turn = 0
        self.window: str | None = "sit"
        self.given: dict[int, str] = {}
        self.stakes: dict[str, Any] = {}
        self.referee: Referee | None = None
        self.claimed: dict[tuple[int, int], int] = {}  # (seat, place in its row) to who took it
        self.chowed: dict[int, str] = {}  # a chow's id to the tile that was taken for it
        if not self.rules.get("stakes"):
            self._deal()

    # Windows

    def asked(self) -> dict[int, list[str]]:
        """All seats that the window asks, answered or not, and their legal answers."""
        if self.window is None:
            return {}
        if self.window == "sit":
            return {self.dealer: ["sit", "stand"]}
        if self.window == "pull":
            words = [f"pull{n}" for n in range(self.rules["max_pulls"] + 1)]
            return {seat: words for seat in range(4) if seat != self.dealer}
        if self.window == "kick":
            return {self.dealer: self._kicks()}
        if self.window == "turn":
            return {self.referee.seat: [move[1:] for move in self.referee.window_moves()]}
        if self.window == "declare":
            return {self.referee._declarers()[0]: ["r", "pass"]}
        asked: dict[int, list[str]] = {}
        for move in self.referee.window_moves():
            asked.setdefault(int(move[0]), ["pass"]).append(move[1:])
        return asked

    def pending(self) -> dict[int, list[str]]:
        """Seats whose answer is outstanding, and their legal answers."""
        return {seat: words for seat, words in self.asked().items() if seat not in self.given}

    def _kicks(self) -> list[str]:
        pulled = [seat for seat in range(4) if self.stakes["pull"][seat]]
        sets = [
            [seat for place, seat in enumerate(pulled) if n >> place & 1] for n in range(2 ** len(pulled))
        ]
        return ["kick" + "".join(map(str, kicked)) for kicked in sets]

    def default(self, seat: int) -> str:
        """What a server plays for a silent seat."""
        return {"sit": "stand", "pull": "pull0", "kick": "kick"}.get(self.window) or self.referee.default(
            seat
        )

    def play(self, seat: int, answer: str) -> None:
        """Answer the open window."""
        assert answer in self.pending()[seat]
        self.given[seat] = answer
        if self.window in STAKES:
            if not self.pending():
                self._close_stakes(self.window)
        elif self.window == "turn" or answer == "r":
            self.referee.apply(f"{seat}{answer}")
            self._next()
        elif self.window == "declare":
            # The referee lets all pass at once; here one seat is asked after the other.
            self.referee.last_declarer = (seat - self.dealer) % 4
            self.referee._open("declare")
            self._next()
        elif not any(self._could_change(words) for words in self.pending().values()):
            self._close_claims()
            self._next()

    def _could_change(self, words: list[str]) -> bool:
        """Whether an outstanding answer could change the outcome: wins stand together, else the strongest."""
        best = max(map(strength, self.given.values()))
        strongest = max(map(strength, words))
        return strongest == WIN or strongest > best

    def _close_claims(self) -> None:
        """All wins in turn order, or else the strongest claim, or else nothing."""
        hand = self.referee
        giver, place = hand.seat, len(hand.discards[hand.seat]) - 1
        best = max(map(strength, self.given.values()))
        takers = [seat for seat in hand._others() if strength(self.given.get(seat, "pass")) == best > 0]
        for seat in takers:
            hand.apply(f"{seat}{self.given[seat]}")
            if best < WIN:
                self.claimed[giver, place] = seat
                self.chowed[id(hand.melds[seat][-1])] = hand.discards[giver][place]
        if not takers or hand.phase == "wins":
            hand._pass()

    def _close_stakes(self, window: str) -> None:
        answers = [self.given.get(seat, "") for seat in range(4)]
        if window == "sit":
            self.stakes["sit"] = answers[self.dealer] == "sit"
        elif window == "pull":
            self.stakes["pull"] = [int(answer[4:] or 0) for answer in answers]
        else:
            self.stakes["kick"] = [str(seat) in answers[self.dealer] for seat in range(4)]
        self.turn += 1
        self.given = {}
        if window == "sit" and self.rules["max_pulls"]:
            self.window = "pull"
        elif window == "pull" and self.rules["chuai"] and any(self.stakes["pull"]):
            self.window = "kick"
        else:
            self._deal()

    def _deal(self) -> None:
        if self.rules.get("stakes"):
            self.stakes = NOTHING | self.stakes
        flip = sum(self.dice.get("flip", ()))
        self.referee = Referee(self.written, self.dealer, self.stakes or None, self.wall, flip)
        self.window = None if self.referee.phase == "over" else "turn"

    def _next(self) -> None:
        self.turn += 1
        self.given = {}
        self.window = None if self.referee.phase == "over" else self.referee.phase

    # Views

    def view(self, seat: int | None, open: bool = False) -> dict[str, Any]:
        """What a seat knows, in its JSON form but for `answers`, `next`, scores, and the order of flowers."""
        hand = self.referee
        over = self.window is None
        view: dict[str, Any] = {
            "seat": seat,
            "rules": self.written,
            "dealer": self.dealer,
            "stakes": {key: self.stakes.get(key) for key in STAKES},
            "window": None,
            "dice": None,
            "break": None,
            "flip": None,
            "wild": [],
            "front_left": None,
            "back_left": None,
            "wins": [],
            "payments": None,
            "result": None,
            "seats": [self._seat(own, over, open or own == seat) for own in range(4)],
        }
        if not over:
            whose = self.dealer if self.window in STAKES else hand.seat
            view["window"] = {"window": self.window, "turn": self.turn, "seat": whose}
        if hand is None:
            return view
        view["dice"] = {"flip": [], **self.dice}
        view["break"] = self._break()
        view["flip"] = hand.flipped
        view["wild"] = sorted(hand.wild, key=ORDER.__getitem__)
        view["front_left"], view["back_left"] = hand.front_left, hand.back_left
        if over:
            view["payments"] = self._payments()
            view["result"] = hand.result()
            view["wins"] = [self._win(winner) for winner in hand.winners]
        return view

    def _payments(self) -> list[dict[str, Any]]:
        """The referee's lines, in which a win also has its elements and flowers."""
        winners = {winner["seat"]: winner for winner in self.referee.winners}
        lines = []
        for line in self.referee.settlement():
            told = dict(line)
            if line["why"] in ("win", "flowers"):
                told |= {
                    key: winners[line["to"]][key]
                    for key in ("elements", "flowers")
                    if key in winners[line["to"]]
                }
            lines.append(told)
        return lines

    def _win(self, winner: dict[str, Any]) -> dict[str, Any]:
        hand = self.referee
        if hand.end == "flowers":
            return winner
        tile = hand.tile if "from" in winner else hand.drawn
        robbed = "from" in winner and hand.robbed
        return {"seat": winner["seat"], "tile": tile, "from": winner.get("from"), "robbed": robbed}

    def _seat(self, seat: int, over: bool, own: bool) -> dict[str, Any]:
        """One seat; `own` where its concealed tiles are seen before the end."""
        hand = self.referee
        if hand is None:
            return {"concealed": 0, "hand": None, "drawn": None, "melds": [], "discards": [], "lost": False,
                    "ready": False, "flowers": []}  # fmt: skip
        held = list(hand.hands[seat])
        if self.window == "rob" and seat == hand.seat:  # it is laid down only when nobody robs it
            held = sorted([*held, hand.tile], key=ORDER.__getitem__)
        acts = seat == hand.seat and not any("from" in winner for winner in hand.winners)
        drawn = (
            hand.drawn if acts and self.window not in ("claim", "declare") and hand.drawn in held else None
        )
        return {
            "concealed": len(held),
            "hand": held if own or over else None,
            "drawn": drawn if own else None,
            "melds": [self._meld(meld, own or over) for meld in hand.melds[seat]],
            "discards": [
                {"tile": tile, "claimed": self.claimed.get((seat, place)), "wild": tile in hand.wild}
                for place, tile in enumerate(hand.discards[seat])
            ],
            "lost": hand.lost[seat],
            "ready": hand.ready[seat],
            "flowers": sorted(hand.flowers[seat], key=ORDER.__getitem__),
        }

    def _meld(self, meld: Any, seen: bool) -> dict[str, Any]:
        """A meld; others see four backs of a concealed kong in Jintan."""
        hand = self.referee
        tiles = [meld.tile] * (3 if meld.form == "pong" else 4)
        if meld.form == "chow":
            tiles = [f"{int(meld.tile[0]) + step}{meld.tile[1]}" for step in range(3)]
        if meld.form == "concealed" and hand.ruleset.flowers_laid and not seen:
            tiles = [None] * 4
        return {
            "type": meld.form,
            "tiles": tiles,
            "claimed": None if meld.source is None else self._taken(meld),
            "from": meld.source,
            "gold": meld.tile in hand.wild,
        }

    def _taken(self, meld: Any) -> str:
        """The tile that was claimed: of a chow any of the three."""
        if meld.form != "chow":
            return meld.tile
        return self.chowed[id(meld)]

    def _break(self) -> dict[str, int]:
        first, thrown = sum(self.dice["open"][:2]), sum(self.dice["open"])
        own = self.rules.get("opening") == "one-throw"
        return {"seat": self.dealer if own else (self.dealer + first - 1) % 4, "stacks": thrown}
