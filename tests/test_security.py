"""SECURITY.md says the limits that the code has."""

from __future__ import annotations

from pathlib import Path

import pytest

import tjmj
from tjmj.json_lines import DEEPEST, LONGEST_LINE
from tjmj.match_state import LONGEST_NAME

TOLD = (Path(__file__).resolve().parent.parent / "SECURITY.md").read_text("utf-8")


def test_limits_are_told():
    assert f"{LONGEST_LINE:,} bytes a line, nested {DEEPEST} deep" in TOLD
    assert f"names of {LONGEST_NAME} characters" in TOLD
    assert "| 4,000 characters |" in TOLD


def test_a_text_may_have_so_many_characters():
    assert len(tjmj.parse_tiles("1W" + " " * 3998)) == 1
    with pytest.raises(tjmj.NotationError, match="4001 characters is too long"):
        tjmj.parse_tiles("1W" + " " * 3999)
