"""The fuzz targets without a fuzzer: each law holds for its seeds, for what is made of them, and for any bytes."""

from __future__ import annotations

import random
import runpy
import sys
from importlib import import_module
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parent.parent))

import fuzz


def other_bytes(data, most):
    return data[: most // 2][::-1]


def inputs(target, every):
    rng = random.Random(0)
    for number, seed in enumerate(fuzz.seeds(target)[::every]):
        yield seed
        if mutate := getattr(import_module(f"fuzz.{target}"), "mutate", None):
            yield mutate(seed, 8192, number, other_bytes)
        else:
            yield seed[: rng.randrange(len(seed))] + rng.randbytes(40)
    yield from (b"", b"\0", b"\xff" * 100)


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_some_seeds(target):
    for data in inputs(target, every=6):
        import_module(f"fuzz.{target}").check(data)


@pytest.mark.slow
@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_all_seeds(target):
    for data in inputs(target, every=1):
        import_module(f"fuzz.{target}").check(data)


def test_each_target_has_its_own_seeds():
    for target in fuzz.TARGETS:
        seeds = fuzz.seeds(target)
        assert len(seeds) == len(set(seeds)) >= 10


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--jobs", "0"), "--seconds and --jobs are 1 or more"),
        (("--seconds", "0"), "--seconds and --jobs are 1 or more"),
        (("hand",), f"no target 'hand'; there are {', '.join(fuzz.TARGETS)}"),
        (("--again", "x"), "--again needs the one target that the input is of"),
        (("hands", "fan", "--again", "x"), "--again needs the one target that the input is of"),
        (("hands",), "the package is not the one that is built for fuzzing: make fuzz"),
    ],
)
def test_wrong_options_and_another_build_are_refused_in_a_line(options, reason, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["fuzz", *options])
    with pytest.raises(SystemExit) as refused:
        runpy.run_module("fuzz", run_name="__main__")
    assert refused.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"python -m fuzz: error: {reason}"
