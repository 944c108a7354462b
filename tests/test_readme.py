"""What the READMEs show is what happens: their examples are run and their tables compared with the rules.

Code stands in `pycon` blocks, which are doctests, and commands in `console` blocks: a line behind `$ ` is a
command (`> ` goes on with it), and what follows is what it prints. It must exit with 0, or `$ echo $?` comes
next. A line `…` stands for lines that are left out; what comes behind it is found by its first line. Commands
are run one after the other in a folder of their own, so one can read what another has written. After a change
to what the command prints, `python tests/test_readme.py` writes the new output into both, and into the pages
of docs/, whose examples test_docs.py runs in the same way.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import pathlib
import re
import shlex
import shutil
import tempfile
import tomllib
import warnings
from functools import cache
from unittest import mock

import pytest
from test_layers import ORDER

from tjmj.cli import main
from tjmj.elements import CHINESE, DOUBLES, FLOWER_FAN, GROUP_FLOWERS, OF_COUNTING, SHAPE_FAN
from tjmj.rulesets import preset, preset_names, rules_options

ROOT = pathlib.Path(__file__).resolve().parent.parent
READMES = ["README.md", "README.zh-CN.md"]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Its example is somebody else's package, which test_packaging.py builds.
BUILT_ELSEWHERE = "docs/embedding.md"
LEFT_OUT = "…"
CHINESE_PAGE = ".zh-CN.md"

TIANJIN_FAN = {key: str(value) for key, value in SHAPE_FAN.items()} | dict.fromkeys(DOUBLES, "×2")
TIANJIN_FAN |= {"diliu": "1"} | dict.fromkeys(("tianhu", "dihu"), f"×{preset('tianjin')['heavenly_factor']}")
JINTAN_FAN = {key: str(value) for key, value in FLOWER_FAN.items()}
JINTAN_FAN |= {"qianggang": "0", "jihu": "0", "bahua": "cap_fan"}

each_readme = pytest.mark.parametrize("name", READMES)


def text_of(name):
    return (ROOT / name).read_text("utf-8")


def blocks(name, language):
    return [body for of, body in BLOCK.findall(text_of(name)) if of == language]


@cache
def printed(arguments, given, folder):
    """What the command prints, errors too, and the status that it exits with."""
    # Nothing of the terminal that the tests are run in may show: not its width, not its colours.
    terminal = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TTY_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(terminal)}
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with (
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, environment | {"COLUMNS": "100"}, clear=True),
        mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode()))),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
        warnings.catch_warnings(action="error"),
    ):
        status = main(list(arguments))
    out.flush()
    return out.buffer.getvalue().decode(), status


def made(target, folder):
    """What `make` prints for a target whose recipe is as simple as that of `run`."""
    (recipe,) = re.findall(rf"^{target}:.*\n((?:\t.*\n)+)", text_of("Makefile"), re.MULTILINE)
    out = ""
    for line in recipe.replace("\t@", "").splitlines():
        words = shlex.split(line)
        if words[:2] == ["mkdir", "-p"]:
            (folder / words[2]).mkdir(exist_ok=True)
        elif words == ["echo"]:
            out += "\n"
        else:
            assert words[:3] == ["$(PY)", "-m", "tjmj"], f"not a command that is tried here: {line}"
            told, status = printed(tuple(words[3:]), "", folder)
            assert status == 0, told
            out += told
    return out, 0


def run_examples(name):
    """Run a page's Python, `python` blocks as they are and `pycon` blocks as doctests; how many examples ran."""
    names, ran, report = {"__name__": "__main__"}, 0, []
    text = text_of(name)
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(2))
        if block[1] == "python":
            exec(compile("\n" * line + block[2], name, "exec"), names)
            ran += 1
        elif block[1] == "pycon":
            test = doctest.DocTestParser().get_doctest(block[2], {}, name, name, line)
            test.globs = names
            done = doctest.DocTestRunner().run(test, out=report.append, clear_globs=False)
            assert not done.failed, "".join(report)
            ran += done.attempted
    return ran


def answer(command, status, folder):
    """What a command of a console block prints, and its status."""
    words = shlex.split(command)
    given = ""
    if words == ["echo", "$?"]:
        return f"{status}\n", 0
    if words[0] == "make":
        return made(words[1], folder)
    if words[0] == "echo" and "|" in words:
        bar = words.index("|")
        given, words = " ".join(words[1:bar]) + "\n", words[bar + 1 :]
    assert words[0] == "tjmj", f"not a command that is tried here: {command}"
    return printed(tuple(words[1:]), given, folder)


def excerpt(shown, out):
    """Of an output the parts that are shown: each is as long as it is shown."""
    parts, found, end = [[]], [], 0
    for line in shown:
        if line == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    for number, part in enumerate(parts):
        if number:
            found.append(LEFT_OUT)
        if part or not number:
            start = out.index(part[0], end) if number else 0
            end = start + len(part)
            found += out[start:end]
    assert not parts[-1] or end == len(out), f"more is printed than is shown: {out[end:]}"
    return found


