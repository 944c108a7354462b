"""Views and events (table): their schemas, what clients make of events, what spectators and tools see."""

from __future__ import annotations

import copy
import itertools
import json
import pathlib
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from rounds import (
    VIEWERS,
    any_answer,
    any_table,
    arranged,
    at_random_window,
    played,
    round_of,
    rules_json,
    seen,
)
from walls import deal

import tjmj
from tjmj.answers import tile_names
from tjmj.round import Round
from tjmj.tiles import NAMES
from tjmj.view import View

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
SCHEMAS = {name: json.loads((DOCS / f"{name}.schema.json").read_text("utf-8")) for name in ("view", "events")}
VALID = {name: Draft202012Validator(schema) for name, schema in SCHEMAS.items()}
SCATTERED = "147W147T147B3F123J"
TOOL = "tool"
EVENTS = {"window", "stakes", "deal", "flip", "draw", "flower", "discard", "chow", "pong", "kong", "declare"}
EVENTS |= {"win", "exhausted", "settle", "reveal"}
RARE = {"rob", "flowers"}


def view_of(made: Round, viewer: int | str | None) -> View:
    return made.view(open=True) if viewer == TOOL else made.view(viewer)


def events_of(made: Round, viewer: int | str | None, since: int = 0) -> list[dict[str, Any]]:
    return made.events(since=since, open=True) if viewer == TOOL else made.events(viewer, since)


def hold(name: str, value: Any) -> None:
    """It is JSON and holds to the schema."""
    assert json.loads(json.dumps(value, allow_nan=False)) == value
    if not VALID[name].is_valid(value):
        VALID[name].validate(value)


