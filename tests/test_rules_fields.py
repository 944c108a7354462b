"""Rules are data: every field of `Rules` is set, tested, documented and read, and no code asks for a name.

What the rulesets share is written once (CONTRIBUTING.md, "Principles"), so the engine knows fields only.
"""

from __future__ import annotations

import dataclasses
import pathlib
import re

import pytest

import tjmj
from tjmj.rulesets import Rules, Ruleset, preset, preset_names, preset_title, ruleset_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "tjmj"
PAGES = ROOT / "docs" / "rules"
FIELDS = [field.name for field in dataclasses.fields(Rules) if field.name != "name"]


def rulesets() -> list[Ruleset]:
    """Every ruleset that is known, once."""
    found: list[Ruleset] = []
    for name in preset_names():
        if not any(ruleset is ruleset_of(name) for ruleset in found):
            found.append(ruleset_of(name))
    return found


RULESETS = rulesets()
NAMES = [next(iter(ruleset.presets)) for ruleset in RULESETS]
"""A preset of each ruleset, which its page is named by."""


# Presets


@pytest.mark.parametrize("ruleset", RULESETS, ids=NAMES)
def test_every_field_is_an_option_or_fixed(ruleset):
    assert set(ruleset.options) | set(ruleset.fixed) == set(FIELDS)
    assert set(ruleset.options) & set(ruleset.fixed) == set()


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_gives_every_field_a_value(name):
    ruleset = ruleset_of(name)
    assert set(preset(name)) == set(ruleset.options)
    assert list(preset(name)) == list(ruleset.options)  # in the same order, for whoever reads them
    assert tjmj.rules(name).values() == {"name": name, **ruleset.fixed, **preset(name)}
    assert preset_title(name)
    for option, value in preset(name).items():
        ruleset.options[option].check(option, value)


@pytest.mark.parametrize("ruleset", RULESETS, ids=NAMES)
def test_every_field_has_values_of_one_type(ruleset):
    """What is fixed here is of the type that it has as an option elsewhere."""
    for other in RULESETS:
        for field in set(ruleset.fixed) & set(other.options):
            one = next(iter(other.presets.values()))[field]
            fixed = ruleset.fixed[field]
            assert fixed is None or one is None or isinstance(fixed, bool) == isinstance(one, bool), field


# Tests and documentation


def named(field: str) -> re.Pattern[str]:
    """The field as a text, an argument or an attribute."""
    return re.compile(rf"[\"']{field}[\"']|\b{field}=|\.{field}\b")


TESTS = "\n".join(
    path.read_text("utf-8")
    for path in (ROOT / "tests").glob("test_*.py")
    if path.name != pathlib.Path(__file__).name
)


@pytest.mark.parametrize("field", FIELDS)
def test_a_test_names_every_field(field):
    assert named(field).search(TESTS)


SHOWN = {
    "": {True: "yes", False: "no", None: "none"},
    ".zh-CN": {True: "是", False: "否", None: "无"},
}


def shown(value: object, language: str) -> str:
    """A value as the pages write it."""
    plain = value is None or isinstance(value, bool)
    return SHOWN[language][value] if plain else str(value)


def rows(page: pathlib.Path) -> dict[str, list[str]]:
    """Rows of the page's tables whose first cell is a field: the cells behind it."""
    found: dict[str, list[str]] = {}
    for field, rest in re.findall(r"^\| `(\w+)` \|(.*)\|$", page.read_text("utf-8"), re.M):
        assert field not in found, f"{page.name}: {field} twice"
        found[field] = [cell.strip() for cell in rest.split("|")]
    return found


@pytest.mark.parametrize("language", SHOWN)
@pytest.mark.parametrize("ruleset", RULESETS, ids=NAMES)
def test_the_page_of_a_ruleset_tells_every_field_and_its_value(ruleset, language):
    """Options with their meaning and their values, those of each preset too; what is fixed with its value."""
    page = PAGES / f"{next(iter(ruleset.presets))}{language}.md"
    told = rows(page)
    assert set(told) == set(FIELDS)
    for option in ruleset.options:
        meaning, allowed, *values = told[option]
        assert meaning and allowed
        assert values == [shown(one[option], language) for one in ruleset.presets.values()], option
    for field, value in ruleset.fixed.items():
        written, meaning = told[field]
        assert meaning
        assert written == shown(value, language), field


