"""Matches (tianjin section 7): each rule by a case, then the laws."""

from __future__ import annotations

import itertools
import json
import random

import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st
from matches import LIVELY, NAMES, exhausted, play_hands, play_on, won_by_dealer, won_by_next

import tjmj
from tjmj import record
from tjmj.between_hands import TITLES, kong_seats, next_dealer, title
from tjmj.errors import RulesError, TjmjError
from tjmj.match import End, Match, Standing
from tjmj.seating import MatchSeed, WindsThrow, same_cycle, throw_winds

PRESETS = ("tianjin", "tianjin-hall", "tianjin-street")
HALL = tjmj.rules("tianjin-hall", first_dealer=0)
YIELDING = tjmj.rules("tianjin-hall", first_dealer=0, dealer_yields_to_kong=True)
CYCLE = (0, 1, 2, 3)


def dealers(rules, *hands):
    """Who deals after each of these hands; they are made by functions of `matches`, the first for seat 0."""
    records, found, dealer = [], [], 0
    for make, *more in hands:
        records.append(make(dealer, rules, *more))
        dealer = Match.from_records(records).dealer
        found.append(dealer)
    return found


def winners(*seats):
    return {"end": "win", "winners": [{"seat": seat} for seat in seats], "net": [0] * 4}


# First dealer


def test_first_dealer_at_random():
    drawn = [Match("tianjin", seed=seed).dealer for seed in range(60)]
    assert set(drawn) == {0, 1, 2, 3}
    assert drawn == [Match("tianjin", seed=seed).dealer for seed in range(60)]


@pytest.mark.parametrize("seat", range(4))
def test_first_dealer_a_seat(seat):
    rules = tjmj.rules("tianjin", first_dealer=seat)
    assert {Match(rules, seed=seed).dealer for seed in range(9)} == {seat}


def test_first_dealer_in_the_street_is_east():
    assert {Match("tianjin-street", seed=seed).dealer for seed in range(20)} == {0}


# The next dealer


def test_dealer_stays_after_winning():
    assert dealers(HALL, [won_by_dealer], [won_by_dealer]) == [0, 0]


def test_dealer_stays_after_an_exhausted_hand():
    assert dealers(HALL, [exhausted], [exhausted, [1]], [exhausted, [0, 2]]) == [0, 0, 0]


def test_otherwise_the_next_seat_deals():
    assert dealers(HALL, *[[won_by_next]] * 5) == [1, 2, 3, 0, 1]


def test_a_win_of_any_other_seat_passes_the_deal_to_the_next():
    found = {(dealer, seat): next_dealer(HALL, dealer, winners(seat)) for dealer in CYCLE for seat in CYCLE}
    assert found == {(d, s): d if s == d else (d + 1) % 4 for d, s in itertools.product(CYCLE, CYCLE)}


@pytest.mark.parametrize(
    ("kongs", "dealer"), [([], 0), ([0], 0), ([0, 2], 0), ([1], 1), ([3], 1), ([1, 2], 1)]
)
def test_dealer_yields_to_kong(kongs, dealer):
    assert dealers(YIELDING, [exhausted, kongs]) == [dealer]


def test_dealer_yields_to_kong_after_exhausted_hands_only():
    assert next_dealer(YIELDING, 2, winners(2), [0, 1]) == 2
    assert tjmj.rules("tianjin-street").dealer_yields_to_kong
    assert not tjmj.rules("tianjin").dealer_yields_to_kong


def test_one_of_several_winners_stays():
    """Jintan, last paragraph: winning counts as one of several winners too, and 八花 counts as winning."""
    assert next_dealer(HALL, 1, winners(0, 1, 3)) == 1
    assert next_dealer(HALL, 1, winners(0, 3)) == 2
    assert next_dealer(HALL, 3, winners(3) | {"end": "flowers"}) == 3
    assert next_dealer(HALL, 3, winners(1) | {"end": "flowers"}) == 0


