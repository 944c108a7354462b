"""Hot paths take no more instructions than is kept for this compiler, nor fewer without being kept anew."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))

import instructions


@pytest.mark.slow
def test_instructions_are_those_that_are_kept():
    if why := instructions.unable():
        pytest.skip(f"instructions cannot be counted: {why}")
    kept = json.loads(instructions.FILE.read_text("utf-8")).get(instructions.compiler())
    if kept is None:
        pytest.skip(f"no instructions are kept for {instructions.compiler()}")
    counted = instructions.count()
    changed = instructions.changed(counted, kept)
    assert not changed, {name: (kept.get(name), counted.get(name)) for name in changed}


def test_what_counts_as_changed():
    kept = {"fewer": 100, "near": 100, "more": 100, "gone": 100}
    counted = {"fewer": 94.9, "near": 104.9, "more": 105.1, "new": 100}
    assert instructions.changed(counted, kept) == ["fewer", "more", "gone", "new"]
    assert instructions.changed(kept, kept) == []


def test_the_compiler_is_read_from_what_it_made():
    name, version, machine = instructions.compiler().split()[:3]
    assert name in ("gcc", "clang", "unknown") and machine
    assert name == "unknown" or version[0].isdigit()
