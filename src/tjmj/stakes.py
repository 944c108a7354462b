"""Stakes 坐庄, 拉庄, 踹: chosen before the deal, they multiply what dealer and seat pay each other."""

from __future__ import annotations

from typing import Final, NamedTuple

from .errors import RulesError
from .rulesets import Rules


class Stakes(NamedTuple):
    """What was staked (spec: tianjin sections 3 and 6)."""

    sit: bool = False
    """坐庄: whether the dealer sits."""
    pull: tuple[int, int, int, int] = (0, 0, 0, 0)
    """拉庄: how often each seat pulls; the dealer's own is 0."""
    kick: tuple[bool, bool, bool, bool] = (False, False, False, False)
    """踹: which seats that pulled the dealer kicks."""


NO_STAKES = Stakes()

CHINESE: Final = {"sit": "坐庄", "pull": "拉庄", "kick": "踹"}
"""Chinese name of each stake."""


def check_stakes(stakes: Stakes, dealer: int, rules: Rules) -> None:
    """Raise `RulesError` unless these are stakes that can be chosen under the rules."""
    if not _well_formed(stakes):
        raise RulesError(f"{stakes!r} are no stakes: a bool, four whole numbers and four bools")
    if not rules.stakes and stakes != NO_STAKES:
        raise RulesError(f"stakes are off in {rules!r}")
    for seat, (pull, kick) in enumerate(zip(stakes.pull, stakes.kick, strict=True)):
        if not 0 <= pull <= rules.max_pulls:
            raise RulesError(f"seat {seat} pulls {pull} times: 0 to {rules.max_pulls} are allowed")
        if seat == dealer and (pull or kick):
            raise RulesError(f"seat {seat} is the dealer and cannot pull or be kicked")
        if kick and not rules.chuai:
            raise RulesError(f"seat {seat} is kicked, and chuai (踹) is off in {rules!r}")
        if kick and not pull:
            raise RulesError(f"seat {seat} is kicked without having pulled")


def _well_formed(stakes: object) -> bool:
    return (
        isinstance(stakes, Stakes)
        and type(stakes.sit) is bool
        and all(type(four) is tuple and len(four) == 4 for four in (stakes.pull, stakes.kick))
        and all(type(pull) is int for pull in stakes.pull)
        and all(type(kick) is bool for kick in stakes.kick)
    )
