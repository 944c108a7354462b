"""The elements 番种 that a score is made of: keys, bits and Chinese names (spec: tianjin section 5, jintan)."""

from __future__ import annotations

from functools import cache
from typing import Final

KEYS: Final = (
    "bahua", "benhun", "dihu", "diliu", "dudiao", "duiduihu", "gangkai", "hundiao", "hunyise", "jihu", "long",
    "qianggang", "qidui", "qingyise", "su", "suben", "tianhu", "tianting", "zhuowu",
)  # fmt: skip
"""Key of each bit of a score's `elements` mask, bit 0 first; in string order."""

BIT: Final = {key: 1 << place for place, key in enumerate(KEYS)}

CHINESE: Final = {
    "tianhu": "天和",
    "dihu": "地和",
    "tianting": "天听",
    "gangkai": "杠开",
    "hundiao": "混吊",
    "su": "素",
    "benhun": "本混",
    "suben": "素本",
    "zhuowu": "捉五",
    "long": "龙",
    "diliu": "提溜",
    "bahua": "八花",
    "qianggang": "抢杠",
    "dudiao": "独吊",
    "duiduihu": "对对胡",
    "qidui": "七对",
    "hunyise": "混一色",
    "qingyise": "清一色",
    "jihu": "鸡胡",
}
"""Chinese name of each element, in the order in which a score's name says them."""

SHAPE_FAN: Final = {"zhuowu": 3, "long": 4}
"""Fan of the elements that are added; where neither holds a shape is worth 1."""

DOUBLES: Final = ("hundiao", "su", "benhun", "suben", "gangkai", "tianting")
"""Elements that double."""

# What a reading can show, as far as it depends on the reading: the rest doubles every reading alike.
FLOWER_FAN: Final = {
    "hunyise": 1, "qingyise": 2, "duiduihu": 1, "qidui": 2, "gangkai": 1, "dudiao": 1,
}  # fmt: skip
"""Fan of the elements that are all added where flowers are counted (spec: jintan, "Counting")."""

_READINGS: Final = (
    ("diliu",), ("hundiao",), ("zhuowu",), ("hundiao", "zhuowu"),
    ("long",), ("long", "zhuowu"), ("hundiao", "long"), ("hundiao", "long", "zhuowu"),
    ("benhun", "long"), ("benhun", "long", "zhuowu"),
    ("benhun", "hundiao", "long"), ("benhun", "hundiao", "long", "zhuowu"),
    ("benhun", "long", "suben"), ("benhun", "long", "suben", "zhuowu"),
)  # fmt: skip


OF_COUNTING: Final = {
    "fan": (
        "benhun", "dihu", "diliu", "gangkai", "hundiao", "long", "su", "suben", "tianhu", "tianting", "zhuowu",
    ),
    "flowers": (
        "bahua", "dudiao", "duiduihu", "gangkai", "hunyise", "jihu", "qianggang", "qidui", "qingyise",
    ),
}  # fmt: skip
"""The elements that a hand can have under each way of counting (`Rules.counting`)."""


def reading_fan(keys: tuple[str, ...]) -> int:
    """Fan of what a reading shows, before anything that doubles every reading of the hand."""
    fan = sum(SHAPE_FAN.get(key, 0) for key in keys) or 1
    return fan << sum(key in DOUBLES for key in keys)


RANKED: Final = tuple(sorted(sorted(_READINGS, reverse=True), key=reading_fan))
"""Readings by what they show, the better later; of equal fan the one whose keys come first is better."""


SHAPES: Final = {
    "hundiao": "混吊",
    "dandiao": "单吊",
    "duidao": "对倒",
    "kandan": "坎单",
    "liangmian": "两面",
}
"""Chinese name of each shape of a wait, in the order in which one is named (spec: cli, `tjmj waits`)."""


GROUPS: Final = {"sequence": "顺子", "triplet": "刻子", "kong": "杠子", "pair": "将"}
"""Chinese name of each type of a reading's group."""

MELDS: Final = {
    "chow": "吃", "pong": "碰", "exposed": "明杠", "added": "补杠", "concealed": "暗杠", "gold": "金杠",
}  # fmt: skip
"""Chinese name of each meld: `chow` and `pong`, of kongs how they were made."""

_LAID_OUT: Final = {
    ("triplet", "exposed"): "pong",
    ("sequence", "exposed"): "chow",
    ("kong", "exposed"): "exposed",
    ("kong", "concealed"): "concealed",
}
"""The meld that a group laid out is, by its type and how it was."""


def group_name(type: str, meld: str | None, gold: bool = False) -> tuple[str, str]:
    """Chinese and English name of a reading's group; `gold` for a kong of wildcards 金杠."""
    if meld is None:
        return GROUPS[type], type
    chinese = MELDS[_LAID_OUT[type, meld]]
    return f"{MELDS['gold']} {chinese}" if gold else chinese, f"{meld} {type}"


SOURCES: Final = {"self": "自摸", "discard": "吃炮", "kong": "杠开", "rob": "抢杠"}
"""Chinese name of where a winning tile came from, where the rules ask for it (spec: cli, `--source`)."""

GROUP_FLOWERS: Final = {
    ("triplet", "exposed"): (0, 1),
    ("triplet", "concealed"): (0, 2),
    ("kong", "exposed"): (1, 3),
    ("kong", "concealed"): (2, 4),
}
"""Flowers 花 of a group, where they are counted: of a suit's kind, and of an honour 风将 (spec: jintan)."""


@cache
def keys_of(mask: int) -> tuple[str, ...]:
    """Sorted keys of a mask of element bits."""
    return tuple(key for place, key in enumerate(KEYS) if mask >> place & 1)
