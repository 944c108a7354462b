"""The stubs say what the compiled modules are: to mypy and pyright, and beside the modules themselves."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import tjmj

HERE = Path(__file__).parent
PACKAGE = Path(tjmj.__file__).parent


def run_mypy(module, *arguments, folder):
    """Run mypy away from the checkout, on the package that is imported here."""
    search = {"MYPYPATH": str(PACKAGE.parent), "PYTHONPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, env=os.environ | search, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_consumer_runs():
    runpy.run_path(str(HERE / "consumer.py"))


@pytest.mark.slow
def test_consumer_is_typed(tmp_path):
    # What an installed package has wrong inside is no fault of who uses it.
    run_mypy("mypy", "--strict", "--follow-imports=silent", HERE / "consumer.py", folder=tmp_path)


@pytest.mark.slow
def test_pyright_sees_the_wrong_uses_and_nothing_else(tmp_path):
    """mypy's ignores say where the wrong uses are; pyright is told not to heed them."""
    consumer = HERE / "consumer.py"
    settings = {"include": [str(consumer)], "extraPaths": [str(PACKAGE.parent)], "enableTypeIgnoreComments": False}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings | {"typeCheckingMode": "strict"}))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", f"--pythonpath={sys.executable}"]
    done = subprocess.run([*command, f"--project={tmp_path}"], capture_output=True, encoding="utf-8")
    reported = {fault["range"]["start"]["line"] + 1 for fault in json.loads(done.stdout)["generalDiagnostics"]}
    lines = enumerate(consumer.read_text("utf-8").splitlines(), start=1)
    assert reported == {number for number, line in lines if "# type: ignore[" in line}


@pytest.mark.slow
def test_package_is_typed(tmp_path):
    run_mypy("mypy", "--strict", "--package=tjmj", folder=tmp_path)


@pytest.mark.slow
def test_stubs_are_what_is_compiled(tmp_path):
    stubs = sorted(path.relative_to(PACKAGE.parent).with_suffix("") for path in PACKAGE.rglob("*.pyi"))
    modules = [".".join(stub.parts) for stub in stubs]
    # Every compiled class is a disjoint base, and many type checkers do not know that decorator yet; not
    # every version of mypy misses all that the list names.
    options = ["--ignore-disjoint-bases", "--ignore-unused-allowlist", "--allowlist", HERE / "allowlist.txt"]
    run_mypy("mypy.stubtest", *options, *modules, folder=tmp_path)
