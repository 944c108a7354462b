"""Two worlds that one viewer cannot tell apart: the same round with tiles exchanged that it cannot see.

A round is played and followed tile by tile: at which place of the wall each tile lies, was drawn from, or was
shown. Whatever is hidden from the viewer when the story stops (others' concealed tiles, tiles not drawn) can
then change places, and the same answers be given again.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from referee_deal import FLOWERS, Wall, full_rules
from rigged import hand_places
from rounds import Table, any_answer, rules_json

from tjmj.round import Round

Viewer = int | None


@dataclass
class Step:
    """What was answered in a window: by each seat that was asked, in that order."""

    window: str
    turn: int
    answers: list[tuple[int, str]] = field(default_factory=list)


class Follower:
    """Where the tiles of a round are, from the events that tell everything."""

    def __init__(self, table: Table) -> None:
        rules = full_rules(rules_json(table.rules))
        self.table = table
        self.wall = Wall("".join(table.wall), rules, sum(table.dice.get("flip", ())))
        self.held: list[list[int]] = [[], [], [], []]
        self.shown = set() if self.wall.flip_place is None else {self.wall.flip_place}
        self.dealt = False
        self.acted = {table.dealer}

    def hidden(self, viewer: Viewer) -> list[int]:
        """Places of the tiles that the viewer has not seen."""
        if not self.dealt:
            return list(range(len(self.table.wall)))
        known = set(self.shown)
        if viewer is not None:
            known |= set(self.held[viewer])
        return [place for place in range(len(self.table.wall)) if place not in known]

    def take_in(self, event: dict[str, Any]) -> None:
        kind, seat, tile = event["event"], event.get("seat"), event.get("tile")
        if kind in ("draw", "chow", "pong", "kong"):
            self.acted.add(seat)
        if kind == "deal":
            self.dealt = True
            for offset in range(4):
                own = (self.table.dealer + offset) % 4
                self.held[own] = hand_places(offset)
                self.wall.taken |= set(self.held[own])
        elif kind == "draw":
            places = self.wall.back_places() if event["from"] == "back" else self.wall.front_places()
            assert self.wall.take(places[0]) == tile
            self.held[seat].append(places[0])
        elif kind == "discard":
            self._show(seat, [tile])
        elif kind == "flower":
            self._show(seat, event["tiles"])
        elif kind in ("chow", "pong"):
            own = list(event["tiles"])
            own.remove(tile)
            self._show(seat, own)
        elif kind == "kong":  # a hidden one too: its kind has to stay, or it would be none
            self._show(seat, [tile] * {"exposed": 3, "added": 1, "concealed": 4}[event["kind"]])

    def _show(self, seat: int, tiles: list[str]) -> None:
        for tile in tiles:
            place = next(place for place in self.held[seat] if self.table.wall[place] == tile)
            self.held[seat].remove(place)
            self.shown.add(place)


@dataclass
class Story:
    """A round up to some window, and what was answered on the way."""

    table: Table
    steps: list[Step]
    follower: Follower


def story(rng: random.Random, table: Table, patience: float = 0.9) -> Story:
    """A random round from its beginning to some window before its end."""
    made, follower, steps = table.round(), Follower(table), []
    until = rng.choice((0, 1, 2, 3, 4, 6, 10, 15, 25, 40, 60, 999))
    told = 0
    while not made.over:
        for event in made.events(since=told, open=True):
            follower.take_in(event)
        told = len(made.events())
        if len(steps) == until:
            break
        step = Step(made.window, made.turn)
        while not made.over and made.turn == step.turn:
            seat, answer = any_answer(rng, made, patience)
            made.play(seat, answer)
            step.answers.append((seat, answer))
        steps.append(step)
    return Story(table, steps[:-1] if made.over else steps, follower)


def exchangeable(rng: random.Random, told: Story, viewer: Viewer) -> list[int]:
    """Places of tiles that the viewer has not seen, and that can lie in each other's place.

    A flower of Jintan would have been laid out where somebody has acted who holds it.
    """
    hidden = told.follower.hidden(viewer)
    if told.table.rules.name != "jintan" or not told.follower.dealt:
        return hidden
    if rng.random() < 0.5:
        return [place for place in hidden if told.table.wall[place] not in FLOWERS]
    acted = {place for seat in told.follower.acted for place in told.follower.held[seat]}
    return [place for place in hidden if place not in acted]


def exchanged(rng: random.Random, told: Story, viewer: Viewer) -> list[int]:
    """Places, each of which gets the tile of the next, and the last that of the first."""
    hidden = exchangeable(rng, told, viewer)
    taken = told.follower.wall.taken
    undrawn = [place for place in hidden if place not in taken]
    drawn = [place for place in hidden if place in taken and place > 52]
    some: Sequence[int] = rng.choice((hidden, hidden, undrawn, drawn + undrawn[:3])) or hidden
    places = rng.sample(some, min(len(some), rng.choice((2, 2, 3, 4, 8, 200))))
    if rng.random() < 0.3:  # what comes for a kong too
        back = [place for place in drawn if place > max(undrawn, default=0)]
        places = rng.sample(back, min(2, len(back))) + rng.sample(undrawn, min(2, len(undrawn))) or places
    return places


def other_world(rng: random.Random, told: Story, viewer: Viewer) -> Table:
    """The table with some tiles exchanged that the viewer has not seen at the end of the story."""
    wall = list(told.table.wall)
    if told.follower.dealt and rng.random() < 0.3:  # two seats have each other's tiles
        one, other = rng.sample([seat for seat in range(4) if seat != viewer], 2)
        moved = exchangeable(rng, told, viewer)
        mine, yours = (
            [place for place in told.follower.held[seat] if place in moved] for seat in (one, other)
        )
        for place, after in zip(mine, yours):
            wall[place], wall[after] = wall[after], wall[place]
    else:
        places = exchanged(rng, told, viewer)
        for place, after in zip(places, places[1:] + places[:1]):
            wall[place] = told.table.wall[after]
    made = dataclasses.replace(told.table, wall=tuple(wall))
    if told.follower.dealt:
        return made
    # Nothing at all is known of the deal yet.
    dice = {key: [rng.randint(1, 6) for _ in throw] for key, throw in told.table.dice.items()}
    return dataclasses.replace(made, dice=dice)


def same_window(one: Round, other: Round, viewer: Viewer) -> bool:
    """Whether the same window is open as everybody is shown it, and asks the viewer where seats take turns."""
    if one.view().window != other.view().window:
        return False
    return one.window != "declare" or (viewer in one.pending) == (viewer in other.pending)
