"""The presets and options of Tianjin mahjong (tianjin section 8)."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tjmj
from tjmj import Rules, RulesError, rules
from tjmj.rulesets import preset, preset_names, preset_title, rules_from, rules_options, tianjin

# Section 8, one column after the other.
PRESETS: dict[str, dict[str, Any]] = {
    "tianjin": {
        "opening": "one-throw",
        "wild_by": "dice", "wild_kinds": 2, "flower_wilds": False,
        "gold_kong": 4, "gold_kong_by_discard": True,
        "chan": 1,
        "stakes": True, "max_pulls": 2, "chuai": False,
        "exposed_kong": 1, "concealed_kong": 2,
        "heavenly_factor": 4, "heavenly_mode": "times",
        "min_fan": 2, "base": 1,
        "cap": 1000,
        "dealer_yields_to_kong": False,
        "plain_dragon": False, "earthly": False, "heavenly_ready": False,
        "last_tiles_closed": 0,
        "seating": "fixed", "titles": True,
        "first_dealer": "random",
    },
    "tianjin-hall": {
        "opening": "one-throw",
        "wild_by": "dice", "wild_kinds": 2, "flower_wilds": False,
        "gold_kong": 4, "gold_kong_by_discard": False,
        "chan": 2,
        "stakes": True, "max_pulls": 2, "chuai": False,
        "exposed_kong": 1, "concealed_kong": 2,
        "heavenly_factor": 4, "heavenly_mode": "times",
        "min_fan": 2, "base": 1,
        "cap": None,
        "dealer_yields_to_kong": False,
        "plain_dragon": False, "earthly": False, "heavenly_ready": False,
        "last_tiles_closed": 0,
        "seating": "fixed", "titles": True,
        "first_dealer": "random",
    },
    "tianjin-street": {
        "opening": "two-throw",
        "wild_by": "dice", "wild_kinds": 2, "flower_wilds": False,
        "gold_kong": 4, "gold_kong_by_discard": False,
        "chan": 0,
        "stakes": True, "max_pulls": 2, "chuai": False,
        "exposed_kong": 1, "concealed_kong": 2,
        "heavenly_factor": 4, "heavenly_mode": "times",
        "min_fan": 2, "base": 1,
        "cap": None,
        "dealer_yields_to_kong": True,
        "plain_dragon": True, "earthly": True, "heavenly_ready": True,
        "last_tiles_closed": 0,
        "seating": "winds", "titles": True,
        "first_dealer": 0,
    },
}  # fmt: skip

FLAGS = ("flower_wilds", "gold_kong_by_discard", "stakes", "chuai", "dealer_yields_to_kong", "plain_dragon",
         "earthly", "heavenly_ready", "titles")  # fmt: skip
NUMBERS = {
    "wild_kinds": (1, 3),
    "gold_kong": (0, 1000),
    "chan": (0, 1000),
    "max_pulls": (0, 2),
    "exposed_kong": (0, 1000),
    "concealed_kong": (0, 1000),
    "heavenly_factor": (1, 1000),
    "min_fan": (1, 1000),
    "base": (1, 1_000_000),
    "cap": (1, 10**9),
    "last_tiles_closed": (0, 136),
    "first_dealer": (0, 3),
}
CHOICES = {
    "opening": ("one-throw", "two-throw"),
    "wild_by": ("dice", "turned"),
    "heavenly_mode": ("times", "plus"),
    "seating": ("fixed", "random", "winds"),
}
BESIDE = {"cap": None, "first_dealer": "random"}  # allowed besides a number

GOOD = [(name, value) for name in FLAGS for value in (False, True)]
GOOD += [(name, value) for name, ends in NUMBERS.items() for value in ends]
GOOD += [(name, value) for name, values in CHOICES.items() for value in values]
GOOD += list(BESIDE.items())

BAD: list[tuple[str, Any]] = [(name, value) for name in FLAGS for value in (0, 1, None, "true", "", 1.0, [])]
BAD += [(name, low - 1) for name, (low, _) in NUMBERS.items()]
BAD += [(name, high + 1) for name, (_, high) in NUMBERS.items()]
BAD += [(name, value) for name in NUMBERS for value in (True, False, 1.0, "1", "", [1], 2**70, float("nan"))]
BAD += [(name, None) for name in NUMBERS if name != "cap"]
BAD += [(name, "random") for name in NUMBERS if name != "first_dealer"]
BAD += [(name, value) for name in CHOICES for value in ("", "Dice", "one", None, 0, True, ("dice",))]


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_the_table_of_the_specification(name):
    assert rules(name).options() == PRESETS[name]
    assert dict(preset(name)) == PRESETS[name]
    assert preset_title(name)


def test_the_presets_and_the_default():
    assert preset_names()[:3] == list(PRESETS)
    assert rules() == rules("tianjin")
    assert set(rules_options("tianjin")) == {*FLAGS, *NUMBERS, *CHOICES} == set(PRESETS["tianjin"])


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(("option", "value"), GOOD)
def test_every_option_can_be_set_on_top_of_any_preset(name, option, value):
    made = rules(name, **{option: value})
    assert made.options() == {**PRESETS[name], option: value}
    assert type(getattr(made, option)) is type(value)
    assert made.changed() == ({} if value == PRESETS[name][option] else {option: value})
    assert (made == rules(name)) == (value == PRESETS[name][option])


@pytest.mark.parametrize(("option", "value"), BAD)
def test_a_value_out_of_its_range_or_type_is_refused(option, value):
    with pytest.raises(RulesError) as caught:
        rules("tianjin", **{option: value})
    assert option in str(caught.value) and repr(value) in str(caught.value)


@pytest.mark.parametrize(
    ("option", "least", "most"),
    [("base", 1, 1_000_000), ("value", 0, 1000), ("min_flowers", 0, 1000), ("cap_fan", 0, 10), ("first_dealer", 0, 3)],
)
def test_numbers_of_jintan(option, least, most):
    for value in (least, most):
        assert rules("jintan", **{option: value}).options()[option] == value
    for value in (least - 1, most + 1):
        with pytest.raises(RulesError, match=option):
            rules("jintan", **{option: value})


@pytest.mark.parametrize("name", ["", "Tianjin", "tianjin ", "jintan2", None, 5, b"tianjin", ["tianjin"], {}])
def test_unknown_rules_are_refused(name):
    with pytest.raises(RulesError, match="unknown rules"):
        rules(name)
    with pytest.raises(RulesError, match="unknown rules"):
        rules(name, cap=None)
    for call in (preset, preset_title, rules_options):
        with pytest.raises(RulesError, match="unknown rules"):
            call(name)


@pytest.mark.parametrize("option", ["Cap", "wilds", "name", "values", "_hash", ""])
def test_unknown_options_are_refused(option):
    with pytest.raises(RulesError, match="no option"):
        rules("tianjin", **{option: 1})
    with pytest.raises(RulesError, match="no option"):
        rules_from("tianjin", {option: 1})


@given(st.sampled_from(list(PRESETS)), st.lists(st.sampled_from(GOOD), max_size=8).map(dict))
def test_rules_are_made_again_from_what_they_show(name, options):
    made = rules(name, **options)
    for again in (eval(repr(made), {"tjmj": tjmj}), pickle.loads(pickle.dumps(made)), copy.deepcopy(made),
                  rules(name, **made.changed()), rules_from(name, options)):  # fmt: skip
        assert again == made and hash(again) == hash(made)
        assert again.options() == made.options() == {**PRESETS[name], **options}
    assert type(made) is Rules


def test_rules_are_said_as_they_are_set_on_the_command_line():
    assert str(rules("tianjin")) == "tianjin"
    changed = rules("tianjin", cap=None, plain_dragon=True, min_fan=3)
    assert str(changed) == "tianjin min_fan=3 cap=none plain_dragon=yes"


def test_repr_names_what_differs_from_the_preset():
    assert repr(rules("tianjin")) == "tjmj.rules('tianjin')"
    assert repr(rules("tianjin", cap=None, chan=1)) == "tjmj.rules('tianjin', cap=None)"
    assert repr(rules("tianjin-street", first_dealer=3)) == "tjmj.rules('tianjin-street', first_dealer=3)"


def test_rules_differ_in_every_option():
    made = [rules(name) for name in PRESETS]
    made += [rules("tianjin", **{name: value}) for name, value in GOOD if value != PRESETS["tianjin"][name]]
    assert len(set(made)) == len(made)
    # By value, the name among them: the house a game was played in stays known.
    assert rules("tianjin-hall") != rules("tianjin", gold_kong_by_discard=False, chan=2, cap=None)
    assert rules("tianjin") != "tianjin"


@pytest.mark.parametrize("name", ["name", "cap", "new"])
def test_rules_do_not_change(name):
    made = rules("tianjin")
    with pytest.raises(AttributeError):
        setattr(made, name, 1)
    with pytest.raises(AttributeError):
        delattr(made, name)
    with pytest.raises(TypeError):
        preset("tianjin")["cap"] = 1000
    with pytest.raises(TypeError):
        rules_options("tianjin")["cap"] = rules_options("tianjin")["cap"]
    assert rules("tianjin").options() == PRESETS["tianjin"]


@pytest.mark.parametrize("change", [{"wild_kinds": 40}, {"min_fan": 0}, {"cap": "x"}, {"name": "nowhere"}])
def test_rules_that_cannot_be_are_not_made_in_another_way(change):
    """Checked where they are made, however that is."""
    with pytest.raises(RulesError):
        dataclasses.replace(rules("tianjin"), **change)
    with pytest.raises(RulesError):
        Rules(**(rules("tianjin").values() | change))


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("cap", "none", None), ("cap", " None ", None), ("cap", "500", 500), ("min_fan", "3", 3),
        ("first_dealer", "random", "random"), ("first_dealer", "2", 2), ("seating", "winds", "winds"),
        ("seating", "Winds", "winds"), ("wild_kinds", "1", 1),
        ("earthly", "yes", True), ("earthly", "on", True), ("earthly", "true", True), ("earthly", "1", True),
        ("earthly", "no", False), ("earthly", "off", False), ("earthly", "False", False),
        ("earthly", "0", False),
    ],
)  # fmt: skip
def test_options_are_read_from_text(option, text, value):
    """Cli: `--set OPTION=VALUE`."""
    read = rules_options("tianjin")[option].read(option, text)
    assert read == value and type(read) is type(value)


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("cap", ""), ("cap", "0"), ("cap", "1.0"), ("cap", "1e3"), ("cap", "true"), ("cap", "--5"),
        ("cap", "-5"), ("cap", "٣"), ("cap", "9" * 5000), ("min_fan", "none"), ("wild_kinds", "true"),
        ("earthly", "2"), ("earthly", "maybe"), ("earthly", "none"), ("seating", "wind"), ("seating", ""),
        ("first_dealer", "4"), ("first_dealer", "none"),
    ],
)  # fmt: skip
def test_text_that_is_no_value_of_the_option_is_refused(option, text):
    with pytest.raises(RulesError, match=option):
        rules_options("tianjin")[option].read(option, text)


def test_every_option_says_what_it_means_and_where_that_is_written():
    for name, option in rules_options("tianjin").items():
        assert option.meaning and option.section in {"1", "2", "3", "4", "5", "6", "7"}, name
        assert option.range_text(), name


@pytest.mark.parametrize(
    ("option", "range_text"),
    [
        ("cap", "a whole number from 1 to 1000000000, or none"),
        ("first_dealer", "a whole number from 0 to 3, or 'random'"),
        ("wild_kinds", "a whole number from 1 to 3"),
        ("wild_by", "'dice' or 'turned'"),
        ("earthly", "true or false"),
    ],
)
def test_what_an_option_can_be_is_said_in_words(option, range_text):
    assert rules_options("tianjin")[option].range_text() == range_text
    with pytest.raises(RulesError, match=range_text):
        rules("tianjin", **{option: "?"})


def test_rules_have_no_option_of_another_ruleset():
    with pytest.raises(RulesError, match=r"'tianjin' have no option 'cap_fan'; they have opening, .*first_dealer"):
        dataclasses.replace(rules("tianjin"), cap_fan=5)


def test_fields_that_do_not_go_together_make_no_ruleset():
    """Wins on discards and 七对 are counted by flowers only."""
    for field in ("discard_wins", "seven_pairs"):
        with pytest.raises(RulesError, match="flowers"):
            dataclasses.replace(tianjin.RULESET, fixed={**tianjin.RULESET.fixed, field: True})