def test_every_kong_is_one():
    moves = ["0d5W", "1o5W", "1d1W", "2p1W", "2d1F", "3c2F", "3a1T", "0w1W", "0h", "1r"]
    assert kong_seats(moves) == {1, 3}


# Circles


def test_circles_and_pots():
    records, places = [], []
    for hand in range(35):
        dealer = Match.from_records(records).dealer if records else 0
        records.append((won_by_next if hand % 2 else won_by_dealer)(dealer, HALL))
        made = Match.from_records(records)
        places.append((made.dealer, made.circle, made.pot))
    # Every other hand passes the deal; eight hands are a circle, sixteen passes a 锅.
    passes = [(hand + 1) // 2 for hand in range(35)]
    assert places == [(p % 4, p // 4 + 1, p // 16 + 1) for p in passes]
    assert places[6:9] == [(3, 1, 1), (0, 2, 1), (0, 2, 1)] and places[31] == (0, 5, 2)


def test_a_circle_begins_with_the_first_dealer():
    rules = tjmj.rules("tianjin-hall", first_dealer=2)
    made = Match.from_records([won_by_next(dealer, rules) for dealer in (2, 3, 0)])
    assert (made.dealer, made.circle) == (1, 1)
    made = Match.from_records([won_by_next(dealer, rules) for dealer in (2, 3, 0, 1)])
    assert (made.dealer, made.circle) == (2, 2)


# Seating


def test_fixed_seating():
    assert Match("tianjin", seed=3).players == (0, 1, 2, 3)
    assert Match("tianjin", seed=3).seating is None


def test_random_seating_is_shuffled_once_by_the_seed():
    rules = tjmj.rules("tianjin", seating="random", **LIVELY)
    orders = [Match(rules, seed=seed).players for seed in range(300)]
    assert {tuple(sorted(order)) for order in orders} == {CYCLE} and len(set(orders)) == 24
    made = Match(rules, NAMES, seed=8)
    before = made.players
    records = play_hands(made, 60)
    assert made.pot > 1 and made.players == before
    assert {told.names for told in records} == {tuple(NAMES[player] for player in before)}


def test_winds_move_players_to_the_seats_of_their_winds():
    """东 throws 3 and 4: seat (0 + 7 − 1) mod 4 = 2 takes the first wind, then 3, 0 and 1."""
    throw = WindsThrow((3, 4), (1, 3, 0, 2))
    # Seat 2 moves to South (1), seat 3 stays North (3), seat 0 stays East (0), seat 1 moves to West (2).
    assert throw.moved((10, 11, 12, 13)) == (10, 12, 11, 13)
    # 004: 5 and 9 are East's own, 2, 6 and 10 South's.
    assert WindsThrow((4, 5), (0, 1, 2, 3)).moved((10, 11, 12, 13)) == (10, 11, 12, 13)
    assert WindsThrow((5, 5), (0, 1, 2, 3)).moved((10, 11, 12, 13)) == (11, 12, 13, 10)


def test_jintan_is_shuffled_and_begins_with_east():
    orders = {Match("jintan", seed=seed).players for seed in range(200)}
    assert len(orders) == 24 and {Match("jintan", seed=seed).dealer for seed in range(9)} == {0}


BAD_SEATINGS = (
    None, [], {}, {"dice": [1, 2]}, {"dice": [1, 7], "winds": [0, 1, 2, 3]},
    {"dice": [0, 6], "winds": [0, 1, 2, 3]}, {"dice": [1, 6, 1], "winds": [0, 1, 2, 3]},
    {"dice": [1, 6], "winds": [0, 1, 2, 4]},
    {"dice": [1, True], "winds": [0, 1, 2, 3]}, {"dice": [1, 6], "winds": [3, 1, 2, 0], "more": 1},
)  # fmt: skip


@pytest.mark.parametrize("seating", BAD_SEATINGS)
def test_seatings_that_cannot_be(seating):
    with pytest.raises(RulesError, match=r"seating is .*: two dice and the four shuffled winds are wanted"):
        WindsThrow.from_json(seating)


def test_seatings_are_written_and_read():
    seating = {"dice": [1, 6], "winds": [3, 1, 2, 0]}
    assert WindsThrow.from_json(seating) == ((1, 6), (3, 1, 2, 0))
    assert WindsThrow.from_json(seating).to_json() == seating


def test_same_cycle():
    turned = {CYCLE[shift:] + CYCLE[:shift] for shift in range(4)}
    for order in itertools.permutations(CYCLE):
        assert same_cycle(CYCLE, order) is same_cycle(order, CYCLE) is (order in turned)


class Drawn:
    """A stream that gives these throws and shuffles."""

    def __init__(self, *throws):
        self.dice = [die - 1 for throw in throws for die in throw[0]]
        self.winds = [throw[1] for throw in throws]

    def below(self, n):
        assert n == 6
        return self.dice.pop(0)

    def shuffled(self):
        return self.winds.pop(0)


def test_winds_are_thrown_again_while_the_cycle_stays():
    same = [((4, 5), (0, 1, 2, 3)), ((2, 2), (0, 1, 2, 3)), ((6, 6), (3, 0, 1, 2))]
    other = ((1, 1), (0, 2, 1, 3))
    assert throw_winds(Drawn(*same, other), CYCLE, first=False) == other
    assert throw_winds(Drawn(*same, other), CYCLE, first=True) == same[0]
    # Nobody has moved in between.
    assert not same_cycle(CYCLE, WindsThrow(*other).moved(CYCLE))


def test_winds_before_each_pot():
    made = Match(tjmj.rules("tianjin-street", **LIVELY), NAMES, seed=11)
    orders, seated = [made.players], [0]
    assert made.seating.moved(CYCLE) == made.players
    while made.pot < 4:
        before, players = made.pot, made.players
        told = play_on(made)
        assert told.names == tuple(NAMES[player] for player in players)
        assert ("seating" in told.extra) == (told.extra["match"]["hand"] == seated[-1])
        if made.pot > before:
            assert made.dealer == 0 and made.seating.moved(players) == made.players
            orders.append(made.players)
            seated.append(made.hands)
        else:
            assert made.players == players and made.seating is None
    assert len(orders) == 4
    assert not any(same_cycle(*pair) for pair in itertools.pairwise(orders))


def test_the_first_winds_may_leave_the_cycle():
    firsts = [Match("tianjin-street", seed=seed).players for seed in range(200)]
    assert len(set(firsts)) == 24


def test_totals_move_with_the_players():
    rules = tjmj.rules("tianjin-street", first_dealer=0, heavenly_ready=False, stakes=False)
    throw = {"dice": [3, 4], "winds": [1, 3, 0, 2]}  # players 1 and 2 change places
    first = tjmj.record.parse(record.dumps(won_by_next(0, rules))[:-1] + f',"seating":{json.dumps(throw)}}}')
    assert first.result["net"] == [-32, 96, -32, -32]
    made = Match.from_records([first])
    assert made.players == (0, 2, 1, 3)
    assert made.totals == (-32, -32, 96, -32)
    assert made.standings[0] == Standing(1, 2, 1, 96, "白板")


# The end


def test_a_seat_that_leaves_ends_the_match():
    made = Match("tianjin-street", seed=2)
    play_hands(made, 3)
    totals, left = made.totals, made.players[2]
    made.start_hand()
    made.leave(2)
    assert made.ended == "left" and made.left == left
    assert made.round is None and made.totals == totals and made.hands == 3
    for refused in (made.start_hand, made.finish_hand, made.leave):
        with pytest.raises(TjmjError):
            refused()


def test_a_room_dissolved_ends_the_match():
    made = Match("tianjin", seed=2)
    made.start_hand()
    made.leave()
    assert (made.ended, made.left, made.totals) == ("dissolved", None, (0, 0, 0, 0))
    assert made.hand_commitment is None


def test_the_next_hand_begins_a_new_match():
    made = Match("tianjin", seed=2)
    play_hands(made, 40)
    made.leave(0)
    again = Match(made.rules, made.names)
    assert (again.hands, again.circle, again.totals) == (0, 1, (0, 0, 0, 0))
    assert again.commitment != made.commitment


@pytest.mark.parametrize("seat", [4, -1, True, "0", 1.0])
def test_only_seats_leave(seat):
    made = Match("tianjin", seed=2)
    with pytest.raises(ValueError, match="seats are 0 to 3"):
        made.leave(seat)
    assert made.ended is None


def test_an_end_by_circles():
    made = Match(tjmj.rules("tianjin-street", **LIVELY), seed=4, end=End(circles=4))
    players = made.players
    play_hands(made, 1000)
    assert made.ended == "circles" and made.circle == 5 and made.dealer == 0
    assert made.players == players, "nobody is seated for a hand that does not come"
    assert made.hands >= 16


def test_an_end_by_hands_and_by_what_comes_first():
    made = Match("tianjin", seed=4, end=End(hands=5))
    assert len(play_hands(made, 1000)) == 5 and made.ended == "hands"
    both = Match(tjmj.rules("tianjin", **LIVELY), seed=4, end=End(circles=1, hands=1000))
    assert len(play_hands(both, 1000)) < 100 and both.ended == "circles"


def test_an_open_end():
    made = Match("tianjin", seed=4)
    play_hands(made, 100)
    assert made.ended is None and made.hands == 100


@pytest.mark.parametrize(
    "end", [End(0), End(hands=0), End(-1), End(1.0), End(True), End("4"), End(hands=10**10)]
)
def test_ends_that_cannot_be(end):
    with pytest.raises(RulesError, match="a match of"):
        Match("tianjin", end=end)


# Titles

TABLE = """白板 一万 100 二万 200 三万 500 四万 1000 五万 2000 六万 5000 七万 10000 八万 20000 九万 50000
东风 100000 西风 200000 南风 500000 北风 800000 中 1200000 发 2000000 雀神 3000000"""


def test_titles():
    lowest, *rest = TABLE.split()
    table = list(zip(map(int, rest[1::2]), rest[::2]))
    assert list(TITLES) == table
    below = lowest
    for least, name in table:
        assert (title(least - 1), title(least)) == (below, name)
        below = name
    assert [title(total) for total in (-(10**9), -1, 0, 99, 10**9)] == ["白板"] * 4 + ["雀神"]


def test_titles_are_an_option():
    assert [s.title for s in Match("tianjin", seed=1).standings] == ["白板"] * 4
    assert [s.title for s in Match(tjmj.rules("tianjin", titles=False), seed=1).standings] == [None] * 4


def test_standings():
    records = [won_by_dealer(0, HALL), won_by_next(0, HALL), won_by_next(1, HALL)]
    nets = [told.result["net"] for told in records]
    assert nets == [[168, -56, -56, -56], [-8, 24, -8, -8], [-8, -8, 24, -8]]
    assert Match.from_records(records).standings == [
        Standing(1, 0, 0, 152, "一万"), Standing(2, 1, 1, -40, "白板"), Standing(2, 2, 2, -40, "白板"),
        Standing(4, 3, 3, -72, "白板"),
    ]  # fmt: skip


# Laws

BETWEEN_HANDS = {
    "seating": st.sampled_from(("fixed", "random", "winds")),
    "first_dealer": st.sampled_from(("random", 0, 1, 2, 3)),
}
TIANJIN = BETWEEN_HANDS | {"dealer_yields_to_kong": st.booleans()}
RULES = st.one_of(
    st.builds(
        lambda preset, options: tjmj.rules(preset, **LIVELY, **options),
        st.sampled_from(PRESETS),
        st.fixed_dictionaries({}, optional=TIANJIN),
    ),
    st.builds(
        lambda options: tjmj.rules("jintan", **options), st.fixed_dictionaries({}, optional=BETWEEN_HANDS)
    ),
)


@given(RULES, st.integers(0, 2**64), st.integers(1, 60))
@effort(0.3)
def test_laws(rules, seed, hands):
    """What a match says is what its records add up to, told once more in the words of section 7."""
    made = Match(rules, NAMES, seed=seed)
    first, totals, deals, orders = made.dealer, [0] * 4, [made.dealer], []
    for _ in range(hands):
        players, dealer = made.players, made.dealer
        if made.seating is not None:
            orders.append(players)
        told = play_on(made)
        record.verify(told)
        assert told.dealer == dealer and told.names == tuple(NAMES[player] for player in players)
        for seat, points in enumerate(told.result["net"]):
            totals[players[seat]] += points
        won = [winner["seat"] for winner in told.result["winners"]]
        kongs = {move[0] for move in told.moves.split() if move[1] in "oac"}
        yields = rules.dealer_yields_to_kong and not won and kongs and str(dealer) not in kongs
        stays = dealer in won or (not won and not yields)
        assert made.dealer == (dealer if stays else (dealer + 1) % 4)
        if not stays:
            deals.append(made.dealer)
        assert list(made.totals) == totals and sum(totals) == 0
        # Each four seats that dealt, one after the other, are a circle.
        assert made.circle == (len(deals) + 3) // 4 and made.pot == (made.circle + 3) // 4
    assert all(set(deals[i : i + 4]) == {0, 1, 2, 3} for i in range(len(deals) - 3))
    assert deals[::4] == [first] * len(deals[::4])
    begun = (len(deals) + 15) // 16
    assert len(orders) == (0 if rules.seating != "winds" else begun - (made.seating is not None))
    assert not any(same_cycle(*pair) for pair in itertools.pairwise(orders))


@given(st.data())
@effort(0.5)
def test_standings_are_the_totals_in_order(data):
    totals = data.draw(st.lists(st.integers(-300, 3_000_000), min_size=4, max_size=4))
    made = Match(tjmj.rules("tianjin", seating="random"), seed=data.draw(st.integers(0, 99)))
    made._totals = totals
    standings = made.standings
    assert sorted(s.player for s in standings) == [0, 1, 2, 3]
    for one in standings:
        assert one.total == totals[one.player] and made.players[one.seat] == one.player
        assert one.place == 1 + len([total for total in totals if total > one.total])
        assert one.title == title(one.total)
    assert [s.total for s in standings] == sorted(totals, reverse=True)


@given(st.sampled_from(PRESETS), st.integers(0, 10**6), st.integers(1, 6))
@effort(0.1)
def test_the_same_seed_gives_the_same_match(preset, seed, hands):
    first, second = (Match(preset, NAMES, seed=seed) for _ in range(2))
    assert play_hands(first, hands) == play_hands(second, hands)
    assert first.to_json() == second.to_json()


def test_the_winds_are_fair():
    """Each of the 20 orders with another cycle comes equally often after a given one."""
    rng = random.Random(5)
    counts = dict.fromkeys(itertools.permutations(CYCLE), 0)
    for _ in range(4000):
        stream = MatchSeed(rng.randbytes(32)).stream(1)
        counts[throw_winds(stream, CYCLE, first=False).moved(CYCLE)] += 1
    never = {order for order, count in counts.items() if not count}
    assert never == {CYCLE[shift:] + CYCLE[:shift] for shift in range(4)}
    assert all(130 < count < 270 for count in counts.values() if count)


def test_seeds_that_are_alike_are_one():
    assert len({MatchSeed(1), MatchSeed(1), MatchSeed(2)}) == 2
