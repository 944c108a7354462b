"""The plot of the documentation shows the data beside it, and these cover what is said of them."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = json.loads((ROOT / "docs" / "growth.json").read_text("utf-8"))


@pytest.mark.parametrize("name", ["is_win", "waits", "score"])
def test_batches_from_one_hand_to_ten_million_are_measured(name):
    numbers = [point[0] for point in DATA["batch"][name]]
    assert (numbers[0], numbers[-1]) == (1, 10_000_000)
    assert all(1 < after / before < 3.2 for before, after in pairwise(numbers))


def test_the_picture_shows_what_was_measured():
    picture = (ROOT / "docs" / "growth.svg").read_text("utf-8")
    assert all(f">{name}</text>" in picture for part in ("batch", "tables") for name in DATA.get(part, {}))
    assert len(picture) < 100_000


def test_a_part_that_cannot_be_measured_is_refused():
    command = [sys.executable, str(ROOT / "scripts" / "plot_growth.py"), "--measure", "hands"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and "'hands'" in done.stderr