def played(block, folder):
    """A console block as it should read."""
    commands = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append(([line], []))
        elif line.startswith("> ") and commands and not commands[-1][1]:
            commands[-1][0].append(line)
        else:
            commands[-1][1].append(line)
    lines, status = [], 0
    for i, (command, shown) in enumerate(commands):
        out, status = answer("\n".join(line[2:] for line in command), status, folder)
        asked = commands[i + 1 : i + 2] and commands[i + 1][0] == ["$ echo $?"]
        assert status == 0 or asked, f"exit status {status}: {command[0]}\n{out}"
        told = [line.rstrip() for line in out.splitlines()]
        lines += [*command, *(excerpt(shown, told) if LEFT_OUT in shown else told)]
    return "".join(f"{line}\n" for line in lines)


def tables(name):
    """The tables, each as rows of cells without code marks, its head first."""
    found, before = [], ""
    for line in text_of(name).splitlines():
        if line.startswith("|"):
            cells = [cell.strip(" `") for cell in line.strip("|").split("|")]
            if not before.startswith("|"):
                found.append([])
            if set(cells) != {"---"}:
                found[-1].append(cells)
        before = line
    return found


def workplace(folder):
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return workplace(tmp_path_factory.mktemp("readme"))


@each_readme
def test_python_examples(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_examples(name) > 10


@each_readme
def test_commands(name, folder):
    shown = blocks(name, "console")
    assert len(shown) > 3
    for block in shown:
        assert played(block, folder) == block


@each_readme
def test_elements(name):
    shown = [table[1:] for table in tables(name) if table[0][1] in ("key", "键")]
    told = [{key: (chinese, fan) for chinese, key, fan, *_ in table} for table in shown]
    assert told == [{key: (CHINESE[key], fan[key]) for key in fan} for fan in (TIANJIN_FAN, JINTAN_FAN)]
    assert [sorted(fan) for fan in told] == [sorted(keys) for keys in OF_COUNTING.values()]


@each_readme
def test_flowers_of_groups(name):
    wanted = [[str(flowers) for flowers in of_both] for of_both in GROUP_FLOWERS.values()]
    assert wanted in [[row[1:] for row in table[1:]] for table in tables(name)]


@each_readme
def test_presets(name):
    """Of a ruleset with several presets the options are shown in which they differ, else all."""
    for options in {id(options): options for options in map(rules_options, preset_names())}.values():
        names = [each for each in preset_names() if rules_options(each) is options]
        values = {key: [preset(each)[key] for each in names] for key in options}
        (table,) = [table for table in tables(name) if table[0][1:-1] == names]
        read = {key: [options[key].read(key, cell) for cell in cells] for key, *cells, _ in table[1:]}
        assert read == {key: all_ for key, all_ in values.items() if len(names) == 1 or len(set(all_)) > 1}


def test_both_readmes_show_the_same():
    for language in ("sh", "pycon", "console"):
        assert blocks(READMES[0], language) == blocks(READMES[1], language)


@pytest.mark.parametrize("name", [*READMES, "CONTRIBUTING.md"])
def test_links_lead_somewhere(name):
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", text_of(name)):
        assert (ROOT / link).exists(), link


def test_the_house_is_the_one_that_is_held():
    """CONTRIBUTING.md has a row for each module, in the order of the imports."""
    house = [row for table in tables("CONTRIBUTING.md") if table[0][0] == "module" for row in table[1:]]
    assert [re.match(r"\w+", row[0])[0] for row in house] == [name for name in ORDER if name != "__main__"]


def test_every_dependency_has_its_reason():
    project = tomllib.loads(text_of("pyproject.toml"))
    named = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for group in [*project["project"]["optional-dependencies"].values(), *project["dependency-groups"].values()]:
        named += [each for each in group if isinstance(each, str)]
    (table,) = [table for table in tables("CONTRIBUTING.md") if table[0][0] == "package"]
    told = {package for row in table[1:] for package in row[0].split(", ")}
    assert {re.match(r"[\w-]+", each)[0] for each in named} == told


def test_targets_of_make_are_described():
    targets = set(re.findall(r"^([a-z-]+):.*## ", text_of("Makefile"), re.MULTILINE))
    told = set(re.findall(r"`make ([a-z-]+)", text_of("CONTRIBUTING.md")))
    assert told <= targets
    assert targets - told <= {"sdist", "clean", "distclean"}


def with_outputs(name):
    """A page with what its commands print now."""
    with tempfile.TemporaryDirectory() as made_here:
        folder = workplace(pathlib.Path(made_here))
        return BLOCK.sub(
            lambda block: f"```console\n{played(block[2], folder)}```" if block[1] == "console" else block[0],
            text_of(name),
        )


if __name__ == "__main__":
    for page in [*READMES, *PAGES]:
        if page != BUILT_ELSEWHERE:
            (ROOT / page).write_text(with_outputs(page), "utf-8")
