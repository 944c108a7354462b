"""Say whether this commit can be released, and tag it if asked to.

    python scripts/release.py         every reason against it, or none
    python scripts/release.py --tag   the tag too; `git push origin TAG` then has the wheels built and published

The version is the one in src/tjmj/__init__.py. In CHANGELOG.md it has a section of its own with a date, and nothing
is left under Unreleased.
"""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
from pathlib import Path

VERSION = re.compile(r'^__version__ = "([^"]*)"$', re.M)
NUMBER = re.compile(r"\d+\.\d+\.\d+")
HEADING = re.compile(r"^## \[([^\]]*)\](.*)$", re.M)


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def sections(changelog: str) -> list[tuple[str, str, str]]:
    """What stands in brackets in each heading, what behind it, and the text below without headings of its own."""
    found = list(HEADING.finditer(changelog))
    ends = [heading.start() for heading in found[1:]] + [len(changelog)]
    texts = [changelog[heading.end() : end] for heading, end in zip(found, ends)]
    return [
        (heading[1], heading[2].strip(), re.sub(r"^(#.*|\[.*\]: .*)$", "", text, flags=re.M).strip())
        for heading, text in zip(found, texts)
    ]


def changelog_faults(changelog: str, version: str) -> list[str]:
    """Why a changelog is not ready for a version."""
    parts = sections(changelog)
    faults = [f"CHANGELOG.md: [{name}] still has entries" for name, _, text in parts if name == "Unreleased" and text]
    mine = [(date, text) for name, date, text in parts if name == version]
    if not mine:
        return [*faults, f"CHANGELOG.md: there is no section [{version}]"]
    if len(mine) > 1:
        faults.append(f"CHANGELOG.md: [{version}] stands there {len(mine)} times")
    date, text = mine[0]
    if next(name for name, _, _ in parts if name != "Unreleased") != version:
        faults.append(f"CHANGELOG.md: [{version}] is not the newest section")
    today = datetime.date.today()
    try:
        day = datetime.date.fromisoformat(date.removeprefix("- "))
    except ValueError:
        day = None
    if day is None or date != f"- {day}":
        faults.append(f"CHANGELOG.md: [{version}] has no date, such as '- {today}'")
    elif day > today:
        faults.append(f"CHANGELOG.md: the date of [{version}] is still to come")
    if not text:
        faults.append(f"CHANGELOG.md: [{version}] is empty")
    return faults


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def tagged(root: Path) -> list[str]:
    """The versions that have a tag, the newest last."""
    names = [name.removeprefix("v") for name in git(root, "tag", "--list", "v*").split()]
    return sorted((name for name in names if NUMBER.fullmatch(name)), key=numbers)


def faults_of(root: Path) -> tuple[str, list[str]]:
    """The version of a checkout, and every reason against releasing it."""
    package = root / "src" / "tjmj" / "__init__.py"
    if not package.is_file():
        return "", [f"{root} is no checkout of the package"]
    stated = VERSION.findall(package.read_text("utf-8"))
    if len(stated) != 1 or not NUMBER.fullmatch(stated[0]):
        return "", ["src/tjmj/__init__.py states no version of three numbers"]
    version = stated[0]
    faults = changelog_faults((root / "CHANGELOG.md").read_text("utf-8"), version)
    released = tagged(root)
    if version in released:
        faults.append(f"the tag v{version} is there already")
    elif released and numbers(version) < numbers(released[-1]):
        faults.append(f"{version} is older than the tag v{released[-1]}")
    if changed := git(root, "status", "--porcelain"):
        faults.append(f"not all is committed:\n{changed}")
    return version, faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tag", action="store_true", help="make the tag")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent, help="another checkout")
    asked = parser.parse_args()
    version, faults = faults_of(asked.root)
    if faults:
        sys.exit("\n".join(["Not to be released:", *faults]))
    if asked.tag:
        git(asked.root, "tag", "--annotate", f"v{version}", "--message", f"tjmj {version}")
        print(f"Tagged v{version}; now: git push origin v{version}")
    else:
        print(f"{version} can be released; make release ARGS=--tag makes the tag")


if __name__ == "__main__":
    main()
