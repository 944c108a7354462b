"""Slow reference scorer for Jintan mahjong 金坛麻将.

Every reading of a hand is written out and counted by itself; the best one is the
score. Section names in the comments are those of the Jintan specification.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

KINDS = [f"{n}{s}" for s in "WTB" for n in range(1, 10)]
KINDS += [f"{n}F" for n in range(1, 5)] + [f"{n}J" for n in range(1, 4)]

DEFAULTS = {"base": 10, "value": 5, "min_flowers": 1, "cap_fan": 2}

# One group of a reading: its form and lowest kind.
# Forms: chow, triplet, pong, exposed, concealed, pair.
Group = tuple[str, str]


def parse(text: str) -> tuple[list[Group], list[str], str | None]:
    """Read canonical notation: melds, concealed tiles, winning tile after ``+``."""
    melds: list[Group] = []
    concealed: list[str] = []
    rest = text
    while rest and rest[0] in "[{":
        close = rest.index("]" if rest[0] == "[" else "}")
        tiles = _run(rest[1:close])
        if rest[0] == "{":
            melds.append(("concealed", tiles[0]))
        elif len(tiles) == 4:
            melds.append(("exposed", tiles[0]))
        else:
            melds.append(("pong" if tiles[0] == tiles[1] else "chow", tiles[0]))
        rest = rest[close + 1:]
    body, _, last = rest.partition("+")
    concealed = _run(body)
    if last:
        concealed.append(last)
    return melds, concealed, last or None


def _run(text: str) -> list[str]:
    tiles, digits = [], ""
    for char in text:
        if char.isdigit():
            digits += char
        else:
            tiles += [digit + char for digit in digits]
            digits = ""
    return tiles


def is_honour(tile: str) -> bool:
    """Winds and dragons 风将."""
    return tile[1] in "FJ"


def sets_and_pair(tiles: Counter[str]) -> Iterator[list[Group]]:
    """All ways to lay concealed tiles out as sets and one pair."""
    for kind in KINDS:
        if tiles[kind] >= 2:
            rest = tiles - Counter({kind: 2})
            for sets in _sets(rest):
                yield [*sets, ("pair", kind)]


def _sets(tiles: Counter[str]) -> Iterator[list[Group]]:
    # The lowest tile left must be in some set, so taking that one first misses nothing.
    lowest = next((kind for kind in KINDS if tiles[kind]), None)
    if lowest is None:
        yield []
        return
    if tiles[lowest] >= 3:
        for sets in _sets(tiles - Counter({lowest: 3})):
            yield [("triplet", lowest), *sets]
    if not is_honour(lowest) and int(lowest[0]) <= 7:
        run = [f"{int(lowest[0]) + step}{lowest[1]}" for step in range(3)]
        if all(tiles[kind] for kind in run):
            for sets in _sets(tiles - Counter(run)):
                yield [("chow", lowest), *sets]


def meld_flowers(form: str, tile: str) -> int:
    """Flowers that a group counts (Counting)."""
    if is_honour(tile):
        return {"pong": 1, "triplet": 2, "exposed": 3, "concealed": 4}.get(form, 0)
    return {"exposed": 1, "concealed": 2}.get(form, 0)


def readings(melds: list[Group], concealed: list[str], win: str | None,
             on_discard: bool) -> Iterator[list[Group] | None]:
    """Every reading; ``None`` stands for seven pairs 七对."""
    counts = Counter(concealed)
    # Four of a kind count as two pairs (Winning).
    if not melds and len(concealed) == 14 and all(n % 2 == 0 for n in counts.values()):
        yield None
    for groups in sets_and_pair(counts):
        if not on_discard:
            yield melds + groups
            continue
        # A triplet that a discard completes is exposed. The discard may as well stand
        # in a sequence or in the pair, so each place for it is a reading of its own.
        for place, (form, lowest) in enumerate(groups):
            if form == "chow":
                fits = win is not None and win[1] == lowest[1] and \
                    0 <= int(win[0]) - int(lowest[0]) <= 2
            else:
                fits = lowest == win
            if fits:
                laid = list(groups)
                if form == "triplet":
                    laid[place] = ("pong", lowest)
                yield melds + laid


def _count(groups: list[Group] | None, melds: list[Group], tiles: list[str],
           source: str) -> tuple[int, int, list[str]]:
    """Flowers of the groups, fan and elements of one reading."""
    fans: dict[str, int] = {}
    suits = {tile[1] for tile in tiles if not is_honour(tile)}
    honours = any(is_honour(tile) for tile in tiles)
    if honours and len(suits) <= 1:  # honours alone count as 混一色
        fans["hunyise"] = 1
    if not honours and len(suits) == 1:
        fans["qingyise"] = 2
    if groups is None:
        fans["qidui"] = 2
    elif all(form != "chow" for form, _ in groups):
        fans["duiduihu"] = 1
    if source == "kong":
        fans["gangkai"] = 1
    if len(melds) == 4:  # concealed kongs are melds
        fans["dudiao"] = 1
    fan = sum(fans.values())
    names = list(fans)
    if source == "rob":
        names.append("qianggang")
    if fan == 0:
        names.append("jihu")
    # A 七对 hand counts only its flower tiles.
    flowers = sum(meld_flowers(*group) for group in groups) if groups else 0
    return flowers, fan, sorted(names)


def score(text: str, source: str = "self", flowers: int = 0,
          options: dict | None = None) -> dict:
    """Score a hand.

    Parameters
    ----------
    text : str
        Hand in canonical notation, the winning tile after ``+``.
    source : str
        ``"self"``, ``"discard"``, ``"kong"`` (杠开) or ``"rob"`` (抢杠).
    flowers : int
        Flower tiles laid out.
    options : dict, optional
        Jintan options that differ from the preset.

    Returns
    -------
    dict
        Keys ``win, legal, fan, flowers, points, elements``; ``fan`` without the cap.
    """
    rules = DEFAULTS | (options or {})
    melds, concealed, win = parse(text)
    tiles = concealed + [tile for _, tile in melds]
    for form, lowest in melds:
        if form == "chow":
            tiles += [f"{int(lowest[0]) + 1}{lowest[1]}", f"{int(lowest[0]) + 2}{lowest[1]}"]
    best = None
    for groups in readings(melds, concealed, win, source in ("discard", "rob")):
        more, fan, names = _count(groups, melds, tiles, source)
        worth = rules["base"] + (flowers + more) * rules["value"]
        points = worth * 2 ** min(fan, rules["cap_fan"])
        # Most points, then more fan, then more flowers.
        if best is None or (points, fan, flowers + more) > best[:3]:
            best = (points, fan, flowers + more, names)
    if best is None:
        return {"win": False, "legal": False, "fan": 0, "flowers": 0, "points": 0,
                "elements": []}
    points, fan, total, names = best
    legal = source != "discard" or total >= rules["min_flowers"] or fan >= 1
    return {"win": True, "legal": legal, "fan": fan, "flowers": total, "points": points,
            "elements": names}
