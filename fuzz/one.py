"""Run one target under libFuzzer: `python -m fuzz.one TARGET [libFuzzer's arguments]`; `python -m fuzz` calls it."""

from __future__ import annotations

import sys
from importlib import import_module

import atheris

with atheris.instrument_imports(include=["tjmj"]):
    import tjmj.simulate
    import tjmj.telling  # noqa: F401

name, *arguments = sys.argv[1:]
target = import_module(f"fuzz.{name}")
mutators = {}
if hasattr(target, "mutate"):
    mutators["custom_mutator"] = lambda data, most, seed: target.mutate(data, most, seed, atheris.Mutate)
atheris.Setup([name, *arguments], target.check, **mutators)
atheris.Fuzz()
