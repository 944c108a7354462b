"""The floor that the table at the end compares with: memory alone, whatever is done with what it gives.

Four random look-ups for each hand, of 4 bytes each and none waiting for another, in a table of 400 KB, in
compiled code: what a scorer from one table entry for each suit would cost if it had nothing to compute and
its keys came for free.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from Cython.Build import cythonize
from deals import MANY
from setuptools import Distribution, Extension

SOURCE = Path(__file__).with_name("floor.pyx")
ENTRIES = 100_000


@pytest.fixture(scope="module")
def floor(tmp_path_factory):
    """floor.pyx, built into a temporary folder as the package's own modules are built."""
    folder = str(tmp_path_factory.mktemp("floor"))
    optimize = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0"]
    module = Extension("floor", [str(SOURCE)], extra_compile_args=optimize)
    modules = cythonize([module], build_dir=folder, force=True, quiet=True)
    command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
    command.build_lib = command.build_temp = folder
    command.ensure_finalized()
    command.run()
    spec = importlib.util.spec_from_file_location("floor", command.get_ext_fullpath("floor"))
    built = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(built)
    return built


@pytest.mark.benchmark(group="floor")
def test_look_ups(timed, floor):
    random = np.random.RandomState(400)
    table = random.randint(0, 2**30, ENTRIES, dtype=np.uint32)
    places = random.randint(0, ENTRIES, (MANY, 4), dtype=np.uint32)
    sums = np.empty(MANY, np.uint32)
    timed("four look-ups in a 400 KB table", MANY, floor.look_up, table, places, sums)
    assert table.nbytes == 400_000
    assert (sums == table[places].sum(axis=1, dtype=np.uint32)).all()
