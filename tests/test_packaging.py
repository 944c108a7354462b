"""What is shipped: the sdist carries every source, the wheel no more than it runs on, and both install."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from itertools import chain

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

FOLDERS = ["src", "tests", "benchmarks", "docs", "examples", "scripts", ".ci", ".github"]
FILES = ["pyproject.toml", "setup.py", "MANIFEST.in", "Makefile", "LICENSE", ".pre-commit-config.yaml"]
FILES += ["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "README.zh-CN.md", "SECURITY.md"]
MADE = ["__pycache__", "*.pyc", "*.so", "*.pyd", "*.c", "*.egg-info", ".DS_Store"]

WHEELS = [f"cp{version}" for version in ("311", "312", "313", "314", "314t")]
"""Versions of Python that wheels are made for, on each of PLATFORMS."""
PLATFORMS = {
    "linux": ["manylinux_x86_64", "manylinux_aarch64", "musllinux_x86_64", "musllinux_aarch64"],
    "macos": ["macosx_x86_64", "macosx_arm64"],
    "windows": ["win_amd64", "win_arm64"],
}

HAND = ["score", "46W123B789B11T9T1F1T+5W", "--flip", "1F", "--json"]


def run(*command, check=True, folder=None, **more):
    """Run a command away from the checkout, with nothing of this environment showing through but `more`."""
    ours = ("PYTHON", "VIRTUAL_ENV", "TJMJ_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder or pathlib.Path(sys.prefix),
        env=environment | {"PYTHONUTF8": "1"} | more,
        capture_output=True,
        encoding="utf-8",
    )
    if check and done.returncode:
        pytest.fail(f"{command} exited {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of the sources without what builds leave behind."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in FOLDERS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns(*MADE))
    for name in FILES:
        shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def sources(checkout):
    return sorted(path.relative_to(checkout).as_posix() for path in checkout.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def distributions(checkout, sources):
    """An sdist made where an old build lies about, and the wheel built from it, both tested as they are shipped."""
    left_over = checkout / "src" / "tjmj" / "_core"
    left_over.with_suffix(".c").write_text("#error an old _core.c was compiled\n")
    left_over.with_suffix(".cpython-30-old.so").write_bytes(b"")
    run(sys.executable, checkout / "scripts" / "check_wheels.py", "--here", "--tests", "core", "fan", "waits")
    (sdist,) = (checkout / "dist" / "wheels").glob("*.tar.gz")
    (wheel,) = (checkout / "dist" / "wheels").glob("*.whl")
    return sdist, wheel


def test_build_group_is_what_the_build_requires():
    assert PROJECT["dependency-groups"]["build"] == PROJECT["build-system"]["requires"]


@pytest.mark.slow
def test_sdist_carries_every_source(distributions, sources):
    sdist, _ = distributions
    with tarfile.open(sdist) as archive:
        shipped = {name.partition("/")[2] for name in archive.getnames()}
    assert [name for name in sources if name not in shipped] == []
    assert [name for name in shipped if name.endswith((".c", ".so", ".pyd", ".pyc"))] == []


@pytest.mark.slow
def test_wheel_holds_modules_stubs_and_nothing_else(distributions, sources):
    _, wheel = distributions
    with zipfile.ZipFile(wheel) as archive:
        shipped = [name for name in archive.namelist() if not name.endswith("/")]

    package = [name for name in shipped if not name.partition("/")[0].endswith(".dist-info")]
    assert [name for name in package if not name.startswith("tjmj/")] == []
    extension = sysconfig.get_config_var("EXT_SUFFIX")
    kept = (".py", ".pyi", "py.typed", ".pxd", ".h", ".html", ".css", ".js", ".svg", ".json", extension)
    assert [name for name in package if not name.endswith(kept)] == []

    for source in sources:
        if not source.startswith("src/"):
            continue
        name = source.removeprefix("src/")
        if name.endswith((".py", ".pyi", "py.typed", ".pxd", ".html", ".css", ".js")):
            assert name in package
        elif name.endswith(".pyx"):
            assert name.removesuffix(".pyx") + extension in package


@pytest.mark.slow
@pytest.mark.parametrize("platform", PLATFORMS)
def test_wheels_for_every_platform_are_asked_for(platform):
    command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", platform, ROOT]
    asked = run(*command, folder=ROOT).stdout.split()
    assert sorted(asked) == sorted(f"{version}-{kind}" for version in WHEELS for kind in PLATFORMS[platform])


def test_a_job_of_the_workflow_builds_each_kind_of_wheel():
    _, jobs = (ROOT / ".github" / "workflows" / "wheels.yml").read_text("utf-8").split("\njobs:\n")
    built = re.findall(r"\{ kind: (\w+), arch: (\w+), os: [\w.-]+ \}", jobs)
    assert sorted(f"{kind}_{arch.lower()}" for kind, arch in built) == sorted(chain(*PLATFORMS.values()))


def test_nothing_is_published_unless_every_job_is_green():
    _, jobs = (ROOT / ".github" / "workflows" / "wheels.yml").read_text("utf-8").split("\njobs:\n")
    before, publish = jobs.split("\n  publish:\n")
    (needs,) = re.findall(r"^    needs: \[(.*)\]$", publish, re.M)
    assert needs.split(", ") == re.findall(r"^  (\w+):$", before, re.M)


def test_the_page_on_embedding_shows_what_is_built():
    page = (ROOT / "docs" / "embedding.md").read_text("utf-8")
    for name in ("embedded.pyx", "setup.py"):
        assert f"\n{(ROOT / 'tests' / 'embedding' / name).read_text('utf-8')}```\n" in page, name


def test_the_page_on_embedding_tells_every_function():
    page = (ROOT / "docs" / "embedding.md").read_text("utf-8")
    declared = (ROOT / "src" / "tjmj" / "__init__.pxd").read_text("utf-8")
    functions = re.findall(r"\b[a-z]\w+", re.sub(r'""".*?"""|from .*? cimport|#.*', "", declared, flags=re.S))
    assert [name for name in functions if f"`{name}" not in page] == []


@pytest.mark.slow
def test_wheel_can_be_embedded(distributions, tmp_path):
    """A module of somebody else that cimports the package is built and run beside an unpacked wheel."""
    _, wheel = distributions
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    folder = shutil.copytree(ROOT / "tests" / "embedding", tmp_path / "embedding")
    installed = {"folder": folder, "PYTHONPATH": str(tmp_path / "installed")}
    run(sys.executable, "setup.py", "build_ext", "--inplace", **installed)
    assert run(sys.executable, "compare.py", **installed).stdout == "the same\n"


@pytest.mark.slow
def test_wheel_says_what_it_is(distributions):
    sdist, wheel = distributions
    with zipfile.ZipFile(wheel) as archive:
        info = next(name.partition("/")[0] for name in archive.namelist() if ".dist-info/" in name)
        metadata = archive.read(f"{info}/METADATA").decode()
        assert f"{info}/licenses/LICENSE" in archive.namelist()
    headers = metadata.partition("\n\n")[0].splitlines()
    version = next(line.removeprefix("Version: ") for line in headers if line.startswith("Version: "))
    assert sdist.name == f"tjmj-{version}.tar.gz"
    assert "License-Expression: MIT" in headers
    assert "Requires-Python: >=3.11" in headers
    required = {line.removeprefix("Requires-Dist: ") for line in headers if line.startswith("Requires-Dist")}
    assert {name for name in required if "extra ==" not in name} == set(PROJECT["project"]["dependencies"])


@pytest.mark.slow
def test_wheel_installs_and_scores_without_cython(distributions, tmp_path):
    _, wheel = distributions
    run(sys.executable, "-m", "venv", tmp_path)
    scripts = tmp_path / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / ("python.exe" if os.name == "nt" else "python")

    run(python, "-m", "pip", "install", wheel)
    assert run(python, "-c", "import Cython", check=False).returncode == 1
    told = run(python, "-W", "error", "-c", "import tjmj; print(tjmj.__version__, tjmj.__file__)").stdout
    version, where = told.strip().split(" ", 1)
    assert wheel.name.startswith(f"tjmj-{version}-")
    assert pathlib.Path(where).is_relative_to(tmp_path)

    # Without the extra, the command says in one line what to install.
    done = run(python, "-m", "tjmj", *HAND, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "tjmj[cli]" in done.stderr

    run(python, "-m", "pip", "install", f"{wheel}[cli]")
    for command in ([python, "-m", "tjmj"], [scripts / "tjmj"]):
        answer = json.loads(run(*command, *HAND).stdout)
        assert (answer["win"], answer["legal"], answer["fan"]) == (True, True, 3)
        assert answer["elements"] == ["zhuowu"]
