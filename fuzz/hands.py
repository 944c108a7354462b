"""Hands as text, with all that is said beside them.

An input is `hand|flip|preset option=value ...|circumstances|notation`. Law: a clear error, or a hand that its own
text reads back to, whose score and waits show true readings, and that a batch of one answers alike.
"""

from __future__ import annotations

import pickle

import jintan_hands
import numpy as np
import plain
from test_batch import arrays

import tjmj
from tjmj import TjmjError, batch

NOTATIONS = (None, "mpsz", "mpsz-cn")
ELEMENTS = {"kong_draw": "gangkai", "heavenly": "tianhu", "earthly": "dihu", "ready": "tianting"}


def check(data: bytes) -> None:
    parts = data.decode("utf-8", "surrogateescape").split("|")
    text, flip, rules, beside, notation = (parts + [""] * 5)[:5]
    kind = flip_of(flip)
    notation = notation if notation in NOTATIONS else None
    try:
        read_tiles(text, notation)
        hand = tjmj.Hand.parse(text, kind, rules_of(rules), notation)
        circumstances = circumstances_of(beside)
    except TjmjError as fault:
        check_fault(fault)
        return
    check_hand(hand)
    if hand.waiting:
        check_waits(hand, circumstances.get("flowers", 0))
    else:
        check_score(hand, circumstances)


def flip_of(written: str) -> str | int | None:
    return int(written) if written.lstrip("-").isdecimal() and len(written) < 20 else written or None


def rules_of(written: str) -> tjmj.Rules:
    preset, *options = written.split(" ") if written else ["tianjin"]
    known = tjmj.rules_options(preset)
    pairs = [option.partition("=")[::2] for option in options]
    return tjmj.rules(preset, **{name: known[name].read(name, value) for name, value in pairs if name in known})


def circumstances_of(written: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for word in written.split():
        name, _, value = word.partition("=")
        if name in ELEMENTS:
            found[name] = True
        elif name == "source":
            found[name] = value
        elif name == "flowers" and value.isdecimal() and len(value) < 20:
            found[name] = int(value)
    return found


def check_fault(fault: TjmjError) -> None:
    assert str(fault) and len(str(fault)) < 2000, fault
    if getattr(fault, "place", None) is not None:
        assert 0 <= fault.place <= len(fault.text), fault
    assert str(pickle.loads(pickle.dumps(fault))) == str(fault)


def read_tiles(text: str, notation: str | None) -> None:
    """Tiles alone read back the same; what only a hand may have is refused here."""
    try:
        kinds = tjmj.parse_tiles(text, notation)
        written = tjmj.write_tiles(kinds, notation)
    except TjmjError as fault:
        check_fault(fault)
    else:
        assert sorted(tjmj.parse_tiles(written, notation)) == sorted(kinds)
        assert tjmj.write_tiles(tjmj.parse_tiles(written, notation), notation) == written


def check_hand(hand: tjmj.Hand) -> None:
    flip = -1 if hand.flip is None else hand.flip
    for notation in NOTATIONS:
        if notation is None or not any(kind >= 34 for kind in (*hand.concealed, hand.win or 0)):
            text = hand.format(notation)
            again = tjmj.Hand.parse(text, flip, hand.rules, notation)
            assert again == hand and hash(again) == hash(hand) and again.format(notation) == text
    assert tjmj.Hand(hand.concealed, hand.melds, hand.win, flip=flip, rules=hand.rules) == hand
    assert pickle.loads(pickle.dumps(hand)) == hand


def check_score(hand: tjmj.Hand, circumstances: dict[str, object]) -> None:
    counts, flip, win, melds = arrays([hand])
    try:
        made = tjmj.score(hand, **circumstances)
    except TjmjError as fault:
        check_fault(fault)
        made = None
    try:
        found = batch.score(counts, flip, win, melds, hand.rules, **circumstances)
    except TjmjError as fault:
        check_fault(fault)
        assert made is None, (fault, hand)
        return
    if made is None:  # a hand says what won it where that matters; a row may not know
        assert hand.win is None, hand
        return
    assert (made.fan, made.legal) == (int(found.fan[0]), bool(found.legal[0]))
    assert made.elements == tjmj.elements.keys_of(int(found.elements[0]))
    assert made.win == batch.is_win(counts, flip, melds, hand.rules)[0]
    if found.points is not None:
        assert (made.flowers, made.points) == (int(found.flowers[0]), int(found.points[0]))
    if made.win:
        check_reading(made, circumstances)
    assert str(made) and repr(made) and pickle.loads(pickle.dumps(made)) == made


def check_reading(made: tjmj.Score, circumstances: dict[str, object]) -> None:
    if made.hand.rules.counting == "fan":
        plain.check_reading(made, [ELEMENTS[name] for name in circumstances if name in ELEMENTS])
        return
    options = {name: getattr(made.hand.rules, name) for name in jintan_hands.OPTIONS}
    source, flowers = circumstances.get("source", "self"), circumstances.get("flowers", 0)
    jintan_hands.check_reading(jintan_hands.Case(str(made.hand), source, flowers, options), made)


def check_waits(hand: tjmj.Hand, flowers: object) -> None:
    counts, flip, _, melds = arrays([hand])
    try:
        made = tjmj.waits(hand, flowers=flowers)
    except TjmjError as fault:
        check_fault(fault)
        return
    assert list(np.flatnonzero(batch.waits(counts, flip, melds, hand.rules)[0])) == list(made.kinds)
    left = batch.waits_left(counts, flip, melds, hand.rules)[0]
    counted = {"flowers": flowers} if hand.rules.counting == "flowers" else {}
    for wait in made.values():
        assert wait.left == left[wait.kind]
        assert wait.left == hand.left(wait.kind)
        if wait.left:
            alone = tjmj.score(hand.draw(wait.kind), **counted)
            assert (wait.score, wait.shape) == (alone, alone.shape)
            check_reading(alone, counted)
            check_discard(wait, counted)
    if made:
        assert [line.partition(" ")[0] for line in str(made).splitlines()] == list(made)
    assert pickle.loads(pickle.dumps(made)) == made


def check_discard(wait: tjmj.Wait, counted: dict[str, object]) -> None:
    if wait.hand.rules.counting == "fan":
        assert wait.discard_score is None
        return
    thrown = counted | {"source": "discard"}
    assert wait.discard_score == tjmj.score(wait.hand.draw(wait.kind), **thrown)
    check_reading(wait.discard_score, thrown)
