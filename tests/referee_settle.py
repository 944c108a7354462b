"""Settlement of a finished hand, line by line, for the reference referee.

Section numbers are those of the Tianjin specification.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee import Referee
    from referee_deal import Meld


def multiplier(referee: Referee, a: int, b: int) -> int:
    """m(a, b): what the stakes make of a payment between two seats (section 6)."""
    dealer, stakes = referee.dealer, referee.stakes
    if dealer not in (a, b):
        return 1
    other = b if a == dealer else a
    return 2 ** (stakes["sit"] + stakes["pull"][other] + stakes["kick"][other])


def kong_value(referee: Referee, meld: Meld) -> int:
    """Points that a meld brings from each other seat before the stakes (section 6)."""
    if meld.form not in ("exposed", "added", "concealed"):
        return 0
    if meld.tile in referee.wild:
        return referee.rules["gold_kong"]
    key = "concealed_kong" if meld.form == "concealed" else "exposed_kong"
    return referee.rules[key]


def has_chan(referee: Referee) -> bool:
    """铲: the first four discards are one kind.

    They then are all its copies, so that no claim can have come between them and they
    came from the four seats in turn, dealer first.
    """
    first = [tile for _, tile in referee.thrown[:4]]
    return len(first) == 4 and len(set(first)) == 1


def _line(referee: Referee, why: str, payer: int, payee: int, units: int,
          **more: object) -> dict:
    factor = multiplier(referee, payer, payee)
    points = units * factor * referee.rules["base"]
    return {"why": why, "from": payer, "to": payee, "units": units, "factor": factor,
            "points": points} | more


def _tianjin_lines(referee: Referee) -> list[dict]:
    lines = []
    for win in referee.winners:
        lines += [_line(referee, "win", seat, win["seat"], win["fan"],
                        elements=win["elements"])
                  for seat in range(4) if seat != win["seat"]]
    # Kongs of every seat pay at every end, 荒庄 too.
    for owner in range(4):
        for meld in referee.melds[owner]:
            value = kong_value(referee, meld)
            if value:
                lines += [_line(referee, "kong", seat, owner, value, tile=meld.tile,
                                kind="gold" if meld.tile in referee.wild else meld.form)
                          for seat in range(4) if seat != owner]
    chan = referee.rules["chan"]
    if chan and has_chan(referee):
        lines += [_line(referee, "chan", referee.dealer, seat, chan)
                  for seat in range(4) if seat != referee.dealer]
    return lines


def _jintan_lines(referee: Referee) -> list[dict]:
    lines = []
    for win in referee.winners:
        seat, points = win["seat"], win["points"]
        # A discarder or a robbed seat pays alone, the robbed one three times.
        payers = [win["from"]] if "from" in win else [s for s in range(4) if s != seat]
        factor = 3 if "qianggang" in win["elements"] else 1
        why = "flowers" if referee.end == "flowers" else "win"
        lines += [{"why": why, "from": payer, "to": seat, "units": points,
                   "factor": factor, "points": points * factor} for payer in payers]
    return lines


def _net(lines: list[dict]) -> list[int]:
    net = [0] * 4
    for line in lines:
        net[line["to"]] += line["points"]
        net[line["from"]] -= line["points"]
    return net


def capped(net: list[int], cap: int | None) -> list[int]:
    """Nobody gains or loses more than ``cap``, and the sum stays zero (section 6)."""
    if cap is None:
        return net
    net = [max(-cap, min(cap, points)) for points in net]
    gains = sum(points for points in net if points > 0)
    losses = -sum(points for points in net if points < 0)
    if gains == losses:
        return net
    sign, larger, smaller = (1, gains, losses) if gains > losses else (-1, losses, gains)
    side = [seat for seat in range(4) if net[seat] * sign > 0]
    scaled = {seat: divmod(abs(net[seat]) * smaller, larger) for seat in side}
    missing = smaller - sum(whole for whole, _ in scaled.values())
    by_fraction = sorted(side, key=lambda seat: (-scaled[seat][1], seat))
    for seat in side:
        net[seat] = sign * (scaled[seat][0] + (seat in by_fraction[:missing]))
    return net


def settle(referee: Referee) -> tuple[list[dict], list[int]]:
    """Every payment of a finished hand, and what each seat nets.

    Returns
    -------
    tuple of list and list
        Lines ``{"why", "from", "to", "units", "factor", "points", …}``, then one
        ``{"why": "cap", "seat", "points"}`` for each seat that the cap changed; and the
        points that each seat gains or loses.
    """
    tianjin = referee.ruleset.kongs_pay
    lines = _tianjin_lines(referee) if tianjin else _jintan_lines(referee)
    before = _net(lines)
    net = capped(before, referee.rules["cap"]) if tianjin else before
    lines += [{"why": "cap", "seat": seat, "points": net[seat] - before[seat]}
              for seat in range(4) if net[seat] != before[seat]]
    return lines, net
