"""Records and snapshots made from others: changed a little, often so that they are still right."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from rounds import JINTAN, OPTIONS, any_answer

from tjmj import TjmjError, record
from tjmj.record import fields_of
from tjmj.round import Round, replayed
from tjmj.tiles import NAMES

Fields = dict[str, Any]
Change = Callable[[random.Random, Fields], None]
LETTERS = ("d", "p", "o", "c", "a", "e", "w", "h", "r", "")
STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, 3, 4, -1, 1.0, 1e300, 2**63, 10**30, "", " ", "0", "tianjin", "jintan", "\0", "一",
    "00" * 32, [], [[]], [0] * 4, [1, 2], [True] * 4, [None] * 5, {}, {"name": "tianjin"}, {"0": "pass"},
)  # fmt: skip


def change_moves(rng: random.Random, fields: Fields) -> None:
    moves = str(fields.get("moves", "")).split(" ")
    at, other = rng.randrange(len(moves)), rng.randrange(len(moves))
    change = rng.randrange(6)
    if change == 0:
        moves[at] = f"{rng.randrange(5)}{rng.choice(LETTERS)}{rng.choice((*NAMES, ''))}"
    elif change == 1:
        moves.insert(at, moves[other])
    elif change == 2:
        moves[at], moves[other] = moves[other], moves[at]
    elif change == 3:
        del moves[at:]
    elif change == 4:
        del moves[at]
    else:
        moves[at] = moves[at][: rng.randrange(4)] + rng.choice(NAMES)
    fields["moves"] = " ".join(moves)


def change_wall(rng: random.Random, fields: Fields) -> None:
    wall = str(fields.get("wall", ""))
    tiles = [wall[place : place + 2] for place in range(0, len(wall), 2)]
    if len(tiles) > 1:
        for _ in range(rng.choice((1, 1, 5, 50))):
            at, other = rng.sample(range(len(tiles)), 2)
            tiles[at], tiles[other] = tiles[other], tiles[at]
    fields["wall"] = "".join(tiles)
    without_seed(rng, fields)


def change_rules(rng: random.Random, fields: Fields) -> None:
    options = OPTIONS | JINTAN if rng.random() < 0.1 else JINTAN if "stakes" not in fields else OPTIONS
    name = rng.choice(sorted(options))
    if isinstance(fields.get("rules"), dict):
        fields["rules"][name] = rng.choice(options[name])


def change_numbers(rng: random.Random, fields: Fields) -> None:
    """Dealer, dice, stakes, turn and result: any number or flag in any depth."""
    places: list[tuple[Any, Any]] = []

    def look(value: Any) -> None:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, (dict, list)):
                look(inner)
            elif isinstance(inner, (bool, int)):
                places.append((value, key))

    look(fields)
    if places:
        inside, key = rng.choice(places)
        old = inside[key]
        inside[key] = not old if isinstance(old, bool) else rng.choice((old + 1, old - 1, -old, rng.randrange(7)))


def change_type(rng: random.Random, fields: Fields) -> None:
    inside: Any = fields
    while inside:
        key = rng.choice(sorted(inside)) if isinstance(inside, dict) else rng.randrange(len(inside))
        if not isinstance(inside[key], (dict, list)) or rng.random() < 0.4:
            inside[key] = rng.choice(STRANGE)
            return
        inside = inside[key]


def change_keys(rng: random.Random, fields: Fields) -> None:
    key = rng.choice(sorted(fields))
    value = fields.pop(key)
    if rng.random() < 0.5:
        fields[rng.choice((*sorted(fields), key + "s", "names", "note"))] = value


def change_answers(rng: random.Random, fields: Fields) -> None:
    words = ("pass", "pull1", "sit", "kick1", f"p{rng.choice(NAMES)}", f"w{rng.choice(NAMES)}", "h", "r", "")
    fields["answers"] = {str(rng.randrange(5)): rng.choice(words) for _ in range(rng.randrange(4))}


def without_seed(rng: random.Random, fields: Fields) -> None:
    for key in ("seed", "client_seeds", "commitment"):
        fields.pop(key, None)


def play_on(rng: random.Random, fields: Fields) -> None:
    """As far as it is right, and some answers or a whole hand more; a record gets the result of that."""
    patience = rng.choice((0.0, 0.5, 0.9))
    most = rng.choice((1, 5, 20, 1000))
    if "turn" in fields:
        made = Round.restore(fields)
    else:
        fields.pop("result", None)
        made = replayed(record.parse(json.dumps(fields))).round
        most = 1000
    for _ in range(most):
        if made.over:
            break
        made.play(*any_answer(rng, made, patience))
    told = made.snapshot() if "turn" in fields else fields_of(made.record())
    fields.clear()
    fields |= told


CHANGES: tuple[Change, ...] = (
    *[change_moves] * 4, *[play_on] * 4, *[change_wall] * 2, *[change_rules] * 2, *[change_numbers] * 2, change_type,
    change_keys, change_answers, without_seed,
)  # fmt: skip


def mutate(data: bytes, most: int, seed: int, anyhow: Callable[[bytes, int], bytes]) -> bytes:
    """Another line of JSON, its fields changed; now and then, or where it is none, any bytes."""
    rng = random.Random(seed)
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or not fields or rng.random() < 0.15:
        return anyhow(data, most)
    for _ in range(rng.choice((1, 1, 2, 3))):
        change = rng.choice(CHANGES)
        try:
            change(rng, fields)
        except (TjmjError, KeyError, TypeError):  # it was damaged too much before
            pass
        if not fields:
            break
    made = json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return made if len(made) <= most else anyhow(data, most)
