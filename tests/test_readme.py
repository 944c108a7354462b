"""What the READMEs show is what happens: their examples are run and their tables compared with the rules.

Code stands in `pycon` blocks, which are doctests, and commands in `console` blocks: a line behind `$ ` is a
command (`> ` goes on with it), and what follows is what it prints. It must exit with 0, or `$ echo $?` comes
next. After a change to what the command prints, `python tests/test_readme.py` writes the new output into both.
"""

from __future__ import annotations

import doctest
import os
import pathlib
import re
import shlex
import subprocess
import sys
from functools import cache

import pytest

from tjmj.elements import CHINESE, DOUBLES, SHAPE_FAN
from tjmj.rulesets import preset, preset_names, rules_options

ROOT = pathlib.Path(__file__).resolve().parent.parent
READMES = ["README.md", "README.zh-CN.md"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

each_readme = pytest.mark.parametrize("name", READMES)


def text_of(name):
    return (ROOT / name).read_text("utf-8")


def blocks(name, language):
    return [body for of, body in BLOCK.findall(text_of(name)) if of == language]


@cache
def tjmj(arguments, given):
    """What the command prints, errors too, and the status that it exits with."""
    # Nothing of the terminal that the tests are run in may show: not its width, not its colours.
    terminal = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TTY_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(terminal)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tjmj", *arguments],
        cwd=ROOT,
        env=environment | {"COLUMNS": "100", "PYTHONUTF8": "1"},
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return done.stdout, done.returncode


def answer(command, status):
    """What a command of a console block prints, and its status."""
    words = shlex.split(command)
    given = ""
    if words == ["echo", "$?"]:
        return f"{status}\n", 0
    if words[0] == "echo" and "|" in words:
        bar = words.index("|")
        given, words = " ".join(words[1:bar]) + "\n", words[bar + 1 :]
    assert words[0] == "tjmj", f"not a command that is tried here: {command}"
    return tjmj(tuple(words[1:]), given)


def played(block):
    """A console block as it should read."""
    lines = block.splitlines()
    commands = []
    for line in lines:
        if line.startswith("$ "):
            commands.append([line])
        elif line.startswith("> ") and commands:
            commands[-1].append(line)
    out, status = "", 0
    for i, shown in enumerate(commands):
        printed, status = answer("\n".join(line[2:] for line in shown), status)
        asked = commands[i + 1 : i + 2] == [["$ echo $?"]]
        assert status == 0 or asked, f"exit status {status}: {shown[0]}\n{printed}"
        out += "\n".join(shown) + "\n"
        out += "".join(line.rstrip() + "\n" for line in printed.splitlines())
    return out


def rows(name):
    """Cells of all tables' rows, without code marks."""
    lines = [line for line in text_of(name).splitlines() if line.startswith("|")]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]


@each_readme
def test_python_examples(name):
    # Everything else becomes empty lines, so that a failure names the line in the file.
    text = text_of(name)
    kept, end = [], 0
    for block in BLOCK.finditer(text):
        if block[1] == "pycon":
            kept += ["\n" * text.count("\n", end, block.start(2)), block[2]]
            end = block.end(2)
    test = doctest.DocTestParser().get_doctest("".join(kept), {}, name, name, 0)
    report = []
    ran = doctest.DocTestRunner().run(test, out=report.append)
    assert ran.attempted > 10
    assert not ran.failed, "".join(report)


@each_readme
def test_commands(name):
    shown = blocks(name, "console")
    assert len(shown) > 3
    for block in shown:
        assert played(block) == block


@each_readme
def test_elements(name):
    fan = {key: str(value) for key, value in SHAPE_FAN.items()} | dict.fromkeys(DOUBLES, "×2")
    fan |= {"diliu": "1"} | dict.fromkeys(("tianhu", "dihu"), f"×{preset('tianjin')['heavenly_factor']}")
    shown = {row[1]: (row[0], row[2]) for row in rows(name) if row[1] in CHINESE}
    assert shown == {key: (CHINESE[key], fan[key]) for key in CHINESE}


@each_readme
def test_presets(name):
    names = preset_names()
    options = rules_options(names[0])
    values = {key: [preset(each)[key] for each in names] for key in options}
    assert names in [row[1:4] for row in rows(name)]
    shown = {row[0]: row[1:4] for row in rows(name) if row[0] in options}
    read = {key: [options[key].read(key, cell) for cell in cells] for key, cells in shown.items()}
    assert read == {key: of_each for key, of_each in values.items() if len(set(of_each)) > 1}


def test_both_readmes_show_the_same():
    for language in ("sh", "pycon", "console"):
        assert blocks(READMES[0], language) == blocks(READMES[1], language)


@pytest.mark.parametrize("name", [*READMES, "CONTRIBUTING.md"])
def test_links_lead_somewhere(name):
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", text_of(name)):
        assert (ROOT / link).exists(), link


def write_outputs():
    """Put into both READMEs what their commands print now."""
    for name in READMES:
        new = BLOCK.sub(
            lambda block: f"```console\n{played(block[2])}```" if block[1] == "console" else block[0],
            text_of(name),
        )
        (ROOT / name).write_text(new, "utf-8")


if __name__ == "__main__":
    write_outputs()
