"""The release script says every reason against a release, and tags only what has none and only when asked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "release.py"
READY = """# Changelog

## [Unreleased]

## [1.2.0] - 2026-01-31

### Added

- A thing.

## [1.1.0] - 2025-12-24

- Old.
"""

pytestmark = [pytest.mark.skipif(not shutil.which("git"), reason="git is not installed"), pytest.mark.process]


def git(folder, *arguments):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.split()


def checkout(folder, changelog=READY, version="1.2.0"):
    package = folder / "src" / "tjmj"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(f'"""Text."""\n\n__version__ = "{version}"\n', "utf-8")
    (folder / "CHANGELOG.md").write_text(changelog, "utf-8")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "All")
    return folder


def release(folder, *arguments):
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    command = [sys.executable, SCRIPT, "--root", folder, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=os.environ | who)


def test_tags_only_when_asked(tmp_path):
    folder = checkout(tmp_path)
    done = release(folder)
    assert (done.returncode, git(folder, "tag")) == (0, [])
    done = release(folder, "--tag")
    assert (done.returncode, git(folder, "tag")) == (0, ["v1.2.0"])
    assert git(folder, "rev-list", "-1", "v1.2.0") == git(folder, "rev-parse", "HEAD")

    again = release(folder, "--tag")
    assert again.returncode == 1
    assert "the tag v1.2.0 is there already" in again.stderr


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("[Unreleased]\n", "[Unreleased]\n\n### Added\n\n- More.\n", "[Unreleased] still has entries"),
        (" - 2026-01-31", "", "[1.2.0] has no date"),
        (" - 2026-01-31", " - 2026-02-31", "[1.2.0] has no date"),
        (" - 2026-01-31", " - 2026W056", "[1.2.0] has no date"),
        (" - 2026-01-31", " - 20260131", "[1.2.0] has no date"),
        (" - 2026-01-31", " 2026-01-31", "[1.2.0] has no date"),
        (" - 2026-01-31", " - 9999-01-31", "the date of [1.2.0] is still to come"),
        ("[1.2.0]", "[1.2.1]", "there is no section [1.2.0]"),
        ("[1.1.0]", "[1.2.0]", "[1.2.0] stands there 2 times"),
        ("- A thing.\n", "", "[1.2.0] is empty"),
        ("## [1.2.0]", "## [1.3.0] - 2026-03-01\n\n- New.\n\n## [1.2.0]", "[1.2.0] is not the newest section"),
    ],
)
def test_refuses_an_unfinished_changelog(tmp_path, old, new, reason):
    assert old in READY
    folder = checkout(tmp_path, READY.replace(old, new, 1))
    done = release(folder, "--tag")
    assert (done.returncode, git(folder, "tag")) == (1, [])
    assert done.stderr.splitlines()[1:] == [line for line in done.stderr.splitlines() if reason in line]


def test_refuses_a_version_older_than_a_tag(tmp_path):
    folder = checkout(tmp_path)
    for tag in ("v1.1.9", "v1.10.0", "v2", "w9.0.0"):
        git(folder, "tag", tag)
    done = release(folder, "--tag")
    assert (done.returncode, len(git(folder, "tag"))) == (1, 4)
    assert done.stderr.splitlines()[1:] == ["1.2.0 is older than the tag v1.10.0"]
    git(folder, "tag", "-d", "v1.10.0")
    assert release(folder).returncode == 0


def test_refuses_what_is_no_checkout(tmp_path):
    done = release(tmp_path / "nowhere")
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == [f"{tmp_path / 'nowhere'} is no checkout of the package"]


def test_refuses_a_dirty_tree(tmp_path):
    folder = checkout(tmp_path)
    (folder / "notes.txt").write_text("mine")
    done = release(folder, "--tag")
    assert (done.returncode, git(folder, "tag")) == (1, [])
    assert "not all is committed" in done.stderr
    assert "notes.txt" in done.stderr


@pytest.mark.parametrize("version", ["1.2", "1.2.0.dev1", ""])
def test_refuses_what_is_no_version(tmp_path, version):
    done = release(checkout(tmp_path, version=version))
    assert done.returncode == 1
    assert "no version of three numbers" in done.stderr