# The engine

TEXT = re.compile(r'"""(?:\\.|.)*?"""|\'\'\'(?:\\.|.)*?\'\'\'', re.S)
COMMENT = re.compile(r"#[^\n]*")
NAMED = re.compile(r"[^\n]*(?:tianjin|jintan|天津|金坛)[^\n]*", re.I)
DEFAULT = re.compile(r"""\brules(: str \| Rules)? ?= ?"tianjin"[,)]?""")
SOURCES = sorted(
    path
    for path in PACKAGE.rglob("*")
    if path.suffix in (".py", ".pyx", ".pxd", ".pyi") and "rulesets" not in path.relative_to(PACKAGE).parts
)

DEFAULTS = {
    "_deal.pyi": 2,  # deal, deal_fast
    "_deal.pyx": 2,
    "_hand.pyi": 2,  # Hand, Hand.parse
    "_hand.pyx": 2,
    "_tables.pyi": 1,  # Tables
    "_tables.pyx": 1,
    "batch.py": 4,  # is_win, waits, waits_left, score
    "match.py": 1,  # Match
    "round.py": 1,  # Round
    "simulate.py": 1,  # simulate
}
"""Public functions whose `rules` are Tianjin's where nobody says otherwise."""

MENTIONS = {
    # what a value has that was never made
    "_hand.pyx": ['cdef RulesTerms NO_TERMS = terms_of("tianjin")'],
    "_play.pyx": ['cdef RulesTerms NO_TERMS = terms_of("tianjin")'],
    # the default of `score` and `waits`, and of the commands
    "_score.pyx": ['terms = terms_of("tianjin" if rules is None else rules)'],
    "cli/options.py": [
        'click.option("--rules", "preset", metavar="NAME", default="tianjin", show_default=True,',
    ],
}
"""Other lines that name a ruleset, each of them a default."""


def code_of(source: str) -> str:
    """A source without comments and texts in three quotes, which refer to pages of the specification."""
    return COMMENT.sub("", TEXT.sub('""', source))


def mentions(source: str) -> tuple[int, list[str]]:
    """How many defaults of an argument name a ruleset, and the other lines that do."""
    code, defaults = DEFAULT.subn("", code_of(source))
    return defaults, [line.strip() for line in NAMED.findall(code)]


@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(PACKAGE)) for path in SOURCES])
def test_the_engine_names_no_ruleset(path):
    inside = path.relative_to(PACKAGE).as_posix()
    expected = (DEFAULTS.get(inside, 0), MENTIONS.get(inside, []))
    assert mentions(path.read_text("utf-8")) == expected


def test_what_is_allowed_to_name_one_is_there():
    inside = {path.relative_to(PACKAGE).as_posix() for path in SOURCES}
    assert set(DEFAULTS) | set(MENTIONS) <= inside
    assert {"_round.pyx", "_play.pyx", "_windows.pyx", "_settle.pyx", "_flowers.pyx", "round.py"} <= inside


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('if rules.name == "jintan":\n', (0, ['if rules.name == "jintan":'])),
        ('if rules.name.startswith("Tian' + 'jin"):\n', (0, ['if rules.name.startswith("Tianjin"):'])),
        ('def f(rules="tianjin"):\n    """Of Tianjin."""  # tianjin\n', (1, [])),
        ('def f(rules: str | Rules = "tianjin", x=1): ...\n', (1, [])),
        ('house = "tianjin-street"\n', (0, ['house = "tianjin-street"'])),
        ('text = "金坛"\n', (0, ['text = "金坛"'])),
    ],
)
def test_mentions_are_found_in_every_form(source, found):
    assert mentions(source) == found


def test_the_engine_reads_every_field():
    code = "\n".join(code_of(path.read_text("utf-8")) for path in SOURCES)
    assert [field for field in FIELDS if not re.search(rf"rules\.{field}\b", code)] == []
