"""docs/rules/: each rule of a page names the tests that hold it, and these are there."""

from __future__ import annotations

import ast
import pathlib
import re
from functools import cache

import pytest

TESTS = pathlib.Path(__file__).resolve().parent
PAGES = TESTS.parent / "docs" / "rules"
ENGLISH = sorted(path for path in PAGES.glob("*.md") if not path.name.endswith(".zh-CN.md"))
NAME = re.compile(r"`(\w+\.py)::(\w+)`")


@cache
def names_in(file: str) -> set[str]:
    """Test functions and classes of a file."""
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def rule_rows(page: pathlib.Path) -> list[list[str]]:
    """Cells of the rows of the tables of rules, which have two columns."""
    lines = page.read_text("utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return [row for row in cells if len(row) == 2 and row not in (["rule", "held by"], ["规则", "测试"])]


def test_there_is_a_page_for_each_ruleset():
    assert [page.stem for page in ENGLISH] == ["jintan", "tianjin"]
    assert all(len(rule_rows(page)) > 50 for page in ENGLISH)


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.name)
def test_every_rule_names_tests_that_exist(page):
    for rule, held in rule_rows(page):
        found = NAME.findall(held)
        assert rule and found, rule
        assert NAME.sub("", held).strip() == "", held
    for file, name in NAME.findall(page.read_text("utf-8")):
        assert name.startswith(("test_", "Test")) and name in names_in(file), f"{file}::{name}"


@pytest.mark.parametrize("page", ENGLISH, ids=lambda page: page.stem)
def test_the_chinese_page_says_the_same(page):
    """The same sections and rules in the same order, held by the same tests."""
    chinese = page.with_suffix(".zh-CN.md")
    held = [[row[1] for row in rule_rows(one)] for one in (page, chinese)]
    assert held[0] == held[1]
    headings = [re.findall(r"^(#+) ", one.read_text("utf-8"), re.M) for one in (page, chinese)]
    assert headings[0] == headings[1]
    assert f"]({chinese.name})" in page.read_text("utf-8") and f"]({page.name})" in chinese.read_text("utf-8")
