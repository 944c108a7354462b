"""Imports go one way: each module uses only those below it."""

from __future__ import annotations

import pathlib
import re

import pytest

import tjmj

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "src" / "tjmj"

ORDER = [
    "errors", "limits", "tiles", "elements", "notebook", "_core",  # vocabulary and kernel
    "json_lines", "safe_files", "rulesets", "stakes", "seating", "_threads",
    "_terms", "_notation", "_hand",  # values
    "_reading", "_fan", "_flowers", "_score", "_waits", "answers",  # one hand
    "_rows", "_batch", "batch",  # many
    "_round", "_settle", "_moves", "_reasons", "_play", "_deal", "_asking", "_observation", "_policy",  # play
    "_story", "_windows",  # and what is told of it
    "events", "view", "draw", "record", "round", "telling", "simulate", "report", "_tables", "env",
    "between_hands", "match_state", "match_history", "match",
    "viewer",
    "cli", "__main__",
]  # fmt: skip
"""Modules, the lowest first; a folder counts as one."""

TEXT = re.compile(r'"""(?:\\.|.)*?"""|\'\'\'(?:\\.|.)*?\'\'\'', re.S)
COMMENT = re.compile(r"#[^\n]*")
FROM = re.compile(r"^[ \t]*from\s+(\.*)([\w.]*)\s+c?import\s+(\([^)]*\)|[^\n;]*)", re.M)
IMPORT = re.compile(r"^[ \t]*c?import\s+([^\n;]*)", re.M)


def imports(source: str, *, depth: int) -> set[str]:
    """Modules of the package that a source imports; `depth`: how many folders below the package it lies."""
    source = COMMENT.sub("", TEXT.sub('""', source)).replace("\\\n", " ")
    found: set[str] = set()
    for dots, path, names in FROM.findall(source):
        if dots and len(dots) - 1 < depth:
            continue  # inside its own folder
        if not dots:
            if path.split(".")[0] != "tjmj":
                continue
            path = path.removeprefix("tjmj").removeprefix(".")
        if path:
            found.add(path.split(".")[0])
        else:
            found |= {name.split()[0] for name in names.strip("()\n ").split(",") if name.strip()}
    for names in IMPORT.findall(source):
        for name in names.split(","):
            first, _, rest = name.split()[0].partition(".")
            if first == "tjmj":
                found.add(rest.split(".")[0] or "__init__")
    return found


def sources() -> dict[str, list[pathlib.Path]]:
    """Files of each module, declarations and stubs too."""
    modules: dict[str, list[pathlib.Path]] = {}
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".pyx", ".pxd", ".pyi"):
            inside = path.relative_to(PACKAGE)
            modules.setdefault(inside.parts[0].partition(".")[0], []).append(path)
    return modules


MODULES = sources()


def test_every_module_has_its_place():
    """A new module is given one in ORDER, as low as it can be."""
    assert set(MODULES) - {"__init__"} - set(ORDER) == set()
    assert {"errors", "tiles", "_core", "rulesets", "_hand", "_fan", "_waits"} <= set(MODULES)


@pytest.mark.parametrize("module", [module for module in MODULES if module != "__init__"])
def test_imports_go_to_lower_modules_only(module):
    allowed = {*ORDER[: ORDER.index(module)], module}
    for path in MODULES[module]:
        depth = len(path.relative_to(PACKAGE).parts) - 1
        names = imports(path.read_text("utf-8"), depth=depth)
        assert {name for name in names if name in MODULES or name in ORDER} - allowed == set(), path.name


def test_the_package_itself_leaves_out_the_command():
    for path in MODULES["__init__"]:
        assert imports(path.read_text("utf-8"), depth=0).isdisjoint({"cli", "__main__"}), path.name


def test_only_the_notebook_looks_upward():
    """Values show themselves by what is drawn of them, which knows them all; the package's own names come late."""
    late = {name for name, paths in MODULES.items() for path in paths if "import_module(" in path.read_text("utf-8")}
    assert late == {"notebook", "__init__"}


def test_the_kernel_knows_no_ruleset():
    for path in MODULES["_core"]:
        assert imports(path.read_text("utf-8"), depth=0) <= {"tiles", "_core"}, path.name


@pytest.mark.parametrize(
    ("source", "depth", "found"),
    [
        ("from .tiles import NAMES", 0, {"tiles"}),
        ("from ._core cimport (\n    HandKeys, TABLES,\n)\n", 0, {"_core"}),
        ("from . import elements as _elements, tiles", 0, {"elements", "tiles"}),
        ("from . import (\n    batch,\n    cli,\n)", 0, {"batch", "cli"}),
        ("    from ..errors import RulesError", 1, {"errors"}),
        ("from .. import cli", 1, {"cli"}),
        ("from . import tianjin\nfrom .base import Rules", 1, set()),
        ("import tjmj\nimport tjmj._fan as f, os", 0, {"__init__", "_fan"}),
        ("cimport tjmj._hand", 0, {"_hand"}),
        ("from tjmj._waits cimport Waits", 0, {"_waits"}),
        ("from tjmj import cli", 0, {"cli"}),
        ("from libc.stdint cimport int8_t\nimport numpy as np", 0, set()),
        ('"""Text:\n\nimport tjmj.cli\n"""\n# from . import cli\n', 0, set()),
    ],
)
def test_imports_are_read_in_every_form(source, depth, found):
    assert imports(source, depth=depth) == found


def test_what_is_imported_late_is_listed_all_the_same():
    assert set(tjmj.__all__) <= set(dir(tjmj))
