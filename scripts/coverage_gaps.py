"""Say which lines the tests have run, of Python by coverage.py and of Cython by gcov, and which gaps nobody explains.

    make coverage

builds with counters, runs the quick tests and comes here. docs/coverage.md explains the gaps, and is compared with
them. Lines of Cython are counted in what Cython makes of them: each is run if any of its C is, in any module.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "coverage"
PAGE = ROOT / "docs" / "coverage.md"
LEAST = 95  # percent, of each language

# Cython says above its C which line that is; behind the second pattern is what it adds by itself.
PLACE = re.compile(r'\s*/\* "([^"]+)":(\d+)$')  # a .pxd may be told without its folder
OWN_CODE = re.compile(r"\s*/\* function exit code|/\*---|\}$")
EXPLAINED = re.compile(r"^- `([^`]+)`: `` ?(.+?) ?``(, usually)?$", re.M)

Lines = dict[int, bool]


def c_places(text: str) -> Iterator[tuple[str, int] | None]:
    """The line of Cython that each line of C belongs to."""
    place = None
    for line in text.splitlines():
        if found := PLACE.match(line):
            place = found[1], int(found[2])
        elif OWN_CODE.match(line):
            place = None
        yield place


def cython_lines(build: Path) -> dict[str, Lines]:
    """Whether each line of each Cython source has been run."""
    run: dict[str, Lines] = {}
    for notes in sorted(build.rglob("*.gcno")):
        told = subprocess.run(
            ["gcov", "--json-format", "--stdout", notes], cwd=build, check=True, capture_output=True, text=True
        ).stdout
        for file in json.loads(told)["files"]:
            if not file["file"].endswith(f"/{notes.stem}.c"):
                continue
            places = list(c_places((ROOT / file["file"]).read_text("utf-8")))
            for counted in file["lines"]:
                if place := places[counted["line_number"] - 1]:
                    lines = run.setdefault(f"src/tjmj/{Path(place[0]).name}", {})
                    lines[place[1]] = lines.get(place[1], False) or counted["count"] > 0
    return {name: lines for name, lines in run.items() if (ROOT / name).exists()}  # Cython has sources of its own


def python_lines() -> dict[str, Lines]:
    """Whether each line of each Python source has been run."""
    told = subprocess.run(
        [sys.executable, "-m", "coverage", "json", "-q", "-o", "-"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    return {
        name: {line: line in set(file["executed_lines"]) for line in file["executed_lines"] + file["missing_lines"]}
        for name, file in json.loads(told)["files"].items()
    }


def gaps(run: dict[str, Lines]) -> Counter[tuple[str, str]]:
    """Lines that have not been run, as file and text."""
    found: Counter[tuple[str, str]] = Counter()
    for name, lines in run.items():
        text = (ROOT / name).read_text("utf-8").splitlines()
        found.update((Path(name).name, text[line - 1].strip()) for line, done in sorted(lines.items()) if not done)
    return found


def share(run: dict[str, Lines]) -> float:
    """Percent of lines that have been run."""
    done = [done for lines in run.values() for done in lines.values()]
    return 100 * sum(done) / len(done)


def report(language: str, run: dict[str, Lines]) -> None:
    for name, lines in sorted(run.items()):
        print(f"{100 * sum(lines.values()) / max(1, len(lines)):6.1f} %  {len(lines):5}  {name}")
    print(f"{share(run):6.1f} %  {sum(map(len, run.values())):5}  {language}\n")


def main() -> int:
    languages = {"Cython": cython_lines(BUILD), "Python": python_lines()}
    for language, run in languages.items():
        report(language, run)
    found = gaps(languages["Cython"]) + gaps(languages["Python"])
    told = EXPLAINED.findall(PAGE.read_text("utf-8"))
    explained = Counter((file, text) for file, text, _ in told)
    usual = Counter((file, text) for file, text, usually in told if usually)
    faults = [f"not run, and not explained: {file}: {text}" for file, text in sorted((found - explained).elements())]
    faults += [f"explained, but run: {file}: {text}" for file, text in sorted((explained - found - usual).elements())]
    faults += [f"{language}: less than {LEAST} %" for language, run in languages.items() if share(run) < LEAST]
    print(*faults, sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
