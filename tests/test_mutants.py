"""Which faults `scripts/mutate.py` puts into a source, and which lines `scripts/coverage_gaps.py` sees."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parent.parent / "scripts"))

from coverage_gaps import c_places
from mutants import mutants

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mutants.md"


def faults(source: str) -> list[str]:
    """Each way in which a fault changes a source of one line that matters."""
    return [mutant.applied(source) for mutant in mutants("x.pyx", source)]


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("if a < b:", ["if a <= b:"]),
        ("if a is not b:", ["if a is b:"]),
        ("return not a and b", ["return a and b", "return not a or b"]),
        ("x = 0", ["x = 1"]),
        ("x += 2", ["x -= 2", "x += 3", "x += 1"]),
        ("x = y & 0xFF", ["x = y | 0xFF", "x = y & 0xEF"]),
        ("x = <int64_t>a << b", ["x = <int64_t>a >> b"]),
        ("x = <const uint8_t *>&a", []),
        ("x = max(-a, *b)", ["x = min(-a, *b)"]),
        ("cdef int[4] a", []),
        ("cdef int[4] a, b = 1", ["cdef int[4] a, b = 2", "cdef int[4] a, b = 0"]),
        ("cdef int f(int *a, Style style=*) except -2", []),
        ("def f(Hand a not None, b=True):", ["def f(Hand a not None, b=False):"]),
        ("x: int | None = None", []),
        ("raise E(1 + 2)", []),
        ("from .a import b, c", []),
        ('x = f"{1 + 2}"  # 3 < 4', []),
        ('"""Of 1 < 2."""', []),
        ("cdef extern from *:\n    int a = 1", []),
        ("cdef struct A:\n    int[4] a\nx = a + b", ["cdef struct A:\n    int[4] a\nx = a - b"]),
        ("x = f(1,\n      a + b)", ["x = f(2,\n      a + b)", "x = f(0,\n      a + b)", "x = f(1,\n      a - b)"]),
    ],
)
def test_faults_of_a_line(line, changed):
    assert faults(line + "\n") == [each + "\n" for each in changed]


def test_a_fault_is_known_again_where_lines_have_moved():
    first = mutants("x.pyx", "a = b + c\na = b + c\n")
    later = mutants("x.pyx", "# more\n\na = b + c\n\na = b + c\n")
    assert [each.key for each in first] == [each.key for each in later]
    assert len({each.key for each in first}) == 2
    assert [each.line for each in later] == [3, 5]


@pytest.mark.parametrize(("file", "line"), re.findall(r"^- `([^`]+)`: ``(.+?)``", PAGE.read_text("utf-8"), re.M))
def test_the_lines_of_explained_survivors_are_there(file, line):
    found = mutants(file, (ROOT / "src" / "tjmj" / file).read_text("utf-8"))
    assert any(line in mutant.key for mutant in found)


def test_lines_of_c_belong_to_the_line_told_above_them():
    c = """static int f(void) {
  int r;

  /* "tjmj/_x.pyx":7
 *     if a:             # <<<<<<<<<<<<<<
*/
  r = a;
  if (r) {
    /* "tjmj/_y.pxd":3
*/
    r = 2;
  }

  /* function exit code */
  return r;
}
static int other;
"""
    lines = dict(zip(c.splitlines(), c_places(c)))
    assert lines["  r = a;"] == lines["  if (r) {"] == ("tjmj/_x.pyx", 7)
    assert lines["    r = 2;"] == ("tjmj/_y.pxd", 3)
    assert {lines[each] for each in ("  int r;", "  return r;", "static int other;")} == {None}