# Schemas


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """All objects inside a schema."""
    if isinstance(schema, dict):
        yield schema
        for each in schema.values():
            yield from parts(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from parts(each)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schema_is_closed(name):
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    used = {part["$ref"] for part in parts(schema) if "$ref" in part}
    assert used == {f"#/$defs/{key}" for key in schema["$defs"]}
    for part in parts(schema):
        if part.get("type") == "object" and part is not SCHEMAS["events"]:
            assert part["additionalProperties"] is False
            properties = list(part.get("properties", []))
            assert part.get("required", []) == (["name"] if "name" in properties[:1] else properties)


def test_what_the_schemas_share_is_the_same():
    one, other = (SCHEMAS[name]["$defs"] for name in SCHEMAS)
    shared = one.keys() & other.keys()
    assert len(shared) > 10
    assert {key: one[key] for key in shared} == {key: other[key] for key in shared}


VALUES = (
    None,
    True,
    False,
    -1,
    0,
    1,
    2,
    3,
    4,
    136,
    137,
    1000,
    10**6 + 1,
    10**9,
    "x",
    "random",
    "dice",
    "winds",
)


def test_the_schema_knows_the_options():
    rules = SCHEMAS["view"]["$defs"]["rules"]
    known = {
        name: part for part in (rules["then"], rules["else"]) for name in part["properties"]["name"]["enum"]
    }
    assert known.keys() == set(tjmj.preset_names())
    for preset, part in known.items():
        options = tjmj.rules_options(preset)
        assert part["properties"].keys() == {"name", *options}
        for name, option in options.items():
            valid = Draft202012Validator(part["properties"][name]).is_valid
            assert [valid(value) for value in VALUES] == [allowed(option, name, value) for value in VALUES], (
                name
            )


def allowed(option: Any, name: str, value: Any) -> bool:
    try:
        option.check(name, value)
    except tjmj.RulesError:
        return False
    return True


@pytest.mark.parametrize(("page", "name"), [("views.md", "view"), ("events.md", "events")])
def test_the_page_tells_every_field(page, name):
    text = (DOCS / page).read_text("utf-8")
    if page == "events.md":
        text += (DOCS / "views.md").read_text("utf-8")
        headings = " ".join(re.findall(r"^## (.*)", (DOCS / page).read_text("utf-8"), re.M))
        kinds = [key.removeprefix("event_") for key in SCHEMAS[name]["$defs"] if key.startswith("event_")]
        assert re.findall(r"`(\w+)`", headings) == kinds
        assert set(kinds) == EVENTS | RARE == set(SCHEMAS[name]["properties"]["event"]["enum"])
    told = set(re.findall(r"`(\w+)`", text))
    options = {option for preset in tjmj.preset_names() for option in tjmj.rules_options(preset)}
    fields = {field for part in parts(SCHEMAS[name]) if part.get("type") == "object"
              for field in part.get("properties", ())}  # fmt: skip
    assert fields - options - told == set()


# All that is told holds to them


def rounds_that_hold_to_the_schemas(rounds):
    """Play so many rounds; the events that were told."""
    told: Counter[str] = Counter()
    for seed in range(rounds):
        rng = random.Random(seed)
        since = dict.fromkeys((*VIEWERS, TOOL), 0)
        fixed: dict[str, Any] = ({}, {"heavenly_ready": True}, {"jintan": 1})[seed % 3]
        for made in played(rng, any_table(rng, **fixed).round()):
            if made.over or rng.random() < 0.05:
                viewer = rng.choice((*VIEWERS, TOOL))
                hold("view", view_of(made, viewer).to_json())
                for event in events_of(made, viewer, since[viewer]):
                    hold("events", event)
                    told[event["event"]] += 1
                since[viewer] = len(made.events())
    return told


def test_random_rounds_hold_to_the_schemas():
    assert rounds_that_hold_to_the_schemas(2)


@pytest.mark.slow
def test_many_random_rounds_hold_to_the_schemas():
    assert rounds_that_hold_to_the_schemas(200).keys() - RARE == EVENTS


def test_the_schemas_refuse_what_is_not_so():
    made = at_random_window(3)
    for _ in played(random.Random(3), made):
        pass
    view = made.view(open=True).to_json()
    values = [
        *((name, value) for name, value in (("view", view),)),
        *(("events", event) for event in made.events(1)),
    ]
    for name, value in values:
        for key in value:
            assert not VALID[name].is_valid({other: value[other] for other in value if other != key}), key
            assert not VALID[name].is_valid({**value, key: {"x": 1}}), key
        assert not VALID[name].is_valid({**value, "more": 1})
    for seat in range(4):
        seats = copy.deepcopy(view["seats"])
        seats[seat]["more"] = 1
        assert not VALID["view"].is_valid({**view, "seats": seats})


# Clients


@effort(0.08)
@given(st.integers(0, 2**32 - 1))
def test_a_client_that_applies_events_holds_the_view(seed):
    """From the beginning, and from any moment at which a client comes in; events and views pass as JSON."""
    rng = random.Random(seed)
    made = any_table(rng).round()
    rules = rules_json(made.rules)
    clients = {
        viewer: View(None if viewer == TOOL else viewer, rules, made.dealer) for viewer in (*VIEWERS, TOOL)
    }
    for _ in played(rng, made):
        chosen = list(clients) if made.over or rng.random() < 0.1 else rng.sample(list(clients), 1)
        for viewer in chosen:
            client = clients[viewer]
            for event in json.loads(json.dumps(events_of(made, viewer, client.next))):
                client.apply(event)
            view = view_of(made, viewer)
            assert client == view
            assert client.to_json() == view.to_json()
            if rng.random() < 0.2:  # it drops, and comes back
                clients[viewer] = View.from_json(json.loads(json.dumps(view.to_json())))
                assert clients[viewer] == view


def test_a_client_takes_the_next_event_only():
    made = at_random_window(5)
    view = made.view(1)
    for event in (made.events(1)[-1], {**made.events(1)[-1], "n": view.next + 1}):
        before = view.to_json()
        with pytest.raises(ValueError, match="is the next"):
            view.apply(event)
        assert view.to_json() == before


@effort(0.2)
@given(st.integers(0, 2**32 - 1))
def test_events_are_the_same_whenever_they_are_asked_for(seed):
    """Told from the start, from here, or only now; all at once or since a number."""
    rng = random.Random(seed)
    table = any_table(rng)
    early, late = table.round(), table.round()
    told: dict[Any, list[dict[str, Any]]] = {viewer: events_of(early, viewer) for viewer in VIEWERS}
    for _ in range(rng.choice((1, 2, 3, 4, 5, 30, 200))):
        if not early.over:
            seat, answer = any_answer(rng, early)
            early.play(seat, answer)
            late.play(seat, answer)
            for viewer in VIEWERS:
                told[viewer] += events_of(early, viewer, len(told[viewer]))
    for viewer in VIEWERS:
        assert told[viewer] == events_of(early, viewer) == events_of(late, viewer)
        assert [event["n"] for event in told[viewer]] == list(range(len(told[viewer])))
        for since in (0, 1, len(told[viewer]) - 1, len(told[viewer]), len(told[viewer]) + 5):
            assert events_of(late, viewer, since) == told[viewer][since:]
    if not late.over:
        seat, answer = any_answer(rng, early)
        early.play(seat, answer)
        late.play(seat, answer)
    assert seen(early) == seen(late)


def test_what_is_handed_out_is_the_callers():
    """Changing views and events changes nothing for others."""

    def spoil(value: Any) -> None:
        for each in list(value.values() if isinstance(value, dict) else value):
            if isinstance(each, (dict, list)):
                spoil(each)
        value.clear()

    made = at_random_window(1)
    for _ in played(random.Random(3), made):
        pass
    before = copy.deepcopy(seen(made))
    for viewer in (*VIEWERS, TOOL):
        for event in events_of(made, viewer):
            spoil(event)
        view = view_of(made, viewer)
        for part in (view.stakes, view.dice, view.break_, view.wild, view.payments, view.result, view.rules):
            spoil(part)
        for seat in view.seats:
            spoil(seat.melds)
            spoil(seat.discards)
            spoil(seat.hand)
    spoil(made.result)
    spoil(made.settlement)
    spoil(made.snapshot())
    assert seen(made) == before


@pytest.mark.parametrize("seat", [-1, 4, 2**70, "0", 1.0, True, b"0", ()])
def test_a_viewer_that_there_is_not(seat):
    made = Round(seed=bytes(32))
    for ask in (made.view, made.events):
        with pytest.raises(ValueError, match="seats are 0 to 3"):
            ask(seat)


@pytest.mark.parametrize("since", [-1, -(2**70)])
def test_a_number_before_the_first(since):
    with pytest.raises(ValueError, match="numbered from 0"):
        Round(seed=bytes(32)).events(0, since)


# What is seen


@effort(0.125)
@given(st.integers(0, 2**32 - 1))
def test_the_open_view_is_the_engines_state(seed):
    rng = random.Random(seed)
    for made in played(rng, any_table(rng).round()):
        view, play = made.view(open=True), made.play_of
        if made.window in ("sit", "pull", "kick"):
            assert view.dice is view.flip is view.front_left is None and not view.wild
            continue
        assert view.flip == (None if play.flip is None else NAMES[play.flip])
        behind = len(play.undrawn) - (play.front_left if made.rules.wild_by == "dice" else 0)
        assert (view.front_left, view.back_left) == (play.front_left, behind)
        for seat, shown in enumerate(view.seats):
            held = play.held(seat)
            assert shown.hand == [NAMES[kind] for kind in held] and shown.concealed == len(held)
            assert [(meld["type"], meld["tiles"][0]) for meld in shown.melds] == [
                (form, NAMES[kind]) for form, kind, _ in play.melds(seat)
            ]
            thrown = [move[2:] for move in made.moves if move.startswith(f"{seat}d")]
            assert [discard["tile"] for discard in shown.discards] == thrown
            assert (shown.lost, shown.ready) == (play.lost[seat], play.ready[seat])


def finished(seed: int) -> Round:
    """A round of any table, played at random to its end."""
    rng = random.Random(seed)
    made = any_table(rng).round()
    for _ in played(rng, made):
        pass
    return made


@effort(0.125)
@given(st.integers(0, 2**32 - 1))
def test_every_draw_takes_one_tile(seed):
    made = finished(seed)
    parted = made.rules.wild_by == "dice"  # by the flipped tile
    told = [event for event in made.events() if event["event"] in ("deal", "draw")]
    for before, after in itertools.pairwise(told):
        front, back = (before[key] - after[key] for key in ("front_left", "back_left"))
        assert after["front_left"] >= 0 <= after["back_left"]
        if not parted:
            assert front == back == 1
        elif after["from"] == "front":
            assert (front, back) == (1, 0)
        else:  # behind the flipped tile, or once these are gone before it
            assert (front, back) == ((0, 1) if before["back_left"] else (1, 0))


@effort(0.125)
@given(st.integers(0, 2**32 - 1))
def test_a_tile_is_told_with_its_place_in_the_wall(seed):
    made = finished(seed)
    wall = tile_names(made.record().wall)
    taken = [event for event in made.events(open=True) if event["event"] in ("flip", "draw")]
    places = [event["place"] for event in taken]
    assert [event["tile"] for event in taken] == [wall[place] for place in places]
    assert len({*range(53), *places}) == 53 + len(places)


def tiles_in(value: Any) -> Iterator[str]:
    """All tiles in a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from tiles_in(each)
    if isinstance(value, str) and value in NAMES:
        yield value


@effort(0.125)
@given(st.integers(0, 2**32 - 1))
def test_a_spectator_sees_no_concealed_tile_before_the_end(seed):
    """No tile but those flipped, wild, thrown and laid out, in the view and in all events."""
    rng = random.Random(seed)
    for made in played(rng, any_table(rng).round()):
        if made.over:
            assert all(seat.hand is not None for seat in made.view().seats)
            break
        view = made.view().to_json()
        assert view["answers"] is None
        assert all(seat["hand"] is seat["drawn"] is None for seat in view["seats"])
        public = [seat["discards"] + seat["melds"] + seat["flowers"] for seat in view["seats"]]
        allowed = {*tiles_in(public), *view["wild"], view["flip"]}
        last = made.events(since=max(0, view["next"] - 6))
        assert set(tiles_in([view, last])) <= allowed
        for event in last:
            assert not event.get("answers") and event.get("drawn") is None
            assert event["event"] != "draw" or event["tile"] is None


def test_only_the_drawer_is_told_the_tile():
    made = arranged(SCATTERED + "9B", front="5T")
    made.replay(["0d9B"])
    draws = {viewer: made.events(viewer)[-2] for viewer in VIEWERS}
    drawn = {None: None, 0: None, 1: "5T", 2: None, 3: None}
    assert {viewer: event["tile"] for viewer, event in draws.items()} == drawn
    assert {viewer: made.view(viewer).seats[1].drawn for viewer in VIEWERS} == drawn
    assert made.view(open=True).seats[1].drawn == "5T"


def test_whether_a_discard_was_the_drawn_tile_is_not_shown():
    """Seat 1 throws the same tile, drawn or held: the others are told the same."""
    told = []
    for drawn, held in (("5T", "8B"), ("8B", "5T")):
        made = round_of(deal(SCATTERED + "9B", "2468W2468T246B" + held, front=drawn + "9W"), "0d9B 1d5T")
        told.append(
            [made.events(seat) for seat in (None, 0, 2, 3)] + [made.view(seat) for seat in (None, 0, 2, 3)]
        )
    assert told[0] == told[1]


def test_a_concealed_kong_is_shown_to_all():
    made = arranged("1111T47W47T47B3F23J9B", back="8W")
    made.replay(["0c1T"])
    for viewer in VIEWERS:
        kong = next(event for event in made.events(viewer) if event["event"] == "kong")
        assert (kong["tile"], kong["kind"], kong["gold"], kong["from"]) == ("1T", "concealed", False, None)
        (meld,) = made.view(viewer).seats[0].melds
        assert meld == {
            "type": "concealed",
            "tiles": ["1T"] * 4,
            "claimed": None,
            "from": None,
            "gold": False,
        }


def test_a_claimed_discard_stays_marked_and_a_wildcard_dimmed():
    made = arranged(SCATTERED + "2F", "", "", "2F2F2F", back="9W")
    made.replay(["0d2F", "3o2F"])
    seat = made.view(1).seats[0]
    assert seat.discards == [{"tile": "2F", "claimed": 3, "wild": True}] and seat.lost
    (meld,) = made.view(1).seats[3].melds
    assert meld == {"type": "exposed", "tiles": ["2F"] * 4, "claimed": "2F", "from": 0, "gold": True}


@pytest.mark.parametrize(
    ("rules", "opening", "seat", "stacks"),
    [
        ("tianjin", (5, 6), 2, 11),
        ("tianjin-street", (1, 1, 6, 6), 3, 14),
        ("tianjin-street", (5, 6, 1, 2), 0, 14),
    ],
)
def test_where_the_wall_was_opened(rules, opening, seat, stacks):
    """The dealer's own wall; or that of seat (dealer + sum - 1) mod 4, both throws counted."""
    dealt = tjmj._deal.deal(bytes(32), rules)._replace(open=opening)
    made = Round(tjmj.rules(rules, stakes=False), 2, deal=dealt)
    assert made.view().break_ == {"seat": seat, "stacks": stacks}
    assert made.view().dice == {"open": list(opening), "flip": list(dealt.flip)}


def test_the_turned_tile_lies_behind_the_dealt_ones():
    """翻混: 53 tiles are dealt, and the next is turned."""
    flips = [event for event in arranged(flip="5T", wild_by="turned").events() if event["event"] == "flip"]
    assert [(flip["tile"], flip["place"]) for flip in flips] == [("5T", 53)]


@effort(0.075)
@given(st.integers(0, 2**32 - 1))
def test_answers_are_the_pending_ones(seed):
    rng = random.Random(seed)
    for made in played(rng, any_table(rng).round()):
        for seat, words in made.pending.items():
            assert made.view(seat).answers == list(words)
        for seat in {0, 1, 2, 3} - made.pending.keys() - made.given.keys():
            assert made.view(seat).answers is None
        assert made.view().answers is None
